"""Whole roots, read, compacted offline, and judged by a checker that is not the verifier.

The sample root always; with `--corpus PATH`, every root in that folder as well.
"""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

import independent
from independent_atoms import unsupported
from independent_pages import bullets_of, claim, read_sources
from lithify import Memory
from lithify.markdown.parse import Block, parse, render
from lithify.memory import CompactOptions
from lithify.text.tokens import estimate
from lithify.values import Task

SAMPLE = Path(__file__).parent.parent / "examples" / "sample"
#: Half a year of long days takes minutes, on a busy machine many.
PATIENCE = 3600


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "source" not in metafunc.fixturenames:
        return
    roots = {"sample": SAMPLE}
    folder = metafunc.config.getoption("--corpus")
    if folder:
        found = sorted(path.parent for path in Path(folder).absolute().glob("*/memory"))
        if not found:
            raise pytest.UsageError(
                f"no root under {folder}: a root is a folder with memory/ in it"
            )
        roots |= {path.name: path for path in found}
    metafunc.parametrize("source", roots.values(), ids=roots.keys())


def days(root: Path) -> list[Path]:
    return sorted(path for path in (root / "memory").glob("*.md") if path.name[:4].isdigit())


# Reading


@pytest.mark.timeout(PATIENCE)
def test_every_file_survives_parse_and_render(source: Path) -> None:
    files = [path for path in source.rglob("*.md") if ".lithify" not in path.parts]
    assert files
    changed = [path.name for path in files if render(parse(data := path.read_bytes())) != data]
    assert not changed


def letters(text: str) -> str:
    return "".join(re.findall(r"\w", text))


def structure(block: Block) -> bool:
    """Whether a block that is no entry is what its kind says, so that no text hides in it."""
    text = block.raw.decode("utf-8", "surrogateescape").removeprefix("\ufeff").strip()
    shapes = {
        "front": r"(?s)---.*(?:---|\.\.\.)",
        "heading": r"#+(?:\s.*)?|[^\n]+\n\s*=+",
        "blank": r"",
        "break": r"[-*_ \t]+",
        "header": r"[^\n]*\|[^\n]*\n[ \t|:-]+",
    }
    return block.kind in shapes and re.fullmatch(shapes[block.kind], text) is not None


@pytest.mark.timeout(PATIENCE)
def test_every_line_with_text_is_in_an_entry_or_is_structure(source: Path) -> None:
    lost = []
    for path in days(source):
        line = 1
        for block in parse(path.read_bytes()).blocks:
            assert block.line == line, f"{path.name}:{line} belongs to no block"
            line += block.raw.count(b"\n")
            if block.entry is None:
                kept = structure(block)
            else:
                raw = letters(block.raw.decode("utf-8", "surrogateescape"))
                kept = raw.endswith(letters(block.entry.text)) and bool(block.entry.id)
                # Only the number of a list item may stand before an entry's own letters.
                kept = kept and not raw.removesuffix(letters(block.entry.text)).strip("0123456789")
            if not kept:
                lost.append(f"{path.name}:{block.line}: {block.raw[:80]!r}")
    assert not lost, "\n".join(lost[:20])


# Compaction


