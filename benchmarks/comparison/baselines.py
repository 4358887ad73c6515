"""Simple methods to be measured against, each given the same entries and the same budget.

Each returns an order of preference of the units of `lithify.bench.cover`; the caller takes units while
they fit.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import log
from typing import TYPE_CHECKING

from comparison.page_metrics import alike
from lithify.bench.cover import Method, Unit, greedy, rarity, select, units_of, word_cover

__all__ = ["METHODS", "Method", "Unit", "lead", "lexrank", "select", "units_of"]

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def lead(units: Sequence[Unit], budget: int) -> list[int]:
    """The first units of each day in turn: one of every day, then the second of every day."""
    places: dict[object, int] = {}
    ranks = []
    for number, unit in enumerate(units):
        places[unit.piece.day] = places.get(unit.piece.day, -1) + 1
        ranks.append((places[unit.piece.day], number))
    return [number for _, number in sorted(ranks)]


def chance(units: Sequence[Unit], budget: int) -> list[int]:
    """Any units, the same ones every time."""
    order = list(range(len(units)))
    random.Random(20260401).shuffle(order)
    return order


def lexrank(units: Sequence[Unit], budget: int) -> list[int]:
    """LexRank: centrality in the graph of cosine similarities ≥ 0.1, damping 0.85."""
    import numpy as np

    vectors = _vectors(units)
    graph = (vectors @ vectors.T).tocsr()
    graph.data[graph.data < 0.1] = 0.0
    graph.eliminate_zeros()
    degrees = np.asarray(graph.sum(axis=1)).ravel()
    graph.data /= np.repeat(degrees, np.diff(graph.indptr))
    moved = graph.T.tocsr()
    size = len(units)
    rank = np.full(size, 1.0 / size)
    for _ in range(100):
        after = 0.15 / size + 0.85 * (moved @ rank)
        settled = bool(np.abs(after - rank).sum() < 1e-6)
        rank = after
        if settled:
            break
    return [int(n) for n in np.lexsort((np.arange(size), -rank))]


def mmr(units: Sequence[Unit], budget: int) -> list[int]:
    """Maximal marginal relevance: likeness to the whole less likeness to what is chosen (0.5)."""
    import numpy as np

    vectors = _vectors(units)
    centre = np.asarray(vectors.sum(axis=0)).ravel()
    centre /= np.linalg.norm(centre) or 1.0
    relevance = vectors @ centre
    nearest = np.zeros(len(units))
    open_ = np.ones(len(units), dtype=bool)
    order: list[int] = []
    while budget > 0 and open_.any():
        value = np.where(open_, 0.5 * relevance - 0.5 * nearest, -np.inf)
        number = int(value.argmax())
        order.append(number)
        open_[number] = False
        budget -= units[number].piece.tokens
        alike = np.asarray((vectors @ vectors[number].T).todense()).ravel()
        nearest = np.maximum(nearest, alike)
    return order


def _vectors(units: Sequence[Unit]) -> csr_matrix:
    import numpy as np
    from scipy.sparse import csr_matrix

    counts = [Counter(unit.words) for unit in units]
    frequency = Counter(stem for one in counts for stem in one)
    columns = {stem: at for at, stem in enumerate(frequency)}
    rows, places, values = [], [], []
    for number, one in enumerate(counts):
        weights = {
            stem: count * log(1 + len(units) / frequency[stem]) for stem, count in one.items()
        }
        norm = sum(weight * weight for weight in weights.values()) ** 0.5
        for stem, weight in weights.items():
            rows.append(number)
            places.append(columns[stem])
            values.append(weight / norm)
    shape = (len(units), len(columns))
    return csr_matrix((np.array(values), (np.array(rows), np.array(places))), shape=shape)


def pairs_by_day(units: Sequence[Unit], budget: int) -> list[int]:
    """Greedy cover of pairs of words that stand in one unit, each day's pairs its own."""
    features = [
        [(unit.piece.day, *pair) for pair in combinations(sorted(unit.stems)[:40], 2)]
        for unit in units
    ]
    idf = rarity([sorted(unit.stems) for unit in units])
    weights = {f: (idf[f[1]] + idf[f[2]]) / 2 for row in features for f in row}
    return greedy(units, budget, features, weights)


def folded_lead(units: Sequence[Unit], budget: int) -> list[int]:
    """Near-duplicates (Jaccard ≥ 0.7) dropped, then the first of each heading in turn."""
    frequency = Counter(stem for unit in units for stem in unit.stems)
    by_stem: dict[str, list[int]] = {}
    places: dict[object, int] = {}
    ranks, doubles = [], []
    for number, unit in enumerate(units):
        probes = sorted(unit.stems, key=lambda stem: (frequency[stem], stem))
        probes = probes[: len(probes) - int(0.7 * len(probes) + 0.999999) + 1]
        near = dict.fromkeys(other for stem in probes for other in by_stem.get(stem, ()))
        if any(alike(unit.stems, units[other].stems) for other in near):
            doubles.append(number)
            continue
        for stem in probes:
            by_stem.setdefault(stem, []).append(number)
        key = (unit.piece.day, unit.place)
        places[key] = places.get(key, -1) + 1
        ranks.append((places[key], number))
    return [number for _, number in sorted(ranks)] + doubles


METHODS: Mapping[str, Method] = {
    "lead": lead,
    "random": chance,
    "LexRank": lexrank,
    "TF-IDF MMR": mmr,
    "greedy cover": word_cover,
    "folding + lead": folded_lead,
    "word pairs by day": pairs_by_day,
}
