"""Compiles what the hooks read: the memories that may be shown, and what the shell tests."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache
from importlib import resources
from typing import Any

from lithify.compact.in_force import InForce, Remembered
from lithify.compact.marks import RULES
from lithify.compact.snapshot import Snapshot
from lithify.compact.standing import words_key
from lithify.compact.wisdom_in_line import item_mark
from lithify.errors import StorageError, UsageError
from lithify.gate import files
from lithify.moment.patterns import call_of, matches, needles, pattern_of
from lithify.moment.prompts import names, sentences_of
from lithify.moment.ruling import calls_path, folder
from lithify.moment.triggers import triggers_of
from lithify.store import disk
from lithify.text.fence import unused_mark

#: A pattern of one moment names so many of the everyday prompts and calls at most, of about a hundred.
_FEW = 2


def may_be_shown(snapshot: Snapshot, held: InForce) -> Iterator[Remembered]:
    """Yield the statements in force that are trusted, but for those a person took out of wisdom."""
    found = [one for one in held.remembered() if one.status in ("found", "adopted")]
    barred = snapshot.ledger.wisdom.barred
    for memory in held.statements:
        if memory.basis != "found" and item_mark(memory) not in barred:
            found.append(held.as_remembered(memory))
    for one in found:
        if one.text and all(entry.trusted for entry in snapshot.lookup(one.sources).values()):
            yield one


def compiled(known: Iterable[tuple[Snapshot, InForce]]) -> tuple[list[dict[str, Any]], bytes]:
    """Return the memories that may be shown as JSON has them, and what `grep -Ef` tests on a call."""
    memories, patterns = [], []
    for one in (one for snapshot, held in known for one in may_be_shown(snapshot, held)):
        is_rule = one.type in RULES
        own = [when for when in one.when or one.named if not fault_of(when)]
        when = own or (triggers_of(one.text) if is_rule else ())
        patterns += [pattern_of(pattern) for pattern in when]
        memories.append(
            {
                "key": words_key(one.text),
                "id": one.id,
                "rule": is_rule,
                "text": " ".join(one.text.split()),
                "whose": f"{one.whose}, {one.updated}",
                "when": list(when),
                "guard": one.guard,
            }
        )
    return memories, needles(patterns)


def require_patterns(statement: str, when: Sequence[str], guard: str, origin: str) -> None:
    """Refuse patterns that cannot be read or, but for a person, name too much, and a guard without any."""
    for pattern in when:
        if fault := fault_of(pattern) or (origin != "user" and too_broad(pattern)):
            raise UsageError(reason=fault)
    calls = [one for one in when if not pattern_of(one).prompt] if when else triggers_of(statement)
    if guard[:3] in ("ask", "den") and not calls:
        raise UsageError(reason="a guard needs the calls that it is about: --when 'git push'")


def fault_of(pattern: str) -> str:
    """Say what is wrong with a pattern; empty where nothing is."""
    try:
        pattern_of(pattern)
    except ValueError as error:
        return str(error)
    return ""


def too_broad(pattern: str) -> str:
    """Say which everyday prompts or calls a pattern names, where they are more than a few."""

    def noon() -> datetime:
        return datetime(2026, 11, 18, 12)

    parsed, found = pattern_of(pattern), []
    for line in _everyday():
        if not line.startswith("{"):
            is_named = names(parsed, line, sentences_of(line), noon)
        else:
            is_named = matches(parsed, call_of(**json.loads(line)), noon)
        found += [line] if is_named else []
    if len(found) <= _FEW:
        return ""
    return f"{pattern!r} would also come with: {' / '.join(found[:4])}"


@cache
def _everyday() -> list[str]:
    """Return prompts and tool calls as every agent gets and makes them, one a line."""
    return (resources.files("lithify.moment") / "everyday.txt").read_text("utf-8").splitlines()


def write(snapshot: Snapshot, known: Iterable[tuple[Snapshot, InForce]]) -> None:
    """Write what the hooks of a root read, where it has changed: its memories and those above it."""
    root, (memories, calls) = os.fspath(snapshot.root), compiled(known)
    facts = {"zone": snapshot.settings.zone, "on_prompt": snapshot.settings.recall.on_prompt}
    # Of all that may be shown, so that a hook need not make one.
    mark = unused_mark(repr(memories))
    data = json.dumps({**facts, "mark": mark, "memories": memories})
    wanted = {folder(root, "memories.json"): data.encode(), calls_path(root): calls}
    new = {path: data for path, data in wanted.items() if _bytes_of(path) != data}
    if not new:
        return
    with files.writing(root):
        for path, content in new.items():
            if content:
                files.put_file(path, content)
            else:
                os.remove(path)


def _bytes_of(path: str) -> bytes:
    try:
        return disk.read(path)
    except StorageError:
        return b""
