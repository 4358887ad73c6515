"""Whether a later entry supersedes an earlier one, by their words alone.

It does where a sentence of each is the same but for one value, as `text.statements.relation` tells: a
weekday, a time of day, a date or a denial, and where both stand under one heading or lead also a
figure. What may contradict in other words is left to whoever reads both. Lines of a log and rows of a
table supersede nothing: each stays true of its hour.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from lithify.regex import regex
from lithify.search.index import Doc
from lithify.text.sentences import split
from lithify.text.words import words_of

_CLOCK = regex(r"\W{0,4}\d{1,2}[:h]\d\d\b")
#: Two entries are compared that share this part of the shorter one's words, and sentences of so many.
_SHARED_PART, _FEWEST_WORDS = 0.5, 3


def supersedes(newer: Doc, older: Doc) -> bool:
    """Return whether a later entry gives a newer value of what an earlier one says."""
    if newer.id == older.id or "row" in (newer.kind, older.kind):
        return False
    if (newer.lead, newer.speaker) != (older.lead, older.speaker):
        return False
    if len(newer.own & older.own) < _SHARED_PART * min(len(newer.own), len(older.own)):
        return False
    if _CLOCK.match(newer.text) and _CLOCK.match(older.text):
        return False
    # Loaded late: most answers hold no two entries that say nearly the same.
    from lithify.compact.statements import relation
    from lithify.search.headings import subject_of

    subject = subject_of(newer.headings)
    if subject != subject_of(older.headings):
        return False
    topic = bool(subject or newer.lead)
    now, then = _sentences(newer.text), _sentences(older.text)
    return any(
        relation(new, old, one_topic=topic) == "replaces"
        for new in now
        for old in then
        # That each names its own day is no other value.
        if new not in then and not (_names_day(new, newer.first) and _names_day(old, older.first))
    )


@lru_cache(maxsize=1024)
def _sentences(text: str) -> tuple[str, ...]:
    """Return a text as a whole and its sentences, those that have some words."""
    every = dict.fromkeys((text, *split(text)))
    return tuple(one for one in every if len(words_of(one)) >= _FEWEST_WORDS)


def _names_day(sentence: str, day: int) -> bool:
    """Return whether a sentence names a day, by its date or weekday."""
    known = date.fromordinal(max(1, day))
    return str(known) in sentence or f"{known:%A}" in sentence
