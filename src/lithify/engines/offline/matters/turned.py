"""Decisions and facts of the user's own that a later sentence turns round."""

from __future__ import annotations

from collections.abc import Sequence

from lithify import cues
from lithify.engines.offline.lasting.reversals import Choices, turns_away
from lithify.engines.offline.matters.matter import comes_after
from lithify.engines.offline.reading.sentences import USER
from lithify.engines.offline.reading.units import Unit

#: The share of words by which a decision is one that was taken before.
_RESTATED = 0.5


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
    # The same words turn away from the same, however often they are said.
    away = {text: choices.bonds(text) for text in dict.fromkeys(unit.text for unit in turned)}
    for later in turned:
        bonds = [
            (words, one)
            for text, words in away[later.text].items()
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
