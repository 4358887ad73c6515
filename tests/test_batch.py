"""Batches: handed in by one process, fetched by another, what failed of them asked for singly."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import roots
from lithify.cli import lithify
from lithify.errors import BudgetReached, UsageError
from lithify.memory import Memory

pytest.importorskip("pydantic_ai", reason="pip install 'lithify[models]'")
pytest.importorskip("rs_bpe", reason="pip install rs-bpe")

import wire
from test_providers import HOSTED, KEY, point

BATCHED = HOSTED[:2]
QUARTER = {
    f"2026-0{month}-{day:02d}": (
        f"Decided to move job {month}{day} to the night, because it times out.",
        f"Never restart queue {month}{day} by hand: it loses the jobs in flight.",
    )
    for month in (3, 4)
    for day in (3, 10)
}


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
    assert (handed.submitted, handed.waiting) == (3, 1), "two weeks, and the first's memories"
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
    assert (named, found.fetched, found.faults) == (model, 3, ())
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
    memory.submit_batch(("week",), model=model)
    server.done = True
    server.failing = {0}
    ((_, found),) = memory.fetch_batches()
    assert (found.fetched, len(found.faults)) == (1, 1)
    before = len(server.seen)
    memory.compact(("week",), model=model)
    assert len(server.seen) == before + 1
    assert roots.state(memory, "week:2026-W14") == roots.state(memory, "week:2026-W15") == "current"
    assert memory.fetch_batches() == ()


@pytest.mark.parametrize("model", BATCHED)
def test_weeks_then_months_go_by_batch_and_give_the_same_pages(
    model: str, server: wire.Wire, tmp_path: Path
) -> None:
    root = roots.make(tmp_path / "root", QUARTER)
    runner = CliRunner()

    def compact(*flags: str) -> tuple[int, dict[str, Any]]:
        argv = ["compact", *flags, "--model", model, "--json", "--root", str(root)]
        done = runner.invoke(lithify, argv)
        return done.exit_code, json.loads(done.stdout)

    code, told = compact("--batch")
    assert (code, told["submitted"], told["waiting"]) == (0, 5, 1), "four weeks, one's memories"
    server.done = True
    code, told = compact("--resume", "--batch")
    assert (code, told["submitted"], told["waiting"]) == (0, 2, 1), "two months"
    assert {r["tier"] for r in told["results"]} == {"week", "typed"}
    single = [path for path in paths(server) if not ("batches" in path or "files" in path)]
    assert len(single) == 3, "the memories of the later weeks"
    code, told = compact("--resume", "--batch")
    assert code == 0 and {r["tier"] for r in told["results"]} == {"month", "wisdom"}
    assert len([p for p in paths(server) if not ("batches" in p or "files" in p)]) == 4
    whole = roots.make(tmp_path / "whole", QUARTER)
    Memory.open(whole).compact(model=model)
    ours, theirs = roots.pages(root), roots.pages(whole)
    assert [_body(ours[p]) for p in sorted(ours)] == [_body(theirs[p]) for p in sorted(theirs)]


def _body(page: bytes) -> bytes:
    """A page without the times it bears: these are the clock's."""
    return re.sub(rb"(created|Last compacted): .*", b"", page)


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
