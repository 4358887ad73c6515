"""Letta exports: agent files (.af) of any version, and passages of archival memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lithify.importers.notes import day_of_file
from lithify.importers.source_files import files_in, json_items, opened_as_text
from lithify.importers.sources import (
    INJECTED,
    THINKING,
    TOOL_OUTPUT,
    Broken,
    ImportItem,
    ImportSource,
    Reading,
    first_moment,
    json_object,
    objects,
    text_of,
)
from lithify.text.sentences import plain_sentences

_BLOCKS, _PASSAGES = ("blocks", "core_memory"), ("", "passages", "archival_memory")


def read(path: Path) -> Reading:
    """Yield the messages, the blocks of core memory and the passages of an export."""
    with opened_as_text(path) as stream:
        for key, value in json_items(stream, ("messages", "agents", *_BLOCKS, *_PASSAGES)):
            if not isinstance(value, dict):
                continue
            if key == "messages":
                yield from _message(value)
            elif key == "agents":
                for message in objects(value.get("messages")):
                    yield from _message(message, str(value.get("name") or ""))
            elif key in _BLOCKS and str(value.get("value") or "").strip():
                when = first_moment(value, "updated_at", "created_at")
                text, label = " ".join(str(value["value"]).split()), str(value.get("label") or "")
                day = when or day_of_file(path)
                yield ImportItem(day, "Memory", text, f"block|{label}|{text}", label)
            elif key in _PASSAGES and value.get("text"):
                when, text = first_moment(value, "created_at"), " ".join(str(value["text"]).split())
                if when is None:
                    yield Broken(f"{path.name}: {value.get('id')}", "the passage has no time")
                else:
                    yield ImportItem(when, "Memory", text, f"passage|{value.get('id')}|{text}")


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
        return text
    return str(found.get("message", "")) if found["type"] == "user_message" else ""


def _sent(message: dict[str, Any]) -> Iterator[str]:
    """Yield what an assistant message sends to the person by the tool `send_message`."""
    for call in objects(message.get("tool_calls")):
        for called in objects(call.get("function")):
            if called.get("name") == "send_message":
                yield str(json_object(called.get("arguments")).get("message", ""))


def _knows(path: Path) -> bool:
    with opened_as_text(path) as file:
        begins = file.read(1 << 20)
    named = ('"agent_type"', '"core_memory"', '"agents"', '"block_ids"', '"passages"')
    return begins.lstrip()[:1] in ("{", "[") and any(name in begins for name in named)


SOURCE = ImportSource(
    name="letta",
    title="Letta exports",
    where="an agent file (.af) or the JSON of its API",
    looks_for="JSON with agents, messages, core_memory, blocks or passages",
    find=lambda path: files_in(path, "*.af", "*.json"),
    knows=_knows,
    read=read,
)
