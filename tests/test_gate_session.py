"""A whole session through the real hook commands, each event a process of its own."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import commands
from lithify.gate import files
from lithify.gate.gatekeeper import Gatekeeper
from lithify.hooks.install import hook_command
from lithify.hooks.respond import questions_of
from lithify.memory import Memory
from lithify.store import journal
from test_gate_core import good, prose

pytestmark = pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")

TOOLS: dict[str, dict[str, Any]] = {
    "Read": {"file_path": "notes.md"},
    "Write": {"file_path": "notes.md", "content": "x"},
    "Edit": {"file_path": "notes.md", "old_string": "a", "new_string": "b"},
    "Bash": {"command": "ls"},
    "Grep": {"pattern": "x"},
    "Glob": {"pattern": "*"},
    "WebFetch": {"url": "https://example.com"},
    "WebSearch": {"query": "x"},
    "Task": {"prompt": "x"},
    "Agent": {"prompt": "x"},
    "NotebookEdit": {"notebook_path": "a.ipynb"},
    "AskUserQuestion": {"questions": []},
    "Skill": {"skill": "x"},
    "PowerShell": {"command": "ls"},
    "mcp__files__read": {"path": "x"},
    "mcp__evil__submit_summary": {"job": "x"},
}


PLUGIN = Path(__file__).parent.parent / "plugins" / "claude-code"


@dataclass
class Harness:
    """Speaks Claude Code's side of the wire; `env` where the plugin's own lines are run."""

    root: Path
    events: int = 0
    env: dict[str, str] | None = None

    def line(self, event: str) -> str:
        if self.env is None:
            return hook_command(str(self.root), commands.python(), event)
        hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text())["hooks"]
        line: str = hooks[event][0]["hooks"][0]["command"]
        return line

    def fire(self, event: str, session: str = "a", **given: Any) -> dict[str, Any]:
        self.events += 1
        sent = {
            "session_id": session,
            "transcript_path": "t.jsonl",
            "cwd": str(self.root),
            "hook_event_name": event,
            **given,
        }
        done = subprocess.run(
            ["sh", "-c", self.line(event)],
            input=json.dumps(sent),
            capture_output=True,
            text=True,
            cwd="/",
            env=self.env,
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        if not done.stdout:
            return {}
        assert len(done.stdout) < 40_000
        if event == "PreCompact":
            # Claude Code adds it to the instructions for its summary as it is.
            return {"text": done.stdout.strip()}
        answer: dict[str, Any] = json.loads(done.stdout)
        for text in _strings(answer):
            assert len(text) <= 10_000
        return answer

    def prompt(self, text: str, session: str = "a") -> str:
        return _context(self.fire("UserPromptSubmit", session, prompt=text))

    def answer(self, question: str, reply: str, session: str = "a") -> str:
        asked = {"questions": [{"question": question, "header": "h", "options": []}]}
        return _context(
            self.fire(
                "PostToolUse",
                session,
                tool_name="AskUserQuestion",
                tool_input=asked,
                tool_response={**asked, "answers": {question: reply}},
            )
        )

    def tool(self, name: str, given: Any = None, session: str = "a", **more: Any) -> dict[str, Any]:
        given = TOOLS.get(name, {}) if given is None else given
        return self.fire(
            "PreToolUse", session, tool_name=name, tool_input=given, tool_use_id="t", **more
        )

    def denied(self, name: str = "Read", given: Any = None, session: str = "a", **more: Any) -> str:
        answer = self.tool(name, given, session, **more)
        said = answer["hookSpecificOutput"]
        assert said["hookEventName"] == "PreToolUse"
        assert said["permissionDecision"] == "deny"
        reason: str = said["permissionDecisionReason"]
        assert reason.strip()
        return reason

    def submit(self, body: str, session: str = "a") -> subprocess.CompletedProcess[str]:
        """Runs the very command that the denial prints, with this body, if the gate admits it."""
        reason = self.denied(session=session)
        command = re.search(r"^(\S.* gate submit .*) <<'SUMMARY'$", reason, re.MULTILINE)
        assert command, reason
        line = f"{command[1]} <<'SUMMARY'\n{body}\nSUMMARY"
        assert self.tool("Bash", {"command": line, "description": "submit"}, session) == {}
        return subprocess.run(["bash", "-c", line], cwd="/", capture_output=True, text=True)

    def accepted(self, seed: int, session: str = "a") -> None:
        done = self.submit(good(seed), session)
        assert done.returncode == 0, done.stdout
        assert "the gate is open" in done.stdout
        assert self.tool("Read", session=session) == {}


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for inner in value.values() for text in _strings(inner)]
    return [value] if isinstance(value, str) else []


def _context(answer: dict[str, Any]) -> str:
    return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))


@pytest.fixture
def harness(tmp_path: Path) -> Harness:
    root = tmp_path / "a root"
    (root / "memory").mkdir(parents=True)
    (root / "lithify.toml").write_text('zone = "UTC"\n[gate]\nenabled = true\n')
    (root / "WISDOM.md").write_text("# Agent - Wisdom\n\n**Tide first**\nAsk. <!-- x~1 -->\n")
    return Harness(root)


@pytest.fixture
def plugin(harness: Harness, tmp_path: Path) -> Harness:
    """The same root with the plugin alone: what finds lithify is the PATH."""
    env = plugin_env(tmp_path, harness.root / "deep" / "down")
    program = f'#!/bin/sh\nexec {commands.python()} -I -m lithify "$@"\n'
    (tmp_path / "bin" / "lithify").write_text(program)
    return Harness(harness.root, env=env)


def plugin_env(tmp_path: Path, project: Path) -> dict[str, str]:
    """The environment of a plugin's hooks, with a `lithify` as pipx leaves it."""
    project.mkdir(parents=True, exist_ok=True)
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir(exist_ok=True)
    program = bin_folder / "lithify"
    program.write_text(f"#!{sys.executable}\nfrom lithify.cli import main\nmain()\n")
    program.chmod(0o755)
    return {
        "PATH": f"{bin_folder}:/usr/bin:/bin",
        "HOME": str(tmp_path / "home"),
        "CLAUDE_PLUGIN_ROOT": str(PLUGIN),
        "CLAUDE_PROJECT_DIR": str(project),
    }


