"""Codex CLI sessions: rollout files of JSON lines, in the form of any version."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path, PurePath
from typing import Any

from lithify.hooks.clients.codex import CLIENT
from lithify.hooks.respond import persons_words
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
    text_of,
)
from lithify.importers.turns import Turn, steps_of

_TEXTS = ("input_text", "output_text", "text")
_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "web_search_call")


def read(path: Path) -> Reading:
    """Yield the turns of one session."""
    turn: Turn | None = None
    folder, began = "", None
    for number, record in enumerate(json_lines(path), 1):
        if isinstance(record, Broken):
            yield record
            continue
        when = moment_of(record.get("timestamp"))
        # Older versions wrote the items bare, without their times, under a line for the session.
        payload = record["payload"] if isinstance(record.get("payload"), dict) else record
        folder = str(payload.get("cwd") or folder)
        began = began or when
        if record.get("type") == "event_msg" or payload.get("type") in (None, "session_meta"):
            continue
        if (when := when or began) is None:
            yield Broken(f"{path.name}:{number}", "neither the line nor the session has a time")
            continue
        if payload.get("type") == "message" and payload.get("role") == "user":
            asked, added = persons_words(text_of(payload.get("content"), _TEXTS), CLIENT.injected)
            yield from (INJECTED for _ in added)
            if asked.strip():
                yield from turn.items() if turn else ()
                key = f"{record.get('timestamp') or f'{began}:{number}'}|{asked}"
                turn = Turn(key, when, asked.strip(), PurePath(folder).name)
        else:
            key = f"{record.get('timestamp') or f'{began}:{number}'}|"
            turn = turn or Turn(key, when, about=PurePath(folder).name)
            yield from _hear(turn, payload, when, folder)
    yield from turn.items() if turn else ()


def _hear(turn: Turn, payload: dict[str, Any], when: datetime, folder: str) -> Iterator[LeftOut]:
    kind = str(payload.get("type"))
    if kind == "message" and payload.get("role") == "assistant":
        turn.say(text_of(payload.get("content"), _TEXTS), when)
    elif kind == "message":
        yield INJECTED
    elif kind == "reasoning":
        yield THINKING
    elif kind in _CALLS:
        tool = str(payload.get("name") or kind.removesuffix("_call"))
        given = payload.get("arguments", payload.get("input", payload.get("action")))
        turn.steps += steps_of(tool, given, folder)
    elif kind.endswith("_output"):
        yield TOOL_OUTPUT


def _is_ours(record: Record) -> bool:
    if isinstance(record.get("payload"), dict):
        return "timestamp" in record
    bare = "role" in record and record.get("type") == "message"
    return bare or {"id", "timestamp", "instructions"} <= record.keys()


SOURCE = ImportSource(
    name="codex",
    title="Codex CLI sessions",
    where="~/.codex/sessions",
    looks_for="*.jsonl files whose lines have a timestamp and a payload (rollout-….jsonl)",
    find=lambda path: files_in(path, "*.jsonl"),
    knows=begins_with(_is_ours),
    read=read,
)
