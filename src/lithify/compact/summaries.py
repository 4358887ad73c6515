"""Weeks and months: what their writers are shown, and the pages that come of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lithify.compact import briefs
from lithify.compact.desk import Desk, Result
from lithify.compact.material import material
from lithify.compact.memories import known_before
from lithify.compact.snapshot import Snapshot
from lithify.engines.base import Engine, Offline
from lithify.markdown.front import Value
from lithify.markdown.pages import render_summary, summary_text
from lithify.tokens import estimate
from lithify.values import Brief, Claim, Entry, Task, Usage
from lithify.verify import Failed, Refused

_LANE = "the untrusted part of this page, which the offline engine wrote instead"


def week_lanes(snapshot: Snapshot, task: Task) -> list[Brief]:
    """A week's days for its writer, trusted and untrusted apart."""
    settings = snapshot.settings
    combined = settings.weekly.style == "combined"
    lanes = [
        briefs.week_brief(task, entries, settings, combined=combined, trusted=trusted)
        for trusted, entries in _lanes(snapshot.entries(list(task.sources)))
    ]
    if combined:
        # The reply holds the week's memories too: their writer must be shown the same.
        lanes[0] = lanes[0]._replace(memories=known_before(snapshot, task.period))
    return lanes


def month_lanes(snapshot: Snapshot, task: Task) -> list[Brief]:
    """A month's weeks for its writer, with the days' entries they rest on."""
    result = []
    for lane in material(snapshot, list(task.sources)):
        size = sum(estimate(f"- {claim.text}") for claim in lane.claims)
        result.append(
            briefs.month_brief(
                task, lane.claims, lane.entries, size, snapshot.settings, trusted=lane.trusted
            )
        )
    return result


def write_summary(desk: Desk, task: Task, engine: Engine, time: str) -> Result:
    """One week or month: its lanes written apart, its page committed."""
    kind = "weekly" if task.tier == "week" else "monthly"
    path = desk.snapshot.shelf.path(kind, task.period)
    if not task.sources:
        desk.commit({path: None}, desk.facts(task, engine, Usage(), ()), time)
        return Result(task, "written", task.why, (path,), engine=engine.name)
    lanes = (week_lanes if task.tier == "week" else month_lanes)(desk.snapshot, task)
    claims: list[Claim] = []
    refused: list[Refused] = []
    usage = Usage()
    coverage = 1.0
    for brief in lanes:
        written = desk.have_written(brief, engine, task)
        usage += written.usage
        if isinstance(written.verdict, Failed) and not brief.trusted:
            # No stranger's words may keep the trusted part of a page from being written.
            refused += [*written.verdict.refused, Refused(_LANE, (written.verdict.reason,))]
            written = desk.have_written(brief, Offline(), task)
        verdict = written.verdict
        if isinstance(verdict, Failed):
            return desk.failed(task, verdict, engine, usage, time)
        claims += [
            claim if claim.trusted is brief.trusted else replace(claim, trusted=brief.trusted)
            for claim in verdict.claims
        ]
        refused += verdict.refused
        if brief.trusted:
            coverage = verdict.coverage
    sections = lanes[0].sections
    front: dict[str, Value] = {
        "type": kind,
        "period": task.period,
        "engine": engine.name,
        "created": time,
        "sources": dict(task.sources),
        "tokens": {
            "in": str(sum(brief.size for brief in lanes)),
            "out": str(estimate(summary_text(sections, claims))),
        },
        "coverage": f"{coverage:.2f}",
    }
    page = render_summary(front, task.period, sections, claims)
    desk.quarantine(task, refused, "", engine, time)
    facts = desk.facts(task, engine, usage, refused)
    if task.tier == "month" and (beside := _beside(lanes)):
        facts["beside"] = beside
    desk.commit({path: page}, facts, time)
    return Result(
        task,
        "written",
        files=(path,),
        refused=len(refused),
        coverage=coverage,
        usage=usage,
        engine=engine.name,
    )


def _lanes(entries: Sequence[Entry]) -> list[tuple[bool, list[Entry]]]:
    """Trusted and untrusted entries apart; the untrusted lane only where there is one."""
    trusted = [entry for entry in entries if entry.trusted]
    untrusted = [entry for entry in entries if not entry.trusted]
    return [(True, trusted), *([(False, untrusted)] if untrusted else [])]


def _beside(lanes: Sequence[Brief]) -> list[str]:
    """The ids a month was shown without any week citing them, as `shown_beside` finds them again."""
    return sorted(
        {entry.id for brief in lanes for entry in brief.entries}
        - {id for brief in lanes for claim in brief.claims for id in claim.sources}
    )
