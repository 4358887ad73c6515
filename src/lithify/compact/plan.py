"""From digests and the journal to what is due, stale, waiting, failed or missing, and why.

Pure: it is given what is on disk, what the journal says and what day it is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from lithify.calendar import is_over, month_of, parse_day, week_of
from lithify.compact.ledger import Ledger
from lithify.settings import Settings, Wisdom
from lithify.store.names import dated, short_name
from lithify.values import State, Task, Tier


class Page(NamedTuple):
    """A file on disk as the plan needs it: where, what bytes, how long."""

    path: str
    sha256: str
    size: int = 0


class Shelf(NamedTuple):
    """The pages of a root by their role: days by date, the others by period or path.

    `body` gives the digest of what a page says, comments and front matter left out.
    `claimed` gives the sources a page of another's making names in its front matter.
    `stands` says whether every source that a page cites can still be found.
    `unread` are files that are there and cannot be read, each with the reason.
    """

    days: Mapping[date, tuple[Page, ...]] = MappingProxyType({})
    weeks: Mapping[str, Page] = MappingProxyType({})
    months: Mapping[str, Page] = MappingProxyType({})
    typed: Mapping[str, Page] = MappingProxyType({})
    wisdom: Page | None = None
    folder: str = "memory"
    unread: Mapping[str, str] = MappingProxyType({})
    body: Callable[[Page], str] = lambda page: page.sha256
    claimed: Callable[[Page], Mapping[str, str] | None] = lambda page: None
    stands: Callable[[Page], bool] = lambda page: True

    def path(self, *parts: str) -> str:
        """Where a page of memory stands, or would."""
        return "/".join([*([self.folder] if self.folder else []), *parts]) + ".md"


class Ask(NamedTuple):
    """How a plan is asked for.

    Without a `mark` a failure stands whichever engine met it. `at_once` asks what can be
    written this minute: what rests on something that is itself to be written, cannot.
    """

    today: date
    mark: str | None = None
    include_current: bool = False
    retry: bool = False
    at_once: bool = False


#: States in which a period will be written by the next compaction.
TO_WRITE: frozenset[State] = frozenset({"due", "stale"})
#: States that a person should know of (exit code 3).
BEHIND: frozenset[State] = frozenset({"due", "stale", "failed", "missing", "waiting"})


def mark_of(sources: Mapping[str, str], engine: str = "") -> str:
    """What a try was made of: the same mark would fail the same way."""
    text = json.dumps([sorted(sources.items()), engine])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def plan(shelf: Shelf, ledger: Ledger, settings: Settings, ask: Ask) -> tuple[Task, ...]:
    """Every period that has sources or a past, oldest first, tier by tier."""
    planner = _Planner(shelf, ledger, settings, ask)
    tasks = [*planner.weeks(), *planner.typed(), *planner.months()]
    wisdom = planner.wisdom([task for task in tasks if task.tier in ("typed", "month")])
    return tuple(task for task in [*tasks, wisdom] if task.state != "absent")


def plan_month(
    shelf: Shelf, ledger: Ledger, settings: Settings, ask: Ask, month: str
) -> tuple[Task, ...]:
    """One month as the plan has it, without a look at the others."""
    tasks = _Planner(shelf, ledger, settings, ask, month).months()
    return tuple(task for task in tasks if task.state != "absent")


def wisdom_sources(shelf: Shelf) -> dict[str, str]:
    """What wisdom rests on: every typed memory and month, to the byte.

    Their provenance counts: when a source gets a new id, so does the entry that rests on it.
    """
    pages = [*shelf.typed.values(), *shelf.months.values()]
    return {page.path: page.sha256 for page in sorted(pages, key=lambda p: p.path)}


def waiting_for_room(ledger: Ledger) -> set[str]:
    """The proposals that would add to wisdom; one to drop an entry takes no place."""
    return {id for id, proposal in ledger.proposals.items() if proposal.verb != "DROP"}


def has_room(entries: int, proposals: int, settings: Wisdom) -> bool:
    """Whether wisdom may hold one more; what a person must approve keeps its place till then."""
    held = entries + (proposals if settings.review == "always" else 0)
    return held < settings.max_entries


def sources_of(
    shelf: Shelf, ledger: Ledger, key: str, page: Page | None
) -> Mapping[str, str] | None:
    """What a task's page was written from, or was taken in beside; None where nothing tells."""
    commit = ledger.commits.get(key)
    if page is not None and not is_ours(ledger, key, page):
        adopted = ledger.adopted.get(page.path)
        if adopted and adopted.sha256 == page.sha256:
            return adopted.sources
        if commit is None:
            return shelf.claimed(page)
    return commit.sources if commit else None


