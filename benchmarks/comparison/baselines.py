"""Simple methods to be measured against, each given the same entries and the same budget.

A unit is an entry, or a run of its sentences where the entry is longer than a bullet may be,
with its day and its heading's subject before it as the engine writes them: a method that kept
no dates could not answer when, and one that kept no headings, about what. Each method returns an order of preference; the caller takes units while they fit.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log
from typing import TYPE_CHECKING, Any

from comparison.page_metrics import alike
from lithify.bench.corpus import Period, date_mark
from lithify.bench.metrics import Piece, piece
from lithify.text.headings import short_subject
from lithify.text.sentences import split
from lithify.text.specifics import atom_keys
from lithify.text.stems import stems_of
from lithify.text.tokens import estimate

#: Tokens of a bullet, and of the date before it.
LIMIT, DATE = 60, 5

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a day with what the methods look at."""

    piece: Piece
    words: tuple[str, ...]
    stems: frozenset[str]
    text: str
    place: tuple[str, ...]

    @property
    def atoms(self) -> list[str]:
        """Its atoms in order; read only by the methods that look at them."""
        return sorted(atom_keys(self.text, self.piece.day))


Method = Callable[[Sequence[Unit], int], list[int]]


def units_of(period: Period) -> list[Unit]:
    """Every entry of the period, cut at sentences where it is longer than a bullet may be."""
    units = []
    for day in period.days:
        for entry in day.entries:
            mark = date_mark(entry)
            subject = short_subject(entry.headings)
            named = set(stems_of(subject))
            room = LIMIT - DATE - (estimate(subject) + 2 if subject else 0)
            for text in _cut(entry.text, room):
                words = tuple(stems_of(text))
                if not words:
                    continue
                if subject and not named <= set(words):
                    text = f"{subject}: {text}"
                    words = tuple(stems_of(text))
                dated = piece(f"{mark} {text}", entry.day, period.name, entry.headings)
                units.append(Unit(dated, words, frozenset(words), text, entry.headings))
    return units


def _cut(text: str, room: int) -> list[str]:
    if estimate(text) < room:
        return [text]
    parts: list[str] = []
    for sentence in split(text):
        if parts and estimate(f"{parts[-1]} {sentence}") < room:
            parts[-1] = f"{parts[-1]} {sentence}"
        elif estimate(sentence) < room:
            parts.append(sentence)
        else:
            parts.extend(_by_words(sentence, room))
    return parts


def _by_words(sentence: str, room: int) -> list[str]:
    parts: list[str] = []
    now: list[str] = []
    for word in sentence.split():
        if now and estimate(" ".join([*now, word])) >= room:
            parts.append(" ".join(now))
            now = []
        now.append(word[:200])
    return [part for part in [*parts, " ".join(now)] if estimate(part) < room]


def select(method: Method, units: Sequence[Unit], budget: int) -> list[Piece]:
    """The pieces a method keeps within a budget, in their own order."""
    chosen = []
    for number in method(units, budget):
        if units[number].piece.tokens <= budget:
            budget -= units[number].piece.tokens
            chosen.append(number)
    return [units[number].piece for number in sorted(chosen)]


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


def _greedy(
    units: Sequence[Unit],
    budget: int,
    features: Sequence[Sequence[Any]],
    weights: Mapping[Any, float],
) -> list[int]:
    """Units by the weight of the features they add per token, each feature counted once."""
    covered: set[Any] = set()

    def gain(number: int) -> float:
        new = sum(weights[f] for f in features[number] if f not in covered)
        return new / units[number].piece.tokens

    heap = [(-gain(number), number) for number in range(len(units))]
    heapq.heapify(heap)
    order: list[int] = []
    while heap and budget > 0:
        _, number = heapq.heappop(heap)
        now = gain(number)
        if heap and now < -heap[0][0]:
            heapq.heappush(heap, (-now, number))
            continue
        if now <= 0:
            break
        covered.update(features[number])
        order.append(number)
        budget -= units[number].piece.tokens
    # What is left of the budget goes to the rest in their own order.
    taken = set(order)
    return order + [number for number in range(len(units)) if number not in taken]


def _idf(features: Sequence[Sequence[Any]]) -> dict[Any, float]:
    counts = Counter(feature for row in features for feature in row)
    return {feature: log(1 + len(features) / count) for feature, count in counts.items()}


def atom_cover(units: Sequence[Unit], budget: int) -> list[int]:
    """Greedy cover of atoms."""
    features = [unit.atoms for unit in units]
    return _greedy(units, budget, features, _idf(features))


def word_atom_cover(units: Sequence[Unit], budget: int) -> list[int]:
    """Greedy cover of idf-weighted words and atoms together."""
    features = [[*sorted(unit.stems), *(("atom", a) for a in unit.atoms)] for unit in units]
    return _greedy(units, budget, features, _idf(features))


def pairs_by_day(units: Sequence[Unit], budget: int) -> list[int]:
    """Greedy cover of pairs of words that stand in one unit, each day's pairs its own."""
    features = [
        [(unit.piece.day, *pair) for pair in combinations(sorted(unit.stems)[:40], 2)]
        for unit in units
    ]
    idf = _idf([sorted(unit.stems) for unit in units])
    weights = {f: (idf[f[1]] + idf[f[2]]) / 2 for row in features for f in row}
    return _greedy(units, budget, features, weights)


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
    "atom cover": atom_cover,
    "word+atom cover": word_atom_cover,
    "folding + lead": folded_lead,
    "word pairs by day": pairs_by_day,
}
