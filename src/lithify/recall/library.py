"""A root as it is searched: its index brought up to date first, and mended if it breaks."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import nullcontext, suppress
from datetime import date
from typing import TYPE_CHECKING, Any

from lithify.errors import LithifyError
from lithify.index.read import Index
from lithify.index.record import Source
from lithify.index.refresh import Indexed, Progress, Wanted, up_to_date
from lithify.settings import Settings
from lithify.store import places
from lithify.store.lock import locked
from lithify.store.places import Root
from lithify.store.tree import scan
from lithify.values import Recall

if TYPE_CHECKING:
    from lithify.compact.snapshot import Snapshot


_ROLES = ("day", "week", "month", "typed", "wisdom", "index")


class Library:
    """Searches a root; what has changed since the last time is read before."""

    def __init__(
        self,
        root: Root,
        settings: Settings,
        snapshot: Callable[[], Snapshot],
        progress: Progress | None = None,
    ) -> None:
        self.root, self.settings = root, settings
        self._snapshot = snapshot
        self._progress = progress

    def index(self, *, rebuild: bool = False) -> tuple[Index, Indexed]:
        """The index as the files are now; the caller closes it."""
        tree = scan(self.root, type_of=_type_of)
        files = {file.path: file.sha256 for file in tree.files if file.role in _ROLES}
        wanted = Wanted(files, self._reader(), _stamp(self.settings), self._progress)
        return up_to_date(self.root, wanted, rebuild=rebuild)

    def recall(self, query: str, today: Callable[[], date], **options: Any) -> Recall:
        """Search the root; an index that breaks under the search is built anew, once."""
        from lithify.recall.search import search
        from lithify.recall.when import could_be_time

        # Which day it is matters to a query that names one, and zones take time to load.
        options["today"] = today() if could_be_time(query) else date.max
        index, _ = self.index()
        self._embed(index, options.get("vectors"))
        try:
            return search(index, query, **options)
        except sqlite3.DatabaseError:
            index.close()
            index, _ = self.index(rebuild=True)
            return search(index, query, **options)
        finally:
            index.close()

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

    def _reader(self) -> Callable[[str], Source]:
        # A root of which nothing has changed is searched without reading its journal.
        kept: list[Snapshot] = []

        def read(path: str) -> Source:
            if not kept:
                kept.append(self._snapshot())
            if kept[0].file(path) is None:
                return Source(path, "", "day", path, ())
            from lithify.recall.sources import source_of

            return source_of(kept[0], path)

        return read


def _stamp(settings: Settings) -> str:
    """The settings that an index depends on."""
    return repr((settings.redact, settings.trust))


def _type_of(data: bytes) -> str | None:
    from lithify.markdown.pages import memory_type_of

    return memory_type_of(data)
