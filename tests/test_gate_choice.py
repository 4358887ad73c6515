"""The gate is a choice: off until a person asks for it, and what changes with it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import commands
from lithify.cli import lithify
from lithify.config import with_enabled
from lithify.errors import ConfigError, UsageError
from lithify.gate import files
from lithify.gate.gatekeeper import Gatekeeper
from lithify.gate.jobs import counted_tokens
from lithify.hooks.events import answer
from lithify.memory import Memory
from lithify.store import disk, journal
from lithify.text.tokens import estimate
from test_gate_core import good, prose

KEY = "[gate]\nenabled = {}\n"
NOW = datetime(2026, 4, 2, 14, 0, tzinfo=UTC)


def keeper(root: Path, toml: str | None = None, day: int = 0) -> Gatekeeper:
    root.mkdir(parents=True, exist_ok=True)
    if toml is not None:
        (root / "lithify.toml").write_text(toml)
    return Gatekeeper(root, lambda: NOW + timedelta(days=day))


def fire(root: Path, event: str, session: str = "s", **given: Any) -> dict[str, Any]:
    sent = json.dumps({"session_id": session, "cwd": str(root), **given}).encode()
    return json.loads(answer("claude", event, sent, str(root)) or "{}")


def at_a_terminal(root: Path, *args: str) -> tuple[int, str]:
    """Runs a command of the gate with a terminal before it."""
    parent, child = pty.openpty()
    command = [commands.python(), "-I", "-m", "lithify.cli", "gate", *args, "--root", str(root)]
    done = subprocess.Popen(command, stdin=child, stdout=child, stderr=child)
    os.close(child)
    said = b""
    while True:
        try:
            piece = os.read(parent, 4096)
        except OSError:
            break
        if not piece:
            break
        said += piece
    os.close(parent)
    return done.wait(), said.decode()


# Where the key is missing. -----------------------------------------------------------------------


def test_new_root_has_no_gate_and_its_first_job_does_not_bring_one(tmp_path: Path) -> None:
    gate = keeper(tmp_path)
    assert not gate.settings.on
    gate.record("s", "prompt", prose(1, 900))
    assert (tmp_path / "lithify.toml").read_text() == KEY.format("false")
    os.unlink(files.settings_path(tmp_path))
    again = Gatekeeper(tmp_path)
    assert not again.record("s", "prompt", prose(2, 900)).closed_now
    assert not again.closed_jobs() and not (tmp_path / ".lithify/gate/closed").exists()


def test_missing_key_means_off_also_where_a_job_was_closed(tmp_path: Path) -> None:
    job = keeper(tmp_path, KEY.format("true")).record("s", "prompt", prose(1, 900)).state.job
    gate = keeper(tmp_path, 'zone = "UTC"\n')
    assert not gate.settings.on and gate.state(job).demand is None
    Memory.init(tmp_path)
    assert (tmp_path / "lithify.toml").read_text() == 'zone = "UTC"\n\n' + KEY.format("false")
    assert fire(tmp_path, "PreToolUse", tool_name="Read", tool_input={}) == {}


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit"])
def test_first_run_of_the_hooks_writes_the_key(tmp_path: Path, event: str) -> None:
    (tmp_path / "lithify.toml").write_text("[weekly]\nmax_tokens = 900\n")
    fire(tmp_path, event, prompt=prose(1, 900))
    text = (tmp_path / "lithify.toml").read_text()
    assert text == "[weekly]\nmax_tokens = 900\n\n" + KEY.format("false")
    assert fire(tmp_path, "PreToolUse", tool_name="Read", tool_input={}) == {}


def test_file_that_cannot_be_edited_is_named_with_the_line_to_write(tmp_path: Path) -> None:
    toml = "gate = { threshold = 600 }\n"
    (tmp_path / "lithify.toml").write_text(toml)
    said = fire(tmp_path, "SessionStart")["systemMessage"]
    assert "write `enabled = false` among them yourself" in said
    fire(tmp_path, "UserPromptSubmit", prompt=prose(1, 900))
    assert not Gatekeeper(tmp_path).closed_jobs()
    done = CliRunner().invoke(lithify, ["init", str(tmp_path)])
    assert done.exit_code == 0 and "among the gate's settings yourself" in done.output
    with pytest.raises(ConfigError):
        Memory.init(tmp_path, gate=True)
    assert (tmp_path / "lithify.toml").read_text() == toml


# Editing the file. -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[gate]\nenabled = true\n"),
        ("zone = 'UTC'", "zone = 'UTC'\n\n[gate]\nenabled = true\n"),
        ("[gate] # mine\r\nthreshold = 700\r\n", "[gate] # mine\r\nenabled = true\r\nthreshold = 700\r\n"),
        ("[gate]", "[gate]\nenabled = true\n"),
        ("[gate]\nenabled = false # no\n[trust]\n", "[gate]\nenabled = true # no\n[trust]\n"),
        ("gate.enabled=false\n", "gate.enabled=true\n"),
        ("gate.threshold = 700\n", "gate.enabled = true\ngate.threshold = 700\n"),
        ("[gate.jobs.a]\nthreshold = 700\n", "[gate.jobs.a]\nthreshold = 700\n\n[gate]\nenabled = true\n"),
        ("[redact]\nenabled = false\n[gate]\n", "[redact]\nenabled = false\n[gate]\nenabled = true\n"),
        ("agent_name = '''\n[gate]\n'''\n", "agent_name = '''\n[gate]\n'''\n\n[gate]\nenabled = true\n"),
        ("\ufeff[gate]\n", "\ufeff[gate]\nenabled = true\n"),
        ("[gate]\nenabled = true\n", "[gate]\nenabled = true\n"),
    ],
)  # fmt: skip
def test_only_the_line_of_the_key_changes(before: str, after: str) -> None:
    assert with_enabled(before.encode(), True).decode() == after
    assert tomllib.loads(after.removeprefix("\ufeff"))["gate"]["enabled"] is True


@pytest.mark.parametrize("text", [b"gate = {}\n", b"gate = 3\n", b"[gate\n", b"\xff"])
def test_other_forms_are_refused(text: bytes) -> None:
    with pytest.raises(ConfigError):
        with_enabled(text, False)


def test_init_writes_the_key_once_and_the_option_switches_it_on(tmp_path: Path) -> None:
    root = Memory.init(tmp_path / "a").root
    assert (
        Memory.open(root).settings.gate.enabled is False and not (root / ".lithify/gate").exists()
    )
    (root / "lithify.toml").write_text("# own\n" + KEY.format("true"))
    assert Memory.init(root).settings.gate.enabled is True
    (root / "lithify.toml").write_text("# own\n" + KEY.format("false"))
    assert Memory.init(root).settings.gate.enabled is False
    done = CliRunner().invoke(lithify, ["init", str(root), "--gate", "--json"])
    assert json.loads(done.stdout)["gate"] == {"enabled": True}
    assert (root / "lithify.toml").read_text() == "# own\n" + KEY.format("true")


def test_key_is_for_the_root_and_no_job(tmp_path: Path) -> None:
    gate = keeper(tmp_path, "[gate.jobs.a]\nenabled = true\n")
    assert "is for the whole root" in gate.settings.problem


# On and off. -------------------------------------------------------------------------------------


def test_off_opens_what_is_closed_and_journals_it(tmp_path: Path) -> None:
    gate = keeper(tmp_path, KEY.format("true"))
    job = gate.record("s", "prompt", prose(1, 900)).state.job
    assert "deny" in str(fire(tmp_path, "PreToolUse", tool_name="Read", tool_input={}))
    code, said = at_a_terminal(tmp_path, "off", "--json")
    assert code == 0
    assert json.loads(said) == {"enabled": False, "changed": True, "opened": [job], "ended": []}
    assert (tmp_path / "lithify.toml").read_text() == KEY.format("false")
    assert fire(tmp_path, "PreToolUse", tool_name="Read", tool_input={}) == {}
    assert not (tmp_path / ".lithify/gate/closed").exists()
    kinds = [record.kind for record in journal.read(tmp_path).records]
    assert kinds == ["gate-opened", "gate-switched"]
    # Opened by a person is opened: it does not close again with the key.
    (tmp_path / "lithify.toml").write_text(KEY.format("true"))
    assert keeper(tmp_path).state(job).demand is None


def test_off_by_hand_opens_and_on_by_hand_asks_again(tmp_path: Path) -> None:
    job = keeper(tmp_path, KEY.format("true")).record("s", "prompt", prose(1, 900)).state.job
    assert keeper(tmp_path, KEY.format("false")).state(job).demand is None
    assert fire(tmp_path, "PreToolUse", tool_name="Read", tool_input={}) == {}
    assert keeper(tmp_path, KEY.format("true")).state(job).demand is not None


def test_on_starts_afresh(tmp_path: Path) -> None:
    gate = keeper(tmp_path, KEY.format("false"))
    old = gate.record("s", "prompt", prose(1, 5000)).state.job
    code, said = at_a_terminal(tmp_path, "on")
    assert code == 0 and f"ended, so that the next prompt opens a new job: {old}" in said
    gate = keeper(tmp_path)
    first = gate.record("s", "prompt", "Go on with it.")
    assert first.state.job != old and not first.closed_now
    assert gate.record("s", "prompt", prose(2, 600)).closed_now
    assert gate.switch(True).changed is False
    assert gate.focus("t", old).active


def test_switching_and_focusing_need_a_terminal(tmp_path: Path) -> None:
    gate = keeper(tmp_path, KEY.format("true"))
    job = gate.record("s", "prompt", prose(1, 900)).state.job
    for args in (["on"], ["off"], ["focus", "other", "--session", "s"]):
        done = CliRunner().invoke(lithify, ["gate", *args, "--root", str(tmp_path)])
        assert done.exit_code != 0 and "terminal" in str(done.exception)
    with pytest.raises(UsageError, match="cannot go to another job"):
        gate.record("s", "prompt", "x", "other")
    assert gate.closed_jobs() == (job,)


# While it is off. --------------------------------------------------------------------------------


def test_each_session_has_a_job_of_its_own_that_ends_and_goes_on_with_it(tmp_path: Path) -> None:
    gate = keeper(tmp_path, KEY.format("false"))
    first = gate.record("a", "prompt", "Please chart the harbor.").state.job
    gate.end_session("a")
    assert not gate.is_active(first)
    second = gate.record("b", "prompt", "Please sort the letters.").state.job
    assert second != first and gate.job_of("c") is None
    # The same session goes on, by its start or by its next prompt.
    resumed = gate.start_session("a")
    assert resumed and resumed.job == first and resumed.active
    gate.end_session("a")
    assert gate.record("a", "prompt", "And the tides.").state.job == first
    assert [one.text for one in gate.state(first).tail][-1] == "And the tides."


def test_prompt_reads_no_other_job_and_no_more_than_the_end_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = keeper(tmp_path, KEY.format("false"))
    for number in range(30):
        gate.record(f"s{number}", "prompt", prose(number, 900))
    for number in range(30):
        gate.record("s0", "prompt", prose(number, 900))
    read: list[str] = []
    for name in ("read", "read_range"):
        real = getattr(disk, name)
        monkeypatch.setattr(
            disk, name, lambda path, *a, real=real: read.append(path) or real(path, *a)
        )
    gate.record("s0", "prompt", "One more.")
    own = gate.job_of("s0")
    assert own and read
    assert {Path(path).parent.name for path in read} <= {own, "sessions"}
    assert {Path(path).name for path in read} <= {"interactions.jsonl", "s0.json"}
    assert len(read) < 30


def test_sessions_taint_and_summaries_work_without_a_gate(tmp_path: Path) -> None:
    gate = keeper(tmp_path, KEY.format("false"))
    job = gate.record("s", "prompt", prose(1, 900)).state.job
    gate.note_untrusted_source("s", "web")
    assert gate.job_origin(job) == "web"
    assert hasattr(gate.submit(job, good(1)), "summary")


def test_session_leaves_request_and_result_each_with_its_origin(tmp_path: Path) -> None:
    gate = keeper(tmp_path, KEY.format("false"))
    for session, taint in (("a", ""), ("b", "web")):
        gate.record(session, "prompt", f"Please chart the harbor for {session}.")
        if taint:
            gate.note_untrusted_source(session, taint)
        gate.note_answer(session, "The chart is drawn and saved.")
        gate.end_session(session)
        gate.end_session(session)
    lines = [r.data for r in journal.read(tmp_path).records if r.kind == "capture"]
    assert [line["origin"] for line in lines] == ["user", "agent", "user", "web"]
    assert [line["gate"]["told"] for line in lines] == ["request", "result"] * 2
    day = (tmp_path / "memory" / "2026-04-02.md").read_text()
    assert day.count("Request: Please chart") == 2 and day.count("Result: The chart") == 2


# What counts. ------------------------------------------------------------------------------------

TRACE = "\n".join(f'  File "app/m{n}.py", line {n}, in run_the_step' for n in range(120))


@pytest.mark.parametrize(
    "text", [TRACE, f"```\n{TRACE[:900]}\n\n\n{TRACE}\n```", f"~~~ python\n{TRACE}"]
)
def test_pasted_block_counts_as_its_first_tokens_and_is_kept_whole(
    text: str, tmp_path: Path
) -> None:
    said = f"Why does this fail?\n\n{text}"
    assert counted_tokens(said) <= 50 + estimate("Why does this fail?") + 2 < estimate(said)
    gate = keeper(tmp_path, KEY.format("true"))
    done = gate.record("s", "prompt", said)
    assert not done.closed_now and done.state.fresh == counted_tokens(said)
    (kept,) = done.state.pending
    assert kept.text == said and kept.tokens == estimate(said)
    # What a summary may be long is measured by the true size.
    demand = gate.record("s", "prompt", prose(1, 600)).state.demand
    assert demand and demand.tokens > estimate(said)


def test_plain_prompt_counts_whole() -> None:
    text = "\n\n".join(prose(n, 60) for n in range(12))
    assert counted_tokens(text) == estimate(text)
    nine = "\n".join(prose(n, 20) for n in range(9))
    assert counted_tokens(nine) == estimate(nine)


# Read back. --------------------------------------------------------------------------------------


def test_read_back_ends_with_the_words_no_summary_covers(tmp_path: Path) -> None:
    gate = keeper(tmp_path, KEY.format("true"))
    for number in range(3):
        job = gate.record("s", "prompt", prose(number, 600)).state.job
        gate.submit(job, good(number))
    gate.record("s", "prompt", "Mind the [[end marks of the tide.")
    text = fire(tmp_path, "SessionStart", source="compact")["hookSpecificOutput"][
        "additionalContext"
    ]
    assert gate.chain(job)[-1].text in text and len(text) < 10_000
    tail = text.index("Mind the [[end marks of the tide.")
    assert text.index("[summary 3") < tail and "origin=user" in text[:tail]
    shown = CliRunner().invoke(lithify, ["gate", "show", "--root", str(tmp_path)]).output
    assert "Mind the [[end" in shown and "rolled up" in shown and len(shown) < 10_800
    whole = CliRunner().invoke(lithify, ["gate", "show", "--all", "--root", str(tmp_path)]).output
    assert prose(0, 600) in whole and gate.chain(job)[0].text in whole
    data = CliRunner().invoke(lithify, ["gate", "show", "--json", "--root", str(tmp_path)]).output
    assert [one["seq"] for one in json.loads(data)["summaries"]] == [1, 2, 3]
    assert len(json.loads(data)["interactions"]) == 1


def test_long_tail_is_cut_at_its_old_end(tmp_path: Path) -> None:
    gate = keeper(tmp_path, KEY.format("false"))
    for number in range(60):
        job = gate.record("s", "prompt", f"Number {number}. {prose(number, 90)}").state.job
    text = fire(tmp_path, "SessionStart", source="resume")["hookSpecificOutput"][
        "additionalContext"
    ]
    assert len(text) <= 10_000 and "Number 59." in text and "Number 0." not in text
    assert f"before: lithify gate show --job {job} --all]" in text


def test_show_prints_the_words_that_a_closed_gate_waits_for(tmp_path: Path) -> None:
    root = Memory.init(tmp_path, gate=True).root
    Gatekeeper(root).record("s", "prompt", f"Mind the tide tables. {prose(1, 700)}")
    shown = CliRunner().invoke(lithify, ["gate", "show", "--root", str(root)]).output
    assert "Mind the tide tables." in shown and "[[data" in shown
