"""Cursor's wire. A conversation is a session; several of its events stand before a tool call.

Nothing to object is said as `{}`, never as `allow`: that could answer an approval which is the
person's to give.
"""

from __future__ import annotations

import json
import os

from lithify.hooks.wire import LIMIT, Given, Reply, Wire

_BEFORE = (
    *("preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"),
    "subagentStart",
)
_EVENTS = {
    "sessionStart": "SessionStart",
    "beforeSubmitPrompt": "UserPromptSubmit",
    **dict.fromkeys(_BEFORE, "PreToolUse"),
    "postToolUse": "PostToolUse",
    "preCompact": "PreCompact",
    "afterAgentResponse": "Stop",
    "sessionEnd": "SessionEnd",
}
_TOOLS = {"Shell": "Bash", "AskQuestion": "AskUserQuestion"}
_CLOSED = "lithify: the gate is closed until the agent hands in a summary."


def read(event: str, given: Given) -> Given:
    """The event in everyone's form."""
    parent = given.get("parent_conversation_id")
    own = given.get("conversation_id") or given.get("session_id")
    found = {**given, "session_id": parent or own}
    if parent and parent != own:
        found["agent_id"] = own
    roots = given.get("workspace_roots")
    if not given.get("cwd") and isinstance(roots, list) and roots:
        found["cwd"] = roots[0]
    match event:
        case "beforeShellExecution":
            found.update(tool_name="Bash", tool_input={"command": given.get("command")})
        case "beforeReadFile":
            found["tool_name"] = "Read"
        case "subagentStart":
            found["tool_name"] = "Task"
        case "beforeMCPExecution":
            found["tool_name"] = f"mcp__{_server(given)}__{given.get('tool_name')}"
            found["tool_input"] = _object(given.get("tool_input"))
        case "afterAgentResponse":
            found["last_assistant_message"] = given.get("text")
        case "preToolUse" | "postToolUse":
            found["tool_name"] = _tool(str(given.get("tool_name") or ""))
            found["tool_input"] = _object(given.get("tool_input"))
            found["tool_response"] = given.get("tool_output")
    return found


def write(event: str, reply: Reply) -> str:
    """The answer, always one JSON object."""
    out: dict[str, object] = {}
    if event in _BEFORE and reply.deny:
        said = reply.person or _CLOSED
        out = {"permission": "deny", "user_message": said, "agent_message": reply.deny[:LIMIT]}
    elif event == "beforeSubmitPrompt":
        out = {"continue": True}
    elif event in ("sessionStart", "postToolUse") and reply.context:
        out = {"additional_context": reply.context[:LIMIT]}
    elif reply.person:
        out = {"user_message": reply.person[:LIMIT]}
    return json.dumps(out)


def _tool(name: str) -> str:
    if name == "MCP:submit_summary":
        # Whose tool it is says only the event that follows, beforeMCPExecution.
        return "mcp__lithify__submit_summary"
    return f"mcp__cursor__{name[4:]}" if name.startswith("MCP:") else _TOOLS.get(name, name)


def _server(given: Given) -> str:
    """The server of a tool by the command that starts it: only ours is told by name."""
    words = str(given.get("command") or "").split()
    ours = [number for number, word in enumerate(words) if os.path.basename(word) == "lithify"]
    return "lithify" if ours and words[ours[0] + 1 : ours[0] + 2] == ["mcp"] else "cursor"


def _object(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


WIRE = Wire("cursor", _EVENTS, read, write, hands_over=False)
