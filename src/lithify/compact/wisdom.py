"""Wisdom: items without a decision are shown to an engine, and its decisions are committed.

An engine reads all entries in force again and may unite, reword or drop them. What does not fit
one call is decided in parts, each with the entries as the parts before left them.

Entries whose days were edited are checked first. One that nothing supports any more is dropped, and
the items that led to it are decided on again. So every run ends as if the days had always been as
they are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lithify.compact.decisions import (
    Durability,
    Grounds,
    apply,
    grounded,
    is_foreign,
    newest,
    voices,
)
from lithify.compact.in_force import InForce
from lithify.compact.ledger import Ledger, reading_of, waits_for_reader, wisdom_data
from lithify.compact.page import Written, have_written
from lithify.compact.plan import has_room, waiting_for_room
from lithify.compact.snapshot import Snapshot
from lithify.compact.wisdom_in_line import (
    fingerprint,
    material,
    stands,
    tombstone,
    wisdom_file,
    withdrawn_proposal,
)
from lithify.compact.workspace import Result, Workspace
from lithify.engines.base import Engine
from lithify.trust import is_trusted
from lithify.values import Age, Brief, Decision, Item, Task, Usage, WisdomEntry
from lithify.verify import RefusedText, not_taken_up


@dataclass(frozen=True, slots=True)
class Agenda:
    """What a run of wisdom begins with: the entries that still hold, and the items to decide on.

    `dropped` are the entries and `withdrawn` the proposals that nothing supports any more.
    `unjudged` are the items that no longer count as decided on; `crowded` are those that only a
    lack of room keeps out.
    """

    entries: tuple[WisdomEntry, ...]
    items: tuple[Item, ...]
    standing: Durability
    dropped: tuple[tuple[WisdomEntry, str], ...] = ()
    withdrawn: tuple[str, ...] = ()
    unjudged: frozenset[str] = frozenset()
    crowded: frozenset[str] = frozenset()


def agenda(snapshot: Snapshot, today: str) -> Agenda:
    """Return the entries in force that their sources support, and every item without a decision."""
    held = InForce(snapshot, today)
    ledger, before = snapshot.ledger, snapshot.wisdom()
    everything = {fingerprint(item): item for item in material(snapshot, held)}
    lines = snapshot.lookup([id for entry in before for id in entry.sources])
    cited = snapshot.lookup([id for item in everything.values() for id in item.sources])
    grounds = Grounds(snapshot.resolves, lines, everything, ledger.wisdom.worded)
    entries, dropped = grounded(before, grounds)
    titles = {entry.title for entry in entries}
    withdrawn = [
        id
        for id, proposal in ledger.wisdom.proposals.items()
        if not stands(snapshot, proposal, everything.keys())
        or (proposal.verb == "DROP" and proposal.target not in titles)
    ]
    again = {mark for id in withdrawn for mark in ledger.wisdom.proposals[id].marks}
    again.update(mark for entry, _ in dropped for mark in ledger.wisdom.led.get(entry.title, ()))
    crowded = ledger.wisdom.crowded & everything.keys() - ledger.wisdom.barred
    waiting = len(waiting_for_room(ledger) - set(withdrawn))
    if has_room(len(entries), waiting, snapshot.settings.wisdom):
        again |= crowded
        crowded = frozenset()
    # The items behind an entry that its writer dropped come up again when newer days say them.
    said = {mark: newest(item.sources) for mark, item in everything.items()}
    retired = {mark for mark, day in ledger.wisdom.retired.items() if said.get(mark, "") <= day}
    again |= ledger.wisdom.retired.keys() - retired
    # An item that went and came back counts as new, unless a person ruled it out. If the file
    # is gone, all items do.
    gone = ledger.wisdom.judged - everything.keys()
    again |= gone if snapshot.shelf.wisdom else ledger.wisdom.judged - retired
    again &= ledger.wisdom.judged - ledger.wisdom.barred
    left = ledger.wisdom.judged - again
    borne_out, said_by = _borne_out(ledger, everything), voices([*lines.values(), *cited.values()])
    return Agenda(
        entries,
        tuple(item for mark, item in everything.items() if mark not in left),
        Durability(snapshot.settings.wisdom, today, borne_out, said_by, marked_lines(held)),
        dropped,
        tuple(withdrawn),
        frozenset(again),
        frozenset(crowded),
    )


def marked_lines(held: InForce) -> dict[str, int]:
    """Return the lines that somebody marked and that are in force, in the order they were said."""
    marked = [memory for memory in held.statements if memory.basis != "found"]
    return {id: n for n, memory in enumerate(marked) for id in memory.sources}


def _borne_out(ledger: Ledger, everything: Mapping[str, Item]) -> dict[str, str]:
    """Return the last day that supports each entry, by its decisions and its items as they are."""
    found = dict(ledger.wisdom.reinforced)
    for title, marks in ledger.wisdom.led.items():
        items = [everything[mark] for mark in marks if mark in everything]
        days = [newest(i.sources) for i in items if is_trusted(i.origin)]
        found[title] = max([found.get(title, ""), *days])
    return found


def ages(snapshot: Snapshot, today: str) -> tuple[Age, ...]:
    """Return the age of every entry in force."""
    everything = {fingerprint(item): item for item in material(snapshot)}
    borne_out = _borne_out(snapshot.ledger, everything)
    return tuple(map(Durability(snapshot.settings.wisdom, today, borne_out).age, snapshot.wisdom()))


def lanes(items: Sequence[Item]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Return the trusted items and the others, each lane with the short ids its writer uses."""

    def lane(trusted: bool) -> tuple[Item, ...]:
        chosen = [item for item in items if is_trusted(item.origin) is trusted]
        return tuple(item._replace(id=f"m{n}") for n, item in enumerate(chosen, 1))

    return lane(True), lane(False)


