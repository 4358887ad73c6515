"""Which later sentences speak of the matter of an earlier one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from math import log

from lithify.engines.offline.reading.units import Unit, stem_counts
from lithify.text.stems import COMMON_STEMS

CROWD = 60
#: The share of a sentence's telling words, rare ones counting more, that makes one matter of two.
_SAME = 0.45
FEWEST = 2
_MOST = 0.7


class Rarity(dict[str, float]):
    """How much each word tells among some sentences: the more, the fewer of them have it."""

    def __init__(self, units: Sequence[Unit]) -> None:
        super().__init__()
        self._units = units

    @cached_property
    def counts(self) -> dict[str, int]:
        """In how many of the sentences each word stands."""
        return stem_counts(self._units)

    def __missing__(self, stem: str) -> float:
        weight = self[stem] = log(1.0 + (len(self._units) + 1.0) / self.counts[stem])
        return weight

    def together(self, stems: frozenset[str]) -> float:
        """How much some words tell, always added in one order."""
        return sum(map(self.__getitem__, sorted(stems)))


class Matter:
    """Which later sentences speak of what an earlier one speaks of, by their rare words."""

    def __init__(
        self, units: Sequence[Unit], take: Callable[[Unit], bool], rarity: Rarity | None = None
    ) -> None:
        """`take` says which of the units can be found; all of them say how rare a word is.

        `rarity` is that of the units, where it is known already.
        """
        self._rarity = Rarity(units) if rarity is None else rarity
        self._by_stem: dict[str, list[Unit]] = {}
        for unit in filter(take, units):
            for stem in telling(unit):
                self._by_stem.setdefault(stem, []).append(unit)
        self._most: dict[int, float] = {}
        self._near: dict[frozenset[str], list[Unit]] = {}

    def later(self, unit: Unit) -> list[Unit]:
        """The sentences that come after this one and speak of its matter, in order."""
        own = telling(unit)
        near = self._near.get(own)
        if near is None:
            near = self._near[own] = self._speaking_of(own)
        return [one for one in near if comes_after(one, unit)]

    def _speaking_of(self, own: frozenset[str]) -> list[Unit]:
        """All the sentences that speak of the matter of these words, in order."""
        known = sorted(stem for stem in own if stem in self._by_stem)
        if len(known) < FEWEST:
            return []
        heavy: dict[int, float] = {}
        shared: dict[int, int] = {}
        found: dict[int, Unit] = {}
        for stem in known:
            weight = self._rarity[stem]
            for other in self._by_stem[stem][-CROWD:]:
                at = other.at
                if at in found:
                    heavy[at] += weight
                    shared[at] += 1
                else:
                    found[at], heavy[at], shared[at] = other, weight, 1
        near = [at for at in sorted(found) if shared[at] >= FEWEST]
        if not near:
            return []
        need = _SAME * self._rarity.together(own)
        return [found[at] for at in near if heavy[at] >= min(need, self._least(found[at]))]

    def _least(self, other: Unit) -> float:
        """What a short later sentence must share: most of the little it says."""
        least = self._most.get(other.at)
        if least is None:
            least = self._most[other.at] = _MOST * self._rarity.together(telling(other))
        return least


def telling(unit: Unit) -> frozenset[str]:
    return _telling_of(unit.stems)


@lru_cache(maxsize=1 << 12)
def _telling_of(stems: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stem for stem in stems if stem not in COMMON_STEMS and len(stem) > 1)


def comes_after(later: Unit, earlier: Unit) -> bool:
    """Whether a sentence was written after another."""
    if later.entry.day is None or earlier.entry.day is None:
        return later.at > earlier.at
    return later.entry.day > earlier.entry.day or (
        later.entry.day == earlier.entry.day and later.at > earlier.at
    )
