"""Pages written by an engine, verified, read a second time and committed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

from lithify.compact.brief import briefs_of, halves, split
from lithify.compact.ledger import ledger_form, memory_data
from lithify.compact.memories import commit_lessons, named
from lithify.compact.snapshot import Snapshot
from lithify.compact.workspace import Audited, Composed, Result, Status, Workspace
from lithify.engines.base import Engine
from lithify.engines.model.audit import Auditor, ClaimVerdict
from lithify.markdown.front import Value
from lithify.markdown.pages import render_summary, summary_text
from lithify.store.journal import head
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Decision, Draft, Task, TypedMemory, Usage, Violation
from lithify.verify import (
    AcceptedDraft,
    Failed,
    RefusedText,
    Retry,
    Verdict,
    settle,
    unread,
    verify,
)
from lithify.verify.doubts import say_same


@dataclass(slots=True)
class PartAudit:
    """The audit of one part of a page through its repair rounds; a claim is judged once."""

    auditor: Auditor
    brief: Brief
    attempt: int
    _known: dict[tuple[str, tuple[str, ...]], ClaimVerdict | None] = field(default_factory=dict)
    _usage: Usage = Usage()
    _unread: bool = False
    _last: Sequence[Claim] = ()

    def doubts(self, claims: Sequence[Claim]) -> dict[str, Violation]:
        """Return what the second reader finds wrong with the claims of a draft, by their text."""
        self._last = claims
        new = [claim for claim in claims if (claim.text, claim.sources) not in self._known]
        if new and not self._unread:
            entries = {entry.id: entry for entry in self.brief.entries}
            answer = self.auditor.judge(new, entries, self.attempt)
            self._usage += answer.usage
            self._unread = answer.unread
            for number, claim in enumerate(new, 1):
                self._known[claim.text, claim.sources] = answer.findings.get(number)
        return doubts_of({claim.text: self._finding(claim) for claim in claims})

    @property
    def result(self) -> Audited | None:
        """Tell how far the last draft was audited; None where there was nothing to audit."""
        if not self._last:
            return None
        judged = sum(self._finding(claim) is not None for claim in self._last)
        unjudged = len(self._last) - judged
        return Audited(self.auditor.name, judged, unjudged, self._unread, self._usage)

    def _finding(self, claim: Claim) -> ClaimVerdict | None:
        return self._known.get((claim.text, claim.sources))


def doubts_of(findings: Mapping[str, ClaimVerdict | None]) -> dict[str, Violation]:
    """Return a violation for each claim that is not supported, by its text."""
    return {
        text: Violation("audit", str(finding), text)
        for text, finding in findings.items()
        if finding and finding.verdict != "supported"
    }


# A brief written and verified


#: Share of words by which two bullets of different parts are one.
SAME = 0.8
_LANE = "the untrusted part of this page, which the offline engine wrote instead"

_CUT = (Violation("length", "the reply was cut off at the token limit"),)


def join(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return the claims of several parts as one list, in which near-duplicates are merged."""
    kept: list[Claim] = []
    for claim in claims:
        twin = next(
            (
                n
                for n, other in enumerate(kept)
                if other.section == claim.section and say_same(other.text, claim.text, SAME)
            ),
            None,
        )
        if twin is None:
            kept.append(claim)
            continue
        richer = max(kept[twin], claim, key=lambda c: len(c.text))
        sources = tuple(dict.fromkeys([*kept[twin].sources, *claim.sources]))
        kept[twin] = replace(richer, sources=sources)
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class Written:
    """The verdict on a brief, what it cost its writer, and how far a second reader audited it."""

    verdict: AcceptedDraft | Failed
    usage: Usage = Usage()
    audit: Audited | None = None


class Turns(Protocol):
    """Parts that build on each other: each is shown what the parts before it came to."""

    def shown(self, part: Brief) -> Brief: ...

    def take(self, part: Brief, accepted: AcceptedDraft) -> None: ...


class WriteOptions(NamedTuple):
    """What a brief is written with: its writer, the rounds it has, and a second reader, if any."""

    engine: Engine
    max_repairs: int
    attempt: int = 0
    turns: Turns | None = None
    auditor: Auditor | None = None


def write(brief: Brief, means: WriteOptions) -> Written:
    """Have a brief written and verified, in parts if it is too long for one call."""
    return _write_all(brief, split(brief, means.engine.room), means)


