"""What a commit, a capture and a saved file promise when nothing goes wrong, or little."""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from lithify.errors import OutsideRoot, PartlyDone, StorageError, Unfinished
from lithify.store import commit, disk, journal
from lithify.store.check import check
from lithify.store.commit import append_day, in_steps, note, save_new
from lithify.store.recover import recover

TIME = "2026-04-02T14:00:00Z"
DAY = "memory/2026-04-02.md"
WEEK = "memory/weekly/2026-W14.md"
MONTH = "memory/monthly/2026-04.md"


def sha(data: bytes) -> str:
    return sha256(data).hexdigest()


def put(root: Path, path: str, data: bytes) -> Path:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return place


def staged(root: Path) -> list[str]:
    folder = root / ".lithify/staged"
    return sorted(os.listdir(folder)) if folder.is_dir() else []


def history(root: Path, path: str) -> dict[str, bytes]:
    folder = root / ".lithify/history" / path
    return {one.name: one.read_bytes() for one in folder.iterdir()} if folder.is_dir() else {}


def test_commit_writes_files_and_says_so_in_the_journal(tmp_path: Path) -> None:
    files = {WEEK: b"week\n", MONTH: b"month\n"}
    record = commit.commit(tmp_path, files, "summary", {"engine": "offline"}, TIME)
    assert (tmp_path / WEEK).read_bytes() == b"week\n"
    assert (tmp_path / MONTH).read_bytes() == b"month\n"
    assert dict(record.data) == {
        "engine": "offline",
        "files": {WEEK: sha(b"week\n"), MONTH: sha(b"month\n")},
    }
    (found,) = journal.read(tmp_path).records
    assert (found.kind, found.time, found.hash) == ("summary", TIME, record.hash)
    assert staged(tmp_path) == [] and check(tmp_path) == ()


def test_replaced_version_is_kept_in_history(tmp_path: Path) -> None:
    for version in (b"one", b"two", b"one", b"three"):
        commit.commit(tmp_path, {WEEK: version}, "summary", {}, TIME)
    assert history(tmp_path, WEEK) == {sha(b"one"): b"one", sha(b"two"): b"two"}
    assert (tmp_path / WEEK).read_bytes() == b"three"


def test_foreign_file_is_never_overwritten_without_a_copy(tmp_path: Path) -> None:
    put(tmp_path, "WISDOM.md", b"by hand")
    commit.commit(tmp_path, {"WISDOM.md": b"ours"}, "wisdom", {}, TIME)
    assert history(tmp_path, "WISDOM.md") == {sha(b"by hand"): b"by hand"}


def test_same_bytes_in_several_files(tmp_path: Path) -> None:
    put(tmp_path, WEEK, b"old")
    files = {WEEK: b"same", MONTH: b"same", "WISDOM.md": b"same"}
    commit.commit(tmp_path, files, "summary", {}, TIME)
    assert {(tmp_path / path).read_bytes() for path in files} == {b"same"}
    assert staged(tmp_path) == []


def test_unchanged_file_is_recorded_and_not_rewritten(tmp_path: Path) -> None:
    place = put(tmp_path, WEEK, b"as it was")
    before = place.stat()
    record = commit.commit(tmp_path, {WEEK: b"as it was"}, "summary", {}, TIME)
    assert record.data["files"] == {WEEK: sha(b"as it was")}
    assert place.stat().st_ino == before.st_ino
    assert history(tmp_path, WEEK) == {}


def test_deleted_file_is_kept_in_history(tmp_path: Path) -> None:
    commit.commit(tmp_path, {WEEK: b"week"}, "summary", {}, TIME)
    record = commit.commit(tmp_path, {WEEK: None}, "removed", {}, TIME)
    assert record.data["files"] == {WEEK: None}
    assert not (tmp_path / WEEK).exists()
    assert history(tmp_path, WEEK) == {sha(b"week"): b"week"}
    assert check(tmp_path) == ()


def test_deleting_what_is_not_there_is_recorded(tmp_path: Path) -> None:
    commit.commit(tmp_path, {WEEK: None}, "removed", {}, TIME)
    assert journal.read(tmp_path).in_force() == {WEEK: None}


