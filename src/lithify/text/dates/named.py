"""Dates that mean the same on whatever day they are said: `April 3`, `2026-04-02`, `Q3 2026`."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from lithify.regex import regex
from lithify.text.language import number_table
from lithify.text.likeness import word_set

#: Someone's exact words: what stands in quotation marks, code or an address is not rewritten.
VERBATIM = regex(
    r"```.*?(?:```|\Z)|`(?P<code>[^`\n]*)`|\"(?P<straight>[^\"\n]*)\"|“(?P<curly>[^“”\n]*)”"
    r"|«(?P<angle>[^«»\n]*)»|(?<!\w)'[^'\n]*'(?!\w)"
    r"|\b(?:https?|ftp|file)://(?P<url>[^\s<>\"”`|]+)|\]\((?!https?:)[^()\s]{0,500}\)",
    re.DOTALL,
)


class Hit(NamedTuple):
    """A date found; `form` is how a relative one is reworded, empty for an absolute one.

    `unclear`: the days are only a guess, since "no verb" tells which way a weekday points, or it may
    be "either", or is any such day by "habit". `bare`: only a participle tells that it lies back, which
    may as well say what is to be done by then.
    """

    start: int
    end: int
    first: date
    last: date
    form: str = ""
    exact: bool = True
    unclear: str = ""
    bare: bool = False


Match = re.Match[str]
_Reading = Callable[[Match, date], Hit | None]


class DateRule(NamedTuple):
    """A pattern and its reading.

    `absolute`: what it reads has no `form`, on whatever day it is said.
    """

    pattern: re.Pattern[str]
    reading: _Reading
    absolute: bool


RULES: dict[str, list[DateRule]] = {}


def reads(
    triggers: str, pattern: str, flags: int = re.I, *, absolute: bool = False
) -> Callable[[_Reading], _Reading]:
    """Try a reading where one of these words begins; a number is triggered by its length.

    `absolute`: the words name a date by itself, and need no rewording.
    """

    def register(reading: _Reading) -> _Reading:
        for word in triggers.split():
            RULES.setdefault(word, []).append(DateRule(compiled, reading, absolute))
        return reading

    compiled = re.compile(pattern, flags)
    return register


WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
YEAR_ROUND = "january february march april may june july august september october november december"
MONTHS = tuple(YEAR_ROUND.split())
PARTS = "morning|afternoon|evening|night"
_BEFORE = regex(r"(?<![A-Za-z])([A-Za-z]{1,20})[\s-]+\Z")


def word_before(text: str, start: int) -> str:
    match = _BEFORE.search(text, max(0, start - 24), start)
    return match[1].lower() if match else ""


# Dates that mean the same on whatever day they are said: `April 3`, `2026-04-02`, `Q3 2026`.


_SHORT_MONTHS = "jan feb mar apr jun jul aug sep sept oct nov dec"
ALL_MONTHS = f"{YEAR_ROUND} {_SHORT_MONTHS}"
_ONLY_MONTHS = frozenset(MONTHS) - {"march", "april", "may", "june", "august"}
_TIME_PREPOSITIONS = word_set(
    "in of by early late mid since until till through to from during for before after last next"
    " this end start beginning around and or between throughout circa"
)
MONTH = (
    rf"(?P<month>(?:{YEAR_ROUND.replace(' ', '|')})\b|(?:{_SHORT_MONTHS.replace(' ', '|')})\b\.?)"
)
_NTH = r"\d{1,2}(?:st|nd|rd|th)?"
_DAY = rf"(?P<day>{_NTH})(?:\s?[-–—]\s?(?P<to>{_NTH}))?(?!\w|%|[:.,]\d)"
#: Also "11 and 12 April".
_LISTED = _DAY.replace(r"\s?[-–—]\s?", r"(?:\s?[-–—]\s?|\s+(?:and|to|or)\s+)", 1)
_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\w)"


def hit_of(match: Match, days: tuple[date, date] | date, form: str = "", exact: bool = True) -> Hit:
    first, last = days if isinstance(days, tuple) else (days, days)
    return Hit(*match.span(), first, last, form, exact)


def month_number(match: Match) -> int:
    word = match["month"].lower()
    # "may" and "march" in small letters are verbs.
    if match["month"][0].islower() and word in ("may", "march", "mar"):
        raise ValueError(word)
    return 1 + next(n for n, name in enumerate(MONTHS) if name.startswith(word[:3]))


def _nearest(anchor: date, month: int, day: int) -> date:
    reach = 4 if (month, day) == (2, 29) else 1
    years = range(max(1, anchor.year - reach), min(9999, anchor.year + reach) + 1)
    days = [date(year, month, day) for year in years if day <= monthrange(year, month)[1]]
    return min(days, key=lambda day: abs(day - anchor))


def span_of(unit: str, day: date) -> tuple[date, date]:
    """Return the week, weekend, month, quarter or year that holds a day."""
    if unit == "week":
        return day - timedelta(day.weekday()), day + timedelta(6 - day.weekday())
    if unit == "weekend":
        return day + timedelta(5 - day.weekday()), day + timedelta(6 - day.weekday())
    size = {"month": 1, "quarter": 3, "year": 12}[unit]
    low = (day.month - 1) // size * size + 1
    high = low + size - 1
    return date(day.year, low, 1), date(day.year, high, monthrange(day.year, high)[1])


@reads(ALL_MONTHS, rf"{MONTH}\s+(?:the\s+)?{_DAY}(?:,?\s+{_YEAR})?", absolute=True)
@reads("1 2", rf"{_LISTED}\s+(?:of\s+)?{MONTH}(?:,?\s+{_YEAR})?", absolute=True)
def _month_day(match: Match, anchor: date) -> Hit:
    month, day, year = month_number(match), _digits(match["day"]), int(match["year"] or 0)
    first = last = date(year, month, day) if year else _nearest(anchor, month, day)
    if match["to"]:
        last = max(first, first.replace(day=_digits(match["to"])))
    return hit_of(match, (first, last), exact=bool(year))


def _digits(said: str) -> int:
    return int(said.rstrip("stndrhSTNDRH"))


_ABROAD = number_table("months")
_NAMES = "|".join(sorted(_ABROAD, key=len, reverse=True))


@reads(
    "1 2",
    rf"(?P<day>\d{{1,2}})(?:\.|er|º)?(?:\s?[-–—]\s?(?P<to>\d{{1,2}})\.?)?\s+(?:de\s+)?(?P<month>{_NAMES})\b\.?"
    rf"(?:\s+(?:de\s+)?{_YEAR})?",
    absolute=True,
)
def _day_month_abroad(match: Match, anchor: date) -> Hit:
    month, day, year = _ABROAD[match["month"].lower()], int(match["day"]), int(match["year"] or 0)
    first = last = date(year, month, day) if year else _nearest(anchor, month, day)
    if match["to"]:
        last = max(first, first.replace(day=int(match["to"])))
    return hit_of(match, (first, last), exact=bool(year))


@reads(ALL_MONTHS, rf"{MONTH}(?:,|\s+of)?\s+{_YEAR}", absolute=True)
def _month_year(match: Match, anchor: date) -> Hit:
    return hit_of(match, span_of("month", date(int(match["year"]), month_number(match), 1)))


@reads(ALL_MONTHS, rf"(?=[A-Z])(?i:{MONTH})(?![\w'’-])", 0, absolute=True)
def _bare_month(match: Match, anchor: date) -> Hit | None:
    before = word_before(match.string, match.start())
    if match["month"].lower() not in _ONLY_MONTHS and before not in _TIME_PREPOSITIONS:
        return None
    return hit_of(match, span_of("month", _nearest(anchor, month_number(match), 15)), exact=False)


@reads("1 2 4", r"(?:(?P<y>\d{4})年)?(?P<m>\d\d?)月(?P<d>\d\d?)日", absolute=True)
def _day_of_the_east(match: Match, anchor: date) -> Hit:
    month, day, year = int(match["m"]), int(match["d"]), int(match["y"] or 0)
    found = date(year, month, day) if year else _nearest(anchor, month, day)
    return hit_of(match, found, exact=bool(year))


@reads("1 2", r"(?P<d>\d\d?)\.(?P<m>\d\d?)\.(?P<y>(?:19|20)\d\d)(?![\d.])", absolute=True)
@reads("4", r"(?P<y>\d{4})(?P<sep>[-/])(?P<m>\d\d?)(?P=sep)(?P<d>\d\d?)(?![\d/])", absolute=True)
def _iso_day(match: Match, anchor: date) -> Hit:
    return hit_of(match, date(int(match["y"]), int(match["m"]), int(match["d"])))


@reads(
    "4",
    r"(?P<y>\d{4})(?:-?W(?P<week>\d\d)|[- ]?Q(?P<quarter>[1-4])|-(?P<month>\d\d))(?![\w~]|-\w)",
    absolute=True,
)
def _iso_span(match: Match, anchor: date) -> Hit:
    year = int(match["y"])
    if match["week"]:
        return hit_of(match, span_of("week", date.fromisocalendar(year, int(match["week"]), 1)))
    if match["quarter"]:
        return hit_of(match, span_of("quarter", date(year, int(match["quarter"]) * 3, 1)))
    return hit_of(match, span_of("month", date(year, int(match["month"]), 1)))


@reads("4", rf"{_YEAR}(?![.,:/-]\w|%)", absolute=True)
def _bare_year(match: Match, anchor: date) -> Hit | None:
    if word_before(match.string, match.start()) not in _TIME_PREPOSITIONS:
        return None
    return hit_of(match, span_of("year", date(int(match["year"]), 1, 1)))


@reads("1 2", r"(?P<a>\d\d?)/(?P<b>\d\d?)/(?P<y>\d{4})(?![\d/])", absolute=True)
def _slashed(match: Match, anchor: date) -> Hit | None:
    a, b, year = int(match["a"]), int(match["b"]), int(match["y"])
    # 4/2/2026 is April here and February there: only what can be read one way is a date.
    if a <= 12 and b <= 12 and a != b:
        return None
    return hit_of(match, date(year, b, a) if a > 12 else date(year, a, b))


@reads(
    "q", rf"Q(?P<n>[1-4])(?:[\s,]+(?:of\s+)?{_YEAR}|\s?['’](?P<yy>\d\d))?(?!\w)", 0, absolute=True
)
def _quarter(match: Match, anchor: date) -> Hit:
    month = int(match["n"]) * 3 - 1
    year = int(match["year"] or 0) or (2000 + int(match["yy"]) if match["yy"] else 0)
    day = date(year, month, 15) if year else _nearest(anchor, month, 15)
    return hit_of(match, span_of("quarter", day), exact=bool(year))
