"""Whether memory supports a query at all, and what to name if it does not.

The weights and the threshold are taught with those of the ranker: the threshold is where at most one
in a hundred questions that memory can answer would get no answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import exp
from typing import NamedTuple

from lithify.index.read import Doc
from lithify.index.terms import terms_of
from lithify.recall.candidates import Ranked
from lithify.recall.features import speakers_named
from lithify.recall.query import Query
from lithify.recall.rank import weights
from lithify.recall.superseded import values_of

#: With less support than this, recall returns nothing.
MIN_SUPPORT = 0.5
#: How many of the best documents are examined.
_MOST_DOCS = 10
#: Others hold at least this part of a query, and the speaker whom it names less than this part of it.
_OTHERS_HOLD = 0.5
_SPEAKER_PART = 0.55
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


class Signs(NamedTuple):
    """What speaks for an answer.

    `held` is the part of the query, weighted by rarity, that the best document holds, `known` the
    part that memory has anywhere, `passage` the score of the best passage, `cited` that of the best
    summary, `vector` the similarity of the nearest text. That memory lacks a name of the query is
    no sign: the names of a log's own author or reader often stand only in questions.
    """

    held: float
    known: float
    passage: float
    cited: float
    vector: float


def support(query: Query, found: Ranked) -> float:
    """How likely it is that memory answers a query, so scaled that MIN_SUPPORT is the threshold."""
    if not found.docs or _only_others_said(query, found):
        return 0.0
    factors = weights(found)["answer"]
    signs = signs_of(query, found)._asdict()
    total = factors["bias"] + sum(factors[name] * sign for name, sign in signs.items())
    return round(1 / (1 + exp(-total)), 9)


def signs_of(query: Query, found: Ranked) -> Signs:
    """The signs that memory answers a query."""
    known, worth = found.known, _worth(query, found)
    total = sum(worth.values()) or 1.0
    best = [found.docs[id] for id in found.order[:_MOST_DOCS]]
    there = sum(value for word, value in worth.items() if word in known)
    inside = [features.passage for features in found.features.values()]
    return Signs(
        held=max((_held(doc, worth, query.kinds) for doc in best), default=0.0) / total,
        known=there / total,
        passage=max(inside, default=0.0),
        cited=max([features.cited for features in found.features.values()], default=0.0),
        vector=found.nearest,
    )


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


def _worth(query: Query, found: Ranked) -> dict[str, float]:
    """The worth of the query's telling words; if memory knows none of them, of all its words."""
    telling = [word for word, weight in query.terms.items() if weight >= 1]
    words = telling if any(word in found.known for word in telling) else query.terms
    # In a small memory no word is rare, so each has a worth of its own too.
    return {word: 1.0 + found.rarity[word] for word in words}


def _only_others_said(query: Query, found: Ranked) -> bool:
    """Whether the query names one speaker of a conversation, and only others said what it is about."""
    named = speakers_named(found, query)
    if len(named) != 1:
        return False
    (name,) = named
    worth = _worth(query, found)
    asked = {word: value for word, value in worth.items() if word not in terms_of(name)}
    mine = others = 0.0
    for doc in found.docs.values():
        held = sum(asked[word] for word in asked.keys() & doc.own) if doc.speaker else 0.0
        if doc.speaker == name:
            mine = max(mine, held)
        # The speaker may have answered another's question in other words.
        elif "?" not in doc.text:
            others = max(others, held)
    return others >= _OTHERS_HOLD * sum(asked.values()) and mine < _SPEAKER_PART * others


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
