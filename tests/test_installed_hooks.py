"""The hook lines and files that version 0.1.0 left with its users still work.

`lithify init` of 0.1.0 wrote these very lines into the settings of each harness, and nobody runs it
again after an update. Each line is run here as a process, with PYTHON and ROOT replaced. A change
of a module's name, an event, an option or a file that breaks installed users fails this test; the
lines and files in it are not to be edited.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lithify.cli import lithify
from lithify.gate.gatekeeper import Gatekeeper
from lithify.memory import Memory
from test_gate_core import prose
from test_harnesses import ANSWER

SESSION = "5b1e-22"

LINES = {
    "claude": r"""
PYTHON -I -m lithify.hooks SessionStart --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks UserPromptSubmit --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
test -e ROOT/.lithify/gate/closed || exit 0; PYTHON -I -m lithify.hooks PreToolUse --root ROOT; case $? in 0) ;; 1|126|127) echo '{"systemMessage": "lithify: a gate is closed, but its guard does not start, so calls pass unchecked. What is wrong: lithify doctor"}' ;; *) exit 3 ;; esac
PYTHON -I -m lithify.hooks PostToolUse --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks PreCompact --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks Stop --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks SessionEnd --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
""",
    "codex": r"""
PYTHON -I -m lithify.hooks SessionStart --harness codex --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks UserPromptSubmit --harness codex --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
test -e ROOT/.lithify/gate/closed || exit 0; PYTHON -I -m lithify.hooks PreToolUse --harness codex --root ROOT; case $? in 0) ;; 1|126|127) echo '{"systemMessage": "lithify: a gate is closed, but its guard does not start, so calls pass unchecked. What is wrong: lithify doctor"}' ;; *) exit 3 ;; esac
PYTHON -I -m lithify.hooks PostToolUse --harness codex --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks PreCompact --harness codex --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks Stop --harness codex --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks SessionEnd --harness codex --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
""",
    "gemini": r"""
PYTHON -I -m lithify.hooks SessionStart --harness gemini --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks BeforeAgent --harness gemini --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
test -e ROOT/.lithify/gate/closed || { echo '{}'; exit 0; }; PYTHON -I -m lithify.hooks BeforeTool --harness gemini --root ROOT; case $? in 0) ;; 1|126|127) echo '{"systemMessage": "lithify: a gate is closed, but its guard does not start, so calls pass unchecked. What is wrong: lithify doctor"}' ;; *) exit 3 ;; esac
PYTHON -I -m lithify.hooks AfterTool --harness gemini --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks PreCompress --harness gemini --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks AfterAgent --harness gemini --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks SessionEnd --harness gemini --root ROOT || echo '{"systemMessage": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
""",
    "cursor": r"""
