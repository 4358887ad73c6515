"""mem0 exports: the JSON that its `get_all` returns, or an array of memories."""

from __future__ import annotations

from pathlib import Path

from lithify.importers.source_files import files_in, json_items, opened_text
from lithify.importers.sources import Broken, ImportItem, ImportSource, Reading, first_moment

_LISTS = ("results", "memories", "items")


def read(path: Path) -> Reading:
    """One item for each memory, labelled so that it is one here too once its source is trusted."""
    with opened_text(path, "*.json") as files:
        for name, stream in files:
            for key, memory in json_items(stream, _LISTS):
                if key not in ("", *_LISTS):
                    continue
                if not isinstance(memory, dict):
                    yield Broken(name, "a memory is not an object")
                    continue
                text = str(
                    memory.get("memory") or memory.get("content") or memory.get("text") or ""
                )
                when = first_moment(memory, "updated_at", "created_at")
                if not text or when is None:
                    lacks = "no text" if not text else "no time"
                    yield Broken(f"{name}: {memory.get('id')}", f"the memory has {lacks}")
                    continue
                about = str(memory.get("user_id") or memory.get("agent_id") or "")
                said = f"{about}: {text}" if about else text
                yield ImportItem(
                    when, "Remember", " ".join(said.split()), str(memory.get("id") or text)
                )


def _knows(path: Path) -> bool:
    with opened_text(path, "*.json") as files:
        begins = [stream.read(1 << 16) for _, stream in files]
    named = ('"memory"', '"content"', '"text"')
    return any('"created_at"' in text and any(n in text for n in named) for text in begins)


SOURCE = ImportSource(
    name="mem0",
    title="mem0 exports",
    where="the JSON that get_all or an export of mem0 gives",
    looks_for="a JSON array of memories, or an object with results or memories, each with created_at",
    find=lambda path: files_in(path, "*.json", "*.zip"),
    knows=_knows,
    read=read,
)
