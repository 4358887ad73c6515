"""What a task is carried out with: the root as it is, and the few ways to write to it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from lithify.calendar import Clock, stamp
from lithify.compact.ledger import fold
from lithify.compact.plan import Ask
from lithify.compact.snapshot import Snapshot
from lithify.engines.base import Engine, Step, directly
from lithify.store import commit as store
from lithify.values import Claim, SentBack, Task, Usage, Violation

# A run that finds nothing due loads neither writer nor verifier.
if TYPE_CHECKING:
    from lithify.engines.model.reader import Reader
    from lithify.verify import RefusedText
    from lithify.verify.verdict import KeptCount

Status = Literal["written", "unchanged", "adopted", "failed", "held"]


class Reading(NamedTuple):
    """How a page was read: by whom, how far, and why not where it was not.

    `waits`: an agent is to read it. `read`: what was not supported is gone. `unread`: its reader
    failed, or misjudged a control. `disputed`: more than a third would have gone, so nothing did.
    Of what was read, `unjudged` claims got no verdict and count as supported, and `tested` says
    whether there was material for controls. `session` is the one that wrote the page.
    """

    by: str
    state: Literal["waits", "read", "unread", "disputed"]
    why: str = ""
    judged: int = 0
    unjudged: int = 0
    tested: bool = True
    usage: Usage = Usage()
    session: str = ""

    def beside(self, other: Reading) -> Reading:
        """Return this reading and that of another part of the page as one; the worse state counts."""
        order = ("read", "waits", "unread", "disputed")
        worse = max(self, other, key=lambda one: order.index(one.state))
        return worse._replace(
            judged=self.judged + other.judged,
            unjudged=self.unjudged + other.unjudged,
            tested=self.tested and other.tested,
            usage=self.usage + other.usage,
        )

    @property
    def facts(self) -> dict[str, Any]:
        """Return the reading as the journal keeps it."""
        facts = {key: value for key, value in self._asdict().items() if value}
        facts["tested"] = self.tested
        if facts.pop("usage") != Usage():
            facts["usage"] = self.usage.facts
        return facts

    @classmethod
    def noted(cls, facts: Mapping[str, Any]) -> Reading:
        """Return the reading that the journal keeps."""
        values = {key: facts[key] for key in cls._fields if key in facts}
        return cls(**{**values, "usage": Usage.noted(facts.get("usage", {}))})

    def __str__(self) -> str:
        left = f", {self.unjudged} without a verdict" if self.unjudged else ""
        match self.state:
            case "waits":
                return "not yet read"
            case "read":
                return f"read by {self.by}{left}"
        return f"{'not read' if self.state == 'unread' else 'disputed'}: {self.why}"


@dataclass(frozen=True, slots=True)
class Failed:
    """Why nothing of what a writer handed in may be written."""

    reason: str
    refused: tuple[RefusedText, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one task: its status (written, unchanged, adopted, failed or held), and why.

    `files` were written; `replaced` says where a foreign or edited page is kept. `refused` bullets are in
    quarantine, `held` changes wait for a person, and `gave_way` are bullets that did not fit. `notes` tell
    its writer which labels were added to its bullets or dropped from them. `entries` counts those that
    a week of selected sentences tells, of all.
    """

    task: Task
    status: Status
    reason: str = ""
    files: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    refused: int = 0
    held: int = 0
    kept: KeptCount | None = None
    entries: KeptCount | None = None
    gave_way: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    engine: str = ""
    reading: Reading | None = None


