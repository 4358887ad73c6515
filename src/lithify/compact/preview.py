"""The prompt of a call as it would be sent, for a person to look at."""

from __future__ import annotations

from lithify.calendar import is_month, is_week
from lithify.compact.plan import Ask, plan
from lithify.compact.snapshot import Snapshot
from lithify.compact.split import split
from lithify.compact.typed import known_before, memories_brief
from lithify.compact.week_month import month_lanes, week_lanes
from lithify.compact.wisdom import wisdom_briefs
from lithify.engines.model import ModelEngine
from lithify.engines.model.prompt import Prompt
from lithify.errors import UnknownReference, UsageError
from lithify.sections import COMBINED, WEEK
from lithify.values import Brief, Task, Tier


def preview(snapshot: Snapshot, stage: str, period: str, engine: ModelEngine, ask: Ask) -> Prompt:
    """The prompt of a stage's first call for a period, without sending it."""
    return engine.prompt(split(_brief_of(snapshot, stage, period, ask), engine.room)[0])


def _brief_of(snapshot: Snapshot, stage: str, period: str, ask: Ask) -> Brief:
    if stage == "wisdom":
        return wisdom_briefs(snapshot, ask.today.isoformat())[0]
    if stage == "monthly":
        if not is_month(period):
            raise UsageError(reason=f"name a month: --period 2026-04 ({period!r} is not one)")
        return month_lanes(snapshot, _task(snapshot, "month", period, ask))[0]
    if not is_week(period):
        raise UsageError(reason=f"name a week: --period 2026-W14 ({period!r} is not one)")
    if stage == "typed":
        return memories_brief(snapshot, _task(snapshot, "typed", period, ask), combined=False)
    brief = week_lanes(snapshot, _task(snapshot, "week", period, ask))[0]
    if stage == "combined":
        known = known_before(snapshot, period)
        return brief._replace(sections=COMBINED, memories=known)
    return brief._replace(sections=WEEK, memories=())


def _task(snapshot: Snapshot, tier: Tier, period: str, ask: Ask) -> Task:
    """The task of a period, whatever its state."""
    tasks = plan(snapshot.shelf, snapshot.ledger, snapshot.settings, ask)
    found = next((t for t in tasks if t.tier == tier and t.period == period), None)
    if found is None:
        raise UnknownReference(ref=period, hint="`lithify status --all` lists the periods.")
    return found
