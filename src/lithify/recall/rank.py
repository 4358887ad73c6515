"""How well each document answers a query: its words first, then all that can be told from them.

Every weight below was set on two public corpora of opposite kinds and checked on two others
(`lithify bench recall` measures them); none depends on the words of a question.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from itertools import pairwise

from lithify.index.read import Index
from lithify.index.terms import terms_of
from lithify.recall.age import by_age, told_on
from lithify.recall.lexical import EVER, best_docs, days_of, lexical, rarity
from lithify.recall.likeness import alike
from lithify.recall.query import Query
from lithify.recall.ranked import Ranked, ordered
from lithify.recall.revise import values_of
from lithify.recall.when import says_time
from lithify.text.stems import COMMON_STEMS

#: Documents looked at closely; more of them where people talk, and answer in words of their own.
MOST = 180
MOST_TALK = 300
#: Two words side by side as in the query, by how much the commoner one tells.
_PAIR = 0.5
#: What the best documents say besides (pseudo relevance feedback): how many, how much.
_FED_FROM = 15
_FED_TERMS = 20
_FEEDBACK = 0.2
_FED_MOST = 1.0
#: Said by someone the query names; next to a turn that answers; on a day the query names.
_SPEAKER = 0.12
_TURN = 0.35
_TURNS = 100
_DAY = 0.3
#: Cited by a summary that answers.
_CITED = 0.12
_ROUTES = 12
#: A line that only leads into others; an entry that says a date or a figure when one is asked for.
_LEAD = 0.4
_ASKED = 0.05
#: An entry, of so many of the best, that gives a value of the kind that is asked for.
_KIND = 0.12
_VALUED = 12
#: The share of the vectors where there are any.
_VECTOR = 0.2


def rank(
    index: Index, query: Query, window: tuple[int, int], similar: Mapping[int, float] | None = None
) -> Ranked:
    """The documents of the days that answer a query, scored."""
    found = Ranked()
    known = found.known = index.terms(query.terms)
    size = index.size()
    found.rarity = {
        word: rarity(size, known[word].days if word in known else 0) for word in query.terms
    }
    base = lexical(index, query.terms, known)
    found.docs = best_docs(index, base, MOST, window)
    if is_talk(found):
        found.docs = best_docs(index, base, MOST_TALK, window)
    found.scores = {id: base[id] for id in found.docs}
    _pairs(found, query)
    _feedback(index, found, query)
    _steps(index, found, query, window)
    _speakers(found, query)
    _turns(index, found, base, window)
    _kinds(found, query)
    if similar:
        _similar(found, similar)
    found.days = days_of(index, found.docs, window)
    found.docs = {id: found.docs[id] for id in found.days}
    # A sum of fractions depends on its order in the last digits, which decide nothing here.
    found.scores = {id: round(found.scores[id], 9) for id in found.days}
    _time(index, found, query, window)
    return found


def rank_days(index: Index, query: Query, window: tuple[int, int]) -> Ranked:
    """What the days that a query names hold, the most telling first."""
    found = Ranked()
    ids: list[int] = []
    for first, last in query.when.spans:
        low, high = max(first, window[0], 1), min(last, window[1], date.max.toordinal())
        if low <= high:
            ends = (date.fromordinal(low).isoformat(), date.fromordinal(high).isoformat())
            ids += index.on_days(*ends, 2 * MOST)
    found.docs = index.docs(dict.fromkeys(ids))
    found.days = days_of(index, found.docs, window)
    size = index.size()
    said = index.terms({term for doc in found.docs.values() for term in doc.own})
    found.rarity = {word: rarity(size, term.days) for word, term in said.items()}
    for id, doc in found.docs.items():
        own = doc.own
        weight = sum(found.rarity.get(term, 0.0) for term in own) / (len(own) + 8)
        found.scores[id] = weight * (_LEAD if doc.kind == "lead" else 1.0)
    found.order = ordered(found)
    return found


def _pairs(found: Ranked, query: Query) -> None:
    wanted = query.pairs
    if not wanted:
        return
    words = {word for pair in wanted for word in pair}
    for id, doc in found.docs.items():
        if len(words & doc.own) < 2:
            continue
        for pair in wanted.intersection(pairwise(doc.said.split())):
            found.scores[id] += _PAIR * min(found.rarity.get(term, 0.0) for term in pair)


def _feedback(index: Index, found: Ranked, query: Query) -> None:
    """Let the words that the best documents share speak for the others."""
    best: list[tuple[float, frozenset[str]]] = []
    for id in ordered(found):
        own = found.docs[id].own
        if own and not any(alike(own, other) for _, other in best):
            best.append((found.scores[id], own))
            if len(best) == _FED_FROM:
                break
    if len(best) < _FED_FROM // 3:
        return
    total = sum(score for score, _ in best)
    said: dict[str, float] = {}
    for score, own in best:
        for term in own:
            if term not in query.terms and term not in COMMON_STEMS:
                said[term] = said.get(term, 0.0) + score / total
    size = index.size()
    for term, facts in index.terms(said).items():
        found.rarity[term] = rare = rarity(size, facts.days)
        said[term] *= rare
    chosen = sorted(said, key=lambda term: (-said[term], term))[:_FED_TERMS]
    if not chosen:
        return
    most = said[chosen[0]]
    # BM25 gives a term that a short text says once about its rarity.
    worth = {term: _FEEDBACK * said[term] / most * found.rarity[term] for term in chosen}
    most, telling, weigh = _FED_MOST * found.top, frozenset(worth), worth.__getitem__
    for id, doc in found.docs.items():
        found.scores[id] += min(most, sum(map(weigh, telling & doc.own)))


def _speakers(found: Ranked, query: Query) -> None:
    """A name that is asked about and also speaks: what that person says weighs more."""
    named = speakers_named(found, query)
    if not named:
        return
    gain = _SPEAKER * found.top / len(named)
    for id, doc in found.docs.items():
        if doc.speaker in named:
            found.scores[id] += gain


def is_talk(found: Ranked) -> bool:
    """Whether most of what is found are turns of a conversation."""
    people = _people(found)
    turns = sum(doc.speaker in people for doc in found.docs.values()) if people else 0
    return 2 * turns >= max(1, len(found.docs))


def _people(found: Ranked) -> set[str]:
    """Those who speak: a person takes turns, a label ("Tests: 412 passed") comes once a day."""
    turns: dict[str, list[int]] = {}
    for doc in found.docs.values():
        if doc.speaker:
            turns.setdefault(doc.speaker, []).append(doc.first)
    return {name for name, days in turns.items() if len(days) > len(set(days))}


def speakers_named(found: Ranked, query: Query) -> set[str]:
    """Those whom the query names, of the speakers of a conversation."""
    if not is_talk(found):
        return set()
    return {name for name in _people(found) if any(t in query.terms for t in terms_of(name))}


def _turns(index: Index, found: Ranked, base: Mapping[int, float], window: tuple[int, int]) -> None:
    """In a conversation the answer stands beside the question that holds the words."""
    if not any(doc.speaker for doc in found.docs.values()):
        return
    turns = [id for id in ordered(found) if found.docs[id].speaker][:_TURNS]
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
            raised = before.get(other, base.get(other, 0.0)) + _TURN * before[id]
            if raised > found.scores.get(other, 0.0):
                found.scores[other] = raised
    found.docs = {id: doc for id, doc in found.docs.items() if id in found.scores}


def _kinds(found: Ranked, query: Query) -> None:
    when = query.when
    for id in [id for id, doc in found.docs.items() if doc.kind == "lead"]:
        found.scores[id] *= _LEAD
    for id, doc in found.docs.items() if when.asks or when.counts else ():
        if (when.asks and says_time(doc.own, doc.text)) or (
            when.counts and any(letter.isdigit() for letter in doc.text)
        ):
            found.scores[id] *= 1 + _ASKED
    if query.kinds:
        for id in ordered(found)[:_VALUED]:
            if not values_of(found.docs[id].text).kinds.isdisjoint(query.kinds.values()):
                found.scores[id] *= 1 + _KIND


def _time(index: Index, found: Ranked, query: Query, window: tuple[int, int]) -> None:
    spans = query.when.spans
    if spans:
        gain = _DAY * found.top
        near: set[int] = set()
        for first, last in spans:
            low, high = max(first, window[0]), min(last, window[1])
            near.update(index.days(found.scores, low, high))
        for id in near:
            found.scores[id] += gain
    found.order = ordered(found)
    order = query.when.order or ("" if spans or query.when.past or query.until else "newest")
    if order:
        by_age(index, found, query, order)
    elif not spans and (query.when.checks or query.until):
        told_on(index, found, query)


def _steps(index: Index, found: Ranked, query: Query, window: tuple[int, int]) -> None:
    """Entries that a fitting summary rests on; the summary itself is never an answer."""
    if not index.size(1):
        return
    scores = lexical(index, query.terms, found.known, shelf=1)
    # A page written later than the last day that may be seen knows too much to lead anywhere.
    seen = (0 if window[1] == EVER[1] else 1, window[1])
    best = best_docs(index, scores, _ROUTES, seen)
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


def _similar(found: Ranked, similar: Mapping[int, float]) -> None:
    """A convex blend of the two scores, each from least to most."""
    top = found.top or 1.0
    for id in found.scores:
        near = similar.get(found.docs[id].key, 0.0)
        found.scores[id] = (1 - _VECTOR) * found.scores[id] / top + _VECTOR * near


def ordinal(day: date | None, default: int) -> int:
    return default if day is None else day.toordinal()
