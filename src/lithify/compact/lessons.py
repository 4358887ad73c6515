"""What the days of a week taught is committed: the memories of their marks, and the files of all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from lithify.calendar import parse_day, stamp, week_of
from lithify.compact.ledger import Lessons, ledger_form, memory_data
from lithify.compact.marks import marked_memories
from lithify.compact.memories import changed_files
from lithify.compact.plan import plan, weeks_to_read
from lithify.compact.snapshot import gone_memories
from lithify.compact.standing import words_key
from lithify.compact.wisdom_in_line import bring_in_line
from lithify.compact.workspace import Result, Workspace
from lithify.store import commit as store
from lithify.trust import is_trusted
from lithify.values import Task


def commit_lessons(
    workspace: Workspace,
    lessons: Lessons,
    facts: Mapping[str, Any],
    time: str,
    kind: str = "commit",
    more: Mapping[str, bytes | None] = MappingProxyType({}),
) -> tuple[str, ...]:
    """Put in force what follows from these lessons, and further files with it; None removes one.

    What wisdom has of statements that are no longer in force goes too.

    Returns the files that changed.
    """
    snapshot = workspace.snapshot
    files, bases = changed_files(snapshot, lessons)
    files |= more
    for path, sha256 in bases.items():
        # A commit keeps what it replaces, but a file with the same bytes is not replaced.
        data = files.get(path)
        if data and hashlib.sha256(data).hexdigest() == sha256:
            store.save_new(snapshot.root, f".lithify/history/{path}/{sha256}", data)
    workspace.commit(files, {**facts, **({"bases": bases} if bases else {})}, time, kind)
    if files:
        snapshot.rescan()
    bring_in_line(workspace, lambda: time)
    return tuple(files)


def take_up_marks(workspace: Workspace, task: Task, begin: Callable[[], str]) -> Result | None:
    """Make memories of the marks in a week's days, beside those that a person accepted."""
    snapshot, ledger, week = workspace.snapshot, workspace.snapshot.ledger, task.period
    marked = tuple(ledger_form(memory) for memory in marked_memories(snapshot, task))
    gone = f"marks:{week}" in gone_memories(snapshot).values()
    typed_commit = ledger.pages.commits.get(task.key)
    # If the week is still to be written, that commit will record that its days were read.
    is_noted_later = typed_commit is None or typed_commit.sources != task.sources
    if marked == ledger.lessons.marked.get(week, ()) and not gone and is_noted_later:
        return None
    lessons = ledger.lessons._replace(marked={**ledger.lessons.marked, week: marked})
    facts = {
        "task": f"marks:{week}",
        "sources": dict(task.sources),
        "marked": [memory_data(memory) for memory in marked],
    }
    files = commit_lessons(workspace, lessons, facts, begin())
    return Result(task, "written", "marked in its days", files=files) if files else None


def take_up_entry(workspace: Workspace, entry: str, origin: str, statement: str) -> None:
    """Make memories of the marks in the week of a new entry.

    Words that were dropped before count again, because somebody says so.
    """
    words = words_key(statement)
    if words in workspace.snapshot.ledger.lessons.dropped and is_trusted(origin):
        workspace.note("restore", {"words": [words]})
    snapshot, day = workspace.snapshot, parse_day(entry.partition("~")[0])
    assert day is not None
    tasks = plan(snapshot, workspace.ask)
    for task in weeks_to_read(snapshot, tasks):
        if task.period == week_of(day):
            take_up_marks(workspace, task, lambda: stamp(workspace.clock()))
