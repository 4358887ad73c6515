"""How sure a figure is: bootstrap intervals over the questions, the same on every run.

A figure is a sum over the questions divided by another one: a mean over those it is defined
for, or a share such as precision. A resample draws as many questions as there are, with
replacement; the interval is what the middle of the resamples gives.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

TIMES = 1000
SEED = 20260401
LEVEL = 0.95

#: How often each question is drawn, resample by resample.
Draws = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its interval, and the number of questions it rests on."""

    value: float
    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Ratio:
    """What each question adds above and below the line."""

    above: tuple[float, ...]
    below: tuple[float, ...]

    def value(self) -> float | None:
        whole = sum(self.below)
        return sum(self.above) / whole if whole else None


def mean_of(values: Sequence[float | None]) -> Ratio:
    """The mean over the questions that have a value."""
    return Ratio(
        tuple(0.0 if value is None else value for value in values),
        tuple(0.0 if value is None else 1.0 for value in values),
    )


def draws(count: int, times: int = TIMES, seed: int = SEED) -> Draws:
    """Resamples of `count` questions."""
    source = random.Random(seed)
    found = []
    for _ in range(times):
        times_drawn = [0] * count
        for number in source.choices(range(count), k=count) if count else ():
            times_drawn[number] += 1
        found.append(times_drawn)
    return found


def figure(ratio: Ratio, drawn: Draws) -> Figure | None:
    """A ratio with its interval; None where no question has it."""
    value = ratio.value()
    if value is None:
        return None
    low, high = _middle(sorted(part for part in _resampled(ratio, drawn) if part is not None))
    count = sum(1 for part in ratio.below if part)
    return Figure(value, min(low, value), max(high, value), count)


def difference(one: Ratio, other: Ratio, drawn: Draws) -> Figure | None:
    """How much the first is above the second on the same questions."""
    ours, theirs = one.value(), other.value()
    if ours is None or theirs is None:
        return None
    pairs = zip(_resampled(one, drawn), _resampled(other, drawn), strict=True)
    low, high = _middle(sorted(a - b for a, b in pairs if a is not None and b is not None))
    count = sum(1 for part in one.below if part)
    return Figure(ours - theirs, min(low, ours - theirs), max(high, ours - theirs), count)


def _resampled(ratio: Ratio, drawn: Draws) -> list[float | None]:
    found: list[float | None] = []
    for times_drawn in drawn:
        whole = sum(map(mul, times_drawn, ratio.below))
        found.append(sum(map(mul, times_drawn, ratio.above)) / whole if whole else None)
    return found


def _middle(ordered: Sequence[float]) -> tuple[float, float]:
    """The bounds of the middle part of ordered values, between neighbours where they fall so."""
    if not ordered:
        return float("inf"), float("-inf")
    return _at(ordered, (1 - LEVEL) / 2), _at(ordered, (1 + LEVEL) / 2)


def _at(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
