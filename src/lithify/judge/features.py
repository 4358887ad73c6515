"""The features by which a sentence is judged: hashed words, word pairs, and a few shapes.

A feature is a number below `SIZE`. Words are hashed, never listed: what a word means is for the
weights to say. A name inside a sentence and a figure stand for themselves as kinds, so that no
log's own names are learned.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from zlib import crc32

#: Rows of a table of weights.
SIZE = 1 << 17
#: Words of a sentence, of its heading and of its lead-in that are looked at.
_WORDS, _ABOVE = 50, 12

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d[\d.,:]*|->|→|[^\w\s]")
_LABEL = re.compile(r"\W{0,3}([^\W\d_][\w /&-]{1,28}?)\W{0,2}[:：](?=\W|$)")
#: Signs after which a capital letter says nothing.
_BREAKS = frozenset('.!?:;"(—-*`')


@lru_cache(maxsize=1 << 14)
def _hashed(name: str) -> int:
    return crc32(name.encode("utf-8", "surrogatepass"))


def _words(text: str, most: int) -> list[str]:
    """The words of a text in small letters; a name is `N`, a figure `#`."""
    found: list[str] = []
    before = ""
    for match in _WORD.finditer(text, 0, most * 40):
        word = match.group()
        if word[0].isdigit():
            kind = "#"
        elif word[0].isupper() and word != "I" and found and before not in _BREAKS:
            kind = "N"
        else:
            kind = "->" if word == "→" else word.lower().replace("’", "'")
        found.append(kind)
        before = word
        if len(found) == most:
            break
    return found


def _above(text: str) -> list[str]:
    """The plain words of a heading or lead-in line.

    Its marks, names and figures say nothing: in the logs that the weights were taught by, what has
    a lead-in line at all is mostly open, and elsewhere every second line stands under one.
    """
    return [word for word in _words(text, _ABOVE) if word.isalpha() and word != "N"]


def features(text: str, heading: str = "", lead: str = "") -> set[int]:
    """The features of a sentence under its heading and lead-in line."""
    # Whether a line ends in a full stop is its writer's habit, and says nothing of what it states.
    words = _words(text.rstrip(". "), _WORDS)
    hashes = [_hashed(word) for word in words]
    found = {code % SIZE for code in hashes}
    found.update(_hashed("ending " + word[-3:]) % SIZE for word in words if len(word) > 4)
    found.update(_hashed("begins " + word[:5]) % SIZE for word in words if len(word) > 5)
    edges = [_hashed("^"), *hashes, _hashed("$")]
    # Pairs are mixed from the hashes of their words: no string is built for them.
    found.update(
        ((one * 0x9E3779B1) ^ (other * 0x85EBCA6B)) >> 7 & (SIZE - 1)
        for one, other in pairwise(edges)
    )
    found.update(
        ((one * 0xC2B2AE35) ^ (other * 0x27D4EB2F)) >> 7 & (SIZE - 1)
        for one, other in zip(hashes, hashes[2:], strict=False)
    )
    shapes = [
        f"length {min(6, len(words) // 6)}",
        f"figures {min(3, words.count('#'))}",
        f"names {min(3, words.count('N'))}",
    ]
    if text.rstrip().endswith(("?", "？")):
        shapes.append("asks")
    if label := _LABEL.match(text):
        shapes.append("label " + label[1].lower())
    shapes += [f"under {word}" for word in _above(heading)]
    shapes += [f"after {word}" for word in _above(lead)]
    found.update(_hashed(shape) % SIZE for shape in shapes)
    return found
