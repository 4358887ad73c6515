"""Many programs write one day at once: every acknowledged entry is kept, whole."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from lithify.store import journal
from lithify.store.check import check
from lithify.store.commit import append_day

DAY = "memory/2026-04-02.md"
TIME = "2026-04-02T14:00:00Z"
PROCESSES, FEW, ENTRIES = 16, 6, 40

APPENDER = """
import sys
sys.path.insert(0, sys.argv[3])
from test_appenders import DAY, TIME, entry
from lithify.store.commit import append_day
root, who = sys.argv[1], int(sys.argv[2])
sys.stdin.readline()
for number in range(int(sys.argv[4])):
    append_day(root, DAY, entry(who, number), "capture", {"who": who, "number": number}, TIME)
    print(number, flush=True)
"""


def entry(who: int, number: int) -> bytes:
    """An entry of 100 bytes to 20 kB, the same whenever asked for."""
    chance = random.Random(who * 1000 + number)
    filler = chance.choice("abcdefgh") * (chance.randint(100, 20_000) - 40)
    return f"- 14:00 entry {who:02} {number:02} {filler} end\n".encode()


def start(root: Path, who: int, entries: int = ENTRIES) -> subprocess.Popen[str]:
    here = str(Path(__file__).parent)
    return subprocess.Popen(
        [sys.executable, "-c", APPENDER, str(root), str(who), here, str(entries)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.close()


def acknowledged(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    return len(process.stdout.read().split())


def test_sixteen_appenders_keep_every_entry_whole(tmp_path: Path) -> None:
    appenders = [start(tmp_path, who) for who in range(PROCESSES)]
    for appender in appenders:
        go(appender)
    for appender in appenders:
        with appender:
            assert acknowledged(appender) == ENTRIES
        assert appender.returncode == 0

    lines = (tmp_path / DAY).read_bytes().splitlines(keepends=True)
    expected = [entry(who, number) for who in range(PROCESSES) for number in range(ENTRIES)]
    assert len(lines) == PROCESSES * ENTRIES == 640
    assert sorted(lines) == sorted(expected)
    assert check(tmp_path) == ()


def test_killed_appender_loses_nothing_acknowledged(tmp_path: Path) -> None:
    victim = start(tmp_path, 0, entries=1_000_000)
    appenders = [victim, *(start(tmp_path, who) for who in range(1, FEW))]
    for appender in appenders:
        go(appender)
    assert victim.stdout is not None
    seen = sum(1 for _ in zip(range(10), victim.stdout, strict=False))
    victim.kill()
    acks = {who: acknowledged(appender) for who, appender in enumerate(appenders)}
    acks[0] += seen
    for appender in appenders:
        with appender:
            pass
    assert [appender.returncode for appender in appenders[1:]] == [0] * (FEW - 1)
    assert seen == 10

    append_day(tmp_path, DAY, b"- last\n", "capture", {}, TIME)
    lines = (tmp_path / DAY).read_bytes().splitlines(keepends=True)
    assert len(set(lines)) == len(lines)
    recorded = [
        entry(record.data["who"], record.data["number"])
        for record in journal.read(tmp_path).records
        if "who" in record.data
    ]
    # Whatever the journal says stands in the day, whole, and nothing else does.
    assert sorted(lines) == sorted([*recorded, b"- last\n"])
    for who, count in acks.items():
        assert {entry(who, number) for number in range(count)} <= set(lines)
    assert check(tmp_path) == ()
