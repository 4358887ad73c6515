"""The documents that hold a query's terms, best first, without reading what cannot matter.

Terms are taken rarest first. Once enough postings have been read, the common ones that are left
only raise documents already found: what holds nothing but common words answers nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from heapq import nlargest
from itertools import islice
from math import log

from lithify.index.read import Doc, Index, Outline, Term
from lithify.index.tables import FULL, TOP

#: Postings read in full; what comes after them is looked up for the best documents only.
_READ = 60_000
_LOOKED_UP = 1_500
#: What a term tells that every document holds: in a small memory that is most of them.
_LEAST = 0.3
#: All days there are, and what has none.
EVER = (0, 1 << 40)


def rarity(size: int, holding: int) -> float:
    """How much a term tells that so many of so many documents hold."""
    return max(_LEAST, log(1 + (size - holding + 0.5) / (holding + 0.5)))


def lexical(
    index: Index, terms: Mapping[str, float], known: Mapping[str, Term], shelf: int = 0
) -> dict[int, float]:
    """Documents with their scores (BM25 over text and headings)."""
    size = index.size(shelf)
    weighted = []
    for word, weight in terms.items():
        term = known.get(word)
        holding = (term.pages if shelf else term.days) if term else 0
        if term and holding:
            weighted.append((weight * rarity(size, holding), word, holding, term))
    weighted.sort(key=lambda one: (-one[0], one[1]))
    scores: dict[int, float] = {}
    read = 0
    best: list[int] | None = None
    for value, _, holding, term in weighted:
        factor = value * FULL / TOP
        if scores and read + holding > _READ:
            if best is None:
                limit = nlargest(_LOOKED_UP, scores.values())[-1]
                best = sorted(doc for doc, score in scores.items() if score >= limit)
                scores = {doc: scores[doc] for doc in best}
            _raise(index, term, shelf, factor, best, scores)
            continue
        read += holding
        for base, docs, weights in index.postings(term, shelf):
            if not scores and not base:
                scores = {doc: factor * weight for doc, weight in zip(docs, weights, strict=True)}
                continue
            get = scores.get
            for doc, weight in zip(docs, weights, strict=True):
                doc += base
                scores[doc] = get(doc, 0.0) + factor * weight
    return scores


def _raise(
    index: Index, term: Term, shelf: int, factor: float, best: list[int], scores: dict[int, float]
) -> None:
    blocks: dict[int, tuple[memoryview, bytes]] = {
        base: (docs, weights) for base, docs, weights in index.postings(term, shelf)
    }
    for doc in best:
        block = blocks.get(doc & ~0xFFFF)
        if block is None:
            continue
        docs, weights = block
        low = doc & 0xFFFF
        at = bisect_left(docs, low)
        if at < len(docs) and docs[at] == low:
            scores[doc] += factor * weights[at]


def best_docs(
    index: Index, scores: Mapping[int, float], most: int, window: tuple[int, int]
) -> dict[int, Doc]:
    """The best document of each of the best texts within a window of days, best first."""
    first: dict[int, int] = {}
    limit = float("inf")
    wide = most + most // 8
    while len(first) < most:
        left = [score for score in scores.values() if score < limit]
        if not left:
            break
        low = _nth(left, wide) if wide < len(left) else 0.0
        # Equals are all in or all out: a number in the index is no reason to be preferred.
        known = index.outlines([doc for doc, score in scores.items() if low <= score < limit])
        inside = days_of(index, known, window)
        best = sorted([(-scores[doc], known[doc].key, known[doc].head, doc) for doc in inside])
        for _, key, _, doc in best:
            first.setdefault(key, doc)
        limit, wide = low, wide * 2
    return index.docs(islice(first.values(), most))


def _nth(values: list[float], place: int) -> float:
    """The value at a place, counted from the largest."""
    # To sort a few costs less than to pick out the largest; to sort very many does not.
    return sorted(values)[-place] if len(values) < 16 * place else nlargest(place, values)[-1]


def days_of(
    index: Index, docs: Mapping[int, Doc] | Mapping[int, Outline], window: tuple[int, int]
) -> dict[int, tuple[int, int]]:
    """The first and the last day of documents within a window; those outside it are left out."""
    low, high = window
    days = {id: (d.first, d.last) for id, d in docs.items() if low <= d.first and d.last <= high}
    if len(days) < len(docs):
        across = [id for id, d in docs.items() if id not in days and d.first <= high]
        days.update(index.days(across, low, high))
    return days
