"""Weeks and months: what their writers are shown, and the pages that come of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lithify.compact import briefs
from lithify.compact.desk import Composed, Desk, Result
from lithify.compact.material import material
from lithify.compact.memories import known_before
from lithify.compact.snapshot import Snapshot
from lithify.engines.base import Engine, Offline
from lithify.markdown.front import Value
from lithify.markdown.pages import render_summary, summary_text
from lithify.text.tokens import estimate
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
            )._replace(open=lane.open)
        )
    return result


def is_independent(snapshot: Snapshot, task: Task) -> bool:
    """Whether a task of the present stage is asked the same whatever the others come to.

    A week's memories are drawn in the light of those of the weeks before it, and so is a week
    in the combined style, whose reply holds both.
    """
    if task.tier == "week":
        return snapshot.settings.weekly.style == "separate"
    return task.tier == "month"


def compose(desk: Desk, task: Task, engine: Engine) -> Composed:
    """One week or month, its lanes written apart and verified; nothing of the root is changed."""
    lanes = (week_lanes if task.tier == "week" else month_lanes)(desk.snapshot, task)
    page = Composed(lanes[0].sections, sum(brief.size for brief in lanes))
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
            return replace(page, usage=usage, failed=verdict)
        claims += [
            claim if claim.trusted is brief.trusted else replace(claim, trusted=brief.trusted)
            for claim in verdict.claims
        ]
        refused += verdict.refused
        if brief.trusted:
            coverage = verdict.coverage
    return replace(
        page,
        claims=tuple(claims),
        refused=tuple(refused),
        usage=usage,
        coverage=coverage,
        days_told=_days_told(lanes) if task.tier == "month" else None,
    )


def write_summary(desk: Desk, task: Task, engine: Engine, time: str) -> Result:
    """One week or month: composed, unless that was done ahead of its turn, and committed."""
    kind = "weekly" if task.tier == "week" else "monthly"
    path = desk.snapshot.shelf.path(kind, task.period)
    if not task.sources:
        desk.commit({path: None}, desk.facts(task, engine, Usage(), ()), time)
        return Result(task, "written", task.why, (path,), engine=engine.name)
    page = desk.ahead(task) or compose(desk, task, engine)
    if page.failed:
        return desk.failed(task, page.failed, engine, page.usage, time)
    front: dict[str, Value] = {
        "type": kind,
        "period": task.period,
        "engine": engine.name,
        "created": time,
        "sources": dict(task.sources),
        "tokens": {
            "in": str(page.size),
            "out": str(estimate(summary_text(page.sections, page.claims))),
        },
        "coverage": f"{page.coverage:.2f}",
    }
    text = render_summary(front, task.period, page.sections, page.claims)
    desk.quarantine(task, page.refused, "", engine, time)
    facts = desk.facts(task, engine, page.usage, page.refused)
    if page.days_told:
        facts["beside"], facts["open"] = page.days_told
    replaced = desk.commit({path: text}, facts, time)
    return Result(
        task,
        "written",
        files=(path,),
        replaced=replaced,
        refused=len(page.refused),
        coverage=page.coverage,
        usage=page.usage,
        engine=engine.name,
    )


def _lanes(entries: Sequence[Entry]) -> list[tuple[bool, list[Entry]]]:
    """Trusted and untrusted entries apart; the untrusted lane only where there is one."""
    trusted = [entry for entry in entries if entry.trusted]
    untrusted = [entry for entry in entries if not entry.trusted]
    return [(True, trusted), *([(False, untrusted)] if untrusted else [])]


def _days_told(lanes: Sequence[Brief]) -> tuple[list[str], list[str]]:
    """What the days told a month beside its weeks, as `material.days_told` finds it again."""
    shown = {entry.id for brief in lanes for entry in brief.entries}
    cited = {id for brief in lanes for claim in brief.claims for id in claim.sources}
    left_open = {id for brief in lanes for id in brief.open or ()}
    return sorted(shown - cited), sorted(shown & left_open)
