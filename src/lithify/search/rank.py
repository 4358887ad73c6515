"""Ranking: what holds a query's terms is scored with BM25, and the best of it by a linear model.

The model weighs a few features of each candidate, by weights taught from examples. These are in
`ranker.json`, one set for an index with vectors and one for an index without;
`training/recall/train_ranker.py` makes the file.
"""

from __future__ import annotations

import json
import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import lru_cache
from heapq import nlargest
from itertools import islice, pairwise
from math import exp, log
from typing import TYPE_CHECKING, NamedTuple

from lithify.search.index import (
    ENTRIES,
    FULL,
    PAGES,
    PASSAGES,
    TOP,
    Doc,
    EntryPlace,
    Index,
    Outline,
    Term,
    terms_of,
)
from lithify.search.query import Query, has_kind, says_time, values_of

if TYPE_CHECKING:
    from lithify.search.vectors import Similar


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
    figures that the ranker weighs; `nearest` is the similarity of the nearest text by its vector, `size` the number of all documents.
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
        self.features: dict[int, Features] = {}
        self.nearest = 0.0
        self.size = 0

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
    """Return the inverse document frequency of a term that `holding` of `size` documents hold."""
    return max(_MIN_RARITY, log(1 + (size - holding + 0.5) / (holding + 0.5)))


def most_possible(
    index: Index, terms: Mapping[str, float], known: Mapping[str, Term], shelf: int
) -> float:
    """Return the BM25 score of a document that would say nothing but the query, again and again."""
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
    """Return the best documents within a window of days, one for each text, best first."""
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
    """Yield the numbers by falling score, in batches that grow.

    Equal scores come together: the number of a document must not decide.
    """
    limit = float("inf")
    wide = most + most // 8
    while left := [score for score in scores.values() if score < limit]:
        low = _nth(left, wide) if wide < len(left) else 0.0
        yield [id for id, score in scores.items() if low <= score < limit]
        limit, wide = low, wide * 2


def _nth(values: list[float], place: int) -> float:
    """Return the n-th largest value."""
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
    """Return whether two texts say nearly the same: their terms overlap by `share` (Jaccard)."""
    here, there = len(one), len(other)
    if here < share * there or there < share * here:
        return False
    common = len(one & other)
    return common >= share * (here + there - common)


# The features of the candidates.

#: How many entries, passages, sentences of summaries and nearest texts give the candidates.
_MOST_ENTRIES = 100
_MOST_PASSAGES = 16
_MOST_SUMMARIES = 12
_MOST_NEAREST = 60
#: In how many of its newest places an entry's neighbours are looked at.
_MOST_PLACES = 2
#: The part of the candidates that are turns in a conversation.
_TALK = 0.8
#: Relevance feedback: how many of the best entries it reads, and how many of their terms count.
_FEEDBACK_DOCS = 15
_FEEDBACK_TERMS = 20


class Features(NamedTuple):
    """The figures of one candidate.

    `entry` and `passage` are the lexical scores of the entry and of the passage it stands in,
    `before` that of the entry before it, `shared` the words it has in common with the best entries,
    `pairs` the words it has side by side as in the query. `cited` is the score of the best summary
    that cites it, `day` whether it stands on a day that the query names, `person` whether the query
    names its speaker (1) or another one (-1), `question` whether it asks something itself. `value`
    says that it has a time, number or value of the kind asked for; `asked_age` and `age` how new it
    is (how old where the oldest is asked for), where the query asks for that and where it does not.
    `vector` and `near_vector` are the similarity of its own text and of the best in its passage.
    """

    entry: float
    passage: float
    before: float
    shared: float
    pairs: float
    cited: float
    day: float
    person: float
    question: float
    value: float
    asked_age: float
    age: float
    vector: float = 0.0
    near_vector: float = 0.0


def candidates(
    index: Index, query: Query, window: tuple[int, int], similar: Similar | None = None
) -> Ranked:
    """Return the candidates for an answer with their features; they have no scores yet."""
    found = Ranked()
    near = similar.texts if similar else {}
    found.nearest = similar.best if similar else 0.0
    known = found.known = index.terms(query.terms)
    size = found.size = index.size()
    found.rarity = {
        word: rarity(size, known[word].entries if word in known else 0) for word in query.terms
    }
    base = bm25(index, query.terms, known)
    found.passages = bm25(index, query.terms, known, PASSAGES)
    best = best_passages(index, found.passages, _MOST_PASSAGES, window)
    docs = best_docs(index, base, _MOST_ENTRIES, window)
    cited = _cited(index, found, query, window)
    inside = index.inside(best)
    more = {doc for docs_of in inside.values() for doc in docs_of} | cited.keys()
    nearest = nlargest(_MOST_NEAREST, near, key=lambda key: (near[key], key))
    more.update(index.with_texts(nearest))
    docs.update(index.docs(more - docs.keys()))
    found.days = days_of(index, docs, window)
    found.docs = {id: docs[id] for id in found.days}
    found.scores = {id: base.get(id, 0.0) for id in found.days}
    _add_features(index, found, query, window, base, cited, near)
    return found


