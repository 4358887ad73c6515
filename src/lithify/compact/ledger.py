"""The ledger: the journal's records folded into what they say now.

A fold returns new values and leaves those before it as they are; nothing else may change what they
hold. Of two records on the same thing, the later counts. The values are named tuples, because most
commands load this module and dataclasses take longer to make.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any, Literal, NamedTuple, TypeVar

from lithify.store.journal import Record
from lithify.values import TypedMemory, WisdomEntry

#: The origin of an entry that a person withdrew.
REVOKED = "revoked"
#: The origin of an entry that nobody is shown while a person is asked to forget it.
HIDDEN = "hidden"

#: How far an origin is trusted, where the same words were captured from two.
_TRUST = {"user": 3, "agent": 2, "tool": 1, "file": 1}
#: Records that change files, of a compaction or of a person.
_CHANGES = frozenset(
    {
        *("commit", "approve", "revoke", "accept", "drop", "restore", "settle", "unsettle"),
        *("forgotten", "merge", "revoke-source", "confirm", "in-force", "undo"),
    }
)


class Commit(NamedTuple):
    """The newest accepted state of one task; `data` is all that its record says."""

    seq: int
    time: str
    sources: Mapping[str, str]
    engine: str
    data: Mapping[str, Any]


class Failure(NamedTuple):
    """The newest failure of one task, with the marks of the attempt and of its sources alone.

    `times` counts the failures since the task was last committed.
    """

    mark: str
    sources: str
    reason: str
    times: int


class Adopted(NamedTuple):
    """A foreign file that is kept as it is, with the sources that existed at the time."""

    sha256: str
    sources: Mapping[str, str]


class Proposal(NamedTuple):
    """A change to wisdom that waits for a person, or only for a reader where it is `unread`.

    `united` are the titles of further entries whose place it takes, `marks` the items behind it, and
    `before` is what the entry said that it changes.
    """

    id: str
    time: str
    verb: str
    target: str
    reason: str
    origin: str
    entry: WisdomEntry | None
    united: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    unread: bool = False
    before: str = ""


Correction = Literal["drop", "edit", "restore", "supersede", "keep_both", "forget"]


class Ground(NamedTuple):
    """What a request rests on: the words of a memory's statements, and how it stood."""

    words: tuple[str, ...]
    status: str


class Request(NamedTuple):
    """A change of memories that an agent asked a person for; `declined` is the day of a no.

    `entry` is what is to be forgotten.
    """

    id: str
    time: str
    action: Correction
    about: tuple[Ground, ...]
    origin: str
    statement: str = ""
    reason: str = ""
    declined: str = ""
    entry: str = ""


class Captures(NamedTuple):
    """What was captured in the days, and whose words a person trusts.

    `days` are those that something was captured in, unless a person accepted that they are gone.
    `sketches` are the origins of untrusted captures with sketches of their words. `trusted` are
    origins that a person trusts; `revoked` are ids and origins that one withdrew. `hidden` are entries
    that nobody is shown: an agent asked a person to forget them, or a person took back what brought
    them; `taken_back` are those of an import. `last` is the number and the hash of the last record
    that captured something.
    """

    days: set[str]
    origins: dict[str, str]
    sketches: list[tuple[str, list[int], str]]
    trusted: set[str]
    revoked: set[str]
    hidden: set[str]
    taken_back: set[str]
    last: tuple[int, str] = (0, "")

    def known_origins(self) -> Mapping[str, str]:
        """Return the origin of each entry that the journal knows, by what a person said of sources."""
        if not (self.trusted or self.revoked or self.hidden):
            return self.origins
        known = dict.fromkeys((id for id in self.revoked if "~" in id), REVOKED)
        for id, origin in self.origins.items():
            if id in self.revoked or origin in self.revoked:
                origin = REVOKED
            known[id] = "file" if origin in self.trusted else origin
        return known | dict.fromkeys(self.hidden, HIDDEN)

    def untrusted_sketches(self) -> list[tuple[str, list[int]]]:
        """Return the sketches of untrusted captures, without those that a person trusts or took back."""
        return [
            (origin, numbers)
            for origin, numbers, id in self.sketches
            if origin not in self.trusted and id not in self.taken_back
        ]


