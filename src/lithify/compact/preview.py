"""Exactly what a model would be sent for a period, without sending it."""

from __future__ import annotations

from lithify.calendar import is_month, is_week
from lithify.compact.briefs import split
from lithify.compact.distil import docket, lanes, wisdom_brief
from lithify.compact.memories import known_before, memories_brief
from lithify.compact.plan import Ask, plan
from lithify.compact.snapshot import Snapshot
from lithify.compact.summaries import month_lanes, week_lanes
from lithify.engines.model import ModelEngine
from lithify.engines.model.prompt import Prompt
from lithify.errors import UnknownReference, UsageError
from lithify.values import COMBINED_SECTIONS, WEEK_SECTIONS, Brief, Task, Tier


def preview(snapshot: Snapshot, stage: str, period: str, engine: ModelEngine, ask: Ask) -> Prompt:
    """The prompt of a stage's first call for a period, from the root as it is."""
    return engine.prompt(split(_brief(snapshot, stage, period, ask), engine.room)[0])


def _brief(snapshot: Snapshot, stage: str, period: str, ask: Ask) -> Brief:
    if stage == "wisdom":
        begun = docket(snapshot)
        return wisdom_brief(snapshot, lanes(begun.items)[0], begun.entries)
    if stage == "monthly":
        if not is_month(period):
            raise UsageError(reason=f"{period!r} is no month; write --period 2026-04")
        return month_lanes(snapshot, _task(snapshot, "month", period, ask))[0]
    if not is_week(period):
        raise UsageError(reason=f"{period!r} is no week; write --period 2026-W14")
    if stage == "typed":
        return memories_brief(snapshot, _task(snapshot, "typed", period, ask), combined=False)
    brief = week_lanes(snapshot, _task(snapshot, "week", period, ask))[0]
    if stage == "combined":
        known = known_before(snapshot, period)
        return brief._replace(sections=COMBINED_SECTIONS, memories=known)
    return brief._replace(sections=WEEK_SECTIONS, memories=())


def _task(snapshot: Snapshot, tier: Tier, period: str, ask: Ask) -> Task:
    """The period as a plan sees it, whatever its state."""
    tasks = plan(snapshot.shelf, snapshot.ledger, snapshot.settings, ask)
    found = next((t for t in tasks if t.tier == tier and t.period == period), None)
    if found is None:
        raise UnknownReference(ref=period, hint="`lithify status --all` lists the periods.")
    return found
