"""The workflow of one root: `Memory.compact`, with every call and every commit a durable step.

A workflow that is taken over begins anew and not in the middle: the files say what is written, and
the saved replies what is paid for. So its steps are never replayed.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from dbos import DBOS, error

from lithify import CompactOptions, Memory, MemoryModel, Report, telemetry
from lithify.engines.providers.engine import resolve
from lithify.engines.providers.facts import KINDS, facts_of, parse
from lithify.engines.providers.hosted import Hosted, Patience
from lithify.errors import BudgetReached, LithifyError, Locked, ModelError
from lithify.fleet import database as db
from lithify.fleet.admission import SharedLimit
from lithify.fleet.objects import LostRace, WorkFolder, work_folder
from lithify.fleet.registry import read_registry
from lithify.fleet.runs import WORKFLOW, leave_status, set_state, start
from lithify.settings import Settings

T = TypeVar("T")

#: Tries of a call that the provider could not answer, and of one that went wrong otherwise.
BUSY = Patience(tries=10)
BROKEN = Patience(tries=5)
#: Seconds for which a root that another program compacts is waited for.
LOCKED_FOR = 60.0
_ONCE = Patience(tries=1)


class Outcome(NamedTuple):
    """What became of a root: `done`, `failed` or `budget`."""

    state: str
    reason: str = ""
    written: int = 0
    behind: int = 0


@dataclass(slots=True)
class WorkerSetup:
    """What every root of a worker is compacted with."""

    url: str
    worker: str
    scratch: str
    models: dict[str, MemoryModel] = field(default_factory=dict)

    def shared(self, model: str, settings: Settings) -> str | MemoryModel:
        """Return a hosted model as one object for all roots, each of its calls a single try."""
        kind = model.partition(":")[0]
        if kind not in KINDS or kind == "cli":
            return model
        if model not in self.models:
            found = resolve(model, settings)
            self.models[model] = Hosted(parse(model), _ONCE) if isinstance(found, Hosted) else found
        return self.models[model]


#: Replaced by the worker of this process before it launches.
setup = WorkerSetup(url="", worker="", scratch="")


@DBOS.workflow(name=WORKFLOW)
def compact_root(id: str) -> str:
    """Compact one root, note what became of it, and return its state."""
    row, run = db.retried(lambda: _read_rows(id))
    if row.state == "cancelled":
        return "cancelled"
    set_state(setup.url, id, "running", worker=setup.worker)
    with telemetry.span("root", url=row.url, tenant=row.tenant) as span:
        try:
            outcome = _compact_with_retries(row, run)
        except BudgetReached as fault:
            outcome = Outcome("budget", fault.message)
        except LithifyError as fault:
            outcome = Outcome("failed", fault.message)
        except error.DBOSException:
            raise
        except Exception as fault:
            # Whatever is wrong with one root, the others go on.
            outcome = Outcome("failed", f"{type(fault).__name__}: {fault}"[:500])
        span.set_attribute("state", outcome.state)
    set_state(setup.url, id, worker=setup.worker, **outcome._asdict())
    leave_status(row.url, {"run": run.run, "tenant": row.tenant, **outcome._asdict()})
    telemetry.count("roots", 1, state=outcome.state)
    return outcome.state


@DBOS.workflow(name="start_scheduled")
def start_scheduled(moment: datetime, registry: str) -> None:
    """Start a run of a registry because its time has come."""
    DBOS.run_step({"name": "start"}, start, setup.url, read_registry(registry), None, moment)


def _read_rows(id: str) -> tuple[sa.Row[Any], sa.Row[Any]]:
    with db.connected(setup.url).begin() as connection:
        row = connection.execute(sa.select(db.roots).where(db.roots.c.id == id)).one()
        return row, connection.execute(sa.select(db.runs).where(db.runs.c.run == row.run)).one()


def _compact_with_retries(row: sa.Row[Any], run: sa.Row[Any]) -> Outcome:
    """Compact a root as it is now, again after a lost race or a database that was away."""
    until, left = time.monotonic() + LOCKED_FOR, 20
    while True:
        try:
            with work_folder(row.url, setup.scratch) as place:
                return _compact(row, run, place)
        except LostRace:
            continue
        except sa.exc.OperationalError:
            left -= 1
            if not left:
                raise
            # The engine did not wait for the database; this does. Then the files say how to go on.
            db.retried(lambda: _read_rows(row.id))
        except Locked:
            if time.monotonic() > until:
                raise
        time.sleep(0.5)


def _compact(row: sa.Row[Any], run: sa.Row[Any], place: WorkFolder) -> Outcome:
    options, moment = run.options, datetime.fromisoformat(run.started)
    memory = Memory.open(place.folder, clock=lambda: moment)
    settings = memory.settings
    name = options["model"] or settings.model
    reader = settings.verify.reader if options["reader"] is None else options["reader"]
    limit = SharedLimit(
        db.connected(setup.url),
        run.run,
        row.tenant,
        setup.worker,
        name.partition(":")[0],
        name,
        facts_of(name, settings).price,
        options["max_cost"],
        options["max_tokens"],
        run.tenant_costs.get(row.tenant),
    )
    if ":" in name:
        limit.require_price()
    report = memory.compact(
        CompactOptions(
            model=setup.shared(name, settings),
            reader=setup.shared(reader, settings),
            include_current=options["include_current"],
            retry=options["retry"] or row.retry,
            fallback=options["fallback"],
            budget=limit,
            step=lambda kind, work: _step(place, kind, work),
        )
    )
    place.publish()
    return _outcome(report, memory)


def _step(place: WorkFolder, kind: str, work: Callable[[], T]) -> T:
    """Carry out a call or a commit as a step of the workflow.

    What it returns stays here: a reply is saved before the step ends, and a commit is in the files.
    """
    done: list[T] = []

    def carried_out() -> None:
        with telemetry.span(kind):
            done.append(_patiently(work) if kind == "call" else work())
            if kind == "call":
                place.keep_replies()
            else:
                place.publish()

    DBOS.run_step({"name": kind}, carried_out)
    telemetry.count("steps", 1, kind=kind)
    return done[0] if done else work()


def _patiently(work: Callable[[], T]) -> T:
    """Make a call, again while its fault may pass; each try is admitted by itself."""
    tries: Counter[Patience] = Counter()
    while True:
        try:
            return work()
        except ModelError as fault:
            patience = BUSY if "after" in fault.facts else BROKEN
            after = fault.facts.get("after")
            told = after if isinstance(after, int | float) else None
            seconds = patience.wait(tries[patience], told)
            if seconds is None:
                raise
        tries[patience] += 1
        time.sleep(seconds)


def _outcome(report: Report, memory: Memory) -> Outcome:
    reasons = [
        f"{result.task.key}: {result.reason}"
        for result in report.results
        if result.status == "failed"
    ]
    reasons += [f"{task.key} failed before: {task.why}" for task in report.failed_before]
    failed = bool(reasons)
    reasons += [f"not read: {path}: {reason}" for path, reason in report.unread]
    reasons += [f"{task.key} is missing: {task.why}" for task in report.missing]
    written = sum(result.status == "written" for result in report.results)
    behind = memory.status().behind
    return Outcome("failed" if failed else "done", "; ".join(reasons)[:2000], written, behind)
