"""A person's word on wisdom: proposals approved or rejected, entries revoked."""

from __future__ import annotations

import hashlib

from lithify.compact import wisdom
from lithify.compact.ledger import Proposal, wisdom_data
from lithify.compact.snapshot import Snapshot
from lithify.errors import UnknownReference, UsageError
from lithify.markdown.pages import body_digest, render_wisdom
from lithify.store import commit as store
from lithify.values import WisdomEntry


def stands(snapshot: Snapshot, proposal: Proposal) -> bool:
    """Whether every source of a proposal is still there."""
    return proposal.entry is None or all(map(snapshot.resolves, proposal.entry.sources))


def settle(snapshot: Snapshot, id: str, approve: bool, time: str) -> None:
    """Carry out or discard one proposal."""
    proposal = snapshot.ledger.proposals.get(id)
    if proposal is None:
        raise UnknownReference(ref=id, hint="`lithify wisdom review --list` shows the proposals.")
    if not approve or proposal.entry is None:
        store.note(snapshot.root, "reject", {"id": id}, time)
        return
    if not stands(snapshot, proposal):
        raise UsageError(
            reason=f"what proposal {id} rests on was edited; `lithify compact` withdraws it"
            " and proposes what the days say now"
        )
    if proposal.verb == "DROP":
        _take_out(snapshot, proposal, time)
        return
    entries = list(snapshot.wisdom())
    new = proposal.entry._replace(raw="")
    decisions: list[dict[str, object]] = [
        {
            "item": new.title,
            "verb": proposal.verb,
            "reason": f"approved by a person: {proposal.reason}",
            "target": new.title,
            "on": wisdom.newest(new.sources),
            "mark": snapshot.ledger.proposed[id],
            "worded": True,
            "was": proposal.target or new.title,
        }
    ]
    facts: dict[str, object] = {"settled": [id], "decisions": decisions}
    place = next((n for n, e in enumerate(entries) if e.title == proposal.target), None)
    if place is not None:
        entries[place] = new
    else:
        victim = _make_room(snapshot, entries, time)
        if victim:
            decisions.append(_tombstone(victim, f"gave way to “{new.title}”"))
            led = snapshot.ledger.led.get(victim.title, set())
            facts["crowded"] = sorted(snapshot.ledger.crowded | led)
        entries.append(new)
    _write(snapshot, entries, "approve", facts, time)


def _take_out(snapshot: Snapshot, proposal: Proposal, time: str) -> None:
    """Carry out a proposal to drop an entry."""
    entries = snapshot.wisdom()
    gone = [entry for entry in entries if entry.title == proposal.target]
    tombstones = [_tombstone(e, f"approved by a person: {proposal.reason}") for e in gone]
    facts: dict[str, object] = {"settled": [proposal.id], "decisions": tombstones}
    _write(snapshot, [e for e in entries if e not in gone], "approve", facts, time)


def _make_room(snapshot: Snapshot, entries: list[WisdomEntry], time: str) -> WisdomEntry | None:
    """Take out the least durable entry where the cap asks for it."""
    settings = snapshot.settings.wisdom
    if len(entries) < settings.max_entries:
        return None
    standing = wisdom.Standing(settings, time[:10], snapshot.ledger.reinforced)
    victim = standing.weakest(entries, ())
    if victim is None:
        raise UsageError(reason="WISDOM.md is full of entries written by hand; take one out first")
    return entries.pop(victim)


def _tombstone(entry: WisdomEntry, reason: str) -> dict[str, object]:
    return {
        "item": entry.title,
        "verb": "DROP",
        "reason": reason,
        "target": entry.title,
        "entry": wisdom_data(entry),
    }


def revoke(snapshot: Snapshot, title: str, reason: str, time: str) -> None:
    """Take one entry out."""
    entries = snapshot.wisdom()
    wanted = title.strip("* ")
    gone = next((e for e in entries if e.title == wanted), None)
    if gone is None:
        raise UnknownReference(ref=title, hint="`lithify wisdom show` lists the titles.")
    decision = _tombstone(gone, f"revoked by a person: {reason}")
    _write(
        snapshot, [e for e in entries if e is not gone], "revoke", {"decisions": [decision]}, time
    )


def _write(
    snapshot: Snapshot, entries: list[WisdomEntry], kind: str, facts: dict[str, object], time: str
) -> None:
    settings = snapshot.settings
    path = snapshot.shelf.wisdom.path if snapshot.shelf.wisdom else "WISDOM.md"
    data = render_wisdom(entries, settings.agent_name, time[:10], settings.wisdom.categories)
    facts = {**facts, "entries": len(entries), "bodies": {path: body_digest(data)}}
    store.commit(snapshot.root, {path: data}, kind, facts, time)


def proposal_id(text: str) -> str:
    """A short name for a proposal that follows from what it says."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]
