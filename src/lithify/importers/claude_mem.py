"""The SQLite database of claude-mem: prompts, observations and summaries of sessions."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from lithify.importers.source_files import files_in, opened
from lithify.importers.sources import Broken, ImportItem, ImportSource, Reading, first_moment

#: The fields of a session's summary and the label of each.
_SUMMARY = {
    "request": "Request",
    "learned": "Learned",
    "completed": "Result",
    "next_steps": "Next steps",
}
#: What is read of a row, and the most bytes that a row may have.
_READ = {
    *("id", "created_at", "created_at_epoch", "project", "memory_session_id", "sdk_session_id"),
    *("type", "title", "subtitle", "narrative", "text", "facts", *_SUMMARY),
}
_LARGEST = 64 << 20
#: The most characters of a field.
LONGEST = 100_000


def read(path: Path) -> Reading:
    """Yield the rows of the three tables, in the form of any version."""
    with closing(_database(path)) as database:
        for table, items in (("observations", _observation), ("session_summaries", _summary)):
            if columns := _columns(database, table):
                said = ", ".join(f"substr({name}, 1, {LONGEST}) AS {name}" for name in columns)
                order = "ORDER BY main.id" if "id" in columns else ""
                for row in database.execute(f"SELECT {said} FROM {table} AS main {order}"):
                    yield from _items(table, dict(row), items)


def _database(path: Path) -> sqlite3.Connection:
    """Open a database to read what is stored in it and to work nothing out."""
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST)
    database.row_factory = sqlite3.Row
    return database


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns of a table that we read, without those that are generated."""
    found = database.execute("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", (table,))
    return [name for (name,) in found if name in _READ] if _has(database, table) else []


def _items(table: str, row: dict[str, Any], items: Any) -> Reading:
    when = first_moment(row, "created_at_epoch", "created_at")
    if when is None:
        yield Broken(f"{table} {row.get('id')}", "the row has no time")
        return
    session = row.get("memory_session_id") or row.get("sdk_session_id")
    for who, text in items(row):
        key = f"{table}|{session}|{row.get('id')}|{row.get('created_at_epoch')}|{who}"
        yield ImportItem(when, who, " ".join(text.split()), key, str(row.get("project") or ""))


def _observation(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield an observation: its title, then its facts or what it tells."""
    said = [row.get("title"), row.get("subtitle") if not row.get("narrative") else ""]
    said += [row.get("narrative") or row.get("text") or " ".join(_listed(row.get("facts")))]
    text = " ".join(_stopped(str(part)) for part in said if part)
    if text:
        yield str(row.get("type") or "observation").capitalize(), text


def _summary(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
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


def _has(database: sqlite3.Connection, table: str) -> bool:
    found = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    return database.execute(found, (table,)).fetchone() is not None


def _knows(path: Path) -> bool:
    with opened(path) as file:
        if not file.read(16).startswith(b"SQLite format 3"):
            return False
    with closing(_database(path)) as database:
        return _has(database, "observations") and _has(database, "session_summaries")


SOURCE = ImportSource(
    name="claude-mem",
    title="claude-mem's database",
    where="~/.claude-mem/claude-mem.db",
    looks_for="a SQLite database with the tables observations and session_summaries",
    find=lambda path: files_in(path, "*.db", "*.sqlite", "*.sqlite3"),
    knows=_knows,
    read=read,
)
