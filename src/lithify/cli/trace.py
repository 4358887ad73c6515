"""`lithify trace`"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import asdict

import click

from lithify.cli.common import folded, one_line, opened, say_json, standard
from lithify.compact.trace import Node, trace


@click.command(
    epilog="Example: lithify trace WISDOM.md:11   or   lithify trace memory/2026-04-02.md:7"
)
@click.argument("refs", metavar="REF...", nargs=-1, required=True)
@click.option("--full", is_flag=True, help="Whole texts instead of one line each.")
@standard
def command(refs: tuple[str, ...], full: bool, root: str | None, as_json: bool) -> None:
    """Follow REF: an entry id, FILE:LINE, a file, a day, a week, a month, or a title of wisdom.

    A sentence of wisdom, of a month, a week or a typed memory leads down to the lines of
    the days; a line of a day leads up to all that rests on it. A FILE is named from the root on
    or from the current folder on. The JSON of several is a list.
    """
    snapshot = opened(root).snapshot()
    found = [trace(snapshot, ref, _here()) for ref in refs]
    if as_json:
        data = [asdict(one) for one in found]
        say_json(data if data[1:] else data[0])
        return
    for one in found:
        for node in one.roots:
            _draw(node, "", "", one.upward, full)


def _here() -> str:
    """The folder that files may be named from; none where it is gone."""
    with suppress(OSError):
        return os.getcwd()
    return ""


def _draw(node: Node, lead: str, below: str, upward: bool, full: bool) -> None:
    place = f"{node.path}:{node.line}" if node.path else node.id
    origin = f" ({node.origin})" if node.origin and node.origin != "file" else ""
    click.echo(f"{lead}{click.style(place, bold=True)}{origin}")
    text = node.text if full else one_line(node.text, 110)
    mark = "│ " if node.children else "  "
    for line in (*text.splitlines(), f"[{node.note}]" if node.note else ""):
        for part in folded(line, "", len(below) + len(mark)) if line else ():
            click.echo(f"{below}{mark}{part}")
    for number, child in enumerate(node.children):
        last = number == len(node.children) - 1
        corner = ("└" if last else "├") + ("▲ " if upward else "─ ")
        _draw(child, below + corner, below + ("   " if last else "│  "), upward, full)
