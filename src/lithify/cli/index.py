"""`lithify index`"""

from __future__ import annotations

import sys

import click

from lithify.cli.common import opened, say_json, standard
from lithify.cli.recall import progress


@click.command(epilog="Example: lithify index --rebuild")
@click.option("--rebuild", is_flag=True, help="Build it anew from the files.")
@standard
def command(rebuild: bool, root: str | None, as_json: bool) -> None:
    """Bring the search index up to date; recall does this by itself.

    The index is derived: delete `.lithify/index.sqlite` and nothing is lost.
    """
    done = opened(root).index(rebuild=rebuild, progress=progress if sys.stderr.isatty() else None)
    if as_json:
        say_json(done._asdict())
        return
    where = " (in memory: the root cannot be written)" if done.in_memory else ""
    click.echo(f"{done.files} files, {done.entries} entries, {done.changed} changed{where}")
