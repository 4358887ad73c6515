"""Whether memory supports a query at all, and what to name if it does not.

The threshold was set so that at most three in a hundred answerable questions get no answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lithify.index.read import Doc
from lithify.index.terms import terms_of
from lithify.recall.candidates import Ranked
from lithify.recall.query import Query
from lithify.recall.rank import speakers_named
from lithify.recall.superseded import values_of

#: With less support than this, recall returns nothing.
MIN_SUPPORT = 0.15
#: The worth of a word that is not rare at all; its rarity is added.
_BASE_WORTH = 1.0
#: How many of the best documents are examined.
_MOST_DOCS = 10
#: Support is reduced if memory knows less than this part of the query's words, and again if it
#: knows less than half and not all the names.
_FEW_KNOWN = 0.35
_HALF_KNOWN = 0.5
_UNKNOWN_FACTOR = 0.63
#: The query names a speaker and others hold this part of it (`_OTHERS_HOLD`): the speaker must
#: hold at least this part of what they do.
_SPEAKER_PART = 0.55
_OTHERS_HOLD = 0.5
#: How many topics are named without an answer, and the words of one that has no heading.
_MOST_TOPICS = 5
_TOPIC_WORDS = 8
#: Words that days use for what a query about named days asks by another: a bug, an outage, a crash.
_SYNONYMS = tuple(
    frozenset(terms_of(words))
    for words in (
        "break broke broken bug crash defect error fail failure fault incident outage problem regression",
        "ship shipped deploy deliver merge",
        "decide decision agree agreed choose chose chosen",
    )
)


def support(query: Query, found: Ranked) -> float:
    """The part of the query, weighted by rarity, that the best document holds."""
    known = found.known
    telling = [word for word, weight in query.terms.items() if weight >= 1]
    # If memory knows no word but common ones, these have to do.
    words = telling if any(word in known for word in telling) else query.terms
    # In a small memory no word is rare, so each has a worth of its own too.
    worth = {word: _BASE_WORTH + found.rarity[word] for word in words}
    total = sum(worth.values())
    if not total:
        return 0.0
    best = [found.docs[id] for id in found.order[:_MOST_DOCS]]
    held = max((_held(doc, worth, query.kinds) for doc in best), default=0.0) / total
    there = sum(value for word, value in worth.items() if word in known and known[word].entries)
    if there < _FEW_KNOWN * total:
        held *= _UNKNOWN_FACTOR
    if there < _HALF_KNOWN * total and any(name not in known for name in query.names):
        held *= _UNKNOWN_FACTOR
    named = speakers_named(found, query)
    if named:
        # A query about a speaker of the conversation is answered, whatever its other words.
        held = max(held, MIN_SUPPORT)
    return min(held, _speaker_limit(named, found, worth))


def synonyms_of(query: Query) -> frozenset[str]:
    """The synonyms of the query's telling words, if these all belong to one group."""
    telling = {word for word, weight in query.terms.items() if weight >= 1}
    return next((words for words in _SYNONYMS if telling and telling <= words), frozenset())


def _held(doc: Doc, worth: Mapping[str, float], kinds: Mapping[str, str]) -> float:
    """The worth of the query's words that a document holds."""
    said = worth.keys() & doc.own.union(doc.about.split())
    # A version counts as the word "version", and so on for other kinds of value.
    if kinds and (valued := [word for word in kinds if word in worth and word not in said]):
        given = values_of(doc.text).kinds
        said.update(word for word in valued if kinds[word] in given)
    return sum(worth[word] for word in said)


def _speaker_limit(named: set[str], found: Ranked, worth: Mapping[str, float]) -> float:
    """A limit on the support, if the query names one speaker and only others said it."""
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
            # The speaker may have answered another's question in other words.
            elif "?" not in doc.text:
                others = max(others, held)
    if others < _OTHERS_HOLD * total or mine >= _SPEAKER_PART * others:
        return 1.0
    return MIN_SUPPORT * mine / others


def nearest_topics(found: Ranked) -> tuple[str, ...]:
    """The topics of the best documents, to be named where there is no answer."""
    names = dict.fromkeys(_topic_of(found.docs[id]) for id in found.order)
    return tuple(name for name in names if name)[:_MOST_TOPICS]


def _topic_of(doc: Doc) -> str:
    """The subject of a document's headings, else the first words of its text."""
    # Imported here because it brings the grammar of dates, which most searches do not need.
    from lithify.text.headings import subject_of

    if subject := subject_of(doc.headings):
        return subject
    text = re.sub(r"^\d{1,2}[:h]\d\d\s+", "", doc.text.strip("|[]x `"))
    words = re.split(r"[.;|!?]\s", text, maxsplit=1)[0].split()
    return " ".join(words[:_TOPIC_WORDS]).rstrip(".,:;")
