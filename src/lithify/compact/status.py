"""The status of a root: what is current, what is behind, and what is wrong with it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import NamedTuple

from lithify.calendar import week_days
from lithify.compact.ledger import audits_due, unaudited
from lithify.compact.plan import Ask, plan
from lithify.compact.snapshot import Snapshot, lost_days, unsummarised_days, weeks_behind
from lithify.secrets.state import LastScan, last_scan
from lithify.settings import Settings
from lithify.store.days import Unmatched
from lithify.store.last_run import LastRun, last_run, silent_days
from lithify.store.recover import pending_rewrite
from lithify.values import BEHIND, Task


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
    """Return the status of a root on the day of `ask`."""
    shelf, ledger, today = snapshot.shelf, snapshot.ledger, ask.today
    tasks = plan(snapshot, ask)
    run = last_run(snapshot.root)
    return Status(
        root=snapshot.root,
        tasks=tasks,
        days=len(shelf.days),
        newest=max((day for day in shelf.days if day <= today), default=None),
        behind=_days_behind(tasks, today),
        refused=tuple((r.path, r.reason) for r in snapshot.tree.refused),
        proposals=len(ledger.wisdom.proposals),
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
    """Return days since the end of the oldest week that was never written.

    A stale week does not count: an old day that was edited does not make all later weeks late.
    """
    late = [
        (today - week_days(task.period)[-1]).days
        for task in tasks
        if task.tier == "week" and task.state in ("due", "failed")
    ]
    return max(late, default=0)


# Pages over the ceiling of their tier; a ceiling can be lowered after a page was written


#: The length that a page of ours records of itself, and how far into the file it is looked for.
_RECORDED = re.compile(rb"^tokens: \{in: \d+, out: (\d+)\}\r?$", re.MULTILINE)
_HEAD = 1 << 14
#: The verifier leaves headings and list marks out of a short page's length, the record does not:
#: up to so many tokens over its ceiling, such a page would be written the same again.
_SHORT, _MARKS = 850, 50


class LongPage(NamedTuple):
    """A page over its ceiling; `setting` is the ceiling's name in `lithify.toml`."""

    path: str
    tokens: int
    ceiling: int
    setting: str
    command: str

    def __str__(self) -> str:
        return f"{self.tokens:,} tokens, over the {self.ceiling:,} of {self.setting}"


def long_pages(
    root: str | os.PathLike[str], folder: str, tasks: Iterable[Task], settings: Settings
) -> tuple[LongPage, ...]:
    """Return the pages that are over their ceiling and that only `--rewrite` writes again.

    `folder` is the memory folder under the root. Pages of others stay as they are, and what is
    due or stale is written again anyway: neither is in the answer.
    """
    found = []
    for task in tasks:
        if task.state != "current" or task.tier not in ("week", "month"):
            continue
        kind = "weekly" if task.tier == "week" else "monthly"
        ceiling = (settings.weekly if task.tier == "week" else settings.monthly).max_tokens
        path = "/".join([*([folder] if folder else []), kind, f"{task.period}.md"])
        tokens = _length(os.path.join(root, path))
        if tokens > ceiling + (_MARKS if tokens <= _SHORT else 0):
            command = f"lithify compact {task.tier} --period {task.period} --rewrite"
            found.append(LongPage(path, tokens, ceiling, f"{kind}.max_tokens", command))
    return tuple(found)


def _length(path: str) -> int:
    """Return the tokens of a page as its front matter records them, else an estimate."""
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
            if recorded := _RECORDED.search(head):
                return int(recorded[1])
            rest = file.read()
    except OSError:
        # Another run replaces the page at this moment: it is measured next time.
        return 0
    from lithify.markdown.pages import body_of
    from lithify.text.tokens import estimate

    return estimate(body_of(head + rest))
