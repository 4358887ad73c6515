"""Dates said in words: found, resolved against a day, and rewritten so that a text reads alone.

One pass over the words: only a word that can begin a date is looked at twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from lithify.regex import regex
from lithify.text.dates.find_dates import could_name_date, relative, reworded, scan
from lithify.text.dates.named import MONTHS, VERBATIM, WEEKDAYS, Hit

__all__ = [
    "MONTHS",
    "VERBATIM",
    "WEEKDAYS",
    "Said",
    "absolute",
    "could_name_date",
    "find_dates",
    "relative_left",
]
#: A day of a month that a figure behind it would give a year.
_WANTS_A_YEAR = regex(
    r"(?:\b(?:%s)[a-z]*\.?[\s-]+\d{1,2}(?:st|nd|rd|th)?|\b\d{1,2}(?:st|nd|rd|th)?[\s-]+(?:%s)[a-z]*)"
    r"[.,]?\s*\Z" % (("|".join(month[:3] for month in MONTHS),) * 2),
    re.IGNORECASE,
)
#: A figure right behind a day, which is no hour and could be no year: "sold yesterday 1,377".
_FIGURE = regex(
    r"[ \t]+(?=\d)(?!\d{1,2}(?:[:.h]\d\d(?!\d)|\s?(?:[ap]\.?m\b|h\b|o['’]clock)|(?:\s?[-–]\s?\d{1,2})?(?!\S))|(?:19|20)\d\d(?!\w|[.,]\d))",
    re.IGNORECASE,
)


#: A weekday that goes on a list of weekdays.
_MORE_WEEKDAYS = regex(
    rf"(?:\s*[,/&+]|,?\s+(?:and|or|und|oder))\s*(?P<day>(?:{'|'.join(d[:3] for d in WEEKDAYS)})\w{{0,6}})\b",
    re.IGNORECASE,
)


#: What makes a relative date part of a name or a value, and no time at which something was: what it
#: owns ("today's brief"), a determiner or a comparison before it, a capital amid a sentence.
_OWNS = regex(r"['’]s\b")
_NAMED = regex(r"(?:[<>=≤≥]|\b(?:the|an?|my|our|your|his|its|their))[ \t]*\Z", re.IGNORECASE)
_AMID = regex(r"(?:[^\W\d_]|,)[ \t]+\Z")
_WEEKDAYS = tuple(day[:3] for day in WEEKDAYS)


@dataclass(frozen=True, slots=True)
class Said:
    """A stretch of text that names the days `first` to `last`.

    `relative`: the words mean these days only on the day they were said. `exact`: nothing had
    to be guessed; false for a missing year, "a few weeks ago" or a weekday. `unclear`: why
    nobody can tell which weekday is meant, where the day is only a guess: "no verb", a verb of
    "either" day, or a "habit".
    """

    start: int
    end: int
    first: date
    last: date
    relative: bool = False
    exact: bool = True
    unclear: str = ""


def find_dates(text: str, anchor: date) -> tuple[Said, ...]:
    """Return every date the text names, in order, as said on the day `anchor`."""
    return tuple(
        Said(hit.start, hit.end, hit.first, hit.last, bool(hit.form), hit.exact, hit.unclear)
        for hit in scan(text, anchor)
    )


#: So often a text is read again for dates that those written out have made clear.
_AGAIN = 8


def absolute(text: str, anchor: date) -> str:
    """The text with relative dates made absolute; quotations, code and URLs stay as they are.

    A weekday that may be either the last or the coming one stays too, and so does a day in a name or
    before what it owns ("today's brief", "the Today view"): beside the day it was said on the words
    are true, and a date that the writer did not mean is not.
    """
    said = _reworded(text, anchor) if could_name_date(text) else text
    # "On Monday the day before yesterday we met": with the one date told, the other is clear.
    for _ in range(_AGAIN if said != text else 0):
        text, said = said, _reworded(said, anchor)
        if said == text:
            break
    return said


def _reworded(text: str, anchor: date) -> str:
    pieces: list[str] = []
    done = 0
    for hit in _whole_lists(text, relative(text, anchor)):
        if hit.unclear or _is_in_a_name(text, hit):
            continue
        end, words = reworded(text, hit, anchor)
        before = text[done : hit.start]
        if words[:1].isdigit() and _WANTS_A_YEAR.search(before):
            # "April 3 today" must not become the third of April of some year.
            words = f"({words})"
        elif words[-1:].isdigit() and _FIGURE.match(text, end):
            words += ","
        pieces += before, words
        done = end
    return "".join(pieces) + text[done:]


def _is_in_a_name(text: str, hit: Hit) -> bool:
    word, before = text[hit.start : hit.end].split()[0], text[max(0, hit.start - 24) : hit.start]
    capital = word.istitle() and not word.lower().startswith(_WEEKDAYS) and _AMID.search(before)
    return bool(_OWNS.match(text, hit.end) or _NAMED.search(before) or capital)


def _whole_lists(text: str, hits: Iterable[Hit]) -> list[Hit]:
    """Leave out the days of a list of weekdays of which another is none: "on Mon, Wed and Fri"."""
    kept: dict[int, Hit] = {}
    for hit in sorted(hits, key=lambda hit: -hit.start):
        more = _MORE_WEEKDAYS.match(text, hit.end)
        if not more or more.start("day") in kept:
            kept[hit.start] = hit
    return [kept[start] for start in sorted(kept)]


def relative_left(text: str, *, unclear: bool = False) -> list[str]:
    """Return the relative dates a text holds outside quotations, code and URLs.

    `unclear`: with the weekdays that nobody can tell.
    """
    hits = _whole_lists(text, relative(text, None))
    return [text[hit.start : hit.end] for hit in hits if unclear or not (hit.unclear or hit.bare)]
