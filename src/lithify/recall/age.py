"""Which of those that answer comes first by its age.

A memory is asked how things are. The newest of those that answer about as well comes first, and
so does a later entry that tells on in other words: it speaks of the thing that is asked about, of
something particular that the earlier one spoke of as well, the old owner, place or plan, and says
that things have changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from lithify.index.read import Doc, Index
from lithify.index.terms import terms_of
from lithify.recall.lexical import rarity
from lithify.recall.query import Query
from lithify.recall.ranked import Ranked, ordered
from lithify.recall.revise import CHANGED, gives, values_of
from lithify.recall.when import is_time, says_time
from lithify.text.stems import COMMON_STEMS

#: The newest of those that answer equally well, among so many.
_AGE = 0.5
_RIVALS = 12
_EQUALLY = 0.75
_ABOUT = 0.5
#: Where the newest or the oldest is asked for, among so many that answer at all.
_ORDERED = 40
_RELATED = 0.3
#: How often a thing is followed on from entry to entry, among so many of the best.
_STEPS = 2
_FOLLOWED = 60
#: A word names the thing that tells so much beside the most telling one of the query.
_NAMES = 0.5
#: Particular is a name that tells so much of what a word can tell at most, or any word that tells
#: more; without one of them so much of what is asked must be said again.
_PARTICULAR, _RARE = 0.6, 0.8
_WHOLE = 0.6
#: What says that something is no longer as it was.
_TURN = (
    rf"{CHANGED}|\b(?:any ?more|in (?:its|their|his|her|the) place|until further notice|from now on|"
    r"from (?:next|the|january|february|march|april|may|june|july|august|september|october|november|"
    r"december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d)|"
    r"t(?:akes?|ook|aken)\b.{0,40}\b(?:over|on)|hand(?:s|ed) (?:over|on)|picks? up|picked up|shift(?:s|ed)|"
    r"push(?:es|ed) (?:back|to)|brought forward|delay(?:s|ed)|lowers|raises|tighten(?:s|ed)|"
    r"loosen(?:s|ed)|shorten(?:s|ed)|drop(?:s|ped)?|cancel(?:s|led|ed)|call(?:s|ed) off|shelve[sd]|"
    r"g(?:ives?|ave|iven) up|let (?:them|him|her|it) go|end(?:s|ed)|stop(?:s|ped)|quit|resign(?:s|ed)|"
    r"left|leaves|retire[sd]|go(?:es)? for|went with|goes to|wrong|not true|denie[sd]|nothing|"
    r"never|no (?:talks?|intention|need|plans?)|closed|collides|sent back|back on|so)\b"
)


def by_age(index: Index, found: Ranked, query: Query, order: str) -> None:
    """Bring those that answer into the order of their age, as far as it matters."""
    if _rivals(found, query, order):
        found.order = ordered(found)
    if order == "newest":
        told_on(index, found, query)


def _rivals(found: Ranked, query: Query, order: str) -> bool:
    """Of those that answer about as well, the newest comes first, or the oldest where asked.

    Where the words ask for it, age alone decides among them; else it is one reason of several.
    Whether a score has changed by it.
    """
    strict = bool(query.when.order)
    best = [id for id in found.order[: _ORDERED if strict else _RIVALS] if found.days[id][1]]
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
    if not strict:
        rivals = [id for id in rivals if could_answer(found.docs[id].text, query)]
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
        return True
    if len(ages) < 2:
        return False
    for id in rivals:
        age = ages.index(found.days[id][newest]) / (len(ages) - 1)
        found.scores[id] *= 1 + _AGE * age
    return True


def held_by(query: Query, doc: Doc, rarity_of: Mapping[str, float]) -> float:
    """How much of the query a document says, by how much each of its words tells."""
    held = doc.own.union(doc.about.split())
    return sum(w * rarity_of[word] for word, w in query.terms.items() if word in held)


def told_on(index: Index, found: Ranked, query: Query) -> None:
    """Put before the best entry the later one that tells on about the same thing, if there is.

    Where the query asks what was before something, it is the earlier one.
    """
    order = found.order[:_FOLLOWED]
    told = order[:1]
    steps = 1 if query.until else _STEPS
    while 0 < len(told) <= steps:
        other = _told(index, found, query, order, told[-1], linked=len(told) > 1)
        if other is None:
            break
        told.append(other)
    top = found.top
    for place, id in enumerate(told[1:], 1):
        found.scores[id] = top * (1 + 1e-6 * place)
        found.order.remove(id)
        found.order.insert(0, id)


def _told(
    index: Index, found: Ranked, query: Query, order: list[int], known: int, *, linked: bool
) -> int | None:
    """The entry that tells of the same thing as a known one, after it or, if asked, before it."""
    size, doc = index.size(), found.docs[known]
    tells = {term: rarity(size, facts.days) for term, facts in index.terms(doc.own).items()}
    asked = {term: tells[term] for term, w in query.terms.items() if w >= 1 and term in doc.own}
    parts = [t for whole in asked if not whole.isalnum() for t in _parts(whole)]
    for term in (*parts, *query.until):
        asked.pop(term, None)
    if not asked:
        return None
    thing = {term for term, told in asked.items() if told >= _NAMES * max(asked.values())}
    most = rarity(size, 1)
    particular = {
        term: told
        for term, told in tells.items()
        if told >= _PARTICULAR * most
        and term not in query.terms
        and term not in COMMON_STEMS
        and not term.isdigit()
        and not is_time(term)
    }
    best, most_said = None, 0.0
    for id in order:
        other = found.docs[id]
        if not _is_apart(found.days[known], found.days[id], other, query.until):
            continue
        if thing.isdisjoint(other.own) or not could_answer(other.text, query):
            continue
        shared = particular.keys() & other.own
        names = _names(doc.text) & _names(other.text) if shared else frozenset()
        shared = {term for term in shared if term in names or particular[term] >= _RARE * most}
        said = sum(asked[term] for term in thing & other.own)
        if not shared and (linked or said < _WHOLE * sum(asked.values())):
            continue
        if not query.until and not _turns(other.text, thing | shared, query):
            continue
        said += sum(particular[term] for term in shared)
        if said > most_said:
            best, most_said = id, said
    return best


def _is_apart(
    known: tuple[int, int], days: tuple[int, int], doc: Doc, until: frozenset[str]
) -> bool:
    """Whether an entry came after a known one; or before it, and before what is named."""
    if until:
        return days[0] < known[0] and until.isdisjoint(doc.own)
    return days[0] > known[0] and days[1] > known[1]


def _parts(whole: str) -> list[str]:
    return terms_of(re.sub(r"[\W_]+", " ", whole))


def _turns(text: str, about: set[str], query: Query) -> bool:
    """Whether a text says of something that it is no longer as it was, and what is asked of it."""
    return any(
        not about.isdisjoint(terms) and could_answer(sentence, query)
        for sentence, terms in _turned(text)
    )


@lru_cache(maxsize=1024)
def _turned(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The sentences that say that something is no longer as it was, with their terms."""
    sentences = re.split(r"(?<=[.!?;])\s+|\n", text)
    turned = [one for one in sentences if re.search(_TURN, one.lower())]
    return tuple((one, frozenset(terms_of(one))) for one in turned)


@lru_cache(maxsize=1024)
def _names(text: str) -> frozenset[str]:
    """The terms of what is written large, or with a figure in it."""
    found = re.findall(r"[A-Z][\w’'-]+|[^\W\d_]+\d[\w.-]*", text)
    return frozenset(term for name in found for term in terms_of(name))


def could_answer(text: str, query: Query) -> bool:
    """Whether words say a time, a figure or a value of a kind where one is asked for."""
    when = query.when
    if when.asks and not says_time(frozenset(terms_of(text)), text):
        return False
    if query.kinds and not gives(text, frozenset(query.kinds.values())):
        return False
    return not when.counts or any(map(str.isdigit, text))
