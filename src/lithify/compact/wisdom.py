"""Wisdom: items without a decision are shown to an engine, and its decisions are committed.

Before that, entries whose days were edited are checked. An entry that nothing supports any more is
dropped, and the items that led to it are decided on again. So every run ends as if the days had
always been as they are.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lithify.compact import wisdom_decisions
from lithify.compact.ledger import wisdom_data
from lithify.compact.plan import has_room, waiting_for_room
from lithify.compact.review import proposal_id, stands
from lithify.compact.snapshot import Snapshot
from lithify.compact.typed import bases_of, words_key
from lithify.compact.workspace import Result, Workspace
from lithify.engines.base import Engine
from lithify.markdown.pages import render_wisdom
from lithify.trust import is_trusted
from lithify.values import Brief, Decision, Item, Task, TypedMemory, Usage, WisdomEntry
from lithify.verify import Failed, Refused

_LANE = "the untrusted items, which stay undecided"


@dataclass(frozen=True, slots=True)
class Docket:
    """What a run of wisdom begins with: the entries that still hold, and the items to decide on.

    `dropped` are the entries and `withdrawn` the proposals that nothing supports any more.
    `unjudged` are the items that no longer count as decided on; `crowded` are those that only a
    lack of room keeps out.
    """

    entries: tuple[WisdomEntry, ...]
    items: tuple[Item, ...]
    dropped: tuple[tuple[WisdomEntry, str], ...] = ()
    withdrawn: tuple[str, ...] = ()
    unjudged: frozenset[str] = frozenset()
    crowded: frozenset[str] = frozenset()


def docket(snapshot: Snapshot) -> Docket:
    """The entries in force that their sources support, and every item without a decision."""
    ledger, before = snapshot.ledger, snapshot.wisdom()
    everything = {wisdom_decisions.fingerprint(item): item for item in material(snapshot)}
    lines = snapshot.lookup([id for entry in before for id in entry.sources])
    grounds = wisdom_decisions.Grounds(snapshot.resolves, lines, everything, ledger.worded)
    entries, dropped = wisdom_decisions.grounded(before, grounds)
    unsaid = set(ledger.proposed.values()) - everything.keys() - {""}
    withdrawn = [
        id
        for id, proposal in ledger.proposals.items()
        if not stands(snapshot, proposal) or ledger.proposed[id] in unsaid
    ]
    again = {ledger.proposed[id] for id in withdrawn}
    again.update(mark for entry, _ in dropped for mark in ledger.led.get(entry.title, ()))
    crowded = ledger.crowded & everything.keys() - ledger.barred
    waiting = len(waiting_for_room(ledger) - set(withdrawn))
    if has_room(len(entries), waiting, snapshot.settings.wisdom):
        again |= crowded
        crowded = set()
    # An item that went and came back counts as new, unless a person ruled it out. If the file
    # is gone, all items do.
    again |= ledger.judged - everything.keys() if snapshot.shelf.wisdom else ledger.judged
    again &= ledger.judged - ledger.barred
    left = ledger.judged - again
    return Docket(
        entries,
        tuple(item for mark, item in everything.items() if mark not in left),
        dropped,
        tuple(withdrawn),
        frozenset(again),
        frozenset(crowded),
    )


def material(snapshot: Snapshot) -> tuple[Item, ...]:
    """The items of every typed memory and every bullet of the months."""
    pages = sorted(snapshot.shelf.months.items())
    memories = in_force(snapshot)
    resting = {id for memory in memories for id in memory.sources}
    resting.update(id for _, page in pages for id in snapshot.cited_by(page))
    # All ids are looked up together, so that each day is read once.
    cited = snapshot.lookup(list(resting))
    months = {label: snapshot.claims(page) for label, page in pages}
    told = {id for claims in months.values() for claim in claims for id in claim.sources}
    # A bullet that names no source cites itself.
    cited |= snapshot.lookup(list(told - cited.keys()))

    def origin_of(sources: Sequence[str]) -> str:
        origins = [cited[id].origin for id in sources if id in cited]
        return next((origin for origin in origins if not is_trusted(origin)), "file")

    return wisdom_decisions.items_of(memories, months, origin_of)


def in_force(snapshot: Snapshot) -> list[TypedMemory]:
    """The typed memories on disk, each with its basis."""
    bases = bases_of(snapshot)
    found = sorted(snapshot.memories().items())
    return [memory._replace(basis=bases.get(path, "found")) for path, memory in found]


def lanes(items: Sequence[Item]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """The trusted items and the others, each lane numbered by itself."""
    trusted = [item for item in items if is_trusted(item.origin)]
    others = [item for item in items if not is_trusted(item.origin)]
    return wisdom_decisions.numbered(trusted), wisdom_decisions.numbered(others)


def wisdom_brief(
    snapshot: Snapshot,
    items: Sequence[Item],
    entries: Sequence[WisdomEntry],
    stale: Sequence[str] = (),
) -> Brief:
    """The brief of some items: with the entries in force, and the days' lines the items cite."""
    settings = snapshot.settings
    shown = [
        e._replace(title=snapshot.redacted(e.title), text=snapshot.redacted(e.text), raw="")
        for e in entries
    ]
    cited = dict.fromkeys(source for item in items for source in item.sources)
    return Brief(
        tier="wisdom",
        period="",
        entries=tuple(snapshot.lookup(list(cited)).values()),
        items=tuple(items),
        wisdom=tuple(shown),
        categories=settings.wisdom.categories,
        max_entries=settings.wisdom.max_entries,
        trusted=all(is_trusted(item.origin) for item in items),
        agent_name=settings.agent_name,
        stale=tuple(stale),
    )


