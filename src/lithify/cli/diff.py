"""`lithify diff`"""

from __future__ import annotations

from dataclasses import asdict

import click

from lithify.cli.common import opened, say_json, standard


@click.command(epilog="Example: lithify diff 2026-W14 --against offline")
@click.argument("period")
@click.option(
    "--against", metavar="M", help="Compare with the last version that this engine or model wrote."
)
@standard
def command(period: str, against: str | None, root: str | None, as_json: bool) -> None:
    """Show what changed when PERIOD was last rebuilt, and why it was.

    PERIOD is a week, a month, `wisdom`, or the path of a typed memory.
    """
    change = opened(root).diff(period, against)
    if as_json:
        say_json(asdict(change))
        return
    why = f": {change.why}" if change.why else ""
    click.echo(f"{change.path} written {change.after} by {change.engine or 'a person'}{why}")
    if change.against and change.against != change.engine:
        click.echo(f"before {change.before} by {change.against}")
    for line in change.lines:
        colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
        click.echo(click.style(line, fg=colour) if colour else line)
    if not change.lines:
        click.echo("it says the same as before")
