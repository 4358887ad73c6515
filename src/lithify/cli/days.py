"""Commands on the days: `log`, `recall`, `index`, `context` and `trace`."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from datetime import date, datetime
from typing import TYPE_CHECKING

import click

from lithify.calendar import parse_day, zone
from lithify.cli.common import (
    count_of,
    folded,
    one_line,
    opened,
    piped,
    say,
    say_json,
    spoken,
    standard,
    styled,
)
from lithify.cli.progress import Progress
from lithify.errors import UsageError
from lithify.trust import is_trusted

# Each command imports what only it needs: `recall` starts without what `trace` reads pages with.
if TYPE_CHECKING:
    from lithify.compact.trace import Node
    from lithify.memory import Memory
    from lithify.values import Passage, Recall

#: The widest line that is easy to read; a line of more characters than this is not folded at all.
_WIDEST = 100
_ENDLESS = 5000


@click.command(epilog="Example: git log -1 --format=%s | lithify log -")
@click.argument("text", type=spoken, nargs=-1, required=True)
@click.option("--at", metavar="TIME", help="HH:MM of today, or 2026-04-02T14:05.")
@click.option(
    "--origin",
    metavar="ORIGIN",
    help="Who says so: user, agent, tool, web, harness, mcp:NAME, import:NAME.",
)
@standard
def log(
    text: tuple[str, ...], at: str | None, origin: str | None, root: str | None, as_json: bool
) -> None:
    """Append TEXT to its day's log (`-` reads standard input).

    Credentials are replaced by placeholders first. The origin is `user` at a terminal and
    `agent` otherwise; --origin can only lower it. In a session that has read the web or output
    of another MCP server, the entry gets that origin.
    """
    from lithify.capture import check_origin, default_origin

    if text[0] == "-" and text[1:]:
        raise UsageError(
            reason="`-` reads standard input and takes no words beside it; a text with a dash "
            "in front is given as: lithify log -- '- such as this'"
        )
    memory = opened(root)
    words = piped() if text == ("-",) else " ".join(text)
    ceiling = default_origin(sys.stdin.isatty() and text != ("-",))
    moment = _moment(at, memory)
    asked = check_origin(origin or ceiling, ceiling)
    stamped = _session_origin(asked, memory) if ceiling == "agent" else asked
    logged = memory.log(words, at=moment, origin=stamped)
    _note_future_day(moment, memory)
    if stamped != asked:
        say(f"note: the session has read {stamped}, so this is kept as {stamped}", err=True)
    if as_json:
        say_json({"path": logged.path, "entries": list(logged.entries), "origin": logged.origin})
    else:
        say(f"{logged.path}  {' '.join(logged.entries)}")


def origin_here(memory: Memory, *, piped: bool) -> str:
    """The origin of words given to a command: a person's, or those of an agent and what it read."""
    from lithify.capture import default_origin

    origin = default_origin(sys.stdin.isatty() and not piped)
    return origin if origin == "user" else _session_origin(origin, memory)


def _session_origin(origin: str, memory: Memory) -> str:
    """The origin of what an agent logs: never more trusted than what its session has read."""
    read = memory.gate.origin(os.environ)
    return read if is_trusted(origin) and not is_trusted(read) else origin


def _note_future_day(moment: datetime | None, memory: Memory) -> None:
    if moment is None:
        return
    day = moment.astimezone(zone(memory.settings.zone)).date()
    if day > memory.today():
        say(f"note: {day} is in the future; it is compacted when its week is over", err=True)


def _moment(at: str | None, memory: Memory) -> datetime | None:
    if at is None:
        return None
    now = memory.now()
    if re.fullmatch(r"\d{1,2}:\d{2}", at):
        hour, minute = (int(part) for part in at.split(":"))
        if hour < 24 and minute < 60:
            return now.replace(hour=hour, minute=minute)
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        raise UsageError(
            reason=f"--at {at!r} is not a time; write 14:05 or 2026-04-02T14:05"
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=zone(memory.settings.zone))


