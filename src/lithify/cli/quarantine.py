"""`lithify quarantine list|show`"""

from __future__ import annotations

from dataclasses import asdict

import click

from lithify.cli.common import one_line, opened, say_json, standard, table
from lithify.errors import UnknownReference


@click.group(epilog="Example: lithify quarantine list")
def command() -> None:
    """What the verifier refused, and why."""


@command.command("list", epilog="Example: lithify quarantine list --json")
@standard
def list_(root: str | None, as_json: bool) -> None:
    """Every refused draft or bullet, newest first."""
    held = opened(root).quarantine()
    if as_json:
        say_json([asdict(h) for h in held])
        return
    rows = []
    for h in held:
        first = h.reason or (h.refused[0][1][0] if h.refused else "")
        rows.append((h.id, h.task, h.time, f"{len(h.refused)} refused", one_line(first, 80)))
    table(rows)
    if not held:
        click.echo("nothing was refused")


@command.command(epilog="Example: lithify quarantine show 1a2b3c4d")
@click.argument("id")
@standard
def show(id: str, root: str | None, as_json: bool) -> None:
    """One of them whole."""
    held = next((h for h in opened(root).quarantine() if h.id == id), None)
    if held is None:
        raise UnknownReference(ref=id, hint="`lithify quarantine list` shows the ids.")
    if as_json:
        say_json(asdict(held))
        return
    click.echo(f"{held.task}  {held.time}  {held.engine}")
    if held.reason:
        click.echo(f"the whole draft was refused: {held.reason}")
    for text, reasons in held.refused:
        click.echo(f"- {text}")
        for reason in reasons:
            click.echo(f"    {reason}")
