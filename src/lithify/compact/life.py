"""What became of a memory: who marked, found, edited, superseded, dropped and restored it, and when."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from lithify.compact.in_force import InForce
from lithify.compact.ledger import as_decision
from lithify.compact.snapshot import Snapshot
from lithify.compact.standing import StatementKey, words_key
from lithify.compact.wisdom_in_line import item_mark
from lithify.store.journal import Record
from lithify.values import label_of


class MemoryEvent(NamedTuple):
    """One thing that happened to a statement: the day, what it was, by whom, and why if they said.

    `source` is the line of a day behind it, `id` that line's entry.
    """

    on: str
    what: str
    text: str
    by: str = ""
    source: str = ""
    reason: str = ""
    id: str = ""


def life_of(snapshot: Snapshot, held: InForce, words: frozenset[str]) -> tuple[MemoryEvent, ...]:
    """Return what happened to statements, oldest first, and to what wisdom made of them."""
    keys = [key for key in held.standing.statements if key[1] in words]
    # Within a day: what was said, then what the journal has in its order, then what follows from it.
    events = [(0, event) for key in keys for event in _said(snapshot, held, key)]
    events += [(_LAST, event) for key in keys for event in _ended(held, key)]
    texts = {key[1]: held.standing.statements[key].statement for key in keys}
    for record in map(as_decision, snapshot.journal.records):
        events += [(record.seq, event) for event in _of_record(record, texts)]
    marks = {item_mark(held.standing.statements[key]) for key in keys}
    for decision in snapshot.ledger.wisdom.decisions:
        if marks.intersection(decision.get("marks", [decision.get("mark")])):
            what = f"wisdom: {decision['verb']} ({decision['reason']})"
            day, text = str(decision["time"])[:10], decision.get("target") or decision["item"]
            events.append((int(decision["seq"]), MemoryEvent(day, what, str(text))))
    events.sort(key=lambda pair: (pair[1].on, pair[0]))
    return tuple(event for _, event in events)


_LAST = 1 << 60


def _said(snapshot: Snapshot, held: InForce, key: StatementKey) -> Iterator[MemoryEvent]:
    """Yield who said a statement, and on which lines."""
    memory = held.standing.statements[key]
    entries = snapshot.lookup(memory.sources)
    for id in memory.sources:
        entry = entries.get(id)
        by = entry.origin if entry else "unknown"
        where = f"{entry.path}:{entry.line}" if entry else f"{id}, which no longer exists"
        yield MemoryEvent(label_of(id), memory.basis, memory.statement, by, where, id=id)


def _ended(held: InForce, key: StatementKey) -> Iterator[MemoryEvent]:
    """Yield what superseded or ended a statement."""
    memory, out = held.standing.statements[key], held.standing.out.get(key)
    if out and out.state == "superseded":
        newer = held.standing.statements.get((key[0], out.successor))
        said = newer.statement if newer else ""
        by = (newer.by or "a writer") if newer else ""
        yield MemoryEvent(out.on, f"superseded by “{said}”", memory.statement, by)
    elif out and out.state == "ended":
        yield MemoryEvent(out.on, "ended", memory.statement)


_WHAT = {
    "accept": "accepted",
    "drop": "dropped",
    "revoke": "revoked from wisdom",
    "restore": "restored",
    "settle": "settled",
    "unsettle": "no longer settled",
    "request": "asked",
    "decline": "request declined",
}


def _of_record(record: Record, texts: dict[str, str]) -> Iterator[MemoryEvent]:
    """Yield what a record of the journal did to statements, given by their words."""
    if record.kind not in _WHAT:
        return
    data: Any = record.data
    what, day, by = _WHAT[record.kind], record.time[:10], str(data.get("by", ""))
    touched = {*data.get("words", ()), *data.get("undone", ())}
    if record.kind in ("settle", "unsettle"):
        touched = set(data["pair"])
        if record.kind == "settle":
            chosen = texts.get(str(data["newer"]), "")
            what = f"settled: “{chosen}” is in force" if data["newer"] else "settled: both hold"
    if record.kind == "request":
        touched = {words for ground in data["about"] for words in ground["words"]}
        what, by = f"asked to {str(data['action']).replace('_', ' ')}", str(data["origin"])
    if record.kind == "accept":
        touched = {words_key(str(data["memory"].get("statement", "")))}
    if record.kind == "drop" and data.get("instead"):
        what = f"edited to “{texts.get(str(data['instead']), 'other words')}”"
    for words in sorted(touched & texts.keys()):
        undone = record.kind == "restore" and words in data.get("undone", ())
        said = "edit taken back" if undone else what
        yield MemoryEvent(day, said, texts[words], by, reason=str(data.get("reason", "")))
