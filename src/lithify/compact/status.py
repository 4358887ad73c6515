"""The status of a root: what is current, what is behind, and what is wrong with it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple

from lithify.calendar import week_days
from lithify.compact.in_force import InForce, Remembered
from lithify.compact.ledger import Commit, Ledger, reading_of, waits_for_reader
from lithify.compact.plan import Ask, plan
from lithify.compact.proposals import proposed_pages
from lithify.compact.requests import Waiting, waiting_requests
from lithify.compact.snapshot import Snapshot, lost_days, unsummarised_days, weeks_behind
from lithify.regex import regex
from lithify.secrets.state import LastScan, last_scan
from lithify.settings import Settings
from lithify.store.days import Unmatched
from lithify.store.journal import unattended
from lithify.store.last_run import LastRun, last_run, silent_days
from lithify.store.names import Layout
from lithify.store.recover import pending_rewrite
from lithify.values import BEHIND, TO_WRITE, Task

#: Pages whose claims are read together, about; minutes after which an agent had stopped; and how many
#: of its last pages tell how long one takes.
_READ_TOGETHER, _PAUSE, _LAST = 4, 60, 10


class RootStatus(NamedTuple):
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
    #: Pages that an agent is still to read, and those that were not read or are disputed, with why.
    to_read: tuple[Task, ...] = ()
    not_read: tuple[tuple[Task, str], ...] = ()
    #: Pages that leave out marked entries although their writer was asked, and how many.
    left_out: tuple[tuple[Task, int], ...] = ()
    #: Current weeks and months that the offline engine wrote.
    selected: int = 0
    #: How many entries of their days the weeks among these tell, and of how many.
    selected_entries: tuple[int, int] = (0, 0)
    #: With `model = "agent"`: about how many orders are left, and the minutes the last ones took each.
    orders_left: int = 0
    order_minutes: int = 0
    #: Pairs of memories in force that may contradict each other, the newer first.
    conflicts: tuple[tuple[Remembered, Remembered], ...] = ()
    #: What agents ask a person to change of memories.
    requests: tuple[Waiting, ...] = ()
    #: Whether a `forget` was cut short and could not be finished.
    unfinished: bool = False
    #: Which record of the journal is gone, though a page names it.
    lost_head: str = ""
    #: The commands that need a person and that scripts may call here.
    unattended: tuple[str, ...] = ()
    #: How the last run of `watch` or a schedule ended.
    last_run: LastRun = LastRun()
    #: For how many days a schedule has not run, if it should have.
    silent_days: int = 0

    @property
    def exit_code(self) -> int:
        behind = self.to_read or any(task.state in BEHIND for task in self.tasks)
        wrong = self.damage or self.lost or self.unread or self.unfinished or self.lost_head
        wrong = wrong or self.last_run.failure
        return 3 if behind or wrong or self.silent_days else 0


def status_of(snapshot: Snapshot, ask: Ask) -> RootStatus:
    """Return the status of a root on the day of `ask`."""
    shelf, ledger, today = snapshot.shelf, snapshot.ledger, ask.today
    tasks = plan(snapshot, ask)
    run, commits = last_run(snapshot.root), ledger.pages.commits
    current = [task for task in tasks if task.state == "current"]
    paged = [task.key for task in current if task.tier in ("week", "month")]
    offline = [commits[key] for key in paged if key in commits and commits[key].engine == "offline"]
    held = InForce(snapshot, today.isoformat())
    return RootStatus(
        root=snapshot.root,
        tasks=tasks,
        days=len(shelf.days),
        newest=max((day for day in shelf.days if day <= today), default=None),
        behind=_days_behind(tasks, today),
        refused=(*((r.path, r.reason) for r in snapshot.tree.refused), *_old_pages(snapshot)),
        proposals=len(ledger.wisdom.proposals) + len(proposed_pages(snapshot)),
        foreign=sum(task.state == "foreign" for task in tasks),
        trailing=weeks_behind(shelf, unsummarised_days(snapshot, today), tasks),
        damage=snapshot.damage,
        lost=lost_days(snapshot),
        secrets=last_scan(snapshot.root),
        unread=tuple(r.path for r in snapshot.tree.refused if r.broken),
        to_read=tuple(t for t in current if waits_for_reader(ledger, t.key)),
        not_read=tuple((t, why) for t in current if (why := _unread(ledger, t.key))),
        selected=len(offline),
        selected_entries=_entries_told(offline),
        left_out=tuple((t, lost) for t in current if (lost := _left_out(ledger, t.key))),
        orders_left=_orders_left(snapshot, tasks),
        order_minutes=_order_minutes(ledger),
        conflicts=tuple(held.conflicts()),
        requests=waiting_requests(ledger, held),
        lost_head=snapshot.lost_head,
        unattended=tuple(sorted(unattended(snapshot.journal.records))),
        unfinished=pending_rewrite(snapshot.root),
        last_run=run,
        silent_days=silent_days(run, today),
    )


def _entries_told(commits: Sequence[Commit]) -> tuple[int, int]:
    """Add up how many entries the weeks of some commits tell, and of how many."""
    counts = [commit.data.get("selected", (0, 0)) for commit in commits]
    return sum(int(told) for told, _ in counts), sum(int(of) for _, of in counts)


def _old_pages(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """Name the folders with pages that were written before the settings named another folder."""
    layout, there = snapshot.tree.layout, snapshot.ledger.pages.files
    old = [path for path, digest in there.items() if digest and layout.is_old_page(path)]
    old = [path for path in old if os.path.isfile(snapshot.root / path)]
    for folder, paths in groupby(sorted(old), key=os.path.dirname):
        number = len(list(paths))
        pages = "a page in it is" if number == 1 else f"{number:,} pages in it are"
        yield folder, f"{pages} of a folder that was used before; delete what compact wrote anew"


def _unread(ledger: Ledger, key: str) -> str:
    """Say why a page was not read, or is disputed; empty where it was read or still waits for it."""
    reading = reading_of(ledger, key)
    left = reading.get("state") in ("unread", "disputed") and not waits_for_reader(ledger, key)
    if not left:
        return ""
    # Loaded late: most roots have no such page.
    from lithify.compact.workspace import Reading

    return str(Reading.noted(reading))


def _left_out(ledger: Ledger, key: str) -> int:
    """Count the marked entries that a page leaves out, once its writer was asked for them."""
    commit = ledger.pages.commits.get(key)
    facts = commit.data if commit else {}
    # The offline engine is not asked: it made its choice within a length.
    if not commit or commit.engine == "offline" or facts.get("asks"):
        return 0
    return int(facts.get("left_out", 0))


def _orders_left(snapshot: Snapshot, tasks: Iterable[Task]) -> int:
    """Estimate the orders that an agent still has to answer, readings included."""
    settings = snapshot.settings
    if settings.model != "agent":
        return 0
    left = [task for task in tasks if task.state in (*TO_WRITE, "waiting")]
    weeks = {task.period for task in left if task.tier == "week"}
    orders = 0
    for task in left:
        if task.tier == "week":
            parts = -(-task.tokens // settings.agent.order_tokens)
            orders += max(1, min(settings.agent.orders_per_week, parts))
        elif task.tier != "typed" or task.period not in weeks:
            orders += 1
    # An order shows the claims of several pages to their reader.
    written = sum(waits_for_reader(snapshot.ledger, key) for key in snapshot.ledger.pages.commits)
    return orders + -(-(len(left) + written) // _READ_TOGETHER)


def _order_minutes(ledger: Ledger) -> int:
    """Return the usual minutes between two pages that an agent handed in, one after the other."""
    times = sorted(
        datetime.fromisoformat(commit.time.replace("Z", "+00:00"))
        for commit in ledger.pages.commits.values()
        if commit.engine.startswith("agent:")
    )
    gaps = [(after - before).total_seconds() / 60 for before, after in pairwise(times)]
    gaps = sorted([gap for gap in gaps if 0 < gap < _PAUSE][-_LAST:])
    return max(1, round(gaps[len(gaps) // 2])) if gaps else 0


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


#: The length that a page of ours records of itself, and how far into the file it is looked for: the
#: parser of front matter is not loaded for it.
_RECORDED = regex(rb"^tokens: \{in: \d+, out: (\d+)\}\r?$", re.MULTILINE)
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
    root: str | os.PathLike[str], layout: Layout, tasks: Iterable[Task], settings: Settings
) -> tuple[LongPage, ...]:
    """Return the pages that are over their ceiling and that only `--rewrite` writes again.

    Pages of others stay as they are, and what is
    due or stale is written again anyway: neither is in the answer.
    """
    found = []
    for task in tasks:
        if task.state != "current" or task.tier not in ("week", "month"):
            continue
        kind = "weekly" if task.tier == "week" else "monthly"
        ceiling = (settings.weekly if task.tier == "week" else settings.monthly).max_tokens
        path = layout.page(task.tier, task.period)
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
