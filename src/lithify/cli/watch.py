"""`lithify watch`: keeps index and due periods current while it runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import click

from lithify.cli.common import count_of, end_by_signal, opened, say, say_json, standard
from lithify.errors import missing
from lithify.unattended.watch import (
    Limits,
    Upkeep,
    check_cost,
    file_changes,
    keep_current,
    run_once,
)

F = TypeVar("F", bound=Callable[..., Any])


def limited(command: F) -> F:
    """Add `--model` and `--max-cost`."""
    cost = click.option(
        "--max-cost", type=click.FloatRange(0), metavar="USD", help="The most it may spend in all."
    )
    model = click.option("--model", metavar="M", help="In place of the configured model.")
    return model(cost(command))


@click.command(epilog="Example: lithify watch --max-cost 2")
@limited
@standard
def watch(model: str | None, max_cost: float | None, root: str | None, as_json: bool) -> None:
    """Keep the index and what is due current, until Ctrl-C.

    Waits for changes of days and pages, and looks at the calendar every quarter of an hour. Then it
    compacts what is due with the configured model and brings the index up to date. What fails is
    shown, also by `lithify status` and at the start of the next session, and tried again after a
    while that doubles up to an hour. A model that costs money needs --max-cost, which counts from
    the start of this command. One watch a root: a second ends with exit code 5.

    With --json one document a line for every run.
    """
    try:
        import watchfiles  # noqa: F401
    except ImportError as error:
        raise missing("Watching", "watchfiles", "watch") from error
    from lithify.store import places
    from lithify.store.lock import locked

    memory = opened(root)
    place, limits = str(memory.root), Limits(model, max_cost)
    check_cost(memory, limits)
    budget = memory.budget(model, max_cost)
    end_by_signal()
    with locked(places.state(memory.root, "watch.lock"), wait=False):
        if not as_json:
            say(f"watching {place}; Ctrl-C ends it")
        run = partial(run_once, place, limits, "watch", budget)
        keep_current(run, file_changes(place), _json if as_json else _told)


def upkeep_lines(done: Upkeep) -> list[str]:
    """What a run did; nothing where it found all as it should be."""
    from lithify.cli.compact import summary_line

    lines = []
    if done.report and done.report.results:
        lines.append(summary_line(done.report))
    if done.indexed:
        lines.append(f"indexed {count_of(done.indexed, 'file')}")
    if done.error:
        lines.append(done.error.message)
    return lines


def _told(done: Upkeep, wait: float) -> None:
    for line in upkeep_lines(done):
        say(line)
    if wait:
        say(f"trying again in {wait:.0f} seconds, or later")


def _json(done: Upkeep, wait: float) -> None:
    data = {"exit_code": done.exit_code, "indexed": done.indexed, "failure": done.failure}
    say_json({**data, "said": upkeep_lines(done), "wait": wait}, indent=None)
