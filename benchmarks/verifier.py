"""What it costs to verify a page, as ratios to a bare `python -c pass`.

    python benchmarks/verifier.py [--runs 9]

The page is made of honest claims of the bundled sets, with all entries of a log as what its writer
was shown, at about 1,000, 2,000 and 4,000 tokens; the sources grow with it. Caches are emptied
before each run. Processor time of this process, the median of the runs.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import subprocess
import sys
import time
from dataclasses import replace

from lithify.bench.corpus import read_days
from lithify.bench.verifier import run, sets
from lithify.sections import WEEK
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Draft, Entry
from lithify.verify import over_ceiling, question, verify


def bare(runs: int) -> float:
    """Processor time of an interpreter that does nothing."""
    taken = []
    for _ in range(runs):
        process = subprocess.Popen([sys.executable, "-c", "pass"])
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        taken.append(usage.ru_utime + usage.ru_stime)
    return statistics.median(taken)


def page(tokens: int) -> tuple[Draft, Brief]:
    """Claims of about so many tokens and the entries that they cite, with those around them."""
    folder = next(path for path in sets() if path.name == "worklog")
    claims = [trial.claim for trial in run(folder) if trial.honest and trial.part == "open"]
    days = {entry.id: entry for day in read_days(folder) for entry in day.entries}
    found: list[Claim] = []
    entries: dict[str, Entry] = {}
    while sum(estimate(claim.text) for claim in found) < tokens:
        # The same log again is another log: ids and words differ.
        turn = len(found) // len(claims)
        claim = claims[len(found) % len(claims)]
        ids = tuple(f"{id}{turn}" for id in claim.sources)
        found.append(Claim(claim.text, ids, WEEK.context))
        if not entries or f"{next(iter(days))}{turn}" not in entries:
            entries |= {f"{id}{turn}": replace(e, id=f"{id}{turn}") for id, e in days.items()}
    size = sum(estimate(entry.text) for entry in entries.values())
    sections, shown = WEEK, tuple(entries.values())
    brief = Brief("week", "2026-W14", sections, shown, size=size, ceiling=tokens + tokens // 4)
    return Draft(tuple(found)), brief


def empty_caches() -> None:
    for item in gc.get_objects():
        if type(item).__name__ == "_lru_cache_wrapper":
            item.cache_clear()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    runs = parser.parse_args().runs
    start = bare(runs)
    print(
        f"verifying a page, median of {runs}, ratio to `python -c pass` of {sys.version.split()[0]}"
    )
    for tokens in (1000, 2000, 4000):
        draft, brief = page(tokens)
        taken = []
        for _ in range(runs):
            empty_caches()
            before = time.process_time()
            checked = verify(draft, brief, extractive=False)
            over_ceiling(brief, checked.claims)
            question(brief, checked.claims)
            taken.append(time.process_time() - before)
        sources = sum(estimate(entry.text) for entry in brief.entries)
        ratio = statistics.median(taken) / start
        print(
            f"  {tokens:5} tokens, {len(draft.claims):3} bullets, {sources:6} of sources {ratio:6.1f}x"
        )
    print("goal: a page of 4,000 tokens <= 20x")


if __name__ == "__main__":
    main()
