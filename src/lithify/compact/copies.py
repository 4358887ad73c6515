"""Pages that copies of this process compose while it goes on with what comes before them.

Offline a page costs nothing but time. Weeks do not depend on each other, and a month on its weeks
alone. The process and its copies share them out between themselves: who is free claims the next
page of a month it has begun on, whose words it has read already, else of a month nobody has begun
on, else the one that is furthest off; a month itself is there to be claimed when its weeks are
written. Only the process itself writes to the root, in the plan's order. A copy hands its pages
back and ends with the process it was made of; what it does not hand back is composed here, as
ever, so that an error is met where it has to be told.
"""

from __future__ import annotations

import copyreg
import fcntl
import gc
import os
import pickle
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from multiprocessing.connection import Connection, Pipe, wait
from types import MappingProxyType
from typing import IO, Any

from lithify.compact.desk import Composed, Desk
from lithify.compact.plan import month_under
from lithify.compact.snapshot import Snapshot
from lithify.compact.summaries import compose, is_independent
from lithify.engines.base import Offline
from lithify.values import Task

#: Tokens of sources that are worth a process: with fewer it is quicker to go on alone.
_WORTH = 50_000
#: Processes unless more are asked for: each has memory of its own.
_MOST = 4
#: Bytes of finished pages, and of orders, that may wait in a pipe while who reads it composes.
_WAITING = 1 << 20
_OPEN_FILES = "/dev/fd"


def _read_only(values: dict[str, Any]) -> MappingProxyType[str, Any]:
    return MappingProxyType(values)


# The class has no name to be found by.
copyreg.pickle(MappingProxyType, lambda values: (_read_only, (dict(values),)))


def processors() -> int:
    """How many processes of ours can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def can_be_copied() -> bool:
    """Whether this process can be copied safely: macOS does not promise it, nor do threads."""
    return (
        hasattr(os, "fork")
        and sys.platform != "darwin"
        and threading.active_count() == 1
        and os.path.isdir(_OPEN_FILES)
    )


@dataclass(slots=True)
class Shares:
    """Which pages are whose: each has a byte of a file without a name, to be locked by one.

    A claim goes with the process that made it; one that is killed leaves nothing claimed.
    """

    file: IO[bytes]
    places: dict[str, int] = field(default_factory=dict)
    unclaimed: dict[str, Task] = field(default_factory=dict)
    mine: set[str] = field(default_factory=set)

    def add(self, tasks: Sequence[Task]) -> None:
        """Open tasks to all; every process adds the same in the same order.

        Months come first, and of them the longest: who was left with one at the end would be
        waited for, and the words of its weeks are still at hand.
        """
        for task in tasks:
            self.places.setdefault(month_under(task), len(self.places))
            self.places.setdefault(task.key, len(self.places))
        open_to_all = {**self.unclaimed, **{task.key: task for task in tasks}}
        in_order = sorted(open_to_all.values(), key=lambda one: -one.tokens * (one.tier == "month"))
        self.unclaimed = {task.key: task for task in in_order}

    def claim(self, name: str) -> bool:
        """Whether a page or a month is this process's from now on."""
        self.unclaimed.pop(name, None)
        try:
            fcntl.lockf(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, self.places[name])
        except OSError:
            return False
        self.mine.add(name)
        return True

    def next(self, needed: Task | None = None) -> Task | None:
        """A page that nobody had begun on, claimed: if it is of another's month, the one needed."""
        others = set()
        for task in tuple(self.unclaimed.values()):
            month = month_under(task)
            if month in others or not self.claim(month):
                others.add(month)
            elif self.claim(task.key):
                return task
        rest = [*([needed] if needed else []), *reversed(self.unclaimed.values())]
        return next((task for task in rest if self.claim(task.key)), None)

    def leave(self, name: str) -> None:
        """Give back a claim, that another may make it."""
        self.mine.discard(name)
        fcntl.lockf(self.file, fcntl.LOCK_UN, 1, self.places[name])


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy at work: the pipe that tells it how the root stands, and the one its pages come by."""

    pid: int
    orders: Connection
    pages: Connection

    def end(self) -> None:
        """End it, whatever it is at."""
        self.orders.close()
        self.pages.close()
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait: it must find no copy that nobody knows of, and is not for the copies."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def make_copy(desk: Desk, shares: Shares) -> Copy:
    """A copy of this process, which composes what it can claim."""
    their_orders, orders = Pipe(duplex=False)
    pages, their_pages = Pipe(duplex=False)
    with suppress(AttributeError, OSError):
        for pipe in (orders, their_pages):
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _WAITING)
    pid = os.fork()
    if not pid:
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            _keep_open({shares.file.fileno(), their_orders.fileno(), their_pages.fileno()})
            gc.freeze()
            with suppress(EOFError, BrokenPipeError):
                _work(desk, shares, their_orders, their_pages)
        finally:
            os._exit(0)
    their_orders.close()
    their_pages.close()
    return Copy(pid, orders, pages)


def _keep_open(files: set[int]) -> None:
    """Close all other files: locks, other copies' pipes, and the output somebody may wait for."""
    for file in map(int, os.listdir(_OPEN_FILES)):
        if file not in files:
            with suppress(OSError):
                os.close(file)
    for _ in range(3):
        os.open(os.devnull, os.O_RDWR)


