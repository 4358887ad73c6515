"""A root as the pages see it: read once for each state of its files, then kept."""

from __future__ import annotations

import hashlib
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from threading import Event
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast
from urllib.parse import urlencode

from lithify.calendar import month_of, month_with, parse_day, week_of
from lithify.compact.decisions import Durability
from lithify.compact.history import RefusedDraft
from lithify.compact.in_force import InForce, Remembered
from lithify.compact.proposals import ReviewItem, review_items
from lithify.compact.requests import Waiting, waiting_requests
from lithify.compact.snapshot import Snapshot
from lithify.compact.status import RootStatus
from lithify.compact.trace import MemorySentence, Node, from_the_chain, lineage, places_in
from lithify.errors import LithifyError
from lithify.gate import files
from lithify.memory import Memory
from lithify.store.places import STATE
from lithify.store.tree import File, layout_of, walk
from lithify.values import Age, Task, label_of

if TYPE_CHECKING:
    from lithify.context.compose import ContextLine

T = TypeVar("T")

#: The budget of the context of which only what is open is shown, in tokens.
OPEN_BUDGET = 3000
#: The newest files of days that are watched for changes.
RECENT = 4
#: The newest jobs whose records are watched for an open page.
RECORDS = 50
#: The pages and weeks whose content is kept from one state of the root to the next.
MOST_KEPT = 1 << 14


