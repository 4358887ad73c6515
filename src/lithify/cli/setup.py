"""Commands that connect an agent: `doctor`, `hook` and `mcp`."""

from __future__ import annotations

import os
import sys

import click

from lithify.cli.common import (
    end_by_signal,
    folded,
    leave,
    quiet_option,
    say,
    say_json,
    standard,
    styled,
)
from lithify.errors import NoRoot, UsageError, missing
from lithify.hooks.clients import NAMES, client_of
from lithify.hooks.install import hook_command
from lithify.roots import find_root

_COLOURS = {"ok": "green", "warn": "yellow", "error": "red"}


@click.command(epilog="Example: lithify doctor --json")
@click.option(
    "--project",
    type=click.Path(file_okay=False, exists=True),
    default=None,
    metavar="DIR",
    help="The folder the harness works in, if that is not the root.",
)
@click.option(
    "--client",
    "others",
    multiple=True,
    metavar="NAME",
    help="Also a client that another package brings.",
)
@standard
def doctor(project: str | None, others: tuple[str, ...], root: str | None, as_json: bool) -> None:
    """Find the hooks in every harness's settings and try them out.

    Each hook is run as it is installed, at a temporary root: a call that must be denied, the
    submission of a summary that must be admitted, a call at an open gate that must be
    allowed. Also checked: the Python and the root the hooks name, versions, the gate's files.

    Exit code 0 when all is well, 3 when something should be fixed, 1 when something that is
    installed does not work.
    """
    from lithify.hooks.doctor import examine

    named = root or os.environ.get("LITHIFY_ROOT")
    base = os.path.abspath(find_root(named)) if named else _nearest()
    found = examine(base, os.path.abspath(project or base or "."), others)
    levels = {one.level for one in found}
    code = 1 if "error" in levels else 3 if "warn" in levels else 0
    if as_json:
        say_json({"root": base, "exit_code": code, "findings": [one._asdict() for one in found]})
        leave(code)
        return
    for one in found:
        colour = _COLOURS.get(one.level)
        mark = styled(f"{one.level:5}", fg=colour) if colour else f"{one.level:5}"
        first, *more = folded(f"{one.about}: {one.says}", "", taken=7)
        say(f"{mark}  {first}")
        if one.fix:
            more += folded(f"{'next' if one.level == 'info' else 'fix'}: {one.fix}", "  ", taken=7)
        for line in more:
            say(f"       {line}")
    leave(code)


def _nearest() -> str:
    try:
        return find_root()
    except NoRoot:
        return ""


@click.command(epilog="Example: lithify hook BeforeTool --harness gemini < event.json")
@click.argument("event")
@click.option(
    "--harness",
    default="claude",
    metavar=f"[{'|'.join(NAMES)}]",
    show_default=True,
    help="Whose event it is.",
)
@click.option("--command", "show", is_flag=True, help="Print the line for a harness's settings.")
@click.option("--root", type=click.Path(file_okay=False), default=None, metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="With --command: one JSON document.")
@quiet_option
def hook(event: str, harness: str, show: bool, root: str | None, as_json: bool) -> None:
    """Answer EVENT: the harness's JSON on standard input, the decision on standard output.

    Settings of a harness should name `python -m lithify.hooks`, which starts faster; --command
    prints that line for this root, and `lithify init` writes it. Without --root the event
    belongs to $LITHIFY_ROOT, else to the nearest folder from its own upwards that `lithify
    init` made a root.
    """
    events = client_of(harness).events
    if event not in events:
        raise UsageError(reason=f"{event} is not an event of {harness}; it has {', '.join(events)}")
    if show:
        base = find_root(root)
        line = hook_command(base, event=event, client=harness)
        if as_json:
            say_json({"event": event, "harness": harness, "command": line})
        else:
            say(line)
        return
    from lithify.hooks.__main__ import main

    leave(main([event, "--harness", harness, *(["--root", root] if root else [])]))


@click.command(epilog="Example: claude mcp add lithify -- lithify mcp --as agent --root ~/agent")
@click.option(
    "--as",
    "speaker",
    type=click.Choice(["agent"]),
    help="Whose words come in: those of the agent whose hooks this root has.",
)
@click.option("--http", is_flag=True, help="Serve streamable HTTP on 127.0.0.1 instead.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True)
@standard
def mcp(speaker: str | None, http: bool, port: int, root: str | None, as_json: bool) -> None:
    """Serve memory to an agent: an MCP server on standard input and output, or over HTTP.

    What comes in has the origin mcp:CLIENT and is not trusted. With --as agent it is the agent's
    own, as trusted as what its session has read; `lithify init` and the plugin start it so.
    A client starts it and ends it. Where no root is named and none is found, each call says so
    until there is one. With --json the tools are listed instead.

    With --http it listens on this machine only, prints its address and runs until Ctrl-C. Every
    program of this machine can reach it then, so it does not take --as agent; port 0 is any free one.
    """
    try:
        from lithify import mcp as server
    except ImportError as error:
        raise missing("The MCP server", error.name or str(error), "mcp") from error
    if as_json:
        say_json(
            [
                tool.model_dump(mode="json", by_alias=True, exclude_none=True)
                for tool in server.listed()
            ]
        )
        return
    if root or os.environ.get("LITHIFY_ROOT"):
        find_root(root)
    if http:
        from lithify.mcp.http import serve_http

        if speaker:
            raise UsageError(reason="--as agent is for a client that starts the server itself")
        end_by_signal()
        serve_http(root, port, lambda address: say(f"serving {address}"))
        return
    if sys.stdin.isatty():
        say("lithify: waiting for an MCP client to speak; see docs/mcp.md", err=True)
    server.serve(root, as_agent=speaker is not None)
