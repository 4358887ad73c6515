"""`lithify trust`: the origins of a root's entries, and a person's word for an import."""

from __future__ import annotations

import sys

import click

from lithify.cli.common import count_of, opened, say, say_json, standard, table
from lithify.errors import NeedsTerminal


@click.command(epilog="Example: lithify trust import:notes")
@click.argument("source", required=False, metavar="[import:SOURCE]")
@standard
def trust(source: str | None, root: str | None, as_json: bool) -> None:
    """Trust what an importer brought; without a source, list where entries came from.

    Trusted entries may become memories and wisdom. Needs a terminal, and stays in the journal;
    lithify wisdom revoke --source takes it back.
    """
    memory = opened(root)
    if source is not None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise NeedsTerminal(action="Trusting a source")
        memory.trust(source)
    found = memory.sources()
    if as_json:
        known = [
            {"source": origin, "entries": count, "trusted": good}
            for origin, (count, good) in found.items()
        ]
        say_json(known)
        return
    rows = [
        (origin, "trusted" if good else "not trusted", count_of(count, "entry", "entries"))
        for origin, (count, good) in found.items()
    ]
    table(rows)
    if not rows:
        say(
            "nothing was logged or imported here yet; entries in files that other tools wrote are trusted"
        )
