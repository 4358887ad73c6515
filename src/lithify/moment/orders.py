"""Work orders for memories that nobody has named a moment for: ten at a time, a line of patterns each.

Such an order follows from the memories in force, so none is stored. What comes back goes into the
journal by the words of each memory, an empty list for one that no moment needs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from itertools import islice

from lithify.compact.in_force import InForce, Remembered
from lithify.compact.marks import patterns_in
from lithify.compact.orders import HandedIn, Order
from lithify.compact.snapshot import Snapshot
from lithify.compact.standing import words_key
from lithify.engines.model.prompt import Template, fill
from lithify.moment.compiled import fault_of, may_be_shown, too_broad
from lithify.moment.patterns import HOW_TO_NAME
from lithify.regex import regex
from lithify.store.commit import note

_MOST = 10
_LINE = regex(r"^\W*(m\d+)\W*[:：]\s*(.+?)\s*$", re.M)


def unnamed(snapshot: Snapshot, held: InForce) -> list[Remembered]:
    """Return the memories whose moments nobody has named; a guard has its own, which are a person's."""
    named = snapshot.ledger.lessons.moments
    found = (one for one in may_be_shown(snapshot, held) if not (one.when or one.guard))
    return [one for one in found if words_key(one.text) not in named]


def order_for(snapshot: Snapshot, held: InForce, template: Template) -> Order | None:
    """Return the order for the first memories whose moments nobody has named."""
    shown = _shown(snapshot, held)
    if not shown:
        return None
    lines = (f"{label} ({one.type}): {' '.join(one.text.split())}" for label, one in shown.items())
    values = {"agent_name": snapshot.settings.agent_name, "how": HOW_TO_NAME.strip()}
    prompt = fill(template, {**values, "memories": "\n".join(lines)})
    key = sha256(prompt.user.encode()).hexdigest()[:12]
    return Order(f"moments-{len(shown)}-{key}", "moments", (), key, prompt.system, prompt.user)


def _shown(snapshot: Snapshot, held: InForce) -> Mapping[str, Remembered]:
    return {f"m{n}": one for n, one in enumerate(islice(unnamed(snapshot, held), _MOST), 1)}


def take(
    snapshot: Snapshot, held: InForce, template: Template, order: str, reply: str, time: str
) -> HandedIn:
    """Note the patterns that a reply names; a memory all of whose patterns are refused stays open."""
    wanted = order_for(snapshot, held, template)
    if wanted is None or wanted.id != order:
        reason = "its memories have changed or were named; ask again with `lithify write next`"
        return HandedIn("refused", f"{reason}. Nothing was kept", order=wanted)
    shown, named, wrong = _shown(snapshot, held), dict[str, list[str]](), list[str]()
    for label, said in _LINE.findall(reply):
        if label not in shown:
            wrong.append(f"{label} is no label that you were shown")
            continue
        patterns = () if said.strip("`*. ").upper() == "NONE" else patterns_in(said.strip("`"))
        faults = [fault_of(one) or too_broad(one) for one in patterns]
        wrong += [f"{label}: {fault}" for fault in faults if fault]
        good = [one for one, fault in zip(patterns, faults, strict=True) if not fault]
        if good or not patterns:
            named[words_key(shown[label].text)] = good
    if named:
        note(snapshot.root, "moments", {"named": named}, time)
        snapshot = Snapshot(snapshot.root, snapshot.settings)
    following = order_for(snapshot, held, template)
    said_wrong = "\n".join(f"- {one}" for one in wrong)
    if len(named) < len(shown):
        reason = said_wrong or "a line of the form `m1: PATTERN; PATTERN` is wanted for each memory"
        return HandedIn("sent back", f"{len(named)} kept\n{reason}", order=following)
    left_out = f"left out:\n{said_wrong}" if wrong else ""
    return HandedIn("committed", left_out, order=following)
