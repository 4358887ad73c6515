"""Every harness over the same core: events in its own form, answers in its own form."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import commands
from lithify.gate import files
from lithify.gate.gatekeeper import Gatekeeper
from lithify.hooks import install
from lithify.hooks.agent_sdk import hooks
from lithify.hooks.clients import NAMES, client_of
from lithify.hooks.doctor import denial_in, trial_call
from lithify.hooks.install import hook_command
from test_gate_core import good, prose

SESSION = "5b1e-22"
#: The person's prompt, a question with its answer, the end of a turn and of the session.
PROMPT: dict[str, tuple[str, str]] = {
    "claude": ("UserPromptSubmit", "prompt"),
    "codex": ("UserPromptSubmit", "prompt"),
    "gemini": ("BeforeAgent", "prompt"),
    "cursor": ("beforeSubmitPrompt", "prompt"),
    "copilot": ("userPromptSubmitted", "prompt"),
    "opencode": ("UserPromptSubmit", "prompt"),
}
ANSWER: dict[str, tuple[str, dict[str, Any]]] = {
    "claude": (
        "PostToolUse",
        {
            "tool_name": "AskUserQuestion",
            "tool_input": {"questions": [{"question": "Which pier?"}]},
            "tool_response": {"answers": {"Which pier?": "The north one."}},
        },
    ),
    "codex": (
        "PostToolUse",
        {
            "tool_name": "request_user_input",
            "tool_input": {"questions": [{"id": "q", "question": "Which pier?"}]},
            "tool_response": {"answers": {"Which pier?": "The north one."}},
        },
    ),
    "gemini": (
        "AfterTool",
        {
            "tool_name": "ask_user",
            "tool_input": {"questions": [{"question": "Which pier?"}]},
            "tool_response": {"llmContent": "The north one.", "returnDisplay": "…"},
        },
    ),
    "cursor": (
        "postToolUse",
        {
            "tool_name": "AskQuestion",
            "tool_input": {"questions": [{"question": "Which pier?"}]},
            "tool_output": "The north one.",
        },
    ),
    "copilot": (
        "postToolUse",
        {
            "toolName": "ask_user",
            "toolArgs": '{"question": "Which pier?"}',
            "toolResult": {"resultType": "success", "textResultForLlm": "The north one."},
        },
    ),
    "opencode": (
        "PostToolUse",
        {
            "tool_name": "question",
            "tool_input": {"questions": [{"question": "Which pier?"}]},
            "tool_response": "The north one.",
        },
    ),
}
#: The tool of our own server as each harness calls it.
SUBMIT: dict[str, dict[str, Any]] = {
    "claude": {"tool_name": "mcp__plugin_lithify_lithify__submit_summary"},
    "codex": {"tool_name": "mcp__lithify__submit_summary"},
    "gemini": {
        "tool_name": "mcp_lithify_submit_summary",
        "mcp_context": {"server_name": "lithify", "tool_name": "submit_summary"},
    },
    "cursor": {"tool_name": "MCP:submit_summary"},
    "copilot": {"toolName": "lithify-submit_summary"},
    "opencode": {"tool_name": "lithify_submit_summary"},
}
#: Another server's tool of that name.
FOREIGN: dict[str, dict[str, Any]] = {
    "claude": {"tool_name": "mcp__evil__submit_summary"},
    "codex": {"tool_name": "mcp__evil__submit_summary"},
    "gemini": {
        "tool_name": "mcp_evil_submit_summary",
        "mcp_context": {"server_name": "evil", "tool_name": "submit_summary"},
    },
    "cursor": {"tool_name": "MCP:other"},
    "copilot": {"toolName": "evil-submit_summary"},
    "opencode": {"tool_name": "evil_submit_summary"},
}
START = {"cursor": "sessionStart", "copilot": "sessionStart"}
END = {"cursor": "sessionEnd", "copilot": "sessionEnd"}
#: Gemini has no such event: its PreCompress comes before every request to the model.
COMPACT = {"gemini": "", "cursor": "preCompact", "copilot": "preCompact"}


@dataclass
class Harness:
    """One harness at one root, each event a process as its settings have it."""

    name: str
    root: Path
    said: list[str] = field(default_factory=list)

    def fire(self, event: str, given: dict[str, Any]) -> str:
        who = {"cursor": "conversation_id", "copilot": "sessionId"}.get(self.name, "session_id")
        sent = {who: SESSION, "cwd": str(self.root), "hook_event_name": event, **given}
        line = hook_command(str(self.root), commands.python(), event, client=self.name)
        done = subprocess.run(
            ["sh", "-c", line], input=json.dumps(sent), capture_output=True, text=True, cwd="/"
        )
        assert (done.returncode, done.stderr) == (0, "")
        # Claude Code takes what is said before a compaction as text.
        if done.stdout and (self.name, event) != ("claude", "PreCompact"):
            json.loads(done.stdout)
        self.said.append(done.stdout)
        return done.stdout

    def tool(self, command: str | None = None, **more: Any) -> str:
        sent = {**trial_call(client_of(self.name), str(self.root), command, SESSION), **more}
        harness = client_of(self.name)
        return denial_in(harness, self.fire(harness.guard, sent))

    def submit_tool(self, named: dict[str, Any], job: str) -> str:
        key = "toolArgs" if self.name == "copilot" else "tool_input"
        return self.tool(**{**named, key: {"job": job, "text": "x"}})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "it's a root"
    made.mkdir()
    (made / "lithify.toml").write_text('zone = "UTC"\n[gate]\nenabled = true\n')
    (made / "WISDOM.md").write_text("# Agent - Wisdom\n\n**Tide first**\nAsk before noon.\n")
    return made


@pytest.mark.parametrize("name", NAMES)
def test_harness_records_closes_denies_admits_and_opens(name: str, root: Path) -> None:
    harness = Harness(name, root)
    gate = Gatekeeper(root)
    started = harness.fire(START.get(name, "SessionStart"), {"source": "startup"})
    assert "Tide first" in started
    assert harness.tool() == ""
    event, key = PROMPT[name]
    harness.fire(event, {key: "Please chart the harbor."})
    harness.fire(*ANSWER[name])
    (job,) = files.jobs(root)
    pending = gate.state(job).pending
    assert [(one.kind, one.text) for one in pending] == [
        ("prompt", "Please chart the harbor."),
        ("answer", "Q: Which pier?\nA: The north one."),
    ]
    assert harness.tool() == ""

    long = prose(1, 600)
    told = harness.fire(event, {key: long})
    reason = harness.tool()
    assert f"of job {job}" in reason and "### Current State" in reason
    # The text to summarise reaches the agent with the prompt's answer, or with the first denial.
    assert long[:80] in (told if client_of(name).hands_over else reason)
    assert len(reason) <= 10_000
    assert long[:80] not in harness.tool()
    escape = f"lithify gate submit --job {job} <<'EOF'\nx\nEOF"
    assert harness.tool(escape) == ""
    assert harness.tool(f"{escape}; ls")
    assert harness.tool("ls")
    assert harness.submit_tool(SUBMIT[name], job) == ""
    assert harness.submit_tool(SUBMIT[name], "another")
    assert harness.submit_tool(FOREIGN[name], job)

    assert not hasattr(gate.submit(job, good(1)), "violations")
    assert harness.tool() == ""
    if compaction := COMPACT.get(name, "PreCompact"):
        harness.fire(compaction, {"trigger": "auto"})
    harness.fire(event, {key: "Now chart the river too."})
    harness.fire(END.get(name, "SessionEnd"), {"reason": "exit"})
    day = next((root / "memory").glob("*.md")).read_text()
    assert day.endswith(" Request: Now chart the river too.\n")
    for said in harness.said:
        # Never an allow of our own: it would answer what is the person's to answer.
        assert '"allow"' not in said


@pytest.mark.parametrize("name", ["gemini", "cursor"])
def test_output_is_json_alone_even_where_there_is_nothing_to_say(name: str, root: Path) -> None:
    harness = Harness(name, root)
    harness.tool()
    harness.fire(PROMPT[name][0], {PROMPT[name][1]: "Hello."})
    assert all(isinstance(json.loads(said), dict) for said in harness.said)


@pytest.mark.parametrize("name", ["claude", "codex", "cursor", "opencode"])
def test_subagent_cannot_pass_whatever_its_harness_calls_it(name: str, root: Path) -> None:
    harness = Harness(name, root)
    harness.fire(PROMPT[name][0], {PROMPT[name][1]: prose(1, 600)})
    (job,) = files.jobs(root)
    sub = {"agent_id": "sub-1", "agent_type": "explore"}
    if name == "cursor":
        sub = {"conversation_id": "sub-1", "parent_conversation_id": SESSION}
    escape = f"lithify gate submit --job {job} <<'EOF'\nx\nEOF"
    assert "main session" in harness.tool(**sub)
    assert "main session" in harness.tool(escape, **sub)
    # A type alone, which a main session can carry too, makes nobody a subagent.
    assert harness.tool(escape, agent_type="explore") == ""


def test_codex_answers_have_only_fields_it_knows(root: Path) -> None:
    harness = Harness("codex", root)
    harness.fire("SessionStart", {"source": "startup"})
    harness.fire("UserPromptSubmit", {"prompt": prose(1, 600), "turn_id": "t", "model": "m"})
    harness.tool(turn_id="t", model="m")
    harness.fire("PreCompact", {"trigger": "auto"})
    for said in filter(None, harness.said):
        answer = json.loads(said)
        assert answer.keys() <= {"systemMessage", "hookSpecificOutput"}
        inner = answer.get("hookSpecificOutput", {"hookEventName": "x"})
        assert inner.keys() - {"additionalContext"} in (
            {"hookEventName"},
            {"hookEventName", "permissionDecision", "permissionDecisionReason"},
        )


def test_cursor_stops_each_of_its_events_before_a_tool(root: Path) -> None:
    harness = Harness("cursor", root)
    harness.fire("beforeSubmitPrompt", {"prompt": prose(1, 600)})
    (job,) = files.jobs(root)
    escape = f"lithify gate submit --job {job} <<'EOF'\nx\nEOF"

    def said(event: str, **given: Any) -> str:
        return denial_in(client_of("cursor"), harness.fire(event, given))

    assert said("beforeShellExecution", command="ls")
    assert said("beforeReadFile", file_path="a", content="b")
    assert said("subagentStart", subagent_type="explore", task="x")
    assert said("beforeShellExecution", command=escape) == ""
    ours = {"tool_name": "submit_summary", "tool_input": json.dumps({"job": job})}
    assert said("beforeMCPExecution", **ours, command="/opt/bin/lithify mcp") == ""
    assert said("beforeMCPExecution", **ours, command="/opt/evil/server lithify")
    assert said("beforeMCPExecution", **ours, url="https://example.com/lithify mcp")


def test_what_a_session_reads_of_strangers_is_noted(root: Path) -> None:
    harness = Harness("gemini", root)
    harness.fire("BeforeAgent", {"prompt": "Hello."})
    harness.fire("AfterTool", {"tool_name": "web_fetch", "tool_response": {"llmContent": "x"}})
    server = {"server_name": "files", "tool_name": "read"}
    harness.fire("AfterTool", {"tool_name": "mcp_files_read", "mcp_context": server})
    mine = {"tool_name": "mcp__lithify__recall", "tool_response": {"llmContent": "nothing"}}
    harness.fire("AfterTool", mine)
    (job,) = files.jobs(root)

    def taints() -> list[str]:
        records = files.read(root, job, "interactions").records
        return [one.data["source"] for one in records if one.kind == "taint"]

    assert taints() == ["web", "mcp:files"]
    # Our own tools pass on what strangers wrote, with their name on it.
    shown = "[[data 12 origin=import:notes label=x]]\ntext\n[[end 12]]"
    harness.fire("AfterTool", {**mine, "tool_response": {"llmContent": shown}})
    assert taints() == ["web", "mcp:files", "import:notes"]


def test_same_prompt_told_by_two_hooks_is_recorded_once(root: Path) -> None:
    harness = Harness("claude", root)
    for text in ("Go on.", "Go on.", "Stop.", "Go on."):
        harness.fire("UserPromptSubmit", {"prompt": text})
    (job,) = files.jobs(root)
    assert [one.text for one in Gatekeeper(root).state(job).pending] == [
        "Go on.",
        "Stop.",
        "Go on.",
    ]


def test_event_belongs_to_the_nearest_root_that_was_made_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lithify.hooks.events import root_of

    monkeypatch.delenv("LITHIFY_ROOT", raising=False)
    inner = tmp_path / "a" / "b"
    (inner / "memory").mkdir(parents=True)
    # A memory/ alone may be anybody's.
    assert root_of(str(inner)) == ""
    (tmp_path / "lithify.toml").touch()
    assert root_of(str(inner)) == str(tmp_path)
    monkeypatch.setenv("LITHIFY_ROOT", str(inner))
    assert root_of("/") == str(inner)
    monkeypatch.setenv("LITHIFY_ROOT", str(tmp_path / "missing"))
    assert root_of(str(inner)) == ""


# OpenCode. ---------------------------------------------------------------------------------------

DRIVER = """
import { Lithify } from PLUGIN
const parents = { child: "main" }
const toasts = []
const client = {
  session: { get: async ({ path }) => ({ data: { parentID: parents[path.id] } }) },
  tui: { showToast: async ({ body }) => toasts.push(body.message) },
}
const plugin = await Lithify({ client, directory: DIRECTORY })
const parts = (text) => ({ parts: [{ type: "text", text }, { type: "text", text: "no", synthetic: true }] })
const out = []
const tool = async (session, tool, args) => {
  try {
    await plugin["tool.execute.before"]({ tool, sessionID: session, callID: "1" }, { args })
    out.push("passed")
  } catch (error) {
    out.push(error.message)
  }
}
for (const step of STEPS) {
  if (step[0] === "say") await plugin["chat.message"]({ sessionID: step[1] }, parts(step[2]))
  if (step[0] === "tool") await tool(step[1], step[2], step[3])
  if (step[0] === "asked") {
    const input = { tool: "question", sessionID: step[1], args: { questions: [{ question: step[2] }] } }
    await plugin["tool.execute.after"](input, { output: step[3] })
  }
  if (step[0] === "system") {
    const output = { system: [] }
    await plugin["experimental.chat.system.transform"]({ sessionID: step[1] }, output)
    out.push(output.system.join("\\n"))
  }
  if (step[0] === "compact") {
    const output = { context: [] }
    await plugin["experimental.session.compacting"]({ sessionID: step[1] }, output)
    out.push(output.context.join("\\n"))
  }
  if (step[0] === "end") {
    await plugin.event({ event: { type: "session.deleted", properties: { info: { id: step[1] } } } })
  }
}
console.log(JSON.stringify({ out, toasts }))
"""


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_plugin_of_opencode_throws_while_the_gate_is_closed(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "project" / ".opencode" / "plugins"
    folder.mkdir(parents=True)
    plugin = folder / "lithify.js"
    harness = client_of("opencode")
    assert install.install(harness, str(plugin), str(root), sys.executable, "hold").changed
    # Node reads a .js file as a module by its name; OpenCode's own runtime needs no such help.
    module = tmp_path / "lithify.mjs"
    module.write_text(plugin.read_text())

    def drive(*steps: Any) -> dict[str, Any]:
        script = tmp_path / "drive.mjs"
        code = DRIVER.replace("PLUGIN", json.dumps(str(module)))
        code = code.replace("DIRECTORY", json.dumps(str(root)))
        script.write_text(code.replace("STEPS", json.dumps(steps)))
        done = subprocess.run(["node", str(script)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    long = prose(1, 600)
    first = drive(
        ["tool", "main", "read", {}],
        ["say", "main", "Please chart the harbor."],
        ["system", "main"],
        ["say", "child", "The parent's own words."],
        ["asked", "main", "Which pier?", "The north one."],
        ["say", "main", long],
        ["tool", "main", "read", {"filePath": "x"}],
        ["tool", "child", "bash", {"command": "ls"}],
    )["out"]
    (job,) = files.jobs(root)
    texts = [one.text for one in Gatekeeper(root).state(job).pending]
    assert texts == ["Please chart the harbor.", "Q: Which pier?\nA: The north one.", long]
    assert first[0] == "passed" and "Tide first" in first[1]
    assert long[:80] in first[2] and "### Current State" in first[2]
    assert "main session" in first[3]
    escape = {"command": f"lithify gate submit --job {job} <<'EOF'\nx\nEOF"}
    second = drive(
        ["tool", "main", "bash", escape],
        ["tool", "main", "lithify_submit_summary", {"job": job}],
        ["tool", "main", "task", {"prompt": "x"}],
        ["tool", "child", "bash", escape],
    )["out"]
    assert second[:2] == ["passed", "passed"]
    assert "gate is closed" in second[2] and "main session" in second[3]
    assert not hasattr(Gatekeeper(root).submit(job, good(1)), "violations")
    last = drive(
        ["tool", "main", "read", {}],
        ["compact", "main"],
        ["say", "main", "Now chart the river too."],
        ["end", "main"],
    )["out"]
    assert last[0] == "passed" and "holds 1 summary," in last[1]
    assert "Request: Now chart the river too." in next((root / "memory").glob("*.md")).read_text()


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
@pytest.mark.parametrize(("program", "passes"), [("missing", True), ("killed", False)])
def test_plugin_of_opencode_says_when_python_is_gone(
    program: str, passes: bool, root: Path, tmp_path: Path
) -> None:
    (root / ".lithify" / "gate" / "closed").mkdir(parents=True)
    python = tmp_path / program
    if program == "killed":
        python.write_text("#!/bin/sh\nkill -9 $$\n")
        python.chmod(0o755)
    module = tmp_path / "lithify.mjs"
    module.write_text(install.program(str(root), str(python)))
    script = tmp_path / "drive.mjs"
    code = DRIVER.replace("PLUGIN", json.dumps(str(module))).replace("DIRECTORY", '"/"')
    script.write_text(code.replace("STEPS", json.dumps([["tool", "main", "read", {}]])))
    done = subprocess.run(["node", str(script)], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert (found["out"] == ["passed"]) == passes
    assert "doctor" in json.dumps(found)


# The Claude Agent SDK. ---------------------------------------------------------------------------


@dataclass
class Matcher:
    """The shape of the SDK's own."""

    matcher: str | None = None
    hooks: list[Any] = field(default_factory=list)
    timeout: float | None = None
    on_failure: str | None = None


