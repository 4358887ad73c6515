"""Codex CLI sessions: rollout files of JSON lines, in the form of any version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
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
from lithify.importers.turns import Heard, steps_of, turns

_TEXTS = ("input_text", "output_text", "text")
_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "web_search_call")


def read(path: Path) -> Reading:
    """Yield the turns of one session."""
    return turns(_heard(path))


def _heard(path: Path) -> Iterator[Heard | LeftOut | Broken]:
    folder, began, thread, is_subagent = "", None, "", False
    asked_before: Counter[str] = Counter()
    for number, record in enumerate(json_lines(path), 1):
        if isinstance(record, Broken):
            yield record
            continue
        when = moment_of(record.get("timestamp"))
        # Older versions wrote the items bare, without their times, under a line for the session.
        payload = record["payload"] if isinstance(record.get("payload"), dict) else record
        folder = str(payload.get("cwd") or folder)
        began = began or when
        if record.get("type") == "session_meta" or payload.get("type") in (None, "session_meta"):
            # A fork repeats the lines of the session it comes from, its first line among them.
            thread = str(payload.get("forked_from_id") or payload.get("id") or thread)
            source = payload.get("source")
            is_subagent |= payload.get("thread_source") == "subagent"
            is_subagent |= isinstance(source, dict) and "subagent" in source
            yield LeftOut(f"{record.get('type') or 'session'} lines")
        elif record.get("type") not in (None, "response_item") and payload is not record:
            yield LeftOut(f"{record['type']} lines")
        elif is_subagent:
            yield LeftOut("messages of subagents")
        elif (when := when or began) is None:
            yield Broken(f"{path.name}:{number}", "neither the line nor the session has a time")
        elif payload.get("type") == "message" and payload.get("role") == "user":
            asked, added = persons_words(text_of(payload.get("content"), _TEXTS), CLIENT.injected)
            yield from (INJECTED for _ in added)
            if asked.strip():
                # Not the time: the lines of a fork have new ones.
                asked_before[asked] += 1
                key = f"{thread or began}|{asked_before[asked]}|{asked}"
                yield Heard(when, key, asked, folder=folder)
        else:
            yield from _said(payload, when, f"{thread or began}:{number}", folder)


def _said(
    payload: dict[str, Any], when: datetime, key: str, folder: str
) -> Iterator[Heard | LeftOut]:
    kind = str(payload.get("type"))
    if kind == "message" and payload.get("role") == "assistant":
        yield Heard(when, key, said=text_of(payload.get("content"), _TEXTS), folder=folder)
    elif kind == "message":
        yield INJECTED
    elif kind == "reasoning":
        yield THINKING
    elif kind in _CALLS:
        tool = str(payload.get("name") or kind.removesuffix("_call"))
        given = payload.get("arguments", payload.get("input", payload.get("action")))
        yield Heard(when, key, steps=tuple(steps_of(tool, given, folder)), folder=folder)
    elif kind.endswith("_output"):
        yield TOOL_OUTPUT
    else:
        yield LeftOut(f"{kind} items")


def _is_ours(record: Record) -> bool:
    if isinstance(record.get("payload"), dict):
        return "timestamp" in record
    bare = "role" in record and record.get("type") == "message"
    return bare or {"id", "timestamp", "instructions"} <= record.keys()


def _find(path: Path) -> list[Path]:
    """Find rollouts, also the archived ones that lie beside the others."""
    archived = path.parent / "archived_sessions"
    folders = [path, archived] if path.name == "sessions" and archived.is_dir() else [path]
    return [file for one in folders for file in files_in(one, "*.jsonl", "rollout-*.jsonl.zst")]


_begins_as_ours = begins_with(_is_ours)

SOURCE = ImportSource(
    name="codex",
    title="Codex CLI sessions",
    where="~/.codex/sessions",
    looks_for="*.jsonl files whose lines have a timestamp and a payload (rollout-….jsonl)",
    find=_find,
    # One that cannot be unpacked is named as such when it is read.
    knows=lambda path: path.suffix == ".zst" or _begins_as_ours(path),
    read=read,
)
