"""Proposals: everything that waits for a person's yes or no, whatever it would change.

The command and the viewer show the kinds of `KINDS` and know none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from lithify.compact.in_force import InForce
from lithify.compact.marks import Mark, marks_in, memory_of_mark
from lithify.compact.requests import waiting_requests
from lithify.compact.snapshot import Snapshot
from lithify.compact.standing import key_of


class ReviewItem(NamedTuple):
    """A change that waits: what it does to which text, who asks for it, and the lines it rests on."""

    kind: str
    id: str
    time: str
    origin: str
    asks: str
    reason: str
    before: str = ""
    after: str = ""
    sources: tuple[str, ...] = ()


def review_items(snapshot: Snapshot, held: InForce, only: str = "") -> tuple[ReviewItem, ...]:
    """Return what waits for a person, of one kind or of all, the oldest of each first."""
    kinds = [listed for name, listed in KINDS.items() if only in ("", name)]
    return tuple(item for listed in kinds for item in listed(snapshot, held))


def _changes_to_wisdom(snapshot: Snapshot, held: InForce) -> Iterator[ReviewItem]:
    proposals = snapshot.ledger.wisdom.proposals.values()
    entries = {one.title: one for one in snapshot.wisdom()} if proposals else {}
    for one in proposals:
        old, new = entries.get(one.target), one.entry if one.verb != "DROP" else None
        rests_on = one.entry or old
        facts = (one.id, one.time, one.origin, f"{one.verb} in WISDOM.md", one.reason)
        before, after = (f"**{e.title}**\n{e.text}" if e else "" for e in (old, new))
        sources = rests_on.sources if rests_on else ()
        yield ReviewItem("wisdom", *facts, before, after, sources)


def _asked_by_agents(snapshot: Snapshot, held: InForce) -> Iterator[ReviewItem]:
    for waiting in waiting_requests(snapshot.ledger, held):
        one, about = waiting.request, waiting.about
        old = "\n\n".join(each.text for each in about)
        sources = tuple(dict.fromkeys(id for each in about for id in each.sources))
        facts = (one.id, one.time, one.origin, waiting.in_words(), one.reason)
        yield ReviewItem("request", *facts, old, one.statement or old, sources)


#: The kind of record that says that a person wants no such guard.
DECLINED_GUARD = "guard-declined"


def proposed_guards(snapshot: Snapshot, held: InForce) -> Iterator[tuple[str, Mark]]:
    """Yield the guards in lines of the days that nobody knows to be the person's, by their words."""
    declined = {str(r.data["words"]) for r in snapshot.journal.records if r.kind == DECLINED_GUARD}
    paths = [page.path for pages in snapshot.shelf.days.values() for page in pages]
    for mark in marks_in(snapshot, paths):
        if not mark.guard or mark.entry.origin == "user" or not mark.holds:
            continue
        key = key_of(memory_of_mark(mark))
        known = held.standing.statements.get(key)
        if known and held.standing.holds(key) and not known.guard and key[1] not in declined:
            yield key[1], mark


def _guards(snapshot: Snapshot, held: InForce) -> Iterator[ReviewItem]:
    for words, mark in proposed_guards(snapshot, held):
        day = mark.entry.day.isoformat() if mark.entry.day else ""
        asks = f"have clients {mark.guard} these calls: {mark.when or 'those that its words name'}"
        facts = (words[:8], day, mark.entry.origin, asks, "only a person sets a guard")
        yield ReviewItem("guard", *facts, mark.statement, mark.statement, (mark.entry.id,))


#: How the proposals of each kind are listed. One that comes later is a line here and one in `memory`.
KINDS: Mapping[str, Callable[[Snapshot, InForce], Iterator[ReviewItem]]] = {
    "wisdom": _changes_to_wisdom,
    "request": _asked_by_agents,
    "guard": _guards,
}
