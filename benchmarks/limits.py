"""A day beyond the limit of a file, and a day of a million entries.

    python benchmarks/limits.py [--megabytes 200] [--entries 1000000] [--timeout 600]

Each command is a process of its own. Printed are its exit code, its peak memory as a ratio to the size
of the day, its processor time as a ratio to the same command on a day of a tenth (about 10 is linear),
and what it says of a day that is not read. A command that is stopped after `--timeout` is said so.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import NamedTuple

from scale import LITHIFY, WORDS, write_day

DAY, OTHER = "2026-04-02", "2026-04-01"
COMMANDS = {
    "status": ["status"],
    "log": ["log", "one more", "--at", f"{DAY}T23:59"],
    "check": ["check"],
    "context": ["context"],
    "recall": ["recall", "carrier booking"],
    "compact": ["compact"],
}


class Ran(NamedTuple):
    """How a command ended: exit code (None: stopped), peak memory in bytes, processor time, output."""

    code: int | None
    memory: int
    seconds: float
    said: str


def ran(root: Path, argv: list[str], timeout: float) -> Ran:
    """Run a command on a root."""
    with tempfile.TemporaryFile("w+") as out:
        child = subprocess.Popen(
            [LITHIFY, *argv, "--root", str(root)], stdout=out, stderr=out, text=True
        )
        stop = threading.Timer(timeout, child.kill)
        stop.start()
        _, status, used = os.wait4(child.pid, 0)
        stop.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        code = None if child.returncode == -signal.SIGKILL else child.returncode
        return Ran(code, used.ru_maxrss * 1024, used.ru_utime + used.ru_stime, out.read())


def made(folder: Path) -> Path:
    """A root with one small day."""
    (folder / "memory").mkdir(parents=True)
    (folder / "lithify.toml").write_text('zone = "UTC"\n')
    (folder / "memory" / f"{OTHER}.md").write_text("- 10:00 Shipped the importer 2.4.1.\n")
    return folder


def too_large(folder: Path, megabytes: int, timeout: float) -> None:
    """Every command beside a day that is larger than a file may be."""
    root = made(folder)
    day = root / "memory" / f"{DAY}.md"
    write_day(day, megabytes * 1_000_000, random.Random(3))
    print(f"one day of {megabytes} MB beside a small one:")
    for name, argv in COMMANDS.items():
        one = ran(root, argv, timeout)
        told = next((line.strip() for line in one.said.splitlines() if day.name in line), "-")
        print(
            f"  {name:8} {_ended(one)}, memory {one.memory / day.stat().st_size:.2f}x  {told[:150]}"
        )


def many_entries(folder: Path, entries: int, timeout: float) -> None:
    """Every command on a day of so many entries, beside one of a tenth."""
    chance = random.Random(4)
    roots = []
    for count in (entries // 10, entries):
        root = made(folder / str(count))
        with (root / "memory" / f"{DAY}.md").open("w") as file:
            for number in range(count):
                file.write(f"- 10:00 {chance.choice(WORDS)} {chance.choice(WORDS)} {number}.\n")
        roots.append(root)
    size = (roots[1] / "memory" / f"{DAY}.md").stat().st_size
    print(f"one day of {entries:,} entries ({size / 1e6:.0f} MB):")
    for name, argv in COMMANDS.items():
        tenth, whole = (ran(root, argv, timeout) for root in roots)
        growth = f"time {whole.seconds / tenth.seconds:.1f}x that of a tenth"
        print(
            f"  {name:8} {_ended(whole)}, memory {whole.memory / size:.1f}x, {growth}", flush=True
        )


def _ended(one: Ran) -> str:
    return "stopped" if one.code is None else f"exit {one.code}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--timeout", type=float, default=600)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        too_large(Path(folder, "large"), arguments.megabytes, arguments.timeout)
        many_entries(Path(folder, "many"), arguments.entries, arguments.timeout)


if __name__ == "__main__":
    main()
