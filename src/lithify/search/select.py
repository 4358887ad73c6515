"""Selecting what fills the budget: the best documents, each thing said once.

Near-duplicates are merged. A variant, which says nearly the same with other facts, comes later than
its score alone would have it. A budget is a ceiling: a document is selected only if the chance that
it holds an answer is worth its tokens.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import permutations
from math import exp, log, log1p
from typing import NamedTuple

from lithify.regex import regex
from lithify.search.index import Doc, terms_of
from lithify.search.query import Query
from lithify.search.rank import Ranked, alike, held_worth, speakers_named, weights
from lithify.search.superseded import supersedes

#: Documents are read until those that are no variants would fill the budget so many times.
_ENOUGH = 1.5
#: The factor of a variant's score, for each that is like it and comes before.
_VARIANT = 0.5
#: Of near-duplicates the longest is shown, if its score is at least this part of the best.
_NEARLY_AS_GOOD = 0.85
#: The most tokens of an excerpt of a document that does not fit, and the part of the room it takes.
_MOST_EXCERPT, _EXCERPT_PART = 300, 0.7
#: Of less room an excerpt takes all.
_SMALL = 60
#: With less room than this nothing more is selected.
_MIN_ROOM = 8
#: How many of the first documents are compared for older and newer values.
MOST_COMPARED = 16
#: What a reader pays for a passage besides its words: its date and its headings, in tokens.
_HEAD_TOKENS = 12
#: A capitalised word inside a sentence.
_NAME = regex(r"(?<=[\w,;:)|] )[A-Z][\w’'-]*")
_FIGURE = regex(r"(?<!\w)\w*\d[\w.,:/%-]*(?<![.,:/-])")
#: What turns a statement into its opposite: a denial, or the box of what is still to be done.
_DENIAL = regex(r"\b(?:not|never|no)\b|n['’]t\b|\[[ x]\]")
_SENTENCE = regex(r"(?<=[.!?])\s+|\n+")
_GAP = " … "


class SelectedDoc:
    """A document, with its duplicates in `same` and its variants in `others`.

    `chance` is how likely it is that it holds an answer.
    """

    def __init__(self, doc: Doc, score: float, chance: float = 1.0) -> None:
        self.doc, self.score, self.chance = doc, score, chance
        #: The terms it is compared by, even after a duplicate has replaced `doc`.
        self.own = doc.own
        self.same: list[Doc] = []
        self.others: list[SelectedDoc] = []


def select(
    found: Ranked,
    budget: int,
    asked: Mapping[str, float],
    told: Container[int] = (),
    factors: Mapping[str, float] | None = None,
) -> list[SelectedDoc]:
    """Select documents within a budget of tokens, best first: those whose chance is worth it.

    What an earlier answer `told` is left out; whoever wants more after it gets all that fits.
    `factors` are the weights of a chance and its price in tokens, if not those of the ranker.
    """
    taken: list[SelectedDoc] = []
    headed: set[str] = set()
    pool = pool_of(found, _ENOUGH * budget, asked, told)
    factors = factors or weights(found)["chance"]
    # Everything on a named day was asked for; only what was ranked by its words may be too little.
    price = factors["price"] if found.features and not told else 0.0
    for one, signs in zip(pool, chance_signs(found, pool), strict=True):
        total = sum(factors[name] * sign for name, sign in signs._asdict().items())
        one.chance = 1 / (1 + exp(-total)) if found.features else 1.0
    pool = [one for one in pool if not any(doc.id in told for doc in (one.doc, *one.same))]
    worth = {one for one in pool if one.chance >= price * (one.doc.tokens + _HEAD_TOKENS)}
    # Whoever reads an older value must read the newer one.
    worth.update([newer for older, newer in _replaced(found, pool) if older in worth])
    for one in pool:
        if budget < _MIN_ROOM and taken:
            break
        if taken and one not in worth:
            continue
        if one.doc.tokens > budget and not taken:
            # The best document may be longer than the whole budget: show an excerpt.
            one.doc = _excerpted(one.doc, asked, budget)
        if one.doc.tokens > budget:
            continue
        budget -= one.doc.tokens
        # A row is shown under the header of its table.
        if one.doc.kind == "row" and one.doc.columns not in headed:
            headed.add(one.doc.columns)
            budget -= one.doc.lead_tokens
        taken.append(one)
    return taken


class ChanceSigns(NamedTuple):
    """What tells how likely a selected document holds an answer.

    `share` is its part of all candidates' scores, which the ranker is taught to be the probability
    of an answer; `rank` its place among the selected; `tokens` its length. All are logarithms.
    """

    share: float
    rank: float
    tokens: float
    bias: float = 1.0


def chance_signs(found: Ranked, pool: Sequence[SelectedDoc]) -> list[ChanceSigns]:
    """Return the signs of each document of a pool, best first."""
    total = sum(found.scores.values()) or 1.0
    return [
        ChanceSigns(log(max(one.score / total, 1e-6)), log1p(place), log1p(one.doc.tokens))
        for place, one in enumerate(pool)
    ]


def pool_of(
    found: Ranked, room: float, asked: Mapping[str, float], told: Container[int] = ()
) -> list[SelectedDoc]:
    """Return the documents to select from, best first, near-duplicates merged."""
    pool: list[tuple[float, SelectedDoc]] = []
    having: dict[str, list[SelectedDoc]] = {}
    for id in found.order:
        doc, score = found.docs[id], found.scores[id]
        if not doc.own:
            continue
        signs = signature(doc.own, asked)
        near = {one: None for term in signs for one in having.get(term, ())}
        heads = [one for one in near if alike(doc.own, one.own)]
        if heads and _merge_into_one(heads, doc, score):
            continue
        if room < 0:
            break
        new = SelectedDoc(doc, score)
        if heads:
            heads[0].others.append(new)
            score *= _VARIANT ** len(heads[0].others)
        else:
            room -= 0 if id in told else doc.tokens
            for term in signs:
                having.setdefault(term, []).append(new)
        pool.append((score, new))
    return [one for _, one in sorted(pool, key=lambda pair: -pair[0])]


def _replaced(
    found: Ranked, pool: Sequence[SelectedDoc]
) -> Iterator[tuple[SelectedDoc, SelectedDoc]]:
    """Yield the older and the newer of two of the first documents that give values of one thing."""
    for older, newer in permutations(pool[:MOST_COMPARED], 2):
        later = found.days[newer.doc.id][1] > found.days[older.doc.id][1]
        if later and supersedes(newer.doc, older.doc):
            yield older, newer


def _excerpted(doc: Doc, asked: Mapping[str, float], room: int) -> Doc:
    """Return a document cut to an excerpt, or unchanged if no sentence of it fits."""
    # Imported here because most searches need no excerpt.
    from lithify.text.tokens import estimate

    part = room if room < _SMALL else int(_EXCERPT_PART * room)
    text = _excerpt(doc.text, asked, min(_MOST_EXCERPT, part))
    return doc._replace(text=text, tokens=estimate(text)) if text else doc


def _merge_into_one(heads: list[SelectedDoc], doc: Doc, score: float) -> bool:
    """Merge a near-duplicate into one of these or of their variants; whether that was possible."""
    if any(_merge(head, doc, score) for head in heads):
        return True
    like = [one for one in heads[0].others if alike(doc.own, one.doc.own)]
    return any(_merge(one, doc, score) for one in like)


def _merge(head: SelectedDoc, doc: Doc, score: float) -> bool:
    """Merge a near-duplicate into another, or replace the other if it says more and scores well.

    They stay apart if merging would hide a fact: a figure, a name, a box, a denial.
    """
    said_more = len(doc.own) > len(head.doc.own) and score >= _NEARLY_AS_GOOD * head.score
    if said_more and not any(_adds_fact(one, doc) for one in (head.doc, *head.same)):
        doc, head.doc = head.doc, doc
    elif _adds_fact(doc, head.doc):
        return False
    head.same.append(doc)
    return True


def signature(terms: frozenset[str], common: Mapping[str, float]) -> list[str]:
    """Terms of which a near-duplicate must have one in its own signature, to compare fewer pairs.

    These are the first half of the terms in one order for all texts, with `common` terms last.
    """
    half = len(terms) // 2 + 1
    signs = sorted(terms.difference(common), reverse=True)[:half]
    if len(signs) < half:
        signs += sorted(terms.intersection(common), reverse=True)[: half - len(signs)]
    return signs


def _adds_fact(doc: Doc, other: Doc) -> bool:
    """Return whether a document has a figure or a name that a near-duplicate has not, or denies it.

    That each names its own day is no fact: other days of a passage are told.
    """
    if _DENIAL.findall(doc.text.lower()) != _DENIAL.findall(other.text.lower()):
        return True
    return not _facts(doc.text, doc.first) <= _facts(other.text, other.first) | _words(other.text)


@lru_cache(maxsize=4096)
def _facts(text: str, day: int) -> frozenset[str]:
    """Return the figures and names of a text in small letters, its own day left out."""
    known = date.fromordinal(max(1, day))
    said = {*_FIGURE.findall(text), *_NAME.findall(text)} - {str(known), f"{known:%A}"}
    return frozenset(map(str.lower, said))


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    """Return the words of a text in small letters, among which a name of another may stand."""
    return frozenset(re.findall(r"[\w’'-]+", text.lower()))


def _excerpt(text: str, asked: Mapping[str, float], room: int) -> str:
    """The sentences that hold most of what is asked, in their order, within a number of tokens."""
    from lithify.text.tokens import estimate

    sentences = [one for one in _SENTENCE.split(text) if one.strip()]
    worth = [sum(asked.get(term, 0.0) for term in set(terms_of(one))) for one in sentences]
    best = sorted(range(len(sentences)), key=lambda at: (-worth[at], at))
    taken: list[int] = []
    for at in best:
        if worth[at] <= 0:
            break
        if estimate(_joined(sentences, sorted([*taken, at]))) <= room:
            taken.append(at)
        elif taken:
            break
    # The best sentence may itself be too long.
    return _joined(sentences, sorted(taken)) if taken else cut_to(sentences[best[0]], asked, room)


def cut_to(text: str, asked: Collection[str], room: int) -> str:
    """Cut a text to the words around the first of the terms asked for, or "" if none fits."""
    from lithify.text.tokens import estimate

    words = re.findall(r"\s*(?:[^\s\u2e80-\uffff]+|[^\s])", text)
    first = next(
        (n for n, word in enumerate(words) if not set(asked).isdisjoint(terms_of(word))), 0
    )
    start, end, best = first, first + 1, ""
    while True:
        said = "".join(words[start:end]).strip()
        said = f"{'… ' * (start > 0)}{said}{' …' * (end < len(words))}"
        if estimate(said) > room or said == best:
            return best
        best = said
        # What follows a word tells more of it than what it follows.
        start, end = max(0, start - 1), min(len(words), end + 3)


def _joined(sentences: list[str], places: list[int]) -> str:
    """Join some of the sentences, with an ellipsis where others are left out."""
    text = "… " if places[0] else ""
    for before, at in zip([None, *places], places, strict=False):
        text += ("" if before is None else " " if before == at - 1 else _GAP) + sentences[at]
    return text + ("" if places[-1] == len(sentences) - 1 else " …")


# Whether memory supports a query at all, and what to name if it does not.

#: With less support than this, recall returns nothing.
MIN_SUPPORT = 0.5
#: How many of the best documents are examined, and how many words that memory lacks count.
_MOST_DOCS = 10
_MOST_LACKING = 4
#: Others hold at least this part of a query, and the speaker whom it names less than this part of it.
_OTHERS_HOLD = 0.5
_SPEAKER_PART = 0.55
#: Words that memory has nowhere are named if they are this part of the telling words of a query.
_MISSING_PART = 1 / 3
#: How many topics are named without an answer, and the words of one that has no heading.
_MOST_TOPICS = 5
_TOPIC_WORDS = 8


class Signs(NamedTuple):
    """What speaks for an answer.

    `held` is the part of the query, weighted by rarity, that the best document holds, `known` the
    part that memory has anywhere, `lacking` how many of its telling words memory lacks (0 to -1),
    `passage` the score of the best passage, `cited` that of the best summary, `vector` the similarity
    of the nearest text. That memory lacks a name of the query is no sign: the names of a log's own
    author or reader often stand only in questions.
    """

    held: float
    known: float
    lacking: float
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
    """Return the signs that memory answers a query."""
    known, worth = found.known, _worth(query, found)
    total = sum(worth.values()) or 1.0
    best = [found.docs[id] for id in found.order[:_MOST_DOCS]]
    there = sum(value for word, value in worth.items() if word in known)
    inside = [features.passage for features in found.features.values()]
    return Signs(
        held=max((held_worth(doc, worth, query.kinds) for doc in best), default=0.0) / total,
        known=there / total,
        lacking=-min(_MOST_LACKING, len(worth.keys() - known)) / _MOST_LACKING,
        passage=max(inside, default=0.0),
        cited=max([features.cited for features in found.features.values()], default=0.0),
        vector=found.nearest,
    )


def _worth(query: Query, found: Ranked) -> dict[str, float]:
    """The worth of the query's telling words; if memory knows none of them, of all its words."""
    telling = query.telling
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


