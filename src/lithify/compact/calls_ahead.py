"""Calls to a model that are made before their page's turn, several at the same time.

Weeks do not depend on each other, so all of them can be asked for at once; when they are written,
so can all months. The memories of a week are drawn in the light of those before it, so only those
of the first week are known in advance; wisdom is one call. Only the calls run ahead: pages are
verified and committed one after the other in the plan's order, and find their replies saved or
wait for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from lithify.compact.forecast import Call, calls_of
from lithify.compact.snapshot import Snapshot
from lithify.engines.base import Completion, Concurrent, Engine
from lithify.engines.model import ModelEngine
from lithify.engines.replies import Replies
from lithify.errors import BudgetReached
from lithify.values import Task

#: Replies per worker that may wait for their page. More would spend money before a limit is seen.
DEPTH = 2


def is_independent(snapshot: Snapshot, task: Task) -> bool:
    """Whether the calls of a task do not depend on the other tasks of its stage.

    A week's memories depend on those of the weeks before it, and in the combined style, where
    one reply holds both, so does the week.
    """
    if task.tier == "week":
        return snapshot.settings.weekly.style == "separate"
    return task.tier == "month"


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
