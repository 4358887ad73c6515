"""From a model string to its model and engine, with replies saved and costs limited."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from lithify.engines.base import Engine, MemoryModel, Step, directly
from lithify.engines.model import ModelEngine
from lithify.engines.model.prompt import Template
from lithify.engines.model.reader import Reader
from lithify.engines.providers.budget import Budget, Limit, Metered, priced
from lithify.engines.providers.facts import FREE, Facts, facts_of, parse
from lithify.engines.replies import Replies, SavedReplies
from lithify.errors import NoRoot, UsageError
from lithify.settings import Settings

#: Another root whose replies are used and added to, where a person says so.
SHARED = "LITHIFY_SHARED_REPLIES"


def resolve(model: str, settings: Settings) -> MemoryModel:
    """The model that a string stands for; a missing key or library is reported at the first call."""
    name = parse(model)
    if name.kind == "cli":
        from lithify.engines.providers.command import Command

        return Command(name)
    from lithify.engines.providers.hosted import Hosted

    return Hosted(name)


def engine_for(
    model: str | MemoryModel,
    root: Path,
    settings: Settings,
    prompts: Mapping[str, Template],
    budget: Limit | None = None,
    step: Step | None = None,
) -> Engine:
    """Return the engine of a root for a model string, or for a model that somebody else made."""
    found, facts, replies = _known(model, root, settings)
    if budget:
        found = Metered(found, budget)
    return ModelEngine(found, prompts, replies, facts.room, step=step or directly)


def reader_for(
    model: str | MemoryModel,
    root: Path,
    settings: Settings,
    prompts: Mapping[str, Template],
    budget: Limit | None = None,
    step: Step | None = None,
) -> Reader:
    """Return the reader that a model string, or a model made elsewhere, stands for."""
    if model == "offline":
        raise UsageError(reason="the offline engine cannot read; name a model, or `agent`")
    found, facts, replies = _known(model, root, settings)
    if budget:
        price = priced(found.name, facts.price, budget.max_cost)
        found = Metered(found, budget.of(found.name), price or FREE)
    engine = ModelEngine(found, prompts, replies, facts.room, step=step or directly)
    return Reader(engine, settings.agent_name)


def _known(
    model: str | MemoryModel, root: Path, settings: Settings
) -> tuple[MemoryModel, Facts, Replies]:
    """Return a model, what is known of it, and where its replies are kept.

    They are in the root, and in another one too where a person says so.
    """
    found = resolve(model, settings) if isinstance(model, str) else model
    shared = os.environ.get(SHARED)
    if shared and not Path(shared).is_dir():
        raise NoRoot(where=f"at {shared}")
    redact = settings.redact
    other = SavedReplies(Path(shared).absolute(), found.name, redact) if shared else None
    replies = SavedReplies(root, found.name, redact, other)
    return found, facts_of(found.name, settings), replies


def budget_for(
    model: str, settings: Settings, max_cost: float | None, max_tokens: int | None
) -> Budget | None:
    """Return the limits of a run, if there are any."""
    if model == "offline" or (max_cost is None and max_tokens is None):
        return None
    price = priced(model, facts_of(model, settings).price, max_cost)
    return Budget(max_cost, max_tokens, price)