def _add_features(
    index: Index,
    found: Ranked,
    query: Query,
    window: tuple[int, int],
    base: Mapping[int, float],
    cited: Mapping[int, float],
    similar: Mapping[int, float],
) -> None:
    top = found.top or 1.0
    most = most_possible(index, query.terms, found.known, PASSAGES)
    places = index.newest_places(found.docs, *window, _MOST_PLACES)
    before = index.docs_at((file, seq - 1) for near in places.values() for file, seq, _ in near)
    shared, named = _shared(index, found, query), speakers_named(found, query)
    on_days = _on_named_days(index, found, query, window)
    last_days = [last for _, last in found.days.values()] or [0]
    oldest, span = min(last_days), (max(last_days) - min(last_days)) or 1
    near: dict[int | None, float] = {}
    for id, there in places.items() if similar else ():
        for _, _, passage in there:
            near[passage] = max(near.get(passage, 0.0), similar.get(found.docs[id].key, 0.0))
    time = query.time
    about_now = not (time.order or time.spans or time.is_past or query.before)
    for id, doc in found.docs.items():
        entry = found.scores[id] / top
        age = (found.days[id][1] - oldest) / span * entry
        age = entry - age if time.order == "oldest" else age
        there = places.get(id, [])
        found.features[id] = Features(
            entry=entry,
            passage=max([found.passages.get(p or 0, 0.0) for *_, p in there], default=0.0) / most,
            before=max([base.get(before.get((f, s - 1), 0), 0.0) for f, s, _ in there], default=0.0)
            / top,
            shared=shared.get(id, 0.0),
            pairs=_pairs(doc, query, found.rarity) / top,
            cited=cited.get(id, 0.0),
            day=float(id in on_days),
            person=(1.0 if doc.speaker in named else -bool(doc.speaker)) if named else 0.0,
            question=float(doc.text.rstrip().endswith("?")),
            value=float(has_asked_value(doc, query)),
            asked_age=age if time.order else 0.0,
            age=age if about_now else 0.0,
            vector=similar.get(doc.key, 0.0),
            near_vector=max([near.get(p, 0.0) for *_, p in there], default=0.0),
        )


def _pairs(doc: Doc, query: Query, rarity_of: Mapping[str, float]) -> float:
    """Return the rarities of the terms that stand side by side in a document as in the query."""
    if len(doc.own & query.terms.keys()) < 2:
        return 0.0
    both = query.pairs.intersection(pairwise(doc.said.split()))
    return sum(min(rarity_of.get(term, 0.0) for term in pair) for pair in both)


def has_asked_value(doc: Doc, query: Query) -> bool:
    """Whether a document has a time, a number or a value of the kind that the query asks for."""
    if query.time.asks_when and says_time(doc.own, doc.text):
        return True
    if query.time.asks_number and any(map(str.isdigit, doc.text)):
        return True
    return has_kind(doc.text, query.kinds.values())


def _on_named_days(
    index: Index, found: Ranked, query: Query, window: tuple[int, int]
) -> frozenset[int]:
    near: set[int] = set()
    for first, last in query.time.spans:
        near.update(index.days(found.docs, max(first, window[0], 1), min(last, window[1])))
    return frozenset(near)


def _shared(index: Index, found: Ranked, query: Query) -> dict[int, float]:
    """How much of what the best entries say besides the query each document says (0 to 1)."""
    best: list[tuple[float, frozenset[str]]] = []
    for id in best_first(found):
        own = found.docs[id].own
        if own and not any(alike(own, other) for _, other in best):
            best.append((found.scores[id], own))
            if len(best) == _FEEDBACK_DOCS:
                break
    if len(best) < _FEEDBACK_DOCS // 3:
        return {}
    said: dict[str, float] = {}
    for score, own in best:
        for term in own:
            if term not in query.terms:
                said[term] = said.get(term, 0.0) + score
    size = index.size()
    for term, facts in index.terms(said).items():
        found.rarity[term] = rare = rarity(size, facts.entries)
        said[term] *= rare
    worth = {
        term: said[term] for term in sorted(said, key=lambda t: (-said[t], t))[:_FEEDBACK_TERMS]
    }
    held = {id: sum(worth[t] for t in worth.keys() & doc.own) for id, doc in found.docs.items()}
    most = max(held.values(), default=0.0) or 1.0
    return {id: value / most for id, value in held.items()}


