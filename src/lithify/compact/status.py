"""The status of a root: what is current, what is behind, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import NamedTuple

from lithify.calendar import week_days
from lithify.compact.audit_records import audits_due, unaudited
from lithify.compact.plan import BEHIND, Ask, plan
from lithify.compact.shelf import lost_days, unsummarised_days, weeks_behind
from lithify.compact.snapshot import Snapshot
from lithify.secrets.state import LastScan, last_scan
from lithify.store.days import Unmatched
from lithify.store.last_run import LastRun, last_run, silent_days
from lithify.store.recover import pending_rewrite
from lithify.values import Task


class Status(NamedTuple):
    """What is current and what is behind in a root."""

    root: Path
    tasks: tuple[Task, ...]
    days: int
    newest: date | None
    behind: int
    refused: tuple[tuple[str, str], ...]
    proposals: int
    foreign: int
    #: Weeks that are not over and whose page is behind its days.
    trailing: tuple[str, ...] = ()
    #: What is wrong with the journal.
    damage: str = ""
    #: Days that are gone with what was captured in them.
    lost: tuple[str, ...] = ()
    #: Files that should be readable and are not; they are among the refused.
    unread: tuple[str, ...] = ()
    #: The files that held secrets when they were last looked for, and when that was.
    secrets: LastScan = LastScan()
    #: Dated files that no pattern of `days.patterns` reads.
    unmatched: Unmatched | None = None
    #: Pages that wait for an agent's audit, and those whose auditor's reply could not be read.
    to_audit: tuple[Task, ...] = ()
    unaudited: tuple[Task, ...] = ()
    #: Whether a `forget` was cut short and could not be finished.
    unfinished: bool = False
    #: Which record of the journal is gone, though a page names it.
    lost_head: str = ""
    #: How the last run of `watch` or a schedule ended.
    last_run: LastRun = LastRun()
    #: For how many days a schedule has not run, if it should have.
    silent_days: int = 0

    @property
    def exit_code(self) -> int:
        behind = self.to_audit or any(task.state in BEHIND for task in self.tasks)
        wrong = self.damage or self.lost or self.unread or self.unfinished or self.lost_head
        wrong = wrong or self.last_run.failure
        return 3 if behind or wrong or self.silent_days else 0


def status_of(snapshot: Snapshot, ask: Ask) -> Status:
    """The status of a root on the day of `ask`."""
    shelf, ledger, today = snapshot.shelf, snapshot.ledger, ask.today
    tasks = plan(shelf, ledger, snapshot.settings, ask)
    run = last_run(snapshot.root)
    return Status(
        root=snapshot.root,
        tasks=tasks,
        days=len(shelf.days),
        newest=max((day for day in shelf.days if day <= today), default=None),
        behind=_days_behind(tasks, today),
        refused=tuple((r.path, r.reason) for r in snapshot.tree.refused),
        proposals=len(ledger.proposals),
        foreign=sum(task.state == "foreign" for task in tasks),
        trailing=weeks_behind(shelf, unsummarised_days(shelf, ledger, today), tasks),
        damage=snapshot.damage,
        lost=lost_days(shelf, ledger),
        secrets=last_scan(snapshot.root),
        unread=tuple(r.path for r in snapshot.tree.refused if r.broken),
        to_audit=tuple(audits_due(ledger, tasks)),
        unaudited=tuple(unaudited(ledger, tasks)),
        lost_head=snapshot.lost_head,
        unfinished=pending_rewrite(snapshot.root),
        last_run=run,
        silent_days=silent_days(run, today),
    )


def _days_behind(tasks: Iterable[Task], today: date) -> int:
    """Days since the end of the oldest week that was never written.

    A stale week does not count: an old day that was edited does not make all later weeks late.
    """
    late = [
        (today - week_days(task.period)[-1]).days
        for task in tasks
        if task.tier == "week" and task.state in ("due", "failed")
    ]
    return max(late, default=0)