@pytest.mark.parametrize("way", ["harness", "plugin"])
def test_two_hundred_events_of_two_sessions_and_two_jobs(
    way: str, request: pytest.FixtureRequest
) -> None:
    harness: Harness = request.getfixturevalue(way)
    root = harness.root
    gate = Gatekeeper(root)
    # The plugin's own hooks take the same way behind a shell script: fewer events show that.
    tools, least = (tuple(TOOLS), 200) if way == "harness" else (("Read", "Bash", "Task"), 90)
    # A new session: what is known, everything allowed, the first prompt opens a job.
    assert "Tide first" in _context(harness.fire("SessionStart", source="startup"))
    assert harness.prompt("Please chart the harbor.") == ""
    (job,) = files.jobs(root)
    for name in tools:
        assert harness.tool(name) == {}

    # One long prompt closes it, and hands over the text.
    context = harness.prompt(prose(1, 600))
    assert "The gate is closed" in context and prose(1, 600)[:80] in context
    for name in TOOLS:
        reason = harness.denied(name)
        assert f"of job {job}" in reason and "### Current State" in reason and "tokens" in reason
    assert "main session" in harness.denied("Bash", agent_id="sub-1", agent_type="explore")
    escape = {"command": f"lithify gate submit --job {job} <<'EOF'\nx\nEOF"}
    harness.denied("Bash", escape, agent_id="sub-1")
    assert harness.tool("Bash", escape, agent_type="reviewer") == {}
    assert harness.tool("ToolSearch", {"query": "submit"}) == {}
    assert harness.tool("mcp__lithify__submit_summary", {"job": job, "text": "x"}) == {}
    harness.denied("mcp__lithify__submit_summary", {"job": "other", "text": "x"})
    harness.denied("Bash", {"command": escape["command"] + "; ls"})
    # Told often enough, the person hears of it too.
    stuck = harness.tool("Read")
    assert "gate open" in stuck["systemMessage"]

    refused = harness.submit("### User Requests\nshort\n### Design Choices\nTBD")
    assert refused.returncode == 4
    for words in ("User Requests: 1 of 40", "Current State: missing", "filler", "200 tokens"):
        assert words in refused.stdout
    harness.accepted(1)
    for name in tools:
        assert harness.tool(name) == {}

    # Many short answers close it.
    for number in range(60):
        if context := harness.answer(f"Which pier, number {number}?", prose(number, 32)):
            break
        assert harness.tool("Read") == {}
    assert 8 < number < 59 and "Q: Which pier, number 3?" in context
    harness.accepted(2)

    # One huge paste closes it, and what is said of it stays small.
    context = harness.prompt("Look at this:\n" + prose(3, 30_000))
    assert "left out here" in context
    assert harness.prompt("Well?") == ""
    harness.accepted(3)

    # Compaction, a restart in the middle, the job read back.
    assert "3 summaries" in harness.fire("PreCompact", trigger="auto")["text"]
    context = _context(harness.fire("SessionStart", source="compact"))
    last = gate.chain(job)[-1].text
    assert last in context and "rolled up" in context and "Tide first" in context
    assert "x~1" not in context
    harness.fire("Stop", stop_hook_active=False, last_assistant_message="The chart is drawn.")
    harness.fire("SessionEnd", reason="logout")
    assert last in _context(harness.fire("SessionStart", "b", source="startup"))
    assert harness.prompt("Go on with the chart.", "b") == ""

    # A second session beside it gets a job of its own; one's closed gate is not the other's.
    assert last not in _context(harness.fire("SessionStart", "c", source="startup"))
    harness.prompt("Something else: sort the letters.", "c")
    assert len(files.jobs(root)) == 2
    harness.prompt(prose(4, 600), "b")
    for name in ("Read", "Bash", "Task"):
        harness.denied(name, session="b")
        assert harness.tool(name, session="c") == {}

    # Cleared while closed: the new session takes up the job, closed as it is.
    harness.fire("SessionEnd", "b", reason="clear")
    context = _context(harness.fire("SessionStart", "d", source="clear"))
    assert "The gate is closed" in context and last in context
    harness.denied("Write", session="d")
    harness.accepted(4, "d")
    harness.prompt(prose(5, 600), "c")
    harness.denied("Edit", session="c")
    assert harness.tool("Edit", session="d") == {}
    harness.accepted(5, "c")
    for session in ("c", "d"):
        for name in tools:
            assert harness.tool(name, session=session) == {}
        harness.fire("Stop", session, last_assistant_message="Done.")
        harness.fire("SessionEnd", session, reason="logout")
    # While no gate is closed no Python is started, whatever the event.
    while harness.events < least:
        assert harness.tool("Read", session="d") == {}

    assert harness.events >= least
    _everything_is_accounted_for(root)


