"""Agent commands that run as models: our hooks keep silent in them, and nowhere else."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import roots
from lithify.engines.providers.command import marked_as_nested
from lithify.engines.providers.engine import resolve
from lithify.gate.gatekeeper import Gatekeeper
from lithify.hooks.clients import client_of
from lithify.settings import Settings
from test_gate_core import prose

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the mark needs POSIX locks")

SESSION = "5b1e"
PROMPT = {"prompt": "Write the summary of this week."}
TOOL = {"tool_name": "Read", "tool_input": {}}
EVENTS: list[tuple[str, str, dict[str, Any]]] = [
    ("claude", "SessionStart", {"source": "startup"}),
    ("claude", "UserPromptSubmit", PROMPT),
    ("claude", "PreToolUse", TOOL),
    ("claude", "Stop", {"last_assistant_message": "Done."}),
    ("codex", "UserPromptSubmit", PROMPT),
    ("codex", "PreToolUse", TOOL),
    ("gemini", "BeforeAgent", PROMPT),
    ("gemini", "BeforeTool", TOOL),
    ("copilot", "userPromptSubmitted", PROMPT),
    ("copilot", "preToolUse", {"toolName": "view", "toolArgs": "{}"}),
    ("opencode", "UserPromptSubmit", PROMPT),
    ("opencode", "PreToolUse", TOOL),
]
#: A process that holds a mark, says which one, and keeps it until it is told to go on.
HOLDER = """
import sys
from lithify.engines.providers.command import marked_as_nested
with marked_as_nested() as mark:
    print(mark["LITHIFY_NESTED"], flush=True)
    sys.stdin.readline()
"""
#: The same for a file that is there already.
LOCKER = """
import fcntl, sys
with open(sys.argv[1], "r+") as file:
    fcntl.lockf(file, fcntl.LOCK_EX)
    print("locked", flush=True)
    sys.stdin.readline()
