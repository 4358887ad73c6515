"""Records come back as they were written, and no byte of them changes unseen."""

from __future__ import annotations

import json
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lithify.store import journal
from lithify.store.journal import Fault

TIME = "2026-04-02T14:00:00Z"

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
facts = st.dictionaries(st.text().filter(lambda key: key not in journal.OWN), values, max_size=4)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".lithify").mkdir()
    return tmp_path


def fill(root: Path, count: int = 5) -> bytes:
    for number in range(count):
        journal.append(root, "note", {"number": number, "text": "Zürich ✓"}, TIME)
    return book(root).read_bytes()


def book(root: Path) -> Path:
    return root / ".lithify/journal.jsonl"


def test_line_is_json_bound_to_the_line_before(root: Path) -> None:
    first, second = (json.loads(line) for line in fill(root, 2).splitlines())
    assert list(first) == ["seq", "time", "kind", "number", "text", "prev", "hash"]
    assert (first["seq"], second["seq"]) == (1, 2)
    assert first["prev"] == "0" * 64
    assert second["prev"] == first["hash"]


def test_hash_is_of_the_line_without_its_hash(root: Path) -> None:
    line = fill(root, 1).rstrip(b"\n")
    claimed = json.loads(line)["hash"]
    without = line.replace(b',"hash":"' + claimed.encode() + b'"', b"")
    assert sha256(without).hexdigest() == claimed


def test_missing_journal_is_empty(tmp_path: Path) -> None:
    assert journal.read(tmp_path) == journal.Journal()


