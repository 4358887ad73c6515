"""The ledger: the journal's records folded into what they say now."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from lithify.store.journal import Record
from lithify.values import Task, TypedMemory, WisdomEntry


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


# The fold


#: The origin of an entry that a person withdrew.
REVOKED = "revoked"


class Ledger:
    """What the journal says now; of two records on the same thing, the later counts."""

    def __init__(self) -> None:
        self.commits: dict[str, Commit] = {}
        self.files: dict[str, str | None] = {}
        self.bodies: dict[str, tuple[str, str]] = {}
        self.failures: dict[str, Failure] = {}
        self.begun: tuple[str, str] | None = None
        self.adopted: dict[str, Adopted] = {}
        self.origins: dict[str, str] = {}
        self.removed: set[str] = set()
        #: What a writer found in each week.
        self.found: dict[str, tuple[TypedMemory, ...]] = {}
        #: What was marked in each week's days or accepted from them, and the record that says so.
        self.marked: dict[str, tuple[TypedMemory, ...]] = {}
        self.marked_at: dict[str, int] = {}
        #: Suggestions that were accepted, by id, and the words of all that was dropped.
        self.accepted: dict[str, TypedMemory] = {}
        self.dropped: set[str] = set()
        self.proposals: dict[str, Proposal] = {}
        self.decisions: list[Mapping[str, Any]] = []
        self.tombstones: list[Mapping[str, Any]] = []
        self.reinforced: dict[str, str] = {}
        #: The untrusted captures: their origins and the sketches of their words.
        self.sketches: list[tuple[str, list[int]]] = []
        #: Origins that a person trusts, and ids and origins that one withdrew.
        self.lifted, self.revoked = set[str](), set[str]()
        #: The last record that captured something: its number and its hash.
        self.last_capture: tuple[int, str] = (0, "")
        self.bases: dict[str, tuple[str, int]] = {}
        #: The task that wrote each typed memory last.
        self.taught_by: dict[str, str] = {}
        #: Days that something was captured in, unless a person accepted that they are gone.
        self.captured: set[str] = set()
        #: Items of wisdom that were decided on, by fingerprint.
        self.judged: set[str] = set()
        #: Those of them that only a lack of room kept out, and those a person ruled out.
        self.crowded: set[str] = set()
        self.barred: set[str] = set()
        #: The items that led to an entry of wisdom, by its title, and those its words came from.
        self.led: dict[str, set[str]] = {}
        self.worded: dict[str, set[str]] = {}
        #: Those behind an entry that its writer dropped, with the last day that supported it.
        self.retired: dict[str, str] = {}
        #: The items behind each proposal that waits, and the proposals a person turned down.
        self.proposed: dict[str, tuple[str, ...]] = {}
        self.rejected: set[str] = set()
        self.entries: int | None = None
        self.failed_times: dict[str, int] = {}
        #: The newest audit of each task's page by an agent, as it was noted.
        self.audits: dict[str, Mapping[str, Any]] = {}
        #: When `init` connected an agent to this root last.
        self.initialised = ""

    def known_origins(self) -> Mapping[str, str]:
        """The origin of each entry that the journal knows, by what a person said of sources."""
        if not (self.lifted or self.revoked):
            return self.origins
        known = dict.fromkeys((id for id in self.revoked if "~" in id), REVOKED)
        for id, origin in self.origins.items():
            if id in self.revoked or origin in self.revoked:
                origin = REVOKED
            known[id] = "file" if origin in self.lifted else origin
        return known

    def untrusted_sketches(self) -> list[tuple[str, list[int]]]:
        """The sketches of untrusted captures, without those of origins that a person trusts."""
        return [one for one in self.sketches if one[0] not in self.lifted]


def fold(records: Iterable[Record]) -> Ledger:
    """Read the records in order into a ledger."""
    ledger = Ledger()
    for record in records:
        take(ledger, record)
    return ledger


def take(ledger: Ledger, record: Record) -> None:
    """Add one record to a ledger."""
    if place := record.data.get("append"):
        ledger.captured.add(str(place["path"]))
    # A new version of a whole day replaces all that was captured in it.
    ledger.captured.difference_update(record.data.get("files", ()))
    reader = _READERS.get(record.kind)
    if reader:
        reader(ledger, record)


def _capture(ledger: Ledger, record: Record) -> None:
    ledger.last_capture = (record.seq, record.hash)
    for entry in record.data.get("entries", ()):
        # An origin never rises: the same words captured twice keep the less trusted one.
        known = ledger.origins.get(entry)
        origin = str(record.data.get("origin", "agent"))
        if known is None or _rank(origin) < _rank(known):
            ledger.origins[entry] = origin
    for numbers in record.data.get("sketches", {}).values():
        ledger.sketches.append((str(record.data["origin"]), numbers))


def _trust(ledger: Ledger, record: Record) -> None:
    ledger.lifted.add(str(record.data["trust"]))
    ledger.revoked.discard(str(record.data["trust"]))
    _make_stale(ledger, set(record.data["days"]), ("week:", "typed:", "marks:"))


def _revoke_source(ledger: Ledger, record: Record) -> None:
    """Withdraw entries: what rests on them is gone, and pages of their days are to be rewritten."""
    data = record.data
    ids, days = set(data["withdrawn"]), set(data["days"])
    ledger.lifted.discard(str(data["distrust"]))
    ledger.revoked.update([str(data["distrust"]), *ids])
    ledger.sketches += [(REVOKED, numbers) for numbers in data.get("sketches", {}).values()]
    for known in (ledger.found, ledger.marked):
        for week, memories in known.items():
            known[week] = tuple(m for m in memories if ids.isdisjoint(m.sources))
    for id, memory in list(ledger.accepted.items()):
        if not ids.isdisjoint(memory.sources):
            del ledger.accepted[id]
    _make_stale(ledger, days, ("week:",))
    _change(ledger, record)


def _make_stale(ledger: Ledger, days: set[str], tiers: tuple[str, ...]) -> None:
    """Have what was written from these days written again: their entries count differently."""
    for task, commit in ledger.commits.items():
        if task.startswith(tiers) and not days.isdisjoint(commit.sources):
            sources = {p: "" if p in days else digest for p, digest in commit.sources.items()}
            ledger.commits[task] = commit._replace(sources=sources)


def _init(ledger: Ledger, record: Record) -> None:
    ledger.initialised = record.time


def _rank(origin: str) -> int:
    order = {"user": 3, "agent": 2, "tool": 1, "file": 1}
    return order.get(origin, 0)


def _commit(ledger: Ledger, record: Record) -> None:
    data = record.data
    task = str(data["task"])
    files, bodies = dict(data.get("files", {})), dict(data.get("bodies", {}))
    ledger.commits[task] = Commit(
        seq=record.seq,
        time=record.time,
        files=files,
        sources=dict(data.get("sources", {})),
        bodies=bodies,
        why=str(data.get("why", "")),
        engine=str(data.get("engine", "")),
        data=data,
    )
    ledger.failures.pop(task, None)
    ledger.failed_times.pop(task, None)
    # A removed day that is back counts again.
    ledger.removed.difference_update(data.get("sources", {}))
    _change(ledger, record)


def _change(ledger: Ledger, record: Record) -> None:
    """Read what every change of files has in common, a compaction's or a person's."""
    data = record.data
    task = str(data.get("task", ""))
    files = dict(data.get("files", {}))
    ledger.files.update(files)
    if task.startswith(("typed:", "marks:")):
        ledger.taught_by.update(dict.fromkeys(files, task))
    for path, body in data.get("bodies", {}).items():
        ledger.bodies[path] = (str(files.get(path)), body)
    for path, sha256 in data.get("bases", {}).items():
        ledger.bases[path] = (sha256, record.seq)
    ledger.judged.difference_update(data.get("unjudged", ()))
    ledger.judged.update(data.get("judged", ()))
    for mark in (*data.get("unjudged", ()), *data.get("judged", ())):
        ledger.retired.pop(mark, None)
    if "crowded" in data:
        ledger.crowded = set(data["crowded"])
    if "entries" in data:
        ledger.entries = int(data["entries"])
    week = task.partition(":")[2]
    if "found" in data:
        ledger.found[week] = tuple(memory_from(m) for m in data["found"])
    if "marked" in data:
        ledger.marked[week] = tuple(memory_from(m) for m in data["marked"])
        ledger.marked_at[week] = record.seq
    for decision in data.get("decisions", ()):
        noted = {**decision, "time": record.time, "seq": record.seq}
        ledger.decisions.append(noted)
        if decision["verb"] == "DROP" and decision.get("entry"):
            ledger.tombstones.append(noted)
            if record.kind == "revoke":
                ledger.barred.update(ledger.led.pop(str(decision["target"]), ()))
            elif decision.get("retired"):
                marks = ledger.led.pop(str(decision["target"]), set())
                ledger.retired.update(dict.fromkeys(marks, str(decision["on"])))
        if decision["verb"] in ("ADD", "MERGE") and decision.get("target"):
            target, on = str(decision["target"]), str(decision.get("on") or record.time[:10])
            ledger.reinforced[target] = max(on, ledger.reinforced.get(target, ""))
            _lead(ledger, decision)
    for proposal in data.get("proposals", ()):
        entry = proposal.get("entry")
        ledger.proposals[proposal["id"]] = Proposal(
            id=proposal["id"],
            time=record.time,
            verb=proposal["verb"],
            target=proposal.get("target", ""),
            reason=proposal["reason"],
            origin=proposal["origin"],
            entry=wisdom_from(entry) if entry else None,
            united=tuple(proposal.get("united", ())),
        )
        ledger.proposed[proposal["id"]] = _marks(proposal)
    for settled in data.get("settled", ()):
        ledger.proposals.pop(str(settled), None)


def _lead(ledger: Ledger, decision: Mapping[str, Any]) -> None:
    """Note which items led to an entry, also if it gets a new title or takes in other entries."""
    target, marks = str(decision["target"]), _marks(decision)
    before = (str(decision.get("was", target)), *decision.get("united", ()))
    for known in (ledger.led, ledger.worded):
        found = [known.pop(title, set()) for title in before] if decision["verb"] == "MERGE" else []
        known[target] = set().union(*found)
    ledger.led[target].update(marks)
    if decision.get("worded"):
        ledger.worded[target].update(marks)


def _marks(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the items of a proposal, or the one of a decision if it has one."""
    return tuple(mark for mark in data.get("marks", [data.get("mark")]) if mark)


