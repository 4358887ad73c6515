"""A month out of its weeks' source entries: themes, milestones, changes of value, open items."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from lithify import cues
from lithify.engines.offline.bullets import claims_of
from lithify.engines.offline.change import changes, is_proposed, tells_change, tells_turn
from lithify.engines.offline.cover import DEFAULT, Taste, ranked
from lithify.engines.offline.fold import fold, last_states
from lithify.engines.offline.pairs import told_together
from lithify.engines.offline.settled import settlements
from lithify.engines.offline.still import awaited, by_weight, still_open
from lithify.engines.offline.subjects import week
from lithify.engines.offline.text import LIMIT
from lithify.engines.offline.themes import (
    ByTheme,
    Theme,
    headlines,
    is_errand,
    leading_themes,
    themes_of,
)
from lithify.engines.offline.turned import reversals
from lithify.engines.offline.units import Unit, stems_in, units_of
from lithify.engines.offline.week import HEADINGS, fitted
from lithify.values import MONTH_SECTIONS, Brief, Draft

THEMES, MILESTONES, TRAJECTORY, CARRIED = MONTH_SECTIONS
#: Sentences nobody asked for may not crowd a month: the share of it that open items may take.
_CARRIED_SHARE = 0.20
_CHANGE_SHARE = 0.12
#: A short month has room for a few open items and values nevertheless.
_CARRIED, _CHANGES = 60, 50
#: What was achieved and decided has its place before any figure competes for one.
_HEADLINE_SHARE = 0.20
#: A short month has room for a few of them nevertheless.
_HEADLINES = 80
_THEME_SHARE = 0.20
#: What an errand is worth beside what the month's work tells.
_ERRAND = 0.5
#: A sentence that names so many people in full is a list of who is who, and no news of the month.
_PERSON, _ROLL = re.compile(r"\b[A-Z][a-z]+ [A-Z][a-z]+\b"), 4
#: What a sentence is worth whose value is told already, old and new.
_READ = 0.5
#: A handful of threads is as many as a reader follows, however long the month.
_THEMES = 5
#: As many open items have their place before anything else competes for one.
_ITEMS = 6


#: In a month a capital that may be no name is worth little beside what is one.
_MONTHLY = replace(DEFAULT, loose=0.2)


class Known(NamedTuple):
    """What is known of some sentences, by their places.

    `turned` are decisions and what reversed them, `stating` those that state what their entry is
    kept for, `read` those whose value is told already, `resolved` items with an end in a later week.
    """

    turned: Set[int]
    stating: Set[int]
    read: Set[int]
    resolved: Set[int]


def write_month(brief: Brief, taste: Taste = _MONTHLY) -> Draft:
    """The month's bullets, as near to the target length as whole sentences allow."""
    everything = awaited(units_of(brief.entries))
    settled = settlements(everything)
    open_items = still_open(everything, settled)
    units = fold(told_together(everything, settled))
    target = max(1, brief.target - (HEADINGS if brief.size > 400 else 0))
    changed = changes(units, _share(target, _CHANGE_SHARE, _CHANGES))
    told = {
        unit.at
        for one in changed
        for unit in one.units
        if not unit.must or set(unit.stems) <= set(stems_in(one.fixed))
    }
    units = last_states([unit for unit in units if unit.at not in told])
    stated = {
        unit.entry.id
        for unit in units
        if unit.must and unit.section == cues.OPEN and _stands_open(unit, open_items)
    }
    stating = {unit.at for unit in units if unit.must}
    for unit in units:
        unit.section = _section(unit, open_items, stated)
        unit.must = False
    turned = {at for one, later in reversals(everything).items() for at in (one, later.at)}
    read = {unit.at for one in changed for unit in one.units}
    resolved = {
        at
        for item, end in settled.items()
        if week(everything[item]) != week(end)
        for at in (item, end.at)
    }
    known = Known(turned, stating, read, resolved)
    themes = _require(units, target, known)
    room = target - sum(one.cost for one in changed)
    order = ranked(units, 1.5 * room, taste)
    themes = {**themes_of(order), **themes}
    bullets = fitted(order, room, ByTheme((THEMES, MILESTONES, TRAJECTORY), themes).packed)
    for one in changed:
        one.section = TRAJECTORY
    return Draft(claims=claims_of([*bullets, *changed], MONTH_SECTIONS, brief.trusted))


def _share(target: int, share: float, least: int) -> int:
    """A share of the month's tokens, in a short month as much as a few bullets need."""
    return max(int(target * share), min(least, target // 4))


def _stands_open(unit: Unit, open_items: Set[int]) -> bool:
    return unit.at in open_items or any(twin.at in open_items for twin in unit.folded)


def _section(unit: Unit, open_items: frozenset[int], stated: Set[str]) -> str:
    if unit.section == cues.OPEN and _stands_open(unit, open_items):
        # What goes on about a blocker stands with it; by itself it is no open item.
        return CARRIED if unit.entry.id in stated else THEMES
    if tells_turn(unit.text) if unit.section == cues.DECISIONS else tells_change(unit.text):
        return TRAJECTORY
    if unit.section in (cues.OUTCOMES, cues.DECISIONS):
        return MILESTONES
    return THEMES


def _keep(units: Sequence[Unit], room: int) -> None:
    """Make the first of some sentences stay, as many as there is room for."""
    for unit in units:
        if room > 0:
            unit.must = True
            room -= unit.tokens + 6


def _require(units: Sequence[Unit], target: int, known: Known) -> dict[int, Theme]:
    """What stays whatever else there is: open items, values, headlines and the leading themes.

    Decisions that were reversed come first: a week of the month still tells the old one.
    """
    # A conversation has turns, not items and headlines: there all compete by what they tell.
    talk = 2 * sum(1 for unit in units if unit.label) > len(units)
    if not talk:
        carried = [
            unit
            for unit in units
            if unit.section == CARRIED and (unit.at in known.stating or cues.must_keep(unit.entry))
        ]
        room = min(_ITEMS * LIMIT, _share(target, _CARRIED_SHARE, _CARRIED))
        _keep(by_weight(units, carried, known.stating), room)
        values = [
            unit for unit in units if unit.section == TRAJECTORY and unit.at not in known.read
        ]
        values.sort(key=lambda unit: (is_proposed(unit.text), -cues.plainness(unit.text), unit.at))
        _keep(values, _share(target, _CHANGE_SHARE, _CHANGES // 2))
        stated = [
            unit
            for unit in units
            if unit.section in (MILESTONES, TRAJECTORY) and cues.must_keep(unit.entry)
        ]
        turns = [unit for unit in units if unit.at in known.turned and unit.section != CARRIED]
        rest = known.turned | known.read
        heads = [unit for unit in headlines(stated, known.resolved) if unit.at not in rest]
        room = max(int(target * _HEADLINE_SHARE), min(_HEADLINES, 2 * target // 5))
        _keep([unit for unit in (*reversed(turns), *heads) if not unit.must], room)
    for unit in units:
        if not talk and is_errand(unit):
            unit.worth *= _ERRAND
        if not talk and not unit.must and len(_PERSON.findall(unit.text)) >= _ROLL:
            unit.worth *= _ERRAND
        if unit.at in known.read:
            unit.worth *= _READ
    # In talk every turn has its speaker, and what is said again is no thread of work.
    loose = [
        unit
        for unit in units
        if unit.section in (THEMES, MILESTONES, TRAJECTORY) and not (talk and unit.label)
    ]
    themes = leading_themes(loose, min(_THEMES * LIMIT, int(target * _THEME_SHARE)))
    for unit in loose:
        unit.must = unit.must or unit.at in themes
    return themes
