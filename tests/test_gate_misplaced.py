"""A folder or a pipe in place of a file of the gate, and failures after a summary was accepted.

Neither may keep a person from working, hang a hook, or make an accepted summary look refused.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import commands
from lithify.cli import lithify
from lithify.errors import Locked, StorageError, Unfinished
from lithify.gate import files
from lithify.gate.gatekeeper import Gatekeeper, Submitted
from lithify.hooks.doctor import examine
from lithify.memory import Memory
from lithify.store import disk
from test_gate_choice import at_a_terminal
from test_gate_core import good, prose

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
PLACES = (
    *("sessions/s.json", "closed/JOB.json", "settings.json", "gate.lock", "feed.lock"),
    *("JOB/interactions.jsonl", "JOB/chain.jsonl", "JOB/fed.json", "JOB/denied-0-2", "closed"),
)


def closed(root: Path) -> tuple[Gatekeeper, str]:
    (root / "memory").mkdir()
    (root / "lithify.toml").write_text("[gate]\nenabled = true\n")
    gate = Gatekeeper(root)
    return gate, gate.record("s", "prompt", prose(1, 900)).state.job


def fire(root: Path, event: str, **given: Any) -> dict[str, Any]:
    """One event in a process of its own, which a pipe must not hold up."""
    done = subprocess.run(
        [commands.python(), "-I", "-m", "lithify.hooks", event, "--root", str(root)],
        input=json.dumps({"session_id": "s", "cwd": str(root), **given}),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout or "{}")


@pytest.mark.parametrize("kind", ["folder", "pipe"])
@pytest.mark.parametrize("place", PLACES)
def test_hook_answers_and_a_person_gets_out(place: str, kind: str, tmp_path: Path) -> None:
    _, job = closed(tmp_path)
    path = Path(files.folder(tmp_path, place.replace("JOB", job)))
    if place == "closed":
        (path / f"{job}.json").unlink()
        path.rmdir()
    path.unlink(missing_ok=True)
    if kind == "folder" and place == "closed":
        path.write_text("a file in place of the folder")
    elif kind == "folder":
        (path / "inside").mkdir(parents=True)
    else:
        os.mkfifo(path)
    named = f"gate/{place.replace('JOB', job)}"
    assert any(named in one.path for one in Memory.open(tmp_path).check())
    assert any(named in one.says for one in examine(str(tmp_path), str(tmp_path)))
    for event in ("PreToolUse", "UserPromptSubmit", "SessionStart"):
        fire(tmp_path, event, tool_name="Read", tool_input={}, prompt="Go on.")
    code, said = at_a_terminal(tmp_path, "open", "--reason", "it hangs")
    assert code == 0, said
    assert not os.path.lexists(tmp_path / ".lithify/gate/closed")
    assert fire(tmp_path, "PreToolUse", tool_name="Read", tool_input={}) == {}
    if kind == "folder" and place != "closed":
        # Nothing that was in it is lost.
        assert list((tmp_path / ".lithify").rglob("inside"))


@pytest.mark.parametrize("command", ["on", "off"])
def test_gate_is_switched_though_its_lock_is_a_folder(command: str, tmp_path: Path) -> None:
    closed(tmp_path)
    lock = tmp_path / ".lithify/gate/gate.lock"
    lock.unlink()
    lock.mkdir()
    assert at_a_terminal(tmp_path, command)[0] == 0


def broken(error: Exception) -> Any:
    def fail(*given: object, **more: object) -> None:
        raise error

    return fail


STORAGE = StorageError(action="write", path="x", reason="No space left on device")


@pytest.mark.parametrize(
    ("place", "name", "error"),
    [
        ("files", "remove_closed", STORAGE),
        ("files", "clear_denials", OSError(5, "Input/output error")),
        ("day_log", "write_summaries", STORAGE),
        ("day_log", "write_summaries", Locked(holder="pid 1")),
    ],
)
def test_accepted_summary_is_told_as_accepted_whatever_fails_after_it(
    place: str, name: str, error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lithify.gate import day_log

    gate, job = closed(tmp_path)
    monkeypatch.setattr({"files": files, "day_log": day_log}[place], name, broken(error))
    done = CliRunner().invoke(
        lithify, ["gate", "submit", "--job", job, "--root", str(tmp_path)], input=good(1)
    )
    assert done.exit_code == 0
    assert f"accepted as summary 1 of job {job}" in done.output
    assert "still to do, by the next call: " in done.output
    assert "othing was changed" not in done.output
    monkeypatch.undo()
    # The next call does what was left; the same summary again is the same summary.
    again = gate.submit(job, good(1))
    assert isinstance(again, Submitted) and again.again and not again.left
    assert not (tmp_path / ".lithify/gate/closed").exists()
    assert "Current state:" in next((tmp_path / "memory").glob("*.md")).read_text()


def test_line_that_the_disk_did_not_confirm_is_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, job = closed(tmp_path)
    real = files.append

    def unconfirmed(*given: Any) -> Any:
        real(*given)
        raise Unfinished(action="sync", path="chain.jsonl", reason="Input/output error")

    monkeypatch.setattr(files, "append", unconfirmed)
    done = gate.submit(job, good(1))
    assert isinstance(done, Submitted) and done.summary.seq == 1
    assert done.left == ("cannot sync chain.jsonl: Input/output error",)


def test_line_that_was_not_written_is_an_error_and_the_gate_stays_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, job = closed(tmp_path)
    monkeypatch.setattr(disk, "append", broken(STORAGE))
    with pytest.raises(StorageError):
        gate.submit(job, good(1))
    monkeypatch.undo()
    assert gate.closed_jobs() == (job,)


def test_a_folder_that_the_disk_cannot_look_at_is_not_moved_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, job = closed(tmp_path)
    folder, look = str(tmp_path / ".lithify/gate" / job), os.stat

    def fail(path: Any, **options: Any) -> os.stat_result:
        if str(path) == folder:
            raise OSError(5, "Input/output error")
        return look(path, **options)

    with monkeypatch.context() as failing:
        failing.setattr(os, "stat", fail)
        with pytest.raises(StorageError, match="Input/output error"):
            files.put_json(f"{folder}/fed.json", {})
    assert gate.record("s", "answer", "Done.").state.job == job
    assert (tmp_path / ".lithify/gate" / job / "interactions.jsonl").is_file()
