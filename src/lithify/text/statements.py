"""How two statements stand to each other, by their words and by what they say exactly.

To read specifics costs more than a short command takes, so whatever starts often imports this late.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from lithify.text.hedges import denies
from lithify.text.language import alternatives, in_any_language, languages, word_table
from lithify.text.likeness import WORD, content_stems, overlap
from lithify.text.specifics import atom_keys, find_atoms


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
#: The part of the larger statement that two of one topic share where one gives a newer value, and
#: the part from which two statements may be about the same matter.
ONE_TOPIC, MAY_CONFLICT = 0.7, 0.5

#: How two statements stand to each other: the newer gives another value of the same thing, they may
#: contradict each other, or neither concerns the other.
Relation = Literal["replaces", "conflict", "apart"]


def relation(newer: str, older: str, *, one_topic: bool = False) -> Relation:
    """Tell how a newer statement stands to an older one.

    It replaces the older where both say the same but for one value: a number, a time, a date, a
    weekday, a version, or whether it is denied. Every name, identifier, unit and comparison must be
    the same, and so must all other words, or with `one_topic` seven tenths of the larger. Where
    half is shared and the rest differs, the two may conflict.
    """
    mine, theirs = statement_parts(newer), statement_parts(older)
    larger = max(len(mine.stems), len(theirs.stems))
    shared = len(mine.stems & theirs.stems)
    if not larger or shared < MAY_CONFLICT * larger:
        return "apart"
    kinds = mine.values.keys() | theirs.values.keys()
    # The weekday of a date is no value of its own.
    if "date" in mine.values and "date" in theirs.values:
        kinds -= {"weekday"}
    empty = frozenset[str]()
    pairs = [(mine.values.get(kind, empty), theirs.values.get(kind, empty)) for kind in kinds]
    other = [(one, two) for one, two in pairs if one != two]
    if not other and mine.denies is theirs.denies and mine.stems == theirs.stems:
        return "apart" if mine.firm == theirs.firm else "conflict"
    if mine.firm != theirs.firm or shared < (ONE_TOPIC if one_topic else 1.0) * larger:
        return "conflict"
    if mine.denies is not theirs.denies:
        return "conflict" if other else "replaces"
    one_value = len(other) == 1 and [len(a - b) for a, b in (other[0], other[0][::-1])] == [1, 1]
    return "replaces" if one_value else "conflict"


class StatementParts(NamedTuple):
    """A statement without its values: its stems, and the specifics that may not differ."""

    stems: frozenset[str]
    firm: frozenset[str]
    values: Mapping[str, frozenset[str]]
    denies: bool


@lru_cache(maxsize=1 << 13)
def statement_parts(text: str) -> StatementParts:
    """Take a statement apart: its values, what may not differ, and the stems that are left."""
    numbers = _number_words()
    values: dict[str, frozenset[str]] = {}
    firm: set[str] = set()
    rest = text

    def add(kind: str, value: str) -> None:
        values[kind] = values.get(kind, frozenset()) | {value}

    for atom in find_atoms(text):
        if _weekday(atom.key):
            continue
        if atom.kind not in _VALUES:
            firm |= set() if atom.loose else {atom.key}
            continue
        kind, figure, unit = str(atom.kind), atom.key, ""
        if kind == "number":
            figure, _, unit = atom.key.partition(" ")
        firm |= {unit} if unit else set()
        add(kind, figure)
        rest = f"{rest[: atom.start]}{' ' * (atom.end - atom.start)}{rest[atom.end :]}"
    negations, comparisons = in_any_language("negations"), in_any_language("comparisons")
    words = []
    denied = False
    # "Is fine now" is the other side of "never".
    for word in WORD.findall(_permits().sub(" ", rest.lower())):
        if day := _weekday(word):
            add("weekday", day)
        elif word in numbers:
            add("number", numbers[word])
        elif word in negations or word.replace("’", "'").endswith("n't"):
            denied = True
        elif word in comparisons:
            firm.add(word)
        else:
            words.append(word)
    denied = denied or denies(text)
    return StatementParts(content_stems(" ".join(words)), frozenset(firm), values, denied)


#: So many letters can stand behind a weekday for its case or number: "Mondays", "wtorkiem".
_ENDING = 4


@cache
def _weekdays() -> dict[str, str]:
    """Return the number of each weekday, by its name or by what all its forms begin with."""
    tables = (word_table(language, "weekdays") for language in languages())
    return {name: str(day) for table in tables for name, day in table.items()}


def _weekday(word: str) -> str:
    """Return the number of the weekday that a word in small letters is; "" where it is none."""
    known = _weekdays()
    shortest = max(len(word) - _ENDING, 2)
    begins = (word[:length] for length in range(len(word), shortest - 1, -1))
    return next((known[name] for name in begins if name in known), "")


@cache
def _permits() -> re.Pattern[str]:
    """Return the pattern of words by which something is allowed."""
    return re.compile(rf"\b(?:{alternatives(in_any_language('permits'))})\b")


@cache
def _number_words() -> dict[str, str]:
    """Return the figure of each number word that is no article too."""
    found = {}
    for language in languages():
        for word, place in word_table(language, "hours").items():
            found[word] = str(place + 1)
    return found
