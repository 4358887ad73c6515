"""Whether memory supports a query at all, or has nothing to say to it.

Calibrated so that at most three in a hundred questions that memory can answer meet silence.
"""

from __future__ import annotations

from collections.abc import Mapping

from lithify.index.read import Doc, Index
from lithify.index.terms import terms_of
from lithify.recall.query import Query
from lithify.recall.rank import speakers_named
from lithify.recall.ranked import Ranked
from lithify.recall.revise import values_of

#: Below this support there is no answer.
SILENT = 0.15
#: What a word is worth however common it is.
_PLAIN = 1.0
#: How many of the best are asked.
_WITNESSES = 10
#: The share of a query's words that memory must know for its best answer to count in full.
_KNOWN = 0.35
_MOSTLY = 0.5
_UNKNOWN = 0.63
#: What a person is asked about was said, but by another: so much less by the one who is named.
_BY_OTHERS = 0.55
_CLEARLY = 0.5
#: What is asked for by one word and told by another: what broke is told as a bug, or an outage.
_KIN = tuple(
    frozenset(terms_of(words))
    for words in (
        "break broke broken bug crash defect error fail failure fault incident outage problem regression",
        "ship shipped deploy deliver merge",
        "decide decision agree agreed choose chose chosen",
    )
)


def support(index: Index, query: Query, found: Ranked) -> float:
    """The share of what the query asks for that the best document holds, by how much it tells."""
    known = found.known
    telling = [word for word, weight in query.terms.items() if weight >= 1]
    # Where memory knows none of the telling words, what else is asked has to do.
    words = telling if any(word in known for word in telling) else query.terms
    # In a small memory every word is everywhere and tells nothing; it is still an answer's.
    worth = {word: _PLAIN + found.rarity[word] for word in words}
    total = sum(worth.values())
    if not total:
        return 0.0
    best = [found.docs[id] for id in found.order[:_WITNESSES]]
    held = max((_held(doc, worth, query.kinds) for doc in best), default=0.0) / total
    there = sum(value for word, value in worth.items() if word in known and known[word].days)
    if there < _KNOWN * total:
        held *= _UNKNOWN
    if there < _MOSTLY * total and any(name not in known for name in query.names):
        held *= _UNKNOWN
    named = speakers_named(found, query)
    if named:
        # Whoever speaks here is known, in whatever words one asks about them.
        held = max(held, SILENT)
    return min(held, _by_the_named(named, found, worth))


def kindred(query: Query) -> frozenset[str]:
    """The words in which the days may tell what a query asks for by nothing but one of them."""
    telling = {word for word, weight in query.terms.items() if weight >= 1}
    return next((kin for kin in _KIN if telling and telling <= kin), frozenset())


def _held(doc: Doc, worth: Mapping[str, float], kinds: Mapping[str, str]) -> float:
    said = worth.keys() & doc.own.union(doc.about.split())
    # A version answers for the word.
    if kinds and (valued := [word for word in kinds if word in worth and word not in said]):
        given = values_of(doc.text).kinds
        said.update(word for word in valued if kinds[word] in given)
    return sum(worth[word] for word in said)


def _by_the_named(named: set[str], found: Ranked, worth: Mapping[str, float]) -> float:
    """In a conversation: whether the one person the query names said any of it, or only others."""
    if len(named) != 1:
        return 1.0
    (name,) = named
    asked = {word: value for word, value in worth.items() if word not in terms_of(name)}
    total = sum(asked.values())
    mine = others = 0.0
    for doc in found.docs.values():
        if doc.speaker:
            held = sum(asked[word] for word in asked.keys() & doc.own)
            if doc.speaker == name:
                mine = max(mine, held)
            # What another asks, the one who is named may have answered in other words.
            elif "?" not in doc.text:
                others = max(others, held)
    if others < _CLEARLY * total or mine >= _BY_OTHERS * others:
        return 1.0
    return SILENT * mine / others
