"""What says of a line that it is done, or to be done: its box, a sign, a label, the head over it."""

from __future__ import annotations

import re
from dataclasses import replace

from lithify import cues
from lithify.engines.offline.reading.units import Unit

#: A sign that ticks what stands before it, at its end or before the commit that did it.
_TICK = re.compile(r"[✅✔☑]\ufe0f?(?=\W*$| commit\b)")
#: The head of a table of what is open, and who is to do it or by when.
_OF_OPEN = re.compile(
    r"\|\W*(?:open(?: (?:items?|points?|questions?))?|box(?:es)?|to-?dos?|tasks?|action items?|waiting (?:for|on)|pending|"
    r"blockers?|follow-?ups?)\W*\|(?=.*\b(?:who|owner|by|due|when|until|assignee|responsible)\b)",
    re.I,
)
#: A line of a list with fewer spaces, and with no figure or name, says too little by itself.
_BARE = 3


def is_ticked(unit: Unit) -> bool:
    """Whether the line of a sentence is ticked off, by its box or by a sign behind it."""
    box = unit.box
    if box is not None:
        return box
    return not unit.entry.text.isascii() and _TICK.search(unit.said) is not None


def is_task_row(unit: Unit) -> bool:
    """Whether a sentence is a row of a table of what is to be done."""
    row = unit.entry.kind == "row" and _OF_OPEN.match(unit.entry.lead) is not None
    return row and not is_ticked(unit)


def is_announced(unit: Unit) -> bool:
    """Whether a checkbox, a label or a lead-in says of a sentence that it is open."""
    if unit.box is False or is_task_row(unit):
        return True
    return cues.OPEN in (cues.announced(cues.label_of(unit.said)), cues.announced(unit.entry.lead))


def is_listed(unit: Unit) -> bool:
    """Whether that is said of a sentence, or a heading says it of all that stands under it."""
    return is_announced(unit) or cues.announced_by(unit.place) == cues.OPEN


def is_bare(unit: Unit) -> bool:
    """Whether an item names its matter in so few words that weeks later nobody knows which."""
    return not unit.label and not unit.firm and unit.text.count(" ") < _BARE


def as_task(unit: Unit) -> Unit:
    """A row of a table of what is to be done, as open as the table says."""
    if not is_task_row(unit) or cues.settles(unit.text):
        return unit
    return replace(unit, section=cues.OPEN, must=True, folded=[*unit.folded])