def _accept(ledger: Ledger, record: Record) -> None:
    data = record.data
    memory, week = memory_from(data["memory"]), str(data["task"]).partition(":")[2]
    ledger.accepted[str(data["id"])] = memory
    ledger.marked[week] = (*ledger.marked.get(week, ()), memory)
    ledger.marked_at[week] = record.seq
    _change(ledger, record)


def _drop(ledger: Ledger, record: Record) -> None:
    ledger.dropped.update(record.data["words"])
    _change(ledger, record)


def _restore(ledger: Ledger, record: Record) -> None:
    """Words that were dropped and that somebody said to remember again."""
    ledger.dropped.difference_update(record.data["words"])


def _failed(ledger: Ledger, record: Record) -> None:
    data = record.data
    task = str(data["task"])
    ledger.failures[task] = Failure(
        seq=record.seq,
        time=record.time,
        mark=str(data["mark"]),
        sources=str(data["sources"]),
        reason=str(data["reason"]),
    )
    ledger.failed_times[task] = ledger.failed_times.get(task, 0) + 1


def _begin(ledger: Ledger, record: Record) -> None:
    ledger.begun = (str(record.data["mark"]), record.time)


def _end(ledger: Ledger, record: Record) -> None:
    ledger.begun = None


def _adopt(ledger: Ledger, record: Record) -> None:
    data = record.data
    ledger.adopted[str(data["path"])] = Adopted(str(data["sha256"]), dict(data["sources"]))