@dataclass(slots=True)
class _Outcome:
    """The result of the lanes so far."""

    entries: tuple[WisdomEntry, ...]
    taken: list[dict[str, Any]] = field(default_factory=list)
    dropped: list[tuple[WisdomEntry, str]] = field(default_factory=list)
    proposals: list[dict[str, Any]] = field(default_factory=list)
    judged: list[str] = field(default_factory=list)
    crowded: set[str] = field(default_factory=set)
    refused: list[Refused] = field(default_factory=list)
    usage: Usage = Usage()


def write_wisdom(workspace: Workspace, task: Task, engine: Engine, time: str) -> Result:
    """Decide on every new item; what rests on untrusted words is only proposed."""
    snapshot, settings = workspace.snapshot, workspace.snapshot.settings
    begun = docket(snapshot)
    outcome = _Outcome(begun.entries, dropped=[*begun.dropped], crowded={*begun.crowded})
    for trusted, lane in zip((True, False), lanes(begun.items), strict=True):
        failed = _decide(workspace, task, engine, time, lane, outcome, trusted=trusted)
        if failed and trusted:
            return workspace.failed(task, failed, engine, outcome.usage, time)
        if failed:
            # Untrusted words must not keep the trusted decisions from being taken.
            outcome.refused += [*failed.refused, Refused(_LANE, (failed.reason,))]
    if engine.extractive:
        outcome.proposals += _unmarked(snapshot, outcome.entries)
    path = snapshot.shelf.wisdom.path if snapshot.shelf.wisdom else "WISDOM.md"
    files: dict[str, bytes | None] = {}
    if outcome.entries != snapshot.wisdom() or (snapshot.shelf.wisdom is None and begun.items):
        files[path] = render_wisdom(
            outcome.entries, settings.agent_name, time[:10], settings.wisdom.categories
        )
    facts = workspace.facts(task, engine, outcome.usage, outcome.refused)
    tombstones = [_tombstone(snapshot, entry, reason) for entry, reason in outcome.dropped]
    withdrawn = [_withdrawn(snapshot, id) for id in begun.withdrawn]
    facts["decisions"] = [*withdrawn, *outcome.taken, *tombstones]
    facts["judged"] = sorted(outcome.judged)
    facts["entries"] = len(outcome.entries)
    known = (snapshot.ledger.proposals.keys() - begun.withdrawn) | snapshot.ledger.rejected
    proposals = [p for p in outcome.proposals if p["id"] not in known]
    facts |= {
        name: value
        for name, value in (
            ("unjudged", sorted(begun.unjudged)),
            ("settled", list(begun.withdrawn)),
            ("proposals", proposals),
            ("reviewed", sorted(snapshot.ledger.unmarked) if engine.extractive else ()),
        )
        if value
    }
    if outcome.crowded != snapshot.ledger.crowded:
        facts["crowded"] = sorted(outcome.crowded)
    workspace.quarantine(task, outcome.refused, "", engine, time)
    workspace.commit(files, facts, time)
    return Result(
        task,
        "written" if files else "unchanged",
        files=tuple(files),
        refused=len(outcome.refused),
        held=len(proposals),
        usage=outcome.usage,
        engine=engine.name,
    )


