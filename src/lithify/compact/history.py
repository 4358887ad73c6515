"""The past of a root: replaced versions, refused drafts, what models were asked, lives of memories."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from lithify.calendar import is_week
from lithify.compact.in_force import InForce
from lithify.compact.ledger import as_decision
from lithify.compact.snapshot import Snapshot
from lithify.compact.standing import StatementKey, words_key
from lithify.compact.wisdom_in_line import item_mark
from lithify.errors import UnknownReference
from lithify.markdown.pages import body_of
from lithify.store.journal import Record
from lithify.values import Usage, label_of


@dataclass(frozen=True, slots=True)
class PageDiff:
    """How a page differs from its last version, and why it was written again."""

    path: str
    before: str
    after: str
    why: str
    engine: str
    lines: tuple[str, ...]
    against: str = ""


def change(snapshot: Snapshot, period: str, against: str | None = None) -> PageDiff:
    """Return the newest change of a period's page (or of `wisdom`, or a typed memory's file).

    With `against`, compared with the newest earlier version that this engine wrote.
    """
    path = _path_of(snapshot, period)
    records = [r for r in snapshot.journal.records if path in r.data.get("files", {})]
    if not records:
        raise UnknownReference(
            ref=period,
            hint="Name a week, a month, `wisdom` or the file of a memory that was written here.",
        )
    new = records[-1]
    old = records[-2] if len(records) > 1 else None
    replaced = new.data.get("replaced", {}).get(path)
    if against is not None:
        old, replaced = _by(records[:-1], against, period), None
    elif old and replaced not in (None, old.data["files"][path]):
        # It was edited in between: the replaced bytes are not those we had written.
        old = None
    before = _body(snapshot, path, replaced or (old.data["files"][path] if old else None))
    after = _body(snapshot, path, new.data["files"][path])
    lines = difflib.unified_diff(
        before.splitlines(),
        after.splitlines(),
        f"{path} {old.time if old else '(not by lithify)' if replaced else '(none)'}",
        f"{path} {new.time}",
        lineterm="",
        n=1,
    )
    return PageDiff(
        path=path,
        before=old.time if old else "",
        after=new.time,
        why=str(new.data.get("why", "")),
        engine=str(new.data.get("engine", "")),
        lines=tuple(lines),
        against=str(old.data.get("engine", "")) if old else "",
    )


def _by(records: Sequence[Record], engine: str, period: str) -> Record:
    """Return the newest of these versions that an engine wrote."""
    found = [record for record in records if record.data.get("engine") == engine]
    if not found:
        known = dict.fromkeys(str(record.data.get("engine", "")) for record in records)
        listed = ", ".join(name for name in known if name) or "nobody"
        raise UnknownReference(ref=engine, hint=f"Before, {period} was written by {listed}.")
    return found[-1]


def _path_of(snapshot: Snapshot, period: str) -> str:
    if period.lower() in ("wisdom", "wisdom.md"):
        return snapshot.shelf.wisdom.path if snapshot.shelf.wisdom else "WISDOM.md"
    if period.endswith(".md"):
        return period
    return snapshot.shelf.layout.page("week" if is_week(period) else "month", period)


def _body(snapshot: Snapshot, path: str, digest: str | None) -> str:
    """Return the body of a version that is in force or in history."""
    data = None if digest is None else snapshot.version(path, digest)
    return "" if data is None else body_of(snapshot.without_secrets(data))


@dataclass(frozen=True, slots=True)
class RefusedDraft:
    """A draft, or part of one, that the verifier refused."""

    id: str
    task: str
    time: str
    engine: str
    reason: str
    refused: tuple[tuple[str, tuple[str, ...]], ...]


def quarantined(root: Path) -> tuple[RefusedDraft, ...]:
    """Everything in quarantine, newest first."""
    folder = root / ".lithify" / "quarantine"
    found = []
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else []:
        try:
            data = json.loads(path.read_bytes())
            refused = tuple((r["text"], tuple(r["reasons"])) for r in data["refused"])
            id, task, time = path.stem[-64:][:8], data["task"], data["time"]
            found.append(RefusedDraft(id, task, time, data["engine"], data["reason"], refused))
        except (ValueError, KeyError, TypeError):
            found.append(RefusedDraft(path.stem, "?", "", "", "this file cannot be read", ()))
    return tuple(sorted(found, key=lambda draft: (draft.time, draft.task), reverse=True))


@dataclass(frozen=True, slots=True)
class Spent:
    """What one model used for one tier of pages, according to the journal's commits."""

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
    """Add up the usage of accepted pages by model and tier; that of readings is a tier too."""
    found: dict[tuple[str, str], Spent] = {}
    for record in records:
        data = record.data
        reading, tier = data.get("reading", {}), str(data.get("task", "")).partition(":")[0]
        for engine, kind, used in (
            (data.get("engine", ""), tier, data.get("usage")),
            (reading.get("by", ""), "reading", reading.get("usage")),
        ):
            if record.kind != "commit" or not isinstance(used, dict):
                continue
            before = found.get((engine, kind), Spent(str(engine), kind, 0, Usage()))
            usage = before.usage + Usage.noted(used)
            found[(engine, kind)] = Spent(str(engine), kind, before.pages + 1, usage)
    return tuple(found[key] for key in sorted(found))


def bought(root: Path) -> tuple[Bought, ...]:
    """Return the replies that are still kept, by model."""
    found: dict[str, Bought] = {}
    for path in sorted((root / ".lithify" / "replies").glob("*.json")):
        try:
            data = json.loads(path.read_bytes())
            engine, usage = str(data.get("model", "")) or "unknown", Usage.noted(data["usage"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
        before = found.get(engine, Bought(engine, 0, Usage()))
        found[engine] = Bought(engine, before.replies + 1, before.usage + usage)
    return tuple(found[key] for key in sorted(found))


# What became of a memory


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
    for record in map(as_decision, snapshot.records):
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
