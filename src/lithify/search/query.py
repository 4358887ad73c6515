"""What a query asks for: its terms and their weights, the pairs they form, and its time.

Days that a query names are a preference, not a filter: what happened in March may have been written
down in April. `--from`, `--to` and `--as-of` are filters. The grammar of dates is imported only for
a query whose words could name a date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from types import MappingProxyType
from typing import Literal, NamedTuple

from lithify.regex import regex
from lithify.search.asked_dates import AskedDate, asked_dates, follows, stands_for, without_overlaps
from lithify.search.index import terms_of
from lithify.text.language import alternatives, in_any_language, is_spaced
from lithify.text.stems import COMMON_STEMS, is_empty, stem

Order = Literal["", "oldest", "newest"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: The longest query that is read, in characters, and the most terms that are looked up.
_LONGEST = 4000
_MOST_TERMS = 48
#: The weight of a common word, and of a word of time; any other word weighs 1.
_COMMON = 0.6
_TIME = 0.4
#: The kind of value that a word asks for (see `superseded.values_of`).
_KINDS = {
    stem(word): kind
    for kind, words in {
        "version": ("version", "release"),
        "clock": ("time", "hour", "clock"),
        "money": ("budget", "cost", "price", "spend", "pay", "charge", "fee", "salary", "revenue"),
        "percent": ("percent", "percentage", "rate", "share"),
        "day": ("date", "deadline"),
    }.items()
    for word in words
}
#: Words of a date that is understood, like "last week": they are not looked for in the entries.
_DATE_TERMS = frozenset(terms_of("last next this past day week month year ago today yesterday"))
#: A capitalised word inside a sentence.
_NAME = regex(r"(?<=[\w,'’] )[A-Z][^\W\d_]+(?:['’]s)?")
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
#: Words that may belong to a date.
_TIME_WORDS = _words(
    _MONTHS.replace("|", " ") + " jan feb mar apr jun jul aug sep sept oct nov dec"
    " monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun"
    " today tonight yesterday tomorrow last next this past coming ago"
    " week weekend month quarter year day eod eow eom eoq eoy"
)
_TIME_STEMS = frozenset(stem(word) for word in _TIME_WORDS)
_WORD = regex(r"[a-z]+|\d+")
_FIGURE = regex(r"\d")
#: A date in figures. Compiled on first use: few queries have figures.
_DATE = (
    r"(?<![\w.])(?:(?:19|20)\d\d(?![\d.,])|\d{1,2}([./-])\d{1,2}\1(?:\d\d){1,2}(?!\d)"
    r"|\d{1,2}/\d{1,2}(?!\d)|\d{1,2}(?:st|nd|rd|th)\b|(?:q[1-4]|h[12]|w\d\d?)\b|\d{8}(?!\d))"
)
_OLDEST = _words("first initial initially original originally earliest")
_NEWEST = _words(
    "latest current currently now nowadays newest recent recently still final finally stand stands"
)
#: Words of a question about the past; without one of these a question is about the present.
_PAST = _words("did was were had happened went originally initially ago")
#: First words of a question that wants a yes or a no.
_YES_NO = _words("is are was were do does did has have had will can should")
#: Words of a query about the future.
_AHEAD = _words(
    "will shall next upcoming coming due plan plans planned planning going deadline scheduled"
)
_OFFSET_WORDS = _words("before after prior following")
#: After these, "first" names a time or a part: "the first quarter".
_AFTER_FIRST = _words("quarter half day week month year time name")
_ASKS_WHEN = _words("date day month year week time")
_MEASURES = _words("many much long often old big large high far")
#: Letters of any language, and what stands between two dates like "to".
_LETTERS = regex(r"[^\W\d_]+")
_ENGLISH, _LIMITS = ("english",), ("until", "since", "by")
_DASHES = ("-", "–", "—")
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve"
NUMBER_WORDS = _NUMBERS.split()


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
    are past and without a year. `order` says whether it
    wants the oldest or the newest. It may ask when something was (`asks_when`), how many or how much
    (`asks_number`), about the past (`is_past`), or for a yes or a no (`is_yes_no`). `text_spans` are
    the places of its words of time.
    """

    spans: tuple[tuple[int, int], ...] = ()
    order: Order = ""
    asks_when: bool = False
    asks_number: bool = False
    is_past: bool = False
    is_yes_no: bool = False
    offset: Offset | None = None
    yearless: bool = False
    text_spans: tuple[tuple[int, int], ...] = ()