# Briefs and decisions


_LANE = "untrusted items, which stay undecided"


def wisdom_briefs(snapshot: Snapshot, today: str) -> list[Brief]:
    """Return the brief of each lane, as a run on this day would begin with it."""
    begun = agenda(snapshot, today)
    entries, standing = begun.entries, begun.standing
    return [wisdom_brief(snapshot, lane, entries, standing) for lane in lanes(begun.items)]


def wisdom_brief(
    snapshot: Snapshot, items: Sequence[Item], entries: Sequence[WisdomEntry], standing: Durability
) -> Brief:
    """Build the brief of some items, with the entries in force and the lines the items cite."""
    settings = snapshot.settings
    cited = dict.fromkeys(source for item in items for source in item.sources)
    brief = Brief(
        tier="wisdom",
        period="",
        entries=tuple(snapshot.lookup(list(cited)).values()),
        items=tuple(items),
        categories=settings.wisdom.categories,
        max_entries=settings.wisdom.max_entries,
        trusted=all(is_trusted(item.origin) for item in items),
        agent_name=settings.agent_name,
        today=standing.today,
        conflicts=InForce(snapshot, standing.today).standing.conflicts,
    )
    return _with_entries(brief, snapshot, entries, standing)


def _with_entries(
    brief: Brief, snapshot: Snapshot, entries: Sequence[WisdomEntry], standing: Durability
) -> Brief:
    """Return a brief that shows these entries as the ones in force."""
    shown = (entry._replace(raw="") for entry in entries)
    return brief._replace(wisdom=tuple(shown), ages=tuple(map(standing.age, entries)))


@dataclass(slots=True)
class _Outcome:
    """The result of the lanes so far."""

    entries: tuple[WisdomEntry, ...]
    taken: list[dict[str, Any]] = field(default_factory=list)
    dropped: list[tuple[WisdomEntry, str]] = field(default_factory=list)
    proposals: list[dict[str, Any]] = field(default_factory=list)
    judged: list[str] = field(default_factory=list)
    crowded: set[str] = field(default_factory=set)
    refused: list[RefusedText] = field(default_factory=list)
    usage: Usage = Usage()


