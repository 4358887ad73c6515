"""Copies of untrusted captures, recognised though they were edited.

A text is told by its fingerprint (`sketch`): the numbers of its words, the smallest of them.
"""

from __future__ import annotations

import hashlib
from bisect import insort
from collections.abc import Collection, Iterable, Sequence
from math import ceil

from lithify.regex import regex
from lithify.text.words import as_read, pieces

_SENTENCE = regex(r"(?<=[.!?;:])\s+|\n")
_CLAUSE = regex(r"(?<=[,.!?;:])\s+|\n")
#: A sentence or clause of fewer words stands in too many texts to tell whose it is.
_SENTENCE_WORDS, _CLAUSE_WORDS = 6, 8

#: Words a sketch keeps; a text of fewer words is compared exactly.
MOST = 96
#: Share of all their words that two texts must have in common to be one, edited.
SAME = 0.6
#: Share of a text's own words that another must hold for the text to be a piece of it.
PIECE = 0.85
#: A text of fewer words is not taken for a piece of another: too many texts hold them.
FEWEST = 4

_WORD = regex(r"\w+")


def sketch(text: str) -> list[int]:
    """Return a short fingerprint by which an edited copy of the text can still be recognised."""
    words = {word for piece in pieces(text) for word in _WORD.findall(as_read(piece))}
    return sorted(_number(word) for word in words)[:MOST]


def _number(word: str) -> int:
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest)


def is_copy(own: Collection[int], other: Collection[int]) -> bool:
    """Return whether a text is an edited copy or a piece of another, by their sketches."""
    # A full sketch keeps only the smallest numbers, so nothing above its largest can be compared.
    end = min(
        max(own, default=0) if len(own) == MOST else 1 << 32,
        max(other, default=0) if len(other) == MOST else 1 << 32,
    )
    mine, theirs = ({n for n in numbers if n <= end} for numbers in (own, other))
    if not mine:
        return False
    shared = len(mine & theirs)
    if shared >= SAME * len(mine | theirs):
        return True
    return len(mine) >= FEWEST and shared >= PIECE * len(mine)


class UntrustedCaptures:
    """The untrusted captures of a root, indexed by word.

    A text is compared only with the captures that share one of its rare words, so many entries
    and many captures are not compared each with each.
    """

    def __init__(self, sketches: Iterable[tuple[str, Sequence[int]]]) -> None:
        self._captures = [(origin, frozenset(numbers)) for origin, numbers in sketches]
        self._holders: dict[int, list[int]] = {}
        for place, (_, numbers) in enumerate(self._captures):
            for number in numbers:
                self._holders.setdefault(number, []).append(place)

    def origin_of_copy(self, text: str) -> str | None:
        """The origin of the first capture that a text, or a part of it, is a copy of."""
        if not self._captures:
            return None
        parts = [part for part in _SENTENCE.split(text) if part.count(" ") >= _SENTENCE_WORDS - 1]
        parts += [part for part in _CLAUSE.split(text) if part.count(" ") >= _CLAUSE_WORDS - 1]
        found = (self._copied(part) for part in dict.fromkeys((text, *parts)))
        return next((origin for origin in found if origin), None)

    def _copied(self, text: str) -> str | None:
        own = sketch(text)
        words = frozenset(own)
        places = {place for n in self._required(own) for place in self._holders.get(n, ())}
        captures = (self._captures[place] for place in sorted(places))
        return next((origin for origin, other in captures if is_copy(words, other)), None)

    def _required(self, own: Sequence[int]) -> set[int]:
        """Words of which every capture that the text copies must hold at least one.

        A copy may lack a certain number of the text's words. So it holds at least one of any
        selection that is larger by one; the rarest words lead to the fewest captures. A long
        capture is compared only up to its largest number, which leaves a beginning of `own`:
        the selection is made for every beginning that could suffice.
        """
        rarest: list[tuple[int, int]] = []
        required: set[int] = set()
        for length, number in enumerate(own, 1):
            insort(rarest, (len(self._holders.get(number, ())), number))
            is_whole = length == len(own)
            if not is_whole and length < FEWEST:
                continue
            # With a long capture, fewer shared words than this cannot reach the share `SAME`.
            share = SAME if is_whole or length >= SAME * MOST else PIECE
            may_lack = length - ceil(share * length)
            required.update(number for _, number in rarest[: may_lack + 1])
        return required
