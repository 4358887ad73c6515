"""Which units may share a bullet: those of one entry, or of entries that share their subject."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence

from lithify.engines.offline.read import Unit
from lithify.text.stems import COMMON_STEMS

#: A word ties two neighbouring entries where at most this share of the units has it, or so few.
_SHARE, _FEW = 0.03, 3
_LONG = 4
#: Turns of a conversation may share a bullet within so many sentences.
_EXCHANGE = 8


def grouped(units: Sequence[Unit]) -> Callable[[Unit], Hashable]:
    """For each unit the group of those it may share a bullet with.

    Neighbouring entries of one day under one heading belong together where they share a rare word;
    the turns of one exchange do where people talk.
    """
    counts = Counter(stem for one in units for stem in set(one.stems))
    most = max(_FEW, _SHARE * len(units))
    # Short words are function words in some language.
    rare = {s for s, n in counts.items() if n <= most and len(s) >= _LONG} - COMMON_STEMS
    matter: dict[int, int] = {}
    last: Unit | None = None
    words: set[str] = set()
    number = 0
    for one in sorted(units, key=lambda one: one.at):
        own = rare & set(one.stems)
        if last is None or not _joins(last, one, words, own):
            number += 1
            words = set()
        words |= own
        matter[one.at] = number
        last = one
    return lambda one: (one.section, matter[one.at])


def _joins(last: Unit, one: Unit, words: set[str], own: set[str]) -> bool:
    """Whether a unit speaks of the same matter as the one before it."""
    if last.entry is one.entry:
        return True
    if "row" in (last.entry.kind, one.entry.kind):
        # The rows of a table share the names of its columns, and no more.
        return False
    if last.entry.day != one.entry.day or last.entry.headings != one.entry.headings:
        return False
    if one.speaker and last.speaker:
        return one.at - last.at <= _EXCHANGE
    return bool(words & own)
