"""What real clients sent to hooks, run through the installed command lines of a root."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import commands
from lithify.gate import files
from lithify.gate.gatekeeper import Gatekeeper
from lithify.hooks import install
from lithify.hooks.clients import NAMES, client_of
from lithify.hooks.install import hook_command
from test_gate_core import prose

FIXTURES = Path(__file__).parent / "fixtures" / "harnesses"
#: The clients that call a command.
CALLERS = tuple(name for name in NAMES if name != "opencode")
#: The order of one session; a `*` event comes from a subagent.
SESSION = {
    "claude": """SessionStart UserPromptSubmit PreToolUse PreToolUse.subagent PostToolUse.mcp
        UserPromptSubmit.notification PreCompact Stop SessionEnd""",
    "codex": """SessionStart UserPromptSubmit PreToolUse UserPromptSubmit.subagent
        PreToolUse.subagent PostToolUse.mcp PreCompact Stop SessionEnd""",
    "gemini": """SessionStart BeforeAgent PreCompress BeforeTool AfterTool.mcp AfterAgent
        SessionEnd""",
    "copilot": """sessionStart userPromptSubmitted preToolUse userPromptSubmitted.subagent
        preToolUse.subagent agentStop.subagent postToolUse.mcp preCompact agentStop sessionEnd""",
    "cursor": """sessionStart beforeSubmitPrompt preToolUse beforeShellExecution beforeMCPExecution
        beforeReadFile subagentStart postToolUse.mcp preCompact afterAgentResponse sessionEnd""",
}
PROMPT = "Please chart the harbor."


def recorded(client: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FIXTURES / client / f"{name}.json").read_text("utf-8"))
    return found


def fire(client: str, name: str, root: Path, **changed: Any) -> str:
    """Sends a recorded event to the installed command line."""
    sent = {**recorded(client, name), "cwd": str(root), **changed}
    if "transcriptPath" in sent:
        sent["transcriptPath"] = str(FIXTURES / client / "events.jsonl")
    event = name.split(".")[0]
    line = hook_command(str(root), commands.python(), event, client=client)
    done = subprocess.run(
        ["sh", "-c", line], input=json.dumps(sent), capture_output=True, text=True, cwd="/"
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "lithify.toml").write_text('zone = "UTC"\ngate.enabled = true\n')
    (tmp_path / "WISDOM.md").write_text("# Agent - Wisdom\n\n**Tide first**\nAsk before noon.\n")
    return tmp_path


@pytest.mark.parametrize("client", CALLERS)
def test_every_installed_event_has_a_recording(client: str) -> None:
    names = SESSION[client].split()
    assert {f"{name}.json" for name in names} == {
        path.name for path in (FIXTURES / client).glob("*.json")
    }
    installed = client_of(client).entries(lambda event: event, "hold")
    assert installed.keys() <= {name.split(".")[0] for name in names}


@pytest.mark.parametrize("client", CALLERS)
def test_recorded_session_is_one_job_with_the_persons_words_alone(client: str, root: Path) -> None:
    said = {name: fire(client, name, root) for name in SESSION[client].split()}
    assert "Tide first" in next(iter(said.values()))
    (job,) = files.jobs(root)
    assert [one.text for one in Gatekeeper(root).state(job).pending] == [PROMPT]
    known = [files.session_facts(str(root), one.id) for one in Gatekeeper(root).sessions()]
    assert [one["last"] for one in known] == ["The harbor is charted."]
    day = next((root / "memory").glob("*.md")).read_text()
    assert f"Request: {PROMPT}" in day and "The harbor is charted." in day
    assert "subagent" not in day and "notification" not in day


@pytest.mark.parametrize("client", ["claude", "codex", "copilot"])
def test_recorded_subagent_is_denied_at_its_parents_gate(client: str, root: Path) -> None:
    prompt, tool = ("userPromptSubmitted", "preToolUse") if client == "copilot" else (None, None)
    fire(client, prompt or "UserPromptSubmit", root, prompt=prose(1, 600))
    tool = tool or "PreToolUse"
    assert "main session" in fire(client, f"{tool}.subagent", root)
    main = fire(client, tool, root)
    assert "### Current State" in main and "main session" not in main
    # The subagent's denial took nothing from what the main session is told.
    if not client_of(client).hands_over:
        assert prose(1, 600)[:80] in main
    assert len(files.jobs(root)) == 1


def test_compaction_of_claude_code_is_told_in_plain_text(root: Path) -> None:
    fire("claude", "UserPromptSubmit", root)
    said = fire("claude", "PreCompact", root)
    # Claude Code adds all of the output to the instructions for the summary.
    assert said.startswith("lithify: job ") and "{" not in said


def test_gemini_is_told_nothing_before_every_request_and_gets_no_angle_brackets(
    root: Path,
) -> None:
    assert fire("gemini", "PreCompress", root) == "{}\n"
    assert "PreCompress" not in client_of("gemini").entries(lambda event: event, "hold")
    long = prose(1, 600)
    assert json.loads(fire("gemini", "BeforeAgent", root, prompt=long)) == {}
    started = json.loads(fire("gemini", "SessionStart", root))
    context = started["hookSpecificOutput"]["additionalContext"]
    assert "The gate is closed" in context and "<" not in context and ">" not in context
    denied = json.loads(fire("gemini", "BeforeTool", root))["reason"]
    assert long[:80] in denied and "<<'SUMMARY'" in denied


@pytest.mark.parametrize("client", ["gemini", "copilot", "cursor"])
def test_each_session_gets_the_text_with_its_own_first_denial(client: str, root: Path) -> None:
    prompt = {"gemini": "BeforeAgent", "copilot": "userPromptSubmitted"}
    start = {"gemini": "SessionStart"}.get(client, "sessionStart")
    guard = {"gemini": "BeforeTool"}.get(client, "preToolUse")
    long = prose(1, 600)
    fire(client, prompt.get(client, "beforeSubmitPrompt"), root, prompt=long)
    assert long[:80] in fire(client, guard, root)
    assert long[:80] not in fire(client, guard, root)
    # A session that goes on has lost the text.
    fire(client, start, root)
    assert long[:80] in fire(client, guard, root)


def test_origins_inside_structured_results_taint_the_session(root: Path) -> None:
    fire("claude", "UserPromptSubmit", root)
    shown = {"passages": [{"text": "x", "origin": "web"}, {"text": "y", "origin": "import:notes"}]}
    fire("claude", "PostToolUse.mcp", root, tool_response=shown)
    text = {"type": "text", "text": json.dumps({"passages": [{"origin": "mcp:files"}]})}
    fire("claude", "PostToolUse.mcp", root, tool_response=[text])
    (job,) = files.jobs(root)
    records = files.read(root, job, "interactions").records
    found = [one.data["source"] for one in records if one.kind == "taint"]
    assert found == ["import:notes", "web", "mcp:files"]


# OpenCode, whose hooks run inside of it. -----------------------------------------------------------

DRIVER = """
import { readFileSync } from "node:fs"
import { Lithify } from PLUGIN
const read = (name) => JSON.parse(readFileSync(`${FIXTURES}/${name}.json`, "utf8"))
const client = {
  app: { agents: async () => ({ data: read("app.agents") }) },
  session: {
    get: async () => ({ data: {} }),
    messages: async () => ({ data: read("session.messages") }),
  },
}
const plugin = await Lithify({ client, directory: "/" })
const out = []
for (const [name, changed] of STEPS) {
  if (name === "dispose") { await plugin.dispose(); continue }
  const one = read(name)
  if (name.startsWith("event.")) { await plugin.event({ event: one }); continue }
  if (changed) one.output.parts[0].text = changed
  try {
    await plugin[name.replace(/\\.(subagent|mcp|title)$/, "")](one.input, one.output)
    out.push(JSON.stringify(one.output))
  } catch (error) {
    out.push(error.message)
  }
}
console.log(JSON.stringify(out))
"""


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_recorded_session_of_opencode(root: Path, tmp_path: Path) -> None:
    plugin = tmp_path / "lithify.js"
    install.install(client_of("opencode"), str(plugin), str(root), sys.executable, "hold")
    module = tmp_path / "lithify.mjs"
    module.write_text(plugin.read_text())

    def drive(*steps: tuple[str, str] | str) -> list[str]:
        code = DRIVER.replace("PLUGIN", json.dumps(str(module)))
        code = code.replace("${FIXTURES}", str(FIXTURES / "opencode"))
        given = [(step, "") if isinstance(step, str) else step for step in steps]
        script = tmp_path / "drive.mjs"
        script.write_text(code.replace("STEPS", json.dumps(given)))
        done = subprocess.run(["node", str(script)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found: list[str] = json.loads(done.stdout)
        return found

    begin = ("event.session.created", "chat.message", "event.session.created.subagent")
    said = drive(
        *begin,
        "experimental.chat.system.transform.title",
        "experimental.chat.system.transform",
        "chat.message.subagent",
        "tool.execute.before",
        "tool.execute.after.mcp",
        "experimental.session.compacting",
        "event.session.idle",
        "dispose",
    )
    assert "Tide first" not in said[1] and "Tide first" in said[2]
    assert "no summary yet" in said[-1]
    (job,) = files.jobs(root)
    assert [one.text.strip() for one in Gatekeeper(root).state(job).pending] == [PROMPT]
    day = next((root / "memory").glob("*.md")).read_text()
    assert f"Request: {PROMPT}" in day and "The harbor is charted." in day

    long = prose(1, 600)
    denied = drive(
        *(begin[0], ("chat.message", long), begin[2]),
        *("tool.execute.before.subagent", "tool.execute.before", "tool.execute.before"),
    )
    assert "main session" in denied[1]
    assert long[:80] in denied[2] and long[:80] not in denied[3]