def day_option(_: click.Context, parameter: click.Parameter, value: str | None) -> date | None:
    if value is None:
        return None
    day = parse_day(value)
    if day is None:
        raise click.BadParameter(f"{value!r} is not a day like 2026-04-02")
    return day


@click.command(
    epilog="Example: lithify recall 'when does Slipway launch' --as-of 2026-01-20 --budget 500"
)
@click.argument("query", type=spoken, nargs=-1, required=True)
@click.option(
    "--budget", type=click.IntRange(1), default=2000, show_default=True, help="Tokens to return."
)
@click.option("--k", type=click.IntRange(1), default=None, help="At most so many passages.")
@click.option(
    "--as-of", callback=day_option, metavar="DATE", help="Only what was known on that day."
)
@click.option(
    "--from", "since", callback=day_option, metavar="DATE", help="No day before this one."
)
@click.option("--to", "until", callback=day_option, metavar="DATE", help="No day after this one.")
@standard
def recall(
    query: tuple[str, ...],
    budget: int,
    k: int | None,
    as_of: date | None,
    since: date | None,
    until: date | None,
    root: str | None,
    as_json: bool,
) -> None:
    """Find what the days say about QUERY, best first, inside a budget of tokens.

    Dates in the query are understood ("in March", "last Tuesday", "two weeks before the
    launch"). An entry id gives that entry. When nothing supports the query, nothing is returned
    and the nearest topics are named. In a pipe the text is fenced as data, for an agent.
    """
    with Progress() as progress:
        found = opened(root).recall(
            " ".join(query),
            budget=budget,
            k=k,
            as_of=as_of,
            since=since,
            until=until,
            progress=progress.files,
        )
    if found.note:
        say(f"note: {found.note}", err=True)
    if as_json:
        say_json(_recall_data(found))
    elif sys.stdout.isatty():
        _show_recall(found)
    else:
        from lithify.search.passages import fenced

        say(fenced(found, budget))


def _recall_data(found: Recall) -> dict[str, object]:
    return {
        **found._asdict(),
        "passages": [
            {
                **passage._asdict(),
                "date": passage.date and passage.date.isoformat(),
                "also_on": [day.isoformat() for day in passage.also_on],
                "superseded": passage.superseded and passage.superseded.isoformat(),
                "through": [step._asdict() for step in passage.through],
            }
            for passage in found.passages
        ],
    }


def _show_recall(found: Recall) -> None:
    if not found:
        from lithify.search.passages import NOTHING

        say(NOTHING)
        if found.nearest:
            say("Nearest topics:")
            for topic in found.nearest:
                _say(f"  {topic}", "    ")
        return
    for passage in found.passages:
        _show_passage(passage)
    shown = count_of(len(found.passages), "passage")
    say(styled(f"{shown}, {count_of(found.tokens, 'token')}", dim=True))


def _show_passage(passage: Passage) -> None:
    from lithify.search.passages import notes, place

    day = f"{passage.date:%a} {passage.date}" if passage.date else "undated"
    over = f"  {' / '.join(passage.headings)}" if passage.headings else ""
    first, *more = folded(day + over, "  ", most=_WIDEST)
    say(styled(day, bold=True) + styled(first[len(day) :], fg="cyan"))
    for line in more:
        say(styled(line, fg="cyan"))
    for line in passage.text.split("\n"):
        _say(f"  {line}", "  ")
    said = [place(passage), *notes(passage)]
    said += [f"through {step.path}:{step.line}" for step in passage.through]
    _say("  " + " · ".join(said), "    ", dim=True)
    say()


def _say(line: str, hang: str, **style: bool) -> None:
    # Folding an endless line takes long, and nobody reads it at a screen.
    pieces = folded(line, hang, most=_WIDEST) if len(line) < _ENDLESS else [line]
    for piece in pieces:
        say(styled(piece, **style) if style else piece)


