"""Commands on what lasts: `remember` and `memories`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from lithify.cli.common import (
    count_of,
    folded,
    in_words,
    one_line,
    opened,
    piped,
    say,
    say_json,
    spoken,
    standard,
    styled,
    table,
)
from lithify.cli.groups import CommandGroup
from lithify.errors import NeedsTerminal
from lithify.trust import is_trusted
from lithify.values import MEMORY_TYPES, MemoryType

if TYPE_CHECKING:
    from lithify.compact.review import Remembered
    from lithify.memory import Kept

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
@standard
def remember(
    text: tuple[str, ...],
    kind: MemoryType,
    topic: str,
    why: str,
    how: str,
    root: str | None,
    as_json: bool,
) -> None:
    """Keep TEXT (`-` reads standard input) as a memory at once, in the words given.

    It is an entry of today's log first, so it is traced and compacted like any other. From now on
    every session starts with it.
    """
    from lithify.cli.days import origin_here

    memory = opened(root)
    words = piped() if text == ("-",) else " ".join(text)
    origin = origin_here(memory, piped=text == ("-",))
    kept = memory.remember(words, type=kind, topic=topic, why=why, how=how, origin=origin)
    _tell_kept(kept, as_json)


def _tell_kept(kept: Kept, as_json: bool) -> None:
    entry = kept.entry
    if as_json:
        data = {"entries": list(entry.entries), "day": entry.path, "origin": entry.origin}
        say_json({**data, "path": kept.path or None})
    elif kept.path:
        say(f"{kept.path}  {' '.join(entry.entries)}")
    elif is_trusted(entry.origin):
        say(f"{entry.path}  {' '.join(entry.entries)}; the next compact makes it a memory")
    else:
        say(
            f"{entry.path}  {' '.join(entry.entries)}; kept as {entry.origin}, which is not "
            "trusted: a person can accept it (lithify memories list --suggested)"
        )


@click.group(cls=CommandGroup, alone="list", epilog="Example: lithify memories list")
def memories() -> None:
    """List, show, accept or drop memories and suggestions.

    A line of a day that begins with Rule:, Remember:, Preference:, Lesson: or Reference: is a
    marked memory from the next compact on. What the offline engine finds worth keeping it only
    suggests: no agent sees it until it is accepted.
    """


@memories.command("list", epilog="Example: lithify memories list --suggested --json")
@click.option("--suggested", "only_suggested", is_flag=True, help="Only what nobody accepted yet.")
@standard
def list_memories(only_suggested: bool, root: str | None, as_json: bool) -> None:
    """Every memory and every suggestion, each with its id, type and source.

    STATUS is marked (a label in a day), accepted (a suggestion somebody took), found (by a
    model), external (a file that another tool wrote, or that was edited by hand; `adopted` in --json)
    or suggested.
    """
    memory = opened(root)
    found = [*(() if only_suggested else memory.memories.list()), *memory.memories.suggestions()]
    if as_json:
        say_json([_memory_data(one) for one in found])
        return
    table(
        [
            (
                one.id,
                in_words(one.status) + ("" if one.trusted else ", untrusted"),
                one.type,
                one.sources[0] if one.sources else "",
                one_line(one.text, _WIDTH),
            )
            for one in found
        ]
    )
    if only_suggested and not found:
        say("nothing is suggested")
    elif not only_suggested and (waiting := len(memory.memories.waiting())):
        said = count_of(waiting, "labelled line")
        say(f"{said}: in `context` already, a memory file with the next lithify compact")
    elif not found:
        say("no memories yet: begin a line of a day with Rule: or Remember:")


@memories.command("show", epilog="Example: lithify memories show 3f9a12cc")
@click.argument("id")
@standard
def show_memory(id: str, root: str | None, as_json: bool) -> None:
    """One memory or suggestion with the lines it was made from.

    ID is the one that `lithify memories list` prints, or the path of a memory's file.
    """
    from lithify.compact.review import find

    snapshot = opened(root).snapshot()
    one = find(snapshot, id)
    lines = list(snapshot.lookup(list(one.sources)).values())
    if as_json:
        say_json(
            {
                **_memory_data(one),
                "lines": [
                    {"path": e.path, "line": e.line, "origin": e.origin, "text": e.text}
                    for e in lines
                ],
            }
        )
        return
    where = f"  {one.path}" if one.path else ""
    say(f"{styled(one.id, bold=True)}  {in_words(one.status)}  {one.type}{where}")
    for line in folded(f"  {one.text}", "  "):
        say(line)
    for entry in lines:
        text = one_line(entry.text, _WIDTH)
        say(f"  {entry.path}:{entry.line} ({entry.origin}) {text}")


@memories.command(epilog="Example: lithify memories accept 3f9a12cc")
@click.argument("id")
@standard
def accept(id: str, root: str | None, as_json: bool) -> None:
    """Make a suggestion a memory at once.

    A suggestion from an untrusted entry needs a person at a terminal. That is a deterrent, not a
    sandbox: whoever can write to the root can write a memory by hand.
    """
    one = opened(root).memories.accept(id, at_terminal=sys.stdin.isatty() and sys.stdout.isatty())
    if as_json:
        say_json(_memory_data(one))
    else:
        say(f"accepted: {one.path}")


@memories.command(epilog="Example: lithify memories edit 3f9a12cc 'Deploys are on Tuesdays only.'")
@click.argument("id")
@click.argument("text", type=spoken, nargs=-1)
@_why
@_how
@standard
def edit(
    id: str, text: tuple[str, ...], why: str, how: str, root: str | None, as_json: bool
) -> None:
    """Put TEXT in place of what a memory or suggestion says; without TEXT, an editor opens.

    The new words become an entry of today's log. Editing is a person's word: it needs a terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NeedsTerminal(action="Editing a memory")
    from lithify.compact.review import find

    memory = opened(root)
    words = " ".join(text)
    if not words and not (why or how):
        words = (click.edit(find(memory.snapshot(), id).text) or "").strip()
        if not words:
            say("nothing was changed")
            return
    old = find(memory.snapshot(), id)
    _tell_kept(memory.memories.edit(id, words, why=why, how=how), as_json)
    for entry in memory.wisdom.entries():
        if old.sources and set(old.sources) & set(entry.sources):
            title = entry.title.replace("'", "'\\''")
            say(f"wisdom still has the old words: lithify wisdom revoke '{title}'", err=True)


@memories.command(epilog="Example: lithify memories drop 3f9a12cc")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@standard
def drop(ids: tuple[str, ...], root: str | None, as_json: bool) -> None:
    """Withdraw memories, or dismiss suggestions; the same words do not come back.

    The days keep their lines, and a file's last version stays in .lithify/history. An entry of
    wisdom that was made of a memory stays: lithify wisdom revoke takes it out.
    """
    memory = opened(root)
    dropped = [memory.memories.drop(id) for id in ids]
    if as_json:
        say_json([_memory_data(one) for one in dropped])
        return
    for one in dropped:
        say(f"dropped: {one.path or one_line(one.text, _WIDTH)}")
    rules = [rule for rule in memory.snapshot().wisdom() if rule.sources]
    gone = {source for one in dropped for source in one.sources}
    for title in [rule.title for rule in rules if not gone.isdisjoint(rule.sources)]:
        say(f'still in WISDOM.md: lithify wisdom revoke "{title}" --reason TEXT takes it out')
    if dropped[1:]:
        say(count_of(len(dropped), "memory", "memories"))


def _memory_data(one: Remembered) -> dict[str, object]:
    return {**one._asdict(), "sources": list(one.sources)}
