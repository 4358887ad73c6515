"""`lithify check`"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

import click

from lithify.cli.common import count_of, leave, opened, say_json, standard, table
from lithify.memory import Memory
from lithify.store import journal
from lithify.store.check import Problem


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
        click.echo(_sound(memory, problems))
    leave(3 if serious else 0)


def _sound(memory: Memory, problems: Iterable[Problem]) -> str:
    """What holds of a root that has nothing to mend."""
    changed = len({problem.path for problem in problems if problem.kind == "changed"})
    files = "every file is as recorded"
    if changed:
        files = f"{count_of(changed, 'file')} changed outside lithify, all others as recorded"
    book = "the journal is whole" if journal.read(memory.root).size else "there is no journal yet"
    return f"{book}, {files}, every source resolves"
