"""Several calls at once: the same pages, no more calls, the same limit, and a prompt end."""

from __future__ import annotations

import itertools
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import roots
from lithify.engines.base import VERDICTS, Call, Completion
from lithify.engines.providers import hosted
from lithify.engines.providers.budget import Budget
from lithify.errors import BudgetReached, ModelDenied
from lithify.memory import CompactOptions, Memory
from lithify.values import Usage

pytest.importorskip("pydantic_ai", reason="pip install '.[models]'")
pytest.importorskip("rs_bpe", reason="pip install rs-bpe")

import wire

WEEKS = 10
PRICE = '[models."{model}"]\nwindow = 100000\nprice = [3.0, 15.0]\n'


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[wire.Wire]:
    async def at_once(seconds: float) -> None:
        return None

    monkeypatch.setattr(hosted, "pause", at_once)
    wire.reach(monkeypatch)
    with wire.serving() as found:
        yield found


def model_at(server: wire.Wire) -> str:
    return f"openai-compatible:{server.url}/v1#m"


def quarter(folder: Path, server: wire.Wire, toml: str = "") -> Memory:
    """A root with a day in each of ten weeks, and a price told for the server's model."""
    days = {
        f"2026-{1 + week * 7 // 28:02d}-{1 + week * 7 % 28:02d}": (
            f"Decided to move job {week} to the night, because it times out.",
            f"Shipped release 2.{week}.1 of the login page.",
        )
        for week in range(WEEKS)
    }
    root = roots.make(folder, days, PRICE.format(model=model_at(server)) + toml)
    return roots.opened(root, "2026-06-01")


class Meeting:
    """Answers that wait for each other, so that calls which can be under way together are."""

    def __init__(self, server: wire.Wire, party: int, stage: str) -> None:
        self.most = 0
        self._here = 0
        self._barrier = threading.Barrier(party)
        self._lock = threading.Lock()
        self._stage = stage
        self._left = party
        server.answer = self

    def __call__(self, call: Call) -> str:
        with self._lock:
            self._here += 1
            self.most = max(self.most, self._here)
            waits = roots.stage_of(call.prompt) == self._stage and self._left > 0
            self._left -= waits
        if waits:
            self._barrier.wait(60)
        with self._lock:
            self._here -= 1
        return wire.careful(call)


@pytest.mark.parametrize("stage", ["weekly", "monthly"])
def test_independent_periods_are_asked_for_together(
    stage: str, server: wire.Wire, tmp_path: Path
) -> None:
    met = Meeting(server, 3, stage)
    memory = quarter(tmp_path / "root", server)
    memory.compact(CompactOptions(model=model_at(server), workers=4))
    assert 3 <= met.most <= 4


def test_the_pages_and_the_calls_are_those_of_one_worker(server: wire.Wire, tmp_path: Path) -> None:
    found = []
    for workers in (1, 2, 4):
        memory = quarter(tmp_path / str(workers), server)
        before = len(server.seen)
        report = memory.compact(CompactOptions(model=model_at(server), workers=workers))
        order = [result.task.key for result in report.results]
        journal = [
            json.loads(line).get("task")
            for line in (memory.root / ".lithify" / "journal.jsonl").read_text().splitlines()
        ]
        bodies = sorted(seen.body for seen in server.seen[before:])
        found.append((order, journal, bodies, roots.pages(memory.root)))
    assert found[0] == found[1] == found[2]


def test_a_week_in_parts_is_asked_for_part_by_part_together(
    server: wire.Wire, tmp_path: Path
) -> None:
    small = f'[models."{model_at(server)}"]\nwindow = 12000\noutput = 200\nprice = [3.0, 15.0]\n'
    lines = [f"Shipped release 2.{n}.1 of the page about invoice {n}." for n in range(120)]
    days = {"2026-03-31": lines}
    met = Meeting(server, 3, "weekly")
    root = roots.make(tmp_path / "root", days, small)
    roots.opened(root, "2026-05-11").compact(
        CompactOptions(("week",), model=model_at(server), workers=4)
    )
    assert met.most >= 3


@pytest.mark.parametrize("cents", [7, 8, 9])
def test_the_limit_is_not_crossed_by_calls_under_way_together(
    cents: int, server: wire.Wire, tmp_path: Path
) -> None:
    memory = quarter(tmp_path / "root", server)
    with pytest.raises(BudgetReached):
        memory.compact(CompactOptions(model=model_at(server), max_cost=cents / 100, workers=4))
    used = server.usage
    assert (used[0] * 3.0 + used[1] * 15.0) / 1e6 <= cents / 100
    weeks = [path for path in roots.pages(memory.root) if "weekly" in path]
    assert weeks, "what was paid for is in force"


