"""The candidates for an answer: entries and passages that hold a query's terms, scored with BM25."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from heapq import nlargest
from itertools import islice
from math import log
from typing import Any

from lithify.search.index import ENTRIES, FULL, TOP, Doc, EntryPlace, Index, Outline, Term

#: Once so many postings are read, further terms are looked up for the best documents only.
_MOST_READ = 60_000
_MOST_LOOKED_UP = 1_500
#: The weight of a term that every document holds; in a small memory most terms are like that.
_MIN_RARITY = 0.3
#: A window of days that holds every day, and documents without a day (0).
ALL_DAYS = (0, 1 << 40)


class Ranked:
    """Documents with their scores while they are being ranked.

    `order` lists them best first, `days` has their first and last day, `steps` the places in
    summaries that led to them. `known` holds the query's terms that the index has, `rarity` the
    inverse document frequency of each. `passages` has the scores of passages, and `features` the
    figures that the ranker weighs; `best_passage` has the documents of the passage with the best score,
    `nearest` is the similarity of the nearest text by its vector.
    """

    def __init__(self) -> None:
        self.scores: dict[int, float] = {}
        self.order: list[int] = []
        self.docs: dict[int, Doc] = {}
        self.days: dict[int, tuple[int, int]] = {}
        self.steps: dict[int, list[EntryPlace]] = {}
        self.rarity: dict[str, float] = {}
        self.known: dict[str, Term] = {}
        self.passages: dict[int, float] = {}
        self.best_passage: list[int] = []
        self.features: dict[int, Any] = {}
        self.nearest = 0.0

    @property
    def top(self) -> float:
        return max(self.scores.values(), default=0.0)


def best_first(found: Ranked) -> list[int]:
    """Documents best first. Equal scores are ordered by text, never by number in the index."""
    scores, docs = found.scores, found.docs
    ids: Iterable[int] = scores
    if len(set(scores.values())) < len(scores):
        by_words = sorted([(docs[id].key, docs[id].about, id) for id in scores])
        ids = [id for _, _, id in by_words]
    return sorted(ids, key=scores.__getitem__, reverse=True)


def rarity(size: int, holding: int) -> float:
    """The inverse document frequency of a term that `holding` of `size` documents hold."""
    return max(_MIN_RARITY, log(1 + (size - holding + 0.5) / (holding + 0.5)))


def most_possible(
    index: Index, terms: Mapping[str, float], known: Mapping[str, Term], shelf: int
) -> float:
    """The BM25 score of a document that would say nothing but the query, again and again."""
    size = index.size(shelf)
    held = {word: known[word].held(shelf) if word in known else 0 for word in terms}
    return FULL * sum(weight * rarity(size, held[word]) for word, weight in terms.items()) or 1.0


def bm25(
    index: Index, terms: Mapping[str, float], known: Mapping[str, Term], shelf: int = ENTRIES
) -> dict[int, float]:
    """Score the documents of a shelf that hold any of the terms, with BM25 over text and headings.

    Terms are read rarest first. Once enough postings are read, the common terms that are left only
    raise documents already found: a document with nothing but common words answers nothing.
    """
    size = index.size(shelf)
    weighted = []
    for word, weight in terms.items():
        term = known.get(word)
        holding = term.held(shelf) if term else 0
        if term and holding:
            weighted.append((weight * rarity(size, holding), word, holding, term))
    weighted.sort(key=lambda one: (-one[0], one[1]))
    scores: dict[int, float] = {}
    read = 0
    best: list[int] | None = None
    for value, _, holding, term in weighted:
        factor = value * FULL / TOP
        if scores and read + holding > _MOST_READ:
            if best is None:
                limit = nlargest(_MOST_LOOKED_UP, scores.values())[-1]
                best = sorted(doc for doc, score in scores.items() if score >= limit)
                scores = {doc: scores[doc] for doc in best}
            _add_to_best(index, term, shelf, factor, best, scores)
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


def _add_to_best(
    index: Index, term: Term, shelf: int, factor: float, best: list[int], scores: dict[int, float]
) -> None:
    """Add a term's weights to the scores of the best documents, without reading the others."""
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
    """The best documents within a window of days, one for each text, best first."""
    first: dict[int, int] = {}
    for batch in _batches(scores, most):
        known = index.outlines(batch)
        inside = days_of(index, known, window)
        best = sorted([(-scores[doc], known[doc].key, known[doc].head, doc) for doc in inside])
        for _, key, _, doc in best:
            first.setdefault(key, doc)
        if len(first) >= most:
            break
    return index.docs(islice(first.values(), most))


def best_passages(
    index: Index, scores: Mapping[int, float], most: int, window: tuple[int, int]
) -> list[int]:
    """The best passages within a window of days; with equal scores there may be more of them."""
    found: list[int] = []
    for batch in _batches(scores, most):
        spans = index.spans(batch)
        found += [id for id, span in spans.items() if window[0] <= span.day <= window[1]]
        if len(found) >= most:
            break
    return found


def _batches(scores: Mapping[int, float], most: int) -> Iterator[list[int]]:
    """The numbers by falling score, in batches that grow.

    Equal scores come together: the number of a document must not decide.
    """
    limit = float("inf")
    wide = most + most // 8
    while left := [score for score in scores.values() if score < limit]:
        low = _nth(left, wide) if wide < len(left) else 0.0
        yield [id for id, score in scores.items() if low <= score < limit]
        limit, wide = low, wide * 2


def _nth(values: list[float], place: int) -> float:
    """The n-th largest value."""
    # Sorting is faster for short lists, a heap for long ones.
    return sorted(values)[-place] if len(values) < 16 * place else nlargest(place, values)[-1]


def days_of(
    index: Index, docs: Mapping[int, Doc] | Mapping[int, Outline], window: tuple[int, int]
) -> dict[int, tuple[int, int]]:
    """The first and last day of each document within a window; documents outside are left out."""
    low, high = window
    days = {id: (d.first, d.last) for id, d in docs.items() if low <= d.first and d.last <= high}
    if len(days) < len(docs):
        across = [id for id, d in docs.items() if id not in days and d.first <= high]
        days.update(index.days(across, low, high))
    return days


def alike(one: frozenset[str], other: frozenset[str], share: float = 0.5) -> bool:
    """Whether two texts say nearly the same: their terms overlap by `share` (Jaccard)."""
    here, there = len(one), len(other)
    if here < share * there or there < share * here:
        return False
    common = len(one & other)
    return common >= share * (here + there - common)
