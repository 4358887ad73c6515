"""Threads over weeks: what was stated in one week and taken up in another, of one matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import combinations
from math import log
from typing import NamedTuple

from lithify import cues
from lithify.engines.offline.matters.naming import Naming, opening_of, routine_openings
from lithify.engines.offline.matters.standing import ID
from lithify.engines.offline.matters.still import parts_of
from lithify.engines.offline.matters.subjects import week
from lithify.engines.offline.matters.threads import is_announced, is_told_alone
from lithify.engines.offline.reading.units import Unit, stems_in

#: A word in more sentences than these, and in more than this share of them, binds no two.
_LEAST, _SHARE, _MOST = 6, 0.04, 12
#: Words that two sentences of one matter share; fewer do where they name one thing together.
_SHARED, _NAMED = 3, 2
#: What is counted by such words need not be the same.
_NUMBERS = frozenset(stems_in("two three four five six seven eight nine ten eleven twelve half"))
#: What sharing many words counts for at most.
_ENOUGH = 12.0
#: What it counts for that a sentence is a decision, and that it was turned round or turns one.
_DECIDED, _TURNED = 2.0, 3.0
#: What each day adds on which a thread is taken up, be it told or not.
_TOLD_AGAIN = 2.0
#: What it takes from it that it states nothing.
_SLIGHT = 3.0
#: Sentences of a thread; more are no longer followed.
_LONGEST = 4


class Thread(NamedTuple):
    """What some sentences of several weeks are about, and the sentences in order."""

    name: str
    units: tuple[Unit, ...]


class _Bond(NamedTuple):
    """Two sentences of one matter, the name of it, and how much binds them."""

    weight: float
    name: str
    words: frozenset[str]
    first: Unit
    second: Unit


def threads(
    units: Sequence[Unit], stated: Set[int], turned: Set[int] = frozenset()
) -> list[Thread]:
    """The threads that what is `stated` makes over several weeks, first those bound most firmly.

    What was decided binds more than what was done, and what was `turned` round later most; of
    what more days speak comes before what two do.

    Two sentences are of one matter where they share the name of a thing in two rare words, or more
    rare words than that; others join by the same. No sentence stands in two threads.
    """
    routine = routine_openings(units)
    told = [
        unit
        for unit in units
        if unit.entry.day
        and parts_of(unit.text) == 1
        and is_told_alone(unit)
        and not cues.is_routine(unit.text)
        and opening_of(unit) not in routine
    ]
    found = [*_bonds(units, told, stated, turned)]
    bonds = sorted(found, key=lambda one: (-one.weight, one.first.at, one.second.at))
    touching: dict[int, list[_Bond]] = {}
    for bond in bonds:
        for unit in (bond.first, bond.second):
            touching.setdefault(unit.at, []).append(bond)
    taken: set[int] = set()
    names: set[str] = set()
    spun: list[tuple[float, Thread]] = []
    for bond in bonds:
        if not taken.isdisjoint((bond.first.at, bond.second.at)) or bond.name.lower() in names:
            continue
        thread = {unit.at: unit for unit in (bond.first, bond.second)}
        days = {bond.first.entry.day, bond.second.entry.day}
        for other in (*touching[bond.first.at], *touching[bond.second.at]):
            if len(other.words & bond.words) >= _NAMED:
                for unit in (other.first, other.second):
                    days.add(unit.entry.day)
                    if len(thread) < _LONGEST and unit.at not in taken:
                        thread[unit.at] = unit
        taken |= thread.keys()
        names.add(bond.name.lower())
        one = Thread(bond.name, tuple(thread[at] for at in sorted(thread)))
        spun.append((bond.weight + _TOLD_AGAIN * len(days), one))
    return [thread for _, thread in sorted(spun, key=lambda pair: -pair[0])]


def _bonds(
    units: Sequence[Unit], told: Sequence[Unit], stated: Set[int], turned: Set[int]
) -> Iterator[_Bond]:
    """The pairs of sentences of two weeks that are of one matter, one of them stated at least.

    A ticket is a matter whatever is said of it.
    """
    naming = Naming(units, min(_MOST, max(_LEAST, int(_SHARE * len(units)))))
    weights = {stem: log(1 + len(units) / count) for stem, count in naming.counts.items()}
    says = [_says(unit, stated, turned) for unit in told]
    # What stands under a heading and states nothing need not be of what the heading names.
    words = [naming.rare(unit, over=unit.at in stated) - _NUMBERS for unit in told]
    for (one, other), shared in _sharing(told, words).items():
        first, second = told[one], told[other]
        name = naming.shared(first, second, weights)
        if name and _are_enough(shared, name) and (stated & {first.at, second.at} or _is_id(name)):
            bound = min(_ENOUGH, sum(weights[stem] for stem in sorted(shared)))
            yield _Bond(bound + says[one] + says[other], name, frozenset(shared), first, second)


def _says(unit: Unit, stated: Set[int], turned: Set[int]) -> float:
    """What a sentence says of the thread it is in."""
    decided = _DECIDED * is_announced(unit)
    slight = _SLIGHT * (unit.at not in stated)
    return cues.plainness(unit.text) + decided + _TURNED * (unit.at in turned) - slight


def _are_enough(words: Set[str], name: str) -> bool:
    """Whether shared words make one matter: beside who or where it is about there must be more."""
    if _is_id(name):
        return True
    if name.istitle():
        return len(words - frozenset(stems_in(name))) >= _NAMED
    return len(words) >= (_NAMED if " " in name else _SHARED)


def _sharing(told: Sequence[Unit], words: Sequence[Set[str]]) -> Mapping[tuple[int, int], set[str]]:
    """The words that each two sentences of different weeks share: two at least, or an id."""
    by_stem: dict[str, list[int]] = {}
    for number, own in enumerate(words):
        for stem in own:
            by_stem.setdefault(stem, []).append(number)
    weeks = [week(unit) for unit in told]
    shared: dict[tuple[int, int], set[str]] = {}
    for stem, numbers in by_stem.items():
        for one, other in combinations(numbers, 2):
            if weeks[one] != weeks[other]:
                shared.setdefault((one, other), set()).add(stem)
    return {
        pair: own for pair, own in shared.items() if len(own) >= _NAMED or any(map(_is_id, own))
    }


def _is_id(name: str) -> bool:
    return ID.fullmatch(name.upper()) is not None
