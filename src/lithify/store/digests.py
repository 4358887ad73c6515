"""The digest cache: which bytes a file held when it was last read, and facts about them.

Derived: delete it and the next scan reads everything once. An entry counts only while
size, times and inode are unchanged, and only if the file had been left alone for two
seconds when it was read: a clock may be too coarse to tell two writes apart.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from lithify import platform
from lithify.errors import LithifyError, StorageError
from lithify.store import disk, places
from lithify.store.lock import locked
from lithify.store.places import Root
from lithify.store.staging import put

VERSION = 1
_RACY = 2_000_000_000
_UNASKED = "?"
#: Control characters but tab, line and page ends, and the escape of a terminal.
_STRANGE = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"
#: The bytes by which a file is known for text, and the share of them that may be such signs.
_LOOKED_AT, _ODD = 1 << 14, 0.05


class Entry(NamedTuple):
    """What is known of one file's bytes. `type` is "?" until somebody asks for it."""

    size: int
    mtime: int
    ctime: int
    inode: int
    sha256: str
    racy: bool
    type: str | None
    facts: Mapping[str, Any] | None

    def is_of(self, status: os.stat_result) -> bool:
        return self[:4] == _key(status) and not self.racy


class Digests:
    """The entries of one root during one scan."""

    def __init__(self, entries: dict[str, Entry], stamp: str, verify: bool) -> None:
        self._old = entries
        self._new: dict[str, Entry] = {}
        self._stamp = stamp
        self._verify = verify
        self.read = 0
        self.lies: list[str] = []

    @classmethod
    def load(cls, root: Root, *, stamp: str = "", verify: bool = False) -> Digests:
        """The cache of a root; one that is missing, broken or of another version is empty."""
        try:
            saved = json.loads(disk.read(places.state(root, "digests.json")))
            if saved["version"] != VERSION:
                return cls({}, stamp, verify)
            entries = {path: Entry(*fields) for path, fields in saved["files"].items()}
            if saved["stamp"] != stamp:
                entries = {p: e._replace(type=_UNASKED, facts=None) for p, e in entries.items()}
            return cls(entries, stamp, verify)
        except (StorageError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return cls({}, stamp, verify)

    def of(
        self,
        path: str,
        real: str,
        status: os.stat_result,
        type_of: Callable[[bytes], str | None] | None,
        measure: Callable[[bytes], Mapping[str, Any]] | None,
    ) -> Entry:
        """What is known of a file, after reading it if it changed or something is not known."""
        old = self._old.get(path)
        fresh = old is not None and old.is_of(status)
        if old is not None and fresh and not self._verify and _answers(old, type_of, measure):
            self._new[path] = old
            return old
        self.read += 1
        whole = type_of is not None or measure is not None
        entry, data = _read(real, whole=whole)
        if old is not None and old.sha256 == entry.sha256:
            entry = entry._replace(type=old.type, facts=old.facts)
        elif old is not None and fresh:
            self.lies.append(path)
        if type_of is not None and entry.type == _UNASKED:
            entry = entry._replace(type=type_of(data))
        if measure is not None and entry.facts is None:
            entry = entry._replace(facts=dict(measure(data)))
        self._new[path] = entry
        return entry

    def save(self, root: Root) -> None:
        """Writes the cache if it changed; where that cannot be, the next scan reads again."""
        if self._new == self._old:
            return
        fields = {path: list(e) for path, e in sorted(self._new.items())}
        saved = {"version": VERSION, "stamp": self._stamp, "files": fields}
        data = json.dumps(saved, separators=(",", ":")).encode()
        lock = places.lock(root)
        with contextlib.suppress(LithifyError), locked(lock, wait=False):
            put(root, places.state(root, "digests.json"), data)


def _answers(
    entry: Entry,
    type_of: Callable[[bytes], str | None] | None,
    measure: Callable[[bytes], Mapping[str, Any]] | None,
) -> bool:
    return not (type_of and entry.type == _UNASKED) and not (measure and entry.facts is None)


def _read(path: str, *, whole: bool) -> tuple[Entry, bytes]:
    """A file's digest, and its bytes if they are wanted; large files go through in pieces."""
    # No link may take the place of the file since it was looked at, and no pipe may hold us up.
    flags = os.O_RDONLY | platform.NOFOLLOW | platform.NONBLOCK | platform.BINARY
    with open(os.open(path, flags), "rb", buffering=0) as file:
        began = time.time_ns()
        before = os.fstat(file.fileno())
        if not stat.S_ISREG(before.st_mode):
            raise OSError(0, "it is not a regular file")
        digest = sha256()
        pieces: list[bytes] = []
        size = 0
        while piece := file.read(1 << 20):
            if not size and not is_text(piece):
                raise OSError(0, "it is not text in UTF-8")
            digest.update(piece)
            size += len(piece)
            if whole:
                pieces.append(piece)
        after = os.fstat(file.fileno())
    racy = before.st_mtime_ns > began - _RACY or _key(before) != _key(after)
    _, mtime, ctime, inode = _key(after)
    entry = Entry(size, mtime, ctime, inode, digest.hexdigest(), racy, _UNASKED, None)
    return entry, b"".join(pieces)


def is_text(data: bytes) -> bool:
    """Whether bytes are words: hardly any of them are signs that no writer sets.

    A day with a stray NUL or some words in another encoding is one still.
    """
    looked_at = data[:_LOOKED_AT]
    return len(looked_at) - len(looked_at.translate(None, _STRANGE)) <= len(looked_at) * _ODD


def _key(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def end_of_version(data: bytes, digest: str) -> int:
    """Where the version with this digest ended, if the file was only appended to since; else 0."""
    so_far, end = sha256(), 0
    for line in data.split(b"\n") if digest else ():
        # The last line of that version may have been without its newline.
        for part in (line, b"\n"):
            so_far.update(part)
            end += len(part)
            if so_far.hexdigest() == digest:
                return end
    return 0