@click.command(epilog="Example: lithify index --rebuild")
@click.option("--rebuild", is_flag=True, help="Build it again from the files.")
@click.option(
    "--vectors", is_flag=True, help="Also embed what has no vector yet (extra `vectors`)."
)
@standard
def index(rebuild: bool, vectors: bool, root: str | None, as_json: bool) -> None:
    """Bring the search index up to date; recall does this by itself.

    The index is derived: delete `.lithify/index.sqlite` and nothing is lost.
    """
    memory = opened(root)
    with Progress() as progress:
        done = memory.index.update(rebuild=rebuild, progress=progress.files)
        if vectors:
            progress("embedding texts")
            done = done._replace(vectors=memory.index.update(vectors=True).vectors)
    if as_json:
        say_json(done._asdict())
        return
    where = " (in memory: the root cannot be written)" if done.in_memory else ""
    counted = f", {count_of(done.vectors, 'vector')}" if done.vectors else ""
    files, entries = count_of(done.files, "file"), count_of(done.entries, "entry", "entries")
    say(f"{files}, {entries}, {done.changed} changed{counted}{where}")


@click.command(epilog="Example: lithify context --budget 2000")
@click.option("--budget", default=4000, show_default=True, help="The most it may be, in tokens.")
@click.option("--job", metavar="ID", help="The job (else the one last worked on).")
@standard
def context(budget: int, job: str | None, root: str | None, as_json: bool) -> None:
    """Print what a session starts with: what is late, wisdom, the live job's chain, the newest
    week and month.

    In a pipe the text is fenced as data for an agent; credentials are replaced, and what comes from untrusted material is
    marked. It stays the same, byte for byte, as long as nothing changes.
    """
    with Progress() as progress:
        progress("reading the memory")
        text = opened(root).context(budget, job=job)
    if as_json:
        from lithify.text.tokens import estimate

        say_json({"budget": budget, "tokens": estimate(text), "text": text})
    elif sys.stdout.isatty():
        from lithify.search.context import unfenced

        say(unfenced(text))
    else:
        say(text)


@click.command(
    epilog="Example: lithify trace WISDOM.md:11   or   lithify trace memory/2026-04-02.md:7"
)
@click.argument("refs", metavar="REF...", nargs=-1, required=True)
@click.option("--full", is_flag=True, help="Whole texts instead of one line each.")
@standard
def trace(refs: tuple[str, ...], full: bool, root: str | None, as_json: bool) -> None:
    """Follow REF: an entry id, FILE:LINE, a file, a day, a week, a month, or words of a sentence.

    Words are looked for in wisdom, months, memories and weeks, whatever their case; of several
    sentences that hold them the first is followed and the others are listed. A sentence of wisdom, of a month, a week or a typed memory leads down to the lines of
    the days; a line of a day leads up to all that was made from it. A FILE is relative to the root or
    to the current folder. With several REFs, --json prints a list.
    """
    from lithify.compact.trace import trace as follow

    snapshot = opened(root).snapshot()
    found = [follow(snapshot, ref, _here()) for ref in refs]
    if as_json:
        from dataclasses import asdict

        data = [asdict(one) for one in found]
        say_json(data if data[1:] else data[0])
        return
    for one in found:
        for node in one.roots:
            _draw_trace(node, "", "", one.upward, full)
        if one.others:
            say("also in:")
        for other in one.others:
            say(f"  {other.path}:{other.line}  {one_line(other.text, 80)}")


def _here() -> str:
    """The current folder, which a FILE may be relative to; "" where it was deleted."""
    with suppress(OSError):
        return os.getcwd()
    return ""


def _draw_trace(node: Node, lead: str, below: str, upward: bool, full: bool) -> None:
    place = f"{node.path}:{node.line}" if node.path else node.id
    origin = f" ({node.origin})" if node.origin and node.origin != "file" else ""
    say(f"{lead}{styled(place, bold=True)}{origin}")
    text = node.text if full else one_line(node.text, 110)
    mark = "│ " if node.children else "  "
    for line in (*text.splitlines(), f"[{node.note}]" if node.note else ""):
        for part in folded(line, "", len(below) + len(mark)) if line else ():
            say(f"{below}{mark}{part}")
    for number, child in enumerate(node.children):
        last = number == len(node.children) - 1
        corner = ("└" if last else "├") + ("▲ " if upward else "─ ")
        _draw_trace(child, below + corner, below + ("   " if last else "│  "), upward, full)
