"""OpenCode sessions: its database, or the JSON of `opencode export`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from lithify.importers.source_files import database, files_in, json_items, opened_text, tables_of
from lithify.importers.sources import (
    INJECTED,
    THINKING,
    TOOL_OUTPUT,
    Broken,
    ImportSource,
    LeftOut,
    Reading,
    first_moment,
    json_object,
    objects,
)
from lithify.importers.turns import Heard, ToolStep, steps_of, turns

#: Kinds of parts that are left out, and what they are.
_LEFT_OUT = {"reasoning": THINKING, "file": LeftOut("images and files")}


def read(path: Path) -> Reading:
    """Yield the turns of every session, of which subagents have some of their own."""
    if path.suffix == ".json":
        yield from _exported(path)
        return
    with database(path) as rows:
        for session in rows("session", "id directory parent_id", "ORDER BY id"):
            ordered = "WHERE session_id = ? ORDER BY time_created, id"
            messages = rows("message", "id data", ordered, session["id"])
            parts = partial(rows, "part", "data", "WHERE message_id = ? ORDER BY id")
            heard = (
                one
                for message in messages
                for one in _heard(
                    {**json_object(message["data"]), "id": message["id"]},
                    [json_object(part["data"]) for part in parts(message["id"])],
                    session,
                )
            )
            yield from turns(heard)


def _exported(path: Path) -> Reading:
    with opened_text(path) as files:
        for _, stream in files:
            found = list(json_items(stream))
            session = json_object(next((value for key, value in found if key == "info"), {}))
            messages = objects(next((value for key, value in found if key == "messages"), []))
            about = {"directory": session.get("directory"), "parent_id": session.get("parentID")}
            heard = (
                one
                for message in messages
                for one in _heard(
                    json_object(message.get("info")), objects(message.get("parts")), about
                )
            )
            yield from turns(heard)


def _heard(
    message: dict[str, Any], parts: list[dict[str, Any]], session: Any
) -> Iterator[Heard | LeftOut | Broken]:
    times, folder = json_object(message.get("time")), str(session["directory"] or "")
    when, role = first_moment(times, "created"), message.get("role")
    if role not in ("user", "assistant"):
        yield Broken(f"message {message.get('id')}", "it is of neither a user nor an assistant")
        return
    if session["parent_id"]:
        yield LeftOut("messages of subagents")
        return
    texts: list[str] = []
    steps: list[ToolStep] = []
    for part in parts:
        kind = str(part.get("type"))
        if kind == "text" and (part.get("synthetic") or message.get("summary") is True):
            yield INJECTED
        elif kind == "text":
            texts.append(str(part.get("text") or ""))
        elif kind == "tool":
            given = json_object(part.get("state")).get("input")
            steps += steps_of(str(part.get("tool")), given, folder)
            yield TOOL_OUTPUT
        else:
            yield _LEFT_OUT.get(kind) or LeftOut(f"{kind} parts")
    text = "\n\n".join(texts)
    # Not the id: a session that is forked repeats its messages under new ones.
    key = f"{times.get('created')}|{text if role == 'user' else ''}"
    if role == "assistant":
        yield Heard(when, key, said=text, steps=tuple(steps), folder=folder)
    elif text.strip():
        yield Heard(when, key, text, folder=folder)


def _knows(path: Path) -> bool:
    if path.suffix == ".json":
        with opened_text(path) as files:
            begins = next(stream.read(1 << 16) for _, stream in files)
        return '"sessionID"' in begins and '"parts"' in begins
    return {"session", "message", "part"} <= tables_of(path)


SOURCE = ImportSource(
    name="opencode",
    title="OpenCode sessions",
    where="~/.local/share/opencode/opencode.db",
    looks_for="a database with the tables session, message and part, or JSON of opencode export",
    find=lambda path: files_in(path, "opencode*.db", "*.json"),
    knows=_knows,
    read=read,
)
