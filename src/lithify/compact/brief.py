"""Briefs: what an engine is shown for a task, split to fit its calls."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby, zip_longest
from typing import Any, TypeVar

from lithify.calendar import week_days
from lithify.compact.memories import known_before
from lithify.compact.snapshot import Snapshot
from lithify.engines.base import Room
from lithify.markdown.pages import longest, most_of, target_length
from lithify.repeated import folded, others
from lithify.sections import COMBINED, MONTH, WEEK
from lithify.settings import Settings
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Entries, Entry, Item, Task, TypedMemory, label_of

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
    for entry, *more in folded(tuple(entries)):
        total += estimate(entry.text + others((entry, *more)))
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
            return max(decided, math.ceil(shown * given))

        parts = _pack(brief.items, (lambda item: item.id,), size_of, most)
        return _parts(brief, parts) if parts[1:] else (brief,)
    most = _most(brief, room)
    if brief.size <= most:
        return (brief,)
    brief = _numbered(brief)._replace(entries=tuple(_clipped(e, most) for e in brief.entries))
    levels, size = (
        (_CLAIM_LEVELS, _claims_size) if brief.tier == "month" else (_ENTRY_LEVELS, tokens_of)
    )
    return _parts(brief, _pack(_material(brief), levels, size, most))


#: Of what is shown of a long week, its page aims at this share.
SHARE = 0.3
#: A week that takes more calls than this is shown in part, in at most so many calls.
MOST_CALLS, SELECTED_CALLS = 4, 2


def selected(brief: Brief, room: Room | None, calls: int = MOST_CALLS) -> Brief:
    """Return a week, or its memories, as a selection if the whole would take more than `calls` calls.

    What is shown fits two calls. The labels stay those of the whole week.
    """
    if room is None or brief.tier not in ("week", "typed") or brief.shown:
        return brief
    if len(split(brief, room)) <= calls:
        return brief
    calls = min(calls, SELECTED_CALLS)
    # Days are not cut where they fit a call, so calls are seldom full.
    most = calls * _most(brief, room)
    while len(split(part := _selection(brief, most), room)) > calls:
        most = most * 9 // 10
    return part


def shown_again(brief: Brief, shown: str) -> Brief:
    """Return a week as its page was written, by what its front matter says of how much was shown."""
    wanted = shown.partition(" ")[0]
    if brief.tier != "week" or brief.shown or not wanted.isdecimal():
        return brief
    # A selection stays below its limit, so the limit was higher than what was shown.
    most, part = int(wanted), _selection(brief, int(wanted))
    while part.size < int(wanted) and most < brief.size:
        most += int(wanted) - part.size
        part = _selection(brief, most)
    return part


def _selection(brief: Brief, most: int) -> Brief:
    """Return a brief that shows so many tokens of its entries."""
    # A run that splits nothing loads nothing of this.
    from lithify.compact.selection import select

    whole, chosen = _numbered(brief), select(brief.entries, most)
    entries = Entries(chosen.values())
    size = tokens_of(entries)
    return whole._replace(
        entries=entries,
        numbers=tuple(whole.numbers[n] for n in chosen),
        size=size,
        target=min(brief.target, int(SHARE * size)),
        shown=size,
        whole=brief.size,
    )


def halves(brief: Brief) -> tuple[Brief, ...]:
    """Halve a part whose reply was cut off at the limit; a part of one element stays whole."""
    material = _material(brief)
    if len(material) < 2:
        return (brief,)
    middle = len(material) // 2
    return _parts(_numbered(brief), (material[:middle], material[middle:]))


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


def _numbered(brief: Brief) -> Brief:
    """Return a brief whose entries and claims keep their numbers when it is divided."""
    return brief._replace(
        numbers=brief.numbers or tuple(range(1, len(brief.entries) + 1)),
        claim_numbers=brief.claim_numbers or tuple(range(1, len(brief.claims) + 1)),
    )


def _parts(brief: Brief, groups: Iterable[Sequence[Any]]) -> tuple[Brief, ...]:
    """Return a brief for each group of its material, each with its share of the page's length.

    The groups hold the whole material in its order.
    """
    if brief.tier == "wisdom":
        return tuple(_citing(brief._replace(items=tuple(items)), items) for items in groups)
    parts, before = [], 0
    cited = {source for claim in brief.claims for source in claim.sources}
    # What no claim cites stands beside the first part.
    beside = {entry.id for entry in brief.entries} - cited
    for group in groups:
        own = slice(before, before := before + len(group))
        if brief.tier != "month":
            size, numbers = tokens_of(group), brief.numbers[own]
            parts.append(brief._replace(entries=tuple(group), size=size, numbers=numbers))
            continue
        claims = tuple(group)
        part = brief._replace(claims=claims, claim_numbers=brief.claim_numbers[own])
        parts.append(_citing(part._replace(size=_claims_size(claims)), claims, beside))
        beside = set()
    return _sharing(brief, parts)


def _citing(brief: Brief, things: Sequence[Claim | Item], more: Iterable[str] = ()) -> Brief:
    """Return a brief with the entries that some claims or items cite, and with those named."""
    cited = {source for thing in things for source in thing.sources}.union(more)
    brief = _numbered(brief)
    pairs = zip(brief.numbers, brief.entries, strict=True)
    kept = [(number, entry) for number, entry in pairs if entry.id in cited]
    return brief._replace(
        entries=tuple(entry for _, entry in kept), numbers=tuple(number for number, _ in kept)
    )


def _sharing(page: Brief, parts: Sequence[Brief]) -> tuple[Brief, ...]:
    """Divide the target and the most of a page between its parts by their size.

    Each may find its share of the memories, so that none is found for nothing.
    """
    whole = max(1, sum(part.size for part in parts))
    memories = -(-page.max_memories // max(1, len(parts)))
    found: list[Brief] = []
    before = 0
    for part in parts:
        share = slice(before, before := before + part.size)
        target, most = (
            # Rounded at each end, so that the parts add up to the page.
            length * share.stop // whole - length * share.start // whole
            for length in (page.target, most_of(page))
        )
        part = part._replace(max_memories=memories)
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
    """Group neighbours into sizes of at most `most`, cutting at the coarsest level that fits.

    Two pieces together are never larger than the sum of their sizes.
    """
    fine: list[list[T]] = []
    for _, group in groupby(things, key=levels[0]):
        piece = list(group)
        if size(piece) > most and len(levels) > 1:
            fine += _pack(piece, levels[1:], size, most)
        else:
            fine.append(piece)
    groups: list[list[T]] = []
    so_far = 0
    for piece in fine:
        both = so_far + (own := size(piece))
        if groups and both > most:
            # The sum counts a heading again that is shown once.
            both = size([*groups[-1], *piece])
        if groups and both <= most:
            groups[-1] += piece
            so_far = both
        else:
            groups.append([*piece])
            so_far = own
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
    trusted: bool = True,
) -> Brief:
    """Build the brief of a week, of a month from the claims of its weeks, or of a week's memories."""
    monthly, shown = task.tier == "month", Entries(entries)
    size = sum(estimate(f"- {claim.text}") for claim in claims) if monthly else tokens_of(shown)
    ceiling = (settings.monthly if monthly else settings.weekly).max_tokens
    week = COMBINED if settings.weekly.style == "combined" else WEEK
    return Brief(
        tier=task.tier,
        period=task.period,
        sections=MONTH if monthly else week if task.tier == "week" else (),
        entries=shown,
        claims=tuple(claims),
        memories=tuple(memories),
        max_memories=settings.memories.max_per_week,
        size=size,
        target=target_length("month" if monthly else "week", size, settings.compression, ceiling),
        ceiling=ceiling,
        trusted=trusted,
        agent_name=settings.agent_name,
    )


