"""Commands on pages before and after they are written: `prompts`, `diff`, `quarantine`.

And the plan that `compact --dry-run` prints.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

import click

from lithify.cli.commands import CommandGroup
from lithify.cli.common import (
    count_of,
    in_words,
    one_line,
    opened,
    say,
    say_json,
    standard,
    styled,
    table,
    task_data,
)
from lithify.errors import UnknownReference
from lithify.values import TO_WRITE, Task, Usage

if TYPE_CHECKING:
    from lithify.compact.forecast import Forecast
    from lithify.engines.providers.facts import Facts
    from lithify.memory import Memory


@click.group(cls=CommandGroup, epilog="Example: lithify prompts show weekly --period 2026-W14")
def prompts() -> None:
    """Print what would be sent to a model."""


@prompts.command("show", epilog="Example: lithify prompts show weekly --period 2026-W14")
@click.argument("stage", type=click.Choice(["weekly", "combined", "monthly", "typed", "wisdom"]))
@click.option("--period", metavar="P", default="", help="The week or month; wisdom has none.")
@standard
def show_prompt(stage: str, period: str, root: str | None, as_json: bool) -> None:
    """Print exactly what would be sent for a period: system prompt, then user prompt."""
    prompt = opened(root).prompt(stage, period)
    if as_json:
        say_json({"system": prompt.system, "user": prompt.user})
        return
    say(f"[system]\n{prompt.system}\n\n[user]\n{prompt.user}")


@click.command(epilog="Example: lithify diff 2026-W14 --against offline")
@click.argument("period")
@click.option(
    "--against", metavar="M", help="Compare with the last version that this engine or model wrote."
)
@standard
def diff(period: str, against: str | None, root: str | None, as_json: bool) -> None:
    """Show what changed when PERIOD was last rebuilt, and why it was.

    PERIOD is a week, a month, `wisdom`, or the path of a typed memory.
    """
    change = opened(root).diff(period, against)
    if as_json:
        say_json(asdict(change))
        return
    why = f": {change.why}" if change.why else ""
    say(f"{change.path} written {change.after} by {change.engine or 'a person'}{why}")
    if change.against and change.against != change.engine:
        say(f"before {change.before} by {change.against}")
    for line in change.lines:
        colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
        say(styled(line, fg=colour) if colour else line)
    if not change.lines:
        say("it says the same as before")


@click.group(cls=CommandGroup, alone="list", epilog="Example: lithify quarantine list")
def quarantine() -> None:
    """What the verifier refused, and why."""


@quarantine.command("list", epilog="Example: lithify quarantine list --json")
@standard
def list_refused(root: str | None, as_json: bool) -> None:
    """Every refused draft or bullet, newest first."""
    held = opened(root).quarantine()
    if as_json:
        say_json([asdict(h) for h in held])
        return
    rows = []
    for h in held:
        first = h.reason or (h.refused[0][1][0] if h.refused else "")
        rows.append((h.id, h.task, h.time, f"{len(h.refused)} refused", one_line(first, 80)))
    table(rows)
    if not held:
        say("nothing was refused")


@quarantine.command("show", epilog="Example: lithify quarantine show 1a2b3c4d")
@click.argument("id")
@standard
def show_refused(id: str, root: str | None, as_json: bool) -> None:
    """One refused draft or bullet, in full."""
    held = next((h for h in opened(root).quarantine() if h.id == id), None)
    if held is None:
        raise UnknownReference(ref=id, hint="`lithify quarantine list` shows the ids.")
    if as_json:
        say_json(asdict(held))
        return
    say(f"{held.task}  {held.time}  {held.engine}")
    if held.reason:
        say(f"the whole draft was refused: {held.reason}")
    for text, reasons in held.refused:
        say(f"- {text}")
        for reason in reasons:
            say(f"    {reason}")


class _Prices(NamedTuple):
    """What is known of the writer's model and of the second reader's."""

    writer: Facts
    auditor: Facts

    def of(self, found: Iterable[Forecast]) -> float | None:
        """What the calls would cost, if the prices are known."""
        cost = 0.0
        for one in found:
            for facts, calls, usage in (
                (self.writer, one.calls, one.usage),
                (self.auditor, one.audits, one.audit),
            ):
                if calls and facts.price is None:
                    return None
                cost += facts.price.of(usage) if facts.price else 0.0
        return cost if self.writer.price else None


def show_plan(
    tasks: list[Task], memory: Memory, model: str | None, audit: str | None, as_json: bool
) -> None:
    """Print a plan with what each period would ask of a model, and of a second reader, and cost."""
    wanted = model or memory.settings.model
    auditor = memory.settings.verify.audit if audit is None else audit
    prices = _Prices(memory.facts(wanted), memory.facts(auditor or "offline"))
    for facts in prices if auditor not in ("", "agent") else prices[:1]:
        if facts.warning:
            say(f"note: {facts.warning}", err=True)
    ahead = {one.task.key: one for one in memory.forecast(tasks, model, audit)}
    if as_json:
        say_json(_plan_data(tasks, ahead, prices))
        return
    rows = []
    for task in tasks:
        if task.state == "current":
            continue
        one = ahead.get(task.key)
        size = f"~{task.tokens:,} tokens" if task.tokens else ""
        if wanted != "offline":
            size = _price_tag(one, prices) if one else ""
        words = (in_words(task.tier), task.period or "-", in_words(task.state))
        rows.append((*words, size, task.why))
    table(rows)
    _show_total(tasks, ahead, memory, prices, offline=wanted == "offline")


def _plan_data(tasks: list[Task], ahead: dict[str, Forecast], prices: _Prices) -> dict[str, object]:
    usage = _usage(ahead.values())
    return {
        "calls": sum(one.calls for one in ahead.values()),
        "audits": sum(one.audits for one in ahead.values()),
        "paid": sum(one.paid for one in ahead.values()),
        "tokens": sum(task.tokens for task in tasks if task.state in TO_WRITE),
        "input": usage.input,
        "output": usage.output,
        "cost": prices.of(ahead.values()),
        "tasks": [{**task_data(t), **_forecast_data(ahead.get(t.key), prices)} for t in tasks],
    }


def _usage(found: Iterable[Forecast]) -> Usage:
    return sum((one.usage + one.audit for one in found), Usage())


def _show_total(
    tasks: list[Task], ahead: dict[str, Forecast], memory: Memory, prices: _Prices, *, offline: bool
) -> None:
    from lithify.engines.providers.budget import money

    due = [task for task in tasks if task.state in TO_WRITE]
    calls = sum(one.calls for one in ahead.values())
    if offline:
        total = sum(task.tokens for task in due)
        say(f"{len(due)} to write, about {total:,} tokens to read, {calls} model calls")
        return
    paid = sum(one.paid for one in ahead.values())
    audits = sum(one.audits for one in ahead.values())
    usage, amount = _usage(ahead.values()), prices.of(ahead.values())
    cost = money(amount) if amount is not None else "price unknown"
    audited = f" and {audits} for the audit" if audits else ""
    say(
        f"{len(due)} to write, {calls} model calls{audited}, about {usage.input:,} tokens in and "
        f"{usage.output:,} out: {cost}; {paid} replies are already paid for"
    )
    repairs = memory.settings.verify.max_repairs
    if calls and not prices.writer.small and repairs:
        more = (calls + audits) * repairs
        say(f"replies that need corrections can add up to {more} more calls")


def _price_tag(one: Forecast, prices: _Prices) -> str:
    from lithify.engines.providers.budget import money

    if not one.calls and not one.audits:
        return f"{one.paid} already paid" if one.paid else "no calls"
    amount = prices.of([one])
    cost = f", {money(amount)}" if amount is not None else ""
    paid = f", {one.paid} already paid" if one.paid else ""
    about = "" if one.exact else "~"
    calls = f"{about}{count_of(one.calls, 'call')}"
    audits = f" + {one.audits} to audit" if one.audits else ""
    usage = one.usage + one.audit
    return f"{calls}{audits}, {usage.input:,} in, {usage.output:,} out{cost}{paid}"


def _forecast_data(one: Forecast | None, prices: _Prices) -> dict[str, object]:
    if one is None:
        return {}
    usage = one.usage + one.audit
    return {
        "calls": one.calls,
        "audits": one.audits,
        "paid": one.paid,
        "input": usage.input,
        "output": usage.output,
        "cost": prices.of([one]),
        "exact": one.exact,
    }