def _everything_is_accounted_for(root: Path) -> None:
    assert Memory.open(root).check() == ()
    fed = [r.data["gate"] for r in journal.read(root).records if "gate" in r.data]
    for job in files.jobs(root):
        chain = Gatekeeper(root).chain(job)
        assert [one["seq"] for one in fed if one["job"] == job and "seq" in one] == [
            one.seq for one in chain
        ]
        records = files.read(root, job, "interactions").records
        pending = {one.seq for one in Gatekeeper(root).state(job).pending}
        for record in records:
            if record.kind in ("prompt", "answer"):
                covers = [one for one in chain if one.start <= record.seq < one.stop]
                assert len(covers) + (record.seq in pending) == 1
    text = "".join(day.read_text() for day in sorted((root / "memory").glob("*.md")))
    assert " Result: The chart is drawn.\n" in text and "Well?" not in text
    # Of the others all is told by the summaries, and "Done." says nothing.
    assert [one["session"] for one in fed if "session" in one] == ["a", "b"]
    assert " Request: Go on with the chart.\n" in text


def test_pass_lets_through_with_a_warning_on_every_call(harness: Harness) -> None:
    (harness.root / "lithify.toml").write_text(
        '[gate]\nenabled = true\non_stuck = "pass"\nmax_denials = 2\n'
    )
    harness.prompt(prose(1, 600))
    for _ in range(2):
        harness.denied()
    for _ in range(2):
        answer = harness.tool("AskUserQuestion")
        assert "permissionDecision" not in answer["hookSpecificOutput"]
        assert "still due" in answer["systemMessage"]
    done = subprocess.run(
        [sys.executable, "-m", "lithify.cli", "gate", "submit", "--root", str(harness.root)],
        input=good(1),
        text=True,
        capture_output=True,
    )
    assert done.returncode == 0, done.stdout
    assert harness.tool("Read") == {}


