"""Codex CLI: Claude Code's form with other names for a few tools.

It ignores an answer that has a field it does not know, so nothing is added to that form.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from lithify.hooks.harness import Entries, Given, Harness, Injected, Reply
from lithify.hooks.harnesses.claude import answer

_EVENTS = (
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact"),
    *("Stop", "SessionEnd"),
)
_TOOLS = {"request_user_input": "AskUserQuestion", "web_search": "WebSearch"}
_REQUEST = "## My request for Codex:"
_INJECTED = Injected(
    notices=("subagent_notification",),
    wrappers=(
        *("environment_context", "user_instructions", "skills_instructions", "turn_aborted"),
        *("user_shell_command", "current_time_reminder", "user_verification_notice"),
    ),
    prefaces=(
        ("# Context from my IDE setup:", _REQUEST),
        ("# Files mentioned by the user:", _REQUEST),
    ),
)


def read(event: str, given: Given) -> Given:
    """The event with the tools named as Claude Code names them."""
    tool = given.get("tool_name")
    return {**given, "tool_name": _TOOLS[tool]} if tool in _TOOLS else given


def write(event: str, reply: Reply) -> str:
    """The answer; empty where there is nothing to say."""
    out = answer(event, reply)
    return json.dumps(out) if out else ""


def entries(line: Callable[[str], str], on_stuck: str) -> Entries:
    """The hooks to install; `line` gives the command line of an event."""

    def group(event: str, matcher: str = "", timeout: int = 20) -> list[dict[str, Any]]:
        hook = {"type": "command", "command": line(event), "timeout": timeout}
        return [{**({"matcher": matcher} if matcher else {}), "hooks": [hook]}]

    return {
        "SessionStart": group("SessionStart"),
        "UserPromptSubmit": group("UserPromptSubmit"),
        "PreToolUse": group("PreToolUse", ".*", 10),
        "PostToolUse": group("PostToolUse", "^(request_user_input|web_search|mcp__.+)$"),
        "PreCompact": group("PreCompact"),
        "Stop": group("Stop"),
        "SessionEnd": group("SessionEnd", "", 3),
    }


HARNESS = Harness(
    name="codex",
    flag="codex",
    title="Codex CLI",
    events={event: event for event in _EVENTS},
    read=read,
    write=write,
    project=".codex/hooks.json",
    user=("CODEX_HOME", "~/.codex", "hooks.json"),
    then="Trust the hooks once with /hooks; older versions also need `codex_hooks = true` under "
    "[features] in config.toml.",
    entries=entries,
    injected=_INJECTED,
)
