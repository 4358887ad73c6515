"""Proposals: everything that waits for a person's yes or no, whatever it would change.

The command and the viewer show the kinds of `KINDS` and know none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from lithify.compact.in_force import InForce, held_marks
from lithify.compact.ledger import ProposedPage, memory_from
from lithify.compact.marks import Mark, marks_in, memory_of_mark
from lithify.compact.requests import waiting_requests
from lithify.compact.snapshot import Snapshot
from lithify.compact.standing import key_of
from lithify.values import Task

if TYPE_CHECKING:
    from lithify.compact.workspace import Workspace


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
        before, after = (e.said if e else "" for e in (old, new))
        sources = rests_on.sources if rests_on else ()
        yield ReviewItem("wisdom", *facts, before, after, sources)


def _proposed_pages(snapshot: Snapshot, held: InForce) -> Iterator[ReviewItem]:
    from lithify.markdown.pages import (
        UNVERIFIED,
        body_of,
        read_summary,
        render_typed,
        strip_comments,
        summary_text,
    )

    for one in proposed_pages(snapshot):
        tier, _, period = one.task.partition(":")
        claims = [line.claim for text in one.pages.values() for line in read_summary(text.encode())]
        found = [memory_from(data) for data in one.facts.get("found", ())]
        sections = dict.fromkeys(claim.section for claim in claims)
        marked = [replace(claim, trusted=False) for claim in claims]
        rules = [f"{UNVERIFIED} {body_of(render_typed(memory)).strip()}" for memory in found]
        after = strip_comments("\n\n".join(rules) or summary_text([*sections], marked))
        before = "".join(
            strip_comments(body_of(snapshot.shown(path)))
            for path in one.pages
            if snapshot.file(path)
        )
        what = f"memories of week {period}" if tier == "typed" else f"page of {tier} {period}"
        facts = (one.id, one.time, one.origin, f"{what}, by {one.facts['engine']}", "")
        of = [*(claim.sources for claim in claims), *(memory.sources for memory in found)]
        ids = dict.fromkeys(chain.from_iterable(of))
        yield ReviewItem("page", *facts, before.strip(), after.strip(), tuple(ids))


def proposed_pages(snapshot: Snapshot) -> list[ProposedPage]:
    """Return the pages that wait for a person: those whose sources are still what they were."""
    return [
        one
        for one in snapshot.ledger.pages.proposed.values()
        if not one.declined and all(_stands(snapshot, *source) for source in one.sources.items())
    ]


def _stands(snapshot: Snapshot, path: str, digest: str) -> bool:
    file = snapshot.file(path)
    return file is not None and digest in (file.sha256, snapshot.body(file))


def decide_page(workspace: Workspace, id: str, approve: bool, time: str) -> None:
    """Put a proposed page in force, or note that a person rejects it."""
    if not approve:
        workspace.note("reject", {"id": id}, time)
        return
    one = next(each for each in proposed_pages(workspace.snapshot) if each.id == id)
    facts = {**one.facts, "approved": {"id": id, "origin": one.origin}}
    if one.pages:
        workspace.commit({path: text.encode() for path, text in one.pages.items()}, facts, time)
        return
    from lithify.compact.page import commit_found

    period = one.task.partition(":")[2]
    found = tuple(memory_from(data) for data in one.facts["found"])
    commit_found(workspace, Task("typed", period, "due", "", one.sources), found, (), facts, time)


def _asked_by_agents(snapshot: Snapshot, held: InForce) -> Iterator[ReviewItem]:
    for waiting in waiting_requests(snapshot.ledger, held):
        one, about = waiting.request, waiting.about
        old = "\n\n".join(each.text for each in about)
        sources = tuple(dict.fromkeys(id for each in about for id in each.sources))
        facts = (one.id, one.time, one.origin, waiting.in_words(), one.reason)
        new = "" if one.entry else one.statement or old
        yield ReviewItem("request", *facts, old, new, sources)


#: The kind of record that says that a person wants no such guard.
DECLINED_GUARD = "guard-declined"


def proposed_guards(snapshot: Snapshot, held: InForce) -> Iterator[tuple[str, Mark]]:
    """Yield the guards in lines of the days that nobody knows to be the person's, by their words."""
    declined = {str(r.data["words"]) for r in snapshot.records if r.kind == DECLINED_GUARD}
    paths = [page.path for pages in snapshot.shelf.days.values() for page in pages]
    for mark in marks_in(snapshot, paths):
        if not (mark.guard and mark.when) or mark.entry.origin == "user" or not mark.holds("off"):
            continue
        key = key_of(memory_of_mark(mark))
        known = held.standing.statements.get(key)
        if known and held.standing.holds(key) and not known.guard and key[1] not in declined:
            yield key[1], mark
    snapshot.keep()


def _guards(snapshot: Snapshot, held: InForce) -> Iterator[ReviewItem]:
    for words, mark in proposed_guards(snapshot, held):
        day = mark.entry.day.isoformat() if mark.entry.day else ""
        asks = f"have clients {mark.guard} these calls: {mark.when}"
        facts = (words[:8], day, mark.entry.origin, asks, "only a person sets a guard")
        yield ReviewItem("guard", *facts, mark.statement, mark.statement, (mark.entry.id,))


def _held_memories(snapshot: Snapshot, held: InForce) -> Iterator[ReviewItem]:
    """Yield the labelled lines of which only a person can make a memory."""
    for one in held_marks(snapshot):
        origin = snapshot.lookup(one.sources)[one.sources[0]].origin
        facts = (one.id, one.updated, origin, f"keep as a memory of type {one.type}")
        yield ReviewItem("memory", *facts, "", "", one.text, one.sources)


#: How the proposals of each kind are listed. One that comes later is a line here and one in `memory`.
KINDS: Mapping[str, Callable[[Snapshot, InForce], Iterator[ReviewItem]]] = {
    "wisdom": _changes_to_wisdom,
    "page": _proposed_pages,
    "request": _asked_by_agents,
    "guard": _guards,
    "memory": _held_memories,
}
