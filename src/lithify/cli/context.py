"""`lithify context`"""

from __future__ import annotations

import click

from lithify.cli.common import opened, say_json, standard
from lithify.text.tokens import estimate


@click.command(epilog="Example: lithify context --budget 2000")
@click.option("--budget", default=4000, show_default=True, help="The most it may be, in tokens.")
@click.option("--job", metavar="ID", help="The job (else the one last worked on).")
@standard
def command(budget: int, job: str | None, root: str | None, as_json: bool) -> None:
    """Print what a session starts with: what is late, wisdom, the live job's chain, the newest
    week and month.

    Fenced as data, credentials replaced, what rests on untrusted material marked. The same bytes
    as long as nothing changes.
    """
    text = opened(root).context(budget, job=job)
    if as_json:
        say_json({"budget": budget, "tokens": estimate(text), "text": text})
    else:
        click.echo(text)
