"""Splits a brief that is too long for one call; the cuts depend only on the material."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, TypeVar

from lithify.engines.base import Room
from lithify.markdown.entries import label_of
from lithify.markdown.pages import most_of
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Entry, Item

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
