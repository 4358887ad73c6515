"""The engine that needs nothing: it selects sentences of the days and files them, the same every time.

`docs/engine.md` says how. It finds no memories, and adds to wisdom only what somebody marked as a rule:
what deserves to last is for those who can judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lithify.engines.base import Room
from lithify.markdown.pages import rule_entry
from lithify.text.sentences import said_words
from lithify.text.tokens import estimate
from lithify.text.words import stems_of
from lithify.values import Brief, Decision, Draft, Item, SentBack, WisdomEntry

__all__ = ["Offline"]

#: Tokens of the longest entry of wisdom that the verifier lets through.
LONGEST = 120


@dataclass(frozen=True, slots=True)
class Offline:
    """The engine that selects, folds and files, and never asks anyone."""

    name: str = "offline"
    mark: str = "offline"
    room: Room | None = None
    extractive: bool = True

    def draft(self, brief: Brief, back: SentBack | None = None, attempt: int = 0) -> Draft:
        """Return a draft for the brief, out of the brief's own words."""
        # A run that finds nothing due loads no more than this.
        from lithify.engines.offline.write import write_month, write_week

        writers = {"week": write_week, "month": write_month, "wisdom": write_wisdom}
        return writers[brief.tier](brief) if brief.tier in writers else Draft()


def write_wisdom(brief: Brief) -> Draft:
    """Return one decision for each item of the brief."""
    state = list(brief.wisdom)
    decisions = []
    for item in brief.items:
        decisions.append(decision := _decide(item, state, brief.categories))
        if decision.verb == "ADD" and decision.entry:
            state.append(decision.entry)
    return Draft(decisions=tuple(decisions))


def _decide(item: Item, state: Sequence[WisdomEntry], categories: Sequence[str]) -> Decision:
    said, why = said_words(item.text), ""
    for entry in state:
        if said_words(entry.text) == said:
            return Decision((item.id,), "MERGE", "says again what the entry says", (entry.title,))
    if item.type not in ("feedback", "user"):
        why = f"a {item.type} memory: its own file is enough" if item.type else "history of a month"
    elif estimate(item.text) > LONGEST:
        why = "too long for an entry: its own file keeps it"
    elif item.basis == "found":
        why = "found, not marked: nobody has said that it is a rule"
    if why:
        return Decision((item.id,), "DROP", why)
    words = set(stems_of(f"{item.title} {item.text} {item.type}"))
    # The category that shares most words with the item, the last one if none does.
    category = max(categories[::-1], key=lambda c: len(words & set(stems_of(c))), default="")
    taken = {entry.title for entry in state}
    new = rule_entry(item.text, item.title, item.sources, category, taken)
    if item.basis == "marked":
        return Decision((item.id,), "ADD", "marked as a rule in the days", (new.title,), new)
    why = "a suggestion that was accepted; a person decides whether it is wisdom"
    return Decision((item.id,), "ADD", why, (new.title,), new, proposed=True)
