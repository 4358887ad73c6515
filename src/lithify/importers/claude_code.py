"""Claude Code transcripts: JSON lines, one file for each session."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path, PurePath
from typing import Any

from lithify.hooks.clients.claude import CLIENT
from lithify.hooks.respond import persons_words
from lithify.importers.source_files import Record, begins_with, files_in, json_lines
from lithify.importers.sources import (
    INJECTED,
    THINKING,
    TOOL_OUTPUT,
    Broken,
    ImportItem,
    ImportSource,
    LeftOut,
    Reading,
    moment_of,
    objects,
    text_of,
)
from lithify.importers.turns import Heard, ToolStep, steps_of, turns
from lithify.regex import regex

#: A command that the person typed, as the client writes it into the prompt.
_COMMAND = regex(r"^\s*(?:<command-message>[^<]*</command-message>\s*)?<command-name>(/[^<\s]+)</")


def read(path: Path) -> Reading:
    """Yield the turns of one session."""
    return turns(_heard(path))


def _heard(path: Path) -> Iterator[Heard | ImportItem | LeftOut | Broken]:
    questions: set[str] = set()
    for record in json_lines(path):
        if isinstance(record, Broken):
            yield record
            continue
        kind, message = str(record.get("type")), record.get("message")
        if kind == "attachment":
            kind, message = _queued(record)
        when, folder = moment_of(record.get("timestamp")), str(record.get("cwd") or "")
        if kind not in ("user", "assistant"):
            yield LeftOut(f"{kind} lines")
        elif not isinstance(message, dict):
            yield Broken(f"{path.name}: {record.get('uuid')}", "the line has no message")
        elif record.get("isSidechain"):
            yield LeftOut("messages of subagents")
        elif when is None:
            yield Broken(f"{path.name}: {record.get('uuid')}", "the message has no time")
        elif kind == "assistant":
            yield from _said(record, message, when, questions)
        else:
            yield from _answers(record, message, when, questions)
            asked, left_out = _asked(record, message)
            yield from left_out
            if asked:
                yield Heard(when, _key(record, asked), asked, folder=folder)


def _said(
    record: Record, message: dict[str, Any], when: datetime, questions: set[str]
) -> Iterator[Heard | LeftOut]:
    """Yield what the agent says and does in a message."""
    if record.get("isApiErrorMessage") or message.get("model") == "<synthetic>":
        yield INJECTED
        return
    steps: list[ToolStep] = []
    folder = str(record.get("cwd") or "")
    for block in objects(message.get("content")):
        kind = str(block.get("type"))
        if kind in ("thinking", "redacted_thinking"):
            yield THINKING
        elif kind == "tool_use":
            name = str(block.get("name", ""))
            if name == "AskUserQuestion":
                questions.add(str(block.get("id")))
            steps += steps_of(name, block.get("input"), folder)
        elif kind != "text":
            yield LeftOut(f"{kind} blocks")
    text = text_of(message.get("content"))
    yield Heard(when, _key(record, ""), said=text, steps=tuple(steps), folder=folder)


def _asked(record: Record, message: dict[str, Any]) -> tuple[str, list[LeftOut]]:
    """Return the person's own words in a message, and what of it is left out."""
    blocks = objects(message.get("content"))
    left_out = [TOOL_OUTPUT for block in blocks if block.get("type") == "tool_result"]
    left_out += [
        LeftOut("images and files") for b in blocks if b.get("type") in ("image", "document")
    ]
    text = text_of(message.get("content"))
    if not text.strip():
        return "", left_out
    if record.get("isMeta") or record.get("isCompactSummary"):
        return "", [*left_out, INJECTED]
    words, added = persons_words(text, CLIENT.injected)
    command = _COMMAND.search(text)
    asked = f"{command[1]} {words}" if command else words
    return asked.strip(), [*left_out, *(INJECTED for _ in added if not command)]


def _answers(
    record: Record, message: dict[str, Any], when: datetime, questions: set[str]
) -> Iterator[ImportItem]:
    """Yield what the person answered to questions of the agent."""
    for block in objects(message.get("content")):
        if str(block.get("tool_use_id")) in questions:
            result = record.get("toolUseResult")
            answers = result.get("answers") if isinstance(result, dict) else None
            text = text_of(block.get("content"))
            if isinstance(answers, dict):
                text = " ".join(f"{question} {answer}." for question, answer in answers.items())
            if text.strip() and not block.get("is_error"):
                flat = " ".join(text.split())
                yield ImportItem(when, "Answer", flat, _key(record, flat), _project(record))


def _queued(record: Record) -> tuple[str, dict[str, Any]]:
    """Return a prompt that was typed while the agent worked, as a message of the person."""
    queued = record.get("attachment")
    if isinstance(queued, dict) and queued.get("type") == "queued_command":
        return "user", {"content": queued.get("prompt")}
    return "attachment", {}


def _key(record: Record, text: str) -> str:
    # Not the uuid: a session that is resumed or forked repeats its messages under new ones.
    return f"{record.get('timestamp')}|{text or record.get('uuid')}"


def _project(record: Record) -> str:
    return PurePath(str(record.get("cwd") or "").replace("\\", "/")).name


SOURCE = ImportSource(
    name="claude-code",
    title="Claude Code transcripts",
    where="~/.claude/projects",
    looks_for="*.jsonl files whose lines have a type and a sessionId",
    find=lambda path: files_in(path, "*.jsonl"),
    knows=begins_with(
        lambda record: "type" in record and bool(record.keys() & {"sessionId", "uuid", "leafUuid"})
    ),
    read=read,
)
