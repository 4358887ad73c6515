"""Commands on a whole root: `status` and `check`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import click

from lithify.cli.common import (
    advice,
    count_of,
    damage_in_words,
    distinct,
    folded,
    in_words,
    leave,
    lost_rows,
    opened,
    printable,
    say,
    say_json,
    say_wrapped,
    standard,
    styled,
    table,
    task_data,
    unmatched_data,
    unmatched_lines,
)
from lithify.cli.progress import Progress
from lithify.compact.status import LongPage, long_pages
from lithify.errors import NeedsTerminal
from lithify.gate.texts import what_is_due
from lithify.store.tree import memory_folder
from lithify.values import BEHIND, TO_WRITE

if TYPE_CHECKING:
    from lithify.compact.reading import Checked
    from lithify.compact.status import Status
    from lithify.memory import Memory
    from lithify.store.check import Problem
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
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Also current periods and every long page, each on a line.",
)
@standard
def status(everything: bool, root: str | None, as_json: bool) -> None:
    """Show what is current and what is behind, by how much, and why.

    Also named: dated files that are not read, and pages over their ceiling (weekly.max_tokens,
    monthly.max_tokens) with the command that writes each again.

    Exit code 3 if anything is due, stale, waiting, failed or missing, an agent is to audit a page,
    a file cannot be read, the journal is damaged, the last run of a watch or schedule failed, or a daily
    schedule has not run for days.
    """
    memory = opened(root)
    with Progress() as progress:
        progress("reading the memory")
        found = memory.status()
    closed = [(b.job, what_is_due(b.job, b.demand)) for b in memory.gate.jobs() if b.demand]
    long = _long_pages(memory, found.tasks)
    if as_json:
        gates = [{"job": job, "due": due} for job, due in closed]
        say_json(
            {
                **_status_data(found),
                "closed_gates": gates,
                "over_ceiling": [one._asdict() for one in long],
            }
        )
        leave(found.exit_code)
        return
    newest = f", the newest {found.newest}" if found.newest else ""
    say(f"{found.root}: {count_of(found.days, 'day')}{newest}")
    _show_tasks(found, everything)
    for path, reason in found.refused:
        say(printable(f"not read: {path}: {reason}", one_line=True))
    for line in unmatched_lines(found.unmatched):
        say(line)
    _show_long_pages(long, everything)
    if held := found.secrets.files:
        when = found.secrets.time[:10]
        say(f"secrets were found in {count_of(len(held), 'file')} on {when}: lithify scan")
    if found.proposals:
        wait = "proposal waits" if found.proposals == 1 else "proposals wait"
        say(f"{found.proposals} {wait}: lithify wisdom review")
    for line in _audit_lines(found):
        say(line)
    for _, due in closed:
        say(f"a gate is closed: {due} (lithify gate status)")
    _show_next(found, memory.settings.model)
    leave(found.exit_code)


def _audit_lines(found: Status) -> list[str]:
    """Which pages wait for an audit, and which went without because a reply could not be read."""
    lines = []
    if found.to_audit:
        lines.append(f"{_named(found.to_audit)} to be audited by an agent: lithify write next")
    if found.unaudited:
        lines.append(
            f"{_named(found.unaudited)} not audited, because the auditor's reply could not be "
            "read: lithify compact --rewrite --period P writes one again"
        )
    return lines


def _named(tasks: Sequence[Task]) -> str:
    return f"{count_of(len(tasks), 'page')} ({', '.join(f'{in_words(t.tier)} {t.period}' for t in tasks)})"


def _status_data(found: Status) -> dict[str, object]:
    return {
        "root": str(found.root),
        "days": found.days,
        "newest": found.newest.isoformat() if found.newest else None,
        "days_behind": found.behind,
        "damage": found.damage,
        "unfinished_forget": found.unfinished,
        "lost_head": found.lost_head,
        "last_run": found.last_run._asdict() if found.last_run.time else None,
        "schedule_silent_days": found.silent_days,
        "trailing": list(found.trailing),
        "proposals": found.proposals,
        "tasks": [task_data(task) for task in found.tasks],
        "lost": list(found.lost),
        "secrets": {"time": found.secrets.time, "files": list(found.secrets.files)},
        "unread": list(found.unread),
        "to_audit": [task_data(task) for task in found.to_audit],
        "unaudited": [task_data(task) for task in found.unaudited],
        "unmatched": unmatched_data(found.unmatched),
        "refused": [{"path": path, "reason": reason} for path, reason in found.refused],
    }


def _show_tasks(found: Status, everything: bool) -> None:
    """The periods that are not current, in a table, and how many are."""
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
    table(rows, styles=[_COLOURS.get(row[2]) for row in rows])
    current = sum(task.state == "current" for task in found.tasks)
    if current and not everything:
        more = f"{current} more" if rows else count_of(current, "period")
        say(f"{more} {'is' if current == 1 else 'are'} current (--all lists them)")


def _show_next(found: Status, model: str) -> None:
    """What to do next, the commands spelled out."""
    writing = "write next, or compact" if model == "agent" else "compact"
    states = {task.state for task in found.tasks}
    if found.lost or states & BEHIND:
        late = "something is due"
        if found.behind:
            late = _never_written(found) or f"memory is {count_of(found.behind, 'day')} behind"
        if states & TO_WRITE:
            say_wrapped(f"{late}: run lithify {writing}")
        if "failed" in states:
            say_wrapped(
                "something failed: see lithify quarantine list, then lithify "
                f"{'write next' if model == 'agent' else 'compact'} --retry"
            )
    elif not found.tasks:
        say_wrapped("nothing here yet: lithify log 'What happened'")
    elif not found.unread:
        say_wrapped("nothing is due")
    for line in advice(_missing(found), found.lost, found.unread):
        say_wrapped(line)
    if (run := found.last_run).failure:
        when = f"the last automatic run ({run.command}, {run.time}) failed"
        say_wrapped(f"{when}: {run.failure}", fg="red")
    if found.silent_days:
        say_wrapped(
            f"the daily schedule has not run for {count_of(found.silent_days, 'day')}: try it with "
            "lithify schedule run, put it in again with lithify schedule install, or end it with "
            "lithify schedule remove"
        )
    if found.lost_head:
        from lithify.store.journal import HELD

        say_wrapped(f"{found.lost_head}; {HELD}", fg="red")
    if found.unfinished:
        from lithify.store.check import UNFINISHED

        say_wrapped(UNFINISHED, fg="red")
    if found.damage:
        say_wrapped(damage_in_words(found.damage), fg="red")
    for week in found.trailing:
        say_wrapped(f"{week} is behind its days: lithify compact --include-current writes it now")


def _never_written(found: Status) -> str:
    """What there is to write in a root without a page; empty where there is one."""
    tiers = [t.tier for t in found.tasks if t.state in (*TO_WRITE, "waiting")]
    if any(t.tier in ("week", "month") and t.state not in _NO_PAGE for t in found.tasks):
        return ""
    months = f" and {count_of(tiers.count('month'), 'month')}" if "month" in tiers else ""
    return f"{count_of(tiers.count('week'), 'week')}{months} to be written for the first time"


def _missing(found: Status) -> list[Task]:
    return [task for task in found.tasks if task.state == "missing"]


def _long_pages(memory: Memory, tasks: Sequence[Task]) -> tuple[LongPage, ...]:
    return long_pages(memory.root, memory_folder(memory.root), tasks, memory.settings)


def _show_long_pages(found: Sequence[LongPage], everything: bool) -> None:
    shown = found if everything else found[:_SHOWN]
    for one in shown:
        say(f"too long: {one.path}, {one}\n  {one.command}")
    if more := len(found) - len(shown):
        say(f"too long: {count_of(more, 'more page')} (--all lists them)")


@click.command(epilog="Example: lithify check --claims --json")
@click.option(
    "--repair",
    is_flag=True,
    help="Repair what can be repaired; every file touched is copied first.",
)
@click.option(
    "--claims",
    is_flag=True,
    help="Also run today's verifier over every page and name the bullets that it would refuse.",
)
@click.option(
    "--adopt",
    is_flag=True,
    help="Accept that the journal has lost records, and trust entries without a record again; "
    "needs a terminal.",
)
@standard
def check(repair: bool, claims: bool, adopt: bool, root: str | None, as_json: bool) -> None:
    """Verify the journal's chain, every file against it, and every claim's sources.

    Days and pages that hold secrets are named too, as notes; lithify scan lists what they hold.

    With --claims, each bullet of weeks and months, each memory and each entry of wisdom is compared
    with the entries it cites, as a new draft would be. That finds what older versions wrote. No page
    is changed; one whose sources changed since is named as stale and not compared.

    Exit code 3 if anything is broken or due or a claim would be refused; notes alone do not count.
    """
    from dataclasses import asdict

    memory = opened(root)
    done: tuple[str, ...] = ()
    if adopt:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise NeedsTerminal(action="Trusting entries without a record")
        done = tuple(f"accepted that record {one} is missing" for one in memory.adopt_journal())
    with Progress() as progress:
        progress("checking files")
        if repair:
            mended = memory.repair()
            done, problems = (*done, *mended.done), mended.left
        else:
            problems = memory.check()
        problems = (*problems, *_length_notes(memory))
        pages = partial(progress, "checking claims, pages")
        checked = memory.check_claims(pages) if claims else None
    serious = [p for p in problems if p.severity != "note"]
    code = 3 if serious or (checked and checked.findings) else 0
    if as_json:
        found = {"claims": asdict(checked)} if checked else {}
        say_json({"repaired": list(done), "problems": [asdict(p) for p in problems], **found})
        leave(code)
        return
    for line in done:
        say(f"repaired: {line}")
    table(
        [(p.severity, f"{p.path}:{p.line}" if p.line else p.path, p.message) for p in problems],
        styles=[{"error": "red", "due": "yellow"}.get(p.severity) for p in problems],
    )
    if not serious:
        say(_sound(memory, problems))
    if checked:
        _show_claims(checked)
    leave(code)


def _show_claims(checked: Checked) -> None:
    """The claims that would be refused, each with its reasons, then those that are stale."""
    failed = [one for one in checked.findings if not one.stale]
    stale = [one for one in checked.findings if one.stale]
    for one in failed:
        say(styled(f"refused  {one.path}:{one.line}", fg="red"))
        for line in (f'"{one.text}"', *one.reasons):
            say("\n".join(f"  {part}" for part in folded(line, "  ", taken=2)))
    place = [f"{one.path}:{one.line}" if one.line else one.path for one in stale]
    rows = [("stale", at, one.reasons[0]) for at, one in zip(place, stale, strict=True)]
    table(rows, styles=["yellow"] * len(rows))
    say(
        f"{count_of(checked.claims, 'claim')} on {count_of(checked.pages, 'page')} checked: "
        f"{len(failed)} would be refused, {len(stale)} stale"
    )
    for command in dict.fromkeys(one.command for one in failed if one.command):
        say(f"to write it again: {command}")


def _length_notes(memory: Memory) -> list[Problem]:
    """A note for every page that is over its ceiling."""
    from lithify.store.check import Problem

    return [
        Problem("long", one.path, 0, f"{one}; to shorten it: {one.command}", "note")
        for one in _long_pages(memory, memory.status().tasks)
    ]


def _sound(memory: Memory, problems: Sequence[Problem]) -> str:
    """What was found in order, of a root that has nothing to mend."""
    from lithify.store import journal

    changed = len({problem.path for problem in problems if problem.kind == "changed"})
    files = "every file is as recorded"
    if changed:
        files = f"{count_of(changed, 'file')} changed outside lithify, all others as recorded"
    book = "the journal is whole" if journal.read(memory.root).size else "there is no journal yet"
    return f"{book}, {files}, every source resolves"
