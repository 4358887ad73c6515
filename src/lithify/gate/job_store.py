"""The jobs of one root: reads their states from the logs and keeps the closed files up to date."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from lithify.calendar import Clock, stamp, system_clock
from lithify.errors import UnknownReference
from lithify.gate import closed, files, texts
from lithify.gate.cached_settings import in_force
from lithify.gate.decide import Demand
from lithify.gate.jobs import JobState, Line, Summary, state_from_logs, summary_of

if TYPE_CHECKING:
    from lithify.gate.cached_settings import GateSettings
    from lithify.settings import Gate
    from lithify.store.places import Root


def program_words(python: str = sys.executable) -> tuple[str, ...]:
    """The words that call the installation of a Python, whatever the PATH is."""
    beside = os.path.join(os.path.dirname(python), "lithify")
    if os.path.isfile(beside):
        return (beside,)
    return (python, "-I", "-m", "lithify.cli")


def _served() -> bool:
    """Whether this installation can serve its tools over MCP, which needs an extra."""
    from importlib.util import find_spec

    return find_spec("mcp") is not None


class JobStore:
    """The records and chains of one root."""

    def __init__(self, root: Root, clock: Clock = system_clock) -> None:
        self.root = os.path.abspath(os.fspath(root))
        self._clock = clock
        self._settings: GateSettings | None = None

    def now(self) -> str:
        """The present time in the form the logs have."""
        return stamp(self._clock())

    @property
    def settings(self) -> GateSettings:
        """The settings in force. If the file is refused, those read before it stay in force."""
        if self._settings is None:
            self._settings = in_force(self.root)
        return self._settings

    def rules(self, job: str) -> Gate:
        """The rules of one job."""
        return self.settings.rules(job)

    def jobs(self) -> tuple[JobState, ...]:
        """The state of every job, with its whole chain."""
        return tuple(self.full_state(job) for job in files.jobs(self.root))

    def state(self, job: str) -> JobState:
        """The state of a job, read no further back than its last summary."""
        record = files.newest(self.root, job, "interactions")
        chain = files.newest(self.root, job, "chain")
        return state_from_logs(job, record, chain, self.rules(job))

    def full_state(self, job: str) -> JobState:
        """The state of a job that exists, with every summary of its chain."""
        self.existing(job)
        return self.state(job)._replace(chain=self.chain(job))

    def chain(self, job: str) -> tuple[Summary, ...]:
        """The summaries of a job, oldest first."""
        records = files.read(self.root, job, "chain").records
        return tuple(summary_of(record) for record in records if record.kind == "summary")

    def first_prompt(self, job: str) -> str:
        """The prompt that opened a job."""
        records = files.read(self.root, job, "interactions").records
        return next((str(r.data["text"]) for r in records if r.kind == "prompt"), "")

    def existing(self, job: str) -> str:
        """The id of a job, refused where there is no such job."""
        if job not in files.jobs(self.root):
            raise UnknownReference(ref=job, hint="`lithify gate jobs` lists the jobs.")
        return job

    def closed_jobs(self) -> tuple[str, ...]:
        """The jobs whose gate is closed, by their logs or by a closed file."""
        return tuple(
            job
            for job in files.jobs(self.root)
            if self.state(job).demand or os.path.exists(files.closed_path(self.root, job))
        )

    def update_closed(self, job: str) -> JobState:
        """Makes the closed file agree with the logs, whatever a crash has left."""
        with files.writing(self.root):
            return self._update_closed(job)

    def denial(self, job: str, demand: Demand) -> str:
        """The reason an agent is given when a call is denied."""
        command = texts.submit_command(program_words(), job, self.root)
        return texts.denial(job, demand, self.rules(job), command, served=_served())

    # The callers of the methods below hold the gate's lock.

    def _append(self, job: str, kind: str, facts: dict[str, Any]) -> Line:
        """Adds a line to a job's record."""
        return files.append(self.root, job, "interactions", kind, facts, self.now())

    def _update_closed(self, job: str) -> JobState:
        state = self.state(job)
        if state.demand:
            self._write_closed(job, state.demand)
        else:
            files.remove_closed(self.root, job)
        return state

    def _write_closed(
        self, job: str, demand: Demand, coming: tuple[str, dict[str, Any]] | None = None
    ) -> None:
        """Writes the closed file; `coming` is the line that is about to be added to the record."""
        if coming:
            size = files.size_after(self.root, job, "interactions", *coming, self.now())
        else:
            size = files.size(self.root, job, "interactions")
        content = closed.content_of(
            job,
            demand,
            self.rules(job),
            program=program_words(),
            root=self.root,
            sizes=(size, files.size(self.root, job, "chain")),
            toml=closed.toml_stamp(self.root),
            denials=files.denials_path(self.root, job, demand.level, demand.stop),
            served=_served(),
        )
        files.put_json(files.closed_path(self.root, job), content)
