"""A root as it is searched: its index brought up to date first, and mended if it breaks."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from datetime import date
from typing import TYPE_CHECKING, Any

from lithify.errors import LithifyError
from lithify.index.read import Index
from lithify.index.refresh import Indexed, Progress, Wanted, up_to_date
from lithify.passage import Recall
from lithify.settings import Settings
from lithify.store import places
from lithify.store.lock import locked
from lithify.store.places import Root
from lithify.store.tree import Refused, layout_of, walk

if TYPE_CHECKING:
    from lithify.index.source import Reader

#: A file written so shortly before it was looked at may be written again at the same time.
_SETTLED = 2_000_000_000


class Library:
    """Searches a root; what has changed since the last time is read before.

    Its index stays open from one search to the next.
    """

    def __init__(self, root: Root, settings: Settings) -> None:
        self.root, self.settings = root, settings
        # Taken out by whoever searches: threads that search at once each have their own.
        self._kept: list[Index] = []

    def __del__(self) -> None:
        for index in self._kept:
            index.close()

    def index(
        self, *, rebuild: bool = False, progress: Progress | None = None
    ) -> tuple[Index, Indexed]:
        """The index as the files are now; the caller gives it back or closes it."""
        settled = time.time_ns() - _SETTLED
        layout = layout_of(self.root, self.settings.days.patterns)
        refused: list[Refused] = []
        found = {one.path: one for one in walk(self.root, layout, refused)}
        files = {
            path: (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
            for path, _, status in found.values()
        }
        # What an index depends on besides the files.
        stamp = repr((self.settings.redact, self.settings.trust, tuple(layout)))

        def reader() -> Reader:
            # A root of which nothing has changed is searched without loading what reads it.
            from lithify.recall.sources import RootReader

            return RootReader(self.root, self.settings, layout, found)

        wanted = Wanted(files, settled, reader, stamp, progress)
        kept = self._kept.pop() if self._kept else None
        return up_to_date(self.root, wanted, rebuild=rebuild, kept=kept)

    def give_back(self, index: Index) -> None:
        """Leave an index open for the next search, where that is in nobody's way."""
        # A file that is open cannot be replaced or deleted on Windows; one in memory is stale soon.
        if os.name == "posix" and index.inode:
            self._kept.append(index)
        else:
            index.close()

    def recall(
        self,
        query: str,
        today: Callable[[], date],
        *,
        progress: Progress | None = None,
        **options: Any,
    ) -> Recall:
        """Search the root; an index that breaks under the search is built anew, once."""
        from lithify.recall.search import search
        from lithify.recall.when import could_be_time

        # Which day it is matters to a query that names one, and zones take time to load.
        options["today"] = today() if could_be_time(query) else date.max
        index, _ = self.index(progress=progress)
        try:
            self._embed(index, options.get("vectors"))
            with index.still():
                found = search(index, query, **options)
        except sqlite3.DatabaseError as error:
            index.close()
            if isinstance(error, sqlite3.ProgrammingError):
                raise  # our own fault, and no damage that a new index would mend
            index, _ = self.index(rebuild=True, progress=progress)
            found = search(index, query, **options)
        except BaseException:
            index.close()
            raise
        self.give_back(index)
        return found

    def embed(self) -> int:
        """Give every text of the index its vector; how many there are."""
        from lithify.index.vectors import fill

        index, _ = self.index()
        try:
            with locked(places.state(self.root, "index.lock")):
                fill(index)
            return int(index.db.execute("SELECT count(*) FROM vector").fetchone()[0])
        finally:
            index.close()

    def _embed(self, index: Index, vectors: bool | None) -> None:
        """Embed what is new where texts have vectors; all of it if vectors are demanded."""
        if vectors is False or (vectors is None and not index.has_vectors):
            return
        from lithify.index.vectors import ON_THE_WAY, fill, installed

        if vectors or installed():
            # Without the lock, or where nothing can be written, what is new has none this time.
            with suppress(LithifyError, sqlite3.OperationalError) if not vectors else nullcontext():
                fill(index, None if vectors else ON_THE_WAY)
