"""mem0 exports: the JSON that its `get_all` returns, or an array of memories."""

from __future__ import annotations

from pathlib import Path

from lithify.importers.source_files import (
    Record,
    files_in,
    json_items,
    opened_text,
    other_files,
)
from lithify.importers.sources import (
    Broken,
    ImportItem,
    ImportSource,
    LeftOut,
    Reading,
    Whole,
    first_moment,
)

_LISTS = ("results", "memories", "items")


def read(path: Path) -> Reading:
    """Yield an item for each memory, labelled so that it is one here too once its source is trusted."""
    owners: dict[str, str] = {}
    with opened_text(path, "*.json") as files:
        for name, stream in files:
            for key, value in json_items(stream, (*_LISTS, "users")):
                if key in ("user", "users") and isinstance(value, dict):
                    # OpenMemory's backup names the owner of a memory by an id of its own.
                    owner = value.get("name") or value.get("user_id") or ""
                    owners[str(value.get("id"))] = str(owner)
                elif key not in ("", *_LISTS):
                    times = len(value) if isinstance(value, list | dict) else 1
                    yield LeftOut(f"{key} of the export", times)
                elif not isinstance(value, dict):
                    yield Broken(name, "a memory is not an object")
                else:
                    yield from _memory(value, name, owners)
    yield from other_files(path, "*.json")


def _memory(memory: Record, place: str, owners: dict[str, str]) -> Reading:
    text = str(memory.get("memory") or memory.get("content") or memory.get("text") or "")
    when = first_moment(memory, "deleted_at", "updated_at", "created_at")
    key = str(memory.get("id") or text)
    if memory.get("state") == "deleted" or memory.get("deleted_at"):
        yield LeftOut("memories that were deleted")
        if when:
            yield Whole(key, when)
    elif not text or when is None:
        lacks = "no text" if not text else "no time"
        yield Broken(f"{place}: {memory.get('id')}", f"the memory has {lacks}")
    else:
        owner = str(memory.get("user_id") or memory.get("agent_id") or "")
        about = owners.get(owner, owner)
        said = f"{about}: {text}" if about else text
        ended = first_moment(memory, "archived_at")
        until = ended.date() if ended and memory.get("state") == "archived" else None
        yield ImportItem(when, "Remember", " ".join(said.split()), key, until=until)


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
