"""OpenCode: what its plugin, `opencode.js`, sends and gets back."""

from __future__ import annotations

import json

from lithify.hooks.clients import EVENTS, LIMIT, Client, Given, Injected, Reply

_TOOLS = {
    "bash": "Bash",
    "question": "AskUserQuestion",
    "webfetch": "WebFetch",
    "websearch": "WebSearch",
}
_OWN = frozenset({"apply_patch", "plan_enter", "plan_exit"})


def read(event: str, given: Given) -> Given:
    """Return the event in the form of Claude Code."""
    tool = given.get("tool_name")
    return {**given, "tool_name": _tool(tool)} if isinstance(tool, str) else given


def write(event: str, reply: Reply) -> str:
    """Return the answer, which the plugin throws, tells the agent or shows the person."""
    said = {"deny": reply.deny, "context": reply.context, "person": reply.person}
    return json.dumps({key: text[:LIMIT] for key, text in said.items() if text})


def _tool(name: str) -> str:
    if name in _TOOLS:
        return _TOOLS[name]
    server, line, tool = name.partition("_")
    return f"mcp__{server}__{tool}" if line and name not in _OWN else name


CLIENT = Client(
    name="opencode",
    flag="opencode",
    title="OpenCode",
    events={event: event for event in EVENTS},
    read=read,
    write=write,
    project=".opencode/plugins/lithify.js",
    user=("XDG_CONFIG_HOME", "~/.config", "opencode/plugins/lithify.js"),
    then="It takes effect with the next start.",
    entries=lambda line, on_stuck: {},  # the plugin registers its hooks itself
    mcp_client="opencode",
    shell_variables=("OPENCODE",),
    program=True,
    hands_over=False,
    hears_call=False,
    asks=False,
    trial_tools=("read", "bash"),
    denied=lambda said: said.get("deny"),  # which the plugin throws
    injected=Injected(notices=("task id=",), wrappers=("system-reminder",)),
)
