"""Typed memories and wisdom against a list of what a careful person keeps."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lithify.errors import UsageError

KINDS = ("typed", "wisdom")


@dataclass(frozen=True, slots=True)
class Wanted:
    """One thing worth keeping: its words, and the days that say it."""

    kind: str
    what: str
    terms: tuple[str, ...]
    days: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A memory or wisdom entry as it is looked at here."""

    text: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """Recall over the list, precision over what was kept, and what was missed."""

    recall: float
    precision: float
    missed: tuple[Wanted, ...]


def read_wanted(lines: Iterable[str], kind: str) -> tuple[Wanted, ...]:
    """The lines of one kind (`typed` or `wisdom`); a line that is no such object is refused."""
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            one = Wanted(row["kind"], row["what"], tuple(row["terms"]), tuple(row["days"]))
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(
                reason=f"line {number} is no JSON object with kind, what, terms and days: {error}"
            ) from error
        if one.kind not in KINDS:
            raise UsageError(reason=f"line {number}: kind {one.kind!r} is neither typed nor wisdom")
        if one.kind == kind:
            found.append(one)
    return tuple(found)


def measure(wanted: Sequence[Wanted], kept: Sequence[Kept]) -> Found:
    """A wanted thing is found if one memory has all its terms and cites one of its days."""
    missed = tuple(one for one in wanted if not any(_meets(one, memory) for memory in kept))
    needless = tuple(memory for memory in kept if not any(_meets(one, memory) for one in wanted))
    return Found(
        recall=1 - len(missed) / len(wanted) if wanted else 1.0,
        precision=1 - len(needless) / len(kept) if kept else 1.0,
        missed=missed,
    )


def _meets(wanted: Wanted, memory: Kept) -> bool:
    text = memory.text.lower()
    days = {source.partition("~")[0] for source in memory.sources}
    return all(term.lower() in text for term in wanted.terms) and bool(days & set(wanted.days))