NO_TIME = QueryTime()


class Query(NamedTuple):
    """A query as it is searched.

    `pairs` are terms that stand side by side, `names` the terms of capitalised words, `kinds` the
    kinds of value that its terms ask for, `entry` an entry id if the query is one. In "before the
    audit", `before` holds the terms of the audit.
    """

    text: str
    terms: dict[str, float]
    pairs: frozenset[tuple[str, str]]
    time: QueryTime = NO_TIME
    names: frozenset[str] = frozenset()
    kinds: Mapping[str, str] = MappingProxyType({})
    entry: str = ""
    before: frozenset[str] = frozenset()

    @property
    def days_only(self) -> bool:
        """Whether the query names days and says nothing about what to look for in them."""
        return bool(self.time.spans) and all(
            weight <= _TIME or word in asks_anything() for word, weight in self.terms.items()
        )

    @property
    def has_common_words_only(self) -> bool:
        """Whether every word of the query is common."""
        return max(self.terms.values(), default=0.0) < 1


@cache
def asks_anything() -> frozenset[str]:
    """Return the terms that ask for anything at all, in any language."""
    return frozenset(term for word in in_any_language("asks_anything") for term in terms_of(word))


@cache
def _question_words() -> re.Pattern[str]:
    """Return what a question is made with and no entry is found by; English has `is_empty`."""
    words = alternatives(in_any_language("question_words"))
    # No part of what is written as one piece: "de.po", "и/или".
    return re.compile(rf"(?<![./@#_])(?:{words})(?![/@#_]|\.\w)", re.IGNORECASE)


def _without_question(text: str) -> str:
    """Return a query with spaces in place of the words that only make it a question.

    In a query with more of the small words of English, "son" and "hat" are words of English.
    """
    english = sum(map(is_empty, _WORD.findall(text.lower())))
    others = sum(match[0].isascii() for match in _question_words().finditer(text))
    return _question_words().sub(
        lambda m: m[0] if m[0].isascii() and others < english else " " * len(m[0]), text
    )


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
    whole = _without_question(text)
    whole = whole if terms_of(whole) or timed else text
    untimed = whole
    for start, end in sorted(timed, reverse=True):
        untimed = f"{untimed[:start]} {untimed[end:]}"
    words = terms_of(untimed)
    terms: dict[str, float] = {}
    for word in words:
        weight = _COMMON if word in COMMON_STEMS else 1.0
        terms[word] = max(terms.get(word, 0.0), weight)
        if len(terms) == _MOST_TERMS:
            break
    # Entries may use the same words of time, so these are looked for as well, with a low weight.
    for word in terms_of(whole):
        if len(terms) < _MOST_TERMS and not (time.spans and word in _DATE_TERMS):
            terms.setdefault(word, _TIME)
    in_order = [w for w in terms_of(re.sub(r"[^\w\s'’]", " ", text)) if w in terms]
    names = {term for name in _NAME.findall(text) for term in terms_of(name)}
    known = frozenset(name for name in names if terms.get(name) == 1.0)
    kinds = {word: _KINDS[word] for word in terms if word in _KINDS}
    limit = re.search(r"\b(?:before|prior to)\b", text, re.I) if not timed else None
    before = frozenset(terms_of(text[limit.end() :])) if limit else frozenset[str]()
    return Query(text, terms, frozenset(pairwise(in_order)), time, known, kinds, before=before)


