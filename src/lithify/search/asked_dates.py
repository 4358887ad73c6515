"""Dates in a query: in figures and with the names of months by the grammar of `text.dates`, and English words.

A query may be read more freely than a page, because nothing is rewritten by what is found here. Of a
memory people ask what was: a date without a year is the last such date, unless the query looks ahead.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from lithify.calendar import shifted
from lithify.regex import regex
from lithify.text.dates import DateIn, Day, find_dates

_NUMBERS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
#: A pattern of what `count_of` reads.
COUNT = rf"\d{{1,3}}|an?|(?:a )?couple(?: of)?|(?:a )?few|{_NUMBERS}"
_UNIT = "day|week|month|quarter|year"
_SPOKEN = regex(
    rf"\b(?:(?P<near>(?:the day before )?yesterday|today|tomorrow)"
    rf"|(?P<way>last|past|recent|this|next) (?:(?P<many>{COUNT}) )?(?P<unit>{_UNIT})(?P<plural>s?)"
    rf"|(?P<ago>{COUNT}) (?P<units>{_UNIT})s? ago"
    r"|(?:(?P<year>\d{4})[ -]?)?(?:q(?P<quarter>[1-4])|h(?P<half>[12])|w(?P<week>\d\d?))"
    r"(?:[ ,/-]{1,2}(?:of )?(?P<its_year>\d{4}))?"
    r"|(?:(?P<which>last|this|next) )?(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b",
    re.IGNORECASE,
)
_NEAR = {"yesterday": -1, "today": 0, "tomorrow": 1}
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAYS = {"day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}
#: The days that "the last days" means, and how far a day may lie off that was so many weeks ago.
_LAST_DAYS, _ABOUT_A_WEEK = 3, 3
#: Words that stand before a date, and those of them that make it the end of a time without another.
_BEFORE = regex(r"\b([a-z]+) (?:the )?\Z", re.IGNORECASE)
_SINCE, _UNTIL = ("since", "after", "from"), ("before", "until", "till")
_ON = ("in", "on", "of", "by", "during", "between", "and", "to", *_SINCE, *_UNTIL)
_TO = regex(r" ?(?:[-–—~]|to|until|till|through) ?(?:the )?", re.IGNORECASE)
_AND = regex(r" and (?:the )?", re.IGNORECASE)
_WEEK_OF = regex(r"\b(?:the )?week of (?:the )?\Z", re.IGNORECASE)
#: Months of English that are other words too.
_VERBS = ("may", "march")
#: In so many years a date without a year is looked for: a 29 February comes every eight at most.
_YEARS = 9
#: So many characters before a date are read.
_REACH = 40


class AskedDate(NamedTuple):
    """A stretch of a query that names the days from `first` to `last`.

    `yearless`: it is a date without a year, which may mean that of another year.
    """

    start: int
    end: int
    first: date
    last: date
    yearless: bool = False


def asked_dates(text: str, today: date, *, ahead: bool = False) -> list[AskedDate]:
    """Return the dates that a query names, in order, as asked on a day; of two that overlap the longer."""
    found: list[AskedDate] = []
    every = [*_spoken(text, today, ahead), *_written(text, today, ahead)]
    for one in sorted(every, key=lambda one: one.start - one.end):
        if not any(one.start < other.end and other.start < one.end for other in found):
            found.append(one)
    return sorted(found)


def asked_spans(text: str, dates: Sequence[AskedDate]) -> list[tuple[int, int]]:
    """Return the days that dates mean with the words beside them (since, until, between), as ordinals."""
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(dates):
        one, word = dates[at], _word_before(text, dates[at].start)
        first, last = one.first.toordinal(), one.last.toordinal()
        between = text[one.end : dates[at + 1].start] if at + 1 < len(dates) else ""
        if _TO.fullmatch(between) or (word == "between" and _AND.fullmatch(between)):
            last = max(last, dates[at + 1].last.toordinal())
            at += 1
        elif word in _SINCE:
            last = date.max.toordinal()
        elif word in _UNTIL:
            first, last = 1, max(1, first - 1)
        elif word == "by":
            first = 1
        spans.append((first, last))
        at += 1
    return spans


def _word_before(text: str, end: int) -> str:
    match = _BEFORE.search(text, max(0, end - _REACH), end)
    return match[1].lower() if match else ""


# Dates in figures and with the names of months.


def _written(text: str, today: date, ahead: bool) -> Iterator[AskedDate]:
    for one in find_dates(text):
        if _is_meant(one, text) and (span := _span(one.readings[0], today, ahead)):
            start, (first, last) = one.start, span
            if first == last and (week := _WEEK_OF.search(text, max(0, start - _REACH), start)):
                start = week.start()
                first, last = span_of("week", first)
            yield AskedDate(start, one.end, first, last, yearless=not one.readings[0].year)


def _is_meant(one: DateIn, text: str) -> bool:
    """Return whether a date that may be none is one: not "may", "3.4" or "2 out"."""
    said = text[one.start : one.end]
    if one.alone and said.lower() in _VERBS:
        return _word_before(text, one.start) in _ON or (one.start > 0 and said[0].isupper())
    if not one.unsure or one.alone:
        return True
    letters = any(map(str.isalpha, said))
    return any(map(str.isupper, said)) if letters else "." not in said


def _span(day: Day, today: date, ahead: bool) -> tuple[date, date] | None:
    """Return the first and last day of a date; one without a year is the last, or the next if `ahead`."""
    step = 1 if ahead else -1
    years = [day.year] if day.year else range(today.year, today.year + step * _YEARS, step)
    for year in years:
        if not 1 <= year <= date.max.year or not day._replace(year=year).exists:
            continue
        first = date(year, day.month or 1, day.day or 1)
        last = first if day.day else span_of("month" if day.month else "year", first)[1]
        if day.year or (last >= today if ahead else first <= today):
            return first, last
    return None


# English words.


def _spoken(text: str, today: date, ahead: bool) -> Iterator[AskedDate]:
    for match in _SPOKEN.finditer(text):
        said = {name: value.lower() for name, value in match.groupdict("").items()}
        named = said["quarter"] or said["half"] or said["week"]
        span: tuple[date, date] | None = None
        if named:
            span = _part_of_year(said, today, ahead)
        elif not said["weekday"]:
            span = _relative(said, today)
        elif _is_date(text, match, said["which"]):
            span = _weekday(said["weekday"], said["which"] or "next" * ahead, today)
        if span:
            yearless = bool(named) and not (said["year"] or said["its_year"])
            yield AskedDate(*match.span(), *span, yearless=yearless)


def _relative(said: dict[str, str], today: date) -> tuple[date, date]:
    if near := said["near"]:
        day = shifted(today, -2 if " " in near else _NEAR[near])
        return day, day
    if said["ago"]:
        unit, count = said["units"], count_of(said["ago"])
        there = shifted(today, -count * _DAYS[unit])
        if unit == "week":
            return shifted(there, -_ABOUT_A_WEEK), shifted(there, _ABOUT_A_WEEK)
        return span_of(unit, there)
    unit, way = said["unit"], said["way"]
    count = count_of(said["many"]) if said["many"] else 0
    if unit == "day" and said["plural"] and not count:
        count = _LAST_DAYS
    if way == "this":
        return span_of(unit, today)
    if way == "next":
        following = shifted(span_of(unit, today)[1], 1)
        return (
            (following, shifted(today, count * _DAYS[unit])) if count else span_of(unit, following)
        )
    if way == "last" and not count:
        return span_of(unit, shifted(span_of(unit, today)[0], -1))
    return shifted(today, -(count or 1) * _DAYS[unit]), today


def count_of(words: str) -> int:
    """Return the number that a match of COUNT names."""
    if words.isdigit():
        return int(words)
    if words in _NUMBERS.split("|"):
        return _NUMBERS.split("|").index(words) + 1
    return 2 if "couple" in words else 3 if "few" in words else 1


def _is_date(text: str, match: re.Match[str], which: str) -> bool:
    """Return whether a weekday names a day; in "the Tuesday closeout" it names the noun."""
    at_end = not any(map(str.isalnum, text[match.end() :]))
    owns = text[match.end() :].startswith(("'s", "’s"))
    return bool(which) or at_end or owns or _word_before(text, match.start()) in _ON


def _weekday(name: str, which: str, today: date) -> tuple[date, date]:
    back = (today.weekday() - _WEEKDAYS.index(name[:3])) % 7
    if which == "next":
        day = shifted(today, 7 - back)
    else:
        day = shifted(today, -7 if which == "last" and not back else -back)
    return day, day


def _part_of_year(said: dict[str, str], today: date, ahead: bool) -> tuple[date, date] | None:
    """Return the days of a quarter, a half or a week of a year, which may not be said."""
    year = said["year"] or said["its_year"]
    step = 1 if ahead else -1
    for number in [int(year)] if year else [today.year, today.year + step]:
        try:
            if said["week"]:
                first = date.fromisocalendar(number, int(said["week"]), 1)
                last = shifted(first, 6)
            else:
                size = 3 if said["quarter"] else 6
                month = size * (int(said["quarter"] or said["half"]) - 1) + 1
                first = date(number, month, 1)
                last = date(number, month + size - 1, monthrange(number, month + size - 1)[1])
        except ValueError:
            return None
        if year or (last >= today if ahead else first <= today):
            return first, last
    return None


def span_of(unit: str, day: date) -> tuple[date, date]:
    """Return the day, week, month, quarter or year that holds a day."""
    if unit == "day":
        return day, day
    if unit == "week":
        return shifted(day, -day.weekday()), shifted(day, 6 - day.weekday())
    size = {"month": 1, "quarter": 3, "year": 12}[unit]
    low = (day.month - 1) // size * size + 1
    high = low + size - 1
    return date(day.year, low, 1), date(day.year, high, monthrange(day.year, high)[1])
