"""From a model string to its model and engine, with replies saved and costs limited."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from lithify.engines.base import Engine, MemoryModel, Step, directly
from lithify.engines.model import ModelEngine
from lithify.engines.model.audit import Auditor
from lithify.engines.model.choose import ChoosingEngine
from lithify.engines.model.prompt import Template
from lithify.engines.providers.budget import Budget, Limit, Metered, priced
from lithify.engines.providers.facts import FREE, Facts, facts_of, parse
from lithify.engines.replies import Replies, SavedReplies, SharedReplies
from lithify.errors import NoRoot, UsageError
from lithify.sections import WEEK
from lithify.settings import Redact, Settings
from lithify.values import Brief, Entry, Usage

#: Another root whose replies are used and added to, where a person says so.
SHARED = "LITHIFY_SHARED_REPLIES"


def resolve(model: str, settings: Settings) -> MemoryModel:
    """The model that a string stands for; a missing key or library is reported at the first call."""
    name = parse(model)
    if name.kind == "cli":
        from lithify.engines.providers.command import Command

        return Command.of(name)
    if name.kind == "local":
        from lithify.engines.providers.local import Local

        return Local.of(name)
    from lithify.engines.providers.hosted import Hosted

    return Hosted(name)


def engine_of(
    model: MemoryModel,
    facts: Facts,
    prompts: Mapping[str, Template],
    replies: Replies,
    floor: Engine,
    step: Step | None = None,
) -> ModelEngine | ChoosingEngine:
    """Large models write; small ones choose from what `floor` lays before them."""
    if facts.small:
        return ChoosingEngine(model, floor, prompts, replies)
    return ModelEngine(model, prompts, replies, facts.room, step=step or directly)


def engine_for(
    model: str | MemoryModel,
    root: Path,
    settings: Settings,
    prompts: Mapping[str, Template],
    floor: Engine,
    budget: Limit | None = None,
    step: Step | None = None,
) -> Engine:
    """The engine of a root for a model string, or for a model that somebody else made."""
    found = resolve(model, settings) if isinstance(model, str) else model
    facts = facts_of(found.name, settings)
    replies = replies_at(root, found.name, settings.redact)
    if budget:
        found = Metered(found, budget)
    if isinstance(model, str):
        return engine_of(found, facts, prompts, replies, floor, step)
    return ModelEngine(found, prompts, replies, facts.room, step=step or directly)


def auditor_for(
    model: str | MemoryModel,
    root: Path,
    settings: Settings,
    prompts: Mapping[str, Template],
    budget: Limit | None = None,
    step: Step | None = None,
) -> Auditor:
    """The second reader that a model string, or a model made elsewhere, stands for."""
    if model == "offline":
        raise UsageError(reason="the offline engine cannot audit; name a model, or `agent`")
    found = resolve(model, settings) if isinstance(model, str) else model
    facts = facts_of(found.name, settings)
    replies = replies_at(root, found.name, settings.redact)
    if budget:
        price = priced(found.name, facts.price, budget.max_cost)
        found = Metered(found, budget.of(found.name), price or FREE)
    engine = ModelEngine(found, prompts, replies, facts.room, step=step or directly)
    return Auditor(engine, settings.agent_name)


def replies_at(root: Path, model: str, redact: Redact) -> Replies:
    """Where a root's replies are kept: in it, and in another too where a person says so."""
    own = SavedReplies(root, model, redact)
    other = os.environ.get(SHARED)
    if not other:
        return own
    if not Path(other).is_dir():
        raise NoRoot(where=f"at {other}")
    return SharedReplies(own, SavedReplies(Path(other).absolute(), model, redact))


def budget_for(
    model: str, settings: Settings, max_cost: float | None, max_tokens: int | None
) -> Budget | None:
    """The limits of a run, if there are any."""
    if model == "offline" or (max_cost is None and max_tokens is None):
        return None
    price = priced(model, facts_of(model, settings).price, max_cost)
    return Budget(max_cost, max_tokens, price)


# Two calls that show what a model is good for here: a plain reply, and a week in small.


WORD = "granite"
_DAY = date(2026, 4, 2)
_LINES = (
    "Shipped release 2.4.1 of the login page; Priya signed it off.",
    "Decided to keep the nightly export, because the live one times out.",
    "Blocked: the staging certificate has expired and Tomasz has to renew it.",
    "The importer handles 2,900 rows a minute on the test machine.",
)


@dataclass(frozen=True, slots=True)
class ModelTrial:
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
    return Brief("week", "2026-W14", sections=WEEK, entries=entries, size=80, target=60)


def plain(model: MemoryModel, facts: Facts) -> tuple[ModelTrial, ...]:
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
        ModelTrial("answers", bool(said), f'it said "{said}"'),
        ModelTrial(
            "follows an instruction",
            WORD in reply.text.lower(),
            f"asked for {WORD}" + (", but it will only be asked to choose" * facts.small),
            needed=not facts.small,
        ),
        ModelTrial(
            "counts tokens",
            counted,
            f"{reply.usage.input} in, {reply.usage.output} out" if counted else "estimated instead",
            needed=False,
        ),
    )


def drafted(engine: Engine, facts: Facts) -> ModelTrial:
    """The second call: a summary in our format, its bullets naming their sources."""
    draft = engine.draft(sample())
    traced = sum(bool(claim.sources) for claim in draft.claims)
    mode = "choosing from the sources" if facts.small else "writing"
    note = f"{mode}: {len(draft.claims)} bullets, {traced} with their sources"
    return ModelTrial("summarises", bool(traced), note)


def worked(findings: Sequence[ModelTrial]) -> bool:
    return all(finding.works for finding in findings if finding.needed)