def gone_memories(shelf: Shelf, ledger: Ledger) -> dict[str, str]:
    """Typed memories of ours that are in force and not on disk, each with the task that wrote it."""
    here = shelf.typed.keys() | shelf.unread.keys()
    return {
        path: task
        for path, task in sorted(ledger.taught_by.items())
        if ledger.files.get(path) is not None and path not in here | ledger.inherited
    }


def is_ours(ledger: Ledger, key: str, page: Page) -> bool:
    """Whether a page's bytes are those that were committed for its task."""
    commit = ledger.commits.get(key)
    return commit is not None and commit.files.get(page.path) == page.sha256


def day_of(path: str) -> date | None:
    """The date a day's file belongs to."""
    found = dated(path)
    return parse_day(found.label) if found else None


def again(tasks: Iterable[Task]) -> tuple[Task, ...]:
    """A plan in which pages that are current are written again; wisdom has nothing new to judge."""
    return tuple(
        task._replace(state="stale", why="asked for again")
        if task.state == "current" and task.tier != "wisdom"
        else task
        for task in tasks
    )


def month_under(task: Task) -> str:
    """The month a task belongs to: a week's, its memories', or its own."""
    return month_of(task.period) if task.tier in ("week", "typed") else task.period


def is_wanted(task: Task, period: str | None) -> bool:
    """Whether a task is the period asked for, or a week of the month asked for."""
    if period is None or task.period == period:
        return True
    return task.tier in ("week", "typed") and month_under(task) == period