@pytest.mark.parametrize("path", [DAY, "memory/2026-04-02-topic.md", "2026-04-02.md"])
def test_day_cannot_be_rewritten_or_deleted(path: str, tmp_path: Path) -> None:
    put(tmp_path, path, b"source")
    for new in (b"edited", None):
        with pytest.raises(ValueError, match="is a day"):
            commit.commit(tmp_path, {path: new}, "summary", {}, TIME)
    assert (tmp_path / path).read_bytes() == b"source"


@pytest.mark.parametrize("path", ["../out.md", "/etc/out.md", "memory/../../out.md", "", "a//b"])
def test_path_out_of_the_root_is_refused(path: str, tmp_path: Path) -> None:
    with pytest.raises(OutsideRoot):
        commit.commit(tmp_path, {path: b"x"}, "summary", {}, TIME)
    with pytest.raises(OutsideRoot):
        append_day(tmp_path, path, b"x", "capture", {}, TIME)


def test_link_out_of_the_root_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    root = tmp_path / "root"
    root.mkdir()
    (root / "memory").symlink_to(outside)
    with pytest.raises(OutsideRoot):
        append_day(root, DAY, b"- x\n", "capture", {}, TIME)
    assert list(outside.iterdir()) == []


def test_commit_keeps_permissions(tmp_path: Path) -> None:
    put(tmp_path, WEEK, b"old").chmod(0o640)
    commit.commit(tmp_path, {WEEK: b"new"}, "summary", {}, TIME)
    assert (tmp_path / WEEK).stat().st_mode & 0o777 == 0o640


def test_capture_goes_to_the_end_of_the_day(tmp_path: Path) -> None:
    put(tmp_path, DAY, b"# day\n")
    record = append_day(tmp_path, DAY, b"- one\n", "capture", {"origin": "web"}, TIME)
    assert (tmp_path / DAY).read_bytes() == b"# day\n- one\n"
    place = {"path": DAY, "offset": 6, "length": 6, "sha256": sha(b"- one\n")}
    assert dict(record.data) == {"origin": "web", "append": place}
    assert staged(tmp_path) == [] and check(tmp_path) == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, b"- one\n"),
        (b"", b"- one\n"),
        (b"kept", b"kept\n- one\n"),
        (b"kept\r\n", b"kept\r\n- one\n"),
        (b"\xff\xfe\0", b"\xff\xfe\0\n- one\n"),
    ],
)
def test_capture_only_adds_bytes(before: bytes | None, after: bytes, tmp_path: Path) -> None:
    if before is not None:
        put(tmp_path, DAY, before)
    append_day(tmp_path, DAY, b"- one\n", "capture", {}, TIME)
    assert (tmp_path / DAY).read_bytes() == after


def test_same_entry_twice_stands_twice(tmp_path: Path) -> None:
    append_day(tmp_path, DAY, b"- ping\n", "capture", {}, TIME)
    append_day(tmp_path, DAY, b"- ping\n", "capture", {}, TIME)
    assert (tmp_path / DAY).read_bytes() == b"- ping\n- ping\n"
    assert check(tmp_path) == ()


def test_note_is_a_line_and_nothing_else(tmp_path: Path) -> None:
    record = note(tmp_path, "failed", {"period": "2026-W14"}, TIME)
    assert record.seq == 1 and dict(record.data) == {"period": "2026-W14"}
    assert {path.name for path in tmp_path.iterdir()} == {".lithify"}


@pytest.mark.parametrize("key", ["files", "append"])
def test_facts_cannot_pose_as_a_commit(key: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=key):
        note(tmp_path, "x", {key: {}}, TIME)
    with pytest.raises(ValueError, match=key):
        append_day(tmp_path, DAY, b"x", "x", {key: {}}, TIME)
    with pytest.raises(ValueError, match=key):
        commit.commit(tmp_path, {}, "x", {key: {}}, TIME)


def test_saved_file_is_never_written_again(tmp_path: Path) -> None:
    save_new(tmp_path, ".lithify/replies/a", b"first")
    save_new(tmp_path, ".lithify/replies/a", b"second")
    assert (tmp_path / ".lithify/replies/a").read_bytes() == b"first"
    assert staged(tmp_path) == []


def test_day_that_cannot_be_written_is_refused_before_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, DAY, b"# day\n")
    note(tmp_path, "init", {}, TIME)
    monkeypatch.setattr(disk.os, "access", lambda path, mode: not str(path).endswith(".md"))
    with pytest.raises(StorageError, match=r"Cannot write memory/2026-04-02\.md: Permission"):
        append_day(tmp_path, DAY, b"- x\n", "capture", {}, TIME)
    monkeypatch.undo()
    assert len(journal.read(tmp_path).records) == 1
    note(tmp_path, "next", {}, TIME)


