"""Graphs of knowledge: the MCP memory server's file, and JSON of Graphiti or Zep."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from lithify.importers.notes import day_of_file
from lithify.importers.source_files import (
    Record,
    begins_with,
    files_in,
    json_items,
    json_lines,
    opened_text,
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

_GRAPH = ("episodes", "edges", "nodes", "facts")


def _read_server(path: Path) -> Reading:
    """Yield each observation of an entity and each relation, on the day the file was changed."""
    day, of, is_sound = day_of_file(path), str(path.resolve()), True
    for line in json_lines(path):
        found = list(_of_server(line, day, of))
        is_sound = is_sound and not any(isinstance(one, Broken) for one in found)
        yield from found
    if is_sound:
        yield Whole(of, day)


def _of_server(
    line: Record | Broken, day: date, of: str
) -> Iterator[ImportItem | LeftOut | Broken]:
    if isinstance(line, Broken):
        yield line
        return
    name, kind = str(line.get("name")), str(line.get("entityType") or "")
    if line.get("type") == "relation":
        said = " ".join(str(line.get(part)) for part in ("from", "relationType", "to"))
        yield ImportItem(day, "Relation", said, f"relation|{said}", of=of)
    elif line.get("type") != "entity" or not isinstance(line.get("observations"), list):
        yield Broken(f"{line.get('type')} {name}", "it is neither an entity nor a relation")
    elif not line["observations"]:
        yield LeftOut("entities without observations")
    else:
        who = f"{name}, {kind}" if kind else name
        for said in map(str, line["observations"]):
            yield ImportItem(day, "", f"{who}: {' '.join(said.split())}", f"{name}|{said}", of=of)


MCP_MEMORY = ImportSource(
    name="mcp-memory",
    title="MCP memory server",
    where="memory.jsonl, the server's MEMORY_FILE_PATH",
    looks_for="*.jsonl or *.json files whose lines are entities with observations, or relations",
    find=lambda path: files_in(path, "*.jsonl", "*.json"),
    knows=begins_with(
        lambda line: (
            (line.get("type") == "entity" and "observations" in line)
            or (line.get("type") == "relation" and "relationType" in line)
        )
    ),
    read=_read_server,
)


def _read_graph(path: Path) -> Reading:
    """Yield episodes, facts with the days from and until which they hold, and what entities are."""
    with opened_text(path, "*.json") as files:
        for name, stream in files:
            for key, value in json_items(stream, _GRAPH):
                if key not in ("", *_GRAPH):
                    yield LeftOut(f"{key} of the graph")
                elif not isinstance(value, dict) or not value.get("uuid"):
                    yield Broken(f"{name}: {key}", "it is no object with a uuid")
                else:
                    yield from _of_graph(value)


def _of_graph(one: Record) -> Iterator[ImportItem | LeftOut | Broken]:
    key, group = str(one["uuid"]), str(one.get("group_id") or "")
    when = first_moment(one, "valid_at", "created_at")
    if when is None:
        yield Broken(key, "it has no time")
    elif one.get("fact"):
        ended = first_moment(one, "invalid_at", "expired_at")
        fact = " ".join(str(one["fact"]).split())
        yield ImportItem(when, "Fact", fact, key, group, until=ended.date() if ended else None)
    elif one.get("content"):
        who = str(one.get("role") or one.get("source_description") or "Episode")
        yield ImportItem(when, who, " ".join(str(one["content"]).split()), key, group)
    elif one.get("summary"):
        said = f"{one.get('name')}: {' '.join(str(one['summary']).split())}"
        yield ImportItem(first_moment(one, "created_at") or when, "", said, key, group)
    else:
        yield LeftOut("entities and edges without a text")


def _knows_graph(path: Path) -> bool:
    with opened_text(path, "*.json") as files:
        begins = next(files)[1].read(1 << 16)
    named = ('"fact"', '"source_description"', '"entity_edges"', '"role_type"')
    return '"uuid"' in begins and any(name in begins for name in named)


GRAPHITI = ImportSource(
    name="graphiti",
    title="Graphiti or Zep graphs",
    where="JSON of its episodes, edges and nodes",
    looks_for="JSON with episodes, edges or nodes, each with a uuid",
    find=lambda path: files_in(path, "*.json", "*.zip"),
    knows=_knows_graph,
    read=_read_graph,
)
