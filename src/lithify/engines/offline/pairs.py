"""What is told together or not at all: item and settlement, claim and denial, question and answer.

An open item that was settled is no longer open, what was taken back no longer holds, and a decision
that was reversed is told with what reversed it. All are decided over all the entries there are, whichever of them a page has room for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import pairwise
from math import log

from lithify import cues
from lithify.engines.offline.bullets import day_words
from lithify.engines.offline.reversals import Choices, turns_away
from lithify.engines.offline.text import LIMIT, lines_of, tokens_in
from lithify.engines.offline.units import USER, Unit, units_of
from lithify.engines.offline.words import COMMON_STEMS
from lithify.values import Entry

#: The longest sentence that leaves room for a date, a subject and what belongs to it.
_ROOM = LIMIT - 14
_CROWD = 60
#: The share of a sentence's telling words, rare ones counting more, that makes one matter of two.
_SAME = 0.45
_FEWEST = 2
_MOST = 0.7
#: The share of words by which a decision is one that was taken before.
_RESTATED = 0.5
_ASKER = re.compile(r"^(?:q|question|frage|ask(?:ed)?|f)$", re.I)
_ANSWERER = re.compile(r"^(?:a|ans|answer|answered|reply|response|antwort)$", re.I)
_ANSWERS = re.compile(
    r"^(?:(?:a|answer|reply|antwort): |(?:yes|no|yep|nope|both|neither|ja|nein|oui|non|sí)\b[,.:;! -])",
    re.I,
)
_SAYS_Q = re.compile(r"^(?:q|question|frage): ", re.I)


class Matter:
    """Which later sentences speak of what an earlier one speaks of, by their rare words."""

    def __init__(self, units: Sequence[Unit], take: Callable[[Unit], bool]) -> None:
        """`take` says which of the units can be found; all of them say how rare a word is."""
        self._size = len(units) + 1.0
        self._by_stem: dict[str, list[Unit]] = {}
        taken = [unit for unit in units if take(unit)]
        for unit in taken:
            for stem in _telling(unit):
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
        telling = _telling(unit)
        known = [stem for stem in telling if stem in self._by_stem]
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
        need = _SAME * sum(self._weight(stem) for stem in sorted(telling))
        return [found[at] for at in near if heavy[at] >= min(need, self._least(found[at]))]

    def _least(self, other: Unit) -> float:
        """What a short later sentence must share: most of the little it says."""
        least = self._most.get(other.at)
        if least is None:
            telling = sorted(_telling(other))
            least = self._most[other.at] = _MOST * sum(self._weight(stem) for stem in telling)
        return least


def _telling(unit: Unit) -> frozenset[str]:
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
    settled = Matter(units, lambda unit: unit.section != cues.OPEN and cues.settles(unit.text))
    found: dict[int, Unit] = {}
    for unit in units:
        if unit.section == cues.OPEN:
            after = [one for one in settled.later(unit) if _is_apart(one, unit)]
            if after:
                found[unit.at] = after[-1]
    if not found:
        return found
    stuck = Matter(units, lambda unit: unit.section == cues.OPEN)
    for unit in units:
        last = found.get(unit.at)
        if last and any(_reopens(one, unit, last) for one in stuck.later(unit)):
            del found[unit.at]
    return found


def _is_apart(settled: Unit, item: Unit) -> bool:
    """Whether a sentence does not merely go on about the item in the item's own entry."""
    if settled.entry is not item.entry or len(lines_of(item.entry.text)) > 1:
        return True
    return cues.section_of(item.entry) != cues.OPEN


def _reopens(later: Unit, item: Unit, settled: Unit) -> bool:
    """Whether the same words stand open again after they were settled."""
    one, other = frozenset(item.stems), frozenset(later.stems)
    return comes_after(later, settled) and len(one & other) >= 0.6 * len(one | other)


def denials(units: Sequence[Unit]) -> dict[int, Unit]:
    """For the place of each sentence that was taken back the one that takes it back."""
    found: dict[int, Unit] = {}
    before: Unit | None = None
    matter = Matter(units, lambda unit: _denies(unit) != "")
    for unit in units:
        if before is not None and _denies(unit) == "this" and _beside(before, unit):
            found[before.at] = unit
        before = unit
    for unit in units:
        if unit.at in found or unit.section == cues.OPEN:
            continue
        after = matter.later(unit)
        if after and not _denies(unit):
            found[unit.at] = after[-1]
    return found


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


def _denies(unit: Unit) -> str:
    return cues.denies(f"{unit.label}: {unit.text}" if unit.label else unit.text)


def _beside(before: Unit, after: Unit) -> bool:
    """Whether a sentence stands right after another, in its entry or the next one."""
    return before.entry.day == after.entry.day and before.place == after.place


def told_together(units: Sequence[Unit], settled: Mapping[int, Unit] | None = None) -> list[Unit]:
    """The sentences with those that need one another made one, and what was taken back gone.

    A claim that its own denial names is left out; where the denial only says "that was wrong" the
    two are one sentence. So are an item and what settled it, a question and its answer.
    `settled` are the settlements of the units, where they are known already.
    """
    return _told(units, _standing(units), settlements(units) if settled is None else settled)


def told_in(entries: tuple[Entry, ...]) -> list[Unit]:
    """The same of entries, which may be looked at again."""
    units, standing = _read(entries)
    kept = {at: replace(unit, folded=[*unit.folded]) for at, unit in standing.items()}
    return _told(units, kept, settlements(units))


