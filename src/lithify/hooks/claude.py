"""Claude Code's wire: its JSON in, its JSON out. Facts are said, never orders."""

from __future__ import annotations

import json

from lithify.hooks.wire import LIMIT, Given, Reply, Wire

EVENTS = (
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact"),
    *("Stop", "SubagentStop", "SessionEnd"),
)
#: Events whose answer may carry text to the agent.
_HEARD = frozenset({"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"})


def read(event: str, given: Given) -> Given:
    """The event as it came: this form is everyone's."""
    return given


def write(event: str, reply: Reply) -> str:
    """The answer; empty lets the harness go its own way.

    Never a bare allow: it would answer questions that are the person's to answer.
    """
    out: dict[str, object] = {}
    if reply.deny:
        out["hookSpecificOutput"] = {
            "hookEventName": event,
            "permissionDecision": "deny",
            "permissionDecisionReason": reply.deny[:LIMIT],
        }
    elif reply.context and event in _HEARD:
        out["hookSpecificOutput"] = {
            "hookEventName": event,
            "additionalContext": reply.context[:LIMIT],
        }
    if reply.person:
        out["systemMessage"] = reply.person[:LIMIT]
    return json.dumps(out) if out else ""


WIRE = Wire("claude", {event: event for event in EVENTS}, read, write)
