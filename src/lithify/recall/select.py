"""Selecting what fills the budget: the best documents first, then those that add something new.

Near-duplicates are merged. After the first few, a document is weighed by its score and by how many
of the terms that the best documents share it adds to those selected, for its length.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from heapq import heapify, heappop, heappush

from lithify.index.read import Doc
from lithify.index.terms import terms_of
from lithify.recall.candidates import Ranked, alike
from lithify.recall.superseded import CHANGE, values_of
from lithify.text.stems import COMMON_STEMS

#: How many are selected by score alone; the size of the pool for the rest, at most and as a multiple
#: of what fits; how many of the best decide which terms matter.
_BY_SCORE = 5
_MOST_POOL = 100
_POOL_FACTOR = 4
_MOST_TELLING = 30
#: The share of the score, against that of new terms; the exponent of the price of length and a base
#: added to it; the factor for a term that has been said already.
_SCORE_SHARE = 0.5
_PRICE = 0.4
_PRICE_BASE = 20
_REPEATED = 0.5
#: A variant says nearly the same with other facts. Of so many of the best a variant is selected by
#: score too; any other variant has this factor.
_MOST_VARIED = 3
_VARIANT = 0.5
#: Of near-duplicates the longest is shown, if its score is at least this part of the best.
_NEARLY_AS_GOOD = 0.85
#: The most tokens of an excerpt of a document that does not fit, and the part of the room it takes.
_MOST_EXCERPT, _EXCERPT_PART = 300, 0.7
#: With less room than this nothing more is selected.
_MIN_ROOM = 8
#: The status that a word or a box gives a thing: planned, done or undone.
_STATUS = {
    **dict.fromkeys(
        ("decided", "planned", "will", "should", "would", "propose", "proposed"), "plan"
    ),
    **dict.fromkeys(("not", "never", "cancelled", "canceled", "reversed", "failed"), "undone"),
    **dict.fromkeys(("refused", "blocked"), "undone"),
    **dict.fromkeys(("released", "shipped", "deployed", "launched", "resolved", "fixed"), "done"),
    **dict.fromkeys(("finished", "done", "delivered", "merged", "paid", "closed"), "done"),
    **dict.fromkeys(("renewed", "signed"), "done"),
}
_BOXES = {"[ ]": "plan", "[x]": "done"}
#: A capitalised word inside a sentence.
_NAME = r"(?<=[\w,;:)|] )[A-Z][\w’'-]*"
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_GAP = " … "


class Selected:
    """A document, with its duplicates in `same`.

    If it is a variant, saying nearly the same as another with other facts, `like` is the place of
    that other in the pool, which lists its variants in `others`.
    """

    def __init__(self, doc: Doc, score: float) -> None:
        self.doc, self.score = doc, score
        #: The terms it is compared by, even after a duplicate has replaced `doc`.
        self.own = doc.own
        self.same: list[Doc] = []
        self.like = -1
        self.others: list[Selected] = []


def select(found: Ranked, budget: int, asked: Mapping[str, float]) -> list[Selected]:
    """Select documents within a budget of tokens, in order of selection."""
    pool, top = _pool(found, budget, asked), found.top
    if not pool or top <= 0:
        return []
    worth = _worth_of_terms(pool, found, asked)
    telling = frozenset(worth)
    says = [one.doc.own & telling for one in pool]
    weigh = worth.__getitem__
    most = max([sum(map(weigh, terms)) for terms in says]) or 1.0
    rates = [
        (_VARIANT if one.like >= 0 else 1.0) / float((one.doc.tokens + _PRICE_BASE) ** _PRICE)
        for one in pool
    ]
    shares = [_SCORE_SHARE * one.score / top for one in pool]
    new = (1 - _SCORE_SHARE) / most

    def value(at: int) -> float:
        # The last digits of a sum depend on the order of its parts; rounding keeps them from deciding.
        return round(rates[at] * (shares[at] + new * sum(map(weigh, says[at]))), 9)

    first = _first(pool)
    taken: list[Selected] = []
    paid: set[str] = set()
    room = budget

    def take(at: int) -> None:
        nonlocal room
        doc = pool[at].doc
        if doc.tokens > room and not taken and at in first:
            # The best document may be longer than the whole budget: show an excerpt.
            doc = pool[at].doc = _excerpted(doc, asked, room)
        if doc.tokens <= room:
            room -= doc.tokens
            # A row is shown under the header of its table.
            if doc.kind == "row" and doc.columns not in paid:
                paid.add(doc.columns)
                room -= doc.lead_tokens
            taken.append(pool[at])
            for term in says[at]:
                worth[term] *= _REPEATED

    for at in first:
        take(at)
    # Values only fall, so the first of the heap is the best if its value is still the greatest.
    heap = [(-value(at), at) for at in range(len(pool)) if at not in first]
    heapify(heap)
    while heap and room >= _MIN_ROOM:
        _, at = heappop(heap)
        now = -value(at)
        if heap and now > heap[0][0]:
            heappush(heap, (now, at))
            continue
        take(at)
    return taken


def _excerpted(doc: Doc, asked: Mapping[str, float], room: int) -> Doc:
    """A document cut to an excerpt, or unchanged if no sentence of it fits."""
    # Imported here because most searches need no excerpt.
    from lithify.text.tokens import estimate

    text = _excerpt(doc.text, asked, min(_MOST_EXCERPT, int(_EXCERPT_PART * room)))
    return doc._replace(text=text, tokens=estimate(text)) if text else doc


def _worth_of_terms(
    pool: list[Selected], found: Ranked, asked: Mapping[str, float]
) -> dict[str, float]:
    """The worth of each term that the best documents hold besides the query's terms."""
    top, worth = found.top, dict[str, float]()
    for one in [one for one in pool if one.like < 0][:_MOST_TELLING]:
        share = (one.score / top) ** 2
        for term in one.doc.own:
            if term not in asked:
                worth[term] = worth.get(term, 0.0) + share
    for term in worth:
        worth[term] *= found.rarity.get(term, 3.0) * (0.5 if term in COMMON_STEMS else 1.0)
    return worth


