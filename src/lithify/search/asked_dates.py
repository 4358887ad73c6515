"""Dates as questions name them by words, in any language that has a word list.

A question may be read more freely than a page, because nothing is rewritten by what is found here.
Each language is read by its own words alone, since "na" is "after" in one and "in the" in another:
the tables `units`, `time_words`, `numbers`, `near_days`, `weekdays` and `months` of its list. This
module is light, because each query is read by it.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

from lithify.calendar import shifted
from lithify.regex import regex
from lithify.text.language import alternatives, is_spaced, languages, word_table

#: The days that "the last days" means, and how far a day may lie off that was so many weeks ago.
_LAST_DAYS, _ABOUT_A_WEEK = 3, 3
#: What makes days of a number and a unit, the strongest first; which of them may stand behind.
_QUALIFIERS = ("ago", "ago_first", "last", "this", "recent")
_BEHIND = ("ago", "last")
#: A weekday may have an ending of so many letters.
_ENDING = 3
_DAYS = {"week": 7, "month": 30, "quarter": 91, "year": 365}
_NUMBER = regex(r"(\d{1,4})(?:st|nd|rd|th|er|º|ª|\.|-?го)?")


#: English months, which pages read by a grammar of their own.
_MONTHS = {
    name: n
    for n, names in enumerate(
        [
            "january/jan",
            "february/feb",
            "march/mar",
            "april/apr",
            "may",
            "june/jun",
            "july/jul",
            "august/aug",
            "september/sep/sept",
            "october/oct",
            "november/nov",
            "december/dec",
        ],
        1,
    )
    for name in names.split("/")
}
_NONE: tuple[frozenset[str], tuple[str, ...]] = (frozenset(), ())


class AskedDate(NamedTuple):
    """A stretch of a query that names the days `first` to `last`, as `text.dates.Said` does.

    `is_range`: both its first and its last day are named. `spoken`: the languages by whose words it was read.
    """

    start: int
    end: int
    first: date
    last: date
    relative: bool = False
    exact: bool = True
    unclear: str = ""
    is_range: bool = False
    spoken: tuple[str, ...] = ()


class _Word(NamedTuple):
    text: str
    start: int
    end: int


def asked_dates(text: str, today: date) -> list[AskedDate]:
    """Return the dates that a query names by words, in order, as asked on a day."""
    words = [_Word(match[0], *match.span()) for match in _pattern().finditer(text.lower())]
    return without_overlaps(
        [hit for language in languages() for hit in _Reader(words, today, language).dates()]
    )


def without_overlaps(found: Sequence[AskedDate]) -> list[AskedDate]:
    """Return the longest of dates that overlap, of two as long the first given, in their order."""
    kept: list[AskedDate] = []
    for one in sorted(found, key=lambda one: one.start - one.end):
        over = next(
            (n for n, k in enumerate(kept) if one.start < k.end and k.start < one.end), None
        )
        if over is None:
            kept.append(one)
        elif (one.first, one.last) == (kept[over].first, kept[over].last):
            # "april" is a word of several languages.
            both = kept[over]
            kept[over] = both._replace(
                spoken=(*both.spoken, *one.spoken), is_range=both.is_range or one.is_range
            )
    return sorted(kept)


def stands_for(word: str, role: str, spoken: Sequence[str]) -> bool:
    """Return whether a word has a role among the words of time of one of these languages.

    Of a date in figures nobody knows the language: then the word must have no other role in any.
    """
    if any(_is(word, role, language) for language in spoken or ("english",)):
        return True
    if spoken:
        return False
    spoken = [name for name in languages() if _is(word, role, name)]
    other = (name for name in languages() if name not in spoken)
    return bool(spoken) and not any(_is(word, "during", n) or _is(word, "filler", n) for n in other)


def follows(text: str, role: str) -> bool:
    """Return whether a text begins with a word that a script without spaces puts behind a date."""
    words = {word for name in languages() for word in _roles(name).get(role, _NONE)[0]}
    return text.startswith(tuple(words))


def _is(word: str, role: str, language: str) -> bool:
    whole, begins = _roles(language).get(role, _NONE)
    return word in whole or word.startswith(begins)


@cache
def _roles(language: str) -> dict[str, tuple[frozenset[str], tuple[str, ...]]]:
    """Return the words of each role, and what words of it begin with."""
    return {
        role: (
            frozenset(word for word in words if word[-1] != "*"),
            tuple(word[:-1] for word in words if word[-1] == "*"),
        )
        for role, words in word_table(language, "time_words").items()
    }


@cache
def _pattern() -> re.Pattern[str]:
    """Return what cuts a query into figures and words, those of several parts first."""
    tables = ("units", "numbers", "near_days", "weekdays", "months")
    known = {word for name in languages() for table in tables for word in word_table(name, table)}
    known |= {
        word
        for name in languages()
        for words in word_table(name, "time_words").values()
        for word in words
    }
    parted = (word for word in known if not word.strip("*").isalpha() or not is_spaced(word))
    return re.compile(
        rf"{alternatives(parted)}|\d+(?:st|nd|rd|th|er|º|ª|\.(?=\s)|-?го\b)?|[^\W\d_\u2e80-\uffff]+|\w"
    )


class _Reader:
    """Reads the words of a query by the tables of one language."""

    def __init__(self, words: Sequence[_Word], today: date, language: str) -> None:
        self._words, self._today, self._language = words, today, language
        self._units: dict[str, str] = word_table(language, "units")
        self._numbers = word_table(language, "numbers")
        self._near = word_table(language, "near_days")
        self._weekdays = word_table(language, "weekdays")
        self._months = word_table(language, "months") or _MONTHS

    def dates(self) -> Iterator[AskedDate]:
        at = 0
        while at < len(self._words):
            hit = self._range(at) or self._month_day(at) or self._stretch(at) or self._day(at)
            if hit is None:
                at += 1
                continue
            yield hit
            at = next(
                (n for n in range(at, len(self._words)) if self._words[n].start >= hit.end),
                len(self._words),
            )

    def _text(self, at: int) -> str:
        return self._words[at].text if 0 <= at < len(self._words) else ""

    def _has(self, at: int, role: str) -> bool:
        word = self._text(at)
        return bool(word) and _is(word, role, self._language)

    def _number(self, at: int) -> int:
        figure = _NUMBER.fullmatch(self._text(at))
        return int(figure[1]) if figure else self._numbers.get(self._text(at), 0)

    def _past(self, at: int, *roles: str) -> int:
        """Return the place after words that only have one of these roles."""
        while any(self._has(at, role) for role in roles):
            at += 1
        return at

    def _hit(
        self,
        at: int,
        end: int,
        first: date,
        last: date,
        *,
        exact: bool = True,
        ranges: bool = False,
    ) -> AskedDate:
        start, stop = self._words[at].start, self._words[end - 1].end
        relative = exact and not ranges
        return AskedDate(start, stop, first, last, relative, exact, "", ranges, (self._language,))

    def _range(self, at: int) -> AskedDate | None:
        """Read two days of one month: "3 and 9 May", "с 3 по 9 мая", "le 3 et le 9 mai"."""
        one = self._number(at)
        to = self._past(at + 1, "filler") if one else 0
        if not (one and self._has(to, "to")):
            return None
        second = self._past(to + 1, "filler")
        found = self._month_day(second) if self._number(second) else None
        if found is None or not 0 < one <= found.first.day:
            return None
        return found._replace(
            start=self._words[at].start, first=found.first.replace(day=one), is_range=True
        )

    def _month_day(self, at: int) -> AskedDate | None:
        """Read a day of a month ("24 марта", "march 24th"), or a month after a preposition."""
        month = self._months.get(self._text(at), 0)
        if month and 0 < self._number(at + 1) <= 31:
            day, end = self._number(at + 1), at + 2
        elif month:
            # In English "may" and "march" are verbs too, so that its own grammar reads them.
            named = self._has(at - 1, "during") or not is_spaced(self._text(at))
            day, end = 0, at + 1 if named and self._language != "english" else 0
        else:
            name = self._past(at + 1, "filler")
            month, day, end = self._months.get(self._text(name), 0), self._number(at), name + 1
            end = end if month and 0 < day <= 31 else 0
        if not end or (is_spaced(self._text(at)) and self._text(end) in self._units):
            return None
        if not is_spaced(self._text(at)):
            end = self._past(end, "filler")  # "3月24日"
        name = self._past(end, "filler")
        year = self._number(name)
        end, year = (name + 1, year) if 1900 <= year < 2100 else (end, 0)
        days = monthrange(year or 2024, month)[1]
        if day > days:
            return None
        first = date(year or self._nearest(month, day or 15), month, min(day or 1, days))
        last = first if day else first.replace(day=monthrange(first.year, month)[1])
        return self._hit(at, end, first, last, exact=bool(year))._replace(relative=False)

    def _nearest(self, month: int, day: int) -> int:
        """Return the year whose such day is nearest; of a 29 February that is a leap year."""
        there = (
            date(year, month, day)
            for year in range(max(1, self._today.year - 8), min(9999, self._today.year + 8))
            if day <= monthrange(year, month)[1]
        )
        return min(there, key=lambda one: abs(one - self._today)).year

    def _stretch(self, at: int) -> AskedDate | None:
        """Read a number of units with what says where they lie: "последние две недели", "3 days ago"."""
        roles: set[str] = set()
        number, end = 0, at
        while self._text(end) and self._text(end) not in self._units:
            role = next((one for one in _QUALIFIERS if self._has(end, one)), "")
            count = self._number(end)
            if role:
                roles.add(role)
            elif count and not number:
                number = count
            elif end == at or not self._has(end, "filler"):
                names = roles and roles <= {"this", "last", "recent"}
                return self._weekday(at, end, roles) if names else None
            end += 1
        unit = self._units.get(self._text(end), "")
        end += 1
        while unit and (role := next((one for one in _BEHIND if self._has(end, one)), "")):
            roles.add(role)
            end += 1
        how = next((one for one in _QUALIFIERS if one in roles), "")
        days = self._days(how, number, unit) if unit and how and number < 1000 else None
        return self._hit(at, end, *days) if days else None

    def _days(self, how: str, number: int, unit: str) -> tuple[date, date]:
        today, count = self._today, number or 1
        if how == "this":
            return span_of(unit, today)
        if how.startswith("ago"):
            if unit == "day":
                return (shifted(today, -count),) * 2
            if unit == "week":
                there = shifted(today, -7 * count)
                return shifted(there, -_ABOUT_A_WEEK), shifted(there, _ABOUT_A_WEEK)
            there = shifted(today, -_DAYS[unit] * count)
            return span_of(unit, there)
        if unit == "day":
            back = number or (1 if how == "last" else _LAST_DAYS)
            return shifted(today, -back), today if number or how == "recent" else shifted(today, -1)
        if how == "last" and not number:
            return span_of(unit, shifted(span_of(unit, today)[0], -1))
        return shifted(today, -_DAYS[unit] * count), today

    def _weekday(self, at: int, place: int, roles: set[str]) -> AskedDate | None:
        word = self._text(place)
        number = next(
            (
                n
                for name, n in self._weekdays.items()
                if word.startswith(name) and len(word) <= len(name) + _ENDING
            ),
            None,
        )
        # In English a weekday before a noun names the noun: "the Tuesday closeout".
        named = self._language == "english" and (
            self._text(place + 1) or self._has(place - 1, "filler")
        )
        if number is None or named:
            return None
        back = (self._today.weekday() - number) % 7
        end, last = place + 1, "last" in roles
        if self._has(end, "last"):
            end, last = end + 1, True
        if last and not is_spaced(word):  # "上周二" is of the week before this
            back = self._today.weekday() - number + 7
        day = shifted(self._today, -(back or 7 * last))
        return self._hit(at, end, day, day)

    def _day(self, at: int) -> AskedDate | None:
        """Read a word for a day near today, or a weekday, which is the latest such day."""
        near = self._near.get(self._text(at))
        if near is None:
            return self._weekday(at, at, set())
        day = shifted(self._today, near)
        return self._hit(at, at + 1, day, day)


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