@pytest.mark.timeout(PATIENCE)
def test_an_offline_compaction_leaves_nothing_the_checker_objects_to(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "root"
    shutil.copytree(source, root, ignore=shutil.ignore_patterns(".lithify"))
    foreign = {
        path.relative_to(root).as_posix(): path.read_bytes() for path in independent.written(root)
    }
    newest = max(date.fromisoformat(path.name[:10]) for path in days(root))
    now = datetime(newest.year, newest.month, newest.day, 2, tzinfo=UTC) + timedelta(days=60)
    before = {path: path.read_bytes() for path in days(root)}

    def say(words: str) -> None:
        with capsys.disabled():
            print(f"{source.name}: {words}", file=sys.stderr, flush=True)

    begun = time.monotonic()
    told = 0.0

    def progress(task: Task, done: int, of: int) -> None:
        nonlocal told
        if time.monotonic() - told > 10 and time.monotonic() - begun > 10:
            told = time.monotonic()
            say(f"{task.key}, {done} of {of}")

    report = Memory.open(root, clock=lambda: now).compact(CompactOptions(progress=progress))
    assert report is not None
    assert {path: path.read_bytes() for path in days(root)} == before
    if time.monotonic() - begun > 10:
        say(f"compacted in {time.monotonic() - begun:.0f} s, checking")
    faults = independent.check(root, today=now.date(), foreign=foreign)
    kinds = Counter(fault.rule for fault in faults)
    assert not faults, f"{dict(kinds)}\n" + "\n".join(map(str, faults[:40]))


# The checker can fail

DAY = b"""# Thursday, 2026-04-02

## Release

- Priya shipped booking-api 4.11.1 at 10:40; PR 231, 1,377 rows, 79% of traffic.
- The deal is worth 420 million dollars, says Dana Whitlock, and closes next Tuesday.
- Marek: "our clock, our loss". The runbook is docs/runbook.md, see https://example.com/a.
- Three customers wrote yesterday; call them at 7:00 PM tomorrow.

> Bea: "Ship it. The rows can wait." Colm: "No. Count them first, all of them."

Open questions:
- Osterly pays by Apr 30?

| Week | p95 |
|---|---|
| 14 | 655 ms |
"""

TRUE = [
    "Apr 2 - Priya shipped booking-api 4.11.1 at 10:40 AM: PR 231, 1377 rows, 79 percent",
    "The deal is worth $420M and closes on 2026-04-07",
    '2 Apr 2026: Marek: "our clock, our loss"; docs/runbook.md, https://example.com/a',
    "3 customers wrote on Apr 1; call them on Apr 3 at 19:00",
    "Open questions: Osterly pays by 2026-04-30",
    "Bea: Ship it. Colm: Count them first, all of them",
    "Release: p95 in week 14 was 655 ms",
]
FALSE = {
    "number": "Priya shipped it: PR 232",
    "sum": "The deal is worth $42M",
    "currency": "The deal is worth 420 million euros",
    "percentage": "It serves 97% of traffic",
    "version": "Priya shipped booking-api 4.11.2",
    "date": "The deal closes on Apr 9",
    "year": "2 Apr 2025: Priya shipped it",
    "opening date": "Apr 7 - The deal is worth 420 million dollars",
    "time": "Call the customers at 7:00 AM",
    "name": "Tomasz shipped it",
    "name within": "Shipped by Priya and Tomasz",
    "mixed name": "Says Dana Whitlow",
    "joined name": "Says Priya Whitlock",
    "quotation": 'Marek: "our clock, your loss"',
    "torn quotation": 'Marek: our clock, our loss"',
    "path": "The runbook is docs/runbooks.md",
    "URL": "See https://example.com/b",
    "identifier": "Shipped with TQ-20117",
    "number in words": "Four customers wrote",
}


@pytest.fixture
def april(tmp_path: Path) -> Path:
    (tmp_path / "memory" / "weekly").mkdir(parents=True)
    (tmp_path / "memory" / "2026-04-02.md").write_bytes(DAY)
    return tmp_path


@pytest.mark.parametrize("sentence", TRUE)
def test_the_checker_accepts_a_fact_in_another_form(sentence: str, april: Path) -> None:
    sources = read_sources(april, {})
    assert unsupported(sentence, sources.of(sources.entries)) == []
    assert [*claim("page", sentence, sources.entries, sources)] == []


@pytest.mark.parametrize("sentence", FALSE.values(), ids=FALSE.keys())
def test_the_checker_sees_a_fact_no_entry_states(sentence: str, april: Path) -> None:
    sources = read_sources(april, {})
    faults = claim("page", sentence, sources.entries, sources)
    assert [fault.rule for fault in faults][:1] == ["atom"]


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ("The same issue again", "self-contained"),
        ("Priya shipped it last week", "self-contained"),
        ("so " * 40 + "it is. And " + "so " * 40, "length"),
        ("...", "structure"),
        ("Bea: Count them first, all of them", "attribution"),
    ],
)
def test_the_checker_sees_a_bullet_that_does_not_stand_alone(
    sentence: str, rule: str, april: Path
) -> None:
    sources = read_sources(april, {})
    faults = claim("page", sentence, sources.entries, sources, bullet_limit=60)
    assert rule in [fault.rule for fault in faults]


def test_the_checker_sees_sources_that_are_missing_or_do_not_resolve(april: Path) -> None:
    sources = read_sources(april, {})
    assert [f.rule for f in claim("page", "shipped", (), sources)] == ["trace"]
    nobody = ("2026-04-02~" + "0" * 12,)
    assert [f.rule for f in claim("page", "shipped", nobody, sources)] == ["trace"]


@pytest.mark.parametrize(
    "body",
    [
        "# Week 2026-W14\n\n### Decisions\n\n### Key Outcomes\n",
        "# Week 2026-W14\n\n### Key Outcomes\nSome prose.\n",
        "# Week 14\n\n### Key Outcomes\n",
        "# Week 2026-W14\n\n### Key Outcomes\n* a star\n",
    ],
)
def test_the_checker_sees_a_page_out_of_form(body: str) -> None:
    _, wrong = bullets_of(body, "# Week 2026-W14", ("Key Outcomes",))
    assert wrong


