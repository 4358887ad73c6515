"""Weeks and months: the briefs of their writers, and their pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lithify.calendar import parse_day, week_of
from lithify.compact import briefs
from lithify.compact.audit import Audited
from lithify.compact.snapshot import Snapshot
from lithify.compact.typed import known_before
from lithify.compact.workspace import Composed, Result, Workspace
from lithify.engines.base import Engine
from lithify.markdown.entries import label_of
from lithify.markdown.front import Value
from lithify.markdown.pages import render_summary, summary_text
from lithify.store.journal import head
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Entry, Task, Usage
from lithify.verify import Failed, Refused

_LANE = "the untrusted part of this page, which the offline engine wrote instead"


def week_lanes(snapshot: Snapshot, task: Task) -> list[Brief]:
    """The briefs of a week: one for its trusted entries, one for the others if there are any."""
    settings = snapshot.settings
    combined = settings.weekly.style == "combined"
    entries = snapshot.entries(list(task.sources))
    lanes = [
        briefs.week_brief(task, own, settings, combined=combined, trusted=trusted)
        for trusted in (True, False)
        if (own := [entry for entry in entries if entry.trusted is trusted]) or trusted
    ]
    if combined:
        # The reply also holds the week's memories, so their known memories must be shown too.
        lanes[0] = lanes[0]._replace(memories=known_before(snapshot, task.period))
    return briefs.share_page(lanes, settings.compression)


def month_lanes(snapshot: Snapshot, task: Task) -> list[Brief]:
    """The briefs of a month, by trust like a week's: its weeks' claims and the entries they cite."""
    claims, entries = weeks_told(snapshot, list(task.sources))
    lanes = []
    for trusted in (True, False):
        told = [claim for claim in claims if claim.trusted is trusted]
        if told or trusted:
            cited = {id for claim in told for id in claim.sources}
            own = [entry for entry in entries if entry.id in cited]
            lanes.append(briefs.month_brief(task, told, own, snapshot.settings, trusted=trusted))
    return briefs.share_page(lanes, snapshot.settings.compression)


def weeks_told(snapshot: Snapshot, paths: Sequence[str]) -> tuple[list[Claim], list[Entry]]:
    """The claims of a month's weeks in order, and the entries they cite.

    The days of a week that is too thin for a page feed the month directly.
    """
    pages = {page.path: page for page in snapshot.shelf.weeks.values()}
    claims: list[Claim] = []
    loose: list[Entry] = []
    for path in paths:
        if path in pages:
            claims += snapshot.claims(pages[path])
        else:
            loose += snapshot.entries([path])
    found = snapshot.lookup([id for claim in claims for id in claim.sources])
    found.update({entry.id: entry for entry in loose})
    claims += [
        Claim(entry.text, (entry.id,), trusted=entry.trusted)
        for entry in loose
        if entry.kind not in ("code", "lead")
    ]
    entries = sorted(found.values(), key=lambda entry: (label_of(entry.id), entry.path, entry.line))
    return sorted(claims, key=_week), entries


def _week(claim: Claim) -> str:
    """The week a claim of a month belongs to."""
    label = label_of(claim.sources[0])
    day = parse_day(label)
    return week_of(day) if day else label


def compose(workspace: Workspace, task: Task, engine: Engine) -> Composed:
    """Write and verify one week or month, each lane by itself, without changing the root."""
    lanes = (week_lanes if task.tier == "week" else month_lanes)(workspace.snapshot, task)
    page = Composed(lanes[0].sections, sum(brief.size for brief in lanes))
    claims: list[Claim] = []
    refused: list[Refused] = []
    usage = Usage()
    kept = None
    audit: Audited | None = None
    gave_way: list[Claim] = []
    for brief in lanes:
        written = workspace.have_written(brief, engine, task)
        usage += written.usage
        audit = written.audit.beside(audit) if written.audit else audit
        if isinstance(written.verdict, Failed) and not brief.trusted and workspace.offline:
            # Untrusted words must not keep the trusted part of a page from being written.
            refused += [*written.verdict.refused, Refused(_LANE, (written.verdict.reason,))]
            written = workspace.have_written(brief, workspace.offline, task)
        verdict = written.verdict
        if isinstance(verdict, Failed):
            return replace(page, usage=usage, failed=verdict, audit=audit)
        quoted = {entry.id for entry in brief.entries if entry.quoted}
        claims += [
            replace(claim, trusted=brief.trusted, quoted=not quoted.isdisjoint(claim.sources))
            for claim in verdict.claims
        ]
        refused += verdict.refused
        if brief.trusted:
            kept = verdict.kept
        gave_way += verdict.gave_way
    return replace(
        page,
        claims=tuple(claims),
        refused=tuple(refused),
        usage=usage,
        kept=kept,
        gave_way=tuple(gave_way),
        audit=audit,
    )


def write_summary(workspace: Workspace, task: Task, engine: Engine, time: str) -> Result:
    """Compose and commit one week or month."""
    if not task.sources:
        path = page_path(workspace.snapshot, task)
        workspace.commit({path: None}, workspace.facts(task, engine.name, Usage(), ()), time)
        return Result(task, "written", task.why, (path,), engine=engine.name)
    page = compose(workspace, task, engine)
    spent = page.usage + page.audit.usage if page.audit else page.usage
    if page.failed:
        return workspace.failed(task, page.failed, engine, spent, time)
    audit = workspace.audit_facts(engine, page.audit)
    facts = workspace.facts(task, engine.name, page.usage, page.refused, audit)
    return replace(commit_page(workspace, task, page, facts, time), usage=spent)


def page_path(snapshot: Snapshot, task: Task) -> str:
    """Where the page of a week or month is."""
    return snapshot.shelf.path("weekly" if task.tier == "week" else "monthly", task.period)


def commit_page(
    workspace: Workspace, task: Task, page: Composed, facts: Mapping[str, Any], time: str
) -> Result:
    """Put a composed page in force, and what was refused of it in quarantine."""
    path, engine = page_path(workspace.snapshot, task), str(facts["engine"])
    front: dict[str, Value] = {
        "type": "weekly" if task.tier == "week" else "monthly",
        "period": task.period,
        "engine": engine,
        "created": time,
        "sources": dict(task.sources),
        "tokens": {
            "in": str(page.size),
            "out": str(estimate(summary_text(page.sections, page.claims))),
        },
        "kept": str(page.kept),
    }
    if known := head(*workspace.snapshot.ledger.last_capture):
        front["journal"] = known
    text = render_summary(front, task.period, page.sections, page.claims)
    workspace.quarantine(task, page.refused, "", engine, time)
    replaced = workspace.commit({path: text}, facts, time)
    return Result(
        task,
        "written",
        files=(path,),
        replaced=replaced,
        refused=len(page.refused),
        kept=page.kept,
        gave_way=tuple(claim.text for claim in page.gave_way),
        usage=page.usage,
        engine=engine,
        audit=page.audit,
    )