@dataclass(frozen=True, slots=True)
class Composed:
    """A week or month that is written and checked but not committed, or why it failed.

    `size` counts the tokens of its days; where its writer could not be shown all of them, `shown` of
    `whole` tokens were. `gave_way` are claims that did not
    fit. `left_out` counts the marked entries that no bullet tells, and `asked` is what its writer is
    still to be asked. `entries` is as in `Result`.
    """

    sections: tuple[str, ...]
    size: int
    shown: int = 0
    whole: int = 0
    claims: tuple[Claim, ...] = ()
    refused: tuple[RefusedText, ...] = ()
    usage: Usage = Usage()
    kept: KeptCount | None = None
    entries: KeptCount | None = None
    left_out: int = 0
    asked: SentBack | None = None
    gave_way: tuple[Claim, ...] = ()
    notes: tuple[Violation, ...] = ()
    failed: Failed | None = None
    reading: Reading | None = None

    @property
    def spent(self) -> Usage:
        """Return what writer and reader cost together."""
        return self.usage + self.reading.usage if self.reading else self.usage


@dataclass(frozen=True, slots=True)
class Workspace:
    """A root under compaction; what is written here also updates the snapshot's ledger.

    `offline` is the engine that writes what another one could not; without it, nothing does.
    `untrusted` writes what rests on untrusted entries where the task's own engine must not see it.
    `by` is the origin in whose name it is written: the door says what of it waits for a person.
    `reader` says who reads a page: a model, the writer itself in a call of its own ("same"), another
    session of an agent when the page is in force ("agent"), or nobody. `session` is the one that
    writes.
    """

    snapshot: Snapshot
    clock: Clock
    ask: Ask
    offline: Engine | None = None
    untrusted: Engine | None = None
    by: str = "user"
    reader: Reader | Literal["same", "agent", "off"] = "off"
    session: str = ""
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
        # Loaded late: most runs find nothing to write.
        from lithify.markdown.pages import body_digest

        bodies = {path: body_digest(data) for path, data in files.items() if data is not None}
        facts = {**facts, "bodies": bodies, **({"replaced": before} if before else {})}
        root = self.snapshot.root
        step = self.step or directly
        record = step("commit", lambda: store.commit(root, files, kind, facts, time))
        self.snapshot.ledger = fold([record], self.snapshot.ledger)
        return tuple(f".lithify/history/{path}/{before[path]}" for path in edited)

    def propose(
        self,
        task: Task,
        facts: Mapping[str, Any],
        time: str,
        pages: Mapping[str, str] = MappingProxyType({}),
        declined: str = "",
    ) -> Result:
        """Keep what an untrusted writer handed in for a person to decide on; no page changes."""
        about = {"task": task.key, "sources": dict(task.sources), "origin": self.by}
        about |= {"facts": dict(facts), "pages": dict(pages)}
        id = hashlib.blake2b(json.dumps(about).encode(), digest_size=4).hexdigest()
        self.note("propose", about | {"id": id, "declined": declined}, time)
        return Result(task, "held", held=1, engine=str(facts.get("engine", "")))

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
        reading: Reading | None = None,
    ) -> dict[str, Any]:
        """Return the facts that every commit's journal line holds."""
        facts: dict[str, Any] = {
            "task": task.key,
            "sources": dict(task.sources),
            "engine": engine,
            "why": task.why,
        }
        if reading:
            facts["reading"] = reading.facts
        if usage != Usage():
            facts["usage"] = usage.facts
        if refused:
            facts["refused"] = len(refused)
        return facts

    def reader_of(self, writer: Engine) -> Reader | None:
        """Return who reads a page of this writer before it is committed, if anybody does."""
        from lithify.engines.model import AgentEngine, ModelEngine
        from lithify.engines.model.reader import Reader

        if isinstance(self.reader, Reader):
            return self.reader
        # Another session of the agent reads its pages when they are in force.
        if self.reader == "same" and isinstance(writer, ModelEngine):
            name = self.snapshot.settings.agent_name
            return None if isinstance(writer, AgentEngine) else Reader(writer, name)
        return None

    def reading_to_come(self, writer: Engine) -> Reading | None:
        """Return that a page waits for an agent to read it, if one is to."""
        by_agent = writer.name.startswith("agent:")
        if self.reader != "agent" and not (self.reader == "same" and by_agent):
            return None
        if writer.extractive:
            return None
        return Reading("agent", "waits", session=self.session)

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
