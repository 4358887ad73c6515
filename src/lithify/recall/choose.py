"""Which documents fill the budget: the best first, then those that add what is not said yet.

Near-duplicates become one. What comes after the first few is weighed by how much it says, of the
words the best documents share, that the chosen ones do not, and by what it costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heapify, heappop, heappush

from lithify.index.read import Doc
from lithify.recall.likeness import alike, signs_of, tells_more
from lithify.recall.ranked import Ranked
from lithify.text.stems import COMMON_STEMS

#: Chosen by score alone; looked at after them; how many tell which words matter.
_FIRST = 5
_POOL = 100
_TIMES = 4
_TELLING = 30
#: The share of the score against that of new words; the price of length; what is left of a word
#: once it has been said.
_SCORE = 0.5
_PRICE = 0.4
_FLOOR = 20
_SAID = 0.5
#: Of so many of the best, the same with another value is shown as well; of all others it weighs
#: so much less than what says something else.
_VERSIONS = 3
_LIKE = 0.5
#: Of near-duplicates the one that says most is shown, if it answers nearly as well.
_NEARLY = 0.85
#: Tokens of what is cut out of a document that does not fit, and the part of the room it may take.
_CUT, _PART = 300, 0.7
#: With less room than this no entry is worth looking for.
_LEAST = 8


class Chosen:
    """A document, and those that say the same.

    `like` is the place in the pool of one that says nearly the same with other facts, which has
    it among its `others`.
    """

    def __init__(self, doc: Doc, score: float) -> None:
        self.doc, self.score = doc, score
        #: What it was told apart by, also where another comes to stand for it.
        self.own = doc.own
        self.same: list[Doc] = []
        self.like = -1
        self.others: list[Chosen] = []


def choose(found: Ranked, budget: int, asked: Mapping[str, float]) -> list[Chosen]:
    """What to show of the ranked documents within a budget of tokens, in order of choice."""
    pool, top = _pool(found, budget, asked), found.top
    if not pool or top <= 0:
        return []
    worth = _worth(pool, found, asked)
    telling = frozenset(worth)
    says = [one.doc.own & telling for one in pool]
    weigh = worth.__getitem__
    most = max([sum(map(weigh, terms)) for terms in says]) or 1.0
    rates = [
        (_LIKE if one.like >= 0 else 1.0) / float((one.doc.tokens + _FLOOR) ** _PRICE)
        for one in pool
    ]
    shares = [_SCORE * one.score / top for one in pool]
    new = (1 - _SCORE) / most

    def value(at: int) -> float:
        # A sum of fractions depends on its order in the last digits, which decide nothing here.
        return round(rates[at] * (shares[at] + new * sum(map(weigh, says[at]))), 9)

    first = _first(pool)
    taken: list[Chosen] = []
    paid: set[str] = set()
    room = budget

    def take(at: int) -> None:
        nonlocal room
        doc = pool[at].doc
        if doc.tokens > room and not taken and at in first:
            # The best may be longer than all there is room for: what answers in it is shown.
            doc = pool[at].doc = _cut(doc, asked, room)
        if doc.tokens <= room:
            room -= doc.tokens
            # A row says little without the head of its table.
            if doc.kind == "row" and doc.columns not in paid:
                paid.add(doc.columns)
                room -= doc.lead_tokens
            taken.append(pool[at])
            for term in says[at]:
                worth[term] *= _SAID

    for at in first:
        take(at)
    # Values only fall as words get said, so the best of an old order is best if it still is.
    heap = [(-value(at), at) for at in range(len(pool)) if at not in first]
    heapify(heap)
    while heap and room >= _LEAST:
        _, at = heappop(heap)
        now = -value(at)
        if heap and now > heap[0][0]:
            heappush(heap, (now, at))
            continue
        take(at)
    return taken


def _cut(doc: Doc, asked: Mapping[str, float], room: int) -> Doc:
    """A document of which only what answers is left, or the whole where nothing of it fits."""
    from lithify.recall.excerpt import excerpt
    from lithify.text.tokens import estimate

    text = excerpt(doc.text, asked, min(_CUT, int(_PART * room)))
    return doc._replace(text=text, tokens=estimate(text)) if text else doc


def _worth(pool: list[Chosen], found: Ranked, asked: Mapping[str, float]) -> dict[str, float]:
    """What it is worth to say each of the words that the best documents say besides the query's."""
    top, worth = found.top, dict[str, float]()
    for one in [one for one in pool if one.like < 0][:_TELLING]:
        share = (one.score / top) ** 2
        for term in one.doc.own:
            if term not in asked:
                worth[term] = worth.get(term, 0.0) + share
    for term in worth:
        worth[term] *= found.rarity.get(term, 3.0) * (0.5 if term in COMMON_STEMS else 1.0)
    return worth


def _first(pool: list[Chosen]) -> list[int]:
    """Those that are chosen by their score: of the very best one with other facts as well."""
    first: list[int] = []
    twice: set[int] = set()
    for at, one in enumerate(pool):
        if len(first) == _FIRST:
            break
        if one.like >= 0:
            if one.like >= _VERSIONS or one.like in twice:
                continue
            twice.add(one.like)
        first.append(at)
    return first


def _joins_one(heads: list[Chosen], doc: Doc, score: float) -> bool:
    """Whether a near-duplicate of these says the same as one of them, or of their like."""
    if any(_joins(head, doc, score) for head in heads):
        return True
    like = [one for one in heads[0].others if alike(doc.own, one.doc.own)]
    return any(_joins(one, doc, score) for one in like)


def _joins(head: Chosen, doc: Doc, score: float) -> bool:
    """Let a near-duplicate stand with another, or for it where it says more as well.

    What would be hidden by that, a figure, a name, a change, keeps both apart.
    """
    said_more = len(doc.own) > len(head.doc.own) and score >= _NEARLY * head.score
    if said_more and not any(tells_more(one.text, doc.text) for one in (head.doc, *head.same)):
        doc, head.doc = head.doc, doc
    elif tells_more(doc.text, head.doc.text):
        return False
    head.same.append(doc)
    return True


def _pool(found: Ranked, budget: int, asked: Mapping[str, float]) -> list[Chosen]:
    """What may be chosen: a few times what fits, near-duplicates together."""
    best = found.order[:_TELLING]
    length = sum([found.docs[id].tokens for id in best]) / max(1, len(best))
    most = min(_POOL, max(_TELLING, int(_TIMES * budget / max(1.0, length))))
    pool: list[Chosen] = []
    likes = 0
    having: dict[str, list[int]] = {}
    for id in found.order:
        own = found.docs[id].own
        if not own:
            continue
        signs = signs_of(own, asked)
        near = {at for term in signs if term in having for at in having[term]}
        same = [at for at in sorted(near) if alike(own, pool[at].own)]
        if same and _joins_one([pool[at] for at in same], found.docs[id], found.scores[id]):
            continue
        if len(pool) - likes == most or len(pool) == 2 * most:
            break
        if same:
            likes += 1
        else:
            for term in signs:
                having.setdefault(term, []).append(len(pool))
        pool.append(Chosen(found.docs[id], found.scores[id]))
        if same:
            pool[-1].like = same[0]
            pool[same[0]].others.append(pool[-1])
    return pool