def _work(desk: Desk, shares: Shares, orders: Connection, pages: Connection) -> None:
    """Compose page after page, and wait for more when there is none, until nobody is there."""
    while True:
        task = None if orders.poll() else shares.next()
        if task is None:
            tasks, files, bases = orders.recv()
            desk.snapshot.follow(files, bases)
            shares.add(tasks)
            continue
        page = None
        try:
            page = compose(desk, task, Offline())
        except Exception:
            shares.leave(task.key)
        pages.send((task.key, page))
        desk.make_room()


class Copies:
    """This process and its copies at the pages of a run, as many in all as there are workers.

    Without a number there are as many as the machine runs at once and as pay for themselves.
    """

    engine = Offline()

    def __init__(self, desk: Desk, workers: int | None, file: IO[bytes]) -> None:
        self.desk = replace(desk, ahead=self.take)
        self._workers = workers
        self._shares = Shares(file)
        self._copies: list[Copy] = []
        self._composed: dict[str, Composed] = {}

    def look(self, snapshot: Snapshot, tasks: Sequence[Task]) -> None:
        """Share out the pages that can be composed from now on."""
        if tasks[0].tier == "wisdom":
            self.end()
        new = [
            task
            for task in tasks
            if task.key not in self._shares.places
            and task.sources
            and is_independent(snapshot, task)
        ]
        if new and self._copies:
            self._shares.add(new)
            self._tell(snapshot, new)
        elif new and not self._shares.places:  # a copy that was lost is not made again
            self._make(new)

    def take(self, task: Task) -> Composed | None:
        """The page of a task; None if it is to be composed here and now."""
        while self._copies and task.key in self._shares.places:
            self._collect(0)
            if task.key in self._composed or task.key in self._shares.mine:
                break
            mine = self._shares.next(task)
            if mine is None:
                self._collect(None)
            elif mine.key != task.key:
                # An error has its turn when the page has.
                with suppress(Exception):
                    self._composed[mine.key] = compose(self.desk, mine, self.engine)
                self.desk.make_room()
        return self._composed.pop(task.key, None)

    def settle(self) -> bool:
        """Nothing is under way here that could leave room in a budget."""
        return False

    def end(self) -> None:
        """End all copies."""
        while self._copies:
            self._copies.pop().end()

    def _make(self, tasks: Sequence[Task]) -> None:
        number = self._number(tasks)
        if number == 1:
            return
        self._shares.add(tasks)
        # The first page is needed here at once; who cannot claim it has a disk without locks.
        if not self._shares.claim(tasks[0].key):
            return
        # What a page takes is loaded before there are copies, lest each of them load it.
        for tier in ("week", "month"):
            import_module(f"lithify.engines.offline.{tier}")
        self.desk.room.divide(number)
        # Where no more processes may run, there are fewer.
        with _uninterrupted(), suppress(OSError):
            for _ in range(number - 1):
                self._copies.append(make_copy(self.desk, self._shares))

    def _number(self, tasks: Sequence[Task]) -> int:
        wanted = self._workers
        if wanted is None:
            wanted = min(processors(), _MOST, 1 + sum(task.tokens for task in tasks) // _WORTH)
        return min(wanted, len(tasks))

    def _tell(self, snapshot: Snapshot, tasks: Sequence[Task]) -> None:
        files = [file for task in tasks for path in task.sources if (file := snapshot.file(path))]
        order = (tasks, files, snapshot.ledger.bases)
        data = pickle.dumps(order, pickle.HIGHEST_PROTOCOL)
        for copy in tuple(self._copies):
            try:
                copy.orders.send_bytes(data)
            except OSError:
                self._drop(copy)

    def _collect(self, timeout: float | None) -> None:
        """Take what the copies have handed back; without a timeout wait for something."""
        while ready := wait([copy.pages for copy in self._copies], timeout):
            for copy in [copy for copy in self._copies if copy.pages in ready]:
                try:
                    key, page = copy.pages.recv()
                except (EOFError, OSError):
                    self._drop(copy)
                    continue
                if page is not None:
                    self._composed[key] = page
            timeout = 0

    def _drop(self, copy: Copy) -> None:
        self._copies.remove(copy)
        copy.end()


@contextmanager
def copies(desk: Desk, workers: int | None) -> Iterator[Copies | None]:
    """Copies for a run, or None where there cannot be any."""
    made = None
    with ExitStack() as held:
        if workers != 1 and can_be_copied():
            with suppress(OSError):
                made = Copies(desk, workers, held.enter_context(tempfile.TemporaryFile()))
                held.callback(made.end)
        yield made
