"""Codex CLI's wire: Claude Code's form with its own names for a few tools.

It takes an answer with a field it does not know for no answer at all, so nothing is added.
"""

from __future__ import annotations

from lithify.hooks.claude import write
from lithify.hooks.wire import Given, Wire

_EVENTS = (
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact"),
    *("Stop", "SessionEnd"),
)
_TOOLS = {"request_user_input": "AskUserQuestion", "web_search": "WebSearch"}


def read(event: str, given: Given) -> Given:
    """Its questions called as everyone's."""
    tool = given.get("tool_name")
    return {**given, "tool_name": _TOOLS[tool]} if tool in _TOOLS else given


WIRE = Wire("codex", {event: event for event in _EVENTS}, read, write)
