"""The subject that a path of headings names."""

from __future__ import annotations

from functools import lru_cache

from lithify.regex import regex
from lithify.text.dates import find_dates
from lithify.text.figures import find_figures
from lithify.text.sentences import plain
from lithify.text.words import SIGNS

_EDGES = " >:,|–—-·."
_SYMBOLS = regex(rf"[{SIGNS}]+")
#: The number of a heading in a list, and a numbered part of the day: "4. Projects", "Session 2".
_LISTED = regex(r"\d{1,2}[.)]\s+(?=[^\W\d_])")
_NUMBERED = regex(r"[^\W\d_]+\s+#?\d+")
_EMPTY_BRACKETS = regex(r"[(\[][\s–—-]*[)\]]")


@lru_cache(maxsize=1 << 12)
def subject_of(headings: tuple[str, ...]) -> str:
    """Return the subject that the innermost heading with a subject names; empty if there is none.

    Dates, times of day and signs around the words are taken off. A heading that holds only a date or
    a time names no subject, nor does a first heading with a date: that is the title of the day.
    """
    for depth in range(len(headings) - 1, -1, -1):
        if subject := _subject(headings[depth], is_title=depth == 0):
            return subject
    return ""


def _subject(heading: str, *, is_title: bool) -> str:
    words = _SYMBOLS.sub(" ", plain(heading))
    dates = [(one.start, one.end) for one in find_dates(words) if not one.alone]
    if is_title and dates:
        return ""
    times = [(one.start, one.end) for one in find_figures(words) if one.kind == "time"]
    for start, end in sorted([*dates, *times], reverse=True):
        words = words[:start] + " " * (end - start) + words[end:]
    words = " ".join(_EMPTY_BRACKETS.sub(" ", words).split()).strip(_EDGES)
    if times and _NUMBERED.fullmatch(words):
        return ""
    if listed := _LISTED.match(words):
        words = words[listed.end() :]
    return words if any(map(str.isalpha, words)) else ""
