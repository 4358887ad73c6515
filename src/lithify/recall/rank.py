"""Ranking: how well each candidate answers a query.

The score starts with BM25 and is then adjusted step by step. Every weight was set on two public
corpora of opposite kinds and checked on two others (`lithify bench recall` measures them).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from itertools import pairwise

from lithify.index.read import Index
from lithify.index.terms import terms_of
from lithify.recall.candidates import (
    ALL_DAYS,
    Ranked,
    alike,
    best_docs,
    best_first,
    bm25,
    days_of,
    rarity,
)
from lithify.recall.query import Query, says_time
from lithify.recall.recency import order_by_age, promote_changes
from lithify.recall.superseded import values_of
from lithify.text.stems import COMMON_STEMS

#: How many candidates are ranked; more in a conversation, where answers use other words.
_MOST = 180
_MOST_IN_TALK = 300
#: The gain of two words side by side as in the query, as a part of the commoner one's rarity.
_PAIR = 0.5
#: Pseudo relevance feedback: how many documents and terms it uses, the weight of its terms, and the
#: most it adds, as a part of the top score.
_FEEDBACK_DOCS = 15
_FEEDBACK_TERMS = 20
_FEEDBACK_WEIGHT = 0.2
_FEEDBACK_MOST = 1.0
#: Gains, as parts of the top score: the speaker is named in the query; the turn before or after is
#: a good match (of so many turns); the day is named in the query.
_SPEAKER = 0.12
_REPLY = 0.35
_MOST_TURNS = 100
_NAMED_DAY = 0.3
#: The gain of an entry that a matching summary cites, and how many summaries are looked at.
_CITED = 0.12
_MOST_SUMMARIES = 12
#: The factor of a lead-in line; the gain of an entry with a date or figure where one is asked for.
_LEAD = 0.4
_TIME_OR_NUMBER = 0.05
#: The gain of an entry with a value of the kind asked for, among so many of the best.
_KIND = 0.12
_MOST_VALUED = 12
#: The share of vector similarity in the score.
_VECTOR = 0.2


def rank(
    index: Index, query: Query, window: tuple[int, int], similar: Mapping[int, float] | None = None
) -> Ranked:
    """Rank the documents that may answer a query."""
    found = Ranked()
    known = found.known = index.terms(query.terms)
    size = index.size()
    found.rarity = {
        word: rarity(size, known[word].entries if word in known else 0) for word in query.terms
    }
    base = bm25(index, query.terms, known)
    found.docs = best_docs(index, base, _MOST, window)
    if is_talk(found):
        found.docs = best_docs(index, base, _MOST_IN_TALK, window)
    found.scores = {id: base[id] for id in found.docs}
    _add_pairs(found, query)
    _add_feedback(index, found, query)
    _add_cited(index, found, query, window)
    _raise_speakers(found, query)
    _raise_replies(index, found, base, window)
    _weigh_kinds(found, query)
    if similar:
        _blend_similarity(found, similar)
    found.days = days_of(index, found.docs, window)
    found.docs = {id: found.docs[id] for id in found.days}
    # The last digits of a sum depend on the order of its parts; rounding keeps them from deciding.
    found.scores = {id: round(found.scores[id], 9) for id in found.days}
    _order_by_time(index, found, query, window)
    return found


def rank_days(index: Index, query: Query, window: tuple[int, int]) -> Ranked:
    """Rank everything on the days that a query names, entries with rare words first."""
    found = Ranked()
    ids: list[int] = []
    for first, last in query.time.spans:
        low, high = max(first, window[0], 1), min(last, window[1], date.max.toordinal())
        if low <= high:
            ends = (date.fromordinal(low).isoformat(), date.fromordinal(high).isoformat())
            ids += index.on_days(*ends, 2 * _MOST)
    found.docs = index.docs(dict.fromkeys(ids))
    found.days = days_of(index, found.docs, window)
    size = index.size()
    said = index.terms({term for doc in found.docs.values() for term in doc.own})
    found.rarity = {word: rarity(size, term.entries) for word, term in said.items()}
    for id, doc in found.docs.items():
        own = doc.own
        weight = sum(found.rarity.get(term, 0.0) for term in own) / (len(own) + 8)
        found.scores[id] = weight * (_LEAD if doc.kind == "lead" else 1.0)
    found.order = best_first(found)
    return found


def _add_pairs(found: Ranked, query: Query) -> None:
    """Raise documents that hold two terms side by side as the query does."""
    wanted = query.pairs
    if not wanted:
        return
    words = {word for pair in wanted for word in pair}
    for id, doc in found.docs.items():
        if len(words & doc.own) < 2:
            continue
        for pair in wanted.intersection(pairwise(doc.said.split())):
            found.scores[id] += _PAIR * min(found.rarity.get(term, 0.0) for term in pair)


def _add_feedback(index: Index, found: Ranked, query: Query) -> None:
    """Raise documents that share words with the best ones (pseudo relevance feedback)."""
    best: list[tuple[float, frozenset[str]]] = []
    for id in best_first(found):
        own = found.docs[id].own
        if own and not any(alike(own, other) for _, other in best):
            best.append((found.scores[id], own))
            if len(best) == _FEEDBACK_DOCS:
                break
    if len(best) < _FEEDBACK_DOCS // 3:
        return
    total = sum(score for score, _ in best)
    said: dict[str, float] = {}
    for score, own in best:
        for term in own:
            if term not in query.terms and term not in COMMON_STEMS:
                said[term] = said.get(term, 0.0) + score / total
    size = index.size()
    for term, facts in index.terms(said).items():
        found.rarity[term] = rare = rarity(size, facts.entries)
        said[term] *= rare
    chosen = sorted(said, key=lambda term: (-said[term], term))[:_FEEDBACK_TERMS]
    if not chosen:
        return
    most = said[chosen[0]]
    # BM25 scores a term that a short text has once at about its rarity.
    worth = {term: _FEEDBACK_WEIGHT * said[term] / most * found.rarity[term] for term in chosen}
    most, telling, weigh = _FEEDBACK_MOST * found.top, frozenset(worth), worth.__getitem__
    for id, doc in found.docs.items():
        found.scores[id] += min(most, sum(map(weigh, telling & doc.own)))


def _raise_speakers(found: Ranked, query: Query) -> None:
    """Raise what a speaker says whom the query names."""
    named = speakers_named(found, query)
    if not named:
        return
    gain = _SPEAKER * found.top / len(named)
    for id, doc in found.docs.items():
        if doc.speaker in named:
            found.scores[id] += gain


def is_talk(found: Ranked) -> bool:
    """Whether at least half of the candidates are turns of a conversation."""
    people = _people(found)
    turns = sum(doc.speaker in people for doc in found.docs.values()) if people else 0
    return 2 * turns >= max(1, len(found.docs))


def _people(found: Ranked) -> set[str]:
    """The speakers: a person speaks several times a day, a label ("Tests: 412 passed") occurs once."""
    turns: dict[str, list[int]] = {}
    for doc in found.docs.values():
        if doc.speaker:
            turns.setdefault(doc.speaker, []).append(doc.first)
    return {name for name, days in turns.items() if len(days) > len(set(days))}


def speakers_named(found: Ranked, query: Query) -> set[str]:
    """The speakers of a conversation whom the query names."""
    if not is_talk(found):
        return set()
    return {name for name in _people(found) if any(t in query.terms for t in terms_of(name))}


def _raise_replies(
    index: Index, found: Ranked, base: Mapping[int, float], window: tuple[int, int]
) -> None:
    """Raise the turns next to a good match: in a conversation the answer follows the question."""
    if not any(doc.speaker for doc in found.docs.values()):
        return
    turns = [id for id in best_first(found) if found.docs[id].speaker][:_MOST_TURNS]
    before = dict(found.scores)
    beside = index.beside(turns, 2)
    wanted = {other for near in beside.values() for other in near if other not in found.docs}
    if wanted:
        docs = index.docs(wanted)
        found.docs.update((id, docs[id]) for id in days_of(index, docs, window))
    for id in turns:
        for other in beside[id]:
            doc = found.docs.get(other)
            if doc is None or not doc.speaker or doc.speaker == found.docs[id].speaker:
                continue
            raised = before.get(other, base.get(other, 0.0)) + _REPLY * before[id]
            if raised > found.scores.get(other, 0.0):
                found.scores[other] = raised
    found.docs = {id: doc for id, doc in found.docs.items() if id in found.scores}


def _weigh_kinds(found: Ranked, query: Query) -> None:
    """Lower lead-in lines; raise entries with a time, number or value where one is asked for."""
    time = query.time
    for id in [id for id, doc in found.docs.items() if doc.kind == "lead"]:
        found.scores[id] *= _LEAD
    for id, doc in found.docs.items() if time.asks_when or time.asks_number else ():
        if (time.asks_when and says_time(doc.own, doc.text)) or (
            time.asks_number and any(letter.isdigit() for letter in doc.text)
        ):
            found.scores[id] *= 1 + _TIME_OR_NUMBER
    if query.kinds:
        for id in best_first(found)[:_MOST_VALUED]:
            if not values_of(found.docs[id].text).kinds.isdisjoint(query.kinds.values()):
                found.scores[id] *= 1 + _KIND


def _order_by_time(index: Index, found: Ranked, query: Query, window: tuple[int, int]) -> None:
    """Raise entries of the days that the query names, then order the answers by age."""
    spans = query.time.spans
    if spans:
        gain = _NAMED_DAY * found.top
        near: set[int] = set()
        for first, last in spans:
            low, high = max(first, window[0]), min(last, window[1])
            near.update(index.days(found.scores, low, high))
        for id in near:
            found.scores[id] += gain
    found.order = best_first(found)
    order = query.time.order or ("" if spans or query.time.is_past or query.before else "newest")
    if order:
        order_by_age(index, found, query, order)
    elif not spans and (query.time.is_yes_no or query.before):
        promote_changes(index, found, query)


def _add_cited(index: Index, found: Ranked, query: Query, window: tuple[int, int]) -> None:
    """Raise the entries that matching summaries cite; a summary itself is never an answer."""
    if not index.size(1):
        return
    scores = bm25(index, query.terms, found.known, shelf=1)
    # A page dated after the last day of the window knows what the query must not see.
    seen = (0 if window[1] == ALL_DAYS[1] else 1, window[1])
    best = best_docs(index, scores, _MOST_SUMMARIES, seen)
    if not best:
        return
    top = max(scores[doc] for doc in best)
    for page in best:
        for place in index.places(page, *seen, most=2):
            for entry in place.cites:
                for cited in index.entry(entry):
                    if not window[0] <= cited.day <= window[1]:
                        continue
                    found.steps.setdefault(cited.doc, []).append(place)
                    if cited.doc not in found.docs:
                        found.docs.update(index.docs([cited.doc]))
                        found.scores[cited.doc] = 0.0
                    gain = _CITED * found.top * scores[page] / top
                    known = found.steps[cited.doc]
                    found.scores[cited.doc] += gain / len(known) ** 2


def _blend_similarity(found: Ranked, similar: Mapping[int, float]) -> None:
    """Blend each score, as a part of the top one, with the similarity of the vectors."""
    top = found.top or 1.0
    for id in found.scores:
        near = similar.get(found.docs[id].key, 0.0)
        found.scores[id] = (1 - _VECTOR) * found.scores[id] / top + _VECTOR * near