def _write_all(brief: Brief, parts: tuple[Brief, ...], means: WriteOptions) -> Written:
    """Write the parts of a brief in turn and join them; stop at the first that fails."""
    usage = Usage()
    audit: Audited | None = None
    accepted = []
    for part in parts:
        written = _write_part(part, means)
        usage += written.usage
        audit = written.audit.beside(audit) if written.audit else audit
        if isinstance(written.verdict, Failed):
            return Written(written.verdict, usage, audit)
        accepted.append(written.verdict)
    return Written(_joined(brief, accepted), usage, audit)


def _write_part(brief: Brief, means: WriteOptions) -> Written:
    """Return one part, repaired until the verifier and the second reader accept it or give up."""
    engine, turns = means.engine, means.turns
    brief = turns.shown(brief) if turns else brief
    audit = PartAudit(means.auditor, brief, means.attempt) if means.auditor else None
    usage = Usage()
    previous: Draft | None = None
    # A draft that lacked nothing but entries its writer was asked to add.
    sound: Draft | None = None
    violations: tuple[Violation, ...] = ()
    named = False
    rounds = 0 if engine.extractive else means.max_repairs
    for turn in range(rounds + 1):
        draft = engine.draft(brief, previous, violations, means.attempt + turn)
        usage += draft.usage
        last = turn == rounds
        if draft.cut and sound:
            draft, last = sound, True
        if draft.cut:
            smaller = halves(brief)
            if len(smaller) == 1:
                cut = Failed("the reply was cut off at the token limit", unread(draft, _CUT))
                return Written(cut, usage)
            written = _write_all(brief, smaller, means)
            return replace(written, usage=usage + written.usage)
        verdict = _checked(draft, brief, engine, audit, last=last, named=named)
        if isinstance(verdict, Failed) and sound:
            verdict = _checked(sound, brief, engine, audit, last=True)
        if not isinstance(verdict, Retry):
            if turns and isinstance(verdict, AcceptedDraft):
                turns.take(brief, verdict)
            return Written(verdict, usage, audit.result if audit else None)
        previous, violations = draft, verdict.violations
        named = named or any(v.rule == "coverage" for v in violations)
        if all(v.rule == "coverage" for v in violations):
            sound = draft
    raise AssertionError("the last round always has a verdict")


def _checked(
    draft: Draft,
    brief: Brief,
    engine: Engine,
    audit: PartAudit | None,
    *,
    last: bool,
    named: bool = False,
) -> Verdict:
    """Return the verifier's verdict on a draft, with a second reader's on what passed, if any."""
    extractive = engine.extractive
    verdict = verify(draft, brief, extractive=extractive, last=last, named=named)
    if audit and isinstance(verdict, AcceptedDraft) and (doubts := audit.doubts(verdict.own)):
        return verify(draft, brief, extractive=extractive, last=last, named=named, doubts=doubts)
    return verdict


def _joined(brief: Brief, parts: list[AcceptedDraft]) -> AcceptedDraft:
    """Join accepted parts into one page and check it as a whole."""
    if len(parts) == 1:
        return parts[0]
    claims: list[Claim] = [claim for part in parts for claim in part.claims]
    memories: list[TypedMemory] = [memory for part in parts for memory in part.memories]
    decisions: list[Decision] = [decision for part in parts for decision in part.decisions]
    refused: tuple[RefusedText, ...] = tuple(r for part in parts for r in part.refused)
    undecided = frozenset[str]().union(*(part.undecided for part in parts))
    whole = AcceptedDraft((), tuple(memories), tuple(decisions), undecided, refused)
    if not brief.sections or brief.tier == "typed":
        return whole
    page = settle(join(claims), brief, refused)
    gave_way = (*(claim for part in parts for claim in part.gave_way), *page.gave_way)
    return replace(
        whole, claims=page.claims, refused=page.refused, kept=page.kept, gave_way=gave_way
    )


