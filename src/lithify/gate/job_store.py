"""The jobs of one root: reads their states from the logs and keeps the closed files up to date."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from lithify.calendar import Clock, stamp, system_clock
from lithify.errors import LithifyError, StorageError, UnknownReference
from lithify.gate import closed, files, servers, sessions, texts
from lithify.gate.cached_settings import in_force
from lithify.gate.decide import Demand
from lithify.gate.jobs import (
    INTERACTIONS,
    Interaction,
    JobState,
    Line,
    Summary,
    interaction_of,
    state_from_logs,
    summary_of,
)

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
        state = self._logged_state(job)
        return state if self.settings.on else state._replace(closing=None, rollup=None)

    def _logged_state(self, job: str) -> JobState:
        """The state that the logs tell, whether the gate is switched on or not."""
        record = files.newest(self.root, job, "interactions")
        chain = files.newest(self.root, job, "chain")
        return state_from_logs(job, record, chain, self.rules(job))

    def is_active(self, job: str) -> bool:
        """Whether a job goes on; only the last line of its record is read."""
        last = next(files.newest(self.root, job, "interactions"), None)
        return last is None or last.kind != "ended"

    def job_of(self, session: str) -> str | None:
        """The job a session works on or would take up; None if its first prompt opens a new one.

        While the gate is off each session has its own job, which ends with it and goes on with
        it: without summaries, a job that all sessions share would grow for months.
        """
        known = sessions.known(self.root, session)
        own: str = known.get("job", "")
        if own and self.is_active(own):
            return own
        if self.settings.on:
            active = [job for job in files.jobs(self.root) if self.is_active(job)]
            name, found = sessions.file_name(self.root, session), sessions.all_sessions(self.root)
            return sessions.choose_job(name, found, active, self._clock().timestamp())
        if own and known.get("ended"):
            return own
        free = sessions.known(self.root, sessions.NOBODY)
        return free["job"] if free.get("ended") and self.is_active(free["job"]) else None

    def full_state(self, job: str) -> JobState:
        """The state of a job that exists, with every summary of its chain."""
        self.existing(job)
        return self.state(job)._replace(chain=self.chain(job))

    def chain(self, job: str) -> tuple[Summary, ...]:
        """The summaries of a job, oldest first."""
        records = files.read(self.root, job, "chain").records
        return tuple(summary_of(record) for record in records if record.kind == "summary")

    def record_of(self, job: str) -> tuple[Interaction, ...]:
        """Every interaction of a job, oldest first."""
        records = files.read(self.root, job, "interactions").records
        return tuple(interaction_of(one) for one in records if one.kind in INTERACTIONS)

    def last_job(self) -> str | None:
        """The job that was worked on last: an active one, else one that has ended."""
        found = sorted(sessions.all_sessions(self.root), key=lambda one: (one.heard, one.id))
        names = [one.job for one in reversed(found) if files.has_job(self.root, one.job)]
        names += [job for job in reversed(files.jobs(self.root)) if job not in names]
        return next(filter(self.is_active, names), None) or next(iter(names), None)

    def first_prompt(self, job: str) -> str:
        """The prompt that opened a job."""
        records = files.read(self.root, job, "interactions").records
        return next((str(r.data["text"]) for r in records if r.kind == "prompt"), "")

    def existing(self, job: str) -> str:
        """The id of a job, refused where there is no such job."""
        if not files.has_job(self.root, job):
            raise UnknownReference(ref=job, hint="`lithify gate jobs` lists the jobs.")
        return job

    def closed_jobs(self) -> tuple[str, ...]:
        """The jobs whose gate is closed, by their logs or by a closed file."""
        return tuple(job for job in files.jobs(self.root) if self._is_closed(job))

    def _is_closed(self, job: str) -> bool:
        if os.path.lexists(files.closed_path(self.root, job)):
            return True
        try:
            return self.state(job).demand is not None
        except StorageError:  # `check` names it; without a closed file no call is denied
            return False

    def update_closed(self, job: str) -> JobState:
        """Makes the closed file agree with the logs, whatever a crash has left."""
        with files.writing(self.root):
            return self._update_closed(job)

    def denial(self, job: str, demand: Demand) -> str:
        """The reason an agent is given when a call is denied."""
        command = texts.submit_command(program_words(), job, self.root)
        served = servers.is_served(self.root)
        return texts.denial(job, demand, self.rules(job), command, served=served)

    # The callers of the methods below hold the gate's lock.

    def _write_choice(self) -> None:
        """Writes `enabled = false` where the key is missing, so that a person sees the choice."""
        settings = self.settings
        if settings.gate.enabled is not None or settings.problem:
            return
        from lithify.config_edit import write_enabled

        try:
            write_enabled(self.root, False)
            self._settings = None
        except LithifyError as error:
            self._settings = settings._replace(problem=error.message)

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
        )
        files.put_json(files.closed_path(self.root, job), content)