def _first(pool: list[Selected]) -> list[int]:
    """The places of those selected by score alone; the very best may bring one variant each."""
    first: list[int] = []
    twice: set[int] = set()
    for at, one in enumerate(pool):
        if len(first) == _BY_SCORE:
            break
        if one.like >= 0:
            if one.like >= _MOST_VARIED or one.like in twice:
                continue
            twice.add(one.like)
        first.append(at)
    return first


def _merge_into_one(heads: list[Selected], doc: Doc, score: float) -> bool:
    """Merge a near-duplicate into one of these or of their variants; whether that was possible."""
    if any(_merge(head, doc, score) for head in heads):
        return True
    like = [one for one in heads[0].others if alike(doc.own, one.doc.own)]
    return any(_merge(one, doc, score) for one in like)


def _merge(head: Selected, doc: Doc, score: float) -> bool:
    """Merge a near-duplicate into another, or replace the other if it says more and scores well.

    They stay apart if merging would hide a fact: a figure, a name, a change.
    """
    said_more = len(doc.own) > len(head.doc.own) and score >= _NEARLY_AS_GOOD * head.score
    if said_more and not any(_adds_fact(one.text, doc.text) for one in (head.doc, *head.same)):
        doc, head.doc = head.doc, doc
    elif _adds_fact(doc.text, head.doc.text):
        return False
    head.same.append(doc)
    return True


def _pool(found: Ranked, budget: int, asked: Mapping[str, float]) -> list[Selected]:
    """The documents to select from: a few times what fits, near-duplicates merged."""
    best = found.order[:_MOST_TELLING]
    length = sum([found.docs[id].tokens for id in best]) / max(1, len(best))
    most = min(_MOST_POOL, max(_MOST_TELLING, int(_POOL_FACTOR * budget / max(1.0, length))))
    pool: list[Selected] = []
    likes = 0
    having: dict[str, list[int]] = {}
    for id in found.order:
        own = found.docs[id].own
        if not own:
            continue
        signs = signature(own, asked)
        near = {at for term in signs if term in having for at in having[term]}
        same = [at for at in sorted(near) if alike(own, pool[at].own)]
        if same and _merge_into_one([pool[at] for at in same], found.docs[id], found.scores[id]):
            continue
        if len(pool) - likes == most or len(pool) == 2 * most:
            break
        if same:
            likes += 1
        else:
            for term in signs:
                having.setdefault(term, []).append(len(pool))
        pool.append(Selected(found.docs[id], found.scores[id]))
        if same:
            pool[-1].like = same[0]
            pool[same[0]].others.append(pool[-1])
    return pool


def signature(terms: frozenset[str], common: Mapping[str, float]) -> list[str]:
    """Terms of which a near-duplicate must have one in its own signature, to compare fewer pairs.

    These are the first half of the terms in one order for all texts, with `common` terms last.
    """
    half = len(terms) // 2 + 1
    signs = sorted(terms.difference(common), reverse=True)[:half]
    if len(signs) < half:
        signs += sorted(terms.intersection(common), reverse=True)[: half - len(signs)]
    return signs


def _adds_fact(text: str, other: str) -> bool:
    """Whether a text has a fact that a near-duplicate of it has not.

    A fact is a value, a name, or that something is planned, done, undone or changed.
    """
    if not values_of(text).pairs <= values_of(other).pairs:
        return True
    status, names, changed = _facts(text)
    also, _, other_changed = _facts(other)
    if status != also or changed != other_changed:
        return True
    low = other.lower()
    return any(name not in low for name in names)


@lru_cache(maxsize=4096)
def _facts(text: str) -> tuple[frozenset[str], frozenset[str], bool]:
    """The statuses and lower-case names of a text, and whether it says that a value changed."""
    low = text.lower()
    status = {_STATUS[word] for word in _STATUS.keys() & re.split(r"\W+", low)}
    status.update(what for box, what in _BOXES.items() if box in low)
    changed = bool(values_of(text).pairs) and re.search(CHANGE, low) is not None
    return frozenset(status), frozenset(map(str.lower, re.findall(_NAME, text))), changed


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
    return _joined(sentences, sorted(taken)) if taken else ""


def _joined(sentences: list[str], places: list[int]) -> str:
    """Join some of the sentences, with an ellipsis where others are left out."""
    text = "… " if places[0] else ""
    for before, at in zip([None, *places], places, strict=False):
        text += ("" if before is None else " " if before == at - 1 else _GAP) + sentences[at]
    return text + ("" if places[-1] == len(sentences) - 1 else " …")
