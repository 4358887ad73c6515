"""Decide which periods are due, stale, waiting, failed or missing, and why.

It writes nothing: a snapshot says what is on disk and in the journal, `Ask` what day it is.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import NamedTuple

from lithify.calendar import (
    is_over,
    month_end,
    month_of,
    month_start,
    parse_day,
    week_days,
    week_of,
)
from lithify.compact.ledger import Ledger
from lithify.compact.snapshot import (
    Snapshot,
    changes,
    day_of,
    gone_memories,
    is_ours,
    sources_of,
)
from lithify.settings import WisdomSettings
from lithify.store.tree import File
from lithify.values import TO_WRITE, State, Task, Tier


class Ask(NamedTuple):
    """The conditions a plan is made under.

    `mark` is the engine's; without one, the failures of every engine count. With `at_once`, a
    period whose sources are themselves still to be written is waiting instead of due.
    """

    today: date
    mark: str | None = None
    include_current: bool = False
    retry: bool = False
    at_once: bool = False


def mark_of(sources: Mapping[str, str], engine: str = "") -> str:
    """Return a digest of what an attempt was made from: the same mark would fail the same way."""
    text = json.dumps([sorted(sources.items()), engine])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def plan(snapshot: Snapshot, ask: Ask, month: str | None = None) -> tuple[Task, ...]:
    """Return every period that has sources or a past, oldest first, tier by tier.

    With `month`, return the task of that month alone.
    """
    planner = _Planner(snapshot, ask, month)
    if month is not None:
        months = (_with_proposal(snapshot.ledger, task) for task in planner.months())
        return tuple(task for task in months if task.state != "absent")
    tasks = [*planner.week_tasks.values(), *planner.typed(), *planner.months()]
    wisdom = planner.wisdom([task for task in tasks if task.tier in ("typed", "month")])
    held = planner.held(wisdom, *planner.unknown.values())
    tasks = [_with_proposal(snapshot.ledger, task) for task in (*tasks, held)]
    return tuple(task for task in tasks if task.state != "absent")


def _with_proposal(ledger: Ledger, task: Task) -> Task:
    """Return a task to write as held, where an untrusted writer has proposed its page."""
    proposed = ledger.pages.proposed.get(task.key)
    if not proposed or proposed.declined or task.state not in TO_WRITE:
        return task
    if proposed.sources != task.sources:
        return task
    why = f"a page of {proposed.origin} waits for a person; or a trusted session writes it"
    return task._replace(state="held", why=why)


def waiting_for_room(ledger: Ledger) -> set[str]:
    """Return the proposals that would add an entry to wisdom."""
    return {id for id, proposal in ledger.wisdom.proposals.items() if proposal.verb != "DROP"}


def has_room(entries: int, proposals: int, settings: WisdomSettings) -> bool:
    """Tell whether wisdom has room for one more entry; proposals to approve count as entries."""
    held = entries + (proposals if settings.review == "always" else 0)
    return held < settings.max_entries


def marked_stale(
    tasks: Iterable[Task], ledger: Ledger | None = None, engine: str = ""
) -> tuple[Task, ...]:
    """Mark the current pages of a plan stale; with a ledger, only those of this engine.

    Wisdom is left out, having nothing to judge.
    """
    return tuple(
        task._replace(state="stale", why="asked for again")
        if task.state == "current"
        and task.tier != "wisdom"
        and (ledger is None or ledger.pages.commits[task.key].engine == engine)
        else task
        for task in tasks
    )


def month_under(task: Task) -> str:
    """Return the month that a task's period is or belongs to."""
    return month_of(task.period) if task.tier in ("week", "typed") else task.period


def is_wanted(task: Task, period: str | None) -> bool:
    """Tell whether a task is the period asked for, or a week of the month asked for."""
    if period is None or task.period == period:
        return True
    return task.tier in ("week", "typed") and month_under(task) == period