class ProposedPage(NamedTuple):
    """A page, or the memories of a week, that an untrusted writer handed in; nothing of it counts.

    `pages` (by path) and `facts` are what its commit would hold. `declined` says why it is out of the question.
    """

    id: str
    time: str
    task: str
    origin: str
    sources: Mapping[str, str]
    facts: Mapping[str, Any] = {}
    pages: Mapping[str, str] = {}
    declined: str = ""


class Pages(NamedTuple):
    """What was written of each task, and each file that is in force.

    `bodies` has the digest of each file and of what it says. `removed` are sources that a person
    accepted to be gone. `bases` are foreign files that ours build upon, as they were, each with the
    record that says so. `written_by` names the task that wrote each typed memory last, and `readings`
    how each task's page was read since it was committed; `failures` counts readings that failed.
    `proposed` is what an untrusted writer proposed last for a task.
    """

    commits: dict[str, Commit]
    failures: dict[str, Failure]
    adopted: dict[str, Adopted]
    files: dict[str, str | None]
    bodies: dict[str, tuple[str, str]]
    bases: dict[str, tuple[str, int]]
    written_by: dict[str, str]
    readings: dict[str, Mapping[str, Any]]
    removed: set[str]
    proposed: dict[str, ProposedPage]

    def is_let_go(self, path: str) -> bool:
        """Tell whether a person accepted that a source is gone, or we removed it ourselves."""
        return path in self.removed or self.files.get(path, "") is None


class Lessons(NamedTuple):
    """What each week's days taught, and what was decided on it; statements are named by their words.

    `found` is what a writer found, `marked` what was marked in the days or accepted from them, and
    `marked_at` the record that says so. `accepted` are held marks by id, `dropped` the words that
    were dropped, with the day, `reasons` why, where somebody said so, and `instead` what was put in
    their place. `undone` are words that count as never said, because the edit that brought them was
    taken back. `settled` tells of a pair which of the two is in force, or "" if both are. `outdated` are
    entries that hold no more at the source they were imported from, each with the day.
    """

    found: dict[str, tuple[TypedMemory, ...]]
    marked: dict[str, tuple[TypedMemory, ...]]
    marked_at: dict[str, int]
    accepted: dict[str, TypedMemory]
    dropped: dict[str, str]
    reasons: dict[str, str]
    instead: dict[str, str]
    undone: set[str]
    settled: dict[frozenset[str], str]
    outdated: dict[str, str]


NO_LESSONS = Lessons({}, {}, {}, {}, {}, {}, {}, set(), {}, {})


class WisdomHistory(NamedTuple):
    """What was decided on wisdom; items are named by their fingerprints, entries by their titles.

    `judged` are the items that were decided on, `crowded` those of them that only a lack of room
    kept out, `barred` those a person ruled out, and `retired` those behind an entry that its writer
    dropped, with the last day that supported it. `led` are the items that led to each entry,
    `worded` those its words came from, and `reinforced` the last day that supports it. It is
    `reopened` while memories that came back into force wait to be decided on again.
    """

    decisions: list[Mapping[str, Any]]
    proposals: dict[str, Proposal]
    rejected: set[str]
    judged: set[str]
    barred: set[str]
    retired: dict[str, str]
    led: dict[str, frozenset[str]]
    worded: dict[str, frozenset[str]]
    reinforced: dict[str, str]
    crowded: frozenset[str] = frozenset()
    entries: int | None = None
    reopened: bool = False

    @property
    def tombstones(self) -> list[Mapping[str, Any]]:
        """Return the decisions that dropped an entry."""
        return [one for one in self.decisions if one["verb"] == "DROP" and one.get("entry")]


class Ledger(NamedTuple):
    """What the journal says now.

    `begun` is the mark and the time of a run that has not ended; `initialised` is when `init`
    connected an agent to this root last.
    """

    captures: Captures
    pages: Pages
    lessons: Lessons
    wisdom: WisdomHistory
    requests: Mapping[str, Request]
    begun: tuple[str, str] | None = None
    initialised: str = ""


_EMPTY = Ledger(
    Captures(set(), {}, [], set(), set(), set(), set()),
    Pages({}, {}, {}, {}, {}, {}, {}, {}, set(), {}),
    NO_LESSONS,
    WisdomHistory([], {}, set(), set(), set(), {}, {}, {}, {}),
    {},
)


