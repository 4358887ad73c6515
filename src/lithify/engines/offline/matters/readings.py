"""What a sentence gives as the value of a thing: a figure, a state, a date, an owner, a version."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from lithify import cues
from lithify.engines.offline.matters.measures import (
    UNITS,
    Key,
    Reading,
    is_count_of_acts,
    is_occasion,
    worths,
)
from lithify.engines.offline.matters.told import CLOCKED, told_in
from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.stems import COMMON_STEMS

_DIGIT = re.compile(r"\d")
_VALUE = re.compile(
    r"(?<![\w.,/-])(?:(?P<sum>[$€£])\s?\d(?:[\d,.]*\d)?\s?(?P<many>[kKmMbB]\b|million|billion)?|"
    rf"v?\d+(?P<version>(?:\.\d+){{2,}})\b|\d[\d,]*(?:\.\d+)?(?:\s?(?P<unit>{UNITS})\b|\s?(?P<share>[%€£]))?)(?![\w-]|\.\d|:\d)"
)
#: When a value was read is no part of what it is the value of.
_WHEN = re.compile(
    r"\b(?:now|today|again|still|currently|already|so far|by now|at last|meanwhile|since)\b|"
    r"\b(?:on|in|of|by|for|the) (?:the )?(?:week of )?(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* )"
    r"\d{1,2}(?:, \d{4})?|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}(?:, \d{4})?\b|"
    r"\b(?:in )?(?:the )?week (?:of )?\d{4}-\d{2}-\d{2}|\d{4}-\d{2}-\d{2}|"
    r"\b(?:of|in|for) (?:the )?(?:morning|evening|week|month|day)\b",
    re.I,
)
#: Words before a value under which it is no reading of anything.
_NO_READING = re.compile(
    r"\b(?:PR|ticket|case|issue|row|version|step|day|week|no|number|item|page|room|chapter|figure|error|code|port|"
    r"line|sample|batch|phase|part|option|question|at|by|until|before|after|under|over|than|least|most|"
    r"about|some|another|first|last|next|of)\s*#?$",
    re.I,
)
#: Where a sentence gives one thing one value and says little more.
_THING = r"^(?:(?:the|our|my|its|this) )?(?P<name>[^\W\d_][^,;:.!?()\"=]{2,50}?)"
_DAY = r"(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}(?:, \d{4})?|\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*)"
_STATE = (
    r"blocked|unblocked|open|closed|done|live|paused|in review|in progress|merged|pending|approved|rejected|on hold|"
    r"draft|shipped|signed|unsigned|green|amber|yellow|red|on track|at risk|off track|enabled|disabled|on|off|cancelled|"
    r"canceled|deployed|released|resolved|waiting|stalled|delivered|postponed"
)
_FRAMES = (
    (
        "figure",
        re.compile(
            _THING
            + r"\s*(?:=|:|\b(?:(?:is|are|was|were|stands|stood)(?: now| still| currently)?(?: at| up to| down to| set to)?|"
            r"(?:went|rose|fell|dropped|grew|climbed|shrank|came|set|raised|lowered|cut|changed|increased|reduced|moved)"
            r"(?: up| down)? to|at|reached|reaches|totals|costs|runs at|runs on)\b)\s*(?P<value>"
            + _VALUE.pattern.replace("?P<", "?P<v_")
            + r")",
            re.I,
        ),
    ),
    (
        "state",
        re.compile(
            _THING
            + rf"\s*(?::|\b(?:is|are|was|were)(?: now| still| again)?\b)\s*(?P<value>{_STATE})(?=$|[,;:(]| (?:since|by|on|at|until|because)\b)",
            re.I,
        ),
    ),
    (
        "date",
        re.compile(
            _THING
            + r"\s*(?::|\b(?:is|are|was|were|will be|moves?|moved|slips?|slipped|has moved|has slipped|goes live|opens|starts|ends)"
            r"(?: now| again)?(?: due| planned| set| scheduled| fixed| expected| postponed| pushed| rescheduled| moved| delayed)?"
            rf"(?: on| for| by| to| until)?\b)\s*(?P<value>{_DAY})",
            re.I,
        ),
    ),
    (
        "owner",
        re.compile(
            _THING
            + r"(?:'s)?\s*(?:\bowner(?: is(?: now)?|:)|\b(?:is|are)(?: now)? (?:owned by|with|assigned to|led by|run by)|\b(?:now )?belongs to)\s+"
            r"(?P<value>[A-Z][\w-]+(?: [A-Z][\w-]+)?)",
        ),
    ),
)
#: The kinds of value that have a figure in them.
_FIGURED = ("figure", "date")
#: A component by its identifier, and its version right after it.
_VERSION = re.compile(
    r"(?<![\w/.-])((?:[A-Za-z][\w]*[-_][\w-]+|[A-Za-z]+[a-z][A-Z]\w*))[ @]v?(\d+(?:\.\d+){1,3})(?![\w-]|\.\d|%)"
)
_PLANNED = re.compile(
    r"\b(?:will|plans?|planned|next|until|before|waits?|waiting|needs?|wants?|to come|once)\b", re.I
)
#: "14 of 15" is one value.
_OF = re.compile(r" (?:of|out of) \d[\d,]*\b")
_NOT = re.compile(r"\b(?:not|no|never|nothing|if|when|once|whether)\b", re.I)
#: Words that tell a thing, and as many as its name has at most.
_TELLING = 2
LONGEST_NAME = 12


def readings(unit: Unit) -> list[tuple[Key, Reading]]:
    """All values that a sentence gives, each under what it is the value of."""
    figured = _DIGIT.search(unit.text) is not None
    found = [*(_versions(unit) if figured else ()), *_framed(unit, figured)]
    if figured:
        found += worths(unit)
        if not CLOCKED.search(unit.text):
            found += _counted(unit)
    return found


def _counted(unit: Unit) -> list[tuple[Key, Reading]]:
    """The value of a sentence under what it is the value of: its frame, and the words before it."""
    text = _WHEN.sub(lambda match: " " * len(match[0]), unit.text)
    values = list(_VALUE.finditer(text))
    if not values or told_in(unit.text):
        return []
    found: list[tuple[Key, Reading]] = []
    kind = _kind(values[0])
    if kind == "version" and _PLANNED.search(unit.text):
        return []
    part = _OF.match(text, values[0].end())
    end = part.end() if part else values[0].end()
    value = text[values[0].start() : end].strip()
    values = [one for one in values if one.start() == values[0].start() or one.start() >= end]
    name = text[: values[0].start()]
    if not name.strip() and unit.label:
        # "Open tickets: 140": the label says what was counted.
        name, kind = f"{unit.label}: ", kind or "count"
    reading = Reading(unit, value, " ".join(name.split()), end)
    if len(values) == 1:
        frame = _VALUE.sub("#", text).lower().rstrip(" .")
        words = tuple(re.findall(r"[a-z#]+", frame))
        if sum(1 for word in words if len(word) > 3) > _TELLING and (
            kind or not is_count_of_acts(name)
        ):
            found.append((("frame", unit.label, *words), reading))
    stems = {stem for stem in stems_in(name) if stem not in COMMON_STEMS and not stem.isdigit()}
    named = len(stems) >= _TELLING and len(name.split()) <= LONGEST_NAME
    if kind and named and not _NO_READING.search(name.rstrip()) and not re.search("[.;]", name):
        found.append((("name", unit.label, kind, *sorted(stems)), reading))
    return found


def _versions(unit: Unit) -> Iterator[tuple[Key, Reading]]:
    """The versions that a sentence says something runs or was brought to."""
    if _PLANNED.search(unit.text) or unit.section == cues.OPEN:
        return
    for match in _VERSION.finditer(unit.text):
        yield ("version", match[1].lower()), Reading(unit, match[2], match[1], len(unit.text))


def _framed(unit: Unit, figured: bool) -> Iterator[tuple[Key, Reading]]:
    """The value a whole sentence gives one thing: a figure, a state, a date, an owner."""
    for kind, name, value, end in _frames_in(unit.text.rstrip(" .!"), figured):
        stems = {stem for stem in stems_in(name) if stem not in COMMON_STEMS}
        if not stems or _VALUE.search(name) or _NOT.search(name) or is_occasion(name):
            continue
        # One word names a thing only under one heading.
        place = subject_of(unit.place)[1] if len(stems) < _TELLING else None
        if kind == "figure":
            figure = _VALUE.match(value)
            kind = _kind(figure) if figure else ""
            if not kind or not figure or CLOCKED.match(value):
                continue
        elif unit.label:
            continue
        reading = Reading(unit, value, name, end, kind in ("date", "owner"))
        yield (kind, unit.label, place, *name.lower().split()), reading


@lru_cache(maxsize=1 << 13)
def _frames_in(text: str, figured: bool) -> tuple[tuple[str, str, str, int], ...]:
    """What a whole sentence may say of a thing: the kind, the thing, its value, where that ends."""
    tried = [(kind, frame) for kind, frame in _FRAMES if figured or kind not in _FIGURED]
    found = [(kind, match) for kind, frame in tried if (match := frame.match(text))]
    return tuple((k, m["name"].strip(), m["value"], m.end("value")) for k, m in found)


def _kind(match: re.Match[str]) -> str:
    """What kind of figure it is; "" for a bare number, which may count anything."""
    return (
        match["sum"] or match["unit"] or match["share"] or ("version" if match["version"] else "")
    )
