"""`lithify memories list|show|accept|drop`"""

from __future__ import annotations

import sys

import click

from lithify.cli.common import count_of, folded, one_line, opened, say_json, standard, table
from lithify.compact.review import Remembered, find
from lithify.memory import Memory

_WIDTH = 100


@click.group(epilog="Example: lithify memories list")
def command() -> None:
    """List, show, accept or drop memories and suggestions.

    A line of a day that begins with Rule:, Remember:, Preference:, Lesson: or Reference: is a
    marked memory from the next compact on. What the offline engine finds worth keeping it only
    suggests: no agent sees it until it is accepted.
    """


@command.command(
    "list",
    epilog="Examples: lithify memories list; lithify memories list --suggested --json",
)
@click.option("--suggested", "only_suggested", is_flag=True, help="Only what nobody accepted yet.")
@standard
def list_(only_suggested: bool, root: str | None, as_json: bool) -> None:
    """Every memory in force and every suggestion, each with its id, type and source.

    STATUS is marked (a label in a day), accepted (a suggestion somebody took), found (by a
    model), adopted (a file of another's making, or edited by hand) or suggested.
    """
    memory = opened(root)
    found = [*(() if only_suggested else memory.memories()), *memory.suggestions()]
    if as_json:
        say_json([_data(one) for one in found])
        return
    table(
        [
            (
                one.id,
                one.status if one.trusted else f"{one.status}, untrusted",
                one.type,
                one.sources[0] if one.sources else "",
                one_line(one.text, _WIDTH),
            )
            for one in found
        ]
    )
    if not found:
        click.echo(
            "nothing is suggested"
            if only_suggested
            else "no memories yet: begin a line of a day with Rule: or Remember:, then run "
            "lithify compact"
        )


@command.command(epilog="Example: lithify memories show 3f9a12cc")
@click.argument("id")
@standard
def show(id: str, root: str | None, as_json: bool) -> None:
    """One memory or suggestion with the lines it rests on.

    ID is the one that `lithify memories list` prints, or the path of a memory's file.
    """
    snapshot = opened(root).snapshot()
    one = find(snapshot, id)
    lines = list(snapshot.lookup(list(one.sources)).values())
    if as_json:
        say_json(
            {
                **_data(one),
                "lines": [
                    {"path": e.path, "line": e.line, "origin": e.origin, "text": e.text}
                    for e in lines
                ],
            }
        )
        return
    where = f"  {one.path}" if one.path else ""
    click.echo(f"{click.style(one.id, bold=True)}  {one.status}  {one.type}{where}")
    for line in folded(f"  {one.text}", "  "):
        click.echo(line)
    for entry in lines:
        text = one_line(entry.text, _WIDTH)
        click.echo(f"  {entry.path}:{entry.line} ({entry.origin}) {text}")


@command.command(epilog="Example: lithify memories accept 3f9a12cc")
@click.argument("id")
@standard
def accept(id: str, root: str | None, as_json: bool) -> None:
    """Make a suggestion a memory at once.

    A suggestion from an untrusted entry needs a person at a terminal. That is a deterrent, not a
    sandbox: whoever can write to the root can write a memory by hand.
    """
    one = opened(root).accept(id, at_terminal=sys.stdin.isatty() and sys.stdout.isatty())
    if as_json:
        say_json(_data(one))
    else:
        click.echo(f"accepted: {one.path}")


@command.command(epilog="Example: lithify memories drop 3f9a12cc")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@standard
def drop(ids: tuple[str, ...], root: str | None, as_json: bool) -> None:
    """Take memories out of force, or dismiss suggestions; the same words do not come back.

    The days keep their lines, and a file's last version stays in .lithify/history. An entry of
    wisdom that was made of a memory stays: lithify wisdom revoke takes it out.
    """
    memory: Memory = opened(root)
    dropped = [memory.drop(id) for id in ids]
    if as_json:
        say_json([_data(one) for one in dropped])
        return
    for one in dropped:
        click.echo(f"dropped: {one.path or one_line(one.text, _WIDTH)}")
    if dropped[1:]:
        click.echo(count_of(len(dropped), "memory", "memories"))


def _data(one: Remembered) -> dict[str, object]:
    return {**one._asdict(), "sources": list(one.sources)}