def fold(records: Iterable[Record], ledger: Ledger = _EMPTY) -> Ledger:
    """Return what a ledger says after further records."""
    records = without_undone(list(records))
    # Most records are captures, which say nothing of pages, lessons and wisdom.
    others = [one for one in map(as_decision, records) if one.kind != "capture"]
    begun, initialised = ledger.begun, ledger.initialised
    for record in others:
        match record.kind:
            case "begin":
                begun = (str(record.data["mark"]), record.time)
            case "end":
                begun = None
            case "init":
                initialised = record.time
    return Ledger(
        _fold_captures(records, ledger.captures),
        _fold_pages(others, ledger.pages),
        _fold_lessons(others, ledger.lessons),
        _fold_wisdom(others, ledger.wisdom),
        _fold_requests(others, ledger.requests),
        begun,
        initialised,
    )


def undone(records: Iterable[Record]) -> set[int]:
    """Return the numbers of the records that a person undid."""
    return {seq for one in records if one.kind == "undo" for seq in one.data["undoes"]}


def without_undone(records: Sequence[Record]) -> Sequence[Record]:
    """Return the records without those that a person undid; a capture stays, without its edit."""
    if not (gone := undone(records)):
        return records
    return [
        r._replace(data={**r.data, "edit": None}) if r.kind == "capture" and r.seq in gone else r
        for r in records
        if r.kind == "capture" or r.seq not in gone
    ]


_Part = TypeVar("_Part", Captures, Pages, Lessons, WisdomHistory)


def _copied(known: _Part) -> _Part:
    """Return a part of a ledger to which further records can be added."""
    values: dict[str, Any] = {name: copy(one) for name, one in known._asdict().items()}
    return known._replace(**values)


def as_decision(record: Record) -> Record:
    """Return what the capture of new words says of the old ones: an edit is one line of the journal."""
    edit = record.data.get("edit") if record.kind == "capture" else None
    return record._replace(kind="drop", data=edit) if edit else record


def _fold_captures(records: Sequence[Record], known: Captures) -> Captures:
    kinds = {"capture", "accept-removed", "trust", "revoke-source", "request", "decline", "undo"}
    kinds |= {"take-back", "bring-back"}
    if not any(
        r.kind in kinds or "append" in r.data or not known.days.isdisjoint(r.data.get("files", ()))
        for r in records
    ):
        return known
    new, last = _copied(known), known.last
    for record in records:
        data = record.data
        if place := data.get("append"):
            new.days.add(str(place["path"]))
        # A new version of a whole day replaces all that was captured in it.
        new.days.difference_update(data.get("files", ()))
        for id, is_hidden in data.get("hidden", {}).items():
            (new.hidden.add if is_hidden else new.hidden.discard)(id)
        match record.kind:
            case "capture":
                last = (record.seq, record.hash)
                origin = str(data.get("origin", "agent"))
                for entry in data.get("entries", ()):
                    # An origin never rises: the same words captured twice keep the less trusted one.
                    before = new.origins.get(entry)
                    if before is None or _TRUST.get(origin, 0) < _TRUST.get(before, 0):
                        new.origins[entry] = origin
                if origin == "user":
                    # Said again, it is shown again.
                    new.hidden.difference_update(data.get("entries", ()))
                new.sketches.extend((origin, n, id) for id, n in data.get("sketches", {}).items())
            case "take-back":
                new.taken_back.update(data["hidden"])
            case "bring-back":
                new.taken_back.difference_update(data["hidden"])
            case "accept-removed":
                new.days.difference_update(data["paths"])
            case "trust":
                new.trusted.add(str(data["trust"]))
                new.revoked.discard(str(data["trust"]))
            case "revoke-source":
                new.trusted.discard(str(data["distrust"]))
                new.revoked.update([str(data["distrust"]), *data["withdrawn"]])
                new.sketches.extend((REVOKED, n, id) for id, n in data.get("sketches", {}).items())
    return new._replace(last=last)


