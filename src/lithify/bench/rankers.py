"""Simple ways to search the same entries, to be measured against.

Each sees an entry's text with its heading path and its date, and gives back whole entries, best
first, while they fit; the first that does not ends the list. What has been shown is not shown
again: an entry with the same words, or, where a ranker skips near-duplicates, with most of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from math import log
from typing import Any

from lithify.bench.metrics import SAME
from lithify.text.stems import stems_of
from lithify.text.tokens import estimate
from lithify.values import Entry

#: How slowly a rank loses weight in rank fusion, as commonly set.
FUSED = 60
#: A list is read until it holds this many tokens: no question has room for more.
TOKENS = 5000
#: As far down as one ranking is looked at by another.
DEPTH = 2000


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage as a reader is given it: the texts of its entries, its day, what it costs.

    `also` are other days it says that it stands on.
    """

    units: tuple[str, ...]
    day: date | None
    tokens: int
    also: tuple[date, ...] = ()


#: A question and a budget in tokens to the passages inside it, best first.
Ask = Callable[[str, int], Sequence[Shown]]
#: Texts to rows of numbers, each of length one.
Embed = Callable[[Sequence[str]], Any]


class Entries:
    """What the rankers share: the entries with their words, and BM25 over them."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self.tokens = [estimate(entry.text) for entry in entries]
        self.own = [frozenset(stems_of(entry.text)) for entry in entries]
        self.postings: dict[str, list[tuple[int, int]]] = {}
        self.lengths: list[int] = []
        for number, entry in enumerate(entries):
            counts = Counter(stems_of(indexed(entry)))
            self.lengths.append(sum(counts.values()))
            for stem, count in counts.items():
                self.postings.setdefault(stem, []).append((number, count))
        self.mean = sum(self.lengths) / len(entries) if entries else 1.0
        self.last: tuple[str, list[int]] = ("", [])

    def bm25(self, question: str) -> list[int]:
        """The entries that share a word with the question, best first (k1 1.2, b 0.75)."""
        # Several rankers ask the same question one after the other.
        if self.last[0] != question:
            self.last = (question, self._bm25(question))
        return self.last[1]

    def _bm25(self, question: str) -> list[int]:
        scores: dict[int, float] = {}
        size = len(self.entries)
        for stem in dict.fromkeys(stems_of(question)):
            found = self.postings.get(stem, [])
            idf = log(1 + (size - len(found) + 0.5) / (len(found) + 0.5))
            for number, count in found:
                norm = 1.2 * (0.25 + 0.75 * self.lengths[number] / self.mean)
                scores[number] = scores.get(number, 0.0) + idf * count * 2.2 / (count + norm)
        return sorted(scores, key=lambda number: (-scores[number], number))


def indexed(entry: Entry) -> str:
    """An entry as it is searched: its date in figures and words, its headings, its text."""
    dated = f"{entry.day} {entry.day:%A %d %B %Y}" if entry.day else ""
    return " ".join((dated, *entry.headings, entry.text))


def asking(entries: Entries, rank: Callable[[str], list[int]], alike: float = 1.0) -> Ask:
    """A ranker as it is asked; entries whose words are `alike` by Jaccard are shown once."""
    last: tuple[str, list[int]] = ("", [])

    def ask(question: str, budget: int) -> list[Shown]:
        nonlocal last
        if last[0] != question:
            last = (question, _different(entries, rank(question), alike))
        found: list[Shown] = []
        for number in last[1]:
            if entries.tokens[number] > budget:
                break
            budget -= entries.tokens[number]
            entry = entries.entries[number]
            found.append(Shown((entry.text,), entry.day, entries.tokens[number]))
        return found

    return ask


def _different(entries: Entries, ranked: Sequence[int], alike: float) -> list[int]:
    kept: list[int] = []
    seen: set[frozenset[str]] = set()
    tokens = 0
    for number in ranked:
        own = entries.own[number]
        if own in seen:
            continue
        seen.add(own)
        if alike < 1 and any(_near(own, entries.own[other], alike) for other in kept):
            continue
        kept.append(number)
        tokens += entries.tokens[number]
        if tokens > TOKENS:
            break
    return kept


def _near(one: frozenset[str], other: frozenset[str], alike: float) -> bool:
    shared = len(one & other)
    return shared >= alike * (len(one) + len(other) - shared)


def by_vectors(entries: Entries, embed: Embed) -> Callable[[str], list[int]]:
    """Entries by the cosine of their embedding with the question's, all of them looked at."""
    import numpy as np

    rows = np.asarray(embed([indexed(entry) for entry in entries.entries]), dtype=np.float32)

    def rank(question: str) -> list[int]:
        likeness = rows @ np.asarray(embed([question]), dtype=np.float32)[0]
        return [int(number) for number in np.argsort(-likeness, kind="stable")[:DEPTH]]

    return rank


def fused(
    one: Callable[[str], list[int]], other: Callable[[str], list[int]]
) -> Callable[[str], list[int]]:
    """Plain reciprocal rank fusion of two rankings."""

    def rank(question: str) -> list[int]:
        scores: dict[int, float] = {}
        for ranked in (one(question), other(question)):
            for place, number in enumerate(ranked[:DEPTH], 1):
                scores[number] = scores.get(number, 0.0) + 1 / (FUSED + place)
        return sorted(scores, key=lambda number: (-scores[number], number))

    return rank


def simple(entries: Sequence[Entry], embed: Embed | None = None) -> dict[str, Ask]:
    """The simple methods by name; those with vectors only where there is an embedding."""
    shared = Entries(entries)
    methods = {
        "BM25": asking(shared, shared.bm25),
        "BM25, folded": asking(shared, shared.bm25, SAME),
    }
    if embed is not None:
        near = by_vectors(shared, embed)
        methods["vectors"] = asking(shared, near)
        methods["rank fusion"] = asking(shared, fused(shared.bm25, near))
    return methods
