"""Ranking: what holds a query's terms is scored with BM25, and the best of it by a linear model.

The model weighs a few features of each candidate, by weights taught from examples. These are in
`ranker.json`, one set for an index with vectors and one for an index without;
`training/recall/train_ranker.py` makes the file.
"""

from __future__ import annotations

import json
import os
import re
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
from lithify.search.query import Query, is_time, says_time
from lithify.search.superseded import change, gives_value, values_of
from lithify.text.stems import COMMON_STEMS

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
#: How many changes are followed from entry to entry, and among how many of the best.
_MOST_CHANGES = 2
_MOST_FOLLOWED = 60
#: A word names the subject of the query if it is so rare beside the rarest word.
_NAMES_SUBJECT = 0.5
#: A shared word counts if it is a name and so rare, or any word and so rare (parts of the greatest
#: rarity); without such a word this part of the query must be shared.
_RARE_NAME, _RARE_WORD = 0.6, 0.8
_MOST_OF_QUERY = 0.6
#: Words that say that something is no longer as it was.
_CHANGE = (
    r"|\b(?:any ?more|in (?:its|their|his|her|the) place|until further notice|from now on|"
    r"from (?:next|the|january|february|march|april|may|june|july|august|september|october|november|"
    r"december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d)|"
    r"t(?:akes?|ook|aken)\b.{0,40}\b(?:over|on)|hand(?:s|ed) (?:over|on)|picks? up|picked up|shift(?:s|ed)|"
    r"push(?:es|ed) (?:back|to)|brought forward|delay(?:s|ed)|lowers|raises|tighten(?:s|ed)|"
    r"loosen(?:s|ed)|shorten(?:s|ed)|drop(?:s|ped)?|cancel(?:s|led|ed)|call(?:s|ed) off|shelve[sd]|"
    r"g(?:ives?|ave|iven) up|let (?:them|him|her|it) go|end(?:s|ed)|stop(?:s|ped)|quit|resign(?:s|ed)|"
    r"left|leaves|retire[sd]|go(?:es)? for|went with|goes to|wrong|not true|denie[sd]|nothing|"
    r"never|no (?:talks?|intention|need|plans?)|closed|collides|sent back|back on|so)\b"
)


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
    wanted = frozenset(query.kinds.values())
    given = {id for id in rivals if gives_value(found.docs[id].text, wanted)}
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
        given = values_of(doc.text).kinds
        said.update(word for word in valued if kinds[word] in given)
    return sum(value for word, value in worth.items() if word in said)


def promote_changes(index: Index, found: Ranked, query: Query) -> None:
    """Put a later entry that reports a change of the same thing before the best one.

    Where the query asks what was before something, an earlier entry is put first instead.
    """
    order = found.order[:_MOST_FOLLOWED]
    changes = order[:1]
    steps = 1 if query.before else _MOST_CHANGES
    while 0 < len(changes) <= steps:
        other = _next_change(index, found, query, order, changes[-1], linked=len(changes) > 1)
        if other is None:
            break
        changes.append(other)
    top = found.top
    for place, id in enumerate(changes[1:], 1):
        found.scores[id] = top * (1 + 1e-6 * place)
        found.order.remove(id)
        found.order.insert(0, id)


def _next_change(
    index: Index, found: Ranked, query: Query, order: list[int], known: int, *, linked: bool
) -> int | None:
    """The best entry about the same thing as a known one that came after it, or before if asked."""
    size, doc = index.size(), found.docs[known]
    rarities = {term: rarity(size, facts.entries) for term, facts in index.terms(doc.own).items()}
    asked = {term: rarities[term] for term, w in query.terms.items() if w >= 1 and term in doc.own}
    parts = [t for whole in asked if not whole.isalnum() for t in _parts(whole)]
    for term in (*parts, *query.before):
        asked.pop(term, None)
    if not asked:
        return None
    subject = {term for term, rare in asked.items() if rare >= _NAMES_SUBJECT * max(asked.values())}
    greatest = rarity(size, 1)
    rare_terms = {
        term: rare
        for term, rare in rarities.items()
        if rare >= _RARE_NAME * greatest
        and term not in query.terms
        and term not in COMMON_STEMS
        and not term.isdigit()
        and not is_time(term)
    }
    best, best_score = None, 0.0
    for id in order:
        other = found.docs[id]
        if not _is_apart(found.days[known], found.days[id], other, query.before):
            continue
        if subject.isdisjoint(other.own) or not _could_answer(other.text, query):
            continue
        shared = rare_terms.keys() & other.own
        names = _names(doc.text) & _names(other.text) if shared else frozenset()
        shared = {
            term for term in shared if term in names or rare_terms[term] >= _RARE_WORD * greatest
        }
        score = sum(asked[term] for term in subject & other.own)
        if not shared and (linked or score < _MOST_OF_QUERY * sum(asked.values())):
            continue
        if not query.before and not _says_change(other.text, subject | shared, query):
            continue
        score += sum(rare_terms[term] for term in shared)
        if score > best_score:
            best, best_score = id, score
    return best


def _is_apart(
    known: tuple[int, int], days: tuple[int, int], doc: Doc, before: frozenset[str]
) -> bool:
    """Whether an entry came after a known one; or, with `before`, came earlier and does not name it."""
    if before:
        return days[0] < known[0] and before.isdisjoint(doc.own)
    return days[0] > known[0] and days[1] > known[1]


def _parts(whole: str) -> list[str]:
    """Return the terms of the parts of a compound."""
    return terms_of(re.sub(r"[\W_]+", " ", whole))


def _says_change(text: str, about: set[str], query: Query) -> bool:
    """Whether a sentence says that one of these terms changed, and could answer the query."""
    return any(
        not about.isdisjoint(terms) and _could_answer(sentence, query)
        for sentence, terms in _change_sentences(text)
    )


@lru_cache(maxsize=1024)
def _change_sentences(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the sentences that say that something has changed, with their terms."""
    sentences = re.split(r"(?<=[.!?;])\s+|\n", text)
    changes = [one for one in sentences if re.search(f"{change()}{_CHANGE}", one.lower())]
    return tuple((one, frozenset(terms_of(one))) for one in changes)


@lru_cache(maxsize=1024)
def _names(text: str) -> frozenset[str]:
    """Return the terms of capitalised words and of words with a figure in them."""
    found = re.findall(r"[A-Z][\w’'-]+|[^\W\d_]+\d[\w.-]*", text)
    return frozenset(term for name in found for term in terms_of(name))


def _could_answer(text: str, query: Query) -> bool:
    """Return whether a text has a time, a number or a kind of value, if the query asks for one."""
    if query.time.asks_when and not says_time(frozenset(terms_of(text)), text):
        return False
    if query.kinds and not gives_value(text, frozenset(query.kinds.values())):
        return False
    return not query.time.asks_number or any(map(str.isdigit, text))


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
