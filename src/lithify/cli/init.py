"""`lithify init`"""

from __future__ import annotations

import click

from lithify.cli.common import say_json
from lithify.memory import Memory


@click.command(epilog="Example: lithify init ~/agent")
@click.argument("folder", default=".", type=click.Path(file_okay=False))
@click.option("--root", type=click.Path(file_okay=False), default=None, help="The same as FOLDER.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def command(folder: str, root: str | None, as_json: bool) -> None:
    """Make FOLDER a memory root.

    Adds memory/ and a commented lithify.toml, and leaves what is there as it is: a folder of
    another tool can be opened without this.
    """
    memory = Memory.init(root or folder)
    if as_json:
        say_json({"root": str(memory.root)})
        return
    click.echo(f"{memory.root} is a memory root.")
    click.echo("Next: lithify log 'What happened', and lithify compact once a week is over.")
