"""The SQLite database of claude-mem: prompts, observations and summaries of sessions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lithify.importers.source_files import database, files_in, tables_of
from lithify.importers.sources import (
    Broken,
    ImportItem,
    ImportSource,
    LeftOut,
    Reading,
    first_moment,
)

#: The fields of a session's summary and the label of each.
_SUMMARY = {
    "request": "Request",
    "investigated": "Investigated",
    "learned": "Learned",
    "completed": "Result",
    "next_steps": "Next steps",
    "notes": "Notes",
}
#: What is read of a row, and the most characters of a field.
_READ = "id created_at created_at_epoch project memory_session_id sdk_session_id"
_READ += f" type title subtitle narrative text facts {' '.join(_SUMMARY)}"
LONGEST = 100_000


def read(path: Path) -> Reading:
    """Yield the observations and summaries, in the form of any version."""
    with database(path) as rows:
        for table, items in (("observations", _observation), ("session_summaries", _summary)):
            for row in rows(table, _READ):
                yield from _items(table, dict(row), items)
        for _ in rows("user_prompts", "id"):
            yield LeftOut("prompts, which the summaries repeat")


def _items(table: str, row: dict[str, Any], items: Any) -> Reading:
    when = first_moment(row, "created_at_epoch", "created_at")
    if when is None:
        yield Broken(f"{table} {row.get('id')}", "the row has no time")
        return
    session = row.get("memory_session_id") or row.get("sdk_session_id")
    found = list(items(row))
    if not found:
        yield LeftOut(f"empty rows of {table}")
    for who, text, *more in found:
        # Not the time: an observation may be written anew.
        key = f"{table}|{session}|{row.get('id')}|{who if table != 'observations' else ''}"
        about, said = str(row.get("project") or ""), " ".join(text[:LONGEST].split())
        yield ImportItem(when, who, said, key, about, "".join(more)[:LONGEST])


def _observation(row: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield an observation: its title and what it tells, and its facts in a line of their own."""
    facts = " ".join(_listed(row.get("facts")))
    told = row.get("narrative") or row.get("text")
    said = [
        row.get("title"),
        row.get("subtitle") if not row.get("narrative") else "",
        told or facts,
    ]
    if text := " ".join(_stopped(str(part)) for part in said if part):
        who = str(row.get("type") or "observation").capitalize()
        yield who, text, f"Facts: {facts}" if told and facts else ""


def _summary(row: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for name, label in _SUMMARY.items():
        if text := str(row.get(name) or "").strip():
            yield label, text


def _listed(facts: object) -> list[str]:
    try:
        found = json.loads(str(facts or "[]"))
    except ValueError:
        return [str(facts)]
    return [_stopped(str(fact)) for fact in found] if isinstance(found, list) else []


def _stopped(text: str) -> str:
    return text if text.rstrip().endswith((".", "!", "?", ":")) else f"{text.rstrip()}."


SOURCE = ImportSource(
    name="claude-mem",
    title="claude-mem's database",
    where="~/.claude-mem/claude-mem.db",
    looks_for="a SQLite database with the tables observations and session_summaries",
    find=lambda path: files_in(path, "*.db", "*.sqlite", "*.sqlite3"),
    knows=lambda path: {"observations", "session_summaries"} <= tables_of(path),
    read=read,
)
