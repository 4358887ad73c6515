"""What readers found, carried out: claims that their entries do not support leave their pages.

Both what takes verdicts and a run that was killed before it carried them out do it here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lithify.compact.brief import briefs_for, shown_again
from lithify.compact.ledger import unapplied
from lithify.compact.page import commit_found, commit_page, page_path
from lithify.compact.plan import plan
from lithify.compact.snapshot import Snapshot
from lithify.compact.workspace import Composed, Reading, Result, Workspace
from lithify.markdown.parse import front_of
from lithify.sections import COMBINED, WEEK, WISDOM
from lithify.values import Brief, Claim, SentBack, Task, Usage, Violation
from lithify.verify import Refused, RefusedText, kept, memory_claim, question

#: How often the claims that a reader refused go back to the writer of a page.
DISPUTES = 1
_WHY = "its reader found claims that their entries do not support"


def apply_verdicts(workspace: Workspace, tasks: Sequence[Task] = ()) -> list[Result]:
    """Take what readers found unsupported out of the pages of these tasks, or of all that still hold it.

    Disputed pages and those of a reader that is not believed stay as they are.
    """
    snapshot, commits = workspace.snapshot, workspace.snapshot.ledger.pages.commits
    to_do = unapplied(snapshot.ledger)
    if to_do and not tasks:
        # A page that has become stale since is still the one that was read, of the same sources.
        tasks = [
            task._replace(sources=commits[task.key].sources)
            for task in plan(snapshot, workspace.ask)
            if task.key in to_do and task.state not in ("foreign", "missing")
        ]
    results = [_apply(workspace, task, applies=task.key in to_do) for task in tasks]
    if any(result.files for result in results):
        snapshot.rescan()
    return results


def _apply(workspace: Workspace, task: Task, *, applies: bool) -> Result:
    ledger = workspace.snapshot.ledger
    noted, engine = ledger.pages.readings[task.key], ledger.pages.commits[task.key].engine
    reading, time = Reading.noted(noted), str(noted["time"])
    wrong: Mapping[str, str] = noted.get("wrong", {}) if applies else {}
    if applies and task.tier == "wisdom":
        files = _decide_wisdom(workspace, wrong, reading.by, time)
        workspace.note("applied", {"task": task.key}, time)
        if files:
            return Result(task, "written", files=files, engine=engine, reading=reading)
    elif applies:
        task = task._replace(why=_WHY if wrong else f"read by {reading.by}")
        return _without_claims(workspace, task, wrong, reading, time)
    return Result(task, "unchanged", engine=engine, reading=reading)


def _decide_wisdom(
    workspace: Workspace, wrong: Mapping[str, str], by: str, time: str
) -> tuple[str, ...]:
    """Apply the proposals that a reader supports, turn down the others; return the file it changed."""
    from lithify.compact.review import apply_proposals
    from lithify.compact.wisdom_in_line import valid_proposals

    snapshot, proposals = workspace.snapshot, workspace.snapshot.ledger.wisdom.proposals
    read = unread_wisdom(snapshot)
    for id in (id for id, claim in read if claim.text in wrong):
        workspace.note("reject", {"id": id}, time)
    supported = [proposals[id] for id, claim in read if claim.text not in wrong]
    valid = valid_proposals(snapshot)
    if standing := [one for one in supported if one.id in valid]:
        apply_proposals(snapshot, standing, time, f"supported by {by}")
        snapshot.ledger = Snapshot(snapshot.root, snapshot.settings).ledger
        snapshot.rescan()
    return (snapshot.shelf.wisdom.path,) if standing and snapshot.shelf.wisdom else ()


def _without_claims(
    workspace: Workspace, task: Task, wrong: Mapping[str, str], reading: Reading, time: str
) -> Result:
    """Commit a page, or a week's memories, without what its reader did not find supported."""
    ledger = workspace.snapshot.ledger
    commit = ledger.pages.commits[task.key]
    if task.tier == "typed":
        found = ledger.lessons.found[task.period]
        lost = [memory for memory in found if memory_claim(memory).text in wrong]
        left = [memory for memory in found if memory not in lost]
        refused = [
            Refused(m, (Violation("reader", wrong[memory_claim(m).text]),)).as_text for m in lost
        ]
        refused += [
            RefusedText(m.how, (f"reader: {wrong[m.how]}",)) for m in left if m.how in wrong
        ]
        good = [m._replace(how="") if m.how in wrong else m for m in left]
        facts = workspace.facts(task, commit.engine, Usage(), refused, reading)
        return replace(commit_found(workspace, task, good, refused, facts, time), reading=reading)
    told = claims_of_page(workspace.snapshot, task)
    claims = tuple(claim for claim in told if not claim.trusted or claim.text not in wrong)
    gone = tuple(RefusedText(text, (f"reader: {verdict}",)) for text, verdict in wrong.items())
    asks, disputes = bool(commit.data.get("asks")), commit.data.get("disputes", 0)
    out = [
        {"text": c.text, "section": c.section, "sources": [*c.sources], "why": wrong[c.text]}
        for c in told
        if c not in claims
    ]
    # Their writer is told once, and may put them right.
    tells = out and commit.engine.startswith("agent:") and disputes < DISPUTES
    more = {"disputes": disputes, **({"lost": out} if tells else {})}
    return commit_again(workspace, task, claims, gone, reading, time, asks=asks, more=more)


