"""The time a query speaks of: the days it names, and whether it wants the first or the last.

Days named are a preference, not a filter: what happened in March may have been written down in
April. `--from`, `--to` and `--as-of` are filters. The grammar of dates is loaded only for a query
whose words could name one.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from lithify.text.stems import stem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lithify.text.dates import Said

Order = Literal["", "oldest", "newest"]

_WORD = re.compile(r"[a-z]+|\d+")
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_TIME_WORDS = frozenset(
    [
        *_MONTHS,
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "mon",
        "tue",
        "tues",
        "wed",
        "thu",
        "thurs",
        "fri",
        "sat",
        "sun",
        "today",
        "tonight",
        "yesterday",
        "tomorrow",
        "last",
        "next",
        "this",
        "past",
        "coming",
        "ago",
        "week",
        "weekend",
        "month",
        "quarter",
        "year",
        "day",
        "eod",
        "eow",
        "eom",
        "eoq",
        "eoy",
    ]
)
_TIME_STEMS = frozenset(stem(word) for word in _TIME_WORDS)
_FIGURE = re.compile(r"\d")
#: Left uncompiled: few queries have figures.
_DATE = (
    r"(?<![\w.])(?:(?:19|20)\d\d(?![\d.,])|\d{1,2}([./-])\d{1,2}\1(?:\d\d){1,2}(?!\d)"
    r"|\d{1,2}/\d{1,2}(?!\d)|\d{1,2}(?:st|nd|rd|th)\b|(?:q[1-4]|h[12]|w\d\d?)\b|\d{8}(?!\d))"
)
_OLDEST = frozenset(["first", "initial", "initially", "original", "originally", "earliest"])
_NEWEST = frozenset(
    [
        "latest",
        "current",
        "currently",
        "now",
        "nowadays",
        "newest",
        "recent",
        "recently",
        "still",
        "final",
        "finally",
    ]
)
#: A question about how things were; without one of these it is about how they are.
_PAST = frozenset(
    ["did", "was", "were", "had", "happened", "went", "originally", "initially", "ago"]
)
#: How a question begins that wants a yes or a no.
_CHECKING = frozenset(
    ["is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "will", "can", "should"]
)
#: A query about what is still to come.
_AHEAD = frozenset(
    [
        "will",
        "shall",
        "next",
        "upcoming",
        "coming",
        "due",
        "plan",
        "plans",
        "planned",
        "planning",
        "going",
        "deadline",
        "scheduled",
    ]
)
_OFFSET_WORDS = frozenset(["before", "after", "prior", "following"])
_UNITS = frozenset(["quarter", "half", "day", "week", "month", "year", "time", "name"])
_ASKING = frozenset(["date", "day", "month", "year", "week", "time"])
_MEASURES = frozenset(["many", "much", "long", "often", "old", "big", "large", "high", "far"])
SMALL = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]


class Offset(NamedTuple):
    """A time counted from something that happened: so many days before or after it."""

    event: str
    days: int
    slack: int
    start: int
    end: int


class When(NamedTuple):
    """The time of a query. `spans` are stretches of days by their ordinals, ends included.

    A query that `checks` wants a yes or a no.
    """

    spans: tuple[tuple[int, int], ...] = ()
    order: Order = ""
    asks: bool = False
    counts: bool = False
    past: bool = False
    checks: bool = False
    offset: Offset | None = None
    spans_of_text: tuple[tuple[int, int], ...] = ()


NO_TIME = When()


def read_time(text: str, today: date) -> When:
    """The time of a query that is asked on a day."""
    low = text.lower()
    found = list(_WORD.finditer(low))
    words = [match[0] for match in found]
    known = set(words)
    offset = _offset(text) if known & _OFFSET_WORDS else None
    said: tuple[Said, ...] = ()
    if could_be_time(low):
        from lithify.text.dates import find_dates

        said = find_dates(_capital_months(text), today)
        if known.isdisjoint(_AHEAD):
            said = tuple(_past(one, today) for one in said)
        if offset:
            said = tuple(s for s in said if s.end <= offset.start or s.start >= offset.end)
    ordering = [m.span() for m in found if m[0] in _OLDEST or m[0] in _NEWEST]
    marked = {(_week_of(text, one), one.end) for one in said}
    marked |= {span for span in ordering if not any(_meet(span, one) for one in said)}
    return When(
        spans=tuple(_spans(text, said)) if said else (),
        order=_order(words),
        asks=_asks(words),
        counts=any(a == "how" and b in _MEASURES for a, b in pairwise(words)),
        past=bool(known & _PAST) or "used to" in low,
        checks=bool(words) and words[0] in _CHECKING,
        offset=offset,
        spans_of_text=tuple(sorted(marked)),
    )


def _capital_months(text: str) -> str:
    """The text with its months written large where they can be nothing else, at equal length."""
    pattern = rf"\b(in|since|during|until|before|after|by|of|last) ({'|'.join(_MONTHS)})\b"
    return re.sub(pattern, lambda match: f"{match[1]} {match[2].capitalize()}", text)


def _past(one: Said, today: date) -> Said:
    """A weekday or a date without a year that lies ahead, as the last one: memory is of the past."""
    if one.exact or one.first <= today or one.first.year < 2 or (one.relative and not one.unclear):
        return one
    from dataclasses import replace

    days = [
        day - timedelta(7 if one.unclear else 365 + _leap(day)) for day in (one.first, one.last)
    ]
    return replace(one, first=days[0], last=days[1])


def _leap(day: date) -> bool:
    """Whether the year that ends on a day has a 29 February in it."""
    year = day.year if (day.month, day.day) >= (2, 29) else day.year - 1
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _week_of(text: str, one: Said) -> int:
    """Where a date begins, with the "week of" that stands before a single day."""
    match = re.search(r"\b(?:the\s+)?week\s+of\s+(?:the\s+)?$", text[: one.start], re.I)
    return match.start() if match and one.first == one.last else one.start


def could_be_time(text: str) -> bool:
    """Whether a text has a word that dates are made of, or figures written like one."""
    low = text.lower()
    words = _WORD.findall(low)
    if any(word in _TIME_WORDS or word.removesuffix("s") in _TIME_WORDS for word in words):
        return True
    # A version, a price or a ticket is no date, and the grammar of dates takes time to load.
    return _FIGURE.search(low) is not None and re.search(_DATE, low) is not None


def says_time(terms: Iterable[str], text: str) -> bool:
    """Whether an entry names a time, or a figure that may be one; quicker, by its terms."""
    return not _TIME_STEMS.isdisjoint(terms) or _FIGURE.search(text) is not None


def is_time(term: str) -> bool:
    """Whether a term is a word of time: a month, a weekday, a week."""
    return term in _TIME_STEMS


def shifted(day: date, offset: Offset) -> tuple[int, int]:
    """The days an offset means, once the day of its event is known."""
    middle = day.toordinal() + offset.days
    return middle - offset.slack, middle + offset.slack


def _order(words: list[str]) -> Order:
    """Whether the first or the last is asked for; "the first quarter" is a time, not an order."""
    for word, after in pairwise([*words, ""]):
        if word in _OLDEST and not (word == "first" and after.removesuffix("s") in _UNITS):
            return "oldest"
    return "newest" if not _NEWEST.isdisjoint(words) else ""


def _meet(span: tuple[int, int], one: Said) -> bool:
    return one.start < span[1] and span[0] < one.end


def _asks(words: list[str]) -> bool:
    """Whether a query wants to know when."""
    first = [word for word in words[:4] if word not in ("so", "and", "but", "on", "in", "by")]
    if first[:1] == ["when"] or first[:2] == ["since", "when"]:
        return True
    return len(first) > 1 and first[0] in ("what", "which") and first[1] in _ASKING


def _spans(text: str, said: tuple[Said, ...]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(said):
        one = said[at]
        first, last = one.first.toordinal(), one.last.toordinal()
        before = [word for word in _WORD.findall(text[: one.start].lower()) if word != "the"][-2:]
        word = before[-1] if before else ""
        # A preposition may belong to the date itself: "by Friday".
        own = _WORD.findall(text[one.start : one.end].lower())[:1]
        word = own[0] if own and own[0] in (*_UNTIL, *_SINCE, "by") else word
        between = text[one.end : said[at + 1].start] if at + 1 < len(said) else ""
        if _week_of(text, one) < one.start:
            first -= one.first.weekday()
            last = first + 6
        elif word in ("between", "from") and re.fullmatch(
            r"\s*(?:to|and|until|till|through|-|–|—)\s*(?:the\s+)?", between, re.I
        ):
            last = max(last, said[at + 1].last.toordinal())
            at += 1
        elif word == "by":
            first = 1
        elif word in _UNTIL or before == ["prior", "to"] or before == ["up", "to"]:
            first, last = 1, max(1, first - 1)
        elif word in _SINCE:
            last = date.max.toordinal()
        spans.append((first, last))
        at += 1
    return spans


_UNTIL = ("before", "until", "till")
_SINCE = ("since", "after", "from", "starting")


def _offset(text: str) -> Offset | None:
    match = re.search(
        rf"\b(?P<count>\d{{1,3}}|an?|{'|'.join(SMALL)}|(?:a\s+)?couple(?:\s+of)?|(?:a\s+)?few)?\s*"
        r"\b(?P<unit>day|week|month|year)s?\s+(?P<way>before|after|prior\s+to|following)\s+"
        r"(?P<event>(?:the\s+|our\s+|my\s+|his\s+|her\s+|their\s+)?[^?.!,;]{3,60})",
        text,
        re.I,
    )
    if match is None:
        return None
    said = (match["count"] or "a").lower()
    if said.isdigit():
        count = int(said)
    elif said in SMALL:
        count = SMALL.index(said) + 1
    else:
        count = 2 if "couple" in said else 3 if "few" in said else 1
    unit = match["unit"].lower()
    size = {"day": 1, "week": 7, "month": 30, "year": 365}[unit]
    slack = {"day": 1, "week": 3, "month": 10, "year": 60}[unit]
    sign = -1 if match["way"].lower().startswith(("before", "prior")) else 1
    event = re.sub(r"\b(?:day|date)\s*$", "", match["event"].strip(), flags=re.I).strip()
    return Offset(event, sign * count * size, slack, match.start(), match.end())
