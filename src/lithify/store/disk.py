"""The calls that change the disk, and nothing else.

Every one of them goes through the name `os` of this module, so that a test can stand in
for the kernel and kill or fail the program at any single call.

Bytes come into a root aside, are synced, then renamed into place. In `.lithify/staged/` stand:
    <sha256>         bytes of a commit or an append
    <sha256>.gone    a deletion (the digest is the path's)
    <sha256>.plan    the files that a `rewrite` replaces
    <sha256>.tmp     a file of ours being made; worth nothing until renamed
Whoever stages bytes holds the lock of the root.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import TypeVar

from lithify import platform
from lithify.errors import StorageError
from lithify.regex import regex
from lithify.store import places
from lithify.store.places import Root

T = TypeVar("T")

_NOT_REGULAR = "it is not a regular file"
#: What the system says where nothing is at a path.
_ABSENT = (errno.ENOENT, errno.ENOTDIR)


def read(path: str) -> bytes:
    """Read the bytes of a file."""
    return read_range(path, 0, sys.maxsize)


def read_range(path: str, start: int, length: int) -> bytes:
    """Read up to `length` bytes of a file from `start` on."""
    with _doing("read", path):
        fd = _open(path, os.O_RDONLY)
        try:
            if start:
                os.lseek(fd, start, os.SEEK_SET)
            pieces = []
            while length > 0 and (piece := os.read(fd, min(length, 1 << 20))):
                pieces.append(piece)
                length -= len(piece)
            return b"".join(pieces)
        finally:
            os.close(fd)


def exists(path: str) -> bool:
    """Whether something is at a path; a disk that cannot tell is an error, not a no."""
    return _look(os.lstat, path) is not None


def is_folder(path: str) -> bool:
    """Whether a folder, or a link to one, is at a path; a disk that cannot tell is an error."""
    found = _look(os.stat, path, (*_ABSENT, errno.ELOOP))
    return found is not None and stat.S_ISDIR(found.st_mode)


def size(path: str) -> int:
    """The size of a file; 0 where there is none."""
    found = _look(os.stat, path)
    return found.st_size if found else 0


def names(path: str) -> list[str]:
    """List the names in a folder, in order; none where there is no folder."""
    return sorted(_look(os.listdir, path) or ())


def _look(call: Callable[[str], T], path: str, absent: tuple[int, ...] = _ABSENT) -> T | None:
    """Ask the disk about a path; None where nothing is there."""
    with _doing("read", path):
        try:
            return call(path)
        except OSError as error:
            if error.errno in absent:
                return None
            raise


def write_new(path: str, data: bytes, mode: int = 0o666) -> None:
    """Creates a file that was not there, with these bytes, safe against a power cut."""
    with _doing("create", path):
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | platform.BINARY, mode)
    try:
        try:
            _write_durably(fd, path, data)
        finally:
            os.close(fd)
    except StorageError:
        # On a full disk half a file would be in the way; it is ours, we made it just now.
        with contextlib.suppress(OSError):
            os.unlink(path)
        raise


def append(path: str, data: bytes) -> None:
    """Adds these bytes to the end of a file in one write, safe against a power cut."""
    with _doing("open", path):
        fd = _open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | platform.NOFOLLOW)
    try:
        with _doing("open", path):
            new = os.fstat(fd).st_size == 0
        _write_durably(fd, path, data)
    finally:
        os.close(fd)
    if new:
        sync_dir(os.path.dirname(path))


def sync(path: str) -> None:
    """Makes sure that what stands in a file survives a power cut."""
    with _doing("sync", path):
        fd = _open(path, platform.SYNCABLE)
        try:
            _fsync(fd)
        finally:
            os.close(fd)


def replace(src: str, dst: str) -> None:
    """Puts one file in the place of another at once, keeping the old one's permissions."""
    with _doing("replace", dst):
        with contextlib.suppress(FileNotFoundError):
            mode = stat.S_IMODE(os.stat(dst).st_mode)
            if mode != stat.S_IMODE(os.stat(src).st_mode):
                os.chmod(src, mode)
        _patiently(lambda: os.replace(src, dst))
    sync_dir(os.path.dirname(dst))


def make_dir(path: str, mode: int = 0o777) -> None:
    """Makes a folder and the folders above it, where they are missing."""
    missing = []
    while not os.path.isdir(path) and path != os.path.dirname(path):
        missing.append(path)
        path = os.path.dirname(path)
    for one in reversed(missing):
        _make_one(one, mode)


def _make_one(path: str, mode: int) -> None:
    with _doing("make the folder", path):
        try:
            os.mkdir(path, mode)
        except FileExistsError:
            if not os.path.isdir(path):
                raise FileExistsError(
                    errno.EEXIST, "something that is not a folder is in its place; remove it"
                ) from None
            return
    sync_dir(os.path.dirname(path))


def remove(path: str) -> None:
    """Removes a file; one that is gone already is no error."""
    with _doing("remove", path), contextlib.suppress(FileNotFoundError):
        _patiently(lambda: os.unlink(path))


def sync_dir(path: str) -> None:
    """Makes sure that a folder's own list of names survives a power cut."""
    if sys.platform == "win32":
        return
    with _doing("sync", path):
        fd = os.open(path or ".", os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(fd)
        except OSError as error:
            # Some network file systems refuse it; their renames are durable by themselves.
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):
                raise
        finally:
            os.close(fd)


