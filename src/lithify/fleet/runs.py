"""Runs of a fleet: started, stopped, tried again, and where one stands.

The status of a run goes to the terminal, out as JSON, and into files for whoever shows it.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from lithify.calendar import stamp
from lithify.errors import NoRun, UsageError
from lithify.fleet import database as db
from lithify.fleet.admission import MINUTE
from lithify.fleet.registry import FleetRoot, Registry

if TYPE_CHECKING:
    from dbos import DBOSClient

APPLICATION = "lithify"
QUEUE = "roots"
WORKFLOW = "compact_root"
#: Roots under way in one worker, where nothing else is said.
SLOTS = 8
#: Seconds between two looks of a worker at the queue.
POLL = 0.3
#: States of a root that are not over.
OPEN = ("queued", "running")
#: How long the record of a run that is over is kept.
KEPT = timedelta(days=30)
#: Roots that are put in the queue in one transaction.
_BATCH = 500
#: Priorities of DBOS for one of ours.
_STEP = 1_000_000


@contextmanager
def client_of(url: str) -> Iterator[DBOSClient]:
    """Yield a client of the durable engine; its tables are made if they are missing."""
    from dbos import DBOS, DBOSClient

    quiet()
    db.connected(url)
    DBOS.migrate(url)
    client = DBOSClient(system_database_url=url, application_name=APPLICATION)
    try:
        yield client
    finally:
        client.destroy()


def quiet() -> None:
    """Keep the durable engine's log to errors."""
    import logging

    logging.getLogger("dbos").setLevel(logging.ERROR)


def start(
    url: str, registry: Registry, slots: int | None = None, now: datetime | None = None
) -> str:
    """Put every root of a registry into the queue; returns the name of the run.

    All pages of the run have its time, whenever a worker comes to write them.
    """
    if not registry.roots:
        raise UsageError(reason="no root is named; give folders or URLs, or --registry FILE")
    time = stamp(now or datetime.now(UTC))
    run = f"{time[:10]}-{uuid.uuid4().hex[:8]}"
    engine = db.connected(url)
    with client_of(url) as client:
        declare_queue(client, slots)
        _drop_old(url, client, stamp((now or datetime.now(UTC)) - KEPT))
        tenants = sorted({root.tenant for root in registry.roots})
        with engine.begin() as connection:
            for provider, limit in registry.limits.items():
                table = db.providers
                connection.execute(table.delete().where(table.c.provider == provider))
                connection.execute(table.insert().values(provider=provider, **asdict(limit)))
            options = asdict(registry.options)
            costs = dict(registry.tenant_costs)
            told = {"run": run, "started": time, "options": options, "tenant_costs": costs}
            connection.execute(db.runs.insert().values(told))
            spending = [{"run": run, "tenant": tenant} for tenant in ("", *tenants)]
            connection.execute(db.spending.insert(), spending)
        ranked = list(_ranked(registry.roots))
        for at in range(0, len(ranked), _BATCH):
            with engine.begin() as connection:
                for root, priority in ranked[at : at + _BATCH]:
                    _enqueue(connection, client, run, root, priority)
    return run


def _drop_old(url: str, client: DBOSClient, before: str) -> None:
    """Delete the record of runs that began before a time and are over."""
    with db.connected(url).begin() as connection:
        old = list(connection.scalars(sa.select(db.runs.c.run).where(db.runs.c.started < before)))
    for run in old:
        if rows_of(url, run, OPEN):
            continue
        ids = [row.id for row in rows_of(url, run)]
        for at in range(0, len(ids), _BATCH):
            client.delete_workflows(ids[at : at + _BATCH])
        with db.connected(url).begin() as connection:
            for table in (db.roots, db.spending, db.runs):
                connection.execute(table.delete().where(table.c.run == run))


def declare_queue(client: DBOSClient, slots: int | None) -> None:
    """Make the queue if there is none, or change how many roots each worker takes at once."""
    there = client.retrieve_queue(QUEUE)
    if there is None:
        client.register_queue(QUEUE, worker_concurrency=slots or SLOTS, polling_interval_sec=POLL)
    elif slots:
        there.set_worker_concurrency(slots)