def test_the_checker_sees_a_week_that_was_never_written(april: Path) -> None:
    faults = independent.check(april, today=date(2026, 5, 1))
    assert [fault.path for fault in faults] == [
        "memory/monthly/2026-04.md",
        "memory/weekly/2026-W14.md",
    ]
    assert independent.check(april, today=date(2026, 4, 5)) == []


def first_id(root: Path) -> str:
    return next(iter(read_sources(root, {}).entries))


TYPED = """---
name: Release
description: Priya ships
type: {type}
sources: [{id}]
updated: 2026-04-02
---

Priya shipped PR {number}.
{rest}"""
WHY = "\n**Why:** not stated\n\n**How to apply:** not stated\n"


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({}, None),
        ({"type": "user", "rest": ""}, "front matter"),
        ({"rest": ""}, "structure"),
        ({"number": 999}, "atom"),
        ({"id": "2026-04-02~" + "0" * 12}, "trace"),
        ({"rest": WHY + "\n## Superseded\n\n- Priya shipped it\n"}, "structure"),
        ({"rest": WHY + "\n## Superseded\n\n- 2026-04-02: Priya shipped PR 231\n"}, None),
    ],
)
def test_the_checker_reads_typed_memories(
    change: dict[str, object], rule: str | None, april: Path
) -> None:
    given = {"type": "feedback", "id": first_id(april), "number": 231, "rest": WHY} | change
    (april / "memory" / "feedback_release.md").write_text(TYPED.format(**given))
    faults = independent.check(april, today=date(2026, 4, 3))
    assert {fault.rule for fault in faults} >= ({rule} if rule else set())
    assert bool(faults) == bool(rule), faults


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        ("**Shipped whole**\nPriya shipped PR 231. <!-- {id} -->", None),
        ("**Shipped whole**\nPriya shipped PR 999. <!-- {id} -->", "atom"),
        ("**Shipped whole**\nPriya shipped it.", "trace"),
        ("- a list item <!-- {id} -->", "structure"),
        ("**Ship**\nShipped. Twice. So. Four. <!-- {id} -->", "length"),
        (
            "\n\n".join(f"**Ship {'so ' * n}**\nShipped. <!-- {{id}} -->" for n in range(21)),
            "length",
        ),
    ],
)
def test_the_checker_reads_wisdom(entry: str, rule: str | None, april: Path) -> None:
    header = (
        "# Agent - Wisdom\n\nDistilled principles. Read this first every session (after SOUL.md)."
        "\n\nLast compacted: 2026-04-03\n\n---\n\n"
    )
    (april / "WISDOM.md").write_text(header + entry.replace("{id}", first_id(april)) + "\n")
    faults = independent.check(april, today=date(2026, 4, 3))
    assert {fault.rule for fault in faults} >= ({rule} if rule else set())
    assert bool(faults) == bool(rule), faults


PAGE = """---
type: weekly
period: 2026-W14
engine: offline
created: 2026-04-06T02:00:00Z
sources: {{memory/2026-04-02.md: {digest}}}
tokens: {{in: {size}, out: {out}}}
kept: {kept}
---

# Week 2026-W14

### Key Outcomes
- Priya shipped PR 231 <!-- {id} -->

### Decisions

### Blockers & Open Items

### Context
{context}"""


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({}, None),
        ({"digest": "0" * 64}, "front matter"),
        ({"size": 5000}, "front matter"),
        ({"kept": "2 of 1"}, "front matter"),
        ({"id": "2026-04-09~" + "0" * 12}, "trace"),
        ({"context": "- it went out as it should " * 60 + "<!-- {id} -->"}, "length"),
    ],
)
def test_the_checker_reads_weeks(change: dict[str, object], rule: str | None, april: Path) -> None:
    given: dict[str, object] = {
        "digest": sha256(DAY).hexdigest(),
        "size": estimate(DAY.decode()),
        "out": 40,
        "kept": "1 of 1",
        "id": first_id(april),
        "context": "",
    }
    page = PAGE.format(**given | change).replace("{id}", first_id(april))
    (april / "memory" / "weekly" / "2026-W14.md").write_text(page)
    faults = [f for f in independent.check(april, today=date(2026, 4, 6)) if f.rule != "absent"]
    assert {fault.rule for fault in faults} >= ({rule} if rule else set())
    assert bool(faults) == bool(rule), faults
