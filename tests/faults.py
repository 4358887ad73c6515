"""Breaks a run of the store at each of its calls in turn.

A test names a scenario (`module:object` with `prepare`, `act` and `check`, or a function that
drives several) and the kinds of fault. A fresh interpreter runs it: for N = 1, 2, … it prepares a root, forks, lets the child
act with a fault at its N-th call to the disk, and checks what is left, until a child gets
through without reaching its fault.

Kinds of fault:
    kill         SIGKILL before the call (and, one round later, after it)
    kill-half    SIGKILL half way through a write
    cut-all      a power cut before the call: nothing survives that was not synced
    cut-data     the same, but names survive and the bytes of unsynced files do not
    cut-names    the same, but bytes survive and unsynced names do not
    cut-target   the same, but only in the memory folders; the program's own names survive
    ENOSPC, EIO, EACCES      the call fails
    short        half of a write is taken, the rest meets a full disk
"""

from __future__ import annotations

import errno
import gc
import importlib
import itertools
import json
import os
import pickle
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

KILLS = ("kill", "kill-half")
CUTS = ("cut-all", "cut-data", "cut-names", "cut-target")
ERRORS = ("ENOSPC", "EIO", "EACCES", "short")

_CALLS = ("open", "write", "fsync", "replace", "mkdir", "unlink", "chmod", "ftruncate", "access")
_NOT_REACHED, _SURVIVED, _RAISED = 0, 10, 11

#: Path to bytes of what a disk holds; None: a folder.
Disk = dict[str, bytes | None]
#: Whether a run got through, its error, its message, and what it left in the root.
Left = tuple[bool, str, str, frozenset[tuple[str, int, bytes]]]


@dataclass(frozen=True)
class Crash:
    """How a run ended: at which call, whether it got through, with which error."""

    kind: str
    point: int
    done: bool
    error: str = ""
    message: str = ""

    def __str__(self) -> str:
        return (
            f"{self.kind} at call {self.point} ({self.error or ('done' if self.done else 'died')})"
        )


class Scenario(Protocol):
    def prepare(self, root: Path) -> None: ...

    def act(self, root: Path) -> None: ...

    def check(self, root: Path, crash: Crash) -> None: ...


def run(scenario: str, folder: Path, kinds: Iterable[str]) -> dict[str, int]:
    """Runs a scenario through every fault point; the number of points met for each kind.

    What a failed check saw is left in `folder`.
    """
    # Thousands of small files: in memory where there is such a place, a power cut is played anyway.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as place:
        driver = subprocess.run(
            [sys.executable, "-W", "error", __file__, scenario, place, *kinds],
            capture_output=True,
            text=True,
        )
        if driver.returncode:
            shutil.copytree(place, folder, dirs_exist_ok=True)
    assert driver.returncode == 0, driver.stderr
    points: dict[str, int] = json.loads(driver.stdout)
    return points


def break_at(kind: str, point: int, act: Callable[[], None], root: Path) -> Crash | None:
    """Acts in a forked child with one fault; None when the run ended before reaching it."""
    crash, disks = _break_at((kind,), point, act, root)
    for left in disks.values():
        _rebuild(root, left)
    return crash


def _break_at(
    kinds: tuple[str, ...], point: int, act: Callable[[], None], root: Path
) -> tuple[Crash | None, dict[str, Disk]]:
    """Acts with a fault of one kind, or cuts the power once and tells what each kind of cut leaves."""
    spill = root.with_name(root.name + ".spill")
    kind = kinds[0]
    if child := os.fork():
        _, status = os.waitpid(child, 0)
        died = os.WIFSIGNALED(status)
        code = -1 if died else os.WEXITSTATUS(status)
        assert died or code in (_NOT_REACHED, _SURVIVED, _RAISED), (
            f"{kind} at call {point}: crashed"
        )
        facts = pickle.loads(spill.read_bytes()) if spill.exists() else {}
        spill.unlink(missing_ok=True)
        disks = facts.get("disks", {})
        if code == _NOT_REACHED:
            return None, disks
        done = code == _SURVIVED
        return Crash(kind, point, done, facts.get("error", ""), facts.get("message", "")), disks

    code = 12
    try:
        from lithify.errors import StorageError
        from lithify.store import disk

        faulty = _Faulty(kinds, point, root, spill)
        disk.os = faulty  # type: ignore[assignment]
        try:
            act()
        except StorageError as error:
            spill.write_bytes(pickle.dumps({"error": type(error).__name__, "message": str(error)}))
            code = _RAISED
        else:
            # Acknowledged, and then the power goes: what was promised must be on the disk.
            if kind in CUTS:
                faulty.spill_disk()
            code = _SURVIVED if faulty.fired else _NOT_REACHED
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        os._exit(code)


