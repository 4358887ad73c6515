"""Letta exports: agent files (.af) of any version, and passages of archival memory."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from lithify.importers.notes import day_of_file, notes
from lithify.importers.source_files import LONGEST, files_in, json_items, opened_as_text
from lithify.importers.sources import (
    INJECTED,
    THINKING,
    TOOL_OUTPUT,
    Broken,
    ImportItem,
    ImportSource,
    LeftOut,
    Reading,
    first_moment,
    json_object,
    moment_of,
    objects,
    text_of,
)
from lithify.regex import regex
from lithify.text.sentences import plain_sentences

#: What a program says in the name of the person.
_REMINDER = regex(r"(?s)<system-reminder>(?:(?!<system-reminder>).)*?</system-reminder>")
_BLOCKS, _PASSAGES = ("blocks", "core_memory"), ("", "passages", "archival_memory")


def read(path: Path) -> Reading:
    """Yield the messages, the blocks of core memory and the passages of an export."""
    agent, day = "", day_of_file(path)
    for key, value in _parts(path):
        if key == "created_at" and (made := moment_of(value)):
            day = made.date()
        elif key == "agents" and isinstance(value, dict):
            agent = agent or str(value.get("name") or "")
    for key, value in _parts(path):
        if key == "messages" and isinstance(value, dict):
            yield from _message(value)
        elif key == "agents" and isinstance(value, dict):
            for message in objects(value.get("messages") or []):
                yield from _message(message, str(value.get("name") or ""))
        elif key in _BLOCKS and isinstance(value, dict):
            when = first_moment(value, "updated_at", "created_at")
            label, text = str(value.get("label") or ""), str(value.get("value") or "")
            of = f"block|{agent}|{label}"
            about = f"Memory ({label})" if label else "Memory"
            yield from notes(path, when or day, scope=of, about=about, text=text, of=of)
        elif key in _PASSAGES and isinstance(value, dict) and value.get("text"):
            when, text = first_moment(value, "created_at"), " ".join(str(value["text"]).split())
            if when is None:
                yield Broken(f"{path.name}: {value.get('id')}", "the passage has no time")
            else:
                yield ImportItem(when, "Memory", text, f"passage|{value.get('id') or text}")
        elif isinstance(value, dict | list) and value:
            yield LeftOut(f"{key or 'objects'} without a text")


def _parts(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the parts of an export, also of one that is JSON inside a JSON string."""
    with opened_as_text(path) as stream:
        is_wrapped = stream.read(1) == '"'
        stream.seek(0)
        whole = io.StringIO(json.loads(stream.read(LONGEST))) if is_wrapped else stream
        yield from json_items(whole, ("messages", "agents", *_BLOCKS, *_PASSAGES))


def _message(message: dict[str, Any], about: str = "") -> Reading:
    role, when = message.get("role"), first_moment(message, "created_at", "date")
    if role not in ("user", "assistant"):
        yield TOOL_OUTPUT if role == "tool" else INJECTED
        return
    if when is None:
        yield Broken(f"message {message.get('id')}", "the message has no time")
        return
    text = text_of(message.get("content")) or str(message.get("text") or "")
    if role == "user":
        text = _typed(text)
        if not text:
            yield INJECTED
    else:
        said = list(_sent(message))
        # With tools, what an agent says is sent by one, and its text is what it thinks.
        if text and (said or message.get("tool_calls")):
            yield THINKING
            text = ""
        text = " ".join(plain_sentences("\n\n".join(said) or text))
    if text:
        key = f"{message.get('id') or message.get('created_at')}|{role}|{text}"
        who = "Asked" if role == "user" else "Answered"
        yield ImportItem(when, who, " ".join(text.split()), key, about)


def _typed(text: str) -> str:
    """The person's words in a user message, which older versions wrap in JSON; empty for events."""
    found = json_object(text)
    if "type" not in found:
        return _REMINDER.sub("", text).strip()
    return str(found.get("message", "")) if found["type"] == "user_message" else ""


def _sent(message: dict[str, Any]) -> Iterator[str]:
    """Yield what an assistant message sends to the person by the tool `send_message`."""
    for call in objects(message.get("tool_calls")):
        for called in objects(call.get("function")):
            if called.get("name") == "send_message":
                yield str(json_object(called.get("arguments")).get("message", ""))


def _knows(path: Path) -> bool:
    """Tell by the names and the form of its first parts whether a file is an export."""
    for key, value in islice(_parts(path), 100):
        has = value.keys() if isinstance(value, dict) else frozenset[str]()
        if key in ("agent_type", "core_memory", "archival_memory", "block_ids"):
            return True
        if (key == "agents" and "agent_type" in has) or (key == "blocks" and "label" in has):
            return True
        if key in _PASSAGES and "text" in has and (key or "embedding" in has):
            return True
    return False


SOURCE = ImportSource(
    name="letta",
    title="Letta exports",
    where="an agent file (.af) or the JSON of its API",
    looks_for="JSON with agents, messages, core_memory, blocks or passages",
    find=lambda path: files_in(path, "*.af", "*.json"),
    knows=_knows,
    read=read,
)
