"""Where a run stands: for the terminal, as JSON, and as files for whoever shows it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import sqlalchemy as sa

from lithify.fleet import database as db
from lithify.fleet.admission import MINUTE

FORMAT = "lithify-fleet/1"
ROOT_FORMAT = "lithify-fleet-root/1"
#: Roots that a status names one by one.
NAMED = 50
STATES = ("queued", "running", "done", "failed", "budget", "cancelled")
#: Where a root keeps what its last run said of it.
IN_ROOT = ".lithify/fleet/status.json"


def status_of(url: str, run: str) -> dict[str, Any]:
    """The status of a run; its form is described in docs/fleet.md."""
    return db.retried(lambda: _read(url, run))


def _read(url: str, run: str) -> dict[str, Any]:
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
