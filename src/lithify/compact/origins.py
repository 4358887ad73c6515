"""Where each entry came from: as captured, or as near as its words tell.

What others wrote into a day has origin `file`. An entry that nobody captured but that is
nearly the same as an untrusted one of its day, or a piece of it, is that one, edited: it
keeps the origin.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from lithify.markdown.entries import label_of
from lithify.settings import Trust
from lithify.text.pieces import pieces
from lithify.trust import is_trusted
from lithify.values import Entry

#: Words a sketch keeps; what has no more of them is compared exactly.
_MOST = 96
#: Share of all their words that two entries must have in common to be one, edited.
SAME = 0.6
#: Share of an entry's own words that must stand in an untrusted one for it to be a piece of it.
PIECE = 0.85
#: An entry of fewer words is a piece of anything, and proves nothing.
FEWEST = 4

_WORD = re.compile(r"\w+")


def sketch(text: str) -> list[int]:
    """A short fingerprint by which an edited copy of the text is still known."""
    words = {word.casefold() for piece in pieces(text) for word in _WORD.findall(piece)}
    return sorted(_number(word) for word in words)[:_MOST]


def _number(word: str) -> int:
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest)


def stamped(
    entries: Iterable[Entry],
    origins: Mapping[str, str],
    sketches: Mapping[str, Sequence[tuple[str, Sequence[int]]]],
    trust: Trust,
) -> Iterator[Entry]:
    """The entries with their origins; `sketches` are the untrusted captures by day."""
    unknown = "file" if trust.files else "import:file"
    for entry in entries:
        origin = origins.get(entry.id)
        if origin is None:
            near = sketches.get(label_of(entry.id), ())
            origin = _inherited(entry, near) if near else None
        origin = origin or unknown
        yield entry if entry.origin == origin else replace(entry, origin=origin)


def _inherited(entry: Entry, near: Sequence[tuple[str, Sequence[int]]]) -> str | None:
    own = frozenset(sketch(entry.text))
    return next((origin for origin, other in near if _is_copy(own, frozenset(other))), None)


def _is_copy(own: Collection[int], other: Collection[int]) -> bool:
    # Both keep their smallest numbers: above the smaller of the two ends one of them is blind.
    end = min(
        max(own, default=0) if len(own) == _MOST else 1 << 32,
        max(other, default=0) if len(other) == _MOST else 1 << 32,
    )
    mine, theirs = ({n for n in numbers if n <= end} for numbers in (own, other))
    if not mine:
        return False
    shared = len(mine & theirs)
    if shared >= SAME * len(mine | theirs):
        return True
    return len(mine) >= FEWEST and shared >= PIECE * len(mine)


def needs_sketch(origin: str) -> bool:
    """Whether a capture's words must be known again after an edit."""
    return not is_trusted(origin)