def briefs_of(
    snapshot: Snapshot, task: Task, *, combined: bool | None = None, room: Room | None = None
) -> list[Brief]:
    """Build the briefs of a week, a month or a week's memories.

    A page has one for what is trusted, and one for the rest if there is any. Memories rest on
    trusted entries alone. `combined` asks for a week and its memories in one reply, as an agent
    writes them, and for a month in one call; left out, the settings say it of weeks. The brief of
    a week's memories is then that of the week: one saved reply serves both. A week that takes too
    many calls of a writer with this `room` is shown in part.
    """
    settings = snapshot.settings
    one_order = bool(combined)
    combined = settings.weekly.style == "combined" if combined is None else combined
    if task.tier == "month":
        claims, entries = claims_of_weeks(snapshot, list(task.sources))
        untold = _untold(snapshot, task, claims)
        lanes = _lanes(task, settings, [*entries, *untold], claims)
        if one_order:
            lanes = [_in_one_order(lane, settings.agent.order_tokens) for lane in lanes]
        return lanes
    entries = list(snapshot.entries(list(task.sources)))
    known: Sequence[TypedMemory] = ()
    if task.tier == "typed" or combined:
        # One reply holds the memories too, so those that are known must be shown.
        known = known_before(snapshot, task.period)
    calls = settings.agent.orders_per_week if one_order else MOST_CALLS
    if task.tier == "typed" and not combined:
        own = [entry for entry in entries if entry.trusted and not entry.quoted]
        return [selected(brief_of(task, own, settings, memories=known), room, calls)]
    lanes = _lanes(task._replace(tier="week"), settings, entries)
    lanes[0] = lanes[0]._replace(with_memories=combined, memories=tuple(known))
    # An agent is not shown the rest, which the program writes from all of it.
    lanes = [selected(a, room, calls) if a.trusted or not one_order else a for a in lanes]
    return lanes if task.tier == "week" else [lanes[0]._replace(tier="typed")]


