"""How alike two texts are, by the words that carry their meaning."""

from __future__ import annotations

import re
from functools import lru_cache

from lithify.text.atoms import atom_keys
from lithify.text.atoms.atom import word_set
from lithify.text.hedges import denies

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
def words_of(text: str) -> frozenset[str]:
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
    mine, theirs = words_of(one), words_of(other)
    if overlap(mine, theirs) < share or not _nested(mine, theirs):
        return False
    return denies(one) is denies(other) and _nested(atom_keys(one), atom_keys(other))


def _nested(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or other <= one
