"""A whole compaction, days to wisdom, against LexRank on the weeks alone; and how it grows.

    python benchmarks/speed.py [DAYS] [--growth 1,2,4,8] [--runs 3]

DAYS is a folder of days, that of the sample root by default. Both sides are processes of their
own, from the files on disk to the end, start of Python included, and both are counted in
processor time: what else the machine does then matters little. LexRank is the sparse,
vectorised one of `lithify.bench`: it reads the days, cuts them into units, ranks the units of
each week and keeps 30 % of its tokens. Compaction is `lithify compact all` with the offline engine: weeks,
typed memories, months and wisdom, verified and committed.

To grow, the days are laid down again, shifted by whole weeks into the years before. So that no
line is known from another copy, every word of four letters or more that is rare in the days has
its vowels turned, and every figure is counted on, by another step in each copy; the words that
tell what kind of line it is are the common ones and stay.
"""

from __future__ import annotations

import argparse
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

SAMPLE = Path(__file__).parent.parent / "examples" / "sample" / "memory"
LITHIFY = str(Path(sys.executable).parent / "lithify")
SHARE = 0.30
MOST_MEGABYTES = 400
#: A word that stands in a smaller share of the lines is one the copies may change.
RARE = 1 / 200

_NAME = re.compile(r"(\d{4}-\d{2}-\d{2})((?:[-_].*)?\.md)")
_ISO = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_CHANGED = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)|\d+|[A-Za-z]{4,}")
_VOWELS = "aeiou"


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process took."""

    seconds: float
    megabytes: float


def cost(argv: Sequence[str]) -> Cost:
    """Processor time and peak memory of a command, by a process that has no other child."""
    code = (
        "import resource, subprocess, sys; "
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); "
        "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
        "print(done.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)"
    )
    argv = [sys.executable, "-c", code, *argv]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    status, seconds, megabytes = done.stdout.split()
    if int(status) not in (0, 4):  # 4: something was quarantined, the rest is written
        sys.exit(f"exit {status}: {shlex.join(argv[3:])}\n{done.stderr}")
    return Cost(float(seconds), float(megabytes))


def lexrank(memory: Path) -> None:
    """The weeks of a folder of days by LexRank: what the first process runs."""
    from lithify.bench.baselines import lexrank as ranked
    from lithify.bench.baselines import select, units_of
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


def compaction(days: Days, copies: int) -> tuple[int, Cost]:
    """The days laid down so many times and compacted: their bytes, and what it took."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        size = days.lay(root / "memory", copies)
        return size, cost([LITHIFY, "compact", "all", "--root", str(root)])


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("days", type=Path, nargs="?", default=SAMPLE, help="a folder of days")
    parser.add_argument("--growth", default="1,2,4,8", help="how often the days are laid down")
    parser.add_argument("--runs", type=int, default=3, help="runs of each side of the ratio")
    parser.add_argument("--lexrank", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.lexrank:
        lexrank(options.days)
        return 0
    days = Days.of(options.days)
    print(shlex.join(["$ python", "benchmarks/speed.py", *arguments]).replace("'", "", 2))
    mine, theirs, peaks = [], [], []
    for _ in range(options.runs):
        # One after the other in turn: a machine that slows down slows both.
        theirs.append(cost([sys.executable, __file__, "--lexrank", str(options.days)]).seconds)
        whole = compaction(days, 1)[1]
        mine.append(whole.seconds)
        peaks.append(whole.megabytes)
    ratios = [one / other for one, other in zip(mine, theirs, strict=True)]
    print(
        f"{len(days.files)} days, days to wisdom against LexRank's weeks, processor time, "
        f"{options.runs} runs in turn:"
    )
    print(f"  LexRank, weeks      {statistics.median(theirs):7.1f} s")
    print(f"  compaction, all     {statistics.median(mine):7.1f} s")
    print(
        f"  ratio               {statistics.median(ratios):7.2f}x  "
        f"({min(ratios):.2f} to {max(ratios):.2f}; goal: under 1)"
    )
    print(f"  peak memory         {max(peaks):7.0f} MB (goal: under {MOST_MEGABYTES})")
    print("| copies | days | MB | seconds | to the first | seconds a MB | peak MB |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    first = 0.0
    for copies in map(int, options.growth.split(",")):
        size, took = compaction(days, copies)
        first = first or took.seconds / copies
        print(
            f"| {copies} | {copies * len(days.files)} | {size / 1e6:.2f} | {took.seconds:.1f} | "
            f"{took.seconds / first:.2f}x | {took.seconds / size * 1e6:.1f} | {took.megabytes:.0f} |"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
