"""How much of what a careful person expects of each week stands together in one of its bullets.

    python benchmarks/expected.py LOG [LOG ...]

LOG is a folder of `training/logs/`: days in `memory/`, and in `expected.md`, week by week, what a summary of
the week must tell, written from the days before anything was run. An item counts by the share of its
words, weighed by how rare they are in the days, that the best bullet has; words that no day has do
not count. The simple methods of `comparison/` get exactly as many tokens as the page of the week.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log
from pathlib import Path
from statistics import mean

from comparison.baselines import METHODS, select, units_of

from lithify.bench.corpus import Day, read_days, weeks_of
from lithify.bench.retention import weekly
from lithify.engines.offline import Offline
from lithify.text.stems import stems_of

ENGINE = "lithify"
_WEEK = re.compile(r"^## Week .*$", re.MULTILINE)
_ITEM = re.compile(r"^(?:\d+\.|-) (.+)$", re.MULTILINE)


def expected(text: str) -> list[list[str]]:
    """What must be told of each week, in the order of the weeks."""
    weeks = _WEEK.split(text)[1:]
    told = (week.partition("### Must be told")[2].partition("\n### ")[0] for week in weeks)
    return [_ITEM.findall(one) for one in told]


def rarity(days: Sequence[Day]) -> dict[str, float]:
    """What each stem of the days weighs."""
    entries = [entry for day in days for entry in day.entries]
    counts = Counter(stem for entry in entries for stem in set(stems_of(entry.text)))
    return {stem: log(1 + len(entries) / count) for stem, count in counts.items()}


def best(item: str, bullets: Iterable[str], rare: Mapping[str, float]) -> float:
    """The share of an item's words that the best of some bullets has."""
    wanted = {stem: rare[stem] for stem in set(stems_of(item)) if stem in rare}
    shares = (sum(wanted.get(stem, 0.0) for stem in set(stems_of(text))) for text in bullets)
    return max(shares, default=0.0) / (sum(wanted.values()) or 1.0)


def scores(folder: Path) -> dict[str, float]:
    """The mean over all items of a log, by the engine and by each simple method."""
    days = read_days(folder / "memory")
    items = expected((folder / "expected.md").read_text(encoding="utf-8"))
    if not all(items):
        sys.exit(f"{folder}/expected.md: a week has no list under `### Must be told`")
    rare = rarity(days)
    found: dict[str, list[float]] = {}
    for page, wanted in zip(weekly(weeks_of(days), Offline()), items, strict=True):
        units = units_of(page.period)
        told = {ENGINE: [claim.text for claim in page.claims]}
        for name, method in METHODS.items():
            told[name] = [piece.text for piece in select(method, units, page.tokens)]
        for name, texts in told.items():
            found.setdefault(name, []).extend(best(item, texts, rare) for item in wanted)
    return {name: mean(shares) for name, shares in found.items()}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOG")
    logs: list[Path] = parser.parse_args(argv).logs
    for folder in logs:
        if not (folder / "expected.md").is_file():
            parser.error(f"{folder} has no expected.md: give a folder of training/logs")
    table = [scores(folder) for folder in logs]
    print("$ python benchmarks/expected.py", *logs)
    print("| method |", " | ".join(folder.name for folder in logs), "|")
    print("|---|" + "---:|" * len(logs))
    for name in table[0]:
        print(f"| {name} |", " | ".join(f"{one[name]:.3f}" for one in table), "|")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
