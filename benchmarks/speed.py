"""A whole compaction, days to wisdom, against LexRank on the weeks alone; and how it grows.

    python benchmarks/speed.py [DAYS] [--growth 1,2,4,8] [--runs 3]

DAYS is a folder of days, that of the sample root by default. Both sides are commands of their
own, from the files on disk to the end, start of Python included. Processor time is that of all
processes of a command together: what else the machine does matters little to it. Wall time is
what a person waits; it needs a machine that does nothing else. LexRank is the sparse, vectorised
one of `comparison/`, in one process: it reads the days, cuts them into units, ranks the units
of each week and keeps 30 % of its tokens. Compaction is `lithify compact all` with the offline
engine: weeks, typed memories, months and wisdom, verified and committed, in one process.

Peak memory is the most that all processes of a command held together at any one moment: looked
at every 50 ms, pages that several of them share counted once.

To grow, the days are laid down again, shifted by whole weeks into the years before. So that no
line is known from another copy, every word of four letters or more that is rare in the days has
its vowels turned, and every figure is counted on, by another step in each copy; the words that
tell what kind of line it is are the common ones and stay.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

SAMPLE = Path(__file__).parent.parent / "examples" / "sample" / "memory"
LITHIFY = str(Path(sys.executable).parent / "lithify")
SHARE = 0.30
MOST_MEGABYTES = 250
#: Seconds between two looks at the memory of a command.
LOOK = 0.05
#: A word that stands in a smaller share of the lines is one the copies may change.
RARE = 1 / 200

_NAME = re.compile(r"(\d{4}-\d{2}-\d{2})((?:[-_].*)?\.md)")
_ISO = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_CHANGED = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)|\d+|[A-Za-z]{4,}")
_VOWELS = "aeiou"


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command took: processor seconds, seconds by the clock, memory, processes at once."""

    seconds: float
    wall: float
    megabytes: float
    processes: int


def cost(argv: Sequence[str]) -> Cost:
    """What a command takes, by a process that has no other child."""
    measured = [sys.executable, __file__, "--measure", json.dumps(argv)]
    done = subprocess.run(measured, capture_output=True, text=True, check=True)
    status, seconds, wall, megabytes, processes = done.stdout.split()
    if int(status) not in (0, 4):  # 4: something was quarantined, the rest is written
        sys.exit(f"exit {status}: {shlex.join(argv)}\n{done.stderr}")
    return Cost(float(seconds), float(wall), float(megabytes), int(processes))


def measure(argv: Sequence[str]) -> None:
    """Run a command to its end and print what it took."""
    begun = time.perf_counter()
    child = subprocess.Popen(argv, stdout=subprocess.DEVNULL)
    most, processes = 0, 1
    while True:
        sizes = [_kilobytes(pid) for pid in _family(child.pid)]
        most, processes = max(most, sum(sizes)), max(processes, len(sizes))
        try:
            status = child.wait(LOOK)
            break
        except subprocess.TimeoutExpired:
            pass
    wall = time.perf_counter() - begun
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Where a process's memory cannot be looked at, that of the largest.
    megabytes = (most or used.ru_maxrss) / 1024
    print(status, used.ru_utime + used.ru_stime, wall, megabytes, processes)


def _family(pid: int) -> list[int]:
    """A process and all that came of it."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        children = []
    return [pid, *(one for child in children for one in _family(int(child)))]


def _kilobytes(pid: int) -> int:
    """What a process holds, its part of what it shares with others; 0 where nobody can tell."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def lexrank(memory: Path) -> None:
    """The weeks of a folder of days by LexRank: what the first process runs."""
    from comparison.baselines import lexrank as ranked
    from comparison.baselines import select, units_of

    from lithify.bench.corpus import read_days, weeks_of

    for week in weeks_of(read_days(memory)):
        units = units_of(week)
        if units:
            select(ranked, units, int(SHARE * week.tokens))


