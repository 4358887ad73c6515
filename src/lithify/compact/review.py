"""A person's decisions: memories accepted and dropped, wisdom approved, rejected and revoked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lithify.compact.decisions import Durability, newest, voices
from lithify.compact.in_force import InForce, Remembered, held_marks, in_force
from lithify.compact.ledger import (
    REVOKED,
    Proposal,
    as_decision,
    ledger_form,
    memory_data,
    wisdom_from,
)
from lithify.compact.lessons import commit_lessons
from lithify.compact.memories import changed_files, memory_of, week_of_memory, words_behind
from lithify.compact.plan import Ask
from lithify.compact.snapshot import Snapshot
from lithify.compact.standing import StatementKey, words_key
from lithify.compact.wisdom import marked_lines
from lithify.compact.wisdom_in_line import behind, bring_in_line, item_mark, tombstone, wisdom_file
from lithify.compact.workspace import Workspace
from lithify.errors import UnknownReference, UsageError
from lithify.secrets.rewrite import FORGOTTEN_KIND
from lithify.text.copies import sketch
from lithify.trust import require
from lithify.values import Speaker, WisdomEntry

# Memories


def memories(snapshot: Snapshot, ask: Ask) -> tuple[Remembered, ...]:
    """Return the memories in force, by their files; then labelled lines that have none yet."""
    return tuple(in_force(snapshot, ask).remembered())


def find(snapshot: Snapshot, ref: str, ask: Ask) -> Remembered:
    """Find a memory or what waits to be one by id, or a memory by path, file name or the id of its entry."""
    now = in_force(snapshot, ask)
    held, ref = tuple(now.remembered()), now.named_by(ref)
    for one in held:
        name = one.path.rpartition("/")[2]
        if ref in (one.id, one.path, name, name.removesuffix(".md")):
            return one
    for one in held_marks(snapshot):
        if ref == one.id:
            return one
    ending = f"-{ref}.md" if re.fullmatch("[0-9a-f]{4,}", ref) else None
    named = [one for one in held if ending and one.path.endswith(ending)]
    named = named or [one for one in held if words_key(ref) in map(words_key, _texts(one))]
    if len(named) == 1:
        return named[0]
    raise UnknownReference(ref=ref, hint="`lithify memories list` shows the ids.")


def find_gone(snapshot: Snapshot, ref: str, ask: Ask) -> Remembered:
    """Find a statement that is no longer in force by id, by its words, or by the file it was in."""
    held = in_force(snapshot, ask)
    gone, ref = list(held.gone()), held.named_by(ref)
    wanted = words_key(ref)
    found = [one for one in gone if ref == one.id or words_key(one.text) == wanted]
    if not found:
        words = next((w for one, w in _dropped_together(snapshot) if ref in one), frozenset())
        found = [one for one in gone if words_key(one.text) in words]
    if not found:
        hint = "`lithify memories list --gone` shows what is not in force."
        raise UnknownReference(ref=ref, hint=hint)
    return found[-1]


def _texts(one: Remembered) -> list[str]:
    return one.text.split("\n\n")


def _dropped_together(snapshot: Snapshot) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Yield the names under which words were dropped, and the words, the latest first."""
    for record in map(as_decision, reversed(snapshot.records)):
        if record.kind == "drop":
            path = str(record.data.get("path", ""))
            name = path.rpartition("/")[2]
            names = {str(record.data.get("id", "")), path, name, name.removesuffix(".md")} - {""}
            yield frozenset(names), frozenset(record.data["words"])


def accept(workspace: Workspace, id: str, time: str) -> Remembered:
    """Make a memory of a mark that waits for a person. A person's act."""
    snapshot = workspace.snapshot
    chosen = next((one for one in held_marks(snapshot) if one.id == id), None)
    if chosen is None:
        raise UnknownReference(ref=id, hint="`lithify review` shows the ids of what waits.")
    entries = [snapshot.lookup(chosen.sources)[id] for id in chosen.sources]
    made = memory_of(chosen.type, chosen.text, entries, "accepted")
    memory = ledger_form(made._replace(by="person", when=chosen.when))
    week, lessons = week_of_memory(memory), snapshot.ledger.lessons
    marked = {**lessons.marked, week: (*lessons.marked.get(week, ()), memory)}
    facts = {"task": f"marks:{week}", "id": id, "memory": memory_data(memory)}
    commit_lessons(workspace, lessons._replace(marked=marked), facts, time, "accept")
    words = words_key(memory.statement)
    held = memories(snapshot, workspace.ask)
    return next(one for one in held if words in map(words_key, _texts(one)))


