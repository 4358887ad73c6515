"""Compiles what the hooks read: the rules with triggers, and what the shell tests."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any

from lithify.compact.in_force import InForce
from lithify.compact.snapshot import Snapshot
from lithify.compact.standing import words_key
from lithify.compact.wisdom_in_line import item_mark
from lithify.errors import StorageError, UsageError
from lithify.fence import unused_mark
from lithify.gate import files
from lithify.moment.ruling import calls_path, rules_path
from lithify.moment.triggers import fault_of, needle, trigger_of
from lithify.store import disk


def require_triggers(when: Sequence[str], guard: str) -> None:
    """Refuse triggers that cannot be read, and a guard without any."""
    for fault in filter(None, map(fault_of, when)):
        raise UsageError(reason=fault)
    if guard[:3] in ("ask", "den") and not when:
        raise UsageError(reason="a guard needs the calls that it is about: --when 'git push'")


def write(snapshot: Snapshot, known: Iterable[tuple[Snapshot, InForce]]) -> None:
    """Write what the hooks of a root read, where it has changed: its rules and those above it."""
    rules: dict[str, dict[str, Any]] = {}
    for of, held in known:
        rules.update((rule["key"], rule) for rule in _rules(of, held))
    # The mark is of all rules, so that a hook need not make one.
    content = {"mark": unused_mark(repr(rules)), "rules": list(rules.values())}
    lines = {needle(trigger_of(when)) for rule in rules.values() for when in rule["when"]}
    calls = "".join(f"{line}\n" for line in sorted(lines)).encode()
    root = os.fspath(snapshot.root)
    wanted = {rules_path(root): json.dumps(content).encode(), calls_path(root): calls}
    new = {path: data for path, data in wanted.items() if _bytes_of(path) != data}
    if not new:
        return
    with files.writing(root):
        for path, data in new.items():
            if data:
                files.put_file(path, data)
            else:
                os.remove(path)


def _rules(snapshot: Snapshot, held: InForce) -> Iterable[dict[str, Any]]:
    """Yield the trusted statements in force that have a trigger, but for those a person took out of wisdom."""
    barred = snapshot.ledger.wisdom.barred
    for memory in held.statements:
        when = [one for one in memory.when if not fault_of(one)]
        if not when or (memory.basis != "found" and item_mark(memory) in barred):
            continue
        if all(entry.trusted for entry in snapshot.lookup(memory.sources).values()):
            one = held.as_remembered(memory)
            yield {
                "key": words_key(one.text),
                "id": one.id,
                "text": " ".join(one.text.split()),
                "whose": f"{one.whose}, {one.updated}",
                "when": when,
                "guard": one.guard,
            }


def _bytes_of(path: str) -> bytes:
    try:
        return disk.read(path)
    except StorageError:
        return b""
