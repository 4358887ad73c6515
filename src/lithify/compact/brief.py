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
from lithify.markdown.entries import label_of
from lithify.markdown.pages import longest, most_of, target_length
from lithify.sections import COMBINED, MONTH, WEEK
from lithify.settings import Settings
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Entries, Entry, Item, Task, TypedMemory

T = TypeVar("T")

#: Tokens of a prompt that are not the period's material.
OVERHEAD = 2500
#: Share of the output limit that a summary is planned to fill.
FILL = 0.8
#: Tokens of a decision beside the words of its item.
DECISION = 30
#: Tokens that are said about an item or entry of wisdom beside its words.
ABOUT = 40


def tokens_of(entries: Iterable[Entry]) -> int:
    """The tokens of entries as they are shown: their text, and each change of heading once."""
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
        shown = most / max(200, room.window - room.output - OVERHEAD - _standing_size(brief))

        def size(items: Sequence[Item]) -> int:
            return max(_decided_size(items), int(shown * _shown_size(items)))

        parts = _pack(brief.items, (lambda item: item.id,), size, most)
        return tuple(_wisdom_part(brief, part) for part in parts) if parts[1:] else (brief,)
    if brief.size <= _most(brief, room):
        return (brief,)
    most = _most(brief, room)
    brief = brief._replace(entries=tuple(_clipped(entry, most) for entry in brief.entries))
    if brief.tier == "month":
        groups = _pack(brief.claims, _CLAIM_LEVELS, _claims_size, most)
        return _month_parts(brief, groups)
    return _parts(brief, _pack(brief.entries, _ENTRY_LEVELS, tokens_of, most))


def halves(brief: Brief) -> tuple[Brief, ...]:
    """Halve a part whose reply was cut off at the limit; a part of one element stays whole."""
    if brief.tier == "wisdom":
        if len(brief.items) < 2:
            return (brief,)
        middle = len(brief.items) // 2
        return tuple(_wisdom_part(brief, g) for g in (brief.items[:middle], brief.items[middle:]))
    if brief.tier == "month":
        if len(brief.claims) < 2:
            return (brief,)
        middle = len(brief.claims) // 2
        return _month_parts(brief, (brief.claims[:middle], brief.claims[middle:]))
    if len(brief.entries) < 2:
        return (brief,)
    middle = len(brief.entries) // 2
    return _parts(brief, (brief.entries[:middle], brief.entries[middle:]))


def _most(brief: Brief, room: Room) -> int:
    share = brief.target / brief.size if brief.size and brief.target else 0.3
    by_window = room.window - room.output - OVERHEAD
    return max(200, min(by_window, int(room.output * FILL / share)))


