"""Spans and metrics by OpenTelemetry, where its package is installed; nothing otherwise.

Where they go is configured from outside: run the worker under `opentelemetry-instrument`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

NAME = "lithify.fleet"


class _NoSpan:
    def set_attribute(self, key: str, value: object) -> None:
        """Nobody listens."""


@contextmanager
def span(name: str, **facts: str) -> Iterator[Any]:
    """Yield a span around a root, a call or a commit."""
    try:
        from opentelemetry import trace
    except ImportError:
        yield _NoSpan()
        return
    with trace.get_tracer(NAME).start_as_current_span(
        f"lithify.{name}", attributes=facts
    ) as current:
        yield current


@cache
def _counter(name: str) -> Any:
    try:
        from opentelemetry import metrics
    except ImportError:
        return None
    return metrics.get_meter(NAME).create_counter(f"lithify.{name}")


def count(name: str, amount: float, **facts: str) -> None:
    """Add to a counter: roots, steps, tokens, cost in USD, or seconds waited for a limit."""
    counter = _counter(name)
    if counter is not None and amount:
        counter.add(amount, attributes=facts)
