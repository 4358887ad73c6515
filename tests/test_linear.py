"""A day costs time in proportion to its size and a few times its size in memory, whatever it holds.

Where a stage is Python, its calls are counted for n and for 2n. Where it is a pattern, the text is
so long that one quadratic pattern would run into the time limit of a test many times over.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import FrameType

import pytest

from lithify.capture import clipped
from lithify.markdown.front import read_front
from lithify.markdown.pages import split_provenance, strip_comments
from lithify.markdown.parse import end_of, parse, read_entries, render
from lithify.memory import CompactOptions
from lithify.search.add_files import IndexedFile, IndexWriter, record_of
from lithify.search.index import fresh, terms_of
from lithify.secrets.redact import redact
from lithify.text.copies import sketch
from lithify.text.dates import find_dates, with_dates
from lithify.text.figures import find_figures
from lithify.text.tokens import estimate
from lithify.text.words import stems_of
from lithify.values import Claim, Entry
from lithify.verify import ShownEntries, trace
from roots import Careful, made

DAY = date(2026, 4, 2)

SHAPES: dict[str, Callable[[int], str]] = {
    "headings": lambda n: "## A heading\n" * n,
    "entries": lambda n: "- Ada moved the launch of v2.4 to Friday.\n" * n,
    "lead-ins": lambda n: "Outstanding:\n\n- one\n" * n,
    "nested lead-ins": lambda n: "".join(f"{' ' * i}- {'a ' * 50}:\n" for i in range(n)),
    "fences that never close": lambda n: (
        "".join(f"{'`' * (3 + i)} a\n" for i in range(n % 400, 0, -1)) + "```python\nx\n" * n
    ),
    "fences": lambda n: "```\n" * n,
    "table rows": lambda n: "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * n,
    "quoted lines": lambda n: "> a\n" * n,
    "blank lines": lambda n: "a\n" + " \n" * n + "- b\n" * n,
    "a long heading over entries": lambda n: f"# {'a ' * n}\n" + "- b\n" * n,
    "speakers": lambda n: "Ada: yes.\n" * n,
}


def _index(text: str) -> None:
    entries = read_entries(text.encode(), label="2026-04-02", day=DAY)
    db = fresh(":memory:", "")
    writer = IndexWriter(db)
    writer.add(IndexedFile("a.md", "", "day", "2026-04-02", tuple(map(record_of, entries))))
    writer.finish()
    db.close()


def _clean(text: str) -> None:
    for entry in read_entries(text.encode(), label="2026-04-02", day=DAY):
        clipped(entry)


def _calls(work: Callable[[str], object], text: str) -> int:
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("work", [lambda text: end_of(text.encode()), _clean, _index])
@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_day_takes_twice_the_calls(shape: str, work: Callable[[str], object]) -> None:
    work(SHAPES[shape](3))  # what is loaded and compiled once does not count
    once, twice = (_calls(work, SHAPES[shape](n)) for n in (400, 800))
    assert twice < 2.2 * once + 500


#: Texts that a pattern may begin to read anew at every place. Where each piece is weighed in Python,
#: a few thousand of them do: that a pattern reads a long line once is seen by the others.
PATTERNS = {
    "checkboxes": "- [ ] " * 50_000,
    "comments": "<!-- " * 60_000,
    "comments without spaces": "- <!--" + "<!--" * 100_000 + "~9f3a1c20b7d4",
    "ids without an end": "- <!-- " + "2026-04-02~9f3a1c20b7d4 " * 5_000,
    "links": "[a](b " * 50_000,
    "bold": "**" * 150_000,
    "backticks": "`a " * 100_000,
    "quotes": "“a " * 100_000,
    "parentheses": "(" * 300_000,
    "quote marks": ">" * 300_000,
    "rules": "- " * 150_000 + "x",
    "a table's rule": "a|b\n" + "|-" * 150_000 + "x\n",
    "digits": "7" * 300_000,
    "commas": "a.b " + "," * 300_000,
    "groups of digits": "1" + ",123" * 75_000,
    "spaces": "a" + " " * 300_000 + "b",
    "dashes beside a path": "src/app.py " + "-" * 300_000,
    "underscores": "a_" * 150_000 + "a-b",
    "mail": "a@" * 150_000,
    "addresses": "http://" * 40_000,
    "zero-width characters": "a\u200b" * 100_000,
    "Japanese": "記憶" * 100_000,
    "common words with capitals": "Access " * 40_000,
    "passwords": "password for a " * 3_000,
    "a key": "-----BEGIN PRIVATE KEY-----" * 1_500,
    "escapes": "\x1b]" * 100_000,
}


@pytest.mark.parametrize("shape", PATTERNS)
def test_no_pattern_reads_a_long_line_again_and_again(shape: str) -> None:
    text = PATTERNS[shape]
    data = text.encode()
    assert render(parse(data, label="2026-04-02", day=DAY)) == data
    for line in text.split("\n"):
        split_provenance(line)
    strip_comments(text)
    redact(text)
    with_dates(text, DAY)
    find_dates(text)
    find_figures(text)
    estimate(text)
    terms_of(text)


def test_dates_in_one_line_are_each_read_from_where_they_stand() -> None:
    assert len(find_dates("2026-04-02 " * 10_000)) == 10_000
    # "Last Monday before" was compared with all of the text before it.
    with_dates("last Monday before " * 12_000, DAY)


def test_a_heading_as_long_as_its_entries_is_hashed_once() -> None:
    data = f"# {'a ' * 150_000}\n".encode() + b"- b\n" * 75_000
    ids = {entry.id for entry in read_entries(data, label="2026-04-02")}
    assert len(ids) == 1


def test_front_matter_without_a_colon_is_refused_at_once() -> None:
    assert "expected `key: value`" in read_front("a" + " " * 60_000 + "b").fault


@pytest.mark.parametrize(
    "work",
    [
        lambda text: list(read_entries(text.encode(), day=DAY)),
        lambda text: end_of(text.encode()),
        _clean,
        redact,
        estimate,
        sketch,
        stems_of,
        terms_of,
        lambda text: find_dates(text),
    ],
    ids=["entries", "end", "clean", "redact", "estimate", "sketch", "stems", "terms", "dates"],
)
def test_a_long_line_takes_a_few_times_its_size_in_memory(work: Callable[[str], object]) -> None:
    text = "quick brown foxes jump over lazy dogs " * 40_000
    work(text[:100])
    tracemalloc.start()
    try:
        work(text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 6 * len(text)


def test_a_claim_is_checked_against_a_long_entry_in_proportion() -> None:
    id = "2026-04-07~" + "0" * 12
    claim = Claim("Anab paid 1 EUR and Anac paid 2 EUR.", (id,))

    def paid(count: int) -> str:
        return ", ".join(f"Ana{chr(97 + n % 26)} paid {n} EUR" for n in range(count))

    def check(text: str) -> None:
        shown = ShownEntries.of([Entry(id, text, day=DAY)])
        trace(claim, shown)

    _calls(check, paid(10))
    assert _calls(check, paid(1600)) < 8 * _calls(check, paid(400))


@pytest.mark.parametrize(
    "line",
    [
        "- Ada moved the launch of v2.4 to Friday.\n",
        "| Ada | v2.4 | moved to Friday |\n",
        "> Ada moved the launch of v2.4 to Friday.\n\n",
        "- [ ] Move the launch of v2.4 to Friday.\n",
        "Ada moved the launch of v2.4 to Friday.\n\n",
    ],
)
def test_equal_lines_take_time_in_proportion_to_their_number(line: str, tmp_path: Path) -> None:
    def compact(text: str) -> None:
        memory = made(tmp_path / str(len(text)), {"2026-04-02": text})
        memory.compact(CompactOptions(model=Careful()))

    compact(line)  # what is loaded and compiled once does not count
    once, twice = (_calls(compact, line * n) for n in (200, 400))
    assert twice < 2.3 * once
    lists = [
        tuple(read_entries((line * n).encode(), label="2026-04-02", day=DAY)) for n in (200, 400)
    ]
    once, twice = (_calls(lambda text, n=n: dict.fromkeys(lists[n]), "") for n in (0, 1))
    assert twice < 2.3 * once
