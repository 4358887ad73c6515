"""The chain: nothing in it changes unseen, nothing is lost, a summary is accepted once."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import faults
from lithify.cli import lithify
from lithify.errors import NotWritable, UsageError
from lithify.gate import files, hook_state
from lithify.gate.gatekeeper import Gatekeeper, Submitted
from lithify.gate.submission import RefusedSummary
from lithify.hooks.guard import rule
from lithify.memory import CompactOptions, Memory
from lithify.store import journal
from lithify.store.check import Problem
from test_gate_core import good, prose

NOW = datetime(2026, 4, 2, 14, 0, tzinfo=UTC)
DAY = "memory/2026-04-02.md"
TOML = 'zone = "UTC"\ngate.enabled = true\n'


def check(root: Path) -> tuple[Problem, ...]:
    return Memory.open(root).check()


def keeper(root: Path) -> Gatekeeper:
    if not (root / "lithify.toml").exists():
        (root / "lithify.toml").write_text(TOML)
    return Gatekeeper(root, clock=lambda: NOW)


def made(root: Path, count: int = 3) -> str:
    """A job with so many summaries, and something pending; its id."""
    (root / "memory").mkdir(exist_ok=True)
    (root / "lithify.toml").write_text(TOML)
    gate = keeper(root)
    job = ""
    for number in range(count):
        job = gate.record("s", "prompt", prose(number, 300)).state.job
        assert gate.record("s", "answer", prose(number + 50, 300)).closed_now
        assert isinstance(gate.submit(job, good(number)), Submitted)
    return gate.record("s", "prompt", "And one more thing.").state.job or job


def chain_problems(root: Path) -> list[tuple[str, int]]:
    return [(os.path.basename(p.path), p.line) for p in check(root) if p.kind == "chain"]


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    root = tmp_path_factory.mktemp("sound")
    return root, made(root)


# Damage. -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("left", ["sessions", "nothing"])
def test_chain_that_is_gone_with_its_folder_is_missed(tmp_path: Path, left: str) -> None:
    job = made(tmp_path)
    assert check(tmp_path) == ()
    shutil.rmtree(tmp_path / ".lithify/gate" / (job if left == "sessions" else ""))
    found = [p for p in check(tmp_path) if p.path == f".lithify/gate/{job}/chain.jsonl"]
    assert [(p.kind, p.severity) for p in found] == [("chain", "error")]
    assert found[0].message == "record 3 was written and is gone; the last one here is 0"


@pytest.mark.parametrize("log", ["chain", "interactions"])
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_flipped_byte_is_found_with_its_line(
    log: files.Log, data: st.DataObject, sound: tuple[Path, str]
) -> None:
    root, job = sound
    path = Path(files.log_path(root, job, log))
    whole = path.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    bit = data.draw(st.integers(0, 7))
    changed = bytearray(whole)
    changed[place] ^= 1 << bit
    line = whole.count(b"\n", 0, place) + 1
    try:
        path.write_bytes(bytes(changed))
        found = [p for p in files.problems(root) if p.path.endswith(f"{log}.jsonl")]
        assert found, place
        # A newline that is gone joins two lines: either may be named.
        assert found[0].line in (line, line + 1)
    finally:
        path.write_bytes(whole)
    assert list(files.problems(root)) == []


@pytest.mark.parametrize("log", ["chain", "interactions"])
def test_any_removed_or_moved_line_is_found(log: files.Log, sound: tuple[Path, str]) -> None:
    root, job = sound
    path = Path(files.log_path(root, job, log))
    lines = lines_of(path)
    assert len(lines) >= 3
    try:
        for number in range(len(lines)):
            path.write_bytes(b"".join(lines[:number] + lines[number + 1 :]))
            found = [p for p in files.problems(root) if p.path.endswith(f"{log}.jsonl")]
            assert found and found[0].line == number + 1, number
            assert found[0].severity == "error"
        for number in range(len(lines) - 1):
            swapped = [*lines]
            swapped[number], swapped[number + 1] = swapped[number + 1], swapped[number]
            path.write_bytes(b"".join(swapped))
            assert (f"{log}.jsonl", number + 1) in chain_problems(root)
        path.write_bytes(b"")
        assert (f"{log}.jsonl", 1) in chain_problems(root)
    finally:
        path.write_bytes(b"".join(lines))
    assert chain_problems(root) == []


def test_record_rewritten_with_true_hashes_no_longer_fits_its_chain(tmp_path: Path) -> None:
    job = made(tmp_path, 1)
    path = Path(files.log_path(tmp_path, job, "interactions"))
    forged, prev = [], journal.FIRST
    for line in lines_of(path):
        record = journal.parse(line.rstrip(b"\n"))
        assert record is not None
        facts = {**record.data}
        if record.seq == 2:
            facts["text"] = "I never asked for that."
        new = journal.render(record.seq, record.time, record.kind, facts, prev)
        forged.append(new + b"\n")
        prev = new[-66:-2].decode()
    path.write_bytes(b"".join(forged))
    assert ("chain.jsonl", 1) in chain_problems(tmp_path)


def test_cut_last_line_is_due_and_closed_by_the_next_write(tmp_path: Path) -> None:
    job = made(tmp_path, 1)
    path = Path(files.log_path(tmp_path, job, "interactions"))
    with path.open("ab") as file:
        file.write(b'{"seq":9,"time":"2026')
    (problem,) = files.problems(tmp_path)
    assert (problem.severity, problem.line) == ("due", 4)
    keeper(tmp_path).record("s", "prompt", "Go on.")
    assert list(files.problems(tmp_path)) == []
    assert [one.text for one in keeper(tmp_path).state(job).pending][-1] == "Go on."


# Acceptance. -------------------------------------------------------------------------------------


def test_accepted_summary_stands_in_the_chain_and_in_its_day(tmp_path: Path) -> None:
    job = made(tmp_path, 2)
    summaries = keeper(tmp_path).chain(job)
    assert [(one.seq, one.start, one.stop) for one in summaries] == [(1, 1, 3), (2, 3, 5)]
    day = (tmp_path / DAY).read_text()
    assert day.count("- 14:00 Design choice: ") == 2
    captures = [r for r in journal.read(tmp_path).records if r.kind == "capture"]
    assert [r.data["gate"]["seq"] for r in captures] == [1, 2]
    assert all(len(r.data["entries"]) == 5 and r.data["origin"] == "agent" for r in captures)
    # The entries the journal names are those the day has.
    ids = {entry for r in captures for entry in r.data["entries"]}
    trace = Memory.open(tmp_path, clock=lambda: NOW).trace(sorted(ids)[0])
    assert trace.roots
    assert check(tmp_path) == ()


def test_accepted_summary_comes_through_its_weeks_compaction(tmp_path: Path) -> None:
    job = made(tmp_path, 3)
    captures = [r for r in journal.read(tmp_path).records if r.kind == "capture"]
    assert len(captures) == 3
    later = datetime(2026, 4, 8, tzinfo=UTC)
    memory = Memory.open(tmp_path, clock=lambda: later)
    memory.compact(CompactOptions(["week"]))
    week = (tmp_path / "memory" / "weekly" / "2026-W14.md").read_text()
    # A week has no room for all of them: it tells of those that its writer chose.
    told = [r for r in captures if any(entry in week for entry in r.data["entries"])]
    assert told
    fed, seq = told[0].data["entries"], told[0].data["gate"]["seq"]
    # From a line of the week down to the day, and from there to the chain's own line.
    lines = enumerate(week.splitlines(), 1)
    number, id = next((n, id) for n, line in lines for id in fed if id in line)
    (bullet,) = memory.trace(f"memory/weekly/2026-W14.md:{number}").roots
    (leaf,) = [one for one in bullet.children if one.id == id]
    assert leaf.path == DAY and leaf.note == f"summary {seq} in the chain of job {job}"
    assert keeper(tmp_path).chain(job)[0].seq == 1
    assert captures[0].data["gate"]["hash"] == files.read(tmp_path, job, "chain").records[0].hash


def test_same_summary_twice_is_accepted_once(tmp_path: Path) -> None:
    gate = keeper(tmp_path)
    job = gate.record("s", "prompt", prose(1, 600)).state.job
    first, second = gate.submit(job, good()), gate.submit(job, good())
    assert isinstance(first, Submitted) and isinstance(second, Submitted)
    assert (first.again, second.again) == (False, True)
    assert len(gate.chain(job)) == 1
    assert isinstance(gate.submit(job, good(2)), RefusedSummary)


def test_credentials_reach_neither_record_nor_chain_nor_day(tmp_path: Path) -> None:
    secret = "AK" + "IA" + "Q" * 8 + "ZX7W" + "PLMK"
    gate = keeper(tmp_path)
    job = gate.record("s", "prompt", f"{prose(1, 600)} The key is {secret}.").state.job
    assert isinstance(gate.submit(job, f"{good()} The key {secret} is set."), Submitted)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert secret.encode() not in path.read_bytes(), path


def test_summary_of_a_session_that_read_the_web_is_not_trusted(tmp_path: Path) -> None:
    gate = keeper(tmp_path)
    job = gate.record("s", "prompt", prose(1, 100)).state.job
    gate.note_untrusted_source("s", "web")
    gate.note_untrusted_source("s", "web")
    assert gate.record("s", "prompt", prose(2, 600)).closed_now
    assert isinstance(gate.submit(job, good()), Submitted)
    (capture,) = [r for r in journal.read(tmp_path).records if r.kind == "capture"]
    assert capture.data["origin"] == "web" and capture.data["sketches"]
    kinds = [r.kind for r in files.read(tmp_path, job, "interactions").records]
    assert kinds.count("taint") == 1


def test_hand_opened_gate_is_journaled_and_covered_later(tmp_path: Path) -> None:
    gate = keeper(tmp_path)
    job = gate.record("s", "prompt", prose(1, 600)).state.job
    assert gate.closed_jobs() == (job,)
    with pytest.raises(UsageError):
        gate.end_job(job)
    assert gate.open_gates("the paste was a mistake", job) == (job,)
    assert gate.closed_jobs() == () and not Path(files.folder(tmp_path, "closed")).exists()
    (note,) = [r for r in journal.read(tmp_path).records if r.kind == "gate-opened"]
    assert note.data["reason"] == "the paste was a mistake"
    assert gate.record("s", "prompt", prose(2, 600)).closed_now
    assert isinstance(gate.submit(job, good(3)), Submitted)
    assert gate.state(job).pending == ()
    assert check(tmp_path) == ()


@pytest.mark.parametrize("served", [True, False])
def test_denial_names_only_the_ways_there_are(tmp_path: Path, served: bool) -> None:
    gate = keeper(tmp_path)
    state = gate.record("s", "prompt", prose(1, 600)).state
    assert state.demand
    with hook_state.server_announced(str(tmp_path), "some-client") if served else nullcontext():
        said = gate.denial_text(state.job, state.demand)
    assert ("the MCP tool submit_summary" in said) == served
    assert f"gate submit --job {state.job}" in said


def test_where_nothing_can_be_written_the_way_out_is_still_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = keeper(tmp_path)
    job = gate.record("s", "prompt", prose(1, 600)).state.job
    opened = os.open

    def read_only(path: Any, flags: int, *args: Any, **kwargs: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
        return opened(path, flags, *args, **kwargs)

    monkeypatch.setattr(os, "open", read_only)
    with pytest.raises(NotWritable, match=r"Nothing was changed.*the MCP tool submit_summary"):
        gate.submit(job, good(1))
    with pytest.raises(NotWritable):
        gate.submit(job, "Too short.")
    call: dict[str, object] = {"session_id": "s", "tool_name": "Read", "tool_input": {}}
    said = rule(str(tmp_path), call)
    assert f"gate submit --job {job}" in said.deny
    # Denials cannot be counted, so the person is told at the first one.
    assert "gate open" in said.person


def test_job_is_told_by_what_it_was_opened_with(tmp_path: Path) -> None:
    gate = keeper(tmp_path)
    job = gate.record("s", "prompt", "Please chart the harbor.").state.job
    gate.record("s", "prompt", prose(1, 600))
    assert isinstance(gate.submit(job, good(1)), Submitted)
    gate.record("s", "prompt", "Go on.")
    for words in (["status"], ["jobs"]):
        said = CliRunner().invoke(lithify, ["gate", *words, "--root", str(tmp_path)]).output
        assert "Please chart the harbor." in said and "Go on." not in said
        argv = ["gate", *words, "--json", "--root", str(tmp_path)]
        found = json.loads(CliRunner().invoke(lithify, argv).output)
        (told,) = found["jobs"] if isinstance(found, dict) else found
        assert told["request"] == "Please chart the harbor."


def test_hierarchical_and_topics_on_disk(tmp_path: Path) -> None:
    (tmp_path / "lithify.toml").write_text(
        'zone = "UTC"\n[gate]\nenabled = true\nshape = "hierarchical"\nrollup_every = 2\n[gate.jobs.t]\nshape = "topics"\n'
    )
    gate = keeper(tmp_path)
    for number in range(2):
        state = gate.record("s", "prompt", prose(number, 600), "h").state
        assert isinstance(gate.submit("h", good(number)), Submitted)
    demand = gate.state("h").demand
    assert demand is not None and demand.level == 1
    assert Path(files.closed_path(tmp_path, "h")).exists()
    assert isinstance(gate.submit("h", good(9)), Submitted)
    assert gate.state("h").demand is None
    assert [one.level for one in gate.chain("h")] == [0, 0, 1]
    gate.record("z", "prompt", prose(5, 600), "t")
    refused = gate.submit("t", good(5))
    assert isinstance(refused, RefusedSummary) and "Topic" in refused.violations[0]
    assert isinstance(gate.submit("t", "Topic: Billing\n" + good(5)), Submitted)
    assert gate.chain("t")[0].topic == "Billing"
    assert state.job == "h" and check(tmp_path) == ()


# Crashes. ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Submission:
    """A good summary handed in; killed anywhere it is accepted once or not at all."""

    def prepare(self, root: Path) -> None:
        (root / "memory").mkdir()
        (root / "lithify.toml").write_text(TOML)
        keeper(root).record("s", "prompt", prose(1, 600), "job")

    def act(self, root: Path) -> None:
        keeper(root).submit("job", good())

    def check(self, root: Path, crash: faults.Crash) -> None:
        gate = keeper(root)
        accepted = len(gate.chain("job"))
        assert accepted <= 1 and (accepted or not crash.done)
        assert len(gate.state("job").pending) == 1 - accepted
        # The mark follows the files, whatever it said when the program died.
        assert (gate.update_closed_file("job").demand is None) == bool(accepted)
        assert Path(files.folder(root, "closed")).exists() == (not accepted)
        done = gate.submit("job", good())
        assert isinstance(done, Submitted) and done.again == bool(accepted)
        assert len(gate.chain("job")) == 1
        fed = [r for r in journal.read(root).records if r.data.get("gate")]
        assert [r.data["gate"]["seq"] for r in fed] == [1]
        assert (root / DAY).read_text().count("- 14:00 ") == 5
        left = [p for p in check(root) if p.severity == "error"]
        assert not left, left


@dataclass(frozen=True)
class Prompt:
    """A prompt that closes the gate; killed anywhere it is recorded once or not at all."""

    def prepare(self, root: Path) -> None:
        (root / "memory").mkdir()
        (root / "lithify.toml").write_text(TOML)
        keeper(root).record("s", "prompt", prose(1, 300), "job")

    def act(self, root: Path) -> None:
        keeper(root).record("s", "prompt", prose(2, 300))

    def check(self, root: Path, crash: faults.Crash) -> None:
        gate = keeper(root)
        said = len(gate.state("job").pending)
        assert said in (1, 2) and (said == 2 or not crash.done)
        assert (gate.update_closed_file("job").demand is None) == (said == 1)
        assert Path(files.folder(root, "closed")).exists() == (said == 2)
        gate.record("s", "prompt", prose(3, 300))
        assert gate.state("job").demand is not None
        assert [p for p in check(root) if p.severity == "error"] == []


submission = Submission()
prompt = Prompt()


@pytest.mark.parametrize("scenario", ["submission", "prompt"])
def test_killed_anywhere_it_happened_once_or_not_at_all(scenario: str, tmp_path: Path) -> None:
    points = faults.run(f"test_gate_chain:{scenario}", tmp_path, faults.KILLS)
    assert points["kill"] >= 12 and points["kill-half"] >= 3


def test_full_disk_and_power_cut_lose_nothing_accepted(tmp_path: Path) -> None:
    points = faults.run("test_gate_chain:prompt", tmp_path, ("cut-all", "ENOSPC", "short"))
    assert points["cut-all"] >= 12


RECORDER = """
import sys
from lithify.gate.gatekeeper import Gatekeeper
root, who = sys.argv[1:]
sys.stdin.readline()
for number in range(15):
    Gatekeeper(root).record(f"s{who}", "prompt", f"{who} says {number}", "job")
