"""The greedy cover: choose texts that hold the most rare words, figures and identifiers for their length.

The offline engine writes its pages by it, and a writer is shown a selection by it where a week is too
long for its calls.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lithify.text.words import stems_of

#: What stands around a word, what joins the parts of an identifier, and the longest one looked at.
_AROUND, _JOINTS, _LONGEST = ".,;:!?…()[]{}<>\"'“”„‘’«»`*_~|", frozenset("./_@#-:="), 80
#: How much the length of a text counts against it: less than 1 favours what belongs together.
_LENGTH = 0.6


def specifics_of(text: str) -> set[str]:
    """Return the words of a text that hold a digit, or are joined like an identifier or address."""
    words = (word.strip(_AROUND) for word in text.split())
    return {
        word.casefold()
        for word in words
        if 1 < len(word) <= _LONGEST
        and (any(map(str.isdigit, word)) or not _JOINTS.isdisjoint(word[1:-1]))
    }


def features_of(text: str) -> frozenset[str]:
    """Return what a text can add to a cover: its stems, and each specific once more as it stands."""
    return frozenset((*stems_of(text), *(f"={word}" for word in specifics_of(text))))


def weights_of(rows: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return how much each feature counts: the more, the fewer rows have it."""
    counts = Counter(feature for row in rows for feature in row)
    return {feature: math.log(1 + len(rows) / count) for feature, count in counts.items()}


@dataclass
class Cover:
    """Takes texts one by one; a feature counts less each time that it is told again."""

    rows: Sequence[frozenset[str]]
    costs: Sequence[int]
    weights: Mapping[str, float]
    told: Counter[str] = field(default_factory=Counter)

    def gain(self, n: int) -> float:
        """Return what a text adds for its length."""
        # An exact sum does not depend on the order of a set.
        new = (self.weights[one] / (1 + self.told[one]) ** 2 for one in self.rows[n])
        return math.fsum(new) / math.pow(max(1, self.costs[n]), _LENGTH)

    def take(self, n: int) -> None:
        """Count a text as told."""
        self.told.update(self.rows[n])

    def fill(self, places: Iterable[int], left: float) -> list[int]:
        """Take the texts that add most while they fit, and return their places."""
        taken: list[int] = []
        heap = [(-self.gain(n), n) for n in places if self.rows[n] and self.costs[n] <= left]
        heapq.heapify(heap)
        while heap:
            _, n = heapq.heappop(heap)
            if self.costs[n] > left:
                continue
            now = -self.gain(n)
            if heap and (now, n) > heap[0]:
                heapq.heappush(heap, (now, n))
                continue
            self.take(n)
            taken.append(n)
            left -= self.costs[n]
        return taken
