"""A Claude Code auto-memory folder: `MEMORY.md`, and a file for each memory."""

from __future__ import annotations

import re
from pathlib import Path

from lithify.importers.files import files_in
from lithify.importers.notes import day_of_file, memory, notes
from lithify.importers.sources import ImportItem, ImportSource, LeftOut, Reading

_LINK = re.compile(r"\[[^\]]*\]\([^)\s]+\.md\)")


def read(path: Path) -> Reading:
    """The memory in a file; of the index only what is not a link to another file."""
    if path.name != "MEMORY.md":
        yield from memory(path)
        return
    for found in notes(path, day_of_file(path), scope="MEMORY.md"):
        if isinstance(found, ImportItem) and _LINK.search(found.text):
            yield LeftOut("lines of the index")
        else:
            yield found


def _find(path: Path) -> list[Path]:
    if path.is_file():
        return files_in(path, "*.md")
    folder = path / "memory" if (path / "memory").is_dir() else path
    return sorted(folder.glob("*.md")) if (folder / "MEMORY.md").is_file() else []


SOURCE = ImportSource(
    name="claude-memory",
    title="Claude Code auto-memory",
    where="~/.claude/projects/<project>/memory",
    looks_for="a folder with MEMORY.md",
    find=_find,
    read=read,
)