def commit_again(
    workspace: Workspace,
    task: Task,
    claims: tuple[Claim, ...],
    refused: tuple[RefusedText, ...],
    reading: Reading | None,
    time: str,
    *,
    asks: bool = False,
    more: Mapping[str, Any] | None = None,
) -> Result:
    """Commit a page of an agent with other claims, as of its writer."""
    snapshot = workspace.snapshot
    lanes = lanes_of(workspace, task)
    known = {claim.section for claim in claims}
    # The style of weeks may have changed since the page was written.
    styles = (lanes[0].sections, WEEK, COMBINED)
    sections = next((names for names in styles if known <= set(names)), lanes[0].sections)
    trusted = [claim for claim in claims if claim.trusted]
    left_out, thin = question(lanes[0], trusted)
    composed = Composed(
        sections,
        sum(brief.size for brief in lanes),
        lanes[0].shown,
        lanes[0].whole,
        claims=claims,
        refused=refused,
        kept=kept(lanes[0], trusted),
        left_out=len(left_out),
        thin=thin,
        asked=SentBack() if asks else None,
        reading=reading,
    )
    writer = snapshot.ledger.pages.commits[task.key].engine
    facts = workspace.facts(task, writer, Usage(), refused, reading)
    return commit_page(workspace, task, composed, {**facts, **(more or {})}, time)


def lanes_of(workspace: Workspace, task: Task) -> list[Brief]:
    """Return what the writer of a page in force was shown: of a long week a part."""
    snapshot, path = workspace.snapshot, page_path(workspace.snapshot, task)
    trusted, *others = briefs_for(snapshot, task, snapshot.ledger.pages.commits[task.key].engine)
    shown = front_of(snapshot.read(path)).text("shown")
    return [shown_again(trusted, shown), *others]


# Pages as they are in force


def claims_of_page(snapshot: Snapshot, task: Task) -> tuple[Claim, ...]:
    pages = snapshot.shelf.weeks if task.tier == "week" else snapshot.shelf.months
    return snapshot.claims(pages[task.period])


def unread_wisdom(snapshot: Snapshot) -> list[tuple[str, Claim]]:
    """Return what proposals for wisdom claim that only wait for a reader, each with its id."""
    return [
        (id, Claim(one.entry.said, one.entry.sources, WISDOM))
        for id, one in sorted(snapshot.ledger.wisdom.proposals.items())
        if one.unread and one.entry and one.verb != "DROP"
    ]