class View:
    """A root at one moment. What several pages need is worked out on first use and kept."""

    def __init__(self, memory: Memory, stamp: str, kept: dict[object, object]) -> None:
        self.memory = memory
        self.stamp = stamp
        self.today = memory.today()
        self.snapshot: Snapshot = memory.snapshot()
        #: A text without credentials; what its entry stands under can give one away.
        self.clean = self.snapshot.redacted
        # What depends only on the bytes of files outlives this view.
        self._kept = kept
        self._lineages: dict[MemorySentence, Node] = {}

    @cached_property
    def status(self) -> RootStatus:
        """What is current and what is behind."""
        return self.memory.status(self.snapshot)

    @cached_property
    def unread(self) -> Mapping[str, tuple[str, str]]:
        """The pages of a judging writer that no reader has confirmed: in a word, and why."""
        nobody = "nobody has held its claims against the days yet"
        found = {task.key: ("not read", nobody) for task in self.status.to_read}
        for task, why in self.status.not_read:
            state, _, reason = why.partition(": ")
            found[task.key] = (state, reason)
        return found

    @cached_property
    def tasks(self) -> Mapping[str, Task]:
        """Every period and where it stands, by its key such as `week:2026-W14`."""
        return {task.key: task for task in self.status.tasks}

    @cached_property
    def refused(self) -> tuple[RefusedDraft, ...]:
        """What the verifier refused."""
        return self.memory.quarantine()

    @cached_property
    def sizes(self) -> Mapping[date, int]:
        """The bytes of each day, oldest day first."""
        return {
            day: sum(page.size for page in pages) for day, pages in self.snapshot.shelf.days.items()
        }

    def changed(self, day: date) -> float:
        """When the files of a day were last written, as the file system has it."""
        paths = (page.path for page in self.snapshot.shelf.days[day])
        places = (os.path.join(self.memory.root, path) for path in paths)
        return max(
            (os.path.getmtime(place) for place in places if os.path.exists(place)), default=0
        )

    def remembered(self, file: File, make: Callable[[bytes], T]) -> T:
        """What `make` makes of a file's bytes, made once."""
        key = (make, file.sha256)
        if key not in self._kept:
            self._kept[key] = make(self.snapshot.shown(file.path))
        return cast(T, self._kept[key])

    @cached_property
    def halves(self) -> Sequence[str]:
        """The half-years that have days, such as `2026-H1`."""
        months = sorted(self.month_sizes)
        found = dict.fromkeys(f"{month[:4]}-H{1 if month[5:] <= '06' else 2}" for month in months)
        return list(found) or [f"{self.today.year:04}-H{1 if self.today.month <= 6 else 2}"]

    @cached_property
    def day_weeks(self) -> Mapping[str, Sequence[date]]:
        """The days of each week that has any."""
        found: dict[str, list[date]] = defaultdict(list)
        for day in self.sizes:
            found[week_of(day)].append(day)
        return found

    @cached_property
    def weeks(self) -> tuple[str, ...]:
        """Every week with days or a page, in order."""
        return tuple(sorted(self.snapshot.shelf.weeks.keys() | self.day_weeks.keys()))

    @cached_property
    def months(self) -> Mapping[str, Sequence[str]]:
        """The weeks of each month that has any, in order."""
        found: dict[str, list[str]] = defaultdict(list)
        for week in self.weeks:
            found[month_of(week)].append(week)
        for month in self.snapshot.shelf.months:
            found.setdefault(month, [])
        return dict(sorted(found.items()))

    @cached_property
    def month_sizes(self) -> Mapping[str, int]:
        """The bytes of the days of each calendar month."""
        found: dict[str, int] = defaultdict(int)
        for day, size in self.sizes.items():
            found[month_with(day)] += size
        return found

    @cached_property
    def ages(self) -> tuple[Age, ...]:
        """Since when each entry of wisdom holds, by the decisions in the journal."""
        settings, ledger = self.memory.settings.wisdom, self.snapshot.ledger
        standing = Durability(settings, self.today.isoformat(), ledger.wisdom.reinforced)
        return tuple(map(standing.age, self.snapshot.wisdom()))

    @cached_property
    def held(self) -> InForce:
        """The memories in force today."""
        return self.memory.memories.in_force(self.snapshot)

    @cached_property
    def in_force(self) -> Sequence[Remembered]:
        """The memories in force, as they are listed."""
        return tuple(self.held.remembered())

    @cached_property
    def gone(self) -> Sequence[Remembered]:
        """The statements that are no longer in force."""
        return tuple(self.held.gone())

    @cached_property
    def conflicts(self) -> Sequence[tuple[Remembered, Remembered]]:
        """The pairs that may contradict each other."""
        return tuple(self.held.conflicts())

    @cached_property
    def requests(self) -> tuple[Waiting, ...]:
        """What agents ask a person to change of memories."""
        return waiting_requests(self.snapshot.ledger, self.held)

    @cached_property
    def review(self) -> tuple[ReviewItem, ...]:
        """All that waits for a person's decision."""
        return tuple(review_items(self.snapshot, self.held))

    @cached_property
    def open_lines(self) -> Sequence[ContextLine]:
        """What a session is told is open, the newest first, with the place of each."""
        found = self.memory.explained_context(OPEN_BUDGET).sections
        return [line for part in found if part.section == "open" for line in part.lines]

    @cached_property
    def decisions(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """The decisions on wisdom by the title of the entry that they led to."""
        found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for decision in self.snapshot.ledger.wisdom.decisions:
            found[str(decision.get("target", ""))].append(decision)
        return found

    @cached_property
    def chain(self) -> Mapping[str, str]:
        """The entries that came from a job's summary."""
        return from_the_chain(self.snapshot)

    # What rests on what

    def places(self, ids: Iterable[str]) -> list[MemorySentence]:
        """The sentences above the days that could rest on these entries, the lowest tier first.

        Only the pages of the days concerned are read, so this does not grow with the root.
        """
        shelf, ids = self.snapshot.shelf, list(ids)
        days = {day for id in ids if (day := parse_day(label_of(id)))}
        weeks = sorted({week_of(day) for day in days})
        months = sorted({month_of(week) for week in weeks})
        wanted = [("week", shelf.weeks[week].path) for week in weeks if week in shelf.weeks]
        wanted += [("month", shelf.months[m].path) for m in months if m in shelf.months]
        found = [place for tier, path in wanted for place in self._places_in(tier, path)]
        found += dict.fromkeys(place for id in ids for place in self._lasting.get(id, ()))
        return sorted(
            found, key=lambda place: ("week", "typed", "month", "wisdom").index(place.tier)
        )

    @cached_property
    def _lasting(self) -> Mapping[str, Sequence[MemorySentence]]:
        """The memories and entries of wisdom that rest on each entry."""
        shelf = self.snapshot.shelf
        wanted = [("typed", path) for path in shelf.typed]
        wanted += [("wisdom", shelf.wisdom.path)] if shelf.wisdom else []
        found: dict[str, list[MemorySentence]] = defaultdict(list)
        for place in (one for tier, path in wanted for one in self._places_in(tier, path)):
            for id in place.sources:
                found[id].append(place)
        return found

    def _places_in(self, tier: str, path: str) -> tuple[MemorySentence, ...]:
        file = self.snapshot.file(path)
        key = (path, file.sha256 if file else "")
        if key not in self._kept:
            self._kept[key] = tuple(places_in(self.snapshot, tier, path))
        found = self._kept[key]
        assert isinstance(found, tuple)
        return found

    def resting(self, ids: Iterable[str]) -> Mapping[str, Sequence[MemorySentence]]:
        """For each entry all sentences that rest on it."""
        wanted = set(ids)
        found: dict[str, list[MemorySentence]] = defaultdict(list)
        for place in self.places(wanted):
            for id in wanted.intersection(place.sources):
                found[id].append(place)
        return found

    def lineage(self, place: MemorySentence) -> Node:
        """A sentence with all it came through, down to the days."""
        if place not in self._lineages:
            places = self.places(place.sources)
            self._lineages[place] = lineage(self.snapshot, places, place, self.chain)
        return self._lineages[place]


class ViewedRoot:
    """Gives the view of a root as its files are now, and reads them again only when they changed.

    The journal, the settings and the folders are looked at for every page. All files are looked at
    only once in `patience` seconds, because with ten years of days that takes longer than a page.
    """

    def __init__(self, open_memory: Callable[[], Memory], patience: float = 1.0) -> None:
        self._open = open_memory
        self._patience = patience
        self._memory = open_memory()
        self._settings = self._stat("lithify.toml")
        self._kept: dict[object, object] = {}
        #: The folders, and the newest days: they grow without their folder changing.
        self._watched: tuple[str, ...] = ()
        self._seen: object = None
        self._looked = -patience
        self._view: View | None = None
        #: How many files of how many `read_all` has read; none while it does not run.
        self.reading: tuple[int, int] | None = None
        self._read = Event()
        self._read.set()

    @property
    def place(self) -> str:
        return os.fspath(self._memory.root)

    def view(self) -> View:
        """The root as it is now."""
        settings = self._stat("lithify.toml")
        if settings != self._settings:
            self._memory, self._settings, self._view = self._open(), settings, None
        now, seen = time.monotonic(), self._glance()
        if self._view and seen == self._seen and now - self._looked < self._patience:
            return self._view
        stamp = self._look()
        if self._view is None or self._view.stamp != stamp:
            if len(self._kept) > MOST_KEPT:
                self._kept.clear()
            self._view = View(self._memory, stamp, self._kept)
        self._seen, self._looked = self._glance(), now
        return self._view

    def begin(self) -> None:
        """Say that `read_all` comes, so that nothing that needs it is begun before."""
        self.reading = (0, 0)
        self._read.clear()

    def read_all(self, ends: Callable[[], bool]) -> None:
        """Bring the search index up to date and read what the pages need, for a thread of its own.

        What it reads of a day is kept beside the index, so that a page finds it there.
        """

        def progress(done: int, total: int) -> None:
            self.reading = (done, total)
            if ends():
                raise InterruptedError("the server ends")

        try:
            memory = self._open()
            memory.index.update(progress=progress)
            view = View(memory, "", self._kept)
            _ = view.review, view.status
        except (LithifyError, InterruptedError):
            pass  # The page that needs it says what is wrong.
        finally:
            self.reading = None
            self._read.set()

    def is_read(self, wait: float) -> bool:
        """Whether `read_all` has come to its end, or does so within some seconds."""
        return self._read.wait(wait)

    def _stat(self, path: str) -> tuple[int, ...]:
        try:
            found = os.stat(os.path.join(self.place, path))
        except OSError:
            return ()
        return (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)

    def pulse(self) -> object:
        """What changes with every change that an open page may show: the records of jobs as well."""
        jobs = files.jobs(self.place)[-RECORDS:]
        return (self._glance(), *(files.size(self.place, job, "interactions") for job in jobs))

    def _glance(self) -> object:
        """What changes with nearly every change of a root, and is quickly told."""
        return (self._own(), *map(self._stat, self._watched))

    def _own(self) -> object:
        """The day, and the state of what the program itself keeps in the root."""
        names = ("journal.jsonl", "quarantine", "replies", "gate", "fleet/status.json")
        return (self._memory.today(), *(self._stat(f"{STATE}/{name}") for name in names))

    def _look(self) -> str:
        """A digest of the state of every file."""
        layout = layout_of(self.place, self._memory.settings.folders)
        digest = hashlib.blake2b(repr(self._settings).encode(), digest_size=12)
        folders, days = {""}, []
        for path, _, found in walk(self.place, layout, []):
            folders.add(os.path.dirname(path))
            if day := parse_day(layout.name(path).label):
                days.append((day, path))
            state = (path, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
            digest.update(repr(state).encode("utf-8", "backslashreplace"))
        self._watched = (*sorted(folders), *(path for _, path in sorted(days)[-RECENT:]))
        # Not the folders: reading a root may write a cache beside its files.
        digest.update(repr(self._own()).encode())
        return digest.hexdigest()


# What a page is made of: the request as its function sees it, its template, and windows of lists.

#: The rows of a list that are shown at once.
WINDOW = 50


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request: what its path names, its query, and when the visit before this one ended."""

    path: str
    named: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    since: float = 0

    @property
    def page(self) -> int:
        """The page of a list that is asked for, from 1 on."""
        text = self.query.get("page", "1")
        return int(text) if text.isascii() and text.isdigit() and int(text[:9]) > 0 else 1

    def at(self, **changed: object) -> str:
        """The address of this page with other values in its query."""
        query = {**self.query, **{key: str(value) for key, value in changed.items()}}
        query.pop("done", None)
        return f"{self.path}?{urlencode(query)}"


class HtmlPage(NamedTuple):
    """A template and what fills it; `extra` tells states apart that the root's files do not."""

    template: str
    title: str
    facts: Mapping[str, Any]
    extra: str = ""


class Window(NamedTuple, Generic[T]):
    """A part of a list: its rows, which page of how many it is, and the length of the list."""

    rows: Sequence[T]
    page: int
    pages: int
    total: int


def window(rows: Sequence[T], page: int, size: int = WINDOW) -> Window[T]:
    """The page of a list that is asked for, or its last."""
    pages = max(1, -(-len(rows) // size))
    page = min(page, pages)
    return Window(rows[(page - 1) * size : page * size], page, pages, len(rows))
