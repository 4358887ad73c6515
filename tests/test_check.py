"""Damage is found and named; repair copies first and drops nothing that can be read."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path

import pytest

from lithify.store import commit, journal
from lithify.store.check import Problem, check
from lithify.store.commit import append_day, note, save_new
from lithify.store.places import JOURNAL
from lithify.store.repair import repair
from lithify.store.tree import scan

TIME = "2026-04-02T14:00:00Z"
LATER = "2026-04-03T09:00:00Z"
DAY = "memory/2026-04-02.md"
WEEK = "memory/weekly/2026-W14.md"


def sha(data: bytes) -> str:
    return sha256(data).hexdigest()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with a life: captures, two versions of a week, a note, a saved reply."""
    append_day(tmp_path, DAY, b"# day\n- one\n", "capture", {"origin": "web"}, TIME)
    append_day(tmp_path, DAY, b"- two\n", "capture", {"origin": "user"}, TIME)
    commit.commit(tmp_path, {WEEK: b"first\n"}, "summary", {}, TIME)
    commit.commit(tmp_path, {WEEK: b"second\n"}, "summary", {}, TIME)
    note(tmp_path, "failed", {"period": "2026-W15"}, TIME)
    save_new(tmp_path, f".lithify/replies/{sha(b'reply')}", b"reply")
    assert check(tmp_path) == ()
    return tmp_path


def put(root: Path, path: str, data: bytes) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(data)


def edit(root: Path, path: str, old: bytes, new: bytes) -> None:
    data = (root / path).read_bytes()
    assert old in data
    (root / path).write_bytes(data.replace(old, new, 1))


def summary(problems: tuple[Problem, ...]) -> list[tuple[str, str, str]]:
    return [(problem.kind, problem.path, problem.severity) for problem in problems]


def kept(root: Path) -> dict[str, bytes]:
    folder = root / ".lithify/history/repair"
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


# What is found.


def test_root_of_another_tool_is_clean_and_stays_untouched(tmp_path: Path) -> None:
    put(tmp_path, DAY, b"- by others\n")
    assert check(tmp_path) == ()
    assert [path.name for path in tmp_path.iterdir()] == ["memory"]


def test_first_bad_line_of_the_journal_is_named(root: Path) -> None:
    edit(root, JOURNAL, b'"origin":"user"', b'"origin":"aser"')
    edit(root, JOURNAL, b'"kind":"failed"', b'"kind":"passed"')
    (problem,) = check(root)
    assert (problem.kind, problem.line, problem.severity) == ("journal", 2, "error")
    assert problem.message.endswith("(and 1 more after it)")


def test_journal_that_is_gone_is_missed(root: Path) -> None:
    (root / JOURNAL).unlink()
    assert ("journal", JOURNAL, "error") in summary(check(root))


def test_cut_last_line_is_due_until_the_next_write(root: Path) -> None:
    lines = (root / JOURNAL).read_bytes().count(b"\n")
    with open(root / JOURNAL, "ab") as file:
        file.write(b'{"seq":6,"ti')
    (problem,) = check(root)
    assert (problem.kind, problem.line, problem.severity) == ("torn", lines + 1, "due")
    note(root, "next", {}, TIME)
    assert check(root) == ()


def test_leftovers_are_due_until_the_next_write(root: Path) -> None:
    name = sha(b"left")
    put(root, f".lithify/staged/{name}", b"left")
    assert summary(check(root)) == [("staged", f".lithify/staged/{name}", "due")]
    assert check(root)[0].message.startswith("left by a run that was stopped or crashed;")
    note(root, "next", {}, TIME)
    assert check(root) == ()


def test_changed_derived_file_is_a_note(root: Path) -> None:
    put(root, WEEK, b"edited by hand\n")
    assert summary(check(root)) == [("changed", WEEK, "note")]


def test_derived_file_that_is_gone_is_due(root: Path) -> None:
    (root / WEEK).unlink()
    assert summary(check(root)) == [("gone", WEEK, "due")]


def test_deleted_file_that_is_back_is_a_note(root: Path) -> None:
    commit.commit(root, {WEEK: None}, "removed", {}, TIME)
    assert check(root) == ()
    put(root, WEEK, b"back\n")
    assert summary(check(root)) == [("changed", WEEK, "note")]


