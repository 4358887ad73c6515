"""What the doctor finds, and what he says to do about it."""

from __future__ import annotations

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
from lithify.hooks import install as hook_files
from lithify.hooks.harnesses import all_harnesses, by_flag
from test_gate_core import prose
from test_gate_session import PLUGIN, plugin_env


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    made = tmp_path / "agent"
    made.mkdir()
    (made / "lithify.toml").write_text("[gate]\nenabled = true\n")
    return made


def examined(root: Path, code: int) -> list[dict[str, Any]]:
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
    harness = by_flag(flag)
    path = next(one.path for one in hook_files.places(harness, str(root)) if one.scope == scope)
    hook_files.install(harness, path, str(root), python, "hold")
    return Path(path)


def test_nothing_installed_is_said_with_the_command(root: Path) -> None:
    found = examined(root, 3)
    assert "no harness has hooks" in said(found, "warn")
    assert f"lithify init {root} --claude-code" in [one["fix"] for one in found]


@pytest.mark.parametrize("flag", [one.flag for one in all_harnesses()])
def test_installed_hook_is_tried_out_in_its_own_form(flag: str, root: Path) -> None:
    install(flag, root)
    before = sorted(p for p in root.rglob("*") if "settings.json" not in p.name)
    found = examined(root, 0)
    assert [one["about"] for one in found if one["level"] == "ok"] == [
        f"{by_flag(flag).title}, project"
    ]
    # The self-test has a root of its own.
    assert files.jobs(root) == ()
    after = sorted(p for p in root.rglob("*") if "settings.json" not in p.name)
    assert {p.name for p in set(after) - set(before)} <= {".lithify", "gate", "gate.lock"}


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


def test_settings_that_are_broken_or_switched_off_are_named(root: Path) -> None:
    path = install("claude-code", root)
    value = json.loads(path.read_text())
    path.write_text(json.dumps({**value, "disableAllHooks": True}))
    assert "disableAllHooks" in said(examined(root, 1), "error")
    path.write_text("{broken")
    assert "not plain JSON" in said(examined(root, 1), "error")


def test_old_set_of_hooks_and_a_missing_guard_are_told_apart(root: Path) -> None:
    path = install("claude-code", root)
    value = json.loads(path.read_text())
    del value["hooks"]["Stop"]
    path.write_text(json.dumps(value))
    assert "another version" in said(examined(root, 3), "warn")
    del value["hooks"]["PreToolUse"]
    path.write_text(json.dumps(value))
    assert "nothing is ever denied" in said(examined(root, 1), "error")


def test_hooks_in_two_places_are_warned_of(root: Path) -> None:
    install("claude-code", root)
    install("claude-code", root, scope="user")
    assert "recorded twice" in said(examined(root, 3), "warn")


def test_plugin_that_is_on_is_tried_out(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home" / ".claude"
    home.mkdir(parents=True)
    enabled = {"enabledPlugins": {"lithify@lithify": True}}
    (home / "settings.json").write_text(json.dumps(enabled))
    assert "not found" in said(examined(root, 3), "warn")
    shutil.copytree(PLUGIN, home / "plugins" / "cache" / "lithify" / "lithify" / "0.1.0")
    monkeypatch.setenv("PATH", plugin_env(tmp_path, root)["PATH"])
    assert "as it must" in said(examined(root, 0), "ok")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert "was let through" in said(examined(root, 1), "error")


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
