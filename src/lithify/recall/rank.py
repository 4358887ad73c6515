"""Ranking: a linear model over a few features of each candidate, with weights taught from examples.

The weights are in `ranker.json`, one set for an index with vectors and one for an index without.
`training/recall/train_ranker.py` makes the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from math import exp
from typing import TYPE_CHECKING

from lithify.index.read import Index
from lithify.recall.candidates import Ranked, best_first, days_of, rarity
from lithify.recall.features import Features, candidates
from lithify.recall.query import Query
from lithify.recall.revisions import order_by_age, promote_changes

if TYPE_CHECKING:
    from lithify.index.vectors import Similar

Weights = Mapping[str, Mapping[str, Mapping[str, float]]]
#: How many entries are ranked where a query only names days.
_MOST_ON_DAYS = 360


@lru_cache(maxsize=1)
def ranker() -> Weights:
    """The weights of the ranker and of the decision to stay silent."""
    with open(os.path.join(os.path.dirname(__file__), "ranker.json"), "rb") as file:
        found: Weights = json.load(file)
    return found


def rank(
    index: Index, query: Query, window: tuple[int, int], similar: Similar | None = None
) -> Ranked:
    """Rank the documents that may answer a query; the best has the score 1."""
    found = candidates(index, query, window, similar)
    weigh(found, weights(found)["rank"])
    found.order = best_first(found)
    time = query.time
    if len(time.spans) == 1 and time.spans[0][0] == time.spans[0][1]:
        _put_day_first(found)
    if time.order:
        order_by_age(found, query, time.order)
    about_past = time.order == "oldest" or time.spans or time.is_past
    if not about_past or (not time.spans and (query.before or time.is_yes_no)):
        promote_changes(index, found, query)
    return found


def _put_day_first(found: Ranked) -> None:
    """Put the best entry of the one day that a query names before all others."""
    best = next((id for id in found.order if found.features[id].day), None)
    if best is not None:
        found.scores[best] = 1 + 1e-6
        found.order = best_first(found)


def weights(found: Ranked) -> Mapping[str, Mapping[str, float]]:
    """The weights for candidates with vectors or without."""
    return ranker()["with vectors" if found.nearest else "words only"]


def weigh(found: Ranked, factors: Mapping[str, float]) -> None:
    """Score the candidates by the weighted sum of their features; the best gets the score 1."""
    used = [factors.get(name, 0.0) for name in Features._fields]
    sums = {id: sum(map(float.__mul__, used, own)) for id, own in found.features.items()}
    top = max(sums.values(), default=0.0)
    # The last digits of a sum depend on the machine; rounding keeps them from deciding.
    found.scores = {id: round(exp(value - top), 9) for id, value in sums.items()}


def rank_days(index: Index, query: Query, window: tuple[int, int]) -> Ranked:
    """Rank everything on the days that a query names, entries with rare words first."""
    found = Ranked()
    ids: list[int] = []
    for first, last in query.time.spans:
        low, high = max(first, window[0], 1), min(last, window[1], date.max.toordinal())
        if low <= high:
            ends = (date.fromordinal(low).isoformat(), date.fromordinal(high).isoformat())
            ids += index.on_days(*ends, _MOST_ON_DAYS)
    found.docs = index.docs(dict.fromkeys(ids))
    found.days = days_of(index, found.docs, window)
    size = index.size()
    said = index.terms({term for doc in found.docs.values() for term in doc.own})
    found.rarity = {word: rarity(size, term.entries) for word, term in said.items()}
    for id, doc in found.docs.items():
        own = doc.own
        weight = sum(found.rarity.get(term, 0.0) for term in own) / (len(own) + 8)
        found.scores[id] = weight * (0.4 if doc.kind == "lead" else 1.0)
    found.order = best_first(found)
    return found
