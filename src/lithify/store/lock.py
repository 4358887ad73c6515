"""One writer at a time, by the operating system's own file locks.

The lock goes with its holder: a killed program leaves none behind. The text in the file
only names the holder in a message; it is never what the lock rests on.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Iterator
from threading import get_ident

from lithify import platform
from lithify.errors import Locked, NoLocks, StorageError
from lithify.store import disk

_REFUSED = {errno.ENOLCK, errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}

# By process too: a forked child has the parent's memory but not its turn.
_held: set[tuple[int, int, str]] = set()


@contextlib.contextmanager
def locked(path: str | os.PathLike[str], *, wait: bool = True) -> Iterator[None]:
    """Holds a lock file; nested use by the thread that holds it is free.

    With `wait=False` a lock in other hands raises `Locked`, which names the holder.
    """
    path = os.path.realpath(path)
    key = (os.getpid(), get_ident(), path)
    if key in _held:
        yield
        return
    fd = _acquire(path, wait)
    _held.add(key)
    try:
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        disk.sign_lock(fd, f"pid {os.getpid()} since {now}\n".encode())
        yield
    finally:
        _held.discard(key)
        # What was done under the lock is done; closing the file gives the lock back too.
        with contextlib.suppress(OSError):
            platform.unlock(fd)
        os.close(fd)


def _acquire(path: str, wait: bool) -> int:
    """Open a lock file and lock it; anew where it was deleted while we waited."""
    while True:
        disk.make_dir(os.path.dirname(path))
        fd = disk.open_lock(path)
        with contextlib.ExitStack() as undo:
            undo.callback(os.close, fd)
            try:
                platform.lock(fd, wait=wait)
                # A lock on a file that is gone from its place would keep nobody out.
                if _is_at(fd, path):
                    undo.pop_all()
                    return fd
            except BlockingIOError:
                raise Locked(holder=_holder(fd)) from None
            except OSError as error:
                facts = {"path": disk.printable(path), "reason": error.strerror or str(error)}
                if error.errno in _REFUSED:
                    raise NoLocks(**facts) from error
                raise StorageError(action="lock", **facts) from error


def _is_at(fd: int, path: str) -> bool:
    """Whether the file that a descriptor is of is still at its path."""
    try:
        return os.path.samestat(os.fstat(fd), os.stat(path))
    except FileNotFoundError:
        return False


def _holder(fd: int) -> str:
    """Read the name of the holder from a lock file."""
    text = ""
    with contextlib.suppress(OSError):
        os.lseek(fd, 0, os.SEEK_SET)
        text = os.read(fd, 100).decode("utf-8", "replace").partition("\n")[0]
    return disk.printable(text) or "its name is not known yet"
