"""Commands on the days: `log`, `recall`, `index`, `context` and `trace`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from lithify.calendar import zone
from lithify.cli.render import (
    CommandOutput,
    Progress,
    count_of,
    folded,
    given_words,
    on_memory,
    one_line,
    option,
    person_calls,
    person_reads,
    say,
    spoken,
    styled,
)
from lithify.errors import UsageError
from lithify.trust import is_trusted

# Each command imports what only it needs: `recall` starts without what `trace` reads pages with.
if TYPE_CHECKING:
    from lithify.compact.trace import Node, Trace
    from lithify.memory import Memory
    from lithify.values import Passage, Recall

#: The widest line that is easy to read; a line of more characters than this is not folded at all.
_WIDEST = 100
_ENDLESS = 5000


_plain = option("--plain", "As at a terminal: for a person, not for an agent.")


@click.command(epilog="Example: git log -1 --format=%s | lithify log -")
@click.argument("text", type=spoken, nargs=-1, required=True)
@option("--at TIME", "HH:MM of today, or 2026-04-02T14:05.")
@option("--origin ORIGIN", "Who says so: user, agent, tool, web, harness, mcp:NAME, import:NAME.")
@on_memory
def log(memory: Memory, text: tuple[str, ...], at: str | None, origin: str | None) -> CommandOutput:
    """Append TEXT to its day's log (`-` reads standard input).

    Credentials are replaced by placeholders first. The origin (whose words these are) is `user`
    at a terminal and `agent` otherwise, or less after a session has read the web; --origin can
    only lower it.
    """
    if text[0] == "-" and text[1:]:
        raise UsageError(
            reason="`-` reads standard input and takes no words beside it; a text with a dash "
            "in front is given as: lithify log -- '- such as this'"
        )
    words = given_words(text)
    moment = _moment(at, memory)
    logged = memory.log(words, at=moment, origin=origin_here(memory, text, origin))
    if moment and (day := moment.astimezone(zone(memory.settings.zone)).date()) > memory.today():
        say(f"note: {day} is in the future; it is compacted when its week is over", err=True)
    if not is_trusted(logged.origin) and logged.origin != origin:
        said = f"the session has read {logged.origin}, so this is kept as {logged.origin}"
        say(f"note: {said}", err=True)
    shown = {"path": logged.path, "entries": logged.entries, "origin": logged.origin}
    return CommandOutput(shown, f"{logged.path}  {' '.join(logged.entries)}")


def origin_here(memory: Memory, text: tuple[str, ...], asked: str | None = None) -> str:
    """Return the origin of the words of a call: a person's at a terminal, otherwise an agent's.

    What an agent says is never more trusted than what its session has read.
    """
    from lithify.capture import check_origin

    ceiling = "user" if sys.stdin.isatty() and text != ("-",) else "agent"
    origin = check_origin(asked or ceiling, ceiling)
    if ceiling == "user" or not is_trusted(origin):
        return origin
    read = memory.caller_origin(os.environ)
    return origin if is_trusted(read) else read


def caller(memory: Memory) -> str:
    """Return the origin in whose name a command is called: a person's at a terminal, else an agent's."""
    return "user" if person_calls() else memory.caller_origin(os.environ)


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


@click.command(
    epilog="Example: lithify recall 'when does Slipway launch' --as-of 2026-01-20 --budget 500"
)
@click.argument("query", type=spoken, nargs=-1, required=True)
@option("--budget", "Tokens to return at most.", type=click.IntRange(1), default=1000)
@option("--after CODE", "Go on where the answer that gave this code ended.", default="")
@option("--k", "At most so many passages.", type=click.IntRange(1))
@option("--as-of DATE", "Only what was known on that day.")
@option("--from/--since DATE", "No day before this one.", name="since")
@option("--to DATE", "No day after this one.", name="until")
@_plain
@on_memory
def recall(
    memory: Memory, query: tuple[str, ...], budget: int, plain: bool, **limits: Any
) -> CommandOutput:
    """Find what the days say about QUERY, best first, inside a budget of tokens.

    Dates in it are understood ("in March", "two weeks before the launch"). An entry id gives that
    entry. Where nothing supports the query, only the nearest topics are named. Without a terminal
    the text is fenced as data for an agent, unless with --plain.
    """
    with Progress() as progress:
        found = memory.recall(" ".join(query), budget=budget, progress=progress.files, **limits)
    if found.note:
        say(f"note: {found.note}", err=True)
    person = plain or person_reads()
    return CommandOutput(found, recall_lines(found) if person else _fenced(memory, found, budget))


def _fenced(memory: Memory, found: Recall, budget: int) -> Iterator[str]:
    yield memory.fenced(found, budget)


def recall_lines(found: Recall) -> Iterator[str]:
    """Show passages to a person, or the nearest topics where there are none."""
    from lithify.search.passages import NOTHING, WEAK, nowhere, without_passages

    if not found and (said := without_passages(found)) != NOTHING:
        yield said
        return
    if found.nearest or not found:
        yield WEAK if found else NOTHING
    if found.missing:
        yield from _readable(nowhere(found), "  ")
    if found.nearest:
        yield from _readable(f"Nearest: {'; '.join(found.nearest)}", "  ")
    if not found:
        return
    for passage in found.passages:
        yield from _passage_lines(passage)
    shown = count_of(len(found.passages), "passage")
    yield styled(f"{shown}, {count_of(found.tokens, 'token')}", dim=True)
    for line in _readable(f"More: --after {found.after}", ""):
        yield styled(line, dim=True)


def _passage_lines(passage: Passage) -> Iterator[str]:
    day = f"{passage.date:%a} {passage.date}" if passage.date else "undated"
    over = f"  {' / '.join(passage.headings)}" if passage.headings else ""
    first, *more = folded(day + over, "  ", most=_WIDEST)
    yield styled(day, bold=True) + styled(first[len(day) :], fg="cyan")
    for line in more:
        yield styled(line, fg="cyan")
    for line in passage.text.split("\n"):
        yield from _readable(f"  {line}", "  ")
    said = [passage.place, *passage.notes]
    said += [f"through {step.path}:{step.line}" for step in passage.through]
    for line in _readable("  " + " · ".join(said), "    "):
        yield styled(line, dim=True)
    yield ""


def _readable(line: str, hang: str) -> list[str]:
    # Folding an endless line takes long, and nobody reads it at a screen.
    return folded(line, hang, most=_WIDEST) if len(line) < _ENDLESS else [line]


@click.command(epilog="Example: lithify index --rebuild")
@option("--rebuild", "Build it again from the files.")
@option("--vectors", "Also embed what has no vector yet, and wait for it (extra `vectors`).")
@on_memory
def index(memory: Memory, rebuild: bool, vectors: bool) -> CommandOutput:
    """Bring the search index up to date; recall does this by itself.

    The index is derived: delete `.lithify/index.sqlite` and nothing is lost.
    """
    with Progress() as progress:
        done = memory.index.update(rebuild=rebuild, progress=progress.files)
        if vectors:
            progress("embedding texts")
            done = done._replace(vectors=memory.index.update(vectors=True).vectors)
        else:
            memory.index.embed_later()
    where = " (in memory: the root cannot be written)" if done.in_memory else ""
    counted = f", {count_of(done.vectors, 'vector')}" if done.vectors else ""
    files, entries = count_of(done.files, "file"), count_of(done.entries, "entry", "entries")
    return CommandOutput(done, f"{files}, {entries}, {done.changed} changed{counted}{where}")


@click.command(epilog="Example: lithify context --budget 2000")
@option("--budget", "The most it may be, in tokens.", type=int, default=4000)
@option("--job ID", "The job (else the one last worked on).")
@option("--explain", "Say of each line why it is there, and what was left out and why.")
@_plain
@on_memory
def context(
    memory: Memory, budget: int, job: str | None, explain: bool, plain: bool
) -> CommandOutput:
    """Print what a session starts with: rules, memories, what is open, lately and due.

    Without a terminal it is fenced as data for an agent. What is not trusted is left out. It stays
    the same as long as nothing changes.
    """
    from lithify.context.compose import explained, unfenced
    from lithify.text.tokens import estimate

    with Progress("reading the memory"):
        found = memory.explained_context(budget, job=job)
    data = {"budget": budget, "tokens": estimate(found.text), **found._asdict()}
    if explain:
        return CommandOutput(data, explained(found.sections))
    return CommandOutput(data, unfenced(found.text) if plain or person_reads() else found.text)


@click.command(
    epilog="Example: lithify trace WISDOM.md:11   or   lithify trace memory/2026-04-02.md:7"
)
@click.argument("refs", metavar="REF...", nargs=-1, required=True)
@option("--full", "Whole texts instead of one line each.")
@on_memory
def trace(memory: Memory, refs: tuple[str, ...], full: bool) -> CommandOutput:
    """Follow REF: an entry id, FILE:LINE, a file, a day, a week, a month, or words of a sentence.

    A sentence of a page leads down to the lines of the days, a line of a day up to all that was
    made from it. Words are looked for in wisdom, months, memories and weeks; of several sentences
    the first is followed and the others are listed.
    """
    here = ""
    with suppress(OSError):  # the current folder was deleted
        here = os.getcwd()
    found = [memory.trace(ref, here) for ref in refs]
    return CommandOutput(found if found[1:] else found[0], _trace_lines(found, full))


def _trace_lines(found: list[Trace], full: bool) -> Iterator[str]:
    for one in found:
        for node in one.roots:
            yield from _node_lines(node, "", "", one.upward, full)
        if one.others:
            yield "also in:"
        for other in one.others:
            yield f"  {other.path}:{other.line}  {one_line(other.text, 80)}"


def _node_lines(node: Node, lead: str, below: str, upward: bool, full: bool) -> Iterator[str]:
    """Draw a node of a trace and what is under it, as a tree."""
    place = f"{node.path}:{node.line}" if node.path else node.id
    origin = f" ({node.origin})" if node.origin and node.origin != "file" else ""
    yield f"{lead}{styled(place, bold=True)}{origin}"
    text = node.text if full else one_line(node.text, 110)
    mark = "│ " if node.children else "  "
    for line in (*text.splitlines(), f"[{node.note}]" if node.note else ""):
        for part in folded(line, "", len(below) + len(mark)) if line else ():
            yield f"{below}{mark}{part}"
    for number, child in enumerate(node.children):
        last = number == len(node.children) - 1
        corner = ("└" if last else "├") + ("▲ " if upward else "─ ")
        under = below + ("   " if last else "│  ")
        yield from _node_lines(child, below + corner, under, upward, full)
