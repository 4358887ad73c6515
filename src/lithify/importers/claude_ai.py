"""Claude.ai exports: `conversations.json`, alone or in the archive."""

from __future__ import annotations

from pathlib import Path

from lithify.importers.chats import claude_ai_messages, find, holds, read_chats
from lithify.importers.sources import Reading, Source


def read(path: Path) -> Reading:
    """The messages of every conversation."""
    yield from read_chats(path, claude_ai_messages)


SOURCE = Source(
    name="claude-ai",
    title="Claude.ai exports",
    where="the .zip from Settings, Privacy, Export data",
    looks_for="conversations.json, alone or in a .zip, with chat_messages in each conversation",
    find=find,
    knows=lambda path: holds(path, "chat_messages"),
    read=read,
)