def drop(
    workspace: Workspace, ref: str, time: str, *, by: str = "user", reason: str = ""
) -> Remembered:
    """Take a memory out of force, or decline what waits to be one, until it is restored.

    The days keep their lines, and the last version of the file is kept in history. What wisdom
    has of it goes with it.
    """
    snapshot = workspace.snapshot
    chosen = find(snapshot, ref, workspace.ask)
    _require_right(chosen, by, "Dropping", f"drop {chosen.id}")
    words = {words_key(chosen.text)}
    if not chosen.path:
        workspace.note("drop", {"id": chosen.id, "words": sorted(words)}, time)
        return chosen
    # What was dropped before stays so when this is restored.
    words |= words_behind(snapshot, chosen.path) - snapshot.ledger.lessons.dropped.keys()
    facts: dict[str, Any] = {"id": chosen.id, "words": sorted(words)}
    facts |= {"by": _speaker(by), "path": chosen.path} | _because(reason)
    lessons = snapshot.ledger.lessons
    dropped = {**lessons.dropped, **dict.fromkeys(words, time[:10])}
    without = lessons._replace(dropped=dropped)
    commit_lessons(workspace, without, facts, time, "drop", {chosen.path: None})
    return chosen


def require_right_to_edit(one: Remembered, by: str) -> None:
    """Refuse to edit what a person asked to keep, or what is not trusted, in another's name."""
    _require_right(one, by, "Editing", f"edit {one.id}")
    if not one.trusted:
        require("decide", by, "Editing a line that is not trusted")


def dropped_for(
    snapshot: Snapshot, old: Remembered, new: str, by: str, reason: str = ""
) -> dict[str, Any]:
    """Return what the journal says of the words of a memory that others replace."""
    behind = words_behind(snapshot, old.path) if old.path else set()
    before = snapshot.ledger.lessons.dropped.keys()
    words = {words_key(old.text), *(behind - before)} - {words_key(new)}
    facts: dict[str, Any] = {"id": old.id, "words": sorted(words), "instead": words_key(new)}
    return facts | {"by": _speaker(by), "path": old.path} | _because(reason) if words else {}


def restore(
    workspace: Workspace, ref: str, time: str, *, by: str = "user", reason: str = ""
) -> Remembered:
    """Take back that something was dropped, edited or superseded by somebody's choice."""
    snapshot = workspace.snapshot
    chosen = find_gone(snapshot, ref, workspace.ask)
    _require_right(chosen, by, "Restoring", f"restore {chosen.id}")
    words, lessons = words_key(chosen.text), snapshot.ledger.lessons
    facts: dict[str, Any] = {"by": _speaker(by)} | _because(reason)
    if chosen.status == "superseded":
        pair = frozenset((words, words_key(chosen.because)))
        if pair not in lessons.settled:
            reason = f"it was superseded on {chosen.on} by: {chosen.because}"
            hint = f"lithify memories keep-both {chosen.id} … keeps both in force"
            raise UsageError(reason=f"{reason}; {hint}")
        settled = {p: newer for p, newer in lessons.settled.items() if p != pair}
        without = lessons._replace(settled=settled)
        commit_lessons(workspace, without, {"pair": sorted(pair), **facts}, time, "unsettle")
        return chosen
    if chosen.status == "ended":
        raise UsageError(reason=f"it held until {chosen.on}; remember it again, without --until")
    last = next(
        r
        for r in map(as_decision, reversed(snapshot.records))
        if r.kind == "drop" and words in r.data["words"]
    )
    back = set(map(str, last.data["words"]))
    undone = {str(last.data["instead"])} if last.data.get("instead") else set[str]()
    dropped = {w: on for w, on in lessons.dropped.items() if w not in back}
    instead = {w: other for w, other in lessons.instead.items() if w not in back}
    with_them = lessons._replace(
        dropped=dropped, instead=instead, undone=lessons.undone - back | undone
    )
    facts |= {"words": sorted(back), "undone": sorted(undone)}
    commit_lessons(workspace, with_them, facts, time, "restore")
    return chosen


def settle(
    workspace: Workspace,
    refs: tuple[str, str],
    time: str,
    *,
    newer: bool,
    by: str = "user",
    reason: str = "",
) -> tuple[Remembered, Remembered]:
    """Say of two memories that both hold, or that the second takes the place of the first."""
    snapshot, ask = workspace.snapshot, workspace.ask
    one, other = (any_memory(snapshot, ref, ask) for ref in refs)
    for each in (one, other):
        command = "supersede" if newer else "keep-both"
        _require_right(each, by, "Settling", f"{command} {one.id} {other.id}")
    pair = tuple(words_key(_texts(each)[0]) for each in (one, other))
    if pair[0] == pair[1]:
        raise UsageError(reason=f"{refs[0]} and {refs[1]} are one memory; name two")
    chosen = pair[1] if newer else ""
    lessons = snapshot.ledger.lessons
    settled = {**lessons.settled, frozenset(pair): chosen}
    facts = {"pair": sorted(pair), "newer": chosen, "by": _speaker(by)}
    facts |= _because(reason)
    commit_lessons(workspace, lessons._replace(settled=settled), facts, time, "settle")
    return one, other


