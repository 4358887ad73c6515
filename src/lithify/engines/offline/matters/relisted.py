"""Lists of what is open that nobody ticks: each is written anew, and what later ones no longer hold is over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import date
from functools import lru_cache

from lithify import cues
from lithify.calendar import shifted
from lithify.engines.offline.matters.due import ahead, is_for_a_day
from lithify.engines.offline.matters.ends import OF_DATES
from lithify.engines.offline.matters.matter import FEWEST, telling
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.stems import COMMON_STEMS

#: So many things of a day are a list, and so many later lists tell that an item is gone.
_LIST, _LATER = 3, 2
#: Where of so many boxes one is ticked, what has none stays open until it has.
_TICKED = 5
#: After so long a line of several things is out of date.
_WEEK = 7
#: What stands between the things of a line.
_BETWEEN = re.compile(r"; | · |, ")


def dropped(units: Sequence[Unit]) -> frozenset[int]:
    """The places of items of lists that a later list tells again, or that no later list names."""
    items = [unit for unit in units if unit.entry.day and _is_of_a_list(unit)]
    lists: dict[date, list[Unit]] = {}
    for unit in items:
        # What is told in the same words on several days is of all their lists.
        for day in _days(unit):
            lists.setdefault(day, []).append(unit)
    long = {day for day, some in lists.items() if sum(map(_things, some)) >= _LIST}
    lately = shifted(max((day for unit in units for day in _days(unit)), default=date.max), -_WEEK)
    boxes = sum(unit.box is False for unit in items)
    ticked = sum(unit.box is True for unit in units) * _TICKED > boxes
    told = _Told(lists, lately)
    found = set()
    for unit in items:
        if _things(unit) >= _LIST and unit.box is None:
            # Of the things of a line some may be gone and others not.
            continue
        last = max(_days(unit))
        later = [] if ticked else [lists[day] for day in sorted(long) if day > last]
        if told.again(unit, last) or _is_gone(unit, later):
            found.add(unit.at)
    return frozenset(found)


def _is_gone(item: Unit, later: Sequence[Sequence[Unit]]) -> bool:
    """Whether the last of the lists after an item no longer name it.

    While its day is to come, no list after it may have named it, by that day either.
    """
    if len(later) < _LATER:
        return False
    own, last = telling(item), later
    if not ahead(item, max(day for one in later[-1] for day in _days(one)).isoformat()):
        own, last = own - OF_DATES or own, later[-_LATER:]
    return not any(_names(one, own) for some in last for one in some)


def _days(unit: Unit) -> set[date]:
    return {one.entry.day for one in (unit, *unit.folded) if one.entry.day}


def _is_of_a_list(unit: Unit) -> bool:
    """Whether a sentence has a box, or stands in a list of what is open on no day of its own."""
    if unit.box is False:
        return True
    if unit.box or unit.section != cues.OPEN or is_for_a_day(unit):
        return False
    if cues.OPEN in (cues.announced(unit.entry.lead), cues.announced_by(unit.place)):
        return True
    # A label may be that of one line; of several things it makes a list.
    return _things(unit) >= _LIST and cues.announced(cues.label_of(unit.entry.text)) == cues.OPEN


class _Told:
    """What the lists tell, thing by thing, found by any of its words."""

    def __init__(self, lists: Mapping[date, Sequence[Unit]], lately: date) -> None:
        self._by_stem: dict[str, list[tuple[date, frozenset[str]]]] = {}
        for day, some in lists.items():
            for one in some:
                # A line of several things is soon out of date.
                if day > lately or _things(one) < _LIST:
                    for words in _words(one):
                        for stem in words:
                            self._by_stem.setdefault(stem, []).append((day, words))

    def again(self, item: Unit, last: date) -> bool:
        """Whether a thing of a list after a day has all the words of an item but those of a date."""
        own = frozenset(stem for stem in telling(item) - OF_DATES if not stem[0].isdigit())
        if len(own) < FEWEST:
            return False
        rarest = min((self._by_stem.get(stem, []) for stem in own), key=len)
        return any(day > last and own <= words for day, words in rarest)


def _things(unit: Unit) -> int:
    return _count(unit.text)


@lru_cache(maxsize=1 << 13)
def _count(text: str) -> int:
    return 1 + len(_BETWEEN.findall(text))


def _names(later: Unit, own: Set[str]) -> bool:
    """Whether a line of a later list has half the words of an item, or a thing of it only such words."""
    if 2 * len(own & telling(later)) >= len(own):
        return True
    return _things(later) >= _LIST and any(some and some <= own for some in _words(later))


def _words(line: Unit) -> Iterator[frozenset[str]]:
    """The telling words of each thing of a line."""
    if _things(line) < _LIST:
        yield telling(line).union(stems_in(line.label))
        return
    for thing in _BETWEEN.split(line.text):
        yield frozenset(stems_in(thing)) - COMMON_STEMS
