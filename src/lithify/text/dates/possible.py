"""The days and times that a text may mean: what a claim may tell of it, and what nobody can decide.

`find_dates` says which day a text names. A reader who tells "delivery on Tuesday" or "the 18th" as a
full date has often decided by what he knows; the two nearest such days are both possible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from lithify.text.dates.hit import MONTHS
from lithify.text.language import word_table

#: A day of a month that is not named: "the 18th", "am 18."
_ORDINAL = re.compile(
    r"\b(?:(?:the|from|to) (\d{1,2})(?:st|nd|rd|th)|(?:am|zum|vom|dem|bis|beim|den) (\d{1,2})\.)(?!\w)(?!\s*\d)"
)
#: Days around an entry in which such a day is looked for.
_AROUND = 35
_WORD = re.compile(r"[^\W\d_]+")
_NEXT = re.compile(
    r"\b(?:next|nächst\w*|kommend\w*|in (?:a|one|einer) (?:week|woche))\b", re.IGNORECASE
)
_WEEKEND = re.compile(r"weekend|wochenend", re.IGNORECASE)
#: "Half past four", "at three", "halb fünf": the minutes they stand from the hour.
_PAST = {"half past": 30, "quarter past": 15, "ten past": 10, "twenty past": 20, "five past": 5}
_PAST |= {"quarter to": -15, "ten to": -10, "twenty to": -20, "five to": -5, "halb": -30}
_PAST |= {"viertel nach": 15, "viertel vor": -15, "dreiviertel": -15, "at": 0, "by": 0, "um": 0}
_PAST |= {"from": 0, "until": 0, "till": 0, "bis": 0, "and": 0, "before": 0, "ab": 0, "gegen": 0}
_NOON = {"noon": 12, "midday": 12, "mittags": 12, "midnight": 0, "mitternacht": 0}


def possible_days(text: str, day: date, language: str) -> Iterator[date]:
    """The days that a text said on a day may mean by a weekday, an ordinal or a word like "tomorrow"."""
    around = _around(day)
    for match in _ORDINAL.finditer(text):
        wanted = int(match[1] or match[2])
        yield from _nearest(day, [each for each in around if each.day == wanted])
    weekdays, near = word_table(language, "weekdays"), word_table(language, "near_days")
    steps = (7, 14) if _NEXT.search(text) else (7,)
    for word in map(str.lower, _WORD.findall(text)):
        if word in near:
            yield from (each for each in around if (each - day).days == near[word])
        for name, weekday in weekdays.items():
            # "Fri", "Mondays", "Freitagabend"
            if word.startswith(name) or (len(word) == 3 and name.startswith(word)):
                yield from _on_weekday(around, day, weekday, max(steps))
    if _WEEKEND.search(text):
        for weekday in (5, 6):
            yield from _on_weekday(around, day, weekday, 7)


def _around(day: date) -> list[date]:
    """The days around one, as far as the calendar reaches."""
    first = max(date.min.toordinal(), day.toordinal() - _AROUND)
    last = min(date.max.toordinal(), day.toordinal() + _AROUND)
    return [date.fromordinal(each) for each in range(first, last + 1)]


def _on_weekday(around: list[date], day: date, weekday: int, ahead: int) -> Iterator[date]:
    """Such a weekday in the week before a day, and as far ahead as told."""
    for each in around:
        if each.weekday() == weekday and -7 < (each - day).days < ahead:
            yield each


def _nearest(day: date, found: list[date]) -> Iterator[date]:
    """Of the days found, the nearest before and the nearest after."""
    yield from [each for each in found if each <= day][-1:]
    yield from [each for each in found if each >= day][:1]


def possible_months(text: str, day: date) -> Iterator[str]:
    """The months that a text names by a word with a capital, of the year of its day: "March was less"."""
    for word in _WORD.findall(text):
        if word[0].isupper() and word.lower() in MONTHS:
            yield f"{day.year}-{MONTHS.index(word.lower()) + 1:02}"


def possible_times(text: str, language: str) -> Iterator[str]:
    """The times of a day that a text says in words, in either half of the day."""
    low = text.lower()
    hours = word_table(language, "hours")
    for match in re.finditer(rf"\b({'|'.join(_PAST)}) ({'|'.join(hours)})\b", low) if hours else ():
        for half in (0, 12):
            minutes = (60 * (hours[match[2]] + 1 + half) + _PAST[match[1]]) % (24 * 60)
            yield f"{minutes // 60:02}:{minutes % 60:02}"
    for word in _NOON.keys() & set(_WORD.findall(low)):
        yield f"{_NOON[word]:02}:00"
