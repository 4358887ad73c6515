"""GitHub Copilot CLI's wire, in the form its camelCase events have.

What a hook answers to a prompt is dropped, and there is no line to the person: what he should
know stands in the denial.
"""

from __future__ import annotations

import json

from lithify.hooks.wire import LIMIT, Given, Reply, Wire

_EVENTS = {
    "sessionStart": "SessionStart",
    "userPromptSubmitted": "UserPromptSubmit",
    "preToolUse": "PreToolUse",
    "postToolUse": "PostToolUse",
    "preCompact": "PreCompact",
    "sessionEnd": "SessionEnd",
}
_TOOLS = {
    "bash": "Bash",
    "ask_user": "AskUserQuestion",
    "web_fetch": "WebFetch",
    "web_search": "WebSearch",
}


def read(event: str, given: Given) -> Given:
    """The event in everyone's form."""
    found: Given = {"session_id": given.get("sessionId"), "cwd": given.get("cwd")}
    found["prompt"] = given.get("prompt")
    if "toolName" in given:
        found["tool_name"] = _tool(str(given["toolName"]))
        arguments = given.get("toolArgs")
        if isinstance(arguments, str):
            try:
                arguments = json.loads(arguments)
            except ValueError:
                arguments = {}
        found["tool_input"] = arguments
    result = given.get("toolResult")
    found["tool_response"] = result.get("textResultForLlm") if isinstance(result, dict) else None
    return found


def write(event: str, reply: Reply) -> str:
    """The answer; empty lets the harness go its own way."""
    if reply.deny:
        person = f"{reply.person}\n\n" if reply.person else ""
        reason = (person + reply.deny)[:LIMIT]
        return json.dumps({"permissionDecision": "deny", "permissionDecisionReason": reason})
    if reply.context and event in ("sessionStart", "postToolUse"):
        return json.dumps({"additionalContext": reply.context[:LIMIT]})
    return ""


def _tool(name: str) -> str:
    if name in _TOOLS:
        return _TOOLS[name]
    server, dash, tool = name.partition("-")
    return f"mcp__{server}__{tool}" if dash else name


WIRE = Wire("copilot", _EVENTS, read, write, hands_over=False)
