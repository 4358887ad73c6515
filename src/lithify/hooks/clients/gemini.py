"""Gemini CLI. It expects JSON on standard output, so an answer that says nothing is `{}`.

It escapes angle brackets in context, not in the reason of a denial, so what the agent has to type
exactly comes with a denial.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from lithify.hooks.clients import (
    LIMIT,
    Access,
    Client,
    Given,
    HookEntries,
    Injected,
    Reply,
    claude_call,
)

_EVENTS = {
    "SessionStart": "SessionStart",
    "BeforeAgent": "UserPromptSubmit",
    "BeforeTool": "PreToolUse",
    "AfterTool": "PostToolUse",
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
    """Return the event in the form of Claude Code."""
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
    """Return the answer, always one JSON object."""
    out: dict[str, object] = {}
    if reply.deny:
        out.update(decision="deny", reason=reply.deny[:LIMIT])
    elif reply.ask:
        out.update(decision="ask", reason=reply.ask[:LIMIT], systemMessage=reply.ask[:LIMIT])
    elif reply.context and event in _HEARD:
        out["hookSpecificOutput"] = {
            "hookEventName": event,
            "additionalContext": reply.context[:LIMIT],
        }
    if reply.person:
        out["systemMessage"] = reply.person[:LIMIT]
    return json.dumps(out)


def entries(line: Callable[[str], str], on_stuck: str) -> HookEntries:
    """Return the hooks to install; `line` gives the command line of an event."""

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


def access(access: Access) -> dict[str, Any]:
    """Return our server, whose tools need no confirmation.

    A rule for the command under `tools.allowed` would forbid every other shell command.
    """
    if not access.server:
        return {}
    program, *words = access.server
    return {"mcpServers": {"lithify": {"command": program, "args": words, "trust": True}}}


def untrusted(scope: str, path: str, project: str) -> str:
    """Return what is left to do before Gemini CLI runs the hooks of a file."""
    from lithify.gate.files import read_json

    home = os.path.join(os.environ.get("GEMINI_CLI_HOME") or os.path.expanduser("~"), ".gemini")
    settings = read_json(os.path.join(home, "settings.json")) or {}
    for found in (settings, read_json(path) or {}):
        if isinstance(config := found.get("hooksConfig"), dict) and config.get("enabled") is False:
            return "switch its hooks on: `hooksConfig.enabled` in its settings"
    said = os.environ.get("GEMINI_CLI_TRUST_WORKSPACE")
    security = settings.get("security")
    folder_trust = security.get("folderTrust") if isinstance(security, dict) else None
    off = isinstance(folder_trust, dict) and folder_trust.get("enabled") is False
    if scope != "project" or said == "true" or (off and said != "false"):
        return ""
    file = os.environ.get("GEMINI_CLI_TRUSTED_FOLDERS_PATH")
    rules = read_json(file or os.path.join(home, "trustedFolders.json")) or {}
    if said != "false" and _trusts(rules, os.path.realpath(project)):
        return ""
    return f"start `gemini` in {project} and trust the folder"


def _trusts(rules: Given, project: str) -> bool:
    """Tell whether the longest rule that names the project or a folder above it trusts it."""
    best, level = -1, ""
    for folder, found in rules.items():
        named = os.path.realpath(os.path.dirname(folder) if found == "TRUST_PARENT" else folder)
        if os.path.commonpath((named, project)) == named and len(folder) > best:
            best, level = len(folder), found
    return level in ("TRUST_FOLDER", "TRUST_PARENT")


CLIENT = Client(
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
    mcp_client="gemini-cli-mcp-client",
    shell_variables=("GEMINI_CLI",),
    hands_over=False,
    hears_call=False,
    injected=Injected(wrappers=("hook_context", "session_context", "system_reminder")),
    silence="{}",
    guard="BeforeTool",
    trial_tools=("read_file", "run_shell_command"),
    trial_call=lambda *asked: {**claude_call(*asked), "hook_event_name": "BeforeTool"},
    denied=lambda said: said.get("decision") == "deny" and said.get("reason"),
    access=access,
    untrusted=untrusted,
)
