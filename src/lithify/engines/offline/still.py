"""Which open items are really open: none that a later entry settles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from lithify import cues
from lithify.engines.offline.units import Unit
from lithify.engines.offline.words import COMMON_STEMS

_TELLING = 3
_CROWD = 60
#: Words that say there is nothing open.
_NONE = re.compile(
    r"^(?:[\w ]{0,20}: )?(?:none\b|nothing\b|no (?:\w+ )?(?:unresolved|open|new|outstanding|pending|"
    r"blockers?|follow-?ups?|changes?)\b)",
    re.I,
)
#: Words that keep an item open although its day has passed.
_LINGERS = re.compile(
    r"\b(?:since|not|no|still|wait\w*|await\w*|block\w*|missing|overdue|late|cannot|can't|un\w+ed|until)\b",
    re.I,
)
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")


def still_open(units: Sequence[Unit]) -> frozenset[int]:
    """The places of the open items that no later entry resolves.

    A later entry resolves an item if it says that something is settled and shares the item's
    rare words: three of them, or half of what it has.
    """
    counts = Counter(stem for unit in units for stem in set(unit.stems))
    settled: dict[str, list[Unit]] = {}
    for unit in units:
        if unit.section != cues.OPEN and cues.resolves(unit.entry):
            for stem in set(unit.stems):
                settled.setdefault(stem, []).append(unit)
    end = max((unit.entry.day.isoformat() for unit in units if unit.entry.day), default="")
    found = []
    for unit in units:
        if unit.section != cues.OPEN or _NONE.match(unit.text) or _passed(unit, end):
            continue
        telling = sorted(
            {stem for stem in unit.stems if stem not in COMMON_STEMS},
            key=lambda stem: (counts[stem], stem),
        )
        shared: Counter[int] = Counter()
        for stem in telling:
            for other in settled.get(stem, ())[-_CROWD:]:
                if _after(other, unit):
                    shared[other.at] += 1
        need = min(_TELLING, max(2, (len(telling) + 1) // 2))
        if not any(count >= need for count in shared.values()):
            found.append(unit.at)
    return frozenset(found)


def _passed(unit: Unit, end: str) -> bool:
    """Whether the item was for days that are over, and nothing says that it lingers."""
    days = [key for key in unit.firm if _ISO.fullmatch(key)]
    return bool(days) and max(days) < end and not _LINGERS.search(unit.text)


def _after(later: Unit, earlier: Unit) -> bool:
    if later.entry.day is None or earlier.entry.day is None:
        return later.at > earlier.at
    return later.entry.day > earlier.entry.day or (
        later.entry.day == earlier.entry.day and later.at > earlier.at
    )