def read_time(text: str, today: date) -> QueryTime:
    """Read what a query says about time, as asked on a day."""
    low = text.lower()
    found = list(_WORD.finditer(low))
    words = [match[0] for match in found]
    known = set(words)
    offset = _offset(text) if known & _OFFSET_WORDS else None
    said, ahead = asked_dates(text, today), not known.isdisjoint(_AHEAD)
    if _could_be_written(low):
        from lithify.text.dates import find_dates

        written = [
            AskedDate(one.start, one.end, one.first, one.last, one.relative, one.exact, one.unclear)
            for one in find_dates(_capital_months(text), today)
        ]
        said = without_overlaps([*written, *said])
    yearless = not ahead and not any(one.exact or one.relative for one in said)
    said = said if ahead else [_past(one, today) for one in said]
    if offset and any(one.start <= offset.start < one.end for one in said):
        offset = None  # "the day before yesterday"
    if offset:
        said = [s for s in said if s.end <= offset.start or s.start >= offset.end]
    inside = [(one.start, one.end) for one in said]
    free = [m for m in found if not any(start <= m.start() < end for start, end in inside)]
    ordering = [m.span() for m in found if m[0] in _OLDEST or m[0] in _NEWEST]
    marked = {(_week_of(text, one), one.end) for one in said}
    marked |= {
        (start, end)
        for start, end in ordering
        if not any(one.start < end and start < one.end for one in said)
    }
    return QueryTime(
        spans=tuple(_spans(text, said)) if said else (),
        order=_order([match[0] for match in free]),
        asks_when=_asks_when(words),
        asks_number=any(a == "how" and b in _MEASURES for a, b in pairwise(words)),
        is_past=bool(known & _PAST) or "used to" in low,
        is_yes_no=bool(words) and words[0] in _YES_NO,
        offset=offset,
        yearless=bool(said) and yearless,
        text_spans=tuple(sorted(marked)),
    )


def could_be_time(text: str) -> bool:
    """Return whether a query may name a date, in words of any language or in figures."""
    return _could_be_written(text) or bool(asked_dates(text, date(2001, 3, 1)))


def _could_be_written(text: str) -> bool:
    """Return whether a text has an English word of a date, or figures in the form of one."""
    low = text.lower()
    words = _WORD.findall(low)
    if any(word in _TIME_WORDS or word.removesuffix("s") in _TIME_WORDS for word in words):
        return True
    # Other figures, as of a version, do not count: the grammar of dates takes long to import.
    return _FIGURE.search(low) is not None and re.search(_DATE, low) is not None


def says_time(terms: Iterable[str], text: str) -> bool:
    """Whether an entry, given its terms and text, names a time or a figure that may be one."""
    return not _TIME_STEMS.isdisjoint(terms) or _FIGURE.search(text) is not None


def is_time(term: str) -> bool:
    """Return whether a term may belong to a date."""
    return term in _TIME_STEMS


def shifted(day: date, offset: Offset) -> tuple[int, int]:
    """Return the first and last ordinal that an offset means, given the day of its event."""
    middle = day.toordinal() + offset.days
    return middle - offset.slack, middle + offset.slack


def _capital_months(text: str) -> str:
    """Capitalise month names after a preposition, as the grammar of dates expects them."""
    pattern = rf"\b(in|since|during|until|before|after|by|of|last) ({_MONTHS})\b"
    return re.sub(pattern, lambda match: f"{match[1]} {match[2].capitalize()}", text)


def _past(one: AskedDate, today: date) -> AskedDate:
    """Move a weekday or a date without a year from the future to the past: a memory is asked about it."""
    if one.exact or one.first <= today or one.first.year < 2 or (one.relative and not one.unclear):
        return one
    days = [
        day - timedelta(7 if one.unclear else 365 + _leap(day)) for day in (one.first, one.last)
    ]
    return one._replace(first=days[0], last=days[1])


def years_back(ordinal: int, years: int) -> int:
    """Return the same day of an earlier year; the first of all days and the last stay."""
    day = date.fromordinal(ordinal)
    if years == 0 or day.year <= years or day == date.max:
        return ordinal
    if (day.month, day.day) == (2, 29):
        day = day.replace(day=28)
    return day.replace(year=day.year - years).toordinal()


def _leap(day: date) -> bool:
    """Return whether the year that ends on a day contains a 29 February."""
    year = day.year if (day.month, day.day) >= (2, 29) else day.year - 1
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _week_of(text: str, one: AskedDate) -> int:
    """Return where a date begins, including the words "week of" before a single day."""
    match = re.search(r"\b(?:the\s+)?week\s+of\s+(?:the\s+)?$", text[: one.start], re.I)
    return match.start() if match and one.first == one.last else one.start


