"""Chosen documents as passages: where they stand, with what stands beside them."""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from lithify.index.read import Doc, Index, Place
from lithify.recall.choose import Chosen
from lithify.recall.query import Query
from lithify.recall.ranked import Ranked
from lithify.recall.revise import has_value, supersedes
from lithify.trust import is_trusted
from lithify.values import Passage, Step

#: How many other days a passage names, and summaries.
_ALSO = 12
_STEPS = 3
#: How many of the first passages are compared for older and newer values.
_COMPARED = 16
#: A newer value comes before the older one if it answers so well beside it.
_COMPARABLE = 0.35
#: How many of the first passages get their neighbours where there is room.
_WIDENED = 8
_ROOM = 20


class Piece(NamedTuple):
    """A chosen document at its place; `newer` is the day on which its value was replaced."""

    chosen: Chosen
    place: Place
    newer: int = 0


def passages_of(
    index: Index,
    chosen: Sequence[Chosen],
    found: Ranked,
    query: Query,
    window: tuple[int, int],
    room: int,
) -> list[Passage]:
    """The chosen documents, best first; neighbours in a file are one passage.

    What room is left goes to the entries beside the best passages.
    """
    placed = _places(index, chosen, found, query, window)
    pieces = [Piece(one, placed[one.doc.id]) for one in chosen if one.doc.id in placed]
    groups: list[list[Piece]] = []
    holding: dict[tuple[int, int, int], int] = {}
    for piece in _aged(pieces, found, query):
        file, seq, newer = piece.place.file, piece.place.seq, piece.newer
        new = len(groups)
        at = min(holding.get((file, seq - 1, newer), new), holding.get((file, seq + 1, newer), new))
        if at == new:
            groups.append([piece])
        else:
            insort(groups[at], piece, key=_seq)
        holding.setdefault((file, seq, newer), at)
    top = found.top or 1.0
    heads = [_columns(group) for group in groups]
    for columns in heads:
        for lead, tokens in list(columns.items()):
            if tokens <= room:
                room -= tokens
            else:
                del columns[lead]
    if room >= _ROOM:
        _widen(index, groups, room)
    days = _all_days(index, [doc for one in chosen for doc in (one.doc, *one.same)], window)
    return [
        _passage(index, group, found, days, top, columns)
        for group, columns in zip(groups, heads, strict=True)
    ]


def _columns(group: Sequence[Piece]) -> dict[str, int]:
    """The heads of the tables whose rows stand in a group, with their tokens."""
    rows = [piece.chosen.doc for piece in group if piece.chosen.doc.kind == "row"]
    return {doc.columns: doc.lead_tokens for doc in rows if doc.columns} if rows else {}


def _lines(group: Sequence[Piece], columns: Mapping[str, int]) -> list[str]:
    """The words of a group, an entry a line; rows under the head of their table, once."""
    if not columns:
        return [piece.chosen.doc.text for piece in group]
    left, lines = dict(columns), []
    for piece in group:
        doc = piece.chosen.doc
        if left and doc.columns in left:
            del left[doc.columns]
            lines.append(doc.columns)
        lines.append(doc.text)
    return lines


def _places(
    index: Index, chosen: Sequence[Chosen], found: Ranked, query: Query, window: tuple[int, int]
) -> dict[int, Place]:
    """Where each stands: on a day the query names, else on its newest, or oldest where asked."""
    days: dict[int, int] = {}
    for first, last in query.when.spans:
        left = [one.doc.id for one in chosen if one.doc.id not in days]
        inside = index.days(left, max(first, window[0]), min(last, window[1]))
        days.update((id, newest) for id, (_, newest) in inside.items())
    for one in chosen:
        oldest, newest = found.days[one.doc.id]
        days.setdefault(one.doc.id, oldest if query.when.order == "oldest" else newest)
    once = {one.doc.id for one in chosen if one.doc.first == one.doc.last}
    return index.places_on(days, once)


def _all_days(index: Index, docs: Sequence[Doc], window: tuple[int, int]) -> dict[int, list[int]]:
    """Every day each document stands on; most stand on one."""
    days = {doc.id: [doc.first] for doc in docs if doc.first == doc.last}
    days.update(index.all_days([doc.id for doc in docs if doc.id not in days], *window))
    return days


