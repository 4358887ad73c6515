"""Values that changed: the same line with another figure, old and new side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lithify.engines.offline.bullets import Bullet, day_words
from lithify.engines.offline.text import LIMIT
from lithify.engines.offline.units import Unit, stems_in
from lithify.engines.offline.words import COMMON_STEMS
from lithify.tokens import estimate

_DIGIT = re.compile(r"\d")
_UNITS = (
    r"%|percent|ms|s|GB|MB|TB|kB|seconds|minutes|min|hours|days|weeks|months|km|kg|kW|rows|users|"
    r"customers|tickets|bookings|orders|requests|tests|points|items|entries|members|euros|dollars"
)
_VALUE = re.compile(
    r"(?<![\w.,/-])(?:(?P<sum>[$€£])\s?\d(?:[\d,.]*\d)?\s?(?P<many>[kKmMbB]\b|million|billion)?|"
    rf"v?\d+(?P<version>(?:\.\d+){{2,}})\b|\d[\d,]*(?:\.\d+)?(?:\s?(?P<unit>{_UNITS})\b|\s?(?P<share>[%€£]))?)(?![\w-]|\.\d|:\d)"
)
#: A sentence that tells a change itself, old and new.
_TOLD = re.compile(
    r"\bfrom \S*\d\S*(?: [^\s.]+){0,3} to \S*\d|\b(?:up|down) from \S*\d|\bwhere it was \S*\d|"
    r"\b(?:formerly|previously|was|used to be|before that) [$€£]?\d\S*\b|"
    r"\bagainst \S*\d\S*(?: \w+)? (?:last|the) (?:week|month|quarter|year)|, not \S*\d|"
    r"\b(?:moves?|moved|brought|pushed|put|postponed) (?:\w+ )?from (?:\w+ )?\d?\S* (?:\d+ )?to \b|"
    r"\b(?:no longer|instead of|rather than) \S*\d",
    re.I,
)
_CLOCKED = re.compile(r"\d{1,2}:\d{2}")
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
_COPULA = re.compile(
    r"(?:\s+(?:is|are|was|were|at|now|of|has|have|reached|reaches|stands|stood|runs|hit|came|went|to|up|down))+$",
    re.I,
)
_TELLING = 2
_LONGEST_NAME = 12


@dataclass(frozen=True, slots=True)
class _Reading:
    """A value as a sentence gives it: of what, in which unit."""

    unit: Unit
    value: str
    name: str
    end: int


def changes(units: Sequence[Unit], room: int) -> list[Bullet]:
    """Bullets for the values that differ between the first and the last day they were given."""
    lines: dict[tuple[object, ...], list[_Reading]] = {}
    for unit in units:
        if unit.entry.day is None or not _DIGIT.search(unit.text) or _CLOCKED.search(unit.text):
            continue
        for key, reading in _readings(unit):
            lines.setdefault(key, []).append(reading)
    found: list[Bullet] = []
    told: set[int] = set()
    for said in sorted(lines.values(), key=lambda said: said[0].unit.at):
        first, last = said[0], said[-1]
        if first.unit.entry.day == last.unit.entry.day or first.value == last.value:
            continue
        if {first.unit.at, last.unit.at} & told:
            continue
        bullet = _bullet(first, last)
        if bullet.cost <= LIMIT and bullet.cost <= room:
            found.append(bullet)
            told |= {first.unit.at, last.unit.at}
            room -= bullet.cost
    return found


def tells_change(text: str) -> bool:
    """Whether a sentence gives a value's old state beside the new."""
    told = _TOLD.search(text)
    return told is not None and not _CLOCKED.search(text[told.start() : told.end() + 4])


def _readings(unit: Unit) -> list[tuple[tuple[object, ...], _Reading]]:
    """The value of a sentence under what it is the value of: its frame, and the words before it."""
    text = _WHEN.sub(lambda match: " " * len(match[0]), unit.text)
    values = list(_VALUE.finditer(text))
    if not values or _TOLD.search(unit.text):
        return []
    found: list[tuple[tuple[object, ...], _Reading]] = []
    kind = _kind(values[0])
    value = values[0][0].strip()
    name = text[: values[0].start()]
    if not name.strip() and unit.label:
        # "Open tickets: 140": the label says what was counted.
        name, kind = f"{unit.label}: ", kind or "count"
    reading = _Reading(unit, value, " ".join(name.split()), values[0].end())
    if len(values) == 1:
        frame = _VALUE.sub("#", text).lower().rstrip(" .")
        words = tuple(re.findall(r"[a-z#]+", frame))
        if sum(1 for word in words if len(word) > 3) > _TELLING:
            found.append((("frame", unit.label, *words), reading))
    stems = {stem for stem in stems_in(name) if stem not in COMMON_STEMS and not stem.isdigit()}
    named = len(stems) >= _TELLING and len(name.split()) <= _LONGEST_NAME
    if kind and named and not _NO_READING.search(name.rstrip()) and not re.search("[.;]", name):
        found.append((("name", unit.label, kind, *sorted(stems)), reading))
    return found


def _kind(match: re.Match[str]) -> str:
    """What kind of figure it is; "" for a bare number, which may count anything."""
    return (
        match["sum"] or match["unit"] or match["share"] or ("version" if match["version"] else "")
    )


def _bullet(first: _Reading, last: _Reading) -> Bullet:
    old, new = first.unit, last.unit
    name = _COPULA.sub("", last.name.rstrip(" :,-")).rstrip(" :,-")
    rest = new.text[last.end :].strip(" .")
    said = (
        f"{name}: from {first.value} to {last.value}"
        if name
        else f"From {first.value} to {last.value}"
    )
    if rest and old.text[first.end :].strip(" .") == rest:
        said += f" {rest}" if rest[0] not in ",;:" else rest
    if new.label and not name.startswith(new.label):
        said = f"{new.label}: {said}"
    text = f"{said} ({day_words(old.entry)} to {day_words(new.entry)})"
    return Bullet("", [new, old], text, estimate(text) + 1)
