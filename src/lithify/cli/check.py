"""`lithify check`"""

from __future__ import annotations

from dataclasses import asdict

import click

from lithify.cli.common import leave, opened, say_json, standard, table


@click.command(epilog="Example: lithify check --repair")
@click.option(
    "--repair", is_flag=True, help="Mend what can be mended; everything touched is copied first."
)
@standard
def command(repair: bool, root: str | None, as_json: bool) -> None:
    """Verify the journal's chain, every file against it, and every claim's sources.

    Exit code 3 if anything is broken or due; notes alone do not count.
    """
    memory = opened(root)
    done: tuple[str, ...] = ()
    if repair:
        mended = memory.repair()
        done, problems = mended.done, mended.left
    else:
        problems = memory.check()
    serious = [p for p in problems if p.severity != "note"]
    if as_json:
        say_json({"repaired": list(done), "problems": [asdict(p) for p in problems]})
        leave(3 if serious else 0)
        return
    for line in done:
        click.echo(f"repaired: {line}")
    table(
        [(p.severity, f"{p.path}:{p.line}" if p.line else p.path, p.message) for p in problems],
        styles=[{"error": "red", "due": "yellow"}.get(p.severity) for p in problems],
    )
    if not serious:
        click.echo("the journal is whole, every file is as recorded, every source resolves")
    leave(3 if serious else 0)
