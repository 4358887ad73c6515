"""The commands that the fault matrix breaks, each with a small root that it has something to do in."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import roots
import test_reading
from lithify.engines.base import Call
from lithify.errors import LithifyError
from lithify.gate.gatekeeper import Submitted
from lithify.importers.import_run import import_from
from lithify.importers.sources import source_named
from lithify.memory import CompactOptions, Memory
from lithify.secrets.forget import remains
from test_gate_core import good, prose

Clock = Callable[[], datetime]
SAID = "The deploy of release 2.5.0 went out without an alarm."
RULE = "Always tag a release before the deploy."
EDITED = "Never restart the queue by hand without a word to Priya."


class Command(ABC):
    """One command: how its root is made, what it does, and how to see whether it is done."""

    #: Whether it writes into the day that the clock says.
    captures = False

    def prepare(self, root: Path, clock: Clock) -> None:
        roots.make(root, roots.MARKED)
        (root / ".lithify").mkdir()
        (root / ".lithify/key").write_text("11" * 32 + "\n")

    @abstractmethod
    def act(self, memory: Memory) -> str:
        """Run the command; what it said: `done`, or what is left."""

    def is_done(self, memory: Memory) -> bool:
        """Whether what the command was asked for is recorded, so that nobody runs it again."""
        return False

    def settle(self, memory: Memory) -> None:
        """What the next runs of anybody do."""
        memory.compact()


class Log(Command):
    captures = True

    def act(self, memory: Memory) -> str:
        memory.log(SAID, origin="user")
        return "done"

    def is_done(self, memory: Memory) -> bool:
        return _stands(memory, SAID)


class Remember(Command):
    captures = True

    def act(self, memory: Memory) -> str:
        kept = memory.remember(RULE, type="feedback", origin="user")
        return "done" if kept.path else "the entry is in the day"

    def is_done(self, memory: Memory) -> bool:
        return _stands(memory, RULE)


class Compact(Command):
    def prepare(self, root: Path, clock: Clock) -> None:
        super().prepare(root, clock)
        Memory.open(root, clock=clock).log("Always reboot twice, says a page.", origin="web")

    def act(self, memory: Memory) -> str:
        report = memory.compact()
        return "done" if report.exit_code == 0 and not report.unread else "not all was written"


class Submit(Command):
    """`write submit`: the first page that is due, written by the agent."""

    def prepare(self, root: Path, clock: Clock) -> None:
        super().prepare(root, clock)
        memory = Memory.open(root, clock=clock)
        memory.compact(CompactOptions(()))
        order = memory.next_order(client="test").order
        assert order
        (root.parent / "order").write_text(order.id)
        (root.parent / "page").write_text(roots.answer(Call(order.user, order.system, 0, 0)))

    def act(self, memory: Memory) -> str:
        order, page = (memory.root.parent / name for name in ("order", "page"))
        handed = memory.hand_in(order.read_text(), page.read_text(), client="test")
        return "done" if handed.state == "committed" else handed.state

    def is_done(self, memory: Memory) -> bool:
        return any((memory.root / "memory/weekly").glob("*.md"))

    def settle(self, memory: Memory) -> None:
        # The memories of a page whose run was cut short are written when the agent asks again.
        order = memory.next_order(client="test").order
        if order and order.tasks and order.task.tier == "typed":
            memory.hand_in(order.id, "NONE", client="test")
        super().settle(memory)


class Reading(Command):
    """`write submit` of verdicts on the pages of two weeks, of which one loses a bullet."""

    def prepare(self, root: Path, clock: Clock) -> None:
        super().prepare(root, clock)
        for day, lines in {**roots.DAYS, **test_reading.DAYS}.items():
            roots.put(root, day, lines)
        memory = Memory.open(root, clock=clock)
        memory.compact(CompactOptions(()))
        while order := memory.next_order(client="test", session="one").order:
            reply = test_reading.reworded(Call(order.user, order.system, 0, 0))
            memory.hand_in(order.id, reply, client="test", session="one")
        order = memory.next_order(client="test", session="two").order
        assert order and len(order.tasks) > 1
        said = test_reading.verdicts(Call(order.user, order.system, 0, 0), _is_false)
        (root.parent / "order").write_text(order.id)
        (root.parent / "verdicts").write_text(said)

    def act(self, memory: Memory) -> str:
        order, said = (memory.root.parent / name for name in ("order", "verdicts"))
        handed = memory.hand_in(order.read_text(), said.read_text(), client="test", session="two")
        return "done" if handed.state == "committed" else handed.state

    def is_done(self, memory: Memory) -> bool:
        return not memory.status().to_read

    def settle(self, memory: Memory) -> None:
        super().settle(memory)
        assert memory.next_order(as_reader=True).order is None, "a page is asked for again"


def _is_false(claim: str) -> bool:
    return "1,240 rows" in claim


class Gate(Command):
    captures = True

    def prepare(self, root: Path, clock: Clock) -> None:
        super().prepare(root, clock)
        (root / "lithify.toml").write_text('zone = "UTC"\ngate.enabled = true\n')
        gate = Memory.open(root, clock=clock).gate
        gate.record("s", "prompt", prose(0, 300))
        assert gate.record("s", "answer", prose(50, 300)).closed_now

    def act(self, memory: Memory) -> str:
        (job,) = (state.job for state in memory.gate.jobs())
        found = memory.gate.submit(job, good(0))
        assert isinstance(found, Submitted), found
        return "; ".join(found.left) or "done"

    def is_done(self, memory: Memory) -> bool:
        return any(memory.gate.chain(state.job) for state in memory.gate.jobs())

    def settle(self, memory: Memory) -> None:
        for state in memory.gate.jobs():
            memory.gate.update_closed_file(state.job)
            memory.gate.write_days(state.job)
        super().settle(memory)


class Forget(Command):
    def prepare(self, root: Path, clock: Clock) -> None:
        super().prepare(root, clock)
        memory = Memory.open(root, clock=clock)
        memory.log("Priya called about the audit.", origin="web")
        memory.gate.record("s", "prompt", "Please call Priya.")
        memory.compact()

    def act(self, memory: Memory) -> str:
        memory.forget(memory.choose_to_forget(["Priya"]))
        return "done"

    def is_done(self, memory: Memory) -> bool:
        return not remains(memory.root, "Priya")


class Review(Command):
    def prepare(self, root: Path, clock: Clock) -> None:
        super().prepare(root, clock)
        (root / "lithify.toml").write_text('zone = "UTC"\n[wisdom]\nreview = "always"\n')
        memory = Memory.open(root, clock=clock)
        memory.compact()
        assert memory.wisdom.proposals()
        (root.parent / "proposal").write_text(memory.wisdom.proposals()[0].id)

    def act(self, memory: Memory) -> str:
        memory.wisdom.decide((memory.root.parent / "proposal").read_text(), approve=True)
        return "done"

    def is_done(self, memory: Memory) -> bool:
        wanted = (memory.root.parent / "proposal").read_text()
        return all(one.id != wanted for one in memory.wisdom.proposals())


class Requests(Command):
    """`review --approve`: an agent asked to drop a rule that wisdom holds."""

    def prepare(self, root: Path, clock: Clock) -> None:
        super().prepare(root, clock)
        memory = Memory.open(root, clock=clock)
        memory.compact()
        asked = memory.memories.request("drop", _rule(memory), reason="It is no longer so.")
        (root.parent / "request").write_text(asked.id)

    def act(self, memory: Memory) -> str:
        memory.memories.decide_request((memory.root.parent / "request").read_text(), accept=True)
        return "done"

    def is_done(self, memory: Memory) -> bool:
        return not memory.memories.requests()


class Edit(Command):
    """Other words for a rule that wisdom holds: an entry of today, and the old words are dropped."""

    captures = True

    def prepare(self, root: Path, clock: Clock) -> None:
        super().prepare(root, clock)
        Memory.open(root, clock=clock).compact()

    def act(self, memory: Memory) -> str:
        kept = memory.memories.edit(_rule(memory), EDITED)
        return "done" if kept.path else "the entry is in the day"

    def is_done(self, memory: Memory) -> bool:
        return _stands(memory, EDITED)


class Import(Command):
    """Notes of another program, of two days."""

    def prepare(self, root: Path, clock: Clock) -> None:
        super().prepare(root, clock)
        notes = root.parent / "notes/memory"
        notes.mkdir(parents=True)
        for day in ("2026-02-02", "2026-02-03"):
            (notes / f"{day}.md").write_text(f"- The boiler was looked at on {day}, by Liis.\n")

    def act(self, memory: Memory) -> str:
        notes = memory.root.parent / "notes"
        import_from(memory, source_named("recall"), notes)
        return "done"

    def is_done(self, memory: Memory) -> bool:
        days = [str(p.relative_to(memory.root)) for p in memory.root.glob("memory/2026-02*.md")]
        return len(memory.snapshot().entries(days)) == 2


def _rule(memory: Memory) -> str:
    return next(one.id for one in memory.memories.list() if "restart the queue" in one.text)


class Index(Command):
    """An index that exists and is brought up to date with two changed days."""

    def prepare(self, root: Path, clock: Clock) -> None:
        super().prepare(root, clock)
        memory = Memory.open(root, clock=clock)
        memory.recall("importer")
        roots.put(root, "2026-04-09", ["The importer was moved to the new machine."])

    def act(self, memory: Memory) -> str:
        found = memory.recall("importer").passages
        return "done" if any("new machine" in p.text for p in found) else "not found"

    def settle(self, memory: Memory) -> None:
        assert self.act(memory) == "done"


COMMANDS: dict[str, Command] = {
    "log": Log(),
    "remember": Remember(),
    "compact": Compact(),
    "write submit": Submit(),
    "reading": Reading(),
    "gate submit": Gate(),
    "forget": Forget(),
    "wisdom review": Review(),
    "review": Requests(),
    "edit": Edit(),
    "import": Import(),
    "index": Index(),
}


def run_again(command: Command, memory: Memory) -> None:
    """What a person does after a failure: look, and run the command again if it is not done."""
    if not command.is_done(memory):
        try:
            command.act(memory)
        except LithifyError:
            if not command.is_done(memory):
                raise
    command.settle(memory)


def state(root: Path, *, dated: bool = True) -> dict[str, Any]:
    """What a root says: its pages and the gate's logs; without the times where they may differ."""
    # The head that a page names differs where a line cut by a crash is part of the journal.
    found: dict[str, Any] = {
        path: headless(data) for path, data in roots.pages(root).items() if path != "lithify.toml"
    }
    memory = Memory.open(root)
    for one in memory.gate.jobs():
        found[f"chain {one.job}"] = [summary.text for summary in memory.gate.chain(one.job)]
    return found if dated else _undated(memory, found)


def headless(page: bytes) -> bytes:
    """A page without the journal's head in its front matter."""
    return re.sub(rb"(?m)^journal: .*\n", b"", page)


def _undated(memory: Memory, found: dict[str, Any]) -> dict[str, Any]:
    snapshot = memory.snapshot()
    days = [page.path for pages in snapshot.shelf.days.values() for page in pages]
    said = sorted(_bare(entry.text) for entry in snapshot.entries(days))
    pages = sorted(
        path for path in found if not path.startswith("memory/2") and not path.startswith("chain")
    )
    return {"said": said, "pages": pages}


def _bare(text: str) -> str:
    return text[6:] if text[2:3] == ":" and text[:2].isdigit() else text


def _stands(memory: Memory, text: str) -> bool:
    return any(text in path.read_text() for path in (memory.root / "memory").glob("2026-*.md"))