def is_talk(docs: Iterable[Doc], people: set[str]) -> bool:
    """Return whether the documents are turns of a conversation, but for a few.

    In a work log many lines begin with a label, but not nearly all.
    """
    turns = [doc.speaker in people for doc in docs]
    return bool(people) and sum(turns) >= _TALK * len(turns)


def speakers_named(found: Ranked, query: Query) -> set[str]:
    """Return the speakers of a conversation whom the query names.

    A person speaks several times a day; a label ("Tests: 412 passed") occurs once.
    """
    turns: dict[str, list[int]] = {}
    for doc in found.docs.values():
        if doc.speaker:
            turns.setdefault(doc.speaker, []).append(doc.first)
    people = {name for name, days in turns.items() if len(days) > len(set(days))}
    if not is_talk(found.docs.values(), people):
        return set()
    return {name for name in people if any(term in query.terms for term in terms_of(name))}


def _cited(index: Index, found: Ranked, query: Query, window: tuple[int, int]) -> dict[int, float]:
    """Return the entries that matching summaries cite, with the best score of these (0 to 1).

    A summary itself is never an answer.
    """
    if not index.size(PAGES):
        return {}
    scores = bm25(index, query.terms, found.known, PAGES)
    most = most_possible(index, query.terms, found.known, PAGES)
    # A page dated after the last day of the window knows what the query must not see.
    seen = (0 if window[1] == ALL_DAYS[1] else 1, window[1])
    cited: dict[int, float] = {}
    for page in best_docs(index, scores, _MOST_SUMMARIES, seen):
        for place in index.places(page, *seen, most=2):
            for entry in place.cites:
                for there in index.entry(entry):
                    if window[0] <= there.day <= window[1]:
                        found.steps.setdefault(there.doc, []).append(place)
                        cited[there.doc] = max(cited.get(there.doc, 0.0), scores[page] / most)
    return cited


# Ordering answers by age.

#: Where the newest or oldest is asked for: how many of the best are compared, and which part of what
#: the best one holds of the query an entry must hold.
_MOST_ORDERED = 40
_RIVAL_HOLDS = 0.75


def order_by_age(found: Ranked, query: Query, order: str) -> None:
    """Put the newest (or oldest) of the entries that hold about as much of the query first.

    An entry that gives a value of the kind asked for comes before one that only mentions it.
    """
    best = [id for id in found.order[:_MOST_ORDERED] if found.days[id][1]]
    worth = {word: weight * found.rarity[word] for word, weight in query.terms.items()}
    held = {id: held_worth(found.docs[id], worth, query.kinds) for id in best}
    enough = _RIVAL_HOLDS * max(held.values(), default=0.0)
    rivals = [id for id in best if held[id] >= enough]
    newest = order == "newest"
    given = {id for id in rivals if has_kind(found.docs[id].text, query.kinds.values())}
    sign = -1 if newest else 1
    # Entries that only mention a value keep their order behind those that give it.
    first = [id for id in rivals if id in given] or rivals
    first = sorted(first, key=lambda one: sign * found.days[one][newest])
    rivals = [*first, *(id for id in rivals if id not in first)]
    # Scores are kept apart by a little, because equal ones would be ordered by their text.
    scores = sorted([found.scores[id] for id in rivals], reverse=True)
    for place, (id, score) in enumerate(zip(rivals, scores, strict=True)):
        found.scores[id] = score * (1 + 1e-6 * (len(rivals) - place))
    found.order = best_first(found)


def held_worth(doc: Doc, worth: Mapping[str, float], kinds: Mapping[str, str]) -> float:
    """Return the worth of the query's words that a document holds."""
    said = worth.keys() & doc.all_terms
    # A version counts as the word "version", and so on for other kinds of value.
    if kinds and (valued := [word for word in kinds if word in worth and word not in said]):
        said.update(word for word in valued if has_kind(doc.text, [kinds[word]]))
    return sum(value for word, value in worth.items() if word in said)


