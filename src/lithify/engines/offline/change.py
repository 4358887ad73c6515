"""Values that changed: the same line with another figure, old and new side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lithify.engines.offline.bullets import Bullet, day_words
from lithify.engines.offline.text import LIMIT
from lithify.engines.offline.units import Unit
from lithify.tokens import estimate

_DIGIT = re.compile(r"\d")
_VALUE = re.compile(
    r"[$€£]\s?\d[\d,.]*\d?\s?(?:[kKmMbB]\b|million|billion)?|v?\d+(?:\.\d+)+\b|\d[\d,]*(?:\.\d+)?\s?(?:%|ms|s|GB|MB|TB|"
    r"minutes|hours|days|weeks|km|kg)?(?![\w-])"
)
#: A sentence that tells a change itself, old and new.
_TOLD = re.compile(
    r"\bfrom \S*\d\S*(?: [^\s.]+){0,3} to \S*\d|\b(?:up|down) from \S*\d|\bwhere it was \S*\d|"
    r"\bagainst \S*\d\S*(?: \w+)? (?:last|the) (?:week|month|quarter|year)|, not \S*\d",
    re.I,
)
_CLOCKED = re.compile(r"\d{1,2}:\d{2}")
_TELLING = 3


def changes(units: Sequence[Unit], room: int) -> list[Bullet]:
    """Bullets for the lines whose one figure differs between its first and its last day."""
    lines: dict[tuple[str, ...], list[tuple[Unit, str]]] = {}
    for unit in units:
        if not _DIGIT.search(unit.text):
            continue
        values = _VALUE.findall(unit.text)
        if len(values) != 1 or _CLOCKED.search(unit.text) or unit.entry.day is None:
            continue
        frame = _VALUE.sub("#", unit.text).lower().rstrip(" .")
        words = tuple(re.findall(r"[a-z#]+", frame))
        if sum(1 for word in words if len(word) > 3) >= _TELLING:
            lines.setdefault((unit.label, *words), []).append((unit, values[0]))
    found: list[Bullet] = []
    for said in lines.values():
        first, last = said[0], said[-1]
        if first[0].entry.day == last[0].entry.day or first[1] == last[1]:
            continue
        bullet = _bullet(first, last)
        cost = bullet.cost
        if cost <= LIMIT and cost <= room:
            found.append(bullet)
            room -= cost
    return found


def tells_change(text: str) -> bool:
    """Whether a sentence gives a value's old state beside the new."""
    told = _TOLD.search(text)
    return told is not None and not _CLOCKED.search(text[told.start() : told.end() + 4])


def _bullet(first: tuple[Unit, str], last: tuple[Unit, str]) -> Bullet:
    (old, before), (new, after) = first, last
    name = _VALUE.sub("", new.text, count=1).strip(" .,;:")
    at = new.text.find(after)
    frame = new.text[:at].rstrip() if at > 0 else name
    rest = new.text[at + len(after) :].strip(" .")
    said = f"{frame} from {before.strip()} to {after.strip()}"
    if rest:
        said += f" {rest}" if rest[0] not in ",;:" else rest
    if new.label:
        said = f"{new.label}: {said}"
    text = f"{said} ({day_words(old.entry)} to {day_words(new.entry)})"
    return Bullet("", [new, old], text, estimate(text) + 1)
