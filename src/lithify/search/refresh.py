"""Bringing the index of a root up to date with its files.

Only files whose size, times or inode have changed are read, and only those whose digest has changed
are indexed again. Readers take no lock. A writer holds `index.lock`, which nothing else uses, so
that recall never waits for a compaction. It commits in steps: what a run that ended too early had
indexed is kept, also of an index that is not whole yet. Where the root cannot be written, the index
is built in memory and gives the same results.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from lithify.errors import LithifyError
from lithify.search.index import (
    FRESH,
    NAME,
    Index,
    Seen,
    each,
    fresh,
    opened,
    put_in_place,
    remove_journals,
    stored,
)
from lithify.store import places
from lithify.store.lock import locked
from lithify.store.places import Root

if TYPE_CHECKING:
    from lithify.search.add_files import RootReader

Progress = Callable[[int, int], None]
#: A change of more entries would hold most pages of the index in memory: it is built anew instead.
_MOST_CHANGED = 200_000
#: Seconds of work that a run which ends too early may lose, and how much of the time commits may take.
_STEP, _SHARE = 5.0, 0.1


class Indexed(NamedTuple):
    """The size of an index, and what it took to bring it up to date."""

    files: int
    entries: int
    changed: int
    rebuilt: bool = False
    in_memory: bool = False
    vectors: int = 0


class WantedFiles(NamedTuple):
    """The files that an index should hold, how to read them, and the settings it is built under.

    The look of a file is stored only if the file was last written before `settled`: two writes
    within the resolution of the clock look the same.
    """

    files: Mapping[str, Seen]
    settled: int
    reader: Callable[[], RootReader]
    stamp: str
    progress: Progress | None = None

    def look(self, path: str) -> Seen:
        """Return the look to store for a file."""
        seen = self.files[path]
        return seen if seen[1] <= self.settled else FRESH


def up_to_date(
    root: Root, wanted: WantedFiles, *, rebuild: bool = False, kept: Index | None = None
) -> tuple[Index, Indexed]:
    """Open the index of a root, updated to its present files; the caller closes it.

    `kept` is the index that an earlier call returned, if it is still open.
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


def _still_serves(kept: Index, path: str, wanted: WantedFiles) -> bool:
    """Whether an index left open is still the file at its path, built under these settings."""
    try:
        kept.renew()
        return kept.inode == os.stat(path).st_ino and kept.stamp() == wanted.stamp
    except (OSError, sqlite3.DatabaseError):
        return False


def _current(path: str, wanted: WantedFiles, kept: Index | None) -> Index | None:
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


def _open(path: str, wanted: WantedFiles) -> Index | None:
    db = opened(path, wanted.stamp)
    if db is None:
        return None
    index = Index(db)
    with suppress(OSError):
        index.inode = os.stat(path).st_ino
    return index


def _same_and_fresh(index: Index, there: Mapping[str, Seen], wanted: WantedFiles) -> bool:
    """Return whether every file that looks different is merely recent and has the digest it had."""
    if there.keys() != wanted.files.keys():
        return False
    other = [path for path, seen in wanted.files.items() if there[path] != seen]
    if any(wanted.look(path) != FRESH for path in other):
        return False
    reader = wanted.reader()
    return all(index.held(path)[0] == reader.digest(path) for path in other)


def _renewed(path: str, wanted: WantedFiles, rebuild: bool) -> tuple[Index, Indexed]:
    index = None if rebuild else _open(path, wanted)
    if index is not None:
        try:
            if _entries_changed(index, wanted) <= _MOST_CHANGED:
                # Spilling pages to the file before the commit would lock readers out.
                index.db.execute("PRAGMA cache_spill = OFF")
                # What a file no longer says is not left in free pages of the index.
                index.db.execute("PRAGMA secure_delete = ON")
                return index, _done(index, _apply(index, wanted))
        except sqlite3.DatabaseError:
            pass  # Where it is broken or cannot be written, a new one is built from the files.
        except BaseException:
            _close(index)
            raise
        _close(index)
    draft = f"{path}.new"
    new = _begun(draft, wanted)
    try:
        _apply(new, wanted)
        _take_vectors(new, path)
    except sqlite3.DatabaseError:
        new.close()
        os.remove(draft)
        raise
    finally:
        new.close()
    put_in_place(draft, path)
    index = _open(path, wanted)
    if index is None:
        raise sqlite3.DatabaseError("a new index cannot be read")
    return index, _done(index, index.count("files"))._replace(rebuilt=True)