def _fold_pages(records: Sequence[Record], known: Pages) -> Pages:
    new = _copied(known)
    for record in records:
        data, task = record.data, str(record.data.get("task", ""))
        match record.kind:
            case "commit":
                sources, engine = dict(data.get("sources", {})), str(data.get("engine", ""))
                new.commits[task] = Commit(record.seq, record.time, sources, engine, data)
                new.failures.pop(task, None)
                if engine != "offline":
                    new.proposed.pop(task, None)
                if task in new.readings:
                    new.readings[task] = {**new.readings[task], "unapplied": False}
                # A removed day that is back counts again.
                new.removed.difference_update(sources)
            case "failed":
                times = new.failures[task].times + 1 if task in new.failures else 1
                mark, of = str(data["mark"]), str(data["sources"])
                new.failures[task] = Failure(mark, of, str(data["reason"]), times)
            case "propose":
                values = {name: data[name] for name in ProposedPage._fields if name in data}
                new.proposed[task] = ProposedPage(time=record.time, **values)
            case "reject":
                for one in [p for p in new.proposed.values() if p.id == data["id"]]:
                    new.proposed[one.task] = one._replace(declined="a person rejected it")
            case "adopt":
                found = Adopted(str(data["sha256"]), dict(data["sources"]))
                new.adopted[str(data["path"])] = found
            case "reading":
                for facts in data["pages"]:
                    before, state = new.readings.get(facts["task"], {}), facts["state"]
                    same = before.get("content") == facts["content"]
                    times = before.get("failures", 0) * same + (state == "unread")
                    # Memories change only where one is wrong.
                    changes = "wrong" in facts or not facts["task"].startswith("typed:")
                    noted = {"failures": times, "time": record.time}
                    noted["unapplied"] = state == "read" and changes
                    new.readings[facts["task"]] = {**facts, **noted}
            case "applied":
                new.readings[task] = {**new.readings[task], "unapplied": False}
            case "accept-removed":
                new.removed.update(data["paths"])
            case "trust" | "take-back" | "bring-back":
                _make_stale(new.commits, set(data["days"]), ("week:", "typed:", "marks:"))
            case "revoke-source":
                _make_stale(new.commits, set(data["days"]), ("week:",))
            case "outdated":
                _make_stale(new.commits, set(data["days"]), ("typed:", "marks:"))
        if record.kind in _CHANGES:
            changed = data.get("files", {})
            new.files.update(changed)
            if task.startswith(("typed:", "marks:")):
                new.written_by.update(dict.fromkeys(changed, task))
            for path, body in data.get("bodies", {}).items():
                new.bodies[path] = (str(changed.get(path)), body)
            for path, sha256 in data.get("bases", {}).items():
                new.bases[path] = (sha256, record.seq)
    return new


def _make_stale(commits: dict[str, Commit], days: set[str], tiers: tuple[str, ...]) -> None:
    """Have what was written from these days written again: their entries count differently."""
    for task, commit in commits.items():
        if task.startswith(tiers) and not days.isdisjoint(commit.sources):
            sources = {p: "" if p in days else digest for p, digest in commit.sources.items()}
            commits[task] = commit._replace(sources=sources)


def _fold_lessons(records: Sequence[Record], known: Lessons) -> Lessons:
    new = _copied(known)
    for record in records:
        data, week = record.data, str(record.data.get("task", "")).partition(":")[2]
        match record.kind:
            case "accept":
                memory = memory_from(data["memory"])
                new.accepted[str(data["id"])] = memory
                new.marked[week] = (*new.marked.get(week, ()), memory)
                new.marked_at[week] = record.seq
            case "drop" | "revoke":
                for words in data.get("words", ()):
                    new.dropped[words] = record.time[:10]
                    new.reasons[words] = str(data.get("reason", ""))
                    if "instead" in data:
                        new.instead[words] = str(data["instead"])
                if "instead" in data:
                    # Words that were dropped before count again, because somebody says so.
                    again = str(data["instead"])
                    new.dropped.pop(again, None)
                    new.instead.pop(again, None)
                    new.undone.discard(again)
            case "restore":
                # Somebody took back that words were dropped, or said again to remember them.
                for words in data["words"]:
                    new.dropped.pop(words, None)
                    new.instead.pop(words, None)
                new.undone.difference_update(data["words"])
                new.undone.update(data.get("undone", ()))
            case "settle":
                new.settled[frozenset(data["pair"])] = str(data["newer"])
            case "unsettle":
                new.settled.pop(frozenset(data["pair"]), None)
            case "outdated":
                for entry, day in data["outdated"].items():
                    new.outdated.pop(entry, None)
                    if day:
                        new.outdated[entry] = day
            case "revoke-source":
                # What rests on withdrawn entries is gone.
                gone = set(data["withdrawn"])
                for lessons in (new.found, new.marked):
                    for taught, memories in lessons.items():
                        lessons[taught] = tuple(m for m in memories if gone.isdisjoint(m.sources))
                kept = {i: m for i, m in new.accepted.items() if gone.isdisjoint(m.sources)}
                new = new._replace(accepted=kept)
        if record.kind in _CHANGES and "found" in data:
            new.found[week] = tuple(memory_from(m) for m in data["found"])
        if record.kind in _CHANGES and "marked" in data:
            new.marked[week] = tuple(memory_from(m) for m in data["marked"])
            new.marked_at[week] = record.seq
    return new