class _Faulty:
    """Stands in for `os`: passes everything on, but for one call."""

    def __init__(self, kinds: tuple[str, ...], point: int, root: Path, spill: Path) -> None:
        self._kinds = kinds
        self._kind = kinds[0]
        self._point = point
        self._spill = spill
        self._calls = 0
        self.fired = False
        self._full = False
        self._platter = _Platter(root) if self._kind in CUTS else None

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in _CALLS:
            return real

        def call(*args: Any) -> Any:
            if self._full and name == "write":
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if name == "write" or self._kind not in ("kill-half", "short"):
                self._calls += 1
                if self._calls == self._point:
                    self.fired = True
                    return self._fail(real, args)
            if self._platter:
                self._platter.before(name, args)
            result = None if name == "fsync" else real(*args)
            if self._platter:
                self._platter.after(name, args)
            return result

        return call

    def _fail(self, real: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        if self._kind == "kill-half":
            real(args[0], args[1][: len(args[1]) // 2])
        if self._kind == "short":
            self._full = True
            return real(args[0], args[1][: len(args[1]) // 2 or 1])
        if self._kind in ERRORS:
            number = getattr(errno, self._kind)
            raise OSError(number, os.strerror(number))
        self.spill_disk()
        os.kill(os.getpid(), signal.SIGKILL)
        return None

    def spill_disk(self) -> None:
        if self._platter:
            left = {kind: self._platter.survivors(kind) for kind in self._kinds}
            self._spill.write_bytes(pickle.dumps({"disks": left}))


class _Unsynced:
    """Stands in for `os` between the faults: no power is really cut, so nothing need be synced."""

    def __getattr__(self, name: str) -> Any:
        return (lambda fd: None) if name == "fsync" else getattr(os, name)


class _Platter:
    """What a disk may still hold after a power cut: only what was synced, file by file."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._bytes: dict[int, bytes] = {}
        self._names: dict[int, dict[str, int]] = {}
        for folder, _, files in os.walk(root):
            self._sync(os.open(folder, os.O_RDONLY))
            for file in files:
                self._sync(os.open(os.path.join(folder, file), os.O_RDONLY))

    def before(self, name: str, args: tuple[Any, ...]) -> None:
        victim = {"unlink": args[0], "replace": args[-1]}.get(name)
        if victim is not None and os.path.exists(victim):
            # Held open for good, so that its inode number is not given to another file.
            os.open(victim, os.O_RDONLY)

    def after(self, name: str, args: tuple[Any, ...]) -> None:
        if name == "fsync":
            self._sync(args[0])

    def survivors(self, kind: str) -> Disk:
        """All that survives a kind of cut."""
        left: Disk = {}

        def visit(inode: int, path: str, live: str | None) -> None:
            names = self._names.get(inode, {})
            survive = kind == "cut-data" or (kind == "cut-target" and path.startswith(".lithify"))
            if survive and live is not None:
                names = {n: os.lstat(os.path.join(live, n)).st_ino for n in os.listdir(live)}
            for name, child in names.items():
                there = os.path.join(live, name) if live else None
                if there and (not os.path.exists(there) or os.lstat(there).st_ino != child):
                    there = None
                inner = f"{path}/{name}" if path else name
                if child in self._names or (there and os.path.isdir(there)):
                    left[inner] = None
                    visit(child, inner, there)
                elif kind in ("cut-names", "cut-target") and there:
                    left[inner] = Path(there).read_bytes()
                else:
                    left[inner] = self._bytes.get(child, b"")

        visit(os.stat(self._root).st_ino, "", self._root)
        return left

    def _sync(self, fd: int) -> None:
        status = os.fstat(fd)
        if stat.S_ISDIR(status.st_mode):
            names = {entry.name: entry.inode() for entry in os.scandir(fd)}
            self._names[status.st_ino] = names
        else:
            with open(f"/proc/self/fd/{fd}", "rb") as file:
                self._bytes[status.st_ino] = file.read()


def _rebuild(root: Path, left: Disk) -> None:
    shutil.rmtree(root)
    root.mkdir()
    for path, data in left.items():
        if data is None:
            (root / path).mkdir()
        else:
            (root / path).write_bytes(data)


def _left_in(root: Path) -> frozenset[tuple[str, int, bytes]]:
    """Every folder and file of a root with its mode and bytes; a lock only names who held it."""
    found = set()
    for path in root.rglob("*"):
        data = path.read_bytes() if path.is_file() and path.name != "lock" else b""
        found.add((str(path.relative_to(root)), path.lstat().st_mode, data))
    return frozenset(found)


def drive(
    scenario: Scenario, folder: Path, kinds: list[str], checked: set[Left] | None = None
) -> dict[str, int]:
    """Loops over the fault points of each kind, here and now.

    A scenario that takes long has `every`: only every so many-th point is tried. What a check finds
    follows from what the run left and said, so that the same again is not checked again; `checked`
    is what other loops with the same check have seen.
    """
    from lithify.store import disk

    disk.os = _Unsynced()  # type: ignore[assignment]
    gc.freeze()  # a forked child then copies fewer pages
    points = {}
    checked = set() if checked is None else checked
    cuts = tuple(kind for kind in kinds if kind in CUTS)
    for group in [(kind,) for kind in kinds if kind not in CUTS] + ([cuts] if cuts else []):
        for point in itertools.count(1, getattr(scenario, "every", 1)):
            root = folder / f"{group[0]}-{point}"
            root.mkdir()
            scenario.prepare(root)
            crash, disks = _break_at(group, point, lambda root=root: scenario.act(root), root)
            for kind in group:
                ended = replace(crash, kind=kind) if crash else Crash(kind, point, done=True)
                if kind in disks:
                    _rebuild(root, disks[kind])
                said = ended.message.replace(str(root), "")
                left = (ended.done, ended.error, said, _left_in(root))
                try:
                    if left not in checked:
                        scenario.check(root, ended)
                except Exception as error:
                    raise AssertionError(f"{crash or 'uninterrupted'} left {root.name}") from error
                checked.add(left)
            shutil.rmtree(root)
            if crash is None:
                points.update(dict.fromkeys(group, point - 1))
                break
    return points


def main() -> None:
    scenario, folder, *kinds = sys.argv[1:]
    module, _, name = scenario.partition(":")
    found = getattr(importlib.import_module(module), name)
    points = found(Path(folder), kinds) if callable(found) else drive(found, Path(folder), kinds)
    print(json.dumps(points))


if __name__ == "__main__":
    main()
