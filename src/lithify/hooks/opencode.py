"""OpenCode's wire: what its plugin, `opencode.js`, sends and gets back."""

from __future__ import annotations

import json

from lithify.hooks.wire import LIMIT, Given, Reply, Wire

_EVENTS = (
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact"),
    *("Stop", "SessionEnd"),
)
_TOOLS = {
    "bash": "Bash",
    "question": "AskUserQuestion",
    "webfetch": "WebFetch",
    "websearch": "WebSearch",
}
_OWN = frozenset({"apply_patch", "plan_enter", "plan_exit"})


def read(event: str, given: Given) -> Given:
    """The event in everyone's form."""
    tool = given.get("tool_name")
    return {**given, "tool_name": _tool(tool)} if isinstance(tool, str) else given


def write(event: str, reply: Reply) -> str:
    """The answer, for the plugin to throw, to tell the agent, or to show."""
    said = {"deny": reply.deny, "context": reply.context, "person": reply.person}
    return json.dumps({key: text[:LIMIT] for key, text in said.items() if text})


def _tool(name: str) -> str:
    if name in _TOOLS:
        return _TOOLS[name]
    server, line, tool = name.partition("_")
    return f"mcp__{server}__{tool}" if line and name not in _OWN else name


WIRE = Wire("opencode", {event: event for event in _EVENTS}, read, write, hands_over=False)
