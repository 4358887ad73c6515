"""The subject that a path of headings names."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from lithify.regex import regex
from lithify.text.dates import MONTHS, WEEKDAYS, find_dates
from lithify.text.sentences import outside_code
from lithify.text.stems import COMMON_STEMS, SIGNS, is_empty, stem, words_of

_LINK = regex(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKS = regex(r"\*|~~|(?<!\w)_|_(?!\w)")
_EDGES = " >:,|–—-"
_SYMBOLS = regex(rf"^[{SIGNS}\s]+")
#: The number of a heading in a list: "4. Projects", "2) Costs".
_LISTED = regex(r"\d{1,2}[.)]\s+(?=[^\W\d_])")
_ZONE = (
    r"Z|(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d{2})?)?|\+\d{2}:?\d{2}|[CEW]ES?T|BST|IST|MSK|"
    r"(?:AK|[ECMP])[SD]?T|HST|[JK]ST|A[CEW][SD]T|NZ[SD]T|SGT|HKT|BRT|ART|[A-Z][a-z]+/[A-Z]\w+"
)
_HALF = r"\s?[ap](?:m\b|\.m\.)"
#: A time of day, with its zone: "14:30 UTC", "9:05 pm", "2 p.m.", "18:00 (CET)", "T07:15+02:00".
_CLOCK = regex(
    rf"(?:(?<!\w)|(?<=\d)T)\d{{1,2}}(?:[:h]\d{{2}}(?::\d{{2}})?(?:{_HALF})?|{_HALF})"
    rf"(?:\s?(?:Uhr|h)\b)?(?:\s?\(?(?-i:{_ZONE})(?!\w)\)?)?",
    re.IGNORECASE,
)
#: Hours in brackets behind the words: "Session 2 (13:00-15:00)".
_HOURS = regex(rf"\s*\([^()]*{_CLOCK.pattern}[^()]*\)\s*$", re.IGNORECASE)
#: A numbered part of the day, such as "Session 2": one word and a number.
_NUMBERED = regex(r"[^\W\d_]+\s+#?\d+")
#: A date in any language: "Montag, 2. März 2026", "2026年3月2日".
_ANY_DATE = regex(
    r"(?:[^\W\d_]+, )?\d{1,2}\.? [^\W\d_]+\.? \d{4}(?!\w)|\d{4}年\d{1,2}月(?:\d{1,2}日)?"
)
_MONTH, _WEEKDAY = (
    regex(rf"\b(?:{'|'.join(f'{name}|{name[:3]}' for name in names)})\b", re.IGNORECASE)
    for names in (MONTHS, WEEKDAYS)
)
#: What stands for each character of a date or time in figures, and of one in words.
_FIGURES, _WORDS = "\0", "\1"
#: Dates and times before the words. One in words needs a sign behind it: "March launch" is whole.
_LEADING = regex(
    rf"^(?:[{_FIGURES}\s:,|–—-]|\[{_FIGURES}+\]|{_WORDS}+(?=\s*[{_FIGURES}:,|–—]|\s+-\s))+"
)


@lru_cache(maxsize=1 << 12)
def subject_of(headings: tuple[str, ...]) -> str:
    """Return the subject that the innermost heading with a subject names; empty if there is none.

    Markup, times of day and dates before the words are removed. A heading that holds only a date
    or a time names no subject, nor does a numbered part of the day ("Session 2 (13:00-15:00)"), nor
    a first heading that begins with a day: that is the title of the whole day.
    """
    for depth in range(len(headings) - 1, -1, -1):
        if subject := _subject(headings[depth], is_title=depth == 0):
            return subject
    return ""


def _subject(heading: str, *, is_title: bool) -> str:
    words = outside_code(heading, lambda text: _MARKS.sub("", _LINK.sub(r"\1", text)))
    plain = words.replace("`", "")
    words = _SYMBOLS.sub("", _HOURS.sub("", plain).strip(_EDGES))
    words = " ".join(words.split())
    if _NUMBERED.fullmatch(words) and _CLOCK.search(plain):
        return ""
    days, other = _dates(words)
    if is_title and any(start == 0 for start, _ in days):
        return ""
    masked = words
    for start, end in (*days, *other):
        masked = masked[:start] + _mask(words[start:end]) + masked[end:]
    if not any(map(str.isalpha, masked)):
        return ""
    leading = _LEADING.match(masked) or _LISTED.match(masked)
    return words[leading.end() :] if leading else words


def _mask(words: str) -> str:
    is_figures = _CLOCK.fullmatch(words) or not any(map(str.isalpha, words))
    return (_FIGURES if is_figures else _WORDS) * len(words)


def _dates(words: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where single days stand in the words, and where longer times and times of day stand."""
    # The anchor does not matter: only the place of a date is asked, not which day it means.
    said = find_dates(words, date(2000, 1, 3))
    days = [(one.start, one.end) for one in said if one.first == one.last]
    days += [match.span() for found in (_ANY_DATE, _WEEKDAY) for match in found.finditer(words)]
    other = [(one.start, one.end) for one in said if one.first != one.last]
    other += [match.span() for found in (_MONTH, _CLOCK) for match in found.finditer(words)]
    return days, other


#: A subject before a sentence is no longer than this; a longer heading is a sentence of its own.
_MOST_WORDS = 6
#: What divides a heading's parts: "Condor - diligence update", "Release (staging)".
_PART = regex(r"\s+[-–—|]\s+|:\s+|\s+\(|,\s+")


@lru_cache(maxsize=1 << 12)
def short_subject(headings: tuple[str, ...]) -> str:
    """The first part of the subject, where it is short and says more than any log's headings do."""
    words = _PART.split(subject_of(headings))[0].strip(_EDGES)
    if len(words.split()) > _MOST_WORDS:
        return ""
    told = any(
        not (word.isdigit() or is_empty(word) or stem(word) in COMMON_STEMS)
        for word in words_of(words)
    )
    return words if told else ""