def words_told_of(snapshot: Snapshot, ref: str, ask: Ask) -> frozenset[str]:
    """Return the words of all that ever stood in the file of a memory, or of a statement gone."""
    one = any_memory(snapshot, ref, ask)
    behind = words_behind(snapshot, one.path) if one.path else set[str]()
    return frozenset({*behind, *map(words_key, _texts(one))})


def any_memory(snapshot: Snapshot, ref: str, ask: Ask) -> Remembered:
    """Find a memory that is in force or no longer is; by its words, that statement alone."""
    try:
        one = find(snapshot, ref, ask)
        named = [text for text in _texts(one) if words_key(text) == words_key(ref)]
        return one._replace(text=named[0]) if named else one
    except UnknownReference:
        return find_gone(snapshot, ref, ask)


def _because(reason: str) -> dict[str, str]:
    """Return a reason as the journal keeps it, if one was given."""
    return {"reason": reason} if reason else {}


def _require_right(one: Remembered, by: str, action: str, command: str) -> None:
    """Refuse what is not done at once in this name: a person's marks and files are a person's."""
    if one.by == "person" or one.status == "adopted":
        what = f"{action} what counts as a person's ({one.whose})"
        require("correct a mark", by, what, f"Ask them for: lithify memories {command}")
    require("correct", by, f"{action} a memory after untrusted text")


def _speaker(by: str) -> Speaker:
    return "person" if by == "user" else "agent"


def rebuild(workspace: Workspace, time: str, kind: str = FORGOTTEN_KIND) -> None:
    """Make the files of memories what the ledger says, after something was taken out of it."""
    lessons = workspace.snapshot.ledger.lessons
    if changed_files(workspace.snapshot, lessons)[0]:
        commit_lessons(workspace, lessons, {}, time, kind)
    else:
        bring_in_line(workspace, lambda: time)


# Wisdom


def decide_proposal(workspace: Workspace, id: str, approve: bool, time: str) -> None:
    """Carry out or discard one proposal, as a person says."""
    snapshot = workspace.snapshot
    proposal = snapshot.ledger.wisdom.proposals.get(id)
    if proposal is None:
        raise UnknownReference(ref=id, hint="`lithify review --list` shows the proposals.")
    if not approve or proposal.entry is None:
        workspace.note("reject", {"id": id}, time)
        return
    # One whose ground has changed is withdrawn, so that old words never come back.
    bring_in_line(workspace, lambda: time)
    if id not in workspace.snapshot.ledger.wisdom.proposals:
        raise UsageError(
            reason=f"what proposal {id} rests on has changed, so it was withdrawn; "
            "`lithify compact` proposes what the days say now"
        )
    apply_proposals(workspace, [proposal], time, "approved by a person")


def apply_proposals(
    workspace: Workspace, proposals: Sequence[Proposal], time: str, by: str
) -> None:
    """Carry out proposals in one commit; `by` says on whose word."""
    snapshot = workspace.snapshot
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
    facts["entries"] = len(entries)
    if crowded != snapshot.ledger.wisdom.crowded:
        facts["crowded"] = sorted(crowded)
    workspace.commit(wisdom_file(snapshot, entries, time), facts, time, "approve")


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
    known, marked = voices(lines.values()), marked_lines(InForce(snapshot, time[:10]))
    reinforced = snapshot.ledger.wisdom.reinforced
    return Durability(snapshot.settings.wisdom, time[:10], reinforced, known, marked)


