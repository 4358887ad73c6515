"""Audits by an agent: pages that were committed and wait for another session to read them.

Like an order for a page, one for an audit is not stored. It follows from the journal: the commit of
a page says that an agent is to audit it, and no audit of the same content is noted after it. What
the audit does not find supported is taken out of the page by an ordinary commit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from lithify.compact.audit import Audited, doubts_of
from lithify.compact.audit_records import audits_due, content_of, waits_for_audit
from lithify.compact.plan import plan
from lithify.compact.run import Run
from lithify.compact.snapshot import Snapshot
from lithify.compact.typed import commit_found
from lithify.compact.week_month import commit_page, month_lanes, week_lanes
from lithify.compact.workspace import Composed, Result, Workspace
from lithify.engines.agent import ReplyNeeded
from lithify.engines.model import ModelEngine
from lithify.engines.model.audit import Auditor
from lithify.sections import COMBINED, WEEK
from lithify.values import Claim, Entry, Task, Usage, Violation
from lithify.verify import Refused, settle
from lithify.verify.memories import claim_of
from lithify.verify.verdict import refusal

_WHY = "an audit found claims that their entries do not support"


class Wanted(NamedTuple):
    """An audit that waits for a reply, and why the session that asks may not give it, if so."""

    task: Task
    needed: ReplyNeeded
    barred: str = ""


def advance_audits(run: Run, session: str) -> tuple[list[Result], list[Wanted]]:
    """Finish every audit whose replies were handed in; returns the others with what they wait for."""
    workspace, snapshot = run.workspace, run.workspace.snapshot
    if not any(waits_for_audit(snapshot.ledger, key) for key in snapshot.ledger.commits):
        return [], []
    assert isinstance(run.engine, ModelEngine)
    auditor = Auditor(run.engine, snapshot.settings.agent_name)
    results: list[Result] = []
    wanted: list[Wanted] = []
    tasks = plan(snapshot.shelf, snapshot.ledger, snapshot.settings, workspace.ask)
    for task in audits_due(snapshot.ledger, tasks):
        claims = _claims(snapshot, task)
        entries = snapshot.lookup([id for claim in claims for id in claim.sources])
        try:
            results.append(_audit(run, task, claims, entries, auditor))
        except ReplyNeeded as needed:
            wanted.append(Wanted(task, needed, _barred(workspace, task, session)))
    if any(result.files for result in results):
        snapshot.rescan()
    return results, wanted


def _barred(workspace: Workspace, task: Task, session: str) -> str:
    """Why a session may not audit a page: its verdicts can take claims out of memory."""
    if workspace.proposes:
        return "this session has read untrusted text, so it cannot audit pages"
    writer = workspace.snapshot.ledger.commits[task.key].data["audit"].get("session", "")
    if session and writer == session:
        return "this session wrote the page; another one has to audit it"
    return ""


def _claims(snapshot: Snapshot, task: Task) -> list[Claim]:
    """What a page claims; an agent is shown trusted material only."""
    if task.tier == "typed":
        return [claim_of(memory) for memory in snapshot.ledger.found.get(task.period, ())]
    return [claim for claim in _page(snapshot, task) if claim.trusted]


def _page(snapshot: Snapshot, task: Task) -> tuple[Claim, ...]:
    pages = snapshot.shelf.weeks if task.tier == "week" else snapshot.shelf.months
    return snapshot.claims(pages[task.period])


def _audit(
    run: Run,
    task: Task,
    claims: Sequence[Claim],
    entries: Mapping[str, Entry],
    auditor: Auditor,
) -> Result:
    """Read the verdicts on a page; note them, or commit the page without what is unsupported."""
    workspace, commit = run.workspace, run.workspace.snapshot.ledger.commits[task.key]
    answer = auditor.judge(claims, entries)
    judged = len(answer.findings)
    audit = Audited(auditor.name, judged, len(claims) - judged, answer.unread)
    doubts = doubts_of({c.text: answer.findings.get(n) for n, c in enumerate(claims, 1)})
    if not doubts:
        workspace.note("audit", {"task": task.key, "content": content_of(commit), **audit.facts})
        return Result(task, "unchanged", engine=commit.engine, audit=audit)
    begun, time = workspace.snapshot.ledger.begun, run.begin()
    task = task._replace(why=_WHY)
    rewrite = _without_memories if task.tier == "typed" else _without_claims
    result = rewrite(workspace, task, doubts, audit, time)
    if begun is None:
        # A run that waits for its next reply goes on with the time it began with.
        workspace.note("end", {})
    return result


def _without_claims(
    workspace: Workspace, task: Task, doubts: Mapping[str, Violation], audit: Audited, time: str
) -> Result:
    """A week or month without the claims in doubt; what must be kept is put back in its own words."""
    snapshot = workspace.snapshot
    lanes = (week_lanes if task.tier == "week" else month_lanes)(snapshot, task)
    told = _page(snapshot, task)
    known = {claim.section for claim in told}
    # The style of weeks may have changed since the page was written.
    styles = (lanes[0].sections, WEEK, COMBINED)
    sections = next(names for names in styles if known <= set(names))
    good = [claim for claim in told if claim.trusted and claim.text not in doubts]
    page = settle(
        good,
        lanes[0]._replace(sections=sections),
        tuple(refusal(text, [doubt]) for text, doubt in doubts.items()),
        passed=frozenset(good),
    )
    composed = Composed(
        sections,
        sum(brief.size for brief in lanes),
        claims=(*page.claims, *(claim for claim in told if not claim.trusted)),
        refused=page.refused,
        kept=page.kept,
        gave_way=page.gave_way,
        audit=audit,
    )
    writer = snapshot.ledger.commits[task.key].engine
    facts = workspace.facts(task, writer, Usage(), composed.refused, audit.facts)
    return commit_page(workspace, task, composed, facts, time)


def _without_memories(
    workspace: Workspace, task: Task, doubts: Mapping[str, Violation], audit: Audited, time: str
) -> Result:
    """The memories found in a week without those in doubt."""
    ledger = workspace.snapshot.ledger
    found = ledger.found[task.period]
    good = [memory for memory in found if claim_of(memory).text not in doubts]
    refused: list[Refused] = [
        refusal(f"{m.type}_{m.topic}: {m.statement}", [doubts[claim_of(m).text]])
        for m in found
        if m not in good
    ]
    writer = ledger.commits[task.key].engine
    facts = workspace.facts(task, writer, Usage(), refused, audit.facts)
    return replace(commit_found(workspace, task, good, refused, facts, time), audit=audit)
