"""How often and how long to wait for a provider that is busy, broken or out of reach."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

#: Replaced in tests, so that they wait for nothing.
pause: Callable[[float], Awaitable[None]] = asyncio.sleep


class Passing(Exception):
    """A fault that may be over soon; `after` is how long the provider asked to be left alone."""

    def __init__(self, reason: str, after: float | None = None) -> None:
        super().__init__(reason)
        self.after = after


@dataclass(frozen=True, slots=True)
class Patience:
    """Tries of one call, the waits between them, and the longest wait that is put up with."""

    tries: int = 5
    first: float = 1.0
    most: float = 30.0
    longest: float = 120.0

    def wait(self, attempt: int, after: float | None) -> float | None:
        """Seconds to wait after a failed attempt; None to give up."""
        if attempt + 1 >= self.tries:
            return None
        if after is not None:
            # A little late on purpose: many callers were told the same second.
            return None if after > self.longest else after * random.uniform(1.0, 1.1)
        # Half of the wait is fixed, so that a retry is never at once.
        span = min(self.most, self.first * 2.0**attempt)
        return span / 2 + random.uniform(0, span / 2)

    async def through(self, call: Callable[[], Awaitable[T]]) -> T:
        """The call's result, tried again while its faults are passing ones."""
        attempt = 0
        while True:
            try:
                return await call()
            except Passing as fault:
                seconds = self.wait(attempt, fault.after)
                if seconds is None:
                    raise
            attempt += 1
            await pause(seconds)
