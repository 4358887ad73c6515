"""Two calls that show what a model is good for here: a plain reply, and a week in small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from lithify.engines.base import Engine, MemoryModel
from lithify.engines.providers.facts import Facts
from lithify.values import WEEK_SECTIONS, Brief, Entry, Usage

WORD = "granite"
_DAY = date(2026, 4, 2)
_LINES = (
    "Shipped release 2.4.1 of the login page; Priya signed it off.",
    "Decided to keep the nightly export, because the live one times out.",
    "Blocked: the staging certificate has expired and Tomasz has to renew it.",
    "The importer handles 2,900 rows a minute on the test machine.",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was tried, and how it went; not all of it has to work."""

    what: str
    works: bool
    note: str
    needed: bool = True


def sample() -> Brief:
    """A day's lines as a week's writer is shown them."""
    entries = tuple(
        Entry(f"2026-04-02~{n:012x}", line, path="memory/2026-04-02.md", line=n, day=_DAY)
        for n, line in enumerate(_LINES, 1)
    )
    return Brief("week", "2026-W14", sections=WEEK_SECTIONS, entries=entries, size=80, target=60)


def plain(model: MemoryModel, facts: Facts) -> tuple[Finding, ...]:
    """The first call: whether it answers, follows an instruction, and counts.

    A small model is only ever asked to choose: it need not follow, and we count for it.
    """
    reply = model.complete(
        f"Reply with the word {WORD} and nothing else.",
        system="You answer in one word.",
        temperature=0.2,
        max_tokens=64,
    )
    said = " ".join(reply.text.split())[:60]
    counted = reply.usage != Usage()
    return (
        Finding("answers", bool(said), f'it said "{said}"'),
        Finding(
            "follows an instruction",
            WORD in reply.text.lower(),
            f"asked for {WORD}" + (", but it will only be asked to choose" * facts.small),
            needed=not facts.small,
        ),
        Finding(
            "counts tokens",
            counted,
            f"{reply.usage.input} in, {reply.usage.output} out" if counted else "estimated instead",
            needed=False,
        ),
    )


def drafted(engine: Engine, facts: Facts) -> Finding:
    """The second call: a summary in our format, its bullets naming their sources."""
    draft = engine.draft(sample())
    traced = sum(bool(claim.sources) for claim in draft.claims)
    mode = "choosing from the sources" if facts.small else "writing"
    note = f"{mode}: {len(draft.claims)} bullets, {traced} with their sources"
    return Finding("summarises", bool(traced), note)


def worked(findings: Sequence[Finding]) -> bool:
    return all(finding.works for finding in findings if finding.needed)
