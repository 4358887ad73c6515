"""Chosen documents as passages: where they stand, with what stands beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from lithify.index.read import Index
from lithify.index.record import Place
from lithify.recall.choose import Chosen
from lithify.recall.query import Query
from lithify.recall.rank import Ranked, alike
from lithify.recall.revise import differ, replaces
from lithify.values import Passage, Step, is_trusted

#: How many other days a passage names, and summaries.
_ALSO = 12
_STEPS = 3
#: How many of the first passages are compared for older and newer values.
_COMPARED = 24
#: How many of the first passages get their neighbours where there is room.
_WIDENED = 8


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
    placed = [(one, _place(index, one, query, window)) for one in chosen]
    pieces = _aged([Piece(one, place) for one, place in placed if place], found, query)
    groups: list[list[Piece]] = []
    for piece in pieces:
        near = next((g for g in groups if any(_touch(piece, other) for other in g)), None)
        if near is None:
            groups.append([piece])
        else:
            near.append(piece)
    top = found.top or 1.0
    for group in groups:
        group.sort(key=lambda piece: piece.place.seq)
    for group in groups[:_WIDENED]:
        room = _widen(index, group, room)
    alike_ones = [doc.id for one in chosen for doc in (one.doc, *one.same)]
    days = index.all_days(alike_ones, *window)
    return [_passage(index, group, found, days, top) for group in groups]


def _touch(one: Piece, other: Piece) -> bool:
    here, there = one.place, other.place
    same = one.newer == other.newer and here.file == there.file
    return same and abs(here.seq - there.seq) == 1


def _place(index: Index, one: Chosen, query: Query, window: tuple[int, int]) -> Place | None:
    for first, last in query.when.spans:
        place = index.place(one.doc.id, max(first, window[0]), min(last, window[1]))
        if place:
            return place
    return index.place(one.doc.id, *window, oldest=query.when.order == "oldest")


def _aged(pieces: list[Piece], found: Ranked, query: Query) -> list[Piece]:
    """Older values marked, and the newest before them unless the query looks back."""
    first, rest = pieces[:_COMPARED], pieces[_COMPARED:]
    back = query.when.past or query.when.spans or query.when.order == "oldest"
    terms = [piece.chosen.doc.own for piece in first]
    for newer in range(len(first)):
        for older in range(len(first)):
            one, other = first[newer], first[older]
            if other.newer or found.days[other.chosen.doc.id][1] >= one.place.day:
                continue
            text, past = one.chosen.doc.text, other.chosen.doc.text
            same = alike(terms[newer], terms[older], 0.4) and differ(text, past)
            if same or (_same_thing(terms[newer], terms[older], query) and replaces(text, past)):
                first[older] = other._replace(newer=found.days[one.chosen.doc.id][0])
    if not back:
        first = [p for p in first if not p.newer] + [p for p in first if p.newer]
        first = _kept_near(first)
    return first + rest


def _kept_near(pieces: list[Piece]) -> list[Piece]:
    """An older value right behind the first newer one, not at the end of the line."""
    current = [piece for piece in pieces if not piece.newer]
    for piece in (piece for piece in pieces if piece.newer):
        score = piece.chosen.score
        after = [n for n, other in enumerate(current) if other.chosen.score >= score]
        newest = [n for n, other in enumerate(current) if other.place.day >= piece.newer]
        at = max([*after[-1:], *newest[:1]], default=len(current) - 1)
        current.insert(at + 1, piece)
    return current


def _same_thing(one: frozenset[str], other: frozenset[str], query: Query) -> bool:
    asked = {term for term, weight in query.terms.items() if weight >= 1}
    common = one & other & asked
    return len(common) >= max(1, len(asked) * 0.6)


def _widen(index: Index, group: list[Piece], room: int) -> int:
    """Add the entries right before and after a passage, where they are of its section and fit."""
    if room < 20 or group[0].newer:
        return room
    low, high = group[0].place, group[-1].place
    headings = group[0].chosen.doc.headings
    beside = index.around(low.file, low.seq - 1, high.seq + 1)
    docs = index.docs([place.doc for place in beside])
    inside = {piece.place.seq for piece in group}
    for place in beside:
        doc = docs[place.doc]
        if place.seq not in inside and doc.headings == headings and doc.tokens <= room:
            room -= doc.tokens
            group.append(Piece(Chosen(doc, 0.0), place))
    group.sort(key=lambda piece: piece.place.seq)
    return room


def _passage(
    index: Index, group: list[Piece], found: Ranked, said_on: Mapping[int, list[int]], top: float
) -> Passage:
    best = max(group, key=lambda piece: piece.chosen.score)
    first, last = group[0].place, group[-1].place
    text = "\n".join(piece.chosen.doc.text for piece in group)
    origins = [piece.place.origin for piece in group]
    steps = [step for piece in group for step in found.steps.get(piece.chosen.doc.id, ())]
    same = [best.chosen.doc, *best.chosen.same]
    days = {day for doc in same for day in said_on.get(doc.id, ())} - {first.day}
    return Passage(
        text=text,
        path=first.path,
        line=first.line,
        end_line=last.end_line,
        entries=tuple(piece.place.entry for piece in group),
        date=_date(first.day),
        headings=best.chosen.doc.headings,
        score=round(best.chosen.score / top, 4),
        tokens=sum(piece.chosen.doc.tokens for piece in group),
        origin=next((origin for origin in origins if not is_trusted(origin)), origins[0]),
        also_on=tuple(date.fromordinal(day) for day in sorted(days)[-_ALSO:] if day),
        superseded=_date(best.newer),
        through=_through(index, steps),
    )


def _date(day: int) -> date | None:
    return date.fromordinal(day) if day else None


def _through(index: Index, steps: Sequence[Place]) -> tuple[Step, ...]:
    if not steps:
        return ()
    places = list(dict.fromkeys(steps))[:_STEPS]
    docs = index.docs([place.doc for place in places])
    return tuple(Step(p.tier, p.path, p.line, docs[p.doc].text) for p in places)
