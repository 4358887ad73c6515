"""`lithify hook`"""

from __future__ import annotations

import os

import click

from lithify.cli.common import leave, say_json
from lithify.errors import UsageError
from lithify.hooks.harnesses import NAMES, harness_of
from lithify.open_root import find_root, here, placed


@click.command(epilog="Example: lithify hook BeforeTool --harness gemini < event.json")
@click.argument("event")
@click.option(
    "--harness",
    type=click.Choice(NAMES),
    default="claude",
    show_default=True,
    help="Whose event it is.",
)
@click.option("--command", "show", is_flag=True, help="Print the line for a harness's settings.")
@click.option("--root", type=click.Path(file_okay=False), default=None, metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="With --command: one JSON document.")
def command(event: str, harness: str, show: bool, root: str | None, as_json: bool) -> None:
    """Answer EVENT: the harness's JSON on standard input, the decision on standard output.

    Settings of a harness should name `python -m lithify.hooks`, which starts faster; --command
    prints that line for this root, and `lithify init` writes it. Without --root the event
    belongs to $LITHIFY_ROOT, else to the nearest folder from its own upwards that `lithify
    init` made a root.
    """
    events = harness_of(harness).events
    if event not in events:
        raise UsageError(reason=f"{event} is no event of {harness}; it has {', '.join(events)}")
    if show:
        from pathlib import Path

        from lithify.hooks.command_line import hook_command

        base = placed(root or os.environ.get("LITHIFY_ROOT") or find_root(Path(here())))
        line = hook_command(base, event=event, harness=harness)
        if as_json:
            say_json({"event": event, "harness": harness, "command": line})
        else:
            click.echo(line)
        return
    from lithify.hooks.__main__ import main

    leave(main([event, "--harness", harness, *(["--root", root] if root else [])]))
