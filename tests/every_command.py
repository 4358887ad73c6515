"""Runs every command on a root without a model, for tests/test_network.py.

    python tests/every_command.py ROOT [--guard]

Prints the exit code of each command as JSON. With `--guard` the interpreter refuses every connection,
look-up of a name and datagram outside of Unix sockets, and the command that tried one is named.
"""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path

from click.testing import CliRunner

from lithify.cli import COMMANDS, lithify
from lithify.memory import Memory

TRANSCRIPTS = Path(__file__).parent / "fixtures/imports/claude-code"

#: How each command is called; one that is not here prints its help.
CALLS: dict[str, list[list[str]]] = {
    "init": [["init"]],
    "log": [
        ["log", "Shipped 2.4.1; Priya signed it off."],
        ["log", "Rule: no deploys on Fridays."],
    ],
    "remember": [["remember", "Deploys never happen on Fridays."]],
    "status": [["status"]],
    "compact": [["compact", "--include-current"], ["compact", "--include-current", "--dry-run"]],
    "write": [["write", "next"]],
    "context": [["context"]],
    "recall": [["recall", "who signed off 2.4.1"]],
    "trace": [["trace", "WISDOM.md:9"]],
    "diff": [["diff", "wisdom"]],
    "memories": [["memories", "list"]],
    "wisdom": [["wisdom", "show"], ["wisdom", "log"]],
    "quarantine": [["quarantine", "list"]],
    "prompts": [["prompts", "show", "wisdom"]],
    "models": [["models"]],
    "trust": [["trust"]],
    "check": [["check"]],
    "scan": [["scan"]],
    "gate": [["gate", "status"], ["gate", "record", "Looked at the log."]],
    "hook": [["hook", "SessionStart"]],
    "doctor": [["doctor"]],
    "schedule": [["schedule", "print"], ["schedule", "run"]],
    "import": [["import"], ["import", "claude-code", str(TRANSCRIPTS)]],
    "export": [["export", "jsonl", "-"]],
    "index": [["index", "--rebuild"]],
    "bench": [["bench", "retention"]],
    "forget": [["forget", "--yes", "Priya"]],
}

#: What an interpreter raises before it talks to another machine.
_TALK = {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"}
tried: list[str] = []


def guard(event: str, args: tuple[object, ...]) -> None:
    """Refuse to talk to any machine; an audit hook, which no library can get around in Python."""
    if event not in _TALK:
        return
    if isinstance(args[0], socket.socket) and args[0].family == socket.AF_UNIX:
        return
    tried.append(event)
    raise OSError(f"{event} is not allowed here")


def main(root: str) -> dict[str, list[int]]:
    codes: dict[str, list[int]] = {}
    CliRunner().invoke(lithify, ["init", root])
    Memory.open(root).allow_unattended("forget")
    # In the order of the help, but forgetting comes last.
    for name in sorted(COMMANDS, key=lambda name: name == "forget"):
        for call in CALLS.get(name, [[name, "--help"]]):
            where = ["--root", root] if name in CALLS and name not in ("hook", "doctor") else []
            given = json.dumps({"cwd": root, "session_id": "s"}) if name == "hook" else None
            done = CliRunner().invoke(lithify, [*call, *where], input=given)
            code = getattr(done.exception, "exit_code", done.exit_code)
            codes.setdefault(name, []).append(code)
            if tried:
                raise SystemExit(f"lithify {' '.join(call)} called {tried[0]}")
    return codes


if __name__ == "__main__":
    if "--guard" in sys.argv:
        sys.addaudithook(guard)
    print(json.dumps(main(sys.argv[1])))
