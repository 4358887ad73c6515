"""What commands cost on a log of 1,000 to 1,000,000 entries: one long day, and a thousand days.

    python benchmarks/scale.py [--entries 1000 10000 100000] [--runs 3]

Days grow by generation: timed lines under headings, of the words of `benchmarks/recall.py`. None of them is
compacted, and the newest is today. Each command runs once with nothing kept (`context` and `recall` are first to
read the days), then again with nothing changed, then `log` appends to the newest day, and each runs once more.
Processor seconds of the whole command, start of Python included; of what is repeated, the median. The ratio is
that of the repeated run to the one on 10,000 entries. Peak memory is that of the largest run.
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
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from recall import Language

LITHIFY = [sys.executable, "-m", "lithify"]
EVENT = {"hook_event_name": "SessionStart", "session_id": "scale", "source": "startup"}
COMMANDS = {
    "status": [*LITHIFY, "status"],
    "log": [*LITHIFY, "log", "The retry job of the importer was moved to nine."],
    "context": [*LITHIFY, "context"],
    "SessionStart": [sys.executable, "-m", "lithify.hooks", "SessionStart"],
    "recall": [*LITHIFY, "recall", "When was the retry job of the importer moved?"],
    "write next": [*LITHIFY, "write", "next"],
}
SHAPES = {"one day": 1, "1,000 days": 1000}
#: How a command may end: done, not found, something is due or quarantined.
ENDS = (0, 1, 3, 4)


def write_root(root: Path, entries: int, days: int, language: Language) -> None:
    """A root of so many entries, the last of its days today."""
    source = random.Random(entries)
    memory = root / "memory"
    memory.mkdir(parents=True)
    (root / "lithify.toml").write_text('zone = "UTC"\n[recall]\nvectors = "off"\n')
    today, each = datetime.now(UTC).date(), max(1, entries // days)
    for number in range(min(days, entries)):
        day = today - timedelta(days=min(days, entries) - 1 - number)
        with (memory / f"{day}.md").open("w", encoding="utf-8") as file:
            file.write(f"# {day}\n")
            for place in range(each):
                if place % 7 == 0:
                    file.write(f"\n## {' '.join(source.choices(language.names, k=2))}\n\n")
                minute = place * 1440 // each
                text = language.entry(source)
                file.write(f"- {minute // 60:02}:{minute % 60:02} {text}\n")
    aged(memory)


def aged(memory: Path) -> None:
    """Make files look old: what was written a moment ago is read again, lest a change go unseen."""
    old = time.time() - 3600
    for path in memory.iterdir():
        os.utime(path, (old, old))


def cost(argv: Sequence[str], root: Path) -> tuple[float, float]:
    """The processor seconds and peak megabytes of a command on a root."""
    given = json.dumps({**EVENT, "cwd": str(root)}).encode()
    process = subprocess.Popen(
        [*argv, "--root", str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stdin and process.stderr
    process.stdin.write(given)
    process.stdin.close()
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in ENDS or b"Error: " in said:
        raise SystemExit(f"{argv[2:]} ended with {process.returncode}: {said.decode()}")
    # Linux counts kilobytes, macOS bytes.
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit


def measured(root: Path, runs: int) -> dict[str, tuple[float, float, float, float]]:
    """For each command its first seconds, those again, those after a change, and its megabytes."""
    order = ["context", "recall", *(name for name in COMMANDS if name not in ("context", "recall"))]
    first = {name: cost(COMMANDS[name], root) for name in order if name != "log"}
    aged(root / "memory")
    again: dict[str, list[tuple[float, float]]] = {}
    for name in first:
        cost(COMMANDS[name], root)
        again[name] = [cost(COMMANDS[name], root) for _ in range(runs)]
    first["log"], *again["log"] = [cost(COMMANDS["log"], root) for _ in range(runs + 1)]
    # An append changes the day once more, so it comes last.
    changed = {name: cost(COMMANDS[name], root) for name in sorted(order, key="log".__eq__)}
    return {
        name: (
            first[name][0],
            statistics.median(seconds for seconds, _ in again[name]),
            changed[name][0],
            max(most for _, most in (first[name], changed[name], *again[name])),
        )
        for name in COMMANDS
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--entries", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    language = Language()
    print("| shape | entries | command | first s | again s | ratio | after a change s | peak MB |")
    print("|---|---:|---|---:|---:|---:|---:|---:|", flush=True)
    for shape in options.shapes:
        found: dict[int, dict[str, tuple[float, float, float, float]]] = {}
        for entries in options.entries:
            with tempfile.TemporaryDirectory() as folder:
                root = Path(folder) / "root"
                write_root(root, entries, SHAPES[shape], language)
                found[entries] = measured(root, options.runs)
            base = found.get(10_000, found[options.entries[0]])
            for name, (first, again, changed, most) in found[entries].items():
                ratio = again / base[name][1]
                figures = f"{first:.2f} | {again:.2f} | {ratio:.2f} | {changed:.2f} | {most:.0f}"
                print(f"| {shape} | {entries:,} | {name} | {figures} |", flush=True)
    print("goals: from 10,000 to 1,000,000 a ratio of 1.5 at most, below 600 MB")


if __name__ == "__main__":
    main()
