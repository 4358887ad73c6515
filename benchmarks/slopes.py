"""How the time of each stage grows with the size of a hostile day: the ratio per doubling.

    python benchmarks/slopes.py [--size 40000] [--runs 3] [--limit 20]
                                [--shape NAME] [--stage NAME] [--worst] [--whole] [--json]

A shape is a text that repeats one piece, or a day built to upset a reader of Markdown. Each is
made n, 2n and 4n characters long, and every stage that reads a day is timed on it by itself:
processor time, the best of several runs. The figure for a shape and a stage is the larger of the
two ratios. About 2 is linear; 4 is quadratic. Runs of under two milliseconds are too short to
tell and show as "-"; a run over the limit, in seconds, is given up and shows as ">".

`--worst` prints only the ratios above 2.6. `--whole` also times `lithify compact all` of a root
that holds that one day, in a process of its own; its start is taken off. It exits 0 whatever the
figures are.
"""

from __future__ import annotations

import argparse
import json
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from lithify.text.specifics import find_atoms, support_of_text

from lithify.capture import clipped
from lithify.markdown.pages import read_summary, read_typed, read_wisdom, strip_comments
from lithify.markdown.parse import end_of, parse
from lithify.search.add_files import IndexedFile, IndexWriter, record_of
from lithify.search.index import fresh, terms_of
from lithify.secrets.redact import plain, redact, unplain
from lithify.text.copies import sketch
from lithify.text.dates import absolute, find_dates
from lithify.text.tokens import estimate
from lithify.text.words import is_sentence, stems_of

DAY = date(2026, 4, 2)
#: Seconds below which a time tells nothing about growth.
SHORT = 0.002
#: A ratio per doubling above this is worth a look.
STEEP = 2.6

#: Pieces that are repeated until the text is long enough.
PIECES = {
    "words": "the quick brown fox jumps over it ",
    "lines": "the quick brown fox\n",
    "paragraphs": "A short remark of no weight.\n\n",
    "checkboxes": "- [ ] ",
    "comments": "<!-- ",
    "comment ends": "--> ",
    "provenance": "<!-- 2026-04-02~9f3a1c20b7d4 --> ",
    "provenance open": "<!-- 2026-04-02~9f3a1c20b7d4 ",
    "ids": "2026-04-02~9f3a1c20b7d4 ",
    "links": "[a](b ",
    "links closed": "[a](b) ",
    "brackets": "](",
    "headings": "## A heading\n",
    "headings and items": "## A heading\n- an item under it\n",
    "hashes": "#",
    "entries": "- Ada moved the launch of v2.4 to Friday, for $18,000.\n",
    "leads": "Outstanding:\n\n- one\n",
    "list markers": "- ",
    "numbers and dots": "1. ",
    "items": "- \n",
    "fences": "```\n",
    "fence openers": "```python\nx = 1\n",
    "tildes": "~~~~ a\n",
    "backticks": "`",
    "backtick words": "`a ",
    "double quotes": '"a ',
    "curly quotes": "“a ",
    "single quotes": "'a ",
    "apostrophes": "a'",
    "quoted lines": "> a\n",
    "quote marks": ">",
    "table rows": "| a | b |\n|---|---|\n",
    "bars": "|",
    "table rule": "|-",
    "dashes": "-",
    "dashes and spaces": "- -\t",
    "underscores": "_",
    "equals": "=",
    "stars": "*",
    "bold openers": "**a ",
    "bold": "**a** ",
    "bold labels": "**Why:** ",
    "dates": "2026-04-02 ",
    "weekdays": "on Monday ",
    "weekdays and": "Monday and ",
    "months": "April 3 ",
    "counts": "in 3 days ",
    "last": "last Monday before ",
    "verbs": "Ada needs it closed to be moved by Friday ",
    "tomorrow": "tomorrow, ",
    "the day": "the day before ",
    "digits": "7",
    "digits and spaces": "7 ",
    "commas": ",",
    "grouped digits": ",123",
    "decimals": "1.",
    "versions": "1.2.3-",
    "times": "09:15 ",
    "ranges": "1-",
    "money": "$1 ",
    "one hundred": "one ",
    "twenty": "twenty-",
    "parentheses": "(",
    "parentheses closed": "() ",
    "square": "[",
    "braces": "{",
    "spaces": " ",
    "tabs": "\t",
    "word and spaces": "a" + " " * 999,
    "blank lines": "\n",
    "blank lines and spaces": " \n",
    "carriage returns": "\r",
    "at signs": "a@",
    "mails": "a.b@",
    "schemes": "http://",
    "schemes and colons": "http://a:",
    "paths": "a/",
    "dots": ".",
    "ellipses": "a…",
    "dotted": "a.",
    "hyphens": "a-",
    "underscored": "a_",
    "mixed joints": "a.b-c_",
    "tildes and plus": "~+",
    "letters": "a",
    "capitals": "A",
    "capital words": "Ada ",
    "capital initials": "A. ",
    "camel": "aB",
    "hex": "0f3a",
    "encoded": "aB3/x+",
    "password": "password ",
    "password is": "password is ",
    "password for": "password for a ",
    "password =": "password=",
    "password quoted": 'password="a',
    "password bare": "password: a,b;c ",
    "secret key": "secret_key_",
    "aws": "aws secret ",
    "begin key": "-----BEGIN PRIVATE KEY-----",
    "tokens": "sk-",
    "bearer": "bearer ",
    "authorization": "authorization: ",
    "user": "-u a:",
    "jwt": "eyJaaaaaaaa.",
    "escapes": "\x1b[",
    "escape strings": "\x1b]",
    "controls": "\x00",
    "zero width": "\u200b",
    "zero width words": "a\u200b",
    "combining": "e\u0301",
    "combining marks": "\u0301",
    "wide": "記憶",
    "wide and dates": "年4月",
    "emoji": "🚀",
    "arrows": "→ ",
    "speakers": "Ada: yes\n",
    "colons": "a: ",
    "front": "a: b\n",
    "backslashes": "\\",
    "escaped comment": "<\\!--",
    "less than": "<",
    "ampersands": "&",
    "percent": "% ",
}


