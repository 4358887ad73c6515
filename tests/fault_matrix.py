"""The fault matrix: every command, broken by every kind of fault at every call it makes.

    python tests/fault_matrix.py [--command log] [--fault EIO] [--every 5] [--seconds 600]

For each point a root is copied, the command runs in a forked child with one fault (`fault_points`),
and what is left is held against an undisturbed run:
    lost            words of a day or of the gate's record are gone
    torn            a page is in a state that no undisturbed run passes through, or `check` has errors
    not converged   the command run again, and a compaction, do not end where the undisturbed run ends
    untrue          it said done and is not, said that nothing was changed and something was, or ended
                    with an exception that is not one of ours
Faults of time let the clock jump at each of its readings, or kill the run at each change and set the
clock for the next one. `strace` faults are made by the kernel, at calls that change files.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import fault_commands
import fault_kernel
import faults
import roots
from fault_commands import COMMANDS, Command, run_again
from fault_points import Ended, broken_run, points_of
from lithify import errors
from lithify.memory import Memory
from lithify.store.recover import recover

CALLS = (*faults.KILLS, *faults.CUTS[:3], "ENOSPC", "EROFS", "EIO", "EACCES", "EINTR")
TIMES = ("clock-back", "zone", "dst")
KINDS = (*CALLS, *TIMES, *fault_kernel.KINDS)

_AUTUMN = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
_BACK = {"clock-back": timedelta(hours=-26), "dst": timedelta(hours=1)}


@dataclass
class Row:
    """What became of the points of one command and one kind of fault."""

    command: str
    kind: str
    points: int = 0
    tried: int = 0
    lost: int = 0
    torn: int = 0
    not_converged: int = 0
    untrue: int = 0
    found: list[str] = field(default_factory=list)

    @property
    def bad(self) -> int:
        return self.lost + self.torn + self.not_converged + self.untrue


class Whole(NamedTuple):
    """The undisturbed run: what was there before, after, and after the next compaction."""

    before: dict[str, Any]
    after: dict[str, Any]
    settled: dict[str, Any]
    undated: dict[str, Any]
    ended: Ended


class Jumping:
    """A clock that stands still, and jumps at one of its readings."""

    def __init__(self, moment: datetime, jump: timedelta = timedelta(), at: int = 0) -> None:
        self.moment, self.jump, self.at, self.read = moment, jump, at, 0

    def __call__(self) -> datetime:
        self.read += 1
        return self.moment + (self.jump if 0 < self.at <= self.read else timedelta())


class Cell:
    """One command in a folder of its own; `change` is what becomes of the time, if anything."""

    def __init__(self, name: str, change: str, folder: Path) -> None:
        self.name, self.change = name, change
        self.command: Command = COMMANDS[name]
        self.now = _AUTUMN if change == "dst" else roots.NOW
        self.later = self.now + _BACK.get(change, timedelta())
        self.start, self.work = folder / "start", folder / "work"
        self.root = self.work / "root"
        self._judged: dict[tuple[object, ...], list[str]] = {}
        self.dated = not change
        self.start.mkdir(parents=True)
        self.command.prepare(self.start / "root", Jumping(self.now))
        if change == "dst":
            self._set_zone(self.start / "root", "Europe/Berlin")
        self.whole = self._whole()

    def _whole(self) -> Whole:
        self._reset()
        before = fault_commands.state(self.root)
        clock = Jumping(self.now)
        ended = broken_run(
            lambda: self._act(clock), self.root, watch=True, ticks=lambda: clock.read
        )
        assert ended.how == "done", ended.said
        after = fault_commands.state(self.root)
        self._change_time()
        self.command.settle(self._memory())
        ended.versions = {
            path: {fault_commands.headless(data) for data in versions}
            for path, versions in ended.versions.items()
        }
        settled, undated = (fault_commands.state(self.root, dated=d) for d in (self.dated, False))
        return Whole(before, after, settled, undated, ended)

    def points(self, kind: str) -> list[tuple[str, int]]:
        """Each point: how it is broken there, and at which call or reading."""
        if kind in fault_kernel.KINDS:
            self._reset()
            count = fault_kernel.calls_of(self._act, self.work / "strace.log")
            return [(kind, number) for number in range(1, 1 + count)]
        calls = self.whole.ended.calls
        if not self.change:
            return [(kind, number) for number in points_of(kind, calls)]
        jumps = range(1, self.whole.ended.ticks + 1) if self.change in _BACK else ()
        return [*(("jump", n) for n in jumps), *(("kill", n) for n in points_of("kill", calls))]

    def try_at(self, how: str, point: int) -> list[str]:
        """Break the command at one point; what is wrong afterwards, each with its heading first."""
        self._reset()
        if how == "jump":
            clock = Jumping(self.now, _BACK[self.change], point)
            ended = broken_run(lambda: self._act(clock), self.root)
        elif how in fault_kernel.KINDS:
            ended = fault_kernel.kernel_run(self._act, how, point)
        else:
            ended = broken_run(self._act, self.root, how, point)
        # All that the judgement depends on: equal ends are judged once.
        key = (ended.how, ended.error, ended.says_unchanged, _digest(self.root))
        if key not in self._judged:
            self._judged[key] = list(self._judge(ended))
        return self._judged[key]

    def _judge(self, ended: Ended) -> Any:
        try:
            recover(self.root)
            state = fault_commands.state(self.root)
            yield from self._untrue(ended, state)
            if gone := _lost(self.whole, state, is_forget=self.name == "forget"):
                yield f"lost: {gone}"
            # A day that could not be read counts like one that comes later.
            exact = self.dated and ended.how != "said"
            if exact:
                yield from (f"torn: {path}" for path in self._torn(state))
            self._change_time()
            memory = self._memory()
            wrong = [f"{p.path}: {p.message}" for p in memory.check() if p.severity == "error"]
            yield from (f"torn: {one}" for one in wrong)
            run_again(self.command, self._memory())
            now = fault_commands.state(self.root, dated=exact)
            then = self.whole.settled if exact == self.dated else self.whole.undated
            differ = {key for key in {*now, *then} if now.get(key) != then.get(key)}
            if self.change == "clock-back" and self.command.captures:
                differ -= {"pages"}  # of another week, if it is another day
            if differ:
                yield f"not converged: {', '.join(sorted(differ))}"
        except Exception as error:
            yield f"not converged: {type(error).__name__}: {error}"

    def _untrue(self, ended: Ended, state: dict[str, Any]) -> Any:
        done = self.command.is_done(self._memory(self.now))
        same = state == self.whole.before
        exactly = self.dated and ended.how == "done"
        missing = ended.how == "done" and self.command.captures and not done
        if missing or (exactly and state != self.whole.after):
            yield "untrue: said done and is not"
        elif ended.error == "Unfinished" and self.command.captures and not done:
            yield f"untrue: {ended.said}"
        elif ended.how == "raised":
            ours = issubclass(getattr(errors, ended.error, int), errors.LithifyError)
            if not ours or (ended.says_unchanged and not same):
                yield f"untrue: {ended.said}"

    def _torn(self, state: dict[str, Any]) -> list[str]:
        versions = self.whole.ended.versions
        return [
            path
            for path, data in state.items()
            if isinstance(data, bytes)
            and data not in (self.whole.before.get(path), self.whole.after.get(path))
            and data not in versions.get(path, ())
        ]

    # One run

    def _act(self, clock: Jumping | None = None) -> str:
        return self.command.act(Memory.open(self.root, clock=clock or Jumping(self.now)))

    def _memory(self, moment: datetime | None = None) -> Memory:
        return Memory.open(self.root, clock=Jumping(moment or self.later))

    def _reset(self) -> None:
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.start, self.work)

    def _change_time(self) -> None:
        if self.change == "zone":
            self._set_zone(self.root, "Pacific/Auckland")

    def _set_zone(self, root: Path, zone: str) -> None:
        toml = root / "lithify.toml"
        toml.write_text(toml.read_text().replace('"UTC"', f'"{zone}"'))


def _lost(whole: Whole, state: dict[str, Any], *, is_forget: bool) -> str:
    """The first day or chain that does not begin as it was."""
    for path, old in whole.before.items():
        new = state.get(path)
        if path.startswith("chain") and (new or [])[: len(old)] != old:
            return path
        erased = is_forget and new == whole.after.get(path)
        if path.startswith("memory/2") and not erased and not (new or b"").startswith(old):
            return path
    return ""


def _digest(root: Path) -> str:
    """What all files of a root say; a lock names a process and is left out."""
    whole = sha256()
    for folder, below, names in os.walk(root):
        below.sort()
        whole.update(os.fsencode(folder))
        for name in sorted(names):
            data = Path(folder, name).read_bytes()
            if name.endswith("lock"):
                data = b""
            elif name == "digests.json":
                data = _undated_cache(data)
            whole.update(os.fsencode(name) + sha256(data).digest())
    return whole.hexdigest()


def _undated_cache(data: bytes) -> bytes:
    """The digest cache without inodes and times, which are others in each copy of a root."""
    try:
        files = json.loads(data)["files"]
        told = {path: (sha, kind, facts) for path, (*_, sha, _, kind, facts) in files.items()}
        return json.dumps(told).encode()
    except ValueError:
        return data


def fill(
    name: str,
    kinds: list[str],
    every: int = 1,
    first: int = 0,
    until: float = float("inf"),
    tell: Callable[[str], None] = lambda line: None,
) -> list[Row]:
    """Try the points of one command, each `every`-th from `first` on."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    os.fsync = lambda fd: None  # no power is really cut
    cells: dict[str, Cell] = {}
    rows = []
    with tempfile.TemporaryDirectory(dir=memory) as place:
        for kind in kinds:
            change = kind if kind in TIMES else ""
            if change not in cells:
                cells[change] = Cell(name, change, Path(place).resolve() / f"cell{len(cells)}")
                gc.freeze()  # a forked child then copies fewer pages
            row = _row(cells[change], kind, every, first, until)
            rows.append(row)
            tell(f"{name}, {kind}: {row.tried} of {row.points} points, {row.bad} bad")
            for line in row.found[:3]:
                tell(f"    {line}")
    return rows


