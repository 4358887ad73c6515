"""The pages of a root by role, what each was written from, and the days no page covers yet.

Pure: it is given what is on disk and what the journal says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from lithify.calendar import month_of, parse_day, week_of
from lithify.compact.ledger import Ledger
from lithify.store.names import dated, short_name
from lithify.values import Task


class Page(NamedTuple):
    """A file on disk as the plan needs it: its path, digest and size."""

    path: str
    sha256: str
    size: int = 0


class Shelf(NamedTuple):
    """The pages of a root by their role: days by date, the others by period or path.

    `body` gives the digest of what a page says, without comments and front matter.
    `claimed` gives the sources that a page from another tool names in its front matter.
    `stands` says whether every source that a page cites can still be found.
    `unread` are files that exist and are not read, each with the reason; `unknown` are those of
    them, and folders, that the system failed to read.
    """

    days: Mapping[date, tuple[Page, ...]] = MappingProxyType({})
    weeks: Mapping[str, Page] = MappingProxyType({})
    months: Mapping[str, Page] = MappingProxyType({})
    typed: Mapping[str, Page] = MappingProxyType({})
    wisdom: Page | None = None
    folder: str = "memory"
    unread: Mapping[str, str] = MappingProxyType({})
    unknown: frozenset[str] = frozenset()
    body: Callable[[Page], str] = lambda page: page.sha256
    claimed: Callable[[Page], Mapping[str, str] | None] = lambda page: None
    stands: Callable[[Page], bool] = lambda page: True

    def path(self, *parts: str) -> str:
        """The path that a page of memory has or would have."""
        return "/".join([*([self.folder] if self.folder else []), *parts]) + ".md"

    @property
    def day_paths(self) -> set[str]:
        """The paths of all files of days."""
        return {page.path for pages in self.days.values() for page in pages}


def day_of(path: str) -> date | None:
    """The date a day's file belongs to."""
    found = dated(path)
    return parse_day(found.label) if found else None


def is_ours(ledger: Ledger, key: str, page: Page) -> bool:
    """Whether a page has the bytes that were committed for its task."""
    commit = ledger.commits.get(key)
    return commit is not None and commit.files.get(page.path) == page.sha256


def sources_of(
    shelf: Shelf, ledger: Ledger, key: str, page: Page | None
) -> Mapping[str, str] | None:
    """The sources that a task's page was written from or adopted beside; None if unknown."""
    commit = ledger.commits.get(key)
    if page is not None and not is_ours(ledger, key, page):
        adopted = ledger.adopted.get(page.path)
        if adopted and adopted.sha256 == page.sha256:
            return adopted.sources
        if commit is None:
            return shelf.claimed(page)
    return commit.sources if commit else None


def changes(recorded: Mapping[str, str], now: Mapping[str, str]) -> str:
    """What became of a page's sources since it was written, in words; empty if nothing did."""
    edited = [p for p in now if p in recorded and recorded[p] != now[p]]
    late = [p for p in now if p not in recorded]
    gone = [p for p in recorded if p not in now]
    parts = [
        f"{word} {', '.join(short_name(p) for p in paths[:3])}{' …' if len(paths) > 3 else ''}"
        for word, paths in (("edited", edited), ("late", late), ("removed", gone))
        if paths
    ]
    return "; ".join(parts)


def recorded_sources(ledger: Ledger) -> set[str]:
    """Every path that a page in force was written from or adopted beside."""
    recorded = [commit.sources for commit in ledger.commits.values()]
    recorded += [adopted.sources for adopted in ledger.adopted.values()]
    return {path for sources in recorded for path in sources}


def gone_memories(shelf: Shelf, ledger: Ledger) -> dict[str, str]:
    """Our typed memories that are in force but not on disk, each with the task that wrote it."""
    here = shelf.typed.keys() | shelf.unread.keys()
    return {
        path: task
        for path, task in sorted(ledger.taught_by.items())
        if ledger.files.get(path) is not None and path not in here
    }


def unknown_parts(shelf: Shelf, today: date) -> dict[str, str]:
    """What cannot be read, and the file to name: weeks by their days, pages by path, "" for folders."""
    found: dict[str, str] = {}
    for path in sorted(shelf.unknown):
        day = day_of(path)
        if day is None:
            found[path if path.lower().endswith(".md") else ""] = path
        elif day <= today:
            found.setdefault(week_of(day), path)
    return found


def unsummarised_days(shelf: Shelf, ledger: Ledger, today: date) -> dict[str, str]:
    """The files of days that no page covers as they are now, oldest first.

    A session must read these itself. Each comes with the digest that its page was written from,
    which is empty if there is none. A page from another tool whose sources are unknown is taken
    to cover its days.
    """
    past = {day: pages for day, pages in sorted(shelf.days.items()) if day <= today}
    covered = {week: _covered(shelf, ledger, week) for week in {week_of(day) for day in past}}
    found: dict[str, str] = {}
    for day, pages in past.items():
        known = covered[week_of(day)]
        if known is None:
            continue
        for page in pages:
            digest = known.get(page.path, "")
            if digest != page.sha256:
                found[page.path] = digest
    return found


def _covered(shelf: Shelf, ledger: Ledger, week: str) -> Mapping[str, str] | None:
    """The sources of a week's page, or of its month's if the week is too thin for a page."""
    if page := shelf.weeks.get(week):
        return sources_of(shelf, ledger, f"week:{week}", page)
    month = month_of(week)
    page = shelf.months.get(month)
    return (sources_of(shelf, ledger, f"month:{month}", page) if page else None) or {}


def weeks_behind(shelf: Shelf, paths: Iterable[str], tasks: Iterable[Task]) -> tuple[str, ...]:
    """The weeks that are not over and have a page that misses some of these days."""
    weeks = {week_of(day) for path in paths if (day := day_of(path))} & shelf.weeks.keys()
    going = {task.period for task in tasks if task.tier == "week" and task.state == "open"}
    return tuple(sorted(weeks & going))


def lost_days(shelf: Shelf, ledger: Ledger) -> tuple[str, ...]:
    """Days that something was captured in and whose file is gone without an `accept-removed`."""
    here = shelf.day_paths | shelf.unread.keys()
    return tuple(sorted(path for path in ledger.captured - here if day_of(path)))
