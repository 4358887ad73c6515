"""What of a text that does not fit answers best: the sentences with most of what is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lithify.index.terms import terms_of
from lithify.text.tokens import estimate

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_GAP = " … "


def excerpt(text: str, asked: Mapping[str, float], room: int) -> str:
    """The sentences that say most of what is asked, in their order, within a room of tokens."""
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
    """Some of the sentences, with a sign where others are left out."""
    text = "… " if places[0] else ""
    for before, at in zip([None, *places], places, strict=False):
        text += ("" if before is None else " " if before == at - 1 else _GAP) + sentences[at]
    return text + ("" if places[-1] == len(sentences) - 1 else " …")
