"""The day an open item is for, and whether that day is over."""

from __future__ import annotations

import re
from datetime import date

from lithify import cues
from lithify.calendar import shifted
from lithify.engines.offline.matters.boxes import is_listed
from lithify.engines.offline.reading.text import split
from lithify.engines.offline.reading.units import Unit
from lithify.text.atoms import find_atoms

ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
#: Words that keep an item open although its day has passed.
LINGERS = re.compile(
    r"\b(?:since|not (?:yet|\w+(?:ed|en|ne|nt|id)|here|in|back|there)|no (?:\w+ )?(?:answer|reply|word|date|news|sign)|still(?! to do on\b)|yet|nobody knows|waits?|waited|waiting(?! (?:room|list|hall|area))|await\w*|block\w*|missing|overdue|(?<=\s)late|"
    r"outstanding|on hold|pending|unpaid|(?:was|were) due|cannot|can't|un\w+ed|until)\b",
    re.I,
)
_UNTIL = re.compile(r"\b(?:until|till|waits? for)\b", re.I)
#: What has to be done by a day is late after it, and not over.
_BY = re.compile(r"\b(?:by|due|deadline|no later than|at the latest)\b", re.I)
#: A heading that says its list is for the next day, or for a day of the week.
_HEADED = re.compile(
    r"\btomorrow\b(?! or\b)|^for (?P<day>mon|tues|wednes|thurs|fri|satur|sun)day\b", re.I
)
#: A line that lists things for a day begins with it: "Mar 4 - the gate, the well".
FOR_A_DAY = re.compile(r"(?:For )?(?:[A-Z][a-z]{2} \d{1,2}|\d{1,2} [A-Z][a-z]{2}) - ")
_HOUR = re.compile(
    rf"\b\d{{1,2}}:\d{{2}}\b|^{FOR_A_DAY.pattern}|^[^.;:,]{{1,30}} on [A-Z][a-z]{{2}} \d{{1,2}} - "
)
#: To ask or to remind somebody is over once the day has come that it is about.
_REMINDS = re.compile(r"^(?:ask|remind|confirm|check)\b", re.I)
_ON_WEEKDAY = re.compile(
    r"(?:^|^(?:ask|remind|confirm|check)\b.*\b)(?P<day>Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b(?! \d{1,2}(?![\d:]))",
    re.I,
)
#: A weekday that something is to wait for, or somebody to be back on.
_FROM_WEEKDAY = re.compile(
    r"\b(?:back|comes?|goes out|starts?|is|are|waits? for|until|till|by|not before|(?:booked|promised|planned|set|fixed|due|expected|scheduled)(?: for)?)"
    r"(?: on| perhaps| maybe| probably)?,? (?P<day>Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b(?! \d{1,2}(?![\d:]))",
    re.I,
)
#: The day that ends a line with a box, as no sentence would: "deploy Monday".
_AT_END = re.compile(
    r"^(?:[^.;:,?]|\.(?=\d)){2,40}(?<!last)(?<!since)(?<!from)(?<!every)(?<!next)(?<!of)(?<!on) (?P<day>Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\W*$"
)
#: The day that a line of a list gives in brackets or at its end: "the log (Ada, Wed)", "the log, Wed".
_BRACKETED = re.compile(
    r"(?:\((?:[^()]*, )?|^[^.;:]{2,40}, )(?P<day>Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|nes|rs|ur)?(?:day)?(?:\)|\W*$)"
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
#: A line of a calendar: "Fri 19: the last load".
_NUMBERED_DAY = re.compile(r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]* (\d{1,2}): ")
_MONTH = 31
#: A day that only its number names, said of what is still to be: "the test is on the 21st".
_NUMBER = re.compile(
    r"\b(?:is|are|be|for|by|until|till|due|back|falls?|starts?|closes?|comes?|goes)(?: on)? the (\d{1,2})(?:st|nd|rd|th)\b(?! of\b| [A-Z])"
)


def ahead(unit: Unit, day: str) -> bool:
    """Whether a sentence names a date after a day."""
    return any(key > day for key in _days_of(unit))


def passed(unit: Unit, end: str, *, whole: bool = False) -> bool:
    """Whether the item was for days that are over, and nothing says that it lingers.

    The last day is over too where it is told to its end, as `whole`.
    """
    days = _days_of(unit)
    # Days that were over when it was written tell of what came before, not when it has to be done.
    own = unit.entry.day.isoformat() if unit.entry.day else ""
    if not days or max(days) < own:
        return False
    last = max(days)
    if _REMINDS.match(unit.text) and last <= end:
        return True
    said = _naming(last, unit)
    if LINGERS.search(said):
        # What holds until a day is over with it; what has been so since a day is not.
        return _UNTIL.search(said) is not None and last < end
    if _BY.search(said) and is_listed(unit):
        return False
    # What has its hour on the last day told, or is a line for that day, is over with it.
    if last < end:
        return True
    whole = whole or _HOUR.search(unit.text) is not None
    return last == end and (whole or (unit.box is None and is_for_a_day(unit)))


def _naming(day: str, unit: Unit) -> str:
    """Of the sentences of a text the one that names a day, or the whole where none does."""
    parts = split(unit.text)
    if len(parts) > 1:
        for one in parts:
            if any(atom.key == day for atom in find_atoms(one, unit.entry.day)):
                return one
    return unit.text


def after(unit: Unit, day: str) -> list[str]:
    """The days after a day that a sentence names, by date, by number alone or as a weekday to come."""
    days = [key for key in unit.firm if key > day and ISO.fullmatch(key)]
    own = unit.entry.day
    if days or own is None:
        return days
    named = days
    if " the " in unit.text and (number := _NUMBER.search(unit.text)):
        coming = (shifted(own, n) for n in range(1, _MONTH))
        named = [one.isoformat() for one in coming if one.day == int(number[1])][:1]
    elif "day" in unit.text and (weekday := _FROM_WEEKDAY.search(unit.text)):
        named = [_coming(shifted(own, 1), weekday["day"])]
    return [one for one in named if one > day]


def _days_of(unit: Unit) -> list[str]:
    """The days a sentence names, or the one that its heading or a weekday tells."""
    named = [key for key in unit.firm if ISO.fullmatch(key)]
    day = unit.entry.day
    # "The plan of the 3rd holds", in a list for tomorrow, is for tomorrow.
    if day is None or (named and max(named) >= day.isoformat()):
        return named
    if headed := _headed(unit):
        return [_coming(day, headed["day"]) if headed["day"] else _next(day)]
    if numbered := _NUMBERED_DAY.match(unit.text):
        coming = (shifted(day, n) for n in range(_MONTH))
        return [one.isoformat() for one in coming if one.day == int(numbered[1])][:1]
    if weekday := _ON_WEEKDAY.search(unit.text) or _BRACKETED.search(unit.text):
        return [_coming(day, weekday["day"])]
    weekday = _FROM_WEEKDAY.search(unit.text)
    if weekday is None and unit.box is False:
        weekday = _AT_END.match(unit.text)
    return [_coming(shifted(day, 1), weekday["day"])] if weekday else named


def is_for_a_day(unit: Unit) -> bool:
    """Whether the list that a sentence stands in is for the next day, or for a day of the week."""
    return _headed(unit) is not None


def _headed(unit: Unit) -> re.Match[str] | None:
    if cues.announced(cues.label_of(unit.entry.text)):
        # It says itself what it is.
        return None
    return _HEADED.search(" ".join((*unit.entry.headings[-1:], unit.entry.lead)).strip())


def _next(day: date) -> str:
    return shifted(day, 1).isoformat()


def _coming(day: date, weekday: str) -> str:
    """The first day from a day on that has this name, told by its first letters."""
    on = (_WEEKDAYS.index(weekday[:3].lower()) - day.weekday()) % 7
    return shifted(day, on).isoformat()
