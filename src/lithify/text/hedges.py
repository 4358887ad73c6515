"""Words of reserve and of denial: whether a text holds something back or says that it is not so."""

from __future__ import annotations

import re

from lithify.regex import regex
from lithify.text.language import in_any_language
from lithify.text.stems import words_of

_NEGATION = regex(
    r"(?:\b(?:not|no|nobody|never|nor|neither|without|cannot|stop|avoid|refuse|forbid\w*)\b|n['’]t\b)"
    r"(?!\s+(?:forget|only|just)\b)",
    re.IGNORECASE,
)


def hedges(text: str) -> bool:
    """Return whether the text holds something back: "probably", "is planned"."""
    return not in_any_language("hedges").isdisjoint(words_of(text))


def denies(text: str) -> bool:
    """Return whether the text says that something is not, or must not be."""
    return _NEGATION.search(text) is not None
