"""A root as it is searched: its index brought up to date first, and mended if it breaks."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Any

from lithify.index.read import Index
from lithify.index.record import Source
from lithify.index.refresh import Indexed, Progress, Wanted, up_to_date
from lithify.recall.sources import indexed, source_of, stamp
from lithify.settings import Settings
from lithify.store.places import Root
from lithify.store.tree import scan
from lithify.values import Recall

if TYPE_CHECKING:
    from lithify.compact.snapshot import Snapshot


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
        wanted = Wanted(indexed(tree), self._reader(), stamp(self.settings), self._progress)
        return up_to_date(self.root, wanted, rebuild=rebuild)

    def recall(self, query: str, today: date, **options: Any) -> Recall:
        """Search the root; an index that breaks under the search is built anew, once."""
        from lithify.recall.search import search

        index, _ = self.index()
        try:
            return search(index, query, today=today, **options)
        except sqlite3.DatabaseError:
            index.close()
            index, _ = self.index(rebuild=True)
            return search(index, query, today=today, **options)
        finally:
            index.close()

    def _reader(self) -> Callable[[str], Source]:
        # A root of which nothing has changed is searched without reading its journal.
        kept: list[Snapshot] = []

        def read(path: str) -> Source:
            if not kept:
                kept.append(self._snapshot())
            if kept[0].file(path) is None:
                return Source(path, "", "day", path, ())
            return source_of(kept[0], path)

        return read


def _type_of(data: bytes) -> str | None:
    from lithify.markdown.pages import memory_type_of

    return memory_type_of(data)
