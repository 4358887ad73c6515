"""What a person can change from the pages: memories, suggestions and proposals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from lithify.errors import UsageError
from lithify.memory import Memory

#: What is said after a change, by the word in the address that the browser is sent to.
DONE = {
    "accepted": "The suggestion is a memory now.",
    "dropped": "Dropped. It does not come back; the days keep their lines.",
    "edited": "The new words are saved, and are an entry of today.",
    "approved": "Approved: wisdom has changed.",
    "rejected": "Rejected. It is not proposed again.",
}


class Change(NamedTuple):
    """Where a change leads to, and what is said there."""

    href: str
    done: str


def accept(memory: Memory, form: Mapping[str, str]) -> Change:
    """Make a suggestion a memory."""
    memory.accept(form["id"], at_terminal=True)
    return Change("/suggestions", "accepted")


def drop(memory: Memory, form: Mapping[str, str]) -> Change:
    """Take a memory out of force, or dismiss a suggestion."""
    dropped = memory.drop(form["id"])
    return Change("/memories" if dropped.path else "/suggestions", "dropped")


def edit(memory: Memory, form: Mapping[str, str]) -> Change:
    """Put other words in place of a memory or suggestion."""
    statement, why, how = (form.get(name, "").strip() for name in ("statement", "why", "how"))
    if not statement:
        raise UsageError(reason="a memory needs words; to take it out of force, drop it")
    memory.edit(form["id"], statement, why=why, how=how)
    return Change("/memories", "edited")


def approve(memory: Memory, form: Mapping[str, str]) -> Change:
    """Carry out a proposal."""
    memory.settle(form["id"], approve=True)
    return Change("/review", "approved")


def reject(memory: Memory, form: Mapping[str, str]) -> Change:
    """Discard a proposal."""
    memory.settle(form["id"], approve=False)
    return Change("/review", "rejected")


CHANGES: Mapping[str, Callable[[Memory, Mapping[str, str]], Change]] = {
    "/memories/accept": accept,
    "/memories/drop": drop,
    "/memories/edit": edit,
    "/review/approve": approve,
    "/review/reject": reject,
}
