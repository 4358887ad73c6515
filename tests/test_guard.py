"""Whatever a period's content makes the program raise, that period fails with its reason and no other."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lithify.compact import lessons, wisdom_in_line
from lithify.errors import Locked
from lithify.memory import CompactOptions, Memory, offline_engine
from lithify.values import Brief, Draft
from roots import DAYS, MARKED, made, opened, state, text


class Raising:
    """The offline engine, but for briefs that a test picks."""

    def __init__(self, tier: str, error: BaseException, words: str = "") -> None:
        self._inner: Any = offline_engine()
        self._picks: Callable[[Brief], bool] = lambda brief: (
            brief.tier == tier and (words in "".join(entry.text for entry in brief.entries))
        )
        self._error = error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def draft(self, brief: Brief, *more: Any, **options: Any) -> Draft:
        if self._picks(brief):
            raise self._error
        return self._inner.draft(brief, *more, **options)


def run(memory: Memory, engine: Any) -> dict[str, str]:
    report = memory.compact(CompactOptions(engine=engine))
    return {one.task.key: one.reason for one in report.results if one.status == "failed"}


ERRORS = [
    IndexError("list index out of range"),
    KeyError("label"),
    RecursionError("maximum recursion depth exceeded"),
    UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed"),
    AssertionError(),
    OverflowError("int too large to convert to float"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("tier", ["week", "month"])
def test_a_period_whose_content_raises_fails_alone(
    tier: str, error: Exception, tmp_path: Path
) -> None:
    memory = made(tmp_path, DAYS)
    failed = run(memory, Raising(tier, error, "1,240" if tier == "week" else "restart"))
    (key,) = failed
    assert key == {"week": "week:2026-W14", "month": "month:2026-04"}[tier]
    assert type(error).__name__ in failed[key]
    assert state(memory, key) == "failed"
    if tier == "week":
        assert "2,900 rows" in text(memory, "memory/weekly/2026-W15.md")
    # Nothing has changed, so it is not tried again; with --retry it is written.
    assert run(memory, offline_engine()) == {}
    assert memory.compact(CompactOptions(retry=True)).exit_code == 0
    assert state(memory, key) == "current"


def test_a_mark_that_raises_keeps_no_other_week(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = lessons.marked_memories

    def marked(snapshot: Any, task: Any) -> Any:
        if task.period == "2026-W14":
            raise IndexError("string index out of range")
        return inner(snapshot, task)

    monkeypatch.setattr(lessons, "marked_memories", marked)
    memory = made(tmp_path, MARKED)
    failed = run(memory, offline_engine())
    assert "IndexError" in failed["typed:2026-W14"]
    assert "migration" in str(memory.memories.list())
    assert "Priya" in text(memory, "memory/weekly/2026-W14.md")


def test_wisdom_that_raises_keeps_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def raising(*given: Any) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(wisdom_in_line, "bring_in_line", raising)
    memory = made(tmp_path, DAYS)
    assert "ZeroDivisionError" in run(memory, offline_engine())["wisdom:"]
    assert "Priya" in text(memory, "memory/weekly/2026-W14.md")


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        MemoryError(),
        Locked(holder="pid 1"),
        KeyboardInterrupt(),
        ConnectionResetError(errno.ECONNRESET, "Connection reset by peer"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_the_machine_raises_leaves_a_period_due(error: BaseException, tmp_path: Path) -> None:
    memory = made(tmp_path, DAYS)
    with pytest.raises(type(error)):
        run(memory, Raising("week", error, "1,240"))
    assert state(opened(memory.root), "week:2026-W14") == "due"
