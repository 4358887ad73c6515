"""`lithify hook`"""

from __future__ import annotations

import os

import click

from lithify.cli.common import leave, say_json
from lithify.hooks.claude import EVENTS
from lithify.memory import find_root


@click.command(epilog="Example: lithify hook PreToolUse < event.json")
@click.argument("event", type=click.Choice(EVENTS))
@click.option("--command", "show", is_flag=True, help="Print the line for a harness's settings.")
@click.option("--root", type=click.Path(file_okay=False), default=None, metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="With --command: one JSON document.")
def command(event: str, show: bool, root: str | None, as_json: bool) -> None:
    """Answer EVENT: the harness's JSON on standard input, the decision on standard output.

    Settings of a harness should name `python -m lithify.hooks`, which starts faster; --command
    prints that line for this root. Without --root the folder the event names decides.
    """
    if show:
        from pathlib import Path

        from lithify.hooks.install import hook_command

        base = root or os.environ.get("LITHIFY_ROOT") or str(find_root(Path.cwd()))
        line = hook_command(base, event=event)
        if as_json:
            say_json({"event": event, "command": line})
        else:
            click.echo(line)
        return
    from lithify.hooks.__main__ import main

    leave(main([event, "--root", root] if root else [event]))
