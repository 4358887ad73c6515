"""The sources there are, found by name or by what a path holds."""

from __future__ import annotations

import importlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

from lithify.errors import UsageError


class Item(NamedTuple):
    """Something that was said or done.

    `when` is a day where the source knows no time. `who` is the label that the entry begins with,
    `about` the project or conversation. `key` names the item: the same in every reading. `more` is
    a line of its own below the text, which stays where the text is cut.
    """

    when: date
    who: str
    text: str
    key: str
    about: str = ""
    more: str = ""


class LeftOut(NamedTuple):
    """Something that is left out on purpose, and how often."""

    what: str
    times: int = 1


class Broken(NamedTuple):
    """Something that cannot be read."""

    place: str
    reason: str


Reading = Iterator[Item | LeftOut | Broken]


class Source(NamedTuple):
    """One tool whose records can be imported."""

    name: str
    title: str
    #: Where its files usually are.
    where: str
    #: What is looked for in a path.
    looks_for: str
    #: The files of a path that could hold its records; empty where there are none.
    find: Callable[[Path], Iterable[Path]]
    #: The items of one file.
    read: Callable[[Path], Reading]
    #: Whether a file does hold its records, by its beginning.
    knows: Callable[[Path], bool] = Path.is_file


def moment_of(value: object) -> datetime | None:
    """The moment that a source wrote as ISO 8601 text, or as seconds or milliseconds since 1970."""
    try:
        if isinstance(value, str) and value.replace(".", "", 1).isdigit():
            value = float(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1000 if value > 1e11 else value
            return datetime.fromtimestamp(seconds, UTC)
        if isinstance(value, str) and value:
            found = datetime.fromisoformat(value.strip())
            return found if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None


def first_moment(record: dict[str, Any], *names: str) -> datetime | None:
    """The moment in the first of these fields that has one."""
    return next((found for name in names if (found := moment_of(record.get(name)))), None)


def objects(value: object) -> list[dict[str, Any]]:
    """The objects of a list, or an object alone; nothing of what is neither."""
    found = value if isinstance(value, list) else [value]
    return [one for one in found if isinstance(one, dict)]


def json_object(value: object) -> dict[str, Any]:
    """An object, also one that is written as JSON text; empty for all else."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, dict) else {}


def text_of(content: object, kinds: tuple[str, ...] = ("text",)) -> str:
    """The text of a message: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return content
    blocks = [block for block in objects(content) if block.get("type", "text") in kinds]
    texts = [block.get("text") for block in blocks]
    texts += (
        [part for part in content if isinstance(part, str)] if isinstance(content, list) else []
    )
    return "\n\n".join(text for text in texts if isinstance(text, str) and text.strip())


# The sources there are, found by name or by what a path holds.


#: The module of each source, those that are told by their content before those that take any text.
MODULES = {
    "claude-code": "claude_code",
    "codex": "codex",
    "gemini": "gemini",
    "claude-mem": "claude_mem",
    "chatgpt": "chatgpt",
    "claude-ai": "claude_ai",
    "letta": "letta",
    "mem0": "mem0",
    "claude-memory": "claude_memory",
    "openclaw": "openclaw",
    "recall": "recall_root",
    "obsidian": "obsidian",
    "git": "git",
    "folder": "folder",
}
#: What reading a file of another tool may raise.
UNREADABLE = (OSError, ValueError, sqlite3.Error, BadZipFile, RecursionError)


def source_named(name: str) -> Source:
    """The source of this name; the error names those that are nearly called so."""
    if name not in MODULES:
        near = get_close_matches(name, MODULES, 3, 0.7)
        hint = f"did you mean {' or '.join(near)}?" if near else "lithify import lists them"
        raise UsageError(reason=f"there is no source {name!r}; {hint}")
    found: Source = importlib.import_module(f"lithify.importers.{MODULES[name]}").SOURCE
    return found


def all_sources() -> Iterator[Source]:
    return map(source_named, MODULES)


def source_of(path: Path) -> Source:
    """The first source whose records a path holds."""
    if not path.exists():
        raise UsageError(reason=f"{path} does not exist")
    for source in all_sources():
        if any(is_known(source, file) for file in source.find(path)):
            return source
    raise UsageError(
        reason=f"{path} is not of a kind that can be imported; lithify import lists those"
    )


def is_known(source: Source, file: Path) -> bool:
    """Whether a file holds records of a source."""
    with suppress(*UNREADABLE):
        return source.knows(file)
    return False
