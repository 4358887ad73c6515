"""Any order of what people and crashes do to a root leaves every entry readable and pages derivable."""

from __future__ import annotations

import os
import shutil
import tempfile
from datetime import datetime, timedelta
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

import roots
from fault_points import broken_run
from lithify.memory import Memory
from lithify.secrets.forget import all_entries
from lithify.store import journal

SUBJECTS = ("importer", "login page", "invoice export", "staging certificate", "nightly batch")
#: More of everything with STATE_MACHINE=30, say; 1 takes some seconds.
SIZE = int(os.environ.get("STATE_MACHINE", "1"))


class Root(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
        self.root = roots.make(self.folder / "root", roots.MARKED)
        self.now = roots.NOW
        #: What was acknowledged and not erased since.
        self.said: set[str] = set()
        self.number = 0
        self.latest = self.now
        #: What a person decided about wisdom, by its text.
        self.approved: set[str] = set()
        self.revoked: set[str] = set()

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @property
    def memory(self) -> Memory:
        return Memory.open(self.root, clock=lambda: self.now)

    def _new(self, subject: str, lead: str = "") -> str:
        self.number += 1
        return f"{lead}The {subject} passed check {self.number} of {self.number * 7}."

    @rule(
        subject=st.sampled_from(SUBJECTS),
        origin=st.sampled_from(["user", "agent", "web"]),
        lead=st.sampled_from(["", "Rule: "]),
    )
    def append(self, subject: str, origin: str, lead: str) -> None:
        text = self._new(subject, lead)
        self.memory.log(text, origin=origin)
        self.said.add(text)

    @rule(subject=st.sampled_from(SUBJECTS))
    def edit_a_day(self, subject: str) -> None:
        path = self.root / "memory/2026-04-08.md"
        text = self._new(subject, "Rule: ")
        path.write_bytes(path.read_bytes() + f"- {text}\n".encode())
        self.said.add(text)

    @rule(days=st.integers(-2, 9))
    def jump(self, days: int) -> None:
        self.now = max(self.now + timedelta(days), datetime.fromisoformat("2026-04-10T02:00Z"))
        self.latest = max(self.now, self.latest)

    @rule()
    def compact(self) -> None:
        assert self.memory.compact().exit_code == 0

    @rule(point=st.integers(20, 900), half=st.booleans())
    def crash_a_compaction(self, point: int, half: bool) -> None:
        def act() -> str:
            self.memory.compact()
            return "done"

        broken_run(act, self.root, "kill-half" if half else "kill", point)

    @rule(point=st.integers(20, 90), subject=st.sampled_from(SUBJECTS))
    def crash_a_log(self, point: int, subject: str) -> None:
        text = self._new(subject)

        def act() -> str:
            self.memory.log(text)
            return "done"

        if broken_run(act, self.root, "kill", point).how == "done":
            self.said.add(text)

    @rule()
    def review(self) -> None:
        for proposal in self.memory.wisdom.proposals()[:1]:
            before = {entry.text for entry in self.memory.wisdom.entries()}
            self.memory.wisdom.decide(proposal.id, approve=True)
            self.approved |= {entry.text for entry in self.memory.wisdom.entries()} - before

    @rule()
    def revoke(self) -> None:
        for entry in self.memory.wisdom.entries()[:1]:
            self.memory.wisdom.revoke(entry.title, "no longer so")
            self.revoked.add(entry.text)

    @rule(subject=st.sampled_from(SUBJECTS))
    def forget(self, subject: str) -> None:
        erased = [text for text in sorted(self.said) if subject in text][:1]
        for text in erased:
            self.memory.forget(self.memory.choose_to_forget([text]))
            self.said.discard(text)

    @rule()
    def rebuild_the_index(self) -> None:
        before = [passage.text for passage in self.memory.recall("importer").passages]
        (self.root / ".lithify/index.sqlite").unlink()
        assert [passage.text for passage in self.memory.recall("importer").passages] == before

    @invariant()
    def every_acknowledged_entry_is_readable(self) -> None:
        entries = all_entries(self.memory.root, self.memory.snapshot().tree)
        there = "\n".join(entry.text for entry in entries)
        assert [text for text in self.said if text not in there] == []

    @invariant()
    def check_is_clean(self) -> None:
        assert [p for p in self.memory.check() if p.severity == "error"] == []


class Derived(Root):
    """The same, and at the end everything derived is what a fresh root with these days derives."""

    def teardown(self) -> None:
        try:
            # Every period is over: a month may have been written before another of its weeks began.
            self.now = self.latest + timedelta(35)
            self.memory.compact()
            fresh = self._fresh()
            # What was revoked is out of force, and its file is gone.
            there = {one.text for one in fresh.memories.list()}
            for one in self.memory.memories.gone():
                if one.status == "dropped" and one.text in there:
                    fresh.memories.drop(one.text)
            assert _pages(self.memory) == _pages(fresh)
            # Wisdom alone has a history: what a person approved is in it, what they revoked is not.
            ours, theirs = (
                {entry.text for entry in memory.wisdom.entries()} for memory in (self.memory, fresh)
            )
            assert ours - self.approved == theirs - self.revoked
            assert not ours & self.revoked
        finally:
            super().teardown()

    def _fresh(self) -> Memory:
        """A root with the same days and origins, and nothing that was derived or decided."""
        root = roots.make(self.folder / "fresh", {})
        for day in (self.root / "memory").glob("2026-*.md"):
            shutil.copy(day, root / "memory")
        (root / ".lithify").mkdir()
        for record in journal.read(self.root).records:
            if record.kind == "capture":
                journal.append(root, record.kind, record.data, record.time)
        memory = Memory.open(root, clock=lambda: self.now)
        assert memory.compact().exit_code == 0
        return memory


def _pages(memory: Memory) -> dict[str, str]:
    """Weeks, months and memories without their front matter."""
    return {
        path: data.decode().partition("\n---\n")[2]
        for path, data in roots.pages(memory.root).items()
        if path.startswith("memory/") and not path.startswith("memory/2")
    }


TestRoot = Derived.TestCase
TestRoot.settings = settings(
    max_examples=3 * SIZE,
    stateful_step_count=8,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=SIZE == 1,
    # Each step takes a tenth of a second or more: to shrink a failure would take many minutes.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
