"""A compaction from plan to commit: four tiers through one path.

A run notes that it began; the time it notes is the one its pages bear, also when it is cut
short and resumed. For each task: show the writer its lanes apart, commit what the verifier
accepted, put the rest into quarantine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, assert_never

from lithify.calendar import month_of, stamp, week_of
from lithify.compact.desk import Desk, Result
from lithify.compact.held import lost
from lithify.compact.plan import (
    TO_WRITE,
    again,
    day_of,
    is_wanted,
    mark_of,
    month_under,
    plan,
    plan_month,
)
from lithify.engines.base import Engine
from lithify.errors import BudgetReached, ModelError, OutsideRoot, StorageError, Unfinished
from lithify.store.places import STATE, relative
from lithify.values import Task, Tier

if TYPE_CHECKING:
    from lithify.compact.ahead import Ahead

Writer = Callable[[Desk, Task, Engine, str], Result]

#: What rests on what: a week and its memories side by side, for one reply may hold both.
STAGES: tuple[tuple[Tier, ...], ...] = (("week", "typed"), ("month",), ("wisdom",))
#: Offline a month comes soon after its weeks, while their words are still at hand; a model is
#: asked for all months at once.
OFFLINE_STAGES: tuple[tuple[Tier, ...], ...] = (("week", "typed", "month"), ("wisdom",))


def _writer(tier: Tier) -> Writer:
    """What writes a tier, loaded when there is something to write: most runs find nothing due."""
    match tier:
        case "week" | "month":
            from lithify.compact.summaries import write_summary

            return write_summary
        case "typed":
            from lithify.compact.memories import write_memories

            return write_memories
        case "wisdom":
            from lithify.compact.distil import write_wisdom

            return write_wisdom
    assert_never(tier)


def _to_write(tasks: Iterable[Task], period: str | None) -> list[Task]:
    return [task for task in tasks if task.state in TO_WRITE and is_wanted(task, period)]


def _turn(task: Task) -> tuple[str, bool, str, bool]:
    """What a task's turn goes by: month after month, each after its weeks."""
    return month_under(task), task.tier == "month", task.period, task.tier == "typed"


def _ends_its_month(tasks: Sequence[Task], at: int) -> bool:
    """Whether a task is the last of those that a month waits for."""
    if tasks[at].tier not in ("week", "typed"):
        return False
    return at + 1 == len(tasks) or month_under(tasks[at + 1]) != month_under(tasks[at])