"""


def test_eight_processes_recording_at_once_lose_nothing(tmp_path: Path) -> None:
    (tmp_path / "lithify.toml").write_text(TOML)
    Gatekeeper(tmp_path).rules("job")
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", RECORDER, str(tmp_path), str(who)],
            stdin=subprocess.PIPE,
            text=True,
        )
        for who in range(8)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.close()
    assert [process.wait() for process in processes] == [0] * 8
    texts = [r.data["text"] for r in files.read(tmp_path, "job", "interactions").records]
    assert sorted(texts) == sorted(f"{who} says {n}" for who in range(8) for n in range(15))
    assert [p for p in check(tmp_path) if p.kind == "chain"] == []
    closes = [
        r.seq for r in files.read(tmp_path, "job", "interactions").records if "closes" in r.data
    ]
    assert len(closes) <= 1


def test_guard_asks_the_files_when_the_mark_is_out_of_date(tmp_path: Path) -> None:
    from lithify.hooks.guard import rule

    gate = keeper(tmp_path)
    job = gate.record("s", "prompt", prose(1, 600)).state.job
    call: dict[str, object] = {"session_id": "s", "tool_name": "Read", "tool_input": {}}
    assert rule(str(tmp_path), call).deny
    mark = Path(files.closed_path(tmp_path, job))
    kept = mark.read_bytes()
    stale: list[Callable[[], object]] = [
        lambda: mark.write_bytes(b"{damaged"),
        lambda: mark.write_text(json.dumps({**json.loads(kept), "sizes": [1, 2]})),
        lambda: (tmp_path / "lithify.toml").write_text("[gate]\nenabled = true\nmax_denials = 3\n"),
    ]
    for change in stale:
        change()
        assert rule(str(tmp_path), call).deny
    assert json.loads(mark.read_bytes())["rules"] == [3, "hold"]
    # Accepted, and killed before the mark was taken away.
    kept = mark.read_bytes()
    assert isinstance(keeper(tmp_path).submit(job, good()), Submitted)
    mark.parent.mkdir()
    mark.write_bytes(kept)
    assert not rule(str(tmp_path), call).deny
    assert not mark.parent.exists()
