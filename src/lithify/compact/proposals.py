"""Proposals: everything that waits for a person's yes or no, whatever it would change.

The command and the viewer show the kinds of `KINDS` and know none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from lithify.compact.in_force import InForce
from lithify.compact.requests import waiting_requests
from lithify.compact.snapshot import Snapshot


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


#: How the proposals of each kind are listed. One that comes later is a line here and one in `memory`.
KINDS: Mapping[str, Callable[[Snapshot, InForce], Iterator[ReviewItem]]] = {
    "wisdom": _changes_to_wisdom,
    "request": _asked_by_agents,
}
