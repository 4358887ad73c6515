"""How much words and specifics weigh on a page: rare ones much, common ones little."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log

from lithify.engines.offline.read import Unit
from lithify.text.stems import COMMON_STEMS, COMMON_WEIGHT


def weights_of(units: Sequence[Unit]) -> dict[str, float]:
    """The weight of every stem: the fewer units have it, the more it tells."""
    counts = Counter(stem for one in units for stem in set(one.stems))
    size = len(units) + 1
    return {
        stem: log(1 + size / count) * (COMMON_WEIGHT if stem in COMMON_STEMS else 1.0)
        for stem, count in counts.items()
    }


def weight(stems: Iterable[str], weights: dict[str, float]) -> float:
    """What some stems weigh together."""
    return sum(weights.get(stem, 0.0) for stem in stems)


def has_figure(atom: str) -> bool:
    """Whether a specific is a figure, date or identifier rather than a name."""
    return any(sign.isdigit() for sign in atom)


def figures(atoms: Iterable[str]) -> frozenset[str]:
    """The specifics that hold a digit."""
    return frozenset(atom for atom in atoms if has_figure(atom))