def _order(words: list[str]) -> Order:
    """Whether the oldest or the newest is asked for; "the first quarter" is a time, not an order."""
    for word, after in pairwise([*words, ""]):
        if word in _OLDEST and not (word == "first" and after.removesuffix("s") in _AFTER_FIRST):
            return "oldest"
        # "Where did she last play"; not "last week", "how long did it last".
        if word == "last" and after and after not in _TIME_WORDS and "long" not in words:
            return "newest"
    return "newest" if not _NEWEST.isdisjoint(words) else ""


def _asks_when(words: list[str]) -> bool:
    """Return whether a query asks when something was."""
    first = [word for word in words[:4] if word not in ("so", "and", "but", "on", "in", "by")]
    if first[:1] == ["when"] or first[:2] == ["since", "when"]:
        return True
    return len(first) > 1 and first[0] in ("what", "which") and first[1] in _ASKS_WHEN


def _spans(text: str, said: Sequence[AskedDate]) -> list[tuple[int, int]]:
    """The periods that dates mean with the words beside them: since, until, between."""
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(said):
        one = said[at]
        first, last = one.first.toordinal(), one.last.toordinal()
        # The preposition may be part of the date itself: "by Friday".
        own = _LETTERS.findall(text[one.start : one.end].lower())[:1]
        part = [word for word in own if any(stands_for(word, role, _ENGLISH) for role in _LIMITS)]
        before = [
            word
            for word in _LETTERS.findall(text[: one.start].lower())
            if not stands_for(word, "filler", one.spoken)
        ]
        before = [*before, *part]
        # A script without spaces joins the preposition to what stands before it.
        word = next(iter(before[-1:]), "")
        names = {word} if word and is_spaced(word) else {word[-2:], word[-1:]} - {""}

        def has(role: str, names: set[str] = names, spoken: Sequence[str] = one.spoken) -> bool:
            return any(stands_for(name, role, spoken) for name in names)

        between = text[one.end : said[at + 1].start].lower() if at + 1 < len(said) else ""
        joins = _LETTERS.findall(between) or [between.strip()]
        if _week_of(text, one) < one.start:
            first -= one.first.weekday()
            last = first + 6
        elif (has("between") or not in_any_language("and").intersection(joins)) and all(
            join in _DASHES or any(stands_for(join, role, one.spoken) for role in ("to", "filler"))
            for join in joins
        ):
            last = max(last, said[at + 1].last.toordinal())
            at += 1
        elif one.is_range:
            pass
        elif has("by"):
            first = 1
        elif has("until") or before[-2:] in (["prior", "to"], ["up", "to"]):
            first, last = 1, max(1, first - 1)
        elif has("since") or follows(text[one.end :], "since_behind"):
            last = date.max.toordinal()
        elif follows(text[one.end :], "until_behind"):
            first, last = 1, max(1, first - 1)
        spans.append((first, last))
        at += 1
    return spans


def _offset(text: str) -> Offset | None:
    """Return a time that is counted from an event: "two weeks before the launch day"."""
    match = re.search(
        rf"\b(?P<count>\d{{1,3}}|an?|{'|'.join(NUMBER_WORDS)}|(?:a\s+)?couple(?:\s+of)?|(?:a\s+)?few)?\s*"
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
    elif said in NUMBER_WORDS:
        count = NUMBER_WORDS.index(said) + 1
    else:
        count = 2 if "couple" in said else 3 if "few" in said else 1
    unit = match["unit"].lower()
    size = {"day": 1, "week": 7, "month": 30, "year": 365}[unit]
    slack = {"day": 1, "week": 3, "month": 10, "year": 60}[unit]
    sign = -1 if match["way"].lower().startswith(("before", "prior")) else 1
    event = re.sub(r"\b(?:day|date)\s*$", "", match["event"].strip(), flags=re.I).strip()
    return Offset(event, sign * count * size, slack, match.start(), match.end())
