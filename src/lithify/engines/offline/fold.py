"""Near-duplicates folded: the first statement stands for those that add nothing to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lithify.engines.offline.units import Unit

SAME = 0.7
_PROBES = 4
_CROWD = 40


def last_states(units: Sequence[Unit]) -> list[Unit]:
    """Of lines that differ in a figure only, the last; the others are folded into it."""
    kept = fold(units[::-1], changes=False)[::-1]
    for unit in kept:
        unit.folded.sort(key=lambda twin: twin.at)
    return kept


def fold(units: Sequence[Unit], changes: bool = True) -> list[Unit]:
    """The units that say something of their own; each holds those folded into it.

    A later unit with other figures or names is a change and stays, unless `changes` is off.
    Words are probed rarest first, so the work stays linear where lines recur.
    """
    counts = Counter(stem for unit in units for stem in set(unit.stems))
    by_stem: dict[str, list[int]] = {}
    kept: list[Unit] = []
    sets: list[frozenset[str]] = []
    exact: dict[tuple[str, ...], int] = {}
    for unit in units:
        words = frozenset(unit.stems)
        same = exact.get(unit.stems)
        if same is None or (changes and not unit.firm <= kept[same].firm):
            same = _find(unit, words, kept, sets, by_stem, counts, changes)
        if same is not None:
            kept[same].folded += [unit, *unit.folded]
            continue
        number = len(kept)
        exact.setdefault(unit.stems, number)
        kept.append(unit)
        sets.append(words)
        for stem in _probes(words, counts):
            by_stem.setdefault(stem, []).append(number)
    return kept


def _probes(words: frozenset[str], counts: Counter[str]) -> list[str]:
    ranked = sorted(words, key=lambda stem: (counts[stem], stem))
    return ranked[: max(_PROBES, len(ranked) * 2 // 5)]


def _find(
    unit: Unit,
    words: frozenset[str],
    kept: Sequence[Unit],
    sets: Sequence[frozenset[str]],
    by_stem: dict[str, list[int]],
    counts: Counter[str],
    changes: bool,
) -> int | None:
    tried: set[int] = set()
    for stem in _probes(words, counts):
        for number in by_stem.get(stem, ())[-_CROWD:]:
            if number in tried:
                continue
            tried.add(number)
            other = sets[number]
            shared = len(words & other)
            if (
                shared >= SAME * (len(words) + len(other) - shared)
                and (not changes or unit.firm <= kept[number].firm)
                and unit.label == kept[number].label
            ):
                return number
    return None
