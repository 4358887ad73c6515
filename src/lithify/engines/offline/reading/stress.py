"""What a writer stresses: bold words, somebody's own words, and what is to hold from now on."""

from __future__ import annotations

import re

#: What bold words make a sentence worth, and what the other two do.
_BOLD, _HELD = 2.0, 1.3
#: Bold words that are no label: `**Owner:** Ada` and `**Owner**: Ada` name what follows.
_STRESSED = re.compile(r"(\*\*|__)(?=\S)([^*\n]{1,200}?)(?<=[^\s:])\1(?!:)")
#: Signs that stand otherwise once the marks are off.
_MARKS = "*_`.!? "
_HOLDS = re.compile(
    r"\b(?:from now on|from today|decided|agreed|decision|rule|always|never|no longer|instead)\b",
    re.I,
)


def bold_in(text: str) -> tuple[str, ...]:
    """The bold words of a line as it was written, without their marks; a label is none."""
    if "**" not in text and "__" not in text:
        return ()
    return tuple(words for _, inner in _STRESSED.findall(text) if (words := inner.strip(_MARKS)))


def stress(sentence: str, bold: tuple[str, ...], *, speaks: bool) -> float:
    """How much more than another a sentence is worth, in a line with these bold words.

    In talk all are somebody's words, and `always` is a way of speaking.
    """
    worth = _BOLD if any(words in sentence for words in bold) else 1.0
    if speaks:
        return worth
    return worth * _HELD if '"' in sentence or _HOLDS.search(sentence) else worth