def _clipped(entry: Entry, most: int) -> Entry:
    """The beginning of an entry that is too long for a call."""
    if len(entry.text) <= most or estimate(entry.text) <= most:
        return entry
    text = entry.text[: most * 4]
    while estimate(text) > most:
        text = text[: len(text) * 3 // 4]
    return replace(entry, text=f"{text.rpartition(' ')[0] or text} …")


def _parts(brief: Brief, groups: Sequence[Sequence[Entry]]) -> tuple[Brief, ...]:
    return _sharing(
        brief, [brief._replace(entries=tuple(group), size=tokens_of(group)) for group in groups]
    )


def _month_parts(brief: Brief, groups: Sequence[Sequence[Claim]]) -> tuple[Brief, ...]:
    everywhere = {source for claim in brief.claims for source in claim.sources}
    parts = []
    for claims in groups:
        elsewhere = everywhere - {source for claim in claims for source in claim.sources}
        # An entry that no claim cites was added because it settles or reverses one of the claims.
        entries = tuple(entry for entry in brief.entries if entry.id not in elsewhere)
        size = _claims_size(claims)
        parts.append(brief._replace(claims=tuple(claims), entries=entries, size=size))
    return _sharing(brief, parts)


def _sharing(page: Brief, parts: Sequence[Brief]) -> tuple[Brief, ...]:
    """The parts of a page with its target and its most divided between them by their size."""
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


def _wisdom_part(brief: Brief, items: Sequence[Item]) -> Brief:
    cited = {source for item in items for source in item.sources}
    entries = tuple(entry for entry in brief.entries if entry.id in cited)
    return brief._replace(items=tuple(items), entries=entries)


def _shown_size(items: Sequence[Item]) -> int:
    """The tokens of items as they are shown, each with its label, type and date."""
    return sum(estimate(item.text) + estimate(item.how) + ABOUT for item in items)


def _standing_size(brief: Brief) -> int:
    """The tokens of the entries in force as they are shown."""
    return sum(estimate(f"{e.title} {e.text}") + ABOUT for e in brief.wisdom)


def _decided_size(items: Sequence[Item]) -> int:
    """The tokens of decisions on items, if every third becomes an entry."""
    return sum(estimate(item.text) // 3 + DECISION for item in items)


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
    pieces = [list(group) for _, group in groupby(things, key=levels[0])]
    fine: list[list[T]] = []
    for piece in pieces:
        if size(piece) > most and len(levels) > 1:
            fine += _pack(piece, levels[1:], size, most)
        else:
            fine.append(piece)
    groups: list[list[T]] = []
    for piece in fine:
        if groups and size([*groups[-1], *piece]) <= most:
            groups[-1] += piece
        else:
            groups.append(list(piece))
    return groups


def _claims_size(claims: Sequence[Claim]) -> int:
    return sum(estimate(claim.text) + 4 for claim in claims)


# The briefs of a task


#: The part of a page that untrusted material may take beside trusted material.
UNTRUSTED = 0.25


def week_brief(
    task: Task, entries: Sequence[Entry], settings: Settings, *, combined: bool, trusted: bool
) -> Brief:
    shown = Entries(entries)
    size = tokens_of(shown)
    return Brief(
        tier="week",
        period=task.period,
        sections=COMBINED if combined else WEEK,
        entries=shown,
        max_memories=settings.memories.max_per_week,
        size=size,
        target=target_length("week", size, settings.compression, settings.weekly.max_tokens),
        ceiling=settings.weekly.max_tokens,
        trusted=trusted,
        agent_name=settings.agent_name,
    )


def month_brief(
    task: Task,
    claims: Sequence[Claim],
    entries: Sequence[Entry],
    settings: Settings,
    *,
    trusted: bool,
) -> Brief:
    size = sum(estimate(f"- {claim.text}") for claim in claims)
    return Brief(
        tier="month",
        period=task.period,
        sections=MONTH,
        entries=Entries(entries),
        claims=tuple(claims),
        size=size,
        target=target_length("month", size, settings.compression, settings.monthly.max_tokens),
        ceiling=settings.monthly.max_tokens,
        trusted=trusted,
        agent_name=settings.agent_name,
    )


def share_page(lanes: Sequence[Brief], share: float) -> list[Brief]:
    """The lanes of one page, with the page's ceiling divided between them."""
    if len(lanes) < 2 or not lanes[0].size:
        return list(lanes)
    trusted, other = lanes
    most = longest(trusted.size + other.size, trusted.ceiling)
    theirs = min(longest(other.size), int(UNTRUSTED * most))
    return [_capped(trusted, most - theirs, share), _capped(other, theirs, share)]


def _capped(brief: Brief, ceiling: int, share: float) -> Brief:
    target = target_length(brief.tier, brief.size, share, ceiling)
    return brief._replace(ceiling=ceiling, target=target)


def typed_brief(
    task: Task,
    entries: Sequence[Entry],
    memories: Sequence[TypedMemory],
    settings: Settings,
    *,
    combined: bool,
) -> Brief:
    shown = Entries(entries)
    size = tokens_of(shown)
    return Brief(
        tier="typed",
        period=task.period,
        sections=COMBINED if combined else (),
        entries=shown,
        memories=tuple(memories),
        max_memories=settings.memories.max_per_week,
        size=size,
        target=target_length("week", size, settings.compression, settings.weekly.max_tokens),
        ceiling=settings.weekly.max_tokens,
        agent_name=settings.agent_name,
    )


def week_lanes(snapshot: Snapshot, task: Task) -> list[Brief]:
    """The briefs of a week: one for its trusted entries, one for the others if there are any."""
    settings = snapshot.settings
    combined = settings.weekly.style == "combined"
    entries = snapshot.entries(list(task.sources))
    lanes = [
        week_brief(task, own, settings, combined=combined, trusted=trusted)
        for trusted in (True, False)
        if (own := [entry for entry in entries if entry.trusted is trusted]) or trusted
    ]
    if combined:
        # The reply also holds the week's memories, so their known memories must be shown too.
        lanes[0] = lanes[0]._replace(memories=known_before(snapshot, task.period))
    return share_page(lanes, settings.compression)


def month_lanes(snapshot: Snapshot, task: Task) -> list[Brief]:
    """The briefs of a month, by trust like a week's: its weeks' claims and the entries they cite."""
    claims, entries = weeks_told(snapshot, list(task.sources))
    lanes = []
    for trusted in (True, False):
        told = [claim for claim in claims if claim.trusted is trusted]
        if told or trusted:
            cited = {id for claim in told for id in claim.sources}
            own = [entry for entry in entries if entry.id in cited]
            lanes.append(month_brief(task, told, own, snapshot.settings, trusted=trusted))
    return share_page(lanes, snapshot.settings.compression)


def weeks_told(snapshot: Snapshot, paths: Sequence[str]) -> tuple[list[Claim], list[Entry]]:
    """The claims of a month's weeks in order, and the entries they cite.

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
    entries = sorted(found.values(), key=lambda entry: (label_of(entry.id), entry.path, entry.line))
    return sorted(claims, key=_week), entries


def _week(claim: Claim) -> str:
    """The week a claim of a month belongs to."""
    label = label_of(claim.sources[0])
    day = parse_day(label)
    return week_of(day) if day else label


def memories_brief(snapshot: Snapshot, task: Task, *, combined: bool) -> Brief:
    """The brief of a week's trusted entries and the known memories; no memory rests on others."""
    found = snapshot.entries(list(task.sources))
    entries = [entry for entry in found if entry.trusted and not entry.quoted]
    known = known_before(snapshot, task.period)
    return typed_brief(task, entries, known, snapshot.settings, combined=combined)
