"""Lists of boxes that nobody ticks: each is written anew, and what later ones no longer hold is over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from lithify.engines.offline.matters.matter import telling
from lithify.engines.offline.reading.units import Unit

#: So many empty boxes of a day are a list, and so many later lists tell that an item is gone.
_LIST, _LATER = 3, 2
#: Where of so many boxes one is ticked, what has none stays open until it has.
_TICKED = 5


def dropped(units: Sequence[Unit]) -> frozenset[int]:
    """The places of items in boxes that no later list names any more."""
    boxes = [unit for unit in units if unit.box is False and unit.entry.day]
    if sum(unit.box is True for unit in units) * _TICKED > len(boxes):
        return frozenset()
    lists: dict[date, list[Unit]] = {}
    for unit in boxes:
        if unit.entry.day:
            lists.setdefault(unit.entry.day, []).append(unit)
    lists = {day: some for day, some in lists.items() if len(some) >= _LIST}
    found = set()
    for unit in boxes:
        later = [some for day, some in lists.items() if unit.entry.day and day > unit.entry.day]
        if len(later) >= _LATER and not any(_names(one, unit) for some in later for one in some):
            found.add(unit.at)
    return frozenset(found)


def _names(later: Unit, item: Unit) -> bool:
    """Whether a line of a later list has half the words that tell what an item is about."""
    own = telling(item)
    return 2 * len(own & telling(later)) >= len(own)
