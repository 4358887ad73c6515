"""Spans and counters where an SDK is set up, and nothing of OpenTelemetry where none is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import roots
from test_hooks_imports import modules

PROBE = """
import json, sys
from contextlib import suppress
from opentelemetry import metrics, trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

spans, reader, provider = InMemorySpanExporter(), InMemoryMetricReader(), TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(spans))
trace.set_tracer_provider(provider)
metrics.set_meter_provider(MeterProvider([reader]))

from lithify import Memory, telemetry
from lithify.hooks.events import answer

memory = Memory.open(sys.argv[1])
memory.compact()
memory.recall("tax office")
answer("claude", "PreToolUse", b'{"session_id": "s", "tool_name": "Read"}', sys.argv[1])
with suppress(ValueError), telemetry.span("recall"):
    raise ValueError("words of a day")
print(json.dumps({
    "spans": [[one.name, dict(one.attributes)] for one in spans.get_finished_spans()],
    "counters": [
        [metric.name, dict(point.attributes), point.value]
        for resource in reader.get_metrics_data().resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
        for point in metric.data.data_points
    ],
}))
"""


def test_compaction_recall_and_hooks_are_told_to_an_sdk(tmp_path: Path) -> None:
    pytest.importorskip("opentelemetry.sdk")
    memory = roots.made(tmp_path, roots.MARKED)
    done = subprocess.run(
        [sys.executable, "-c", PROBE, memory.root], capture_output=True, text=True, check=True
    )
    told: dict[str, Any] = json.loads(done.stdout)
    names = [name for name, _ in told["spans"]]
    assert names[-3:] == ["lithify.recall", "lithify.hook", "lithify.recall"]
    assert (
        told["spans"][-1][1] == {"error.type": "ValueError"} and "words of a day" not in done.stdout
    )
    assert names.count("lithify.compact") == 1 and "lithify.page" in names
    page = next(facts for name, facts in told["spans"] if name == "lithify.page")
    assert page.keys() == {"tier", "period", "engine", "status"}
    counted = {name: value for name, _, value in told["counters"]}
    assert counted.keys() == {"lithify.pages", "lithify.recalls", "lithify.hooks"}
    # They hold no word of what memory holds.
    words = {str(value) for _, facts in told["spans"] for value in facts.values()}
    assert not any(" " in word for word in words), words


def test_nothing_of_it_is_imported_where_nobody_has(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, roots.MARKED)
    event = {"tool_name": "Read", "tool_input": {}}
    found = modules(Path(memory.root), "PreToolUse", event)
    assert not [name for name in found if "telemetry" in name]
