"""Decisions and facts of the user's own that a later sentence turns round."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lithify import cues
from lithify.engines.offline.lasting.reversals import Choices, turns_away
from lithify.engines.offline.lasting.withdrawn import day_in
from lithify.engines.offline.matters.matter import FEWEST, comes_after, telling
from lithify.engines.offline.matters.subjects import persons
from lithify.engines.offline.reading.sentences import USER
from lithify.engines.offline.reading.units import Unit, stems_in

_MAY_SUPERSEDE = re.compile(
    r"\b(?:supersede|overturn|replace|reverse|revoke|rescind|withdraw)", re.I
)
_SUPERSEDES = re.compile(
    r"\b(?:supersede|overturn|replace|reverse|revoke|rescind|withdraw)s (?:the |decision |our )*([A-Z]{1,6}-\d+)\b|"
    r"\b([A-Z]{1,6}-\d+)(?: is| was)?(?: now)? (?:superseded|overturned|replaced|reversed|revoked|rescinded|withdrawn)\b",
    re.I,
)
#: A record's number stands so near to where it begins.
_HEAD = 24
#: The share of words by which a decision is one that was taken before.
_RESTATED = 0.5
#: So many sentences before the one that takes back may tell what is done instead.
_BEFORE = 4


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
    found = _changed_facts(units) | _withdrawn(units, taken) | _superseded(units, taken)
    said: dict[str, list[Unit]] = {}
    for unit in taken:
        said.setdefault(unit.text, []).append(unit)
    choices = Choices(said if turned else ())
    named = persons(units if turned else (), labels=False)
    people = frozenset(stem for name in named for stem in stems_in(name))
    # The same words turn away from the same, however often they are said.
    away = {text: choices.bonds(text) for text in dict.fromkeys(unit.text for unit in turned)}
    for later in turned:
        bonds = [
            (words, one)
            for text, words in away[later.text].items()
            for one in said[text]
            if one.at not in found and one.entry is not later.entry and comes_after(later, one)
            # Two things that one person did are not one matter.
            if words > 1 or not (telling(one) & telling(later)) <= people
        ]
        if not bonds:
            continue
        _, best = max(bonds, key=lambda pair: (pair[0], pair[1].at))
        for _, one in bonds:
            if one is best or _likeness(one, best) >= _RESTATED:
                found[one.at] = later
    return found


def _withdrawn(units: Sequence[Unit], taken: Sequence[Unit]) -> dict[int, Unit]:
    """Decisions that a later sentence takes back by the day they are of: what is decided instead
    stands in its entry before it, or it tells so itself.
    """
    found: dict[int, Unit] = {}
    for at, unit in enumerate(units):
        day = unit.entry.day and day_in(unit.text, unit.entry.day)
        if not day:
            continue
        before = [one for one in units[max(0, at - _BEFORE) : at] if one.entry is unit.entry]
        words = frozenset[str]().union(*map(telling, (*before, unit)))
        of = [one for one in taken if one.entry.day == day]
        shared = [len(words & telling(one)) for one in of]
        most = max(shared, default=0)
        if most >= FEWEST and shared.count(most) == 1:
            decided = [one for one in before if one.section == cues.DECISIONS]
            away = [one for one in before if turns_away(one.text)]
            found[of[shared.index(most)].at] = (decided or away or [unit])[0]
    return found


def _superseded(units: Sequence[Unit], taken: Sequence[Unit]) -> dict[int, Unit]:
    """Decisions that a later one takes the place of by their number: "supersedes ADR-014"."""
    found: dict[int, Unit] = {}
    for at, unit in enumerate(units):
        match = _SUPERSEDES.search(unit.text) if _MAY_SUPERSEDE.search(unit.text) else None
        if not match:
            continue
        number = re.compile(rf"\b{re.escape(match[1] or match[2])}\b")
        old = [one for one in taken if comes_after(unit, one) and number.search(_opening(one))]
        if old:
            before = [one for one in units[max(0, at - _BEFORE) : at] if one.entry is unit.entry]
            decided = [one for one in before if one.section == cues.DECISIONS]
            found[old[0].at] = (decided or [unit])[0]
    return found


def _opening(unit: Unit) -> str:
    """What a line begins with: a decision has its number there."""
    return f"{unit.label} {unit.text[:_HEAD]}"


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
