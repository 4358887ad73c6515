"""Exports of chats: conversations of ChatGPT and of Claude.ai, as archives or as their JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lithify.importers.claude_code import INJECTED, TOOL_OUTPUT
from lithify.importers.files import Record, files_in, json_items, opened_text
from lithify.importers.sources import Broken, Item, LeftOut, Reading, first_moment, text_of
from lithify.text.excerpt import plain_sentences

NAMES = ("conversations*.json", "*.zip")
_WHO = {"user": "Asked", "human": "Asked", "assistant": "Answered"}


def read_chats(path: Path, messages: Callable[[Record], Iterator[Record | LeftOut]]) -> Reading:
    """The messages of every conversation; `messages` gives each with role, text, id and time."""
    with opened_text(path, "conversations*.json") as files:
        for name, stream in files:
            for key, chat in json_items(stream, ["conversations"]):
                if isinstance(chat, dict):
                    yield from _items(chat, messages)
                elif key in ("", "conversations"):
                    yield Broken(name, "a conversation is not an object")


def _items(chat: Record, messages: Callable[[Record], Iterator[Record | LeftOut]]) -> Reading:
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
                yield Item(when, who, flat, str(message["id"] or f"{when}|{flat}"), title)
    except (KeyError, TypeError, AttributeError, ValueError):
        yield Broken(title or "a conversation", "it does not have the form of an export")


def chatgpt_messages(chat: Record) -> Iterator[Record | LeftOut]:
    """The messages on the branch of a ChatGPT conversation that was shown last."""
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


def claude_ai_messages(chat: Record) -> Iterator[Record | LeftOut]:
    """The messages of a Claude.ai conversation."""
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


def holds(path: Path, field: str) -> bool:
    """Whether the first conversation of an export has this field."""
    with opened_text(path, "conversations*.json") as files:
        for _, stream in files:
            if f'"{field}"' in stream.read(1 << 20):
                return True
    return False


def find(path: Path) -> list[Path]:
    """The files of an export: an archive, or the conversations in a folder."""
    return [path] if path.is_file() else files_in(path, *NAMES)
