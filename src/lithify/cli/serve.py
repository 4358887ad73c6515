"""Commands that run by themselves: `serve` and `mcp` until stopped, `watch`, and `schedule` daily."""

from __future__ import annotations

import os
import sys
import webbrowser
from functools import partial
from typing import Any

import click

from lithify.calendar import stamp, system_clock
from lithify.cli.commands import CommandGroup
from lithify.cli.compact import summary_line
from lithify.cli.render import (
    CommandOutput,
    at_terminal,
    count_of,
    end_by_signal,
    on_memory,
    on_root,
    option,
    options,
    picked,
    render,
    say,
    say_json,
    wants_json,
)
from lithify.errors import UsageError, missing
from lithify.memory import Memory
from lithify.roots import find_root
from lithify.store.last_run import INSTALLED, LastRun, clear_run, last_run, save_run
from lithify.unattended import schedule as schedules
from lithify.unattended.watch import (
    Limits,
    Upkeep,
    check_cost,
    file_changes,
    keep_current,
    run_once,
)


@click.command(epilog="Example: lithify serve --port 8765")
@option(
    "--port",
    "The port on 127.0.0.1; 0 takes any that is free.",
    type=click.IntRange(0, 65535),
    default=7878,
)
@option(
    "--open/--no-open",
    "Open a browser; by default, if started on a terminal.",
    name="show",
    default=None,
)
@click.argument("folders", metavar="[ROOT]...", nargs=-1, type=click.Path(file_okay=False))
@on_root
def serve(folders: tuple[str, ...], port: int, show: bool | None, root: str | None) -> None:
    """Show the memory in a browser, on this machine only, until Ctrl-C.

    Started on a terminal, it prints a link that works once: the browser that opens it can change
    memories and decide on proposals. Started any other way, pages can only be read.
    """
    try:
        from lithify.web.app import listen
        from lithify.web.app import serve as answer
        from lithify.web.security import BrowserSession
    except ImportError as error:
        raise missing("The viewer", error.name or str(error), "web") from error
    end_by_signal()
    known = [*map(Memory.open, dict.fromkeys(folders))] or [Memory.open(root)]
    places = [memory.root for memory in known]
    terminal = at_terminal()
    session = BrowserSession(changes=terminal)
    with listen(port) as at:
        address = f"http://127.0.0.1:{at.getsockname()[1]}/"
        link = f"{address}open?token={session.token}" if terminal else address
        said = "pages can only be read, because this was not started on a terminal"
        if terminal:
            said = "the link works once, and its browser can make changes"
        lines = [f"{', '.join(map(str, places))}: {link}", f"{said}; Ctrl-C ends it"]
        data = {"url": link, "changes": terminal, "root": places[0], "roots": places}
        render(CommandOutput(data, lines), wants_json())
        sys.stdout.flush()
        if terminal if show is None else show:
            webbrowser.open(link)
        answer([partial(Memory.open, place) for place in places], at, session)


@click.command(epilog="Example: claude mcp add lithify -- lithify mcp --as agent --root ~/agent")
@option(
    "--as [agent]",
    "Whose words come in: those of the agent whose hooks this root has.",
    name="speaker",
)
@option("--http", "Serve streamable HTTP on 127.0.0.1 instead.")
@option("--port", type=click.IntRange(0, 65535), default=8765)
@on_root
def mcp(speaker: str | None, http: bool, port: int, root: str | None) -> CommandOutput | None:
    """Serve memory to an agent: an MCP server on standard input and output, or over HTTP.

    A client starts it and ends it. What comes in has the origin mcp:CLIENT and is not trusted, or
    with --as agent that of the agent. With --json the tools are listed instead. With --http it
    listens on this machine only and prints its address and the token that every request must
    bear; it does not take --as agent.
    """
    try:
        from lithify import mcp as server
    except ImportError as error:
        raise missing("The MCP server", error.name or str(error), "mcp") from error
    if wants_json():
        return CommandOutput(server.listed())
    if root or os.environ.get("LITHIFY_ROOT"):
        find_root(root)
    if http:
        from lithify.mcp.http import serve_http

        if speaker:
            raise UsageError(reason="--as agent is for a client that starts the server itself")
        end_by_signal()
        token_line = "token: {}  (each request bears it: Authorization: Bearer TOKEN)"
        serve_http(root, port, lambda at, token: say(f"serving {at}\n{token_line.format(token)}"))
        return None
    if sys.stdin.isatty():
        say("lithify: waiting for an MCP client to speak; see docs/mcp.md", err=True)
    server.serve(root, as_agent=speaker is not None)
    return None


# Kept current by itself


_limited = options(
    option("--model M", "In place of the configured model."),
    option("--max-cost USD", "The most it may spend: a watch in all, a schedule a run."),
)