@dataclass(frozen=True, slots=True)
class Report:
    """What a compaction did, task by task; `damage` is what was wrong with the journal.

    `missing` are those of the tasks asked for that rest on days which are gone: they stay as
    they are. `lost` are days that are gone with what was captured in them, `unread` the files
    that ought to be readable and are not, each with the reason. `empty` is told of a period that
    was asked for and has neither days nor a page.
    """

    results: tuple[Result, ...] = ()
    damage: str = ""
    missing: tuple[Task, ...] = ()
    lost: tuple[str, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    empty: bool = False

    @property
    def exit_code(self) -> int:
        if any(result.status == "failed" for result in self.results):
            return 1
        return 4 if any(result.refused or result.held for result in self.results) else 0


@dataclass(slots=True)
class Run:
    """One compaction under way."""

    desk: Desk
    engine: Engine
    fallback: bool = False
    workers: int = 1
    rewrite: bool = False
    progress: Callable[[Task, int, int], None] = lambda task, done, total: None
    results: list[Result] = field(default_factory=list)

    def compact(self, tiers: Iterable[Tier], period: str | None = None) -> Report:
        """Write all that is due, stage by stage."""
        wanted = set(tiers)
        if self.workers == 1 or self.engine.extractive or not self._due(wanted, period):
            return self._compact(wanted, period, None)
        from lithify.compact.ahead import ahead

        with ahead(self.engine, self.workers) as calls:
            return self._compact(wanted, period, calls)

    def _compact(self, wanted: set[Tier], period: str | None, calls: Ahead | None) -> Report:
        time = ""
        asked_for = [task for task in self._adopt() if is_wanted(task, period)]
        tasks = [task for task in asked_for if task.tier in wanted]
        missing = [task for task in tasks if task.state == "missing"]
        if "typed" in wanted:
            time = self._take_up_marks(tasks, period)
        for stage in OFFLINE_STAGES if self.engine.extractive else STAGES:
            tiers = wanted & set(stage)
            tasks = self._due(tiers, period)
            # It grows on the way: a month follows the weeks of the next.
            for done, task in enumerate(tasks):
                time = time or self._begin()
                self.progress(task, done, len(tasks))
                if calls:
                    calls.look(self.desk.snapshot, tasks[done:])
                self.results.append(self._carry_out(task, time, calls))
                if "month" in tiers and _ends_its_month(tasks, done):
                    self.desk.snapshot.rescan()
                    tasks[done + 1 : done + 1] = self._month_due(month_under(task), period)
            if tasks:
                self.desk.snapshot.rescan()
        if time:
            self.desk.note("end", {})
        snapshot = self.desk.snapshot
        return Report(
            tuple(self.results),
            snapshot.damage,
            tuple(missing),
            lost(snapshot.shelf, snapshot.ledger),
            tuple((one.path, one.reason) for one in snapshot.tree.refused if one.broken),
            empty=not asked_for and self._has_no_days(period),
        )

    def _take_up_marks(self, tasks: Sequence[Task], period: str | None) -> str:
        """Make memories of what is marked in the days, also of weeks that are not over.

        Gives the time of the run, if that wrote anything.
        """
        from lithify.compact.marked_memories import take_up_marks, weeks_to_read

        times: list[str] = []

        def begin() -> str:
            times.append(times[-1] if times else self._begin())
            return times[-1]

        for task in weeks_to_read(self.desk.snapshot, tasks):
            if is_wanted(task, period) and (result := take_up_marks(self.desk, task, begin)):
                self.results.append(result)
        return times[-1] if times else ""

    def _has_no_days(self, period: str | None) -> bool:
        weeks = {week_of(day) for day in self.desk.snapshot.shelf.days}
        return period is not None and period not in weeks | {month_of(week) for week in weeks}

    def _begin(self) -> str:
        """The time that all pages of this run bear: that of the run it resumes, if it does."""
        desk = self.desk
        days = {p.path: p.sha256 for pages in desk.snapshot.shelf.days.values() for p in pages}
        mark = mark_of(days, self.engine.mark)
        begun = desk.snapshot.ledger.begun
        if begun and begun[0] == mark:
            return begun[1]
        time = stamp(desk.clock())
        desk.note("begin", {"mark": mark}, time)
        return time

    def _due(self, tiers: set[Tier], period: str | None) -> list[Task]:
        """What is to be written of some tiers, less the months that wait for their weeks."""
        tasks = [task for task in self._plan() if task.tier in tiers]
        due = _to_write(again(tasks) if self.rewrite else tasks, period)
        below = {month_under(task) for task in due if task.tier != "month"}
        due = [task for task in due if task.tier != "month" or task.period not in below]
        return sorted(due, key=_turn)

    def _month_due(self, month: str, period: str | None) -> list[Task]:
        """A month whose weeks were written, if it is to be written now."""
        snapshot = self.desk.snapshot
        ask = self.desk.ask._replace(at_once=True)
        tasks = plan_month(snapshot.shelf, snapshot.ledger, snapshot.settings, ask, month)
        return _to_write(again(tasks) if self.rewrite else tasks, period)

    def _plan(self) -> tuple[Task, ...]:
        snapshot = self.desk.snapshot
        ask = self.desk.ask._replace(at_once=True)
        return plan(snapshot.shelf, snapshot.ledger, snapshot.settings, ask)

    def accept_removed(self) -> None:
        """Take it that days which are gone were meant to go."""
        snapshot = self.desk.snapshot
        recorded = [commit.sources for commit in snapshot.ledger.commits.values()]
        recorded += [adopted.sources for adopted in snapshot.ledger.adopted.values()]
        here = {page.path for pages in snapshot.shelf.days.values() for page in pages}
        gone = {path for sources in recorded for path in sources if day_of(path)}
        # One that is there and cannot be read is not gone.
        gone -= here | snapshot.ledger.removed | snapshot.shelf.unread.keys()
        # Also those that no page rests on yet: `check` misses what was captured there.
        gone.update(lost(snapshot.shelf, snapshot.ledger))
        if gone:
            self.desk.note("accept-removed", {"paths": sorted(gone)})
            snapshot.rescan()

    def _adopt(self) -> tuple[Task, ...]:
        """Note the sources beside which another's page was found, so that a change is seen.

        Gives the plan as it was found.
        """
        snapshot, tasks = self.desk.snapshot, self._plan()
        for task in tasks:
            if task.state != "foreign" or task.tier not in ("week", "month"):
                continue
            pages = snapshot.shelf.weeks if task.tier == "week" else snapshot.shelf.months
            page = pages[task.period]
            known = snapshot.ledger.adopted.get(page.path)
            if known is None or known.sha256 != page.sha256:
                facts = {"path": page.path, "sha256": page.sha256, "sources": dict(task.sources)}
                self.desk.note("adopt", facts)
                self.results.append(Result(task, "adopted", task.why, (page.path,)))
        return tasks

    def _written(self, task: Task, time: str, calls: Ahead | None) -> Result:
        """A task through its writer."""
        writer = _writer(task.tier)
        if calls is None:
            return writer(self.desk, task, self.engine, time)
        try:
            return writer(self.desk, task, calls.engine, time)
        except BudgetReached:
            # Calls under way are held at their worst; when they are in, there may be room.
            if not calls.settle():
                raise
        return writer(self.desk, task, calls.engine, time)

    def _is_own(self, path: str) -> bool:
        """Whether a file is the program's own: where those cannot be written, no page can."""
        return relative(self.desk.snapshot.root, path).split("/")[0] == STATE

    def _carry_out(self, task: Task, time: str, calls: Ahead | None) -> Result:
        """Write one task, or say why not."""
        tried = True
        try:
            result = self._written(task, time, calls)
        except ModelError as error:
            # No reply was bought, so nothing stands against trying again.
            result = Result(task, "failed", error.message, engine=self.engine.name)
            tried = False
        except (StorageError, OutsideRoot) as error:
            if isinstance(error, Unfinished) or self._is_own(str(error.facts["path"])):
                raise
            # Something is in the way of this one page: the others need not wait for it.
            return Result(task, "failed", error.message, engine=self.engine.name)
        if result.status != "failed":
            return result
        if self.fallback and not self.engine.extractive:
            instead = _writer(task.tier)(self.desk, task, self.desk.offline, time)
            usage = instead.usage + result.usage
            return replace(
                instead, usage=usage, reason=f"in place of {result.engine}: {result.reason}"
            )
        if tried:
            facts = {
                "task": task.key,
                "mark": mark_of(task.sources, self.engine.mark),
                "sources": mark_of(task.sources),
                "reason": result.reason,
                "engine": result.engine,
            }
            self.desk.note("failed", facts)
        return result
