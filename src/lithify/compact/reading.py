"""Read pages that are written a second time: by an agent, and by today's verifier.

Pages that were committed wait for another session of the agent to audit them. Like an order for a page, one for an audit is not stored. It follows from the journal: the commit of
a page says that an agent is to audit it, and no audit of the same content is noted after it. What
the audit does not find supported is taken out of the page by an ordinary commit.

The verifier says which claims of the pages on disk it would refuse now. A claim that names no source
is a person's own and is not checked, nor is a memory that a person marked or accepted. Where sources
changed since a page was written, it is stale, not wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from lithify.calendar import parse_day, week_of
from lithify.compact.brief import briefs_of, claims_of_weeks
from lithify.compact.ledger import audits_due, content_of, waits_for_audit
from lithify.compact.memories import bases_of
from lithify.compact.page import commit_found, commit_page, doubts_of
from lithify.compact.plan import plan
from lithify.compact.run import Run
from lithify.compact.snapshot import Snapshot, changes, sources_of
from lithify.compact.workspace import Audited, Composed, Result, Workspace
from lithify.engines.model import ModelEngine, ReplyNeeded
from lithify.engines.model.audit import Auditor
from lithify.markdown.pages import read_summary, read_typed, read_wisdom
from lithify.markdown.parse import front_of, parse
from lithify.sections import COMBINED, JUDGING, WEEK
from lithify.store.tree import File
from lithify.text.dates import absolute
from lithify.text.specifics import find_atoms, unsupported
from lithify.text.stems import stems_of
from lithify.values import Claim, Entry, Task, Tier, Usage, Violation, label_of
from lithify.verify import RefusedText, settle
from lithify.verify.claims import ShownEntries, examine
from lithify.verify.memories import claim_of
from lithify.verify.verdict import refusal

_WHY = "an audit found claims that their entries do not support"


class WantedAudit(NamedTuple):
    """An audit that waits for a reply, and why the session that asks may not give it, if so."""

    task: Task
    needed: ReplyNeeded
    barred: str = ""


def advance_audits(run: Run, session: str) -> tuple[list[Result], list[WantedAudit]]:
    """Finish every audit whose replies were handed in; returns the others with what they wait for."""
    workspace, snapshot = run.workspace, run.workspace.snapshot
    if not any(waits_for_audit(snapshot.ledger, key) for key in snapshot.ledger.pages.commits):
        return [], []
    assert isinstance(run.engine, ModelEngine)
    auditor = Auditor(run.engine, snapshot.settings.agent_name)
    results: list[Result] = []
    wanted: list[WantedAudit] = []
    tasks = plan(snapshot, workspace.ask)
    for task in audits_due(snapshot.ledger, tasks):
        claims = _claims(snapshot, task)
        entries = snapshot.lookup([id for claim in claims for id in claim.sources])
        try:
            results.append(_audit(run, task, claims, entries, auditor))
        except ReplyNeeded as needed:
            wanted.append(WantedAudit(task, needed, _barred(workspace, task, session)))
    if any(result.files for result in results):
        snapshot.rescan()
    return results, wanted


def _barred(workspace: Workspace, task: Task, session: str) -> str:
    """Tell why a session may not audit a page: its verdicts can take claims out of memory."""
    if workspace.proposes:
        return "this session has read untrusted text, so it cannot audit pages"
    writer = workspace.snapshot.ledger.pages.commits[task.key].data["audit"].get("session", "")
    if session and writer == session:
        return "this session wrote the page; another one has to audit it"
    return ""


def _claims(snapshot: Snapshot, task: Task) -> list[Claim]:
    """Return what a page claims; an agent is shown trusted material only."""
    if task.tier == "typed":
        return [claim_of(memory) for memory in snapshot.ledger.lessons.found.get(task.period, ())]
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
    workspace, commit = run.workspace, run.workspace.snapshot.ledger.pages.commits[task.key]
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
    """Commit a page without the claims in doubt; what must be kept is put back in its own words."""
    snapshot = workspace.snapshot
    lanes = briefs_of(snapshot, task)
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
    writer = snapshot.ledger.pages.commits[task.key].engine
    facts = workspace.facts(task, writer, Usage(), composed.refused, audit.facts)
    return commit_page(workspace, task, composed, facts, time)


def _without_memories(
    workspace: Workspace, task: Task, doubts: Mapping[str, Violation], audit: Audited, time: str
) -> Result:
    """Return the memories found in a week without those in doubt."""
    ledger = workspace.snapshot.ledger
    found = ledger.lessons.found[task.period]
    good = [memory for memory in found if claim_of(memory).text not in doubts]
    refused: list[RefusedText] = [
        refusal(f"{m.type}_{m.topic}: {m.statement}", [doubts[claim_of(m).text]])
        for m in found
        if m not in good
    ]
    writer = ledger.pages.commits[task.key].engine
    facts = workspace.facts(task, writer, Usage(), refused, audit.facts)
    return replace(commit_found(workspace, task, good, refused, facts, time), audit=audit)


# Today's verifier over the pages on disk


#: The share of a sentence's words that the entry it was taken from has.
CARRIED = 0.75
_STOP = re.compile(r"(?<=[.;!?])\s+")


def not_own_words(text: str, cited: Sequence[Entry]) -> str:
    """Return what shows that a bullet was put together, if anything does.

    Each sentence stands in one of the entries cited, with all its figures and names, and where
    the sentences are of several days, the bullet names the day of each.
    """
    days = {entry.day for entry in cited if entry.day}
    told: list[frozenset[date]] = []
    for sentence in _STOP.split(text):
        bare = _undated(sentence)
        carriers = [entry for entry in cited if _carries(entry, bare)]
        if not carriers:
            return f'no entry cited says all of "{sentence}"'
        told.append(frozenset(entry.day for entry in carriers if entry.day))
    if not told or not all(told) or frozenset.intersection(*told):
        return ""
    named = {day for day in days if _names(text, day)}
    if all(own & named for own in told):
        return ""
    return "it joins sentences of " + " and ".join(
        day.isoformat() for day in sorted({min(own) for own in told})
    )


def _carries(entry: Entry, sentence: str) -> bool:
    words = set(stems_of(sentence))
    # "Tonight" is told as "on the evening of 27 Apr".
    dated = absolute(entry.text, entry.day) if entry.day else ""
    there = set(stems_of(" ".join([*entry.headings, entry.lead, entry.text, dated])))
    return len(words & there) >= CARRIED * len(words) and not unsupported(sentence, [entry])


def _undated(text: str) -> str:
    """Return a sentence without its dates, which its writer may have made absolute."""
    for atom in reversed(find_atoms(text)):
        if atom.kind == "date":
            text = f"{text[: atom.start]} {text[atom.end :]}"
    return text


def _names(text: str, day: date) -> bool:
    keys = (day.isoformat(), f"-{day.isoformat()[4:]}")
    return any(atom.key in keys for atom in find_atoms(text))


#: The section that claims of wisdom are examined under: a writer's own words, as in `JUDGING`.
_WISDOM = "Wisdom"


@dataclass(frozen=True, slots=True)
class ClaimProblem:
    """A claim that would not pass, or one that is stale; a page that is stale has no line.

    `command` writes its page again, where a command can.
    """

    path: str
    line: int
    text: str
    reasons: tuple[str, ...]
    stale: bool = False
    command: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """How much was looked at, and what was found."""

    pages: int
    claims: int
    findings: tuple[ClaimProblem, ...]


@dataclass(frozen=True, slots=True)
class _Material:
    """The claims of a page by line, who wrote them, and the entries their writer was shown."""

    path: str
    claims: Sequence[tuple[int, Claim]]
    entries: Iterable[Entry] = ()
    offline: bool = False
    command: str = ""
    stale: str = ""


def check_claims(
    snapshot: Snapshot,
    tasks: Iterable[Task],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Checked:
    """Check every claim of weeks, months, memories and wisdom; `progress` hears of each page.

    What the offline engine wrote must be its sources' own words. On a model's page a bullet may
    be: the program itself puts some back.
    """
    planned = {task.key: task for task in tasks}
    shelf = snapshot.shelf
    total = len(shelf.weeks) + len(shelf.months) + len(shelf.typed) + bool(shelf.wisdom)
    count, findings = 0, list[ClaimProblem]()
    for done, page in enumerate(_pages(snapshot, planned), 1):
        count += len(page.claims)
        findings += _examined(snapshot, page)
        progress(done, total)
    return Checked(total, count, tuple(findings))


def _pages(snapshot: Snapshot, planned: Mapping[str, Task]) -> Iterator[_Material]:
    shelf = snapshot.shelf
    for period, page in shelf.weeks.items():
        yield _summary(snapshot, planned, "week", period, page)
    for period, page in shelf.months.items():
        yield _summary(snapshot, planned, "month", period, page)
    bases = bases_of(snapshot)
    for path in shelf.typed:
        by_person = bases.get(path, "found") != "found"
        claims = () if by_person else _memory_claims(snapshot, path)
        days = {parse_day(label_of(id)) for _, claim in claims for id in claim.sources}
        weeks = sorted({f"week:{week_of(day)}" for day in days if day} & planned.keys())
        shown = snapshot.entries([path for week in weeks for path in planned[week].sources])
        yield _Material(path, claims, shown)
    if shelf.wisdom:
        entries = read_wisdom(snapshot.read(shelf.wisdom.path))
        claims = [
            (line, Claim(f"{entry.title}: {entry.text}", entry.sources, _WISDOM))
            for entry, line in entries
            if entry.sources
        ]
        yield _Material(shelf.wisdom.path, claims)


def _summary(
    snapshot: Snapshot, planned: Mapping[str, Task], tier: Tier, period: str, page: File
) -> _Material:
    task = planned.get(f"{tier}:{period}", Task(tier, period, "foreign", "", {}))
    recorded = sources_of(snapshot.shelf, snapshot.ledger, task.key, page)
    if recorded is not None and (changed := changes(recorded, task.sources)):
        return _Material(page.path, (), stale=changed)
    data, paths = snapshot.read(page.path), list(task.sources)
    return _Material(
        page.path,
        [(line.number, line.claim) for line in read_summary(data) if line.claim.sources],
        snapshot.entries(paths) if tier == "week" else claims_of_weeks(snapshot, paths)[1],
        offline=front_of(data).text("engine") == "offline",
        command=f"lithify compact {tier} --period {period} --rewrite"
        if task.state == "current"
        else "",
    )


def _memory_claims(snapshot: Snapshot, path: str) -> Sequence[tuple[int, Claim]]:
    """Return what a memory says and why, each a claim of its own."""
    data = snapshot.read(path)
    memory = read_typed(data, path)
    if memory is None or not memory.sources:
        return ()
    line = next((entry.line for entry in parse(data).entries), 1)
    said = filter(None, (memory.statement, memory.why))
    return [(line, Claim(text, memory.sources)) for text in said]


def _examined(snapshot: Snapshot, page: _Material) -> Iterator[ClaimProblem]:
    if page.stale:
        yield ClaimProblem(page.path, 0, "", (page.stale,), stale=True)
        return
    cited = snapshot.lookup([id for _, claim in page.claims for id in claim.sources])
    entries = {entry.id: entry for entry in page.entries} | cited
    shown = ShownEntries.of(list(entries.values()), snapshot.settings.agent_name)
    for line, claim in page.claims:
        gone = [id for id in claim.sources if id not in cited]
        if gone:
            why = f"rests on {gone[0]}, which was edited or removed"
            yield ClaimProblem(page.path, line, claim.text, (why,), stale=True)
        elif violations := _violations(claim, shown, page.offline):
            reasons = tuple(f"{v.rule}: {v.message}" for v in violations)
            yield ClaimProblem(page.path, line, claim.text, reasons, command=page.command)


def _violations(claim: Claim, shown: ShownEntries, offline: bool) -> Sequence[Violation]:
    taken = list(examine(claim, shown, extractive=True))
    cited = [shown.entries[id] for id in claim.sources]
    if put_together := not_own_words(claim.text, cited):
        taken.append(Violation("own words", put_together, claim.text))
    if offline or not taken:
        return taken
    judging = claim.section in (*JUDGING, _WISDOM)
    found = examine(claim, shown, judging=judging)
    # A rule may drop the reserve that its grounds were told with.
    return [v for v in found if v.rule != "hedges" or claim.section != _WISDOM]
