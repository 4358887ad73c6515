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
    while True:
        disk.make_dir(os.path.dirname(path))
        fd = disk.open_lock(path)
        try:
            platform.lock(fd, wait=wait)
            if _is_at(fd, path):
                return fd
        except BlockingIOError:
            holder = _holder(fd)
            os.close(fd)
            raise Locked(holder=holder) from None
        except OSError as error:
            os.close(fd)
            reason = error.strerror or str(error)
            if error.errno in _REFUSED:
                raise NoLocks(path=disk.printable(path), reason=reason) from error
            raise StorageError(action="lock", path=disk.printable(path), reason=reason) from error
        except BaseException:
            os.close(fd)
            raise
        # The file was deleted while we waited: a lock on it would keep nobody out.
        os.close(fd)


def _is_at(fd: int, path: str) -> bool:
    try:
        there = os.stat(path)
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(fd), there)


def _holder(fd: int) -> str:
    try:
        os.lseek(fd, 0, os.SEEK_SET)
        text = os.read(fd, 100).decode("utf-8", "replace").partition("\n")[0]
    except OSError:
        text = ""
    return disk.printable(text) or "its name is not known yet"