def _audit(ledger: Ledger, record: Record) -> None:
    ledger.audits[str(record.data["task"])] = record.data


def _accept_removed(ledger: Ledger, record: Record) -> None:
    ledger.removed.update(record.data["paths"])
    ledger.captured.difference_update(record.data["paths"])


def _reject(ledger: Ledger, record: Record) -> None:
    ledger.proposals.pop(str(record.data["id"]), None)
    ledger.rejected.add(str(record.data["id"]))


_READERS = {
    "capture": _capture,
    "init": _init,
    "commit": _commit,
    "failed": _failed,
    "begin": _begin,
    "end": _end,
    "adopt": _adopt,
    "audit": _audit,
    "accept-removed": _accept_removed,
    "approve": _change,
    "revoke": _change,
    "reject": _reject,
    "accept": _accept,
    "drop": _drop,
    "restore": _restore,
    "forgotten": _change,
    "merge": _change,
    "trust": _trust,
    "revoke-source": _revoke_source,
}


# Audits: which pages wait for one, and which went without


#: The auditor of pages that are read by an agent after they are written.
AGENT = "agent"


def content_of(commit: Commit) -> str:
    """A digest of what a commit put in force, whenever that was."""
    text = json.dumps([sorted(commit.bodies.items()), commit.data.get("found", [])])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def waits_for_audit(ledger: Ledger, key: str) -> bool:
    """Whether a task's newest commit asks for an audit by an agent that has not been made."""
    commit = ledger.commits.get(key)
    if commit is None or commit.data.get("audit", {}).get("by") != AGENT:
        return False
    return ledger.audits.get(key, {}).get("content") != content_of(commit)


def audits_due(ledger: Ledger, tasks: Iterable[Task]) -> list[Task]:
    """The tasks whose pages are current and wait for an audit by an agent."""
    return [t for t in tasks if t.state == "current" and waits_for_audit(ledger, t.key)]


def unaudited(ledger: Ledger, tasks: Iterable[Task]) -> list[Task]:
    """The tasks whose pages are current and whose auditor's reply could not be read."""
    return [task for task in tasks if task.state == "current" and _unread(ledger, task.key)]


def _unread(ledger: Ledger, key: str) -> bool:
    commit = ledger.commits.get(key)
    if commit is None:
        return False
    noted = ledger.audits.get(key, {})
    late = noted if noted and noted.get("content") == content_of(commit) else {}
    return bool((late or commit.data.get("audit", {})).get("unread"))