class _Planner:
    """One look at a root, or at one month of it: the days of each week first, then tier by tier."""

    def __init__(
        self,
        shelf: Shelf,
        ledger: Ledger,
        settings: Settings,
        ask: Ask,
        month: str | None = None,
    ) -> None:
        self.shelf, self.ledger, self.settings, self.ask = shelf, ledger, settings, ask
        self.month = month
        self.days = self._days()
        self.gone_memories = gone_memories(shelf, ledger)
        self.week_tasks = {week: self._week(week) for week in self.days}

    def _days(self) -> dict[str, tuple[Page, ...]]:
        """Each week that holds days, has a page, or was written once, with its days' files."""
        found: dict[str, list[Page]] = {}
        counted = {path for commit in self.ledger.commits.values() for path in commit.sources}
        for day, pages in sorted(self.shelf.days.items()):
            # A day dated in the future waits, unless it was counted: a clock can be set back.
            bucket = found.setdefault(week_of(day), [])
            bucket += [page for page in pages if day <= self.ask.today or page.path in counted]
        past = [key.partition(":") for key in self.ledger.commits]
        written = [period for tier, _, period in past if tier in ("week", "typed", "marks")]
        for week in [*self.shelf.weeks, *written]:
            found.setdefault(week, [])
        wanted = [week for week in found if self.month in (None, month_of(week))]
        return {week: tuple(found[week]) for week in sorted(wanted)}

    # Tiers

    def weeks(self) -> list[Task]:
        return list(self.week_tasks.values())

    def _week(self, week: str) -> Task:
        days, page = self.days[week], self.shelf.weeks.get(week)
        task = self._standing("week", week, _digests(days), self.shelf.path("weekly", week), page)
        task = task._replace(tokens=_tokens(days))
        if task.state not in TO_WRITE:
            return task
        if not days:
            return self._emptied(task, page)
        if not self._is_over(week):
            behind = f"; its page is behind its days: {task.why}" if page else ""
            return task._replace(state="open", why=f"the week is not over{behind}")
        if page is None and self._is_thin(days):
            why = "fewer days than min_dailies_for_weekly; they feed the month"
            return task._replace(state="open", why=why)
        return task

    def typed(self) -> list[Task]:
        return [self._typed(week, days) for week, days in self.days.items()]

    def _typed(self, week: str, days: tuple[Page, ...]) -> Task:
        task = self._standing("typed", week, _digests(days))._replace(tokens=_tokens(days))
        keys = (task.key, f"marks:{week}")
        gone = [path for path, key in self.gone_memories.items() if key in keys]
        if gone and task.state in ("current", *TO_WRITE):
            more = f" and {len(gone) - 1} more" if gone[1:] else ""
            return task._replace(state="due", why=f"{gone[0]} is gone{more}")
        marks = self.ledger.commits.get(f"marks:{week}")
        if marks and task.key not in self.ledger.commits:
            lost = [p for p in marks.sources if p not in task.sources]
            if lost := [p for p in lost if not self._is_accounted_for(p)]:
                why = self._why_missing(lost, marks.sources, task.sources)
                return task._replace(state="missing", why=why)
        if not days and task.state in ("due", "current"):
            return task._replace(state="absent", why="no days")
        if task.state in TO_WRITE and days and not self._is_over(week):
            return task._replace(state="open", why="the week is not over")
        return task

    def months(self) -> list[Task]:
        grouped: dict[str, list[Task]] = {}
        for task in self.week_tasks.values():
            if task.state != "absent":
                grouped.setdefault(month_of(task.period), []).append(task)
        past = [key.partition(":") for key in self.ledger.commits]
        for month in [*self.shelf.months, *(period for tier, _, period in past if tier == "month")]:
            grouped.setdefault(month, [])
        wanted = [month for month in grouped if self.month in (None, month)]
        return [self._month(month, grouped[month]) for month in sorted(wanted)]

    def _month(self, month: str, weeks: list[Task]) -> Task:
        now: dict[str, str] = {}
        size = fed = 0
        for week in weeks:
            page, days = self.shelf.weeks.get(week.period), self.days[week.period]
            if page is not None:
                now[page.path] = self.shelf.body(page)
                size += page.size
                fed += 1
            elif days and self._is_thin(days):
                now.update(_digests(days))
                size += sum(day.size for day in days)
                fed += 1
        page = self.shelf.months.get(month)
        task = self._standing("month", month, now, self.shelf.path("monthly", month), page)
        task = task._replace(tokens=size // 4)
        below = [week.period for week in weeks if week.state in TO_WRITE]
        failed = [week.period for week in weeks if week.state == "failed"]
        running = [
            week.period
            for week in weeks
            if week.state == "open" and self.days[week.period] and not self._is_over(week.period)
        ]
        if task.state == "missing" and not below:
            return task
        if running:
            return task._replace(state="open", why=f"{running[0]} is not over")
        if failed:
            return task._replace(state="waiting", why=f"{failed[0]} failed")
        if below and self.ask.at_once:
            return task._replace(state="waiting", why=f"{below[0]} is not written yet")
        if below:
            state: State = "stale" if task.key in self.ledger.commits else "due"
            return task._replace(state=state, why=f"after {', '.join(below)}")
        if task.state == "current" and page and not self._still_stands(task, page, weeks):
            return task._replace(state="stale", why="what it cites was edited")
        if task.state in TO_WRITE and not now:
            return self._emptied(task, page)
        if task.state in TO_WRITE and fed < self.settings.monthly.min_weeklies_for_monthly:
            return task._replace(state="open", why="fewer weeks than min_weeklies_for_monthly")
        return task

    def wisdom(self, below: list[Task]) -> Task:
        now = wisdom_sources(self.shelf)
        task = self._standing("wisdom", "", now)
        coming = sum(one.state in TO_WRITE for one in below)
        known = task.key in self.ledger.commits
        if coming and not self.ask.at_once and task.state in ("current", *TO_WRITE):
            why = f"after {coming} period{'s' * (coming > 1)} below"
            return task._replace(state="stale" if known else "due", why=why)
        if task.state in TO_WRITE and not now and not known:
            return task._replace(state="absent", why="nothing to distil")
        page = self.shelf.wisdom
        if task.state == "current" and page and not self._still_stands(task, page, below):
            return task._replace(state="stale", why="what it cites was edited")
        if task.state == "current" and page is None and self.ledger.led:
            return task._replace(state="stale", why="it was written here and is gone")
        if task.state == "current" and page and self.ledger.unmarked:
            return task._replace(state="stale", why="it holds entries that nobody marked")
        if task.state == "current" and self._has_room():
            return task._replace(state="stale", why="there is room for what was left out")
        if task.state in TO_WRITE:
            recorded = self.ledger.commits[task.key].sources if known else {}
            changed = len({path for path, _ in recorded.items() ^ now.items()})
            why = f"{changed} new or changed source{'s' * (changed != 1)}"
            return task._replace(why=why)
        return task

    def _has_room(self) -> bool:
        """Whether something that found no place in wisdom would find one now."""
        held, waiting = self.ledger.entries, len(waiting_for_room(self.ledger))
        if held is None or not self.ledger.crowded:
            return False
        return has_room(held, waiting, self.settings.wisdom)

    # What decides

    def _standing(
        self,
        tier: Tier,
        period: str,
        now: Mapping[str, str],
        path: str | None = None,
        page: Page | None = None,
    ) -> Task:
        """One task by its digests alone; the calendar has its say afterwards."""
        ledger, ask = self.ledger, self.ask
        key = f"{tier}:{period}"
        recorded = sources_of(self.shelf, ledger, key, page)
        foreign = page is not None and not is_ours(ledger, key, page)

        def task(state: State, why: str) -> Task:
            return Task(tier, period, state, why, now)

        if foreign and recorded is None:
            return task("foreign", "not ours; kept as it stands")
        if recorded is not None and tier != "wisdom":
            gone = [p for p in recorded if p not in now and not self._is_accounted_for(p)]
            if gone:
                return task("missing", self._why_missing(gone, recorded, now))
        failure = ledger.failures.get(key)
        if failure and not ask.retry:
            tried = failure.sources if ask.mark is None else failure.mark
            if tried == mark_of(now, ask.mark or ""):
                return task("failed", failure.reason)
        if recorded is None:
            return task("due", "new")
        if path is not None and page is None:
            return task("due", "its file is gone")
        changes = _changes(recorded, now)
        if changes:
            return task("stale", changes)
        if foreign:
            hand = "edited by hand" if key in ledger.commits else "not ours"
            return task("foreign", f"{hand}; kept as it stands")
        return task("current", "")

    def _why_missing(
        self, gone: list[str], recorded: Mapping[str, str], now: Mapping[str, str]
    ) -> str:
        """What a period waits for, and what waits with it."""
        first = gone[0]
        reason = self.shelf.unread.get(first)
        lead = f"{first} cannot be read: {reason}" if reason else f"{first} is gone"
        more = f" and {len(gone) - 1} more" if gone[1:] else ""
        waits = _changes({p: d for p, d in recorded.items() if p not in gone}, now)
        return f"{lead}{more}" + (f"; until it is back, this waits: {waits}" if waits else "")

    def _is_accounted_for(self, path: str) -> bool:
        """Whether a source that no longer counts was let go, or taken away by ourselves."""
        return path in self.ledger.removed or self.ledger.files.get(path, "") is None

    def _emptied(self, task: Task, page: Page | None) -> Task:
        """A period whose sources were all let go: our page of it goes too, another's stays."""
        if page is None:
            return task._replace(state="absent", why="no sources")
        if is_ours(self.ledger, task.key, page):
            return task._replace(state="stale")
        return task._replace(state="foreign", why="not ours; kept as it stands")

    def _still_stands(self, task: Task, page: Page, below: list[Task]) -> bool:
        """Whether what a page cites can be found, asked only where something below is newer."""
        commits = self.ledger.commits
        own = commits[task.key].seq if task.key in commits else 0
        newer = any(one.key in commits and commits[one.key].seq > own for one in below)
        return not newer or self.shelf.stands(page)

    def _is_over(self, week: str) -> bool:
        return self.ask.include_current or is_over(week, self.ask.today)

    def _is_thin(self, days: tuple[Page, ...]) -> bool:
        """Whether a week has too few days for a page of its own."""
        dates = {day_of(page.path) for page in days}
        return len(dates) < self.settings.weekly.min_dailies_for_weekly


def _digests(days: tuple[Page, ...]) -> dict[str, str]:
    return {page.path: page.sha256 for page in days}


def _tokens(pages: tuple[Page, ...]) -> int:
    # Four bytes a token is close enough to plan by; what is written is counted properly.
    return sum(page.size for page in pages) // 4


def _changes(recorded: Mapping[str, str], now: Mapping[str, str]) -> str:
    edited = [p for p in now if p in recorded and recorded[p] != now[p]]
    late = [p for p in now if p not in recorded]
    gone = [p for p in recorded if p not in now]
    parts = [
        f"{word} {', '.join(short_name(p) for p in paths[:3])}{' …' if len(paths) > 3 else ''}"
        for word, paths in (("edited", edited), ("late", late), ("removed", gone))
        if paths
    ]
    return "; ".join(parts)