def _row(cell: Cell, kind: str, every: int, first: int, until: float) -> Row:
    row = Row(cell.name, kind)
    points = cell.points(kind)
    row.points = len(points)
    for how, point in points[first % max(1, min(every, len(points))) :: every]:
        if time.monotonic() > until:
            break
        row.tried += 1
        for wrong in cell.try_at(how, point):
            heading, _, what = wrong.partition(": ")
            column = heading.replace(" ", "_")
            setattr(row, column, getattr(row, column) + 1)
            row.found.append(f"{cell.name}, {kind} at {how} {point}: {heading}: {what}")
    return row


def table(rows: list[Row], *, sums: bool = False) -> str:
    """The rows, or a sum for each command, as a Markdown table with the sum of all."""
    lines = [
        "| command | fault | points | tried | lost | torn | not converged | untrue |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    order = {pair: n for n, pair in enumerate((c, k) for c in COMMANDS for k in KINDS)}
    shown = sorted(rows, key=lambda row: order[row.command, row.kind])
    if sums:
        names = dict.fromkeys(row.command for row in shown)
        shown = [_sum(name, [row for row in shown if row.command == name]) for name in names]
    for row in [*shown, _sum("all", rows)]:
        numbers = (row.points, row.tried, row.lost, row.torn, row.not_converged, row.untrue)
        lines.append(f"| {row.command} | {row.kind} | {' | '.join(map(str, numbers))} |")
    return "\n".join(lines)


def _sum(name: str, rows: list[Row]) -> Row:
    total = Row(name, "" if name == "all" else f"{len(rows)} kinds")
    for row in rows:
        for column in ("points", "tried", "lost", "torn", "not_converged", "untrue"):
            setattr(total, column, getattr(total, column) + getattr(row, column))
    return total


def run(
    commands: list[str],
    kinds: list[str],
    *,
    every: int = 1,
    first: int = 0,
    seconds: float = 3000,
    jobs: int = 2,
    tell: Callable[[str], None] = lambda line: None,
) -> list[Row]:
    """Fill the matrix for these commands and kinds of fault."""
    until = time.monotonic() + seconds
    if not fault_kernel.can_trace():
        kinds = [kind for kind in kinds if kind not in fault_kernel.KINDS]
    with ProcessPoolExecutor(jobs) as pool:
        filled = [pool.submit(fill, c, kinds, every, first, until, tell) for c in commands]
        return [row for rows in filled for row in rows.result()]


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--command", action="append", choices=COMMANDS)
    parser.add_argument("--fault", action="append", choices=KINDS)
    parser.add_argument("--every", type=int, default=1, help="try each n-th point (default: all)")
    parser.add_argument("--first", type=int, default=0, help="begin at this point")
    parser.add_argument("--seconds", type=float, default=3000, help="stop after so long")
    parser.add_argument("--sums", action="store_true", help="print a row for each command")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    args = parser.parse_args()
    rows = run(
        args.command or list(COMMANDS),
        args.fault or list(KINDS),
        every=args.every,
        first=args.first,
        seconds=args.seconds,
        jobs=args.jobs,
        tell=_tell,
    )
    print(table(rows, sums=args.sums))
    raise SystemExit(any(row.bad for row in rows))


if __name__ == "__main__":
    main()
