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

SESSION = "lithify-trial"
_READ = {
    "claude": "Read",
    "codex": "apply_patch",
    "gemini": "read_file",
    "cursor": "Read",
    "copilot": "view",
    "opencode": "read",
}
_SHELL = {
    "claude": "Bash",
    "codex": "Bash",
    "gemini": "run_shell_command",
    "cursor": "Shell",
    "copilot": "bash",
    "opencode": "bash",
}
_GUARD = {"gemini": "BeforeTool", "cursor": "preToolUse", "copilot": "preToolUse"}
_SECONDS = 60


class Fault(NamedTuple):
    """Something that a self-test found wrong."""

    says: str


def guard_event(harness: str) -> str:
    """The event of a harness before every tool call."""
    return _GUARD.get(harness, "PreToolUse")


def call(
    harness: str, cwd: str, command: str | None = None, session: str = SESSION
) -> dict[str, Any]:
    """A tool call as the harness reports it: a shell command, or else the reading of a file."""
    tool = _READ[harness] if command is None else _SHELL[harness]
    given = {"file_path": "notes.md"} if command is None else {"command": command}
    if harness == "copilot":
        when = {"timestamp": 1_780_000_000_000, "cwd": cwd}
        return {"sessionId": session, **when, "toolName": tool, "toolArgs": given}
    event = {"cwd": cwd, "hook_event_name": guard_event(harness), "tool_name": tool}
    who = {"conversation_id" if harness == "cursor" else "session_id": session}
    return {**who, **event, "tool_input": given, "tool_use_id": "trial-1"}


def denied(harness: str, said: str) -> str:
    """The reason in a harness's denial; empty where the call goes on."""
    found = json.loads(said) if said.strip() else {}
    match harness:
        case "gemini":
            reason = found.get("reason") if found.get("decision") == "deny" else ""
        case "cursor":
            reason = found.get("agent_message") if found.get("permission") == "deny" else ""
        case "opencode":
            reason = found.get("deny")
        case _:
            out = found if harness == "copilot" else found.get("hookSpecificOutput", {})
            deny = out.get("permissionDecision") == "deny"
            reason = out.get("permissionDecisionReason") if deny else ""
    return str(reason or "")


def closed_root(folder: str) -> str:
    """Makes a folder a root with a closed gate; returns the job that waits."""
    from lithify.gate.gatekeeper import Gatekeeper
    from lithify.memory import Memory

    gate = Gatekeeper(Memory.init(folder, gate=True).root)
    words = " ".join(f"word{number}" for number in range(gate.rules("").threshold))
    return gate.record(SESSION, "prompt", f"This is a trial of the gate. {words}").state.job


def run(harness: str, command: str, env: Mapping[str, str] | None = None) -> list[Fault]:
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


def _at(command: str, root: str, env: Mapping[str, str] | None) -> str:
    return command if env is not None else at_another_root(command, root)


def _env(env: Mapping[str, str] | None, root: str) -> dict[str, str]:
    own = {k: v for k, v in os.environ.items() if k != "LITHIFY_ROOT"}
    return {**own, **env, "CLAUDE_PROJECT_DIR": root} if env is not None else own


def _run_case(
    harness: str, command: str, sent: str, env: Mapping[str, str], deny: bool, what: str
) -> Fault | None:
    argv = ["sh", "-c", command] if os.name == "posix" else command
    try:
        done = subprocess.run(
            argv, input=sent.encode(), capture_output=True, env=env, timeout=_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Fault(f"{what}: the command does not run ({error})")
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
