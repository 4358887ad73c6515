"""Wisdom without a model: what somebody marked as a rule is added, nothing else.

Whether a statement should guide every session is a judgement; this engine borrows it from the
person or agent who marked the line, and otherwise asks.
"""

from __future__ import annotations

from collections.abc import Sequence

from lithify.markdown.pages import rule_entry
from lithify.text.stems import stems_of
from lithify.text.tokens import estimate
from lithify.values import Brief, Decision, Draft, Item, WisdomEntry

#: Tokens of the longest entry that the verifier lets through.
LONGEST = 120


def write_wisdom(brief: Brief) -> Draft:
    """One decision for each item of the brief."""
    state = list(brief.wisdom)
    decisions = []
    for item in brief.items:
        decision = _decide(item, state, brief.categories)
        decisions.append(decision)
        if decision.verb == "ADD" and decision.entry:
            state.append(decision.entry)
    return Draft(decisions=tuple(decisions))


def _decide(item: Item, state: Sequence[WisdomEntry], categories: Sequence[str]) -> Decision:
    text = item.text
    twin = next((entry for entry in state if _words(entry.text) == _words(text)), None)
    if twin:
        return Decision((item.id,), "MERGE", "says again what the entry says", (twin.title,))
    if item.type is None:
        return Decision((item.id,), "DROP", "history of a month, not a rule")
    if item.type not in ("feedback", "user"):
        return Decision((item.id,), "DROP", f"a {item.type} memory: its own file is enough")
    if estimate(text) > LONGEST:
        return Decision((item.id,), "DROP", "too long for an entry: its own file keeps it")
    if item.basis == "marked":
        entry = _entry(item, state, categories)
        return Decision((item.id,), "ADD", "marked as a rule in the days", (entry.title,), entry)
    if item.basis == "accepted":
        entry = _entry(item, state, categories)
        reason = "accepted by a person, who decides whether it is wisdom"
        return Decision((item.id,), "ADD", reason, (entry.title,), entry, proposed=True)
    return Decision((item.id,), "DROP", "found, not marked: nobody has said that it is a rule")


def _words(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!。！ ")


def _entry(item: Item, state: Sequence[WisdomEntry], categories: Sequence[str]) -> WisdomEntry:
    taken = {entry.title for entry in state}
    return rule_entry(item.text, item.title, item.sources, _category(item, categories), taken)


def _category(item: Item, categories: Sequence[str]) -> str:
    """The category that shares most words with the item, the last one if none does."""
    if not categories:
        return ""
    words = set(stems_of(f"{item.title} {item.text} {item.type or ''}"))
    scored = [(-len(words & set(stems_of(name))), n) for n, name in enumerate(categories)]
    best, at = min(scored)
    return categories[at] if best else categories[-1]
