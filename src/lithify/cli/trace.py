"""`lithify trace`"""

from __future__ import annotations

from dataclasses import asdict

import click

from lithify.cli.common import one_line, opened, say_json, standard
from lithify.compact.trace import Node


@click.command(
    epilog="Example: lithify trace WISDOM.md:11   or   lithify trace memory/2026-04-02.md:7"
)
@click.argument("ref")
@click.option("--full", is_flag=True, help="Whole texts instead of one line each.")
@standard
def command(ref: str, full: bool, root: str | None, as_json: bool) -> None:
    """Follow REF: an entry id, FILE:LINE, a file, or the title of a wisdom entry.

    A sentence of wisdom, of a month, a week or a typed memory leads down to the lines of
    the days; a line of a day leads up to all that rests on it.
    """
    found = opened(root).trace(ref)
    if as_json:
        say_json(asdict(found))
        return
    for node in found.roots:
        _draw(node, "", "", found.upward, full)


def _draw(node: Node, lead: str, below: str, upward: bool, full: bool) -> None:
    place = f"{node.path}:{node.line}" if node.path else node.id
    origin = f" ({node.origin})" if node.origin and node.origin != "file" else ""
    click.echo(f"{lead}{click.style(place, bold=True)}{origin}")
    text = node.text if full else one_line(node.text, 110)
    mark = "│ " if node.children else "  "
    for line in (text, f"[{node.note}]" if node.note else ""):
        if line:
            click.echo(f"{below}{mark}{line}")
    for number, child in enumerate(node.children):
        last = number == len(node.children) - 1
        corner = ("└" if last else "├") + ("▲ " if upward else "─ ")
        _draw(child, below + corner, below + ("   " if last else "│  "), upward, full)
