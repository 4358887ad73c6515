"""Stories of a month: what its days speak of again and again, and which sentences are of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from math import log

from lithify.dates import MONTHS, WEEKDAYS
from lithify.engines.offline.matters.naming import is_name
from lithify.engines.offline.matters.subjects import names_in, pairs_in, persons, week
from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.openings import head_of
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.words import COMMON_STEMS

#: A name by its stems, and in words.
_Name = tuple[frozenset[str], str]

#: A story is spoken of on so many days at least, and on this part of them at most: more is routine.
_DAYS, _MOST_DAYS = 3, 0.5
#: What stands in a greater part of the sentences tells none of them from the others.
_EVERYWHERE = 0.15
#: Stories a month is told by.
_STORIES = 6
_CALENDAR = frozenset(stems_in(" ".join((*WEEKDAYS, *MONTHS))))
_NAME = r"[^\W\d_a-z][\w-]+"
#: One is not in a person, nor says "the" of one.
_THING = re.compile(
    rf"\b(?:the|at|in|on|into|onto|our|an?|via|under|over|near|inside|outside|within|through|against)"
    rf" ({_NAME}(?: {_NAME})*)"
)


def stories(units: Sequence[Unit], told: Sequence[Unit]) -> dict[int, str]:
    """The story that each of some `told` sentences is of, by their places; many are of none.

    All `units` say what the days speak of. First comes the story that most of the told sentences
    are of, a rare name before a common one; what one week alone tells is no story.
    """
    named = _names(units)
    members = _members(units, named)
    days = {unit.at: unit.entry.day for unit in units}
    weights = {
        key: log(len(units) / len(own)) * log(1 + len({days[at] for at in own}))
        for key, own in members.items()
    }
    free = {unit.at: unit for unit in told if unit.at in days}
    found: dict[int, str] = {}
    for _ in range(_STORIES):
        strengths = {key: _strength(own, free) * weights[key] for key, own in members.items()}
        best = max(members, key=lambda key: (strengths[key], sorted(key)), default=None)
        if best is None or not strengths[best]:
            break
        own = members.pop(best) & free.keys()
        said = Counter(words for names in named.values() for key, words in names if key == best)
        found.update(dict.fromkeys(own, min(said, key=lambda words: (-said[words], words))))
        free = {at: unit for at, unit in free.items() if at not in own}
    return found


def _strength(own: Set[int], free: Mapping[int, Unit]) -> int:
    """How many of the sentences a story has, if they are of several weeks."""
    mine = [free[at] for at in own if at in free]
    return len(mine) if len({week(unit) for unit in mine}) > 1 else 0


def _members(
    units: Sequence[Unit], named: Mapping[int, Sequence[_Name]]
) -> dict[frozenset[str], frozenset[int]]:
    """The sentences that are of each name, by their places, for the names that can be a story's.

    What a longer name stands over or in is of the shorter one too.
    """
    by_stem: dict[str, set[int]] = {}
    for at, names in named.items():
        for stem in frozenset[str]().union(*(key for key, _ in names)):
            by_stem.setdefault(stem, set()).add(at)
    days = {unit.at: unit.entry.day for unit in units}
    most = _MOST_DAYS * len(set(days.values()))
    members = {}
    for key in {key for names in named.values() for key, _ in names}:
        near = set.intersection(*(by_stem[stem] for stem in key))
        own = frozenset(at for at in near if any(key <= other for other, _ in named[at]))
        spoken = len({days[at] for at in own})
        if _DAYS <= spoken <= most and len(own) <= _EVERYWHERE * len(units):
            members[key] = own
    return members


def _names(units: Sequence[Unit]) -> dict[int, list[_Name]]:
    """What each sentence may be of: what stands over it, the names in it, the things of two nouns."""
    things = {frozenset(stems_in(words)) for unit in units for words in _THING.findall(unit.text)}
    parts = frozenset[str]().union(*things)
    acting = Counter(persons(units, labels=False))
    people = {
        name for name, times in acting.items() if times > 1 or parts.isdisjoint(stems_in(name))
    }
    over = {unit.at: [*_over(unit, things)] for unit in units if unit.entry.day}
    things = things.union(key for names in over.values() for key, _ in names)
    found = {}
    for unit in units:
        if unit.entry.day:
            names = [one for one in names_in(unit.text, things) if one[0] in things]
            pairs = [(key, words) for key, words, is_thing in pairs_in(unit.text) if is_thing]
            found[unit.at] = [*_without(people, (*over[unit.at], *names, *pairs))]
    return found


def _over(unit: Unit, things: Set[frozenset[str]]) -> Iterator[_Name]:
    """What stands over a sentence; a single name before its colon may be a speaker's."""
    subject, key = subject_of(unit.place[1:] or unit.place)
    if subject and is_name(subject):
        yield key, subject
    for words in filter(None, (unit.label, head_of(unit.entry.text))):
        key = frozenset(stems_in(words))
        if is_name(words) and (not words.istitle() or " " in words or key in things):
            yield key, words


def _without(people: Set[str], names: Iterable[_Name]) -> Iterator[_Name]:
    """The names that are nobody's."""
    for key, words in names:
        days = _CALENDAR.issuperset(key)
        if not (days or key <= COMMON_STEMS) and people.isdisjoint(re.findall(_NAME, words)):
            yield key, words