def have_written(
    workspace: Workspace, brief: Brief, engine: Engine, task: Task, turns: Turns | None = None
) -> Written:
    """Have a brief written by the engine and verified."""
    if not (brief.entries or brief.items):
        return Written(AcceptedDraft())
    engine = engine if brief.trusted else workspace.untrusted or engine
    rounds = workspace.snapshot.settings.verify.max_repairs
    # Each earlier failure raises the attempt, so that a retry is not answered from saved replies.
    attempt = workspace.snapshot.ledger.pages.times_failed(task) * (rounds + 1)
    # The sources' own words need no second reader, and decisions on wisdom are judgement.
    audited = not engine.extractive and brief.tier != "wisdom"
    auditor = workspace.auditor if audited else None
    return write(brief, WriteOptions(engine, rounds, attempt, turns, auditor))


def compose(workspace: Workspace, task: Task, engine: Engine) -> Composed:
    """Write and verify one week or month, each lane by itself, without changing the root."""
    lanes = briefs_of(workspace.snapshot, task)
    page = Composed(lanes[0].sections, sum(brief.size for brief in lanes))
    for brief in lanes:
        written = have_written(workspace, brief, engine, task)
        audit = written.audit.beside(page.audit) if written.audit else page.audit
        page = replace(page, usage=page.usage + written.usage, audit=audit)
        if isinstance(written.verdict, Failed) and not brief.trusted and workspace.offline:
            # Untrusted words must not keep the trusted part of a page from being written.
            lane = RefusedText(_LANE, (written.verdict.reason,))
            page = replace(page, refused=(*page.refused, *written.verdict.refused, lane))
            written = have_written(workspace, brief, workspace.offline, task)
        verdict = written.verdict
        if isinstance(verdict, Failed):
            return replace(page, failed=verdict)
        quoted = {entry.id for entry in brief.entries if entry.quoted}
        claims = (
            replace(claim, trusted=brief.trusted, quoted=not quoted.isdisjoint(claim.sources))
            for claim in verdict.claims
        )
        page = replace(
            page,
            claims=(*page.claims, *claims),
            refused=(*page.refused, *verdict.refused),
            kept=verdict.kept if brief.trusted else page.kept,
            gave_way=(*page.gave_way, *verdict.gave_way),
        )
    return page


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
    """Tell where the page of a week or month is."""
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
    if known := head(*workspace.snapshot.ledger.captures.last):
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


def write_memories(workspace: Workspace, task: Task, engine: Engine, time: str) -> Result:
    """Write what an engine finds in one week, and the files that change.

    The offline engine finds nothing itself; it keeps what a model found while its lines exist.
    """
    snapshot = workspace.snapshot
    if engine.extractive:
        before = snapshot.ledger.lessons.found.get(task.period, ())
        found = tuple(m for m in before if all(map(snapshot.resolves, m.sources)))
        facts = workspace.facts(task, engine.name, Usage(), ())
        return commit_found(workspace, task, found, (), facts, time)
    (brief,) = briefs_of(snapshot, task)
    written = have_written(workspace, brief, engine, task)
    verdict, audit = written.verdict, written.audit
    spent = written.usage + audit.usage if audit else written.usage
    if isinstance(verdict, Failed):
        return workspace.failed(task, verdict, engine, spent, time)
    most = snapshot.settings.memories.max_per_week
    reason = f"a week has at most {most} found memories (memories.max_per_week)"
    beyond = [
        RefusedText(f"{m.type}_{m.topic}: {m.statement}", (reason,)) for m in verdict.memories
    ]
    refused = (*verdict.refused, *beyond[most:])
    found = tuple(map(named, verdict.memories[:most]))
    noted = workspace.audit_facts(engine, audit) if found else None
    facts = workspace.facts(task, engine.name, written.usage, refused, noted)
    done = commit_found(workspace, task, found, refused, facts, time)
    return replace(done, usage=spent, audit=audit)


def commit_found(
    workspace: Workspace,
    task: Task,
    found: Sequence[TypedMemory],
    refused: Sequence[RefusedText],
    facts: Mapping[str, Any],
    time: str,
) -> Result:
    """Put what was found in a week in force: the files that change, and what the journal notes."""
    lessons, engine = workspace.snapshot.ledger.lessons, str(facts["engine"])
    weeks = {**lessons.found, task.period: tuple(map(ledger_form, found))}
    workspace.quarantine(task, refused, "", engine, time)
    facts = {**facts, "found": [memory_data(memory) for memory in found]}
    files = commit_lessons(workspace, replace(lessons, found=weeks), facts, time)
    status: Status = "written" if files else "unchanged"
    return Result(task, status, files=files, refused=len(refused), engine=engine)
