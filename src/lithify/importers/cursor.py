"""Cursor's conversations, from the databases `state.vscdb` that it keeps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lithify.importers.source_files import Record, Rows, database, files_in, tables_of
from lithify.importers.sources import (
    THINKING,
    TOOL_OUTPUT,
    Broken,
    ImportSource,
    LeftOut,
    Reading,
    first_moment,
    json_object,
    objects,
)
from lithify.importers.turns import Heard, steps_of, turns

_TABS = "workbench.panel.aichat.view.aichat.chatdata"


def read(path: Path) -> Reading:
    """Yield the turns of every conversation: of the table of all folders, and of the older one."""
    with database(path) as rows:
        # Keys are looked up by their beginnings, because these databases grow to many gigabytes.
        chats = "WHERE key >= 'composerData:' AND key < 'composerData;'"
        for row in rows("cursorDiskKV", "key value", chats):
            yield from turns(_composer(json_object(row["value"]), str(row["key"]), rows))
        for row in rows("ItemTable", "value", "WHERE key = ?", _TABS):
            for tab in objects(json_object(row["value"]).get("tabs")):
                began = {"createdAt": tab.get("lastSendTime")}
                bubbles = objects(tab.get("bubbles"))
                yield from turns(_bubbles(bubbles, began, str(tab.get("tabId"))))


def _composer(chat: Record, key: str, rows: Rows) -> Iterator[Heard | LeftOut | Broken]:
    if not chat:
        yield Broken(key, "the conversation is not a JSON object")
        return
    name = key.partition(":")[2]
    bubbles = objects(chat.get("conversation") or [])
    for head in objects(chat.get("fullConversationHeadersOnly") or []):
        key = f"bubbleId:{name}:{head.get('bubbleId')}"
        found = [*rows("cursorDiskKV", "value", "WHERE key = ?", key)]
        if found:
            bubbles.append(json_object(found[0]["value"]))
        else:
            yield LeftOut("messages that Cursor lists and has dropped")
    if not bubbles:
        yield LeftOut("conversations without a message")
    yield from _bubbles(bubbles, chat, name)


def _bubbles(bubbles: list[Record], chat: Record, name: str) -> Iterator[Heard | LeftOut | Broken]:
    began = first_moment(chat, "createdAt", "lastUpdatedAt")
    folder = str(
        json_object(json_object(chat.get("workspaceIdentifier")).get("uri")).get("fsPath") or ""
    )
    for number, bubble in enumerate(bubbles):
        text = str(bubble.get("text") or bubble.get("rawText") or "")
        timing = json_object(bubble.get("timingInfo"))
        when = first_moment(bubble, "createdAt") or first_moment(timing, "clientStartTime") or began
        key = f"{name}|{bubble.get('bubbleId') or bubble.get('id') or number}"
        if bubble.get("type") in (1, "user"):
            yield from (LeftOut("images and files") for _ in objects(bubble.get("images") or []))
            if text.strip():
                yield Heard(when, key, text, folder=folder)
            else:
                yield LeftOut("messages without text")
            continue
        tool = json_object(bubble.get("toolFormerData"))
        steps = tuple(steps_of(str(tool["name"]), _given(tool), folder)) if tool.get("name") else ()
        yield from (TOOL_OUTPUT for _ in filter(None, [tool.get("result")]))
        yield from (THINKING for _ in filter(None, [bubble.get("thinking")]))
        if text.strip() or steps:
            yield Heard(when, key, said=text, steps=steps, folder=folder)
        elif not tool and not bubble.get("thinking"):
            yield LeftOut("messages without text")


def _given(tool: Record) -> object:
    return tool.get("rawArgs") or tool.get("params")


SOURCE = ImportSource(
    name="cursor",
    title="Cursor's conversations",
    where="globalStorage/state.vscdb in Cursor's user folder",
    looks_for="state.vscdb files with the table cursorDiskKV or ItemTable",
    find=lambda path: files_in(path, "*.vscdb"),
    knows=lambda path: not tables_of(path).isdisjoint({"cursorDiskKV", "ItemTable"}),
    read=read,
)
