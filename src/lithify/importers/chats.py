"""Exports of ChatGPT and of Claude.ai, as archives or as their JSON: conversations and memories."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path, PurePath
from typing import Any

from lithify.importers.notes import day_of_file, notes
from lithify.importers.source_files import (
    Record,
    files_in,
    json_items,
    opened_text,
    other_files,
)
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
    objects,
    text_of,
)
from lithify.regex import regex
from lithify.text.sentences import plain_sentences

_WHO = {"user": "Asked", "human": "Asked", "assistant": "Answered"}
#: Gives the messages of a conversation, each with role, text, id and time.
Messages = Callable[[Record], Iterator[Record | LeftOut | ImportItem]]
#: The kind of a part that holds what was spoken, as text.
_SPOKEN = "audio_transcription"
#: Marks of citations, in private-use characters or in brackets.
_MARKS = regex("\ue200[^\ue200\ue201]*\ue201|[\ue000-\uf8ff]|【[^【】]{0,80}†[^【】]{0,80}】")


def _read(messages: Messages, files: tuple[str, ...], path: Path) -> Reading:
    """Yield the messages of every conversation, and what the service remembers beside them."""
    with opened_text(path, *files) as opened:
        for name, stream in opened:
            beside = _BESIDE.get(PurePath(name).name)
            for key, value in json_items(stream, ["conversations"]):
                if isinstance(value, dict) and beside:
                    yield from beside(value, path)
                elif isinstance(value, dict) and key in ("", "conversations"):
                    yield from _items(value, messages)
                elif key in ("", "conversations"):
                    yield Broken(name, "a conversation is not an object")
                else:
                    yield LeftOut(f"{key} of the export")
    yield from other_files(path, *files)


def _items(chat: Record, messages: Messages) -> Reading:
    title = " ".join(str(chat.get("title") or chat.get("name") or "").split())
    began = first_moment(chat, "create_time", "created_at")
    try:
        for message in messages(chat):
            if isinstance(message, LeftOut | ImportItem):
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
                key, version = str(message["id"] or f"{when}|{flat}"), str(message["text"])
                yield ImportItem(when, who, flat, key, title, version=version)
            else:
                yield LeftOut("messages without words")
    except (KeyError, TypeError, AttributeError, ValueError):
        yield Broken(title or "a conversation", "it does not have the form of an export")


def _chatgpt_messages(chat: Record) -> Iterator[Record | LeftOut | ImportItem]:
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
        elif kind in ("thoughts", "reasoning_recap"):
            yield THINKING
        elif role == "tool" or kind not in ("text", "multimodal_text"):
            yield TOOL_OUTPUT
        elif message.get("recipient") not in (None, "all", "bio"):
            yield LeftOut("calls of tools")
        else:
            parts = content.get("parts") or ()
            spoken = [
                part for part in objects(list(parts)) if _SPOKEN in str(part.get("content_type"))
            ]
            said = [part for part in parts if isinstance(part, str)]
            said += [str(part.get("text") or "") for part in spoken]
            if shown := len(parts) - len(said):
                yield LeftOut("images and files", shown)
            text = _MARKS.sub("", "\n\n".join(filter(None, said)))
            time = message.get("create_time") or chat.get("create_time")
            if message.get("recipient") == "bio":
                # What was said to this tool is what ChatGPT remembers from then on.
                when, flat = first_moment({"time": time}, "time"), " ".join(text.split())
                yield (
                    ImportItem(when, "Remember", flat, str(message.get("id"))) if when else INJECTED
                )
                continue
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


def _remembered(memory: Record, path: Path) -> Reading:
    """Yield what Claude.ai remembers of a person and of projects, an entry for each paragraph."""
    about = {"memory": memory.get("conversations_memory")}
    about |= json_object(memory.get("project_memories"))
    for name, text in about.items():
        scope = f"{memory.get('account_uuid')}|{name}"
        if isinstance(text, str) and text.strip():
            yield from notes(
                path, day_of_file(path), scope=scope, about="memory", text=text, of=scope
            )


def _project(project: Record, path: Path) -> Reading:
    """Yield what a project of Claude.ai is for, its instructions and its documents."""
    when, title = first_moment(project, "updated_at", "created_at"), str(project.get("name") or "")
    told = [("Project", project.get("description"), when, "description")]
    told += [("Instructions", project.get("prompt_template"), when, "instructions")]
    for doc in objects(project.get("docs") or []):
        at = first_moment(doc, "created_at") or when
        told.append(
            (f"Document {doc.get('filename')}", doc.get("content"), at, str(doc.get("uuid")))
        )
    for who, text, at, part in told:
        if not (isinstance(text, str) and text.strip()):
            yield LeftOut("empty fields of projects")
        elif at is None:
            yield Broken(title, "the project has no time")
        else:
            flat = " ".join(text.split())
            yield ImportItem(at, who, flat, f"{project.get('uuid')}|{part}", title)


_BESIDE = {"memories.json": _remembered, "projects.json": _project}


def _has_field(fields: tuple[str, ...], files: tuple[str, ...], path: Path) -> bool:
    """Tell whether one of the first elements of an export has one of these fields."""
    with opened_text(path, *files) as opened:
        found = (item for _, stream in opened for item in islice(json_items(stream, _LISTS), 5))
        return any(isinstance(one, dict) and not one.keys().isdisjoint(fields) for _, one in found)


def _find(files: tuple[str, ...], path: Path) -> list[Path]:
    """Find the files of an export: an archive, or those in a folder."""
    return [path] if path.is_file() else files_in(path, *files, "*.zip")


_LISTS = ("conversations",)
_OF_CHATGPT = ("conversations*.json",)
_OF_CLAUDE = (*_OF_CHATGPT, *_BESIDE)

CHATGPT = ImportSource(
    name="chatgpt",
    title="ChatGPT exports",
    where="the .zip from Settings, Data controls, Export data",
    looks_for="conversations.json, alone or in a .zip, with a mapping in each conversation",
    find=partial(_find, _OF_CHATGPT),
    knows=partial(_has_field, ("mapping",), _OF_CHATGPT),
    read=partial(_read, _chatgpt_messages, _OF_CHATGPT),
)
CLAUDE_AI = ImportSource(
    name="claude-ai",
    title="Claude.ai exports",
    where="the .zip from Settings, Privacy, Export data",
    looks_for="conversations.json, alone or in a .zip, with chat_messages in each conversation",
    find=partial(_find, _OF_CLAUDE),
    knows=partial(
        _has_field, ("chat_messages", "conversations_memory", "prompt_template"), _OF_CLAUDE
    ),
    read=partial(_read, _claude_ai_messages, _OF_CLAUDE),
)
