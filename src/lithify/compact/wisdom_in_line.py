"""Wisdom kept in line with the memories in force, and the items that it is made from.

What is dropped, superseded or ended leaves `WISDOM.md` in the same command, whichever that is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lithify.compact.decisions import HALF, is_foreign, newest
from lithify.compact.in_force import InForce
from lithify.compact.ledger import Ledger, Proposal, wisdom_data, wisdom_from
from lithify.compact.marks import RULES
from lithify.compact.snapshot import Snapshot
from lithify.compact.standing import Standing, StatementKey, words_key
from lithify.compact.workspace import Workspace
from lithify.markdown.pages import closed, render_wisdom, rule_entry
from lithify.text.occurrences import FORGOTTEN
from lithify.text.words import content_stems
from lithify.trust import is_trusted
from lithify.values import Claim, Item, TypedMemory, WisdomEntry


def material(snapshot: Snapshot, held: InForce | None = None) -> tuple[Item, ...]:
    """Return the items of every typed memory in force and every bullet of the months."""
    pages = sorted(snapshot.shelf.months.items())
    held = held or InForce(snapshot)
    memories = held.statements
    resting = {id for memory in memories for id in memory.sources}
    resting.update(id for _, page in pages for id in snapshot.cited_by(page))
    # All ids are looked up together, so that each day is read once.
    cited = snapshot.lookup(list(resting))
    # A month may still tell a rule that holds no more; what it tells of one that holds is said already.
    marked = {id for memory in memories if memory.basis == "marked" for id in memory.sources}
    months = {
        label: [
            claim
            for claim in snapshot.claims(page)
            if not held.tells_withdrawn(claim.text, claim.sources)
            and not (claim.sources and marked.issuperset(claim.sources))
        ]
        for label, page in pages
    }
    told = {id for claims in months.values() for claim in claims for id in claim.sources}
    # A bullet that names no source cites itself.
    cited |= snapshot.lookup(list(told - cited.keys()))

    def origin_of(sources: Sequence[str]) -> str:
        origins = [cited[id].origin for id in sources if id in cited]
        if any(cited[id].quoted for id in sources if id in cited) and all(map(is_trusted, origins)):
            return "quoted"
        return next((origin for origin in origins if not is_trusted(origin)), "file")

    return items_of(memories, months, origin_of)


def items_of(
    memories: Sequence[TypedMemory],
    months: Mapping[str, Sequence[Claim]],
    origin_of: Callable[[Sequence[str]], str],
) -> tuple[Item, ...]:
    """Return the items that wisdom is made from, each statement once."""
    found: list[Item] = []
    for memory in memories:
        text = item_text(memory)
        origin = origin_of(memory.sources)
        item = Item("", text, memory.sources, origin, memory.type, memory.name, memory.basis)
        day = newest(memory.sources) or memory.updated
        found.append(item._replace(how=memory.how, day=day))
    for month in sorted(months):
        for claim in months[month]:
            origin = origin_of(claim.sources)
            if not claim.trusted and is_trusted(origin):
                # A bullet marked unverified stays so, even if its sources can no longer be found.
                origin = "import:unknown"
            day = newest(claim.sources) or month
            found.append(Item("", claim.text, claim.sources, origin, day=day))
    return tuple({fingerprint(item): item for item in found}.values())


def item_text(memory: TypedMemory) -> str:
    """Return what a memory says as an item: its statement and its reason, as sentences."""
    return closed(memory.statement) + (f" Why: {closed(memory.why)}" if memory.why else "")


def fingerprint(item: Item) -> str:
    """Return a digest of what an item says and its basis, whatever its id, sources and How."""
    # A found memory that is marked or accepted later counts as a new item.
    word = f"\0{item.basis}" if item.basis in ("marked", "accepted") else ""
    text = f"{item.type or ''}\0{item.text}{word}"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def item_mark(memory: TypedMemory) -> str:
    """Return the fingerprint of the item that a statement makes."""
    return fingerprint(*items_of([memory], {}, lambda sources: "file"))


class InLine(NamedTuple):
    """Wisdom without what is not in force any more, and what the journal is to keep of the change.

    `judged` are the items that are decided on by it, `unjudged` those that come up again.
    """

    entries: tuple[WisdomEntry, ...]
    decisions: tuple[dict[str, Any], ...] = ()
    judged: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()


def in_line(snapshot: Snapshot, held: InForce) -> InLine:
    """Return wisdom as the memories in force have it.

    An entry of one statement that was superseded says the newer one, if that is a rule somebody
    marked. An entry that says a statement in force stays. Another of which anything was dropped, or
    replaced by something else, goes, and so does one whose words were taken back; what else it was made
    of is decided on again. One that went so comes back with its statements. What a person wrote by
    hand stays.
    """
    out = held.standing.out
    entries: list[WisdomEntry] = []
    decisions: list[dict[str, Any]] = []
    judged, unjudged = set[str](), set[str]()
    ledger = snapshot.ledger
    told = {words_key(entry.text) for entry in snapshot.wisdom()}
    for place, entry in enumerate(snapshot.wisdom()):
        rule = entry.text.partition(" Why: ")[0]
        why = "its words were forgotten" if _is_forgotten(rule) else ""
        if words_key(rule) in ledger.lessons.undone:
            why = "the edit that brought it was taken back"
        if why:
            decisions.append(tombstone(entry._replace(raw=""), why))
            unjudged |= ledger.wisdom.led.get(entry.title, frozenset())
            continue
        keys = behind(entry, ledger, held.standing)
        gone = [key for key in keys if key in out]
        in_force = (held.standing.statements[key] for key in keys if key not in out)
        # An entry that took over a newer value says just that; what it said before led to it too.
        if not gone or any(words_key(item_text(m)) == words_key(entry.text) for m in in_force):
            entries.append(entry)
            continue
        newer = _successor(gone[0], held.standing)
        why = _why_gone(gone[0], held.standing)
        marks = {item_mark(held.standing.statements[key]) for key in keys}
        stone = tombstone(entry._replace(raw=""), why) | {"place": place}
        stone |= {"words": [words for _, words in keys], "marks": sorted(marks)}
        # Only a rule that somebody marked is put in the place of an entry by code.
        marked = newer and newer.basis != "found" and newer.type in RULES
        auto = marked and len(keys) == 1 and snapshot.settings.wisdom.review == "auto"
        if newer and auto and words_key(item_text(newer)) not in told:
            told.add(words_key(item_text(newer)))
            taken = {e.title for e in entries}
            new = rule_entry(item_text(newer), newer.name, newer.sources, entry.category, taken)
            entries.append(new)
            mark = item_mark(newer)
            facts = {"target": new.title, "was": entry.title, "worded": True}
            facts |= {"on": newest(newer.sources), "mark": mark}
            decisions.append({"item": new.title, "verb": "MERGE", "reason": why, **facts})
            judged.add(mark)
        decisions.append(stone)
        # What comes back into force is decided on again.
        unjudged |= marks
    for entry, left in _back_in_force(snapshot, held):
        taken = {known for e in entries for known in (e.title, words_key(e.text))}
        if taken.isdisjoint((entry.title, words_key(entry.text))) and (
            len(entries) < snapshot.settings.wisdom.max_entries
        ):
            entries.insert(min(left["place"], len(entries)), entry)
            facts = {"target": entry.title, "marks": left["marks"], "on": newest(entry.sources)}
            decisions.append({"item": entry.title, "verb": "ADD", "reason": "restored", **facts})
            judged.update(left["marks"])
    return InLine(tuple(entries), tuple(decisions), tuple(sorted(judged)), tuple(sorted(unjudged)))


def _back_in_force(
    snapshot: Snapshot, held: InForce
) -> Iterator[tuple[WisdomEntry, Mapping[str, Any]]]:
    """Yield the entries that went with statements which are all in force again, nothing decided since."""
    wisdom, standing = snapshot.ledger.wisdom, held.standing
    in_force = {words for _, words in standing.statements.keys() - standing.out.keys()}
    last = {str(one.get("target")): one for one in wisdom.decisions}
    for stone in last.values():
        if stone["verb"] == "DROP" and stone.get("words") and in_force.issuperset(stone["words"]):
            entry = wisdom_from(stone["entry"])
            if (wisdom.judged | wisdom.barred).isdisjoint(stone["marks"]) and all(
                map(snapshot.resolves, entry.sources)
            ):
                yield entry, stone


def _is_forgotten(rule: str) -> bool:
    """Tell whether nothing is left of a rule."""
    return rule.startswith(FORGOTTEN) and not rule.removeprefix(FORGOTTEN).strip(". ")


def bring_in_line(workspace: Workspace, begin: Callable[[], str]) -> tuple[str, ...]:
    """Change `WISDOM.md` where it holds what is not in force any more; say what was changed.

    Proposals that rest on such statements are withdrawn, and their items come up again.
    """
    snapshot = workspace.snapshot
    ledger = snapshot.ledger
    if not snapshot.shelf.wisdom and not ledger.wisdom.proposals:
        return ()
    held = InForce(snapshot, workspace.ask.today.isoformat())
    if not (
        held.standing.out
        or ledger.lessons.undone
        or ledger.wisdom.proposals
        or any(one.get("words") for one in ledger.wisdom.tombstones)
        or any(_is_forgotten(entry.text) for entry in snapshot.wisdom())
    ):
        return ()
    new = in_line(snapshot, held)
    valid = valid_proposals(snapshot, held)
    settled = [id for id in ledger.wisdom.proposals if id not in valid]
    if not new.decisions and not settled:
        return ()
    time = begin()
    files = wisdom_file(snapshot, new.entries, time) if new.decisions else {}
    unjudged = {*new.unjudged, *(m for id in settled for m in ledger.wisdom.proposals[id].marks)}
    facts: dict[str, Any] = {
        "decisions": [*new.decisions, *(withdrawn_proposal(snapshot, id) for id in settled)],
        "judged": list(new.judged),
        "unjudged": sorted(unjudged - set(new.judged)),
        "settled": settled,
    }
    facts = {name: value for name, value in facts.items() if value}
    if files:
        facts["entries"] = len(new.entries)
    workspace.commit(files, facts, time, "in-force")
    snapshot.rescan()
    return tuple(f"{one['item']}: {one['reason']}" for one in facts["decisions"])


def behind(
    entry: WisdomEntry, ledger: Ledger, standing: Standing, marks: Collection[str] = ()
) -> list[StatementKey]:
    """Return the statements that an entry was made of: by its decisions, else by lines and words.

    An entry in the words of a statement is that statement. `marks` are further items that led to it.
    """
    if is_foreign(entry):
        return []
    own_words = words_key(entry.text)
    itself = [k for k, m in standing.statements.items() if words_key(item_text(m)) == own_words]
    if itself:
        return itself
    led = {*ledger.wisdom.led.get(entry.title, ()), *marks}
    own, found = content_stems(entry.text), []
    for key, memory in standing.statements.items():
        words = content_stems(memory.statement)
        shares = not set(memory.sources).isdisjoint(entry.sources)
        tells = bool(words) and len(words & own) >= HALF * len(words)
        if item_mark(memory) in led or (shares and tells):
            found.append(key)
    return found


def _successor(key: StatementKey, standing: Standing) -> TypedMemory | None:
    """Return the statement in force that took the place of another, if there is one."""
    seen = set()
    while (out := standing.out.get(key)) and key not in seen:
        seen.add(key)
        key = (key[0], out.successor)
    return standing.statements.get(key) if key not in seen else None


def _why_gone(key: StatementKey, standing: Standing) -> str:
    """Say why a statement is not in force any more."""
    out = standing.out[key]
    if out.state == "ended":
        return f"held until {out.on}"
    newer = standing.statements.get((key[0], out.successor))
    how = "edited" if newer and out.state == "dropped" else out.state
    return f"{how} on {out.on}" + (f": {newer.statement}" if newer else "")


def valid_proposals(snapshot: Snapshot, held: InForce | None = None) -> frozenset[str]:
    """Return the proposals that still rest on what they were made from."""
    proposals = snapshot.ledger.wisdom.proposals
    everything = {fingerprint(item) for item in material(snapshot, held)} if proposals else set()
    return frozenset(id for id, one in proposals.items() if stands(snapshot, one, everything))


def stands(snapshot: Snapshot, proposal: Proposal, everything: Collection[str]) -> bool:
    """Tell whether a proposal still rests on what it was made from.

    Its sources exist, its items are among `everything` that is in force, and the entry that it
    changes says what it said.
    """
    if proposal.entry and not all(map(snapshot.resolves, proposal.entry.sources)):
        return False
    if not set(proposal.marks) <= set(everything):
        return False
    if not proposal.before:
        return True
    return any(
        entry.title == proposal.target and entry.text == proposal.before
        for entry in snapshot.wisdom()
    )


def tombstone(entry: WisdomEntry, reason: str) -> dict[str, Any]:
    """Return the decision to drop an entry, as the journal keeps it."""
    data, title = wisdom_data(entry), entry.title
    return {"item": title, "verb": "DROP", "reason": reason, "target": title, "entry": data}


def wisdom_file(
    snapshot: Snapshot, entries: Sequence[WisdomEntry], time: str
) -> dict[str, bytes | None]:
    """Return the file of wisdom with these entries, by its path."""
    settings, page = snapshot.settings, snapshot.shelf.wisdom
    data = render_wisdom(entries, settings.agent_name, time[:10], settings.wisdom.categories)
    return {page.path if page else "WISDOM.md": data}


def withdrawn_proposal(snapshot: Snapshot, id: str) -> dict[str, Any]:
    proposal = snapshot.ledger.wisdom.proposals[id]
    title = proposal.entry.title if proposal.entry else proposal.target
    return {
        "item": snapshot.redacted(title),
        "verb": "DROP",
        "reason": "proposal withdrawn: the days no longer say it so",
    }
