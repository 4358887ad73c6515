"""Which open items come first where there is not room for all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from datetime import date
from math import log

from lithify import cues
from lithify.engines.offline.matters.boxes import is_listed
from lithify.engines.offline.matters.due import ahead
from lithify.engines.offline.matters.matter import Matter
from lithify.engines.offline.matters.still import UNDONE, parts_of
from lithify.engines.offline.reading.leaning import hangs
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.stems import COMMON_STEMS

#: What the words of an item weigh at most, and that it is announced as one.
_PLAIN, _ANNOUNCED = 3.0, 2.0
#: What it adds that a thing has a day to come, and takes from it that nothing says it is undone.
_DATED = 1.5
_LATE, _MONTH = 8.0, 31
#: The share of the fewer telling words of two items that makes them one matter.
_MOSTLY = 0.5
#: More items than these have no room on any page.
_CROWD = 24
#: Telling words an item needs to be understood by itself.
_WHOLE = 4


def by_weight(units: Sequence[Unit], items: Sequence[Unit], stated: Set[int]) -> list[Unit]:
    """Open items, first those announced as such, spoken of on more days, plain and whole, late.

    `units` are all there are; those of the items' section speak of them. `stated` are the places
    of the sentences that state an item; what goes on about it comes after them.
    """
    sections = {unit.section for unit in items}
    matter = Matter(units, lambda unit: unit.section in sections)
    end = max((_last(unit) for unit in items), default=0)
    last = date.fromordinal(end).isoformat() if end else ""

    def weight(unit: Unit) -> float:
        days = {one.entry.day for one in (unit, *unit.folded, *matter.later(unit))}
        words = {*unit.stems, *(stems_in(unit.label) if unit.label else ())}
        telling = sum(1 for stem in words if stem not in COMMON_STEMS)
        dated, listed = ahead(unit, last), is_listed(unit)
        return (
            (_ANNOUNCED if listed else 0.0)
            + (_ANNOUNCED if unit.at in stated else 0.0)
            + min(_PLAIN, cues.strength(unit.text))
            + (_DATED if dated else 0.0)
            + log(parts_of(unit.text))
            - (0.0 if dated or UNDONE.search(unit.text) or listed else _DATED)
            + log(len(days))
            - _LATE * (end - _last(unit)) / _MONTH
            - (_ANNOUNCED if telling < _WHOLE or hangs(unit.text) else 0.0)
        )

    ranked = sorted(items, key=lambda unit: (-weight(unit), -unit.at))
    return [*_each_once(ranked)]


def _each_once(items: Sequence[Unit]) -> Iterator[Unit]:
    """The items in order, those last that speak mostly of what one before them speaks of."""
    told: list[frozenset[str]] = []
    again: list[Unit] = []
    for at, unit in enumerate(items):
        if len(told) >= _CROWD:
            again += items[at:]
            break
        own = frozenset(unit.stems) - COMMON_STEMS
        if any(len(own & other) >= _MOSTLY * min(len(own), len(other)) for other in told):
            again.append(unit)
            continue
        told.append(own)
        yield unit
    yield from again


def _last(unit: Unit) -> int:
    """The day an item is last spoken of: what nobody spoke of since may be open no longer."""
    days = (one.entry.day for one in (unit, *unit.folded))
    return max((day.toordinal() for day in days if day), default=0)
