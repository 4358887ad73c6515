"""ChatGPT exports: `conversations.json`, alone or in the archive."""

from __future__ import annotations

from pathlib import Path

from lithify.importers.chats import chatgpt_messages, find, holds, read_chats
from lithify.importers.sources import Reading, Source


def read(path: Path) -> Reading:
    """The messages of every conversation, on the branch that was shown last."""
    yield from read_chats(path, chatgpt_messages)


SOURCE = Source(
    name="chatgpt",
    title="ChatGPT exports",
    where="the .zip from Settings, Data controls, Export data",
    looks_for="conversations.json, alone or in a .zip, with a mapping in each conversation",
    find=find,
    knows=lambda path: holds(path, "mapping"),
    read=read,
)
