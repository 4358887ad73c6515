"""Commands that connect an agent: `init`, `doctor`, `hook` and `mcp`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from lithify import config
from lithify.calendar import stamp
from lithify.cli.common import (
    end_at_sigterm,
    folded,
    json_option,
    leave,
    quiet_option,
    say,
    say_json,
    standard,
    styled,
    unmatched_data,
    unmatched_lines,
)
from lithify.errors import NoRoot, UsageError
from lithify.extras import missing
from lithify.hooks.command_line import hook_command, interpreter
from lithify.hooks.harness import Harness
from lithify.hooks.harnesses import NAMES, all_harnesses, harness_of
from lithify.memory import Memory
from lithify.open_root import find_root, here, placed
from lithify.store.days import Unmatched, found_patterns, setting, unmatched

F = TypeVar("F", bound=Callable[..., Any])

_COLOURS = {"ok": "green", "warn": "yellow", "error": "red"}


def _harnesses(command: F) -> F:
    """Add a flag for every harness that hooks can be installed in."""
    for one in reversed(all_harnesses()):
        words = f"Give {one.title} this memory: hooks in its settings, and the MCP server."
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
    help="The folder the harness works in, if that is not FOLDER.",
)
@click.option("--user", is_flag=True, help="In your own settings: for every project.")
@click.option("--local", is_flag=True, help="In settings.local.json, which is not shared.")
@click.option("--gate", is_flag=True, help="Switch the gate on: long jobs need summaries.")
@click.option("--remove", is_flag=True, help="Take the hooks out again, and nothing else.")
@click.option("--root", type=click.Path(file_okay=False), default=None, help="The same as FOLDER.")
@json_option
@quiet_option
def init(
    folder: str,
    project: str | None,
    user: bool,
    local: bool,
    gate: bool,
    remove: bool,
    root: str | None,
    as_json: bool,
    **wanted: bool,
) -> None:
    """Make FOLDER a memory root, and install hooks in an agent's client (its harness).

    Adds memory/ and a commented lithify.toml, and leaves what is there as it is: a folder of
    another tool can be opened without this. Where FOLDER holds files named by dates, a new
    lithify.toml says where they are ([days] patterns). Hooks are added to the harness's settings
    beside those of others, a copy of the file is kept, and running it again changes nothing. The hooks
    name this Python and this root by their absolute paths. The gate stays as it is, and off in a
    new root, unless --gate is given (see `lithify gate on`).
    """
    chosen = [one for one in all_harnesses() if wanted[one.name]]
    scope = "user" if user else "local" if local else "project"
    _check_flags(chosen, user, local, remove)
    base, days = os.path.abspath(placed(root or folder)), _Days()
    if not remove:
        base, days = _make_root(root or folder, as_json, gate)
        if chosen:
            _let_agent_write(base)
    changes = [
        _change_hooks(one, scope, os.path.abspath(project or base), base, remove) for one in chosen
    ]
    if as_json:
        told = {"root": base} if remove else {"root": base, **days.data()}
        say_json({**told, "hooks": changes} if chosen else told)
        return
    if not remove:
        say(f"{base} is a memory root.")
        for line in days.lines():
            say(line)
    for one, change in zip(chosen, changes, strict=True):
        for line in _hook_lines(one, change, remove):
            say(line)
    if remove and os.path.isdir(base) and Memory.open(base).settings.model == "agent":
        say(f'{config.NAME} still has model = "agent"; without an agent, take that line out.')
    if not chosen:
        say("Next: lithify log 'What happened', and lithify compact once a week is over.")
    elif not remove:
        if Memory.open(base).settings.model == "agent":
            say("Pages that are due are left to the agent for a week: lithify write next.")
        say("Next: lithify doctor tries the hooks out.")


class _Days(NamedTuple):
    """The patterns of a root's days, whether `init` just found them, and the files they miss.

    `gate` is `gate.enabled` as the file has it.
    """

    patterns: tuple[str, ...] = ()
    found: bool = False
    beside: Unmatched | None = None
    gate: bool | None = None

    def data(self) -> dict[str, Any]:
        days = {"patterns": list(self.patterns), "unmatched": unmatched_data(self.beside)}
        return {**days, "gate": {"enabled": self.gate}}

    def lines(self) -> list[str]:
        wrote = f"Its days were found: {setting(self.patterns)} is in {config.NAME}."
        return [*([wrote] if self.found else []), *unmatched_lines(self.beside), self._gate()]

    def _gate(self) -> str:
        if self.gate is None:
            line = "write `enabled = true` or `enabled = false` among the gate's settings yourself"
            return f"{config.NAME} has a form that is not edited here: {line}."
        other = "off" if self.gate else "on"
        return f"The gate is {'on' if self.gate else 'off'}; `lithify gate {other}` changes it."


def _make_root(folder: str, as_json: bool, gate: bool) -> tuple[str, _Days]:
    """Make a folder a root; dated files in it become its days, unless a person says no."""
    found: tuple[str, ...] = ()
    if not os.path.lexists(os.path.join(placed(folder), config.NAME)):
        found = found_patterns(placed(folder))
    if found and not as_json and sys.stdin.isatty() and sys.stdout.isatty():
        say(f"There are files here that are named by dates: {setting(found)}")
        found = found if click.confirm("Read them as days?", default=True) else ()
    memory = Memory.init(folder, patterns=found, gate=gate)
    patterns = memory.settings.days.patterns
    beside = unmatched(memory.root, patterns)
    days = _Days(patterns, bool(found), beside, memory.settings.gate.enabled)
    return str(memory.root), days


def _let_agent_write(root: str) -> None:
    """Leave the pages to the agent whose hooks these are, unless the settings name a writer."""
    from lithify.config_edit import write_model
    from lithify.store.commit import note

    write_model(root, "agent")
    memory = Memory.open(root)
    if memory.settings.model == "agent" and not memory.snapshot().ledger.initialised:
        # From now on its pages wait for it.
        note(memory.root, "init", {}, stamp(memory.now()))


def _check_flags(chosen: list[Harness], user: bool, local: bool, remove: bool) -> None:
    """Refuse flags that contradict each other or name no harness."""
    if not chosen and (user or local or remove):
        names = ", ".join(f"--{one.flag}" for one in all_harnesses())
        raise UsageError(reason=f"name the harness that is meant: {names}")
    if user and local:
        raise UsageError(reason="--user and --local are two places; name one")
    if local and (without := [one.title for one in chosen if not one.local]):
        raise UsageError(reason=f"{', '.join(without)} has no local settings; leave --local out")


def _change_hooks(
    one: Harness, scope: str, project: str, root: str, remove: bool
) -> dict[str, Any]:
    from lithify.gate.cached_settings import in_force
    from lithify.hooks import install
    from lithify.hooks.access import add_command

    path = next(place.path for place in install.places(one, project) if place.scope == scope)
    servers = install.server_file(one, scope, project)
    todo: list[str] = []
    if remove:
        done = install.remove(one, path, servers)
    else:
        python, on_stuck = interpreter(), in_force(root).gate.on_stuck
        done = install.install(one, path, root, python, on_stuck, servers)
        todo = [
            one.untrusted(scope, path, project),
            "" if one.server_list(project) else add_command(one, scope, root, python),
        ]
    return {
        "harness": one.flag,
        "scope": scope,
        **done._asdict(),
        "todo": [step for step in todo if step],
    }


def _hook_lines(one: Harness, change: dict[str, Any], remove: bool) -> list[str]:
    """What was done for one harness, and what is left for the person to do."""
    path, kept = change["path"], f" (a copy is kept: {change['backup']})" * bool(change["backup"])
    server = f", the MCP server {'out of' if remove else 'in'} {change['server']}"
    server = server if change["server"] else ""
    if remove:
        if not change["changed"]:
            return [f"{one.title}: no hooks of ours in {path}{server}"]
        return [f"{one.title}: hooks taken out of {path}{kept}{server}"]
    if not change["changed"]:
        first = f"{one.title}: the hooks are in {path} already{server}"
    else:
        first = f"{one.title}: hooks added to {path}{kept}{server}"
    return [first, *(f"  to do: {step}" for step in change["todo"]), f"  {one.then}"]


@click.command(epilog="Example: lithify doctor --json")
@click.option(
    "--project",
    type=click.Path(file_okay=False, exists=True),
    default=None,
    metavar="DIR",
    help="The folder the harness works in, if that is not the root.",
)
@standard
def doctor(project: str | None, root: str | None, as_json: bool) -> None:
    """Find the hooks in every harness's settings and try them out.

    Each hook is run as it is installed, at a temporary root: a call that must be denied, the
    submission of a summary that must be admitted, a call at an open gate that must be
    allowed. Also checked: the Python and the root the hooks name, versions, the gate's files.

    Exit code 0 when all is well, 3 when something should be fixed, 1 when something that is
    installed does not work.
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
        mark = styled(f"{one.level:5}", fg=colour) if colour else f"{one.level:5}"
        first, *more = folded(f"{one.about}: {one.says}", "", taken=7)
        say(f"{mark}  {first}")
        if one.fix:
            more += folded(f"{'next' if one.level == 'info' else 'fix'}: {one.fix}", "  ", taken=7)
        for line in more:
            say(f"       {line}")
    leave(code)


