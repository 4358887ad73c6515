"""What a figure measures, and when two of them can be one thing's, first and last."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lithify.engines.offline.reading.units import stems_in

MON = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
MONTH = rf"{MON}[a-z]*"
#: A time as a clock of hours, minutes and seconds has it.
LASTING = r"\d+ ?(?:h|m|min) ?\d+ ?(?:m|min|s)?(?!\w)"
DATED = re.compile(rf"\b{MONTH}\b|\d(?:st|nd|rd|th)\b|\d:\d\d")
#: Numbers as they are written out.
SAID = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    "seventeen|eighteen|nineteen|twenty"
)
_COUNTS = {word: str(number) for number, word in enumerate(SAID.split("|"), 1)}
_SAID = re.compile(rf"(?:{SAID})\b", re.I)
#: Measures that pass into one another.
_FAMILIES = {
    unit: family
    for family, units in (
        (
            "time",
            "ms s sec second seconds min mins minute minutes h hour hours day days week weeks",
        ),
        ("size", "B kB KB MB GB TB"),
        ("length", "mm cm m km"),
        ("mass", "g kg t"),
    )
    for unit in units.split()
}
MEASURES = frozenset(_FAMILIES.values())
_CLOCK = re.compile(LASTING)
_DATE = re.compile(rf"\d{{1,2}} {MON}")
_MONTH_FIRST = re.compile(rf"\b(?P<month>{MON})[a-z]* (?P<day>\d{{1,2}})\b")
_NUMBER = re.compile(rf"\d[\d,.:]*(?: {MON})?")
_UNIT = re.compile(rf"(?<=\d) (?!{MON})[A-Za-z%°/]+$")
_BEFORE_UNIT = re.compile(r"^v?[\d,.:]+\s?")
_NEXT = re.compile(r" ([A-Za-z]+)\b")


def is_figure(value: str) -> bool:
    """Whether a value has a number in it, in digits or written out."""
    return any(map(str.isdigit, value)) or _SAID.match(value) is not None


def may_be_hours(values: Sequence[str]) -> bool:
    """Whether bare numbers could be hours of a day: `from 9 to 12`."""
    return all(value.isdigit() and int(value) <= 24 for value in map(_hour, values))


def _hour(value: str) -> str:
    return number_in(value) if _SAID.fullmatch(value) else value


def with_one_unit(values: Sequence[str]) -> list[str]:
    """Values that follow one another, their unit named once, with the last."""
    last = values[-1]
    if last.isdigit():
        # "500 to 700 ms" and, later, "400": the unit is that of the one before.
        last += next((unit[0] for value in values[-2::-1] if (unit := _UNIT.search(value))), "")
    return [*(_bare(value, last) for value in values[:-1]), last]


def _bare(value: str, last: str) -> str:
    unit = value.lstrip("0123456789,. ")
    # A share is no number, a day no measure, and minutes are part of their hour.
    if unit in ("", value) or unit[0] in "%:" or re.match(MON, unit):
        return value
    # "41 s" and "140 ms" end alike, and are no one unit.
    same = last.endswith(unit) and not last[: -len(unit)][-1:].isalpha()
    return value.removesuffix(unit).rstrip() if same else value


def are_same(one: str, other: str) -> bool:
    """Whether two values are one: the 24th is what 24 September was where that is the last told."""
    first, second = number_in(one), number_in(other)
    short, long = sorted((first, second), key=len)
    if first == second:
        return True
    return _DATE.fullmatch(long) is not None and long.split()[0] == short


def number_in(value: str) -> str:
    """A value without its unit and its weekday, by which it is the same as another day's."""
    if dated := _MONTH_FIRST.search(value):
        return f"{dated['day']} {dated['month']}"
    if said := _SAID.match(value):
        return _COUNTS[said[0].lower()]
    found = _NUMBER.search(value)
    return found[0].rstrip(".,:") if found else value.lower()


def of_one_kind(old: str, new: str) -> bool:
    """Whether two values can be one thing's: both counts of one noun, both times, both sums."""
    one, other = kind_of(old), kind_of(new)
    return not one or not other or one == other


def kind_of(value: str) -> str:
    """What a value is measured in; "" for a bare number, which may count anything."""
    if _CLOCK.fullmatch(value):
        return "time"
    if DATED.search(value):
        return ""
    if value[0] in "$€£":
        return value[0]
    value = _SAID.sub("", value, count=1) if value[0].isalpha() else value
    unit, *_ = [*_BEFORE_UNIT.sub("", value).split(), ""]
    return _FAMILIES.get(unit) or next(iter(stems_in(unit)), unit)


def measure_after(after: str) -> str:
    """The measure that goes on with a value: `23 ms round trip`."""
    word = _NEXT.match(after)
    return word[0] if word and word[1] in _FAMILIES else ""
