"""The features by which a sentence is judged: hashed words, word pairs, and a few shapes.

A feature is a number below `SIZE`. Words are hashed, never listed: what a word means is for the
weights to say. A name inside a sentence and a figure stand for themselves as kinds, so that no
log's own names are learned.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from math import exp
from zlib import crc32

from lithify.regex import regex
from lithify.sections import WEEK

#: Rows of a table of weights.
SIZE = 1 << 17
#: Words of a sentence, of its heading and of its lead-in that are looked at.
_WORDS, _ABOVE = 50, 12

_WORD = regex(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d[\d.,:]*|->|→|[^\w\s]")
_LABEL = regex(r"\W{0,3}([^\W\d_][\w /&-]{1,28}?)\W{0,2}[:：](?=\W|$)")
#: Signs after which a capital letter says nothing.
_BREAKS = frozenset('.!?:;"(—-*`')


@lru_cache(maxsize=1 << 14)
def _hashed(name: str) -> int:
    return crc32(name.encode("utf-8", "surrogatepass"))


def _words(text: str, most: int) -> list[str]:
    """Return the words of a text in small letters; a name is `N`, a figure `#`."""
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


@lru_cache(maxsize=1 << 12)
def _above(text: str) -> tuple[str, ...]:
    """Return the plain words of a heading or lead-in line.

    Its marks, names and figures say nothing: in the logs that the weights were taught by, what has
    a lead-in line at all is mostly open, and elsewhere every second line stands under one.
    """
    return tuple(word for word in _words(text, _ABOVE) if word.isalpha() and word != "N")


def features(text: str, heading: str = "", lead: str = "") -> set[int]:
    """Return the features of a sentence under its heading and lead-in line."""
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


# The learned weights of a language: one file, one row of small numbers for each feature.


#: The classes of each head, in the order of a row.
HEADS: dict[str, tuple[str, ...]] = {
    "section": (*WEEK, "drop"),
    "must": ("", "must"),
    "lasting": ("", "feedback", "user", "reference", "project"),
}
CLASSES = sum(map(len, HEADS.values()))
#: Bytes of a lane: room for the sum of all features a sentence can have.
_LANE = 3
_WIDTH = CLASSES * _LANE
_BITS, _MASK = 8 * _LANE, (1 << 8 * _LANE) - 1
#: Added to every weight, so that a lane never borrows from the next.
SHIFT = 128


@dataclass(frozen=True, slots=True)
class Weights:
    """A row of lanes for each feature; `scale` turns a sum of its numbers into a score."""

    rows: bytes
    bias: Sequence[int]
    scale: float
    #: The rows that were asked for, each as one number.
    known: dict[int, int] = field(default_factory=dict, compare=False)

    def row(self, feature: int) -> int:
        """The lanes of a feature as one number."""
        number = self.known.get(feature)
        if number is None:
            row = self.rows[feature * _WIDTH : (feature + 1) * _WIDTH]
            number = self.known[feature] = int.from_bytes(row, "little")
        return number

    def chances(self, features: Collection[int]) -> dict[str, tuple[float, ...]]:
        """For each head, how likely each of its classes is."""
        total = sum(map(self.row, features))
        shifted = SHIFT * len(features)
        found: dict[str, tuple[float, ...]] = {}
        at = 0
        for head, classes in HEADS.items():
            scores = []
            for _ in classes:
                lane = total >> at * _BITS & _MASK
                scores.append((lane - shifted + self.bias[at]) * self.scale)
                at += 1
            found[head] = _softmax(scores)
        return found


def _softmax(scores: Sequence[float]) -> tuple[float, ...]:
    top = max(scores)
    parts = [exp(score - top) for score in scores]
    whole = sum(parts)
    return tuple(part / whole for part in parts)


def unpack(data: bytes) -> Weights:
    """Return the weights of a file: a line of JSON, then a byte for each weight, compressed."""
    line, _, packed = data.partition(b"\n")
    head = json.loads(line)
    if (head["size"], head["classes"]) != (SIZE, CLASSES):
        raise ValueError("the weights were made for other features or classes")
    body = zlib.decompress(packed)
    lanes = bytearray(len(body) * _LANE)
    lanes[::_LANE] = body
    return Weights(bytes(lanes), head["bias"], head["scale"])


@lru_cache(maxsize=4)
def weights_of(language: str) -> Weights | None:
    """Return the weights of a language, or None where nobody has taught it yet."""
    name = f"{language.lower()}.weights"
    file = files("lithify.judge") / name
    return unpack(file.read_bytes()) if language and file.is_file() else None
