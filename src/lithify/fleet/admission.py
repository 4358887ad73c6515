"""Whether a call may be made now: limits of its provider, and what run and tenant may spend.

One transaction before a call admits it, one after it books what it used. A call counts towards its
provider's minute until 60 seconds after it ended. The provider saw it between these two moments, so
its own count of any 60 seconds never exceeds the limit.
"""

from __future__ import annotations

import random
import time
import uuid
from dataclasses import dataclass, field, replace

import sqlalchemy as sa

from lithify import telemetry
from lithify.engines.providers.budget import AROUND, MARGIN, cost_of, money, priced
from lithify.engines.providers.facts import Price
from lithify.errors import BudgetReached, UsageError
from lithify.fleet import database as db
from lithify.values import Usage

MINUTE = 60.0
#: Seconds between two looks at a limit that is reached: the least and the most. Who has waited longer
#: looks less often; many who wait share out the looks among them.
SOON, LATER = 0.1, 1.0


@dataclass(slots=True)
class SharedLimit:
    """The limits of one root's calls, shared with all workers through the database.

    Stands in the place of a `Budget`. A root makes one call at a time.
    """

    engine: sa.Engine
    run: str
    tenant: str
    worker: str
    provider: str
    model: str
    price: Price | None = None
    max_cost: float | None = None
    max_tokens: int | None = None
    tenant_cost: float | None = None
    _call: str = ""
    _margin: float = field(default=MARGIN)

    def of(self, model: str) -> SharedLimit:
        """The limits for another model of the same root: its own provider, the same money."""
        return replace(self, model=model, provider=model.partition(":")[0], price=None)

    def require_price(self) -> None:
        """Refuse a limit in money for a model whose price nobody knows."""
        caps = [cap for cap in (self.max_cost, self.tenant_cost) if cap is not None]
        priced(self.model, self.price, min(caps, default=None))

    def hold(self, given: int, limit: int, most: int = 0, price: Price | None = None) -> Usage:
        """Wait until the call may be made and set aside the most it can use, or refuse it."""
        worst = Usage(max(int(given * self._margin), most) + AROUND, limit)
        self._call = uuid.uuid4().hex
        cost = cost_of(price or self.price, worst)
        began = time.monotonic()
        while True:
            seconds = db.retried(lambda: self._admit(worst, cost, time.monotonic() - began))
            if seconds is None:
                telemetry.count("waited", time.monotonic() - began, provider=self.provider)
                return worst
            pause = max(seconds, (time.monotonic() - began) / 4)
            time.sleep(min(pause, LATER) * random.uniform(0.5, 1.5))

    def book(self, held: Usage, given: int, usage: Usage, price: Price | None = None) -> None:
        """Replace what was set aside by what was used."""
        if given and usage.input:
            self._margin = max(self._margin, 1.05 * usage.input / given)
        used, cost = usage, cost_of(price or self.price, usage)
        db.retried(lambda: _end_call(self.engine, self._call, used, cost))
        facts = {"model": self.model, "tenant": self.tenant}
        telemetry.count("tokens", usage.input + usage.output, **facts)
        telemetry.count("cost", cost, **facts)

    def _admit(self, worst: Usage, cost: float, waited: float) -> float | None:
        """Note a call that may be made; return the seconds until the next look at a full limit."""
        tokens = worst.input + worst.output
        with self.engine.begin() as connection:
            known = sa.select(db.calls.c.id).where(db.calls.c.id == self._call)
            if connection.scalar(known):
                return None
            full = self._provider_full(connection, tokens) or self._spent(connection, worst, cost)
            if full:
                return full
            row = {
                "id": self._call,
                "provider": self.provider,
                "run": self.run,
                "tenant": self.tenant,
                "worker": self.worker,
                "tokens": tokens,
                "cost": cost,
            }
            connection.execute(db.calls.insert().values(row))
            _add(
                connection,
                self.run,
                self.tenant,
                held_tokens=tokens,
                held_cost=cost,
                waited=waited if waited > SOON else 0.0,
            )
        return None

    def _provider_full(self, connection: sa.Connection, tokens: int) -> float | None:
        """Return the seconds until the next look if the provider takes no further call now."""
        table = db.providers
        # The row is locked until the call is in the table: two workers never take the last place.
        limit = connection.execute(
            sa.select(table).where(table.c.provider == self.provider).with_for_update()
        ).first()
        if limit is None:
            return None
        if limit.tokens_per_minute is not None and tokens > limit.tokens_per_minute:
            raise UsageError(
                reason=f"a call of up to {tokens:,} tokens exceeds tokens_per_minute = "
                f"{limit.tokens_per_minute:,} of {self.provider}; raise it in the registry"
            )
        now, calls = db.now_in(connection), db.calls
        mine = calls.c.provider == self.provider
        connection.execute(calls.delete().where(mine, calls.c.ended < now - MINUTE))
        count, used, ended, first = connection.execute(
            sa.select(
                sa.func.count(),
                sa.func.coalesce(sa.func.sum(calls.c.tokens), 0),
                sa.func.count(calls.c.ended),
                sa.func.min(calls.c.ended),
            ).where(mine)
        ).one()
        if limit.at_once is not None and count - ended >= limit.at_once:
            return SOON
        requests = limit.requests_per_minute
        few = limit.tokens_per_minute
        if (requests is not None and count >= requests) or (
            few is not None and used + tokens > few
        ):
            left = first + MINUTE - now if first is not None else LATER
            return max(left, SOON)
        return None

    def _spent(self, connection: sa.Connection, worst: Usage, cost: float) -> float | None:
        """Refuse a call that run or tenant cannot pay; return the seconds if calls under way hold the rest."""
        tokens = worst.input + worst.output
        caps = (("", self.max_cost, self.max_tokens), (self.tenant, self.tenant_cost, None))
        for tenant, max_cost, max_tokens in caps:
            table = db.spending
            row = connection.execute(
                sa.select(table)
                .where(table.c.run == self.run, table.c.tenant == tenant)
                .with_for_update()
            ).one()
            whose = f" for {tenant}" if tenant else ""
            used = row.input + row.output
            if max_tokens is not None and used + tokens > max_tokens:
                limit = f"{max_tokens:,} tokens{whose}"
                raise BudgetReached(limit=limit, spent=f"{used:,}", next=f"{tokens:,}")
            if max_cost is not None and row.cost + cost > max_cost:
                limit = f"{money(max_cost)}{whose}"
                raise BudgetReached(limit=limit, spent=money(row.cost), next=money(cost))
            # Calls under way count at their worst; what they really use may leave enough.
            if max_tokens is not None and used + row.held_tokens + tokens > max_tokens:
                return SOON
            if max_cost is not None and row.cost + row.held_cost + cost > max_cost:
                return SOON
        return None