def missing_words(query: Query, found: Ranked) -> tuple[str, ...]:
    """Return the words of a query that memory has nowhere, if they are many of its telling ones.

    One may be the name of a log's author or a word of the question alone.
    """
    telling = query.telling
    missing = telling - found.known.keys()
    if not missing or len(missing) < _MISSING_PART * len(telling):
        return ()
    words = re.findall(r"\w[\w./@-]*", query.text)
    named = [word.rstrip("./-") for word in words if missing.issuperset(terms_of(word) or [""])]
    return tuple(dict.fromkeys(named))[:_MOST_TOPICS]


def nearest_topics(query: Query, found: Ranked) -> tuple[str, ...]:
    """Return the topics of the best documents with their dates, to be named where there is no answer.

    A heading that stands over most of them on several days, as "Conversation" does, names none.
    """
    # Imported here because it brings the grammar of dates, which most searches do not need.
    from lithify.search.headings import subject_of

    subjects = {id: subject_of(found.docs[id].headings) for id in found.order}
    plain = {id: re.sub(r"[\W\d_]+", "", subject) for id, subject in subjects.items()}
    days: dict[str, set[int]] = {}
    for id, name in plain.items():
        days.setdefault(name, set()).add(found.days[id][1])
    many = Counter(plain.values())
    topics: dict[str, int] = {}
    for id in found.order:
        name = plain[id]
        common = len(days[name]) > 1 and 2 * many[name] > len(plain)
        doc = found.docs[id]
        topic = _telling_words(doc, query, found) if common or not name else subjects[id]
        topics[topic] = max(topics.get(topic, 0), found.days[id][1])
    topics.pop("", None)
    named = [f"{name} ({date.fromordinal(day)})" if day else name for name, day in topics.items()]
    return tuple(named[:_MOST_TOPICS])


def _telling_words(doc: Doc, query: Query, found: Ranked) -> str:
    """Return the first words of the sentence of a document that holds most of a query."""
    text = re.sub(r"^\d{1,2}[:h]\d\d\s+", "", doc.text.strip("|[]x `"))

    def worth(sentence: str) -> tuple[float, int]:
        said = set(terms_of(sentence))
        return sum(found.rarity.get(word, 0.0) for word in said & query.terms.keys()), len(said)

    best = max(re.split(r"[.;|!?]+\s", text), key=worth)
    return " ".join(best.split()[:_TOPIC_WORDS]).rstrip(".,:;!?")
