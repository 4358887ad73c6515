"""A line that lists what is open, without what has come about since."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from lithify import cues
from lithify.calendar import end_of_month, shifted
from lithify.engines.offline.matters.boxes import is_listed
from lithify.engines.offline.matters.due import FOR_A_DAY, passed
from lithify.engines.offline.matters.matter import telling
from lithify.engines.offline.matters.settled import settlements
from lithify.engines.offline.matters.standing import overtaken
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.atoms import find_atoms

#: What stands between the things of a line outside brackets, and how often at least.
_BETWEEN = (("; ", 2), (" · ", 2), (", ", 3))
_BRACKETS = re.compile(r"\([^()]*\)")
#: Between commas stand things of so many words, or it is a sentence.
_WORDS = 6
#: Days after which a list is out of date.
_WEEK = 7


def as_left(units: Sequence[Unit], *, monthly: bool = False) -> list[Unit]:
    """The sentences, of each line that lists what is open only what is so still.

    A thing of a list has no sentence of its own, and is looked for as if it had; `monthly` it has
    to outlive the month.
    """
    last = max((unit.entry.day for unit in units if unit.entry.day), default=None)
    if last is None:
        return [*units]
    since = shifted(last, 1 - _WEEK)
    lately = [unit for unit in units if unit.entry.day and unit.entry.day >= since]
    lists = {unit.at: listed for unit in lately if (listed := _list_of(unit))}
    if not lists:
        return [*units]
    parts: dict[int, list[Unit]] = {}
    at = units[-1].at
    for unit in lately:
        for thing in lists[unit.at].things if unit.at in lists else ():
            at += 1
            parts.setdefault(unit.at, []).append(_part(unit, thing, at))
    things = [part for some in parts.values() for part in some]
    named = frozenset(stem for part in things for stem in telling(part))
    told = [unit for unit in lately if unit.at not in lists and _names(unit, named)]
    told += things
    settled = settlements(told)
    waiting = {part.at for part in things} - settled.keys()
    ended = settled.keys() | overtaken(told, settled, waiting).keys()
    end = end_of_month(last) if monthly else last
    whole = end > last
    over = {
        at: {
            part.text
            for part in some
            if part.at in ended or passed(part, end.isoformat(), whole=whole)
        }
        for at, some in parts.items()
    }
    return [
        _without(unit, lists[unit.at], over[unit.at]) if over.get(unit.at) else unit
        for unit in units
    ]


class _List(NamedTuple):
    """What a line lists, what stands between its things and what it begins with."""

    opening: str
    things: tuple[str, ...]
    between: str


def _names(unit: Unit, words: frozenset[str]) -> bool:
    """Whether a sentence or its label has one of some words."""
    return not (words.isdisjoint(unit.stems) and words.isdisjoint(stems_in(unit.label)))


def _list_of(unit: Unit) -> _List | None:
    """The list that a line gives of what is open, if it is one and not for a certain day."""
    if unit.section != cues.OPEN or unit.entry.kind == "row" or not is_listed(unit):
        return None
    if FOR_A_DAY.match(unit.text):
        return None
    label = cues.label_of(unit.text)
    opening = f"{label}: " if cues.announced(label) == cues.OPEN else ""
    said = unit.text.removeprefix(opening)
    plain = _BRACKETS.sub(lambda inside: "x" * len(inside[0]), said)
    for between, fewest in _BETWEEN:
        if plain.count(between) < fewest:
            continue
        if between == ", " and any(thing.count(" ") >= _WORDS for thing in plain.split(between)):
            return None
        ends = [-len(between), *(cut.start() for cut in re.finditer(between, plain)), len(plain)]
        things = (said[one + len(between) : other] for one, other in pairwise(ends))
        return _List(opening, tuple(things), between)
    return None


def _part(unit: Unit, thing: str, at: int) -> Unit:
    firm = frozenset(atom.key for atom in find_atoms(thing, unit.entry.day))
    return replace(unit, at=at, text=thing, stems=stems_in(thing), atoms=firm, firm=firm, folded=[])


def _without(unit: Unit, listed: _List, over: Set[str]) -> Unit:
    """A list without some of its things; where none is left it is no longer open."""
    left = [thing for thing in listed.things if thing not in over]
    if not left:
        return replace(unit, section=cues.CONTEXT, folded=[*unit.folded])
    kept = unit.copy()
    kept.shorten(f"{listed.opening}{listed.between.join(left)}")
    return kept
