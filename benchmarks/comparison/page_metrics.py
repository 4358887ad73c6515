"""Figures of pages that the package's own command leaves out: tier search and redundancy.

*Tier search* is plain BM25 (k1 1.2, b 0.75) over a tier's units with the question's words as the
query. The heading path and the day of the entry a unit cites first are indexed with its text and
neither counted nor returned, near-duplicates (Jaccard of words ≥ 0.7) are returned once, and the
answer stops at the first unit that does not fit 1,000 tokens. Of the ways to count that were tried
it is the one that comes nearest to published figures of simple methods on repetitive logs.

*Redundancy* is counted page by page, since a page is what is read at once: what a week repeats
of another week is the source's, and stands beside it as `redundancy_across`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import log

from lithify.bench import metrics
from lithify.bench.metrics import Piece, Score, Source
from lithify.text.words import stems_of

SAME = 0.7
RETURNED = 1000


def score(pieces: Sequence[Piece], source: Source) -> Score:
    """Return every figure of one method at one tier."""
    stems = [frozenset(stems_of(piece.text)) for piece in pieces]
    found = replace(
        metrics.score(pieces, source),
        redundancy=redundancy(pieces, stems, within=True),
        redundancy_across=redundancy(pieces, stems),
    )
    if not source.asked:
        return found
    index = Index(pieces, stems)
    shares = [metrics.weight(q, index.search(q.question)) for q in source.asked if q.words]
    return replace(found, tier_search=metrics.mean(shares))


def redundancy(
    pieces: Sequence[Piece], stems: Sequence[frozenset[str]], within: bool = False
) -> float:
    """Share of tokens in units whose word set has Jaccard ≥ 0.7 with another unit.

    `within`: another unit of the same page; otherwise of the whole tier, where a week that
    repeats what last week said counts as well.
    """
    frequency = Counter(stem for own in stems for stem in own)
    by_stem: dict[str, list[int]] = {}
    double: set[int] = set()
    for number, own in enumerate(stems):
        ranked = sorted(own, key=lambda stem: (frequency[stem], stem))
        # Two sets this alike share one of the rarest words of each.
        probes = ranked[: len(own) - int(SAME * len(own) + 0.999999) + 1]
        tried: set[int] = set()
        for stem in probes:
            key = f"{pieces[number].page} {stem}" if within else stem
            for other in by_stem.setdefault(key, []):
                if other in tried:
                    continue
                tried.add(other)
                if alike(own, stems[other]):
                    double.add(number)
                    double.add(other)
            by_stem[key].append(number)
    total = sum(piece.tokens for piece in pieces)
    return sum(pieces[n].tokens for n in double) / total if total else 0.0


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sets of words are near-duplicates."""
    shared = len(one & other)
    return shared >= SAME * (len(one) + len(other) - shared)


def _fields(one: Piece) -> str:
    """Return what a search knows of a bullet beside its text."""
    days = [one.day.isoformat(), f"{one.day:%A %d %B %Y}"] if one.day else []
    return " ".join([*one.headings, *days])


class Index:
    """BM25 over a tier's own units, each with the fields a search knows of it."""

    def __init__(self, pieces: Sequence[Piece], stems: Sequence[frozenset[str]]) -> None:
        self.pieces, self.stems = pieces, stems
        self.postings: dict[str, list[tuple[int, int]]] = {}
        self.lengths: list[int] = []
        for number, one in enumerate(pieces):
            counts = Counter(stems_of(f"{one.text} {_fields(one)}"))
            self.lengths.append(sum(counts.values()))
            for stem, count in counts.items():
                self.postings.setdefault(stem, []).append((number, count))
        self.mean = sum(self.lengths) / len(pieces) if pieces else 1.0

    def search(self, query: Sequence[str]) -> frozenset[str]:
        """The words of the best units for a query, up to 1,000 tokens of them."""
        scores: dict[int, float] = {}
        size = len(self.pieces)
        for stem in query:
            found = self.postings.get(stem, [])
            idf = log(1 + (size - len(found) + 0.5) / (len(found) + 0.5))
            for number, count in found:
                norm = 1.2 * (0.25 + 0.75 * self.lengths[number] / self.mean)
                scores[number] = scores.get(number, 0.0) + idf * count * 2.2 / (count + norm)
        room = RETURNED
        words: set[str] = set()
        shown: list[frozenset[str]] = []
        for number in sorted(scores, key=lambda n: (-scores[n], n)):
            own = self.stems[number]
            if any(alike(own, other) for other in shown):
                continue
            if self.pieces[number].tokens > room:
                break
            room -= self.pieces[number].tokens
            words |= own
            shown.append(own)
        return frozenset(words)
