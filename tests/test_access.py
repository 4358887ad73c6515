"""What a client is given beside its hooks: permission for our command, and our MCP server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lithify.gate import texts
from lithify.gate.texts import program_words
from lithify.hooks.doctor import closed_root
from test_install import run


def settings_of(root: Path) -> Path:
    return root / ".claude" / "settings.json"


def rules(path: Path) -> list[str]:
    found: list[str] = json.loads(path.read_text())["permissions"]["allow"]
    return found


def test_claude_may_run_the_command_that_a_denial_prints(tmp_path: Path) -> None:
    root = tmp_path / "an agent"
    run(str(root), "--claude-code")
    job = closed_root(str(root))
    commands = texts.submit_commands(program_words(), job, str(root))
    allowed = [rule.removeprefix("Bash(").removesuffix(":*)") for rule in rules(settings_of(root))]
    for command in commands:
        assert any(command.startswith(f"{one} ") for one in allowed)
    assert "mcp__lithify" in allowed
    assert not any("gate open" in f"{one} x" or one.endswith("lithify") for one in allowed[:-1])


def test_permissions_and_servers_of_others_stay(tmp_path: Path) -> None:
    settings, servers = settings_of(tmp_path), tmp_path / ".mcp.json"
    settings.parent.mkdir()
    settings.write_text(
        '{"permissions": {"allow": ["Bash(make:*)", "mcp__lithify"], "deny": ["WebFetch"]}}'
    )
    servers.write_text('{"mcpServers":{"other":{"command":"x"}}}')
    before = settings.read_bytes(), servers.read_bytes()
    run(str(tmp_path), "--claude-code")
    assert rules(settings)[0] == "Bash(make:*)"
    assert set(json.loads(servers.read_text())["mcpServers"]) == {"other", "lithify"}
    assert "already" in run(str(tmp_path), "--claude-code").output
    run(str(tmp_path), "--claude-code", "--remove")
    assert (settings.read_bytes(), servers.read_bytes()) == before
    # In files that others have changed in between, only ours goes.
    run(str(tmp_path), "--claude-code")
    for path, key in ((settings, "env"), (servers, "inputs")):
        path.write_text(json.dumps({**json.loads(path.read_text()), key: {}}))
    run(str(tmp_path), "--claude-code", "--remove")
    assert json.loads(settings.read_text()) == {**json.loads(before[0]), "env": {}}
    assert json.loads(servers.read_text()) == {**json.loads(before[1]), "inputs": {}}


def test_server_that_a_person_registered_is_left_alone(tmp_path: Path) -> None:
    theirs = {"mcpServers": {"lithify": {"command": "lithify", "args": ["mcp", "--root", "/r"]}}}
    for name in (".mcp.json", ".gemini/settings.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps(theirs))
    for flags in ((), ("--remove",)):
        run(str(tmp_path), "--claude-code", "--gemini", *flags)
        for name in (".mcp.json", ".gemini/settings.json"):
            assert json.loads((tmp_path / name).read_text())["mcpServers"] == theirs["mcpServers"]


def test_one_broken_file_keeps_the_other_from_being_changed(tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").write_text("{broken")
    run(str(tmp_path), "--claude-code", code=1)
    assert not settings_of(tmp_path).exists()


def test_init_prints_the_command_where_it_writes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    said = run(str(tmp_path / "agent"), "--codex").output
    assert "codex mcp add lithify -- " in said and f"--root {tmp_path / 'agent'}" in said
    assert "/hooks" in said, "what is left to trust"
    found = json.loads(run(str(tmp_path / "agent"), "--codex", "--json").output)
    assert len(found["hooks"][0]["todo"]) == 2


def test_without_the_extra_no_server_is_registered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lithify.hooks.install.find_spec", lambda name: None)
    said = run(str(tmp_path), "--claude-code", "--codex", "--opencode").output
    assert "mcp add" not in said and not (tmp_path / ".mcp.json").exists()
    assert "const SERVER = []" in (tmp_path / ".opencode" / "plugins" / "lithify.js").read_text()
