"""Which open items are really open: none that a later entry settles."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from lithify import cues
from lithify.engines.offline.units import Unit

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


def still_open(units: Sequence[Unit], settled: Container[int]) -> frozenset[int]:
    """The places of the open items that no later entry settles and no passed day has ended."""
    end = max((unit.entry.day.isoformat() for unit in units if unit.entry.day), default="")
    return frozenset(
        unit.at
        for unit in units
        if unit.section == cues.OPEN
        and unit.at not in settled
        and not _NONE.match(unit.text)
        and not _passed(unit, end)
    )


def _passed(unit: Unit, end: str) -> bool:
    """Whether the item was for days that are over, and nothing says that it lingers."""
    days = [key for key in unit.firm if _ISO.fullmatch(key)]
    return bool(days) and max(days) < end and not _LINGERS.search(unit.text)
