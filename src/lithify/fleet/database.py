"""The fleet's own tables beside those of DBOS: runs, roots, workers, and calls to models."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import sqlalchemy as sa

from lithify.errors import LithifyError

T = TypeVar("T")

DATABASE = "LITHIFY_FLEET_DATABASE"
#: Seconds for which a database that does not answer is waited for.
PATIENCE = 600.0

_metadata = sa.MetaData()

runs = sa.Table(
    "lithify_runs",
    _metadata,
    sa.Column("run", sa.Text, primary_key=True),
    sa.Column("started", sa.Text, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("tenant_costs", sa.JSON, nullable=False),
)

roots = sa.Table(
    "lithify_roots",
    _metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("run", sa.Text, nullable=False, index=True),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("tenant", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False, default=""),
    sa.Column("worker", sa.Text, nullable=False, default=""),
    sa.Column("written", sa.Integer, nullable=False, default=0),
    sa.Column("behind", sa.Integer, nullable=False, default=0),
    #: Whether a person asked for it to be tried again, periods that failed before included.
    sa.Column("retry", sa.Boolean, nullable=False, default=False),
    sa.Column("started", sa.Float),
    sa.Column("ended", sa.Float),
)

#: What a run has used, once for each tenant and once for all (tenant "").
spending = sa.Table(
    "lithify_spending",
    _metadata,
    sa.Column("run", sa.Text, primary_key=True),
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("calls", sa.Integer, nullable=False, default=0),
    sa.Column("input", sa.BigInteger, nullable=False, default=0),
    sa.Column("output", sa.BigInteger, nullable=False, default=0),
    sa.Column("cost", sa.Float, nullable=False, default=0.0),
    sa.Column("held_tokens", sa.BigInteger, nullable=False, default=0),
    sa.Column("held_cost", sa.Float, nullable=False, default=0.0),
    sa.Column("waited", sa.Float, nullable=False, default=0.0),
)

providers = sa.Table(
    "lithify_providers",
    _metadata,
    sa.Column("provider", sa.Text, primary_key=True),
    sa.Column("at_once", sa.Integer),
    sa.Column("requests_per_minute", sa.Integer),
    sa.Column("tokens_per_minute", sa.BigInteger),
)

#: Calls under way, and those that ended less than a minute ago.
calls = sa.Table(
    "lithify_calls",
    _metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("provider", sa.Text, nullable=False, index=True),
    sa.Column("run", sa.Text, nullable=False),
    sa.Column("tenant", sa.Text, nullable=False),
    sa.Column("worker", sa.Text, nullable=False, index=True),
    sa.Column("tokens", sa.BigInteger, nullable=False),
    sa.Column("cost", sa.Float, nullable=False),
    sa.Column("ended", sa.Float),
)

workers = sa.Table(
    "lithify_workers",
    _metadata,
    sa.Column("worker", sa.Text, primary_key=True),
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("beat", sa.Float, nullable=False),
)


class DatabaseLost(LithifyError):
    """The fleet's database does not answer: {reason}. Start it, or name another with --database."""


def database_url(given: str | None) -> str:
    """Return the database that was named, that of the environment, or a file of this user."""
    url = given or os.environ.get(DATABASE)
    if url:
        return url
    home = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    folder = os.path.join(home, "lithify")
    os.makedirs(folder, exist_ok=True)
    return f"sqlite:///{folder}/fleet.sqlite"


@cache
def connected(url: str) -> sa.Engine:
    """Return the engine for the fleet's tables, which are made if they are missing."""
    if url.startswith("sqlite"):
        engine = sa.create_engine(url)
        sa.event.listen(engine, "connect", _as_shared_file)
    else:
        driver = url.replace("postgresql://", "postgresql+psycopg://", 1)
        engine = sa.create_engine(driver, pool_pre_ping=True, pool_size=20)
    retried(lambda: _metadata.create_all(engine), 30.0)
    return engine


def _as_shared_file(connection: Any, _: Any) -> None:
    # A transaction takes its lock when it begins, as those of DBOS in the same file do.
    connection.isolation_level = "IMMEDIATE"
    connection.execute("PRAGMA busy_timeout=30000")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")


def retried(work: Callable[[], T], patience: float = PATIENCE) -> T:
    """Do work on the database; while it cannot be reached or a transaction collided, try again.

    The work may have been done although an error was raised, so it must bear a repetition.
    """
    until, pause = time.monotonic() + patience, 0.05
    while True:
        try:
            return work()
        except (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.InternalError) as error:
            if time.monotonic() > until:
                raise DatabaseLost(reason=str(error.orig).strip().split("\n")[0]) from None
        time.sleep(pause)
        pause = min(2.0, pause * 2)


def now_in(connection: sa.Connection) -> float:
    """Return the database's clock, which is one for all workers, in seconds."""
    if connection.dialect.name == "sqlite":
        return float(connection.scalar(sa.text("SELECT (julianday('now')-2440587.5)*86400.0")) or 0)
    return float(connection.scalar(sa.text("SELECT extract(epoch from clock_timestamp())")) or 0)
