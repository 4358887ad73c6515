"""`lithify serve`: the memory of a root as pages in a browser."""

from __future__ import annotations

import sys
import webbrowser
from functools import partial

import click

from lithify.cli.common import end_by_signal, opened, say, say_json, standard
from lithify.cli.progress import Progress
from lithify.errors import missing
from lithify.memory import Memory


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
@standard
def serve(port: int, show: bool | None, root: str | None, as_json: bool) -> None:
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
    memory = opened(root)
    # Here and not inside the first search, where a browser would wait for it.
    with Progress() as progress:
        memory.index.update(progress=progress.files)
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    session = BrowserSession(changes=terminal)
    with listen(port) as at:
        address = f"http://127.0.0.1:{at.getsockname()[1]}/"
        link = f"{address}open?token={session.token}" if terminal else address
        if as_json:
            say_json({"url": link, "changes": terminal, "root": str(memory.root)})
        else:
            say(f"{memory.root} is at {link}")
            said = (
                "the link works once, and its browser can make changes"
                if terminal
                else ("pages can only be read, because this was not started on a terminal")
            )
            say(f"{said}; Ctrl-C ends it")
        sys.stdout.flush()
        if terminal if show is None else show:
            webbrowser.open(link)
        answer(partial(Memory.open, memory.root), at, session)
