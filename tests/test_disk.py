"""Each change of the disk is whole, synced, and named in one line when it fails."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lithify.errors import StorageError
from lithify.store import disk


class Recorded:
    """Stands in for `os` and notes the calls that pass; `fail` names one that shall not."""

    def __init__(self, fail: str = "", number: int = errno.EIO, short: bool = False) -> None:
        self.calls: list[str] = []
        self._fail, self._number, self._short = fail, number, short

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in ("open", "write", "fsync", "replace", "mkdir", "unlink", "close"):
            return real

        def call(*args: Any) -> Any:
            self.calls.append(name)
            if name == self._fail:
                raise OSError(self._number, os.strerror(self._number))
            if name == "write" and self._short:
                return real(args[0], args[1][:3])
            return real(*args)

        return call


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Recorded]:
    def install(**options: Any) -> Recorded:
        recorded = Recorded(**options)
        monkeypatch.setattr(disk, "os", recorded)
        return recorded

    return install


def test_append_is_one_write_and_a_sync(tmp_path: Path, stand_in: Callable[..., Recorded]) -> None:
    path = tmp_path / "day.md"
    path.write_bytes(b"old\n")
    recorded = stand_in()
    disk.append(str(path), b"x" * 100_000)
    assert recorded.calls == ["open", "write", "fsync", "close"]
    assert path.read_bytes() == b"old\n" + b"x" * 100_000


def test_append_to_a_new_file_syncs_its_folder_too(
    tmp_path: Path, stand_in: Callable[..., Recorded]
) -> None:
    recorded = stand_in()
    disk.append(str(tmp_path / "day.md"), b"x")
    assert recorded.calls == ["open", "write", "fsync", "close", "open", "fsync", "close"]


def test_short_writes_are_continued(tmp_path: Path, stand_in: Callable[..., Recorded]) -> None:
    stand_in(short=True)
    disk.append(str(tmp_path / "day.md"), b"0123456789")
    disk.write_new(str(tmp_path / "new.md"), b"0123456789")
    assert (tmp_path / "day.md").read_bytes() == b"0123456789"
    assert (tmp_path / "new.md").read_bytes() == b"0123456789"


def test_write_new_never_overwrites(tmp_path: Path) -> None:
    path = tmp_path / "there"
    path.write_bytes(b"mine")
    with pytest.raises(StorageError, match=r"Cannot create .*there: File exists"):
        disk.write_new(str(path), b"yours")
    assert path.read_bytes() == b"mine"


def test_write_new_leaves_no_half_file_on_a_full_disk(
    tmp_path: Path, stand_in: Callable[..., Recorded]
) -> None:
    stand_in(fail="write", number=errno.ENOSPC)
    with pytest.raises(StorageError, match="No space left on device"):
        disk.write_new(str(tmp_path / "new"), b"data")
    assert list(tmp_path.iterdir()) == []


def test_replace_keeps_the_permissions_of_the_old_file(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_bytes(b"1")
    old.chmod(0o640)
    new.write_bytes(b"2")
    new.chmod(0o600)
    disk.replace(str(new), str(old))
    assert old.read_bytes() == b"2"
    assert stat.S_IMODE(old.stat().st_mode) == 0o640


def test_make_dir_makes_parents_and_bears_a_rival(tmp_path: Path) -> None:
    disk.make_dir(str(tmp_path / "a/b/c"))
    disk.make_dir(str(tmp_path / "a/b/c"))
    assert (tmp_path / "a/b/c").is_dir()


def test_make_dir_refuses_a_file_in_its_way(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(StorageError, match=r"Cannot make the folder"):
        disk.make_dir(str(tmp_path / "a"))


def test_remove_of_a_missing_file_is_no_error(tmp_path: Path) -> None:
    disk.remove(str(tmp_path / "none"))


def test_folder_that_cannot_be_synced_is_borne(
    tmp_path: Path, stand_in: Callable[..., Recorded]
) -> None:
    recorded = stand_in(fail="fsync", number=errno.EINVAL)
    disk.sync_dir(str(tmp_path))
    assert recorded.calls == ["open", "fsync", "close"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS])
def test_error_is_one_line_that_names_file_and_reason(
    number: int, tmp_path: Path, stand_in: Callable[..., Recorded]
) -> None:
    stand_in(fail="write", number=number)
    with pytest.raises(StorageError) as caught:
        disk.append(str(tmp_path / "a\nb\udce4.md"), b"data")
    message = caught.value.message
    assert message.startswith("Cannot write ") and "a?b?.md" in message
    assert os.strerror(number) in message and "\n" not in message
    assert caught.value.exit_code == 1


@pytest.mark.parametrize("fail", ["write", "fsync"])
def test_no_descriptor_is_left_open_by_a_failure(
    fail: str, tmp_path: Path, stand_in: Callable[..., Recorded]
) -> None:
    recorded = stand_in(fail=fail)
    for change in (disk.append, disk.write_new):
        with pytest.raises(StorageError):
            change(str(tmp_path / change.__name__), b"data")
    assert recorded.calls.count("open") == recorded.calls.count("close") == 2


def test_a_disk_that_cannot_tell_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(path: str) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    assert not disk.exists(str(tmp_path / "none")) and disk.size(str(tmp_path / "none")) == 0
    assert disk.names(str(tmp_path / "none")) == []
    for name, ask in (("lstat", disk.exists), ("stat", disk.size), ("listdir", disk.names)):
        with monkeypatch.context() as patch:
            patch.setattr(disk.os, name, failing)
            with pytest.raises(StorageError, match="Input/output error"):
                ask(str(tmp_path / "there"))


def test_lock_can_be_signed_on_a_full_disk(
    tmp_path: Path, stand_in: Callable[..., Recorded]
) -> None:
    stand_in(fail="write", number=errno.ENOSPC)
    fd = disk.open_lock(str(tmp_path / "lock"))
    try:
        disk.sign_lock(fd, b"me")
    finally:
        os.close(fd)


def test_read_range_stops_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"0123456789")
    assert disk.read_range(str(tmp_path / "f"), 8, 100) == b"89"
    assert disk.read_range(str(tmp_path / "f"), 2, 3) == b"234"
    assert disk.read(str(tmp_path / "f")) == b"0123456789"
