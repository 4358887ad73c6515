"""How well each document answers a query: its words first, then all that can be told from them.

Every weight below was set on two public corpora of opposite kinds and checked on two others
(`lithify bench recall` measures them); none depends on the words of a question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from itertools import pairwise

from lithify.engines.offline.words import COMMON_STEMS
from lithify.index.read import Index, Term
from lithify.index.record import Doc, Place
from lithify.index.terms import terms_of
from lithify.recall.lexical import EVER, best_docs, days_of, lexical, rarity
from lithify.recall.likeness import alike
from lithify.recall.query import Query
from lithify.recall.revise import gives, values_of
from lithify.recall.when import says_time

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
_FEWEST_TURNS = 5
_DAY = 0.3
#: The newest of those that answer equally well, among so many.
_AGE = 0.5
_RIVALS = 12
_EQUALLY = 0.6
_ABOUT = 0.5
#: Where the newest or the oldest is asked for, among so many that answer at all.
_ORDERED = 40
_RELATED = 0.3
#: Cited by a summary that answers.
_CITED = 0.12
_ROUTES = 12
#: A line that only leads into others; an entry that says a date or a figure when one is asked for.
_LEAD = 0.4
_ASKED = 0.05
#: An entry that gives a value of the kind that is asked for.
_KIND = 0.12
#: The share of the vectors where there are any.
_VECTOR = 0.2


class Ranked:
    """Documents with their scores, the days they stand on, and the summaries that led to them.

    `order` has them best first.
    """

    def __init__(self) -> None:
        self.scores: dict[int, float] = {}
        self.order: list[int] = []
        self.docs: dict[int, Doc] = {}
        self.days: dict[int, tuple[int, int]] = {}
        self.steps: dict[int, list[Place]] = {}
        self.rarity: dict[str, float] = {}
        self.known: dict[str, Term] = {}

    @property
    def top(self) -> float:
        return max(self.scores.values(), default=0.0)


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
    found.order = ordered(found)
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
    return 2 * sum(bool(doc.speaker) for doc in found.docs.values()) >= max(1, len(found.docs))


def speakers_named(found: Ranked, query: Query) -> set[str]:
    """Those whom the query names, of the speakers of a conversation; a label speaks no turns."""
    if not is_talk(found):
        return set()
    turns = Counter(doc.speaker for doc in found.docs.values() if doc.speaker)
    people = {name for name, count in turns.items() if count >= _FEWEST_TURNS}
    return {name for name in people if any(term in query.terms for term in terms_of(name))}


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
        for id in ordered(found)[:_RIVALS]:
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
    order = query.when.order or ("" if spans or query.when.past else "newest")
    if order:
        _by_age(found, query, order)


def _by_age(found: Ranked, query: Query, order: str) -> None:
    """Of those that answer about as well, the newest comes first, or the oldest where asked.

    Where the words ask for it, age alone decides among them; else it is one reason of several.
    """
    strict = bool(query.when.order)
    best = [id for id in ordered(found)[: _ORDERED if strict else _RIVALS] if found.days[id][1]]
    held = {id: held_by(query, found.docs[id], found.rarity) for id in best}
    if strict and query.kinds:
        # A version answers for the word.
        for id in best:
            kinds, said = values_of(found.docs[id].text).kinds, found.docs[id].own
            for word, kind in query.kinds.items():
                if kind in kinds and word not in said:
                    held[id] += query.terms[word] * found.rarity[word]
    enough = _EQUALLY * max(held.values(), default=0.0)
    floor = (_RELATED if strict else _ABOUT) * found.top
    rivals = [id for id in best if held[id] >= enough and found.scores[id] >= floor]
    newest = order == "newest"
    ages = sorted({found.days[id][newest] for id in rivals}, reverse=not newest)
    if strict and len(rivals) > 1:
        wanted = frozenset(query.kinds.values())
        given = {id for id in rivals if gives(found.docs[id].text, wanted)}
        # Apart, however little: what is equal would be told apart by its words again.
        scores = [found.scores[id] * (1 + 1e-6 * (len(rivals) - n)) for n, id in enumerate(rivals)]
        if given:
            # What only speaks of the value keeps its order behind those that give it.
            old = {id: -ages.index(found.days[id][newest]) for id in given}
            rivals.sort(key=lambda one: (one not in given, old.get(one, 0)))
        else:
            rivals.sort(key=lambda one: -ages.index(found.days[one][newest]))
        found.scores.update(zip(rivals, scores, strict=True))
        return
    if len(ages) < 2:
        return
    for id in rivals:
        age = ages.index(found.days[id][newest]) / (len(ages) - 1)
        found.scores[id] *= 1 + _AGE * age


def held_by(query: Query, doc: Doc, rarity_of: Mapping[str, float]) -> float:
    """How much of the query a document says, by how much each of its words tells."""
    held = doc.own.union(doc.about.split())
    return sum(w * rarity_of[word] for word, w in query.terms.items() if word in held)


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


def ordered(found: Ranked) -> list[int]:
    """Documents best first; equals by their words, never by their number in the index."""
    scores, docs = found.scores, found.docs
    ids: Iterable[int] = scores
    if len(set(scores.values())) < len(scores):
        by_words = sorted([(docs[id].key, docs[id].about, id) for id in scores])
        ids = [id for _, _, id in by_words]
    return sorted(ids, key=scores.__getitem__, reverse=True)


def ordinal(day: date | None, default: int) -> int:
    return default if day is None else day.toordinal()
