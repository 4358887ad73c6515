"""`lithify mcp`"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from lithify.cli.common import say_json, standard
from lithify.errors import NoRoot, UsageError
from lithify.open_root import placed


@click.command(epilog="Example: claude mcp add lithify -- lithify mcp --root ~/agent")
@standard
def command(root: str | None, as_json: bool) -> None:
    """Serve memory's tools to an agent: an MCP server on standard input and output.

    A client starts it and ends it. Where no root is named and none is found, each call says so
    until there is one. With --json the tools are listed instead.
    """
    try:
        from lithify import mcp
    except ImportError as error:
        raise UsageError(
            reason="the server needs the MCP SDK, which is not installed "
            f"({error.name or error} is missing). Run: pip install 'lithify[mcp]'"
        ) from error
    if as_json:
        say_json(
            [
                tool.model_dump(mode="json", by_alias=True, exclude_none=True)
                for tool in mcp.listed()
            ]
        )
        return
    named = root or os.environ.get("LITHIFY_ROOT")
    if named and not Path(named).is_dir():
        raise NoRoot(start=placed(named))
    if sys.stdin.isatty():
        click.echo("lithify: waiting for an MCP client to speak; see docs/mcp.md", err=True)
    mcp.serve(root)
