"""Offline pages composed in several processes: the same bytes, whatever becomes of the copies.

Each compaction is a process of its own: one that runs tests has threads and is not copied.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import Literal

import pytest

import roots

pytestmark = pytest.mark.skipif(
    not hasattr(os, "pidfd_open") or sys.platform == "darwin", reason="processes are not copied"
)

WEEKS = 9
PAGES = WEEKS + 2

#: Every page, and what the journal says.
State = tuple[dict[str, bytes], list[dict[str, object]]]

#: A compaction that says who composed how much; what stands for PATCH may change it before.
RUN = """
import os, signal, sys
from pathlib import Path
signal.signal(signal.SIGINT, signal.default_int_handler)
root, workers, patch, tests, note = sys.argv[1:]
sys.path.insert(0, tests)
import roots
from lithify.compact import copies, summaries

here = os.getpid()
made, composed_here = [], []
in_turn, ahead, make_copy = summaries.compose, copies.compose, copies.make_copy

def count(desk, task, engine):
    composed_here.append(task.key)
    return in_turn(desk, task, engine)

def make(desk, shares):
    made.append(make_copy(desk, shares))
    return made[-1]

summaries.compose, copies.make_copy = count, make
exec(patch)
memory = roots.opened(Path(root), "2026-06-01")
report = memory.compact(workers=int(workers) or None)
print(len(made), len(composed_here), report.exit_code, flush=True)
"""


def quarter(folder: Path) -> Path:
    """Nine weeks of spring with something to decide, to do and to keep in each."""
    monday = date(2026, 3, 2)
    days = {
        f"{monday + timedelta(weeks=week, days=day)}": [
            f"Decided to ship release 2.{week}.{day} because job {week} takes {week + 3} hours.",
            f"Always run migration {week}{day} on a copy first, because it locks the table.",
            f"Blocked: the certificate of host {week}{day} has expired.",
            f"- [ ] Renew the certificate of host {week}{day}",
        ]
        for week in range(WEEKS)
        for day in range(4)
    }
    return roots.make(folder, days)


def argv(root: Path, workers: int, patch: str = "", note: Path | str = "") -> list[str]:
    tests = str(Path(__file__).parent)
    return [sys.executable, "-c", RUN, str(root), str(workers), patch, tests, str(note)]


def compacted(root: Path, workers: int, patch: str = "", seed: str = "0") -> list[int]:
    """How many copies there were, how many pages the process composed in their turn, its code."""
    env = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        argv(root, workers, patch), capture_output=True, text=True, env=env, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return [int(word) for word in done.stdout.split()]


def state(root: Path) -> State:
    lines = (root / ".lithify" / "journal.jsonl").read_text().splitlines()
    return roots.pages(root), [json.loads(line) for line in lines]


def has_ended(pid: int) -> bool:
    """Wait for a process that is nobody's child here."""
    try:
        file = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([file], [], [], 60)[0])
    finally:
        os.close(file)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> State:
    root = quarter(tmp_path_factory.mktemp("alone") / "root")
    made, composed, _ = compacted(root, 1)
    assert (made, composed) == (0, PAGES)
    return state(root)


@pytest.mark.parametrize(("workers", "seed"), [(2, "1"), (3, "2"), (20, "3")])
def test_several_processes_write_the_bytes_of_one(
    workers: int, seed: str, tmp_path: Path, alone: State
) -> None:
    root = quarter(tmp_path / "root")
    made, composed, code = compacted(root, workers, seed=seed)
    assert made == min(workers, WEEKS) - 1
    assert composed < PAGES, "some pages came from a copy"
    assert code == 0
    assert state(root) == alone


def test_a_small_backlog_is_written_by_one_process(tmp_path: Path) -> None:
    assert compacted(quarter(tmp_path / "root"), 0)[0] == 0


def test_a_large_backlog_is_shared_by_as_many_processes_as_can_run_at_once(
    tmp_path: Path, alone: State
) -> None:
    root = quarter(tmp_path / "root")
    patch = "copies._WORTH = 100; copies.processors = lambda: 3"
    assert compacted(root, 0, patch)[0] == 2
    assert state(root) == alone


def test_weeks_are_claimed_in_their_order_and_the_longest_month_first(tmp_path: Path) -> None:
    from lithify.compact.copies import Shares
    from lithify.values import Task

    def claimed(tier: Literal["week", "month"], sizes: dict[str, int]) -> list[str]:
        with (tmp_path / tier).open("w+b") as file:
            shares = Shares(file)
            shares.add([Task(tier, one, "due", tokens=size) for one, size in sizes.items()])
            return [task.period for task in iter(shares.next, None)]

    assert claimed("week", {"2026-W10": 3, "2026-W11": 9, "2026-W12": 5}) == [
        "2026-W10",
        "2026-W11",
        "2026-W12",
    ]
    assert claimed("month", {"2026-03": 3, "2026-04": 9, "2026-05": 5}) == [
        "2026-04",
        "2026-05",
        "2026-03",
    ]


