"""What the journal keeps: commits, failures and proposals, typed memories and wisdom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from lithify.values import TypedMemory, WisdomEntry


class Commit(NamedTuple):
    """The newest accepted state of one task."""

    seq: int
    time: str
    files: Mapping[str, str | None]
    sources: Mapping[str, str]
    bodies: Mapping[str, str]
    why: str
    engine: str
    data: Mapping[str, Any]


class Failure(NamedTuple):
    """The newest failure of one task, with the marks of the attempt and of its sources alone."""

    seq: int
    time: str
    mark: str
    sources: str
    reason: str


class Adopted(NamedTuple):
    """A foreign file that is kept as it is, with the sources that existed at the time."""

    sha256: str
    sources: Mapping[str, str]


class Proposal(NamedTuple):
    """A change to wisdom that waits for a person."""

    id: str
    time: str
    verb: str
    target: str
    reason: str
    origin: str
    entry: WisdomEntry | None
    #: Titles of further entries whose place it takes.
    united: tuple[str, ...] = ()


def memory_data(memory: TypedMemory) -> dict[str, Any]:
    """A typed memory as the journal keeps it."""
    data = memory._asdict()
    if memory.basis == "found":
        del data["basis"]
    return {key: list(v) if isinstance(v, tuple) else v for key, v in data.items() if v}


def memory_from(data: Mapping[str, Any]) -> TypedMemory:
    values: dict[str, Any] = {"description": "", "statement": "", "sources": ()}
    values.update({key: tuple(v) if isinstance(v, list) else v for key, v in data.items()})
    return TypedMemory(**values)


def ledger_form(memory: TypedMemory) -> TypedMemory:
    """A memory as it will be when read back from the journal, which later runs work with."""
    return memory_from(memory_data(memory))


def wisdom_data(entry: WisdomEntry) -> dict[str, Any]:
    """A wisdom entry as the journal keeps it."""
    return {
        "title": entry.title,
        "text": entry.text,
        "sources": list(entry.sources),
        "category": entry.category,
    }


def wisdom_from(data: Mapping[str, Any]) -> WisdomEntry:
    return WisdomEntry(
        data["title"], data["text"], tuple(data["sources"]), data.get("category", "")
    )