def test_no_room_beside_calls_under_way_is_not_the_limit(server: wire.Wire, tmp_path: Path) -> None:
    """Room for two calls at their worst: one by one, all of them fit many times over."""
    toml = '[verify]\nreader = "off"\n'
    alone = quarter(tmp_path / "alone", server, toml)
    alone.compact(CompactOptions(("week",), model=model_at(server), max_tokens_total=13_000))
    together = quarter(tmp_path / "together", server, toml)
    together.compact(
        CompactOptions(("week",), model=model_at(server), max_tokens_total=13_000, workers=4)
    )
    assert roots.pages(alone.root) == roots.pages(together.root)


@pytest.mark.parametrize("other", [False, True])
def test_a_reading_waits_for_room_beside_calls_under_way(
    other: bool, server: wire.Wire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page is left unread when the budget has ended, not while other calls hold it."""
    both, let_go = threading.Barrier(2), threading.Event()
    hold = Budget.hold
    refused = []

    def noted(self: Budget, given: int, limit: int, *rest: Any) -> Usage:
        try:
            return hold(self, given, limit, *rest)
        except BudgetReached:
            refused.append(given)
            let_go.set()
            raise

    def answer(call: Call) -> str:
        if VERDICTS not in call.prompt:
            both.wait(60)
            if "job 1 " in call.prompt:
                let_go.wait(60)
        return wire.careful(call)

    monkeypatch.setattr(Budget, "hold", noted)
    server.answer = answer
    toml = f'[verify]\nreader = "{model_at(server)}2"\n' if other else ""
    toml += PRICE.format(model=f"{model_at(server)}2") if other else ""
    memory = quarter(tmp_path / "root", server, toml)
    for day in sorted((memory.root / "memory").iterdir())[2:]:
        day.unlink()
    report = memory.compact(
        CompactOptions(("week",), model=model_at(server), max_tokens_total=10_400, workers=3)
    )
    assert refused
    assert [r.reading.state for r in report.results if r.reading] == ["read", "read"]


def test_a_refused_key_ends_the_run_with_several_workers(server: wire.Wire, tmp_path: Path) -> None:
    server.faults.extend(["denied"] * 50)
    memory = quarter(tmp_path / "root", server)
    with pytest.raises(ModelDenied):
        memory.compact(CompactOptions(model=model_at(server), workers=4))
    assert len(server.seen) <= 8


def test_a_call_that_fails_ahead_fails_its_own_period_alone(
    server: wire.Wire, tmp_path: Path
) -> None:
    server.answer = lambda call: (
        "\x00" if "job 3 " in call.prompt and "### Context" in call.prompt else wire.careful(call)
    )
    memory = quarter(tmp_path / "root", server)
    report = memory.compact(CompactOptions(("week",), model=model_at(server), workers=4))
    states = [result.status for result in report.results]
    assert states.count("failed") == 1 and states.index("failed") == 3
    # Three rounds for that week; one for every other, and its reading.
    assert len(server.seen) == 3 + 2 * (WEEKS - 1)


def test_a_model_that_may_not_be_asked_twice_at_once_is_not(tmp_path: Path) -> None:
    here = threading.Lock()

    class Alone(roots.Careful):
        def complete(
            self, prompt: str, *, system: str, temperature: float, max_tokens: int
        ) -> Completion:
            assert here.acquire(blocking=False)
            try:
                return super().complete(
                    prompt, system=system, temperature=temperature, max_tokens=max_tokens
                )
            finally:
                here.release()

    report = roots.made(tmp_path).compact(CompactOptions(model=Alone(), workers=4))
    assert {result.status for result in report.results} <= {"written", "unchanged"}


def test_ctrl_c_ends_all_calls_and_keeps_what_arrived(server: wire.Wire, tmp_path: Path) -> None:
    memory = quarter(tmp_path / "root", server)
    hanging, let_go = threading.Event(), threading.Event()
    numbers = itertools.count(1)
    answered: set[str] = set()

    def answer(call: Call) -> str:
        number = next(numbers)
        if number <= 5:
            answered.add(call.prompt)
        else:
            # The fourth to hang: every worker has put away what it got before.
            if number == 9:
                hanging.set()
            let_go.wait(60)
        return wire.careful(call)

    server.answer = answer
    argv = [sys.executable, "-c", roots.INTERRUPTIBLE, "compact", "week", "--workers", "4"]
    child = subprocess.Popen(
        [*argv, "--model", model_at(server), "--root", str(memory.root)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert hanging.wait(120)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=30)
    assert child.returncode == 130, said
    assert b"Traceback" not in said
    replies = len(list((memory.root / ".lithify" / "replies").glob("*.json")))
    assert replies == 5
    let_go.set()
    again: set[str] = set()

    def note(call: Call) -> str:
        again.add(call.prompt)
        return wire.careful(call)

    server.answer = note
    report = memory.compact(CompactOptions(("week",), model=model_at(server)))
    assert {result.status for result in report.results} == {"written"}
    # What was answered may have been a week or the memories of one; none of it is asked for again.
    assert len(answered) == 5
    assert again
    assert again.isdisjoint(answered)
