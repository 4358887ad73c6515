"""Briefs: what an engine is shown for a task, split to fit its calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, TypeVar

from lithify.calendar import parse_day, week_of
from lithify.compact.memories import known_before
from lithify.compact.snapshot import Snapshot
from lithify.engines.base import Room
from lithify.markdown.pages import longest, most_of, target_length
from lithify.sections import COMBINED, MONTH, WEEK
from lithify.settings import Settings
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Entries, Entry, Item, Task, Tier, TypedMemory, label_of

T = TypeVar("T")

#: Tokens of a prompt that are not the period's material.
OVERHEAD = 2500
#: Share of the output limit that a summary is planned to fill.
FILL = 0.8
#: Tokens of a decision beside the words of its item.
DECISION = 30
#: Tokens that are said about an item or entry of wisdom beside its words.
ABOUT = 40
#: The part of a page that untrusted material may take beside trusted material.
UNTRUSTED = 0.25


def tokens_of(entries: Iterable[Entry]) -> int:
    """Count the tokens of entries as they are shown: their text, and each change of heading."""
    total = 0
    context: tuple[str, tuple[str, ...]] = ("", ())
    for entry in entries:
        total += estimate(entry.text)
        where = (label_of(entry.id), entry.headings)
        if where != context:
            context = where
            total += estimate(" ".join(entry.headings[-1:]))
    return total


def split(brief: Brief, room: Room | None) -> tuple[Brief, ...]:
    """Split a brief into parts whose input and planned output both fit one call.

    The cuts depend only on the material: days are cut by day, then by heading, then by entry;
    months by week, then by section; wisdom by item, each part with all entries in force.
    """
    if room is None:
        return (brief,)
    if brief.tier == "wisdom":
        # Both limits in one measure: what a part shows counts by its share of the window.
        most = max(200, int(room.output * FILL))
        in_force = sum(estimate(f"{e.title} {e.text}") + ABOUT for e in brief.wisdom)
        shown = most / max(200, room.window - room.output - OVERHEAD - in_force)

        def size_of(items: Sequence[Item]) -> int:
            # Items are shown with label, type and date, and every third becomes an entry.
            given = sum(estimate(item.text) + estimate(item.how) + ABOUT for item in items)
            decided = sum(estimate(item.text) // 3 + DECISION for item in items)
            return max(decided, int(shown * given))

        parts = _pack(brief.items, (lambda item: item.id,), size_of, most)
        return _parts(brief, parts) if parts[1:] else (brief,)
    most = _most(brief, room)
    if brief.size <= most:
        return (brief,)
    brief = brief._replace(entries=tuple(_clipped(entry, most) for entry in brief.entries))
    levels, size = (
        (_CLAIM_LEVELS, _claims_size) if brief.tier == "month" else (_ENTRY_LEVELS, tokens_of)
    )
    return _parts(brief, _pack(_material(brief), levels, size, most))


def halves(brief: Brief) -> tuple[Brief, ...]:
    """Halve a part whose reply was cut off at the limit; a part of one element stays whole."""
    material = _material(brief)
    if len(material) < 2:
        return (brief,)
    middle = len(material) // 2
    return _parts(brief, (material[:middle], material[middle:]))


def _material(brief: Brief) -> Sequence[Any]:
    """Return what a brief is split by: the items of wisdom, a month's claims, or the entries."""
    if brief.tier == "wisdom":
        return brief.items
    return brief.claims if brief.tier == "month" else brief.entries


def _most(brief: Brief, room: Room) -> int:
    share = brief.target / brief.size if brief.size and brief.target else 0.3
    by_window = room.window - room.output - OVERHEAD
    return max(200, min(by_window, int(room.output * FILL / share)))


