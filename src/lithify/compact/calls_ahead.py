"""Calls to a model that are made before their page's turn: at the same time, or in a batch.

Weeks do not depend on each other, so all of them can be asked for at once; when they are written,
so can all months. The memories of a week are drawn in the light of those before it, so only those
of the first week are known in advance; wisdom is one call. Only the calls run ahead: pages are
verified and committed one after the other in the plan's order, and find their replies saved or
wait for them.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from lithify.calendar import month_of
from lithify.compact.forecast import Call, calls_of
from lithify.compact.plan import TO_WRITE
from lithify.compact.snapshot import Snapshot
from lithify.engines.base import Completion, Concurrent, Engine, MemoryModel
from lithify.engines.model import ModelEngine
from lithify.engines.providers import batch
from lithify.engines.providers.budget import Budget, most_tokens
from lithify.engines.replies import Replies, SavedReplies
from lithify.errors import BudgetReached
from lithify.settings import Redact
from lithify.store import commit as store
from lithify.store.prune import drop
from lithify.text.tokens import estimate
from lithify.values import Task

#: Replies per worker that may wait for their page. More would spend money before a limit is seen.
DEPTH = 2
#: Where batches are kept until their replies are fetched.
FOLDER = ".lithify/batches"


def is_independent(snapshot: Snapshot, task: Task) -> bool:
    """Whether the calls of a task do not depend on the other tasks of its stage.

    A week's memories depend on those of the weeks before it, and in the combined style, where
    one reply holds both, so does the week.
    """
    if task.tier == "week":
        return snapshot.settings.weekly.style == "separate"
    return task.tier == "month"


# At the same time


@dataclass(frozen=True, slots=True)
class Awaited:
    """Saved replies, and calls under way, whose replies are waited for."""

    saved: Replies
    under_way: dict[str, Future[Completion]] = field(default_factory=dict)

    def get(self, key: str) -> Completion | None:
        call = self.under_way.get(key)
        if call is None:
            return self.saved.get(key)
        try:
            return call.result()
        except BudgetReached:
            # The budget counted calls under way at their worst; their real cost may leave room.
            return None
        finally:
            if call.done():
                del self.under_way[key]

    def put(self, key: str, reply: Completion) -> Completion:
        return self.saved.put(key, reply)


class CallsAhead:
    """Makes the calls of the next tasks, with as many threads as there are workers."""

    def __init__(self, engine: ModelEngine, pool: ThreadPoolExecutor, workers: int) -> None:
        self._engine = engine
        self._pool = pool
        self._depth = DEPTH * workers
        self._replies = Awaited(engine.replies)
        self._keys: dict[str, list[str]] = {}
        self.engine = replace(engine, replies=self._replies)

    def start(self, snapshot: Snapshot, tasks: Sequence[Task]) -> None:
        """Start the first calls of the next tasks until enough are under way."""
        under_way = self._replies.under_way
        for past in self._keys.keys() - {task.key for task in tasks}:
            # A page that failed leaves calls that nobody waits for.
            for key in self._keys.pop(past):
                under_way.pop(key, None)
        for task in tasks:
            if len(under_way) >= self._depth:
                return
            if task.key in self._keys or not is_independent(snapshot, task):
                continue
            found = [call for call in calls_of(snapshot, task, self._engine) if not call.paid]
            self._keys[task.key] = [call.key for call in found]
            for call in found:
                if call.key not in under_way:
                    under_way[call.key] = self._pool.submit(self._call, call)

    def settle(self) -> bool:
        """Wait for the calls under way and start no others; returns whether there were any."""
        under_way = self._replies.under_way
        for key in [key for key, call in under_way.items() if call.cancel()]:
            del under_way[key]
        waited = [call for call in under_way.values() if not call.done()]
        wait(waited)
        return bool(waited)

    def interrupt(self, model: Concurrent) -> None:
        """Stop the calls under way and start no others."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        # Repeated, because a worker may be about to start a call.
        while left := [call for call in self._replies.under_way.values() if not call.done()]:
            model.interrupt()
            wait(left, timeout=0.1)

    def _call(self, call: Call) -> Completion:
        return self._engine.ask(call.prompt, call.temperature, call.attempt)


