"""Hooks in a harness's settings: merged, never clobbered, taken out again without a trace."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from lithify.cli import lithify
from lithify.errors import ConfigError, LithifyError
from lithify.hooks import install
from lithify.hooks.clients import Client, all_clients, client_of
from lithify.hooks.install import at_another_root, hook_command, is_ours, named_in

HARNESSES = all_clients()
SHARED = [one for one in HARNESSES if not one.program]
EVENTS = ("PreToolUse", "SessionStart", "BeforeTool", "preToolUse", "Unknown")

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    # What cannot be a word of ours: their commands are their own.
    | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
hook = st.fixed_dictionaries({"type": st.just("command"), "command": st.text(max_size=20)})
group = st.one_of(
    st.fixed_dictionaries({"hooks": st.lists(hook, max_size=2)}, optional={"matcher": st.text()}),
    hook,
    values,
)
anyones = st.fixed_dictionaries(
    {},
    optional={
        "hooks": st.dictionaries(st.sampled_from(EVENTS), st.lists(group, max_size=3), max_size=4),
        "version": st.integers(),
        "permissions": st.fixed_dictionaries({}, optional={"allow": st.lists(values, max_size=3)})
        | values,
        "mcpServers": st.dictionaries(st.sampled_from(("lithify", "other")), values, max_size=2),
        "env": values,
        "ünï": values,
    },
)


def rendered(value: Any, style: int) -> bytes:
    """The same settings as different people write them."""
    if style == 1:
        return json.dumps(value).encode()
    if style == 2:
        return b"\xef\xbb\xbf" + json.dumps(value, indent="\t").replace("\n", "\r\n").encode()
    return json.dumps(value, indent=4, ensure_ascii=True).encode() + b"\n\n"


@pytest.mark.parametrize("harness", SHARED, ids=[one.flag for one in SHARED])
@examples(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(value=anyones, style=st.integers(0, 2))
def test_install_then_remove_gives_back_the_same_file(
    harness: Client, value: Any, style: int, tmp_path: Path
) -> None:
    path = tmp_path / "settings.json"
    before = rendered(value, style)
    path.write_bytes(before)
    assert install.install(harness, str(path), "/srv/agent", "/opt/python", "hold").changed
    there = path.read_bytes()
    assert not install.install(harness, str(path), "/srv/agent", "/opt/python", "hold").changed
    assert path.read_bytes() == there
    for name, old in value.items():
        if name not in ("hooks", "permissions", "mcpServers"):
            assert json.loads(there.decode("utf-8-sig"))[name] == old
    assert install.remove(harness, str(path)).changed
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["settings.json"]


@pytest.mark.parametrize("harness", SHARED, ids=[one.flag for one in SHARED])
@examples(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(value=anyones, added=hook)
def test_what_others_add_in_between_stays(
    harness: Client, value: Any, added: dict[str, Any], tmp_path: Path
) -> None:
    for old in tmp_path.iterdir():
        old.unlink()
    path = tmp_path / "settings.json"
    path.write_bytes(rendered(value, 0))
    install.install(harness, str(path), "/srv/agent", "/opt/python", "hold")
    grown = json.loads(path.read_text())
    event = next(iter(install.entries_of(harness, "/srv/agent", "/opt/python", "hold")))
    grown["hooks"][event].insert(0, added)
    grown["later"] = 1
    path.write_text(json.dumps(grown))
    install.remove(harness, str(path))
    left = json.loads(path.read_text())
    assert left["later"] == 1 and added in left["hooks"][event]
    assert install.what_is_ours(harness, str(path)).entries == {}
    theirs = value.get("hooks", {})
    for name, entries in theirs.items():
        if entries:
            assert [one for one in left["hooks"][name] if one != added] == [
                one for one in entries if one != added
            ]


@pytest.mark.parametrize("harness", HARNESSES, ids=[one.flag for one in HARNESSES])
def test_file_that_was_not_there_is_gone_again(harness: Client, tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    assert not install.remove(harness, str(path)).changed
    assert install.install(harness, str(path), str(tmp_path), sys.executable, "hold").changed
    assert install.remove(harness, str(path)).gone
    assert not path.exists()


@pytest.mark.parametrize("harness", SHARED, ids=[one.flag for one in SHARED])
def test_new_path_or_root_replaces_the_old_entries(harness: Client, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    for root, python in (("/srv/one", "/opt/a"), ("/srv/two", "/opt/b c")):
        install.install(harness, str(path), root, python, "hold")
        lines = install.hooks_in(install.what_is_ours(harness, str(path)).entries)
        assert {named_in(line) for _, line in lines} == {(python, root)}
        assert [event for event, _ in lines] == list(
            install.entries_of(harness, root, python, "hold")
        )
    # Every event is one that the harness can read.
    assert {event for event, _ in lines} <= set(harness.events)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1,}', "not plain JSON"),
        ('// a comment\n{"a": 1}', "not plain JSON"),
        ('{"a": 1, "a": 2}', "stands there twice"),
        ('{"a": NaN}', "not a number"),
        ('{"a": 1e999}', "not a number"),
        ("[1]", "no JSON object"),
        ('{"hooks": []}', "`hooks` is not an object"),
        ('{"hooks": {"PreToolUse": {}}}', "`hooks.PreToolUse` is not a list"),
        ("\udcff", "not plain JSON"),
    ],
)
def test_settings_that_cannot_be_read_are_refused_and_left_alone(
    text: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "settings.json"
    before = text.encode("utf-8", "surrogateescape")
    path.write_bytes(before)
    with pytest.raises(ConfigError) as caught:
        install.install(client_of("claude"), str(path), "/srv/agent", "/opt/python", "hold")
    assert words in caught.value.message and "Nothing was changed" in caught.value.message
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["settings.json"]


def test_copy_is_kept_and_rights_and_links_stay(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text('{"a": 1}')
    real.chmod(0o600)
    link = tmp_path / "settings.json"
    link.symlink_to(real)
    harness = client_of("claude")
    done = install.install(harness, str(link), "/srv/agent", "/opt/python", "hold")
    assert Path(done.backup).read_text() == '{"a": 1}'
    assert link.is_symlink() and real.stat().st_mode & 0o777 == 0o600
    assert json.loads(real.read_text())["a"] == 1


def test_guard_fails_as_on_stuck_says_and_recorders_never_block() -> None:
    for on_stuck, fails in (("hold", "block"), ("pass", "continue")):
        entries = install.entries_of(client_of("claude"), "/srv/agent", "/opt/python", on_stuck)
        found = {
            event: one["hooks"][0]["onFailure"]
            for event, groups in entries.items()
            for one in groups
        }
        assert found.pop("PreToolUse") == fails
        assert set(found.values()) == {"continue"}


def test_plugin_of_somebody_else_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "lithify.js"
    path.write_text("export const Mine = async () => ({})\n")
    harness = client_of("opencode")
    with pytest.raises(ConfigError, match="somebody else"):
        install.install(harness, str(path), "/srv/agent", "/opt/python", "hold")
    assert not install.remove(harness, str(path)).changed
    assert path.read_text().startswith("export const Mine")


@pytest.mark.parametrize("root", ["/srv/agent", "/srv/it's; $(here)", "/srv/a;"])
@pytest.mark.parametrize("event", ["PreToolUse", "Stop"])
def test_line_names_its_python_and_root_whatever_they_are_called(root: str, event: str) -> None:
    line = hook_command(root, "/opt/my python", event)
    assert is_ours(line) and named_in(line) == ("/opt/my python", root)
    assert at_another_root(line, "/elsewhere") == hook_command(
        "/elsewhere", "/opt/my python", event
    )
    for other in ("python -m lithify.cli", "echo lithify.hooks", "-I -m lithify.hooksx", None, 7):
        assert not is_ours(other)


def test_line_for_windows_names_them_too() -> None:
    line = hook_command("/srv/agent", r"C:\Program Files\python.exe", posix=False)
    assert is_ours(line) and named_in(line) == (r"C:\Program Files\python.exe", "/srv/agent")
    assert at_another_root(line, r"C:\a b").endswith(r'--root "C:\a b"')


@pytest.mark.parametrize(
    ("program", "code", "said"),
    [
        ("exit 1", 0, "doctor"),
        ("exit 2", 3, ""),
        ("kill -9 $$", 3, ""),
        ("echo '{}'", 0, "{}"),
        (None, 0, "doctor"),
    ],
)
def test_line_never_ends_in_a_block_by_accident(
    program: str | None, code: int, said: str, tmp_path: Path
) -> None:
    python = tmp_path / "python"
    if program is not None:
        python.write_text(f"#!/bin/sh\n{program}\n")
        python.chmod(0o755)
    (tmp_path / ".lithify" / "gate" / "closed").mkdir(parents=True)
    line = hook_command(str(tmp_path), str(python))
    done = subprocess.run(["sh", "-c", line], input="{}", capture_output=True, text=True)
    assert done.returncode == code and said in done.stdout
    line = hook_command(str(tmp_path), str(python), "UserPromptSubmit")
    done = subprocess.run(["sh", "-c", line], input="{}", capture_output=True, text=True)
    assert done.returncode == 0


# The command. ------------------------------------------------------------------------------------


def run(*args: str, code: int = 0) -> Result:
    done = CliRunner().invoke(lithify, ["init", *args])
    if done.exception and not isinstance(done.exception, SystemExit):
        assert getattr(done.exception, "exit_code", -1) == code, done.exception
    else:
        assert done.exit_code == code, done.output
    return done


def test_init_puts_the_hooks_in_and_takes_them_out(tmp_path: Path) -> None:
    root, project = tmp_path / "agent", tmp_path / "project"
    (project / ".claude").mkdir(parents=True)
    theirs = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}
    path = project / ".claude" / "settings.json"
    path.write_text(json.dumps(theirs))
    flags = [f"--{one.flag}" for one in HARNESSES]
    said = run(str(root), *flags, "--project", str(project)).output
    assert "a copy is kept" in said and (root / "lithify.toml").is_file()
    stop = json.loads(path.read_text())["hooks"]["Stop"]
    assert stop[0] == theirs["hooks"]["Stop"][0] and len(stop) == 2
    lines = install.hooks_in(install.what_is_ours(client_of("claude"), str(path)).entries)
    assert {named_in(line) for _, line in lines} == {(sys.executable, str(root))}
    assert "already" in run(str(root), *flags, "--project", str(project)).output
    for name in (".codex/hooks.json", ".gemini/settings.json", ".cursor/hooks.json"):
        assert (project / name).is_file()
    again = run(str(root), *flags, "--project", str(project), "--remove", "--json")
    assert all(one["changed"] for one in json.loads(again.output)["hooks"])
    assert json.loads(path.read_text()) == theirs
    assert sorted(p.name for p in project.rglob("*") if p.is_file()) == ["settings.json"]
    assert "no hooks of lithify" in run(str(root), "--codex", "--remove").output


@pytest.mark.parametrize("theirs", [b'{"model": "x"}', None], ids=["with theirs", "none before"])
def test_hooks_renewed_by_a_second_init_are_all_taken_out(
    theirs: bytes | None, tmp_path: Path
) -> None:
    root, path = tmp_path / "p6", tmp_path / "p6" / ".claude" / "settings.json"
    if theirs is not None:
        path.parent.mkdir(parents=True)
        path.write_bytes(theirs)
    run(str(root), "--claude-code")
    (root / "lithify.toml").write_text('[gate]\non_stuck = "pass"\n')
    run(str(root), "--claude-code")
    python = str(tmp_path / "venv" / "python")
    assert install.install(client_of("claude"), str(path), str(root), python, "pass").changed
    assert "hooks taken out" in run(str(root), "--claude-code", "--remove").output
    assert (path.read_bytes() if path.exists() else None) == theirs
    assert list(root.glob(".claude/*.bak-*")) == []


def test_folders_that_init_made_go_with_the_hooks(tmp_path: Path) -> None:
    (tmp_path / ".cursor" / "rules").mkdir(parents=True)
    flags = [f"--{one.flag}" for one in HARNESSES]
    run(str(tmp_path), *flags)
    before = {".cursor", ".lithify", "memory"}
    run(str(tmp_path), *flags, "--remove")
    assert {one.name for one in tmp_path.iterdir() if one.is_dir()} <= before


def test_init_knows_the_scopes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    root = str(tmp_path / "agent")
    run(root, *[f"--{one.flag}" for one in HARNESSES], "--user")
    found = sorted(
        p.relative_to(tmp_path / "home").as_posix() for p in (tmp_path / "home").rglob("*.js*")
    )
    assert found == [
        ".claude/settings.json",
        ".codex/hooks.json",
        ".config/opencode/plugins/lithify.js",
        ".copilot/hooks/lithify.json",
        ".copilot/mcp-config.json",
        ".cursor/hooks.json",
        ".cursor/mcp.json",
        ".gemini/settings.json",
    ]
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))
    run(root, "--claude-code", "--user")
    assert (tmp_path / "elsewhere" / "settings.json").is_file()
    run(root, "--claude-code", "--local")
    assert (tmp_path / "agent" / ".claude" / "settings.local.json").is_file()
    run(root, "--codex", "--local", code=2)
    run(root, "--claude-code", "--local", "--user", code=2)
    run(root, "--remove", code=2)


def test_init_refuses_broken_settings_in_words(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text("{broken")
    done = subprocess.run(
        [sys.executable, "-m", "lithify.cli", "init", str(tmp_path), "--claude-code"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "not plain JSON" in done.stderr
    assert (tmp_path / ".claude" / "settings.json").read_text() == "{broken"


def test_removal_names_what_is_still_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "own"))
    root = tmp_path / "agent"
    run(str(root), "--claude-code", "--user")
    (tmp_path / "own" / ".claude.json").write_text('{"mcpServers": {"lithify": {}}}')
    said = run(str(root), "--claude-code", "--remove").output
    assert "there were no hooks of lithify in" in said
    assert f"lithify init {root} --claude-code --remove --user" in said
    assert "claude mcp remove lithify" in said


def test_init_says_which_notes_it_found_and_what_comes_next(tmp_path: Path) -> None:
    for name in ("2026-04-02", "2026-04-08", "2026-4-9"):
        (tmp_path / f"{name}.md").write_text("- Shipped 2.4.1.\n")
    said = run(str(tmp_path)).output
    assert "2 days found, 2026-04-02 to 2026-04-08" in said
    assert "not read: 2026-4-9.md" in said and "write the date like" in said
    assert "written to weekly/ and monthly/" in said and said.endswith("Next: lithify compact\n")
    assert "gate" not in said


def test_folder_that_cannot_be_made_is_named_in_full(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = CliRunner().invoke(lithify, ["init", str(tmp_path / "file" / "agent")])
    assert isinstance(done.exception, LithifyError)
    assert str(tmp_path / "file") in done.exception.message
