"""Which later sentences speak of the matter of an earlier one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import log

from lithify.engines.offline.units import Unit
from lithify.engines.offline.words import COMMON_STEMS

CROWD = 60
#: The share of a sentence's telling words, rare ones counting more, that makes one matter of two.
_SAME = 0.45
FEWEST = 2
_MOST = 0.7


class Matter:
    """Which later sentences speak of what an earlier one speaks of, by their rare words."""

    def __init__(self, units: Sequence[Unit], take: Callable[[Unit], bool]) -> None:
        """`take` says which of the units can be found; all of them say how rare a word is."""
        self._size = len(units) + 1.0
        self._by_stem: dict[str, list[Unit]] = {}
        taken = [unit for unit in units if take(unit)]
        for unit in taken:
            for stem in telling(unit):
                self._by_stem.setdefault(stem, []).append(unit)
        self._counts: Counter[str] = Counter()
        # The same words come again and again: they are counted by the sentence, not by the word.
        for stems, times in Counter(unit.stems for unit in units if taken).items():
            for stem in set(stems):
                self._counts[stem] += times
        self._heavy: dict[str, float] = {}
        self._most: dict[int, float] = {}

    def _weight(self, stem: str) -> float:
        weight = self._heavy.get(stem)
        if weight is None:
            weight = self._heavy[stem] = log(1.0 + self._size / self._counts[stem])
        return weight

    def later(self, unit: Unit) -> list[Unit]:
        """The sentences that come after this one and speak of its matter, in order."""
        own = telling(unit)
        known = [stem for stem in own if stem in self._by_stem]
        if len(known) < FEWEST:
            return []
        heavy: dict[int, float] = {}
        shared: dict[int, int] = {}
        found: dict[int, Unit] = {}
        for stem in sorted(known):
            weight = self._weight(stem)
            for other in self._by_stem[stem][-CROWD:]:
                at = other.at
                if at in found:
                    heavy[at] += weight
                    shared[at] += 1
                elif comes_after(other, unit):
                    found[at], heavy[at], shared[at] = other, weight, 1
        near = [at for at in sorted(found) if shared[at] >= FEWEST]
        if not near:
            return []
        need = _SAME * sum(self._weight(stem) for stem in sorted(own))
        return [found[at] for at in near if heavy[at] >= min(need, self._least(found[at]))]

    def _least(self, other: Unit) -> float:
        """What a short later sentence must share: most of the little it says."""
        least = self._most.get(other.at)
        if least is None:
            own = sorted(telling(other))
            least = self._most[other.at] = _MOST * sum(self._weight(stem) for stem in own)
        return least


def telling(unit: Unit) -> frozenset[str]:
    return _telling_of(unit.stems)


@lru_cache(maxsize=1 << 15)
def _telling_of(stems: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stem for stem in stems if stem not in COMMON_STEMS and len(stem) > 1)


def comes_after(later: Unit, earlier: Unit) -> bool:
    """Whether a sentence was written after another."""
    if later.entry.day is None or earlier.entry.day is None:
        return later.at > earlier.at
    return later.entry.day > earlier.entry.day or (
        later.entry.day == earlier.entry.day and later.at > earlier.at
    )
