"""What a month is written from: its weeks' claims, the entries they cite, and what belongs by them.

An entry that settles or takes back something told is shown with it even if no week kept it, and what
is still open all days of the weeks tell. The journal's line of a month names both, so that a day edited
there is seen although the week's words stay the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lithify.calendar import parse_day, week_of
from lithify.compact.plan import Page
from lithify.compact.snapshot import Snapshot
from lithify.engines.offline.matters.pairs import needed_with
from lithify.markdown.entries import label_of
from lithify.values import Claim, Entry


class Lane(NamedTuple):
    """One lane of a month; `beside` are the ids that no claim of it cites.

    `open` are those whose items its days leave open.
    """

    trusted: bool
    claims: list[Claim]
    entries: list[Entry]
    beside: tuple[str, ...]
    open: frozenset[str]


def material(snapshot: Snapshot, paths: Sequence[str]) -> list[Lane]:
    """The lanes of a month over some weeks; the untrusted one only where there is one."""
    claims: list[Claim] = []
    loose: list[Entry] = []
    for path in paths:
        page = _page_at(snapshot, path)
        if page is not None:
            claims += snapshot.claims(page)
        else:
            # The days of a week too thin for a page of its own feed the month directly.
            loose += snapshot.entries([path])
    found = snapshot.lookup([source for claim in claims for source in claim.sources])
    claims += [
        Claim(entry.text, (entry.id,), trusted=entry.trusted)
        for entry in loose
        if entry.kind not in ("code", "lead")
    ]
    claims.sort(key=_week)
    found.update({entry.id: entry for entry in loose})
    lanes = []
    for trusted in (True, False):
        told = [claim for claim in claims if claim.trusted is trusted]
        if told or trusted:
            cited = dict.fromkeys(source for claim in told for source in claim.sources)
            days = [entry for entry in _days(snapshot, told) if entry.trusted is trusted]
            needed = needed_with(days, cited)
            beside = {entry.id: entry for entry in needed.entries}
            shown = {**{id: found[id] for id in cited if id in found}, **beside}
            entries = sorted(shown.values(), key=lambda e: (label_of(e.id), e.path, e.line))
            lanes.append(Lane(trusted, told, entries, tuple(beside), needed.open))
    return lanes


def days_told(snapshot: Snapshot, paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """What the days tell a month beside its weeks: ids that no week cites, and ids left open."""
    lanes = material(snapshot, paths)
    return sorted({id for lane in lanes for id in lane.beside}), sorted(
        {entry.id for lane in lanes for entry in lane.entries if entry.id in lane.open}
    )


def _days(snapshot: Snapshot, claims: Sequence[Claim]) -> tuple[Entry, ...]:
    """All entries of the weeks that some claims rest on."""
    weeks = {_week(claim) for claim in claims}
    paths = [
        page.path
        for day, pages in snapshot.shelf.days.items()
        if week_of(day) in weeks
        for page in pages
    ]
    return snapshot.entries(paths)


def _week(claim: Claim) -> str:
    """The week a claim of a month belongs to; weeks are shown in their order."""
    label = label_of(claim.sources[0])
    day = parse_day(label)
    return week_of(day) if day else label


def _page_at(snapshot: Snapshot, path: str) -> Page | None:
    return next((page for page in snapshot.shelf.weeks.values() if page.path == path), None)
