"""Opens gates by hand, and switches the gate of a root on and off: what a person does."""

from __future__ import annotations

import contextlib
from typing import NamedTuple

from lithify.errors import ConfigError, StorageError, UsageError
from lithify.gate import files
from lithify.gate.decide import Demand
from lithify.gate.job_store import JobStore


class Switched(NamedTuple):
    """What switching the gate has changed: the jobs that were opened, and those that were ended."""

    changed: bool
    opened: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()


class JobGates(JobStore):
    """The gates of a root's jobs, as a person opens them."""

    def open_closed(self, reason: str, job: str | None = None) -> tuple[str, ...]:
        """Opens the gate of a job, or every closed one, by hand; returns those that were closed."""
        if job is not None:
            self.existing(job)
        files.free_locks(self.root)
        names = [one for one in self.closed_jobs() if job in (None, one)]
        for one in names:
            self.open_by_hand(one, reason)
        if job is None:
            with files.writing(self.root):
                files.clear_closed(self.root)
        return tuple(names)

    def open_by_hand(self, job: str, reason: str) -> Demand | None:
        """Opens a closed gate without a summary; the journal keeps the reason."""
        from lithify.store.commit import note

        self.existing(job)
        try:
            demand = self.state(job).demand
        except StorageError:
            # A person can open the gate even if its files are damaged.
            demand = None
        facts = {"gate": {"job": job}, "reason": reason, "demand": list(demand or ())}
        note(self.root, "gate-opened", facts, self.now())
        with files.writing(self.root):
            if demand:
                self._note_opening(job, reason)
            files.remove_closed(self.root, job)
            files.clear_denials(self.root, job)
        return demand

    def settle(self, gate: bool) -> None:
        """Writes the key that says whether the gate is on, where a root has none yet.

        With `gate` it is switched on. Where the file cannot be edited and the gate was not asked
        for, the key stays missing.
        """
        from lithify import config
        from lithify.config_edit import write_enabled

        # Not from the cache, which would be the first file of a new root's `.lithify/`.
        chosen = config.load(self.root).gate.enabled
        if gate and not chosen and files.jobs(self.root):
            self.switch(True)
        elif gate:
            write_enabled(self.root, True)
        elif chosen is None:
            with contextlib.suppress(ConfigError):
                write_enabled(self.root, False)
        self._settings = None

    def switch(self, on: bool) -> Switched:
        """Switches the gate on or off for the whole root; the journal keeps it.

        Off opens what is closed. On ends the active jobs, because what they have recorded without
        a gate may be more than an agent can be shown; the next prompt opens a new job.
        """
        from lithify.config_edit import write_enabled
        from lithify.store.commit import note

        if self.settings.problem:
            raise UsageError(reason=f"{self.settings.problem}; fix the file first")
        write_enabled(self.root, on, write=False)
        files.free_locks(self.root)
        changes = self.settings.on != on
        opened: tuple[str, ...] = ()
        ended: list[str] = []
        if not on:
            opened = self.open_closed("the gate was switched off")
        if changes:
            note(self.root, "gate-switched", {"gate": {"enabled": on}}, self.now())
        with files.writing(self.root):
            for job in files.jobs(self.root) if on and changes else ():
                with contextlib.suppress(StorageError):
                    state = self._logged_state(job)
                    if state.demand:
                        self._note_opening(job, "the gate was switched on")
                    if state.active or state.demand:
                        self._append(job, "ended", {})
                    if state.active:
                        ended.append(job)
            write_enabled(self.root, on)
            self._settings = None
            if not on:
                files.clear_closed(self.root)
        return Switched(changes, opened, tuple(ended))

    def _note_opening(self, job: str, reason: str) -> None:
        last = next(files.newest(self.root, job, "chain"), None)
        self._append(job, "opened", {"reason": reason, "chain": last.seq if last else 0})
