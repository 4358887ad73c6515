"""Every bullet of a month traces to a week: what no week told is told beside what one did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from lithify.engines.offline.matters.matter import telling
from lithify.engines.offline.page.bullets import Bullet, sources
from lithify.engines.offline.reading.openings import head_of
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.stems import COMMON_STEMS

#: A word in more sentences than these, and in more than this part of them, binds nothing.
_FEW, _PART, _MOST = 6, 25, 12
_SHARED = 2
_OWN = 4


def _heads(unit: Unit) -> tuple[str, str]:
    return unit.label.lower(), head_of(unit.entry.text).lower()


def _words(unit: Unit) -> frozenset[str]:
    """The telling words of a sentence, its label and what its paragraph is headed with."""
    under = stems_in(f"{head_of(unit.entry.text)} {unit.label}")
    return telling(unit).union(stem for stem in under if stem not in COMMON_STEMS)


class Traces:
    """Which sentences a month may tell: those of its weeks, and what goes on from one of them.

    `cited` are the ids that the weeks cite; where there are none, all sentences are the weeks'.
    """

    def __init__(self, units: Sequence[Unit], cited: Set[str]) -> None:
        self._cited = cited
        self._by_stem: dict[str, list[Unit]] = {}
        self._under: dict[str, Unit] = {}
        self._beside: dict[object, list[Unit]] = {}
        if not cited or all(unit.entry.id in cited for unit in units):
            self._cited = frozenset(unit.entry.id for unit in units)
            return
        most = min(_MOST, max(_FEW, len(units) // _PART))
        self._counts = Counter(stem for unit in units for stem in _words(unit))
        self._rare = frozenset(stem for stem, n in self._counts.items() if n <= most)
        for unit in units:
            if unit.entry.id in cited:
                self._under.update(dict.fromkeys(filter(None, _heads(unit)), unit))
                self._beside.setdefault((unit.entry.day, unit.place), []).append(unit)
                for stem in _words(unit) & self._rare:
                    self._by_stem.setdefault(stem, []).append(unit)

    def holds(self, unit: Unit) -> bool:
        """Whether a sentence is a week's, or one of a week's matter."""
        return self._is_cited([unit]) or self._kin(unit) is not None

    def bound(self, bullets: Sequence[Bullet]) -> Iterator[Bullet]:
        """The bullets that trace to a week; one that tells more of a week's matter cites that too."""
        for bullet in bullets:
            if self._is_cited(bullet.units):
                yield bullet
                continue
            kin = next(filter(None, map(self._kin, bullet.units)), None)
            if kin is None and bullet.fixed:
                kin = self._near(bullet.units[0])
            if kin is not None:
                first, *others = bullet.units
                twin = replace(kin, must=True, folded=[])
                bullet.units = [replace(first, folded=[*first.folded, twin]), *others]
                yield bullet

    def _is_cited(self, units: Sequence[Unit]) -> bool:
        return not self._cited.isdisjoint(sources(units))

    def _near(self, unit: Unit) -> Unit | None:
        """The sentence of a week that stands nearest in the same list or paragraphs of the day."""
        found = [
            one
            for one in self._beside.get((unit.entry.day, unit.place), ())
            if abs(one.at - unit.at) <= _OWN
        ]
        return min(found, key=lambda one: (abs(one.at - unit.at), one.at), default=None)

    def _kin(self, unit: Unit) -> Unit | None:
        """The sentence of a week that shares most rare words with another, the last of several."""
        shared: dict[int, int] = {}
        near: dict[int, Unit] = {}
        for stem in sorted(_words(unit) & self._rare):
            # A word of very few sentences tells a matter alone.
            weight = _SHARED if self._counts[stem] <= _OWN and not stem.isdigit() else 1
            for one in self._by_stem.get(stem, ()):
                near[one.at] = one
                shared[one.at] = shared.get(one.at, 0) + weight
        for head in _heads(unit):
            if head in self._under:
                return self._under[head]
        best = max(near, key=lambda at: (shared[at], at), default=-1)
        return near[best] if near and shared[best] >= _SHARED else None
