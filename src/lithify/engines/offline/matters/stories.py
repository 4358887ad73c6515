"""Stories of a month: what its days speak of again and again, and which sentences tell them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import date
from math import log
from typing import NamedTuple

from lithify.engines.offline.matters.naming import is_name
from lithify.engines.offline.matters.subjects import names_in, pairs_in, persons, week
from lithify.engines.offline.reading.headings import is_generic, subject_of
from lithify.engines.offline.reading.openings import head_of
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.dates import MONTHS, WEEKDAYS
from lithify.text.stems import COMMON_STEMS

#: A name by its stems, and in words.
_Name = tuple[frozenset[str], str]

#: A story is spoken of on so many days at least, and on this part of them at most: more is routine.
_DAYS, _MOST_DAYS = 3, 0.5
#: What stands in a greater part of the sentences tells none of them from the others.
_EVERYWHERE = 0.15
#: Stories a month is told by.
_STORIES = 6
#: A name of so few stems that stands over lines on so many days is looked for in all sentences.
_SHORT, _HEADED = 2, 2
#: Tokens of the shortest sentence that tells a part of a story.
_TELLS = 12
#: By how much more a story weighs that stands over lines on several days.
_OVER = 2.0
#: Where the first thing that a heading names ends.
_FIRST = re.compile(r"[,:;/(]| [-–—] ")
_CALENDAR = frozenset(stems_in(" ".join((*WEEKDAYS, *MONTHS))))
_NAME = r"[^\W\d_a-z][\w-]+"
#: One is not in a person, nor says "the" of one.
_THING = re.compile(
    rf"\b(?:the|at|in|on|into|onto|our|an?|via|under|over|near|inside|outside|within|through|against)"
    rf" ({_NAME}(?: {_NAME})*)"
)


class Story(NamedTuple):
    """What a month's days speak of again and again: its name, and the places of its sentences."""

    name: str
    places: frozenset[int]


def stories(units: Sequence[Unit]) -> list[Story]:
    """The stories of a month, first those of which most days speak, by a rare name or a heading.

    Of two that are mostly the same sentences the first stands.
    """
    over = {
        unit.at: frozenset(key for key, _ in _over(unit, frozenset()))
        for unit in units
        if unit.entry.day
    }
    named = _names(units)
    days = {unit.at: unit.entry.day for unit in units}
    weeks = {unit.at: week(unit) for unit in units}
    weighed = []
    for key, own in _members(units, named).items():
        if len({weeks[at] for at in own}) > 1:
            headed = {days[at] for at in own if any(key <= other for other in over[at])}
            weight = len({days[at] for at in own}) * log(len(units) / len(own))
            weighed.append((weight * (_OVER if len(headed) >= _HEADED else 1.0), sorted(key), own))
    found: list[Story] = []
    for _, stems, own in sorted(weighed, key=lambda one: (-one[0], one[1])):
        if len(found) == _STORIES:
            break
        if all(len(own & story.places) * 2 <= min(len(own), len(story.places)) for story in found):
            key = frozenset(stems)
            said = Counter(words for names in named.values() for one, words in names if one == key)
            found.append(Story(min(said, key=lambda words: (-said[words], words)), own))
    return found


def told_by(
    own: Sequence[Story], units: Sequence[Unit], stating: Set[int]
) -> tuple[list[Unit], dict[int, str]]:
    """The sentences that tell how each story stands, then how each began; and the story of each sentence.

    `stating` are the places of those that state an outcome, a decision or an open item. What is told
    of a story in one week alone is no story of a month.
    """
    named: dict[int, str] = {}
    ends: list[Unit] = []
    beginnings: list[Unit] = []
    for story in own:
        mine = [unit for unit in units if _is_of(unit, story) and unit.at not in named]
        telling = [unit for unit in mine if unit.tokens >= _TELLS]
        weeks = sorted({week(unit) for unit in telling})
        if len(weeks) < 2:
            continue
        named |= {unit.at: story.name for unit in mine}
        for when, chosen in ((weeks[-1], ends), (weeks[0], beginnings)):
            there = [unit for unit in telling if week(unit) == when]
            chosen.append(max(there, key=lambda unit: (unit.at in stating, unit.worth, unit.at)))
    return [*ends, *beginnings], named


def _is_of(unit: Unit, story: Story) -> bool:
    return not story.places.isdisjoint([unit.at, *(one.at for one in unit.parts)])


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
    headed = _headed(units, over)
    found = {}
    for unit in units:
        if unit.entry.day:
            names = [one for one in names_in(unit.text, things) if one[0] in things]
            pairs = [(key, words) for key, words, is_thing in pairs_in(unit.text) if is_thing]
            said = frozenset(unit.stems)
            again = [(key, words) for key, words in headed.items() if key <= said]
            found[unit.at] = [*_without(people, (*over[unit.at], *again, *names, *pairs))]
    return found


def _headed(
    units: Sequence[Unit], over: Mapping[int, Sequence[_Name]]
) -> dict[frozenset[str], str]:
    """The short names that stand over lines on several days: they are spoken of elsewhere too."""
    days: dict[frozenset[str], set[date]] = {}
    words: dict[frozenset[str], str] = {}
    for unit in units:
        for _, name in over.get(unit.at, ()):
            head = _FIRST.split(name, maxsplit=1)[0].strip()
            key = frozenset(stems_in(head))
            if (
                unit.entry.day
                and 0 < len(key) <= _SHORT
                and is_name(head)
                and not all(map(is_generic, key))
            ):
                days.setdefault(key, set()).add(unit.entry.day)
                words.setdefault(key, head)
    return {key: words[key] for key, on in days.items() if len(on) >= _HEADED}


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
