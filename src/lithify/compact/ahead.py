"""Calls that do not depend on each other, made while earlier tasks are being written.

Only the calls run ahead. Pages are verified and committed one after the other in the plan's
order by the same code as ever, which finds the replies it needs saved, or under way and waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from lithify.compact.forecast import Ask, asks
from lithify.compact.snapshot import Snapshot
from lithify.compact.summaries import is_independent
from lithify.engines.base import Completion, Concurrent, Engine
from lithify.engines.model import ModelEngine
from lithify.engines.replies import Replies
from lithify.errors import BudgetReached
from lithify.values import Task

#: Replies that may wait for their page, for each worker: a limit reached late is money spent early.
DEPTH = 2


@dataclass(frozen=True, slots=True)
class Awaited:
    """Replies on disk, and those under way, which are waited for."""

    saved: Replies
    under_way: dict[str, Future[Completion]] = field(default_factory=dict)

    def get(self, key: str) -> Completion | None:
        call = self.under_way.get(key)
        if call is None:
            return self.saved.get(key)
        try:
            return call.result()
        except BudgetReached:
            # It was held against calls under way; what they really cost may leave room for it.
            return None
        finally:
            if call.done():
                del self.under_way[key]

    def put(self, key: str, reply: Completion) -> None:
        self.saved.put(key, reply)


class Ahead:
    """The next tasks' calls, as many at once as there are workers besides the writer itself."""

    def __init__(self, engine: ModelEngine, pool: ThreadPoolExecutor, workers: int) -> None:
        self._engine = engine
        self._pool = pool
        self._depth = DEPTH * workers
        self._replies = Awaited(engine.replies)
        self._keys: dict[str, list[str]] = {}
        self.engine = replace(engine, replies=self._replies)

    def look(self, snapshot: Snapshot, tasks: Sequence[Task]) -> None:
        """Start the first calls of tasks, nearest first, until enough are under way."""
        under_way = self._replies.under_way
        for past in self._keys.keys() - {task.key for task in tasks}:
            # A page that failed half-way leaves calls that nobody waits for.
            for key in self._keys.pop(past):
                under_way.pop(key, None)
        for task in tasks:
            if len(under_way) >= self._depth:
                return
            if task.key in self._keys or not is_independent(snapshot, task):
                continue
            found = [ask for ask in asks(snapshot, task, self._engine) if not ask.paid]
            self._keys[task.key] = [ask.key for ask in found]
            for ask in found:
                if ask.key not in under_way:
                    under_way[ask.key] = self._pool.submit(self._call, ask)

    def settle(self) -> bool:
        """Wait for the calls under way and begin no others; whether there were any."""
        under_way = self._replies.under_way
        for key in [key for key, call in under_way.items() if call.cancel()]:
            del under_way[key]
        waited = [call for call in under_way.values() if not call.done()]
        wait(waited)
        return bool(waited)

    def interrupt(self, model: Concurrent) -> None:
        """End the calls under way and begin no others."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        # Again and again: a worker may just be about to begin.
        while left := [call for call in self._replies.under_way.values() if not call.done()]:
            model.interrupt()
            wait(left, timeout=0.1)

    def _call(self, ask: Ask) -> Completion:
        return self._engine.ask(ask.prompt, ask.temperature, ask.attempt)


@contextmanager
def ahead(engine: Engine, workers: int) -> Iterator[Ahead | None]:
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
    calls = Ahead(engine, pool, workers)
    try:
        yield calls
    except (KeyboardInterrupt, SystemExit):
        calls.interrupt(model)
        raise
    finally:
        # What is under way is paid for: it is waited for and saved.
        pool.shutdown(cancel_futures=True)
