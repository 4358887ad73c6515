"""`lithify index`"""

from __future__ import annotations

import sys

import click

from lithify.cli.common import count_of, opened, say_json, standard
from lithify.cli.recall import progress


@click.command(epilog="Example: lithify index --rebuild")
@click.option("--rebuild", is_flag=True, help="Build it anew from the files.")
@click.option(
    "--vectors", is_flag=True, help="Also embed what has no vector yet (extra `vectors`)."
)
@standard
def command(rebuild: bool, vectors: bool, root: str | None, as_json: bool) -> None:
    """Bring the search index up to date; recall does this by itself.

    The index is derived: delete `.lithify/index.sqlite` and nothing is lost.
    """
    done = opened(root).index(
        rebuild=rebuild, vectors=vectors, progress=progress if sys.stderr.isatty() else None
    )
    if as_json:
        say_json(done._asdict())
        return
    where = " (in memory: the root cannot be written)" if done.in_memory else ""
    counted = f", {count_of(done.vectors, 'vector')}" if done.vectors else ""
    files, entries = count_of(done.files, "file"), count_of(done.entries, "entry", "entries")
    click.echo(f"{files}, {entries}, {done.changed} changed{counted}{where}")
