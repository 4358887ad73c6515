"""What the ranker knows of each candidate: a few figures, most of them from 0 to 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import nlargest
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from lithify.index.read import Doc, Index
from lithify.index.tables import PAGES, PASSAGES
from lithify.index.terms import terms_of
from lithify.recall.candidates import (
    ALL_DAYS,
    Ranked,
    alike,
    best_docs,
    best_first,
    best_passages,
    bm25,
    days_of,
    most_possible,
    rarity,
)
from lithify.recall.query import Query, says_time
from lithify.recall.superseded import values_of
from lithify.text.stems import COMMON_STEMS

if TYPE_CHECKING:
    from lithify.index.vectors import Similar

#: How many entries, passages, sentences of summaries and nearest texts give the candidates.
_MOST_ENTRIES = 100
_MOST_PASSAGES = 16
_MOST_SUMMARIES = 12
_MOST_NEAREST = 60
#: In how many of its newest places an entry's neighbours are looked at.
_MOST_PLACES = 2
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
    """The candidates for an answer with their features; they have no scores yet."""
    found = Ranked()
    near = similar.texts if similar else {}
    found.nearest = similar.best if similar else 0.0
    known = found.known = index.terms(query.terms)
    size = index.size()
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
    if inside:
        top = max(found.passages[id] for id in inside)
        equal = [inside[id] for id in inside if found.passages[id] == top]
        found.best_passage = min(
            equal, key=lambda run: [(docs[id].key, docs[id].about) for id in run]
        )
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
    """The rarities of the terms that stand side by side in a document as in the query."""
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
    return bool(query.kinds) and not values_of(doc.text).kinds.isdisjoint(query.kinds.values())


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
            if term not in query.terms and term not in COMMON_STEMS:
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
    """Whether at least half of the documents are turns of a conversation."""
    turns = [doc.speaker in people for doc in docs]
    return bool(people) and 2 * sum(turns) >= len(turns)


def speakers_named(found: Ranked, query: Query) -> set[str]:
    """The speakers of a conversation whom the query names.

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
    """The entries that matching summaries cite, with the best score of these (0 to 1).

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
