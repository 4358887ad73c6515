"""A process that works on roots, and takes over from workers that died.

Every worker has an id of its own and says every few seconds that it lives. Whose last sign is too
old is dead: the worker that notices first puts its roots back into the queue.
"""

from __future__ import annotations

import logging
import os
import shutil
import socket
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import cast

import sqlalchemy as sa
from dbos import DBOS, ScheduleInput, error

from lithify.engines.providers.hosted import LOOP
from lithify.errors import ConfigError, UsageError
from lithify.fleet import database as db
from lithify.fleet import workflow
from lithify.fleet.admission import end_calls_of
from lithify.fleet.registry import read_registry
from lithify.fleet.runs import (
    APPLICATION,
    OPEN,
    QUEUE,
    SLOTS,
    client_of,
    declare_queue,
    quiet,
)

#: Seconds between two signs of life, and after how many without one a worker is dead.
BEAT, DEAD = 1.0, float(os.environ.get("LITHIFY_FLEET_DEAD", "15"))
#: All workers are of one version to the engine: a root is always begun from its files.
VERSION = "1"
#: Calls that one worker makes of a provider at once; the shared limits are in the database.
AT_ONCE = 1024


@contextmanager
def working(url: str, slots: int | None = None) -> Iterator[str]:
    """Work on the roots in the queue in the background; yields the worker's id."""
    id = f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
    with client_of(url) as client:
        declare_queue(client, slots)
        queue = client.retrieve_queue(QUEUE)
        size = max(slots or 0, (queue.worker_concurrency if queue else 0) or SLOTS)
    scratch = tempfile.mkdtemp(prefix="lithify-fleet-")
    workflow.setup = workflow.WorkerSetup(url, id, scratch)
    DBOS(
        config={
            "name": APPLICATION,
            "system_database_url": url,
            "executor_id": id,
            "application_version": VERSION,
            "log_level": "ERROR",
            "sys_db_pool_size": min(size + 6, 40),
        }
    )
    _beat(url, id)
    with LOOP.allowing(AT_ONCE):
        DBOS.launch()
        quiet()
        stop = threading.Event()
        life = threading.Thread(target=_live, args=(url, id, stop), name="heartbeat", daemon=True)
        life.start()
        try:
            yield id
        finally:
            stop.set()
            life.join(timeout=10)
            DBOS.destroy()
            _leave(url, id)
            shutil.rmtree(scratch, ignore_errors=True)


def work_off(
    url: str,
    run: str,
    slots: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Work until every root of a run is over, whoever works on it."""
    with working(url, slots):
        while (left := db.retried(lambda: unfinished(url, run)))[0]:
            if progress:
                progress(left[1] - left[0], left[1])
            time.sleep(0.2)


def unfinished(url: str, run: str = "") -> tuple[int, int]:
    """Return how many roots of a run, or of all runs, are not over, and how many there are."""
    count = sa.select(sa.func.count(), sa.func.count(1).filter(db.roots.c.state.in_(OPEN)))
    with db.connected(url).begin() as connection:
        wanted = count.where(db.roots.c.run == run) if run else count.select_from(db.roots)
        total, left = connection.execute(wanted).one()
    return int(left), int(total)


def keep_schedule(path: str) -> None:
    """Have a run of a registry started by its schedule; of many workers, one starts it."""
    registry = read_registry(path)
    if not registry.schedule:
        raise UsageError(reason=f'{path} has no schedule; add schedule = "0 3 * * *" under [run]')
    entry = {
        "schedule_name": f"registry:{registry.path}",
        "workflow_fn": workflow.start_scheduled,
        "schedule": registry.schedule,
        "context": registry.path,
    }
    try:
        DBOS.apply_schedules([cast(ScheduleInput, entry)])
    except error.DBOSException as fault:
        raise ConfigError(file=path, reason=str(fault)) from None


def _live(url: str, id: str, stop: threading.Event) -> None:
    """Give signs of life until told to stop, and take over from the dead."""
    last = time.monotonic()
    quiet_until = last
    while not stop.wait(BEAT):
        try:
            db.retried(lambda: _beat(url, id))
            now = time.monotonic()
            if now - last > DEAD / 2:
                # The database was away: nobody could give a sign, so give the others time to.
                quiet_until = now + DEAD
            last = now
            if now >= quiet_until:
                db.retried(lambda: take_over(url, id))
        except (db.DatabaseLost, error.DBOSException) as fault:
            # Tried again with the next sign, by this worker or by another.
            logging.getLogger(__name__).warning("not taken over yet: %s", fault)


def _beat(url: str, id: str) -> None:
    table = db.workers
    with db.connected(url).begin() as connection:
        now = db.now_in(connection)
        seen = connection.execute(table.update().where(table.c.worker == id).values(beat=now))
        if seen.rowcount == 0:
            row = {"worker": id, "host": socket.gethostname(), "beat": now}
            connection.execute(table.insert().values(row))


def take_over(url: str, id: str) -> None:
    """Put the roots of dead workers back into the queue."""
    table, engine = db.workers, db.connected(url)
    with engine.begin() as connection:
        old = table.c.beat < db.now_in(connection) - DEAD
        dead = list(connection.scalars(sa.select(table.c.worker).where(old)))
    for one in dead:
        with engine.begin() as connection:
            # Whoever moves the sign first has taken it over; should it die too, the sign ages again.
            now = db.now_in(connection)
            mine = table.c.worker == one, table.c.beat < now - DEAD
            taken = connection.execute(table.update().where(*mine).values(beat=now)).rowcount
        if taken and one != id:
            _requeue(url, one)
            end_calls_of(engine, one)
            with engine.begin() as connection:
                connection.execute(table.delete().where(table.c.worker == one))


def _requeue(url: str, dead: str) -> None:
    """Begin the roots of a dead worker anew, under their own ids.

    Until a root is back in the queue it is noted as the dead worker's, so that another worker
    finishes this should we die too.
    """
    pending = DBOS.list_workflows(
        executor_id=dead, status="PENDING", load_input=False, load_output=False
    )
    table, taken = db.roots, {flow.workflow_id for flow in pending}
    with db.connected(url).begin() as connection:
        begun = table.update().where(table.c.id.in_(taken), table.c.state == "queued")
        connection.execute(begun.values(state="running", worker=dead))
        mine = table.c.worker == dead, table.c.state == "running"
        taken |= set(connection.scalars(sa.select(table.c.id).where(*mine)))
    for id in taken:
        DBOS.cancel_workflow(id)
        flow = DBOS.get_workflow_status(id)
        if flow is not None and flow.status == "CANCELLED":
            DBOS.rewind_workflow(id, queue_name=QUEUE)
        with db.connected(url).begin() as connection:
            back = table.update().where(table.c.id == id, *mine)
            connection.execute(back.values(state="queued", worker=""))


def _leave(url: str, id: str) -> None:
    """Take back the sign of life, unless roots are left that another worker has to take over."""
    with client_of(url) as client:
        if client.list_workflows(executor_id=id, status="PENDING", load_input=False, limit=1):
            return
    with db.connected(url).begin() as connection:
        connection.execute(db.workers.delete().where(db.workers.c.worker == id))
