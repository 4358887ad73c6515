"""Work orders: what is asked of the agent at work, one reply at a time.

An order is not stored. It follows from the plan, the sources and the journal: a compaction by the
agent's engine runs until it lacks a reply, and the prompt of that reply is the order. A reply is
saved before it is read, so that a command killed anywhere is made good by the next one. Three things
are asked for: a page, verdicts on pages that another session wrote, and an amendment of a page in
force, whose writer left something out or is disputed by a reader.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from typing import Literal, NamedTuple

from lithify.calendar import month_of, parse_day
from lithify.compact.brief import OVERHEAD
from lithify.compact.ledger import waits_for_reader
from lithify.compact.reading import (
    Amendment,
    UnreadPage,
    amend,
    amendments,
    batch,
    entries_of,
    may_read,
    read_pages,
    reader_of,
    unread_pages,
)
from lithify.compact.run import Run
from lithify.compact.workspace import Result
from lithify.engines.base import Completion, Room
from lithify.engines.model import AgentEngine, ReplyNeeded
from lithify.errors import UnknownReference
from lithify.limits import AGENT_REPLY
from lithify.regex import regex
from lithify.trust import outcome
from lithify.values import SentBack, Task, Tier

#: Tokens that are planned for one reply of an agent; the ceilings of pages are lower.
_OUTPUT = 8000
_TIERS: tuple[Tier, ...] = ("week", "typed", "month", "wisdom")
_ID = regex(
    r"(?P<kind>read|mend|page)-(?:(?P<tier>week|typed|month|wisdom)-)?"
    r"(?:(?P<period>[0-9W-]+)-)?(?P<key>[0-9a-f]{12})"
)

Kind = Literal["page", "read", "mend"]

#: What an order for a page asks for, by its tier.
_PAGES = {
    "week": "the summary of week {} and its memories",
    "typed": "the memories of week {}",
    "month": "the summary of month {}",
    "wisdom": "the decisions on wisdom",
}
#: What a send-back asks to be mended, by its tier; the rest was kept.
_MENDED = {
    "week": "what came back of week {}",
    "typed": "what came back of the memories of week {}",
    "month": "what came back of month {}",
    "wisdom": "what came back of the decisions on wisdom",
}
#: What a task wrote, by its tier.
_NAMES = {
    "week": "week {}",
    "typed": "memories of week {}",
    "month": "month {}",
    "wisdom": "wisdom",
}


class Order(NamedTuple):
    """One reply that is wanted: what for, the prompt, and what went back, if anything did.

    `tasks` are the pages that it is about; `read` asks for verdicts on several, `mend` for further
    or better bullets of one that is in force.
    """

    id: str
    kind: Kind
    tasks: tuple[Task, ...]
    key: str
    system: str
    user: str
    back: SentBack | None = None

    @property
    def task(self) -> Task:
        """The page it is about, or the first of them."""
        return self.tasks[0]

    @property
    def words(self) -> int:
        """The length of what it shows, in words."""
        return len(self.system.split()) + len(self.user.split())

    def in_words(self, how: str) -> str:
        """Say the order as an agent reads it; `how` tells how its reply is handed in."""
        page = (_MENDED if self.back else _PAGES)[self.task.tier].format(self.task.period)
        what = {
            "page": f"mend {page}" if self.back else f"write {page}",
            "mend": f"go on with {page}",
            "read": "judge the claims below",
        }[self.kind]
        return (
            f"Work order {self.id}: {what}. All you need is below; use nothing you remember.\n"
            f"{how}\n\n{self.system}\n\n{self.user}"
        )


def _order(kind: Kind, tasks: Sequence[Task], needed: ReplyNeeded) -> Order:
    about = [str(len(tasks))] if kind == "read" else [tasks[0].tier, tasks[0].period]
    prompt, name = needed.prompt, "-".join(filter(None, (kind, *about, needed.key[:12])))
    return Order(name, kind, tuple(tasks), needed.key, prompt.system, prompt.user, needed.back)


class OrderProgress(NamedTuple):
    """How far the writing got: the pages written on the way, and the order that is next, if any.

    Without an order, `unread` counts the pages that wait for somebody who did not write them.
    """

    results: tuple[Result, ...]
    order: Order | None = None
    unread: int = 0

    @property
    def end(self) -> str:
        """Say that there is no order, and what is waited for."""
        return _end(self.unread)


def _end(unread: int) -> str:
    if not unread:
        return "nothing is due"
    pages = "1 page waits" if unread == 1 else f"{unread} pages wait"
    return (
        f"nothing is due for this session; {pages} to be read by somebody who did not write them, and "
        "months wait for that: a subagent that is given nothing else may do it "
        "(lithify write next --as-reader; next_page with as_reader)"
    )


#: What became of a reply. `part`: it was read, and its page needs more; `again`: it had been
#: handed in before.
State = Literal["committed", "held", "part", "sent back", "refused", "failed", "again"]


class HandedIn(NamedTuple):
    """What became of a reply, why, the pages it completed, and the order that comes next."""

    state: State
    reason: str = ""
    results: tuple[Result, ...] = ()
    order: Order | None = None
    unread: int = 0

    @property
    def end(self) -> str:
        """Say that there is no further order, and what is waited for."""
        return _end(self.unread)

    @property
    def exit_code(self) -> int:
        if self.state == "failed":
            return 1
        if self.state in ("sent back", "refused"):
            return 4
        return 4 if any(result.refused or result.held for result in self.results) else 0

    def in_words(self) -> str:
        """Say what became of a reply: the pages written, and the verdict."""
        lines = []
        for result in self.results:
            note = f", {result.refused} refused (lithify quarantine)" if result.refused else ""
            note += f", {result.held} held for a person (lithify review)" if result.held else ""
            note += f"; {result.reading}" if result.reading else ""
            lines.append(
                f"{_NAMES[result.task.tier].format(result.task.period)}: {result.status}{note}"
            )
            lines += [f"- {label}" for label in result.notes]
        lines.append(f"{self.state}: {self.reason}" if self.reason else self.state)
        return "\n".join(lines)


def agent_room(order_tokens: int) -> Room:
    """Return the room of an agent's calls if an order shows at most so many tokens of sources."""
    return Room(order_tokens + OVERHEAD + _OUTPUT, _OUTPUT)