def put_newer_first(found: Ranked, query: Query) -> None:
    """Put the best later entry before the best one, if it gives another value of the same form.

    It must hold about as much of the query. Nothing is said to be superseded by this: of two values
    the newer is read first.
    """
    dated = [id for id in found.order[:_MOST_ORDERED] if found.days[id][1]]
    if len(dated) < 2:
        return
    best, *others = dated
    worth = {word: weight * found.rarity[word] for word, weight in query.terms.items()}
    values = values_of(found.docs[best].text)
    enough = _RIVAL_HOLDS * held_worth(found.docs[best], worth, query.kinds)
    for id in others:
        doc = found.docs[id]
        if found.days[id][0] <= found.days[best][1] or held_worth(doc, worth, query.kinds) < enough:
            continue
        if any(
            said and not said <= mine
            for said, mine in zip(values_of(doc.text), values, strict=True)
            if mine
        ):
            found.scores[id] = found.top * (1 + 1e-6)
            found.order = best_first(found)
            return


# Ranking: a linear model over a few features of each candidate, with weights taught from examples.

Weights = Mapping[str, Mapping[str, Mapping[str, float]]]
#: How many entries are ranked where a query only names days.
_MOST_ON_DAYS = 360


@lru_cache(maxsize=1)
def ranker() -> Weights:
    """Return the weights of the ranker and of the decision to stay silent."""
    with open(os.path.join(os.path.dirname(__file__), "ranker.json"), "rb") as file:
        found: Weights = json.load(file)
    return found


def rank(
    index: Index, query: Query, window: tuple[int, int], similar: Similar | None = None
) -> Ranked:
    """Rank the documents that may answer a query; the best has the score 1."""
    found = candidates(index, query, window, similar)
    weigh(found, weights(found))
    found.order = best_first(found)
    time = query.time
    if len(time.spans) == 1 and time.spans[0][0] == time.spans[0][1]:
        _put_day_first(found)
    if time.order:
        order_by_age(found, query, time.order)
    elif not (time.spans or time.is_past or query.before):
        put_newer_first(found, query)
    return found


def _put_day_first(found: Ranked) -> None:
    """Put the best entry of the one day that a query names before all others."""
    best = next((id for id in found.order if found.features[id].day), None)
    if best is not None:
        found.scores[best] = 1 + 1e-6
        found.order = best_first(found)


def weights(found: Ranked) -> Mapping[str, Mapping[str, float]]:
    """Return the weights for candidates with vectors or without."""
    words = ranker()["words only"]
    return {**ranker()["with vectors"], "words": words["rank"]} if found.nearest else words


def trust_of(found: Ranked) -> dict[str, float]:
    """Return what tells how far to trust words beside vectors: the best passage, and the rarest word."""
    rare = max([found.rarity[word] for word in found.known if word in found.rarity], default=0.0)
    held = max([features.passage for features in found.features.values()], default=0.0)
    return {"held": held, "rare": rare / rarity(found.size, 0), "bias": 1.0}


def weigh(found: Ranked, factors: Mapping[str, Mapping[str, float]]) -> None:
    """Score the candidates; the best gets the score 1.

    Weighted sums of the features give each candidate its part of a softmax. With vectors the parts that
    words alone give it are mixed in, as far as these are trusted: where they are sure, they count.
    """
    parts = parts_of(found, factors["rank"])
    if trust := factors.get("trust"):
        share = 1 / (1 + exp(-sum(trust[name] * sign for name, sign in trust_of(found).items())))
        words = parts_of(found, factors["words"])
        parts = {id: share * words[id] + (1 - share) * part for id, part in parts.items()}
    top = max(parts.values(), default=1.0)
    # The last digits depend on the machine; rounding keeps them from deciding.
    found.scores = {id: round(part / top, 9) for id, part in parts.items()}


def parts_of(found: Ranked, factors: Mapping[str, float]) -> dict[int, float]:
    """Return the part of a softmax that each candidate has by the weighted sum of its features."""
    used = [factors.get(name, 0.0) for name in Features._fields]
    sums = {id: sum(map(float.__mul__, used, own)) for id, own in found.features.items()}
    top = max(sums.values(), default=0.0)
    parts = {id: exp(value - top) for id, value in sums.items()}
    whole = sum(parts.values())
    return {id: part / whole for id, part in parts.items()}


def rank_days(index: Index, query: Query, window: tuple[int, int]) -> Ranked:
    """Rank everything on the days that a query names: rare words first, and what was said before code."""
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
        found.scores[id] = weight * (0.4 if doc.kind in ("lead", "code") else 1.0)
    found.order = best_first(found)
    return found
