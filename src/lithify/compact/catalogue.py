"""Every memory and suggestion of a root under a short id, and a person's word on them."""

from __future__ import annotations

import hashlib
from typing import Literal, NamedTuple

from lithify.compact import typed
from lithify.compact.desk import Desk
from lithify.compact.ledger import ledger_form, memory_data
from lithify.compact.marked_memories import week_of_memory
from lithify.compact.marks import memory_of, words_key
from lithify.compact.memories import bases_of, changes, keep_bases, lessons_in_order
from lithify.compact.snapshot import Snapshot
from lithify.compact.suggestions import Suggestion, suggestions
from lithify.errors import NeedsTerminal, UnknownReference
from lithify.values import MemoryType

Status = Literal["marked", "accepted", "found", "adopted", "suggested"]

_HINT = "`lithify memories list` shows the ids."
_SUGGESTED = "`lithify memories list --suggested` shows the ids."


class Remembered(NamedTuple):
    """A memory in force, or a suggestion: then it has no path.

    `adopted` are files of another's making, or edited by hand: they stay as they are.
    """

    id: str
    status: Status
    type: MemoryType
    text: str
    sources: tuple[str, ...]
    updated: str
    path: str = ""
    trusted: bool = True


def memories(snapshot: Snapshot) -> tuple[Remembered, ...]:
    """The memories in force, by their files."""
    bases = bases_of(snapshot)
    return tuple(
        Remembered(
            hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest(),
            bases.get(path, "adopted"),
            memory.type,
            memory.statement,
            memory.sources,
            memory.updated,
            path,
        )
        for path, memory in sorted(snapshot.memories().items())
    )


def suggested(snapshot: Snapshot) -> tuple[Remembered, ...]:
    """What waits to be accepted or dropped."""
    return tuple(_listed(one) for one in suggestions(snapshot))


def _listed(one: Suggestion) -> Remembered:
    day = one.entry.day.isoformat() if one.entry.day else ""
    sources = (one.entry.id,)
    return Remembered(
        one.id, "suggested", one.type, one.statement, sources, day, trusted=one.trusted
    )


def find(snapshot: Snapshot, ref: str) -> Remembered:
    """The memory or suggestion of an id, or the memory of a path or a file's name."""
    in_force = memories(snapshot)
    for one in in_force:
        name = one.path.rpartition("/")[2]
        if ref in (one.id, one.path, name, name.removesuffix(".md")):
            return one
    for one in suggested(snapshot):
        if ref == one.id:
            return one
    raise UnknownReference(ref=ref, hint=_HINT)


def accept(desk: Desk, id: str, time: str, *, at_terminal: bool) -> Remembered:
    """Make a suggestion a memory at once."""
    snapshot, ledger = desk.snapshot, desk.snapshot.ledger
    chosen = next((one for one in suggestions(snapshot) if one.id == id), None)
    if chosen is None:
        raise UnknownReference(ref=id, hint=_SUGGESTED)
    if not chosen.trusted and not at_terminal:
        raise NeedsTerminal(action="Accepting a suggestion from an untrusted entry")
    memory = ledger_form(memory_of(chosen.type, chosen.statement, [chosen.entry], "accepted"))
    week = week_of_memory(memory)
    marked = {**ledger.marked, week: (*ledger.marked.get(week, ()), memory)}
    files, bases = changes(snapshot, ledger.found, marked)
    keep_bases(desk, files, bases)
    facts = {"task": f"marks:{week}", "id": id, "memory": memory_data(memory)}
    desk.commit(files, {**facts, **({"bases": bases} if bases else {})}, time, "accept")
    snapshot.rescan()
    words = words_key(memory.statement)
    return next(one for one in memories(snapshot) if words_key(one.text) == words)


def drop(desk: Desk, ref: str, time: str) -> Remembered:
    """Take a memory out of force, or dismiss a suggestion; neither comes back.

    The days keep their lines, and the file's last version is kept in history.
    """
    snapshot, ledger = desk.snapshot, desk.snapshot.ledger
    chosen = find(snapshot, ref)
    words = {words_key(chosen.text)}
    if not chosen.path:
        desk.note("drop", {"id": chosen.id, "words": sorted(words)}, time)
        return chosen
    words |= _words_behind(snapshot, chosen.path)
    ledger.dropped |= words
    files, bases = changes(snapshot, ledger.found, ledger.marked)
    files[chosen.path] = None
    keep_bases(desk, files, bases)
    facts = {"id": chosen.id, "words": sorted(words)}
    desk.commit(files, {**facts, **({"bases": bases} if bases else {})}, time, "drop")
    snapshot.rescan()
    return chosen


def _words_behind(snapshot: Snapshot, path: str) -> set[str]:
    """The words of all that was folded into a file: with one left out, the others would return."""
    memory = snapshot.memories()[path]
    known: typed.Known = {}
    behind: dict[typed.Key, set[str]] = {}
    for lesson in lessons_in_order(snapshot):
        behind.setdefault(typed.put(lesson, known), set()).add(words_key(lesson.statement))
    return behind.get((memory.type, memory.topic), set())
