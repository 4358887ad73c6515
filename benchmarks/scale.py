"""Ten years of days, and one day of 100 MB.

    python benchmarks/scale.py [--megabytes 100] [--runs 5]

Ten years: 3,650 files. The cost of `lithify status` as a ratio to `ls -lR` of the same tree,
with an empty digest cache (every byte read once) and with a full one (no file read), and the
same for a bare `python -c pass`, the floor of any Python command.
One day: peak memory of the commands that touch it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path

LITHIFY = str(Path(sys.executable).parent / "lithify")
WORDS = [
    "carrier",
    "booking",
    "invoice",
    "quote",
    "migration",
    "staging",
    "deploy",
    "review",
    "latency",
    "customer",
    "ledger",
    "port",
    "container",
    "schedule",
    "ticket",
    "release",
    "rollback",
    "index",
    "cache",
    "retry",
    "token",
    "webhook",
    "report",
    "audit",
]


def line(random_: random.Random) -> str:
    words = " ".join(random_.choice(WORDS) for _ in range(14))
    return f"- {random_.randrange(24):02}:{random_.randrange(60):02} {words} {random_.randrange(9999)}.\n"


def write_day(path: Path, size: int, random_: random.Random) -> None:
    with path.open("w", encoding="utf-8") as file:
        written = 0
        while written < size:
            text = "".join(line(random_) for _ in range(50))
            written += file.write(text)


def seconds(argv: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start


def median(argv: list[str], runs: int) -> float:
    return statistics.median(seconds(argv) for _ in range(runs))


def peak(argv: list[str]) -> tuple[float, int]:
    """Peak memory of a command in MB, and its exit code."""
    code = (
        "import resource, subprocess, sys, json; "
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); "
        "print(json.dumps([resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, done.returncode]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *argv], capture_output=True, text=True, check=True
    )
    memory, status = json.loads(done.stdout)
    return memory, status


def ten_years(folder: Path, megabytes: int, runs: int) -> None:
    root = folder / "decade"
    (root / "memory").mkdir(parents=True)
    random_ = random.Random(1)
    start = date(2016, 1, 1)
    for number in range(3650):
        day = start + timedelta(days=number)
        write_day(root / "memory" / f"{day}.md", megabytes * 1_000_000 // 3650, random_)
    command = [LITHIFY, "status", "--root", str(root)]
    cache = root / ".lithify" / "digests.json"
    cold = []
    for _ in range(3):
        cache.unlink(missing_ok=True)
        cold.append(seconds(command))
    # What was written a moment ago is not trusted by the cache yet; age the files a little.
    old = time.time() - 3600
    for path in (root / "memory").iterdir():
        os.utime(path, (old, old))
    seconds(command)
    listing = median(["ls", "-lR", str(root)], runs)
    bare = median([sys.executable, "-c", "pass"], runs)
    warm = median(command, runs)
    read = subprocess.run(
        [
            sys.executable,
            "-c",
            f"from lithify.store.tree import scan; print(scan({str(root)!r}).read)",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    print(f"ten years, 3,650 days, {megabytes} MB (median of {runs}):")
    print(f"  status, nothing cached   {statistics.median(cold) / listing:6.1f}x ls -lR")
    print(
        f"  status, cached           {warm / listing:6.1f}x ls -lR  ({warm / bare:.1f}x python -c pass)"
    )
    print(f"  files read when cached   {read:>6}")


def one_day(folder: Path, megabytes: int) -> None:
    root = folder / "big"
    (root / "memory").mkdir(parents=True)
    write_day(root / "memory" / "2026-04-02.md", megabytes * 1_000_000, random.Random(2))
    print(f"one day of {megabytes} MB, peak memory (goal: under 800 MB):")
    commands = {
        "status": ["status"],
        "compact --dry-run": ["compact", "--dry-run"],
        "log": ["log", "one more", "--at", "2026-04-02T23:59"],
        "check": ["check"],
    }
    for name, argv in commands.items():
        memory, code = peak([LITHIFY, *argv, "--root", str(root)])
        print(f"  {name:20} {memory:6.0f} MB  (exit {code})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ten_years(Path(folder), arguments.megabytes, arguments.runs)
        one_day(Path(folder), arguments.megabytes)


if __name__ == "__main__":
    main()
