"""Work orders: the pages that wait for the agent at work, asked for and handed in one by one.

An order is not stored. It follows from the plan and the sources: a compaction by the agent's engine
runs until it lacks a reply, and the prompt of that reply is the order. A reply is saved before it is
read, so that a command killed anywhere is made good by the next one.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple

from lithify.calendar import month_end, month_start, parse_day, week_days
from lithify.compact.brief import OVERHEAD
from lithify.compact.run import Run
from lithify.compact.snapshot import Snapshot
from lithify.compact.workspace import Result
from lithify.engines.base import Completion, Room
from lithify.engines.model import AgentEngine, ReplyNeeded
from lithify.errors import UnknownReference
from lithify.limits import AGENT_REPLY
from lithify.values import Task, Tier, Violation

#: Tokens that are planned for one reply of an agent; the ceilings of pages are lower.
_OUTPUT = 8000
#: The most characters of a reply. A whole order is shorter.
_TIERS: tuple[Tier, ...] = ("week", "typed", "month", "wisdom")
_ID = re.compile(r"(audit-)?(?:week|typed|month|wisdom)-(?:[0-9W-]+-)?([0-9a-f]{12})")


#: What an order asks for, by its tier.
_PAGES = {
    "week": "the summary of week {}",
    "typed": "the memories of week {}",
    "month": "the summary of month {}",
    "wisdom": "the decisions on wisdom",
}


class Order(NamedTuple):
    """One reply that is wanted: what for, the prompt, and what was wrong with the one before.

    An `audit` asks for verdicts on a page that is written.
    """

    id: str
    task: Task
    key: str
    system: str
    user: str
    violations: tuple[Violation, ...] = ()
    audit: bool = False

    def in_words(self, how: str) -> str:
        """Say the order as an agent reads it; `how` tells how its reply is handed in."""
        what = _PAGES[self.task.tier].format(self.task.period)
        verb = "judge the claims of" if self.audit else "write"
        return (
            f"Work order {self.id}: {verb} {what}. All you need is below; use nothing you remember.\n"
            f"{how}\n\n{self.system}\n\n{self.user}"
        )


def _order(task: Task, needed: ReplyNeeded, *, audit: bool = False) -> Order:
    parts = ("audit" if audit else "", task.tier, task.period, needed.key[:12])
    prompt, name = needed.prompt, "-".join(filter(None, parts))
    return Order(name, task, needed.key, prompt.system, prompt.user, needed.violations, audit)


class OrderProgress(NamedTuple):
    """How far the writing got: the pages written on the way, and the order that is next, if any."""

    results: tuple[Result, ...]
    order: Order | None = None


#: What became of a reply. `part`: it was read, and its page needs more; `again`: it had been
#: handed in before.
State = Literal["committed", "part", "sent back", "refused", "failed", "again"]


class HandedIn(NamedTuple):
    """What became of a reply, why, the pages it completed, and the order that comes next."""

    state: State
    reason: str = ""
    results: tuple[Result, ...] = ()
    order: Order | None = None

    @property
    def exit_code(self) -> int:
        if self.state == "failed":
            return 1
        if self.state in ("sent back", "refused"):
            return 4
        return 4 if any(result.refused or result.held for result in self.results) else 0

    def in_words(self) -> str:
        """Say what became of a reply: the pages written, the verdict, and what is wrong."""
        lines = []
        for result in self.results:
            note = f", {result.refused} refused (lithify quarantine)" if result.refused else ""
            note += (
                f", {result.held} held for a person (lithify wisdom review)" if result.held else ""
            )
            note += f"; {result.audit}" if result.audit else ""
            lines.append(
                f"{result.task.tier} {result.task.period}".rstrip() + f": {result.status}{note}"
            )
        lines.append(f"{self.state}: {self.reason}" if self.reason else self.state)
        if self.state == "sent back" and self.order:
            for one in self.order.violations:
                where = f' (in: "{one.claim[:200]}")' if one.claim else ""
                lines.append(f"- {one.rule}: {one.message}{where}")
        return "\n".join(lines)


def agent_room(order_tokens: int) -> Room:
    """Return the room of an agent's calls if an order shows at most so many tokens of sources."""
    return Room(order_tokens + OVERHEAD + _OUTPUT, _OUTPUT)


def advance(run: Run, session: str = "") -> OrderProgress:
    """Go on to the first reply that is missing: for the audit of a page, else for a page.

    Audits come first, so that a month rests on weeks that were audited. No page is offered for
    audit to the `session` that wrote it, and none to one that has read untrusted text.
    """
    results, audits = _audits(run, session)
    if offered := next((order for order, barred in audits if not barred), None):
        return OrderProgress(results, offered)
    written = _write_pages(run)
    return OrderProgress((*results, *written.results), written.order)


def _audits(run: Run, session: str) -> tuple[tuple[Result, ...], list[tuple[Order, str]]]:
    """Finish what audits can be; the orders of the others, and why the session may not do them."""
    from lithify.compact.reading import advance_audits

    results, wanted = advance_audits(run, session)
    return tuple(results), [(_order(w.task, w.needed, audit=True), w.barred) for w in wanted]


def _write_pages(run: Run) -> OrderProgress:
    """Write every page whose replies were handed in, up to the first reply that is missing."""
    begun: list[Task] = []
    run.progress = lambda task, done, total: begun.append(task)
    try:
        run.compact(_TIERS)
    except ReplyNeeded as needed:
        return OrderProgress(tuple(run.results), _order(begun[-1], needed))
    return OrderProgress(tuple(run.results))


