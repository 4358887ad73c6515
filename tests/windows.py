"""Runs the command as on Windows, as far as another system can pretend to be it.

    python tests/windows.py ARGUMENT...

The modules and functions of POSIX are gone, `msvcrt` locks bytes, a folder cannot be opened, a
descriptor that may not write cannot be synced, and an open file can be neither replaced nor removed.
Paths and `os.name` stay those of this system: the standard library chose its own by them.
"""

from __future__ import annotations

import errno
import fcntl
import importlib
import os
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: What the standard library and click choose by `sys.platform` is chosen before it changes.
LOADED = (
    *("asyncio", "click", "ctypes", "multiprocessing", "shutil", "socket", "sqlite3", "subprocess"),
    *("tempfile", "webbrowser", "zoneinfo", "click.shell_completion", "importlib.metadata"),
)
MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
FUNCTIONS = (
    *("fork", "getegid", "geteuid", "getgid", "getpgid", "getuid", "kill", "killpg", "mkfifo"),
    *("fchown", "chown", "setsid", "statvfs", "sched_getaffinity", "posix_fadvise"),
    *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK"),
)


_flags = fcntl.fcntl


def locking(fd: int, mode: int, count: int) -> None:
    """`msvcrt.locking`: a lock on bytes, refused with EACCES."""
    wanted = os.F_ULOCK if mode == 0 else os.F_TLOCK
    if _flags(fd, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
        wanted = os.F_TEST  # POSIX locks only what may be written to.
    try:
        os.lockf(fd, wanted, count)
    except BlockingIOError:
        raise PermissionError(errno.EACCES, "Permission denied") from None


def _open_elsewhere(path: Any) -> bool:
    try:
        wanted = os.stat(path)
    except FileNotFoundError:
        return False
    for name in os.listdir("/proc/self/fd"):
        try:
            if os.path.samestat(wanted, os.stat(f"/proc/self/fd/{name}")):
                return True
        except OSError:
            continue
    return False


def _refused(call: Callable[..., Any], which: int) -> Callable[..., Any]:
    def wrapped(*paths: Any, **options: Any) -> Any:
        if any(_open_elsewhere(path) for path in paths[:which]):
            raise PermissionError(errno.EACCES, "it is being used by another process", paths[-1])
        return call(*paths, **options)

    return wrapped


def pretend() -> None:
    """Turn this process into one that runs on Windows."""
    for name in LOADED:
        importlib.import_module(name)
    real_open, real_sync = os.open, os.fsync

    def opened(path: Any, flags: int, mode: int = 0o777, **options: Any) -> int:
        if os.path.isdir(path):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return real_open(path, flags, mode, **options)

    def fsync(fd: int) -> None:
        if _flags(fd, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, "Bad file descriptor")
        real_sync(fd)

    changed = {
        "open": opened,
        "fsync": fsync,
        "replace": _refused(os.replace, 2),
        "rename": _refused(os.rename, 2),
        "unlink": _refused(os.unlink, 1),
        "remove": _refused(os.remove, 1),
    }
    for name, call in changed.items():
        setattr(os, name, call)
    for name in FUNCTIONS:
        if hasattr(os, name):
            delattr(os, name)
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    msvcrt: Any = types.ModuleType("msvcrt")
    msvcrt.locking, msvcrt.LK_UNLCK, msvcrt.LK_NBLCK = locking, 0, 2
    sys.modules["msvcrt"] = msvcrt
    sys.platform = "win32"


if __name__ == "__main__":
    sys.path[:1] = [str(Path(__file__).parent.parent / "src")]
    pretend()
    from lithify.cli import main

    main()