def revoke(workspace: Workspace, title: str, reason: str, time: str) -> None:
    """Take one entry out of wisdom, and the rule out of force that it is made of, if it is of one."""
    snapshot = workspace.snapshot
    entries = list(snapshot.wisdom())
    place, gone = _entry_named(entries, title)
    held = InForce(snapshot, workspace.ask.today.isoformat())
    # What it was made of may have been superseded or dropped since, and stays so.
    keys = [k for k in behind(gone, snapshot.ledger, held.standing) if k not in held.standing.out]
    marks = sorted({item_mark(held.standing.statements[key]) for key in keys})
    decision = tombstone(gone, f"revoked by a person: {reason}") | {"marks": marks, "place": place}
    decision["words"] = [words for _, words in keys]
    lessons = snapshot.ledger.lessons
    facts: dict[str, Any] = {"decisions": [decision], "entries": len(entries) - 1}
    facts |= {"by": "person", "reason": reason}
    if len(keys) == 1:
        facts["words"] = [keys[0][1]]
        lessons = lessons._replace(dropped={**lessons.dropped, keys[0][1]: time[:10]})
    del entries[place]
    files = wisdom_file(snapshot, entries, time)
    commit_lessons(workspace, lessons, facts, time, "revoke", files)


class EntryToRestore(NamedTuple):
    """An entry that was taken out last, with the decision that did it and what it was made of."""

    entry: WisdomEntry
    stone: Mapping[str, Any]
    behind: Sequence[StatementKey]


def entry_to_restore(snapshot: Snapshot, title: str, held: InForce) -> EntryToRestore:
    """Return the entry of a title that was revoked or dropped last, if it can be put back."""
    wanted = title.strip("* ")
    stones = [t for t in snapshot.ledger.wisdom.tombstones if t.get("target") == wanted]
    if not stones:
        raise UnknownReference(ref=title, hint="`lithify wisdom log --verb DROP` lists what went.")
    if any(entry.title == wanted for entry in snapshot.wisdom()):
        raise UsageError(reason=f"“{wanted}” is in WISDOM.md already")
    stone = stones[-1]
    entry = wisdom_from(stone["entry"])
    keys = behind(entry, snapshot.ledger, held.standing, stone.get("marks", ()))
    if "words" in stone:
        keys = [key for key in keys if key[1] in stone["words"]]
    for key in keys:
        out = held.standing.out.get(key)
        if out and out.state != "dropped":
            words = held.standing.statements[key].statement
            reason = f"“{wanted}” is {out.state} since {out.on}"
            raise UsageError(reason=f"{reason}: `lithify memories restore '{words}'` comes first")
    return EntryToRestore(entry, stone, keys)


def restore_entry(workspace: Workspace, title: str, time: str) -> None:
    """Put an entry back that was revoked or dropped last, and in force what it is made of."""
    snapshot, wanted = workspace.snapshot, title.strip("* ")
    entries = list(snapshot.wisdom())
    held = InForce(snapshot, workspace.ask.today.isoformat())
    entry, stone, keys = entry_to_restore(snapshot, title, held)
    if victim := _make_room(snapshot, entries, time):
        raise UsageError(
            reason=f"there is no room; revoke an entry first, such as “{victim.title}”"
        )
    back = {words for _, words in keys}
    lessons = snapshot.ledger.lessons
    dropped = {words: on for words, on in lessons.dropped.items() if words not in back}
    entries.insert(min(int(stone.get("place", len(entries))), len(entries)), entry)
    decision: dict[str, Any] = {
        "item": wanted,
        "verb": "ADD",
        "reason": "restored by a person",
        "target": wanted,
    }
    decision |= {"on": newest(entry.sources), "marks": list(stone.get("marks", ()))}
    facts: dict[str, Any] = {"decisions": [decision], "entries": len(entries)}
    facts |= {"words": sorted(back), "judged": list(stone.get("marks", ())), "by": "person"}
    files = wisdom_file(snapshot, entries, time)
    lessons = lessons._replace(dropped=dropped)
    commit_lessons(workspace, lessons, facts, time, "restore", files)


def confirm(workspace: Workspace, title: str, time: str) -> None:
    """Note that a person bears an entry out today: it is not stale from now on."""
    entries = workspace.snapshot.wisdom()
    _, entry = _entry_named(entries, title)
    decision = {"item": entry.title, "verb": "MERGE", "reason": "confirmed by a person"}
    decision |= {"target": entry.title, "on": workspace.ask.today.isoformat()}
    workspace.note("confirm", {"decisions": [decision]}, time)


def _entry_named(entries: Sequence[WisdomEntry], title: str) -> tuple[int, WisdomEntry]:
    """Return the entry with a title, or whose words these are, and its place."""
    wanted = title.strip("* ")
    for place, entry in enumerate(entries):
        if entry.title == wanted or words_key(entry.text) == words_key(wanted):
            return place, entry
    raise UnknownReference(ref=title, hint="`lithify wisdom show` lists the titles.")


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
        facts["entries"] = len(kept)
        workspace.commit(wisdom_file(snapshot, kept, time), facts, time, "revoke-source")
    else:
        workspace.note("revoke-source", facts, time)
    return tuple(sorted(ids))
