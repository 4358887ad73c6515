"""Bringing the index of a root up to date with its files.

Files are told apart by how they look (size, times, inode); only those that look other are read,
and only those whose bytes are other are indexed again. Readers take no lock. Whoever has to write
holds `index.lock`, which nothing else uses, so that recall never waits for a compaction. Where the
root cannot be written to, the index is made in memory and is as good.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from lithify.errors import LithifyError
from lithify.index.read import Index
from lithify.index.record import FRESH, Seen
from lithify.index.tables import NAME, fresh, opened, put_in_place
from lithify.store import places
from lithify.store.lock import locked
from lithify.store.places import Root

if TYPE_CHECKING:
    from lithify.index.source import Reader

Progress = Callable[[int, int], None]


class Indexed(NamedTuple):
    """What it took to bring an index up to date."""

    files: int
    entries: int
    changed: int
    rebuilt: bool = False
    in_memory: bool = False
    vectors: int = 0


class Wanted(NamedTuple):
    """The files an index should know and how they look; how they are read; under which settings.

    A look is trusted the next time only if the file was last written before `settled`: a clock
    may be too coarse to tell two writes apart.
    """

    files: Mapping[str, Seen]
    settled: int
    reader: Callable[[], Reader]
    stamp: str
    progress: Progress | None = None

    def look(self, path: str) -> Seen:
        """How a file is to be remembered."""
        seen = self.files[path]
        return seen if seen[1] <= self.settled else FRESH


def up_to_date(
    root: Root, wanted: Wanted, *, rebuild: bool = False, kept: Index | None = None
) -> tuple[Index, Indexed]:
    """The index of a root as its files are now; the caller closes it.

    `kept` is the one that the last call gave, if it is still open.
    """
    path, lock = places.state(root, NAME), places.state(root, "index.lock")
    if kept is not None and (rebuild or not _still_serves(kept, path, wanted)):
        _close(kept)
        kept = None
    if not rebuild:
        index = _current(path, wanted, kept)
        if index is not None:
            return index, _done(index, 0)
    try:
        with locked(lock):
            return _renewed(path, wanted, rebuild)
    except (LithifyError, OSError, sqlite3.DatabaseError):
        return _in_memory(path, wanted)


def _still_serves(kept: Index, path: str, wanted: Wanted) -> bool:
    """Whether an index that was left open is the one at its path, made under these settings."""
    try:
        kept.renew()
        return kept.inode == os.stat(path).st_ino and kept.stamp() == wanted.stamp
    except (OSError, sqlite3.DatabaseError):
        return False


def _current(path: str, wanted: Wanted, kept: Index | None) -> Index | None:
    index = kept or _open(path, wanted)
    if index is None:
        return None
    try:
        there = index.files()
        if there == wanted.files or _same_and_fresh(index, there, wanted):
            return index
    except sqlite3.DatabaseError:
        pass
    _close(index)
    return None


def _open(path: str, wanted: Wanted) -> Index | None:
    db = opened(path, wanted.stamp)
    if db is None:
        return None
    index = Index(db)
    with suppress(OSError):
        index.inode = os.stat(path).st_ino
    return index


def _same_and_fresh(index: Index, there: Mapping[str, Seen], wanted: Wanted) -> bool:
    """Whether all that looks other is too fresh to be told apart, and holds what it held."""
    if there.keys() != wanted.files.keys():
        return False
    other = [path for path, seen in wanted.files.items() if there[path] != seen]
    if any(wanted.look(path) != FRESH for path in other):
        return False
    reader = wanted.reader()
    return all(index.held(path)[0] == reader.digest(path) for path in other)


def _renewed(path: str, wanted: Wanted, rebuild: bool) -> tuple[Index, Indexed]:
    index = None if rebuild else _open(path, wanted)
    if index is not None:
        try:
            # Until the commit a writer's pages stay in its memory, and readers go on undisturbed.
            index.db.execute("PRAGMA cache_spill = OFF")
            index.db.execute("BEGIN IMMEDIATE")
            changed = _apply(index, wanted)
            index.db.execute("COMMIT")
            index.forget()
            return index, _done(index, changed)
        except sqlite3.DatabaseError:
            # It is broken, or cannot be written: what the files say is still there to be read.
            _close(index)
    draft = f"{path}.new"
    with suppress(FileNotFoundError):
        os.remove(draft)
    new = Index(fresh(draft, wanted.stamp))
    try:
        new.db.execute("BEGIN")
        _apply(new, wanted)
        new.db.execute("COMMIT")
    finally:
        new.close()
    put_in_place(draft, path)
    index = _open(path, wanted)
    if index is None:
        raise sqlite3.DatabaseError("a new index cannot be read")
    return index, _done(index, index.count("files"))._replace(rebuilt=True)


def _in_memory(path: str, wanted: Wanted) -> tuple[Index, Indexed]:
    index = Index(fresh(":memory:", wanted.stamp))
    old = opened(path, wanted.stamp)
    if old is not None:
        try:
            old.backup(index.db)
        except sqlite3.DatabaseError:
            index = Index(fresh(":memory:", wanted.stamp))
        finally:
            old.close()
    index.db.execute("BEGIN")
    changed = _apply(index, wanted)
    index.db.execute("COMMIT")
    index.forget()
    return index, _done(index, changed)._replace(in_memory=True)


def _apply(index: Index, wanted: Wanted) -> int:
    """Take out what is gone or other, put in what is new; how many files of memory that were."""
    from lithify.index.write import Writer

    there = index.files()
    gone = sorted(there.keys() - wanted.files.keys())
    other = [path for path, seen in wanted.files.items() if there.get(path) != seen]
    writer, reader = Writer(index.db), wanted.reader()
    changed = 0
    for path in gone:
        changed += bool(index.held(path)[1])
        writer.remove(path)
    for number, path in enumerate(other):
        if wanted.progress:
            wanted.progress(number, len(other))
        digest, tier = index.held(path)
        if digest is not None and digest == reader.digest(path):
            writer.touch(path, wanted.look(path))
            continue
        source = reader.source(path)
        writer.remove(path)
        writer.add(source._replace(seen=wanted.look(path)))
        changed += bool(source.tier or tier)
    writer.finish()
    return changed


def _done(index: Index, changed: int) -> Indexed:
    return Indexed(index.count("files"), index.count("places"), changed)


def _close(index: Index) -> None:
    with suppress(sqlite3.DatabaseError):
        index.close()