def test_a_month_that_is_ready_comes_before_weeks_of_others(tmp_path: Path) -> None:
    from lithify.compact.copies import Shares
    from lithify.values import Task

    with (tmp_path / "shares").open("w+b") as file:
        shares = Shares(file)
        shares.add([Task("week", "2026-W10", "due"), Task("week", "2026-W15", "due", tokens=9)])
        shares.add([Task("month", "2026-02", "due", tokens=3)])
        claimed = [task.period for task in iter(shares.next, None)]
    assert claimed == ["2026-02", "2026-W10", "2026-W15"]


def test_a_process_with_threads_is_not_copied(tmp_path: Path) -> None:
    patch = "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()"
    assert compacted(quarter(tmp_path / "root"), 3, patch)[0] == 0


@pytest.mark.parametrize(
    "refused",
    ["os.fork", "copies.fcntl.lockf", "copies.Pipe", "copies.tempfile.TemporaryFile"],
)
def test_where_no_copy_can_be_made_one_process_writes_all(
    refused: str, tmp_path: Path, alone: State
) -> None:
    root = quarter(tmp_path / "root")
    patch = f"""
def refuse(*args, **options):
    raise BlockingIOError("there is no room")
{refused} = refuse
"""
    assert compacted(root, 3, patch)[:2] == [0, PAGES]
    assert state(root) == alone


IN_A_COPY = """
def other(desk, task, engine):
    if os.getpid() != here:
        {act}
    return ahead(desk, task, engine)
copies.compose = other
"""


@pytest.mark.parametrize(
    "act",
    [
        "os.kill(os.getpid(), signal.SIGKILL)",
        "task.tier == 'month' and os.kill(os.getpid(), signal.SIGKILL)",
        "raise OSError('the disk is gone')",
        "raise MemoryError",
        "return lambda: 'no value that can be handed back'",
        "sys.exit(3)",
    ],
)
def test_what_a_copy_does_not_hand_back_is_composed_here(
    act: str, tmp_path: Path, alone: State
) -> None:
    root = quarter(tmp_path / "root")
    assert compacted(root, 3, IN_A_COPY.format(act=act))[0] == 2
    assert state(root) == alone


def test_an_error_is_told_when_its_page_has_its_turn(tmp_path: Path) -> None:
    """The same words at the end, and the same pages in force, as with one process."""
    patch = """
def failing(desk, task, engine):
    if task.key == "week:2026-W14":
        raise OSError("the disk is gone")
    return in_turn(desk, task, engine)
summaries.compose = copies.compose = failing
"""
    found = []
    for workers in (1, 3):
        root = quarter(tmp_path / str(workers))
        done = subprocess.run(argv(root, workers, patch), capture_output=True, text=True)
        found.append((done.returncode, done.stderr.splitlines()[-1], state(root)))
    assert found[0] == found[1]
    assert found[0][1] == "OSError: the disk is gone"
    assert any("2026-W13" in path for path in found[0][2][0])


HELD = """
def note_pid():
    with open(note, "w") as file:
        file.write("".join(f"{copy.pid}\\n" for copy in made))

def held(desk, task, engine):
    note_pid()
    signal.pause()
summaries.compose = held
"""


def held(tmp_path: Path, patch: str = HELD) -> tuple[subprocess.Popen[bytes], list[int], Path]:
    """A compaction that has made its copies and stands still, and the copies' ids."""
    root = quarter(tmp_path / "root")
    note = tmp_path / "note"
    os.mkfifo(note)
    child = subprocess.Popen(
        argv(root, 3, patch, note), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    pids = [int(line) for line in note.read_text().split()]
    assert len(pids) == 2
    for pid in pids:
        os.kill(pid, 0)
    return child, pids, root


def test_ctrl_c_leaves_no_process_behind(tmp_path: Path) -> None:
    # The copies would go on for ever.
    forever = IN_A_COPY.format(act="signal.pause()") + HELD
    child, pids, _ = held(tmp_path, forever)
    for pid in (*pids, child.pid):
        # At a terminal it reaches all of them.
        os.kill(pid, signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert b"KeyboardInterrupt" in said
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_killed_compaction_leaves_no_process_and_no_lock_behind(
    tmp_path: Path, alone: State
) -> None:
    child, pids, root = held(tmp_path)
    child.kill()
    # Its output ends with it: no copy keeps it open.
    child.communicate(timeout=60)
    compacted(root, 1)
    assert roots.pages(root) == alone[0]
    assert all(has_ended(pid) for pid in pids)
