"""Greedy cover: the simple method that stands beside the pages of `lithify bench retention`.

A unit is an entry, or a run of its sentences where the entry is longer than a bullet may be, with its
day before it: a method that kept no dates could not answer when.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Any

from lithify.bench.corpus import Period, date_mark
from lithify.bench.metrics import Piece, piece
from lithify.engines.cover import features_of
from lithify.text.sentences import split
from lithify.text.tokens import estimate
from lithify.text.words import stems_of

#: Tokens of a bullet, and of the date before it.
LIMIT, DATE = 60, 5


@dataclass(frozen=True)
class Unit:
    """A piece of a day with what the methods look at."""

    piece: Piece
    text: str
    place: tuple[str, ...]

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(stems_of(self.text))

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(self.words)


Method = Callable[[Sequence[Unit], int], list[int]]


def units_of(period: Period) -> list[Unit]:
    """Return every entry of the period, cut at sentences where it is longer than a bullet may be."""
    units = []
    for day in period.days:
        for entry in day.entries:
            for text in _cut(entry.text, LIMIT - DATE):
                dated = f"{date_mark(entry)} {text}"
                one = piece(dated, entry.day, period.name, entry.headings)
                units.append(Unit(one, text, entry.headings))
    return [unit for unit in units if unit.stems]


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
    """Return the pieces that a method keeps within a budget, in their own order."""
    chosen = []
    for number in method(units, budget):
        if units[number].piece.tokens <= budget:
            budget -= units[number].piece.tokens
            chosen.append(number)
    return [units[number].piece for number in sorted(chosen)]


def greedy(
    units: Sequence[Unit],
    budget: int,
    features: Sequence[Sequence[Any]],
    weights: Mapping[Any, float],
) -> list[int]:
    """Order units by the weight of the features they add per token, each feature counted once."""
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


def rarity(features: Sequence[Sequence[Any]]) -> dict[Any, float]:
    """Return the weight of each feature: the fewer units have it, the more."""
    counts = Counter(feature for row in features for feature in row)
    return {feature: log(1 + len(features) / count) for feature, count in counts.items()}


def word_cover(units: Sequence[Unit], budget: int) -> list[int]:
    """Order units by greedy cover of rare words, figures and identifiers."""
    features = [sorted(features_of(unit.text)) for unit in units]
    return greedy(units, budget, features, rarity(features))


def cover(period: Period, budget: int) -> list[Piece]:
    """Return what a greedy cover of rare words and specifics keeps of a period within a budget."""
    return select(word_cover, units_of(period), budget)
