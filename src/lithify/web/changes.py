"""What a person writes and changes from the pages: entries, memories, wisdom, what waits for review."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from lithify.errors import LithifyError, UsageError
from lithify.memory import Effects, Memory
from lithify.web.memories import version_of

Form = Mapping[str, str]


class ChangeDone(NamedTuple):
    """Where a change leads to, and what is said there: in words, and what it did.

    `undo` names its records in the journal; empty where it cannot be undone.
    """

    href: str
    words: str
    effects: Effects = Effects()
    undo: str = ""


def log(memory: Memory, form: Form) -> ChangeDone:
    """Add an entry to today in the person's words, or keep a rule in them."""
    if form.get("keep") == "rule":
        return remember(memory, form)
    logged = memory.log(_words(form), origin="user")
    label = logged.entries[0].partition("~")[0]
    return ChangeDone("/", f"Logged: it stands in the day {label}.")


def remember(memory: Memory, form: Form) -> ChangeDone:
    """Keep a rule in the person's words."""
    act = partial(memory.remember, _words(form), type="feedback", origin="user")
    kept, effects = memory.effects_of(act)
    if not kept.path:
        return ChangeDone("/", "It stands in the day; the next compaction makes it a memory.")
    return ChangeDone("/", "Remembered: sessions start with it from now on.", effects)


def _words(form: Form) -> str:
    if words := form["words"].strip():
        return words
    raise UsageError(reason="there is nothing to write; say it in words")


def forget(memory: Memory, form: Form) -> ChangeDone:
    """Erase an entry, and what was made from it."""
    id = form["id"]
    done = memory.forget(memory.choose_to_forget([id]))
    files = len(done.receipt.files)
    again = f" {len(done.rebuilt)} pages were made anew." if done.rebuilt else ""
    words = (
        f"Forgotten: it is out of {files} files.{again}" if files else "Nothing of it was found."
    )
    words += "".join(f" In force again, what replaced it is gone: {one.text}" for one in done.back)
    return ChangeDone("/", words)


class ChangedMeanwhile(LithifyError):
    """This memory was changed in another place after this page was shown, so nothing was done. {now} Open it again and decide.{yours}"""


def _require_as_shown(memory: Memory, form: Form) -> None:
    """Refuse a form whose card said something else than the memory does now."""
    if "shown" not in form:
        return
    one = next((one for one in memory.memories.list() if one.id == form["id"]), None)
    known = memory.snapshot().memories()
    if one is None or version_of(one, known.get(one.path)) != form["shown"]:
        now = f"It says now: {one.text}." if one else "It is no longer in force."
        yours = f" Your words were: {form['statement']}" if form.get("statement") else ""
        raise ChangedMeanwhile(now=now, yours=yours)


def drop(memory: Memory, form: Form) -> ChangeDone:
    """Take a memory out of force."""
    _require_as_shown(memory, form)
    act = partial(memory.memories.drop, form["id"], reason=form.get("reason", "").strip())
    _, effects = memory.effects_of(act)
    words = "Dropped. The days keep their lines; under Gone it can be restored."
    return ChangeDone("/memories", words, effects)


def edit(memory: Memory, form: Form) -> ChangeDone:
    """Put other words in place of a memory."""
    statement, why, how = (form.get(name, "").strip() for name in ("statement", "why", "how"))
    if not statement:
        raise UsageError(reason="a memory needs words; to take it out of force, drop it")
    _require_as_shown(memory, form)
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
    texts = {form["id"], form["other"]}
    if not any(texts == {one.text for one in pair} for pair in memory.memories.conflicts()):
        raise ChangedMeanwhile(now="The two are no longer a pair to settle.", yours="")
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
    ages = zip(memory.wisdom.entries(), memory.wisdom.ages(), strict=True)
    if not any(age.stale for entry, age in ages if entry.title == form["id"]):
        raise ChangedMeanwhile(now="It is not stale.", yours="")
    memory.wisdom.confirm(form["id"])
    return ChangeDone("/wisdom", f"Confirmed today: {form['id']}")


def restore_entry(memory: Memory, form: Form) -> ChangeDone:
    """Put an entry of wisdom back."""
    _, effects = memory.effects_of(partial(memory.wisdom.restore, form["id"]))
    return ChangeDone("/wisdom", "Restored.", effects)


def undo(memory: Memory, form: Form) -> ChangeDone:
    """Take back the change of a form that was just answered."""
    numbers = [int(word) for word in form["records"].split() if word.isdecimal()]
    _, effects = memory.effects_of(partial(memory.undo, numbers))
    return ChangeDone("/", "Undone.", effects)


def carry_out(memory: Memory, path: str, form: Form) -> ChangeDone:
    """Make the change of an address, and note what takes it back.

    A form may name the page of ours that it is on, to come back to it.
    """
    done, records = memory.noted(partial(CHANGES[path], memory, form))
    back = form.get("back", "")
    href = back if back.startswith("/") and not back.startswith("//") else done.href
    return done._replace(href=href, undo=" ".join(map(str, records)))


CHANGES: Mapping[str, Callable[[Memory, Form], ChangeDone]] = {
    "/log": log,
    "/undo": undo,
    "/forget": forget,
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
