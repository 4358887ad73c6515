"""Cut a sentence that is too long for a bullet at its clauses.

Nothing is cut inside a quotation or a bracket, nor where a piece would lose the reserve or denial
that the sentence is told with, nor in a language nobody has taught: such a sentence stays whole.
"""

from __future__ import annotations

import re

from lithify.text.hedges import denies, hedges
from lithify.text.tokens import estimate

#: Tokens of a bullet, and what is left of them beside a date and a subject.
LIMIT = 60
_ROOM = LIMIT - 12

_STRONG = re.compile(r"(?<=[;；])\s*|\s+(?=[-–—] )|\s+[·•|]\s+")
_WEAK = re.compile(r"(?<=,)\s+|(?<=[，、])")


def clauses(sentence: str, may_cut: bool = True) -> list[str]:
    """The sentence, in pieces that each fit a bullet where it does not and may be cut."""
    if len(sentence) < _ROOM or estimate(sentence) <= _ROOM or not may_cut:
        return [sentence]
    for mark in (_STRONG, _WEAK):
        pieces = _filled(_parts(sentence, mark))
        if len(pieces) > 1 and _may_part(sentence, pieces):
            return pieces
    return [sentence]


def _parts(sentence: str, mark: re.Pattern[str]) -> list[str]:
    """The sentence cut at every mark that stands outside quotations and brackets."""
    parts: list[str] = []
    start = at = 0
    quoted = depth = 0
    for match in mark.finditer(sentence):
        for sign in sentence[at : match.start()]:
            quoted ^= sign == '"'
            depth += (sign in "([") - (sign in ")]" and depth > 0)
        at = match.start()
        if not quoted and not depth:
            parts.append(sentence[start : match.start()].strip())
            start = match.end()
    return [part for part in (*parts, sentence[start:].strip()) if part]


def _filled(parts: list[str]) -> list[str]:
    """Neighbouring parts joined as long as a bullet holds them."""
    pieces: list[str] = []
    size = 0
    for part in parts:
        cost = estimate(part)
        if pieces and size + cost <= _ROOM:
            pieces[-1] = f"{pieces[-1]} {part}"
            size += cost
        else:
            pieces.append(part)
            size = cost
    return [piece.strip(" ,;-–—") for piece in pieces if piece.strip(" ,;-–—")]


def _may_part(sentence: str, pieces: list[str]) -> bool:
    """Whether every piece is as reserved, and denies as much, as the whole sentence does."""
    return all(bool(hedges(piece)) == bool(hedges(sentence)) for piece in pieces) and all(
        denies(piece) == denies(sentence) for piece in pieces
    )
