"""Obsidian daily notes, found by the vault's own setting for their names."""

from __future__ import annotations

import json
import re
from datetime import date
from functools import lru_cache
from pathlib import Path

from lithify.importers.files import files_in
from lithify.importers.notes import day_of_name, notes
from lithify.importers.sources import ImportSource, Reading

#: What the parts of a date format match; other letters of a format may be names of days and months.
_PARTS = {"YYYY": r"(?P<y>\d{4})", "MM": r"(?P<m>\d\d)", "DD": r"(?P<d>\d\d)"}
_PARTS |= {"M": r"(?P<m>\d{1,2})", "D": r"(?P<d>\d{1,2})"}
_TOKEN = re.compile(r"YYYY|MMMM|MMM|MM|M|DD|Do|D|d{2,4}|\[[^\]]*\]|[A-Za-z]+|.")


def read(path: Path) -> Reading:
    """The entries of a daily note."""
    day = _day(path)
    assert day is not None
    yield from notes(path, day)


def _day(path: Path) -> date | None:
    """The day of a note, by the format of its vault, else by a date in its name."""
    vault = next((folder for folder in path.parents if (folder / ".obsidian").is_dir()), None)
    pattern = _format(vault) if vault else None
    match = pattern.search(path.with_suffix("").as_posix()) if pattern else None
    if match and match.groupdict().keys() >= {"y", "m", "d"}:
        try:
            return date(int(match["y"]), int(match["m"]), int(match["d"]))
        except ValueError:
            return None
    return day_of_name(path.as_posix())


@lru_cache(maxsize=8)
def _format(vault: Path) -> re.Pattern[str] | None:
    """The vault's format of daily notes as a pattern; nothing where it has not set one."""
    try:
        setting = json.loads((vault / ".obsidian" / "daily-notes.json").read_text("utf-8"))
        form = str(setting.get("format") or "")
    except (OSError, ValueError, AttributeError):
        return None
    seen: set[str] = set()
    pattern = ""
    for token in _TOKEN.findall(form):
        part = _PARTS.get(token, "")
        if part and part[4] not in seen:
            seen.add(part[4])
            pattern += part
        elif token.startswith("["):
            pattern += re.escape(token[1:-1])
        else:
            pattern += r"[\w.]+" if token[0].isalpha() else re.escape(token)
    return re.compile(rf"(?:^|/){pattern}$") if pattern else None


SOURCE = ImportSource(
    name="obsidian",
    title="Obsidian daily notes",
    where="the vault, or its folder of daily notes",
    looks_for="Markdown files named by a date (YYYY-MM-DD, or the format in .obsidian/daily-notes.json)",
    find=lambda path: [file for file in files_in(path, "*.md") if _day(file)],
    read=read,
)
