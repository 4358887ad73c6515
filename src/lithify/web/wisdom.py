"""Wisdom with its lineage and history, and what waits for a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lithify.compact.proposals import ReviewItem
from lithify.compact.review import entry_to_restore
from lithify.compact.standing import words_key
from lithify.compact.trace import Node, places_in
from lithify.compact.wisdom_in_line import behind
from lithify.errors import LithifyError
from lithify.trust import is_trusted
from lithify.values import Age, WisdomEntry
from lithify.web.markup import word_diff
from lithify.web.periods import ShownSource, sources_of
from lithify.web.view import HtmlPage, PageRequest, View, window


class ShownWisdom(NamedTuple):
    """An entry with its line in the file, its age, where it came from and what was decided on it.

    `rule` is the id of the one memory that it says, whose words can be edited.
    """

    line: int
    entry: WisdomEntry
    age: Age
    lineage: Node
    history: Sequence[Mapping[str, Any]]
    rule: str = ""


def wisdom(view: View, asked: PageRequest) -> HtmlPage:
    """The entries in force, each down to its days, and what was taken out."""
    snapshot = view.snapshot
    shown = []
    page = snapshot.shelf.wisdom
    places = list(places_in(snapshot, "wisdom", page.path)) if page else []
    for place, entry, age in zip(places, snapshot.wisdom(), view.ages, strict=True):
        history = _history(view, entry.title)
        rule = _rule_of(view, entry)
        shown.append(ShownWisdom(place.line, entry, age, view.lineage(place), history, rule))
    gone = window(snapshot.ledger.wisdom.tombstones[::-1], asked.page, 20)
    facts = {
        "entries": shown,
        "most": snapshot.settings.wisdom.max_entries,
        "gone": gone,
        "restorable": {one["seq"] for one in gone.rows if _can_be_restored(view, one)},
        "path": page.path if page else "WISDOM.md",
    }
    return HtmlPage("wisdom.html", "Wisdom", facts)


def _rule_of(view: View, entry: WisdomEntry) -> str:
    standing = view.held.standing
    said = [standing.statements[k] for k in behind(entry, view.snapshot.ledger, standing)]
    told = {words_key(one.statement) for one in said}
    ids = [one.id for one in view.in_force if words_key(one.text) in told]
    return ids[0] if len(ids) == 1 else ""


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


class ShownItem(NamedTuple):
    """A change that waits: what it does to the text, and what it rests on."""

    item: ReviewItem
    diff: Sequence[tuple[str, str]]
    sources: Sequence[ShownSource]
    trusted: bool


def review(view: View, asked: PageRequest) -> HtmlPage:
    """What waits for a person, of every kind."""
    shown = window(view.review, asked.page, 20)
    rows = [
        ShownItem(
            one,
            word_diff(view.clean(one.before), view.clean(one.after)),
            sources_of(view, one.sources, one.after or one.before),
            is_trusted(one.origin),
        )
        for one in shown.rows
    ]
    return HtmlPage("review.html", "Review", {"window": shown, "rows": rows})
