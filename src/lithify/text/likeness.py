"""How alike two texts are, by the words that carry their meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from lithify.text.hedges import denies
from lithify.text.language import in_any_language
from lithify.text.specifics import atom_keys, find_atoms
from lithify.text.specifics.atom import word_set

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_PLAIN_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)?")
_COMMON = word_set(
    """
    a an and are as at be been but by did do does for from had has have he her his i if in
    into is it its me my no nor not of off on or our out over own she so some such than that
    the their them then there these they this to too up was we were what when where which who
    will with you your
    """
)
_ENDINGS = (
    *("ations", "ation", "ments", "ment", "ings", "ing", "ies", "ied", "ed", "es", "s", "ly"),
    *("e", "y"),
)


@lru_cache(maxsize=1 << 13)
def content_stems(text: str) -> frozenset[str]:
    """The words that carry meaning, cut to a common stem."""
    if text.isascii():
        found = set(_PLAIN_WORD.findall(text.lower()))
    else:
        found = set(map(str.lower, _WORD.findall(text)))
    return frozenset(map(_stem, found - _COMMON))


@lru_cache(maxsize=1 << 13)
def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of words two texts have in common."""
    return len(one & other) / len(one | other) if one and other else 0.0


def say_same(one: str, other: str, share: float) -> bool:
    """Whether two texts say one thing: one holds all words, figures and names of the other."""
    mine, theirs = content_stems(one), content_stems(other)
    if overlap(mine, theirs) < share or not _nested(mine, theirs):
        return False
    return denies(one) is denies(other) and _nested(atom_keys(one), atom_keys(other))


def _nested(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or other <= one


#: Specifics of which a later statement may give another value.
_VALUES = frozenset({"number", "money", "percent", "date", "time", "version"})


def replaces(newer: str, older: str, share: float) -> bool:
    """Whether a statement takes the place of an older one: they differ in one value of one thing.

    Values are numbers, times, dates, weekdays and versions, and whether something is denied. Without
    them so much of the larger must be the same, and with them every name, path and unit.
    """
    mine, theirs = _taken_apart(newer), _taken_apart(older)
    larger = max(len(mine.stems), len(theirs.stems))
    if not larger or len(mine.stems & theirs.stems) < share * larger or mine.firm != theirs.firm:
        return False
    # The weekday of a date is no value of its own.
    kinds = mine.values.keys() | theirs.values.keys()
    if "date" in mine.values and "date" in theirs.values:
        kinds -= {"weekday"}
    empty = frozenset[str]()
    pairs = [(mine.values.get(kind, empty), theirs.values.get(kind, empty)) for kind in kinds]
    other = [(one, two) for one, two in pairs if one != two]
    if mine.denies is not theirs.denies:
        return not other
    return len(other) == 1 and len(other[0][0] - other[0][1]) == len(other[0][1] - other[0][0]) == 1


class _Statement(NamedTuple):
    """A statement without its values: its stems, and the specifics that may not differ."""

    stems: frozenset[str]
    firm: frozenset[str]
    values: Mapping[str, frozenset[str]]
    denies: bool


@lru_cache(maxsize=1 << 13)
def _taken_apart(text: str) -> _Statement:
    weekdays, negations = in_any_language("weekdays"), in_any_language("negations")
    values: dict[str, frozenset[str]] = {}
    firm: set[str] = set()
    rest = text
    for atom in find_atoms(text):
        day = atom.key.removesuffix("s")
        if atom.kind not in _VALUES and day not in weekdays:
            firm |= set() if atom.loose else {atom.key}
            continue
        kind, key = ("weekday", day) if day in weekdays else (str(atom.kind), atom.key)
        figure, _, unit = key.partition(" ")
        firm |= {unit} if unit and kind == "number" else set()
        values[kind] = values.get(kind, frozenset()) | {figure if kind == "number" else key}
        rest = f"{rest[: atom.start]}{' ' * (atom.end - atom.start)}{rest[atom.end :]}"
    words = [word for word in _WORD.findall(rest.lower()) if word not in negations]
    return _Statement(content_stems(" ".join(words)), frozenset(firm), values, denies(text))
