"""What became of a matter: later sentences that speak of it, settle it or reverse it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import log

from lithify import cues
from lithify.engines.offline.reversals import Choices, turns_away
from lithify.engines.offline.text import lines_of
from lithify.engines.offline.units import USER, Unit, stems_in
from lithify.engines.offline.words import COMMON_STEMS

_CROWD = 60
#: The share of a sentence's telling words, rare ones counting more, that makes one matter of two.
_SAME = 0.45
_FEWEST = 2
_MOST = 0.7
#: The share of words by which a decision is one that was taken before.
_RESTATED = 0.5
#: "That resolves the blocked disk": named with what it had blocked, and over.
_ENDED = re.compile(
    r"(?:^|(?<=[.;!] ))(?:(?:that|this|which) )?"
    r"(?:resolves|resolved|fixes|fixed|unblocks|unblocked|closes|clears|ends)\b",
    re.I,
)
_CLAUSE = re.compile(r"[,;:(]|\s(?:which|that|so|because|and|since)\s")
#: An end that is waited for is none.
_AHEAD = re.compile(
    r"\b(?:until|once|if|unless|before|need\w*|want\w*|would|will|should|to be)\b[^,;.]*\b(?:closed|settled|resolved|"
    r"confirmed|fixed|done|cleared|delivered|issued|signed|completed?|approved|merged|stable|clean)\b",
    re.I,
)
_LEFT = re.compile(r"\b(?:still|yet|pending|until|once|when|if|part(?:ly|ially)?)\b", re.I)


class Matter:
    """Which later sentences speak of what an earlier one speaks of, by their rare words."""

    def __init__(self, units: Sequence[Unit], take: Callable[[Unit], bool]) -> None:
        """`take` says which of the units can be found; all of them say how rare a word is."""
        self._size = len(units) + 1.0
        self._by_stem: dict[str, list[Unit]] = {}
        taken = [unit for unit in units if take(unit)]
        for unit in taken:
            for stem in telling(unit):
                self._by_stem.setdefault(stem, []).append(unit)
        self._counts = Counter(stem for unit in units for stem in set(unit.stems)) if taken else {}
        self._heavy: dict[str, float] = {}
        self._most: dict[int, float] = {}

    def _weight(self, stem: str) -> float:
        weight = self._heavy.get(stem)
        if weight is None:
            weight = self._heavy[stem] = log(1.0 + self._size / self._counts[stem])
        return weight

    def later(self, unit: Unit) -> list[Unit]:
        """The sentences that come after this one and speak of its matter, in order."""
        own = telling(unit)
        known = [stem for stem in own if stem in self._by_stem]
        if len(known) < _FEWEST:
            return []
        heavy: dict[int, float] = {}
        shared: dict[int, int] = {}
        found: dict[int, Unit] = {}
        for stem in sorted(known):
            weight = self._weight(stem)
            for other in self._by_stem[stem][-_CROWD:]:
                at = other.at
                if at in found:
                    heavy[at] += weight
                    shared[at] += 1
                elif comes_after(other, unit):
                    found[at], heavy[at], shared[at] = other, weight, 1
        near = [at for at in sorted(found) if shared[at] >= _FEWEST]
        if not near:
            return []
        need = _SAME * sum(self._weight(stem) for stem in sorted(own))
        return [found[at] for at in near if heavy[at] >= min(need, self._least(found[at]))]

    def _least(self, other: Unit) -> float:
        """What a short later sentence must share: most of the little it says."""
        least = self._most.get(other.at)
        if least is None:
            own = sorted(telling(other))
            least = self._most[other.at] = _MOST * sum(self._weight(stem) for stem in own)
        return least


def telling(unit: Unit) -> frozenset[str]:
    return _telling_of(unit.stems)


@lru_cache(maxsize=1 << 15)
def _telling_of(stems: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stem for stem in stems if stem not in COMMON_STEMS and len(stem) > 1)


def comes_after(later: Unit, earlier: Unit) -> bool:
    """Whether a sentence was written after another."""
    if later.entry.day is None or earlier.entry.day is None:
        return later.at > earlier.at
    return later.entry.day > earlier.entry.day or (
        later.entry.day == earlier.entry.day and later.at > earlier.at
    )


def settlements(units: Sequence[Unit]) -> dict[int, Unit]:
    """For the place of each open item the later sentence that settles it, if there is one."""
    settled = Matter(units, _settles)
    found: dict[int, Unit] = {}
    for unit in units:
        if unit.section == cues.OPEN:
            after = [one for one in settled.later(unit) if _is_apart(one, unit)]
            if after:
                found[unit.at] = after[-1]
    for at, end in _named_ends(units).items():
        found.setdefault(at, end)
    if not found:
        return found
    stuck = Matter(units, lambda unit: unit.section == cues.OPEN)
    for unit in units:
        last = found.get(unit.at)
        if last and any(_reopens(one, unit, last) for one in stuck.later(unit)):
            del found[unit.at]
    return found


def _settles(unit: Unit) -> bool:
    """Whether a sentence settles something: told as an outcome, or as the end of what was open."""
    if not cues.settles(unit.text) or _AHEAD.search(unit.text):
        return False
    return unit.section != cues.OPEN or _is_end(unit)


def _is_end(unit: Unit) -> bool:
    return _ENDED.search(unit.text) is not None and not _LEFT.search(unit.text)


def _named_ends(units: Sequence[Unit]) -> dict[int, Unit]:
    """The items whose first clause is what a later sentence says is resolved."""
    ends = [unit for unit in units if _is_end(unit)]
    found: dict[int, Unit] = {}
    if not ends:
        return found
    items: dict[str, list[tuple[Unit, frozenset[str]]]] = {}
    for unit in units:
        if unit.section == cues.OPEN:
            about = _first_clause(unit.text)
            for stem in about:
                items.setdefault(stem, []).append((unit, about))
    for end in ends:
        named = _first_clause(_ENDED.split(end.text, maxsplit=1)[-1])
        near = {
            unit.at: (unit, about)
            for stem in named
            for unit, about in items.get(stem, [])[-_CROWD:]
        }
        for at, (unit, about) in sorted(near.items()):
            shared = len(named & about)
            if shared >= max(_FEWEST, len(named) / 2, len(about) / 2) and comes_after(end, unit):
                found[at] = end
    return found


def _first_clause(text: str) -> frozenset[str]:
    head = _CLAUSE.split(text, maxsplit=1)[0]
    return frozenset(stem for stem in stems_in(head) if stem not in COMMON_STEMS)


def _is_apart(settled: Unit, item: Unit) -> bool:
    """Whether a sentence does not merely go on about the item in the item's own entry."""
    if settled.entry is not item.entry or len(lines_of(item.entry.text)) > 1:
        return True
    return cues.section_of(item.entry) != cues.OPEN


