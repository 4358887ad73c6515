"""Faults made by the kernel: strace is attached to a forked child that has everything imported.

Only calls that change files are broken, and the reads of SQLite, which `fault_points` cannot see.
What the child says comes back through shared memory: a call that reports would be broken too.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import pickle
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from fault_points import Ended

KINDS = ("strace-kill", "strace-ENOSPC", "strace-EIO", "strace-EINTR")
#: With the names that they have on other machines.
_CALLS = ",".join(
    f"?{name}"
    for name in (
        *("write", "pwrite64", "pread64", "fsync", "fdatasync", "ftruncate"),
        *("rename", "renameat", "renameat2", "mkdir", "mkdirat", "unlink", "unlinkat"),
    )
)
_SPACE = 1 << 16
_PR_SET_PTRACER = 0x59616D61
_LIBC = ctypes.CDLL(None)
_FSYNC = os.fsync


def can_trace() -> bool:
    """Whether the kernel can be asked for faults here."""
    return shutil.which("strace") is not None


def calls_of(act: Callable[[], str], log: Path) -> int:
    """How many calls an undisturbed run makes that could be broken."""
    assert _traced(act, ["-o", str(log)]).how == "done"
    return sum("(" in line for line in log.read_text().splitlines())


def kernel_run(act: Callable[[], str], kind: str, point: int) -> Ended:
    """Act in a forked child whose call number `point` is broken by the kernel."""
    name = kind.partition("-")[2]
    fault = "signal=KILL" if name == "kill" else f"error={name}"
    lasting = "+" if name == "ENOSPC" else ""
    inject = f"inject={_CALLS}:{fault}:when={point}{lasting}"
    return _traced(act, ["-o", os.devnull, "-e", inject])


def _traced(act: Callable[[], str], options: list[str]) -> Ended:
    said = mmap.mmap(-1, _SPACE)
    wait, go = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(go)
            # The tracer is no ancestor of this process, which some kernels ask for.
            _LIBC.prctl(_PR_SET_PTRACER, ctypes.c_ulong(-1), 0, 0, 0)
            os.fsync = _FSYNC
            os.read(wait, 1)
            ended = Ended()
            ended.take(act)
            data = pickle.dumps(ended)
            said[: len(data)] = data
        finally:
            os._exit(0)
    os.close(wait)
    command = ["strace", "-f", "-e", f"trace={_CALLS}", *options, "-p", str(child)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as strace:
        assert strace.stderr
        first = strace.stderr.readline()
        os.close(go)
        os.waitpid(child, 0)
        strace.stderr.read()
    assert "attached" in first, first
    return pickle.loads(said[:]) if said[0] else Ended()
