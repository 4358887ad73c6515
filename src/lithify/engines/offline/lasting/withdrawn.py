"""Decisions and rules taken back by their day or by name: `what we agreed on the 5th is off`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from lithify.calendar import last_numbered
from lithify.text.dates import find_dates

_CHOSEN = r"\b(?:decisions?|decided|decide|agreed|agreement|agree|chosen|chose|choice|plan|planned|rule|ruling|order|ordered|instruction|settled|promised)\b"
#: No sentence takes back by a day without one of these.
_HINT = re.compile(
    r"\b(?:off|void|dead|gone|moot|drop|overturn|overrul|revers|rescind|revok|undo|undid|annul|withdr|cancel|supersed|replac|longer|back)",
    re.I,
)
#: `this overturns what we agreed on …`, and where the day stands then.
_TAKES_BACK = re.compile(
    r"\b(?:overturn|overrul|revers|rescind|revok|undo|undid|annul|withdr[ae]w|cancel|supersed|replac|tak(?:es?|ing) back|took back)\w*"
    rf"\b[^.;:]{{0,40}}?{_CHOSEN}",
    re.I,
)
#: `what she decided on … is off`
_IS_OFF = re.compile(
    r"\b(?:is|are) (?:now |thus |then |therefore |hereby |so )?(?:off|void|dead|gone|moot|overturned|reversed|rescinded|revoked|undone|annulled|"
    r"withdrawn|dropped|cancell?ed|superseded|replaced|taken back|called off|no longer (?:valid|true|in force))\b",
    re.I,
)
#: `contrary to 6 July`, `overrides what we did on the 6th`: what is said is done instead of that day's.
_AGAINST = re.compile(
    r"\b(?:contrary to|overrid(?:es|ing|den)|overrode)(?: (?:what|the \w+)(?: (?:I|we|you|he|she|they))?(?: \w+){0,2}?)?"
    r"(?: (?:on|of|from))?(?: the)? $",
    re.I,
)
#: `that ends the pallet idea`, `what she had said about January is off`, `the hosting plan is dead`
_BY_NAME = re.compile(
    r"\b(?:that|this) (?:ends|kills|buries) (?:the|our|his|her|their|my) (?P<ended>[\w' -]{3,40}?) (?:idea|plan|rule|arrangement|scheme|experiment)\b|"
    r"\bwhat (?:I|we|he|she|they|(?-i:[A-Z])[\w'-]+) (?:had |has |have )?(?:said|decided|agreed|planned|wrote|told (?:us|me)) (?:about|on|of|for) (?P<told>[^.;:]{3,40}?) is (?:off|over|void|dead|out|gone|no longer true)\b|"
    r"\bthe (?P<off>[\w' -]{3,40}?) (?:idea|plan|rule|ban|arrangement|scheme) is (?:off|over|void|dead|dropped|out|gone|no longer in force)\b",
    re.I,
)
_NAMES_CHOICE = re.compile(_CHOSEN, re.I)
#: The day a choice is of; what it is for comes later.
_OF_DAY = re.compile(
    rf"{_CHOSEN}(?! for (?:the )?\d)[^.;:]*? (?:of|on|from|since|dated)(?: the)? $|{_CHOSEN} $",
    re.I,
)
_NUMBERED = re.compile(r"\bthe (\d{1,2})(?:st|nd|rd|th)\b(?! (?:of )?[A-Z])")
_UNSURE = re.compile(
    r"\b(?:not|never|if|unless|whether|may|might|could|would|should|until|whatever)\b|n't\b", re.I
)
#: Characters from the choice to its day, and from the day to what became of it.
_NEAR, _WITHIN = 40, 70


@lru_cache(maxsize=1 << 13)
def is_hinted(text: str) -> bool:
    """Whether the words may take something back by its day."""
    if re.search(r"\bcontrary to\b|\boverr[io]d", text, re.I) or _BY_NAME.search(text):
        return True
    return bool(_HINT.search(text) and _NAMES_CHOICE.search(text))


def day_in(text: str, said_on: date) -> date | None:
    """The day whose choice a sentence says no longer holds, or none."""
    if text.endswith("?") or not is_hinted(text):
        return None
    takes = _TAKES_BACK.search(text)
    for start, end, day in _days(text, said_on):
        before = text[max(0, start - _NEAR) : start]
        if day < said_on and _AGAINST.search(before):
            return day
        if day >= said_on or not _OF_DAY.search(before):
            continue
        after = text[end : end + _WITHIN]
        off = _IS_OFF.search(after)
        if off and not _UNSURE.search(after[: off.end()]):
            return day
        if takes and takes.end() <= start <= takes.end() + _NEAR:
            return None if _UNSURE.search(text[: takes.start()]) else day
    return None


def _days(text: str, said_on: date) -> Iterator[tuple[int, int, date]]:
    """The days that a text names, and where; `the 5th` is the last one."""
    for found in find_dates(text, said_on):
        if found.first == found.last:
            yield found.start, found.end, found.first
    for match in _NUMBERED.finditer(text):
        if day := last_numbered(said_on, int(match[1])):
            yield match.start(), match.end(), day