PYTHON -I -m lithify.hooks sessionStart --harness cursor --root ROOT || echo '{"user_message": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks beforeSubmitPrompt --harness cursor --root ROOT || echo '{"user_message": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
test -e ROOT/.lithify/gate/closed || { echo '{}'; exit 0; }; PYTHON -I -m lithify.hooks preToolUse --harness cursor --root ROOT; case $? in 0) ;; 1|126|127) echo '{"user_message": "lithify: a gate is closed, but its guard does not start, so calls pass unchecked. What is wrong: lithify doctor"}' ;; *) exit 3 ;; esac
test -e ROOT/.lithify/gate/closed || { echo '{}'; exit 0; }; PYTHON -I -m lithify.hooks beforeShellExecution --harness cursor --root ROOT; case $? in 0) ;; 1|126|127) echo '{"user_message": "lithify: a gate is closed, but its guard does not start, so calls pass unchecked. What is wrong: lithify doctor"}' ;; *) exit 3 ;; esac
test -e ROOT/.lithify/gate/closed || { echo '{}'; exit 0; }; PYTHON -I -m lithify.hooks beforeMCPExecution --harness cursor --root ROOT; case $? in 0) ;; 1|126|127) echo '{"user_message": "lithify: a gate is closed, but its guard does not start, so calls pass unchecked. What is wrong: lithify doctor"}' ;; *) exit 3 ;; esac
test -e ROOT/.lithify/gate/closed || { echo '{}'; exit 0; }; PYTHON -I -m lithify.hooks beforeReadFile --harness cursor --root ROOT; case $? in 0) ;; 1|126|127) echo '{"user_message": "lithify: a gate is closed, but its guard does not start, so calls pass unchecked. What is wrong: lithify doctor"}' ;; *) exit 3 ;; esac
test -e ROOT/.lithify/gate/closed || { echo '{}'; exit 0; }; PYTHON -I -m lithify.hooks subagentStart --harness cursor --root ROOT; case $? in 0) ;; 1|126|127) echo '{"user_message": "lithify: a gate is closed, but its guard does not start, so calls pass unchecked. What is wrong: lithify doctor"}' ;; *) exit 3 ;; esac
PYTHON -I -m lithify.hooks postToolUse --harness cursor --root ROOT || echo '{"user_message": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks preCompact --harness cursor --root ROOT || echo '{"user_message": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks afterAgentResponse --harness cursor --root ROOT || echo '{"user_message": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks sessionEnd --harness cursor --root ROOT || echo '{"user_message": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
""",
    "copilot": r"""
PYTHON -I -m lithify.hooks sessionStart --harness copilot --root ROOT || echo '{"type": "progress", "message": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks userPromptSubmitted --harness copilot --root ROOT || echo '{"type": "progress", "message": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
test -e ROOT/.lithify/gate/closed || exit 0; PYTHON -I -m lithify.hooks preToolUse --harness copilot --root ROOT; case $? in 0) ;; 1|126|127) echo '{"type": "progress", "message": "lithify: a gate is closed, but its guard does not start, so calls pass unchecked. What is wrong: lithify doctor"}' ;; *) exit 3 ;; esac
PYTHON -I -m lithify.hooks postToolUse --harness copilot --root ROOT || echo '{"type": "progress", "message": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks preCompact --harness copilot --root ROOT || echo '{"type": "progress", "message": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
PYTHON -I -m lithify.hooks sessionEnd --harness copilot --root ROOT || echo '{"type": "progress", "message": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor"}'
""",
    "opencode": r"""
PYTHON -I -m lithify.hooks SessionStart --harness opencode --root ROOT
PYTHON -I -m lithify.hooks UserPromptSubmit --harness opencode --root ROOT
PYTHON -I -m lithify.hooks PreToolUse --harness opencode --root ROOT
PYTHON -I -m lithify.hooks PostToolUse --harness opencode --root ROOT
PYTHON -I -m lithify.hooks PreCompact --harness opencode --root ROOT
PYTHON -I -m lithify.hooks SessionEnd --harness opencode --root ROOT
""",
}
#: The events of each harness: session start, prompt, question answered, compaction, session end.
EVENTS = {
    "claude": ("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "SessionEnd"),
    "codex": ("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "SessionEnd"),
    "gemini": ("SessionStart", "BeforeAgent", "AfterTool", "PreCompress", "SessionEnd"),
    "cursor": ("sessionStart", "beforeSubmitPrompt", "postToolUse", "preCompact", "sessionEnd"),
    "copilot": ("sessionStart", "userPromptSubmitted", "postToolUse", "preCompact", "sessionEnd"),
    "opencode": ("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "SessionEnd"),
}
#: The event after a turn, and what holds its last answer. Copilot and OpenCode have none.
TURN_ENDS = {
    "claude": ("Stop", "last_assistant_message"),
    "codex": ("Stop", "last_assistant_message"),
    "gemini": ("AfterAgent", "prompt_response"),
    "cursor": ("afterAgentResponse", "text"),
}
#: A tool call at each event that stands before one.
CALLS: dict[str, dict[str, Any]] = {
    "PreToolUse": {"tool_name": "Read", "tool_input": {"file_path": "a.md"}},
    "BeforeTool": {"tool_name": "read_file", "tool_input": {"file_path": "a.md"}},
    "preToolUse": {
        "tool_name": "Read",
        "tool_input": {"file_path": "a.md"},
        "toolName": "view",
        "toolArgs": {"path": "a.md"},
    },
    "beforeShellExecution": {"command": "ls"},
    "beforeMCPExecution": {"tool_name": "read", "tool_input": "{}", "command": "files-server"},
    "beforeReadFile": {"file_path": "a.md", "content": "x"},
    "subagentStart": {"subagent_type": "explore", "task": "x"},
}
#: The file that each guard line looks for before it starts Python; OpenCode's plugin does it itself.
MARK = ".lithify/gate/closed"

#: A root as 0.1.0 left it with a closed gate.
TOML = '[gate]\nthreshold = 10\nmin_tokens = 1\nsection_floor = 1\nsections = ["State"]\n'
RECORD = (
    '{"seq":1,"time":"2026-04-02T09:00:00Z","kind":"prompt","closes":1,"session":"5b1e-22",'
    '"text":"Please survey the north pier and the south quay of the harbor.","tokens":13,'
    '"prev":"0000000000000000000000000000000000000000000000000000000000000000",'
    '"hash":"713e8ae9895863f1f08bd5bd477a4fd698ab0ffd1bbd38f737125f51887ad644"}\n'
)
SESSION_FILE = (
    '{"job": "20260402-1", "taints": [], "heard": 1775120400.0, "ended": false, "seq": 1, '
    '"hash": "713e8ae9895863f1f08bd5bd477a4fd698ab0ffd1bbd38f737125f51887ad644", "prompts": 1}'
)
CLOSED_FILE = (
    '{"job": "20260402-1", "demand": [1, 2, 13, 0], "rules": [8, "hold"], "sizes": [319, 0], '
    '"toml": TOML, "forms": ["lithify gate submit --job 20260402-1"], "denials": "DENIALS", '
    '"texts": {"denial": "As 0.1.0 wrote it.", "subagent": "", "stuck": "", "passing": ""}}'
)


def lines_of(harness: str) -> dict[str, str]:
    """The lines of a harness by their events."""
    lines = LINES[harness].strip().splitlines()
    return {line.partition("lithify.hooks ")[2].split()[0]: line for line in lines}


def guards_of(harness: str) -> list[str]:
    return [event for event in lines_of(harness) if event in CALLS]


def run(harness: str, event: str, root: Path, given: dict[str, Any]) -> str:
    """Runs the line of an event as the harness does; what it says."""
    line = lines_of(harness)[event]
    line = line.replace("PYTHON", shlex.quote(sys.executable)).replace("ROOT", str(root))
    who = {"cursor": "conversation_id", "copilot": "sessionId"}.get(harness, "session_id")
    sent = {who: SESSION, "cwd": str(root), "hook_event_name": event, **given}
    done = subprocess.run(
        ["sh", "-c", line], input=json.dumps(sent), capture_output=True, text=True, cwd="/"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "does not start" not in done.stdout
    return done.stdout.strip()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root"
    made.mkdir()
    (made / "lithify.toml").write_text('zone = "UTC"\n[gate]\nenabled = true\n')
    (made / "WISDOM.md").write_text("# Agent - Wisdom\n\n**Tide first**\nAsk before noon.\n")
    return made


@pytest.mark.parametrize("harness", LINES)
def test_lines_of_0_1_0_record_close_deny_and_end(harness: str, root: Path) -> None:
    start, prompt, answered, compaction, end = EVENTS[harness]
    assert "Tide first" in run(harness, start, root, {"source": "startup"})
    run(harness, prompt, root, {"prompt": "Please chart the harbor."})
    for event in guards_of(harness):
        assert run(harness, event, root, CALLS[event]) in ("", "{}")
    assert not (root / MARK).exists()
    event, given = ANSWER[harness]
    assert event == answered
    run(harness, event, root, given)

    run(harness, prompt, root, {"prompt": prose(1, 600)})
    assert (root / MARK).is_dir()
    for event in guards_of(harness):
        said = run(harness, event, root, CALLS[event])
        assert '"deny"' in said and "The gate is closed" in said
    run(harness, compaction, root, {"trigger": "auto"})

    gate = Gatekeeper(root)
    (job,) = gate.jobs()
    assert [one.kind for one in job.pending] == ["prompt", "answer", "prompt"]
    gate.open_by_hand(job.job, "a test")
    assert not (root / MARK).exists()
    for event in guards_of(harness):
        assert run(harness, event, root, CALLS[event]) in ("", "{}")
    if harness in TURN_ENDS:
        event, key = TURN_ENDS[harness]
        run(harness, event, root, {key: "The harbor chart is drawn."})
    run(harness, end, root, {"reason": "exit"})
    day = next((root / "memory").glob("*.md")).read_text()
    assert "Request: Please chart the harbor." in day
    assert ("Result: The harbor chart is drawn." in day) == (harness in TURN_ENDS)


def test_every_line_of_0_1_0_is_run() -> None:
    for harness in LINES:
        turn = TURN_ENDS.get(harness, ())[:1]
        assert {*EVENTS[harness], *turn, *guards_of(harness)} == set(lines_of(harness))


def left_closed(root: Path, toml: list[int]) -> None:
    gate = root / ".lithify" / "gate"
    denials = str(gate / "20260402-1" / "denied-0-2")
    for name, text in {
        "20260402-1/interactions.jsonl": RECORD,
        "sessions/5b1e-22.json": SESSION_FILE,
        "closed/20260402-1.json": CLOSED_FILE.replace("TOML", json.dumps(toml)).replace(
            '"DENIALS"', json.dumps(denials)
        ),
    }.items():
        (gate / name).parent.mkdir(parents=True, exist_ok=True)
        (gate / name).write_text(text)


@pytest.mark.parametrize("harness", LINES)
def test_gate_that_0_1_0_left_closed_stays_closed(harness: str, root: Path) -> None:
    (root / "lithify.toml").write_text(TOML)
    there = os.stat(root / "lithify.toml")
    left_closed(root, [there.st_mtime_ns, there.st_size])
    for event in guards_of(harness):
        # The agents of some harnesses get the text to summarise with their first denial.
        said = [run(harness, event, root, CALLS[event]) for _ in range(2)]
        assert all('"deny"' in one for one in said) and "As 0.1.0 wrote it." in said[1]


def test_logs_that_0_1_0_left_are_sound_and_can_be_summarised(root: Path) -> None:
    (root / "lithify.toml").write_text(TOML)
    left_closed(root, [0, 0])
    assert Memory.open(root).check() == ()
    said = run("claude", "PreToolUse", root, CALLS["PreToolUse"])
    assert '"deny"' in said and "of job 20260402-1 (about 13 tokens)" in said
    done = Gatekeeper(root).submit("20260402-1", "### State\nSurvey of pier and quay asked for.")
    assert not hasattr(done, "violations")
    assert run("claude", "PreToolUse", root, CALLS["PreToolUse"]) == ""


def test_init_removes_the_lines_of_0_1_0(root: Path) -> None:
    settings = root / ".claude" / "settings.json"
    settings.parent.mkdir()
    theirs = {"type": "command", "command": "echo theirs"}
    hooks = {
        event: [{"hooks": [theirs, {"type": "command", "command": line}]}]
        for event, line in lines_of("claude").items()
    }
    settings.write_text(json.dumps({"hooks": hooks}))
    done = CliRunner().invoke(lithify, ["init", str(root), "--claude-code", "--remove"])
    assert done.exit_code == 0
    left = json.loads(settings.read_text())["hooks"]
    assert left == {event: [{"hooks": [theirs]}] for event in hooks}
