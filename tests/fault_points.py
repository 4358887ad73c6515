"""One fault at one call to the operating system, in a forked child.

Every function of `os` (and `open`, and `flock`) that a program can touch a root with is replaced in
the child, whoever calls it. Calls are counted only if they concern the root. What SQLite does is not
seen here: the matrix breaks it from outside, with strace.
"""

from __future__ import annotations

import builtins
import errno
import fcntl
import io
import os
import pickle
import signal
import stat
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import faults

CHANGES = ("write", "fsync", "replace", "rename", "mkdir", "unlink", "remove", "rmdir", "chmod")
LOOKS = ("read", "stat", "lstat", "fstat", "listdir", "scandir", "access", "lseek")
#: A look of `realpath` whose error it ignores, so that no fault there makes a difference.
IGNORED = "ignored"
#: What Python itself repeats when a signal interrupts it.
_REPEATED = ("write", "fsync", "read", "create", "open", "flock", "ftruncate")
_BY_NUMBER = ("write", "fsync", "read", "lseek", "ftruncate", "fstat", "flock")
#: What a full disk refuses, and a disk that has become read-only.
_NEEDS_SPACE = ("write", "fsync", "replace", "rename", "mkdir", "create")
_LASTING = {"ENOSPC": _NEEDS_SPACE, "EROFS": (*CHANGES, "ftruncate", "create")}


@dataclass
class Ended:
    """How a run ended: `done`, `said` (something else), `raised`, `died`; and which calls it made."""

    how: str = "died"
    said: str = ""
    calls: list[str] = field(default_factory=list)
    ticks: int = 0
    versions: dict[str, set[bytes]] = field(default_factory=dict)
    disk: dict[str, bytes | None] | None = None

    @property
    def error(self) -> str:
        """The name of the exception that was raised, or what was said instead."""
        return self.said.partition(":")[0]

    @property
    def says_unchanged(self) -> bool:
        """Whether it said that nothing was changed."""
        return "othing was changed" in self.said

    def take(self, act: Callable[[], str]) -> None:
        """Act, and note how it ended."""
        try:
            self.said = act()
            self.how = "done" if self.said == "done" else "said"
        except BaseException as error:
            self.how = "raised"
            frames = traceback.extract_tb(error.__traceback__)
            ours = [
                f"{frame.name}:{frame.lineno}" for frame in frames if "lithify" in frame.filename
            ]
            self.said = f"{type(error).__name__}: {error} in {' '.join(ours[-4:])}"


def points_of(kind: str, calls: list[str]) -> list[int]:
    """The numbers of the calls at which a fault can happen, from 1 on."""
    return [number for number, call in enumerate(calls, start=1) if eligible(kind, call)]


def eligible(kind: str, call: str) -> bool:
    """Whether a kind of fault can happen at a call."""
    if call == IGNORED:
        return False
    if kind == "kill-half":
        return call == "write"
    if kind in faults.KILLS or kind in faults.CUTS:
        return call not in (*LOOKS, "open", "flock")
    if kind in _LASTING:
        return call in _LASTING[kind]
    if kind == "EACCES":
        return call not in _BY_NUMBER
    return kind == "EIO" or (kind == "EINTR" and call not in _REPEATED)


def broken_run(
    act: Callable[[], str],
    root: Path,
    kind: str = "",
    point: int = 0,
    *,
    watch: bool = False,
    ticks: Callable[[], int] = lambda: 0,
) -> Ended:
    """Act in a forked child with one fault; with `watch`, note every version of a page.

    `ticks` tells how often the clock was read.
    """
    spill = root.with_name(root.name + ".spill")
    child = os.fork()
    if child == 0:
        try:
            _Broken(kind, point, str(root), spill, watch).run(act, ticks)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    ended: Ended = pickle.loads(spill.read_bytes()) if spill.exists() else Ended()
    spill.unlink(missing_ok=True)
    if ended.disk is not None:
        faults._rebuild(root, ended.disk)
    return ended