def _lanes(
    task: Task, settings: Settings, entries: Sequence[Entry], claims: Sequence[Claim] = ()
) -> list[Brief]:
    """Return the brief of what is trusted, and that of the rest if there is any.

    A claim's entries go with it, since what rests on both kinds is not trusted.
    """
    everywhere = {id for claim in claims for id in claim.sources}
    lanes = []
    for trusted in (True, False):
        told = [claim for claim in claims if claim.trusted is trusted]
        cited = {id for claim in told for id in claim.sources}
        own = [
            entry
            for entry in entries
            if (entry.id in cited if entry.id in everywhere else entry.trusted is trusted)
        ]
        if trusted or told or own:
            lanes.append(brief_of(task, own, settings, claims=told, trusted=trusted))
    if len(lanes) < 2 or not lanes[0].size:
        return lanes
    # Both have their part of the page's ceiling.
    most = longest(lanes[0].size + lanes[1].size, lanes[0].ceiling)
    theirs = min(longest(lanes[1].size), int(UNTRUSTED * most))
    return [
        lane._replace(
            ceiling=ceiling,
            target=target_length(lane.tier, lane.size, settings.compression, ceiling),
        )
        for lane, ceiling in zip(lanes, (lanes[0].ceiling - theirs, theirs), strict=True)
    ]


def briefs_for(
    snapshot: Snapshot, task: Task, writer: str, room: Room | None = None
) -> list[Brief]:
    """Build the briefs of a task for a writer: an agent writes a week and its memories in one reply."""
    by_agent = writer.startswith("agent:")
    return briefs_of(snapshot, task, combined=True if by_agent else None, room=room)


def _in_one_order(brief: Brief, most: int) -> Brief:
    """Return a month that one call holds: the last bullets of Context give way to its length.

    Where that is not enough, the last bullets of other sections do. Each time the week gives
    one that has the most of them.
    """
    left = list(zip(_numbered(brief).claim_numbers, brief.claims, strict=True))
    whole = used = _claims_size(brief.claims)
    for context in (True, False):
        weeks: dict[str, list[tuple[int, Claim]]] = {}
        for pair in left:
            if (pair[1].section == WEEK.context) is context:
                weeks.setdefault(pair[1].week, []).append(pair)
        while used > most and any(weeks.values()):
            longest_ = max(weeks.values(), key=lambda pairs: _claims_size([c for _, c in pairs]))
            gone = longest_.pop()
            left.remove(gone)
            used -= _claims_size([gone[1]])
    if used == whole:
        return brief
    claims = tuple(claim for _, claim in left)
    brief = _numbered(brief)._replace(claims=claims, claim_numbers=tuple(n for n, _ in left))
    size = sum(estimate(f"- {claim.text}") for claim in claims)
    return brief._replace(size=size, shown=used, whole=whole)


#: Tokens of the entries that stand beside a month's weeks.
UNTOLD_TOKENS = 2000


def _untold(snapshot: Snapshot, task: Task, claims: Sequence[Claim]) -> list[Entry]:
    """Return the entries of a month's weeks that somebody marked and no bullet of theirs tells."""
    from lithify.verify import question

    pages = {page.path: week for week, page in snapshot.shelf.weeks.items()}
    found = []
    for week in [pages[path] for path in task.sources if path in pages]:
        days = [file.path for day in week_days(week) for file in snapshot.shelf.days.get(day, ())]
        entries = tuple(e for e in snapshot.entries(days) if e.trusted and not e.quoted)
        told = [claim for claim in claims if claim.week == week]
        found.append(question(Brief("week", week, entries=entries), told))
    shown, used = list[Entry](), 0
    for turn in zip_longest(*found):
        for entry in filter(None, turn):
            used += estimate(entry.text) + 6
            if used <= UNTOLD_TOKENS:
                shown.append(entry)
    return sorted(shown, key=lambda entry: (label_of(entry.id), entry.path, entry.line))


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
    hidden = snapshot.ledger.captures.hidden
    claims = [c for c in claims if not (c.sources and hidden.issuperset(c.sources))]
    found = snapshot.lookup([id for claim in claims for id in claim.sources if id not in hidden])
    found.update({entry.id: entry for entry in loose})
    claims += [
        Claim(entry.text, (entry.id,), trusted=entry.trusted)
        for entry in loose
        if entry.kind not in ("code", "lead")
    ]

    entries = sorted(found.values(), key=lambda entry: (label_of(entry.id), entry.path, entry.line))
    return sorted(claims, key=lambda claim: claim.week), entries
