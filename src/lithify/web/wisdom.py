"""Wisdom with its lineage and history, memories and suggestions, and the queue for review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lithify.compact.ledger import Proposal
from lithify.compact.suggestions import Remembered
from lithify.compact.trace import Node, places_in
from lithify.compact.wisdom_in_line import valid_proposals
from lithify.trust import is_trusted
from lithify.values import Age, TypedMemory, WisdomEntry
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
    facts = {
        "entries": shown,
        "most": snapshot.settings.wisdom.max_entries,
        "gone": window(snapshot.ledger.wisdom.tombstones[::-1], asked.page, 20),
        "path": page.path if page else "WISDOM.md",
    }
    return HtmlPage("wisdom.html", "Wisdom", facts)


def _history(view: View, title: str) -> list[Mapping[str, Any]]:
    """Every decision on an entry, the newest first, also under titles it had before."""
    names, found = [title], []
    for name in names:
        for decision in view.decisions.get(name, ()):
            found.append(decision)
            before = (str(decision.get("was", name)), *decision.get("united", ()))
            names += [one for one in before if one not in names]
    return sorted(found, key=lambda decision: int(decision["seq"]), reverse=True)


class ShownMemory(NamedTuple):
    """A memory in force or a suggestion, with the lines it rests on."""

    one: Remembered
    memory: TypedMemory | None
    sources: Sequence[ShownSource]


def memories_page(view: View, asked: PageRequest) -> HtmlPage:
    """The memories in force, and what the days suggest."""
    snapshot = view.snapshot
    in_force = tuple(view.held.remembered())
    wanted = asked.query.get("path", "")
    kinds = sorted({one.type for one in in_force})
    kind = asked.query.get("type", "")
    listed = [one for one in in_force if not kind or one.type == kind]
    if wanted:
        listed = [one for one in in_force if one.path == wanted] or listed
    shown = window(sorted(listed, key=lambda one: one.updated, reverse=True), asked.page, 20)
    known = snapshot.memories()
    rows = [
        ShownMemory(one, known[one.path], sources_of(view, one.sources, one.text))
        for one in shown.rows
    ]
    facts = {
        "window": shown,
        "rows": rows,
        "kinds": kinds,
        "kind": kind,
        "wanted": wanted,
        "total": len(in_force),
    }
    return HtmlPage("memories.html", "Memories", facts)


def suggestions(view: View, asked: PageRequest) -> HtmlPage:
    """What the days hold that may deserve to last, a quarter of a year at a time."""
    found, pages = view.suggestions(asked.page)
    rows = [ShownMemory(one, None, sources_of(view, one.sources, one.text)) for one in found]
    rows.sort(key=lambda row: row.one.updated, reverse=True)
    facts = {"rows": rows, "pages": pages, "page": asked.page}
    return HtmlPage("suggestions.html", "Suggestions", facts)


class ShownProposal(NamedTuple):
    """A change that waits: what it does to the text, and what it rests on."""

    proposal: Proposal
    title: Sequence[tuple[str, str]]
    text: Sequence[tuple[str, str]]
    sources: Sequence[ShownSource]
    trusted: bool
    stands: bool


def review(view: View, asked: PageRequest) -> HtmlPage:
    """The changes to wisdom that wait for a person."""
    in_force = {entry.title: entry for entry in view.snapshot.wisdom()}
    proposals = list(view.snapshot.ledger.wisdom.proposals.values())
    shown = window(proposals, asked.page, 20)
    valid = valid_proposals(view.snapshot)
    rows = [_proposal(view, one, in_force.get(one.target), one.id in valid) for one in shown.rows]
    return HtmlPage("review.html", "Review", {"window": shown, "rows": rows})


def _proposal(view: View, one: Proposal, before: WisdomEntry | None, valid: bool) -> ShownProposal:
    after = one.entry if one.verb != "DROP" else None
    old = (before.title, before.text) if before else ("", "")
    new = (after.title, after.text) if after else ("", "")
    ids = one.entry.sources if one.entry else before.sources if before else ()
    title, said = (word_diff(view.clean(a), view.clean(b)) for a, b in zip(old, new, strict=True))
    sources = sources_of(view, ids, new[1] or old[1])
    return ShownProposal(one, title, said, sources, is_trusted(one.origin), valid)