@pytest.mark.parametrize("folder", ["history/memory/weekly/2026-W14.md", "replies"])
def test_file_that_belies_its_name_is_an_error(folder: str, root: Path) -> None:
    (path,) = (root / ".lithify" / folder).iterdir()
    path.write_bytes(b"other")
    assert summary(check(root)) == [("address", path.relative_to(root).as_posix(), "error")]


@pytest.mark.parametrize("name", ["week-{}.json", "{}.json", "{}", "key.{}.json"])
def test_content_address_is_found_in_a_name(name: str, tmp_path: Path) -> None:
    path = ".lithify/quarantine/" + name.format(sha(b"draft"))
    save_new(tmp_path, path, b"draft")
    assert check(tmp_path) == ()
    put(tmp_path, path, b"drift")
    assert summary(check(tmp_path)) == [("address", path, "error")]


def test_name_without_an_address_is_not_judged(tmp_path: Path) -> None:
    save_new(tmp_path, ".lithify/replies/" + "ab" * 20 + ".json", b"x")
    assert check(tmp_path) == ()


def test_cache_that_lies_is_an_error(root: Path) -> None:
    os.utime(root / DAY, (1e9, 1e9))
    scan(root)
    path = root / ".lithify/digests.json"
    saved = json.loads(path.read_bytes())
    saved["files"][DAY][4] = "0" * 64
    path.write_text(json.dumps(saved))
    assert summary(check(root)) == [("cache", DAY, "error")]
    assert summary(check(root)) == [("cache", DAY, "error")]  # looking does not hide it


@pytest.mark.parametrize("cut", [6, 3])
def test_captured_entry_that_was_never_written_is_an_error(cut: int, root: Path) -> None:
    data = (root / DAY).read_bytes()
    put(root, DAY, data[:-cut])
    (problem,) = check(root)
    assert (problem.kind, problem.path, problem.severity) == ("capture", DAY, "error")
    assert problem.line == 3
    assert "record 2" in problem.message


def test_edited_entry_is_a_note(root: Path) -> None:
    edit(root, DAY, b"- one", b"- won")
    assert summary(check(root)) == [("changed", DAY, "note")]


@pytest.mark.parametrize("new", [b"# A longer heading\n", b"#\n"])
def test_entries_moved_by_an_edit_above_are_found(new: bytes, root: Path) -> None:
    data = (root / DAY).read_bytes()
    put(root, DAY, b"intro\n" + data)
    assert check(root) == ()
    edit(root, DAY, b"intro\n# day\n- one\n", new)
    assert "record 2" not in " ".join(problem.message for problem in check(root))


def read_by_compaction(root: Path, data: bytes) -> None:
    facts = {"files": {}, "sources": {DAY: sha(data)}, "task": "week:2026-W14"}
    journal.append(root, "commit", facts, LATER)


def test_deleted_line_is_a_note_once_compaction_has_read_the_day_without_it(root: Path) -> None:
    whole = (root / DAY).read_bytes()
    read_by_compaction(root, whole)
    put(root, DAY, whole[:-6])
    assert summary(check(root)) == [("capture", DAY, "error")]
    read_by_compaction(root, whole[:-6])
    assert summary(check(root)) == [("changed", DAY, "note")]
    put(root, DAY, whole[:-8])  # cut once more, and read by nobody since
    assert ("capture", DAY, "error") in summary(check(root))


def test_line_deleted_before_a_shorter_capture_is_a_note(root: Path) -> None:
    put(root, DAY, (root / DAY).read_bytes()[:-6])
    append_day(root, DAY, b"- 3\n", "capture", {"origin": "user"}, LATER)
    assert summary(check(root)) == [("changed", DAY, "note")]


def test_day_that_was_let_go_is_not_missed(root: Path) -> None:
    (root / DAY).unlink()
    note(root, "accept-removed", {"paths": [DAY]}, LATER)
    assert check(root) == ()
    append_day(root, DAY, b"- new\n", "capture", {"origin": "user"}, LATER)
    assert check(root) == ()
    (root / DAY).unlink()
    assert summary(check(root)) == [("gone", DAY, "due")]


def test_whole_new_version_of_a_day_voids_the_captures_before_it(root: Path) -> None:
    """What an explicit `forget` leaves: the day rewritten, and a record that says so."""
    put(root, DAY, b"# day\n")
    journal.append(root, "forget", {"files": {DAY: sha(b"# day\n")}}, TIME)
    assert check(root) == ()