def _nearest() -> str:
    try:
        return str(find_root(Path(here())))
    except NoRoot:
        return ""


@click.command(epilog="Example: lithify hook BeforeTool --harness gemini < event.json")
@click.argument("event")
@click.option(
    "--harness",
    type=click.Choice(NAMES),
    default="claude",
    show_default=True,
    help="Whose event it is.",
)
@click.option("--command", "show", is_flag=True, help="Print the line for a harness's settings.")
@click.option("--root", type=click.Path(file_okay=False), default=None, metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="With --command: one JSON document.")
@quiet_option
def hook(event: str, harness: str, show: bool, root: str | None, as_json: bool) -> None:
    """Answer EVENT: the harness's JSON on standard input, the decision on standard output.

    Settings of a harness should name `python -m lithify.hooks`, which starts faster; --command
    prints that line for this root, and `lithify init` writes it. Without --root the event
    belongs to $LITHIFY_ROOT, else to the nearest folder from its own upwards that `lithify
    init` made a root.
    """
    events = harness_of(harness).events
    if event not in events:
        raise UsageError(reason=f"{event} is not an event of {harness}; it has {', '.join(events)}")
    if show:
        base = placed(root or os.environ.get("LITHIFY_ROOT") or find_root(Path(here())))
        line = hook_command(base, event=event, harness=harness)
        if as_json:
            say_json({"event": event, "harness": harness, "command": line})
        else:
            say(line)
        return
    from lithify.hooks.__main__ import main

    leave(main([event, "--harness", harness, *(["--root", root] if root else [])]))


@click.command(epilog="Example: claude mcp add lithify -- lithify mcp --as agent --root ~/agent")
@click.option(
    "--as",
    "speaker",
    type=click.Choice(["agent"]),
    help="Whose words come in: those of the agent whose hooks this root has.",
)
@click.option("--http", is_flag=True, help="Serve streamable HTTP on 127.0.0.1 instead.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True)
@standard
def mcp(speaker: str | None, http: bool, port: int, root: str | None, as_json: bool) -> None:
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
    if as_json:
        say_json(
            [
                tool.model_dump(mode="json", by_alias=True, exclude_none=True)
                for tool in server.listed()
            ]
        )
        return
    named = root or os.environ.get("LITHIFY_ROOT")
    if named and not Path(named).is_dir():
        raise NoRoot(start=placed(named))
    if http:
        from lithify.mcp.http import serve_http

        if speaker:
            raise UsageError(reason="--as agent is for a client that starts the server itself")
        end_at_sigterm()
        serve_http(root, port, lambda address: say(f"serving {address}"))
        return
    if sys.stdin.isatty():
        say("lithify: waiting for an MCP client to speak; see docs/mcp.md", err=True)
    server.serve(root, as_agent=speaker is not None)
