"""A person's decisions: memories accepted and dropped, wisdom approved, rejected and revoked."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from lithify.compact.decisions import Durability, newest, voices
from lithify.compact.ledger import REVOKED, Proposal, ledger_form, memory_data
from lithify.compact.lessons import commit_lessons
from lithify.compact.memories import (
    Remembered,
    bases_of,
    changed_files,
    memory_of,
    suggestions,
    week_of_memory,
    words_behind,
    words_key,
)
from lithify.compact.snapshot import Snapshot
from lithify.compact.wisdom import stands, tombstone, wisdom_file
from lithify.compact.workspace import Workspace
from lithify.errors import NeedsTerminal, UnknownReference, UsageError
from lithify.markdown.pages import body_digest
from lithify.secrets.rewrite import FORGOTTEN_KIND
from lithify.store import commit as store
from lithify.text.copies import sketch
from lithify.values import WisdomEntry

# Memories


def memories(snapshot: Snapshot) -> tuple[Remembered, ...]:
    """Return the memories in force, by their files."""
    bases = bases_of(snapshot)
    return tuple(
        Remembered(
            hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest(),
            bases.get(path, "adopted"),
            memory.type,
            memory.statement,
            memory.sources,
            memory.updated,
            path,
        )
        for path, memory in sorted(snapshot.memories().items())
    )


def find(snapshot: Snapshot, ref: str) -> Remembered:
    """Find a memory or suggestion by id, or a memory by path, its file's name or its last part."""
    in_force = memories(snapshot)
    for one in in_force:
        name = one.path.rpartition("/")[2]
        if ref in (one.id, one.path, name, name.removesuffix(".md")):
            return one
    for one in suggestions(snapshot):
        if ref == one.id:
            return one
    ending = f"-{ref}.md" if re.fullmatch("[0-9a-f]{4,}", ref) else None
    named = [one for one in in_force if ending and one.path.endswith(ending)]
    if len(named) == 1:
        return named[0]
    raise UnknownReference(ref=ref, hint="`lithify memories list` shows the ids.")


def accept(workspace: Workspace, id: str, time: str, *, at_terminal: bool) -> Remembered:
    """Make a suggestion a memory at once."""
    snapshot = workspace.snapshot
    chosen = next((one for one in suggestions(snapshot) if one.id == id), None)
    if chosen is None:
        raise UnknownReference(ref=id, hint="`lithify memories list --suggested` shows the ids.")
    if not chosen.trusted and not at_terminal:
        raise NeedsTerminal(action="Accepting a suggestion from an untrusted entry")
    entries = [snapshot.lookup(chosen.sources)[id] for id in chosen.sources]
    memory = ledger_form(memory_of(chosen.type, chosen.text, entries, "accepted"))
    week, lessons = week_of_memory(memory), snapshot.ledger.lessons
    marked = {**lessons.marked, week: (*lessons.marked.get(week, ()), memory)}
    facts = {"task": f"marks:{week}", "id": id, "memory": memory_data(memory)}
    commit_lessons(workspace, lessons._replace(marked=marked), facts, time, "accept")
    words = words_key(memory.statement)
    return next(
        one for one in memories(snapshot) if words in map(words_key, one.text.split("\n\n"))
    )


def drop(workspace: Workspace, ref: str, time: str) -> Remembered:
    """Take a memory out of force or dismiss a suggestion, for good.

    The days keep their lines, and the last version of the file is kept in history.
    """
    snapshot = workspace.snapshot
    chosen = find(snapshot, ref)
    words = {words_key(chosen.text)}
    if not chosen.path:
        workspace.note("drop", {"id": chosen.id, "words": sorted(words)}, time)
        return chosen
    words |= words_behind(snapshot, chosen.path)
    _drop_words(workspace, chosen, words, time, (chosen.path,))
    return chosen


def replace_by(workspace: Workspace, old: Remembered, new: str, time: str) -> None:
    """Drop the words of a memory or suggestion that a person has put others in place of."""
    behind = words_behind(workspace.snapshot, old.path) if old.path else set()
    _drop_words(workspace, old, {words_key(old.text), *behind} - {words_key(new)}, time)


def _drop_words(
    workspace: Workspace, one: Remembered, words: set[str], time: str, gone: Sequence[str] = ()
) -> None:
    """Take statements out of force for good, and the files at `gone` with them."""
    lessons = workspace.snapshot.ledger.lessons
    facts = {"id": one.id, "words": sorted(words)}
    without = lessons._replace(dropped=lessons.dropped | words)
    commit_lessons(workspace, without, facts, time, "drop", gone)


def rebuild(workspace: Workspace, time: str) -> None:
    """Make the files of memories what the ledger says, after something was taken out of it."""
    lessons = workspace.snapshot.ledger.lessons
    if changed_files(workspace.snapshot, lessons)[0]:
        commit_lessons(workspace, lessons, {}, time, FORGOTTEN_KIND)


# Wisdom


def decide_proposal(snapshot: Snapshot, id: str, approve: bool, time: str) -> None:
    """Carry out or discard one proposal, as a person says."""
    proposal = snapshot.ledger.wisdom.proposals.get(id)
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
    apply_proposals(snapshot, [proposal], time, "approved by a person")


