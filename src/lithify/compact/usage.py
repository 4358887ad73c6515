"""What models were asked and gave so far: by the journal, and by the replies on disk."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lithify.store.journal import Record
from lithify.values import Usage


@dataclass(frozen=True, slots=True)
class Spent:
    """One model's use on one tier of pages, as the journal's commits tell it."""

    engine: str
    tier: str
    pages: int
    usage: Usage


@dataclass(frozen=True, slots=True)
class Bought:
    """One model's replies on disk, those that were refused included."""

    engine: str
    replies: int
    usage: Usage


def spent(records: Iterable[Record]) -> tuple[Spent, ...]:
    """What went into the pages that were accepted, by model and tier."""
    found: dict[tuple[str, str], Spent] = {}
    for record in records:
        used = record.data.get("usage")
        if record.kind != "commit" or not isinstance(used, dict):
            continue
        engine = str(record.data.get("engine", ""))
        tier = str(record.data.get("task", "")).partition(":")[0]
        before = found.get((engine, tier), Spent(engine, tier, 0, Usage()))
        usage = before.usage + usage_of(used)
        found[(engine, tier)] = Spent(engine, tier, before.pages + 1, usage)
    return tuple(found[key] for key in sorted(found))


def bought(root: Path) -> tuple[Bought, ...]:
    """Every reply that was paid for and is still kept, by model."""
    found: dict[str, Bought] = {}
    for path in sorted((root / ".lithify" / "replies").glob("*.json")):
        try:
            data = json.loads(path.read_bytes())
            engine, usage = str(data.get("model", "")) or "unknown", usage_of(data["usage"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
        before = found.get(engine, Bought(engine, 0, Usage()))
        found[engine] = Bought(engine, before.replies + 1, before.usage + usage)
    return tuple(found[key] for key in sorted(found))


def usage_of(data: dict[str, object]) -> Usage:
    """Tokens as the journal and the replies keep them."""
    numbers = (data.get("input", 0), data.get("output", 0), data.get("cached", 0))
    return Usage(*(int(str(number)) for number in numbers))
