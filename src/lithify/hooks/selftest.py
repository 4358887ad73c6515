"""Runs the command of an installed hook at a temporary root and reports what is wrong.

The calls have the harness's own form: one that must be denied, the submission that must be
admitted, a command added to the submission that must be denied, and one at an open gate that must
go on.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from typing import Any, NamedTuple

from lithify.hooks.command_line import at_another_root
from lithify.hooks.harness import Harness

SESSION = "lithify-trial"
_SECONDS = 60


class Fault(NamedTuple):
    """Something that a self-test found wrong."""

    says: str


def call(
    harness: Harness, cwd: str, command: str | None = None, session: str = SESSION
) -> dict[str, Any]:
    """A tool call as the harness reports it: a shell command, or else the reading of a file."""
    read, shell = harness.trial_tools
    if command is None:
        return harness.trial_call(session, cwd, read, {"file_path": "notes.md"})
    return harness.trial_call(session, cwd, shell, {"command": command})


def denied(harness: Harness, said: str) -> str:
    """The reason in a harness's denial; empty where the call goes on."""
    return str(harness.denied(json.loads(said) if said.strip() else {}) or "")


def closed_root(folder: str) -> str:
    """Makes a folder a root with a closed gate; returns the job that waits."""
    from lithify.gate.gatekeeper import Gatekeeper
    from lithify.memory import Memory

    gate = Gatekeeper(Memory.init(folder, gate=True).root)
    words = " ".join(f"word{number}" for number in range(gate.rules("").threshold))
    return gate.record(SESSION, "prompt", f"This is a trial of the gate. {words}").state.job


def run(harness: Harness, command: str, env: Mapping[str, str] | None = None) -> list[Fault]:
    """What is wrong with the command that runs before a tool call; empty if it works.

    With `env` the command finds its root by the environment, else the root it names is replaced.
    """
    with tempfile.TemporaryDirectory(prefix="lithify-trial-") as folder:
        shut, free = os.path.join(folder, "closed root"), os.path.join(folder, "open root")
        job = closed_root(shut)
        os.mkdir(free)
        with open(os.path.join(free, "lithify.toml"), "w", encoding="utf-8"):
            pass
        summary = f"lithify gate submit --job {job} <<'SUMMARY'\nx\nSUMMARY"
        cases = (
            (shut, None, True, "a reading while the gate is closed"),
            (shut, summary, False, "the submission of a summary"),
            (shut, f"{summary}; ls", True, "a command that rides on the submission"),
            (free, None, False, "a reading while the gate is open"),
        )
        faults = []
        for root, line, deny, what in cases:
            sent = json.dumps(call(harness, root, line))
            fault = _run_case(harness, _at(command, root, env), sent, _env(env, root), deny, what)
            if fault:
                faults.append(fault)
        return faults


def run_start(event: str, command: str, env: Mapping[str, str] | None = None) -> list[Fault]:
    """What is wrong with the command that runs when a session starts; it must print the memory.

    `env` is as in `run`.
    """
    word = "lithify-trial-memory"
    with tempfile.TemporaryDirectory(prefix="lithify-trial-") as folder:
        os.mkdir(os.path.join(folder, "memory"))
        for name, text in (("lithify.toml", ""), (_today(), f"- {word}\n")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        sent = {"session_id": SESSION, "cwd": folder, "hook_event_name": event, "source": "startup"}
        done = _run(_at(command, folder, env), json.dumps(sent), _env(env, folder))
        if isinstance(done, Fault):
            return [Fault(f"the start of a session: {done.says}")]
        found = word in done.stdout.decode("utf-8", "replace")
        return [] if found else [Fault("the start of a session: it was not given the memory")]


def _today() -> str:
    from lithify.calendar import system_clock

    return f"memory/{system_clock().date()}.md"


def _at(command: str, root: str, env: Mapping[str, str] | None) -> str:
    return command if env is not None else at_another_root(command, root)


def _env(env: Mapping[str, str] | None, root: str) -> dict[str, str]:
    own = {k: v for k, v in os.environ.items() if k != "LITHIFY_ROOT"}
    return {**own, **env, "CLAUDE_PROJECT_DIR": root} if env is not None else own


def _run(
    command: str, sent: str, env: Mapping[str, str]
) -> subprocess.CompletedProcess[bytes] | Fault:
    argv = ["sh", "-c", command] if os.name == "posix" else command
    try:
        return subprocess.run(
            argv, input=sent.encode(), capture_output=True, env=env, timeout=_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Fault(f"the command does not run ({error})")


def _run_case(
    harness: Harness, command: str, sent: str, env: Mapping[str, str], deny: bool, what: str
) -> Fault | None:
    done = _run(command, sent, env)
    if isinstance(done, Fault):
        return Fault(f"{what}: {done.says}")
    said = done.stdout.decode("utf-8", "replace")
    told = " ".join(done.stderr.decode("utf-8", "replace").split())[-300:]
    if done.returncode:
        return Fault(f"{what}: the command ends in {done.returncode} ({told or 'no message'})")
    try:
        was = bool(denied(harness, said))
    except (ValueError, AttributeError):
        return Fault(f"{what}: the answer is not JSON: {said[:120]!r}")
    if was != deny:
        wrong = "was let through" if deny else "was denied"
        return Fault(f"{what} {wrong}" + (f" ({told})" if told else ""))
    return None
