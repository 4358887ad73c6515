"""Which sentences to keep: a submodular cover of words, word pairs and specifics by lazy greed.

A feature counts fully once and little after that, so the order found is the order of what
each sentence adds to those before it, per token.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from lithify.engines.offline.reading.text import LIMIT, tokens_in
from lithify.engines.offline.reading.units import Unit, stem_counts
from lithify.text.atoms import find_atoms
from lithify.text.stems import COMMON_STEMS, COMMON_WEIGHT


@dataclass(frozen=True, slots=True)
class Taste:
    """How much each kind of feature counts, and how a length is priced.

    `loose` is the part of an atom's weight that a name has which may be a mere capital; `reach` is
    how many words on from a word its pairs go.
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
    reach: int = 2


DEFAULT = Taste()
#: For as many bullets of a group the others are looked at again; a day of a thousand lines has more.
_WATCHED = 8


def ranked(
    units: Sequence[Unit],
    budget: float,
    taste: Taste = DEFAULT,
    beside: Callable[[Unit], object] = lambda unit: (unit.section, unit.entry.day, unit.place),
    told_before: Sequence[str] = (),
) -> list[Unit]:
    """The must-keeps first, then the others by what each adds, until the budget is spent.

    What the page has `told_before`, in bullets of its own, adds little.

    A sentence is cheaper where a bullet that has room for it is begun already, since the date and the
    speaker are paid for; `beside` says which bullets those are. One that leans comes after its noun.
    """
    features, weights = _features(units, taste)
    # What a word or pair adds now: less once it is told, and little from then on.
    gains = weights[:]
    told: set[int] = set()
    told_atoms: set[str] = set()
    for text in told_before:
        told_atoms.update(atom.key for atom in find_atoms(text))
    places: dict[object, int] = {}
    groups = [places.setdefault(beside(unit), len(places)) for unit in units]
    members: list[list[int]] = [[] for _ in places]
    for number, group in enumerate(groups):
        members[group].append(number)
    numbers = {unit.at: number for number, unit in enumerate(units)}
    needs = [numbers.get(unit.at - 1) if unit.leans else None for unit in units]
    taken: set[int] = set()
    waiting: dict[int, int] = {}
    joined = [unit.tokens + taste.joining for unit in units]
    alone = [
        unit.tokens + taste.opening + (tokens_in(unit.label) + 1 if unit.label else 0)
        for unit in units
    ]
    # The bullets begun for each group, and the shortest of them: what it cannot hold, none can.
    sizes: list[list[float]] = [[] for _ in places]
    least: list[float] = [LIMIT] * len(places)
    order: list[Unit] = []
    heap: list[tuple[float, int]] = []

    def price(number: int) -> float:
        more = joined[number]
        return more if least[groups[number]] + more <= LIMIT else alone[number]

    def value(number: int) -> float:
        words, atoms, all_words = features[number]
        new = sum(map(gains.__getitem__, words))
        exact = sum([weight for atom, weight in atoms if atom not in told_atoms])
        # Another figure in a line already told is worth less than one in a line of its own.
        total = new + exact * max(taste.retold, new / all_words)
        return units[number].worth * total / float(price(number) ** taste.power)

    def take(number: int) -> float:
        words, atoms, _ = features[number]
        for word in words:
            gains[word] = weights[word] * (taste.often if word in told else taste.again)
        told.update(words)
        told_atoms.update([atom for atom, _ in atoms])
        order.append(units[number])
        taken.add(number)
        if number in waiting:
            later = waiting.pop(number)
            heapq.heappush(heap, (-value(later), later))
        cost = price(number)
        group = groups[number]
        begun = sizes[group]
        fits = [at for at, size in enumerate(begun) if size + cost <= LIMIT]
        if fits:
            begun[fits[0]] += cost
        else:
            begun.append(cost)
        before, least[group] = least[group], min(begun)
        if heap and least[group] < before and len(begun) <= _WATCHED:
            for other in members[group]:
                # Those that no bullet had room for until now have become cheaper.
                if before + joined[other] > LIMIT and other not in taken:
                    heapq.heappush(heap, (-value(other), other))
        return cost

    spent = sum(take(number) for number, unit in enumerate(units) if unit.must)
    heap = [(-value(n), n) for n, unit in enumerate(units) if not unit.must]
    heapq.heapify(heap)
    while heap and spent < budget:
        key, number = heapq.heappop(heap)
        if number in taken:
            continue
        needed = needs[number]
        if needed is not None and needed not in taken:
            # A pronoun is not told without its noun.
            waiting[needed] = number
            continue
        now = value(number)
        if now < -key and heap and now < -heap[0][0]:
            heapq.heappush(heap, (-now, number))
            continue
        if now <= 0:
            break
        spent += take(number)
    return order


class _Features(NamedTuple):
    """What a sentence has to tell: words and pairs by their numbers, atoms with their weights."""

    words: list[int]
    atoms: list[tuple[str, float]]
    all_words: float


def _features(units: Sequence[Unit], taste: Taste) -> tuple[list[_Features], list[float]]:
    """For each unit its features, and for each number of a word or pair its weight."""
    size = len(units) + 1.0
    atom_counts = Counter([atom for unit in units for atom in unit.atoms])
    rare = {
        stem: log(1.0 + size / count) * (COMMON_WEIGHT if stem in COMMON_STEMS else 1.0)
        for stem, count in stem_counts(units).items()
    }
    rare_atoms = {atom: log(1.0 + size / count) for atom, count in atom_counts.items()}
    numbers: dict[str | tuple[str, str], int] = {stem: at for at, stem in enumerate(rare)}
    weights = [taste.word * weight for weight in rare.values()]
    found: list[_Features] = []
    for unit in units:
        stems = unit.stems
        words = [numbers[stem] for stem in dict.fromkeys(stems)]
        near = [
            (one, other) if one <= other else (other, one)
            for step in range(1, taste.reach + 1)
            for one, other in zip(stems, stems[step:], strict=False)
            if one != other
        ]
        for pair in dict.fromkeys(near) if taste.pair else ():
            if pair not in numbers:
                numbers[pair] = len(weights)
                weights.append(taste.pair * 0.5 * (rare[pair[0]] + rare[pair[1]]))
            words.append(numbers[pair])
        atoms = [
            (
                atom,
                (taste.atom if atom in unit.firm else taste.loose * taste.atom) * rare_atoms[atom],
            )
            for atom in sorted(unit.atoms)
        ]
        found.append(_Features(words, atoms, sum(map(weights.__getitem__, words))))
    return found, weights
