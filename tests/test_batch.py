"""Batches: handed in by one process, fetched by another, what failed of them asked for singly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import roots
from lithify.errors import BudgetReached, UsageError

pytest.importorskip("pydantic_ai", reason="pip install 'lithify[models]'")
pytest.importorskip("rs_bpe", reason="pip install rs-bpe")

import wire
from test_providers import HOSTED, KEY, point

BATCHED = HOSTED[:2]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[wire.Wire]:
    with wire.serving() as found:
        point(monkeypatch, found)
        yield found


def paths(server: wire.Wire) -> list[str]:
    return [seen.path.partition("?")[0] for seen in server.seen]


@pytest.mark.parametrize("model", BATCHED)
def test_a_batch_is_fetched_by_another_process_and_gives_the_same_pages(
    model: str, server: wire.Wire, tmp_path: Path
) -> None:
    root = roots.make(tmp_path / "root")
    handed = roots.opened(root, "2026-05-11").submit_batch(model=model)
    assert (handed.submitted, handed.waiting) == (2, 1)
    assert not any("weekly" in path for path in roots.pages(root))

    argv = [
        sys.executable,
        "-m",
        "lithify.cli",
        "compact",
        "--resume",
        "--json",
        "--root",
        str(root),
    ]
    early = subprocess.run(argv, capture_output=True, text=True, env=os.environ, check=False)
    assert early.returncode == 3 and json.loads(early.stdout)["waiting"] == 1

    server.done = True
    before = len(server.seen)
    memory = roots.opened(root, "2026-05-11")
    ((named, found),) = memory.fetch_batches()
    assert (named, found.fetched, found.faults) == (model, 2, ())
    memory.compact(("week",), model=model)
    assert len(server.seen) == before, "all weeks were paid for"

    single = roots.opened(roots.make(tmp_path / "single"), "2026-05-11")
    single.compact(("week",), model=model)
    assert roots.pages(root) == roots.pages(single.root)
    assert KEY not in "".join(p.read_text() for p in root.rglob("*.json"))


@pytest.mark.parametrize("model", BATCHED)
def test_what_failed_of_a_batch_is_asked_for_singly(
    model: str, server: wire.Wire, tmp_path: Path
) -> None:
    memory = roots.opened(roots.make(tmp_path / "root"), "2026-05-11")
    memory.submit_batch(model=model)
    server.done = True
    server.failing = {0}
    ((_, found),) = memory.fetch_batches()
    assert (found.fetched, len(found.faults)) == (1, 1)
    before = len(server.seen)
    memory.compact(("week",), model=model)
    assert len(server.seen) == before + 1
    assert roots.state(memory, "week:2026-W14") == roots.state(memory, "week:2026-W15") == "current"
    assert memory.fetch_batches() == ()


def test_nothing_is_handed_in_twice(server: wire.Wire, tmp_path: Path) -> None:
    memory = roots.opened(roots.make(tmp_path / "root"), "2026-05-11")
    memory.submit_batch(model=BATCHED[0])
    assert memory.submit_batch(model=BATCHED[0]).submitted == 0
    assert len(server.seen) == 1


def test_a_batch_that_could_cross_the_limit_is_not_handed_in(
    server: wire.Wire, tmp_path: Path
) -> None:
    memory = roots.opened(roots.make(tmp_path / "root"), "2026-05-11")
    with pytest.raises(BudgetReached):
        memory.submit_batch(model=BATCHED[0], max_tokens_total=6_000)
    assert server.seen == []


def test_a_model_without_a_batch_endpoint_says_which_have_one(tmp_path: Path) -> None:
    memory = roots.opened(roots.make(tmp_path / "root"), "2026-05-11")
    with pytest.raises(UsageError, match="anthropic, openai"):
        memory.submit_batch(model="ollama:llama3.2")
