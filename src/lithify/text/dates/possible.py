"""The days and times that a text may mean: what a claim may tell of it, and what nobody can decide.

`find_dates` says which day a text names. A reader who tells "delivery on Tuesday" or "the 18th" as a
full date has often decided by what he knows; the two nearest such days are both possible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

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
    for match in _ORDINAL.finditer(text):
        yield from _nearest(day, lambda each, n=int(match[1] or match[2]): each.day == n)
    weekdays, near = word_table(language, "weekdays"), word_table(language, "near_days")
    later = 7 if _NEXT.search(text) else 0
    for word in map(str.lower, _WORD.findall(text)):
        if word in near:
            yield day + timedelta(near[word])
        for name, n in weekdays.items():
            # "Fri", "Mondays", "Freitagabend"
            if word.startswith(name) or (len(word) == 3 and name.startswith(word)):
                found = list(_nearest(day, lambda each, n=n: each.weekday() == n))
                yield from found
                yield from (each + timedelta(later) for each in found)
    if _WEEKEND.search(text):
        for n in (5, 6):
            yield from _nearest(day, lambda each, n=n: each.weekday() == n)


def _nearest(day: date, wanted) -> Iterator[date]:  # type: ignore[no-untyped-def]
    """The nearest such day before and the nearest after."""
    for way in (1, -1):
        near = (day + timedelta(way * n) for n in range(_AROUND))
        if found := next((each for each in near if wanted(each)), None):
            yield found


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