"""
#: A process that is killed while it holds a mark, and leaves a child that runs a hook after that.
KILLED = """
import os, signal, subprocess, sys
from lithify.engines.providers.command import marked_as_nested
with marked_as_nested() as mark:
    subprocess.Popen(["sh", "-c", "read line; exec " + sys.argv[1]], env={**os.environ, **mark})
    print("started", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root whose gate is closed."""
    folder = tmp_path / "root"
    (folder / "memory").mkdir(parents=True)
    (folder / "lithify.toml").write_text("gate.enabled = true\n")
    Gatekeeper(folder).record(SESSION, "prompt", prose(1, 900))
    assert (folder / ".lithify" / "gate" / "closed").exists()
    return folder


def hook(
    root: Path, given: dict[str, Any], event: str, harness: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            *(sys.executable, "-I", "-m", "lithify.hooks", event),
            *("--harness", harness, "--root", str(root)),
        ],
        input=json.dumps({"session_id": SESSION, "sessionId": SESSION, "cwd": str(root), **given}),
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )


def denies(root: Path, value: str | None) -> bool:
    """Whether the closed gate denies a call with this value of the variable."""
    more = {} if value is None else {"LITHIFY_NESTED": value}
    done = hook(root, TOOL, "PreToolUse", "claude", **more)
    assert done.returncode == 0, done.stderr
    return '"deny"' in done.stdout


@pytest.fixture
def held() -> Iterator[str]:
    """The mark of a call that another process is running."""
    with other(HOLDER) as (value, _):
        yield value


class other:
    """Another process, its first line, and its end."""

    def __init__(self, program: str, *words: str) -> None:
        self._argv = [sys.executable, "-c", program, *words]

    def __enter__(self) -> tuple[str, subprocess.Popen[str]]:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(self._argv, stdin=pipe, stdout=pipe, text=True)
        assert self._process.stdout
        return self._process.stdout.readline().strip(), self._process

    def __exit__(self, *_: object) -> None:
        self._process.communicate("\n")


@pytest.mark.parametrize(("harness", "event", "given"), EVENTS)
def test_a_hook_below_a_running_call_says_and_records_nothing(
    harness: str, event: str, given: dict[str, Any], root: Path
) -> None:
    before = roots.everything(root)
    with marked_as_nested() as mark:
        done = hook(root, given, event, harness, **mark)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() in ("", "{}", client_of(harness).silence)
    assert roots.everything(root) == before
    # Without the mark the same event is answered or recorded.
    spoken = hook(root, given, event, harness)
    assert spoken.stdout != done.stdout or roots.everything(root) != before


def test_a_mark_counts_through_other_processes(root: Path) -> None:
    with marked_as_nested() as mark:
        line = f"{sys.executable} -I -m lithify.hooks PreToolUse --root {root}; true"
        done = subprocess.run(
            ["sh", "-c", f"setsid sh -c '{line}'; true"],
            input=json.dumps({"session_id": SESSION, **TOOL}),
            env={**os.environ, **mark},
            capture_output=True,
            text=True,
        )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_an_agent_makes_up_opens_no_gate(root: Path, tmp_path: Path) -> None:
    made = tmp_path / ("0" * 32)
    made.write_text(made.name)
    link = tmp_path / "link"
    link.symlink_to(made)
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for value in ("", "1", "true", "\x7f", "/nowhere", str(tmp_path), str(made), str(fifo)):
        assert denies(root, value), value
    with other(LOCKER, str(made)):
        assert denies(root, str(made)), "the lock is no process's above the hook"
        assert denies(root, str(link))


def test_a_lock_on_another_file_is_no_mark(root: Path, tmp_path: Path) -> None:
    import fcntl

    path = tmp_path / "state.db"
    with path.open("w") as file:  # as a client locks its own database
        fcntl.lockf(file, fcntl.LOCK_EX)
        assert denies(root, str(path))


def test_a_mark_copied_from_a_running_call_opens_no_gate(root: Path, held: str) -> None:
    assert Path(held).is_file()
    assert denies(root, held)


def test_a_mark_is_worth_nothing_after_its_call(root: Path) -> None:
    with marked_as_nested() as mark:
        value = mark["LITHIFY_NESTED"]
        assert not denies(root, value)
        kept = Path(value).read_text()
    assert denies(root, value)
    Path(value).parent.mkdir()
    Path(value).write_text(kept)
    assert denies(root, value), "the file is made again, but nobody locks it"
    with marked_as_nested() as later:
        assert denies(root, value) and later["LITHIFY_NESTED"] != value
    Path(value).unlink()
    Path(value).parent.rmdir()


def test_a_mark_ends_with_the_killed_process(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    given, said = tmp_path / "given.json", tmp_path / "said.json"
    given.write_text(json.dumps({"session_id": SESSION, **TOOL}))
    os.mkfifo(tmp_path / "done")
    line = f"{sys.executable} -I -m lithify.hooks PreToolUse --root {root} <{given} >{said}"
    line = f"sh -c '{line}; echo done >{tmp_path / 'done'}'"
    with other(KILLED, line) as (_, process):
        assert process.wait() == -signal.SIGKILL
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
        (tmp_path / "done").read_text()
    assert '"deny"' in said.read_text()


def test_a_command_asked_as_a_model_is_heard_by_no_hook(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = f"{sys.executable} -I -m lithify.hooks UserPromptSubmit --harness codex --root {root}"
    script = tmp_path / "codex"
    script.write_text(
        f'#!/bin/sh\necho \'{{"session_id": "new", "prompt": "{prose(2, 600)}"}}\' | {line}\n'
        "cat >/dev/null\necho granite\n"
    )
    script.chmod(0o755)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    before = roots.everything(root)
    model = resolve("cli:codex", Settings())
    reply = model.complete("Say something.", system="", temperature=0.2, max_tokens=200)
    assert reply.text == "granite"
    assert roots.everything(root) == before
    assert os.listdir(tmp_path / "temporary") == []
    subprocess.run([script], input="", text=True, check=True, capture_output=True)
    assert roots.everything(root) != before, "called by somebody else, it is recorded"
