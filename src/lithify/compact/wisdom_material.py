"""What wisdom is made from: the entries that still hold, and the items without a decision.

Entries whose days were edited are checked first. One that nothing supports any more is dropped, and
the items that led to it are decided on again. So every run ends as if the days had always been as
they are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lithify.compact.ledger import Ledger
from lithify.compact.plan import has_room, waiting_for_room
from lithify.compact.review import stands
from lithify.compact.snapshot import Snapshot
from lithify.compact.typed import bases_of
from lithify.compact.wisdom_decisions import Standing, newest, voices
from lithify.compact.wisdom_grounds import Grounds, grounded
from lithify.trust import is_trusted
from lithify.values import Age, Claim, Item, TypedMemory, WisdomEntry


@dataclass(frozen=True, slots=True)
class Docket:
    """What a run of wisdom begins with: the entries that still hold, and the items to decide on.

    `dropped` are the entries and `withdrawn` the proposals that nothing supports any more.
    `unjudged` are the items that no longer count as decided on; `crowded` are those that only a
    lack of room keeps out. `borne_out` has the last day that supports each entry, by title, and
    `voices` who says each source.
    """

    entries: tuple[WisdomEntry, ...]
    items: tuple[Item, ...]
    dropped: tuple[tuple[WisdomEntry, str], ...] = ()
    withdrawn: tuple[str, ...] = ()
    unjudged: frozenset[str] = frozenset()
    crowded: frozenset[str] = frozenset()
    borne_out: Mapping[str, str] = field(default_factory=dict)
    voices: Mapping[str, str] = field(default_factory=dict)


def docket(snapshot: Snapshot) -> Docket:
    """The entries in force that their sources support, and every item without a decision."""
    ledger, before = snapshot.ledger, snapshot.wisdom()
    everything = {fingerprint(item): item for item in material(snapshot)}
    lines = snapshot.lookup([id for entry in before for id in entry.sources])
    cited = snapshot.lookup([id for item in everything.values() for id in item.sources])
    grounds = Grounds(snapshot.resolves, lines, everything, ledger.worded)
    entries, dropped = grounded(before, grounds)
    titles = {entry.title for entry in entries}
    withdrawn = [
        id
        for id, proposal in ledger.proposals.items()
        if not stands(snapshot, proposal)
        or not everything.keys() >= set(ledger.proposed[id])
        or (proposal.verb == "DROP" and proposal.target not in titles)
    ]
    again = {mark for id in withdrawn for mark in ledger.proposed[id]}
    again.update(mark for entry, _ in dropped for mark in ledger.led.get(entry.title, ()))
    crowded = ledger.crowded & everything.keys() - ledger.barred
    waiting = len(waiting_for_room(ledger) - set(withdrawn))
    if has_room(len(entries), waiting, snapshot.settings.wisdom):
        again |= crowded
        crowded = set()
    # The items behind an entry that its writer dropped come up again when newer days say them.
    said = {mark: newest(item.sources) for mark, item in everything.items()}
    retired = {mark for mark, day in ledger.retired.items() if said.get(mark, "") <= day}
    again |= ledger.retired.keys() - retired
    # An item that went and came back counts as new, unless a person ruled it out. If the file
    # is gone, all items do.
    gone = ledger.judged - everything.keys()
    again |= gone if snapshot.shelf.wisdom else ledger.judged - retired
    again &= ledger.judged - ledger.barred
    left = ledger.judged - again
    return Docket(
        entries,
        tuple(item for mark, item in everything.items() if mark not in left),
        dropped,
        tuple(withdrawn),
        frozenset(again),
        frozenset(crowded),
        _borne_out(ledger, everything),
        voices([*lines.values(), *cited.values()]),
    )


def _borne_out(ledger: Ledger, everything: Mapping[str, Item]) -> dict[str, str]:
    """The last day that supports each entry: of its decisions, and of its items as they are now."""
    found = dict(ledger.reinforced)
    for title, marks in ledger.led.items():
        items = [everything[mark] for mark in marks if mark in everything]
        days = [newest(item.sources) for item in items if is_trusted(item.origin)]
        found[title] = max([found.get(title, ""), *days])
    return found


def ages(snapshot: Snapshot, today: str) -> tuple[Age, ...]:
    """The age of every entry in force."""
    everything = {fingerprint(item): item for item in material(snapshot)}
    borne_out = _borne_out(snapshot.ledger, everything)
    return tuple(map(Standing(snapshot.settings.wisdom, today, borne_out).age, snapshot.wisdom()))


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
        if any(cited[id].quoted for id in sources if id in cited) and all(map(is_trusted, origins)):
            return "quoted"
        return next((origin for origin in origins if not is_trusted(origin)), "file")

    return items_of(memories, months, origin_of)


def in_force(snapshot: Snapshot) -> list[TypedMemory]:
    """The typed memories on disk, each with its basis."""
    bases = bases_of(snapshot)
    found = sorted(snapshot.memories().items())
    return [memory._replace(basis=bases.get(path, "found")) for path, memory in found]


def lanes(items: Sequence[Item]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """The trusted items and the others, each lane numbered by itself."""
    trusted = [item for item in items if is_trusted(item.origin)]
    others = [item for item in items if not is_trusted(item.origin)]
    return numbered(trusted), numbered(others)


def items_of(
    memories: Sequence[TypedMemory],
    months: Mapping[str, Sequence[Claim]],
    origin_of: Callable[[Sequence[str]], str],
) -> tuple[Item, ...]:
    """The items that wisdom is made from, each statement once."""
    found: list[Item] = []
    for memory in memories:
        text = memory.statement + (f" Why: {memory.why}" if memory.why else "")
        origin = origin_of(memory.sources)
        item = Item("", text, memory.sources, origin, memory.type, memory.name, memory.basis)
        found.append(item._replace(how=memory.how, day=newest(memory.sources) or memory.updated))
    for month in sorted(months):
        for claim in months[month]:
            origin = origin_of(claim.sources) if claim.trusted else _lowest(claim, origin_of)
            day = newest(claim.sources) or month
            found.append(Item("", claim.text, claim.sources, origin, day=day))
    return tuple({fingerprint(item): item for item in found}.values())


def numbered(items: Sequence[Item]) -> tuple[Item, ...]:
    """The items of one lane with the short ids its writer uses."""
    return tuple(item._replace(id=f"m{n}") for n, item in enumerate(items, 1))


def _lowest(claim: Claim, origin_of: Callable[[Sequence[str]], str]) -> str:
    # A bullet marked unverified stays untrusted, even if its sources can no longer be found.
    origin = origin_of(claim.sources)
    return origin if not is_trusted(origin) else "import:unknown"


def fingerprint(item: Item) -> str:
    """A digest of what an item says and of its basis, independent of its id, sources and How."""
    # A found memory that is marked or accepted later counts as a new item.
    word = f"\0{item.basis}" if item.basis in ("marked", "accepted") else ""
    text = f"{item.type or ''}\0{item.text}{word}"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
