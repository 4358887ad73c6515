"""A damaged journal made whole again, with every record that can still be read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lithify.store import journal


@dataclass(frozen=True, slots=True)
class _Kept:
    """A record on its way into the new journal; `order` is its number in the old one."""

    order: int
    time: str
    kind: str
    facts: Mapping[str, Any]


def rechain(raw: bytes, time: str, facts: Mapping[str, Any]) -> bytes:
    """New bytes for a damaged journal, ended by a `repaired` record with these facts.

    Sound records keep their words. A changed one that is still JSON is kept and marked
    `doubtful` with its old line number; a line that is no JSON becomes a `damaged` record
    that holds its text, so that an id in it can still be found. Pieces cut by a crash were
    never records and go.
    """
    kept = _kept(raw)
    doubtful = [one.facts["doubtful"] for one in kept if "doubtful" in one.facts]
    end = {**facts, "doubtful_lines": doubtful, "records": len(kept)}
    lines: list[bytes] = []
    prev = journal.FIRST
    for seq, one in enumerate([*kept, _Kept(0, time, "repaired", end)], start=1):
        line = journal.render(seq, one.time, one.kind, one.facts, prev)
        record = journal.parse(line)
        assert record is not None
        prev = record.hash
        lines.append(line + b"\n")
    return b"".join(lines)


def _kept(raw: bytes) -> list[_Kept]:
    *lines, rest = raw.split(b"\n")
    kept: list[_Kept] = []
    seen: set[str] = set()
    order, time = 0, ""
    for number, line in enumerate([*lines, rest], start=1):
        last = number == len(lines) + 1
        record = journal.parse(line)
        if record is not None:
            if record.hash not in seen:
                seen.add(record.hash)
                order, time = record.seq, record.time
                facts = {k: v for k, v in record.data.items() if k != "torn"}
                kept.append(_Kept(order, time, record.kind, facts))
        elif line and not (line.endswith(journal.MARK) or (last and journal.looks_cut(line))):
            kept.append(_doubtful(line, number, order, time))
    # Lines that were moved go back to their place; what has no number stays with its neighbour.
    return sorted(kept, key=lambda one: one.order)


def _doubtful(line: bytes, number: int, order: int, time: str) -> _Kept:
    try:
        facts = json.loads(line)
        when, kind = facts.pop("time"), facts.pop("kind")
        if isinstance(when, str) and isinstance(kind, str):
            facts = {k: v for k, v in facts.items() if k not in journal.OWN}
            journal.render(0, when, kind, facts, journal.FIRST)
            if _is_usable(facts):
                return _Kept(order, when, kind, {**facts, "doubtful": number})
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        pass
    text = line.decode("utf-8", "backslashreplace")
    return _Kept(order, time, "damaged", {"text": text, "doubtful": number})


def _is_usable(facts: Mapping[str, Any]) -> bool:
    """Whether what a commit or an append says of itself has kept its shape."""
    files, place = facts.get("files", {}), facts.get("append")
    if not isinstance(files, dict) or not all(
        v is None or isinstance(v, str) for v in files.values()
    ):
        return False
    if place is None:
        return True
    shape = {"path": str, "offset": int, "length": int, "sha256": str}
    return (
        isinstance(place, dict)
        and place.keys() == shape.keys()
        and all(isinstance(place[key], kind) for key, kind in shape.items())
    )
