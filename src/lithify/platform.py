"""What differs between operating systems: file locks, flags of `os.open`, syncing, text streams.

Everything else in the package is written once for all of them. Hooks load this module, so it
imports little.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

#: Flags that some system lacks. A pipe must not hold us up, and no link may take a file's place.
BINARY = getattr(os, "O_BINARY", 0)
NONBLOCK = getattr(os, "O_NONBLOCK", 0)
NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)

#: Windows syncs only descriptors that may write.
SYNCABLE = os.O_RDWR if sys.platform == "win32" else os.O_RDONLY

#: Seconds between attempts to replace or remove a file, which Windows refuses while one reads it.
PAUSES = (0.01, 0.05, 0.2, 0.5, 1.0) if sys.platform == "win32" else ()

if sys.platform == "win32":
    import errno
    import msvcrt
    import time

    # Windows locks bytes, and a locked byte cannot be read: lock one far behind the text.
    _BYTE = 1 << 30

    def lock(fd: int, *, wait: bool, shared: bool = False) -> None:
        """Lock a file; without `wait`, raise `BlockingIOError` if somebody else has it.

        Windows has no shared lock here, so two that only look may take each other for a holder.
        """
        while True:
            os.lseek(fd, _BYTE, os.SEEK_SET)
            try:
                msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
                return
            except OSError as error:
                if error.errno not in (errno.EACCES, errno.EDEADLK):
                    raise
                if not wait:
                    raise BlockingIOError(errno.EWOULDBLOCK, "locked") from error
                time.sleep(0.02)

    def unlock(fd: int) -> None:
        """Give a lock back."""
        os.lseek(fd, _BYTE, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def lock(fd: int, *, wait: bool, shared: bool = False) -> None:
        """Lock a file; without `wait`, raise `BlockingIOError` if somebody else has it."""
        how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        fcntl.flock(fd, how if wait else how | fcntl.LOCK_NB)

    def unlock(fd: int) -> None:
        """Give a lock back. Closing the file would leave it to a forked child that has a copy."""
        fcntl.flock(fd, fcntl.LOCK_UN)


def walk(top: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """Walk the folders below a path as `os.walk` does, however deep they lie; links are not followed."""
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError:
            continue
        inner = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        yield folder, inner, [entry.name for entry in entries if not entry.is_dir()]
        waiting += [os.path.join(folder, name) for name in reversed(inner)]


def flush_drive(fd: int) -> bool:
    """Make the drive write what its cache holds of a file, where `fsync` does not; whether it did."""
    if sys.platform != "darwin":
        return False
    try:
        fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
    except OSError:  # Network and foreign file systems refuse it; `fsync` does what they can.
        return False
    return True


def set_up_streams() -> None:
    """Let printing never fail for want of a letter; on Windows a pipe or file is given UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")
            if sys.platform == "win32" and "PYTHONIOENCODING" not in os.environ:
                reconfigure(encoding="utf-8")