def test_error_after_the_commit_point_says_it_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replace(src: str, dst: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk.os, "replace", replace)
    with pytest.raises(Unfinished) as caught:
        commit.commit(tmp_path, {WEEK: b"week"}, "summary", {}, TIME)
    monkeypatch.undo()
    assert caught.value.message == (
        "Cannot replace memory/weekly/2026-W14.md: No space left on device. "
        "The change itself is recorded; the next run puts it in place."
    )
    assert not (tmp_path / WEEK).exists()
    recover(tmp_path)
    assert (tmp_path / WEEK).read_bytes() == b"week"


# What a crash left, changed by somebody else before the next write.


def crashed_append(root: Path, before: bytes, entry: bytes) -> None:
    """The state just after the journal line of a capture: staged, recorded, not in the day."""
    put(root, DAY, before)
    append_day(root, DAY, entry, "capture", {}, TIME)
    (place,) = (r.data["append"] for r in journal.read(root).records)
    added = (root / DAY).read_bytes()[len(before) :]
    put(root, f".lithify/staged/{place['sha256']}", added)
    put(root, DAY, before)


@pytest.mark.parametrize(
    ("now", "then"),
    [
        (b"# day\n", b"# day\n- 14:00 entry\n"),
        (b"# day\n- 14:0", b"# day\n- 14:00 entry\n"),
        (b"# day\n- 14:00 entry\n", b"# day\n- 14:00 entry\n"),
        (b"# day\n- 14:00 entry\n- by hand\n", b"# day\n- 14:00 entry\n- by hand\n"),
        (b"# day, edited\n", b"# day, edited\n- 14:00 entry\n"),
        (b"# day, edited", b"# day, edited\n- 14:00 entry\n"),
        (b"# day, edited\n- 14:00 en", b"# day, edited\n- 14:00 entry\n"),
        (b"# edited\n- 14:00 entry\n- more", b"# edited\n- 14:00 entry\n- more"),
        (b"#", b"#\n- 14:00 entry\n"),
        (b"", b"- 14:00 entry\n"),
    ],
)
def test_recovery_adds_exactly_what_is_missing(now: bytes, then: bytes, tmp_path: Path) -> None:
    crashed_append(tmp_path, b"# day\n", b"- 14:00 entry\n")
    put(tmp_path, DAY, now)
    recover(tmp_path)
    assert (tmp_path / DAY).read_bytes() == then
    assert staged(tmp_path) == []
    recover(tmp_path)
    assert (tmp_path / DAY).read_bytes() == then


def test_recovery_syncs_what_it_finds_before_it_lets_the_staged_bytes_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashed_append(tmp_path, b"# day\n", b"- entry\n")
    put(tmp_path, DAY, b"# day\n- entry\n")
    steps: list[str] = []
    for name in ("sync", "sync_dir", "remove"):
        real = getattr(disk, name)

        def step(path: str, name: str = name, real: Callable[[str], None] = real) -> None:
            steps.append(f"{name} {os.path.relpath(path, tmp_path)}")
            real(path)

        monkeypatch.setattr(disk, name, step)
    recover(tmp_path)
    staged_at = f"remove .lithify/staged/{sha(b'- entry' + bytes([10]))}"
    assert steps == ["sync_dir .lithify", f"sync {DAY}", "sync_dir memory", staged_at]


def test_recovery_brings_back_a_day_that_was_removed_meanwhile(tmp_path: Path) -> None:
    crashed_append(tmp_path, b"# day\n", b"- entry\n")
    (tmp_path / DAY).unlink()
    recover(tmp_path)
    assert (tmp_path / DAY).read_bytes() == b"- entry\n"


def test_recovery_of_a_long_entry_in_a_changed_day_is_quick(tmp_path: Path) -> None:
    entry = b"- " + b"long line\n  " * 20_000 + b"\n"
    crashed_append(tmp_path, b"# day\n", entry)
    put(tmp_path, DAY, b"# edited\n" + entry[:-7])
    recover(tmp_path)
    assert (tmp_path / DAY).read_bytes() == b"# edited\n" + entry


