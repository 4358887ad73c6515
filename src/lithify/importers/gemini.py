"""Gemini CLI sessions: one JSON object a session, or JSON lines in newer versions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lithify.hooks.clients.gemini import CLIENT
from lithify.hooks.respond import persons_words
from lithify.importers.source_files import (
    Record,
    files_in,
    json_items,
    json_lines,
    opened_as_text,
)
from lithify.importers.sources import (
    INJECTED,
    THINKING,
    TOOL_OUTPUT,
    Broken,
    ImportSource,
    LeftOut,
    Reading,
    moment_of,
    objects,
    text_of,
)
from lithify.importers.turns import Heard, ToolStep, steps_of, turns
from lithify.regex import regex

_HASH = regex(r"[0-9a-f]{20,}")


def read(path: Path) -> Reading:
    """Yield the turns of one session."""
    return turns(_heard(path))


def _heard(path: Path) -> Iterator[Heard | LeftOut | Broken]:
    chats = next((folder for folder in path.parents if folder.name == "chats"), None)
    project = chats.parent.name if chats else ""
    folder = "" if _HASH.fullmatch(project) else project
    lines = _current(json_lines(path)) if path.suffix == ".jsonl" else _messages(path)
    for message in lines:
        if isinstance(message, Broken | LeftOut):
            yield message
            continue
        when, kind = moment_of(message.get("timestamp")), message.get("type")
        text = text_of(message.get("content"))
        if kind == "user":
            asked, added = persons_words(text, CLIENT.injected)
            yield from (INJECTED for _ in added)
            if asked.strip():
                yield Heard(when, f"{message['timestamp']}|{asked}", asked, folder=folder)
        elif kind == "gemini":
            key, steps = f"{message['timestamp']}|", tuple(message["steps"])
            yield Heard(when, key, said=text, steps=steps, folder=folder)
        else:
            yield LeftOut(f"{kind} messages")


def _messages(path: Path) -> Iterator[Record | LeftOut | Broken]:
    with opened_as_text(path) as file:
        for key, message in json_items(file, ["messages"]):
            if key == "messages" and isinstance(message, dict):
                yield from _reduced(message)
            elif key == "messages":
                yield Broken(path.name, "a message is not an object")


def _current(lines: Iterator[Record | Broken]) -> Iterator[Record | LeftOut | Broken]:
    """The messages as they are at the end: a later line replaces an earlier one, or takes it back."""
    kept: dict[str, Record] = {}
    is_subagent = False
    for line in lines:
        if isinstance(line, Broken):
            yield line
        elif "$rewindTo" in line:
            names, back_to = [*kept], str(line["$rewindTo"])
            for name in names[names.index(back_to) :] if back_to in kept else ():
                del kept[name]
                yield LeftOut("messages that were taken back")
        elif "id" not in line or "type" not in line:
            is_subagent |= line.get("kind") == "subagent"
            yield LeftOut("lines about the session")
        elif is_subagent:
            yield LeftOut("messages of subagents")
        else:
            if str(line["id"]) in kept:
                yield LeftOut("earlier states of messages")
            for found in _reduced(line):
                if isinstance(found, dict):
                    kept[str(line["id"])] = found
                else:
                    yield found
    yield from kept.values()


def _reduced(message: Record) -> Iterator[Record | LeftOut]:
    """Yield a message with its calls as steps and without what they returned."""
    steps: list[ToolStep] = []
    for call in objects(message.get("toolCalls")):
        steps += steps_of(str(call.get("name")), call.get("args"))
        yield TOOL_OUTPUT
    yield from (THINKING for _ in objects(message.get("thoughts")))
    kept = {name: message.get(name) for name in ("id", "timestamp", "type", "content")}
    yield {**kept, "steps": steps}


def _knows(path: Path) -> bool:
    with opened_as_text(path) as file:
        begins = file.read(4096)
    return '"sessionId"' in begins and '"projectHash"' in begins


SOURCE = ImportSource(
    name="gemini",
    title="Gemini CLI sessions",
    where="~/.gemini/tmp",
    looks_for="session-….json or session-….jsonl files with a sessionId and a projectHash",
    find=lambda path: files_in(path, "*.json", "*.jsonl"),
    knows=_knows,
    read=read,
)