def _unmarked(snapshot: Snapshot, entries: Sequence[WisdomEntry]) -> list[dict[str, Any]]:
    """Proposals to drop what version 0.1.0 chose by its wording and nobody marked."""
    ledger = snapshot.ledger
    asked = {p.target for p in ledger.proposals.values() if p.verb == "DROP"}
    rules = {words_key(m.statement) for m in in_force(snapshot) if m.basis == "marked"}
    found = []
    for entry in entries:
        if entry.title not in ledger.unmarked or entry.title in asked or not entry.sources:
            continue
        if words_key(entry.text) in rules:
            continue
        data = wisdom_data(entry)
        found.append(
            {
                "id": proposal_id(json.dumps(["DROP", entry.title, data])),
                "verb": "DROP",
                "target": entry.title,
                "reason": "an earlier version chose it by its wording; nobody marked it",
                "origin": "file",
                "entry": data,
            }
        )
    return found


def _decide(
    workspace: Workspace,
    task: Task,
    engine: Engine,
    time: str,
    lane: Sequence[Item],
    outcome: _Outcome,
    *,
    trusted: bool,
) -> Failed | None:
    """Have one lane's items decided on; apply the decisions if allowed, else propose them."""
    snapshot, settings = workspace.snapshot, workspace.snapshot.settings.wisdom
    standing = wisdom_decisions.Standing(settings, time[:10], snapshot.ledger.reinforced)
    stale = [entry.title for entry in outcome.entries if standing.is_stale(entry)]
    brief = wisdom_brief(snapshot, lane, outcome.entries, stale)
    written = workspace.have_written(brief, engine, task)
    outcome.usage += written.usage
    verdict = written.verdict
    if isinstance(verdict, Failed):
        return verdict
    outcome.refused += verdict.refused
    by_id = {item.id: item for item in lane}
    outcome.judged += [
        wisdom_decisions.fingerprint(item) for item in lane if item.id not in verdict.undecided
    ]
    may_apply = trusted and settings.review == "auto"
    at_once = [d for d in verdict.decisions if may_apply and not d.proposed]
    asked = [d for d in verdict.decisions if not may_apply or d.proposed]
    applied = wisdom_decisions.apply(outcome.entries, at_once, by_id, standing)
    outcome.entries = applied.entries
    outcome.dropped += applied.dropped
    led = snapshot.ledger.led
    outcome.crowded.update(mark for title in applied.ousted for mark in led.get(title, ()))
    ousted = [by_id[d.item] for d in applied.decisions if d.target in applied.ousted]
    outcome.crowded.update(map(wisdom_decisions.fingerprint, ousted))
    held = wisdom_decisions.apply(outcome.entries, asked, by_id, standing)
    for decision in (*applied.decisions, *held.decisions):
        item = by_id[decision.item]
        if decision.crowded and trusted:
            outcome.crowded.add(wisdom_decisions.fingerprint(item))
        if decision.entry is not None and (decision.proposed or not may_apply):
            outcome.proposals.append(_proposal(decision, item))
            continue
        if decision.verb == "MERGE" and not trusted:
            # Support from an untrusted source does not keep an entry from growing stale.
            decision = decision._replace(verb="DROP", reason=f"{decision.reason}; untrusted")
        outcome.taken.append(_decision_data(decision, item))
    return None


def _tombstone(snapshot: Snapshot, entry: WisdomEntry, reason: str) -> dict[str, Any]:
    title, text = snapshot.redacted(entry.title), snapshot.redacted(entry.text)
    return {
        "item": title,
        "verb": "DROP",
        "reason": reason,
        "target": title,
        "entry": wisdom_data(entry._replace(title=title, text=text)),
    }


def _withdrawn(snapshot: Snapshot, id: str) -> dict[str, Any]:
    proposal = snapshot.ledger.proposals[id]
    title = proposal.entry.title if proposal.entry else proposal.target
    return {
        "item": snapshot.redacted(title),
        "verb": "DROP",
        "reason": "proposal withdrawn: the days no longer say it so",
    }


def _proposal(decision: Decision, item: Item) -> dict[str, Any]:
    assert decision.entry is not None
    entry = wisdom_data(decision.entry)
    text = json.dumps([decision.verb, decision.target, entry])
    return {
        "id": proposal_id(text),
        "verb": decision.verb,
        "target": decision.target,
        "reason": decision.reason,
        "origin": item.origin,
        "entry": entry,
        "mark": wisdom_decisions.fingerprint(item),
    }


def _decision_data(decision: Decision, item: Item) -> dict[str, Any]:
    data: dict[str, Any] = {
        "item": item.title or item.text[:120],
        "verb": decision.verb,
        "reason": decision.reason,
    }
    if decision.verb != "DROP":
        entry = decision.entry
        data["target"] = entry.title if entry else decision.target
        data["on"] = wisdom_decisions.newest(item.sources)
        data["mark"] = wisdom_decisions.fingerprint(item)
        if entry:
            data["worded"] = True
            if item.basis == "marked":
                data["marked"] = True
        if decision.target != data["target"]:
            data["was"] = decision.target
    return data