@contextmanager
def calls_ahead(engine: Engine, workers: int) -> Iterator[CallsAhead | None]:
    """Workers for a run, or None where the model is asked one call at a time."""
    model = engine.model if isinstance(engine, ModelEngine) else None
    if not isinstance(engine, ModelEngine) or not isinstance(model, Concurrent):
        yield None
        return
    workers = min(workers, model.at_once)
    if workers < 2:
        yield None
        return
    pool = ThreadPoolExecutor(workers - 1, thread_name_prefix="ahead")
    calls = CallsAhead(engine, pool, workers)
    try:
        yield calls
    except (KeyboardInterrupt, SystemExit):
        calls.interrupt(model)
        raise
    finally:
        # Calls under way are paid for, so their replies are waited for and saved.
        pool.shutdown(cancel_futures=True)


# In a batch


@dataclass(frozen=True, slots=True)
class Backfill:
    """The state of batches: calls submitted, replies fetched, faults, and batches still open."""

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
    """Submit every call that is known now, not paid for and not submitted before."""
    hosted = batch.hosted(model)
    under_way = {key for _, text in open_batches(snapshot.root) for key in _keys(text)}
    calls: dict[str, batch.Wanted] = {}
    for task in ready(snapshot, tasks):
        for call in calls_of(snapshot, task, engine):
            if call.paid or call.key in under_way or call.key in calls:
                continue
            prompt = call.prompt
            if budget:
                given = estimate(prompt.system) + estimate(prompt.user)
                budget.hold(given, call.limit, most_tokens(prompt.system + prompt.user))
            calls[call.key] = batch.Wanted(
                call.key, prompt.system, prompt.user, call.temperature, call.limit
            )
    if not calls:
        return Backfill(waiting=len(open_batches(snapshot.root)))
    for text in batch.submit(hosted, tuple(calls.values())):
        raw = text.encode("utf-8", "replace")
        name = hashlib.sha256(raw).hexdigest()
        store.save_new(snapshot.root, f"{FOLDER}/{name}.json", raw)
    return Backfill(submitted=len(calls), waiting=len(open_batches(snapshot.root)))


def ready(snapshot: Snapshot, tasks: Sequence[Task]) -> list[Task]:
    """The tasks whose calls are known now, whatever the others come to."""
    due = [task for task in tasks if task.state in TO_WRITE]
    below = {month_of(task.period) for task in due if task.tier == "week"}
    found = [
        task
        for task in due
        if is_independent(snapshot, task) and not (task.tier == "month" and task.period in below)
    ]
    # Of the tasks that depend on the ones before them, only the first.
    first = [t for t in due if t.tier in ("week", "typed") and not is_independent(snapshot, t)]
    return found + sorted(first, key=lambda task: (task.period, task.tier == "typed"))[:1]


def fetch(root: Path, name: str, model: MemoryModel, redact: Redact) -> Backfill:
    """Save the replies of one batch if it has ended; failed calls are left to single calls."""
    text = (root / FOLDER / name).read_text("utf-8")
    found = batch.fetch(batch.hosted(model), text)
    if found is None:
        return Backfill(waiting=1)
    replies = SavedReplies(root, model.name, redact)
    for key, reply in found.replies.items():
        replies.put(key, reply)
    drop(root, f"{FOLDER}/{name}")
    return Backfill(fetched=len(found.replies), faults=tuple(found.faults.values()))


def open_batches(root: Path) -> list[tuple[str, str]]:
    """The batches that were submitted and not fetched: the name and text of each file."""
    folder = root / FOLDER
    names = sorted(os.listdir(folder)) if folder.is_dir() else []
    return [(n, (folder / n).read_text("utf-8")) for n in names if n.endswith(".json")]


def _keys(text: str) -> list[str]:
    return [str(call["key"]) for call in json.loads(text)["calls"]]
