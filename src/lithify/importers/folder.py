"""A plain folder of Markdown and text files: by a date in the name, else by the date of the file."""

from __future__ import annotations

from pathlib import Path

from lithify.importers.files import files_in
from lithify.importers.notes import day_of_file, day_of_name, notes, without_day
from lithify.importers.sources import ImportSource, Reading


def read(path: Path) -> Reading:
    """The entries of a file."""
    day = day_of_name(path.as_posix()) or day_of_file(path)
    yield from notes(path, day, scope=path.name, about=without_day(path.stem))


def _is_text(path: Path) -> bool:
    with path.open("rb") as file:
        return b"\0" not in file.read(4096)


SOURCE = ImportSource(
    name="folder",
    title="A folder of Markdown and text files",
    where="anywhere",
    looks_for="*.md, *.markdown, *.txt, *.org or *.rst files",
    find=lambda path: files_in(path, "*.md", "*.markdown", "*.txt", "*.org", "*.rst"),
    knows=_is_text,
    read=read,
)
