"""What was made of the files of a root, kept until a file changes: `.lithify/entries.sqlite`.

Everything here can be made again from the files. So whatever goes wrong with the cache (it is
missing, cut short, of another program, in use) counts as nothing kept, and is no error. A row holds
what was made of the newest version of one file, and a digest by which a damaged row is told. What is
made of other bytes, or by another version of what reads them, replaces it. The few rows without a
path were made of texts of several files; they hold no word of them, and the oldest go.

`forget` and `scan --fix` remove the file. A writer holds the lock of the root, as they do, and keeps
nothing of a file whose bytes have changed since, so that no forgotten word comes back. A reader takes
no lock and writes nothing.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Collection, Sequence
from hashlib import blake2b
from typing import NamedTuple
from urllib.parse import quote

from lithify.errors import LithifyError
from lithify.store import disk, places
from lithify.store.lock import locked
from lithify.store.places import Root
from lithify.store.recover import pending_rewrite

NAME = "entries.sqlite"
#: Raise this with every change to the table.
VERSION = 2
#: A reader waits for so many seconds while a writer commits.
_PATIENCE = 2.0
#: So many of the newest rows without a path are kept.
_MOST_WITHOUT_PATH = 8
#: What was put is written after so many characters at the latest.
_MOST_WAITING = 16 << 20
_TABLE = """
CREATE TABLE made (path, kind TEXT, source TEXT, value TEXT, digest BLOB, PRIMARY KEY (path, kind))
"""


class _Row(NamedTuple):
    """Something made of a file, by its kind. `source` says of which bytes, and by what."""

    path: str
    kind: str
    source: str
    value: str
    sha256: str


class Derived:
    """What was made of the files of one root. With `save`, `flush` keeps what was `put`."""

    def __init__(self, root: Root, *, save: bool) -> None:
        self._root = root
        self._save = save
        self._db: sqlite3.Connection | None = None
        self._looked = False
        self._new: dict[tuple[str, str], _Row] = {}
        self._size, self._tidy = 0, False

    def get(self, path: str, kind: str, source: str) -> str | None:
        """Return what was made of a file, if it was made of this source."""
        waiting = self._new.get((path, kind))
        if waiting is not None and waiting.source == source:
            return waiting.value
        db = self._reader()
        if db is None:
            return None
        try:
            question = "SELECT source, value, digest FROM made WHERE path = ? AND kind = ?"
            rows = db.execute(question, (_key(path), kind)).fetchall()
        except (sqlite3.Error, OverflowError):
            self._close()
            return None
        for known, value, digest in rows:
            sound = known == source and isinstance(value, str)
            if sound and digest == _digest(path, kind, source, value):
                return str(value)
        return None

    def put(self, path: str, kind: str, source: str, value: str, sha256: str) -> None:
        """Have something kept that was made of a file whose bytes have the digest `sha256`."""
        if not self._save:
            return
        self._new[path, kind] = _Row(path, kind, source, value, sha256)
        self._size += len(value)
        if self._size > _MOST_WAITING:
            self.flush()

    def __del__(self) -> None:
        self._close()

    @property
    def is_full(self) -> bool:
        """Whether something was put that is not kept yet."""
        return bool(self._new)

    def flush(self, paths: Collection[str] | None = None) -> None:
        """Keep what was put, and drop what was made of other files than `paths`, if they are given.

        That is looked at once: with many files it takes longer than all else.
        """
        if not self._new:
            return
        paths, self._tidy = None if self._tidy else paths, self._tidy or paths is not None
        new, self._new, self._size = list(self._new.values()), {}, 0
        with (
            contextlib.suppress(LithifyError, OSError, sqlite3.Error),
            locked(places.lock(self._root), wait=False),
        ):
            # Until a `forget` that was cut short is finished, the files hold its words.
            if not pending_rewrite(self._root):
                self._write(new, paths)

    def _write(self, new: list[_Row], paths: Collection[str] | None) -> None:
        changed = {row.path for row in new} - {""}
        digests = {path: disk.digest_in(self._root, path) for path in changed}
        rows = [
            (_key(row.path), row.kind, row.source, row.value, _digest(*row[:4]))
            for row in new
            if not row.path or digests[row.path] == row.sha256
        ]
        there = None if paths is None else set(map(_key, paths))
        now = [(_key(path), digest) for path, digest in digests.items() if digest]
        place = places.state(self._root, NAME)
        try:
            _replace_rows(place, rows, now, there)
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL):
                return
            self._close()
            for ending in ("", "-journal", "-wal", "-shm"):
                disk.remove(place + ending)
            _replace_rows(place, rows, now, there)
        # One that was missing or damaged can be read now.
        self._looked = self._db is not None

    def _reader(self) -> sqlite3.Connection | None:
        if not self._looked:
            self._looked = True
            with contextlib.suppress(LithifyError, OSError, ValueError, sqlite3.Error):
                place = places.state(self._root, NAME)
                if os.path.isfile(place):
                    # A journal that a killed writer left makes this fail; the next writer clears it.
                    self._db = _opened(place, "ro")
        return self._db

    def _close(self) -> None:
        """Read no more from a cache that cannot be read."""
        if self._db is not None:
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
        self._db = None


def _replace_rows(
    place: str,
    rows: Sequence[tuple[object, ...]],
    now: Sequence[tuple[bytes, str]],
    there: set[bytes] | None,
) -> None:
    """Put rows in, and take out those of other bytes than files have `now` and of files that are gone."""
    with contextlib.closing(_opened(place, "rwc")) as db:
        # What a file no longer says is not left in free pages.
        db.execute("PRAGMA secure_delete = ON")
        # After a power cut the cache may be damaged, and is made again.
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN IMMEDIATE")
        db.executemany("DELETE FROM made WHERE path = ? AND substr(source, 1, 64) <> ?", now)
        db.executemany("INSERT OR REPLACE INTO made VALUES (?, ?, ?, ?, ?)", rows)
        if there is not None:
            known = {path for (path,) in db.execute("SELECT DISTINCT path FROM made")}
            gone = [(path,) for path in known - there if path]
            db.executemany("DELETE FROM made WHERE path = ?", gone)
        few = "SELECT rowid FROM made WHERE path = x'' ORDER BY rowid DESC LIMIT ?"
        db.execute(
            f"DELETE FROM made WHERE path = x'' AND rowid NOT IN ({few})", (_MOST_WITHOUT_PATH,)
        )
        db.execute("COMMIT")


def _opened(place: str, mode: str) -> sqlite3.Connection:
    """Open the cache; one that is empty gets its table. Raises if it is not ours."""
    # One thread at a time uses the connection, but not always the one that opened it.
    db = sqlite3.connect(
        f"file:{quote(os.fsencode(place))}?mode={mode}",
        uri=True,
        timeout=_PATIENCE,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        if mode != "ro" and not os.path.getsize(place):
            db.execute("PRAGMA synchronous = OFF")
            db.execute("BEGIN IMMEDIATE")
            db.execute(_TABLE)
            db.execute(f"PRAGMA user_version = {VERSION}")
            db.execute("COMMIT")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version != VERSION:
            raise sqlite3.DatabaseError("it is of another version")
        db.execute("SELECT path, kind, source, value, digest FROM made LIMIT 0")
    except BaseException:
        db.close()
        raise
    return db


def _key(path: str) -> bytes:
    return os.fsencode(path)


def _digest(path: str, kind: str, source: str, value: str) -> bytes:
    parts = "\0".join((path, kind, source, value))
    return blake2b(parts.encode("utf-8", "surrogateescape"), digest_size=16).digest()