class _Planner:
    """Plans a root, or one month of it, tier by tier."""

    def __init__(self, snapshot: Snapshot, ask: Ask, month: str | None) -> None:
        self.snapshot, self.shelf, self.ledger = snapshot, snapshot.shelf, snapshot.ledger
        self.settings, self.ask, self.month = snapshot.settings, ask, month
        #: What cannot be read, each with a file: weeks, paths of pages, and "" for folders.
        self.unknown: dict[str, str] = {}
        for path in sorted(self.shelf.unknown):
            day = day_of(path)
            if day is None:
                self.unknown[path if path.lower().endswith(".md") else ""] = path
            elif day <= ask.today:
                self.unknown.setdefault(week_of(day), path)
        self.days = self._days()
        self.gone_memories = gone_memories(snapshot)
        self.week_tasks = {
            week: self.held(self._week(week), week, self.shelf.layout.page("week", week))
            for week in self.days
        }

    def _days(self) -> dict[str, tuple[File, ...]]:
        """Return every week that has days, a page or a commit, with its days' files."""
        found: dict[str, list[File]] = {}
        counted = {path for commit in self.ledger.pages.commits.values() for path in commit.sources}
        for day, pages in sorted(self.shelf.days.items()):
            # A future day waits, unless a page already rests on it: the clock may have been set back.
            bucket = found.setdefault(week_of(day), [])
            bucket += [page for page in pages if day <= self.ask.today or page.path in counted]
        for week in [*self.shelf.weeks, *self._written("week", "typed", "marks")]:
            found.setdefault(week, [])
        for part, path in self.unknown.items():
            if day_of(path):
                found.setdefault(part, [])
        wanted = [week for week in found if self.month in (None, month_of(week))]
        return {week: tuple(found[week]) for week in sorted(wanted)}

    def held(self, task: Task, *parts: str) -> Task:
        """Have a task wait if one of its parts (weeks, pages) or a whole folder cannot be read."""
        path = next((self.unknown[part] for part in ("", *parts) if part in self.unknown), "")
        if not path or task.state not in TO_WRITE:
            return task
        why = f"{path} cannot be read: {self.shelf.unread[path]}"
        return task._replace(state="waiting", why=why)

    def _written(self, *tiers: str) -> list[str]:
        """Return the periods that were committed for some tiers."""
        past = [key.partition(":") for key in self.ledger.pages.commits]
        return [period for tier, _, period in past if tier in tiers]

    # Tiers

    def _week(self, week: str) -> Task:
        days, page = self.days[week], self.shelf.weeks.get(week)
        task = self._standing(
            "week", week, _digests(days), self.shelf.layout.page("week", week), page
        )
        task = task._replace(tokens=_tokens(days))
        if task.state not in TO_WRITE:
            return task
        if not days and week not in self.unknown:
            return self._emptied(task, page)
        if not self._is_over(week):
            behind = f"; its page is behind its days: {task.why}" if page else ""
            return task._replace(state="open", why=f"the week is not over{behind}")
        if page is None and week not in self.unknown and self._is_thin(days):
            why = "fewer days than min_dailies_for_weekly; they feed the month"
            return task._replace(state="open", why=why)
        return task

    def typed(self) -> list[Task]:
        return [self.held(self._typed(week, days), week) for week, days in self.days.items()]

    def _typed(self, week: str, days: tuple[File, ...]) -> Task:
        task = self._standing("typed", week, _digests(days))._replace(tokens=_tokens(days))
        keys = (task.key, f"marks:{week}")
        gone = [path for path, key in self.gone_memories.items() if key in keys]
        if gone and task.state in ("current", *TO_WRITE):
            more = f" and {len(gone) - 1} more" if gone[1:] else ""
            return task._replace(state="due", why=f"{gone[0]} is missing{more}")
        marks = self.ledger.pages.commits.get(f"marks:{week}")
        if marks and task.key not in self.ledger.pages.commits:
            lost = [p for p in marks.sources if p not in task.sources]
            if lost := [p for p in lost if not self.ledger.pages.is_let_go(p)]:
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
        for month in [*self.shelf.months, *self._written("month")]:
            grouped.setdefault(month, [])
        wanted = [month for month in grouped if self.month in (None, month)]
        found = []
        for month in sorted(wanted):
            weeks = [task.period for task in grouped[month]]
            pages = [self.shelf.layout.page("week", week) for week in weeks]
            page = self.shelf.layout.page("month", month)
            found.append(self.held(self._month(month, grouped[month]), *weeks, *pages, page))
        return found

    def _month(self, month: str, weeks: list[Task]) -> Task:
        now: dict[str, str] = {}
        size = fed = 0
        for week in weeks:
            page, days = self.shelf.weeks.get(week.period), self.days[week.period]
            if page is not None:
                now[page.path] = self.snapshot.body(page)
                size += page.size
                fed += 1
            elif days and self._is_thin(days):
                now.update(_digests(days))
                size += sum(day.size for day in days)
                fed += 1
        page = self.shelf.months.get(month)
        task = self._standing("month", month, now, self.shelf.layout.page("month", month), page)
        task = task._replace(tokens=size // 4)
        below = [week.period for week in weeks if week.state in TO_WRITE]
        failed = [week.period for week in weeks if week.state == "failed"]
        running = [
            week.period
            for week in weeks
            if week.state == "open"
            and (self.days[week.period] or week.period in self.unknown)
            and not self._is_over(week.period)
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
            state: State = "stale" if task.key in self.ledger.pages.commits else "due"
            return task._replace(state=state, why=f"after {', '.join(below)}")
        if task.state == "current" and page and not self._still_stands(task, page, weeks):
            return task._replace(state="stale", why="what it cites was edited")
        if task.state in TO_WRITE and not now:
            return self._emptied(task, page)
        if task.state in TO_WRITE and fed < self.settings.monthly.min_weeklies_for_monthly:
            return task._replace(state="open", why="fewer weeks than min_weeklies_for_monthly")
        return task

    def wisdom(self, below: list[Task]) -> Task:
        # Comments count too: when a source gets a new id, so must the entry that cites it.
        pages = [*self.shelf.typed.values(), *self.shelf.months.values()]
        now = {page.path: page.sha256 for page in sorted(pages, key=lambda page: page.path)}
        task = self._standing("wisdom", "", now)
        coming = sum(one.state in TO_WRITE for one in below)
        known = task.key in self.ledger.pages.commits
        if coming and not self.ask.at_once and task.state in ("current", *TO_WRITE):
            why = f"after {coming} period{'s' * (coming > 1)} below"
            return task._replace(state="stale" if known else "due", why=why)
        if task.state in TO_WRITE and not now and not known:
            return task._replace(state="absent", why="nothing to distil")
        page = self.shelf.wisdom
        if task.state == "current" and page and not self._still_stands(task, page, below):
            return task._replace(state="stale", why="what it cites was edited")
        if task.state == "current" and page is None and self.ledger.wisdom.led:
            return task._replace(state="stale", why="it was written here and is missing")
        if task.state == "current" and self.ledger.wisdom.reopened:
            return task._replace(state="stale", why="memories came back into force")
        entries, waiting = self.ledger.wisdom.entries, len(waiting_for_room(self.ledger))
        room = entries is not None and has_room(entries, waiting, self.settings.wisdom)
        if task.state == "current" and room and self.ledger.wisdom.crowded:
            return task._replace(state="stale", why="there is room for what was left out")
        if task.state in TO_WRITE:
            recorded = self.ledger.pages.commits[task.key].sources if known else {}
            changed = len({path for path, _ in recorded.items() ^ now.items()})
            why = f"{changed} new or changed source{'s' * (changed != 1)}"
            return task._replace(why=why)
        return task

    # Shared by the tiers

    def _standing(
        self,
        tier: Tier,
        period: str,
        now: Mapping[str, str],
        path: str | None = None,
        page: File | None = None,
    ) -> Task:
        """Return a task's state by its digests alone; the calendar is applied by the caller."""
        ledger, ask = self.ledger, self.ask
        key = f"{tier}:{period}"
        recorded = sources_of(self.snapshot, key, page)
        foreign = page is not None and not is_ours(ledger, key, page)

        def task(state: State, why: str) -> Task:
            return Task(tier, period, state, why, now)

        if foreign and recorded is None:
            return task("foreign", "not written by lithify; kept as it is")
        if recorded is not None and tier != "wisdom":
            gone = [p for p in recorded if p not in now and not self._is_let_go(p)]
            if gone:
                return task("missing", self._why_missing(gone, recorded, now))
        failure = ledger.pages.failures.get(key)
        if failure and not ask.retry:
            tried = failure.sources if ask.mark is None else failure.mark
            if tried == mark_of(now, ask.mark or ""):
                return task("failed", failure.reason)
        if recorded is None:
            return task("due", "new")
        if path is not None and page is None:
            return task("due", "its file is missing")
        if changed := changes(recorded, now):
            return task("stale", changed)
        if foreign:
            hand = "edited by hand" if key in ledger.pages.commits else "not written by lithify"
            return task("foreign", f"{hand}; kept as it is")
        return task("current", "")

    def _is_let_go(self, path: str) -> bool:
        """Tell whether a source need not be there; a page that the settings moved is written anew."""
        return self.ledger.pages.is_let_go(path) or self.shelf.layout.is_old_page(path)

    def _why_missing(
        self, gone: list[str], recorded: Mapping[str, str], now: Mapping[str, str]
    ) -> str:
        """Tell which sources are missing, and which changes wait until they are back."""
        first = gone[0]
        reason = self.shelf.unread.get(first)
        lead = f"{first} cannot be read: {reason}" if reason else f"{first} is missing"
        more = f" and {len(gone) - 1} more" if gone[1:] else ""
        waits = changes({p: d for p, d in recorded.items() if p not in gone}, now)
        return f"{lead}{more}" + (f"; until it is back, this waits: {waits}" if waits else "")

    def _emptied(self, task: Task, page: File | None) -> Task:
        """Return a task whose sources were all let go: our page is removed, a foreign one kept."""
        if page is None:
            return task._replace(state="absent", why="no sources")
        if is_ours(self.ledger, task.key, page):
            return task._replace(state="stale")
        return task._replace(state="foreign", why="not written by lithify; kept as it is")

    def _still_stands(self, task: Task, page: File, below: list[Task]) -> bool:
        """Tell whether all that a page cites is there; checked only if something below is newer."""
        commits = self.ledger.pages.commits
        own = commits[task.key].seq if task.key in commits else 0
        newer = any(one.key in commits and commits[one.key].seq > own for one in below)
        return not newer or self.snapshot.stands(page)

    def _is_over(self, week: str) -> bool:
        return self.ask.include_current or is_over(week, self.ask.today)

    def _is_thin(self, days: tuple[File, ...]) -> bool:
        """Tell whether a week has too few days for a page of its own."""
        dates = {day_of(page.path) for page in days}
        return len(dates) < self.settings.weekly.min_dailies_for_weekly


def _digests(days: tuple[File, ...]) -> dict[str, str]:
    return {page.path: page.sha256 for page in days}


def _tokens(pages: tuple[File, ...]) -> int:
    # Four bytes a token is close enough for a plan; written pages are counted exactly.
    return sum(page.size for page in pages) // 4


def weeks_to_read(snapshot: Snapshot, tasks: Iterable[Task]) -> Iterator[Task]:
    """Yield the weeks whose days changed since they were read for marks, or whose files are gone.

    A week with a missing day waits until the day is back or a person accepts that it is gone.
    """
    pages = snapshot.ledger.pages
    weeks = {task.period: task for task in tasks if task.tier == "typed"}
    for week in snapshot.ledger.lessons.marked.keys() - weeks.keys():
        weeks[week] = Task("typed", week, "stale")
    gone_files = set(gone_memories(snapshot).values())
    for week, task in sorted(weeks.items()):
        # The days of the week as they were when they were last read for marks.
        commits = (pages.commits.get(f"{tier}:{week}") for tier in ("marks", "typed"))
        recorded = [commit.sources for commit in commits if commit]
        gone = [path for sources in recorded for path in sources if path not in task.sources]
        if all(map(pages.is_let_go, gone)) and (
            task.sources not in recorded or f"marks:{week}" in gone_files
        ):
            yield task


def waits_for_agent(
    snapshot: Snapshot, task: Task, today: date, *, only_judged: bool = False
) -> bool:
    """Tell whether a page that is due is still left to the agent.

    With `only_judged`, only where an agent or a model wrote the page in force and some of it still
    stands: selected sentences take its place when nobody has written it anew for so long.
    """
    if only_judged and not _is_judged(snapshot, task):
        return False
    since = [_due_since(snapshot, task), parse_day(snapshot.ledger.initialised[:10])]
    begun = max((day for day in since if day), default=None)
    return begun is not None and today < begun + timedelta(snapshot.settings.agent.wait_days)


def _is_judged(snapshot: Snapshot, task: Task) -> bool:
    """Tell whether what is to be replaced was chosen by an agent or a model, and is worth keeping."""
    commit = snapshot.ledger.pages.commits.get(task.key)
    if commit is None or commit.engine == "offline" or task.state != "stale" or not task.sources:
        return False
    # Of memories the offline engine keeps what a writer found, while its lines exist.
    pages = {"week": snapshot.shelf.weeks, "month": snapshot.shelf.months}.get(task.tier, {})
    page = pages.get(task.period)
    if page is None or not is_ours(snapshot.ledger, task.key, page):
        return False
    return bool(snapshot.claims_that_stand(page, commit.sources))


def _due_since(snapshot: Snapshot, task: Task) -> date | None:
    """Return the day from which a page was due, as far as it can be told."""
    if task.tier == "wisdom":
        last = snapshot.ledger.pages.commits.get(task.key)
        return parse_day(last.time[:10]) if last else None
    if task.tier == "month":
        end = month_end(month_start(task.period))
        # A month's last week is the one with its last Thursday; it is over four days later.
        due = end - timedelta((end.weekday() - 3) % 7) + timedelta(4)
    else:
        due = week_days(task.period)[-1] + timedelta(1)
    if task.state == "stale":
        # A source that is gone has no date.
        places = (os.path.join(snapshot.root, path) for path in task.sources)
        times = [os.path.getmtime(place) for place in places if os.path.exists(place)]
        due = max([due, *(datetime.fromtimestamp(time).date() for time in times)])
    return due
