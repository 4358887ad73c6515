"""`lithify compact`"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from lithify.calendar import is_month, is_week
from lithify.cli.common import leave, opened, say_json, standard, table
from lithify.cli.status import task_data
from lithify.compact.plan import TO_WRITE
from lithify.errors import UsageError
from lithify.values import Task, Tier, Usage

if TYPE_CHECKING:
    from lithify.compact.desk import Result
    from lithify.compact.forecast import Forecast
    from lithify.engines.providers.facts import Facts
    from lithify.memory import Memory

_TIERS: dict[str, tuple[Tier, ...]] = {
    "week": ("week", "typed"),
    "month": ("month",),
    "wisdom": ("wisdom",),
    "all": ("week", "typed", "month", "wisdom"),
}


@click.command(epilog="Example: lithify compact --dry-run && lithify compact")
@click.argument("tier", type=click.Choice(list(_TIERS)), default="all")
@click.option("--period", metavar="P", help="Only this one: 2026-W14, or 2026-04 with its weeks.")
@click.option("--model", metavar="M", help="The model to write with; `offline` by default.")
@click.option("--dry-run", is_flag=True, help="Show the plan with calls and tokens; write nothing.")
@click.option(
    "--max-cost",
    type=click.FloatRange(0),
    metavar="USD",
    help="Stop before a call that could cost more in all.",
)
@click.option(
    "--max-tokens-total",
    type=click.IntRange(0),
    metavar="N",
    help="Stop before a call that could use more tokens in all.",
)
@click.option(
    "--batch", is_flag=True, help="Hand the calls of all weeks to the batch endpoint, and leave."
)
@click.option("--resume", is_flag=True, help="Fetch the batches that are done, and go on.")
@click.option("--include-current", is_flag=True, help="Also the week and month that are not over.")
@click.option(
    "--fallback", type=click.Choice(["offline"]), help="Complete a failed period with this engine."
)
@click.option("--retry", is_flag=True, help="Try failed periods again though nothing has changed.")
@click.option(
    "--accept-removed", is_flag=True, help="Let days that are gone be gone; rebuild without them."
)
@standard
def command(
    tier: str,
    period: str | None,
    model: str | None,
    dry_run: bool,
    max_cost: float | None,
    max_tokens_total: int | None,
    batch: bool,
    resume: bool,
    include_current: bool,
    fallback: str | None,
    retry: bool,
    accept_removed: bool,
    root: str | None,
    as_json: bool,
) -> None:
    """Compact what is due: weeks with their typed memories, months, wisdom.

    Exit code 1 if a period failed, 4 if something was quarantined or held for review, 6 if a
    limit was reached; what was written before that is in force.
    """
    if period is not None and not (is_week(period) or is_month(period)):
        raise UsageError(reason=f"{period!r} is no period; write 2026-W14 or 2026-04")
    memory = opened(root)
    tiers = _TIERS[tier]
    if dry_run:
        tasks = memory.plan(include_current=include_current, retry=retry, model=model)
        _show_plan(
            [t for t in tasks if t.tier in tiers and (not period or t.period == period)],
            memory,
            model,
            as_json,
        )
        return
    if memory.facts(model).warning:
        click.echo(f"note: {memory.facts(model).warning}", err=True)
    if resume:
        model = _resume(memory, model, as_json)
    elif batch:
        handed = memory.submit_batch(
            period=period,
            model=model,
            include_current=include_current,
            retry=retry,
            max_cost=max_cost,
            max_tokens_total=max_tokens_total,
        )
        if as_json:
            say_json(asdict(handed))
        else:
            click.echo(
                f"{handed.submitted} calls handed in, {handed.waiting} batches under way; "
                "fetch them later with lithify compact --resume"
            )
        return
    progress = _Progress()
    try:
        report = memory.compact(
            tiers,
            period=period,
            model=model,
            include_current=include_current,
            retry=retry,
            fallback=fallback == "offline",
            accept_removed=accept_removed,
            max_cost=max_cost,
            max_tokens_total=max_tokens_total,
            progress=progress if sys.stderr.isatty() else None,
        )
    finally:
        progress.close()
    if as_json:
        say_json({"exit_code": report.exit_code, "results": [_result(r) for r in report.results]})
    else:
        _show(report.results)
    leave(report.exit_code)


def _resume(memory: Memory, model: str | None, as_json: bool) -> str | None:
    """Fetch what is done; the model to go on with, unless one was named."""
    found = memory.fetch_batches()
    waiting = sum(one.waiting for _, one in found)
    if waiting:
        if as_json:
            say_json({"exit_code": 3, "waiting": waiting, "results": []})
        else:
            click.echo(f"{waiting} batches are still under way; try again later")
        leave(3)
    for name, one in found:
        click.echo(
            f"{name}: {one.fetched} replies fetched, {len(one.faults)} to be asked for again",
            err=True,
        )
    return model or (found[0][0] if found else None)


class _Progress:
    """One line on the terminal that says what is being written."""

    def __init__(self) -> None:
        self._shown = False

    def __call__(self, task: Task, done: int, total: int) -> None:
        width = 24
        filled = width * done // max(1, total)
        bar = "█" * filled + "░" * (width - filled)
        label = {"week": "weeks", "typed": "memories", "month": "months", "wisdom": "wisdom"}[
            task.tier
        ]
        click.echo(f"\r\x1b[K{bar} {label} {done}/{total} {task.period}", nl=False, err=True)
        self._shown = True

    def close(self) -> None:
        if self._shown:
            click.echo("\r\x1b[K", nl=False, err=True)


def _show_plan(tasks: list[Task], memory: Memory, model: str | None, as_json: bool) -> None:
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


def _show(results: tuple[Result, ...]) -> None:
    noted = [
        r for r in results if r.status == "failed" or r.refused or r.held or r.status == "adopted"
    ]
    table(
        [(r.task.tier, r.task.period or "-", r.status, _note(r)) for r in noted],
        styles=["red" if r.status == "failed" else None for r in noted],
    )
    counts: dict[str, int] = {}
    for result in results:
        if result.status in ("written", "unchanged"):
            counts[result.task.tier] = counts.get(result.task.tier, 0) + len(result.files)
    words: dict[str, Callable[[int], str]] = {
        "week": lambda n: f"{n} week{'s' * (n != 1)}",
        "typed": lambda n: f"{n} memory file{'s' * (n != 1)}",
        "month": lambda n: f"{n} month{'s' * (n != 1)}",
        "wisdom": lambda n: "wisdom" if n else "wisdom unchanged",
    }
    written = ", ".join(words[tier](n) for tier, n in counts.items())
    failed = sum(result.status == "failed" for result in results)
    line = f"written: {written}" if written else "nothing was due"
    click.echo(line + (f"; {failed} failed" if failed else ""))


def _note(result: Result) -> str:
    parts = [result.reason] if result.reason else []
    if result.refused:
        parts.append(f"{result.refused} refused (lithify quarantine list)")
    if result.held:
        parts.append(f"{result.held} held (lithify wisdom review)")
    return "; ".join(parts)


def _result(result: Result) -> dict[str, object]:
    return {
        "tier": result.task.tier,
        "period": result.task.period,
        "why": result.task.why,
        "status": result.status,
        "reason": result.reason,
        "files": list(result.files),
        "refused": result.refused,
        "held": result.held,
        "coverage": result.coverage,
        "engine": result.engine,
        "usage": {"input": result.usage.input, "output": result.usage.output},
    }
