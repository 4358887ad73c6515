"""A backfill through a batch endpoint: the calls that are known now are handed in together.

Weeks do not depend on each other, so all of them can be asked at once, and when they are
written, so can all months. A week's memories are drawn in the light of those before, so only
the first week's are known; wisdom is one call. Replies that come back are saved like any other;
the compaction that follows finds them paid for.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lithify.calendar import month_of
from lithify.compact.forecast import asks
from lithify.compact.plan import TO_WRITE
from lithify.compact.snapshot import Snapshot
from lithify.compact.summaries import is_independent
from lithify.engines.base import MemoryModel
from lithify.engines.model import ModelEngine
from lithify.engines.providers import batch
from lithify.engines.providers.budget import Budget, most_tokens
from lithify.engines.replies import SavedReplies
from lithify.store import commit as store
from lithify.store.prune import drop
from lithify.text.tokens import estimate
from lithify.values import Task

FOLDER = ".lithify/batches"


@dataclass(frozen=True, slots=True)
class Backfill:
    """What became of the batches: calls handed in, replies that came, faults, and those open."""

    submitted: int = 0
    fetched: int = 0
    faults: tuple[str, ...] = ()
    waiting: int = 0


def submit(
    snapshot: Snapshot,
    tasks: Sequence[Task],
    engine: ModelEngine,
    model: MemoryModel,
    budget: Budget | None,
) -> Backfill:
    """Hand in every call that is known now, not paid for and not handed in before."""
    hosted = batch.hosted(model)
    under_way = {key for _, text in kept(snapshot.root) for key in _keys(text)}
    calls: dict[str, batch.Wanted] = {}
    for task in ready(snapshot, tasks):
        for ask in asks(snapshot, task, engine):
            if ask.paid or ask.key in under_way or ask.key in calls:
                continue
            prompt = ask.prompt
            if budget:
                given = estimate(prompt.system) + estimate(prompt.user)
                budget.hold(given, ask.limit, most_tokens(prompt.system + prompt.user))
            calls[ask.key] = batch.Wanted(
                ask.key, prompt.system, prompt.user, ask.temperature, ask.limit
            )
    if not calls:
        return Backfill(waiting=len(kept(snapshot.root)))
    for text in batch.submit(hosted, tuple(calls.values())):
        raw = text.encode("utf-8", "replace")
        name = hashlib.sha256(raw).hexdigest()
        store.save_new(snapshot.root, f"{FOLDER}/{name}.json", raw)
    return Backfill(submitted=len(calls), waiting=len(kept(snapshot.root)))


def ready(snapshot: Snapshot, tasks: Sequence[Task]) -> list[Task]:
    """The tasks whose calls are known now, whatever comes of the others."""
    due = [task for task in tasks if task.state in TO_WRITE]
    below = {month_of(task.period) for task in due if task.tier == "week"}
    found = [
        task
        for task in due
        if is_independent(snapshot, task) and not (task.tier == "month" and task.period in below)
    ]
    # Of those that are drawn in the light of what is before them, the first.
    first = [t for t in due if t.tier in ("week", "typed") and not is_independent(snapshot, t)]
    return found + sorted(first, key=lambda task: (task.period, task.tier == "typed"))[:1]


def fetch(root: Path, name: str, model: MemoryModel) -> Backfill:
    """Save the replies of one batch if it has ended; what failed of it is left to single calls."""
    text = (root / FOLDER / name).read_text("utf-8")
    found = batch.fetch(batch.hosted(model), text)
    if found is None:
        return Backfill(waiting=1)
    replies = SavedReplies(root, model.name)
    for key, reply in found.replies.items():
        replies.put(key, reply)
    drop(root, f"{FOLDER}/{name}")
    return Backfill(fetched=len(found.replies), faults=tuple(found.faults.values()))


def kept(root: Path) -> list[tuple[str, str]]:
    """The batches that were handed in and not fetched: their file's name and text."""
    folder = root / FOLDER
    names = sorted(os.listdir(folder)) if folder.is_dir() else []
    return [(n, (folder / n).read_text("utf-8")) for n in names if n.endswith(".json")]


def _keys(text: str) -> list[str]:
    return [str(call["key"]) for call in json.loads(text)["calls"]]
