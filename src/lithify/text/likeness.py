"""How alike two texts are, by the words that carry their meaning."""

from __future__ import annotations

from functools import lru_cache

from lithify.regex import regex

WORD = regex(r"[^\W_]+(?:['’][^\W_]+)?")
_PLAIN_WORD = regex(r"[a-z0-9]+(?:'[a-z0-9]+)?")


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text, as a table of words is written."""
    return frozenset(words.split())


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
_KEPT = frozenset(("ay", "ey", "oy", "uy"))


@lru_cache(maxsize=1 << 13)
def content_stems(text: str) -> frozenset[str]:
    """The words that carry meaning, cut to a common stem."""
    if text.isascii():
        found = set(_PLAIN_WORD.findall(text.lower()))
    else:
        found = set(map(str.lower, WORD.findall(text)))
    return frozenset(map(_stem, found - _COMMON))


@lru_cache(maxsize=1 << 13)
def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            # `deploy` keeps the end that `deploys` has, and `policy` loses what `policies` lacks.
            return word if word[-2:] in _KEPT else word[: -len(ending)]
    return word


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of words two texts have in common."""
    return len(one & other) / len(one | other) if one and other else 0.0
