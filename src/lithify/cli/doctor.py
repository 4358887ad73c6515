"""`lithify doctor`"""

from __future__ import annotations

import os
from pathlib import Path

import click

from lithify.cli.common import leave, say_json, standard
from lithify.errors import NoRoot
from lithify.open_root import find_root, here, placed

_COLOURS = {"ok": "green", "warn": "yellow", "error": "red"}


@click.command(epilog="Example: lithify doctor --json")
@click.option(
    "--project",
    type=click.Path(file_okay=False, exists=True),
    default=None,
    metavar="DIR",
    help="The folder the harness works in, where it is not the root.",
)
@standard
def command(project: str | None, root: str | None, as_json: bool) -> None:
    """Find the hooks in every harness's settings and try them out.

    Each installed hook is run as it stands, at a temporary root: a call that must be denied, the
    submission of a summary that must be admitted, a call at an open gate that must be let
    through. Also looked at: the Python and the root the hooks name, versions, the gate's files.

    Exit code 0 when all is well, 3 when something should be mended, 1 when something that is
    installed does not do its work.
    """
    from lithify.hooks.doctor import examine

    base = root or os.environ.get("LITHIFY_ROOT") or _nearest()
    if base and not Path(base).is_dir():
        raise NoRoot(start=placed(base))
    base = os.path.abspath(base) if base else ""
    found = examine(base, os.path.abspath(project or base or "."))
    levels = {one.level for one in found}
    code = 1 if "error" in levels else 3 if "warn" in levels else 0
    if as_json:
        say_json({"root": base, "exit_code": code, "findings": [one._asdict() for one in found]})
        leave(code)
        return
    for one in found:
        colour = _COLOURS.get(one.level)
        mark = click.style(f"{one.level:5}", fg=colour) if colour else f"{one.level:5}"
        click.echo(f"{mark}  {one.about}: {one.says}")
        if one.fix:
            click.echo(f"       {'next' if one.level == 'info' else 'fix'}: {one.fix}")
    leave(code)


def _nearest() -> str:
    try:
        return str(find_root(Path(here())))
    except NoRoot:
        return ""
