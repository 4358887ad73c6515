"""What a query asks for: its terms and their weights, the pairs they form, and its time.

Days that a query names are a preference, not a filter: what happened in March may have been written
down in April. `--from`, `--to` and `--as-of` are filters.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import date
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Literal, NamedTuple

from lithify.compact.statements import is_weekday
from lithify.regex import regex
from lithify.search.asked_dates import COUNT, asked_dates, asked_spans, count_of
from lithify.search.index import terms_of
from lithify.text.dates import month_of
from lithify.text.words import stem

Order = Literal["", "oldest", "newest"]
#: The longest query that is read, in characters, and the most terms that are looked up.
_LONGEST = 4000
_MOST_TERMS = 48
#: The weight of a word of time; any other word weighs 1.
_TIME = 0.4
#: The form of the values that a word asks for.
_FORMS = {
    "version": regex(r"(?<![\w.])v?\d+(?:\.\d+)+(?![\d%]| %)"),
    "clock": regex(r"\b\d{1,2}:\d\d"),
    "money": regex(r"[$€£¥₽]\s?\d[\d.,]*|(?<![\d.,])\d[\d.,]*\s?[$€£¥₽]"),
    "percent": regex(r"(?<![\d.,])\d[\d.,]*\s?[%％]"),
    "day": regex(r"\d{4}-\d\d-\d\d"),
}
_KINDS = {
    stem(word): kind
    for kind, words in {
        "version": ("version", "release"),
        "clock": ("time", "hour"),
        "money": ("budget", "cost", "price"),
        "percent": ("percent", "rate", "share"),
        "day": ("date", "deadline"),
    }.items()
    for word in words
}
#: Words that ask for whatever there is.
_ANYTHING = frozenset(terms_of("anything happen happened do went going work news note notes"))
#: Words of a date, which are not looked for in the entries.
_DATE_TERMS = frozenset(terms_of("last next this past day week month year"))
_WORD = regex(r"[a-z]+|\d+")
_FIGURE = regex(r"\d")
_OLDEST = ("first", "originally", "initially", "earliest")
_NEWEST = ("latest", "newest", "current", "currently", "now", "still", "recently")
#: Words of a question about the past; without one of these a question is about the present.
_PAST = ("did", "was", "were", "had", "happened")
#: Words of a query about the future.
_AHEAD = ("will", "next", "upcoming", "coming", "due", "planned", "deadline")
#: A time: "first" before it names a part of it, "last" before it the one before this.
_UNITS = ("day", "week", "month", "quarter", "half", "year", "time")
_TIMES = ("today", "tomorrow", "yesterday", "week", "month", "year")
_MEASURES = ("many", "much", "long", "often", "old")
_OFFSET = regex(
    rf"\b(?:(?P<count>{COUNT}) )?(?P<unit>day|week|month|year)s? (?P<way>before|after) "
    r"(?P<event>[^?.!,;]{3,60})",
    re.IGNORECASE,
)
#: The days of a unit, and how many more or fewer of them may be meant.
_SIZES = {"day": (1, 1), "week": (7, 3), "month": (30, 10), "year": (365, 60)}


class Offset(NamedTuple):
    """A number of days before or after an event, give or take `slack`: "two weeks before the launch".

    `start` and `end` are its place in the query.
    """

    event: str
    days: int
    slack: int
    start: int
    end: int


class QueryTime(NamedTuple):
    """What a query says about time.

    `spans` are the periods it names, as ordinals of their first and last day; `yearless` says that they
    are past and without a year. `order` says whether it wants the oldest or the newest. It may ask when
    something was (`asks_when`), how many or how much (`asks_number`), or about the past (`is_past`).
    `text_spans` are the places of its words of time.
    """

    spans: tuple[tuple[int, int], ...] = ()
    order: Order = ""
    asks_when: bool = False
    asks_number: bool = False
    is_past: bool = False
    offset: Offset | None = None
    yearless: bool = False
    text_spans: tuple[tuple[int, int], ...] = ()


NO_TIME = QueryTime()


class Query(NamedTuple):
    """A query as it is searched.

    `pairs` are terms that stand side by side, `kinds` the kinds of value that its terms ask for,
    `entry` an entry id if the query is one. In "before the audit", `before` holds the terms of the audit.
    """

    text: str
    terms: dict[str, float]
    pairs: frozenset[tuple[str, str]]
    time: QueryTime = NO_TIME
    kinds: Mapping[str, str] = MappingProxyType({})
    entry: str = ""
    before: frozenset[str] = frozenset()

    @property
    def days_only(self) -> bool:
        """Whether the query names days and says nothing about what to look for in them."""
        return bool(self.time.spans) and _ANYTHING.issuperset(self.telling)

    @property
    def telling(self) -> frozenset[str]:
        """The terms of the query but those of its time."""
        return frozenset(term for term, weight in self.terms.items() if weight > _TIME)


def read_query(text: str, today: date) -> Query:
    """Read a query as asked on a day. Any text is accepted."""
    text = " ".join(text[:_LONGEST].split())
    if "~" in text:
        # Loaded late: few queries are ids, and the parser takes long.
        from lithify.markdown.parse import is_entry_id

        if is_entry_id(text):
            return Query(text, {}, frozenset(), entry=text)
    time = read_time(text, today)
    timed = time.text_spans
    if time.offset:
        timed = (*timed, (time.offset.start, time.offset.end))
    untimed = text
    for start, end in sorted(timed, reverse=True):
        untimed = f"{untimed[:start]} {untimed[end:]}"
    terms = dict.fromkeys(terms_of(untimed)[:_MOST_TERMS], 1.0)
    # Entries may use the same words of time, so these are looked for as well, with a low weight.
    for word in terms_of(text):
        if len(terms) < _MOST_TERMS and word not in _DATE_TERMS:
            terms.setdefault(word, _TIME)
    in_order = [w for w in terms_of(re.sub(r"[^\w\s'’]", " ", text)) if w in terms]
    kinds = {word: _KINDS[word] for word in terms if word in _KINDS}
    limit = re.search(r"\bbefore\b", text, re.I) if not timed else None
    before = frozenset(terms_of(text[limit.end() :])) if limit else frozenset[str]()
    return Query(text, terms, frozenset(pairwise(in_order)), time, kinds, before=before)


def read_time(text: str, today: date) -> QueryTime:
    """Read what a query says about time, as asked on a day."""
    found = list(_WORD.finditer(text.lower()))
    words = [match[0] for match in found]
    ahead = any(word in _AHEAD for word in words)
    said, offset = asked_dates(text, today, ahead=ahead), _offset(text)
    if offset and any(one.start <= offset.start < one.end for one in said):
        offset = None  # "the day before yesterday"
    if offset:
        said = [s for s in said if s.end <= offset.start or s.start >= offset.end]
    inside = [(one.start, one.end) for one in said]
    free = [m for m in found if not any(start <= m.start() < end for start, end in inside)]
    ordering = [m.span() for m in free if m[0] in _OLDEST or m[0] in _NEWEST]
    return QueryTime(
        spans=tuple(asked_spans(text, said)),
        order=_order([match[0] for match in free]),
        asks_when=words[:1] == ["when"]
        or (words[:1] in (["what"], ["which"]) and words[1:2] in (["day"], ["date"], ["time"])),
        asks_number=any(a == "how" and b in _MEASURES for a, b in pairwise(words)),
        is_past=any(word in _PAST for word in words),
        offset=offset,
        yearless=bool(said) and not ahead and all(one.yearless for one in said),
        text_spans=tuple(sorted({*inside, *ordering})),
    )


def names_time(text: str) -> bool:
    """Return whether a query names a date or a time counted from an event."""
    return bool(asked_dates(text, date(2001, 3, 1)) or _offset(text))


def says_time(terms: Collection[str], text: str) -> bool:
    """Return whether an entry, given its terms and text, names a time or a figure that may be one."""
    if _FIGURE.search(text):
        return True
    return any(map(_is_time, terms))


@lru_cache(maxsize=1 << 14)
def _is_time(term: str) -> bool:
    return term in _TIMES or _is_weekday(term) or month_of(term)[1]


_is_weekday = lru_cache(maxsize=1 << 14)(is_weekday)


def has_kind(text: str, kinds: Collection[str]) -> bool:
    """Return whether a text has a value of one of these kinds, by its form."""
    return any(_FORMS[kind].search(text) for kind in kinds)


@lru_cache(maxsize=4096)
def values_of(text: str) -> tuple[frozenset[str], ...]:
    """Return the values of each form in a text, and the weekdays that it names."""
    days = frozenset(term for term in terms_of(text) if _is_weekday(term))
    return (days, *(frozenset(form.findall(text)) for form in _FORMS.values()))


def shifted(day: date, offset: Offset) -> tuple[int, int]:
    """Return the first and last ordinal that an offset means, given the day of its event."""
    middle = day.toordinal() + offset.days
    return middle - offset.slack, middle + offset.slack


def years_back(ordinal: int, years: int) -> int:
    """Return the same day of an earlier year; the first of all days and the last stay."""
    day = date.fromordinal(ordinal)
    if years == 0 or day.year <= years or day == date.max:
        return ordinal
    if (day.month, day.day) == (2, 29):
        day = day.replace(day=28)
    return day.replace(year=day.year - years).toordinal()


def _order(words: list[str]) -> Order:
    """Whether the oldest or the newest is asked for; "the first quarter" is a time, not an order."""
    for word, after in pairwise([*words, ""]):
        is_unit = after.removesuffix("s") in _UNITS
        if word in _OLDEST and not (word == "first" and is_unit):
            return "oldest"
        # "Where did she last play"; not "last week", "how long did it last".
        if word == "last" and after and not is_unit and "long" not in words:
            return "newest"
    return "newest" if any(word in _NEWEST for word in words) else ""


def _offset(text: str) -> Offset | None:
    """Return a time that is counted from an event: "two weeks before the launch day"."""
    match = _OFFSET.search(text)
    if match is None:
        return None
    size, slack = _SIZES[match["unit"].lower()]
    sign = -1 if match["way"].lower() == "before" else 1
    days = sign * size * count_of((match["count"] or "a").lower())
    event = match["event"].strip()
    return Offset(event.removesuffix(" day").removesuffix(" date"), days, slack, *match.span())