def test_broken_recorder_blocks_nothing_and_says_so(harness: Harness) -> None:
    job = Gatekeeper(harness.root).record("a", "prompt", "Hello.").state.job
    path = Path(files.log_path(harness.root, job, "interactions"))
    path.unlink()
    path.mkdir()
    answer = harness.fire("UserPromptSubmit", prompt="Go on.")
    assert "was not recorded" in answer["systemMessage"] and "decision" not in answer
    assert harness.tool("Read") == {}


@pytest.mark.parametrize("on_stuck", ["hold", "pass"])
def test_broken_guard_follows_on_stuck_and_never_bars_the_escape(
    on_stuck: str, harness: Harness
) -> None:
    (harness.root / "lithify.toml").write_text(f'[gate]\nenabled = true\non_stuck = "{on_stuck}"\n')
    harness.prompt(prose(1, 600))
    (job,) = files.jobs(harness.root)
    Path(files.session_path(harness.root, "a")).write_text("{damaged")
    escape = {"command": f"lithify gate submit --job {job} <<'EOF'\nx\nEOF"}
    assert harness.tool("Bash", escape) == {}
    if on_stuck == "hold":
        assert "gate open" in harness.denied()
    else:
        answer = harness.tool("Read")
        assert "let through" in answer["systemMessage"]
    # The next prompt puts the focus right again.
    harness.prompt("Well?")
    assert f"of job {job}" in harness.denied()


def test_event_that_is_no_json_is_held_only_while_a_gate_is_closed(harness: Harness) -> None:
    def send(raw: bytes) -> str:
        line = hook_command(str(harness.root), sys.executable)
        done = subprocess.run(["sh", "-c", line], input=raw, capture_output=True)
        assert done.returncode == 0
        return done.stdout.decode()

    assert send(b"nonsense") == ""
    harness.prompt(prose(1, 600))
    for raw in (b"nonsense", b"[1]"):
        said = send(raw)
        assert '"deny"' in said and "a gate is closed and the event cannot be read" in said


def test_one_interaction_is_told_as_one(harness: Harness) -> None:
    harness.prompt("Please look at the printer.")
    held = harness.fire("PreCompact", trigger="auto")["text"]
    assert "no summary yet; 1 interaction (about" in held and held.endswith("is kept.")
    begun = _context(harness.fire("SessionStart", source="resume"))
    assert ": 1 interaction, about 6 tokens, without a summary" in begun
    assert "origin=user" in begun and "Please look at the printer." in begun
    harness.prompt(prose(1, 600))
    gate = Gatekeeper(harness.root)
    gate.submit(gate.job_of("a") or "", good(1))
    held = harness.fire("PreCompact", trigger="auto")["text"]
    assert "holds 1 summary, the last of" in held and "0 interactions (about 0" in held