def _ranked(roots: Sequence[FleetRoot]) -> Iterable[tuple[FleetRoot, int]]:
    """Roots with their place in the queue: the first of every tenant, then the second of each.

    So a tenant with few roots never waits behind all those of another.
    """
    taken: Counter[tuple[int, str]] = Counter()
    for root in roots:
        taken[root.priority, root.tenant] += 1
        yield root, root.priority * _STEP + min(taken[root.priority, root.tenant], _STEP - 1)


def _enqueue(
    connection: sa.Connection, client: DBOSClient, run: str, root: FleetRoot, priority: int
) -> None:
    id = f"{run}-{hashlib.sha256(root.url.encode()).hexdigest()[:16]}"
    row = {"id": id, "run": run, "url": root.url, "tenant": root.tenant, "state": "queued"}
    connection.execute(db.roots.insert().values(row))
    client.enqueue_in_transaction(
        connection,
        {
            "workflow_name": WORKFLOW,
            "queue_name": QUEUE,
            "workflow_id": id,
            "priority": priority,
        },
        id,
    )


def newest_run(url: str) -> str:
    """Return the run that was started last."""
    table = db.runs
    with db.connected(url).begin() as connection:
        found = connection.scalar(sa.select(table.c.run).order_by(table.c.started.desc()).limit(1))
    if found is None:
        raise NoRun()
    return str(found)


def rows_of(url: str, run: str, states: Sequence[str] = ()) -> Sequence[sa.Row[Any]]:
    """Return the roots of a run as the table has them."""
    table = db.roots
    wanted = sa.select(table).where(table.c.run == run).order_by(table.c.url)
    if states:
        wanted = wanted.where(table.c.state.in_(states))
    with db.connected(url).begin() as connection:
        return connection.execute(wanted).all()


def retry(url: str, run: str, urls: Sequence[str] = ()) -> int:
    """Put roots that failed, were cancelled or ran out of money back into the queue."""
    again = [
        row
        for row in rows_of(url, run, ("failed", "budget", "cancelled"))
        if not urls or row.url in urls
    ]
    with client_of(url) as client:
        for row in again:
            set_state(url, row.id, "queued", retry=True)
            client.rewind_workflow(row.id, queue_name=QUEUE)
    return len(again)


def cancel(url: str, run: str, urls: Sequence[str] = ()) -> int:
    """Stop roots before their next call or commit; what is committed stays."""
    found = [row for row in rows_of(url, run, OPEN) if not urls or row.url in urls]
    with client_of(url) as client:
        for row in found:
            set_state(url, row.id, "cancelled", "a person cancelled it")
        client.cancel_workflows([row.id for row in found])
    return len(found)


def set_slots(url: str, slots: int) -> None:
    """Set how many roots each worker takes at once; with 0 no further root is begun."""
    with client_of(url) as client:
        declare_queue(client, SLOTS)
        queue = client.retrieve_queue(QUEUE)
        assert queue is not None
        queue.set_worker_concurrency(slots)


def is_paused(url: str) -> bool:
    """Return whether no further root is begun."""
    with client_of(url) as client:
        queue = client.retrieve_queue(QUEUE)
        return queue is not None and queue.worker_concurrency == 0


def set_state(url: str, id: str, state: str, reason: str = "", **facts: Any) -> None:
    """Note where a root stands."""
    table = db.roots

    def write() -> None:
        with db.connected(url).begin() as connection:
            now = db.now_in(connection)
            moment = {"started": now} if state == "running" else {"ended": now}
            values = {"state": state, "reason": reason, **moment, **facts}
            connection.execute(table.update().where(table.c.id == id).values(values))

    db.retried(write)


# Where a run stands.


FORMAT = "lithify-fleet/1"
ROOT_FORMAT = "lithify-fleet-root/1"
#: Roots that a status names one by one.
NAMED = 50
STATES = ("queued", "running", "done", "failed", "budget", "cancelled")
#: Where a root keeps what its last run said of it.
IN_ROOT = ".lithify/fleet/status.json"


def status_of(url: str, run: str) -> dict[str, Any]:
    """Return the status of a run; its form is described in docs/fleet.md."""
    return db.retried(lambda: _read_status(url, run))


