"""The memories marked in each week's days, taken up whoever writes the pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from lithify.calendar import parse_day, week_of
from lithify.compact.desk import Desk, Result
from lithify.compact.ledger import Ledger, ledger_form, memory_data
from lithify.compact.marks import marks_in, memory_of
from lithify.compact.plan import gone_memories
from lithify.compact.snapshot import Snapshot
from lithify.values import Task, TypedMemory


def weeks_to_read(snapshot: Snapshot, tasks: Iterable[Task]) -> Iterator[Task]:
    """The weeks whose days changed since they were read for marks, or whose marked files are gone.

    A week that rests on a day which is gone without a word waits until the day is back.
    """
    ledger = snapshot.ledger
    weeks = {task.period: task for task in tasks if task.tier == "typed"}
    for week in ledger.marked.keys() - weeks.keys():
        weeks[week] = Task("typed", week, "stale")
    gone_files = set(gone_memories(snapshot.shelf, ledger).values())
    for week, task in sorted(weeks.items()):
        now, recorded = dict(task.sources), _read_for_marks(ledger, week)
        gone = [path for sources in recorded for path in sources if path not in now]
        if all(_is_let_go(ledger, path) for path in gone) and (
            now not in recorded or f"marks:{week}" in gone_files
        ):
            yield task


def _read_for_marks(ledger: Ledger, week: str) -> list[dict[str, str]]:
    """The days of a week as they were when they were last read for marks."""
    marks, found = (ledger.commits.get(f"{tier}:{week}") for tier in ("marks", "typed"))
    read = [dict(marks.sources)] if marks else []
    # Version 0.1.0 did not look for marks.
    return [*read, dict(found.sources)] if found and "found" in found.data else read


def _is_let_go(ledger: Ledger, path: str) -> bool:
    return path in ledger.removed or ledger.files.get(path, "") is None


def take_up_marks(desk: Desk, task: Task, begin: Callable[[], str]) -> Result | None:
    """Make the marks of a week's days its memories, beside what was accepted out of them."""
    snapshot, ledger, week = desk.snapshot, desk.snapshot.ledger, task.period
    marked = tuple(ledger_form(memory) for memory in _marked(snapshot, task))
    gone = f"marks:{week}" in gone_memories(snapshot.shelf, ledger).values()
    typed_commit = ledger.commits.get(task.key)
    # Where the week is written later, that commit says that its days were read.
    is_noted_later = typed_commit is None or dict(typed_commit.sources) != dict(task.sources)
    if marked == ledger.marked.get(week, ()) and not gone and is_noted_later:
        return None
    # Most runs find no new mark: what folds memories is loaded by those that do.
    from lithify.compact.memories import changes, keep_bases

    time = begin()
    files, bases = changes(snapshot, ledger.found, {**ledger.marked, week: marked})
    facts: dict[str, object] = {
        "task": f"marks:{week}",
        "sources": dict(task.sources),
        "marked": [memory_data(memory) for memory in marked],
    }
    keep_bases(desk, files, bases)
    desk.commit(files, {**facts, **({"bases": bases} if bases else {})}, time)
    if not files:
        return None
    snapshot.rescan()
    return Result(task, "written", "marked in its days", files=tuple(files))


def _marked(snapshot: Snapshot, task: Task) -> Iterator[TypedMemory]:
    for mark in marks_in(snapshot, list(task.sources)):
        if mark.holds:
            yield memory_of(mark.type, mark.statement, [mark.entry], "marked")
    here = {entry.id for entry in snapshot.entries(list(task.sources))}
    for memory in snapshot.ledger.accepted.values():
        if week_of_memory(memory) == task.period and here.issuperset(memory.sources):
            yield memory


def week_of_memory(memory: TypedMemory) -> str:
    """The week whose days a memory was accepted out of."""
    day = parse_day(memory.updated)
    assert day is not None
    return week_of(day)
