"""A compaction from plan to commit: four tiers through one path.

A run notes in the journal that it began. All its pages have that time, also when the run is cut
short and resumed. For each task the engine is shown its lanes; what the verifier accepts is
committed, and the rest goes into quarantine.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from traceback import extract_tb
from typing import TYPE_CHECKING, Literal, TypeVar, assert_never

from lithify import telemetry
from lithify.calendar import is_over, month_of, stamp, week_of
from lithify.compact.ledger import unapplied
from lithify.compact.plan import is_wanted, mark_of, marked_stale, month_under, plan, weeks_to_read
from lithify.compact.snapshot import day_of, lost_days, recorded_sources
from lithify.compact.workspace import Result, Workspace
from lithify.engines.base import Engine
from lithify.errors import LithifyError, ModelError, OutsideRoot, StorageError, Unfinished
from lithify.store.places import STATE, relative
from lithify.trust import outcome
from lithify.values import TO_WRITE, Task, Tier

if TYPE_CHECKING:
    from lithify.compact.forecast import CallsAhead

T = TypeVar("T")
Writer = Callable[[Workspace, Task, Engine, str], Result]

#: Each stage rests on the one before. A week and its memories share one, as one reply may hold both.
STAGES: tuple[tuple[Tier, ...], ...] = (("week", "typed"), ("month",), ("wisdom",))
#: Offline and by an agent, a month is written right after its weeks. A model can be asked for all
#: months at once.
MONTHWISE: tuple[tuple[Tier, ...], ...] = (("week", "typed", "month"), ("wisdom",))


def _writer(tier: Tier) -> Writer:
    """Return the function that writes a tier; loaded late, because most runs find nothing due."""
    match tier:
        case "week" | "month":
            from lithify.compact.page import write_summary

            return write_summary
        case "typed":
            from lithify.compact.page import write_memories

            return write_memories
        case "wisdom":
            from lithify.compact.wisdom import write_wisdom

            return write_wisdom
    assert_never(tier)


def _turn(task: Task) -> tuple[str, bool, str, bool]:
    """Return the order of tasks: month by month, each month after its weeks."""
    return month_under(task), task.tier == "month", task.period, task.tier == "typed"


@dataclass(frozen=True, slots=True)
class Report:
    """What a compaction did, task by task; `damage` is what was wrong with the journal.

    `missing` are the tasks asked for that rest on days which are gone; their pages stay as they
    are. `lost` are days that are gone with what was captured in them. `unread` are the files
    that should be readable and are not, each with the reason. `empty` is true if a period was
    asked for that has neither days nor a page. `failed_before` are the tasks asked for that failed
    in an earlier run and were not tried again, because nothing has changed since. `left` are those
    that are due and left to another writer for now. `current` are the weeks with days that are not
    over.
    """

    results: tuple[Result, ...] = ()
    damage: str = ""
    missing: tuple[Task, ...] = ()
    lost: tuple[str, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    empty: bool = False
    failed_before: tuple[Task, ...] = ()
    left: tuple[Task, ...] = ()
    current: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        if any(result.status == "failed" for result in self.results):
            return 1
        # What the offline engine leaves out, or proposes, is said and is no failure of a writer.
        asked = [result for result in self.results if result.engine != "offline"]
        return 4 if any(result.refused or result.held for result in asked) else 0


@dataclass(slots=True)
class Run:
    """One compaction under way."""

    workspace: Workspace
    engine: Engine
    fallback: bool = False
    workers: int = 1
    #: Whether current pages are written again: all of them, or those of the offline engine.
    rewrite: Literal["", "all", "offline"] = ""
    #: Whether the newest weeks are written first.
    newest: bool = False
    #: Whether a page is left to another writer for now.
    leaves: Callable[[Task], bool] = lambda task: False
    progress: Callable[[Task, int, int], None] = lambda task, done, total: None
    results: list[Result] = field(default_factory=list)
    left: dict[str, Task] = field(default_factory=dict)
    #: The time of all its pages, once it has something to write.
    time: str = ""

    def compact(self, tiers: Iterable[Tier], period: str | None = None) -> Report:
        """Write all that is due, stage by stage."""
        wanted = set(tiers)
        if self.workers == 1 or self.engine.extractive or not self._due(wanted, period):
            return self._compact(wanted, period, None)
        from lithify.compact.forecast import calls_ahead

        with calls_ahead(self.engine, self.workers) as calls:
            return self._compact(wanted, period, calls)

    def _compact(self, wanted: set[Tier], period: str | None, calls: CallsAhead | None) -> Report:
        self.results += self.apply_verdicts()
        asked_for = [task for task in self._adopt() if is_wanted(task, period)]
        tasks = [task for task in asked_for if task.tier in wanted]
        missing = [task for task in tasks if task.state == "missing"]
        if self.engine.extractive:
            self._drop_outdated(tasks)
        if "typed" in wanted:
            self._take_up_marks(tasks, period)
            # Files are looked at anew after a write: a day that grew meanwhile may hold new marks.
            taken = 0
            while len(self.results) > taken:
                taken = len(self.results)
                self._take_up_marks(self._plan(), period)
        if "wisdom" in wanted:
            # A rule may have ended, or a run may have been killed before it came so far.
            from lithify.compact.wisdom_in_line import bring_in_line

            wisdom = Task("wisdom", "", "due", "")
            failed = self._guarded(wisdom, partial(bring_in_line, self.workspace, self._begun))
            self.results += [failed] if isinstance(failed, Result) else []
        total, before = self._planned(wanted, period), 0
        by_agent = self.engine.name.startswith("agent:")
        for stage in MONTHWISE if self.engine.extractive or by_agent else STAGES:
            tiers = wanted & set(stage)
            tasks = self._due(tiers, period)
            # The list grows on the way: a month is inserted after its last week.
            for done, task in enumerate(tasks):
                time = self._begun()
                total = max(total, before + len(tasks))
                self.progress(task, before + done, total)
                if calls:
                    # What cannot be asked for is told by the task itself, when its turn comes.
                    self._guarded(task, partial(calls.start, self.workspace.snapshot, tasks[done:]))
                self.results.append(self._carry_out(task, time, calls))
                following = tasks[done + 1 : done + 2]
                ends_month = [month_under(t) for t in following] != [month_under(task)]
                if "month" in tiers and task.tier in ("week", "typed") and ends_month:
                    self.workspace.snapshot.rescan()
                    month = self._plan(month_under(task))
                    tasks[done + 1 : done + 1] = self._to_write(month, period)
            before += len(tasks)
            if tasks:
                self.workspace.snapshot.rescan()
        if self.time:
            self.workspace.note("end", {})
        snapshot = self.workspace.snapshot
        weeks = {week_of(day) for day in snapshot.shelf.days}
        periods = {None, *weeks, *map(month_of, weeks)}
        return Report(
            tuple(self.results),
            snapshot.damage,
            tuple(missing),
            lost_days(snapshot),
            tuple((one.path, one.reason) for one in snapshot.tree.refused if one.broken),
            empty=not asked_for and period not in periods,
            failed_before=self._failed_before(wanted, period),
            left=tuple(self.left.values()),
            current=tuple(w for w in sorted(weeks) if not is_over(w, self.workspace.ask.today)),
        )

    def apply_verdicts(self) -> list[Result]:
        """Carry out what readers found, where a run was killed before it did."""
        if not unapplied(self.workspace.snapshot.ledger):
            return []
        from lithify.compact.reading import apply_verdicts

        return apply_verdicts(self.workspace)

    def _drop_outdated(self, tasks: Sequence[Task]) -> None:
        """Take what no longer stands out of pages that are left to their writer, and the months above."""
        left = [task for task in tasks if task.state in TO_WRITE and self.leaves(task)]
        above = {month_under(task) for task in left}
        left += [task for task in tasks if task.state == "waiting" and task.period in above]
        commits = self.workspace.snapshot.ledger.pages.commits
        cut = {key for key, commit in commits.items() if "cut" in commit.data}
        left += [task for task in tasks if task.key in cut and task not in left]
        for task in left:
            # Loaded late: most runs leave nothing.
            from lithify.compact.reading import drop_outdated

            work = partial(drop_outdated, self.workspace, task, self._begun)
            if dropped := self._guarded(task, work):
                self.results.append(dropped)
                self.workspace.snapshot.rescan()

    def _planned(self, wanted: set[Tier], period: str | None) -> int:
        """Count the pages to write, with those that wait for others, as a plan lists them."""
        tasks = plan(self.workspace.snapshot, self.workspace.ask)
        tasks = marked_stale(tasks) if self.rewrite else tasks
        return sum(
            t.state in TO_WRITE and t.tier in wanted and is_wanted(t, period) and not self.leaves(t)
            for t in tasks
        )

    def _failed_before(self, wanted: set[Tier], period: str | None) -> tuple[Task, ...]:
        if not self.workspace.snapshot.ledger.pages.failures:
            return ()
        tried = {result.task.key for result in self.results}
        failed = [task for task in self._plan() if task.state == "failed" and task.tier in wanted]
        return tuple(task for task in failed if is_wanted(task, period) and task.key not in tried)

    def _take_up_marks(self, tasks: Sequence[Task], period: str | None) -> None:
        """Make memories of the marks in the days, also in weeks that are not over."""
        for task in weeks_to_read(self.workspace.snapshot, tasks):
            tried = any(one.task.key == task.key and one.status == "failed" for one in self.results)
            if is_wanted(task, period) and not tried:
                # Loaded late: most runs find no new day.
                from lithify.compact.lessons import take_up_marks

                result = self._guarded(
                    task, partial(take_up_marks, self.workspace, task, self._begun)
                )
                self.results += [result] if result else []

    def _begun(self) -> str:
        """Return the time of the run's pages; with the first that is written, the run begins."""
        self.time = self.time or self.begin()
        return self.time

    def begin(self) -> str:
        """Return the time of all pages of this run: that of the run it resumes, if there is one."""
        workspace = self.workspace
        days = {p.path: p.sha256 for pages in workspace.snapshot.shelf.days.values() for p in pages}
        mark = mark_of(days, self.engine.mark)
        begun = workspace.snapshot.ledger.begun
        if begun and begun[0] == mark:
            return begun[1]
        time = stamp(workspace.clock())
        workspace.note("begin", {"mark": mark}, time)
        return time

    def _due(self, tiers: set[Tier], period: str | None) -> list[Task]:
        """Return the tasks of some tiers to write now, without months that wait for their weeks."""
        tasks = [task for task in self._plan() if task.tier in tiers]
        due = self._to_write(tasks, period)
        below = {month_under(task) for task in due if task.tier != "month"}
        due = [task for task in due if task.tier != "month" or task.period not in below]
        due = sorted(due, key=_turn)
        if self.newest:
            # The parts of one period stay in their order; a month still comes after its weeks.
            due.sort(key=lambda task: task.period, reverse=True)
            due.sort(key=lambda task: task.tier == "month")
            due.sort(key=month_under, reverse=True)
        return due

    def _to_write(self, tasks: Sequence[Task], period: str | None) -> list[Task]:
        if self.rewrite:
            ledger = self.workspace.snapshot.ledger if self.rewrite == "offline" else None
            tasks = marked_stale(tasks, ledger, "offline")
        wanted = [t for t in tasks if t.state in TO_WRITE and is_wanted(t, period)]
        self.left |= {task.key: task for task in wanted if self.leaves(task)}
        return [task for task in wanted if task.key not in self.left]

    def _plan(self, month: str | None = None) -> tuple[Task, ...]:
        """Plan what can be written at once, in the whole root or of one month alone."""
        return plan(self.workspace.snapshot, self.workspace.ask._replace(at_once=True), month)

    def accept_removed(self) -> None:
        """Note that the days which are gone were removed on purpose."""
        snapshot = self.workspace.snapshot
        gone = {path for path in recorded_sources(snapshot.ledger) if day_of(path)}
        # A file that exists and cannot be read is not gone.
        gone -= (
            snapshot.shelf.day_paths | snapshot.ledger.pages.removed | snapshot.shelf.unread.keys()
        )
        # Days with captures count too, even if no page rests on them yet.
        gone.update(lost_days(snapshot))
        if gone:
            self.workspace.note("accept-removed", {"paths": sorted(gone)})
            snapshot.rescan()

    def _adopt(self) -> tuple[Task, ...]:
        """Note the sources that foreign pages were found beside, so that later changes are seen.

        Returns the plan.
        """
        snapshot, tasks = self.workspace.snapshot, self._plan()
        for task in tasks:
            if task.state != "foreign" or task.tier not in ("week", "month"):
                continue
            pages = snapshot.shelf.weeks if task.tier == "week" else snapshot.shelf.months
            page = pages[task.period]
            known = snapshot.ledger.pages.adopted.get(page.path)
            if known is None or known.sha256 != page.sha256:
                facts = {"path": page.path, "sha256": page.sha256, "sources": dict(task.sources)}
                self.workspace.note("adopt", facts)
                self.results.append(Result(task, "adopted", task.why, (page.path,)))
        return tasks

    def _guarded(self, task: Task, work: Callable[[], T]) -> T | Result:
        """Do a part of a task; what its content makes the program raise is a reason to fail.

        What the machine raises (disk, lock, memory) leaves it due, and ends the run or the task.
        """
        try:
            return work()
        except (LithifyError, OSError, MemoryError, sqlite3.Error):
            raise
        except Exception as error:
            frame = extract_tb(error.__traceback__)[-1]
            place = f"{os.path.basename(frame.filename)}:{frame.lineno}"
            reason = f"a bug in lithify at {place} ({type(error).__name__}: {error})"
            return Result(task, "failed", reason, engine=self.engine.name)

    def _carry_out(self, task: Task, time: str, calls: CallsAhead | None) -> Result:
        """Write one task, or say why not."""
        facts = {"tier": task.tier, "engine": self.engine.name}
        with telemetry.span("page", period=task.period, **facts) as span:
            result = self._attempt(task, time, calls)
            facts["status"] = result.status
            span.set_attribute("status", result.status)
        telemetry.count("pages", 1, **facts)
        telemetry.count("page_tokens", result.usage.input + result.usage.output, **facts)
        return result

    def _attempt(self, task: Task, time: str, calls: CallsAhead | None) -> Result:
        """Write a task by the replies of the calls made ahead, if there are any, or say why not."""
        tried = True
        workspace, engine = self.workspace, self.engine
        if calls:
            workspace, engine = calls.workspace(workspace), calls.engine
        try:
            write = partial(_writer(task.tier), workspace, task, engine, time)
            result = self._guarded(task, write)
        except ModelError as error:
            # No reply was paid for, so the next run may try again.
            result = Result(task, "failed", error.message, engine=self.engine.name)
            tried = False
        except (StorageError, OutsideRoot) as error:
            # If the program's own folder cannot be written, no page can.
            place = relative(self.workspace.snapshot.root, str(error.facts["path"]))
            if isinstance(error, Unfinished) or place.split("/")[0] == STATE:
                raise
            # Only this page cannot be written; the others need not wait for it.
            reason = error.cause if isinstance(error, StorageError) else error.message
            return Result(task, "failed", reason, engine=self.engine.name)
        if result.status != "failed":
            return result
        offline = self.workspace.offline
        if self.fallback and offline and not self.engine.extractive:
            instead = self._guarded(
                task, partial(_writer(task.tier), self.workspace, task, offline, time)
            )
            usage = instead.usage + result.usage
            return replace(
                instead, usage=usage, reason=f"in place of {result.engine}: {result.reason}"
            )
        if tried and outcome("page", self.workspace.by) != "done":
            # What an untrusted writer cannot do keeps nobody else from it.
            self.workspace.propose(task, {}, stamp(self.workspace.clock()), declined=result.reason)
        elif tried:
            facts = {
                "task": task.key,
                "mark": mark_of(task.sources, self.engine.mark),
                "sources": mark_of(task.sources),
                "reason": result.reason,
                "engine": result.engine,
            }
            self.workspace.note("failed", facts)
        return result
