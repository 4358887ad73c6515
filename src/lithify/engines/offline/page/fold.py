"""Near-duplicates folded: the first statement stands for those that add nothing to it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from lithify import cues
from lithify.engines.offline.reading.units import Unit, sentences_of, stem_counts
from lithify.values import Entry

SAME = 0.7
_PROBES = 4
_CROWD = 40
#: On as many days of a week a line is a chore, and as many tokens it can have.
_DAYS, _LINE = 3, 18
_COUNT = re.compile(r"[\d,:]+")


def last_states(units: Sequence[Unit]) -> list[Unit]:
    """Of lines that differ in a figure only, the last; the others are folded into it."""
    kept = fold(units[::-1], changes=False)[::-1]
    for unit in kept:
        unit.folded.sort(key=lambda twin: twin.at)
    return kept


@lru_cache(maxsize=2)
def chores_of(entries: tuple[Entry, ...]) -> frozenset[str]:
    """Ids of the entries of one short line that is written day after day with another count."""
    units = sentences_of(entries)
    alone = Counter([unit.entry.id for unit in units])
    short = [
        replace(unit, folded=[], stems=tuple([s for s in unit.stems if not s.isdigit()]))
        for unit in units
        if alone[unit.entry.id] == 1
        and unit.section in (cues.OUTCOMES, cues.CONTEXT)
        and not unit.label
        and unit.tokens <= _LINE
        and all(map(_COUNT.fullmatch, unit.firm))
    ]
    found: set[str] = set()
    for first in fold(short, changes=False) if len(short) >= _DAYS else ():
        lines = [first, *first.folded]
        days = {unit.entry.day for unit in lines}
        # What is done day after day is a chore; a value that is read day after day is none.
        if len(days) >= _DAYS and any(cues.tells_deed(unit.entry.text) for unit in lines):
            found.update([unit.entry.id for unit in lines])
    return frozenset(found)


def fold(units: Sequence[Unit], changes: bool = True) -> list[Unit]:
    """The units that say something of their own; each holds those folded into it.

    A later unit with other figures or names is a change and stays, unless `changes` is off.
    Words are probed rarest first, so the work stays linear where lines recur.
    """
    counts = stem_counts(units)
    rarest = sorted(counts, key=lambda stem: (counts[stem], stem))
    rank = {stem: place for place, stem in enumerate(rarest)}
    by_stem: dict[str, list[int]] = {}
    kept: list[Unit] = []
    sets: list[frozenset[str]] = []
    exact: dict[tuple[str, ...], int] = {}
    for unit in units:
        same = exact.get(unit.stems)
        if same is None or (changes and not unit.firm <= kept[same].firm):
            words = frozenset(unit.stems)
            ranked = sorted(words, key=rank.__getitem__)
            near = [by_stem.setdefault(stem, []) for stem in ranked[: _probes(len(ranked))]]
            same = _find(unit, words, kept, sets, near, changes)
            if same is None:
                for numbers in near:
                    numbers.append(len(kept))
                exact.setdefault(unit.stems, len(kept))
                kept.append(unit)
                sets.append(words)
                continue
        kept[same].folded += [unit, *unit.folded]
    return kept


def _probes(size: int) -> int:
    """By how many of its words, rarest first, a sentence is looked for."""
    return max(_PROBES, size * 2 // 5)


def _find(
    unit: Unit,
    words: frozenset[str],
    kept: Sequence[Unit],
    sets: Sequence[frozenset[str]],
    near: Sequence[Sequence[int]],
    changes: bool,
) -> int | None:
    size = len(words)
    tried: set[int] = set()
    for numbers in near:
        for number in numbers[-_CROWD:]:
            if number in tried:
                continue
            tried.add(number)
            other = sets[number]
            length = len(other)
            # Of two lengths so far apart the longer has too many words that are not shared.
            if length < SAME * size or size < SAME * length:
                continue
            if changes and not unit.firm <= kept[number].firm:
                continue
            shared = len(words & other)
            if shared >= SAME * (size + length - shared) and unit.label == kept[number].label:
                return number
    return None
