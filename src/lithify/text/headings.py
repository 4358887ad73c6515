"""What the entries under some headings are about, in few words."""

from __future__ import annotations

import re
from functools import lru_cache

from lithify.text.dates import MONTHS, WEEKDAYS
from lithify.text.sentences import plain
from lithify.text.stems import COMMON_STEMS, is_empty, stem, words_of

#: A subject is no longer than this; a longer heading is a sentence of its own.
_MOST_WORDS = 6
#: A clock time or a date before the words, and what divides a heading's parts.
_TIME = re.compile(
    r"^[\W_]*(?:\d{4}-\d\d-\d\d|\d{1,2}[:h.]\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?)[\W_]*", re.I
)
_PART = re.compile(r"\s+[-–—|]\s+|\s*[:(]\s+|\s+\(|,\s+")
_CALENDAR = frozenset(
    name.lower()[:length] for name in (*MONTHS, *WEEKDAYS) for length in (3, len(name))
)


@lru_cache(maxsize=1 << 12)
def subject_of(headings: tuple[str, ...]) -> str:
    """The subject that the nearest heading names: no clock, no marks, nothing for a bare date."""
    for heading in reversed(headings[-2:]):
        words = plain(heading).strip(" #:`*_")
        while words != (words := _TIME.sub("", words)):
            pass
        words = _PART.split(words)[0].strip(" #:`*_-")
        if words and len(words.split()) <= _MOST_WORDS and _is_subject(words):
            return words
    return ""


def _is_subject(words: str) -> bool:
    """Whether some word of a heading is neither a date nor common in any log."""
    return any(
        not (word.isdigit() or is_empty(word) or word in _CALENDAR or stem(word) in COMMON_STEMS)
        for word in words_of(words)
    )
