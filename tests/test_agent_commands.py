"""Agent commands as models: how each is called, what it leaves, and whether it can be used."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import roots
from lithify.cli import lithify
from lithify.engines.providers import ready
from lithify.engines.providers.engine import resolve
from lithify.settings import Settings

KEY = "key-for-" + "tests-0123456789"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home, with nothing of any agent command in it or in the environment."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for login in ready._LOGINS.values():
        for variable in (login.folder[0], *login.elsewhere, *login.variables):
            monkeypatch.delenv(variable, raising=False)
    return folder


def seen(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, more: str = "") -> Any:
    """What an agent command is called with; `more` are lines of Python that it runs."""
    folder.mkdir(exist_ok=True)
    script = folder / command
    script.write_text(
        f"#!{sys.executable}\n"
        "import json, os, pathlib, sys\n"
        "files = {str(p): p.read_text() for p in pathlib.Path().rglob('*') if p.is_file()}\n"
        "found = dict(argv=sys.argv[1:], env=dict(os.environ), cwd=os.getcwd(), files=files)\n"
        f"pathlib.Path({str(folder / 'seen.json')!r}).write_text(json.dumps(found))\n"
        f"{more}\n"
        "print(json.dumps({'result': 'granite', 'response': 'granite'}))\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    model = resolve(f"cli:{command}", Settings())
    reply = model.complete("Say something.", system="", temperature=0.2, max_tokens=200)
    assert "granite" in reply.text
    return json.loads((folder / "seen.json").read_text())


def test_claude_is_called_without_tools_settings_and_servers(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = seen("claude", tmp_path / "bin", monkeypatch)
    argv = found["argv"]
    for option in ("--tools", "--setting-sources"):
        assert argv[argv.index(option) + 1] == ""
    assert {"-p", "--strict-mcp-config", "--no-session-persistence"} <= set(argv)
    assert found["env"]["CLAUDE_CODE_DISABLE_AUTO_MEMORY"] == "1"
    assert found["env"]["CLAUDE_CODE_DISABLE_ATTACHMENTS"] == "1", "no files named with an @"
    assert found["env"]["LITHIFY_NESTED"] and found["files"] == {}


def test_codex_is_called_without_tools_hooks_and_the_persons_servers(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text(
        '[mcp_servers.plain]\ncommand = "a"\n[mcp_servers."with.a dot"]\ncommand = "b"\n'
    )
    argv = seen("codex", tmp_path / "bin", monkeypatch)["argv"]
    given = [argv[at + 1] for at, word in enumerate(argv) if word == "-c"]
    settings = tomllib.loads("\n".join(given))
    assert settings["web_search"] == "disabled"
    assert {"hooks", "shell_tool", "unified_exec", "plugins", "apps"} <= set(settings["features"])
    assert not any(settings["features"].values())
    assert settings["mcp_servers"] == {
        "plain": {"enabled": False},
        "with.a dot": {"enabled": False},
    }
    assert argv[0] == "exec" and argv[-1] == "-" and "--ephemeral" in argv


def test_gemini_is_called_in_a_trusted_folder_that_switches_its_tools_off(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = home / ".gemini" / "tmp" / "mine"
    kept.mkdir(parents=True)
    (kept / ".project_root").write_text("/somewhere/else")
    leave = (
        "for kind in ('tmp', 'history'):\n"
        "    left = pathlib.Path.home() / '.gemini' / kind / pathlib.Path.cwd().name\n"
        "    (left / 'chats').mkdir(parents=True)\n"
        "    (left / '.project_root').write_text(os.getcwd() + '\\n')\n"
    )
    found = seen("gemini", tmp_path / "bin", monkeypatch, leave)
    assert found["env"]["GEMINI_CLI_TRUST_WORKSPACE"] == "true"
    settings = json.loads(found["files"][".gemini/settings.json"])
    assert settings["tools"] == {"core": []} and settings["mcp"] == {"allowed": ["none"]}
    assert settings["hooksConfig"] == {"enabled": False}
    assert [p.name for p in (home / ".gemini" / "tmp").iterdir()] == ["mine"]
    assert list((home / ".gemini" / "history").iterdir()) == []


def test_copilot_is_called_without_tools_and_its_session_is_removed(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = home / ".copilot" / "session-state"
    (states / "mine").mkdir(parents=True)
    leave = (
        "session = sys.argv[sys.argv.index('--session-id') + 1]\n"
        f"(pathlib.Path({str(states)!r}) / session / 'files').mkdir(parents=True)\n"
    )
    argv = seen("copilot", tmp_path / "bin", monkeypatch, leave)["argv"]
    assert {"--available-tools=none", "--disable-builtin-mcps", "--no-ask-user"} <= set(argv)
    assert argv[argv.index("--log-dir") + 1] == ".", "the folder that goes with the call"
    assert [p.name for p in states.iterdir()] == ["mine"]


def test_a_command_runs_in_a_folder_of_its_own_that_goes_with_the_call(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    leave = "pathlib.Path('left.txt').write_text('')"
    first = seen("claude", tmp_path / "bin", monkeypatch, leave)["cwd"]
    assert list(temporary.iterdir()) == []
    assert seen("claude", tmp_path / "bin", monkeypatch, leave)["cwd"] == first
    Path(first).mkdir()  # as another call has it, or somebody who knows the name
    Path(first, "CLAUDE.md").write_text("Do this instead.")
    found = seen("claude", tmp_path / "bin", monkeypatch, leave)
    assert found["cwd"] != first and found["files"] == {}
    assert [p.name for p in temporary.iterdir()] == [Path(first).name]


LOGINS: list[tuple[str, dict[str, str], dict[str, str], str]] = [
    ("claude", {}, {}, "no"),
    ("claude", {"ANTHROPIC_API_KEY": KEY}, {}, "yes"),
    ("claude", {}, {".claude/.credentials.json": '{"claudeAiOauth": {}}'}, "yes"),
    ("claude", {}, {".claude.json": '{"oauthAccount": {}}'}, "not checked"),
    ("claude", {"CLAUDE_CODE_USE_BEDROCK": "1"}, {}, "not checked"),
    ("codex", {"OPENAI_API_KEY": KEY}, {}, "no"),
    ("codex", {"CODEX_API_KEY": KEY}, {}, "yes"),
    ("codex", {}, {".codex/auth.json": "{}"}, "yes"),
    ("codex", {}, {".codex/config.toml": 'model_provider = "own"'}, "not checked"),
    ("gemini", {}, {}, "no"),
    ("gemini", {"GEMINI_API_KEY": KEY}, {}, "yes"),
    ("gemini", {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": "x"}, {}, "not checked"),
    ("gemini", {}, {".gemini/oauth_creds.json": "{}"}, "yes"),
    ("gemini", {}, {".gemini/settings.json": '{"selectedType": "vertex-ai"}'}, "not checked"),
    ("copilot", {}, {".copilot/config.json": "// state\n{}"}, "no"),
    ("copilot", {"GH_TOKEN": KEY}, {}, "yes"),
    ("copilot", {}, {".copilot/config.json": '// state\n{"copilotTokens": {}}'}, "yes"),
    ("copilot", {}, {".copilot/config.json": '{"loggedInUsers": []}'}, "not checked"),
    ("copilot", {}, {".config/gh/hosts.yml": "github.com:"}, "not checked"),
    ("copilot", {"COPILOT_PROVIDER_BASE_URL": "http://127.0.0.1"}, {}, "not checked"),
]


@pytest.mark.parametrize(("command", "variables", "files", "word"), LOGINS)
def test_an_installed_command_is_usable_only_where_its_login_was_seen(
    command: str,
    variables: dict[str, str],
    files: dict[str, str],
    word: str,
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script = tmp_path / command
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    for name, text in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    shown = CliRunner().invoke(lithify, ["models"]).output
    line = next(line for line in shown.splitlines() if f"cli:{command} " in line)
    assert line.startswith(f"{word} "), line
    assert KEY not in shown
    if word == "no":
        assert f"start `{command}` once and log in" in line


def test_what_failed_before_is_said_with_the_way_to_try_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "codex"
    script.write_text("#!/bin/sh\ncat >/dev/null\necho 'I will not.'\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    root = roots.make(tmp_path / "root")
    argv = ["compact", "week", "--period", "2026-W14", "--model", "cli:codex", "--root", str(root)]
    first = CliRunner().invoke(lithify, argv)
    assert first.exit_code == 1 and "2 failed\n" in first.output
    again = CliRunner().invoke(lithify, argv)
    assert again.exit_code == 0, "nothing was tried, so nothing failed"
    assert "nothing was written; 2 failed before\n" in again.output
    assert "nothing was due" not in again.output
    assert "lithify compact --retry --model cli:codex" in again.output
    data = json.loads(CliRunner().invoke(lithify, [*argv, "--json"]).output)
    assert [one["tier"] for one in data["failed_before"]] == ["week", "typed"]
    retried = CliRunner().invoke(lithify, [*argv, "--retry"])
    assert retried.exit_code == 1 and "before" not in retried.output
    other = CliRunner().invoke(lithify, ["compact", "--root", str(root)])
    assert other.exit_code == 0 and "failed" not in other.output
