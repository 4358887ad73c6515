"""What a compaction remembers is bounded, and nothing it writes rests on what it remembers."""

from __future__ import annotations

from pathlib import Path

import pytest

import roots
from lithify.compact import room
from lithify.compact.room import Room
from lithify.tokens import estimate


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
    from lithify import tokens

    before = estimate("some words of a line")
    room.forget()
    assert tokens._remembered.cache_info().currsize == 0
    assert estimate("some words of a line") == before


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="nobody tells")
def test_what_a_process_holds_is_known() -> None:
    assert room._held() > 1 << 20
