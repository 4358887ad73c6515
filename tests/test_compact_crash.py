"""Kill a compaction anywhere: the next run ends where the whole one would have."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

import faults
import roots
from lithify.errors import Locked
from lithify.memory import CompactOptions


@pytest.mark.parametrize("root", ["new_root", "grown_root"])
@pytest.mark.parametrize("engine", ["offline", "model", "agent"])
def test_killed_compaction_converges_to_the_bytes_of_the_whole_one(
    tmp_path: Path, engine: str, root: str
) -> None:
    """Even of so small a root a compaction makes some hundred calls to the disk. Five of them are
    killed, spread evenly over the run and at other places for each engine and root, and two writes
    half way through; `make faults` tries all."""
    points = faults.run(f"compactions:{engine}_on_{root}", tmp_path, faults.KILLS)
    assert points["kill"] == 5
    assert points["kill-half"] == 2


HOLD = """
import sys
sys.path.insert(0, sys.argv[2])
import roots
from lithify.engines.base import Scripted
from lithify.memory import CompactOptions

def reply(call):
    if not waiting:
        waiting.append(True)
        print("in", flush=True)
        sys.stdin.readline()
    return roots.answer(call)

from pathlib import Path
waiting = []
report = roots.opened(Path(sys.argv[1])).compact(
    CompactOptions(model=Scripted(reply, name="careful"))
)
print(report.exit_code, flush=True)
"""


def test_one_compaction_a_root_and_two_roots_side_by_side(tmp_path: Path) -> None:
    one, two = roots.made(tmp_path / "one"), roots.made(tmp_path / "two")
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(one.root), str(Path(__file__).parent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with holder:
        assert holder.stdin and holder.stdout
        try:
            assert holder.stdout.readline() == "in\n"
            before = roots.pages(one.root)
            for act in (
                one.compact,
                lambda: one.wisdom.decide("x", approve=True),
                lambda: one.wisdom.revoke("x", "y"),
            ):
                with pytest.raises(Locked, match=f"pid {holder.pid}") as raised:
                    act()
                assert raised.value.exit_code == 5
            assert roots.pages(one.root) == before
            one.log("Logging goes on while a compaction runs.", at=roots.NOW + timedelta(days=30))
            assert two.compact(CompactOptions(model=roots.Careful())).exit_code == 0
        finally:
            holder.stdin.write("go\n")
            holder.stdin.flush()
            rest = holder.stdout.read()
    assert rest == "0\n"
    one.compact(CompactOptions(model=roots.Careful()))
    ours, theirs = roots.pages(one.root), roots.pages(two.root)
    del ours["memory/2026-05-20.md"]
    assert ours == theirs
