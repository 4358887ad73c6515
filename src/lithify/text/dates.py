"""Dates in a text: in figures, with the name of a month, and some English words that tell a day.

One grammar for the verifier, planning and `remember`. A month is known by the beginning of its name
in the languages of `languages.json`. A day of the month is a date only beside a month or a year.
Nothing here reads tenses: a weekday is the one before and the one after the day it was said on.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import NamedTuple

from lithify.calendar import month_end, shifted
from lithify.regex import regex
from lithify.text.labels import in_every_language


class Day(NamedTuple):
    """A date as far as it is said: a part that is not said is 0."""

    year: int = 0
    month: int = 0
    day: int = 0

    def says(self, other: Day) -> bool:
        """Return whether this date says all that another one says."""
        return all(mine == theirs or not theirs for mine, theirs in zip(self, other, strict=True))

    @property
    def exists(self) -> bool:
        """Return whether there is such a day, month or year."""
        try:
            date(self.year or 2000, self.month or 1, self.day or 1)
        except ValueError:
            return False
        return True


class DateIn(NamedTuple):
    """A date where it stands in a text, and what it can mean.

    It is `unsure` where it may be no date: a bare year, `28.07`, `7/28`, an abbreviated month, a
    day that a list adds. A month by itself is `alone`.
    """

    start: int
    end: int
    readings: tuple[Day, ...]
    unsure: bool = False
    alone: bool = False


_YMD = regex(r"(?<![\d./-])(\d{4})([-/.])(\d{1,2})(?:\2(\d{1,2})(?!\d|[-/.]\d))?(?!\d)")
_DMY = regex(r"(?<![\w/.,-])(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d|[-/.:]\d)")
_DM = regex(
    r"(?<![\w/.,])(\d{1,2})(?:/(\d{1,2})(?![A-Za-z0-9_/])|\.\s?(\d{1,2})(?:\.(?!\d)|(?![A-Za-z0-9_.%])))"
)
_WIDE = regex(
    r"(?:(?<!\d)(\d{4})\s?[年년/.-]\s?)?(?<!\d)(\d{1,2})\s?[月월]"
    r"(?:\s?(\d{1,2})((?:\s?[-–~、,至到]\s?\d{1,2}){0,9})\s?[日号號일]?)?"
)
_YEAR = regex(
    r"(?<![\w.,:/$€£¥#-])((?:19|20)\d\d)(?![A-Za-z0-9_/%]|[:.,-]\d)|(?<!\d)(\d{4})\s?[年년]"
)
_NAME = regex(r"[^\W\d_]{3,}")
_AND = r"(?:\s?[-–,/&+]\s?|,?\s[^\W\d_]{1,3}\s)"
_TH = r"(?:st|nd|rd|th|[.ºª])?"
_BEFORE = regex(
    rf"(?<![\w.,:/-])((?:\d{{1,2}}{_TH}{_AND}){{0,9}})(\d{{1,2}}){_TH}[\s-]?(?:of |de |d['’])?\Z"
)
_AFTER = regex(
    rf"\.?[\s-]?(?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?!\d|%|[:.,]\d)"
    rf"((?:{_AND}\d{{1,2}}(?:st|nd|rd|th)?(?!\d|%|[:.]\d)){{0,9}})"
)
_ITS_YEAR = regex(r"[.,]{0,2}[\s-]?(?:de )?(\d{4})(?!\d|[:.,]\d)|[.]?[-'’](\d\d)(?!\w)")
_NUMBER = regex(r"\d{1,2}")
#: Characters before a month in which its days are looked for, and texts that are remembered.
_REACH, _REMEMBERED = 48, 2000
_NO_DAY, _LONGEST_NAME = 99, 20
#: Months of English that in small letters are other words, too.
_OTHER_WORDS = ("may", "march")


def find_dates(text: str) -> tuple[DateIn, ...]:
    """Return the dates of a text by their places; one place may be read in two ways."""
    return (_found if len(text) <= _REMEMBERED else _found.__wrapped__)(text)


@lru_cache(maxsize=1 << 13)
def _found(text: str) -> tuple[DateIn, ...]:
    found = [one for one in (*_in_figures(text), *_named(text)) if one.readings]
    return tuple(sorted(found))


def _date(start: int, end: int, *readings: Day, unsure: bool = False) -> DateIn:
    return DateIn(start, end, tuple(day for day in readings if day.exists), unsure)


def _in_figures(text: str) -> Iterator[DateIn]:
    if not any(map(str.isdigit, text)):
        return
    for match in _YMD.finditer(text):
        year, month, day = int(match[1]), _part(match[3]), _part(match[4])
        # "2026-7" may be a range or a number of something.
        yield _date(*match.span(), Day(year, month, day), unsure=not day)
    for match in _DMY.finditer(text):
        one, two, year = _part(match[1]), _part(match[3]), _full_year(match[4])
        readings = [Day(year, two, one)] + [Day(year, one, two)] * (match[2] != ".")
        yield _date(*match.span(), *readings)
    for match in _DM.finditer(text):
        first, second = _part(match[1]), _part(match[2] or match[3])
        readings = [Day(0, second, first)] + [Day(0, first, second)] * bool(match[2])
        yield _date(*match.span(), *readings, unsure=True)
    for match in _WIDE.finditer(text):
        year, month = int(match[1] or 0), _part(match[2])
        yield _date(*match.span(), Day(year, month, _part(match[3])))
        for more in _NUMBER.finditer(text, *match.span(4)) if match[4] else ():
            yield _date(*more.span(), Day(year, month, _part(more[0])))
    for match in _YEAR.finditer(text):
        yield _date(*match.span(), Day(int(match[1] or match[2])), unsure=True)


def _part(digits: str | None) -> int:
    """Return the number of a day or month: 0 where there is none, one that no date has for "00"."""
    return (int(digits) or _NO_DAY) if digits else 0


def _full_year(digits: str) -> int:
    return int(digits) + (2000 if len(digits) == 2 else 0)


def _named(text: str) -> Iterator[DateIn]:
    for name in _NAME.finditer(text):
        month, in_full = month_of(name[0]) if len(name[0]) <= _LONGEST_NAME else (0, False)
        if not month:
            continue
        start, end = name.span()
        before = _BEFORE.search(text[max(0, start - _REACH) : start])
        after = None if before else _AFTER.match(text, end)
        its_year = _ITS_YEAR.match(text, after.end() if after else end)
        year = _full_year(its_year[1] or its_year[2]) if its_year else 0
        last = its_year.end() if its_year else end
        if before:
            begin = start - (before.end() - before.start())
            own = begin + before.start(2) - before.start()
            yield _date(own, last, Day(year, month, _part(before[2])), unsure=not in_full)
            yield from _listed(text, begin, own, Day(year, month))
        elif after:
            last = after.end(1) if after[2] or not its_year else last
            day = Day(year, month, _part(after[1]))
            yield _date(start, last, day, *_as_year(after, day), unsure=not in_full)
            yield from _listed(text, *after.span(2), Day(year, month))
        elif its_year:
            yield _date(start, last, Day(year, month), unsure=not in_full)
        elif in_full:
            yield DateIn(start, end, (Day(0, month),), unsure=True, alone=True)


def _listed(text: str, start: int, end: int, month: Day) -> Iterator[DateIn]:
    """Yield the days that a list or a range adds to a date."""
    for number in _NUMBER.finditer(text, start, end):
        yield _date(*number.span(), month._replace(day=_part(number[0])), unsure=True)


def _as_year(after: re.Match[str], day: Day) -> tuple[Day, ...]:
    """Read "Mar-26" also as a month of 2026."""
    bare = not after[2] and not day.year and len(after[1]) == 2
    return (Day(2000 + day.day, day.month),) if bare and after[0][0] == "-" else ()


@lru_cache(maxsize=1 << 12)
def month_of(word: str) -> tuple[int, bool]:
    """Return the number of the month that a word names (0 for none), and whether it does so in full."""
    small = word.casefold()
    names, stems = _months()
    if small in names:
        month, in_full = names[small]
        return month, in_full and word not in _OTHER_WORDS
    cuts = (small[:cut] for cut in range(3, len(small) + 1))
    return next(((stems[cut], True) for cut in cuts if cut in stems), (0, False))


@cache
def _months() -> tuple[dict[str, tuple[int, bool]], dict[str, int]]:
    """Return the names of months with their beginnings from three letters on, and open stems."""
    names: dict[str, tuple[int, bool]] = {}
    stems: dict[str, int] = {}
    for months in in_every_language("months"):
        for number, own in enumerate(months, 1):
            for name in own.split():
                if name.endswith("-"):
                    stems[name[:-1]] = number
                for cut in range(3, len(name)):
                    names.setdefault(name[:cut], (number, False))
    for months in in_every_language("months"):
        for number, own in enumerate(months, 1):
            names |= dict.fromkeys(own.split(), (number, True))
    return names, stems


# English words that tell a day by the day they were said on.

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SPOKEN = regex(
    r"\b(?:(?P<near>today|tomorrow|yesterday)|(?P<way>next|last)\s(?P<unit>week|month)"
    r"|in\s(?P<count>\d{1,3})\s(?P<days>day|week)s?"
    r"|(?:(?:next|last|this)\s)?(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b",
    re.IGNORECASE,
)
_NEAR = {"yesterday": -1, "today": 0, "tomorrow": 1}


class SpokenDate(NamedTuple):
    """An English word or two that tell days: each pair is a first and a last day that may be meant."""

    start: int
    end: int
    spans: tuple[tuple[date, date], ...]

    @property
    def certain(self) -> date | None:
        """Return the one day that is meant, or None where there are several."""
        first, last = self.spans[0]
        return first if len(self.spans) == 1 and first == last else None


def spoken_dates(text: str, said_on: date) -> Iterator[SpokenDate]:
    """Yield what English words of a text tell of days, as said on a day."""
    for match in _SPOKEN.finditer(text):
        try:
            spans = _meant(match, said_on)
        except OverflowError:
            continue
        yield SpokenDate(*match.span(), spans)


def _meant(match: re.Match[str], day: date) -> tuple[tuple[date, date], ...]:
    if match["near"]:
        near = shifted(day, _NEAR[match["near"].lower()])
        return ((near, near),)
    if match["count"]:
        later = shifted(day, int(match["count"]) * (7 if match["days"].lower() == "week" else 1))
        return ((later, later),)
    if match["unit"]:
        ahead = match["way"].lower() == "next"
        if match["unit"].lower() == "week":
            monday = day - timedelta(days=day.weekday()) + timedelta(days=7 if ahead else -7)
            return ((monday, monday + timedelta(days=6)),)
        first = (
            month_end(day) + timedelta(days=1)
            if ahead
            else (day.replace(day=1) - timedelta(days=1)).replace(day=1)
        )
        return ((first, month_end(first)),)
    wanted = _WEEKDAYS.index(match["weekday"].lower()[:3])
    ahead_by = (wanted - day.weekday()) % 7
    # "Friday" and "next Friday" of two people are not the same Friday.
    days = [day + timedelta(days=ahead_by + 7 * weeks) for weeks in (-2, -1, 0, 1)]
    return tuple((one, one) for one in days)


_QUOTED = regex(r"\"[^\"\n]{1,400}\"|`[^`\n]{1,400}`|[“„][^“”„\n]{1,400}[”“]|«[^«»\n]{1,400}»")
_OWNED = regex(r"['’]s\b|\s*[\[(]\d{4}-")


def with_dates(text: str, said_on: date) -> str:
    """Return a text with the certain date in brackets behind each English word that tells it.

    What is quoted, or code, stays as it is.
    """
    parts, at = [], 0
    quoted = deque(match.span() for match in _QUOTED.finditer(text))
    for spoken in spoken_dates(text, said_on):
        while quoted and quoted[0][1] <= spoken.start:
            quoted.popleft()
        inside = quoted and quoted[0][0] < spoken.start
        if spoken.certain and not inside and not _OWNED.match(text, spoken.end):
            parts += [text[at : spoken.end], f" ({spoken.certain})"]
            at = spoken.end
    return "".join([*parts, text[at:]])


def with_year(day: Day, near: date) -> Day:
    """Return a date with its year; one without is of the year in which it is nearest to a day."""
    if day.year:
        return day
    years = [
        year for year in (near.year - 1, near.year, near.year + 1) if day._replace(year=year).exists
    ]
    if not years:
        return day._replace(year=near.year)
    return min(
        (day._replace(year=year) for year in years),
        key=lambda one: abs((date(one.year, one.month, one.day or 15) - near).days),
    )
