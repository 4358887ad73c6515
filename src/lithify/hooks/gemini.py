"""Gemini CLI's wire. Its standard output is JSON and nothing else, so silence is `{}`."""

from __future__ import annotations

import json

from lithify.hooks.wire import LIMIT, Given, Reply, Wire

_EVENTS = {
    "SessionStart": "SessionStart",
    "BeforeAgent": "UserPromptSubmit",
    "BeforeTool": "PreToolUse",
    "AfterTool": "PostToolUse",
    "PreCompress": "PreCompact",
    "AfterAgent": "Stop",
    "SessionEnd": "SessionEnd",
}
_HEARD = frozenset({"SessionStart", "BeforeAgent", "AfterTool"})
_TOOLS = {
    "run_shell_command": "Bash",
    "ask_user": "AskUserQuestion",
    "web_fetch": "WebFetch",
    "google_web_search": "WebSearch",
    "mcp_lithify_submit_summary": "mcp__lithify__submit_summary",
}


def read(event: str, given: Given) -> Given:
    """The event in everyone's form."""
    found = dict(given)
    tool, server = given.get("tool_name"), given.get("mcp_context")
    if isinstance(server, dict) and server.get("server_name"):
        found["tool_name"] = f"mcp__{server['server_name']}__{server.get('tool_name') or tool}"
    elif isinstance(tool, str):
        found["tool_name"] = _TOOLS.get(tool, tool)
    response = given.get("tool_response")
    if isinstance(response, dict) and "llmContent" in response:
        found["tool_response"] = response["llmContent"]
    if event == "AfterAgent":
        found["last_assistant_message"] = given.get("prompt_response")
    return found


def write(event: str, reply: Reply) -> str:
    """The answer, always one JSON object."""
    out: dict[str, object] = {}
    if reply.deny:
        out.update(decision="deny", reason=reply.deny[:LIMIT])
    elif reply.context and event in _HEARD:
        out["hookSpecificOutput"] = {
            "hookEventName": event,
            "additionalContext": reply.context[:LIMIT],
        }
    if reply.person:
        out["systemMessage"] = reply.person[:LIMIT]
    return json.dumps(out)


WIRE = Wire("gemini", _EVENTS, read, write)
