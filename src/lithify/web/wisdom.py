"""Wisdom with its lineage and history, and what waits for a person: proposals and requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lithify.compact.ledger import Proposal
from lithify.compact.review import entry_to_restore
from lithify.compact.trace import Node, places_in
from lithify.compact.wisdom_in_line import valid_proposals
from lithify.errors import LithifyError
from lithify.trust import is_trusted
from lithify.values import Age, WisdomEntry
from lithify.web.markup import word_diff
from lithify.web.periods import ShownSource, sources_of
from lithify.web.view import HtmlPage, PageRequest, View, window


class ShownWisdom(NamedTuple):
    """An entry with its line in the file, its age, where it came from and what was decided on it."""

    line: int
    entry: WisdomEntry
    age: Age
    lineage: Node
    history: Sequence[Mapping[str, Any]]


def wisdom(view: View, asked: PageRequest) -> HtmlPage:
    """The entries in force, each down to its days, and what was taken out."""
    snapshot = view.snapshot
    shown = []
    page = snapshot.shelf.wisdom
    places = list(places_in(snapshot, "wisdom", page.path)) if page else []
    for place, entry, age in zip(places, snapshot.wisdom(), view.ages, strict=True):
        history = _history(view, entry.title)
        shown.append(ShownWisdom(place.line, entry, age, view.lineage(place), history))
    gone = window(snapshot.ledger.wisdom.tombstones[::-1], asked.page, 20)
    facts = {
        "entries": shown,
        "most": snapshot.settings.wisdom.max_entries,
        "gone": gone,
        "restorable": {one["seq"] for one in gone.rows if _can_be_restored(view, one)},
        "path": page.path if page else "WISDOM.md",
    }
    return HtmlPage("wisdom.html", "Wisdom", facts)


def _can_be_restored(view: View, decision: Mapping[str, Any]) -> bool:
    """Whether an entry that was taken out can be put back as it was then."""
    try:
        title = str(decision["target"])
        stone = entry_to_restore(view.snapshot, title, view.held).stone
        return int(stone["seq"]) == int(decision["seq"])
    except LithifyError:
        return False


def _history(view: View, title: str) -> list[Mapping[str, Any]]:
    """Every decision on an entry, the newest first, also under titles it had before."""
    names, found = [title], []
    for name in names:
        for decision in view.decisions.get(name, ()):
            found.append(decision)
            before = (str(decision.get("was", name)), *decision.get("united", ()))
            names += [one for one in before if one not in names]
    return sorted(found, key=lambda decision: int(decision["seq"]), reverse=True)


class ShownProposal(NamedTuple):
    """A change that waits: what it does to the text, and what it rests on."""

    proposal: Proposal
    title: Sequence[tuple[str, str]]
    text: Sequence[tuple[str, str]]
    sources: Sequence[ShownSource]
    trusted: bool
    stands: bool


def review(view: View, asked: PageRequest) -> HtmlPage:
    """What waits for a person: what agents ask to change of memories, and changes to wisdom."""
    in_force = {entry.title: entry for entry in view.snapshot.wisdom()}
    proposals = list(view.snapshot.ledger.wisdom.proposals.values())
    shown = window(proposals, asked.page, 20)
    valid = valid_proposals(view.snapshot)
    rows = [_proposal(view, one, in_force.get(one.target), one.id in valid) for one in shown.rows]
    facts = {"window": shown, "rows": rows, "requests": view.requests}
    return HtmlPage("review.html", "Review", facts)


def _proposal(view: View, one: Proposal, before: WisdomEntry | None, valid: bool) -> ShownProposal:
    after = one.entry if one.verb != "DROP" else None
    old = (before.title, before.text) if before else ("", "")
    new = (after.title, after.text) if after else ("", "")
    ids = one.entry.sources if one.entry else before.sources if before else ()
    title, said = (word_diff(view.clean(a), view.clean(b)) for a, b in zip(old, new, strict=True))
    sources = sources_of(view, ids, new[1] or old[1])
    return ShownProposal(one, title, said, sources, is_trusted(one.origin), valid)
