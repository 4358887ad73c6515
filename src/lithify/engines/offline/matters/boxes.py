"""Boxes and ticks wherever they stand in a line: before it, within it or at its end."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from lithify import cues
from lithify.engines.offline.reading.text import tokens_in
from lithify.engines.offline.reading.units import Unit
from lithify.values import Entry

#: A box that was ticked within a line, or a sign that says so at its end or before a commit.
_TICK = re.compile(r"\[x\]|[✅✔☑]\ufe0f?(?=\W*$| commit\b)", re.I)


def is_ticked(entry: Entry) -> bool:
    """Whether an entry is ticked off, by a box before it, within it or by a sign at its end."""
    return _is_ticked(entry.text)


@lru_cache(maxsize=1 << 13)
def _is_ticked(text: str) -> bool:
    box = cues.checkbox(text)
    return box if box is not None else _TICK.search(text) is not None


#: An empty box within a line, a box of either kind, and what begins after one.
_EMPTY = re.compile(r"(?<=\S )\[ \] (?=\S)")
_BOX = re.compile(r"(?<=\S )\[[ xX]\](?: (?=\S)|$)")
_BEGINS = re.compile(r"(?<=[.!?] )\0[a-z]")
#: As many letters after a box tell which sentence it is before.
_FIRST = 12
#: The head of a table of what is open, and who is to do it or by when.
_OF_OPEN = re.compile(
    r"\|\W*(?:open(?: (?:items?|points?|questions?))?|box(?:es)?|to-?dos?|tasks?|action items?|waiting (?:for|on)|pending|"
    r"blockers?|follow-?ups?)\W*\|(?=.*\b(?:who|owner|by|due|when|until|assignee|responsible)\b)",
    re.I,
)


def holds_task(unit: Unit) -> bool:
    """Whether a box within the line, or the head of its table, says of a sentence that it is open."""
    entry = unit.entry
    if entry.kind == "row":
        return _OF_OPEN.match(entry.lead) is not None and not is_ticked(entry)
    box = _EMPTY.search(entry.text) if "[ ] " in entry.text else None
    return box is not None and entry.text[box.end() :][:_FIRST].lower() in unit.text.lower()


def unboxed(unit: Unit) -> Unit:
    """A sentence with a box within it: open or done as the box says, and told without it."""
    if unit.entry.kind == "row":
        is_open = holds_task(unit) and not cues.settles(unit.text)
        return (
            replace(unit, section=cues.OPEN, must=True, folded=[*unit.folded]) if is_open else unit
        )
    if "[" not in unit.text or not (box := _BOX.search(unit.text)):
        return unit
    text = _BEGINS.sub(lambda after: after[0][-1].upper(), _BOX.sub("\0", unit.text))
    text = text.replace("\0", "").rstrip()
    done = box[0][1] in "xX"
    return replace(
        unit,
        text=text,
        tokens=tokens_in(text),
        section=cues.OUTCOMES if done else cues.OPEN,
        must=unit.must or not done,
        folded=[*unit.folded],
    )
