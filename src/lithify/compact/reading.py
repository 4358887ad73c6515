"""Pages that are in force, read and mended by sessions of an agent.

An agent's page is committed when code has passed it. What it says is then read by another session,
and its writer is asked once for marked entries it left out. Like an order for a page, neither is
stored: both follow from the journal. The commit of a page says that it waits for a reader, or that
its writer is to be asked, and no later record of the same content says how that went.

What a reader does not find supported leaves its page. Both what takes verdicts and a run that was
killed before it carried them out do that here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from lithify.compact.brief import briefs_for, shown_again
from lithify.compact.ledger import content_of, reading_of, unapplied, waits_for_reader
from lithify.compact.page import (
    MOST_REFUSED,
    Means,
    commit_found,
    commit_page,
    page_path,
    reading_from,
    verdicts_on,
)
from lithify.compact.plan import plan
from lithify.compact.snapshot import Snapshot
from lithify.compact.workspace import Composed, Reading, Result, Workspace
from lithify.engines.base import Engine
from lithify.engines.model import ModelEngine
from lithify.engines.model.reader import Answer, Reader, cost_of
from lithify.markdown.parse import front_of
from lithify.sections import COMBINED, HOW_TO_APPLY, WEEK, WISDOM
from lithify.values import Brief, Claim, Entry, SentBack, Task, Usage, Violation
from lithify.verify import (
    Checked,
    Refused,
    RefusedText,
    kept,
    memory_claim,
    memory_claims,
    over_ceiling,
    question,
    verify,
)

#: A session without a name counts as another one after so long.
ANOTHER_SESSION = timedelta(hours=12)


# Pages that wait for a reader


class UnreadPage(NamedTuple):
    """A page in force that an agent is to read, its claims, and the sessions that wrote it.

    `claims` are those that it is asked about, and `whole` counts them; how to apply a memory is asked
    about and not counted.
    """

    task: Task
    claims: tuple[Claim, ...]
    whole: int
    session: str
    written: str


def unread_pages(workspace: Workspace) -> list[UnreadPage]:
    """Return the pages in force that wait for a reader, in the order they were committed."""
    snapshot = workspace.snapshot
    commits = snapshot.ledger.pages.commits
    if not any(waits_for_reader(snapshot.ledger, key) for key in commits):
        return []
    found = []
    for task in plan(snapshot, workspace.ask):
        if task.state == "current" and waits_for_reader(snapshot.ledger, task.key):
            commit = commits[task.key]
            session = str(commit.data["reading"].get("session", ""))
            claims = _claims(snapshot, task)
            # What was read before its writer mended the rest is not read again.
            fresh = commit.data.get("fresh")
            asked = tuple(c for c in claims if c.text in fresh) if fresh else claims
            whole = sum(claim.section != HOW_TO_APPLY for claim in claims)
            found.append(UnreadPage(task, asked, whole, session, commit.time))
    return sorted(found, key=lambda page: (commits[page.task.key].seq, page.task.key))


def may_read(workspace: Workspace, page: UnreadPage, session: str) -> bool:
    """Tell whether a session may read a page: never its writer, whose name may be unknown."""
    if session and page.session:
        return session not in page.session.split()
    written = datetime.fromisoformat(page.written.replace("Z", "+00:00"))
    return workspace.clock() - written >= ANOTHER_SESSION


def batch(
    pages: Sequence[UnreadPage], reader: Reader, entries: Mapping[str, Entry]
) -> Sequence[UnreadPage]:
    """Return the first pages whose claims fit one order; at least one."""
    shown = count = 0
    for n, page in enumerate(pages):
        shown += sum(cost_of(claim, entries) for claim in page.claims)
        count += len(page.claims) + 2
        if n and (shown > reader.most_shown or count > reader.most_claims):
            return pages[:n]
    return pages


def read_pages(workspace: Workspace, engine: Engine, pages: Sequence[UnreadPage]) -> list[Result]:
    """Take the verdicts on pages in force; raises `ReplyNeeded` where they were not handed in.

    One line of the journal notes them for all pages. It is the commit: what is left to do after a
    crash follows from it.
    """
    reader = reader_of(workspace, engine)
    entries = entries_of(workspace.snapshot, pages)
    # A reading that failed is not answered from the reply it failed with.
    ledger = workspace.snapshot.ledger
    attempt = max(reading_of(ledger, page.task.key).get("failures", 0) for page in pages)
    answers = reader.read_pages([page.claims for page in pages], entries, attempt)
    facts = [
        _verdicts(workspace, page, answer, reader.name)
        for page, answer in zip(pages, answers, strict=True)
    ]
    workspace.note("reading", {"pages": facts})
    return apply_verdicts(workspace, [page.task for page in pages])


def reader_of(workspace: Workspace, engine: Engine) -> Reader:
    """Return the agent of a run as a reader."""
    assert isinstance(engine, ModelEngine)
    return Reader(engine, workspace.snapshot.settings.agent_name)


def entries_of(snapshot: Snapshot, pages: Iterable[UnreadPage]) -> Mapping[str, Entry]:
    """Return the entries that the claims of pages cite."""
    return snapshot.lookup([id for page in pages for claim in page.claims for id in claim.sources])


def _claims(snapshot: Snapshot, task: Task) -> tuple[Claim, ...]:
    """Return what a page claims; an agent is shown trusted material only, and nothing that is hidden."""
    hidden = snapshot.ledger.captures.hidden
    return tuple(one for one in _all_claims(snapshot, task) if hidden.isdisjoint(one.sources))


def _all_claims(snapshot: Snapshot, task: Task) -> tuple[Claim, ...]:
    if task.tier == "typed":
        found = snapshot.ledger.lessons.found.get(task.period, ())
        return tuple(claim for memory in found for claim in memory_claims(memory))
    if task.tier == "wisdom":
        return tuple(claim for _, claim in unread_wisdom(snapshot))
    return tuple(claim for claim in claims_of_page(snapshot, task) if claim.trusted)


def _verdicts(workspace: Workspace, page: UnreadPage, answer: Answer, by: str) -> dict[str, Any]:
    """Return what the journal notes of a reading: how it went, and the claims that are wrong."""
    commit = workspace.snapshot.ledger.pages.commits[page.task.key]
    reading = reading_from(answer, by, len(page.claims))._replace(session=page.session)
    wrong = {
        page.claims[n].text: str(verdict)
        for n, verdict in sorted(answer.verdicts.items())
        if verdict.verdict != "supported" and not answer.fault
    }
    applied = {claim.text for claim in page.claims if claim.section == HOW_TO_APPLY}
    # Each memory stands alone, and none goes back to its writer: what is not supported just goes.
    most = page.whole if page.task.tier == "typed" else MOST_REFUSED * page.whole
    if len(wrong.keys() - applied) > most:
        why = f"its reader found {len(wrong.keys() - applied)} of {page.whole} unsupported"
        reading = reading._replace(state="disputed", why=why)
    facts = {"task": page.task.key, "content": content_of(commit), **reading.facts}
    return {**facts, **({"wrong": wrong} if wrong else {})}


# Pages that go back to their writer when they are in force


class Amendment(NamedTuple):
    """What the writer of a page in force is asked: what it left out, or to mend what its reader refused."""

    task: Task
    brief: Brief
    back: SentBack


def amendments(workspace: Workspace) -> list[Amendment]:
    """Return what writers are still to be asked about pages in force."""
    snapshot, ledger = workspace.snapshot, workspace.snapshot.ledger
    keys = [
        key
        for key, commit in ledger.pages.commits.items()
        if commit.engine.startswith("agent:")
        and (commit.data.get("asks") or commit.data.get("lost") or _disputed(workspace, key))
    ]
    found: list[Amendment] = []
    for task in plan(snapshot, workspace.ask) if keys else ():
        if task.key not in keys or task.state != "current" or task.tier not in ("week", "month"):
            continue
        brief = lanes_of(workspace, task)[0]
        told = [claim for claim in claims_of_page(snapshot, task) if claim.trusted]
        if wrong := _disputed(workspace, task.key):
            claims = tuple(claim for claim in told if claim.text in wrong)
            why = tuple(Violation("reader", wrong[claim.text], claim.text) for claim in claims)
            back = SentBack(why, claims)
        else:
            data = ledger.pages.commits[task.key].data
            lost = tuple(
                Claim(one["text"], tuple(one["sources"]), one["section"])
                for one in data.get("lost", ())
            )
            why = tuple(Violation("reader", o["why"], o["text"]) for o in data.get("lost", ()))
            left_out = question(brief, told) if data.get("asks") else ()
            back = SentBack(why, lost, left_out=left_out)
        if back != SentBack():
            found.append(Amendment(task, brief, back))
    return found


def _disputed(workspace: Workspace, key: str) -> Mapping[str, str]:
    """Return the claims of a disputed page that its writer may still mend, with the verdicts."""
    reading = reading_of(workspace.snapshot.ledger, key)
    commit = workspace.snapshot.ledger.pages.commits[key]
    if reading.get("state") != "disputed" or commit.data.get("disputes", 0) >= DISPUTES:
        return {}
    wrong: Mapping[str, str] = reading.get("wrong", {})
    return wrong


def amend(workspace: Workspace, engine: Engine, begin: Callable[[], str], one: Amendment) -> Result:
    """Take a writer's answer into its page; raises `ReplyNeeded` where it was not handed in."""
    snapshot, commit = workspace.snapshot, workspace.snapshot.ledger.pages.commits[one.task.key]
    draft = engine.draft(one.brief, one.back)
    checked = verify(draft, one.brief, extractive=False)
    gone = {claim.text for claim in one.back.claims}
    told = tuple(claim for claim in claims_of_page(snapshot, one.task) if claim.text not in gone)
    trusted = [claim for claim in told if claim.trusted]
    # What is handed in again as it was has its verdict.
    known = gone | {claim.text for claim in trusted}
    new = [claim for claim in checked.claims if claim.text not in known]
    refused = tuple(one.as_text for one in checked.refused)
    task = one.task._replace(why="its writer answered what it was asked")
    before = reading_of(snapshot.ledger, task.key)
    # None of the sessions that wrote it reads it.
    wrote = dict.fromkeys([*str(before.get("session", "")).split(), *workspace.session.split()])
    reading = Reading("agent", "waits", session=" ".join(wrote)) if before else None
    if reading and not new and before["state"] == "read":
        reading = reading._replace(by=before["by"], state="read", tested=before.get("tested", True))
    if new and (reader := workspace.reader_of(engine)):
        # A model reads it before it is committed, as the page was.
        means = Means(engine, 0, reader=reader)
        read = verdicts_on(one.brief, Checked(tuple(new)), means, 0)
        wrong = [found.what for found in read.wrong]
        new = [claim for claim in new if claim not in wrong]
        refused += tuple(found.as_text for found in read.wrong)
        reading = read.reading
        if before and before["state"] != "read":
            reading = Reading(before["by"], before["state"], before.get("why", ""))
    stays, goes = over_ceiling(one.brief, (*trusted, *new))
    refused += tuple(
        RefusedText(claim.text, ("form: the page has no room for it",)) for claim in goes
    )
    disputes = commit.data.get("disputes", 0) + bool(one.back.claims)
    more: dict[str, Any] = {"disputes": disputes} if disputes else {}
    if before and before["state"] == "read" and reading and reading.state == "waits":
        more["fresh"] = [claim.text for claim in new]
    begun, time = snapshot.ledger.begun, begin()
    others = tuple(claim for claim in told if not claim.trusted)
    result = commit_again(workspace, task, (*stays, *others), refused, reading, time, more=more)
    if begun is None:
        workspace.note("end", {})
    snapshot.rescan()
    return result


