"""What a person changes from the pages: memories, suggestions, wisdom, and what waits for review."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from lithify.errors import UsageError
from lithify.memory import Effects, Memory

Form = Mapping[str, str]


class ChangeDone(NamedTuple):
    """Where a change leads to, and what is said there: in words, and what it did."""

    href: str
    words: str
    effects: Effects = Effects()


def accept(memory: Memory, form: Form) -> ChangeDone:
    """Make a suggestion a memory."""
    act = partial(memory.memories.accept, form["id"], at_terminal=True)
    _, effects = memory.effects_of(act)
    return ChangeDone("/suggestions", "The suggestion is a memory now.", effects)


def drop(memory: Memory, form: Form) -> ChangeDone:
    """Take a memory out of force, or dismiss a suggestion."""
    act = partial(memory.memories.drop, form["id"], reason=form.get("reason", "").strip())
    dropped, effects = memory.effects_of(act)
    if not dropped.path:
        return ChangeDone("/suggestions", "Dismissed. It is not suggested again.")
    return ChangeDone(
        "/memories", "Dropped. The days keep their lines; under Gone it can be restored.", effects
    )


def edit(memory: Memory, form: Form) -> ChangeDone:
    """Put other words in place of a memory or suggestion."""
    statement, why, how = (form.get(name, "").strip() for name in ("statement", "why", "how"))
    if not statement:
        raise UsageError(reason="a memory needs words; to take it out of force, drop it")
    act = partial(memory.memories.edit, form["id"], statement, why=why, how=how)
    _, effects = memory.effects_of(act)
    return ChangeDone("/memories", "The new words are saved, and are an entry of today.", effects)


def restore(memory: Memory, form: Form) -> ChangeDone:
    """Take back a drop, an edit or a choice; a statement that code superseded holds again beside it."""
    known = memory.memories
    newer = form.get("other", "")
    act = partial(known.keep_both, other=newer) if newer else known.restore
    _, effects = memory.effects_of(partial[object](act, form["id"]))
    return ChangeDone("/memories", "Restored.", effects)


def settle(memory: Memory, form: Form, *, newer: bool) -> ChangeDone:
    """Settle a pair that may contradict each other."""
    act = memory.memories.supersede if newer else memory.memories.keep_both
    _, effects = memory.effects_of(partial(act, form["id"], form["other"]))
    words = "Settled: the newer one holds." if newer else "Settled: both hold."
    return ChangeDone("/memories?show=conflicts", words, effects)


def decide(memory: Memory, form: Form, *, approve: bool) -> ChangeDone:
    """Carry out what waits, or discard it."""
    item, effects = memory.effects_of(partial(memory.decide, form["id"], approve=approve))
    said = "Approved" if approve else "Rejected; it is not proposed again"
    return ChangeDone("/review", f"{said}: {item.asks}.", effects)


def revoke(memory: Memory, form: Form) -> ChangeDone:
    """Take an entry out of wisdom."""
    reason = form.get("reason", "").strip()
    if not reason:
        raise UsageError(reason="say why; the reason stays in the journal")
    _, effects = memory.effects_of(partial(memory.wisdom.revoke, form["id"], reason))
    return ChangeDone("/wisdom", "Revoked. Below it can be restored.", effects)


def confirm(memory: Memory, form: Form) -> ChangeDone:
    """Bear an entry of wisdom out today."""
    memory.wisdom.confirm(form["id"])
    return ChangeDone("/wisdom", f"Confirmed today: {form['id']}")


def restore_entry(memory: Memory, form: Form) -> ChangeDone:
    """Put an entry of wisdom back."""
    _, effects = memory.effects_of(partial(memory.wisdom.restore, form["id"]))
    return ChangeDone("/wisdom", "Restored.", effects)


CHANGES: Mapping[str, Callable[[Memory, Form], ChangeDone]] = {
    "/memories/accept": accept,
    "/memories/drop": drop,
    "/memories/edit": edit,
    "/memories/restore": restore,
    "/memories/supersede": partial(settle, newer=True),
    "/memories/keep-both": partial(settle, newer=False),
    "/review/approve": partial(decide, approve=True),
    "/review/reject": partial(decide, approve=False),
    "/wisdom/revoke": revoke,
    "/wisdom/confirm": confirm,
    "/wisdom/restore": restore_entry,
}
