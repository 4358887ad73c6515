"""The dates a text names or may mean, read from the contract alone.

Part of the independent checker: it shares nothing with the program's own reading of dates.
An entry is read generously: a relative date with two readings supports both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

_MONTHS = "january february march april may june july august september october november december"
_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
MONTH_OF = {name: n for n, name in enumerate(_MONTHS.split(), 1)}
MONTH_OF |= {name[:3]: n for name, n in MONTH_OF.items()} | {"sept": 9}
DAY_OF = {name: n for n, name in enumerate(_DAYS.split())}
DAY_OF |= {name[:3]: n for name, n in DAY_OF.items()} | {"tues": 1, "thur": 3, "thurs": 3}
_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
_ONES += "fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
WORTH = {word: n for n, word in enumerate(_ONES.split())}
WORTH |= {word: 10 * n for n, word in enumerate(_TENS.split(), 2)}

_M = r"(?:" + "|".join(sorted(MONTH_OF, key=len, reverse=True)) + r")\b\.?"
_W = r"(?:" + "|".join(sorted(DAY_OF, key=len, reverse=True)) + r")\b"
_N = r"(?:\d{1,3}|an?|" + "|".join(WORTH) + r"|couple(?: of)?)"
_D, _TH = r"(?:3[01]|[12]\d|0?[1-9])", r"(?:st|nd|rd|th)?"
_Y = r"(?:19|20)\d\d"
DATE = re.compile(
    r"\b(?P<label>\d{4}-W\d{2})\b"
    r"|(?<![\d-])(?P<iso>\d{4}-\d{2}-\d{2})(?!\d)"
    rf"|(?<![\d-])(?P<ym>{_Y}-(?:0[1-9]|1[0-2]))(?![\d-])"
    rf"|\b(?P<md>(?P<md_m>{_M}) (?:the )?(?P<md_d>{_D}){_TH}(?!\d|[:%]|,\d{{3}})"
    rf"(?:\s?-\s?(?P<md_e>{_D}){_TH}(?![\d:%]))?(?:,? (?P<md_y>{_Y}))?)\b"
    rf"|(?<![\d.$€£])(?P<dm>(?P<dm_d>{_D}){_TH}(?:\s?-\s?(?P<dm_e>{_D}){_TH})?"
    rf" (?:of )?(?P<dm_m>{_M})(?:,? (?P<dm_y>{_Y}))?)(?!\w)"
    rf"|\b(?P<my>(?P<my_m>{_M}),? (?P<my_y>{_Y}))\b",
    re.IGNORECASE,
)
MONTH = re.compile(r"\b(?:" + "|".join(name.capitalize() for name in MONTH_OF) + r")\b")
QUARTER = re.compile(r"\bQ([1-4])\b")
WEEKDAY = re.compile(rf"\b({_W})(?:'s|s)?", re.IGNORECASE)


@dataclass
class When:
    """The days, months, quarters and years an entry speaks of."""

    days: set[date] = field(default_factory=set)
    months: set[tuple[int, int]] = field(default_factory=set)
    years: set[int] = field(default_factory=set)
    quarters: set[int] = field(default_factory=set)

    def holds(self, value: object) -> bool:
        """Whether the entry speaks of this date: a day, (year, month), or `month/day`."""
        if isinstance(value, date):
            return value in self.days
        if isinstance(value, tuple):
            return value in self.months
        return any(f"{day.month}/{day.day}" == value for day in self.days)

    def read(self, text: str, day: date | None) -> None:
        """Take in what a text of that day says."""
        if day:
            _resolve(self, text, day)
        self.read_absolute(text, day)

    def read_absolute(self, text: str, day: date | None) -> None:
        """Take in the dates a text names outright."""
        for match in DATE.finditer(text):
            for value in claimed(match):
                self._take(value, day)

    def settle(self) -> None:
        """A day implies its month, and a month its year."""
        self.months |= {(day.year, day.month) for day in self.days}
        self.years |= {year for year, _ in self.months}

    def _take(self, value: object, day: date | None) -> None:
        if isinstance(value, date):
            self.days.add(value)
        elif isinstance(value, tuple):
            self.months.add(value)
        elif value and day:
            month, number = map(int, str(value).split("/"))
            years = (day.year - 1, day.year, day.year + 1)
            dates = [found for year in years if (found := _day(year, month, number))]
            # Without a year: this one, and the one that brings the date nearest.
            near = min(dates, key=lambda found: abs((found - day).days), default=None)
            self.days |= {found for found in dates if found == near or found.year == day.year}


def claimed(match: re.Match[str]) -> Iterator[object]:
    """What a match of DATE says: a day, (year, month), or `month/day` where no year stands."""
    if match["iso"]:
        yield _day(*map(int, match["iso"].split("-")))
    elif match["ym"]:
        yield int(match["ym"][:4]), int(match["ym"][5:])
    elif match["my"]:
        yield int(match["my_y"]), MONTH_OF[match["my_m"].lower().rstrip(".")]
    elif match["md"] or match["dm"]:
        form = "md" if match["md"] else "dm"
        month = MONTH_OF[match[f"{form}_m"].lower().rstrip(".")]
        for number in filter(None, (match[f"{form}_d"], match[f"{form}_e"])):
            year = match[f"{form}_y"]
            yield _day(int(year), month, int(number)) if year else f"{month}/{int(number)}"


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _shifted(day: date, months: int) -> tuple[int, int]:
    index = day.year * 12 + day.month - 1 + months
    return index // 12, index % 12 + 1


def _last_of(year: int, month: int) -> date:
    return date(*_shifted(date(year, month, 1), 1), 1) - timedelta(1)


_WHICH = (
    ("this|the|of|all|end of(?: the)?|current", 0),
    ("last|past|previous", -1),
    ("next|coming|following", 1),
)


def _says(text: str, words: str) -> bool:
    return re.search(rf"\b(?:{words})\b", text, re.IGNORECASE) is not None


def _resolve(when: When, text: str, day: date) -> None:
    """Every day, month and year a relative date of the text may mean."""

    def add(*offsets: int) -> None:
        when.days |= {day + timedelta(n) for n in offsets}

    if _says(text, "yesterday|last night|day before|overnight"):
        add(-1)
    if _says(text, "day before yesterday"):
        add(-2)
    if _says(text, "tomorrow|next (?:morning|day)|day after|overnight"):
        add(1)
    if _says(text, "day after tomorrow"):
        add(2)
    far = _says(text, "next|last|week|previous|coming|following|past")
    for match in WEEKDAY.finditer(text):
        ahead = (DAY_OF[match[1].lower()] - day.weekday()) % 7
        add(ahead, ahead - 7, *((ahead + 7, ahead - 14) if far else ()))
    if _says(text, "weekends?"):
        add(*(n for n in range(-15, 16) if (day + timedelta(n)).weekday() > 4))
    for which, by in _WHICH:
        if _says(text, rf"(?:{which})[ -]week"):
            monday = by * 7 - day.weekday()
            add(monday, monday + 4, monday + 6)
        if _says(text, rf"(?:{which})[ -]month"):
            month = _shifted(day, by)
            when.months.add(month)
            when.days |= {date(*month, 1), _last_of(*month)}
        if _says(text, rf"(?:{which})[ -](?:year|summer|winter|spring|fall|autumn|season)"):
            when.years.add(day.year + by)
        if _says(text, rf"(?:{which})[ -]quarter"):
            year, first = _shifted(day, 3 * by)
            when.quarters.add((first + 2) // 3)
            when.years.add(year)
    quarters = ("first", "second", "third", "fourth")
    when.quarters |= {n for n, word in enumerate(quarters, 1) if _says(text, f"{word} quarter")}
    for match in re.finditer(rf"\b({_N}) (day|week|weekend|month|year)s?\b", text, re.I):
        _away(when, day, _count(match[1]), match[2].lower())
    for match in re.finditer(rf"\b({_D})(?:st|nd|rd|th)\b", text):
        dates = (_day(*_shifted(day, by), int(match[1])) for by in (-1, 0, 1))
        when.days |= {found for found in dates if found}
    for match in MONTH.finditer(text):
        number = MONTH_OF[match.group().lower()]
        when.months |= {(day.year + by, number) for by in (-1, 0, 1)}
        if _says(text, "end"):
            when.days.add(_last_of(day.year, number))


def _count(word: str) -> int:
    word = word.lower().split()[0]
    return int(word) if word.isdigit() else {"a": 1, "an": 1, "couple": 2}.get(word) or WORTH[word]


def _away(when: When, day: date, count: int, unit: str) -> None:
    """That far from the day, either way."""
    for by in (-count, count):
        if unit == "day":
            when.days.add(day + timedelta(by))
        elif unit in ("week", "weekend"):
            there = day + timedelta(7 * by)
            monday = there - timedelta(there.weekday())
            when.days |= {there, *(monday + timedelta(n) for n in (-2, -1, 0, 5, 6))}
        elif unit == "month":
            month = _shifted(day, by)
            when.months.add(month)
            same = _day(*month, day.day)
            when.days |= {same} if same else set()
        elif 0 < day.year + by < 9999:
            when.years.add(day.year + by)
            when.months.add((day.year + by, day.month))