# What readers found, carried out


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
        apply_proposals(workspace, standing, time, f"supported by {by}")
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


def drop_outdated(workspace: Workspace, task: Task, begin: Callable[[], str]) -> Result | None:
    """Take out of a page what rests on entries that were changed or erased since.

    The rest stays as its writer put it, and the page stays stale: its writer is asked for it anew.
    What went comes back when its entries are there again.
    """
    snapshot, ledger = workspace.snapshot, workspace.snapshot.ledger
    commit = ledger.pages.commits.get(task.key)
    pages = {"week": snapshot.shelf.weeks, "month": snapshot.shelf.months}.get(task.tier, {})
    page = pages.get(task.period)
    if commit is None or page is None or not snapshot.is_ours(page.path):
        return None
    now = snapshot.claims(page)
    whole = snapshot.version(page.path, cut) if (cut := commit.data.get("cut")) else None
    told = now if whole is None else snapshot.claims(page, whole)
    kept = snapshot.claims_that_stand(page, commit.sources, whole)
    if [one.text for one in kept] == [one.text for one in now] or not kept:
        return None
    gone, back = len(told) - len(kept), len(kept) - len(now)
    why = f"{gone} of {len(told)} bullets rested on what was changed or erased, and went"
    if back > 0:
        why = f"{back} of {len(told)} bullets came back with the lines that they rest on"
    noted = reading_of(ledger, task.key)
    reading = Reading.noted(noted) if noted else None
    names = ("disputes", "fresh", "lost")
    more = {name: commit.data[name] for name in names if name in commit.data}
    if gone:
        more["cut"] = cut if whole is not None else page.sha256
    there = {path: digest for path, digest in commit.sources.items() if snapshot.file(path)}
    before = task._replace(sources=there, why=why)
    asks = bool(commit.data.get("asks"))
    done = commit_again(workspace, before, kept, (), reading, begin(), asks=asks, more=more)
    return replace(done, reason=f"{why}; it waits for an agent to write it anew" if gone else why)


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
    composed = Composed(
        sections,
        sum(brief.size for brief in lanes),
        lanes[0].shown,
        lanes[0].whole,
        claims=claims,
        refused=refused,
        kept=kept(lanes[0], trusted),
        left_out=len(question(lanes[0], trusted)),
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
