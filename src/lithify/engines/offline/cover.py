"""Which sentences to keep: a submodular cover of words, word pairs and specifics by lazy greed.

A feature counts fully once and little after that, so the order found is the order of what
each sentence adds to those before it, per token.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from lithify.engines.offline.units import Unit
from lithify.engines.offline.words import COMMON_STEMS, COMMON_WEIGHT


@dataclass(frozen=True, slots=True)
class Taste:
    """How much each kind of feature counts, and how a length is priced.

    `loose` is the part of an atom's weight that a name has which may be a mere capital.
    """

    word: float = 1.0
    pair: float = 0.2
    atom: float = 7.5
    again: float = 0.5
    often: float = 0.1
    opening: float = 6.0
    retold: float = 0.1
    joining: float = 3.0
    loose: float = 0.5
    power: float = 0.8


DEFAULT = Taste()


def ranked(units: Sequence[Unit], budget: float, taste: Taste = DEFAULT) -> list[Unit]:
    """The must-keeps first, then the others by what each adds, until the budget is spent.

    A sentence is cheaper where a bullet of its day and heading is begun already, since the
    date and the subject are paid for.
    """
    features = _features(units, taste)
    groups = [(unit.section, unit.entry.day, unit.place) for unit in units]
    members: dict[object, list[int]] = {}
    for number, group in enumerate(groups):
        members.setdefault(group, []).append(number)
    seen: dict[int, int] = {}
    taken: set[int] = set()
    begun: set[object] = set()
    order: list[Unit] = []
    heap: list[tuple[float, int]] = []

    def price(number: int) -> float:
        return units[number].tokens + (taste.joining if groups[number] in begun else taste.opening)

    def value(number: int) -> float:
        words, specifics, all_words = features[number]
        new = 0.0
        for feature, weight in words:
            times = seen.get(feature, 0)
            if times == 0:
                new += weight
            elif times == 1:
                new += weight * taste.again
            else:
                new += weight * taste.often
        exact = sum(weight for feature, weight in specifics if feature not in seen)
        # Another figure in a line already told is worth less than one in a line of its own.
        total = new + exact * max(taste.retold, new / all_words)
        return units[number].worth * total / float(price(number) ** taste.power)

    def take(number: int) -> float:
        for row in features[number][:2]:
            for feature, _ in row:
                seen[feature] = seen.get(feature, 0) + 1
        order.append(units[number])
        taken.add(number)
        cost = price(number)
        group = groups[number]
        if group not in begun:
            begun.add(group)
            if heap:
                for other in members[group]:
                    if other not in taken:
                        heapq.heappush(heap, (-value(other), other))
        return cost

    spent = sum(take(number) for number, unit in enumerate(units) if unit.must)
    heap = [(-value(n), n) for n, unit in enumerate(units) if not unit.must]
    heapq.heapify(heap)
    while heap and spent < budget:
        key, number = heapq.heappop(heap)
        if number in taken:
            continue
        now = value(number)
        if now < -key and heap and now < -heap[0][0]:
            heapq.heappush(heap, (-now, number))
            continue
        if now <= 0:
            break
        spent += take(number)
    return order


_Row = list[tuple[int, float]]


def _features(units: Sequence[Unit], taste: Taste) -> list[tuple[_Row, _Row, float]]:
    """For each unit its words and pairs, its atoms, as numbers with weights, and the words' sum."""
    words: list[list[str]] = []
    pairs: list[list[tuple[str, str]]] = []
    for unit in units:
        own = list(dict.fromkeys(unit.stems))
        words.append(own)
        near = dict.fromkeys(
            (a, b) if a <= b else (b, a)
            for step in (1, 2)
            for a, b in zip(unit.stems, unit.stems[step:], strict=False)
            if a != b
        )
        pairs.append(list(near))
    size = len(units) + 1.0
    word_counts = Counter(stem for own in words for stem in own)
    atom_counts = Counter(atom for unit in units for atom in unit.atoms)
    numbers: dict[object, int] = {}
    weight_of: dict[str, float] = {}
    for stem, count in word_counts.items():
        weight = log(1.0 + size / count)
        weight_of[stem] = weight * (COMMON_WEIGHT if stem in COMMON_STEMS else 1.0)
    found: list[tuple[_Row, _Row, float]] = []
    for unit, own, joined in zip(units, words, pairs, strict=True):
        row: _Row = [
            (numbers.setdefault(stem, len(numbers)), taste.word * weight_of[stem]) for stem in own
        ]
        if taste.pair:
            row += [
                (
                    numbers.setdefault(pair, len(numbers)),
                    taste.pair * 0.5 * (weight_of[pair[0]] + weight_of[pair[1]]),
                )
                for pair in joined
            ]
        specifics = [
            (
                numbers.setdefault(("atom", atom), len(numbers)),
                (taste.atom if atom in unit.firm else taste.loose * taste.atom)
                * log(1.0 + size / atom_counts[atom]),
            )
            for atom in sorted(unit.atoms)
        ]
        found.append((row, specifics, sum(weight for _, weight in row)))
    return found
