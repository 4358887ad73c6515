"""The one event loop: a thread of its own, to which synchronous callers hand their waiting."""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeVar

T = TypeVar("T")

#: Calls that one provider is asked at the same time.
AT_ONCE = 4


class Loop:
    """An event loop in a daemon thread, with a limit of calls at once for each provider."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self._limits: dict[str, asyncio.Semaphore] = {}
        self.at_once = AT_ONCE

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for the work. An interrupt of the caller cancels it."""
        future = asyncio.run_coroutine_threadsafe(work, self._started())
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def interrupt(self) -> None:
        """End the work of every caller that still waits."""
        loop = self._loop
        if loop is not None:
            loop.call_soon_threadsafe(lambda: [task.cancel() for task in asyncio.all_tasks(loop)])

    @contextmanager
    def allowing(self, at_once: int) -> Iterator[None]:
        """Allow another number of calls at once for a while."""
        before = self.at_once
        self.at_once, self._limits = at_once, {}
        try:
            yield
        finally:
            self.at_once, self._limits = before, {}

    @asynccontextmanager
    async def turn(self, provider: str) -> AsyncIterator[None]:
        """Wait until this provider may be asked."""
        limit = self._limits.setdefault(provider, asyncio.Semaphore(self.at_once))
        async with limit:
            yield

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                thread = threading.Thread(target=self._loop.run_forever, daemon=True, name="calls")
                thread.start()
                atexit.register(self._stop, thread)
            return self._loop

    def _stop(self, thread: threading.Thread) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._loop.stop)
        thread.join(timeout=2)
        if not thread.is_alive():
            self._loop.close()


LOOP = Loop()
