"""`forget`: words, entries or a person are erased from a root, at a person's word."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from lithify.calendar import stamp
from lithify.errors import StorageError
from lithify.memory import CompactOptions, Memory
from lithify.secrets import forget as secrets
from lithify.secrets.forget import Choice
from lithify.secrets.rewrite import Erasure, Receipt, rewrite_root
from lithify.store import places
from lithify.store.commit import in_steps


class Forgotten(NamedTuple):
    """What a `forget` did: its receipt, the pages made anew, and those a model is to write."""

    receipt: Receipt
    entries: int
    rebuilt: tuple[str, ...] = ()
    due: tuple[str, ...] = ()


def choose(
    memory: Memory,
    refs: Iterable[str] = (),
    *,
    patterns: Iterable[str] = (),
    people: Iterable[str] = (),
) -> Choice:
    """Find what these entry ids, texts, patterns and names stand for in a root."""
    tree = memory.snapshot().tree
    return secrets.choose(memory.root, tree, refs, patterns=patterns, people=people)


def forget(memory: Memory, choice: Choice) -> Forgotten:
    """Erase what was chosen, and make anew what the offline engine had written of it."""
    with in_steps(memory.root):
        return _forget(memory, choice)


def _forget(memory: Memory, choice: Choice) -> Forgotten:
    time = stamp(memory.now())
    facts = {"entries": len(choice.gone)}
    with memory.locked():
        erasure = Erasure(choice.find, choice.gone)
        patterns = memory.settings.days.patterns
        receipt = rewrite_root(memory.root, erasure, "forget", facts, time, patterns=patterns)
        if not receipt.files:
            return Forgotten(receipt, 0)
        memory.memories.rebuild()
    for job in {path.split("/")[2] for path in receipt.files if path.startswith(".lithify/gate/")}:
        if os.path.isdir(places.state(memory.root, "gate", job)) and job not in _NO_JOBS:
            memory.gate.update_closed(job)
    rebuilt = _rebuild(memory, receipt.stale)
    due = [t.key for t in memory.plan() if t.state in ("due", "stale") and _is_hit(t, receipt)]
    return Forgotten(receipt, len(choice.gone), rebuilt, tuple(due))


_NO_JOBS = frozenset({"closed", "sessions", "settings.json"})


def _is_hit(task: Any, receipt: Receipt) -> bool:
    """Whether a task writes a page that a receipt names."""
    names = {path.rpartition("/")[2].removesuffix(".md") for path in receipt.stale}
    return task.period in names if task.period else "WISDOM.md" in receipt.files


def _rebuild(memory: Memory, stale: Iterable[str]) -> tuple[str, ...]:
    """Write stale pages of the offline engine again, weeks before months before wisdom."""
    commits = memory.snapshot().ledger.pages.commits
    offline = {key for key, commit in commits.items() if commit.engine == "offline"}
    written: list[str] = []
    for tier in ("week", "month", "wisdom"):
        for key in sorted(key for key in offline if key.startswith(f"{tier}:")):
            period = key.partition(":")[2] or None
            if period is None or any(p.endswith(f"/{period}.md") for p in stale):
                report = memory.compact(CompactOptions((tier,), period=period, model="offline"))
                written += [path for result in report.results for path in result.files]
                for path, reason in report.unread:
                    raise StorageError(action="read", path=path, reason=reason)
                for result in report.results:
                    if result.status == "failed":
                        raise StorageError(action="write", path=key, reason=result.reason)
    return tuple(dict.fromkeys(written))
