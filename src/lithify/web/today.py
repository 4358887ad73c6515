"""The page that a visit begins with: what happened, what is open, and what waits for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from lithify.calendar import ago, day_words, moment
from lithify.markdown.pages import read_summary
from lithify.markdown.parse import front_of
from lithify.regex import regex
from lithify.sections import AS_COMBINED, WEEK
from lithify.trust import is_trusted
from lithify.values import BEHIND, TO_WRITE, Entry, Task
from lithify.web.periods import address
from lithify.web.timeline import dates_of
from lithify.web.view import HtmlPage, PageRequest, View, window

#: Days shown, the entries of each, the bullets of a section, what is decided on here, other lists.
DAYS, ENTRIES, BULLETS, DECIDE, ITEMS = 3, 5, 5, 3, 8
#: The weeks of the trend, and the height and step of its drawing.
TREND, HEIGHT, STEP = 26, 40, 12
_PLACE = regex(r"(\S+\.md):(\d+)")
_REPORTED = (WEEK.outcomes, WEEK.decisions)


def today(view: View, asked: PageRequest) -> HtmlPage:
    """What happened since the last visit and this week, what is open, and what waits."""
    behind = [task for task in view.status.tasks if task.state in BEHIND]
    shown = window(behind, asked.page, ITEMS)
    items = view.review
    facts = {
        "status": view.status,
        "age": ago(view.status.newest, view.today) if view.status.newest else "",
        "since": _spoken(asked.since, view),
        "days": list(_new_days(view, asked.since)),
        "news": list(_news(view, asked.since)),
        "week": _newest_week(view),
        "open": list(_open_items(view)),
        "behind": shown,
        "due": sum(task.state in TO_WRITE for task in behind),
        "unread": [(task, view.unread[task.key]) for task in _unread(view)][:ITEMS],
        "items": [(one, is_trusted(one.origin)) for one in items[:DECIDE]],
        "more": len(items[DECIDE:]),
        "refused": len(view.refused),
        "closed": view.memory.gate.closed_jobs(),
        "advice": _advice(view, behind),
        "trend": _trend(view),
    }
    return HtmlPage("today.html", "Today", facts)


def reading(view: View, progress: tuple[int, int]) -> HtmlPage:
    """How far the first reading of a root is, and its newest days, which can be opened meanwhile."""
    days = [day for day in view.sizes if day <= view.today][: -1 - ITEMS : -1]
    return HtmlPage("reading.html", "Reading", {"progress": progress, "days": days})


# What is new


class NewDay(NamedTuple):
    """A day that has grown: its last entries, and how many it has."""

    day: date
    #: Each with its words and its address.
    entries: Sequence[tuple[Entry, str, str]]
    number: int


class News(NamedTuple):
    """A page that was written: its name, its address, and by whom."""

    name: str
    href: str
    writer: str


def _spoken(since: float, view: View) -> str:
    """The last visit in words; empty if there was none."""
    if not since:
        return ""
    then = view.memory.in_zone(datetime.fromtimestamp(since).astimezone())
    at = f"{then:%H:%M}"
    return at if then.date() == view.today else f"{day_words(then.date(), year=False)}, {at}"


def _new_days(view: View, since: float) -> Iterator[NewDay]:
    """Yield the days whose files changed since the last visit, or the last ones, newest first."""
    hidden = view.snapshot.ledger.captures.hidden
    known = [day for day in view.sizes if day <= view.today][::-1]
    changed = [day for day in known[:31] if since and view.changed(day) > since]
    for day in (changed if since else known[:2])[:DAYS]:
        paths = [page.path for page in view.snapshot.shelf.days[day]]
        entries = [
            e for e in view.snapshot.entries(paths) if e.kind != "lead" and e.id not in hidden
        ]
        last = [
            (entry, entry.text, address(view, entry.path, entry.line))
            for entry in entries[-ENTRIES:]
        ]
        yield NewDay(day, last[::-1], len(entries))


def _news(view: View, since: float) -> Iterator[News]:
    """Yield the weeks, months and files of wisdom that were written since the last visit."""
    commits = view.snapshot.ledger.pages.commits
    recent = sorted(commits.items(), key=lambda one: one[1].seq, reverse=True)
    shown = 0
    for key, commit in recent:
        tier, _, period = key.partition(":")
        if shown == ITEMS or (since and moment(commit.time).timestamp() <= since):
            return
        if tier not in ("week", "month", "wisdom"):
            continue
        shown += 1
        href = f"/{tier}/{period}" if period else "/wisdom"
        yield News(f"{tier.capitalize()} {period}".strip(), href, commit.engine)


# What this week came to


class WeekNews(NamedTuple):
    """The newest week that has a page: what it reports, by section, and who wrote it."""

    week: str
    dates: str
    writer: str
    sections: Sequence[tuple[str, Sequence[tuple[str, str]], int]]


def _newest_week(view: View) -> WeekNews | None:
    shelf = view.snapshot.shelf
    if not shelf.weeks:
        return None
    week = max(shelf.weeks)
    page, href = shelf.weeks[week], f"/week/{week}"
    commit = view.snapshot.ledger.pages.commits.get(f"week:{week}")
    lines = read_summary(view.snapshot.shown(page.path))
    sections = []
    for name in _REPORTED:
        own = [line for line in lines if line.claim.section in (name, AS_COMBINED[name])]
        told = [(f"{href}#L{line.number}", line.claim.text) for line in own[:BULLETS]]
        sections.append((name, told, len(own)))
    return WeekNews(week, dates_of(week), commit.engine if commit else "", sections)


# What is open


class OpenItem(NamedTuple):
    """Something open: its words, its age as a session is told it, and its line."""

    words: str
    href: str


def _open_items(view: View) -> Iterator[OpenItem]:
    """Yield what a session is told is open, the newest first."""
    for line in view.open_lines[:ITEMS]:
        place = _PLACE.search(line.why)
        href = address(view, place[1], int(place[2])) if place else ""
        yield OpenItem(line.text.removeprefix("- "), href)


# What waits


def _unread(view: View) -> list[Task]:
    return [view.tasks[key] for key in view.unread if key in view.tasks]


def _advice(view: View, behind: Sequence[Task]) -> list[str]:
    """The commands that help with what is behind, as `lithify status` gives them."""
    status, said = view.status, []
    if status.damage:
        said.append("lithify check --repair")
    if any(task.state in TO_WRITE for task in behind):
        agent = view.memory.settings.model == "agent"
        said.append("lithify write next" if agent else "lithify compact")
    if any(task.state == "failed" for task in behind):
        said.append("lithify compact --retry")
    if status.lost or any(task.state == "missing" for task in behind):
        said.append("lithify compact --accept-removed")
    if status.trailing:
        said.append("lithify compact --include-current")
    return said


# What became of the days


class Trend(NamedTuple):
    """The last weeks with a page: what each shrank to and kept of its marked entries, as lines."""

    width: int
    shrunk: str
    kept: str
    points: Sequence[tuple[float, str, str]]
    last: str


def _trend(view: View) -> Trend | None:
    """Draw the share of their days' length that pages have, and the share of marks they kept."""
    shelf = view.snapshot.shelf
    weeks = sorted(shelf.weeks)[-TREND:]
    figures = [(week, *view.remembered(shelf.weeks[week], _figures)) for week in weeks]
    if len(figures) < 2:
        return None
    points, shrunk, kept = [], [], []
    for number, (week, length, told, required) in enumerate(figures):
        x = STEP * number + STEP / 2
        shrunk.append(f"{x:.1f},{HEIGHT - HEIGHT * min(1.0, length):.1f}")
        if required:
            kept.append(f"{x:.1f},{HEIGHT - HEIGHT * told / required:.1f}")
        words = (
            f"{week}: {length:.0%} of its days' length, kept {told} of {required} marked entries"
        )
        points.append((x - STEP / 2, f"/week/{week}", words))
    width = STEP * len(figures)
    return Trend(width, " ".join(shrunk), " ".join(kept), points, points[-1][2])


def _figures(data: bytes) -> tuple[float, int, int]:
    """Return of a page its length as a share of its days', the marks it tells, and all of them."""
    front: Mapping[str, Any] = front_of(data).values
    tokens, kept = front.get("tokens"), str(front.get("kept", ""))
    share = 0.0
    if isinstance(tokens, dict) and (whole := int(tokens.get("in", 0))):
        share = int(tokens.get("out", 0)) / whole
    told, _, required = kept.partition(" of ")
    return share, *((int(told), int(required)) if required.isdigit() else (0, 0))
