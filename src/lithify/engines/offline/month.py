"""A month out of its weeks' source entries: themes, milestones, changes of value, open items."""

from __future__ import annotations

from collections.abc import Sequence

from lithify import cues
from lithify.engines.offline.bullets import claims_of
from lithify.engines.offline.change import changes, tells_change
from lithify.engines.offline.cover import DEFAULT, Taste, ranked
from lithify.engines.offline.fold import fold, last_states
from lithify.engines.offline.still import still_open
from lithify.engines.offline.themes import packed_by_theme, themes_of
from lithify.engines.offline.units import Unit, units_of
from lithify.engines.offline.week import HEADINGS, fitted
from lithify.values import MONTH_SECTIONS, Brief, Draft

THEMES, MILESTONES, TRAJECTORY, CARRIED = MONTH_SECTIONS
#: Sentences nobody asked for may not crowd a month: the share of it that open items may take.
_CARRIED_SHARE = 0.25
_CHANGE_SHARE = 0.10


def write_month(brief: Brief, taste: Taste = DEFAULT) -> Draft:
    """The month's bullets, as near to the target length as whole sentences allow."""
    everything = units_of(brief.entries)
    open_items = still_open(everything)
    units = fold(everything)
    target = max(1, brief.target - (HEADINGS if brief.size > 400 else 0))
    changed = changes(units, int(target * _CHANGE_SHARE))
    told = {unit.at for one in changed for unit in one.units}
    units = last_states([unit for unit in units if unit.at not in told])
    for unit in units:
        unit.section = _section(unit, open_items)
        unit.must = False
    _require(units, open_items, int(target * _CARRIED_SHARE))
    room = target - sum(one.cost for one in changed)
    order = ranked(units, 1.5 * room, taste)
    themes = themes_of(order)
    told_in = (THEMES, MILESTONES)
    bullets = fitted(order, room, lambda chosen: packed_by_theme(chosen, told_in, themes))
    for one in changed:
        one.section = TRAJECTORY
    return Draft(claims=claims_of([*bullets, *changed], MONTH_SECTIONS, brief.trusted))


def _section(unit: Unit, open_items: frozenset[int]) -> str:
    if unit.section == cues.OPEN and (
        unit.at in open_items or any(twin.at in open_items for twin in unit.folded)
    ):
        return CARRIED
    if tells_change(unit.text):
        return TRAJECTORY
    if unit.section in (cues.OUTCOMES, cues.DECISIONS):
        return MILESTONES
    return THEMES


def _require(units: Sequence[Unit], open_items: frozenset[int], room: int) -> None:
    """The latest blockers that are still open stay whatever else there is, while room lasts."""
    for unit in reversed(units):
        if unit.section == CARRIED and cues.must_keep(unit.entry) and room > 0:
            unit.must = True
            room -= unit.tokens + 6