@settings(deadline=None)
@given(st.lists(st.tuples(st.text(), facts, st.text()), max_size=5))
def test_any_records_come_back(written: list[tuple[str, dict[str, Any], str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / ".lithify").mkdir()
        records = [journal.append(folder, kind, data, time) for kind, data, time in written]
        found = journal.read(folder)
    assert found.faults == () and found.torn == b""
    assert [(r.kind, dict(r.data), r.time) for r in found.records] == written
    assert [r.hash for r in found.records] == [r.hash for r in records]
    assert [r.line for r in found.records] == list(range(1, len(written) + 1))


@settings(deadline=None)
@given(st.lists(facts, min_size=1, max_size=4), st.data())
def test_any_flipped_byte_of_a_complete_line_is_found(
    written: list[dict[str, Any]], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / ".lithify").mkdir()
        for one in written:
            journal.append(folder, "note", one, TIME)
        raw = bytearray(book(Path(folder)).read_bytes())
    place = data.draw(st.integers(0, len(raw) - 1))
    line = raw.count(b"\n", 0, place) + 1
    changed = data.draw(st.integers(0, 255))
    assume(changed != raw[place])
    raw[place] = changed
    assert journal.verify(bytes(raw)).faults[0].line == line


def test_every_single_byte_flip_is_found_at_its_line(root: Path) -> None:
    raw = fill(root, 2)
    for place in range(len(raw)):
        flipped = raw[:place] + bytes([raw[place] ^ 0x20]) + raw[place + 1 :]
        faults = journal.verify(flipped).faults
        assert faults and faults[0].line == raw.count(b"\n", 0, place) + 1


def test_number_written_otherwise_is_found(root: Path) -> None:
    journal.append(root, "note", {"size": 1e22}, TIME)
    raw = book(root).read_bytes()
    assert b"1e+22" in raw
    assert journal.verify(raw.replace(b"1e+22", b"1E+22")).faults


@pytest.mark.parametrize(
    ("order", "line", "reason"),
    [
        ([1, 2, 3, 4], 1, "records 1 to 1 before it are missing or stand elsewhere"),
        ([0, 1, 3, 4], 3, "records 3 to 3 before it are missing or stand elsewhere"),
        ([0, 4], 2, "records 2 to 4 before it are missing or stand elsewhere"),
        ([0, 2, 1, 3, 4], 2, "records 2 to 2 before it are missing or stand elsewhere"),
        ([0, 1, 1, 2, 3, 4], 3, "record 2 stands after record 2"),
    ],
)
def test_removed_moved_or_doubled_line_is_found(
    order: list[int], line: int, reason: str, root: Path
) -> None:
    lines = fill(root).splitlines(keepends=True)
    faults = journal.verify(b"".join(lines[number] for number in order)).faults
    assert faults[0] == Fault(line, reason)


def test_line_of_another_journal_is_found(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / ".lithify").mkdir(parents=True)
    journal.append(other, "note", {"number": "forged"}, TIME)
    journal.append(other, "note", {"number": "forged"}, TIME)
    lines = fill(root).splitlines(keepends=True)
    lines[1] = book(other).read_bytes().splitlines(keepends=True)[1]
    faults = journal.verify(b"".join(lines)).faults
    assert faults[0] == Fault(2, "it does not follow the record before it")


def test_one_bad_line_is_one_fault_and_the_rest_is_read(root: Path) -> None:
    lines = fill(root).splitlines(keepends=True)
    lines[2] = b"scribble\n"
    found = journal.verify(b"".join(lines))
    assert [fault.line for fault in found.faults] == [3]
    assert [record.seq for record in found.records] == [1, 2, 4, 5]


def test_tail_cut_anywhere_is_no_fault_and_heals_by_adding(root: Path) -> None:
    raw = fill(root, 2)
    start = raw.index(b"\n") + 1
    for end in range(start, len(raw)):
        book(root).write_bytes(raw[:end])
        found = journal.read(root)
        assert found.faults == ()
        whole = end == len(raw) - 1
        assert len(found.records) == (2 if whole else 1)
        assert found.torn == (b"" if whole else raw[start:end])

        journal.append(root, "note", {"number": "next"}, TIME)
        healed = book(root).read_bytes()
        assert healed.startswith(raw[:end])
        found = journal.read(root)
        assert (found.faults, found.torn) == ((), b"")
        assert [record.seq for record in found.records] == list(range(1, len(found.records) + 1))
        last = found.records[-1]
        assert last.data["number"] == "next"
        torn = sha256(raw[start:end]).hexdigest() if start < end and not whole else None
        assert last.data.get("torn") == torn


def test_healing_cut_short_anywhere_heals_again(root: Path) -> None:
    raw = fill(root, 2)
    book(root).write_bytes(raw[:-40])
    journal.append(root, "note", {"number": "next"}, TIME)
    healed = book(root).read_bytes()
    for end in range(len(raw) - 40, len(healed)):
        book(root).write_bytes(healed[:end])
        assert journal.read(root).faults == ()
        journal.append(root, "note", {"number": "last"}, TIME)
        assert book(root).read_bytes().startswith(healed[:end])
        found = journal.read(root)
        assert (found.faults, found.torn) == ((), b"")
        assert found.records[-1].data["number"] == "last"


def test_healed_piece_cannot_be_changed_or_removed_unseen(root: Path) -> None:
    raw = fill(root, 2)
    book(root).write_bytes(raw[:-40])
    journal.append(root, "note", {}, TIME)
    first, piece, last = book(root).read_bytes().splitlines(keepends=True)
    assert piece.endswith(b"#torn\n")
    changed = piece.replace(b"note", b"nope")
    assert journal.verify(first + changed + last).faults[0].line == 2
    assert journal.verify(first + last).faults[0].line == 2
    assert journal.verify(first + piece + piece + last).faults[0].line == 2
    assert journal.verify(first + b"x#torn\n" + piece + last).faults[0].line == 2


def test_damage_is_never_taken_for_a_crash(root: Path) -> None:
    raw = fill(root, 3)
    book(root).write_bytes(raw.replace(b'"number":2', b'"number":7'))
    journal.append(root, "note", {}, TIME)
    found = journal.read(root)
    assert [fault.line for fault in found.faults] == [3]
    assert "torn" not in found.records[-1].data
    assert found.records[-1].prev == found.records[1].hash


@pytest.mark.parametrize("change", [(b'"number":2', b'"number":7'), (b'"}', b'"}}')])
def test_damaged_last_line_without_newline_is_never_taken_for_a_crash(
    change: tuple[bytes, bytes], root: Path
) -> None:
    first, second, last = fill(root, 3).splitlines(keepends=True)
    book(root).write_bytes(first + second + last.rstrip(b"\n").replace(*change))
    assert [fault.line for fault in journal.read(root).faults] == [3]
    journal.append(root, "note", {}, TIME)
    found = journal.read(root)
    assert [fault.line for fault in found.faults] == [3]
    assert [record.seq for record in found.records] == [1, 2, 3]


def test_piece_that_ends_in_a_hash_of_its_facts_is_a_piece(root: Path) -> None:
    fill(root, 1)
    journal.append(root, "note", {"a": {"hash": "0" * 64, "prev": "0" * 64}, "z": 1}, TIME)
    raw = book(root).read_bytes()
    book(root).write_bytes(raw[: raw.index(b',"z"')])
    found = journal.read(root)
    assert found.faults == () and found.torn


def test_block_of_zeros_after_a_power_cut_heals(root: Path) -> None:
    fill(root, 2)
    with open(book(root), "ab") as file:
        file.write(b"\0" * 700)
    assert journal.read(root).faults == ()
    journal.append(root, "note", {}, TIME)
    found = journal.read(root)
    assert found.faults == () and len(found.records) == 3


def test_journal_of_garbage_still_takes_records(root: Path) -> None:
    book(root).write_bytes(b"not a journal\n" * 3)
    journal.append(root, "note", {}, TIME)
    found = journal.read(root)
    assert found.faults[0].line == 1
    assert [record.seq for record in found.records] == [1]


def test_append_reads_only_the_tail(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(50):
        journal.append(root, "note", {"text": "long " * 1000}, TIME)
    amounts: list[int] = []
    real = journal.disk.read_range

    def read_range(path: str, start: int, length: int) -> bytes:
        amounts.append(length)
        return real(path, start, length)

    monkeypatch.setattr(journal.disk, "read_range", read_range)
    monkeypatch.delattr(journal.disk, "read")
    journal.append(root, "note", {}, TIME)
    assert sum(amounts) <= 1 << 16 < book(root).stat().st_size


def test_record_longer_than_a_block_is_followed(root: Path) -> None:
    journal.append(root, "note", {"text": "long " * 60_000}, TIME)
    journal.append(root, "note", {"text": "long " * 60_000}, TIME)
    journal.append(root, "note", {}, TIME)
    assert journal.read(root).faults == ()
    assert [record.seq for record in journal.newest(root) if record] == [3, 2, 1]


def test_newest_first_shows_where_damage_is(root: Path) -> None:
    lines = fill(root).splitlines(keepends=True)
    book(root).write_bytes(b"".join([*lines[:3], b"scribble\n", lines[4], b'{"seq":6,']))
    assert [record and record.seq for record in journal.newest(root)] == [5, None, 3, 2, 1]


@pytest.mark.parametrize("key", sorted(journal.OWN))
def test_facts_cannot_pose_as_the_journals_own(key: str, root: Path) -> None:
    with pytest.raises(ValueError, match=key):
        journal.append(root, "note", {key: "x"}, TIME)
    assert not book(root).exists()


def test_name_that_is_no_text_is_carried(root: Path) -> None:
    name = b"memory/caf\xe9.md".decode("utf-8", "surrogateescape")
    journal.append(root, "note", {"files": {name: "x"}}, TIME)
    found = journal.read(root)
    assert found.faults == () and found.in_force() == {name: "x"}


def test_in_force_is_the_newest_of_each_path(root: Path) -> None:
    journal.append(root, "a", {"files": {"x": "1", "y": "1"}}, TIME)
    journal.append(root, "b", {"files": {"x": None}}, TIME)
    assert journal.read(root).in_force() == {"x": None, "y": "1"}


@given(st.data())
def test_what_was_appended_is_verified_as_if_all_were_read_anew(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    root = tmp_path_factory.mktemp("root")
    place = book(root)
    place.parent.mkdir()
    chain = journal.Chain()
    for number in range(data.draw(st.integers(1, 6))):
        chain.add("2026-04-02T10:00:00Z", "note", {"number": number})
    whole = bytes(chain)
    torn = data.draw(st.sampled_from([b"", b"#torn\n", b"{}\n", b"\n", whole[:50], whole]))
    at = data.draw(st.integers(0, len(whole)))
    whole = whole[:at] + torn + whole[at:]
    for end in sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=4))):
        place.write_bytes(whole[:end])
        assert journal.read(root) == journal.verify(whole[:end])
    place.write_bytes(whole)
    assert journal.read(root) == journal.verify(whole)
    last = journal.read(root).records[-1:]
    more = journal.Chain(last[0].seq, last[0].hash) if last else journal.Chain()
    more.add("2026-04-02T11:00:00Z", "note", {"more": True})
    place.write_bytes(whole + bytes(more))
    assert journal.read(root) == journal.verify(whole + bytes(more))
