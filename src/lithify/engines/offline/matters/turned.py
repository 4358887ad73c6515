"""Decisions and facts of the user's own that a later sentence turns round."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lithify import cues
from lithify.engines.offline.lasting.reversals import Choices, turns_away
from lithify.engines.offline.lasting.successors import ended, records_in
from lithify.engines.offline.lasting.withdrawn import day_in
from lithify.engines.offline.matters.matter import FEWEST, comes_after, telling
from lithify.engines.offline.matters.subjects import persons
from lithify.engines.offline.reading.sentences import USER
from lithify.engines.offline.reading.units import Unit, stems_in

#: The share of words by which a decision is one that was taken before.
_RESTATED = 0.5
#: Words in quotation marks that others are said instead of.
_UNSAID = re.compile(
    r"\b(?:replac\w+|instead of|in place of|rather than|no longer|strikes?|drops?|not) \"([^\"]{6,80})\"",
    re.I,
)
#: "The mill is Holm's again": what was decided of it in between no longer holds.
_VERB = r"(?:is|are|stays?|becomes?|will be)"
_AGAIN = re.compile(
    rf"\b(?:the|our|its) (?P<what>[a-z][\w-]*(?: [\w-]+)?) {_VERB} (?!(?:not|back|open|up|out|down|late|ill|here|there|on)\b)[^.;:,?]{{2,40}}? again\b"
)
_SET = re.compile(
    rf"\b(?:[Tt]he|[Oo]ur|[Ii]ts) (?P<what>[a-z][\w-]*(?: [\w-]+)?) {_VERB} (?:now )?(?!(?:not|done|ready)\b)"
)
#: What goes on about the sentence before it turns no other round by itself.
_LEANS = re.compile(r"(?:that|this|it)\b", re.I)
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
        if unit.section in (cues.DECISIONS, cues.OUTCOMES)
        and turns_away(unit.text)
        and not _LEANS.match(unit.text)
    ]
    found = _changed_facts(units) | _withdrawn(units, taken)
    found |= _superseded(units, taken) | _requoted(units, taken) | _restored(units, taken)
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
    """Decisions that a later one takes the place of by their number: "supersedes ADR-014".

    The number may stand beside the decision in its entry; what was decided first in an entry that
    names it is what the record says.
    """
    ending = [unit for unit in units if ended(unit.text)]
    if not ending:
        return {}
    recorded: dict[str, Unit] = {}
    for one in taken:
        for number in records_in(one.entry.text) - ended(one.entry.text):
            recorded.setdefault(number, one)
    found: dict[int, Unit] = {}
    for unit in ending:
        for old in (recorded.get(number) for number in sorted(ended(unit.text))):
            if old is not None and old.entry is not unit.entry and comes_after(unit, old):
                found[old.at] = _deciding(units, unit)
    return found


def _requoted(units: Sequence[Unit], taken: Sequence[Unit]) -> dict[int, Unit]:
    """Decisions on words that a later sentence names as those which others take the place of."""
    found: dict[int, Unit] = {}
    for unit in units:
        for words in _UNSAID.findall(unit.text) if '"' in unit.text else ():
            told = f'"{words.rstrip(".,").lower()}'
            later = _deciding(units, unit) if _LEANS.match(unit.text) else unit
            for old in taken:
                apart = old.entry is not unit.entry and comes_after(unit, old)
                if apart and told in old.text.lower() and words not in _UNSAID.findall(old.text):
                    found[old.at] = later
    return found


def _restored(units: Sequence[Unit], taken: Sequence[Unit]) -> dict[int, Unit]:
    """Decisions on what a thing is, where it is later again what it was before."""
    found: dict[int, Unit] = {}
    for unit in units:
        again = _AGAIN.search(unit.text) if " again" in unit.text else None
        if again is None or unit.section == cues.OPEN:
            continue
        for old in taken:
            apart = old.entry is not unit.entry and comes_after(unit, old)
            if apart and any(said["what"] == again["what"] for said in _SET.finditer(old.text)):
                found[old.at] = unit
    return found


def _deciding(units: Sequence[Unit], unit: Unit) -> Unit:
    """The sentence of an entry that says what is decided, where another of it gives the numbers."""
    at = next(number for number, one in enumerate(units) if one.at == unit.at)
    before = [one for one in units[max(0, at - _BEFORE) : at] if one.entry is unit.entry]
    decided = [one for one in before if one.section == cues.DECISIONS]
    return (decided or before[:1] or [unit])[0]


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