def _reopens(later: Unit, item: Unit, settled: Unit) -> bool:
    """Whether the same words stand open again after they were settled."""
    one, other = frozenset(item.stems), frozenset(later.stems)
    return comes_after(later, settled) and len(one & other) >= 0.6 * len(one | other)


def reversals(units: Sequence[Unit]) -> dict[int, Unit]:
    """For the place of each decision that was reversed the later one that reverses it.

    A decision said more than once is reversed wherever it was said; what the user says of
    themselves (`My desk is in Ghent`) is reversed by another value of the same thing.
    """
    taken = [unit for unit in units if unit.section == cues.DECISIONS]
    turned = [
        unit
        for unit in units
        if unit.section in (cues.DECISIONS, cues.OUTCOMES) and turns_away(unit.text)
    ]
    found = _changed_facts(units)
    said: dict[str, list[Unit]] = {}
    for unit in taken:
        said.setdefault(unit.text, []).append(unit)
    choices = Choices(said if turned else ())
    for later in turned:
        bonds = [
            (words, one)
            for text, words in choices.bonds(later.text).items()
            for one in said[text]
            if one.at not in found and one.entry is not later.entry and comes_after(later, one)
        ]
        if not bonds:
            continue
        _, best = max(bonds, key=lambda pair: (pair[0], pair[1].at))
        for _, one in bonds:
            if one is best or _likeness(one, best) >= _RESTATED:
                found[one.at] = later
    return found


def _changed_facts(units: Sequence[Unit]) -> dict[int, Unit]:
    found: dict[int, Unit] = {}
    last: dict[str, Unit] = {}
    for unit in units:
        what = cues.owned_fact(unit.text) if unit.label == USER else ""
        if what in ("", "self"):
            continue
        before = last.get(what.lower())
        if before is not None and comes_after(unit, before) and before.stems != unit.stems:
            found[before.at] = unit
        last[what.lower()] = unit
    return found


def _likeness(one: Unit, other: Unit) -> float:
    own, theirs = frozenset(one.stems), frozenset(other.stems)
    return len(own & theirs) / (len(own | theirs) or 1)