@lru_cache(maxsize=2)
def _read(entries: tuple[Entry, ...]) -> tuple[list[Unit], dict[int, Unit]]:
    """The sentences of entries, and by their place those that were not taken back."""
    units = units_of(entries)
    return units, _standing(units)


def _told(units: Sequence[Unit], kept: dict[int, Unit], settled: Mapping[int, Unit]) -> list[Unit]:
    for at, last in settled.items():
        if at in kept and last.at in kept and not _join(kept, kept[at], kept[last.at]):
            item = kept[at] = replace(kept[at], section=last.section)
            kept[last.at] = replace(kept[last.at], must=item.must or kept[last.at].must)
    for question, answer in pairwise(units):
        if question.at in kept and answer.at in kept and _answers(question, answer):
            _join(kept, kept[question.at], kept[answer.at])
    return [unit for unit in kept.values() if unit.text]


def _standing(units: Sequence[Unit]) -> dict[int, Unit]:
    """The sentences by their place, without those that were taken back."""
    kept: dict[int, Unit] = {unit.at: unit for unit in units}
    for at, denial in denials(units).items():
        if at not in kept or denial.at not in kept:
            continue
        leaning = _denies(denial) == "this"
        if leaning and _join(kept, kept[at], denial, section=_taken_back(denial)):
            continue
        if leaning:
            kept.pop(denial.at)
        kept.pop(at)
    _tell_reversals(units, kept)
    return kept


def _tell_reversals(units: Sequence[Unit], kept: dict[int, Unit]) -> None:
    """Make one sentence of a decision and the one that reverses it, or leave the later one alone."""
    stands: dict[int, int] = {}
    told: dict[int, list[int]] = {}
    for at, later in reversals(units).items():
        told.setdefault(later.at, []).append(at)
    for last, places in sorted(told.items()):
        *restated, place = sorted(stands.get(at, at) for at in places)
        if last not in kept or place not in kept:
            continue
        twins = [kept.pop(at) for at in dict.fromkeys(restated) if at in kept and at != place]
        must = any(unit.must for unit in (*twins, kept[place], kept[last]))
        if _join(kept, kept[place], kept[last], section=kept[place].section):
            stands[last] = place
            kept[place] = replace(kept[place], must=must, folded=[*kept[place].folded, *twins])
        else:
            kept.pop(place)
            kept[last] = replace(kept[last], must=must)


def _taken_back(denial: Unit) -> str:
    """Where a claim stands with its denial: never among what was achieved."""
    return cues.CONTEXT if denial.section == cues.OUTCOMES else denial.section


def _join(kept: dict[int, Unit], first: Unit, second: Unit, section: str = "") -> bool:
    """Make one sentence of two, in the place of the first, if a bullet can hold it."""
    label, opening = ("", "") if _is_q(first) else (first.label, "")
    text, later = first.text, second.text
    if _is_q(first):
        text = _SAYS_Q.sub("", text)
        later = _ANSWERS_MARK.sub("", later)
    elif second.label and second.label != first.label:
        later = f"{second.label}: {later}"
    if second.entry.day != first.entry.day and second.entry.day is not None:
        opening = f"{day_words(second.entry)} - "
    text = f"{text if text[-1:] in '.!?' else text.rstrip(' ,;:') + '.'} {opening}{later}"
    if tokens_in(text) > _ROOM:
        return False
    kept[first.at] = replace(
        first,
        label=label,
        text=text,
        tokens=tokens_in(text),
        stems=(*first.stems, *second.stems),
        atoms=first.atoms | second.atoms,
        firm=first.firm | second.firm,
        section=section or second.section,
        must=first.must or second.must,
        worth=max(first.worth, second.worth),
        folded=[*first.folded, second, *second.folded],
    )
    kept.pop(second.at)
    return True


_ANSWERS_MARK = re.compile(r"^(?:a|answer|reply|antwort): ", re.I)


def _is_q(unit: Unit) -> bool:
    return bool(_ASKER.match(unit.label) or _SAYS_Q.match(unit.text))


def _answers(question: Unit, answer: Unit) -> bool:
    """Whether a sentence is the answer to the question right before it."""
    if not question.text.endswith("?") or answer.text.endswith("?"):
        return False
    if not _beside(question, answer):
        return False
    return bool(
        _ANSWERER.match(answer.label)
        or _ANSWERS.match(answer.text)
        or (_is_q(question) and question.entry is answer.entry)
    )


def needed_with(days: Sequence[Entry], shown: Iterable[str]) -> tuple[Entry, ...]:
    """The entries of some days that settle, take back or reverse one of those shown, by their ids."""
    ids = set(shown)
    units = units_of(days)
    told: dict[int, Unit] = {**settlements(units), **denials(units)}
    wanted = {
        other.entry.id for unit in units if unit.entry.id in ids and (other := told.get(unit.at))
    }
    reversed_by = reversals(units)
    for unit in sorted(units, key=lambda unit: (unit.entry.day or date.min, unit.at)):
        # What reversed it may have been reversed in its turn.
        if unit.at in reversed_by and unit.entry.id in ids | wanted:
            wanted.add(reversed_by[unit.at].entry.id)
    return tuple(entry for entry in days if entry.id in wanted - ids)


@lru_cache(maxsize=4)
def taken_back(entries: tuple[Entry, ...]) -> frozenset[str]:
    """Ids of the entries of which nothing stands any more: every sentence was taken back."""
    units, standing = _read(entries)
    kept = {unit.entry.id for unit in standing.values()}
    kept.update(twin.entry.id for unit in standing.values() for twin in unit.folded)
    return frozenset(unit.entry.id for unit in units) - kept