class Asking(NamedTuple):
    """Who asks for an order: its session, and whether it is a reader that was given nothing else."""

    session: str = ""
    as_reader: bool = False


def advance(run: Run, asking: Asking) -> OrderProgress:
    """Go on to the first reply that is missing: of a reader, of an amendment, else of a page.

    Reading comes first, so that a month rests on weeks that were read. No session is offered pages
    of its own to read, and none that has read untrusted text: verdicts take claims out of memory.
    """
    results = run.apply_verdicts()
    for kind, tasks, work in _open_work(run, asking):
        try:
            results += work()
        except ReplyNeeded as needed:
            return OrderProgress(tuple(results), _order(kind, tasks, needed))
    if asking.as_reader:
        return OrderProgress(tuple(results))
    written, unread = _write_pages(run), 0
    if not written.order:
        ledger = run.workspace.snapshot.ledger
        unread = sum(waits_for_reader(ledger, key) for key in ledger.pages.commits)
    return OrderProgress((*results, *written.results), written.order, unread)


_Work = tuple[Kind, Sequence[Task], Callable[[], list[Result]]]


def _open_work(run: Run, asking: Asking) -> Iterator[_Work]:
    """Yield what is to be read or amended, each with how it is finished once its reply is there."""
    workspace = run.workspace
    while pages := _readable(run, asking):
        entries = entries_of(workspace.snapshot, pages)
        yield _reading(run, batch(pages, reader_of(workspace, run.engine), entries))
    mendable = not asking.as_reader and outcome("rewrite", workspace.by) == "done"
    for one in amendments(workspace) if mendable else ():
        yield _amending(run, one)


def _readable(run: Run, asking: Asking) -> list[UnreadPage]:
    """Return the pages that a session may read; none if it has read untrusted text."""
    if outcome("read", run.workspace.by) != "done":
        return []
    pages = unread_pages(run.workspace)
    if asking.as_reader:
        return pages
    return [page for page in pages if may_read(run.workspace, page, asking.session)]


def _reading(run: Run, pages: Sequence[UnreadPage]) -> _Work:
    return (
        "read",
        [page.task for page in pages],
        lambda: read_pages(run.workspace, run.engine, pages),
    )


def _amending(run: Run, one: Amendment) -> _Work:
    return "mend", [one.task], lambda: [amend(run.workspace, run.engine, run.begin, one)]


def _write_pages(
    run: Run, tiers: Sequence[Tier] = _TIERS, period: str | None = None
) -> OrderProgress:
    """Write every page whose replies were handed in, up to the first reply that is missing."""
    begun: list[Task] = []
    run.progress = lambda task, done, total: begun.append(task)
    run.leaves = lambda task: _needs_trust(run, task) or _waits_for_reading(run, task)
    try:
        run.compact(tiers, period)
    except ReplyNeeded as needed:
        return OrderProgress(tuple(run.results), _order("page", begun[-1:], needed))
    return OrderProgress(tuple(run.results))


def _needs_trust(run: Run, task: Task) -> bool:
    """Tell whether this writer is not offered a page: wisdom, one in force, one it has proposed."""
    pages, by = run.workspace.snapshot.ledger.pages, run.workspace.by
    if outcome("rewrite", by) == "done":
        return False
    before = pages.proposed.get(task.key)
    proposed = before is not None and before.sources == task.sources
    return task.tier == "wisdom" or task.key in pages.commits or proposed


def _waits_for_reading(run: Run, task: Task) -> bool:
    """Tell whether a month is left until its weeks are read, which may take `agent.wait_days`.

    Wisdom is left as long as a month is.
    """
    if task.tier == "wisdom":
        return any(left.tier == "month" for left in run.left.values())
    if task.tier != "month":
        return False
    snapshot, today = run.workspace.snapshot, run.workspace.ask.today
    wait = timedelta(snapshot.settings.agent.wait_days)
    for key, commit in snapshot.ledger.pages.commits.items():
        tier, _, week = key.partition(":")
        if (
            tier == "week"
            and month_of(week) == task.period
            and waits_for_reader(snapshot.ledger, key)
        ):
            written = parse_day(commit.time[:10])
            if written and today < written + wait:
                return True
    return False


