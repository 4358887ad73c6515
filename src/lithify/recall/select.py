"""Selecting what fills the budget: the best documents, each thing said once.

Near-duplicates are merged. A variant, which says nearly the same with other facts, comes later than
its score alone would have it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from lithify.index.read import Doc
from lithify.index.terms import terms_of
from lithify.recall.candidates import Ranked, alike
from lithify.recall.superseded import CHANGE, values_of

#: Documents are read until those that are no variants would fill the budget so many times.
_ENOUGH = 1.5
#: The factor of a variant's score, for each that is like it and comes before.
_VARIANT = 0.5
#: Of near-duplicates the longest is shown, if its score is at least this part of the best.
_NEARLY_AS_GOOD = 0.85
#: The most tokens of an excerpt of a document that does not fit, and the part of the room it takes.
_MOST_EXCERPT, _EXCERPT_PART = 300, 0.7
#: The part of the budget that the entries of the best passage may take before others.
_PASSAGE_PART = 0.25
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
    """A document, with its duplicates in `same` and its variants in `others`."""

    def __init__(self, doc: Doc, score: float) -> None:
        self.doc, self.score = doc, score
        #: The terms it is compared by, even after a duplicate has replaced `doc`.
        self.own = doc.own
        self.same: list[Doc] = []
        self.others: list[Selected] = []


def select(found: Ranked, budget: int, asked: Mapping[str, float]) -> list[Selected]:
    """Select documents within a budget of tokens, best first."""
    taken: list[Selected] = []
    headed: set[str] = set()
    pool = _pool(found, _ENOUGH * budget, asked)
    for one in _best_passage_early(found, pool, _PASSAGE_PART * budget):
        if budget < _MIN_ROOM and taken:
            break
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
    chosen = set(taken)
    return [one for one in pool if one in chosen]


def _best_passage_early(found: Ranked, pool: Sequence[Selected], room: float) -> Iterator[Selected]:
    """The documents best first, except that those of the best passage follow the first one.

    What a plain search over passages would show first is then never missing, whatever the ranker
    makes of its single entries.
    """
    early = []
    for one in pool[1:]:
        if one.doc.id in found.best_passage and one.doc.tokens <= room:
            room -= one.doc.tokens
            early.append(one)
    yield from pool[:1]
    yield from early
    yield from (one for one in pool[1:] if one not in early)


def _pool(found: Ranked, room: float, asked: Mapping[str, float]) -> list[Selected]:
    """The documents to select from, best first, near-duplicates merged."""
    pool: list[tuple[float, Selected]] = []
    having: dict[str, list[Selected]] = {}
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
        new = Selected(doc, score)
        if heads:
            heads[0].others.append(new)
            score *= _VARIANT ** len(heads[0].others)
        else:
            room -= doc.tokens
            for term in signs:
                having.setdefault(term, []).append(new)
        pool.append((score, new))
    return [one for _, one in sorted(pool, key=lambda pair: -pair[0])]


def _excerpted(doc: Doc, asked: Mapping[str, float], room: int) -> Doc:
    """A document cut to an excerpt, or unchanged if no sentence of it fits."""
    # Imported here because most searches need no excerpt.
    from lithify.text.tokens import estimate

    text = _excerpt(doc.text, asked, min(_MOST_EXCERPT, int(_EXCERPT_PART * room)))
    return doc._replace(text=text, tokens=estimate(text)) if text else doc


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
