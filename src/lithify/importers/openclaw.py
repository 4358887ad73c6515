"""OpenClaw workspaces: dated Markdown at any depth of `memory/`, and `MEMORY.md`."""

from __future__ import annotations

from pathlib import Path

from lithify.importers.files import files_in
from lithify.importers.notes import day_of_file, day_of_name, notes
from lithify.importers.sources import ImportSource, Reading


def read(path: Path) -> Reading:
    """The entries of a note on its day; those of MEMORY.md and undated notes on the file's day."""
    day = day_of_name(path.as_posix())
    if day:
        yield from notes(path, day)
    else:
        yield from notes(path, day_of_file(path), scope=path.name)


def _find(path: Path) -> list[Path]:
    if path.is_file():
        return files_in(path, "*.md")
    spaces = [path, *sorted(path.glob("workspace*")), *sorted(path.glob("agents/*/workspace"))]
    found = []
    for space in spaces:
        memory = space / "memory"
        found += [space / "MEMORY.md"] if (space / "MEMORY.md").is_file() else []
        found += files_in(memory, "*.md") if memory.is_dir() else []
    return found


SOURCE = ImportSource(
    name="openclaw",
    title="OpenClaw workspaces",
    where="~/.openclaw/workspace",
    looks_for="memory/*.md or MEMORY.md in a workspace",
    find=_find,
    read=read,
)
