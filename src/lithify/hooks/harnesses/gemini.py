"""Gemini CLI. It expects JSON on standard output, so an answer that says nothing is `{}`.

It escapes angle brackets in context, not in the reason of a denial, so what the agent has to type
exactly comes with a denial.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from lithify.hooks.harness import LIMIT, Entries, Given, Harness, Injected, Reply

_EVENTS = {
    "SessionStart": "SessionStart",
    "BeforeAgent": "UserPromptSubmit",
    "BeforeTool": "PreToolUse",
    "AfterTool": "PostToolUse",
    # It comes before every request to the model; earlier versions of ours installed it.
    "PreCompress": "",
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
    """The event in the form of Claude Code."""
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


def entries(line: Callable[[str], str], on_stuck: str) -> Entries:
    """The hooks to install; `line` gives the command line of an event."""

    def group(event: str, matcher: str = "", seconds: int = 20) -> list[dict[str, Any]]:
        # Its timeouts are milliseconds.
        hook = {"name": f"lithify-{event}", "type": "command", "command": line(event)}
        hooks = [{**hook, "timeout": seconds * 1000}]
        return [{**({"matcher": matcher} if matcher else {}), "hooks": hooks}]

    return {
        "SessionStart": group("SessionStart"),
        "BeforeAgent": group("BeforeAgent"),
        "BeforeTool": group("BeforeTool", ".*", 10),
        "AfterTool": group("AfterTool", "^(ask_user|web_fetch|google_web_search|mcp_.+)$"),
        "AfterAgent": group("AfterAgent"),
        "SessionEnd": group("SessionEnd"),
    }


HARNESS = Harness(
    name="gemini",
    flag="gemini",
    title="Gemini CLI",
    events=_EVENTS,
    read=read,
    write=write,
    project=".gemini/settings.json",
    user=("", "~/.gemini", "settings.json"),
    then="It takes effect with the next session; /hooks lists them.",
    entries=entries,
    hands_over=False,
    injected=Injected(wrappers=("hook_context", "session_context", "system_reminder")),
    silence="{}",
)
