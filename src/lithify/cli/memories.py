"""Commands on typed memories: `remember`, and `memories` to list, show, accept, edit and drop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from lithify.cli.commands import CommandGroup
from lithify.cli.days import origin_here
from lithify.cli.render import (
    Answer,
    at_terminal,
    count_of,
    flag,
    folded,
    given_words,
    in_words,
    need_terminal,
    on_memory,
    one_line,
    picked,
    say,
    spoken,
    styled,
    table,
)
from lithify.trust import is_trusted
from lithify.values import MEMORY_TYPES, MemoryType

if TYPE_CHECKING:
    from lithify.compact.review import Remembered
    from lithify.memory import Kept, Memory
    from lithify.values import Entry

_WIDTH = 100
_why = click.option("--why", type=spoken, default="", metavar="TEXT", help="The reason for it.")
_how = click.option("--how", type=spoken, default="", metavar="TEXT", help="How to apply it.")


@click.command(epilog="Example: lithify remember --type feedback 'Deploy on Tuesdays only.'")
@click.argument("text", type=spoken, nargs=-1, required=True)
@click.option(
    "--type",
    "kind",
    type=click.Choice(MEMORY_TYPES),
    default="project",
    show_default=True,
    help="A person's ways, how to work, the project's facts, or a pointer outside.",
)
@click.option("--topic", type=spoken, default="", metavar="X", help="What its file is called.")
@_why
@_how
@on_memory
def remember(
    memory: Memory, text: tuple[str, ...], kind: MemoryType, topic: str, why: str, how: str
) -> Answer:
    """Keep TEXT (`-` reads standard input) as a memory at once, in the words given.

    It is an entry of today's log first, so it is traced and compacted like any other. From now on
    every session starts with it.
    """
    words, origin = given_words(text), origin_here(memory, piped=text == ("-",))
    kept = memory.remember(words, type=kind, topic=topic, why=why, how=how, origin=origin)
    return _kept_answer(kept)


def _kept_answer(kept: Kept) -> Answer:
    entry = kept.entry
    ids = " ".join(entry.entries)
    if kept.path:
        line = f"{kept.path}  {ids}"
    elif is_trusted(entry.origin):
        line = f"{entry.path}  {ids}; the next compact makes it a memory"
    else:
        line = (
            f"{entry.path}  {ids}; kept as {entry.origin}, which is not trusted: a person can "
            "accept it (lithify memories list --suggested)"
        )
    data = {**picked(entry, "entries origin", day="path"), "path": kept.path or None}
    return Answer(data, line)


@click.group(cls=CommandGroup, alone="list", epilog="Example: lithify memories list")
def memories() -> None:
    """List, show, accept or drop memories and suggestions.

    A line of a day that begins with Rule:, Remember:, Preference:, Lesson: or Reference: is a
    marked memory from the next compact on. What the offline engine finds worth keeping it only
    suggests: no agent sees it until it is accepted.
    """


@memories.command("list", epilog="Example: lithify memories list --suggested --json")
@flag("--suggested", "only_suggested", help="Only what nobody accepted yet.")
@on_memory
def list_memories(memory: Memory, only_suggested: bool) -> Answer:
    """Every memory and every suggestion, each with its id, type and source.

    STATUS is marked (a label in a day), accepted (a suggestion somebody took), found (by a
    model), external (a file that another tool wrote, or that was edited by hand; `adopted` in --json)
    or suggested.
    """
    known = memory.memories
    found = [*(() if only_suggested else known.list()), *known.suggestions()]
    return Answer(found, _list_lines(memory, found, only_suggested))


def _list_lines(memory: Memory, found: list[Remembered], only_suggested: bool) -> Iterator[str]:
    rows = []
    for one in found:
        status = in_words(one.status) + ("" if one.trusted else ", untrusted")
        source = one.sources[0] if one.sources else ""
        rows.append((one.id, status, one.type, source, one_line(one.text, _WIDTH)))
    yield from table(rows)
    if only_suggested and not found:
        yield "nothing is suggested"
    elif not only_suggested and (waiting := len(memory.memories.waiting())):
        said = count_of(waiting, "labelled line")
        yield f"{said}: in `context` already, a memory file with the next lithify compact"
    elif not found:
        yield "no memories yet: begin a line of a day with Rule: or Remember:"


@memories.command("show", epilog="Example: lithify memories show 3f9a12cc")
@click.argument("id")
@on_memory
def show_memory(memory: Memory, id: str) -> Answer:
    """One memory or suggestion with the lines it was made from.

    ID is the one that `lithify memories list` prints, or the path of a memory's file.
    """
    one = memory.memories.find(id)
    lines = memory.snapshot().lookup(list(one.sources)).values()
    shown = [picked(entry, "path line origin text") for entry in lines]
    return Answer({**one._asdict(), "lines": shown}, _memory_lines(one, lines))


def _memory_lines(one: Remembered, lines: Iterable[Entry]) -> Iterator[str]:
    where = f"  {one.path}" if one.path else ""
    yield f"{styled(one.id, bold=True)}  {in_words(one.status)}  {one.type}{where}"
    yield from folded(f"  {one.text}", "  ")
    for entry in lines:
        yield f"  {entry.path}:{entry.line} ({entry.origin}) {one_line(entry.text, _WIDTH)}"


@memories.command(epilog="Example: lithify memories accept 3f9a12cc")
@click.argument("id")
@on_memory
def accept(memory: Memory, id: str) -> Answer:
    """Make a suggestion a memory at once.

    A suggestion from an untrusted entry needs a person at a terminal. That is a deterrent, not a
    sandbox: whoever can write to the root can write a memory by hand.
    """
    one = memory.memories.accept(id, at_terminal=at_terminal())
    return Answer(one, f"accepted: {one.path}")


@memories.command(epilog="Example: lithify memories edit 3f9a12cc 'Deploys are on Tuesdays only.'")
@click.argument("id")
@click.argument("text", type=spoken, nargs=-1)
@_why
@_how
@on_memory
def edit(memory: Memory, id: str, text: tuple[str, ...], why: str, how: str) -> Answer | None:
    """Put TEXT in place of what a memory or suggestion says; without TEXT, an editor opens.

    The new words become an entry of today's log. Editing is a person's word: it needs a terminal.
    """
    need_terminal("Editing a memory")
    words, old = " ".join(text), memory.memories.find(id)
    if not words and not (why or how):
        words = (click.edit(old.text) or "").strip()
        if not words:
            say("nothing was changed")
            return None
    kept = memory.memories.edit(id, words, why=why, how=how)
    for title in _wisdom_from(memory, old.sources):
        title = title.replace("'", "'\\''")
        say(f"wisdom still has the old words: lithify wisdom revoke '{title}'", err=True)
    return _kept_answer(kept)


@memories.command(epilog="Example: lithify memories drop 3f9a12cc")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@on_memory
def drop(memory: Memory, ids: tuple[str, ...]) -> Answer:
    """Withdraw memories, or dismiss suggestions; the same words do not come back.

    The days keep their lines, and a file's last version stays in .lithify/history. An entry of
    wisdom that was made of a memory stays: lithify wisdom revoke takes it out.
    """
    dropped = [memory.memories.drop(id) for id in ids]
    lines = [f"dropped: {one.path or one_line(one.text, _WIDTH)}" for one in dropped]
    lines += [
        f'still in WISDOM.md: lithify wisdom revoke "{title}" --reason TEXT takes it out'
        for title in _wisdom_from(memory, [source for one in dropped for source in one.sources])
    ]
    if dropped[1:]:
        lines.append(count_of(len(dropped), "memory", "memories"))
    return Answer(dropped, lines)


def _wisdom_from(memory: Memory, sources: Iterable[str]) -> list[str]:
    """Name the entries of wisdom that were made of these lines."""
    ours = set(sources)
    return [one.title for one in memory.wisdom.entries() if not ours.isdisjoint(one.sources)]