def _end_call(engine: sa.Engine, call: str, used: Usage, cost: float) -> None:
    """End a call under way with what it used; one that ended before stays as it is."""
    tokens = used.input + used.output
    with engine.begin() as connection:
        calls = db.calls
        row = connection.execute(
            sa.select(calls).where(calls.c.id == call, calls.c.ended.is_(None)).with_for_update()
        ).first()
        if row is None:
            return
        ended = db.now_in(connection)
        connection.execute(
            calls.update().where(calls.c.id == call).values(ended=ended, tokens=tokens, cost=cost)
        )
        _add(
            connection,
            row.run,
            row.tenant,
            calls=int(tokens > 0),
            input=used.input,
            output=used.output,
            cost=cost,
            held_tokens=-row.tokens,
            held_cost=-row.cost,
        )


def end_calls_of(engine: sa.Engine, worker: str) -> None:
    """End the calls of a dead worker. What they cost is not known, so it counts at its worst."""
    calls = db.calls
    with engine.begin() as connection:
        left = connection.execute(
            sa.select(calls).where(calls.c.worker == worker, calls.c.ended.is_(None))
        ).all()
    for row in left:
        _end_call(engine, row.id, Usage(row.tokens, 0), row.cost)


def _add(connection: sa.Connection, run: str, tenant: str, **amounts: float) -> None:
    """Add amounts to what the run and the tenant have used."""
    table = db.spending
    values = {name: table.c[name] + amount for name, amount in amounts.items() if amount}
    # In one order everywhere, so that two transactions never wait for each other.
    for one in ("", tenant):
        connection.execute(
            table.update().where(table.c.run == run, table.c.tenant == one).values(**values)
        )
