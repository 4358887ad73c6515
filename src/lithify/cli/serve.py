"""Commands that serve a memory until they are stopped: `serve` to a browser, `mcp` to an agent."""

from __future__ import annotations

import os
import sys
import webbrowser
from functools import partial

import click

from lithify.cli.progress import Progress
from lithify.cli.render import (
    Answer,
    at_terminal,
    end_by_signal,
    flag,
    on_memory,
    on_root,
    render,
    say,
    wants_json,
)
from lithify.errors import UsageError, missing
from lithify.memory import Memory
from lithify.roots import find_root


@click.command(epilog="Example: lithify serve --port 8765")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=7878,
    show_default=True,
    help="The port on 127.0.0.1; 0 takes any that is free.",
)
@click.option(
    "--open/--no-open",
    "show",
    default=None,
    help="Open a browser; by default, if started on a terminal.",
)
@on_memory
def serve(memory: Memory, port: int, show: bool | None) -> None:
    """Show the memory in a browser, on this machine only, until Ctrl-C.

    Started on a terminal, it prints a link that works once: the browser that opens it can accept,
    edit and drop memories and decide on proposals. Started any other way, pages can only be read.
    """
    try:
        from lithify.web.app import listen
        from lithify.web.app import serve as answer
        from lithify.web.security import BrowserSession
    except ImportError as error:
        raise missing("The viewer", error.name or str(error), "web") from error
    end_by_signal()
    # Here and not inside the first search, where a browser would wait for it.
    with Progress() as progress:
        memory.index.update(progress=progress.files)
    terminal = at_terminal()
    session = BrowserSession(changes=terminal)
    with listen(port) as at:
        address = f"http://127.0.0.1:{at.getsockname()[1]}/"
        link = f"{address}open?token={session.token}" if terminal else address
        said = "pages can only be read, because this was not started on a terminal"
        if terminal:
            said = "the link works once, and its browser can make changes"
        lines = [f"{memory.root} is at {link}", f"{said}; Ctrl-C ends it"]
        data = {"url": link, "changes": terminal, "root": memory.root}
        render(Answer(data, lines), wants_json())
        sys.stdout.flush()
        if terminal if show is None else show:
            webbrowser.open(link)
        answer(partial(Memory.open, memory.root), at, session)


@click.command(epilog="Example: claude mcp add lithify -- lithify mcp --as agent --root ~/agent")
@click.option(
    "--as",
    "speaker",
    type=click.Choice(["agent"]),
    help="Whose words come in: those of the agent whose hooks this root has.",
)
@flag("--http", help="Serve streamable HTTP on 127.0.0.1 instead.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True)
@on_root
def mcp(speaker: str | None, http: bool, port: int, root: str | None) -> Answer | None:
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
    if wants_json():
        tools = server.listed()
        shown = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
        return Answer(shown)
    if root or os.environ.get("LITHIFY_ROOT"):
        find_root(root)
    if http:
        from lithify.mcp.http import serve_http

        if speaker:
            raise UsageError(reason="--as agent is for a client that starts the server itself")
        end_by_signal()
        serve_http(root, port, lambda address: say(f"serving {address}"))
        return None
    if sys.stdin.isatty():
        say("lithify: waiting for an MCP client to speak; see docs/mcp.md", err=True)
    server.serve(root, as_agent=speaker is not None)
    return None
