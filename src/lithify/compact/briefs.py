"""Briefs: what an engine is shown for a task, split to fit its calls, written and verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from lithify.compact.audit import Audited, PartAudit
from lithify.compact.split import halves, split, tokens_of
from lithify.engines.base import Engine
from lithify.engines.model.audit import Auditor
from lithify.markdown.pages import longest, target_length
from lithify.sections import COMBINED, MONTH, WEEK
from lithify.settings import Settings
from lithify.text.tokens import estimate
from lithify.values import (
    Brief,
    Claim,
    Decision,
    Draft,
    Entries,
    Entry,
    Task,
    TypedMemory,
    Usage,
    Violation,
)
from lithify.verify import Accepted, Failed, Refused, Retry, Verdict, settle, unread, verify
from lithify.verify.doubts import say_same

#: Share of words by which two bullets of different parts are one.
SAME = 0.8
#: The part of a page that untrusted material may take beside trusted material.
UNTRUSTED = 0.25

_CUT = (Violation("length", "the reply was cut off at the token limit"),)


def week_brief(
    task: Task, entries: Sequence[Entry], settings: Settings, *, combined: bool, trusted: bool
) -> Brief:
    shown = Entries(entries)
    size = tokens_of(shown)
    return Brief(
        tier="week",
        period=task.period,
        sections=COMBINED if combined else WEEK,
        entries=shown,
        max_memories=settings.memories.max_per_week,
        size=size,
        target=target_length("week", size, settings.compression, settings.weekly.max_tokens),
        ceiling=settings.weekly.max_tokens,
        trusted=trusted,
        agent_name=settings.agent_name,
    )


def month_brief(
    task: Task,
    claims: Sequence[Claim],
    entries: Sequence[Entry],
    settings: Settings,
    *,
    trusted: bool,
) -> Brief:
    size = sum(estimate(f"- {claim.text}") for claim in claims)
    return Brief(
        tier="month",
        period=task.period,
        sections=MONTH,
        entries=Entries(entries),
        claims=tuple(claims),
        size=size,
        target=target_length("month", size, settings.compression, settings.monthly.max_tokens),
        ceiling=settings.monthly.max_tokens,
        trusted=trusted,
        agent_name=settings.agent_name,
    )


def share_page(lanes: Sequence[Brief], share: float) -> list[Brief]:
    """The lanes of one page, with the page's ceiling divided between them."""
    if len(lanes) < 2 or not lanes[0].size:
        return list(lanes)
    trusted, other = lanes
    most = longest(trusted.size + other.size, trusted.ceiling)
    theirs = min(longest(other.size), int(UNTRUSTED * most))
    return [_capped(trusted, most - theirs, share), _capped(other, theirs, share)]


def _capped(brief: Brief, ceiling: int, share: float) -> Brief:
    target = target_length(brief.tier, brief.size, share, ceiling)
    return brief._replace(ceiling=ceiling, target=target)


def typed_brief(
    task: Task,
    entries: Sequence[Entry],
    memories: Sequence[TypedMemory],
    settings: Settings,
    *,
    combined: bool,
) -> Brief:
    shown = Entries(entries)
    size = tokens_of(shown)
    return Brief(
        tier="typed",
        period=task.period,
        sections=COMBINED if combined else (),
        entries=shown,
        memories=tuple(memories),
        max_memories=settings.memories.max_per_week,
        size=size,
        target=target_length("week", size, settings.compression, settings.weekly.max_tokens),
        ceiling=settings.weekly.max_tokens,
        agent_name=settings.agent_name,
    )


def join(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims of several parts as one list, in which near-duplicates are merged."""
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

    verdict: Accepted | Failed
    usage: Usage = Usage()
    audit: Audited | None = None


class Turns(Protocol):
    """Parts that build on each other: each is shown what the parts before it came to."""

    def shown(self, part: Brief) -> Brief: ...

    def take(self, part: Brief, accepted: Accepted) -> None: ...


class Means(NamedTuple):
    """What a brief is written with: its writer, the rounds it has, and a second reader, if any."""

    engine: Engine
    max_repairs: int
    attempt: int = 0
    turns: Turns | None = None
    auditor: Auditor | None = None


def write(brief: Brief, means: Means) -> Written:
    """Have a brief written and verified, in parts if it is too long for one call."""
    return _write_all(brief, split(brief, means.engine.room), means)


def _write_all(brief: Brief, parts: tuple[Brief, ...], means: Means) -> Written:
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


def _write_part(brief: Brief, means: Means) -> Written:
    """One part, repaired until the verifier and the second reader accept it or give up."""
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
            if turns and isinstance(verdict, Accepted):
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
    """The verifier's verdict on a draft, and on what passed, if it is audited, the second reader's."""
    extractive = engine.extractive
    verdict = verify(draft, brief, extractive=extractive, last=last, named=named)
    if audit and isinstance(verdict, Accepted) and (doubts := audit.doubts(verdict.own)):
        return verify(draft, brief, extractive=extractive, last=last, named=named, doubts=doubts)
    return verdict


def _joined(brief: Brief, parts: list[Accepted]) -> Accepted:
    """Join accepted parts into one page and check it as a whole."""
    if len(parts) == 1:
        return parts[0]
    claims: list[Claim] = [claim for part in parts for claim in part.claims]
    memories: list[TypedMemory] = [memory for part in parts for memory in part.memories]
    decisions: list[Decision] = [decision for part in parts for decision in part.decisions]
    refused: tuple[Refused, ...] = tuple(r for part in parts for r in part.refused)
    undecided = frozenset[str]().union(*(part.undecided for part in parts))
    whole = Accepted((), tuple(memories), tuple(decisions), undecided, refused)
    if not brief.sections or brief.tier == "typed":
        return whole
    page = settle(join(claims), brief, refused)
    gave_way = (*(claim for part in parts for claim in part.gave_way), *page.gave_way)
    return replace(
        whole, claims=page.claims, refused=page.refused, kept=page.kept, gave_way=gave_way
    )
