"""Bringing the index of a root up to date with its files.

Readers take no lock. Whoever has to write holds `index.lock`, which nothing else uses, so that
recall never waits for a compaction. Where the root cannot be written to, the index is made in
memory and is as good.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from lithify.errors import LithifyError
from lithify.index.read import Index
from lithify.index.record import Source
from lithify.index.tables import NAME, fresh, opened, put_in_place
from lithify.store import places
from lithify.store.lock import locked
from lithify.store.places import Root

Read = Callable[[str], Source]
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
    """The files an index should hold, by path and digest; how one is read; under which settings."""

    files: Mapping[str, str]
    read: Read
    stamp: str
    progress: Progress | None = None


def up_to_date(root: Root, wanted: Wanted, *, rebuild: bool = False) -> tuple[Index, Indexed]:
    """The index of a root as its files are now; the caller closes it."""
    path = places.state(root, NAME)
    if not rebuild:
        index = _current(path, wanted)
        if index is not None:
            return index, Indexed(len(wanted.files), _entries(index), 0)
    try:
        with locked(places.state(root, "index.lock")):
            return _renewed(path, wanted, rebuild)
    except (LithifyError, OSError, sqlite3.DatabaseError):
        return _in_memory(path, wanted)


def _current(path: str, wanted: Wanted) -> Index | None:
    db = opened(path, wanted.stamp)
    if db is None:
        return None
    index = Index(db)
    try:
        if index.files() == wanted.files:
            return index
    except sqlite3.DatabaseError:
        pass
    _close(index)
    return None


def _renewed(path: str, wanted: Wanted, rebuild: bool) -> tuple[Index, Indexed]:
    db = None if rebuild else opened(path, wanted.stamp)
    if db is not None:
        index = Index(db)
        try:
            db.execute("BEGIN IMMEDIATE")
            changed = _apply(index, wanted)
            db.execute("COMMIT")
            return index, Indexed(len(wanted.files), _entries(index), changed)
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
    done = opened(path, wanted.stamp)
    if done is None:
        raise sqlite3.DatabaseError("a new index cannot be read")
    index = Index(done)
    return index, Indexed(len(wanted.files), _entries(index), len(wanted.files), rebuilt=True)


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
    return index, Indexed(len(wanted.files), _entries(index), changed, in_memory=True)


def _apply(index: Index, wanted: Wanted) -> int:
    """Take out what is gone or other, put in what is new; how many files that were."""
    from lithify.index.write import Writer

    there = index.files()
    gone = [path for path, digest in there.items() if wanted.files.get(path) != digest]
    new = [path for path, digest in wanted.files.items() if there.get(path) != digest]
    writer = Writer(index.db)
    for path in sorted(gone):
        writer.remove(path)
    for number, source in enumerate(_sources(wanted, new)):
        if wanted.progress:
            wanted.progress(number, len(new))
        writer.add(source)
    writer.finish()
    return len({*gone, *new})


def _sources(wanted: Wanted, paths: Iterable[str]) -> Iterable[Source]:
    for path in paths:
        yield wanted.read(path)._replace(sha256=wanted.files[path])


def _entries(index: Index) -> int:
    return int(index.db.execute("SELECT count(*) FROM place").fetchone()[0])


def _close(index: Index) -> None:
    with suppress(sqlite3.DatabaseError):
        index.close()
