"""Claude Code: its hooks, and its JSON, which is the form the other clients are turned into."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from lithify.hooks.clients import EVENTS, LIMIT, Access, Client, Given, HookEntries, Injected, Reply

#: The events whose answer may carry text to the agent.
_HEARD = frozenset({"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"})
#: The tools whose results are noted: what a person answers, and what comes from elsewhere.
NOTED_TOOLS = "^(AskUserQuestion|WebFetch|WebSearch|mcp__.+)$"
_INJECTED = Injected(
    notices=(
        *("task-notification", "event kind=", "tick", "remote-review", "fetched-web-content"),
        *("agent-message", "teammate-message", "cross-session-message", "coordinator-relay"),
        *("channel source=", "slack-ping", "slack-tag-message", "untrusted-widget-state"),
        *("mcp-resource-update", "mcp-polling-update"),
    ),
    wrappers=(
        *("system-reminder", "system_reminder", "user-prompt-submit-hook", "post-tool-use-hook"),
        *("command-name", "command-message", "command-contents", "skill-format"),
        *("local-command-caveat", "local-command-stdout", "local-command-stderr"),
        *("bash-input", "bash-stdout", "bash-stderr", "bash-exit-code"),
        *("ide_selection", "ide_opened_file", "ide_diagnostics", "browser_instruction"),
        *("fork-boilerplate", "forked-skill-launch", "persisted-output", "sandbox_violations"),
    ),
    spoken=("command-args", "user-memory-input"),
    notes=("[Request interrupted by user]", "[Request interrupted by user for tool use]"),
)


def read(event: str, given: Given) -> Given:
    """Return the event as it came; what the client polled itself is no prompt."""
    return {**given, "prompt": ""} if given.get("source") == "poll_event" else given


def write(event: str, reply: Reply) -> str:
    """Return the answer; empty where there is nothing to say.

    Before a compaction it is plain text: all of it is added to the instructions for the summary.
    """
    if event == "PreCompact":
        return reply.context[:LIMIT]
    out = answer(event, reply)
    return json.dumps(out) if out else ""


def answer(event: str, reply: Reply) -> dict[str, object]:
    """Return the answer as an object.

    It never says `allow`, because that would answer a permission question for the person.
    """
    out: dict[str, object] = {}
    if reply.deny:
        out["hookSpecificOutput"] = {
            "hookEventName": event,
            "permissionDecision": "deny",
            "permissionDecisionReason": reply.deny[:LIMIT],
        }
    elif reply.ask:
        out["hookSpecificOutput"] = {
            "hookEventName": event,
            "permissionDecision": "ask",
            "permissionDecisionReason": reply.ask[:LIMIT],
        }
    elif reply.context and event in _HEARD:
        out["hookSpecificOutput"] = {
            "hookEventName": event,
            "additionalContext": reply.context[:LIMIT],
        }
    if reply.person:
        out["systemMessage"] = reply.person[:LIMIT]
    return out


def entries(line: Callable[[str], str], on_stuck: str) -> HookEntries:
    """Return the hooks to install; `line` gives the command line of an event."""

    def hook(event: str, timeout: int, fails: str = "continue") -> dict[str, Any]:
        return {"type": "command", "command": line(event), "timeout": timeout, "onFailure": fails}

    guard = hook("PreToolUse", 10, "block" if on_stuck == "hold" else "continue")
    return {
        "SessionStart": [{"hooks": [hook("SessionStart", 30)]}],
        "UserPromptSubmit": [{"hooks": [hook("UserPromptSubmit", 20)]}],
        "PreToolUse": [{"matcher": "*", "hooks": [guard]}],
        "PostToolUse": [{"matcher": NOTED_TOOLS, "hooks": [hook("PostToolUse", 20)]}],
        "PreCompact": [{"hooks": [hook("PreCompact", 20)]}],
        "Stop": [{"hooks": [hook("Stop", 20)]}],
        "SessionEnd": [{"hooks": [hook("SessionEnd", 20)]}],
    }


def access(access: Access) -> dict[str, Any]:
    """Return permissions for the command that submits a summary and for the tools of our server."""
    rules = [f"Bash({command}:*)" for command in access.commands]
    listed = {"enabledMcpjsonServers": ["lithify"]} if access.server and access.listed else {}
    return {"permissions": {"allow": [*rules, "mcp__lithify"]}, **listed}


def server_list(project: str) -> str:
    """Return the file of Claude Code itself, if `claude mcp add` has put our server there."""
    from lithify.gate.files import read_json

    folder = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~")
    path = os.path.join(folder, ".claude.json")
    known = read_json(path) or {}
    try:
        lists = (known, known.get("projects", {}).get(project, {}))
        return path if any("lithify" in one.get("mcpServers", {}) for one in lists) else ""
    except (AttributeError, TypeError):
        return ""


CLIENT = Client(
    name="claude",
    flag="claude-code",
    title="Claude Code",
    events={event: event for event in (*EVENTS, "SubagentStop")},
    read=read,
    write=write,
    project=".claude/settings.json",
    user=("CLAUDE_CONFIG_DIR", "~/.claude", "settings.json"),
    entries=entries,
    mcp_client="claude-code",
    shell_variables=("CLAUDECODE", "CLAUDE_CODE_SESSION_ID"),
    injected=_INJECTED,
    local=".claude/settings.local.json",
    access=access,
    server_files={"project": ".mcp.json"},
    add_server={
        "local": "claude mcp add lithify --",
        "user": "claude mcp add --scope user lithify --",
    },
    server_list=server_list,
)
