"""An open root that takes entries in: what is logged, and what somebody says to remember."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from lithify.calendar import stamp, zone
from lithify.errors import LithifyError, StorageError, UsageError
from lithify.limits import FILE
from lithify.open_root import OpenRoot

if TYPE_CHECKING:
    from lithify.compact.workspace import Workspace
    from lithify.values import MemoryType


class Logged(NamedTuple):
    """Where an entry went."""

    path: str
    entries: tuple[str, ...]
    origin: str
    text: str


class Kept(NamedTuple):
    """What somebody said to remember: its entry in the day, and the file of its memory.

    `path` is empty where there is no file yet: another run holds the root, or the disk is full, and
    the next compaction makes it; or the entry is not trusted, and the mark is only a suggestion.
    """

    entry: Logged
    path: str = ""


class CapturedRoot(OpenRoot):
    """A root with the ways by which words get into its days."""

    def log(self, text: str, *, at: datetime | None = None, origin: str = "agent") -> Logged:
        """Append an entry to its day; credentials in it are replaced first."""
        from lithify.capture import check_origin, lowered, redacted, untrusted_captures
        from lithify.store import journal, places

        check_origin(origin, "user")
        moment = self.local(at or self.now())
        text = redacted(text, self.settings.redact)
        known = partial(journal.holding, self.root, "sketches")
        with places.named(self.root):
            origin = lowered(origin, text, lambda: untrusted_captures(known()))
        return self.append(moment.date(), [(f"{moment:%H:%M}", text)], origin)

    def local(self, moment: datetime) -> datetime:
        """A moment in the zone of this root; one without a zone is taken as it is."""
        if moment.tzinfo is None:
            return moment
        try:
            return moment.astimezone(zone(self.settings.zone))
        except OverflowError:
            raise UsageError(
                reason=f"{moment.isoformat()} has no day in the zone of this root: days go "
                "from 0001-01-01 to 9999-12-31"
            ) from None

    def append(
        self,
        day: date,
        entries: Iterable[tuple[str, str]],
        origin: str,
        facts: Mapping[str, object] = MappingProxyType({}),
    ) -> Logged:
        """Append entries, each a time and a text without credentials, to a day as one capture.

        `facts` are what its journal line says besides.
        """
        from lithify.capture import capture
        from lithify.markdown.parse import End, end_of
        from lithify.store import disk, places
        from lithify.store.commit import append_day
        from lithify.store.days import day_path
        from lithify.store.tree import TOO_LARGE

        path = day_path(self.root, self.settings.days.patterns, day)
        with places.named(self.root):
            place = places.resolve(self.root, path)
            # What is added there would never be read.
            if disk.size(place) > FILE:
                raise StorageError(action="append to", path=path, reason=TOO_LARGE)
            there = disk.bytes_at(place)
        end = End() if there is None else end_of(there)
        made = [capture(text, time, day, end, origin) for time, text in entries]
        ids = tuple(dict.fromkeys(id for one in made for id in one.entries))
        said: dict[str, object] = {**facts, "entries": list(ids), "origin": origin}
        if sketches := {id: found for one in made for id, found in one.sketches.items()}:
            said["sketches"] = sketches
        data = b"".join(one.data for one in made)
        append_day(self.root, path, data, "capture", said, stamp(self._clock()))
        return Logged(path, ids, origin, data.decode())

    def remember(
        self,
        statement: str,
        *,
        type: MemoryType = "project",
        topic: str = "",
        why: str = "",
        how: str = "",
        at: datetime | None = None,
        origin: str = "agent",
    ) -> Kept:
        """Keep a statement in the words it was said in: in the day, and as a memory at once."""
        from lithify.compact.memories import marked_entry

        if not statement.strip():
            raise UsageError(reason="there is nothing to remember; say it in words")
        text = marked_entry(statement, type, topic=topic, why=why, how=how)
        logged = self.log(text, at=at, origin=origin)
        try:
            with self.alone():
                return Kept(logged, self._take_up(logged, statement))
        except LithifyError:
            # The entry is in its day, and the next compaction reads it.
            return Kept(logged)

    def _take_up(self, logged: Logged, statement: str) -> str:
        """Make memories of the marks in a day's week; returns the file that an entry led to.

        Words that were dropped before count again, because somebody says so.
        """
        from lithify.calendar import parse_day, week_of
        from lithify.compact.memories import take_up_marks, weeks_to_read, words_key
        from lithify.compact.plan import plan
        from lithify.trust import is_trusted

        workspace = self._workspace()
        words = words_key(statement)
        if words in workspace.snapshot.ledger.dropped and is_trusted(logged.origin):
            workspace.note("restore", {"words": [words]})
        snapshot, day = workspace.snapshot, parse_day(logged.entries[0].partition("~")[0])
        assert day is not None
        tasks = plan(snapshot.shelf, snapshot.ledger, snapshot.settings, workspace.ask)
        for task in weeks_to_read(snapshot, tasks):
            if task.period == week_of(day):
                take_up_marks(workspace, task, lambda: stamp(self._clock()))
        return self._file_of(logged.entries)

    def _file_of(self, entries: Iterable[str]) -> str:
        """The file of the memory that rests on one of these entries; empty where there is none."""
        ours = set(entries)
        known = self.snapshot().memories().items()
        return next((path for path, memory in known if ours & {*memory.sources}), "")

    def _workspace(self) -> Workspace:
        from lithify.compact.workspace import Workspace

        return Workspace(self.snapshot(), self._clock, self.ask())
