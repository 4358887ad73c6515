"""The time a query speaks of: the days it names, and whether it wants the first or the last.

Days named are a preference, not a filter: what happened in March may have been written down in
April. `--from`, `--to` and `--as-of` are filters.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Literal, NamedTuple

from lithify.dates import Said, could_name_date, find_dates

Order = Literal["", "oldest", "newest"]

_OPEN_PAST = re.compile(r"\b(?:before|until|till|by|prior\s+to|up\s+to|earlier\s+than)\s+$", re.I)
_OPEN_FUTURE = re.compile(
    r"\b(?:since|after|from|starting|later\s+than|as\s+of)\s+(?:the\s+)?$", re.I
)
_TO = re.compile(r"\s*(?:to|and|until|till|through|-|–|—)\s*$", re.I)
_OLDEST = re.compile(
    r"\b(?:first|initial|initially|original|originally|earliest|at\s+the\s+start"
    r"|in\s+the\s+beginning|used\s+to)\b",
    re.I,
)
_NEWEST = re.compile(
    r"\b(?:latest|current|currently|now|nowadays|today|most\s+recent(?:ly)?|newest|still|at\s+present"
    r"|these\s+days|last\s+time|final|finally|in\s+the\s+end)\b",
    re.I,
)
_ASKS = re.compile(
    r"^\W*(?:(?:so|and|but)\s+)?(?:when|since\s+when|until\s+when|(?:on\s+|in\s+|by\s+)?"
    r"(?:what|which)\s+(?:exact\s+)?(?:date|day|month|year|week|time))\b|\bhow\s+long\s+ago\b",
    re.I,
)
#: A question about how things were; without one of these it is about how they are.
_PAST = re.compile(
    r"\b(?:did|was|were|had|happened|went|used\s+to|originally|initially|ago|back\s+then)\b", re.I
)
_HOW_MANY = re.compile(r"\bhow\s+(?:many|much|long|often|old|big|large|high|far)\b", re.I)
_SMALL = [
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
_OFFSET = re.compile(
    rf"\b(?P<count>\d{{1,3}}|an?|{'|'.join(_SMALL)}|(?:a\s+)?couple(?:\s+of)?|(?:a\s+)?few)?\s*"
    r"\b(?P<unit>day|week|month|year)s?\s+(?P<way>before|after|prior\s+to|following)\s+"
    r"(?P<event>(?:the\s+|our\s+|my\s+|his\s+|her\s+|their\s+)?[^?.!,;]{3,60})",
    re.I,
)


class Offset(NamedTuple):
    """A time counted from something that happened: so many days before or after it."""

    event: str
    days: int
    slack: int
    start: int
    end: int


class When(NamedTuple):
    """The time of a query. `spans` are stretches of days by their ordinals, ends included."""

    spans: tuple[tuple[int, int], ...] = ()
    order: Order = ""
    asks: bool = False
    counts: bool = False
    past: bool = False
    offset: Offset | None = None
    spans_of_text: tuple[tuple[int, int], ...] = ()


NO_TIME = When()


def read_time(text: str, today: date) -> When:
    """The time of a query that is asked on a day."""
    offset = _offset(text)
    said = find_dates(text, today) if could_name_date(text) else ()
    if offset:
        said = tuple(s for s in said if s.end <= offset.start or s.start >= offset.end)
    order: Order = "oldest" if _OLDEST.search(text) else "newest" if _NEWEST.search(text) else ""
    return When(
        spans=tuple(_spans(text, said)),
        order=order,
        asks=_ASKS.search(text) is not None,
        counts=_HOW_MANY.search(text) is not None,
        past=_PAST.search(text) is not None,
        offset=offset,
        spans_of_text=tuple(sorted({*((s.start, s.end) for s in said), *_order_words(text, said)})),
    )


def shifted(day: date, offset: Offset) -> tuple[int, int]:
    """The days an offset means, once the day of its event is known."""
    middle = day.toordinal() + offset.days
    return middle - offset.slack, middle + offset.slack


def _order_words(text: str, said: tuple[Said, ...]) -> set[tuple[int, int]]:
    found = {m.span() for pattern in (_OLDEST, _NEWEST) for m in pattern.finditer(text)}
    return {
        (start, end)
        for start, end in found
        if not any(one.start < end and start < one.end for one in said)
    }


def _spans(text: str, said: tuple[Said, ...]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(said):
        one = said[at]
        first, last = one.first.toordinal(), one.last.toordinal()
        before = text[: one.start]
        joined = at + 1 < len(said) and _TO.match(text[one.end : said[at + 1].start])
        if joined and re.search(r"\b(?:between|from)\s+(?:the\s+)?$", before, re.I):
            last = max(last, said[at + 1].last.toordinal())
            at += 1
        elif _OPEN_PAST.search(before):
            first, last = 1, first - 1 if not before.rstrip().lower().endswith("by") else last
        elif _OPEN_FUTURE.search(before):
            last = date.max.toordinal()
        spans.append((first, last))
        at += 1
    return spans


def _offset(text: str) -> Offset | None:
    match = _OFFSET.search(text)
    if match is None:
        return None
    said = (match["count"] or "a").lower()
    if said.isdigit():
        count = int(said)
    elif said in _SMALL:
        count = _SMALL.index(said) + 1
    else:
        count = 2 if "couple" in said else 3 if "few" in said else 1
    unit = match["unit"].lower()
    size = {"day": 1, "week": 7, "month": 30, "year": 365}[unit]
    slack = {"day": 1, "week": 3, "month": 10, "year": 60}[unit]
    sign = -1 if match["way"].lower().startswith(("before", "prior")) else 1
    event = re.sub(r"\b(?:day|date)\s*$", "", match["event"].strip(), flags=re.I).strip()
    return Offset(event, sign * count * size, slack, match.start(), match.end())
