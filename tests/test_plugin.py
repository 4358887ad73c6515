"""The plugin for Claude Code: whole, found, and never a lockout."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lithify.gate.gatekeeper import Gatekeeper
from lithify.hooks.clients import EVENTS, client_of
from lithify.hooks.guard import SUBMIT_TOOLS
from lithify.hooks.install import entries_of
from test_gate_core import prose
from test_gate_session import PLUGIN, Harness, plugin_env

REPO = PLUGIN.parent.parent
SHELLS = [shell for shell in ("sh", "dash", "bash", "zsh") if shutil.which(shell)]


def hooks() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PLUGIN / "hooks" / "hooks.json").read_text())["hooks"]
    return found


def fire(event: str, env: dict[str, str], shell: str = "sh", **given: Any) -> dict[str, Any]:
    line = hooks()[event][0]["hooks"][0]["command"]
    sent = json.dumps({"session_id": "a", "cwd": "/", "hook_event_name": event, **given})
    done = subprocess.run([shell, "-c", line], input=sent, capture_output=True, text=True, env=env)
    assert done.returncode == 0, done
    answer: dict[str, Any] = json.loads(done.stdout or "{}")
    return answer


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "a root"
    made.mkdir()
    (made / "lithify.toml").write_text('zone = "UTC"\n[gate]\nenabled = true\n')
    return made


def test_marketplace_leads_to_the_plugin() -> None:
    market = json.loads((REPO / ".claude-plugin" / "marketplace.json").read_text())
    assert market["name"] and market["owner"]["name"]
    (listed,) = market["plugins"]
    assert (REPO / listed["source"]).resolve() == PLUGIN
    manifest = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text())
    assert manifest["name"] == listed["name"] == "lithify"
    assert manifest["author"]["name"] == market["owner"]["name"]
    version = re.search(r'^version = "(.+)"', (REPO / "pyproject.toml").read_text(), re.MULTILINE)
    assert version and manifest["version"] == version[1]


def test_its_server_is_the_one_a_closed_gate_admits() -> None:
    servers = json.loads((PLUGIN / ".mcp.json").read_text())["mcpServers"]
    ((name, server),) = servers.items()
    assert server["args"][-1] == "${CLAUDE_PLUGIN_ROOT}/hooks/event.sh"
    assert f"mcp__plugin_lithify_{name}__submit_summary" in SUBMIT_TOOLS


def test_its_server_is_started_by_the_program_that_the_hooks_find(
    root: Path, tmp_path: Path
) -> None:
    server = json.loads((PLUGIN / ".mcp.json").read_text())["mcpServers"]["lithify"]
    words = [word.replace("${CLAUDE_PLUGIN_ROOT}", str(PLUGIN)) for word in server["args"]]
    env = {**plugin_env(tmp_path, root), "PATH": "/usr/bin:/bin"}
    gone = subprocess.run([server["command"], *words], env=env, capture_output=True, text=True)
    assert gone.returncode == 1 and "pipx install" in gone.stderr and not gone.stdout
    local = tmp_path / "home" / ".local" / "bin"
    local.mkdir(parents=True)
    (local / "lithify").write_text('#!/bin/sh\necho "$0" "$@"\n')
    (local / "lithify").chmod(0o755)
    done = subprocess.run([server["command"], *words], env=env, capture_output=True, text=True)
    assert done.stdout == f"{local / 'lithify'} mcp --as agent\n"


def test_its_hooks_are_those_that_init_writes() -> None:
    """The same events, matchers, timeouts and failures; only the lines differ."""

    def bare(entries: Any) -> Any:
        return {
            event: [
                {**one, "hooks": [{**hook, "command": ""} for hook in one["hooks"]]}
                for one in groups
            ]
            for event, groups in entries.items()
        }

    assert bare(hooks()) == bare(entries_of(client_of("claude"), "/r", "/p", "hold"))
    assert set(hooks()) <= set(EVENTS)
    for event, (group,) in hooks().items():
        (hook,) = group["hooks"]
        assert hook["command"].startswith(f"event={event}; ")
        assert hook["onFailure"] == ("block" if event == "PreToolUse" else "continue")
    assert "matcher" not in hooks()["SessionStart"][0], "every source, fork and compact too"
    after = re.compile(hooks()["PostToolUse"][0]["matcher"])
    assert after.search("AskUserQuestion") and after.search("mcp__files__read")
    assert not after.search("Read") and not after.search("Bash")


def test_skill_and_commands_have_what_a_harness_asks_of_them() -> None:
    skill = (PLUGIN / "skills" / "lithify-memory" / "SKILL.md").read_text()
    assert skill.startswith("---\nname: lithify-memory\ndescription: ")
    for command in (PLUGIN / "commands").glob("*.md"):
        assert command.read_text().startswith("---\ndescription: ")


@pytest.mark.parametrize("shell", SHELLS)
def test_any_posix_shell_runs_it(shell: str, root: Path, tmp_path: Path) -> None:
    env = plugin_env(tmp_path, root)
    assert fire("PreToolUse", env, shell, tool_name="Read", tool_input={}) == {}
    said = fire("UserPromptSubmit", env, shell, prompt=prose(1, 600))
    assert "The gate is closed" in said["hookSpecificOutput"]["additionalContext"]
    deny = fire("PreToolUse", env, shell, tool_name="Read", tool_input={})
    assert deny["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_without_lithify_nothing_is_locked_and_the_start_says_so(
    root: Path, tmp_path: Path
) -> None:
    env = {**plugin_env(tmp_path, root), "PATH": "/usr/bin:/bin"}
    Gatekeeper(root).record("a", "prompt", prose(1, 600))
    assert "pipx install" in fire("SessionStart", env, source="startup")["systemMessage"]
    passed = fire("PreToolUse", env, tool_name="Read", tool_input={})
    assert "hookSpecificOutput" not in passed and "lets calls pass" in passed["systemMessage"]
    for event in ("UserPromptSubmit", "PostToolUse", "PreCompact", "Stop", "SessionEnd"):
        assert fire(event, env, prompt="x") == {}
    # Wherever the session is, the person who switched the plugin on is told.
    elsewhere = {**env, "CLAUDE_PROJECT_DIR": str(tmp_path)}
    assert "pipx install" in fire("SessionStart", elsewhere, source="startup")["systemMessage"]


def test_lithify_is_found_beside_a_short_path_and_behind_a_shim(root: Path, tmp_path: Path) -> None:
    env = plugin_env(tmp_path, root)
    local = tmp_path / "home" / ".local" / "bin"
    local.mkdir(parents=True)
    (tmp_path / "bin" / "lithify").rename(local / "lithify")
    env["PATH"] = "/usr/bin:/bin"
    fire("UserPromptSubmit", env, prompt="Hello.")
    (job,) = [state.job for state in Gatekeeper(root).jobs()]
    # A shim is a shell script: the command itself answers then.
    shim = tmp_path / "bin" / "lithify"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lithify.cli "$@"\n')
    shim.chmod(0o755)
    fire("UserPromptSubmit", {**env, "PATH": f"{shim.parent}:/usr/bin:/bin"}, prompt="Once more.")
    texts = [one.text for one in Gatekeeper(root).state(job).pending]
    assert texts == ["Hello.", "Once more."]


@pytest.mark.parametrize("program", ["exit 1", "exit 2", "exit 127"])
def test_broken_install_says_so_and_passes(program: str, root: Path, tmp_path: Path) -> None:
    env = plugin_env(tmp_path, root)
    (tmp_path / "bin" / "lithify").write_text(f"#!/bin/sh\n{program}\n")
    Gatekeeper(root).record("a", "prompt", prose(1, 600))
    for event in ("PreToolUse", "UserPromptSubmit"):
        said = fire(event, env, tool_name="Read", prompt="x")
        assert "doctor" in said["systemMessage"] and "hookSpecificOutput" not in said


def test_killed_guard_is_left_to_on_failure(root: Path, tmp_path: Path) -> None:
    env = plugin_env(tmp_path, root)
    (tmp_path / "bin" / "lithify").write_text("#!/bin/sh\nkill -9 $$\n")
    Gatekeeper(root).record("a", "prompt", prose(1, 600))
    line = hooks()["PreToolUse"][0]["hooks"][0]["command"]
    done = subprocess.run(["sh", "-c", line], input=b"{}", capture_output=True, env=env)
    assert done.returncode == 3


@pytest.mark.parametrize("shell", SHELLS)
def test_files_that_an_update_took_away_block_nothing(
    shell: str, root: Path, tmp_path: Path
) -> None:
    env = {**plugin_env(tmp_path, root), "CLAUDE_PLUGIN_ROOT": str(tmp_path / "old")}
    for event in hooks():
        said = fire(event, env, shell, tool_name="Read", prompt="x")
        assert "start a new session" in said["systemMessage"]


def test_project_that_is_no_root_is_left_alone(tmp_path: Path) -> None:
    project = tmp_path / "somebody's"
    (project / "memory").mkdir(parents=True)
    env = plugin_env(tmp_path, project)
    for event in hooks():
        assert fire(event, env, tool_name="Read", prompt="Hello.", source="startup") == {}
    assert sorted(p.name for p in project.rglob("*")) == ["memory"]
    missing = {**env, "LITHIFY_ROOT": str(tmp_path / "missing")}
    assert "LITHIFY_ROOT" in fire("SessionStart", missing, source="startup")["systemMessage"]


def test_one_root_can_serve_every_project(root: Path, tmp_path: Path) -> None:
    env = {**plugin_env(tmp_path, tmp_path / "project"), "LITHIFY_ROOT": str(root)}
    fire("UserPromptSubmit", env, prompt=prose(1, 600))
    deny = fire("PreToolUse", env, tool_name="Write", tool_input={})
    assert deny["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_nothing_is_written_into_the_plugin(root: Path, tmp_path: Path) -> None:
    copy = tmp_path / "plugin"
    shutil.copytree(PLUGIN, copy)
    before = sorted(p.relative_to(copy) for p in copy.rglob("*"))
    harness = Harness(root, env={**plugin_env(tmp_path, root), "CLAUDE_PLUGIN_ROOT": str(copy)})
    harness.fire("SessionStart", source="startup")
    harness.prompt(prose(1, 600))
    harness.denied()
    harness.accepted(1)
    harness.fire("SessionEnd", reason="exit")
    assert sorted(p.relative_to(copy) for p in copy.rglob("*")) == before
    assert (root / ".lithify" / "gate").is_dir()


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact", "fork"])
def test_every_source_of_a_session_gets_what_is_known(
    source: str, root: Path, tmp_path: Path
) -> None:
    (root / "WISDOM.md").write_text("# Agent - Wisdom\n\n**Tide first**\nAsk before noon.\n")
    (root / "memory").mkdir()
    (root / "memory" / "2026-01-05.md").write_text("- 09:00 Decision: keep the north pier.\n")
    said = fire("SessionStart", plugin_env(tmp_path, root), source=source)
    text = said["hookSpecificOutput"]["additionalContext"]
    assert "Tide first" in text and "behind" in text and len(text) <= 10_000
