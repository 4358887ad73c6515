"""Greedy cover: the simple method that stands beside the pages of `lithify bench retention`.

A unit is an entry, or a run of its sentences where the entry is longer than a bullet may be,
with its day and its heading's subject before it as the engine writes them: a method that kept
no dates could not answer when, and one that kept no headings, about what.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

from lithify.bench.corpus import Period, date_mark
from lithify.bench.metrics import Piece, piece
from lithify.text.headings import short_subject
from lithify.text.sentences import split
from lithify.text.specifics import atom_keys
from lithify.text.stems import stems_of
from lithify.text.tokens import estimate

#: Tokens of a bullet, and of the date before it.
LIMIT, DATE = 60, 5


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


def greedy(
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


def rarity(features: Sequence[Sequence[Any]]) -> dict[Any, float]:
    """The weight of each feature: the fewer units have it, the more."""
    counts = Counter(feature for row in features for feature in row)
    return {feature: log(1 + len(features) / count) for feature, count in counts.items()}


def word_atom_cover(units: Sequence[Unit], budget: int) -> list[int]:
    """Greedy cover of idf-weighted words and atoms together."""
    features = [[*sorted(unit.stems), *(("atom", a) for a in unit.atoms)] for unit in units]
    return greedy(units, budget, features, rarity(features))


def cover(period: Period, budget: int) -> list[Piece]:
    """What a greedy cover of rare words and specifics keeps of a period within a budget."""
    return select(word_atom_cover, units_of(period), budget)
