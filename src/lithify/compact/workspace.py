"""What a task is carried out with: the root as it is, and the few ways to write to it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from lithify.calendar import Clock, stamp
from lithify.compact.ledger import AGENT, fold
from lithify.compact.plan import Ask
from lithify.compact.snapshot import Snapshot
from lithify.engines.base import Engine, Step, directly
from lithify.markdown.pages import body_digest
from lithify.store import commit as store
from lithify.values import Claim, Task, Usage

# A run that finds nothing due loads neither writer nor verifier.
if TYPE_CHECKING:
    from lithify.engines.model.audit import Auditor
    from lithify.verify import Failed, RefusedText
    from lithify.verify.verdict import KeptCount

Status = Literal["written", "unchanged", "adopted", "failed"]


class Audited(NamedTuple):
    """How far a page was audited, and by whom.

    `unjudged` claims got no verdict and count as supported; `unread` says that a reply could not
    be read, so that its claims went on the page without an audit.
    """

    by: str
    judged: int = 0
    unjudged: int = 0
    unread: bool = False
    usage: Usage = Usage()

    def beside(self, other: Audited | None) -> Audited:
        """Return this audit and that of another part of the page as one."""
        if other is None:
            return self
        return Audited(
            self.by,
            self.judged + other.judged,
            self.unjudged + other.unjudged,
            self.unread or other.unread,
            self.usage + other.usage,
        )

    @property
    def facts(self) -> dict[str, Any]:
        """Return the audit as the journal keeps it."""
        facts: dict[str, Any] = {"by": self.by, "judged": self.judged}
        if self.unjudged:
            facts["unjudged"] = self.unjudged
        if self.unread:
            facts["unread"] = True
        if self.usage != Usage():
            facts["usage"] = {"input": self.usage.input, "output": self.usage.output}
        return facts

    def __str__(self) -> str:
        if self.unread:
            return f"not audited: a reply of {self.by} could not be read"
        left = f", {self.unjudged} without a verdict" if self.unjudged else ""
        return f"audited by {self.by}{left}"


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one task; `replaced` says where a foreign or edited page is kept."""

    task: Task
    status: Status
    reason: str = ""
    files: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    refused: int = 0
    held: int = 0
    kept: KeptCount | None = None
    gave_way: tuple[str, ...] = ()
    usage: Usage = Usage()
    engine: str = ""
    audit: Audited | None = None


@dataclass(frozen=True, slots=True)
class Composed:
    """A week or month that is written and verified but not committed, or why it failed.

    `size` counts the tokens its writer was shown; `gave_way` are claims that did not fit.
    """

    sections: tuple[str, ...]
    size: int
    claims: tuple[Claim, ...] = ()
    refused: tuple[RefusedText, ...] = ()
    usage: Usage = Usage()
    kept: KeptCount | None = None
    gave_way: tuple[Claim, ...] = ()
    failed: Failed | None = None
    audit: Audited | None = None


@dataclass(frozen=True, slots=True)
class Workspace:
    """A root under compaction; what is written here also updates the snapshot's ledger.

    `offline` is the engine that writes what another one could not; without it, nothing does.
    `untrusted` writes what rests on untrusted entries where the task's own engine must not see it.
    With `proposes` every change to wisdom waits for a person: its writer has read untrusted text.
    `auditor` reads what is written a second time, before it is committed. `audit_later` says that an
    agent does so afterwards: it is what the journal then notes of who wrote the page.
    """

    snapshot: Snapshot
    clock: Clock
    ask: Ask
    offline: Engine | None = None
    untrusted: Engine | None = None
    proposes: bool = False
    auditor: Auditor | None = None
    audit_later: Mapping[str, str] | None = None
    step: Step | None = None

    def note(self, kind: str, facts: Mapping[str, Any], time: str = "") -> None:
        """Write a line to the journal without changing a file."""
        record = store.note(self.snapshot.root, kind, facts, time or stamp(self.clock()))
        self.snapshot.ledger = fold([record], self.snapshot.ledger)

    def commit(
        self,
        files: Mapping[str, bytes | None],
        facts: Mapping[str, Any],
        time: str,
        kind: str = "commit",
    ) -> tuple[str, ...]:
        """Put pages in force; what they replace goes to history and is named in the journal.

        Returns where the replaced pages are kept that we had not written.
        """
        before = {path: file.sha256 for path in files if (file := self.snapshot.file(path))}
        edited = [path for path in before if not self.snapshot.is_ours(path)]
        bodies = {path: body_digest(data) for path, data in files.items() if data is not None}
        facts = {**facts, "bodies": bodies, **({"replaced": before} if before else {})}
        root = self.snapshot.root
        step = self.step or directly
        record = step("commit", lambda: store.commit(root, files, kind, facts, time))
        self.snapshot.ledger = fold([record], self.snapshot.ledger)
        return tuple(f".lithify/history/{path}/{before[path]}" for path in edited)

    def failed(self, task: Task, failed: Failed, engine: Engine, usage: Usage, time: str) -> Result:
        """Quarantine a draft that was refused as a whole; no page changes."""
        self.quarantine(task, failed.refused, failed.reason, engine.name, time)
        return Result(task, "failed", failed.reason, usage=usage, engine=engine.name)

    def facts(
        self,
        task: Task,
        engine: str,
        usage: Usage,
        refused: Sequence[RefusedText],
        audit: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the facts that every commit's journal line holds."""
        facts: dict[str, Any] = {
            "task": task.key,
            "sources": dict(task.sources),
            "engine": engine,
            "why": task.why,
        }
        if audit:
            facts["audit"] = dict(audit)
        if usage != Usage():
            facts["usage"] = {"input": usage.input, "output": usage.output}
            if usage.cached:
                facts["usage"]["cached"] = usage.cached
        if refused:
            facts["refused"] = len(refused)
        return facts

    def audit_facts(self, engine: Engine, audit: Audited | None) -> Mapping[str, Any] | None:
        """Return what a commit notes of an audit: the one made, or that an agent is to make one."""
        if audit:
            return audit.facts
        if self.audit_later is None or engine.extractive:
            return None
        return {"by": AGENT, **self.audit_later}

    def quarantine(
        self, task: Task, refused: Sequence[RefusedText], reason: str, engine: str, time: str
    ) -> None:
        """Keep what was refused with its reasons, for a person to read."""
        if not refused and not reason:
            return
        data = {
            "task": task.key,
            "time": time,
            "engine": engine,
            "reason": reason,
            "refused": [{"text": r.text, "reasons": list(r.reasons)} for r in refused],
        }
        raw = json.dumps(data, ensure_ascii=False, indent=1).encode("utf-8", "replace")
        name = hashlib.sha256(raw).hexdigest()
        slug = task.key.replace(":", "-").rstrip("-")
        store.save_new(self.snapshot.root, f".lithify/quarantine/{slug}-{name}.json", raw)
