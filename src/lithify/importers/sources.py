"""The sources there are, found by name or by what a path holds."""

from __future__ import annotations

import importlib
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from zipfile import BadZipFile

from lithify.errors import UsageError
from lithify.importers.source import Source

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
