"""Exports of chats: conversations of ChatGPT and of Claude.ai, as archives or as their JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from lithify.importers.source_files import Record, files_in, json_items, opened_text
from lithify.importers.sources import (
    INJECTED,
    TOOL_OUTPUT,
    Broken,
    ImportItem,
    ImportSource,
    LeftOut,
    Reading,
    first_moment,
    text_of,
)
from lithify.text.sentences import plain_sentences

_WHO = {"user": "Asked", "human": "Asked", "assistant": "Answered"}
#: Gives the messages of a conversation, each with role, text, id and time.
Messages = Callable[[Record], Iterator[Record | LeftOut]]


def _read(messages: Messages, path: Path) -> Reading:
    """Read the messages of every conversation."""
    with opened_text(path, "conversations*.json") as files:
        for name, stream in files:
            for key, chat in json_items(stream, ["conversations"]):
                if isinstance(chat, dict):
                    yield from _items(chat, messages)
                elif key in ("", "conversations"):
                    yield Broken(name, "a conversation is not an object")


def _items(chat: Record, messages: Messages) -> Reading:
    title = " ".join(str(chat.get("title") or chat.get("name") or "").split())
    began = first_moment(chat, "create_time", "created_at")
    try:
        for message in messages(chat):
            if isinstance(message, LeftOut):
                yield message
                continue
            who = _WHO.get(str(message["role"]))
            when = first_moment(message, "time") or began
            text = message["text"] if who == "Asked" else " ".join(plain_sentences(message["text"]))
            if who is None:
                yield TOOL_OUTPUT if message["role"] == "tool" else INJECTED
            elif when is None:
                yield Broken(title or "a conversation", "a message has no time")
            elif text.strip():
                flat = " ".join(text.split())
                yield ImportItem(when, who, flat, str(message["id"] or f"{when}|{flat}"), title)
    except (KeyError, TypeError, AttributeError, ValueError):
        yield Broken(title or "a conversation", "it does not have the form of an export")


def _chatgpt_messages(chat: Record) -> Iterator[Record | LeftOut]:
    """Return the messages on the branch of a ChatGPT conversation that was shown last."""
    mapping, node, path = chat["mapping"], chat.get("current_node"), []
    seen: set[object] = set()
    node = node if node in mapping else next(reversed(mapping), None)
    while node in mapping and node not in seen:
        seen.add(node)
        path.append(mapping[node])
        node = mapping[node].get("parent")
    if len(path) < len(mapping):
        yield LeftOut("messages of other branches", len(mapping) - len(path))
    for step in reversed(path):
        message: dict[str, Any] | None = step.get("message")
        if not message:
            continue
        content, meta = message.get("content") or {}, message.get("metadata") or {}
        role = (message.get("author") or {}).get("role")
        kind = content.get("content_type")
        if meta.get("is_visually_hidden_from_conversation") or role == "system":
            yield INJECTED
        elif role == "tool" or kind not in ("text", "multimodal_text"):
            yield TOOL_OUTPUT
        elif message.get("recipient") not in (None, "all"):
            yield LeftOut("calls of tools")
        else:
            text = "\n\n".join(part for part in content.get("parts") or () if isinstance(part, str))
            time = message.get("create_time") or chat.get("create_time")
            yield {"role": role, "text": text, "id": message.get("id"), "time": time}


def _claude_ai_messages(chat: Record) -> Iterator[Record | LeftOut]:
    """Return the messages of a Claude.ai conversation."""
    for message in chat["chat_messages"]:
        blocks = message.get("content") or ()
        kinds = [block.get("type") for block in blocks if isinstance(block, dict)]
        if tools := sum(kind in ("tool_use", "tool_result") for kind in kinds):
            yield TOOL_OUTPUT._replace(times=tools)
        text = text_of(blocks) or str(message.get("text") or "")
        if attached := len(message.get("attachments") or ()) + len(message.get("files") or ()):
            yield LeftOut("images and files", attached)
        time = message.get("created_at")
        yield {"role": message["sender"], "text": text, "id": message.get("uuid"), "time": time}


def _has_field(field: str, path: Path) -> bool:
    """Tell whether the beginning of an export has this field."""
    with opened_text(path, "conversations*.json") as files:
        return any(f'"{field}"' in stream.read(1 << 20) for _, stream in files)


def _find(path: Path) -> list[Path]:
    """Find the files of an export: an archive, or the conversations in a folder."""
    return [path] if path.is_file() else files_in(path, "conversations*.json", "*.zip")


CHATGPT = ImportSource(
    name="chatgpt",
    title="ChatGPT exports",
    where="the .zip from Settings, Data controls, Export data",
    looks_for="conversations.json, alone or in a .zip, with a mapping in each conversation",
    find=_find,
    knows=partial(_has_field, "mapping"),
    read=partial(_read, _chatgpt_messages),
)
CLAUDE_AI = ImportSource(
    name="claude-ai",
    title="Claude.ai exports",
    where="the .zip from Settings, Privacy, Export data",
    looks_for="conversations.json, alone or in a .zip, with chat_messages in each conversation",
    find=_find,
    knows=partial(_has_field, "chat_messages"),
    read=partial(_read, _claude_ai_messages),
)
