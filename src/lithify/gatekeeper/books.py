"""The jobs of one root as their files have them, and the mark of a closed gate kept true to them."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from lithify.calendar import Clock, stamp, system_clock
from lithify.errors import UnknownReference
from lithify.gate import texts
from lithify.gate.decide import Demand
from lithify.gate.jobs import Book, Line, Summary, fold, summary_of
from lithify.gate.mark import mark
from lithify.gatekeeper.rules import edited, in_force
from lithify.store import gate as store

if TYPE_CHECKING:
    from lithify.gate.compiled import Compiled
    from lithify.settings import Gate
    from lithify.store.places import Root


def program_words() -> tuple[str, ...]:
    """How this very program is called, whatever the PATH."""
    beside = os.path.join(os.path.dirname(sys.executable), "lithify")
    if os.path.isfile(beside):
        return (beside,)
    return (sys.executable, "-I", "-m", "lithify.cli")


def _served() -> bool:
    """Whether this program can serve its tools over MCP: that needs more than the standard library."""
    from importlib.util import find_spec

    return find_spec("mcp") is not None


class Books:
    """The records and chains of one root."""

    def __init__(self, root: Root, clock: Clock = system_clock) -> None:
        self.root = os.path.abspath(os.fspath(root))
        self._clock = clock
        self._compiled: Compiled | None = None

    def now(self) -> str:
        """The present moment as lines have it."""
        return stamp(self._clock())

    @property
    def settings(self) -> Compiled:
        """The settings in force; a file that is refused leaves those before it in force."""
        if self._compiled is None:
            self._compiled = in_force(self.root)
        return self._compiled

    def rules(self, job: str) -> Gate:
        """The rules of one job."""
        return self.settings.rules(job)

    def jobs(self) -> tuple[Book, ...]:
        """Every job, with its whole chain."""
        return tuple(self.whole(job) for job in store.jobs(self.root))

    def book(self, job: str) -> Book:
        """A job as it is now, read no further back than its last summary."""
        record = store.newest(self.root, job, "interactions")
        chain = store.newest(self.root, job, "chain")
        return fold(job, record, chain, self.rules(job))

    def whole(self, job: str) -> Book:
        """A job with every summary of its chain."""
        self.require(job)
        return self.book(job)._replace(chain=self.chain(job))

    def chain(self, job: str) -> tuple[Summary, ...]:
        """The summaries of a job, oldest first."""
        records = store.read(self.root, job, "chain").records
        return tuple(summary_of(record) for record in records if record.kind == "summary")

    def request(self, job: str) -> str:
        """What a job was opened with: its first prompt."""
        records = store.read(self.root, job, "interactions").records
        return next((str(r.data["text"]) for r in records if r.kind == "prompt"), "")

    def require(self, job: str) -> str:
        """The id of a job that exists."""
        if job not in store.jobs(self.root):
            raise UnknownReference(ref=job, hint="`lithify gate jobs` lists the jobs.")
        return job

    def closed(self) -> tuple[str, ...]:
        """The jobs whose gate is closed, by their files or by a mark."""
        return tuple(
            job
            for job in store.jobs(self.root)
            if self.book(job).demand or os.path.exists(store.mark_path(self.root, job))
        )

    def settle(self, job: str) -> Book:
        """Makes the mark of a gate say what its files say, whatever a crash left."""
        with store.writing(self.root):
            return self.refresh(job)

    def denial(self, job: str, demand: Demand) -> str:
        """What an agent is told that the gate has stopped."""
        command = texts.submit_command(program_words(), job, self.root)
        return texts.denial(job, demand, self.rules(job), command, served=_served())

    # For those who hold the gate's lock

    def add(self, job: str, kind: str, facts: dict[str, Any]) -> Line:
        """Adds a line to a job's record."""
        return store.append(self.root, job, "interactions", kind, facts, self.now())

    def refresh(self, job: str) -> Book:
        """Makes the mark say what the files say."""
        book = self.book(job)
        if book.demand:
            self.mark(job, book.demand, self.rules(job))
        else:
            store.clear_mark(self.root, job)
        return book

    def mark(
        self,
        job: str,
        demand: Demand,
        rules: Gate,
        coming: tuple[str, dict[str, Any]] | None = None,
    ) -> None:
        """Writes the mark; `coming` is the line that is about to be added to the record."""
        if coming:
            size = store.size_after(self.root, job, "interactions", *coming, self.now())
        else:
            size = store.size(self.root, job, "interactions")
        facts = mark(
            job,
            demand,
            rules,
            program=program_words(),
            root=self.root,
            sizes=(size, store.size(self.root, job, "chain")),
            toml=edited(self.root),
            denials=store.denials_path(self.root, job, demand.level, demand.stop),
            served=_served(),
        )
        store.set_mark(self.root, job, facts)