def _begun(draft: str, wanted: WantedFiles) -> Index:
    """Open what an earlier run has built of an index, or begin one."""
    index = _open(draft, wanted)
    if index is None:
        remove_journals(draft)
        with suppress(FileNotFoundError):
            os.remove(draft)
        return Index(fresh(draft, wanted.stamp))
    index.db.execute("PRAGMA secure_delete = ON")
    return index


def _entries_changed(index: Index, wanted: WantedFiles) -> int:
    """How many entries the index has of files that are gone or look different."""
    there = index.files()
    changed = [stored(path) for path in there if wanted.files.get(path) != there[path]]
    question = "SELECT count(*) FROM place JOIN file ON file.id = place.file WHERE path IN"
    return sum(count for (count,) in each(index.db, question, changed))


def _take_vectors(new: Index, path: str) -> None:
    """Take over the vectors that the index at a path has of the same texts."""
    if not os.path.isfile(path):
        return
    with suppress(sqlite3.DatabaseError):
        new.db.execute("ATTACH ? AS old", (path,))
        new.db.execute(
            "INSERT INTO vector SELECT text, before, value FROM old.vector"
            " WHERE text IN (SELECT id FROM text)"
        )
        new.db.execute("INSERT INTO meta SELECT * FROM old.meta WHERE key = 'encoder'")


def _in_memory(path: str, wanted: WantedFiles) -> tuple[Index, Indexed]:
    index = Index(fresh(":memory:", wanted.stamp))
    old = opened(path, wanted.stamp)
    if old is not None:
        try:
            old.backup(index.db)
        except sqlite3.DatabaseError:
            index = Index(fresh(":memory:", wanted.stamp))
        finally:
            old.close()
    return index, _done(index, _apply(index, wanted))._replace(in_memory=True)


def _apply(index: Index, wanted: WantedFiles) -> int:
    """Remove files that are gone and index those that changed, in steps.

    Returns the number of searched files that changed.
    """
    from lithify.search.add_files import IndexWriter

    index.db.execute("BEGIN IMMEDIATE")
    there = index.files()
    gone = sorted(there.keys() - wanted.files.keys())
    other = [path for path, seen in wanted.files.items() if there.get(path) != seen]
    writer, reader = IndexWriter(index.db), wanted.reader()
    changed = 0
    for path in gone:
        changed += bool(index.held(path)[1])
        writer.remove(path)
    step = time.monotonic() + _STEP
    for number, path in enumerate(other):
        if time.monotonic() > step:
            begun = time.monotonic()
            writer.finish()
            index.db.execute("COMMIT")
            reader.keep()
            now = time.monotonic()
            step = now + max(_STEP, (now - begun) / _SHARE)
            index.db.execute("BEGIN IMMEDIATE")
        if wanted.progress:
            wanted.progress(number, len(other))
        digest, tier = index.held(path)
        if digest is not None and digest == reader.digest(path):
            writer.touch(path, wanted.look(path))
            continue
        source = reader.source(path)
        writer.remove(path)
        writer.add(source._replace(seen=wanted.look(path) if source.read else FRESH))
        changed += bool(source.tier or tier)
    writer.finish()
    index.db.execute("COMMIT")
    reader.keep()
    index.forget()
    return changed


def _done(index: Index, changed: int) -> Indexed:
    return Indexed(index.count("files"), index.count("places"), changed)


def _close(index: Index) -> None:
    with suppress(sqlite3.DatabaseError):
        index.close()
