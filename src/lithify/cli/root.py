"""Commands on a whole root: `status`, `check`, `scan` for secrets, and `forget`."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from lithify import config
from lithify.calendar import ago
from lithify.cli.compact import advice, damage_lines, distinct, lost_rows, selected_pages
from lithify.cli.pages import to_settle
from lithify.cli.render import (
    CommandOutput,
    Progress,
    at_terminal,
    confirm,
    count_of,
    in_words,
    need_terminal,
    not_read,
    on_memory,
    one_line,
    option,
    person_calls,
    picked,
    piped,
    place,
    printable,
    reasons,
    say,
    spoken,
    table,
    wants_json,
    wrapped,
)
from lithify.compact.status import LongPage, long_pages
from lithify.errors import NeedsTerminal, UsageError
from lithify.gate.texts import what_is_due
from lithify.store.names import dated
from lithify.store.tree import layout_of
from lithify.values import BEHIND, TO_WRITE

if TYPE_CHECKING:
    from lithify.compact.status import RootStatus
    from lithify.memory import Forgotten, Memory
    from lithify.secrets.forget import Choice
    from lithify.secrets.scan import LeakedSecret
    from lithify.store.check import Problem
    from lithify.store.days import Unmatched
    from lithify.values import Task

#: The states of periods that have no page yet.
_NO_PAGE = ("due", "failed", "waiting")
#: How many long pages are named, and how many periods that stand alike have a line each, unless
#: all are asked for.
_SHOWN, _ALIKE = 5, 3
#: How many entries that are to be forgotten are shown.
_ENTRIES = 40
_OUT_OF_REACH = (
    "Not erased: copies and backups elsewhere, the history of a repository that holds the root, "
    "and what a disk keeps in free blocks."
)


@click.command(epilog="Example: lithify status --json")
@option("--all", "Also current periods and every long page, each on a line.", name="everything")
@on_memory
def status(memory: Memory, everything: bool) -> CommandOutput:
    """Show what is current and what is behind, by how much, and why.

    Exit code 3 if anything is due, held, failed, missing, not read or damaged, or if a watch or
    schedule failed.
    """
    with Progress("reading the memory"):
        found = memory.status()
    closed = [(b.job, what_is_due(b.job, b.demand)) for b in memory.gate.jobs() if b.demand]
    long = _long_pages(memory, found.tasks)
    names = "root days newest damage lost_head trailing proposals tasks lost unread secrets"
    data = {
        **picked(
            found,
            names + " to_read selected selected_entries orders_left order_minutes unattended",
            days_behind="behind",
            unfinished_forget="unfinished",
            schedule_silent_days="silent_days",
        ),
        "not_read": [{"task": task.key, "why": why} for task, why in found.not_read],
        "left_out": [{"task": task.key, "entries": lost} for task, lost in found.left_out],
        "conflicts": [{"newer": newer, "older": older} for newer, older in found.conflicts],
        "requests": [one.request for one in found.requests],
        "last_run": found.last_run if found.last_run.time else None,
        "unmatched": unmatched_data(found.unmatched),
        "refused": reasons(found.refused),
        "closed_gates": [{"job": job, "due": due} for job, due in closed],
        "over_ceiling": long,
    }
    gates = [f"a gate is closed: {due} (lithify gate status)" for _, due in closed]
    lines = _status_lines(found, memory, long, gates, everything)
    return CommandOutput(data, lines, found.exit_code)


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
    found: RootStatus,
    memory: Memory,
    long: Sequence[LongPage],
    gates: list[str],
    everything: bool,
) -> Iterator[str]:
    today = memory.today()
    age = f", {ago(found.newest, today)}" if found.newest and found.newest < today else ""
    newest = f", the newest {found.newest}{age}" if found.newest else ""
    yield f"{found.root}: {count_of(found.days, 'day')}{newest}"
    yield from _task_lines(found, everything)
    yield from not_read(found.refused)
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
        yield f"{found.proposals} {wait} for a person: lithify review"
    if found.requests:
        wait = "request waits" if len(found.requests) == 1 else "requests wait"
        yield f"{len(found.requests)} {wait} of an agent: lithify review"
    for command in found.unattended:
        back = f"lithify trust --attended {shlex.quote(command)}"
        yield f"scripts may call lithify {command}; to take it back: {back}"
    for newer, older in found.conflicts:
        yield f"not settled: {newer.id} “{newer.text}” may contradict {older.id} “{older.text}”"
        yield to_settle(older.id, newer.id)
    if found.to_read:
        yield (
            f"{count_of(len(found.to_read), 'page')} not yet read by another session than the "
            "writer's: lithify write next"
        )
    if found.orders_left:
        took = f"; the last took {count_of(found.order_minutes, 'minute')} each"
        left = f"about {count_of(found.orders_left, 'order')} left for the agent"
        yield left + (took if found.order_minutes else "")
    for task, why in found.not_read:
        yield f"{_named([task])} {why}"
    for task, lost in found.left_out:
        told = "marked entry is" if lost == 1 else "marked entries are"
        yield f"{_named([task])}: {lost} {told} not told"
    yield from selected_pages(found.selected, *found.selected_entries)
    yield from gates
    for line in _next_steps(found, memory.settings.model):
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


def _task_lines(found: RootStatus, everything: bool) -> Iterator[str]:
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
    yield from table(rows, state=2)
    current = sum(task.state == "current" for task in found.tasks)
    if current and not everything:
        more = f"{current} more" if rows else count_of(current, "period")
        yield f"{more} {'is' if current == 1 else 'are'} current (--all lists them)"


def _next_steps(found: RootStatus, model: str) -> Iterator[str]:
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


def _run_lines(found: RootStatus) -> Iterator[str]:
    """Tell of automatic runs that failed or did not come, and of records that are gone."""
    if (run := found.last_run).failure:
        when = f"the last automatic run ({run.command}, {run.time}) failed"
        yield from wrapped(f"{when}: {run.failure}", "red")
    if found.silent_days:
        yield from wrapped(
            f"the daily schedule has not run for {count_of(found.silent_days, 'day')}: try it with "
            "lithify schedule run, put it in again with lithify schedule install, or end it with "
            "lithify schedule remove"
        )
    if found.lost_head:
        from lithify.store.journal import HELD

        yield from wrapped(f"{found.lost_head}; {HELD}", "red")
    if found.unfinished:
        from lithify.store.check import UNFINISHED

        yield from wrapped(UNFINISHED, "red")


def _never_written(found: RootStatus) -> str:
    """Say what there is to write in a root without a page; nothing where there is one."""
    tiers = [t.tier for t in found.tasks if t.state in (*TO_WRITE, "waiting")]
    if any(t.tier in ("week", "month") and t.state not in _NO_PAGE for t in found.tasks):
        return ""
    months = f" and {count_of(tiers.count('month'), 'month')}" if "month" in tiers else ""
    return f"{count_of(tiers.count('week'), 'week')}{months} to be written for the first time"


def _missing(found: RootStatus) -> list[Task]:
    return [task for task in found.tasks if task.state == "missing"]


def _long_pages(memory: Memory, tasks: Sequence[Task]) -> tuple[LongPage, ...]:
    layout = layout_of(memory.root, memory.settings.folders)
    return long_pages(memory.root, layout, tasks, memory.settings)


@click.command(epilog="Example: lithify check --repair")
@option("--repair", "Repair what can be repaired; every file touched is copied first.")
@option(
    "--adopt",
    "Accept that the journal has lost records; needs a terminal.",
)
@on_memory
def check(memory: Memory, repair: bool, adopt: bool) -> CommandOutput:
    """Verify the journal's chain, every file against it, and every claim's sources.

    Exit code 3 if anything is broken; notes alone do not count.
    """
    done: tuple[str, ...] = ()
    if adopt:
        need_terminal("Trusting entries without a record")
        done = tuple(f"accepted that record {one} is missing" for one in memory.adopt_journal())
    with Progress("checking files"):
        if repair:
            mended = memory.repair()
            done, problems = (*done, *mended.done), mended.left
        else:
            problems = memory.check()
        problems = (*problems, *_length_notes(memory))
    broken = any(p.severity != "note" for p in problems)
    data = {"repaired": done, "problems": problems}
    return CommandOutput(data, _check_lines(memory, done, problems), 3 if broken else 0)


def _check_lines(memory: Memory, done: Sequence[str], problems: Sequence[Problem]) -> Iterator[str]:
    for line in done:
        yield f"repaired: {line}"
    yield from table([(p.severity, place(p.path, p.line), p.message) for p in problems], state=0)
    if all(p.severity == "note" for p in problems):
        yield _sound(memory, problems)


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


# Words that are taken out of a root


@click.command(epilog="Example: lithify forget --person 'Ann Lee'")
@click.argument("what", nargs=-1, type=spoken, metavar="[ID|TEXT]...")
@option(
    "--pattern GLOB",
    "Words that match, one glob a word (* and ?); no regular expressions.",
    name="patterns",
    multiple=True,
)
@option(
    "--person NAME", "Every entry that names this person, as a whole.", name="people", multiple=True
)
@option("--verify TEXT", "Only search: exit 3 if TEXT is anywhere left.")
@option("--yes", "Erase without asking; a script still needs `lithify trust --unattended forget`.")
@option("--dry-run", "Show what would be erased and in which files, and change nothing.")
@on_memory
def forget(
    memory: Memory,
    what: tuple[str, ...],
    patterns: tuple[str, ...],
    people: tuple[str, ...],
    verify: str | None,
    yes: bool,
    dry_run: bool,
) -> CommandOutput:
    """Erase an entry (by its id), a text, what matches a pattern, or a person from the whole root.

    Entries go with all that was made from them; a text becomes [forgotten] wherever it stands.
    Other spellings are found too (case, accents, spaces), encoded forms are not. `-` reads the
    text from standard input, so that it does not stay in the shell's history. This cannot be
    undone.

    Without a terminal the id of an entry is a request, with exit code 4: a person decides by
    `lithify review`, and until then the entry is in no context, recall or order.
    """
    if verify is not None:
        return _remains(memory, piped().strip() if verify == "-" else verify)
    refs = [piped().strip() if one == "-" else one for one in what]
    if not (refs or patterns or people):
        raise UsageError(reason="say what to forget: an entry's id, a text, --pattern or --person")
    if not (dry_run or person_calls() or patterns or people):
        ids = memory.snapshot().lookup(refs).keys()
        if ids == set(refs):
            return _asked_to_forget(memory, refs)
    with Progress("searching the days"):
        choice = memory.choose_to_forget(refs, patterns=patterns, people=people)
    if dry_run:
        chosen = [
            {**picked(one, "id path line"), "whole": one.id in choice.gone}
            for one in choice.entries
        ]
        maybe = [{**picked(one, "id path line"), "word": word} for one, word in choice.maybe]
        files = memory.forget(choice, dry_run=True).receipt.files
        lines = [
            *_choice_lines(choice),
            *(f"would be {how}: {p}" for p, how in sorted(files.items())),
        ]
        return CommandOutput({"entries": chosen, "maybe": maybe, "files": files}, lines)
    if not wants_json():
        for line in _choice_lines(choice):
            say(line)
    need_terminal("Forgetting")
    if not yes:
        if wants_json() or not at_terminal():
            raise NeedsTerminal(action="Forgetting without --yes")
        confirm("Erase this, and all that was made from it, for good?")
    with Progress("erasing"):
        done = memory.forget(choice)
    receipt = done.receipt
    data = {
        "entries": done.entries,
        "files": receipt.files,
        "ids": {new: "changed" for new in sorted(set(receipt.ids.values())) if new},
        "rebuilt": done.rebuilt,
        "due": done.due,
        "left": done.left,
        "in_force": done.back,
        "not_erased": _OUT_OF_REACH,
    }
    return CommandOutput(data, _forgotten_lines(done))


def _asked_to_forget(memory: Memory, ids: list[str]) -> CommandOutput:
    origin = memory.caller_origin(os.environ)
    asked = [memory.memories.request("forget", id, origin=origin) for id in ids]
    hidden = memory.snapshot().ledger.captures.hidden
    lines = [
        f"{one.id}: asked a person to forget {one.entry}"
        + (", which is shown to nobody until then" if one.entry in hidden else "")
        for one in asked
    ]
    return CommandOutput(asked, [*lines, "a person decides: lithify review"], 4)


def _choice_lines(choice: Choice) -> Iterator[str]:
    for entry in choice.entries[:_ENTRIES]:
        how = "whole entry" if entry.id in choice.gone else "words in it"
        yield f"{entry.path}:{entry.line}  {how}  {one_line(entry.text, 80)}"
    if len(choice.entries) > _ENTRIES:
        yield f"and {count_of(len(choice.entries) - _ENTRIES, 'more entry', 'more entries')}"
    if not choice.entries:
        yield "no entry of a day holds it; other files of the root are searched too"
    for entry, word in choice.maybe[:_ENTRIES]:
        said = one_line(entry.text, 80)
        yield f"{entry.path}:{entry.line}  stays, it names only {word}  {said}"
    if choice.maybe:
        words = " ".join(f"--person {word}" for word in sorted({word for _, word in choice.maybe}))
        yield (
            f"{count_of(len(choice.maybe), 'entry', 'entries')} with a part of a name: if the same "
            f"person is meant, add {words}"
        )


def _forgotten_lines(done: Forgotten) -> Iterator[str]:
    files = done.receipt.files
    if not files:
        yield "nothing of it was found; nothing was changed"
        return
    for path, state in sorted(files.items()):
        yield f"{state}: {path}"
    for path in done.rebuilt:
        yield f"written again: {path}"
    yield from done.dropped
    for key in done.due:
        yield (
            f"due: {key} (an agent or a model wrote it; what came from the erased text is out of the "
            "page already, and the rest stays)"
        )
    if done.due:
        yield "to have these pages written again: lithify write next, or lithify compact with a model"
    yield f"forgotten: {count_of(len(files), 'file')} touched. {_OUT_OF_REACH}"
    for back in done.back:
        said = one_line(back.text, 80)
        yield f"in force again, what replaced it is gone: {said} (lithify memories drop {back.id})"
    for one in done.left:
        yield f"still there, in no file of memory; remove it yourself: {place(one.path, one.line)}"


def _remains(memory: Memory, text: str) -> CommandOutput:
    if not text.strip():
        raise UsageError(reason="there is no text to search for")
    with Progress("searching every file"):
        found = memory.remains(text)
    lines = [f"still there: {place(one.path, one.line)}" for one in found]
    nothing = "nothing of it is left in any file of the root (.git is not searched)"
    return CommandOutput({"found": found}, lines or nothing, 3 if found else 0)


@click.command(epilog="Example: lithify scan --fix")
@option("--fix", "Put a mark in place of every secret, in all files.")
@option("--yes", "With --fix: do not ask first.")
@on_memory
def scan(memory: Memory, fix: bool, yes: bool) -> CommandOutput:
    """List the secrets in days, pages and the program's own files, masked, each with its line.

    With --fix each is listed so too and replaced by a mark such as [secret:password:1f2e3d4c], also in days. The
    files as they were stay in .lithify/before-scan/: delete that folder once the secrets are
    rotated. Copies elsewhere, SOUL.md and IDENTITY.md are not touched. Exit code 3 if secrets are
    still there.
    """
    found = _secrets(memory)
    if not (fix and found):
        summary = f"{count_of(len(found), 'secret')}; lithify scan --fix takes them out"
        lines = [*_secret_lines(found), summary if found else "no secrets found"]
        return CommandOutput({"found": found}, lines, 3 if found else 0)
    if not yes:
        if wants_json() or not sys.stdin.isatty():
            raise UsageError(reason="--fix asks at a terminal; elsewhere give --yes too")
        for line in _secret_lines(found):
            say(line)
        confirm(f"Replace {count_of(len(found), 'secret')} by marks?")
    with Progress("replacing secrets"):
        done = memory.remove_secrets()
    left = _secrets(memory)
    days = sum(dated(path) is not None for path in done.files)
    others = len(done.files) - days
    also = f" and {count_of(others, 'file')} made from them" if others else ""
    lines = [
        *(_secret_lines(found) if yes else ()),
        f"{count_of(done.secrets, 'secret')} replaced in {count_of(days, 'day')}{also}, "
        f"{count_of(done.ids, 'entry id')} remapped",
        f"the files as they were: {done.copies}; rotate the secrets, then delete it",
        *_secret_lines(left),
    ]
    if left:
        lines.append("these stay: SOUL.md and IDENTITY.md are never written; edit them yourself")
    return CommandOutput({"mended": done, "found": left}, lines, 3 if left else 0)


def _secrets(memory: Memory) -> tuple[LeakedSecret, ...]:
    with Progress("searching for secrets"):
        return memory.scan()


def _secret_lines(found: Sequence[LeakedSecret]) -> list[str]:
    """What each secret is and where, and under it its line."""
    lines = []
    for one in found:
        lines += table([(f"{one.path}:{one.line}", one.kind, one.masked)])
        lines.append(f"    {printable(one.text, one_line=True)}")
    return lines