def _fold_requests(
    records: Sequence[Record], known: Mapping[str, Request]
) -> Mapping[str, Request]:
    """Return the requests that wait or were declined.

    What changes one of their memories ends them: whoever accepts a request makes that change.
    """
    asked = dict(known)
    for record in records:
        data = record.data
        match record.kind:
            case "request":
                about = (Ground(tuple(o["words"]), str(o["status"])) for o in data["about"])
                said = {k: str(data.get(k, "")) for k in ("origin", "statement", "reason", "entry")}
                one = Request(str(data["id"]), record.time, data["action"], tuple(about), **said)
                asked[one.id] = one
            case "decline":
                if known_one := asked.get(str(data["id"])):
                    asked[known_one.id] = known_one._replace(declined=record.time[:10])
            case "drop" | "revoke" | "restore":
                touched = {*data.get("words", ()), *data.get("undone", ())}
                asked = {i: one for i, one in asked.items() if touched.isdisjoint(_about(one))}
            case "settle" | "unsettle":
                pair = set(data["pair"])
                asked = {i: one for i, one in asked.items() if not pair <= _about(one)}
    return asked


def _about(request: Request) -> set[str]:
    return {words for ground in request.about for words in ground.words}


def _fold_wisdom(records: Sequence[Record], known: WisdomHistory) -> WisdomHistory:
    new, crowded, entries, reopened = _copied(known), known.crowded, known.entries, known.reopened
    for record in records:
        data = record.data
        if record.kind in ("restore", "settle", "unsettle"):
            reopened = reopened or "entries" not in data
        elif data.get("task") == "wisdom:":
            reopened = False
        if record.kind == "reject":
            new.proposals.pop(str(data["id"]), None)
            new.rejected.add(str(data["id"]))
        if record.kind not in _CHANGES:
            continue
        new.judged.difference_update(data.get("unjudged", ()))
        new.judged.update(data.get("judged", ()))
        for mark in (*data.get("unjudged", ()), *data.get("judged", ())):
            new.retired.pop(mark, None)
        crowded = frozenset(data.get("crowded", crowded))
        entries = data.get("entries", entries)
        for decision in data.get("decisions", ()):
            new.decisions.append({**decision, "time": record.time, "seq": record.seq})
            target = str(decision.get("target") or "")
            if decision["verb"] == "DROP" and decision.get("entry"):
                if record.kind == "revoke":
                    new.barred.update(_marks(decision), new.led.pop(target, ()))
                elif decision.get("retired"):
                    behind = new.led.pop(target, frozenset())
                    new.retired.update(dict.fromkeys(behind, str(decision["on"])))
            elif decision["verb"] in ("ADD", "MERGE") and target:
                if record.kind == "restore":
                    new.barred.difference_update(_marks(decision))
                on = str(decision.get("on") or record.time[:10])
                new.reinforced[target] = max(on, new.reinforced.get(target, ""))
                _lead(new.led, decision, _marks(decision))
                _lead(new.worded, decision, _marks(decision) if decision.get("worded") else ())
        for proposal in data.get("proposals", ()):
            new.proposals[proposal["id"]] = _proposal(proposal, record.time)
        for settled in data.get("settled", ()):
            new.proposals.pop(str(settled), None)
    return new._replace(crowded=crowded, entries=entries, reopened=reopened)


