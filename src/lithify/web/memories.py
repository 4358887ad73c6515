"""Memories: those in force, pairs that may conflict, what is gone, and the life of one."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from lithify.compact.history import MemoryEvent
from lithify.compact.in_force import Remembered
from lithify.compact.standing import words_key
from lithify.errors import UnknownReference
from lithify.values import Entry, TypedMemory, label_of
from lithify.web.periods import ShownSource, address, sources_of
from lithify.web.view import HtmlPage, PageRequest, View, window


class ShownMemory(NamedTuple):
    """A memory: whose it is, since when it holds, and the lines it rests on.

    `restore` says what takes it out of what is gone: "itself", or with "both" the memory that took its
    place holds too; empty where nothing does.
    """

    one: Remembered
    memory: TypedMemory | None
    sources: Sequence[ShownSource]
    whose: str
    since: str
    restore: str = ""

    @property
    def version(self) -> str:
        """What a form of this card is about, so that it is not taken over a change of somebody else."""
        return version_of(self.one, self.memory)


def version_of(one: Remembered, memory: TypedMemory | None) -> str:
    """Name what a memory says now."""
    said = (one.text, memory.why if memory else "", memory.how if memory else "")
    return blake2b(repr(said).encode("utf-8", "replace"), digest_size=8).hexdigest()


def _shown(view: View, one: Remembered, restore: str = "") -> ShownMemory:
    memory = view.snapshot.memories().get(one.path)
    since = min(map(label_of, one.sources), default=one.updated)
    sources = sources_of(view, one.sources, one.text)
    return ShownMemory(one, memory, sources, one.whose or one.status, since, restore)


def memories_page(view: View, asked: PageRequest) -> HtmlPage:
    """The memories in force; pairs that may contradict each other; or what is gone."""
    in_force, gone, conflicts = view.in_force, view.gone, view.conflicts
    show, kind = asked.query.get("show", ""), asked.query.get("type", "")
    wanted = asked.query.get("path", "")
    facts = {
        "show": show if show in ("gone", "conflicts") else "",
        "kinds": sorted({one.type for one in in_force}),
        "kind": kind,
        "wanted": wanted,
        "numbers": {"": len(in_force), "gone": len(gone), "conflicts": len(conflicts)},
        "asked_for": {about.id: one.request for one in view.requests for about in one.about},
    }
    if show == "conflicts":
        pairs = window(conflicts, asked.page, 20)
        shown = [(_shown(view, newer), _shown(view, older)) for newer, older in pairs.rows]
        return HtmlPage("memories.html", "Memories", {**facts, "window": pairs, "rows": shown})
    if show == "gone":
        listed = sorted(gone, key=lambda one: one.on, reverse=True)
    else:
        listed = [one for one in in_force if not kind or one.type == kind]
        if wanted:
            listed = [one for one in in_force if one.path == wanted] or listed
        listed = sorted(listed, key=lambda one: one.updated, reverse=True)
    part = window(listed, asked.page, 20)
    rows = [_shown(view, one, _way_back(view, one)) for one in part.rows]
    return HtmlPage("memories.html", "Memories", {**facts, "window": part, "rows": rows})


def _way_back(view: View, one: Remembered) -> str:
    if one.status == "superseded":
        pair = frozenset((words_key(one.text), words_key(one.because)))
        return "itself" if pair in view.snapshot.ledger.lessons.settled else "both"
    return "itself" if one.status == "dropped" else ""


class ShownEvent(NamedTuple):
    """One thing that happened to a memory, with the page of the line behind it, and other words."""

    event: MemoryEvent
    href: str
    other: str


def life(view: View, asked: PageRequest) -> HtmlPage:
    """One memory, in force or gone, and what became of it."""
    id = asked.named["id"]
    one = next((one for one in (*view.in_force, *view.gone) if one.id == id), None)
    if one is None:
        raise UnknownReference(ref=id, hint="The page of memories lists them.")
    events = view.memory.memories.log(id, view.snapshot)
    entries = view.snapshot.lookup([event.id for event in events if event.id])
    facts = {
        "row": _shown(view, one, _way_back(view, one)),
        "events": [_event(view, entries.get(event.id), event, one.text) for event in events],
        "request": next((r for r in view.requests if id in [a.id for a in r.about]), None),
    }
    return HtmlPage("memory.html", one.name or "Memory", facts)


def _event(view: View, entry: Entry | None, event: MemoryEvent, text: str) -> ShownEvent:
    href = address(view, entry.path, entry.line) if entry else ""
    return ShownEvent(event, href, event.text if words_key(event.text) != words_key(text) else "")
