"""What is over though nobody says so: outrun by the next plan, answered or decided on the spot, struck."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lithify import cues
from lithify.engines.offline.reading.units import Unit

#: A line that says at a day's end what comes next: the next such line takes its place.
_PLAN = re.compile(
    r"(?:next(?: up| steps?| time| session| day)?|up next|tomorrow|(?:the )?plan for tomorrow)$",
    re.I,
)


def met(units: Sequence[Unit]) -> frozenset[int]:
    """The places of the items that something beside them or the next line of their kind ends."""
    return frozenset(at for one in (_outrun,) for at in one(units))


def _outrun(units: Sequence[Unit]) -> Iterator[int]:
    """What was to come next, where a later day says anew what comes next."""
    plans = [unit for unit in units if _PLAN.match(cues.label_of(unit.entry.text))]
    last = max((unit.entry.day for unit in plans if unit.entry.day), default=None)
    for unit in plans:
        if unit.entry.day and last and unit.entry.day < last:
            yield unit.at
