"""The scripted model: reads the steps in the person's prompt and takes the next one.

It keeps no state. The last text of the person decides: where it holds lines that begin with
`STEP`, the answers since then are counted and the next step is the reply; where it holds none (a
title, a compaction, a notification), or all steps are taken, the reply is a short text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from live.conversation import Answer, Call, Called, Conversation, Said, Tool, texts_of

#: What a request without a script gets; a compaction keeps it as its summary.
QUIET = "All quiet; the scripted model has nothing to add."
#: What ends a script whose steps are all taken.
DONE = "The script is finished."

_STEP = re.compile(
    r"^[ \t>]*STEP (?P<name>[a-z-]+)(?: (?P<word>[\w.-]+))?(?:: ?(?P<rest>.*))?$", re.M
)
#: Text that a client or a hook puts into the person's message.
_INJECTED = re.compile(
    r"<(system-reminder|hook_context|environment_context|session_context|task-notification|user_instructions)\b[^>]*>"
    r".*?</\1>",
    re.S,
)
_COMMAND = re.compile(r"^[ \t]*(\S.*? gate submit --job (\S+).*?) <<'(\w+)'$", re.M)
_JOB = re.compile(r"of job (\S+?)[ .,]")
_HEADING = re.compile(r"^### (.+)$", re.M)
_ID = re.compile(r"lithify_(\d+)_\d+_\w+")

#: Names by which clients call a tool, best first.
_SHELL = ("Bash", "bash", "exec_command", "shell_command", "shell", "run_shell_command")
_SUBAGENT = (
    "Agent",
    "Task",
    "task",
    "spawn_agent",
    "invoke_agent",
    "invoke_subagent",
    "generalist",
)
#: Arguments that a client requires beside the one that matters, where it has them.
_FILLED: Mapping[str, Any] = {
    "description": "a step of the script",
    "subagent_type": "general-purpose",
    "agent_type": "general-purpose",
    "name": "helper",
    "task_name": "helper",
    "mode": "sync",
    "run_in_background": False,
}
_SECTION = (
    "{0}: the person set out the work step by step and asked for plain commands, with nothing "
    "installed and nothing sent anywhere. What was asked for is under way in the order given, the "
    "notes agree with what was asked, and whoever reads on can take it up from here without the "
    "earlier exchange in front of them."
)


def answer(request: Conversation) -> Answer:
    """What the scripted model replies to a request."""
    place, text = _last_prompt(request)
    steps = list(_STEP.finditer(text))
    if not steps:
        return Answer(text=QUIET)
    done = _answered(request, place)
    if done >= len(steps):
        return Answer(text=DONE)
    return _take(steps[done], done, request)


def _last_prompt(request: Conversation) -> tuple[int, str]:
    for place in range(len(request.events) - 1, -1, -1):
        event = request.events[place]
        if isinstance(event, Said) and event.role == "user":
            text = _INJECTED.sub("", event.text).strip()
            if text:
                return place, text
    return 0, ""


def _answered(request: Conversation, place: int) -> int:
    """How many steps were taken since the prompt: calls made in one reply count once."""
    taken: set[str] = set()
    for number, event in enumerate(request.events[place:]):
        if isinstance(event, Called):
            known = _ID.match(event.id)
            taken.add(known.group(1) if known else f"call {number}")
        elif isinstance(event, Said) and event.role == "model" and event.text.strip():
            taken.add(f"text {number}")
    return len(taken)


def _take(step: re.Match[str], number: int, request: Conversation) -> Answer:
    name, word, rest = step["name"], step["word"] or "", (step["rest"] or "").strip()
    if name == "say":
        return Answer(text=rest or DONE)
    try:
        wanted = list(_calls(name, word, rest, request))
    except LookupError as missing:
        return Answer(text=f"STEP {name}: {missing.args[0]}")
    mark = f"{abs(hash((rest, len(request.events)))):x}"[:6]
    return Answer(
        [
            Call(f"lithify_{number}_{place}_{mark}", tool, arguments)
            for place, (tool, arguments) in enumerate(wanted)
        ]
    )


def _calls(
    name: str, word: str, rest: str, request: Conversation
) -> Iterator[tuple[Tool, Mapping[str, Any]]]:
    if name == "shell":
        yield _shell(rest, request)
    elif name == "background":
        tool, arguments = _shell(rest, request)
        yield tool, {**arguments, "run_in_background": True}
    elif name == "parallel":
        for command in rest.split(";;"):
            yield _shell(command.strip(), request)
    elif name in ("subagent", "background-agent"):
        tool, arguments = _subagent(re.sub(r"\s*;;\s*", "\n", rest), request)
        yield tool, {**arguments, "run_in_background": True} if name != "subagent" else arguments
    elif name == "tool":
        yield _find(request, (word,)), json.loads(rest or "{}")
    elif name == "mcp":
        wanted, _, given = rest.partition(" ")
        yield _find(request, (wanted,), ending=True), json.loads(given or "{}")
    elif name == "submit":
        command, _, word, heads = _denial(request)
        yield _shell(f"{command} <<'{word}'\n{_summary(heads)}\n{word}", request)
    elif name == "submit-mcp":
        _, job, _, heads = _denial(request)
        submit = _find(request, ("submit_summary",), ending=True)
        yield submit, {"job": job, "text": _summary(heads)}
    else:
        raise LookupError("no such step")


def _find(request: Conversation, names: tuple[str, ...], *, ending: bool = False) -> Tool:
    for name in names:
        for tool in request.tools:
            if tool.name == name or (ending and re.search(rf"[_.-]{re.escape(name)}$", tool.name)):
                return tool
    raise LookupError(f"the client offers no tool {' or '.join(names)}")


def _shell(command: str, request: Conversation) -> tuple[Tool, Mapping[str, Any]]:
    tool = _find(request, _SHELL)
    if tool.name == "shell" and "cmd" not in tool.properties:
        return tool, {"command": ["bash", "-lc", command]}
    key = "cmd" if "cmd" in tool.properties else "command"
    filled = {"description": _FILLED["description"]} if "description" in tool.properties else {}
    return tool, {key: command, **filled}


def _subagent(prompt: str, request: Conversation) -> tuple[Tool, Mapping[str, Any]]:
    tool = _find(request, _SUBAGENT)
    key = next(
        k for k in ("prompt", "message", "objective", "request", "query") if k in tool.properties
    )
    filled = {name: value for name, value in _FILLED.items() if name in tool.properties}
    return tool, {**filled, key: prompt}


def _denial(request: Conversation) -> tuple[str, str, str, list[str]]:
    """The submit command that a denial printed last, its job, its end word and its sections."""
    told = "\n".join(
        text
        for event in request.events
        if not isinstance(event, Called)
        for text in texts_of(event.text)
    )
    printed = list(_COMMAND.finditer(told))
    if printed:
        last = printed[-1]
        template = told[last.end() :].split(f"\n{last[3]}\n")[0]
        return last[1], last[2], last[3], _HEADING.findall(template)
    jobs = _JOB.findall(told)
    if not jobs:
        raise LookupError("no denial in the conversation names a job")
    sections = (
        "User Requests|Questions & Decisions|Design Choices|Corrections & Feedback|Current State"
    )
    return f"lithify gate submit --job {jobs[-1]}", jobs[-1], "SUMMARY", sections.split("|")


def _summary(heads: list[str]) -> str:
    return "\n\n".join(
        f"### {head}\n{_SECTION.format(head.lower().capitalize())}" for head in heads
    )