def write_wisdom(workspace: Workspace, task: Task, engine: Engine, time: str) -> Result:
    """Decide on every new item; what rests on untrusted words is only proposed."""
    snapshot = workspace.snapshot
    begun = agenda(snapshot, time[:10])
    outcome = _Outcome(begun.entries, dropped=[*begun.dropped], crowded={*begun.crowded})
    standing = begun.standing
    for trusted, items in zip((True, False), lanes(begun.items), strict=True):
        judged = not engine.extractive
        lane = _Lane(snapshot, standing, outcome, outcome.entries, trusted, judged)
        brief = wisdom_brief(snapshot, items, outcome.entries, standing)
        written = have_written(workspace, brief, engine, task, lane)
        outcome.usage += written.spent
        standing = lane.standing
        if not written.failed:
            continue
        if trusted:
            return workspace.failed(task, written.failed, engine, outcome.usage, time)
        # Untrusted words must not keep the trusted decisions from being taken.
        outcome.refused += [*written.failed.refused, RefusedText(_LANE, (written.failed.reason,))]
    files: dict[str, bytes | None] = {}
    if outcome.entries != snapshot.wisdom() or (snapshot.shelf.wisdom is None and begun.items):
        files = wisdom_file(snapshot, outcome.entries, time)
    reading = workspace.reading_to_come(engine) if outcome.proposals else None
    facts = workspace.facts(task, engine.name, outcome.usage, outcome.refused, reading)
    if reading is None and waits_for_reader(snapshot.ledger, task.key):
        # What was proposed before still waits for its reader.
        facts["reading"] = reading_of(snapshot.ledger, task.key)
    tombstones = [tombstone(e._replace(raw=""), reason) for e, reason in outcome.dropped]
    withdrawn = [withdrawn_proposal(snapshot, id) for id in begun.withdrawn]
    facts["decisions"] = [*withdrawn, *outcome.taken, *tombstones]
    facts["judged"] = sorted(outcome.judged)
    facts["entries"] = len(outcome.entries)
    noted = snapshot.ledger.wisdom
    known = (noted.proposals.keys() - begun.withdrawn) | noted.rejected
    proposals = [*{p["id"]: p for p in outcome.proposals if p["id"] not in known}.values()]
    unjudged, settled = sorted(begun.unjudged), list(begun.withdrawn)
    more = {"unjudged": unjudged, "settled": settled, "proposals": proposals}
    facts |= {name: value for name, value in more.items() if value}
    if outcome.crowded != snapshot.ledger.wisdom.crowded:
        facts["crowded"] = sorted(outcome.crowded)
    workspace.quarantine(task, outcome.refused, "", engine.name, time)
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


@dataclass(slots=True)
class _Lane:
    """The items of one lane, decided on part by part.

    `entries` are what the next part is shown: those in force with the changes made so far or,
    where everything is proposed, as they would be if all of it were approved. `judged` says that the
    writer worded what it decided.
    """

    snapshot: Snapshot
    standing: Durability
    outcome: _Outcome
    entries: tuple[WisdomEntry, ...]
    trusted: bool
    judged: bool

    def shown(self, part: Brief) -> Brief:
        """Return a part with the entries as the parts before left them."""
        return _with_entries(part, self.snapshot, self.entries, self.standing)

    def take(self, part: Brief, written: Written) -> None:
        """Apply the decisions on a part if allowed, else propose them.

        An item that no decision names is not taken up. One whose decision was refused stays
        undecided, and comes up again with new material.
        """
        outcome = self.outcome
        by_id = {item.id: item for item in part.items}
        outcome.refused += written.refused
        whats = [one.what for one in written.checked.refused]
        refused = {id for what in whats if isinstance(what, Decision) for id in what.items}
        outcome.judged += [fingerprint(i) for id, i in by_id.items() if id not in refused]
        decisions = written.checked.decisions
        left = (one for one in not_taken_up(part, decisions) if refused.isdisjoint(one.items))
        # What a judging writer worded is applied when a reader has supported it.
        unread = self.judged and not (written.reading and written.reading.state == "read")
        at_once: list[Decision] = []
        asked: list[Decision] = []
        may_apply = self.trusted and self.snapshot.settings.wisdom.review == "auto"
        # What a person once refused to drop stays.
        rejected = self.snapshot.ledger.wisdom.rejected
        drops = {
            entry.title: proposal_id(json.dumps(["DROP", entry.title, wisdom_data(entry)]))
            for entry in outcome.entries
        }
        kept = {title for title, id in drops.items() if id in rejected}
        for decision in (*decisions, *left):
            if decision.drops_entry and decision.target in kept:
                continue
            waits = unread and decision.entry is not None
            person = decision.proposed or _is_of_a_person(decision, outcome.entries)
            if not may_apply or waits or person:
                reader_alone = may_apply and not person
                asked.append(decision._replace(proposed=True, unread=reader_alone))
            else:
                at_once.append(decision)
        applied = apply(outcome.entries, at_once, by_id, self.standing)
        outcome.entries = applied.entries
        outcome.dropped += applied.dropped
        led = self.snapshot.ledger.wisdom.led
        outcome.crowded.update(mark for title in applied.ousted for mark in led.get(title, ()))
        base = outcome.entries if may_apply else self.entries
        held = apply(base, asked, by_id, self.standing, for_review=True)
        self.entries = outcome.entries if may_apply else held.entries
        for decision in applied.decisions:
            if decision.target in applied.ousted and decision.items:
                outcome.crowded.update(fingerprint(by_id[id]) for id in decision.items)
        for decision in (*applied.decisions, *held.decisions):
            self._note(decision, [by_id[id] for id in decision.items], part)

    def _note(self, decision: Decision, items: Sequence[Item], part: Brief) -> None:
        """Note a decision as the journal will keep it: taken, or proposed."""
        outcome, entry = self.outcome, decision.entry
        if decision.crowded and self.trusted:
            outcome.crowded.update(map(fingerprint, items))
        if entry is not None and decision.proposed:
            origins = [item.origin for item in items or part.items]
            before = next((e.text for e in outcome.entries if e.title == decision.target), "")
            outcome.proposals.append(_proposal(decision, items, origins[0], before))
            return
        if decision.drops_entry and entry is not None:
            outcome.crowded -= self.snapshot.ledger.wisdom.led.get(entry.title, set())
            retired = {"retired": True, "on": self.standing.last_borne(entry)}
            outcome.taken.append(tombstone(entry._replace(raw=""), decision.reason) | retired)
            return
        if decision.verb == "MERGE" and not self.trusted:
            # Support from an untrusted source does not keep an entry from growing stale.
            decision = decision._replace(verb="DROP", reason=f"{decision.reason}; untrusted")
        if decision.verb != "DROP":
            self._bear_out(decision, items)
        outcome.taken += _decision_data(decision, items, self.standing)

    def _bear_out(self, decision: Decision, items: Sequence[Item]) -> None:
        """Count an entry as supported by the days of its items and of what it takes in."""
        title = decision.entry.title if decision.entry else decision.target
        known = self.standing.reinforced
        days = [newest(item.sources) for item in items]
        days += [] if items or decision.entry else [self.standing.today]
        days += [known.get(target, "") for target in (title, *decision.targets)]
        self.standing = replace(self.standing, reinforced={**known, title: max(days)})


