"""What the journal says of audits: which pages wait for one, and which went without."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from lithify.compact.journaled import Commit
from lithify.compact.ledger import Ledger
from lithify.values import Task

#: The auditor of pages that are read by an agent after they are written.
AGENT = "agent"


def content_of(commit: Commit) -> str:
    """A digest of what a commit put in force, whenever that was."""
    text = json.dumps([sorted(commit.bodies.items()), commit.data.get("found", [])])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def waits_for_audit(ledger: Ledger, key: str) -> bool:
    """Whether a task's newest commit asks for an audit by an agent that has not been made."""
    commit = ledger.commits.get(key)
    if commit is None or commit.data.get("audit", {}).get("by") != AGENT:
        return False
    return ledger.audits.get(key, {}).get("content") != content_of(commit)


def audits_due(ledger: Ledger, tasks: Iterable[Task]) -> list[Task]:
    """The tasks whose pages are current and wait for an audit by an agent."""
    return [t for t in tasks if t.state == "current" and waits_for_audit(ledger, t.key)]


def unaudited(ledger: Ledger, tasks: Iterable[Task]) -> list[Task]:
    """The tasks whose pages are current and whose auditor's reply could not be read."""
    return [task for task in tasks if task.state == "current" and _unread(ledger, task.key)]


def _unread(ledger: Ledger, key: str) -> bool:
    commit = ledger.commits.get(key)
    if commit is None:
        return False
    noted = ledger.audits.get(key, {})
    late = noted if noted and noted.get("content") == content_of(commit) else {}
    return bool((late or commit.data.get("audit", {})).get("unread"))