def test_day_with_captures_that_is_gone_is_due(root: Path) -> None:
    (root / DAY).unlink()
    assert summary(check(root)) == [("gone", DAY, "due")]


def test_refused_files_are_shown(root: Path) -> None:
    put(root, "memory/weekly/2026-W20.md", b"")
    (root / "memory/2026-04-06.md").symlink_to("/")
    assert summary(check(root)) == [
        ("refused", "memory/2026-04-06.md", "note"),
        ("refused", "memory/weekly/2026-W20.md", "note"),
    ]


def test_other_packages_add_their_problems(root: Path) -> None:
    extra = Problem("claim", WEEK, 3, "its source no longer exists", "due")
    assert check(root, extra=lambda written: [extra]) == (extra,)


def test_write_during_the_check_is_no_problem(root: Path) -> None:
    rounds: list[int] = []

    def meanwhile(written: journal.Journal) -> list[Problem]:
        rounds.append(len(rounds))
        if len(rounds) == 1:
            commit.commit(root, {WEEK: b"third\n"}, "summary", {}, TIME)
            return [Problem("claim", WEEK, 0, "seen in the middle of a write", "due")]
        return []

    assert check(root, extra=meanwhile) == ()
    assert rounds == [0, 1]


# What is put right.


def test_sound_root_needs_no_repair(root: Path) -> None:
    before = (root / JOURNAL).read_bytes()
    done = repair(root, LATER)
    assert (done.done, done.copies, done.left) == ((), "", ())
    assert (root / JOURNAL).read_bytes() == before


def test_repaired_journal_keeps_every_record_that_can_be_read(root: Path) -> None:
    old = journal.read(root).records
    edit(root, JOURNAL, b'"origin":"web"', b'"origin":"wxb"')
    damaged = (root / JOURNAL).read_bytes()
    done = repair(root, LATER)
    assert done.left == () and done.copies == ".lithify/history/repair/1"
    assert kept(root) == {"1/.lithify/journal.jsonl": damaged}
    found = journal.read(root)
    assert found.faults == ()
    *records, last = found.records
    assert [(r.kind, r.time) for r in records] == [(r.kind, r.time) for r in old]
    assert records[0].data["doubtful"] == 1 and records[0].data["origin"] == "wxb"
    assert [r.data for r in records[1:]] == [r.data for r in old[1:]]
    assert (last.kind, last.time) == ("repaired", LATER)
    assert last.data == {
        "copy": ".lithify/history/repair/1/.lithify/journal.jsonl",
        "sha256": sha(damaged),
        "fault_lines": [1],
        "doubtful_lines": [1],
        "records": 5,
    }


def test_line_that_is_no_json_is_kept_as_text(root: Path) -> None:
    edit(root, JOURNAL, b'"origin":"web"', b'"origin":"web')
    repair(root, LATER)
    found = journal.read(root)
    assert found.faults == ()
    assert found.records[0].kind == "damaged" and '"origin":"web' in found.records[0].data["text"]


@pytest.mark.parametrize("junk", [b"\xff\xfe\n", b"[1]\n", b'"text"\n', b'{"kind":1,"time":2}\n'])
def test_line_of_junk_is_kept_as_text(junk: bytes, root: Path) -> None:
    raw = (root / JOURNAL).read_bytes()
    (root / JOURNAL).write_bytes(junk + raw)
    assert repair(root, LATER).left == ()
    kinds = [record.kind for record in journal.read(root).records]
    assert kinds == ["damaged", "capture", "capture", "summary", "summary", "failed", "repaired"]


@pytest.mark.parametrize(
    "change",
    [
        (b'"offset":12', b'"offset":"2'),
        (b'"length":6', b'"lengtX":6'),
        (b'{"memory/', b'["memory/'),
    ],
)
def test_record_that_lost_its_shape_is_never_acted_on(
    change: tuple[bytes, bytes], root: Path
) -> None:
    edit(root, JOURNAL, *change)
    assert repair(root, LATER).left == ()
    assert "damaged" in [record.kind for record in journal.read(root).records]


