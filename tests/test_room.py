"""What a compaction remembers is bounded, and nothing it writes rests on what it remembers."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest

import roots
from lithify.compact import room, snapshot
from lithify.compact.room import Room
from lithify.text.tokens import estimate


def test_a_compaction_that_forgets_after_every_page_writes_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = roots.made(tmp_path / "whole")
    whole.compact()
    forgot = []

    def is_full(self: Room) -> bool:
        room.forget()
        forgot.append(self)
        return True

    monkeypatch.setattr(Room, "is_full", is_full)
    small = roots.made(tmp_path / "small")
    small.compact()
    assert len(forgot) > 3
    assert roots.everything(small.root) == roots.everything(whole.root)


def spring(folder: Path, weeks: int = 9) -> Path:
    """Some weeks from March on with something to decide and to keep on each of their days."""
    monday = date(2026, 3, 2)
    return roots.make(
        folder,
        {
            f"{monday + timedelta(weeks=week, days=day)}": [
                f"Decided to ship release 2.{week}.{day} because job {week} takes {week + 3} hours.",
                f"Always run migration {week}{day} on a copy first, because it locks the table.",
                f"Blocked: the certificate of host {week}{day} has expired.",
            ]
            for week in range(weeks)
            for day in range(4)
        },
    )


def test_offline_a_month_is_written_after_the_weeks_of_the_next(tmp_path: Path) -> None:
    memory = roots.opened(spring(tmp_path / "root", 13), "2026-07-06")
    written = [result.task.key for result in memory.compact(workers=1).results]
    march = written.index("month:2026-03")
    assert written[march - 1].endswith("2026-W18")
    assert written[march + 1].endswith("2026-W19")
    assert written[-3:] == ["month:2026-04", "month:2026-05", "wisdom:"]


def test_a_day_is_read_three_times_at_most_when_two_months_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: Counter[str] = Counter()
    read = snapshot.Snapshot.document

    def document(self: snapshot.Snapshot, path: str) -> object:
        reads[path] += 1
        return read(self, path)

    monkeypatch.setattr(snapshot.Snapshot, "document", document)
    monkeypatch.setattr(snapshot, "_KEPT", 11 * 4 * 3)
    monkeypatch.setattr(snapshot, "_CITED", 1)
    # Other tests may have left this process large.
    monkeypatch.setattr(Room, "is_full", lambda self: False)
    memory = roots.opened(spring(tmp_path / "root", 13), "2026-07-06")
    memory.compact(workers=1)
    days = [path for path in reads if path.startswith("memory/2026-")]
    assert len(days) == 13 * 4
    assert max(reads[path] for path in days) <= 3


def test_a_process_forgets_when_it_holds_more_than_its_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = 100
    forgot = []
    monkeypatch.setattr(room, "_held", lambda: held)
    monkeypatch.setattr(room, "forget", lambda: forgot.append(held))
    mine = Room(300)
    assert not mine.is_full()
    # The hundred is there once, however many hold it; each may hold fifty of its own.
    mine.divide(4)
    held = 150
    assert not mine.is_full()
    held = 151
    assert mine.is_full()
    # What stays is no reason to forget again; what grows on it is.
    assert not mine.is_full()
    held = 182
    assert mine.is_full()
    assert forgot == [151, 182]


def test_what_is_forgotten_is_worked_out_again() -> None:
    from lithify.text import tokens

    before = estimate("some words of a line")
    room.forget()
    assert tokens._remembered.cache_info().currsize == 0
    assert estimate("some words of a line") == before


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="nobody tells")
def test_what_a_process_holds_is_known() -> None:
    assert room._held() > 1 << 20
