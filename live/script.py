"""The scripted model: reads the steps in the person's prompt and takes the next one.

It keeps no state. The last text of the person decides: where it holds lines that begin with
`STEP`, the answers since then are counted and the next step is the reply; where it holds none (a
title, a compaction, a notification), no tools are offered, or all steps are taken, the reply is a short text.
"""

from __future__ import annotations

import itertools
import json
import re
import time
from collections.abc import Iterator, Mapping
from typing import Any

from lithify.sections import GATE_PRESETS, WEEK
from live.conversation import Answer, Call, Called, Conversation, Returned, Said, Tool, texts_of

#: What a request without a script gets; a compaction keeps it as its summary.
QUIET = "All quiet; the scripted model has nothing to add."
#: Tokens that fill the window of any model.
FULL = 5_000_000
#: What ends a script whose steps are all taken.
DONE = "The script is finished."

_STEP = re.compile(
    r"^[ \t>]*STEP (?P<name>[a-z-]+)(?: (?P<word>[\w.-]+))?(?:: ?(?P<rest>.*))?$", re.M
)
#: Text that a client or a hook puts into the person's message, such as `<system-reminder>`.
_INJECTED = re.compile(r"<([a-z]+(?:[_-][a-z]+)+)\b[^>]*>.*?</\1>", re.S)
_COMMAND = re.compile(r"^[ \t]*(\S.*? gate submit --job (\S+).*?) <<'(\w+)'$", re.M)
_WRITE = re.compile(r"^[ \t]*(\S.*? write submit .*?) <<'(\w+)'$", re.M)
_CLAIM = re.compile(r"^\d+: (.+)\n\(cites ([^)]+)\)$", re.M)
_JOB = re.compile(r"of job (\S+?)[ .,]")
_HEADING = re.compile(r"^### (.+)$", re.M)
_ID = re.compile(r"lithify_(\d+)_\d+_\w+")

#: Names by which clients call a tool, best first.
_SHELL = ("Bash", "bash", "exec_command", "shell_command", "shell", "run_shell_command")
_SUBAGENT = ("Agent", "Task", "task", "spawn_agent", "invoke_agent")
#: Arguments that a subagent's tool requires beside its prompt, as far as it has them.
_FILLED: Mapping[str, Any] = {
    "description": "a step of the script",
    "agent_name": "generalist",
    "agent_type": "general-purpose",
    "name": "helper",
    "mode": "sync",
    "run_in_background": False,
}
#: Bodies of a summary: no names and no figures, which would have to stand in the record.
_BODIES = (
    "The person set out the work step by step and asked for plain commands, one after another. "
    "Each request was to be carried out as written, in the order given, without anything added to "
    "it, and the result of every single one was to be told in a few words.",
    "Nothing was left to be asked back, because every step said what it wanted. It was decided to "
    "follow the list from top to bottom and to stop at its end, and to leave whatever the list "
    "does not mention exactly as it was found.",
    "Commands run in the shell that the client offers, since that is the smallest tool which can "
    "do the job. No file is kept beyond those that a command makes by itself, so that whoever "
    "looks later sees only traces of what was wanted.",
    "There was no correction so far. The way of working was neither praised nor blamed, which is "
    "taken as leave to carry on in the same manner until somebody says otherwise, with short "
    "answers and without remarks on the side.",
    "The first call was held back and waits for this text. Once it is accepted the remaining "
    "calls follow at once, beginning with the one that comes next in the list; after the last of "
    "them a closing sentence ends the turn.",
)


def answer(request: Conversation) -> Answer:
    """What the scripted model replies to a request."""
    if request.schema:
        return Answer(text=json.dumps(example(request.schema, QUIET)))
    place, text = _last_prompt(request)
    if '"filename"' in text or f"### {WEEK.outcomes}" in text:
        return Answer(text=_reply(text))
    steps = list(_STEP.finditer(text))
    if not steps or not request.tools:
        return Answer(text=QUIET)
    done = _answered(request, place)
    waiting = _wait(request, done - 1)
    if waiting:
        return Answer([waiting])
    if done >= len(steps):
        return _say(DONE, done, request)
    return _take(steps[done], done, request)