def _clipped(entry: Entry, most: int) -> Entry:
    """Return the beginning of an entry that is too long for a call."""
    if len(entry.text) <= most or estimate(entry.text) <= most:
        return entry
    text = entry.text[: most * 4]
    while estimate(text) > most:
        text = text[: len(text) * 3 // 4]
    return replace(entry, text=f"{text.rpartition(' ')[0] or text} …")


def _parts(brief: Brief, groups: Iterable[Sequence[Any]]) -> tuple[Brief, ...]:
    """Return a brief for each group of its material, each with its share of the page's length."""
    if brief.tier == "wisdom":
        return tuple(
            brief._replace(items=tuple(items), entries=_cited(brief, items)) for items in groups
        )
    if brief.tier != "month":
        parts = [brief._replace(entries=tuple(own), size=tokens_of(own)) for own in groups]
        return _sharing(brief, parts)
    parts = []
    everywhere = {source for claim in brief.claims for source in claim.sources}
    # An entry that no claim cites was added because it settles or reverses one of the claims.
    uncited = {entry.id for entry in brief.entries} - everywhere
    for claims in groups:
        shown = _cited(brief, claims, uncited)
        size = _claims_size(claims)
        parts.append(brief._replace(claims=tuple(claims), entries=shown, size=size))
    return _sharing(brief, parts)


def _cited(
    brief: Brief, things: Sequence[Claim | Item], more: Iterable[str] = ()
) -> tuple[Entry, ...]:
    """Return the entries of a brief that some of its claims or items cite, and those named."""
    cited = {source for thing in things for source in thing.sources}.union(more)
    return tuple(entry for entry in brief.entries if entry.id in cited)


def _sharing(page: Brief, parts: Sequence[Brief]) -> tuple[Brief, ...]:
    """Divide the target and the most of a page between its parts by their size."""
    whole = max(1, sum(part.size for part in parts))
    found: list[Brief] = []
    before = 0
    for part in parts:
        share = slice(before, before := before + part.size)
        target, most = (
            # Rounded at each end, so that the parts add up to the page.
            length * share.stop // whole - length * share.start // whole
            for length in (page.target, most_of(page))
        )
        found.append(part._replace(target=target, most=max(1, most)))
    return tuple(found)


_Levels = Sequence[Callable[[Any], Any]]

_ENTRY_LEVELS: _Levels = (
    lambda e: label_of(e.id),
    lambda e: e.headings[:1],
    lambda e: e.headings,
    lambda e: (e.path, e.line),
)
_CLAIM_LEVELS: _Levels = (
    lambda c: label_of(c.sources[0]) if c.sources else "",
    lambda c: c.section,
    lambda c: c.text,
)


def _pack(
    things: Sequence[T], levels: _Levels, size: Callable[[Sequence[T]], int], most: int
) -> list[list[T]]:
    """Group neighbours into sizes of at most `most`, cutting at the coarsest level that fits."""
    fine: list[list[T]] = []
    for _, group in groupby(things, key=levels[0]):
        piece = list(group)
        if size(piece) > most and len(levels) > 1:
            fine += _pack(piece, levels[1:], size, most)
        else:
            fine.append(piece)
    groups: list[list[T]] = []
    for piece in fine:
        if groups and size([*groups[-1], *piece]) <= most:
            groups[-1] += piece
        else:
            groups.append(piece)
    return groups


def _claims_size(claims: Sequence[Claim]) -> int:
    return sum(estimate(claim.text) + 4 for claim in claims)


# The briefs of a task


def brief_of(
    task: Task,
    entries: Sequence[Entry],
    settings: Settings,
    *,
    claims: Sequence[Claim] = (),
    memories: Sequence[TypedMemory] = (),
    combined: bool = False,
    trusted: bool = True,
) -> Brief:
    """Build the brief of a week, of a month from the claims of its weeks, or of a week's memories.

    With `combined` one reply holds a week's summary and its memories.
    """
    monthly, shown = task.tier == "month", Entries(entries)
    size = sum(estimate(f"- {claim.text}") for claim in claims) if monthly else tokens_of(shown)
    ceiling = (settings.monthly if monthly else settings.weekly).max_tokens
    tier: Tier = "month" if monthly else "week"
    alone = {"week": WEEK, "month": MONTH}.get(task.tier, ())
    return Brief(
        tier=task.tier,
        period=task.period,
        sections=COMBINED if combined else alone,
        entries=shown,
        claims=tuple(claims),
        memories=tuple(memories),
        max_memories=settings.memories.max_per_week,
        size=size,
        target=target_length(tier, size, settings.compression, ceiling),
        ceiling=ceiling,
        trusted=trusted,
        agent_name=settings.agent_name,
    )


def briefs_of(snapshot: Snapshot, task: Task, *, combined: bool | None = None) -> list[Brief]:
    """Build the briefs of a week, a month or a week's memories.

    A page has one for what is trusted, and one for the rest if there is any. Memories rest on
    trusted entries alone. `combined` says whether one reply holds a week and its memories; left
    out, the settings do.
    """
    settings = snapshot.settings
    combined = settings.weekly.style == "combined" if combined is None else combined
    combined = combined and task.tier != "month"
    known: Sequence[TypedMemory] = ()
    if task.tier == "typed" or combined:
        # One reply holds the memories too, so those that are known must be shown.
        known = known_before(snapshot, task.period)
    claims: list[Claim] = []
    if task.tier == "month":
        claims, entries = claims_of_weeks(snapshot, list(task.sources))
    else:
        entries = list(snapshot.entries(list(task.sources)))
    if task.tier == "typed":
        entries = [entry for entry in entries if entry.trusted and not entry.quoted]
        return [brief_of(task, entries, settings, memories=known, combined=combined)]
    lanes = []
    for trusted in (True, False):
        told = [claim for claim in claims if claim.trusted is trusted]
        cited = {id for claim in told for id in claim.sources}
        own = [
            entry
            for entry in entries
            if (entry.id in cited if task.tier == "month" else entry.trusted is trusted)
        ]
        if trusted or told or own:
            brief = brief_of(task, own, settings, claims=told, combined=combined, trusted=trusted)
            lanes.append(brief._replace(memories=tuple(known) if trusted else ()))
    return _share_page(lanes, settings.compression)


def _share_page(lanes: list[Brief], share: float) -> list[Brief]:
    """Divide the ceiling of a page between its lanes."""
    if len(lanes) < 2 or not lanes[0].size:
        return lanes
    trusted, other = lanes
    most = longest(trusted.size + other.size, trusted.ceiling)
    theirs = min(longest(other.size), int(UNTRUSTED * most))
    return [
        lane._replace(ceiling=ceiling, target=target_length(lane.tier, lane.size, share, ceiling))
        for lane, ceiling in ((trusted, most - theirs), (other, theirs))
    ]


def claims_of_weeks(snapshot: Snapshot, paths: Sequence[str]) -> tuple[list[Claim], list[Entry]]:
    """Return the claims of a month's weeks in order, and the entries they cite.

    The days of a week that is too thin for a page feed the month directly.
    """
    pages = {page.path: page for page in snapshot.shelf.weeks.values()}
    claims: list[Claim] = []
    loose: list[Entry] = []
    for path in paths:
        if path in pages:
            claims += snapshot.claims(pages[path])
        else:
            loose += snapshot.entries([path])
    found = snapshot.lookup([id for claim in claims for id in claim.sources])
    found.update({entry.id: entry for entry in loose})
    claims += [
        Claim(entry.text, (entry.id,), trusted=entry.trusted)
        for entry in loose
        if entry.kind not in ("code", "lead")
    ]

    def week(claim: Claim) -> str:
        label = label_of(claim.sources[0])
        day = parse_day(label)
        return week_of(day) if day else label

    entries = sorted(found.values(), key=lambda entry: (label_of(entry.id), entry.path, entry.line))
    return sorted(claims, key=week), entries
