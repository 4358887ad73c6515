"""The learned weights of a language: one file, one row of small numbers for each feature.

The numbers of a row are kept side by side in one integer, a lane for each class, so that judging a
sentence is one addition for each of its features.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import exp

from lithify.judge.features import SIZE

#: The classes of each head, in the order of a row.
HEADS: dict[str, tuple[str, ...]] = {
    "section": ("Key Outcomes", "Decisions", "Blockers & Open Items", "Context", "drop"),
    "must": ("", "must"),
    "lasting": ("", "feedback", "user", "reference", "project"),
}
CLASSES = sum(map(len, HEADS.values()))
#: Bytes of a lane: room for the sum of all features a sentence can have.
_LANE = 3
_WIDTH = CLASSES * _LANE
_BITS, _MASK = 8 * _LANE, (1 << 8 * _LANE) - 1
#: Added to every weight, so that a lane never borrows from the next.
_SHIFT = 128


@dataclass(frozen=True, slots=True)
class Weights:
    """A row of lanes for each feature; `scale` turns a sum of its numbers into a score."""

    rows: bytes
    bias: Sequence[int]
    scale: float

    def chances(self, features: Collection[int]) -> dict[str, tuple[float, ...]]:
        """For each head, how likely each of its classes is."""
        rows = (self.rows[one * _WIDTH : (one + 1) * _WIDTH] for one in features)
        total = sum(int.from_bytes(row, "little") for row in rows)
        shifted = _SHIFT * len(features)
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


def pack(table: Iterable[Sequence[int]], bias: Sequence[int], scale: float) -> bytes:
    """The bytes of a weights file: a line of JSON, then a byte for each weight, compressed."""
    head = json.dumps({"size": SIZE, "classes": CLASSES, "bias": list(bias), "scale": scale})
    body = bytes(value + _SHIFT for row in table for value in row)
    return head.encode() + b"\n" + zlib.compress(body, 9)


def unpack(data: bytes) -> Weights:
    """The weights of a file's bytes."""
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
    """The weights of a language, or None where nobody has taught it yet."""
    name = f"{language.lower()}.weights"
    file = files("lithify.judge") / name
    return unpack(file.read_bytes()) if language and file.is_file() else None
