"""Tells whether a hook runs in a client that a command of ours runs as a model; it keeps silent then.

The variable names a file that the call keeps locked while it runs (`marked_as_nested` in
`engines.providers.command`). A hook keeps silent only if a process above its own holds that lock.
The operating system says who holds it, so the variable is no way round the gate: an agent that sets
it, copies it, keeps an old one or makes such a file has no process above it that would lock the file.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Iterator

VARIABLE = "LITHIFY_NESTED"


def is_nested() -> bool:
    """Tell whether this process was started, through others, by a call that is running now."""
    path = os.environ.get(VARIABLE)
    if not path or sys.platform == "win32":
        return False
    try:
        # Not blocking, because it may be a FIFO.
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return False
    try:
        if os.read(file, 64) != os.path.basename(path).encode("utf-8", "replace"):
            return False
        holder = _holder(file)
        return holder > 1 and holder in _ancestors()
    except (OSError, ValueError, struct.error):
        return False
    finally:
        os.close(file)


def _holder(file: int) -> int:
    """Return the process that holds the lock on a file, or 0."""
    if sys.platform == "win32":
        return 0
    import fcntl

    # `struct flock` as the system lays it out. Where it is another one, no process is found.
    whole = (fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0)
    if sys.platform == "darwin":
        form, asked = "qqihh", (0, 0, 0, *whole[:2])
    else:
        form, asked = "hhqqi4x", whole
    found = struct.unpack(form, fcntl.fcntl(file, fcntl.F_GETLK, struct.pack(form, *asked)))
    kind, pid = (found[3], found[2]) if sys.platform == "darwin" else (found[0], found[4])
    return int(pid) if kind == fcntl.F_WRLCK else 0


def _ancestors() -> Iterator[int]:
    """Return the processes above this one, the nearest first."""
    pid = os.getppid()
    while pid > 1:
        yield pid
        pid = _parent(pid)


def _parent(pid: int) -> int:
    if os.path.exists("/proc/self/stat"):
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            # The name before the last bracket may hold anything.
            return int(file.read().rpartition(")")[2].split()[1])
    argv = ["ps", "-o", "ppid=", "-p", str(pid)]
    return int(subprocess.run(argv, capture_output=True, text=True).stdout)
