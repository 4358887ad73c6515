"""Fingerprints of texts by their words, by which an edited copy is still recognised."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection

from lithify.text.sentences import pieces
from lithify.text.stems import as_read

#: Words a sketch keeps; a text of fewer words is compared exactly.
MOST = 96
#: Share of all their words that two texts must have in common to be one, edited.
SAME = 0.6
#: Share of a text's own words that another must hold for the text to be a piece of it.
PIECE = 0.85
#: A text of fewer words is not taken for a piece of another: too many texts hold them.
FEWEST = 4

_WORD = re.compile(r"\w+")


def sketch(text: str) -> list[int]:
    """A short fingerprint by which an edited copy of the text can still be recognised."""
    words = {word for piece in pieces(text) for word in _WORD.findall(as_read(piece))}
    return sorted(_number(word) for word in words)[:MOST]


def _number(word: str) -> int:
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest)


def is_copy(own: Collection[int], other: Collection[int]) -> bool:
    """Whether a text is an edited copy or a piece of another, by their sketches."""
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