def _read_status(url: str, run: str) -> dict[str, Any]:
    roots, spending = db.roots, db.spending
    mine = roots.c.run == run
    with db.connected(url).begin() as connection:
        now = db.now_in(connection)
        states = connection.execute(
            sa.select(roots.c.state, sa.func.count()).where(mine).group_by(roots.c.state)
        ).all()
        counts = dict.fromkeys(STATES, 0) | {row.state: row[1] for row in states}
        wrong = connection.execute(
            sa.select(roots.c.url, roots.c.tenant, roots.c.state, roots.c.reason)
            .where(mine, roots.c.reason != "")
            .order_by(roots.c.ended.desc())
            .limit(NAMED)
        ).all()
        late = connection.execute(
            sa.select(roots.c.url, roots.c.behind)
            .where(mine, roots.c.behind > 0)
            .order_by(roots.c.behind.desc())
            .limit(NAMED)
        ).all()
        written, first, last = connection.execute(
            sa.select(
                sa.func.sum(roots.c.written),
                sa.func.min(roots.c.started),
                sa.func.max(roots.c.ended),
            ).where(mine)
        ).one()
        spent = connection.execute(sa.select(spending).where(spending.c.run == run)).all()
        started = connection.scalar(sa.select(db.runs.c.started).where(db.runs.c.run == run))
        workers = connection.execute(sa.select(db.workers)).all()
        providers = [
            _provider(connection, row) for row in connection.execute(sa.select(db.providers)).all()
        ]
    over = not (counts["queued"] or counts["running"])
    return {
        "format": FORMAT,
        "run": run,
        "started": started,
        "over": over,
        "exit_code": exit_code(counts),
        "roots": counts,
        "pages": int(written or 0),
        "seconds": round(((last if over else now) or now) - first, 1) if first else 0.0,
        "spent": {row.tenant or "all": _spent(row) for row in spent},
        "wrong": [row._asdict() for row in wrong],
        "behind": [{"url": row.url, "days": row.behind} for row in late],
        "providers": providers,
        "workers": [
            {"worker": row.worker, "host": row.host, "silent_s": round(now - row.beat, 1)}
            for row in workers
        ],
    }


def exit_code(counts: Mapping[str, int]) -> int:
    """6 if money ran out, 1 if a root failed, 3 if roots are left, 0 otherwise."""
    if counts["budget"]:
        return 6
    if counts["failed"]:
        return 1
    return 3 if counts["cancelled"] or counts["queued"] or counts["running"] else 0


def _spent(row: sa.Row[Any]) -> dict[str, Any]:
    return {
        "calls": row.calls,
        "input": row.input,
        "output": row.output,
        "cost": round(row.cost, 6),
        "waited_s": round(row.waited, 1),
    }


def _provider(connection: sa.Connection, limit: sa.Row[Any]) -> dict[str, Any]:
    calls, now = db.calls, db.now_in(connection)
    recent = sa.or_(calls.c.ended.is_(None), calls.c.ended > now - MINUTE)
    count, ended, tokens = connection.execute(
        sa.select(sa.func.count(), sa.func.count(calls.c.ended), sa.func.sum(calls.c.tokens)).where(
            calls.c.provider == limit.provider, recent
        )
    ).one()
    return {
        **limit._asdict(),
        "under_way": count - ended,
        "last_minute": {"requests": count, "tokens": int(tokens or 0)},
    }


def leave_status(url: str, outcome: Mapping[str, Any]) -> None:
    """Leave in a root's own folder what became of it, where it can be written."""
    folder = url.removeprefix("file://")
    if not os.path.isdir(os.path.join(folder, ".lithify")):
        return
    with suppress(OSError):
        write_status(os.path.join(folder, IN_ROOT), {"format": ROOT_FORMAT, **outcome})


def write_status(path: str, status: Mapping[str, Any]) -> None:
    """Replace a status file at once, so that no reader sees half of it."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    beside = f"{path}.{os.getpid()}.tmp"
    with open(beside, "w", encoding="utf-8") as file:
        json.dump(status, file, ensure_ascii=False, indent=1)
    os.replace(beside, path)