@click.command(epilog="Example: lithify watch --max-cost 2")
@_limited
@on_memory
def watch(memory: Memory, model: str | None, max_cost: float | None) -> None:
    """Keep the index and what is due current, until Ctrl-C.

    Waits for changes of days and pages, then compacts what is due with the configured model and
    updates the index. What fails is tried again later. A model that costs money needs --max-cost.
    A second watch on a root ends with exit code 5. With --json, one document a line for every
    run.
    """
    try:
        import watchfiles  # noqa: F401
    except ImportError as error:
        raise missing("Watching", "watchfiles", "watch") from error
    from lithify.store import places
    from lithify.store.lock import locked

    root, limits, as_json = str(memory.root), Limits(model, max_cost), wants_json()
    check_cost(memory, limits)
    budget = memory.budget(model, max_cost)

    def tell(done: Upkeep, wait: float) -> None:
        lines = _upkeep_lines(done)
        if as_json:
            say_json({**_upkeep_data(done), "said": lines, "wait": wait}, indent=None)
            return
        for line in lines:
            say(line)
        if wait:
            say(f"trying again in {wait:.0f} seconds, or later")

    end_by_signal()
    with locked(places.state(memory.root, "watch.lock"), wait=False):
        if not as_json:
            say(f"watching {root}; Ctrl-C ends it")
        run = partial(run_once, root, limits, "watch", budget)
        keep_current(run, file_changes(root), tell)


def _upkeep_data(done: Upkeep) -> dict[str, Any]:
    return picked(done, "exit_code indexed failure")


def _upkeep_lines(done: Upkeep) -> list[str]:
    """Say what a run did; nothing where it found all as it should be."""
    lines = []
    if done.report and done.report.results:
        lines.append(summary_line(done.report))
    if done.indexed:
        lines.append(f"indexed {count_of(done.indexed, 'file')}")
    if done.error:
        lines.append(done.error.message)
    return lines


@click.group(cls=CommandGroup, epilog="Example: lithify schedule install --at 03:10")
def schedule() -> None:
    """Compact what is due and update the index every day, by systemd, cron or launchd.

    A run that fails is named by `lithify status` and at the start of the next session.
    """


_placed = options(
    option(f"--with [{'|'.join(schedules.KINDS)}]", "In place of the usual one here.", name="kind"),
    option("--at HH:MM", "Local time.", default="03:10"),
    _limited,
)


def _job(memory: Memory, at: str, model: str | None, max_cost: float | None) -> schedules.Job:
    check_cost(memory, Limits(model, max_cost))
    given = ["--model", model] if model else []
    given += ["--max-cost", str(max_cost)] if max_cost is not None else []
    return schedules.job_of(str(memory.root), at, given)


@schedule.command(epilog="Example: lithify schedule install --at 06:30 --with cron")
@_placed
@on_memory
def install(memory: Memory, kind: str | None, **asked: Any) -> CommandOutput:
    """Have this root kept current every day; running it again changes the time.

    A model that costs money needs --max-cost, the most that one run may spend.
    """
    kind, job = kind or schedules.usual_kind(), _job(memory, **asked)
    changed = schedules.install(job, kind)
    if not last_run(job.root).failure:
        save_run(job.root, LastRun(stamp(system_clock()), INSTALLED))
    word = "is scheduled" if changed else "was scheduled already"
    line = f"{job.root} {word} with {kind}, every day at {job.hour:02}:{job.minute:02}"
    return CommandOutput({"name": job.name, "with": kind, "changed": changed}, line)


@schedule.command("print", epilog="Example: lithify schedule print --with systemd")
@_placed
@on_memory
def show(memory: Memory, kind: str | None, **asked: Any) -> CommandOutput:
    """Print what `install` would write, and write nothing."""
    kind, job = kind or schedules.usual_kind(), _job(memory, **asked)
    files = schedules.files_of(job, kind) or {"crontab": schedules.cron_block(job)}
    shown = {path: data.decode("utf-8", "replace") for path, data in files.items()}
    data = {"name": job.name, "with": kind, "files": shown, "command": job.words}
    return CommandOutput(data, [f"# {path}\n{text}" for path, text in shown.items()])


@schedule.command(epilog="Example: lithify schedule remove")
@on_memory
def remove(memory: Memory) -> CommandOutput:
    """Take the schedule of this root out again, and nothing else."""
    job = _job(memory, "00:00", None, None)
    removed = [kind for kind in schedules.KINDS if schedules.remove(job, kind)]
    clear_run(memory.root)
    line = f"removed from {', '.join(removed)}" if removed else "there was no schedule"
    return CommandOutput({"name": job.name, "removed": removed}, line)


@schedule.command(epilog="Example: lithify schedule run")
@_limited
@on_memory
def run(memory: Memory, model: str | None, max_cost: float | None) -> CommandOutput:
    """Do now what the schedule does; exit code 1 if it fails, 5 if another run is at work."""
    done = run_once(str(memory.root), Limits(model, max_cost), "schedule")
    lines = _upkeep_lines(done) or ["nothing was due"]
    return CommandOutput(_upkeep_data(done), lines, done.exit_code)