@dataclass(frozen=True, slots=True)
class Days:
    """The files of a folder of days, and the words of theirs that may be changed."""

    files: Mapping[tuple[date, str], str]
    rare: frozenset[str]

    @staticmethod
    def of(memory: Path) -> Days:
        """The days of a folder; what is no day is left out."""
        files = {}
        for path in sorted(memory.glob("*.md")):
            match = _NAME.fullmatch(path.name)
            if match:
                text = path.read_text(encoding="utf-8", errors="replace")
                files[(date.fromisoformat(match[1]), match[2])] = text
        lines = [line for text in files.values() for line in text.splitlines() if line.strip()]
        counts = Counter(word for line in lines for word in set(_CHANGED.findall(line.lower())))
        rare = frozenset(w for w, n in counts.items() if w.isalpha() and n < RARE * len(lines))
        return Days(files, rare)

    @property
    def weeks(self) -> int:
        """How many whole weeks the days span, gap included."""
        days = [day for day, _ in self.files]
        return (max(days) - min(days)).days // 7 + 2

    def lay(self, memory: Path, copies: int) -> int:
        """Write so many copies, the last of them over before this week; the bytes written."""
        memory.mkdir(parents=True)
        last = max(day for day, _ in self.files)
        over = date.today() - timedelta(days=date.today().weekday() + 35)
        back = max(0, -((over - last).days // 7))
        written = 0
        for copy in range(copies):
            shift = timedelta(weeks=-(back + copy * self.weeks))
            for (day, rest), text in self.files.items():
                path = memory / f"{day + shift}{rest}"
                written += path.write_text(self.varied(text, shift, copy), encoding="utf-8")
        return written

    def varied(self, text: str, shift: timedelta, step: int) -> str:
        """A text on other days, in other rare words and figures."""

        def change(match: re.Match[str]) -> str:
            word = match[0]
            if _ISO.fullmatch(word):
                try:
                    return (date.fromisoformat(word) + shift).isoformat()
                except (ValueError, OverflowError):
                    return word
            if word.isdigit():
                # The last digit alone: a time stays a time and a year a year.
                return word[:-1] + str((int(word[-1]) + step) % 10) if len(word) > 2 else word
            return _turned(word, step) if word.lower() in self.rare else word

        return _CHANGED.sub(change, text) if step or shift else text


def _turned(word: str, step: int) -> str:
    return "".join(
        (_VOWELS if char.islower() else _VOWELS.upper())[
            (_VOWELS.index(char.lower()) + step) % len(_VOWELS)
        ]
        if char.lower() in _VOWELS
        else char
        for char in word
    )


def compaction(days: Days, copies: int, workers: int | None) -> tuple[int, Cost]:
    """The days laid down so many times and compacted: their bytes, and what it took."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        size = days.lay(root / "memory", copies)
        argv = [LITHIFY, "compact", "all", "--root", str(root)]
        return size, cost(argv if workers is None else [*argv, "--workers", str(workers)])


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """How many times what they took we took, run by run."""
    each = [one / other for one, other in zip(ours, theirs, strict=True)]
    return f"{statistics.median(each):.2f}x ({min(each):.2f} to {max(each):.2f})"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("days", type=Path, nargs="?", default=SAMPLE, help="a folder of days")
    parser.add_argument("--growth", default="1,2,4,8", help="how often the days are laid down")
    parser.add_argument("--runs", type=int, default=3, help="runs of each side of the ratio")
    parser.add_argument("--workers", type=int, help="of the compaction; else as many as it takes")
    parser.add_argument("--lexrank", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--measure", type=json.loads, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.measure:
        measure(options.measure)
        return 0
    if options.lexrank:
        lexrank(options.days)
        return 0
    days = Days.of(options.days)
    if not days.files:
        parser.error(
            f"{options.days}: no days there. Name the folder that holds YYYY-MM-DD.md files."
        )
    print(shlex.join(["$ python", "benchmarks/speed.py", *arguments]).replace("'", "", 2))
    theirs, ours = [], []
    for _ in range(options.runs):
        # One after the other in turn: a machine that slows down slows both.
        theirs.append(cost([sys.executable, __file__, "--lexrank", str(options.days)]))
        ours.append(compaction(days, 1, options.workers)[1])
    processors = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    )
    print(
        f"{len(days.files)} days, days to wisdom against LexRank's weeks, medians of "
        f"{options.runs} runs in turn, {processors} processors:"
    )
    for name, costs in (("LexRank, weeks", theirs), ("compaction, all", ours)):
        print(
            f"  {name:16}{statistics.median(one.wall for one in costs):7.1f} s wall, "
            f"{statistics.median(one.seconds for one in costs):6.1f} s processor, "
            f"{max(one.processes for one in costs)} process(es), "
            f"peak {max(one.megabytes for one in costs):.0f} MB in all"
        )
    wall = ratio([one.wall for one in ours], [one.wall for one in theirs])
    processor = ratio([one.seconds for one in ours], [one.seconds for one in theirs])
    print(f"  ratio, wall       {wall}")
    print(f"  ratio, processor  {processor}; goal: 2.5")
    print(f"  goal of memory    under {MOST_MEGABYTES} MB in all")
    print("| copies | days | MB | processor s | to the first | s a MB | wall s | peak MB in all |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|")
    first = 0.0
    for copies in map(int, options.growth.split(",")):
        size, took = compaction(days, copies, options.workers)
        first = first or took.seconds / copies
        print(
            f"| {copies} | {copies * len(days.files)} | {size / 1e6:.2f} | {took.seconds:.1f} | "
            f"{took.seconds / first:.2f}x | {took.seconds / size * 1e6:.1f} | {took.wall:.1f} | "
            f"{took.megabytes:.0f} |"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
