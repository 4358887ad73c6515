"""GitHub Copilot CLI, in the form of its camelCase events.

It drops what a hook answers to a prompt and shows the person no messages, so a denial also holds
what the person should know.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from typing import Any

from lithify.hooks.clients import LIMIT, Client, Given, HookEntries, Injected, Reply

_EVENTS = {
    "sessionStart": "SessionStart",
    "userPromptSubmitted": "UserPromptSubmit",
    "preToolUse": "PreToolUse",
    "postToolUse": "PostToolUse",
    "preCompact": "PreCompact",
    "agentStop": "Stop",
    "sessionEnd": "SessionEnd",
}
_TOOLS = {
    "bash": "Bash",
    "ask_user": "AskUserQuestion",
    "web_fetch": "WebFetch",
    "web_search": "WebSearch",
}


#: How much of a transcript's end is searched for the last answer.
_TAIL = 200_000
#: Seconds that the end of a session waits for its transcript.
_PATIENCE = 2.0


def read(event: str, given: Given) -> Given:
    """Return the event in the form of Claude Code.

    A subagent's events carry a session id of its own, and that of its parent's session.
    """
    agent, parent = given.get("agentId"), given.get("parentAgentId")
    session = parent if agent and parent else given.get("sessionId")
    found: Given = {"session_id": session, "cwd": given.get("cwd"), "agent_id": agent}
    found["prompt"] = given.get("prompt")
    if event in ("agentStop", "sessionEnd") and not agent:
        transcript = str(given.get("transcriptPath") or _transcript(str(session or "")))
        waits = event == "sessionEnd" and os.path.isdir(os.path.dirname(transcript))
        patience = _PATIENCE if waits else 0
        found["last_assistant_message"] = _last_answer(transcript, patience)
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
    """Return the answer; empty where there is nothing to say."""
    if reply.deny:
        person = f"{reply.person}\n\n" if reply.person else ""
        reason = (person + reply.deny)[:LIMIT]
        return json.dumps({"permissionDecision": "deny", "permissionDecisionReason": reason})
    if reply.ask:
        reason = reply.ask[:LIMIT]
        return json.dumps({"permissionDecision": "ask", "permissionDecisionReason": reason})
    if reply.context and event in ("sessionStart", "postToolUse"):
        return json.dumps({"additionalContext": reply.context[:LIMIT]})
    return ""


def entries(line: Callable[[str], str], on_stuck: str) -> HookEntries:
    """Return the hooks to install; `line` gives the command line of an event."""
    shell = "bash" if os.name == "posix" else "powershell"

    def hook(event: str, timeout: int = 20, **more: Any) -> list[dict[str, Any]]:
        return [{"type": "command", shell: line(event), "timeoutSec": timeout, **more}]

    return {
        "sessionStart": hook("sessionStart"),
        "userPromptSubmitted": hook("userPromptSubmitted"),
        "preToolUse": hook("preToolUse", 10),
        "postToolUse": hook("postToolUse", matcher="ask_user|web_fetch|web_search|.+-.+"),
        "preCompact": hook("preCompact"),
        "agentStop": hook("agentStop"),
        "sessionEnd": hook("sessionEnd"),
    }


def _tool(name: str) -> str:
    if name in _TOOLS:
        return _TOOLS[name]
    server, dash, tool = name.partition("-")
    return f"mcp__{server}__{tool}" if dash else name


def _transcript(session: str) -> str:
    """Return where the client keeps the transcript of a session."""
    home = os.environ.get("COPILOT_HOME") or os.path.expanduser("~/.copilot")
    return os.path.join(home, "session-state", os.path.basename(session), "events.jsonl")


def _last_answer(transcript: str, patience: float) -> str:
    """Return the last text of the main agent in a transcript; no event holds it.

    The client writes the transcript with a delay: a short session may end before its answer is there.
    """
    until = time.monotonic() + patience
    while not (answer := _answer_in(transcript)) and time.monotonic() < until:
        time.sleep(0.05)
    return answer


def _answer_in(transcript: str) -> str:
    try:
        with open(transcript, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL))
            lines = file.read().splitlines()
    except OSError:
        return ""
    for line in reversed(lines):
        if b'"assistant.message"' in line:
            try:
                one = json.loads(line)
                text = one["data"]["content"]
            except (ValueError, LookupError, TypeError):  # the first line may be cut
                continue
            if one.get("type") == "assistant.message" and not one.get("agentId") and text:
                return str(text)
    return ""


def trial_call(session: str, cwd: str, tool: str, given: Given) -> Given:
    """Return a trial tool call as Copilot reports it."""
    event = {"sessionId": session, "timestamp": 1_780_000_000_000, "cwd": cwd}
    return {**event, "toolName": tool, "toolArgs": given}


def untrusted(scope: str, path: str, project: str) -> str:
    """Return what is left to do before Copilot runs the hooks of a file: those of a project need trust."""
    home = os.environ.get("COPILOT_HOME") or os.path.expanduser("~/.copilot")
    if scope != "project" or os.environ.get("COPILOT_ALLOW_ALL") == "true":
        return ""
    try:
        with open(os.path.join(home, "config.json"), encoding="utf-8") as file:
            # Copilot begins the file with comments.
            lines = [line for line in file if not line.lstrip().startswith("//")]
        folders = json.loads("".join(lines)).get("trustedFolders") or []
    except (OSError, ValueError, AttributeError):
        folders = []
    real = os.path.realpath(project)
    for folder in map(os.path.realpath, folders):
        if os.path.commonpath((folder, real)) == folder:
            return ""
    return (
        f"start `copilot` in {project} and trust the folder; with -p, `copilot --trust-folder -p` "
        "runs them once"
    )


CLIENT = Client(
    name="copilot",
    flag="copilot",
    title="GitHub Copilot CLI",
    events=_EVENTS,
    read=read,
    write=write,
    project=".github/hooks/lithify.json",
    user=("COPILOT_HOME", "~/.copilot", "hooks/lithify.json"),
    entries=entries,
    mcp_client="copilot-cli",
    shell_variables=("COPILOT_AGENT_SESSION_ID",),
    base={"version": 1},
    hands_over=False,
    hears_call=False,
    injected=Injected(
        notices=("system_notification",),
        wrappers=("current_datetime", "system_reminder", "reminder", "environment_context"),
    ),
    warning=lambda text: {"type": "progress", "message": text},
    guard="preToolUse",
    trial_tools=("view", "bash"),
    trial_call=trial_call,
    denied=lambda said: (
        said.get("permissionDecision") == "deny" and said.get("permissionDecisionReason")
    ),
    server_files={"project": ".github/mcp.json", "user": "mcp-config.json"},
    untrusted=untrusted,
)