def hand_in(
    begin: Callable[[bool], Run], engine: AgentEngine, order: str, text: str, session: str = ""
) -> HandedIn:
    """Take a reply to an order: save it, and write the page if it is complete.

    `begin` makes a run; it is told whether periods that failed are tried again.
    """
    asked = _ID.fullmatch(order)
    if asked is None:
        raise UnknownReference(ref=order, hint="`lithify write next` prints the order that is due.")
    if asked[1]:
        return _hand_in_audit(begin, engine, order, text, session)
    now = _write_pages(begin(False))
    retry = now.order is None or now.order.id != order
    if retry:
        # It may be the order of a period that failed before and is tried again.
        first, now = now, _write_pages(begin(True))
        if now.order is None or now.order.id != order:
            return _not_asked_for(begin(False), order, asked[2], first)
    wanted = now.order
    assert wanted is not None
    if refused := _unfit(wanted, text):
        return refused
    engine.replies.put(wanted.key, Completion(text))
    after = _write_pages(begin(retry))
    results = tuple(r for r in after.results if r.status != "adopted")
    done = next((r for r in results if r.task.key == wanted.task.key), None)
    if done is not None:
        state: State = "failed" if done.status == "failed" else "committed"
        audits = _audits(begin(False), session)[1]
        audit = next((order for order, barred in audits if not barred), None)
        return HandedIn(state, done.reason, results, audit or after.order)
    if after.order and after.order.violations:
        return HandedIn("sent back", "fix what is listed", results, after.order)
    return HandedIn("part", "its page needs more replies", results, after.order)


def _unfit(wanted: Order, text: str) -> HandedIn | None:
    """Tell why a text cannot be the reply to an order, if it cannot."""
    if not text.strip():
        return HandedIn("refused", "the reply is empty; the order is still open", order=wanted)
    if len(text) > AGENT_REPLY:
        reason = f"the reply has {len(text):,} characters, more than any page; nothing was kept"
        return HandedIn("refused", reason, order=wanted)
    return None


def _hand_in_audit(
    begin: Callable[[bool], Run], engine: AgentEngine, order: str, text: str, session: str
) -> HandedIn:
    """Take verdicts on a page: save them, and take out what is unsupported if they are complete."""
    earlier, audits = _audits(begin(False), session)
    wanted, barred = next((one for one in audits if one[0].id == order), (None, ""))
    if wanted is None:
        following = advance(begin(False), session)
        reason = "this page was audited or written again meanwhile. Nothing was kept"
        return HandedIn("refused", reason, (*earlier, *following.results), following.order)
    if barred:
        following = advance(begin(False), session)
        return HandedIn("refused", f"{barred}. Nothing was kept", earlier, following.order)
    if refused := _unfit(wanted, text):
        return refused
    engine.replies.put(wanted.key, Completion(text))
    results, audits = _audits(begin(False), session)
    following = advance(begin(False), session)
    if done := next((r for r in results if r.task.key == wanted.task.key), None):
        everything = (*earlier, *results, *following.results)
        return HandedIn("committed", str(done.audit), everything, following.order)
    again = next(order for order, _ in audits if order.task.key == wanted.task.key)
    if again.violations:
        return HandedIn("sent back", "fix what is listed", results, again)
    return HandedIn("part", "its page needs more replies", results, again)


def _not_asked_for(run: Run, order: str, key: str, now: OrderProgress) -> HandedIn:
    """Tell why a reply to this order is not wanted."""
    tier, _, rest = order.partition("-")
    task_key = f"{tier}:{rest.rpartition('-')[0]}"
    if glob.glob(os.path.join(run.workspace.snapshot.root, ".lithify/replies", f"{key}*.json")):
        if now.order and now.order.task.key == task_key:
            reason = f"a reply to this order was read before; the order is now {now.order.id}"
            return HandedIn("refused", reason, now.results, now.order)
        reason = "a reply to this order was handed in before; that one counts"
        return HandedIn("again", reason, now.results, now.order)
    commit = run.workspace.snapshot.ledger.pages.commits.get(task_key)
    if now.order and now.order.task.key == task_key:
        reason = "its sources have changed since; ask again with `lithify write next`"
    elif commit:
        reason = f"its page was written meanwhile, by {commit.engine}"
    else:
        reason = "its page is not due; ask again with `lithify write next`"
    return HandedIn("refused", f"{reason}. Nothing was kept", now.results, now.order)


def waits_for_agent(snapshot: Snapshot, task: Task, today: date) -> bool:
    """Tell whether a page that is due is still left to the agent."""
    since = [_due_since(snapshot, task), parse_day(snapshot.ledger.initialised[:10])]
    begun = max((day for day in since if day), default=None)
    return begun is not None and today < begun + timedelta(snapshot.settings.agent.wait_days)


def _due_since(snapshot: Snapshot, task: Task) -> date | None:
    """Return the day from which a page was due, as far as it can be told."""
    if task.tier == "wisdom":
        last = snapshot.ledger.pages.commits.get(task.key)
        return parse_day(last.time[:10]) if last else None
    if task.tier == "month":
        end = month_end(month_start(task.period))
        # A month's last week is the one with its last Thursday; it is over four days later.
        due = end - timedelta((end.weekday() - 3) % 7) + timedelta(4)
    else:
        due = week_days(task.period)[-1] + timedelta(1)
    if task.state != "stale":
        return due
    return max([due, *_changed(snapshot, list(task.sources))])


def _changed(snapshot: Snapshot, paths: Sequence[str]) -> list[date]:
    """Tell when files were last changed; a source that is gone has no date."""
    found = []
    for path in paths:
        place = os.path.join(snapshot.root, path)
        if os.path.exists(place):
            found.append(datetime.fromtimestamp(os.path.getmtime(place)).date())
    return found