def _lead(
    known: dict[str, frozenset[str]], decision: Mapping[str, Any], marks: Sequence[str]
) -> None:
    """Note which items led to an entry, also if it gets a new title or takes in other entries."""
    target = str(decision["target"])
    before = (str(decision.get("was", target)), *decision.get("united", ()))
    merged = [known.pop(title, ()) for title in before] if decision["verb"] == "MERGE" else []
    known[target] = frozenset(marks).union(*merged)


def _marks(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the items of a proposal, or the one of a decision if it has one."""
    return tuple(mark for mark in data.get("marks", [data.get("mark")]) if mark)


def _proposal(data: Mapping[str, Any], time: str) -> Proposal:
    return Proposal(
        id=data["id"],
        time=time,
        verb=data["verb"],
        target=data.get("target", ""),
        reason=data["reason"],
        origin=data["origin"],
        entry=wisdom_from(data["entry"]) if data.get("entry") else None,
        united=tuple(data.get("united", ())),
        marks=_marks(data),
        unread=bool(data.get("unread")),
        before=str(data.get("before", "")),
    )


# What the journal keeps of memories and wisdom


def memory_data(memory: TypedMemory) -> dict[str, Any]:
    """Return a typed memory as the journal keeps it."""
    data = memory._asdict()
    if memory.basis == "found":
        del data["basis"]
    return {key: list(v) if isinstance(v, tuple) else v for key, v in data.items() if v}


def memory_from(data: Mapping[str, Any]) -> TypedMemory:
    """Return a typed memory that the journal keeps."""
    values: dict[str, Any] = {"description": "", "statement": "", "sources": ()}
    values.update({key: tuple(v) if isinstance(v, list) else v for key, v in data.items()})
    return TypedMemory(**values)


def ledger_form(memory: TypedMemory) -> TypedMemory:
    """Return a memory as it will be when read back from the journal, which later runs work with."""
    return memory_from(memory_data(memory))


def wisdom_data(entry: WisdomEntry) -> dict[str, Any]:
    """Return a wisdom entry as the journal keeps it."""
    data = {"title": entry.title, "text": entry.text, "sources": list(entry.sources)}
    return {**data, "category": entry.category}


def wisdom_from(data: Mapping[str, Any]) -> WisdomEntry:
    """Return a wisdom entry that the journal keeps."""
    return WisdomEntry(
        data["title"], data["text"], tuple(data["sources"]), data.get("category", "")
    )


# Readings: which pages wait for a reader, and how it went


#: How often an agent is offered a page to read before it goes without.
READINGS = 2


def content_of(commit: Commit) -> str:
    """Return a digest of what a commit put in force, whenever that was."""
    bodies = sorted(commit.data.get("bodies", {}).items())
    text = json.dumps([bodies, commit.data.get("found", [])])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def reading_of(ledger: Ledger, key: str) -> Mapping[str, Any]:
    """Return how a task's page was read, as the journal has it; empty where nobody is to read it."""
    commit = ledger.pages.commits.get(key)
    if commit is None:
        return {}
    later = ledger.pages.readings.get(key, {})
    own: Mapping[str, Any] = commit.data.get("reading", {})
    return later if own and later.get("content") == content_of(commit) else own


def unapplied(ledger: Ledger) -> frozenset[str]:
    """Return the tasks that were read and whose pages still hold what is to leave them."""
    return frozenset(
        key
        for key, noted in ledger.pages.readings.items()
        if noted["unapplied"] and noted["content"] == content_of(ledger.pages.commits[key])
    )


def waits_for_reader(ledger: Ledger, key: str) -> bool:
    """Tell whether an agent is still to read a task's page."""
    reading = reading_of(ledger, key)
    # Of wisdom, what is not applied yet is read; a person may have decided on all of it.
    if key == "wisdom:" and not any(one.unread for one in ledger.wisdom.proposals.values()):
        return False
    failed = reading.get("state") == "unread" and 0 < reading.get("failures", 0) < READINGS
    return reading.get("state") == "waits" or failed
