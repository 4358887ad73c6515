"""Keeps a root current without a person: one run for a schedule, or runs for as long as it watches.

A run compacts what is due with the configured engine and brings the index up to date. How it ended
is kept for `status` and for the next session, because nobody looks at its output.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from lithify.calendar import stamp, system_clock
from lithify.capture import redacted
from lithify.errors import BrokenRun, LithifyError, Locked, UsageError
from lithify.memory import CompactOptions, Memory
from lithify.settings import Redact
from lithify.store.last_run import LastRun, save_run
from lithify.store.tree import layout_of

if TYPE_CHECKING:
    from lithify.compact.run import Report
    from lithify.engines.providers.budget import Budget

#: Seconds between two looks at the calendar while no file changes.
CALENDAR = 900.0
#: Seconds to wait after a failed run, doubled with each further failure, and the longest wait.
FIRST_WAIT, LONGEST_WAIT = 30.0, 3600.0
#: Milliseconds that files must be quiet before a run, and after which the time is looked at.
_QUIET, _TURN = 1600, 5000


class Upkeep(NamedTuple):
    """What one run did; `error` is what kept it from its end."""

    report: Report | None = None
    #: How many files the index took up.
    indexed: int = 0
    error: LithifyError | None = None

    @property
    def failure(self) -> str:
        """Why the run failed; empty where it did not, or another run was at work."""
        if self.error:
            return "" if isinstance(self.error, Locked) else self.error.message
        failed = (
            [r.task for r in self.report.results if r.status == "failed"] if self.report else []
        )
        return "failed: " + ", ".join(f"{t.tier} {t.period}" for t in failed) if failed else ""

    @property
    def exit_code(self) -> int:
        return self.error.exit_code if self.error else int(bool(self.failure))


class Limits(NamedTuple):
    """The model in place of the configured one, and the most that runs may cost in all, in USD."""

    model: str | None = None
    max_cost: float | None = None


def check_cost(memory: Memory, limits: Limits) -> None:
    """Refuse to run by itself with a model that costs money and no limit."""
    from lithify.engines.providers.facts import FREE

    named = (limits.model or memory.settings.model, memory.settings.verify.reader)
    for name in named if limits.max_cost is None else ():
        free = name in ("offline", "same", "agent", "off")
        price = FREE if free else memory.facts(name).price
        if price not in (None, FREE):
            raise UsageError(
                reason=f"{name} costs money and this runs by itself: say with --max-cost USD how "
                "much it may spend, or use --model offline"
            )


def run_once(root: str, limits: Limits, command: str, budget: Budget | None = None) -> Upkeep:
    """Compact what is due, update the index, and keep how it ended.

    With a budget, what earlier runs spent of it counts.
    """
    report, indexed, error = None, 0, None
    policy = Redact()
    try:
        memory = Memory.open(root)
        policy = memory.settings.redact
        cost = None if budget else limits.max_cost
        try:
            report = memory.compact(
                CompactOptions(model=limits.model, max_cost=cost, budget=budget)
            )
        finally:
            indexed = memory.index.update().changed
            memory.index.embed_later()
    except LithifyError as failed:
        error = failed
    except Exception as failed:  # whatever it is, the next run may do better, and status tells it
        error = BrokenRun(reason=f"{type(failed).__name__}: {failed}")
    done = Upkeep(report, indexed, error)
    if not isinstance(error, Locked):
        failure = redacted(done.failure, policy)
        save_run(root, LastRun(stamp(system_clock()), command, failure))
    return done


def keep_current(
    run: Callable[[], Upkeep],
    changes: Iterable[bool],
    say: Callable[[Upkeep, float], None],
    now: Callable[[], float] = time.monotonic,
) -> None:
    """Run at the start, after changes, and when the calendar may have made something due.

    `changes` says each turn whether files changed. After a failure nothing runs for a while, longer
    with each further one; `say` is told of every run and of the seconds until the next attempt.
    """
    wanted, wait, last = True, 0.0, 0.0
    failures = 0
    for changed in changes:
        wanted = wanted or changed
        passed = now() - last
        if not ((wanted and passed >= wait) or passed >= max(wait, CALENDAR)):
            continue
        done = run()
        last = now()
        failures = failures + 1 if done.error or done.failure else 0
        wait = min(FIRST_WAIT * 2 ** (failures - 1), LONGEST_WAIT) if failures else 0.0
        wanted = bool(failures)
        say(done, wait)


def file_changes(root: str) -> Iterator[bool]:
    """True at once, then whenever memory's files changed and are quiet, False when time passed."""
    from watchfiles import watch

    memory = Memory.open(root)
    layout = layout_of(memory.root, memory.settings.folders)
    folders = {layout.memory, *map(_base, memory.settings.days.patterns)}
    folders |= {os.path.dirname(layout.page(tier, "")) for tier in ("week", "month")}
    inside = [os.path.join(root, folder) for folder in sorted(folders)]
    # What a folder holds, another one above it holds too.
    paths = [root] if "" in folders else [path for path in inside if os.path.isdir(path)]
    yield True
    for found in watch(
        *(paths or [root]),
        watch_filter=_is_memory,
        debounce=_QUIET,
        rust_timeout=_TURN,
        yield_on_timeout=True,
    ):
        yield bool(found)


def _is_memory(_: object, path: str) -> bool:
    parts = path.split(os.sep)
    return path.endswith(".md") and ".lithify" not in parts and ".git" not in parts


def _base(pattern: str) -> str:
    """The folder that a pattern for days begins in."""
    parts = pattern.split("/")[:-1]
    plain = next((n for n, part in enumerate(parts) if set(part) & set("*?[")), len(parts))
    return "/".join(parts[:plain])
