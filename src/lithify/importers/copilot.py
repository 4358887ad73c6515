"""GitHub Copilot CLI sessions: JSON lines of events, one file for each session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lithify.importers.source_files import Record, begins_with, files_in, json_lines
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
)
from lithify.importers.turns import Heard, steps_of, turns


def read(path: Path) -> Reading:
    """Yield the turns of one session."""
    return turns(_heard(path))


def _heard(path: Path) -> Iterator[Heard | LeftOut | Broken]:
    folder = ""
    for event in json_lines(path):
        if isinstance(event, Broken):
            yield event
            continue
        kind, data = str(event.get("type")), event.get("data")
        data = data if isinstance(data, dict) else {}
        context = data.get("context")
        folder = str(context.get("cwd") or folder) if isinstance(context, dict) else folder
        if kind in ("user.message", "assistant.message"):
            yield from _message(event, data, kind == "user.message", folder)
        elif kind == "tool.execution_complete":
            yield TOOL_OUTPUT
        elif kind == "assistant.reasoning":
            yield THINKING
        elif kind == "system.message":
            yield INJECTED
        else:
            yield LeftOut(f"{kind} events")


def _message(
    event: Record, data: Record, is_person: bool, folder: str
) -> Iterator[Heard | LeftOut]:
    text, stamp = str(data.get("content") or ""), event.get("timestamp")
    if data.get("parentToolCallId") or event.get("agentId"):
        yield LeftOut("messages of subagents")
    elif is_person and (not text.strip() or data.get("source") not in (None, "user")):
        yield INJECTED
    elif is_person:
        yield from (LeftOut("images and files") for _ in objects(data.get("attachments")))
        yield Heard(moment_of(stamp), f"{stamp}|{text}", text, folder=folder)
    else:
        yield from (THINKING for _ in filter(None, [data.get("reasoningText")]))
        steps = [
            step
            for call in objects(data.get("toolRequests"))
            for step in steps_of(str(call.get("name")), call.get("arguments"), folder)
        ]
        yield Heard(moment_of(stamp), f"{stamp}|", said=text, steps=tuple(steps), folder=folder)


SOURCE = ImportSource(
    name="copilot",
    title="Copilot CLI sessions",
    where="~/.copilot/session-state",
    looks_for="events.jsonl files whose lines have a type such as session.start, and data",
    find=lambda path: files_in(path, "*.jsonl"),
    knows=begins_with(
        lambda event: event.get("type") == "session.start" and isinstance(event.get("data"), dict)
    ),
    read=read,
)