def test_staged_bytes_that_were_not_committed_go(tmp_path: Path) -> None:
    note(tmp_path, "init", {}, TIME)
    put(tmp_path, f".lithify/staged/{sha(b'lost')}", b"lost")
    put(tmp_path, f".lithify/staged/{sha(b'half')}.tmp", b"ha")
    note(tmp_path, "next", {}, TIME)
    assert staged(tmp_path) == []


def test_repeat_of_an_old_entry_that_was_not_committed_is_not_added(tmp_path: Path) -> None:
    append_day(tmp_path, DAY, b"- ping\n", "capture", {}, TIME)
    put(tmp_path, f".lithify/staged/{sha(b'- ping' + bytes([10]))}", b"- ping\n")
    recover(tmp_path)
    assert (tmp_path / DAY).read_bytes() == b"- ping\n"


def test_half_staged_bytes_never_come_in_force(tmp_path: Path) -> None:
    commit.commit(tmp_path, {WEEK: b"whole"}, "summary", {}, TIME)
    put(tmp_path, WEEK, b"edited by hand")
    put(tmp_path, f".lithify/staged/{sha(b'whole')}", b"who")
    recover(tmp_path)
    assert (tmp_path / WEEK).read_bytes() == b"edited by hand"


def test_recovery_keeps_what_a_hand_wrote_meanwhile(tmp_path: Path) -> None:
    commit.commit(tmp_path, {WEEK: b"new"}, "summary", {}, TIME)
    put(tmp_path, f".lithify/staged/{sha(b'new')}", b"new")
    put(tmp_path, WEEK, b"by hand")
    recover(tmp_path)
    assert (tmp_path / WEEK).read_bytes() == b"new"
    assert history(tmp_path, WEEK) == {sha(b"by hand"): b"by hand"}


def test_older_commit_never_overwrites_a_newer_one(tmp_path: Path) -> None:
    commit.commit(tmp_path, {WEEK: b"old"}, "summary", {}, TIME)
    commit.commit(tmp_path, {WEEK: b"new"}, "summary", {}, TIME)
    put(tmp_path, f".lithify/staged/{sha(b'old')}", b"old")
    recover(tmp_path)
    assert (tmp_path / WEEK).read_bytes() == b"new"
    assert staged(tmp_path) == []


def test_notes_do_not_hide_a_commit_that_waits(tmp_path: Path) -> None:
    commit.commit(tmp_path, {WEEK: b"new"}, "summary", {}, TIME)
    journal.append(tmp_path, "note", {}, TIME)
    (tmp_path / WEEK).unlink()
    put(tmp_path, f".lithify/staged/{sha(b'new')}", b"new")
    recover(tmp_path)
    assert (tmp_path / WEEK).read_bytes() == b"new"


def test_bytes_whose_record_may_be_damaged_are_set_aside(tmp_path: Path) -> None:
    crashed_append(tmp_path, b"# day\n", b"- entry\n")
    book = tmp_path / ".lithify/journal.jsonl"
    book.write_bytes(book.read_bytes().replace(b"capture", b"kapture"))
    recover(tmp_path)
    assert staged(tmp_path) == []
    assert history(tmp_path, "unclaimed") == {sha(b"- entry\n"): b"- entry\n"}


def test_files_of_others_in_the_staging_folder_are_left_alone(tmp_path: Path) -> None:
    put(tmp_path, ".lithify/staged/README", b"hm")
    append_day(tmp_path, DAY, b"- x\n", "capture", {}, TIME)
    assert staged(tmp_path) == ["README"]


def test_reading_recovers_nothing(tmp_path: Path) -> None:
    crashed_append(tmp_path, b"# day\n", b"- entry\n")
    before = staged(tmp_path)
    journal.read(tmp_path)
    check(tmp_path)
    assert staged(tmp_path) == before != []
    assert (tmp_path / DAY).read_bytes() == b"# day\n"


def test_an_error_says_whether_something_was_done_before(tmp_path: Path) -> None:
    error = StorageError(action="write", path="x", reason="No space left on device")
    with pytest.raises(StorageError, match="Nothing was changed"), in_steps(tmp_path):
        raise error
    with pytest.raises(PartlyDone, match="kept; run the command again"), in_steps(tmp_path):
        note(tmp_path, "one", {}, TIME)
        raise error
