"""Roots of Stevenic/recall and its `.teammates/<name>/` folders, and roots of our own form."""

from __future__ import annotations

from pathlib import Path

from lithify.calendar import month_of, spoken_on, week_days
from lithify.importers.files import files_in
from lithify.importers.notes import memory, notes, wisdom
from lithify.importers.sources import ImportSource, LeftOut, Reading
from lithify.store.names import name_file


def read(path: Path) -> Reading:
    """The entries of a day, a memory or the wisdom; a page only where what it was written from is gone."""
    root = _root_of(path)
    name = name_file(path.relative_to(root).as_posix())
    if name.role == "wisdom":
        yield from wisdom(path)
    elif name.role == "typed":
        yield from memory(path)
    elif (day := spoken_on(name.label)) and name.role == "day":
        yield from notes(path, day, about=root.name if root.parent.name == ".teammates" else "")
    elif day and not _sources(root, name.role, name.label):
        yield from notes(path, day)
    elif day:
        yield LeftOut("weeks and months whose days are there")


def _sources(root: Path, role: str, label: str) -> bool:
    """Whether the days of a week, or the weeks or days of a month, are still there."""
    folder = root / "memory"
    if role == "week":
        return any(next(folder.glob(f"{day}*.md"), None) for day in week_days(label))
    weeks = (file.stem for file in (folder / "weekly").glob("*.md"))
    return any(spoken_on(week) and month_of(week) == label for week in weeks) or any(
        folder.glob(f"{label}-*.md")
    )


def _root_of(path: Path) -> Path:
    """The folder above the last `memory` in a path."""
    for folder in path.parents:
        if folder.name == "memory":
            return folder.parent
    return path.parent


def _knows(path: Path) -> bool:
    name = name_file(path.relative_to(_root_of(path)).as_posix())
    return name.role in ("day", "week", "month", "typed", "wisdom")


SOURCE = ImportSource(
    name="recall",
    title="Stevenic/recall roots",
    where=".teammates/<name>, or any folder with memory/",
    looks_for="memory/YYYY-MM-DD.md, memory/weekly, memory/monthly, {type}_{topic}.md or WISDOM.md",
    find=lambda path: [file for file in files_in(path, "*.md") if _knows(file)],
    knows=_knows,
    read=read,
)
