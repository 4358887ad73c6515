"""What the doctor finds, and what he says to do about it."""

from __future__ import annotations

import functools
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lithify.cli import lithify
from lithify.gate import files
from lithify.gate.gatekeeper import Gatekeeper
from lithify.hooks import doctor
from lithify.hooks import install as hook_files
from lithify.hooks.clients import all_clients, codex
from test_gate_core import prose
from test_gate_session import PLUGIN, plugin_env

CLIENTS = {one.flag: one for one in all_clients()}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    made = tmp_path / "agent"
    made.mkdir()
    (made / "lithify.toml").write_text("[gate]\nenabled = true\n")
    return made


@pytest.fixture
def untried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the hooks' own work as good, where only what surrounds them is examined."""
    monkeypatch.setattr(doctor, "try_guard", lambda *asked: [])
    monkeypatch.setattr(doctor, "try_start", lambda *asked: [])


def examined(root: Path, code: int) -> list[dict[str, Any]]:
    """Examine the root once and tell it twice, to a person and as JSON."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(doctor, "examine", functools.cache(doctor.examine))
        human = CliRunner().invoke(lithify, ["doctor", "--root", str(root)])
        done = CliRunner().invoke(lithify, ["doctor", "--root", str(root), "--json"])
    assert (human.exit_code, done.exit_code) == (code, code), done.output
    found = json.loads(done.stdout)
    assert found["exit_code"] == code
    findings: list[dict[str, Any]] = found["findings"]
    for one in findings:
        assert one["says"] in human.output
        if one["level"] in ("warn", "error"):
            assert one["fix"]
    return findings


def said(findings: list[dict[str, Any]], level: str) -> str:
    return "\n".join(one["says"] for one in findings if one["level"] == level)


def install(flag: str, root: Path, python: str = sys.executable, scope: str = "project") -> Path:
    harness = CLIENTS[flag]
    path = next(one.path for one in hook_files.places(harness, str(root)) if one.scope == scope)
    servers = hook_files.server_file(harness, scope, str(root))
    hook_files.install(harness, path, str(root), python, "hold", servers)
    return Path(path)


def test_nothing_installed_is_said_with_the_command(root: Path) -> None:
    found = examined(root, 3)
    assert "no agent client has hooks of lithify" in said(found, "warn")
    assert f"lithify init {root} --claude-code" in [one["fix"] for one in found]


def codex_config(root: Path, path: Path) -> str:
    """What Codex writes when a person trusts a folder and its hooks with /hooks."""
    lines = [f'[projects."{root}"]', 'trust_level = "trusted"']
    for key, digest in codex.digests(str(path)):
        lines += [f'[hooks.state."{key}"]', f'trusted_hash = "{digest}"']
    return "\n".join(lines) + "\n"


def trust(flag: str, root: Path, path: Path) -> None:
    """Does what a person does in the client, in the form in which the client keeps it."""
    home = root.parent / "home"
    kept = {
        "codex": (".codex/config.toml", lambda: codex_config(root, path)),
        "gemini": (".gemini/trustedFolders.json", lambda: json.dumps({str(root): "TRUST_FOLDER"})),
        "copilot": (
            ".copilot/config.json",
            lambda: "// Managed automatically.\n" + json.dumps({"trustedFolders": [str(root)]}),
        ),
    }
    if flag in kept:
        name, text = kept[flag]
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text())


@pytest.mark.parametrize("flag", [*CLIENTS])
def test_installed_hook_is_tried_out_in_its_own_form(flag: str, root: Path) -> None:
    trust(flag, root, install(flag, root))
    before = sorted(p for p in root.rglob("*") if "settings.json" not in p.name)
    found = examined(root, 0)
    assert [one["about"] for one in found if one["level"] == "ok"] == [
        f"{CLIENTS[flag].title}, project"
    ]
    # The self-test has a root of its own.
    assert files.jobs(root) == ()
    after = sorted(p for p in root.rglob("*") if "settings.json" not in p.name)
    assert {p.name for p in set(after) - set(before)} <= {".lithify", "gate", "gate.lock"}


@pytest.mark.usefixtures("untried")
@pytest.mark.parametrize("flag", ["codex", "gemini", "copilot"])
def test_hooks_that_the_client_does_not_trust_are_warned_of(flag: str, root: Path) -> None:
    path = install(flag, root)
    assert "does not run them yet" in said(examined(root, 3), "warn")
    trust(flag, root, path)
    assert said(examined(root, 0), "warn") == ""


def test_digest_of_a_hook_is_the_one_that_codex_computes(tmp_path: Path) -> None:
    """Recorded from `hooks/list` of Codex 0.169.0."""
    line = "true -I -m lithify.hooks Stop --root /r"
    group = {"hooks": [{"type": "command", "command": line, "timeout": 20}]}
    guard = {**group, "matcher": ".*"}
    path = tmp_path / "hooks.json"
    path.write_text(json.dumps({"hooks": {"Stop": [group], "PreToolUse": [{"hooks": []}, guard]}}))
    assert dict(codex.digests(str(path))) == {
        f"{path}:stop:0:0": "sha256:2a0c3d5185c6d115485ba9b0590fa8a390e7812f138fd2b9074dbd2a294dc6e7",
        f"{path}:pre_tool_use:1:0": "sha256:cfb16f741861cbe5c40def8bec3cbd39b684ce790d1176f8f37b70ae9c990b96",
    }


@pytest.mark.usefixtures("untried")
def test_codex_hook_that_was_changed_or_switched_off_is_not_trusted(root: Path) -> None:
    path = install("codex", root)
    trust("codex", root, path)
    config = root.parent / "home" / ".codex" / "config.toml"
    trusted = config.read_text()
    for broken in (
        trusted.replace("sha256:", "sha256:0", 1),
        trusted.replace("trusted_hash", "enabled = false\ntrusted_hash", 1),
        trusted.replace('"trusted"', '"untrusted"'),
        f"features.hooks = false\n{trusted}",
    ):
        config.write_text(broken)
        assert "does not run them yet" in said(examined(root, 3), "warn")


@pytest.mark.usefixtures("untried")
def test_longest_rule_of_gemini_decides(root: Path) -> None:
    install("gemini", root)
    home = root.parent / "home" / ".gemini"
    home.mkdir(parents=True)
    file = home / "trustedFolders.json"
    file.write_text(json.dumps({str(root.parent): "TRUST_FOLDER", str(root): "DO_NOT_TRUST"}))
    assert "does not run them yet" in said(examined(root, 3), "warn")
    file.write_text(json.dumps({str(root / "inner"): "TRUST_PARENT"}))
    examined(root, 0)
    file.unlink()
    off = {"security": {"folderTrust": {"enabled": False}}}
    (home / "settings.json").write_text(json.dumps(off))
    examined(root, 0)


@pytest.mark.usefixtures("untried")
def test_hooks_of_the_person_need_no_trusted_folder(root: Path) -> None:
    for flag in ("gemini", "copilot"):
        install(flag, root, scope="user")
    examined(root, 0)


@pytest.mark.usefixtures("untried")
def test_mcp_server_is_found_where_a_client_lists_it(root: Path) -> None:
    install("claude-code", root, scope="local")
    assert "not registered" in said(examined(root, 0), "info")
    (root.parent / "home").mkdir()
    known = {"projects": {str(root): {"mcpServers": {"lithify": {"command": "lithify"}}}}}
    (root.parent / "home" / ".claude.json").write_text(json.dumps(known))
    assert "registered in" in said(examined(root, 0), "info")


def test_python_or_root_that_is_gone_is_an_error(root: Path, tmp_path: Path) -> None:
    install("claude-code", root, "/opt/gone/python")
    assert "/opt/gone/python, which is not there" in said(examined(root, 1), "error")
    path = install("claude-code", root)
    path.write_text(path.read_text().replace(str(root), str(tmp_path / "moved")))
    assert "which is not there" in said(examined(root, 1), "error")


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("exit 0", "was let through"),
        ("exit 1", "was let through"),
        ("exit 5", "ends in 3"),
        ("echo nonsense", "not JSON"),
        (
            'echo \'{"hookSpecificOutput": {"permissionDecision": "deny", '
            '"permissionDecisionReason": "x"}}\'',
            "the submission of a summary was denied",
        ),
    ],
)
def test_hook_that_does_not_do_its_work_fails_the_self_test(
    program: str, words: str, root: Path, tmp_path: Path
) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\n[ "$2" = -m ] || exec "{sys.executable}" "$@"\n{program}\n')
    python.chmod(0o755)
    install("claude-code", root, str(python))
    assert words in said(examined(root, 1), "error")


@pytest.mark.usefixtures("untried")
def test_settings_that_are_broken_or_switched_off_are_named(root: Path) -> None:
    path = install("claude-code", root)
    value = json.loads(path.read_text())
    path.write_text(json.dumps({**value, "disableAllHooks": True}))
    assert "disableAllHooks" in said(examined(root, 1), "error")
    path.write_text("{broken")
    install("claude-code", root, scope="user")
    found = examined(root, 1)
    assert "not plain JSON" in said(found, "error") and said(found, "warn") == ""


@pytest.mark.usefixtures("untried")
def test_old_set_of_hooks_and_a_missing_guard_are_told_apart(root: Path) -> None:
    path = install("claude-code", root)
    value = json.loads(path.read_text())
    del value["hooks"]["Stop"]
    path.write_text(json.dumps(value))
    assert "another version" in said(examined(root, 3), "warn")
    del value["hooks"]["PreToolUse"]
    path.write_text(json.dumps(value))
    assert "nothing is ever denied" in said(examined(root, 1), "error")


@pytest.mark.usefixtures("untried")
def test_hooks_in_two_places_are_warned_of(root: Path) -> None:
    install("claude-code", root)
    install("claude-code", root, scope="user")
    assert "told its memory twice" in said(examined(root, 3), "warn")


def test_plugin_that_is_on_is_tried_out(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home" / ".claude"
    home.mkdir(parents=True)
    enabled = {"enabledPlugins": {"lithify@lithify": True}}
    (home / "settings.json").write_text(json.dumps(enabled))
    assert "not found" in said(examined(root, 3), "warn")
    cache = home / "plugins" / "cache" / "lithify" / "lithify" / "0.1.0"
    shutil.copytree(PLUGIN, cache)
    listed = {"plugins": {"lithify@lithify": [{"scope": "user", "installPath": str(cache)}]}}
    (home / "plugins" / "installed_plugins.json").write_text(json.dumps(listed))
    monkeypatch.setenv("PATH", plugin_env(tmp_path, root)["PATH"])
    assert f"{cache}: a session starts with its memory" in said(examined(root, 0), "ok")
    # A marketplace that is a folder is read in place.
    clone = tmp_path / "clone"
    shutil.copytree(PLUGIN, clone / "plugins" / "claude-code")
    shutil.copytree(PLUGIN.parent.parent / ".claude-plugin", clone / ".claude-plugin")
    source = {"source": "directory", "path": str(clone)}
    known = {"lithify": {"source": source, "installLocation": str(clone)}}
    (home / "plugins" / "known_marketplaces.json").write_text(json.dumps(known))
    assert f"{clone / 'plugins' / 'claude-code'}: a session starts with its memory" in said(
        examined(root, 0), "ok"
    )
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert "was let through" in said(examined(root, 1), "error")


@pytest.mark.usefixtures("untried")
def test_state_of_the_root_is_looked_at(root: Path) -> None:
    install("claude-code", root)
    job = Gatekeeper(root).record("s", "prompt", prose(1, 600)).state.job
    found = examined(root, 0)
    assert f"job {job} is closed" in said(found, "info")
    log = Path(files.log_path(root, job, "interactions"))
    log.write_bytes(log.read_bytes().replace(b"anchor", b"anchoR", 1))
    assert "interactions.jsonl, line 1" in said(examined(root, 1), "error")
    log.unlink()
    (root / "lithify.toml").write_text("[gate]\nthreshold = 1\n")
    assert "threshold" in said(examined(root, 1), "error")


def test_no_root_at_all_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LITHIFY_ROOT", raising=False)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(lithify, ["doctor"])
    assert done.exit_code == 3 and "there is no memory root here" in done.output
