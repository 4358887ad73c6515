"""The day an open item is for, and whether that day is over."""

from __future__ import annotations

import re
from datetime import timedelta

from lithify.engines.offline.reading.units import Unit

ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
#: Words that keep an item open although its day has passed.
LINGERS = re.compile(
    r"\b(?:since|not|no|still|yet|nobody knows|waits?|waited|waiting(?! (?:room|list|hall|area))|await\w*|block\w*|missing|overdue|late|"
    r"outstanding|on hold|pending|unpaid|(?:was|were) due|cannot|can't|un\w+ed|until)\b",
    re.I,
)
_UNTIL = re.compile(r"\b(?:until|till)\b", re.I)
_CLOCK = re.compile(r"\b\d{1,2}:\d{2}\b")
#: A heading that says its list is for the next day.
_HEADED = re.compile(r"\btomorrow\b(?! or\b)", re.I)
#: To ask or to remind somebody is over once the day has come that it is about.
_REMINDS = re.compile(r"^(?:ask|remind|confirm|check)\b", re.I)
_ON_WEEKDAY = re.compile(
    r"(?:^|^(?:ask|remind|confirm|check)\b.*\b)(?P<day>Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b(?! \d{1,2}(?![\d:]))",
    re.I,
)
_WEEKDAYS = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
#: A line of a calendar: "Fri 19: the last load".
_NUMBERED_DAY = re.compile(r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]* (\d{1,2}): ")
_MONTH = 31


def ahead(unit: Unit, day: str) -> bool:
    """Whether a sentence names a date after a day."""
    return any(key > day for key in _days_of(unit))


def passed(unit: Unit, end: str) -> bool:
    """Whether the item was for days that are over, and nothing says that it lingers."""
    days = _days_of(unit)
    # Days that were over when it was written tell of what came before, not when it has to be done.
    own = unit.entry.day.isoformat() if unit.entry.day else ""
    if not days or max(days) < own:
        return False
    last = max(days)
    if _REMINDS.match(unit.text) and last <= end:
        return True
    if LINGERS.search(unit.text):
        # What holds until a day is over with it; what has been so since a day is not.
        return _UNTIL.search(unit.text) is not None and last < end
    # What has its hour on the last day told is over with it.
    return last < end or (last == end and _CLOCK.search(unit.text) is not None)


def _days_of(unit: Unit) -> list[str]:
    """The days a sentence names, or the one that its heading or a weekday tells."""
    named = [key for key in unit.firm if ISO.fullmatch(key)]
    day = unit.entry.day
    if named or day is None:
        return named
    if _HEADED.search(" ".join((*unit.entry.headings[-1:], unit.entry.lead))):
        return [(day + timedelta(days=1)).isoformat()]
    if numbered := _NUMBERED_DAY.match(unit.text):
        coming = (day + timedelta(days=n) for n in range(_MONTH))
        return [one.isoformat() for one in coming if one.day == int(numbered[1])][:1]
    if weekday := _ON_WEEKDAY.search(unit.text):
        after = (_WEEKDAYS.index(weekday["day"].lower()) - day.weekday()) % 7
        return [(day + timedelta(days=after)).isoformat()]
    return []