def _reply(text: str) -> str:
    """The answer to a work order of ours.

    A page has every entry in its own words and no memories; a claim is supported by an entry that
    it cites if that holds its words.
    """
    if claims := _CLAIM.findall(text):
        shown = dict(re.findall(r"^\[(e\d+)\] (.+)$", text, re.M))
        true = [any(said in shown[e] for e in re.findall(r"e\d+", cited)) for said, cited in claims]
        words = {True: "supported", False: "contradicted"}
        verdicts = [{"claim": n, "verdict": words[holds]} for n, holds in enumerate(true, 1)]
        return json.dumps(verdicts)
    if '"filename"' in text:
        return "[]"
    entries = re.findall(r"^\[(e\d+)\] (?:\d\d:\d\d )?(.+)$", text, re.M)
    told = "\n".join(f"- {words} [{label}]" for label, words in entries)
    first, *others = WEEK
    page = f"### {first}\n{told}\n" + "".join(f"\n### {section}\n" for section in others)
    return f"{page}\nNONE\n" if "typed_memory" in text else page


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
    if name == "fill":
        return Answer(text=rest or DONE, tokens=FULL)
    if name == "say":
        return _say(rest or DONE, number, request)
    try:
        wanted = list(_calls(name, word, rest, request))
    except LookupError as missing:
        return Answer(text=f"STEP {name}: {missing.args[0]}")
    return Answer(
        [
            Call(_id(number, place, request), tool, arguments)
            for place, (tool, arguments) in enumerate(wanted)
        ],
        seconds=int(word) if word.isdigit() else 0,
    )


def _id(step: int, place: int, request: Conversation) -> str:
    """The id of a call names its step; the rest of it makes it unlike any other's."""
    return f"lithify_{step}_{place}_{len(request.events)}x{time.time_ns() % 10**9}"


def _say(text: str, number: int, request: Conversation) -> Answer:
    """A text ends the turn, but for subagents that have to hand it in with a tool."""
    for tool in request.tools:
        if tool.name == "complete_task":
            filled = example({"type": "object", "properties": tool.properties}, text)
            return Answer([Call(_id(number, 0, request), tool, filled)])
    return Answer(text=text)


def example(schema: Mapping[str, Any], text: str) -> Any:
    """A value that fits a JSON schema, with `text` for every string."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = str(schema.get("type", "string")).lower()
    if kind == "object":
        return {name: example(of, text) for name, of in schema.get("properties", {}).items()}
    return {"array": [], "boolean": True, "number": 1, "integer": 1}.get(kind, text)


def _wait(request: Conversation, step: int) -> Call | None:
    """Where a subagent was only started (Codex), the call that waits for it, as the same step."""
    calls = [event for event in request.events if isinstance(event, Called)]
    last = request.events[-1] if request.events else None
    started = calls and calls[-1].name.endswith("spawn_agent") and isinstance(last, Returned)
    found = re.search(r'"agent_id": ?"([^"]+)"', last.text) if isinstance(last, Returned) else None
    if not started or not found:
        return None
    wait = _find(request, ("wait_agent",), ending=True)
    return Call(_id(step, 1, request), wait, {"targets": [found[1]], "timeout_ms": 60_000})


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
    elif name == "page":
        order, text = _order(request)
        page = {"order": order, "page": _reply(text)}
        yield _find(request, ("submit_page",), ending=True), page
    elif name == "hand-in":
        _, text = _order(request)
        handing = _WRITE.search(text)
        if not handing:
            raise LookupError("the order names no command")
        yield _shell(f"{handing[1]} <<'{handing[2]}'\n{_reply(text)}\n{handing[2]}", request)
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
    tool = _find(request, _SUBAGENT, ending=True)
    key = "message" if "message" in tool.properties else "prompt"
    filled = {name: value for name, value in _FILLED.items() if name in tool.properties}
    if "subagent_type" in tool.properties:
        filled["subagent_type"] = "general" if tool.name == "task" else "general-purpose"
    return tool, {**filled, key: prompt}


def _order(request: Conversation) -> tuple[str, str]:
    """The last work order that a tool returned: its id and its text."""
    told = [
        text
        for event in request.events
        if isinstance(event, Returned)
        for text in texts_of(event.text)
    ]
    for text in reversed(told):
        # The data of an MCP tool, as some clients show it, with words of their own before it.
        begin = text.find('{"text"')
        if begin >= 0:
            text = str(json.JSONDecoder().raw_decode(text[begin:])[0]["text"])
        if found := re.search(r"^(?:Output: )?Work order (\S+):", text, re.M):
            return found[1], text
    raise LookupError("no tool returned a work order")


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
    sections = list(GATE_PRESETS["default"])
    return f"lithify gate submit --job {jobs[-1]}", jobs[-1], "SUMMARY", sections


def _summary(heads: list[str]) -> str:
    bodies = itertools.cycle(_BODIES)
    return "\n\n".join(f"### {head}\n{body}" for head, body in zip(heads, bodies, strict=False))
