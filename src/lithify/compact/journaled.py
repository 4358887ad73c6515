"""Typed memories and wisdom in the form that the journal keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lithify.values import TypedMemory, WisdomEntry


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
