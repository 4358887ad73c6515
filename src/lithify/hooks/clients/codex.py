"""Codex CLI: Claude Code's form with other names for a few tools.

It ignores an answer that has a field it does not know, so nothing is added to that form.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import Any

from lithify.hooks.clients import EVENTS, Client, Given, HookEntries, Injected, Reply
from lithify.hooks.clients.claude import answer

_TOOLS = {"request_user_input": "AskUserQuestion", "web_search": "WebSearch"}
_REQUEST = "## My request for Codex:"
_INJECTED = Injected(
    notices=("subagent_notification",),
    wrappers=(
        *("environment_context", "user_instructions", "skills_instructions", "turn_aborted"),
        *("user_shell_command", "current_time_reminder", "user_verification_notice"),
    ),
    prefaces=(
        ("# AGENTS.md instructions for ", "</INSTRUCTIONS>"),
        ("# Context from my IDE setup:", _REQUEST),
        ("# Files mentioned by the user:", _REQUEST),
    ),
)


def read(event: str, given: Given) -> Given:
    """Return the event with the tools named as Claude Code names them."""
    tool = given.get("tool_name")
    return {**given, "tool_name": _TOOLS.get(tool, tool)} if isinstance(tool, str) else given


def write(event: str, reply: Reply) -> str:
    """Return the answer; empty where there is nothing to say."""
    out = answer(event, reply)
    return json.dumps(out) if out else ""


def entries(line: Callable[[str], str], on_stuck: str) -> HookEntries:
    """Return the hooks to install; `line` gives the command line of an event."""

    def group(event: str, matcher: str = "", timeout: int = 20) -> list[dict[str, Any]]:
        hook = {"type": "command", "command": line(event), "timeout": timeout}
        return [{**({"matcher": matcher} if matcher else {}), "hooks": [hook]}]

    return {
        "SessionStart": group("SessionStart"),
        "UserPromptSubmit": group("UserPromptSubmit"),
        "PreToolUse": group("PreToolUse", ".*", 10),
        "PostToolUse": group("PostToolUse", "^(request_user_input|web_search|mcp__.+)$"),
        "PreCompact": group("PreCompact"),
        "Stop": group("Stop"),
        "SessionEnd": group("SessionEnd", "", 3),
    }


def untrusted(scope: str, path: str, project: str) -> str:
    """Return what is left to do before Codex runs the hooks of a file.

    It skips the hooks of a project that is not trusted, and every hook whose digest is not the
    one that was trusted: both are kept in its `config.toml`.
    """
    config = _config()
    projects, hooks = config.get("projects", {}), config.get("hooks", {})
    if config.get("features", {}).get("hooks") is False:
        return "switch its hooks on: `hooks = true` under [features] in config.toml"
    if scope == "project" and not any(
        projects.get(folder, {}).get("trust_level") == "trusted" for folder in _folders(project)
    ):
        return f"start `codex` in {project}, trust the folder, then trust the hooks with /hooks"
    state = hooks.get("state", {}) if isinstance(hooks, dict) else {}
    for key, digest in digests(path):
        found = state.get(key, {})
        if found.get("enabled") is False or found.get("trusted_hash") != digest:
            return f"start `codex` in {project} and trust the hooks with /hooks"
    return ""


def server_list(project: str) -> str:
    """Return its configuration, if `codex mcp add` has put our server there."""
    return _config_path() if "lithify" in _config().get("mcp_servers", {}) else ""


def _config_path() -> str:
    home = os.environ.get("CODEX_HOME") or os.path.expanduser("~/.codex")
    return os.path.join(home, "config.toml")


def _config() -> dict[str, Any]:
    import tomllib

    try:
        with open(_config_path(), "rb") as file:
            return tomllib.load(file)
    except (OSError, ValueError):
        return {}


def _folders(project: str) -> tuple[str, ...]:
    """Return the folders whose trust counts: the project and the root of its repository."""
    folder = project = os.path.realpath(project)
    while not os.path.exists(os.path.join(folder, ".git")):
        if folder == (folder := os.path.dirname(folder)):
            return (project,)
    return (project, folder)


def digests(path: str) -> Iterator[tuple[str, str]]:
    """Return the key and the digest of each hook of ours in a file, as Codex 0.169 computes them."""
    from hashlib import sha256

    from lithify.hooks.install import is_ours

    with open(path, encoding="utf-8") as file:
        events = json.load(file).get("hooks", {})
    for event, groups in events.items():
        name = "".join(f"_{c.lower()}" if c.isupper() else c for c in event).lstrip("_")
        for number, group in enumerate(groups):
            matcher = {"matcher": group["matcher"]} if group.get("matcher") else {}
            for place, hook in enumerate(group.get("hooks", [])):
                if is_ours(hook.get("command")):
                    known = {"event_name": name, **matcher, "hooks": [{**hook, "async": False}]}
                    text = json.dumps(
                        known, sort_keys=True, separators=(",", ":"), ensure_ascii=False
                    )
                    digest = f"sha256:{sha256(text.encode()).hexdigest()}"
                    yield f"{os.path.realpath(path)}:{name}:{number}:{place}", digest


CLIENT = Client(
    name="codex",
    flag="codex",
    title="Codex CLI",
    events={event: event for event in EVENTS},
    read=read,
    write=write,
    project=".codex/hooks.json",
    user=("CODEX_HOME", "~/.codex", "hooks.json"),
    entries=entries,
    mcp_client="codex-mcp-client",
    shell_variables=("CODEX_THREAD_ID",),
    asks=False,
    trial_tools=("apply_patch", "Bash"),
    add_server=dict.fromkeys(("project", "user"), "codex mcp add lithify --"),
    server_list=server_list,
    untrusted=untrusted,
    injected=_INJECTED,
)