def _is_of_a_person(decision: Decision, entries: Sequence[WisdomEntry]) -> bool:
    """Tell whether a decision would change or drop what a person wrote."""
    changes = decision.drops_entry or (decision.verb == "MERGE" and decision.entry is not None)
    return changes and any(is_foreign(e) and e.title in decision.targets for e in entries)


def _proposal(
    decision: Decision, items: Sequence[Item], origin: str, before: str
) -> dict[str, Any]:
    assert decision.entry is not None
    entry = wisdom_data(decision.entry)
    said = [decision.verb, decision.target, entry]
    data: dict[str, Any] = {
        "verb": decision.verb,
        "target": decision.target,
        "reason": decision.reason,
        "origin": origin,
        "entry": entry,
        "marks": [fingerprint(item) for item in items],
    }
    if before:
        data["before"] = before
    if decision.unread:
        data["unread"] = True
    if united := list(decision.targets[1:]):
        data["united"] = united
        said.append(united)
    return {"id": proposal_id(json.dumps(said)), **data}


def _decision_data(
    decision: Decision, items: Sequence[Item], standing: Durability
) -> list[dict[str, Any]]:
    """Return a decision as the journal keeps it: once for every item, or once if it has none."""
    if decision.verb == "DROP":
        dropped = {"verb": "DROP", "reason": decision.reason}
        return [
            {"item": item.title or item.text[:120], **dropped, "mark": fingerprint(item)}
            for item in items
        ]
    entry = decision.entry
    target = entry.title if entry else decision.target
    shared = {"reason": decision.reason, "target": target, **({"worded": True} if entry else {})}
    change: dict[str, Any] = {"verb": decision.verb}
    if decision.target != target:
        change["was"] = decision.target
    if decision.targets[1:]:
        change["united"] = list(decision.targets[1:])
    if not items:
        # Several entries became one, or its writer bore one out.
        on = standing.last_borne(entry) if entry else standing.today
        return [{"item": target, **change, **shared, "on": on}]
    found = []
    for item in items:
        one = {"item": item.title or item.text[:120], **change, **shared}
        one |= {"on": newest(item.sources), "mark": fingerprint(item)}
        found.append(one)
        # The first item has made the entry; the others are merged into it.
        change = {"verb": "MERGE"}
    return found


def proposal_id(text: str) -> str:
    """Return a short id of a proposal, made from what it says."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]
