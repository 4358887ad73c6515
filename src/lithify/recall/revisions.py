"""Ordering answers by age.

A memory is usually asked how things are now. So the newest of the entries that answer about equally
well comes first. So does a later entry that reports a change in other words: it has the subject of
the query, shares a rare word with the earlier entry (the old owner, place or plan), and says that
something has changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from lithify.index.read import Doc, Index
from lithify.index.terms import terms_of
from lithify.recall.candidates import Ranked, best_first, rarity
from lithify.recall.query import Query, is_time, says_time
from lithify.recall.superseded import CHANGE, gives_value, values_of
from lithify.text.stems import COMMON_STEMS

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
    rf"{CHANGE}|\b(?:any ?more|in (?:its|their|his|her|the) place|until further notice|from now on|"
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
    held = {id: _held_by(query, found.docs[id], found.rarity) for id in best}
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


def _held_by(query: Query, doc: Doc, rarity_of: Mapping[str, float]) -> float:
    """How much of the query a document holds: the sum of its words' weights and rarities."""
    held = set(doc.own.union(doc.about.split()))
    if query.kinds:
        # A version counts as the word "version", and so on for other kinds of value.
        kinds = values_of(doc.text).kinds
        held.update(word for word, kind in query.kinds.items() if kind in kinds)
    return sum(w * rarity_of[word] for word, w in query.terms.items() if word in held)


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
    """The terms of the parts of a compound."""
    return terms_of(re.sub(r"[\W_]+", " ", whole))


def _says_change(text: str, about: set[str], query: Query) -> bool:
    """Whether a sentence says that one of these terms changed, and could answer the query."""
    return any(
        not about.isdisjoint(terms) and _could_answer(sentence, query)
        for sentence, terms in _change_sentences(text)
    )


@lru_cache(maxsize=1024)
def _change_sentences(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The sentences that say that something has changed, with their terms."""
    sentences = re.split(r"(?<=[.!?;])\s+|\n", text)
    changes = [one for one in sentences if re.search(_CHANGE, one.lower())]
    return tuple((one, frozenset(terms_of(one))) for one in changes)


@lru_cache(maxsize=1024)
def _names(text: str) -> frozenset[str]:
    """The terms of capitalised words and of words with a figure in them."""
    found = re.findall(r"[A-Z][\w’'-]+|[^\W\d_]+\d[\w.-]*", text)
    return frozenset(term for name in found for term in terms_of(name))


def _could_answer(text: str, query: Query) -> bool:
    """Whether a text has a time, a number or a kind of value, if the query asks for one."""
    if query.time.asks_when and not says_time(frozenset(terms_of(text)), text):
        return False
    if query.kinds and not gives_value(text, frozenset(query.kinds.values())):
        return False
    return not query.time.asks_number or any(map(str.isdigit, text))
