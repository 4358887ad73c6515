"""Spans and counters by OpenTelemetry, where the program that runs us has loaded it; else nothing.

Nothing is imported here: `opentelemetry-instrument lithify …`, or an application that sets up an SDK,
has loaded it before. They hold names, counts and states, and never what memory says.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

NAME = "lithify"
_counters: dict[str, Any] = {}


class _NoSpan:
    def __enter__(self) -> _NoSpan:
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing was begun."""

    def set_attribute(self, key: str, value: object) -> None:
        """Nobody listens."""


def span(name: str, **facts: str) -> Any:
    """Return a context manager that gives the span around a run, a page, a search or an event."""
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return _NoSpan()
    return _traced(trace.get_tracer(NAME), name, facts)


@contextmanager
def _traced(tracer: Any, name: str, facts: dict[str, str]) -> Iterator[Any]:
    # The text of an error may quote memory, so a span has its class alone.
    quiet = {"record_exception": False, "set_status_on_exception": False}
    with tracer.start_as_current_span(f"lithify.{name}", attributes=facts, **quiet) as current:
        try:
            yield current
        except BaseException as error:
            current.set_attribute("error.type", type(error).__name__)
            raise


def count(name: str, amount: float, **facts: str) -> None:
    """Add to a counter: pages, events, tokens, cost in USD, or seconds waited for a limit."""
    metrics = sys.modules.get("opentelemetry.metrics")
    if metrics is None or not amount:
        return
    if name not in _counters:
        _counters[name] = metrics.get_meter(NAME).create_counter(f"lithify.{name}")
    _counters[name].add(amount, attributes=facts)
