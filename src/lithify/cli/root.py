"""Commands on a whole root: `status` and `check`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from lithify import config
from lithify.cli.compact import advice, damage_lines, distinct, lost_rows
from lithify.cli.progress import Progress
from lithify.cli.render import (
    Answer,
    count_of,
    flag,
    folded,
    in_words,
    need_terminal,
    on_memory,
    picked,
    place,
    printable,
    reasons,
    styled,
    table,
    wrapped,
)
from lithify.compact.status import LongPage, long_pages
from lithify.gate.texts import what_is_due
from lithify.store.tree import memory_folder
from lithify.values import BEHIND, TO_WRITE

if TYPE_CHECKING:
    from lithify.compact.reading import Checked
    from lithify.compact.status import Status
    from lithify.memory import Memory
    from lithify.store.check import Problem
    from lithify.store.days import Unmatched
    from lithify.values import Task

_COLOURS = {
    "due": "yellow",
    "stale": "yellow",
    "failed": "red",
    "missing": "red",
    "waiting": "yellow",
}
#: The states of periods that have no page yet.
_NO_PAGE = ("due", "failed", "waiting")
#: How many long pages are named, and how many periods that stand alike have a line each, unless
#: all are asked for.
_SHOWN, _ALIKE = 5, 3


@click.command(epilog="Example: lithify status --json")
@flag("--all", "everything", help="Also current periods and every long page, each on a line.")
@on_memory
def status(memory: Memory, everything: bool) -> Answer:
    """Show what is current and what is behind, by how much, and why.

    Also named: dated files that are not read, and pages over their ceiling (weekly.max_tokens,
    monthly.max_tokens) with the command that writes each again.

    Exit code 3 if anything is due, stale, waiting, failed or missing, an agent is to audit a page,
    a file cannot be read, the journal is damaged, the last run of a watch or schedule failed, or a daily
    schedule has not run for days.
    """
    with Progress("reading the memory"):
        found = memory.status()
    closed = [(b.job, what_is_due(b.job, b.demand)) for b in memory.gate.jobs() if b.demand]
    long = _long_pages(memory, found.tasks)
    data = {
        **_status_data(found),
        "closed_gates": [{"job": job, "due": due} for job, due in closed],
        "over_ceiling": long,
    }
    gates = [f"a gate is closed: {due} (lithify gate status)" for _, due in closed]
    lines = _status_lines(found, long, gates, memory.settings.model, everything)
    return Answer(data, lines, found.exit_code)


def _status_data(found: Status) -> dict[str, Any]:
    names = "root days newest damage lost_head trailing proposals tasks lost unread secrets"
    return {
        **picked(
            found,
            names + " to_audit unaudited",
            days_behind="behind",
            unfinished_forget="unfinished",
            schedule_silent_days="silent_days",
        ),
        "last_run": found.last_run if found.last_run.time else None,
        "unmatched": unmatched_data(found.unmatched),
        "refused": reasons(found.refused),
    }


def unmatched_data(beside: Unmatched | None) -> dict[str, Any] | None:
    """Choose what JSON shows of dated files that no pattern reads."""
    if not beside or not beside.total:
        return None
    return picked(beside, "complete paths line", count="total")


def unmatched_lines(beside: Unmatched | None) -> list[str]:
    """Name dated files that no pattern reads, with the line to add."""
    if not beside or not beside.total:
        return []
    line = f"to read them, write into {config.NAME} under [days]: {beside.line}"
    return [printable(f"not read: {beside}", one_line=True), line]


def _status_lines(
    found: Status, long: Sequence[LongPage], gates: list[str], model: str, everything: bool
) -> Iterator[str]:
    newest = f", the newest {found.newest}" if found.newest else ""
    yield f"{found.root}: {count_of(found.days, 'day')}{newest}"
    yield from _task_lines(found, everything)
    for path, reason in found.refused:
        yield printable(f"not read: {path}: {reason}", one_line=True)
    yield from unmatched_lines(found.unmatched)
    shown = long if everything else long[:_SHOWN]
    for one in shown:
        yield f"too long: {one.path}, {one}\n  {one.command}"
    if more := len(long) - len(shown):
        yield f"too long: {count_of(more, 'more page')} (--all lists them)"
    if held := found.secrets.files:
        when = found.secrets.time[:10]
        yield f"secrets were found in {count_of(len(held), 'file')} on {when}: lithify scan"
    if found.proposals:
        wait = "proposal waits" if found.proposals == 1 else "proposals wait"
        yield f"{found.proposals} {wait}: lithify wisdom review"
    if found.to_audit:
        yield f"{_named(found.to_audit)} to be audited by an agent: lithify write next"
    if found.unaudited:
        yield (
            f"{_named(found.unaudited)} not audited, because the auditor's reply could not be "
            "read: lithify compact --rewrite --period P writes one again"
        )
    yield from gates
    for line in _next_steps(found, model):
        yield from wrapped(line)
    yield from advice(_missing(found), found.lost, found.unread)
    yield from _run_lines(found)
    yield from damage_lines(found.damage)
    for week in found.trailing:
        yield from wrapped(
            f"{week} is behind its days: lithify compact --include-current writes it now"
        )


def _named(tasks: Sequence[Task]) -> str:
    names = ", ".join(f"{in_words(task.tier)} {task.period}" for task in tasks)
    return f"{count_of(len(tasks), 'page')} ({names})"


def _task_lines(found: Status, everything: bool) -> Iterator[str]:
    """Show the periods that are not current in a table, and how many are."""
    shown = list(found.tasks)
    if not everything:
        shown = distinct(task for task in found.tasks if task.state != "current")
    rows: list[tuple[str, ...]] = []
    # Periods in a row that stand alike share a line.
    for (tier, state, why), run in groupby(shown, lambda t: (t.tier, t.state, t.why)):
        periods = [task.period or "-" for task in run]
        if len(periods) > _ALIKE and not everything:
            periods = [f"{periods[0]} to {periods[-1]} ({len(periods)})"]
        rows += [(in_words(tier), period, in_words(state), why) for period in periods]
    rows += lost_rows(found.lost, _missing(found))
    yield from table(rows, [_COLOURS.get(row[2]) for row in rows])
    current = sum(task.state == "current" for task in found.tasks)
    if current and not everything:
        more = f"{current} more" if rows else count_of(current, "period")
        yield f"{more} {'is' if current == 1 else 'are'} current (--all lists them)"


def _next_steps(found: Status, model: str) -> Iterator[str]:
    """Say what to do next about the periods, the commands spelled out."""
    writing = "write next, or compact" if model == "agent" else "compact"
    states = {task.state for task in found.tasks}
    if found.lost or states & BEHIND:
        late = "something is due"
        if found.behind:
            late = _never_written(found) or f"memory is {count_of(found.behind, 'day')} behind"
        if states & TO_WRITE:
            yield f"{late}: run lithify {writing}"
        if "failed" in states:
            again = "write next" if model == "agent" else "compact"
            yield f"something failed: see lithify quarantine list, then lithify {again} --retry"
    elif not found.tasks:
        yield "nothing here yet: lithify log 'What happened'"
    elif not found.unread:
        yield "nothing is due"


def _run_lines(found: Status) -> Iterator[str]:
    """Tell of automatic runs that failed or did not come, and of records that are gone."""
    if (run := found.last_run).failure:
        when = f"the last automatic run ({run.command}, {run.time}) failed"
        yield from wrapped(f"{when}: {run.failure}", fg="red")
    if found.silent_days:
        yield from wrapped(
            f"the daily schedule has not run for {count_of(found.silent_days, 'day')}: try it with "
            "lithify schedule run, put it in again with lithify schedule install, or end it with "
            "lithify schedule remove"
        )
    if found.lost_head:
        from lithify.store.journal import HELD

        yield from wrapped(f"{found.lost_head}; {HELD}", fg="red")
    if found.unfinished:
        from lithify.store.check import UNFINISHED

        yield from wrapped(UNFINISHED, fg="red")


def _never_written(found: Status) -> str:
    """Say what there is to write in a root without a page; nothing where there is one."""
    tiers = [t.tier for t in found.tasks if t.state in (*TO_WRITE, "waiting")]
    if any(t.tier in ("week", "month") and t.state not in _NO_PAGE for t in found.tasks):
        return ""
    months = f" and {count_of(tiers.count('month'), 'month')}" if "month" in tiers else ""
    return f"{count_of(tiers.count('week'), 'week')}{months} to be written for the first time"


def _missing(found: Status) -> list[Task]:
    return [task for task in found.tasks if task.state == "missing"]


def _long_pages(memory: Memory, tasks: Sequence[Task]) -> tuple[LongPage, ...]:
    return long_pages(memory.root, memory_folder(memory.root), tasks, memory.settings)


@click.command(epilog="Example: lithify check --claims --json")
@flag(
    "--repair",
    help="Repair what can be repaired; every file touched is copied first.",
)
@flag(
    "--claims",
    help="Also run today's verifier over every page and name the bullets that it would refuse.",
)
@flag(
    "--adopt",
    help="Accept that the journal has lost records, and trust entries without a record again; "
    "needs a terminal.",
)
@on_memory
def check(memory: Memory, repair: bool, claims: bool, adopt: bool) -> Answer:
    """Verify the journal's chain, every file against it, and every claim's sources.

    Days and pages that hold secrets are named too, as notes; lithify scan lists what they hold.

    With --claims, each bullet of weeks and months, each memory and each entry of wisdom is compared
    with the entries it cites, as a new draft would be. That finds what older versions wrote. No page
    is changed; one whose sources changed since is named as stale and not compared.

    Exit code 3 if anything is broken or due or a claim would be refused; notes alone do not count.
    """
    done: tuple[str, ...] = ()
    if adopt:
        need_terminal("Trusting entries without a record")
        done = tuple(f"accepted that record {one} is missing" for one in memory.adopt_journal())
    with Progress("checking files") as progress:
        if repair:
            mended = memory.repair()
            done, problems = (*done, *mended.done), mended.left
        else:
            problems = memory.check()
        problems = (*problems, *_length_notes(memory))
        pages = partial(progress, "checking claims, pages")
        checked = memory.check_claims(pages) if claims else None
    broken = any(p.severity != "note" for p in problems) or (checked and checked.findings)
    data = {"repaired": done, "problems": problems, **({"claims": checked} if checked else {})}
    lines = _check_lines(memory, done, problems, checked)
    return Answer(data, lines, 3 if broken else 0)


def _check_lines(
    memory: Memory, done: Sequence[str], problems: Sequence[Problem], checked: Checked | None
) -> Iterator[str]:
    for line in done:
        yield f"repaired: {line}"
    yield from table(
        [(p.severity, place(p.path, p.line), p.message) for p in problems],
        [{"error": "red", "due": "yellow"}.get(p.severity) for p in problems],
    )
    if all(p.severity == "note" for p in problems):
        yield _sound(memory, problems)
    if checked:
        yield from _claim_lines(checked)


def _claim_lines(checked: Checked) -> Iterator[str]:
    """Show the claims that would be refused, each with its reasons, then those that are stale."""
    failed = [one for one in checked.findings if not one.stale]
    stale = [one for one in checked.findings if one.stale]
    for one in failed:
        yield styled(f"refused  {one.path}:{one.line}", fg="red")
        for line in (f'"{one.text}"', *one.reasons):
            yield from (f"  {part}" for part in folded(line, "  ", taken=2))
    rows = [("stale", place(one.path, one.line), one.reasons[0]) for one in stale]
    yield from table(rows, ["yellow"] * len(rows))
    yield (
        f"{count_of(checked.claims, 'claim')} on {count_of(checked.pages, 'page')} checked: "
        f"{len(failed)} would be refused, {len(stale)} stale"
    )
    for command in dict.fromkeys(one.command for one in failed if one.command):
        yield f"to write it again: {command}"


def _length_notes(memory: Memory) -> list[Problem]:
    """Make a note of every page that is over its ceiling."""
    from lithify.store.check import Problem

    return [
        Problem("long", one.path, 0, f"{one}; to shorten it: {one.command}", "note")
        for one in _long_pages(memory, memory.status().tasks)
    ]


def _sound(memory: Memory, problems: Sequence[Problem]) -> str:
    """Say what was found in order, of a root that has nothing to mend."""
    from lithify.store import journal

    changed = len({problem.path for problem in problems if problem.kind == "changed"})
    files = "every file is as recorded"
    if changed:
        files = f"{count_of(changed, 'file')} changed outside lithify, all others as recorded"
    book = "the journal is whole" if journal.read(memory.root).size else "there is no journal yet"
    return f"{book}, {files}, every source resolves"
