"""One brief through one engine and the verifier, until it is accepted or has failed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lithify.compact.briefs import halves, join, split
from lithify.engines.base import Engine
from lithify.values import Brief, Claim, Decision, Draft, TypedMemory, Usage, Violation
from lithify.verify import Accepted, Failed, Refused, Retry, settle, unread, verify

_CUT = (Violation("length", "the reply was cut off at the token limit"),)


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a brief, and what it cost."""

    verdict: Accepted | Failed
    usage: Usage = Usage()


def write(brief: Brief, engine: Engine, max_repairs: int, attempt: int = 0) -> Written:
    """Have a brief written, part by part where it is too much for one call."""
    return _write_all(brief, split(brief, engine.room), engine, max_repairs, attempt)


def _write_all(
    brief: Brief, parts: tuple[Brief, ...], engine: Engine, max_repairs: int, attempt: int
) -> Written:
    """The parts of a brief one after the other; the first that fails ends it."""
    usage = Usage()
    accepted = []
    for part in parts:
        written = _write_part(part, engine, max_repairs, attempt)
        usage += written.usage
        if isinstance(written.verdict, Failed):
            return Written(written.verdict, usage)
        accepted.append(written.verdict)
    return Written(_joined(brief, accepted), usage)


def _write_part(brief: Brief, engine: Engine, max_repairs: int, attempt: int) -> Written:
    usage = Usage()
    previous: Draft | None = None
    violations: tuple[Violation, ...] = ()
    rounds = 0 if engine.extractive else max_repairs
    for turn in range(rounds + 1):
        draft = engine.draft(brief, previous, violations, attempt + turn)
        usage += draft.usage
        if draft.cut:
            smaller = halves(brief)
            if len(smaller) == 1:
                cut = Failed("the reply was cut off at the token limit", unread(draft, _CUT))
                return Written(cut, usage)
            written = _write_all(brief, smaller, engine, max_repairs, attempt)
            return Written(written.verdict, usage + written.usage)
        verdict = verify(draft, brief, extractive=engine.extractive, last=turn == rounds)
        if not isinstance(verdict, Retry):
            return Written(verdict, usage)
        previous, violations = draft, verdict.violations
    raise AssertionError("the last round always has a verdict")


def _joined(brief: Brief, parts: list[Accepted]) -> Accepted:
    """Several accepted parts as one, checked as a whole."""
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
    return replace(
        whole, claims=page.claims, refused=page.refused, kept=page.kept, gave_way=page.gave_way
    )