def _nested(size: int) -> str:
    """List items, each one column deeper than the one before, every one a lead-in."""
    depth = int(size**0.5 * 1.2)
    return "".join(f"{' ' * n}- a:\n" for n in range(depth))


def _nested_long(size: int) -> str:
    """Lead-ins as long as they are many, each under the one before."""
    depth = int(size**0.5 / 1.3)
    return "".join(f"{' ' * n}- {'a ' * (depth // 2)}:\n" for n in range(depth))


def _long_heading(size: int) -> str:
    return f"# {'a ' * (size // 4)}\n" + "- b\n" * (size // 8)


def _long_lead(size: int) -> str:
    return f"{'a ' * (size // 4)}:\n\n" + "- b\n" * (size // 8)


def _deep_headings(size: int) -> str:
    """Headings of ever more hashes, each under all those before it."""
    depth = int(size**0.5 * 1.2)
    return "".join(f"{'#' * n} a\n\nb\n" for n in range(1, depth))


def _fence_lengths(size: int) -> str:
    """Fences, each shorter than the one before, none of which is closed."""
    depth = int(size**0.5 * 1.2)
    return "".join(f"{'`' * (3 + n)} a\n" for n in range(depth, 0, -1))


def _wide_table(size: int) -> str:
    columns = size // 12
    return "| a " * columns + "|\n" + "|---" * columns + "|\n" + "| b " * columns + "|\n"


def _long_front(size: int) -> str:
    return "---\n" + "a: [" + "b, " * (size // 3) + "]\n---\n"


def _front_quotes(size: int) -> str:
    return "---\n" + '"a' * (size // 2) + "\n---\n"


#: Days that are not one piece repeated.
BUILT: dict[str, Callable[[int], str]] = {
    "nested items": _nested,
    "nested long items": _nested_long,
    "long heading": _long_heading,
    "long lead": _long_lead,
    "deep headings": _deep_headings,
    "fence lengths": _fence_lengths,
    "wide table": _wide_table,
    "long table": lambda size: "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * (size // 10),
    "code": lambda size: "```\n" + "x = 1\n" * (size // 6) + "```\n",
    "long quote": lambda size: '"' + "a " * (size // 2) + '"',
    "unclosed front": lambda size: "---\n" + "a: b\n" * (size // 5),
    "long front": _long_front,
    "front quotes": _front_quotes,
}


def shape(name: str, size: int) -> str:
    """The day of a shape, about so many characters long."""
    if name in BUILT:
        return BUILT[name](size)
    return PIECES[name] * (size // len(PIECES[name]) + 1)


# Stages: each is given the text of a day and reads it once.


def _forget() -> None:
    """Empty every cache, so that no run profits from the one before."""
    for module in [m for name, m in sys.modules.items() if name.startswith("lithify")]:
        for value in tuple(vars(module).values()):
            if isinstance(value, type(lru_cache(int))):
                value.cache_clear()


def _clean(text: str) -> None:
    for entry in parse(text.encode(), label="2026-04-02", day=DAY).entries:
        clipped(entry)


def _index(text: str) -> None:
    entries = parse(text.encode(), label="2026-04-02", day=DAY).entries
    db = fresh(":memory:", "")
    db.execute("BEGIN")
    writer = IndexWriter(db)
    writer.add(IndexedFile("a.md", "", "day", "2026-04-02", tuple(map(record_of, entries))))
    writer.finish()
    db.close()


def _pages(text: str) -> None:
    data = text.encode()
    read_summary(data)
    read_wisdom(data)
    read_typed(data, "memory/project_a.md")
    strip_comments(text)
    unplain(plain(text))


def _dates(text: str) -> None:
    find_dates(text, DAY)
    absolute(text, DAY)


def _atoms(text: str) -> None:
    find_atoms(text, DAY)
    support_of_text(text, DAY)


def _stems(text: str) -> None:
    stems_of(text)
    is_sentence(text)


STAGES: dict[str, Callable[[str], object]] = {
    "parse": lambda text: parse(text.encode(), label="2026-04-02", day=DAY),
    "end": lambda text: end_of(text.encode()),
    "pages": _pages,
    "redact": redact,
    "clean": _clean,
    "dates": _dates,
    "atoms": _atoms,
    "estimate": estimate,
    "stems": _stems,
    "terms": terms_of,
    "sketch": sketch,
    "index": _index,
}


class Slope(NamedTuple):
    """The seconds of a stage for n, 2n and 4n of a shape; None where the limit was passed."""

    shape: str
    stage: str
    seconds: tuple[float | None, ...]

    @property
    def ratio(self) -> float | None:
        """The larger ratio per doubling; None where the times are too short to tell."""
        if None in self.seconds:
            return float("inf")
        known = [one for one in self.seconds if one is not None]
        ratios = [b / a for a, b in pairwise(known) if a >= SHORT]
        return max(ratios, default=None)

    def __str__(self) -> str:
        ratio = self.ratio
        return "-" if ratio is None else ">" if ratio == float("inf") else f"{ratio:.1f}"


class TooLong(Exception):
    """A run went over the limit."""


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def cost(stage: Callable[[str], object], text: str, runs: int, limit: float) -> float | None:
    """The processor seconds a stage takes, the best of several runs."""
    best = None
    for _ in range(runs):
        _forget()
        try:
            with _limited(limit):
                began = time.process_time()
                stage(text)
                taken = time.process_time() - began
        except TooLong:
            return None
        best = taken if best is None else min(best, taken)
    return best


def whole(text: str, limit: float) -> float | None:
    """The processor seconds of `lithify compact all` on a root that holds this one day."""
    with tempfile.TemporaryDirectory() as root:
        memory = Path(root) / "memory"
        memory.mkdir()
        (memory / "2026-04-02.md").write_bytes(text.encode())
        command = [sys.executable, "-m", "lithify", "compact", "all", "--root", root]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            subprocess.run(command, capture_output=True, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            return None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(
    shapes: list[str], stages: list[str], args: argparse.Namespace
) -> Iterator[tuple[str, list[Slope]]]:
    """The slopes of every stage, shape by shape."""
    start = whole("", args.limit) or 0.0 if args.whole else 0.0
    for name in shapes:
        texts = [shape(name, args.size * times) for times in (1, 2, 4)]
        found = [
            Slope(
                name,
                stage,
                tuple(cost(STAGES[stage], text, args.runs, args.limit) for text in texts),
            )
            for stage in stages
        ]
        if args.whole:
            taken = [whole(text, args.limit * 10) for text in texts]
            rest = tuple(None if one is None else max(one - start, 0.0) for one in taken)
            found.append(Slope(name, "compact", rest))
        yield name, found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", type=int, default=40_000, help="characters of the smallest day")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for one run")
    parser.add_argument("--shape", action="append", choices=[*PIECES, *BUILT], metavar="NAME")
    parser.add_argument("--stage", action="append", choices=[*STAGES])
    parser.add_argument("--worst", action="store_true")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    shapes, stages = args.shape or [*PIECES, *BUILT], args.stage or [*STAGES]
    columns = [*stages, "compact"] if args.whole else stages
    if not args.json and not args.worst:
        print(f"{'':24}" + "".join(f"{column:>9}" for column in columns))
    found: list[Slope] = []
    for name, slopes in measure(shapes, stages, args):
        found += slopes
        if args.json:
            continue
        if not args.worst:
            print(f"{name:24}" + "".join(f"{slope!s:>9}" for slope in slopes), flush=True)
            continue
        for slope in slopes:
            if slope.ratio and slope.ratio > STEEP:
                times = ", ".join("over" if s is None else f"{s:.3f}" for s in slope.seconds)
                print(f"{name:24}{slope.stage:>9}{slope!s:>7}  {times}", flush=True)
    if args.json:
        rows = [{**slope._asdict(), "ratio": slope.ratio} for slope in found]
        print(json.dumps(rows, indent=1).replace("Infinity", "null"))


if __name__ == "__main__":
    main()