def test_open_by_hand_needs_a_terminal(harness: Harness) -> None:
    harness.prompt(prose(1, 600))
    command = [sys.executable, "-m", "lithify.cli", "gate", "open", "--reason", "x"]
    done = subprocess.run(
        [*command, "--root", str(harness.root)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 2 and "terminal" in done.stderr
    harness.denied()
    master, slave = pty.openpty()
    with os.fdopen(master, "rb", buffering=0) as screen:
        subprocess.run(
            [*command, "--root", str(harness.root)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            check=True,
        )
        said = screen.read(1000)
    os.close(slave)
    assert b"opened: " in said
    assert harness.tool("Read") == {}


def test_no_event_waits_for_a_compaction(harness: Harness) -> None:
    from lithify.store import places
    from lithify.store.lock import locked

    with locked(places.compact_lock(harness.root)):
        harness.fire("SessionStart", source="startup")
        harness.prompt(prose(1, 600))
        harness.accepted(1)
        harness.fire("PreCompact", trigger="auto")
        harness.prompt("Now chart the river too.")
        harness.fire("SessionEnd", reason="exit")
    day = next((harness.root / "memory").glob("*.md")).read_text()
    assert "Design choice: " in day and "Request: Now chart the river too." in day


def test_mistake_in_the_settings_does_not_bar_the_way_out(harness: Harness) -> None:
    harness.prompt(prose(1, 600))
    (harness.root / "lithify.toml").write_text("[gate]\nthreshold = 'none'\n")
    harness.accepted(1)
    started = harness.fire("SessionStart", source="resume")
    assert "a whole number" in started["systemMessage"]


def test_question_and_answer_are_read_in_every_shape_they_come_in() -> None:
    asked = {"questions": [{"question": "Which?"}]}
    both = {"tool_input": asked, "tool_response": {"answers": {"Which?": ["a", "b"]}}}
    assert questions_of(both) == "Q: Which?\nA: a, b"
    text = {"tool_input": asked, "tool_response": "User said: a"}
    assert questions_of(text) == "Q: Which?\nA: User said: a"
    inside = {"tool_input": {**asked, "answers": {"Which?": "a"}}, "tool_response": None}
    assert questions_of(inside) == "Q: Which?\nA: a"
    assert questions_of({}) == ""


def test_windows_has_the_python_form_alone() -> None:
    line = hook_command("root", "C:\\Program Files\\python.exe", posix=False)
    assert line.startswith('"C:\\Program Files\\python.exe" -I -m lithify.hooks PreToolUse')
    assert "test -e" not in line


def test_commands_say_the_same_in_json(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from lithify.cli import gate as commands
    from lithify.cli import lithify

    monkeypatch.setattr(commands, "need_terminal", lambda action: None)

    def run(*args: str, code: int = 0, given: str | None = None) -> Any:
        root = ["--root", str(harness.root)]
        human = CliRunner().invoke(lithify, ["gate", *args, *root], input=given)
        done = CliRunner().invoke(lithify, ["gate", *args, *root, "--json"], input=given)
        assert human.exit_code in (code, 1) and done.exit_code == code, done.output
        assert human.output.strip()
        return json.loads(done.stdout)

    assert run("status")["jobs"] == []
    fresh = run("focus", "invoices")
    assert (fresh["session"], fresh["job"], fresh["state"]) == (None, "invoices", "open")
    assert Gatekeeper(harness.root).job_of("whoever comes") == "invoices"
    run("close", "--job", "invoices")
    first = run("record", "--job", "billing", "Please add invoices.")
    assert (first["job"], first["seq"], first["state"]) == ("billing", 2, "open")
    assert "### Current State" in run("submit", "--template")["template"]
    run("record", "--kind", "answer", "-", given=prose(1, 600))
    (closed,) = run("status", "--text", code=3)["jobs"]
    due = closed["due"]
    assert due["from"] == 1 and "Please add invoices." in closed["text"]
    assert due["last"] == due["to"] - 1
    shown = CliRunner().invoke(lithify, ["gate", "status", "--root", str(harness.root)]).output
    assert f"interactions 1 to {due['last']} of job billing" in shown
    refused = run("submit", code=4, given="nothing")
    assert not refused["accepted"] and len(refused["violations"]) > 5
    accepted = run("submit", given=good(1))
    assert accepted["accepted"] and accepted["again"] and accepted["seq"] == 1
    assert [one["seq"] for one in run("chain")] == [1]
    assert run("focus", "letters", "--session", "cli")["job"] == "letters"
    assert run("close", "--job", "billing") == {"closed": "billing"}
    states = {one["job"]: one["state"] for one in run("jobs")}
    assert states == {"billing": "ended", "invoices": "ended", "letters": "open"}
    assert run("focus", "billing", "--session", "cli")["state"] == "open"
