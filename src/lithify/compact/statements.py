"""How two statements stand to each other, by their words alone."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Literal, NamedTuple

from lithify.regex import regex
from lithify.text.dates import find_dates
from lithify.text.figures import find_figures
from lithify.text.labels import in_every_language
from lithify.text.words import content_stems

#: The part of the larger statement that two of one type share where they may contradict each other.
MAY_CONFLICT = 0.5

#: The newer gives another value of the same thing, both may contradict each other, or neither.
Relation = Literal["replaces", "conflict", "apart"]
Kind = Literal["word", "weekday", "time", "date", "figure"]

_WORD = regex(r"[^\W_]+(?:['’][^\W_]+)*")
#: Kinds of which a newer statement may give another value, and those it may within one topic.
_VALUES: frozenset[Kind] = frozenset({"weekday", "time", "date"})
_OF_TOPIC: frozenset[Kind] = frozenset({"figure"})
_DENIALS = frozenset({"not", "never", "no"})
#: Letters that an ending may add to the name of a weekday: "Mondays", "понедельникам".
_ENDING = 4


class Token(NamedTuple):
    """A word, weekday, time, date or figure of a statement."""

    kind: Kind
    text: str


def denies(text: str) -> bool:
    """Return whether an English "not", "never", "no" or "n't" stands in a text."""
    words = (token.text for token in tokens_of(text))
    return any(word in _DENIALS or word.endswith("n't") for word in words)


def say_same(one: str, other: str) -> bool:
    """Return whether two texts have the same words, but for case and punctuation."""
    return one == other or tokens_of(one) == tokens_of(other)


def relation(newer: str, older: str, *, one_topic: bool = False) -> Relation:
    """Tell how a newer statement stands to an older one.

    It replaces the older where the words of both are the same but for one weekday, time of day or
    date, one English "not", "never" or "no", or, with `one_topic`, one figure or version. Where half
    of the larger one's words are shared and the rest differs, the two may contradict each other.
    """
    mine, theirs = tokens_of(newer), tokens_of(older)
    if mine == theirs:
        return "apart"
    first = next((n for n, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), None)
    start = min(len(mine), len(theirs)) if first is None else first
    left = min(len(mine), len(theirs)) - start
    same = zip(reversed(mine), reversed(theirs), strict=False)
    end = next((n for n, (a, b) in enumerate(same) if n >= left or a != b), left)
    if _is_newer_value(mine[start : len(mine) - end], theirs[start : len(theirs) - end], one_topic):
        return "replaces"
    words, others = content_stems(newer), content_stems(older)
    larger = max(len(words), len(others))
    return "conflict" if larger and len(words & others) >= MAY_CONFLICT * larger else "apart"


def _is_newer_value(mine: tuple[Token, ...], theirs: tuple[Token, ...], one_topic: bool) -> bool:
    """Return whether what differs of two statements is one value, or one denial."""
    if len(mine) == len(theirs) == 1:
        kinds = _VALUES | _OF_TOPIC if one_topic else _VALUES
        return mine[0].kind == theirs[0].kind and mine[0].kind in kinds
    return len(mine) + len(theirs) == 1 and (mine or theirs)[0].text in _DENIALS


@lru_cache(maxsize=1 << 13)
def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the words and values of a text in their order, in small letters without punctuation."""
    values: list[tuple[int, int, Kind]] = []
    for day in find_dates(text):
        if not day.unsure:
            values.append((day.start, day.end, "date"))
    for figure in find_figures(text):
        values.append((figure.start, figure.end, "time" if figure.kind == "time" else "figure"))
    found: list[Token] = []
    at = 0
    for start, end, kind in sorted(values, key=lambda one: (one[0], -one[1])):
        if start >= at:
            found += _words(text[at:start])
            found.append(Token(kind, " ".join(text[start:end].casefold().split())))
            at = end
    return (*found, *_words(text[at:]))


def _words(text: str) -> list[Token]:
    words = (word.replace("’", "'") for word in _WORD.findall(text.casefold()))
    return [Token("weekday" if is_weekday(word) else "word", word) for word in words]


def is_weekday(word: str) -> bool:
    """Return whether a word in small letters is a weekday in one of the languages of the labels."""
    shortest = max(2, len(word) - _ENDING)
    return any(word[:cut] in _weekdays() for cut in range(len(word), shortest - 1, -1))


@cache
def _weekdays() -> frozenset[str]:
    return frozenset(name for own in in_every_language("weekdays") for name in own)