def test_moved_and_doubled_lines_find_their_place(root: Path) -> None:
    old = [record.data for record in journal.read(root).records]
    a, b, c, d, e = (root / JOURNAL).read_bytes().splitlines(keepends=True)
    (root / JOURNAL).write_bytes(a + d + d + b + e + c)
    assert repair(root, LATER).left == ()
    *records, last = journal.read(root).records
    assert [record.data for record in records] == old
    assert last.data["doubtful_lines"] == []


def test_removed_lines_are_told_and_the_others_kept(root: Path) -> None:
    a, _, c, d, e = (root / JOURNAL).read_bytes().splitlines(keepends=True)
    (root / JOURNAL).write_bytes(a + c + d + e)
    assert repair(root, LATER).left == ()
    found = journal.read(root)
    assert len(found.records) == 5 and found.records[-1].data["fault_lines"] == [2]


def test_healed_tear_survives_a_repair(root: Path) -> None:
    with open(root / JOURNAL, "ab") as file:
        file.write(b'{"seq":6,"ti')
    note(root, "next", {}, TIME)
    edit(root, JOURNAL, b'"origin":"web"', b'"origin":"wxb"')
    assert repair(root, LATER).left == ()
    assert [r.kind for r in journal.read(root).records][-2:] == ["next", "repaired"]


def test_torn_tail_is_closed(root: Path) -> None:
    with open(root / JOURNAL, "ab") as file:
        file.write(b'{"seq":6,"ti')
    done = repair(root, LATER)
    assert done.left == () and len(done.done) == 1
    assert journal.read(root).records[-1].kind == "repaired"


def test_leftovers_are_copied_then_settled(root: Path) -> None:
    name = sha(b"- two\n")
    put(root, f".lithify/staged/{name}", b"- two\n")
    data = (root / DAY).read_bytes()
    done = repair(root, LATER)
    assert done.left == ()
    assert kept(root)[f"1/.lithify/staged/{name}"] == b"- two\n"
    assert (root / DAY).read_bytes() == data


def test_missing_file_comes_back_from_history(root: Path) -> None:
    commit.commit(root, {WEEK: b"first\n"}, "summary", {}, TIME)
    (root / WEEK).unlink()
    done = repair(root, LATER)
    assert done.done == (f"brought {WEEK} back from history",) and done.left == ()
    assert (root / WEEK).read_bytes() == b"first\n"


def test_missing_file_without_a_copy_stays_due(root: Path) -> None:
    (root / WEEK).unlink()
    done = repair(root, LATER)
    assert done.done == () and summary(done.left) == [("gone", WEEK, "due")]


def test_file_that_belies_its_name_is_taken_out_of_use(root: Path) -> None:
    path = f".lithify/replies/{sha(b'reply')}"
    put(root, path, b"other")
    assert repair(root, LATER).left == ()
    assert not (root / path).exists()
    assert kept(root) == {f"1/{path}": b"other"}


def test_cache_that_lies_is_removed(root: Path) -> None:
    os.utime(root / DAY, (1e9, 1e9))
    scan(root)
    edit(root, ".lithify/digests.json", sha((root / DAY).read_bytes()).encode(), b"0" * 64)
    assert repair(root, LATER).left == ()
    assert not (root / ".lithify/digests.json").exists()


def test_hand_edits_are_not_repaired_away(root: Path) -> None:
    put(root, WEEK, b"edited by hand\n")
    done = repair(root, LATER)
    assert done.done == () and summary(done.left) == [("changed", WEEK, "note")]
    assert (root / WEEK).read_bytes() == b"edited by hand\n"


def test_each_repair_has_its_own_copies(root: Path) -> None:
    for number, old, new in ((1, b"failed", b"fa1led"), (2, b"2026-W15", b"2026-W16")):
        edit(root, JOURNAL, old, new)
        assert repair(root, LATER).copies == f".lithify/history/repair/{number}"
    assert set(kept(root)) == {"1/.lithify/journal.jsonl", "2/.lithify/journal.jsonl"}


def test_sources_are_never_touched_by_a_repair(root: Path) -> None:
    data = (root / DAY).read_bytes()
    edit(root, JOURNAL, b'"origin":"web"', b'"origin":"wxb"')
    put(root, f".lithify/staged/{sha(b'x')}", b"x")
    (root / WEEK).unlink()
    repair(root, LATER)
    assert (root / DAY).read_bytes() == data