def test_callbacks_of_the_agent_sdk(root: Path) -> None:
    made = hooks(root, matcher=Matcher)
    assert set(made) == {"UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop"}
    assert made["PreToolUse"][0].matcher is None and made["PreToolUse"][0].on_failure == "block"

    def fire(event: str, **given: Any) -> dict[str, Any]:
        sent = {"session_id": "s", "cwd": "/", "hook_event_name": event, **given}
        (one,) = made[event]
        (callback,) = one.hooks
        answer: dict[str, Any] = asyncio.run(callback(sent, None, {"signal": None}))
        return answer

    first = fire("UserPromptSubmit", prompt="Please chart the harbor.")
    # There is no callback for the start of a session: its first prompt brings the memory.
    assert "Tide first" in first["hookSpecificOutput"]["additionalContext"]
    assert fire("UserPromptSubmit", prompt="And the pier.") == {}
    assert fire("PreToolUse", tool_name="Read", tool_input={}) == {}
    closing = fire("UserPromptSubmit", prompt=prose(1, 600))
    assert "The gate is closed" in closing["hookSpecificOutput"]["additionalContext"]
    (job,) = files.jobs(root)
    deny = fire("PreToolUse", tool_name="Task", tool_input={})["hookSpecificOutput"]
    assert deny["permissionDecision"] == "deny" and deny["permissionDecisionReason"]
    escape = {"command": f"lithify gate submit --job {job} <<'EOF'\nx\nEOF"}
    assert fire("PreToolUse", tool_name="Bash", tool_input=escape) == {}
    assert fire("PreToolUse", tool_name="Bash", tool_input=escape, agent_id="sub") != {}
    assert "no summary yet" in fire("PreCompact", trigger="auto")["systemMessage"]
    assert fire("Stop", last_assistant_message="Done.") == {}


def test_callbacks_fit_the_real_sdk(root: Path) -> None:
    sdk = pytest.importorskip("claude_agent_sdk", reason="pip install claude-agent-sdk")
    made = hooks(root)
    assert all(isinstance(one, sdk.HookMatcher) for found in made.values() for one in found)
    sdk.ClaudeAgentOptions(hooks=made)


def test_hooks_of_a_missing_root_are_refused(tmp_path: Path) -> None:
    from lithify.errors import UsageError

    with pytest.raises(UsageError, match="lithify init"):
        hooks(tmp_path / "missing", matcher=Matcher)


def test_unknown_harness_and_event_are_refused_in_words(root: Path) -> None:
    def run(*args: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "lithify.cli", "hook", *args, "--root", str(root)]
        return subprocess.run(command, input="{}", capture_output=True, text=True)

    assert run("BeforeTool", "--harness", "gemini").stdout == "{}\n"
    wrong = run("PreToolUse", "--harness", "gemini")
    assert wrong.returncode == 2 and "BeforeTool" in wrong.stderr
    line = run("preToolUse", "--harness", "cursor", "--command").stdout
    assert "--harness cursor" in line and os.fspath(root).replace("'", "'\"'\"'") in line