def _aged(pieces: list[Piece], found: Ranked, query: Query) -> list[Piece]:
    """Older values marked, and the newest before them unless the query looks back."""
    first, rest = pieces[:_COMPARED], pieces[_COMPARED:]
    back = query.when.past or query.when.spans or query.until or query.when.order == "oldest"
    asked = frozenset(term for term, weight in query.terms.items() if weight >= 1)
    valued = [n for n, piece in enumerate(first) if has_value(piece.chosen.doc.text)]
    after: dict[int, list[int]] = {}
    for older in valued:
        other = first[older].chosen.doc
        last = found.days[other.id][1]
        for newer in valued:
            if first[newer].place.day > last and supersedes(first[newer].chosen.doc, other, asked):
                after.setdefault(older, []).append(newer)
    for older, newer_ones in after.items():
        # From the first time on that another value was given, by what is shown.
        day = min(found.days[first[n].chosen.doc.id][0] for n in newer_ones)
        first[older] = first[older]._replace(newer=max(day, 1))
    if not back:
        first = [first[n] for n in _before(first, after)]
    return first + rest


def _before(pieces: Sequence[Piece], after: Mapping[int, Sequence[int]]) -> list[int]:
    """The order in which the best of the newer values stands right before each older one.

    One that answers much less well stays where it is: a label is no answer.
    """
    order = list(range(len(pieces)))
    # From the newest back: what comes before another must know where that one went.
    for older in sorted(after, key=lambda n: (-len(after[n]), n)):
        newer = min(after[older], key=order.index)
        enough = _COMPARABLE * pieces[older].chosen.score
        if order.index(newer) > order.index(older) and pieces[newer].chosen.score >= enough:
            order.remove(newer)
            order.insert(order.index(older), newer)
    return order


def _widen(index: Index, groups: Sequence[list[Piece]], room: int) -> None:
    """Add the entries right before and after passages, where they are of the section and fit."""
    spots = {
        (piece.place.file, piece.place.seq + step)
        for group in groups[:_WIDENED]
        for piece, step in ((group[0], -1), (group[-1], 1))
        if not piece.newer
    }
    shown = {(piece.place.file, piece.place.seq) for group in groups for piece in group}
    beside = index.at(spots - shown)
    docs = index.docs({place.doc for place in beside.values()})
    taken: set[Place] = set()
    for group in groups[:_WIDENED]:
        low, high = group[0].place, group[-1].place
        headings = group[0].chosen.doc.headings
        for seq in (low.seq - 1, high.seq + 1):
            place = beside.get((low.file, seq))
            if place is None or place in taken or room < _ROOM or group[0].newer:
                continue
            doc = docs[place.doc]
            if doc.headings == headings and doc.tokens <= room:
                room -= doc.tokens
                taken.add(place)
                group.append(Piece(Chosen(doc, 0.0), place))
        group.sort(key=_seq)


def _seq(piece: Piece) -> int:
    return piece.place.seq


def _passage(
    index: Index,
    group: list[Piece],
    found: Ranked,
    said_on: Mapping[int, list[int]],
    top: float,
    columns: Mapping[str, int],
) -> Passage:
    first, last = group[0].place, group[-1].place
    best, text, origin = group[0], group[0].chosen.doc.text, first.origin
    entries: tuple[str, ...] = (first.entry,)
    tokens = best.chosen.doc.tokens
    if len(group) > 1 or columns:
        best = max(group, key=lambda piece: piece.chosen.score)
        text = "\n".join(_lines(group, columns))
        entries = tuple([piece.place.entry for piece in group])
        tokens = sum([piece.chosen.doc.tokens for piece in group]) + sum(columns.values())
        origins = [piece.place.origin for piece in group]
        origin = next((one for one in origins if not is_trusted(one)), origin)
    steps: list[Place] = []
    if found.steps:
        steps = [step for piece in group for step in found.steps.get(piece.chosen.doc.id, ())]
    days = {day for doc in (best.chosen.doc, *best.chosen.same) for day in said_on.get(doc.id, ())}
    return Passage(
        text,
        first.path,
        first.line,
        last.end_line,
        entries,
        _date(first.day),
        best.chosen.doc.headings,
        round(best.chosen.score / top, 4),
        tokens,
        origin,
        also_on=_also_on(days - {first.day}),
        superseded=_date(best.newer),
        through=_through(index, steps) if steps else (),
    )


def _also_on(days: set[int]) -> tuple[date, ...]:
    return tuple([date.fromordinal(day) for day in sorted(days)[-_ALSO:] if day]) if days else ()


def _date(day: int) -> date | None:
    return date.fromordinal(day) if day else None


def _through(index: Index, steps: Sequence[Place]) -> tuple[Step, ...]:
    places = list(dict.fromkeys(steps))[:_STEPS]
    docs = index.docs([place.doc for place in places])
    return tuple(Step(p.tier, p.path, p.line, docs[p.doc].text) for p in places)