def hand_in(begin: Callable[..., Run], order: str, text: str, session: str = "") -> HandedIn:
    """Take a reply to an order: save it, and finish what it completes.

    `begin` makes a run; it is told whether periods that failed, and pages of the offline engine, are
    written again.
    """
    asked = _ID.fullmatch(order)
    if asked is None:
        raise UnknownReference(ref=order, hint="`lithify write next` prints the order that is due.")
    for go_on in _ways(begin, asked, session):
        wanted = go_on().order
        if wanted and wanted.id == order:
            break
    else:
        return _not_asked_for(begin(), order, asked, Asking(session))
    if not text.strip():
        return HandedIn("refused", "the reply is empty; the order is still open", order=wanted)
    if len(text) > AGENT_REPLY:
        reason = f"the reply has {len(text):,} characters, more than any page; nothing was kept"
        return HandedIn("refused", reason, order=wanted)
    engine = begin().engine
    assert isinstance(engine, AgentEngine)
    engine.replies.put(wanted.key, Completion(text), wanted.user)
    after = go_on()
    done = next((r for r in after.results if r.task.key == wanted.task.key), None)
    if after.order and not (done and done.status == "failed"):
        if after.order.back and after.order.back.violations:
            return HandedIn("sent back", "mend what is listed", after.results, after.order)
        return HandedIn("part", "its page needs more replies", after.results, after.order)
    results = tuple(r for r in after.results if r.status != "adopted")
    following = advance(begin(), Asking(session))
    results += following.results
    if done and done.status == "failed":
        return HandedIn("failed", done.reason, results, following.order)
    why = str(done.reading) if done and done.reading and wanted.kind == "read" else ""
    if done and done.status == "held":
        why = "it counts for nothing until a person approves it (lithify review)"
        return HandedIn("held", why, results, following.order, following.unread)
    return HandedIn("committed", why, results, following.order, following.unread)


def _ways(
    begin: Callable[..., Run], asked: re.Match[str], session: str
) -> Iterator[Callable[[], OrderProgress]]:
    """Yield the ways in which an order of this name comes about, the usual one first."""
    if asked["kind"] == "page":
        weekly = asked["tier"] in ("week", "typed")
        tiers: tuple[Tier, ...] = ("week", "typed") if weekly else ("month", "wisdom")

        def write(**again: bool) -> OrderProgress:
            return _write_pages(begin(**again), tiers, asked["period"])

        for again in ({}, {"retry": True}, {"rewrite": True}, {"retry": True, "rewrite": True}):
            yield partial(write, **again)
    else:
        for asking in (Asking(session), Asking(session, as_reader=True)):
            yield partial(_do, begin, asked, asking)


def _do(begin: Callable[..., Run], asked: re.Match[str], asking: Asking) -> OrderProgress:
    """Read or amend what an order names, as far as its replies are there."""
    run = begin()
    run.apply_verdicts()
    work: _Work | None = None
    if asked["kind"] == "read":
        pages = _readable(run, asking)[: int(asked["period"] or 0)]
        work = _reading(run, pages) if pages else None
    elif outcome("rewrite", run.workspace.by) == "done":
        key = f"{asked['tier']}:{asked['period']}"
        mine = (one for one in amendments(run.workspace) if one.task.key == key)
        work = next((_amending(run, one) for one in mine), None)
    if work is None:
        return OrderProgress(())
    kind, tasks, finish = work
    try:
        return OrderProgress(tuple(finish()))
    except ReplyNeeded as needed:
        return OrderProgress((), _order(kind, tasks, needed))


def _not_asked_for(run: Run, order: str, asked: re.Match[str], asking: Asking) -> HandedIn:
    """Tell why a reply to this order is not wanted."""
    snapshot = run.workspace.snapshot
    saved = glob.glob(os.path.join(snapshot.root, ".lithify/replies", f"{asked['key']}*.json"))
    now = advance(run, asking)
    commit = snapshot.ledger.pages.commits.get(f"{asked['tier']}:{asked['period'] or ''}")
    same = now.order is not None and now.order.id.rpartition("-")[0] == order.rpartition("-")[0]
    if saved and same and now.order:
        reason = f"a reply to this order was read before; the order is now {now.order.id}"
        return HandedIn("refused", reason, now.results, now.order)
    if saved:
        reason = "a reply to this order was handed in before; that one counts"
        return HandedIn("again", reason, now.results, now.order)
    if asked["kind"] != "page":
        reason = "its pages were read or written again meanwhile"
    elif same:
        reason = "its sources have changed since; ask again with `lithify write next`"
    elif commit:
        reason = f"its page was written meanwhile, by {commit.engine}"
    else:
        reason = "its page is not due; ask again with `lithify write next`"
    return HandedIn("refused", f"{reason}. Nothing was kept", now.results, now.order)
