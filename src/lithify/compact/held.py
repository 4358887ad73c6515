"""What the days say that no page was written from: what a session must still read itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from lithify.calendar import month_of, week_of
from lithify.compact.ledger import Ledger
from lithify.compact.plan import Shelf, day_of, sources_of
from lithify.values import Task


def not_held(shelf: Shelf, ledger: Ledger, today: date) -> dict[str, str]:
    """The days' files that no page was written from as they stand, oldest first.

    Each with the digest that its page knows it by, empty where none does. What another's page
    was written from nobody knows: it is taken to hold its days.
    """
    past = {day: pages for day, pages in sorted(shelf.days.items()) if day <= today}
    held = {week: _held(shelf, ledger, week) for week in {week_of(day) for day in past}}
    found: dict[str, str] = {}
    for day, pages in past.items():
        known = held[week_of(day)]
        if known is None:
            continue
        for page in pages:
            digest = known.get(page.path, "")
            if digest != page.sha256:
                found[page.path] = digest
    return found


def lost(shelf: Shelf, ledger: Ledger) -> tuple[str, ...]:
    """Days that something was captured in, which are gone though nobody said that they may."""
    here = {page.path for pages in shelf.days.values() for page in pages} | shelf.unread.keys()
    return tuple(sorted(path for path in ledger.captured - here if day_of(path)))


def trailing(shelf: Shelf, unheld: Iterable[str], tasks: Iterable[Task]) -> tuple[str, ...]:
    """The weeks that are not over and have a page already, which is behind its days."""
    weeks = {week_of(day) for path in unheld if (day := day_of(path))} & shelf.weeks.keys()
    going = {task.period for task in tasks if task.tier == "week" and task.state == "open"}
    return tuple(sorted(weeks & going))


def _held(shelf: Shelf, ledger: Ledger, week: str) -> Mapping[str, str] | None:
    """What the page of a week was written from; a week too thin for one feeds its month."""
    if page := shelf.weeks.get(week):
        return sources_of(shelf, ledger, f"week:{week}", page)
    month = month_of(week)
    page = shelf.months.get(month)
    return (sources_of(shelf, ledger, f"month:{month}", page) if page else None) or {}