def require_writable(path: str) -> None:
    """Refuses now what would otherwise fail after the commit point and wait there for good."""
    with _doing("write", path):
        if not os.access(path, os.W_OK):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))


def open_lock(path: str) -> int:
    """A descriptor of a lock file, made if missing, never truncated."""
    with _doing("open", path):
        return _open(path, os.O_RDWR | os.O_CREAT | platform.NOFOLLOW)


def sign_lock(fd: int, text: bytes) -> None:
    """Writes the holder's name into a lock file; a full disk must not cost us the lock."""
    with contextlib.suppress(OSError):
        os.lseek(fd, 0, os.SEEK_SET)
        os.write(fd, text)
        os.ftruncate(fd, len(text))


def _open(path: str, flags: int) -> int:
    """A descriptor of a regular file; anything else is refused and never waited for."""
    try:
        fd = os.open(path, flags | platform.BINARY | platform.NONBLOCK, 0o666)
    except OSError as error:
        if error.errno == errno.ENXIO:  # a pipe nobody reads from, or a socket
            raise OSError(errno.ENXIO, _NOT_REGULAR) from None
        raise
    mode = os.fstat(fd).st_mode
    if stat.S_ISREG(mode):
        return fd
    os.close(fd)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    raise OSError(errno.EINVAL, _NOT_REGULAR)


def _write_durably(fd: int, path: str, data: bytes) -> None:
    """Write all of these bytes, and wait until they survive a power cut."""
    with _doing("write", path):
        view = memoryview(data)
        while view:
            written = os.write(fd, view)
            if written == 0:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            view = view[written:]
    with _doing("sync", path):
        _fsync(fd)


def _patiently(change: Callable[[], None]) -> None:
    for pause in platform.PAUSES:
        try:
            return change()
        except PermissionError:
            time.sleep(pause)
    return change()


def _fsync(fd: int) -> None:
    if not platform.flush_drive(fd):
        os.fsync(fd)


@contextlib.contextmanager
def _doing(action: str, path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(
            action=action, path=printable(path), reason=error.strerror or str(error)
        ) from error


def printable(text: str) -> str:
    """The text on one line, safe for any terminal."""
    return "".join(c if c.isprintable() else "?" for c in text)


# The way of bytes into a root


_OURS = regex(r"[0-9a-f]{64}(\.gone|\.plan|\.tmp)?")


def put(root: Root, target: str, data: bytes, *, private: bool = False) -> None:
    """Put a whole file at an absolute place, or none; a private one for its owner only."""
    aside = places.staged(root, sha(data) + ".tmp")
    make_dir(places.staged(root))
    make_dir(os.path.dirname(target), 0o700 if private else 0o777)
    # We hold the lock, so one that is there belongs to a program that was killed.
    remove(aside)
    write_new(aside, data, 0o600 if private else 0o666)
    replace(aside, target)


def stage(root: Root, files: Mapping[str, bytes | None]) -> None:
    """Makes the new bytes of a commit, and its deletions, safe on disk."""
    if not files:
        return
    make_dir(places.staged(root))
    names = {gone_name(path): b"" for path, new in files.items() if new is None}
    names |= {sha(new): new for new in files.values() if new is not None}
    for name, content in names.items():
        write_new(places.staged(root, name), content)
    sync_dir(places.staged(root))


def put_in_place(root: Root, digests: Mapping[str, str | None]) -> None:
    """Puts staged bytes over the files of a commit and carries out its deletions.

    The staged bytes are copied, not moved: not every file system renames from one folder
    to another at once, and they go only when all files are safe in their places.
    """
    for path, digest in digests.items():
        target = places.writable(root, path)
        if digest is not None:
            put(root, target, read(places.staged(root, digest)))
        else:
            remove(target)
            if os.path.isdir(os.path.dirname(target)):
                sync_dir(os.path.dirname(target))
    for name in {digest or gone_name(path) for path, digest in digests.items()}:
        remove(places.staged(root, name))


def keep_old(root: Root, path: str, old: bytes) -> None:
    """Keeps a version that is about to be replaced."""
    kept = places.history(root, *path.split("/"), sha(old))
    if not exists(kept):
        put(root, kept, old)


def leftovers(root: Root) -> list[str]:
    """The names of ours in the staging folder; between writes there are none."""
    return [name for name in names(places.staged(root)) if is_ours(name)]


def is_ours(name: str) -> bool:
    """Whether a name in the staging folder is one that we give."""
    return _OURS.fullmatch(name) is not None


def gone_name(path: str) -> str:
    """The name under which a deletion of this path is staged."""
    return sha(path.encode("utf-8", "surrogateescape")) + ".gone"


def bytes_at(path: str) -> bytes | None:
    """A file's bytes, None where there is no file."""
    return read(path) if exists(path) else None


def bytes_in(root: Root, path: str) -> bytes | None:
    """Read a file of a root; None where there is none."""
    return bytes_at(places.resolve(root, path))


def digest_in(root: Root, path: str) -> str | None:
    """Return the digest of a file of a root; None where there is none."""
    data = bytes_in(root, path)
    return None if data is None else sha(data)


def end_of(path: str) -> tuple[int, bytes]:
    """A file's size and its last byte; 0 and nothing where there is no file."""
    length = size(path)
    return length, read_range(path, length - 1, 1) if length else b""


def sha(data: bytes) -> str:
    return sha256(data).hexdigest()
