"""What a client is given beside its hooks: permission for our command, and our MCP server."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from lithify.gate.job_store import program_words
from lithify.gate.texts import quoted
from lithify.hooks.harness import Access, Harness

#: The name of our server in every client; a closed gate knows its tool by it.
SERVER = "lithify"
#: How the commands begin that an agent may need without asking: its summaries and its pages.
_COMMANDS = ("gate submit --job", "write next", "write submit")


def access_of(root: str, python: str, listed: bool) -> Access:
    """What a client should let through; `listed` says that a project's file names the server."""
    return Access(_commands(program_words(python)), server_words(root, python), listed)


def server_words(root: str, python: str) -> tuple[str, ...]:
    """The words that start our server for a root; empty where its extra is not installed."""
    if find_spec("mcp") is None:
        return ()
    return (*program_words(python), "mcp", "--as", "agent", "--root", os.path.abspath(root))


def server_settings(root: str, python: str) -> dict[str, Any]:
    """Our server as a file of MCP servers lists it; empty where its extra is not installed."""
    words = server_words(root, python)
    return {"mcpServers": {SERVER: {"command": words[0], "args": [*words[1:]]}}} if words else {}


def add_command(harness: Harness, scope: str, root: str, python: str) -> str:
    """The command that registers our server where we write no file; empty where none is needed."""
    words, start = server_words(root, python), harness.add_server.get(scope, "")
    return f"{start} {' '.join(map(quoted, words))}" if words and start else ""


def installed_settings(harness: Harness, python: str) -> dict[str, Any]:
    """All that may stand beside hooks that name a Python, whatever was installed at that time."""
    beside = os.path.join(os.path.dirname(python), "lithify")
    commands = _commands((beside,), (python, "-I", "-m", "lithify.cli"))
    return harness.access(Access(commands, ("",), listed=True))


def put(value: dict[str, Any], wanted: Mapping[str, Any]) -> None:
    """Adds our settings to those of others: lists grow, and what others have set stays.

    What a list holds already is added once more, so that `take` leaves the list as it was.
    """
    for key, ours in wanted.items():
        found = value.setdefault(key, type(ours)() if key != SERVER else ours)
        if isinstance(ours, list) and isinstance(found, list):
            found += ours
        elif isinstance(ours, dict) and isinstance(found, dict) and key != SERVER:
            put(found, ours)


def take(value: dict[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Removes our settings and what they leave empty; returns those that were there."""
    taken: dict[str, Any] = {}
    for key, ours in wanted.items():
        found = value.get(key)
        if key == SERVER:
            if is_our_server(found):
                taken[key] = value.pop(key)
        elif isinstance(ours, list) and isinstance(found, list):
            if here := [one for one in ours if one in found]:
                taken[key] = here
                for one in here:
                    del found[len(found) - 1 - found[::-1].index(one)]
        elif isinstance(ours, dict) and isinstance(found, dict) and (inner := take(found, ours)):
            taken[key] = inner
        if key in taken and key in value and not value[key]:
            del value[key]
    return taken


def is_our_server(value: object) -> bool:
    """Whether an entry in a file of MCP servers is one that `init` wrote."""
    if not isinstance(value, dict) or not set(value) <= {"command", "args", "trust"}:
        return False
    command, words = value.get("command"), value.get("args")
    written = isinstance(words, list) and words[-5:-1] == ["mcp", "--as", "agent", "--root"]
    return written and isinstance(command, str) and os.path.isabs(command)


def _commands(*programs: tuple[str, ...]) -> tuple[str, ...]:
    every = (*programs, ("lithify",))
    return tuple(
        f"{' '.join(map(quoted, program))} {command}" for program in every for command in _COMMANDS
    )
