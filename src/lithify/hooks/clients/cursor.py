"""Cursor. A conversation is a session, and several of its events stand before a tool call.

An answer that says nothing is `{}`, never `allow`, because that could answer an approval for the
person.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from lithify.hooks.clients import LIMIT, Client, Given, HookEntries, Injected, Reply

_BEFORE = (
    *("preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"),
    "subagentStart",
)
#: Those of them that can have it ask the person.
_ASKING = ("beforeShellExecution", "beforeMCPExecution")
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
    """Return the event in the form of Claude Code."""
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
    """Return the answer, always one JSON object."""
    out: dict[str, object] = {}
    if event in _BEFORE and reply.deny:
        said = reply.person or _CLOSED
        out = {"permission": "deny", "user_message": said, "agent_message": reply.deny[:LIMIT]}
    elif event in _ASKING and reply.ask:
        out = {"permission": "ask", "user_message": reply.ask, "agent_message": reply.ask[:LIMIT]}
    elif event in _BEFORE and reply.ask:
        # The event that follows asks; where none does, the call is refused.
        pass
    elif event == "beforeSubmitPrompt":
        out = {"continue": True}
    elif event in ("sessionStart", "postToolUse") and reply.context:
        out = {"additional_context": reply.context[:LIMIT]}
    elif reply.person:
        out = {"user_message": reply.person[:LIMIT]}
    return json.dumps(out)


def entries(line: Callable[[str], str], on_stuck: str) -> HookEntries:
    """Return the hooks to install; `line` gives the command line of an event."""

    def hook(event: str, timeout: int = 20, **more: Any) -> list[dict[str, Any]]:
        # With `failClosed` Cursor would also refuse an answer without a permission, and we must
        # not give the permission for the person.
        return [{"command": line(event), "timeout": timeout, "failClosed": False, **more}]

    return {
        "sessionStart": hook("sessionStart"),
        "beforeSubmitPrompt": hook("beforeSubmitPrompt"),
        **{event: hook(event, 10) for event in _BEFORE},
        "postToolUse": hook("postToolUse", matcher="AskQuestion|WebFetch|WebSearch|MCP:.*"),
        "preCompact": hook("preCompact"),
        "afterAgentResponse": hook("afterAgentResponse"),
        "sessionEnd": hook("sessionEnd"),
    }


def _tool(name: str) -> str:
    if name == "MCP:submit_summary":
        # This event does not name the server; beforeMCPExecution, which follows, does.
        return "mcp__lithify__submit_summary"
    return f"mcp__cursor__{name[4:]}" if name.startswith("MCP:") else _TOOLS.get(name, name)


def _server(given: Given) -> str:
    """Return the server of a tool, by the command that starts it: `lithify`, or `cursor` for any other."""
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


def trial_call(session: str, cwd: str, tool: str, given: Given) -> Given:
    """Return a trial tool call as Cursor reports it."""
    event = {"cwd": cwd, "hook_event_name": "preToolUse", "tool_name": tool}
    return {"conversation_id": session, **event, "tool_input": given, "tool_use_id": "trial-1"}


CLIENT = Client(
    name="cursor",
    flag="cursor",
    title="Cursor",
    events=_EVENTS,
    read=read,
    write=write,
    project=".cursor/hooks.json",
    user=("", "~/.cursor", "hooks.json"),
    then="It takes effect in a trusted workspace; Cursor's settings list the hooks.",
    entries=entries,
    mcp_client="cursor-vscode",
    base={"version": 1},
    hands_over=False,
    hears_call=False,
    injected=Injected(
        notices=("system_notification",),
        wrappers=("system_reminder", "user_info", "attached_files", "additional_data"),
        spoken=("user_query",),
    ),
    silence="{}",
    warning=lambda text: {"user_message": text},
    guard="preToolUse",
    trial_tools=("Read", "Shell"),
    trial_call=trial_call,
    denied=lambda said: said.get("permission") == "deny" and said.get("agent_message"),
    server_files={"project": ".cursor/mcp.json", "user": "mcp.json"},
)