class _Broken:
    """Replaces the functions of `os` and fails one of the calls."""

    def __init__(self, kind: str, point: int, root: str, spill: Path, watch: bool) -> None:
        self._kind, self._point, self._root, self._spill = kind, point, root, spill
        self._watch = watch
        self._ended = Ended()
        self._numbers: set[int] = set()
        self._fired = self._lasting = False
        self._platter = faults._Platter(Path(root)) if kind in faults.CUTS else None
        self._busy = False

    def run(self, act: Callable[[], str], ticks: Callable[[], int]) -> None:
        for name in (*CHANGES, *LOOKS, "open", "close", "ftruncate"):
            setattr(os, name, self._wrapped(name, getattr(os, name)))
        fcntl.flock = self._wrapped("flock", fcntl.flock)  # type: ignore[assignment]
        io.open = builtins.open = self._wrapped("open", io.open)  # type: ignore[assignment]
        self._ended.take(act)
        self._busy = True
        self._ended.ticks = ticks()
        if self._platter:
            # Said, and then the power goes: what was said must be on the disk.
            self._ended.disk = self._platter.survivors(self._kind)
        self._spill.write_bytes(pickle.dumps(self._ended))

    def _wrapped(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            if self._busy or not self._concerns(name, args):
                return real(*args, **options)
            if name == "close":
                self._numbers.discard(args[0])
                return real(*args)
            kind = "create" if name == "open" and _creates(args) else name
            if name == "lstat" and _is_ignored(args[0], real):
                kind = IGNORED
            self._busy = True
            try:
                self._ended.calls.append(kind)
                self._fail(kind, real, args)
                if self._platter:
                    self._platter.before(name, args)
                result = None if name == "fsync" else real(*args, **options)
                if self._platter:
                    self._platter.after(name, args)
                if self._watch and name in ("fsync", "replace", "unlink", "write"):
                    self._note_versions()
            finally:
                self._busy = False
            if name == "open" and isinstance(result, int):
                self._numbers.add(result)
            return result

        return call

    def _concerns(self, name: str, args: tuple[Any, ...]) -> bool:
        first = args[0] if args else None
        if isinstance(first, int):
            return first in self._numbers
        if not isinstance(first, (str, bytes, os.PathLike)):
            return False
        path = os.fsdecode(first)
        return path == self._root or path.startswith(self._root + "/")

    def _fail(self, call: str, real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if self._lasting and (call in _LASTING[self._kind] or call == "access"):
            raise _error(self._kind)
        # The number of calls is not the same in each run: a file may have become old enough to cache.
        if self._fired or len(self._ended.calls) < self._point or not eligible(self._kind, call):
            return
        self._fired = True
        if self._kind == "kill-half":
            real(args[0], args[1][: len(args[1]) // 2])
        if self._kind in faults.KILLS or self._kind in faults.CUTS:
            if self._platter:
                self._ended.disk = self._platter.survivors(self._kind)
                self._spill.write_bytes(pickle.dumps(self._ended))
            os.kill(os.getpid(), signal.SIGKILL)
        if self._kind in _LASTING:
            self._lasting = True
            if self._kind == "ENOSPC" and call == "write":
                real(args[0], args[1][: len(args[1]) // 2])
        raise _error(self._kind)

    def _note_versions(self) -> None:
        for folder, below, names in os.walk(self._root):
            below[:] = [name for name in below if name != ".lithify"]
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    shown = os.path.relpath(path, self._root)
                    self._ended.versions.setdefault(shown, set()).add(file.read())


def _is_ignored(path: Any, real: Callable[..., Any]) -> bool:
    """Whether an error here has no effect: `realpath` takes it for a path that is no link, as it is."""
    caller = sys._getframe(2).f_code.co_name
    return caller == "_joinrealpath" and not stat.S_ISLNK(real(path).st_mode)


def _creates(args: tuple[Any, ...]) -> bool:
    how = args[1] if len(args) > 1 else "r"
    if isinstance(how, int):
        return bool(how & (os.O_CREAT | os.O_WRONLY | os.O_RDWR))
    return any(letter in how for letter in "wax+")


def _error(name: str) -> OSError:
    number = getattr(errno, name)
    return OSError(number, os.strerror(number))
