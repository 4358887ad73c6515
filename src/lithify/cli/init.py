"""`lithify init`"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import click

from lithify import config
from lithify.cli.common import say_json, unmatched_data, unmatched_lines
from lithify.errors import UsageError
from lithify.hooks.command_line import interpreter
from lithify.hooks.harness import Harness
from lithify.hooks.harnesses import all_harnesses
from lithify.memory import Memory
from lithify.open_root import placed
from lithify.store.days import Unmatched, found_patterns, setting, unmatched

F = TypeVar("F", bound=Callable[..., Any])


def _harnesses(command: F) -> F:
    for one in reversed(all_harnesses()):
        words = f"Put the gate's hooks into {one.title}'s settings."
        command = click.option(f"--{one.flag}", one.name, is_flag=True, help=words)(command)
    return command


@click.command(epilog="Example: lithify init ~/agent --claude-code")
@click.argument("folder", default=".", type=click.Path(file_okay=False))
@_harnesses
@click.option(
    "--project",
    type=click.Path(file_okay=False, exists=True),
    default=None,
    metavar="DIR",
    help="The folder the harness works in, where it is not FOLDER.",
)
@click.option("--user", is_flag=True, help="In the settings of the person: for every project.")
@click.option("--local", is_flag=True, help="In settings.local.json, which is not shared.")
@click.option("--remove", is_flag=True, help="Take the hooks out again, and nothing else.")
@click.option("--root", type=click.Path(file_okay=False), default=None, help="The same as FOLDER.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def command(
    folder: str,
    project: str | None,
    user: bool,
    local: bool,
    remove: bool,
    root: str | None,
    as_json: bool,
    **wanted: bool,
) -> None:
    """Make FOLDER a memory root, and give an agent's harness its hooks.

    Adds memory/ and a commented lithify.toml, and leaves what is there as it is: a folder of
    another tool can be opened without this. Where FOLDER holds files named by dates, a new
    lithify.toml says where they are ([days] patterns). Hooks are added to the harness's settings beside
    those of others, a copy of the file is kept, and a second time nothing changes. The hooks
    name this Python and this root by their absolute paths.
    """
    chosen = [one for one in all_harnesses() if wanted[one.name]]
    scope = "user" if user else "local" if local else "project"
    _refuse_nonsense(chosen, user, local, remove)
    base, days = os.path.abspath(placed(root or folder)), _Days()
    if not remove:
        base, days = _made(root or folder, as_json)
    changes = [
        _change(one, scope, os.path.abspath(project or base), base, remove) for one in chosen
    ]
    if as_json:
        told = {"root": base} if remove else {"root": base, **days.data()}
        say_json({**told, "hooks": changes} if chosen else told)
        return
    if not remove:
        click.echo(f"{base} is a memory root.")
        for line in days.lines():
            click.echo(line)
    for one, change in zip(chosen, changes, strict=True):
        click.echo(_said(one, change, remove))
    if not chosen:
        click.echo("Next: lithify log 'What happened', and lithify compact once a week is over.")
    elif not remove:
        click.echo("Next: lithify doctor, which tries the hooks out.")


class _Days(NamedTuple):
    """Where the days of a root are: its patterns, whether they were found now, what they miss."""

    patterns: tuple[str, ...] = ()
    found: bool = False
    beside: Unmatched | None = None

    def data(self) -> dict[str, Any]:
        return {"patterns": list(self.patterns), "unmatched": unmatched_data(self.beside)}

    def lines(self) -> list[str]:
        wrote = f"Its days were found: {setting(self.patterns)} is in {config.NAME}."
        return [*([wrote] if self.found else []), *unmatched_lines(self.beside)]


def _made(folder: str, as_json: bool) -> tuple[str, _Days]:
    """Make a folder a root; dated files in it become its days, unless a person says no."""
    found: tuple[str, ...] = ()
    if not os.path.lexists(os.path.join(placed(folder), config.NAME)):
        found = found_patterns(placed(folder))
    if found and not as_json and sys.stdin.isatty() and sys.stdout.isatty():
        click.echo(f"There are files here that are named by dates: {setting(found)}")
        found = found if click.confirm("Read them as days?", default=True) else ()
    memory = Memory.init(folder, patterns=found)
    patterns = memory.settings.days.patterns
    return str(memory.root), _Days(patterns, bool(found), unmatched(memory.root, patterns))


def _refuse_nonsense(chosen: list[Harness], user: bool, local: bool, remove: bool) -> None:
    if not chosen and (user or local or remove):
        names = ", ".join(f"--{one.flag}" for one in all_harnesses())
        raise UsageError(reason=f"name the harness that is meant: {names}")
    if user and local:
        raise UsageError(reason="--user and --local are two places; name one")
    if local and (without := [one.title for one in chosen if not one.local]):
        raise UsageError(reason=f"{', '.join(without)} has no local settings; leave --local out")


def _change(one: Harness, scope: str, project: str, root: str, remove: bool) -> dict[str, Any]:
    from lithify.gate.cached_settings import in_force
    from lithify.hooks import install

    path = next(place.path for place in install.places(one, project) if place.scope == scope)
    if remove:
        done = install.remove(one, path)
    else:
        done = install.install(one, path, root, interpreter(), in_force(root).gate.on_stuck)
    return {"harness": one.flag, "scope": scope, **done._asdict()}


def _said(one: Harness, change: dict[str, Any], remove: bool) -> str:
    path, kept = change["path"], f" (a copy is kept: {change['backup']})" * bool(change["backup"])
    if remove:
        if not change["changed"]:
            return f"{one.title}: no hooks of ours in {path}"
        return f"{one.title}: hooks taken out of {path}{kept}"
    if not change["changed"]:
        return f"{one.title}: the hooks are in {path} already"
    return f"{one.title}: hooks added to {path}{kept}. {one.then}"
