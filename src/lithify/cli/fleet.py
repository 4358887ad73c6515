"""`lithify fleet`: compaction of many roots, by one process or by workers on many machines."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from lithify.cli.commands import CommandGroup
from lithify.cli.compact import priced
from lithify.cli.render import (
    CommandOutput,
    Progress,
    answering,
    count_of,
    one_line,
    option,
    render,
    say,
    table,
    wants_json,
)
from lithify.errors import NoRun, UsageError, missing

if TYPE_CHECKING:
    from lithify.fleet.registry import Registry
    from lithify.fleet.sync import Synced


class _Fleet(CommandGroup):
    """Says how to install what the commands need, before one of them runs."""

    def invoke(self, ctx: click.Context) -> Any:
        from importlib.util import find_spec

        for package in ("dbos", "obstore"):
            if find_spec(package) is None:
                raise missing("`lithify fleet`", package, "fleet")
        return super().invoke(ctx)


@click.group(
    cls=_Fleet, alone="status", epilog="Example: lithify fleet run /srv/agents/* --max-cost 5"
)
def fleet() -> None:
    """Compact many roots, on one machine or on many; alone it shows the newest run."""


def _database_url(_: click.Context, __: click.Parameter, given: str | None) -> str:
    from lithify.fleet.database import database_url

    return database_url(given)


_database = option(
    "--database URL",
    "Where the queue is (else $LITHIFY_FLEET_DATABASE, else a file).",
    name="url",
    callback=_database_url,
)
_run = option("--run RUN", "Which run; the newest by default.")
_status_file = option("--status-file FILE", "Keep the status of the run in this file, as JSON.")
_slots = option("--slots", "Roots that each worker takes at once (8).", type=click.IntRange(1, 256))


@fleet.command(epilog="Example: lithify fleet run --registry fleet.toml --max-cost 20")
@click.argument("roots", nargs=-1, metavar="ROOTS...")
@option("--root ROOT", "The same as one of ROOTS.", name="more", multiple=True)
@option("--registry FILE", "Roots by tenant, limits and a schedule, in TOML.")
@option("--model M", "The model for all roots, in place of their own.")
@option("--reader M", "Who reads the pages of all roots, in place of their own reader.")
@option("--max-cost USD", "The most a run may cost.")
@option("--max-tokens-total N", "The same in tokens.", type=click.IntRange(0))
@option("--fallback [offline]", "Who completes a failed period.")
@option("--retry", "Try failed periods again though nothing has changed.")
@option("--include-current", "Also weeks and months that are not over.")
@option("--detach", "Leave the work to workers that run elsewhere.")
@_slots
@_status_file
@_database
@answering
def run(
    roots: tuple[str, ...],
    more: tuple[str, ...],
    registry: str | None,
    detach: bool,
    slots: int | None,
    status_file: str | None,
    url: str,
    **given: Any,
) -> CommandOutput:
    """Compact these roots, or those of a registry: folders, or URLs of object storage.

    Works until all are done; workers on the same database help. Exit code 6 if a limit in money or
    tokens was reached, 1 if a root failed, 3 if roots were cancelled; what is committed stays.
    """
    from lithify.fleet import runs

    name = runs.start(url, _registry((*roots, *more), registry, given), slots)
    if detach:
        return CommandOutput({"run": name}, name)
    from lithify.fleet.worker import work_off

    if runs.is_paused(url):
        say("the fleet is paused; go on with lithify fleet resume", err=True)
    with Progress() as progress, _status_kept(url, name, status_file):
        work_off(url, name, slots, partial(progress, "compacting roots"))
    return _status_answer(url, name)


def _registry(roots: tuple[str, ...], path: str | None, given: dict[str, Any]) -> Registry:
    from dataclasses import replace

    from lithify.fleet.registry import RunOptions, read_registry, registry_of

    if bool(roots) == bool(path):
        raise UsageError(reason="give roots, or --registry FILE")
    given["max_tokens"] = given.pop("max_tokens_total")
    given["fallback"] = given["fallback"] == "offline"
    said = {name: value for name, value in given.items() if value not in (None, False)}
    found: Registry
    if path:
        found = read_registry(path)
        return replace(found, options=replace(found.options, **said))
    return registry_of(roots, RunOptions(**said))


@contextmanager
def _status_kept(url: str, run: str, path: str | None) -> Iterator[None]:
    """Write the status of a run to a file every second, and once more at the end."""
    from lithify.fleet.runs import status_of, write_status

    if not path:
        yield
        return
    stop = threading.Event()

    def keep() -> None:
        while not stop.wait(1.0):
            write_status(path, status_of(url, run))

    threading.Thread(target=keep, daemon=True).start()
    try:
        yield
    finally:
        stop.set()
        write_status(path, status_of(url, run))


@fleet.command(epilog="Example: lithify fleet worker --database postgresql://db/fleet")
@option("--registry FILE", "Start a run of it by its schedule.")
@option("--drain", "End when nothing is left to do.")
@_slots
@_database
@answering
def worker(registry: str | None, drain: bool, slots: int | None, url: str) -> None:
    """Work on what is in the queue until stopped. Start as many as there are machines.

    Each takes over from workers that died.
    """
    import signal

    from lithify.fleet.worker import keep_schedule, unfinished, working

    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    with working(url, slots) as id:
        if registry:
            keep_schedule(registry)
        render(
            CommandOutput({"worker": id}, f"worker {id} is at work; Ctrl-C ends it"), wants_json()
        )
        while not stop.wait(0.5) and not (drain and unfinished(url)[0] == 0):
            pass


@fleet.command(epilog="Example: lithify fleet status --json")
@_run
@_database
@answering
@_status_file
def status(run: str | None, url: str, status_file: str | None) -> CommandOutput:
    """Show what is done, running, failed and behind, and what it has cost.

    Exit code as of the run: 6 if money ran out, 1 if a root failed, 3 if roots are left.
    """
    from lithify.fleet.runs import newest_run, status_of, write_status

    try:
        name = run or newest_run(url)
    except NoRun as error:
        return CommandOutput({"run": None}, error.message)
    if status_file:
        write_status(status_file, status_of(url, name))
    return _status_answer(url, name)


def _status_answer(url: str, run: str) -> CommandOutput:
    from lithify.fleet.runs import status_of

    found = status_of(url, run)
    return CommandOutput(found, _status_lines(found, run), found["exit_code"])


def _status_lines(found: dict[str, Any], run: str) -> Iterator[str]:
    wrong, spent = found["wrong"], found["spent"]["all"]
    yield from table(
        [(one["state"], one["url"], one_line(one["reason"], 200)) for one in wrong], state=0
    )
    for one in found["behind"][:10]:
        yield f"{one['url']} is {count_of(one['days'], 'day')} behind"
    counts = ", ".join(f"{count} {state}" for state, count in found["roots"].items() if count)
    yield f"run {run}: {counts}; {count_of(found['pages'], 'page')} written"
    tokens = f"{spent['input']:,} tokens in, {spent['output']:,} out"
    waited = f", {spent['waited_s']:.0f} s waited for limits" if spent["waited_s"] >= 1 else ""
    yield f"{count_of(spent['calls'], 'call')}, {tokens}, {priced(spent['cost'])}{waited}"


@fleet.command(epilog="Example: lithify fleet retry")
@click.argument("roots", nargs=-1, metavar="[ROOTS]...")
@_run
@_database
@answering
def retry(roots: tuple[str, ...], run: str | None, url: str) -> CommandOutput:
    """Put roots that failed, ran out of money or were cancelled back into the queue."""
    from lithify.fleet import runs

    count = _changed(runs.retry, roots, run, url)
    return CommandOutput({"queued": count}, f"{count_of(count, 'root')} back in the queue")


@fleet.command(epilog="Example: lithify fleet cancel /srv/agents/ann")
@click.argument("roots", nargs=-1, metavar="[ROOTS]...")
@_run
@_database
@answering
def cancel(roots: tuple[str, ...], run: str | None, url: str) -> CommandOutput:
    """Stop roots, or the whole run, before the next call; what is committed stays."""
    from lithify.fleet import runs

    count = _changed(runs.cancel, roots, run, url)
    return CommandOutput({"cancelled": count}, f"{count_of(count, 'root')} cancelled")


def _changed(
    change: Callable[[str, str, list[str]], int], roots: tuple[str, ...], run: str | None, url: str
) -> int:
    from lithify.fleet.registry import expanded
    from lithify.fleet.runs import newest_run

    urls = [one for given in roots for one in expanded(given, os.getcwd())]
    return change(url, run or newest_run(url), urls)


@fleet.command(epilog="Example: lithify fleet pause")
@_database
@answering
def pause(url: str) -> CommandOutput:
    """Begin no further root on any worker; those under way are finished."""
    from lithify.fleet.runs import set_slots

    set_slots(url, 0)
    return CommandOutput({"slots": 0}, "no further root is begun; go on with lithify fleet resume")


@fleet.command(epilog="Example: lithify fleet resume --slots 16")
@_slots
@_database
@answering
def resume(slots: int | None, url: str) -> CommandOutput:
    """Go on after a pause."""
    from lithify.fleet.runs import SLOTS, set_slots

    set_slots(url, slots or SLOTS)
    return CommandOutput({"slots": slots or SLOTS}, "at work again")


@fleet.command(epilog="Example: lithify fleet push . s3://bucket/agents/ann")
@click.argument("root", type=click.Path(exists=True, file_okay=False))
@click.argument("url")
@answering
def push(root: str, url: str) -> CommandOutput:
    """Bring an agent's days to object storage, and what was written there to the agent."""
    from lithify.fleet.sync import push

    return _synced(push(root, url))


@fleet.command(epilog="Example: lithify fleet pull . s3://bucket/agents/ann")
@click.argument("root", type=click.Path(file_okay=False))
@click.argument("url")
@answering
def pull(root: str, url: str) -> CommandOutput:
    """Fetch what object storage has and the root has not; the root's own days stay."""
    from lithify.fleet.sync import pull

    return _synced(pull(root, url))


def _synced(done: Synced) -> CommandOutput:
    lines = [f"{count_of(done.sent, 'file')} sent, {count_of(done.fetched, 'file')} fetched"]
    lines += [
        f"{path} differed in both places; the other one is kept as {beside}"
        for path, beside in done.beside
    ]
    lines += [f"{path!a} is no file of a root and was not taken" for path in done.strange]
    return CommandOutput(done, lines)