def apply_proposals(snapshot: Snapshot, proposals: Sequence[Proposal], time: str, by: str) -> None:
    """Carry out proposals in one commit; `by` says on whose word."""
    entries = list(snapshot.wisdom())
    decisions: list[dict[str, object]] = []
    crowded = set(snapshot.ledger.wisdom.crowded)
    for one in proposals:
        reason = f"{by}: {one.reason}"
        if one.verb == "DROP":
            standing = _standing(snapshot, time)
            for gone in [entry for entry in entries if entry.title == one.target]:
                retired = {"retired": True, "on": standing.last_borne(gone)}
                decisions.append(tombstone(gone, reason) | retired)
                entries.remove(gone)
            continue
        assert one.entry is not None
        new = one.entry._replace(raw="")
        decisions.append(
            {
                "item": new.title,
                "verb": one.verb,
                "reason": reason,
                "target": new.title,
                "on": newest(new.sources),
                "marks": list(one.marks),
                "worded": True,
                "was": one.target or new.title,
                "united": list(one.united),
            }
        )
        place = next((n for n, e in enumerate(entries) if e.title == one.target), None)
        if place is not None:
            entries[place] = new
            united = [e for e in entries if e.title in one.united and e is not new]
            decisions += [tombstone(e, f"united with “{new.title}”") for e in united]
            entries = [e for e in entries if e not in united]
            continue
        if victim := _make_room(snapshot, entries, time):
            decisions.append(tombstone(victim, f"gave way to “{new.title}”"))
            crowded |= snapshot.ledger.wisdom.led.get(victim.title, frozenset())
        entries.append(new)
    facts: dict[str, object] = {"settled": [one.id for one in proposals], "decisions": decisions}
    if crowded != snapshot.ledger.wisdom.crowded:
        facts["crowded"] = sorted(crowded)
    _write(snapshot, entries, "approve", facts, time)


def _make_room(snapshot: Snapshot, entries: list[WisdomEntry], time: str) -> WisdomEntry | None:
    """Take the least durable entry out of a full list."""
    settings = snapshot.settings.wisdom
    if len(entries) < settings.max_entries:
        return None
    victim = _standing(snapshot, time).weakest(entries, ())
    if victim is None:
        raise UsageError(reason="WISDOM.md is full of entries written by hand; take one out first")
    return entries.pop(victim)


def _standing(snapshot: Snapshot, time: str) -> Durability:
    lines = snapshot.lookup([id for entry in snapshot.wisdom() for id in entry.sources])
    known = voices(lines.values())
    return Durability(snapshot.settings.wisdom, time[:10], snapshot.ledger.wisdom.reinforced, known)


def revoke(snapshot: Snapshot, title: str, reason: str, time: str) -> None:
    """Take one entry out of wisdom."""
    entries = snapshot.wisdom()
    wanted = title.strip("* ")
    gone = next((e for e in entries if e.title == wanted), None)
    if gone is None:
        raise UnknownReference(ref=title, hint="`lithify wisdom show` lists the titles.")
    decision = tombstone(gone, f"revoked by a person: {reason}")
    _write(
        snapshot, [e for e in entries if e is not gone], "revoke", {"decisions": [decision]}, time
    )


def revoke_source(workspace: Workspace, source: str, reason: str, time: str) -> tuple[str, ...]:
    """Withdraw an entry, or every entry of an origin, with the wisdom and memories that rest on it.

    The pages of its days are stale then. Returns the ids of the entries.
    """
    snapshot = workspace.snapshot
    paths = sorted(snapshot.shelf.day_paths)
    known = snapshot.ledger.captures.origins
    entries = [e for e in snapshot.entries(paths) if source in (e.id, known.get(e.id, e.origin))]
    if not entries:
        hint = "Give an entry's id, or an origin that `lithify trust` lists."
        raise UnknownReference(ref=source, hint=hint)
    ids = {entry.id for entry in entries}
    gone = [e for e in snapshot.wisdom() if not ids.isdisjoint(e.sources)]
    why = f"its source was withdrawn by a person: {reason}"
    facts: dict[str, object] = {
        "distrust": source,
        "withdrawn": sorted(ids),
        "days": sorted({entry.path for entry in entries}),
        "sketches": {entry.id: sketch(entry.text) for entry in entries},
        "origin": REVOKED,
        "reason": reason,
        "decisions": [tombstone(entry, why) for entry in gone],
    }
    if gone:
        kept = [entry for entry in snapshot.wisdom() if entry not in gone]
        _write(snapshot, kept, "revoke-source", facts, time)
    else:
        store.note(snapshot.root, "revoke-source", facts, time)
    return tuple(sorted(ids))


def _write(
    snapshot: Snapshot, entries: list[WisdomEntry], kind: str, facts: dict[str, object], time: str
) -> None:
    files = wisdom_file(snapshot, entries, time)
    bodies = {path: body_digest(data) for path, data in files.items() if data is not None}
    facts = {**facts, "entries": len(entries), "bodies": bodies}
    store.commit(snapshot.root, files, kind, facts, time)
