"""A month out of its weeks' source entries: themes, milestones, changes of value, open items."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from lithify import cues
from lithify.engines.offline.bullets import claims_of
from lithify.engines.offline.change import changes, tells_change, tells_turn
from lithify.engines.offline.cover import DEFAULT, Taste, ranked
from lithify.engines.offline.fold import fold, last_states
from lithify.engines.offline.pairs import told_together
from lithify.engines.offline.settled import settlements
from lithify.engines.offline.still import by_weight, still_open
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
_CHANGE_SHARE = 0.10
#: What was achieved and decided has its place before any figure competes for one.
_HEADLINE_SHARE = 0.20
#: A short month has room for a few of them nevertheless.
_HEADLINES = 80
_THEME_SHARE = 0.15
#: What an errand is worth beside what the month's work tells.
_ERRAND = 0.5
#: A handful of threads is as many as a reader follows, however long the month.
_THEMES = 5
#: As many open items have their place before anything else competes for one.
_ITEMS = 6


#: In a month a capital that may be no name is worth little beside what is one.
_MONTHLY = replace(DEFAULT, loose=0.2)


def write_month(brief: Brief, taste: Taste = _MONTHLY) -> Draft:
    """The month's bullets, as near to the target length as whole sentences allow."""
    everything = units_of(brief.entries)
    settled = settlements(everything)
    open_items = still_open(everything, settled)
    units = fold(told_together(everything, settled))
    target = max(1, brief.target - (HEADINGS if brief.size > 400 else 0))
    changed = changes(units, int(target * _CHANGE_SHARE))
    told = {
        unit.at
        for one in changed
        for unit in one.units
        if set(unit.stems) <= set(stems_in(one.fixed))
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
    themes = _require(units, target, turned, stating)
    room = target - sum(one.cost for one in changed)
    order = ranked(units, 1.5 * room, taste)
    themes = {**themes_of(order), **themes}
    bullets = fitted(order, room, ByTheme((THEMES, MILESTONES), themes).packed)
    for one in changed:
        one.section = TRAJECTORY
    return Draft(claims=claims_of([*bullets, *changed], MONTH_SECTIONS, brief.trusted))


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


def _require(
    units: Sequence[Unit], target: int, turned: Set[int], stating: Set[int]
) -> dict[int, Theme]:
    """What stays whatever else there is: open items, headlines and the leading themes.

    Decisions that were reversed (`turned`) come first: a week of the month still tells the old one.
    `stating` are the places of the sentences that state what their entry is kept for.
    """
    # A conversation has turns, not items and headlines: there all compete by what they tell.
    talk = 2 * sum(1 for unit in units if unit.label) > len(units)
    room = 0 if talk else min(_ITEMS * LIMIT, int(target * _CARRIED_SHARE))
    carried = [u for u in units if u.section == CARRIED and cues.must_keep(u.entry)]
    for unit in by_weight(units, carried, stating):
        if room > 0:
            unit.must = True
            room -= unit.tokens + 6
    room = 0 if talk else max(int(target * _HEADLINE_SHARE), min(_HEADLINES, target // 2))
    told_in = (MILESTONES, TRAJECTORY)
    stated = [u for u in units if u.section in told_in and cues.must_keep(u.entry)]
    turns = [unit for unit in units if unit.at in turned and unit.section != CARRIED]
    for unit in (*reversed(turns), *(one for one in headlines(stated) if one.at not in turned)):
        if room > 0:
            unit.must = True
            room -= unit.tokens + 6
    for unit in units:
        if not talk and is_errand(unit):
            unit.worth *= _ERRAND
    # In talk every turn has its speaker, and what is said again is no thread of work.
    loose = [unit for unit in units if unit.section in (THEMES, MILESTONES) and not unit.label]
    themes = leading_themes(loose, min(_THEMES * LIMIT, int(target * _THEME_SHARE)))
    for unit in loose:
        unit.must = unit.must or unit.at in themes
    return themes
