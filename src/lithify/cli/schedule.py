"""`lithify schedule`: a daily run by the scheduler of the machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from lithify.calendar import stamp, system_clock
from lithify.cli.commands import CommandGroup
from lithify.cli.common import leave, opened, say, say_json, standard
from lithify.cli.watch import limited, upkeep_lines
from lithify.store.last_run import INSTALLED, LastRun, clear_run, last_run, save_run
from lithify.unattended import schedule as schedules
from lithify.unattended.watch import Limits, check_cost, run_once

F = TypeVar("F", bound=Callable[..., Any])


@click.group(cls=CommandGroup, epilog="Example: lithify schedule install --at 03:10")
def schedule() -> None:
    """Compact what is due and update the index every day, by systemd, cron or launchd.

    A run that fails is named by `lithify status` and at the start of the next session.
    """


def _placed(command: F) -> F:
    kind = click.option(
        "--with", "kind", type=click.Choice(schedules.KINDS), help="In place of the usual one here."
    )
    at = click.option(
        "--at", default="03:10", show_default=True, metavar="HH:MM", help="Local time."
    )
    return kind(at(command))


@schedule.command(epilog="Example: lithify schedule install --at 06:30 --with cron")
@_placed
@limited
@standard
def install(
    kind: str | None,
    at: str,
    model: str | None,
    max_cost: float | None,
    root: str | None,
    as_json: bool,
) -> None:
    """Have this root kept current every day; running it again changes the time.

    A model that costs money needs --max-cost, the most that one run may spend.
    """
    kind, job = kind or schedules.usual_kind(), _job(root, at, model, max_cost)
    changed = schedules.install(job, kind)
    if not last_run(job.root).failure:
        save_run(job.root, LastRun(stamp(system_clock()), INSTALLED))
    if as_json:
        say_json({"name": job.name, "with": kind, "changed": changed})
        return
    word = "is scheduled" if changed else "was scheduled already"
    say(f"{job.root} {word} with {kind}, every day at {job.hour:02}:{job.minute:02}")


@schedule.command("print", epilog="Example: lithify schedule print --with systemd")
@_placed
@limited
@standard
def show(
    kind: str | None,
    at: str,
    model: str | None,
    max_cost: float | None,
    root: str | None,
    as_json: bool,
) -> None:
    """Print what `install` would write, and write nothing."""
    kind, job = kind or schedules.usual_kind(), _job(root, at, model, max_cost)
    files = schedules.files_of(job, kind) or {"crontab": schedules.cron_block(job)}
    if as_json:
        shown = {path: data.decode("utf-8", "replace") for path, data in files.items()}
        say_json({"name": job.name, "with": kind, "files": shown, "command": list(job.words)})
        return
    for path, data in files.items():
        say(f"# {path}\n{data.decode('utf-8', 'replace')}")


@schedule.command(epilog="Example: lithify schedule remove")
@standard
def remove(root: str | None, as_json: bool) -> None:
    """Take the schedule of this root out again, and nothing else."""
    memory, job = opened(root), _job(root, "00:00", None, None)
    removed = [kind for kind in schedules.KINDS if schedules.remove(job, kind)]
    clear_run(memory.root)
    if as_json:
        say_json({"name": job.name, "removed": removed})
    else:
        say(f"removed from {', '.join(removed)}" if removed else "there was no schedule")


@schedule.command(epilog="Example: lithify schedule run")
@limited
@standard
def run(model: str | None, max_cost: float | None, root: str | None, as_json: bool) -> None:
    """Do now what the schedule does; exit code 1 if it fails, 5 if another run is at work."""
    done = run_once(str(opened(root).root), Limits(model, max_cost), "schedule")
    if as_json:
        say_json({"exit_code": done.exit_code, "indexed": done.indexed, "failure": done.failure})
    else:
        for line in upkeep_lines(done) or ["nothing was due"]:
            say(line)
    leave(done.exit_code)


def _job(root: str | None, at: str, model: str | None, max_cost: float | None) -> schedules.Job:
    memory = opened(root)
    check_cost(memory, Limits(model, max_cost))
    options = [*(["--model", model] if model else [])]
    options += ["--max-cost", str(max_cost)] if max_cost is not None else []
    return schedules.job_of(str(memory.root), at, options)
