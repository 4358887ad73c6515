"""One holder at a time, named to the others, and gone with its process."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lithify.errors import Locked, NoLocks, StorageError
from lithify.store.lock import locked

HOLD = """
import sys
from lithify.store.lock import locked
with locked(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held_elsewhere(path: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_held_lock_names_its_holder(tmp_path: Path) -> None:
    with held_elsewhere(tmp_path / "lock") as holder:
        with pytest.raises(Locked, match=rf"pid {holder.pid} since 2\d\d\d-") as caught:
            locked(tmp_path / "lock", wait=False).__enter__()
        assert caught.value.exit_code == 5


def test_contender_does_not_touch_the_holders_file(tmp_path: Path) -> None:
    with held_elsewhere(tmp_path / "lock"):
        before = (tmp_path / "lock").read_bytes()
        with pytest.raises(Locked):
            locked(tmp_path / "lock", wait=False).__enter__()
        assert (tmp_path / "lock").read_bytes() == before != b""


def test_lock_of_a_killed_holder_is_free(tmp_path: Path) -> None:
    with held_elsewhere(tmp_path / "lock") as holder:
        holder.kill()
        holder.wait()
        with locked(tmp_path / "lock", wait=False):
            assert f"pid {os.getpid()} since" in (tmp_path / "lock").read_text()


FORK = """
import os, sys
from lithify.store.lock import locked
with locked(sys.argv[1]):
    child = os.fork()
    if not child:
        os.close(1)
        sys.stdin.read()
        os._exit(0)
with locked(sys.argv[1], wait=False):
    print("free again")
"""


def test_lock_is_let_go_though_a_forked_child_lives_on(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    try:
        done = subprocess.run(
            [sys.executable, "-c", FORK, str(tmp_path / "lock")],
            stdin=reader,
            stdout=subprocess.PIPE,
            text=True,
        )
    finally:
        os.close(writer)
        os.close(reader)
    assert done.stdout == "free again\n"


def test_waiting_lock_comes_when_the_holder_lets_go(tmp_path: Path) -> None:
    order: list[str] = []
    with held_elsewhere(tmp_path / "lock") as holder:

        def wait() -> None:
            with locked(tmp_path / "lock"):
                order.append("entered")

        waiter = threading.Thread(target=wait)
        waiter.start()
        order.append("holder lets go")
        assert holder.stdin is not None
        holder.stdin.close()
        waiter.join()
    assert order == ["holder lets go", "entered"]


def test_nested_use_by_the_holder_is_free(tmp_path: Path) -> None:
    with locked(tmp_path / "lock"), locked(tmp_path / "lock", wait=False):
        pass
    with locked(tmp_path / "lock", wait=False):
        pass


def test_nested_use_through_a_linked_root_is_free(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with locked(tmp_path / "real/lock"), locked(tmp_path / "link/lock", wait=False):
        pass


def test_inner_exit_does_not_let_go(tmp_path: Path) -> None:
    with locked(tmp_path / "lock"):
        with locked(tmp_path / "lock"):
            pass
        assert _is_locked(tmp_path / "lock")
    assert not _is_locked(tmp_path / "lock")


def test_other_thread_has_to_wait(tmp_path: Path) -> None:
    refused: list[bool] = []

    def contend() -> None:
        try:
            with locked(tmp_path / "lock", wait=False):
                refused.append(False)
        except Locked:
            refused.append(True)

    with locked(tmp_path / "lock"):
        thread = threading.Thread(target=contend)
        thread.start()
        thread.join()
    assert refused == [True]


def test_error_inside_lets_go(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "lock"):
        raise ZeroDivisionError
    assert not _is_locked(tmp_path / "lock")


def test_lock_file_deleted_while_waiting_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "state/lock"
    real, tries = fcntl.flock, []

    def flock(fd: int, how: int) -> None:
        real(fd, how)
        if how != fcntl.LOCK_UN:
            tries.append(fd)
            if len(tries) == 1:
                path.unlink()
                path.parent.rmdir()

    monkeypatch.setattr(fcntl, "flock", flock)
    with locked(path):
        assert _is_locked(path)
    assert len(tries) == 2


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS])
def test_file_system_without_locks_is_refused(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(fd: int, how: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", flock)
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    with pytest.raises(NoLocks, match="has no file locks"):
        locked(tmp_path / "lock").__enter__()
    after = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    assert after == before


def test_folder_that_takes_no_lock_file_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "lock").mkdir()
    with pytest.raises(StorageError, match=r"Cannot open .*lock: Is a directory"):
        locked(tmp_path / "lock").__enter__()


def _is_locked(path: Path) -> bool:
    with open(path) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
