"""`lithify compact --dry-run`: what would be written, and what it would cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lithify.cli.common import say_json, table, task_data
from lithify.compact.plan import TO_WRITE
from lithify.values import Task, Usage

if TYPE_CHECKING:
    from lithify.compact.forecast import Forecast
    from lithify.engines.providers.facts import Facts
    from lithify.memory import Memory


def show_plan(tasks: list[Task], memory: Memory, model: str | None, as_json: bool) -> None:
    """A plan with what each period would ask and cost."""
    from lithify.engines.providers.budget import money

    due = [task for task in tasks if task.state in TO_WRITE]
    wanted = model or memory.settings.model
    facts = memory.facts(wanted)
    if facts.warning:
        click.echo(f"note: {facts.warning}", err=True)
    ahead = {one.task.key: one for one in memory.forecast(tasks, model)}
    calls = sum(one.calls for one in ahead.values())
    paid = sum(one.paid for one in ahead.values())
    usage = sum((one.usage for one in ahead.values()), Usage())
    cost = facts.price.of(usage) if facts.price else None
    if as_json:
        say_json(
            {
                "calls": calls,
                "paid": paid,
                "tokens": sum(t.tokens for t in due),
                "input": usage.input,
                "output": usage.output,
                "cost": cost,
                "tasks": [{**task_data(t), **_forecast(ahead.get(t.key), facts)} for t in tasks],
            }
        )
        return
    rows = []
    for t in tasks:
        if t.state == "current":
            continue
        one = ahead.get(t.key)
        size = f"~{t.tokens:,} tokens" if t.tokens else ""
        if wanted != "offline":
            size = _price_tag(one, facts) if one else ""
        rows.append((t.tier, t.period or "-", t.state, size, t.why))
    table(rows)
    total = sum(task.tokens for task in due)
    if wanted == "offline":
        click.echo(f"{len(due)} to write, about {total:,} tokens to read, {calls} model calls")
        return
    told = money(cost) if cost is not None else "price unknown"
    repairs = memory.settings.verify.max_repairs
    click.echo(
        f"{len(due)} to write, {calls} model calls, about {usage.input:,} tokens in and "
        f"{usage.output:,} out: {told}; {paid} replies are already paid for"
    )
    if calls and not facts.small and repairs:
        click.echo(f"replies that have to be mended can add up to {calls * repairs} more calls")


def _price_tag(one: Forecast, facts: Facts) -> str:
    from lithify.engines.providers.budget import money

    if not one.calls:
        return f"{one.paid} already paid" if one.paid else "no calls"
    cost = f", {money(facts.price.of(one.usage))}" if facts.price else ""
    paid = f", {one.paid} already paid" if one.paid else ""
    about = "" if one.exact else "~"
    calls = f"{about}{one.calls} call{'s' * (one.calls != 1)}"
    return f"{calls}, {one.usage.input:,} in, {one.usage.output:,} out{cost}{paid}"


def _forecast(one: Forecast | None, facts: Facts) -> dict[str, object]:
    if one is None:
        return {}
    return {
        "calls": one.calls,
        "paid": one.paid,
        "input": one.usage.input,
        "output": one.usage.output,
        "cost": facts.price.of(one.usage) if facts.price else None,
        "exact": one.exact,
    }
