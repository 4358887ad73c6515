"""Commands that write pages: `compact` with an engine, `write` by the agent at work."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from lithify.calendar import is_month, is_week
from lithify.cli.commands import CommandGroup
from lithify.cli.render import (
    CommandOutput,
    Progress,
    count_of,
    in_words,
    not_read,
    on_memory,
    option,
    picked,
    piped,
    reasons,
    say,
    table,
    wrapped,
)
from lithify.compact.plan import is_wanted, marked_stale
from lithify.errors import UsageError
from lithify.memory import CompactOptions
from lithify.store.names import short_name
from lithify.values import TO_WRITE, Task, Tier, Usage

if TYPE_CHECKING:
    from lithify.compact.forecast import Forecast
    from lithify.compact.orders import Order, OrderProgress
    from lithify.compact.run import Report
    from lithify.compact.workspace import Result
    from lithify.engines.providers.facts import Facts
    from lithify.memory import Memory

_TIERS: dict[str, tuple[Tier, ...]] = {
    "week": ("week", "typed"),
    "month": ("month",),
    "wisdom": ("wisdom",),
    "all": ("week", "typed", "month", "wisdom"),
}
#: Up to so many pages are listed one by one; of more, those with something to say about them.
_LISTED = 12
#: So few pages with nothing to say about them are listed all the same.
_FEW = 3
_MISSING = (
    "days that pages were made from are missing: put them back, or accept that they are gone with "
    "lithify compact --accept-removed"
)
_UNREAD = (
    "a file that cannot be read is left out of every page: save it as UTF-8 text, make it readable, "
    "or add its place to [days] patterns"
)

_FIRST_READING = (
    "note: what a model writes is read once more in a call of its own, which adds about 40 % to the "
    'tokens of a run; [verify] reader = "off" in lithify.toml turns that off'
)


@click.command(epilog="Example: lithify compact --dry-run && lithify compact")
@click.argument("tier", type=click.Choice(list(_TIERS)), default="all")
@option("--period P", "Only this one: 2026-W14, or 2026-04 with its weeks.")
@option("--model M", "The model to write with; `offline` by default.")
@option(
    "--reader M", "Who reads pages: a model, `same`, `agent` or `off`; in place of verify.reader."
)
@option("--dry-run", "Show the plan with calls and tokens; write nothing.")
@option("--max-cost USD", "Stop before a call that could cost more in all.")
@option(
    "--max-tokens-total N",
    "Stop before a call that could use more tokens in all.",
    type=click.IntRange(0),
)
@option(
    "--workers N",
    "Calls of a hosted model at the same time, 4 at most; a crash may repeat each of them.",
    type=click.IntRange(1, 64),
    show_default=False,
    default=1,
)
@option("--include-current", "Also the week and month that are not over.")
@option("--fallback [offline]", "Complete a failed period with this engine.")
@option("--retry", "Try failed periods again though nothing has changed.")
@option("--rewrite", "Also pages that are current: to try another model, say.")
@option("--accept-removed", "Accept that deleted days are gone; rebuild without them.")
@on_memory
def compact(
    memory: Memory, tier: str, dry_run: bool, fallback: str | None, **given: Any
) -> CommandOutput:
    """Compact what is due: weeks with their memories, months, wisdom.

    `kept 31 of 34 marked entries`: so many lines with a label such as `Decision:`, and open
    boxes, have a place on the page; the days still hold the others. Exit code 1 if a period
    failed, 4 if something was refused or waits for review, 6 if a limit was reached; what was
    written before that is kept.
    """
    asked = CompactOptions(_TIERS[tier], fallback=fallback == "offline", **given)
    period = asked.period
    if period is not None and not (is_week(period) or is_month(period)):
        raise UsageError(
            reason=f"{period!r} is not a period; write a week like 2026-W14 or a month like 2026-04"
        )
    reader = str(asked.reader or memory.settings.verify.reader)
    writer: str = given["model"] or memory.settings.model
    models = [writer, *([reader] if reader not in ("same", "agent", "off") else [])]
    for model in models:
        # Of the offline engine there is nothing to say, and what is known of models loads slowly.
        if model != "offline" and (warning := memory.facts(model).warning):
            say(f"note: {warning}", err=True)
    if dry_run:
        return _plan(memory, asked, _Prices(memory.facts(models[0]), memory.facts(models[-1])))
    # Nobody reads what the offline engine writes, and the usage is worked out of the whole journal.
    known = {one.tier for one in memory.usage()[0]} if writer != "offline" else set()
    with Progress("reading the days") as progress:

        def tell(task: Task, done: int, total: int) -> None:
            what = f"memories of {task.period}" if task.tier == "typed" else task.period
            progress(f"writing {what or 'wisdom'}", done, total)

        report = memory.compact(asked._replace(progress=tell))
    memory.index.embed_later()
    if "reading" not in known and any(r.reading and r.usage != Usage() for r in report.results):
        say(_FIRST_READING, err=True)
    return CommandOutput(_report_data(report), _report_lines(report, asked), report.exit_code)


def _report_data(report: Report) -> dict[str, Any]:
    shown = picked(report, "exit_code damage missing failed_before left lost")
    results = [result_data(one, " replaced kept gave_way engine") for one in report.results]
    for data, one in zip(results, report.results, strict=True):
        data |= {"why": one.task.why, "usage": picked(one.usage, "input output")}
    return {**shown, "unread": reasons(report.unread), "results": results}


def result_data(result: Result, more: str = "") -> dict[str, Any]:
    """Choose what JSON shows of a page that was written, or was to be."""
    shown = picked(result, "status reason files refused held notes" + more)
    reading = result.reading.facts if result.reading else None
    return {**picked(result.task, "tier period"), **shown, "reading": reading}


def _report_lines(report: Report, asked: CompactOptions) -> Iterator[str]:
    paged = ("week", "month")
    listed = [
        r
        for r in report.results
        if _is_remarkable(r) or (r.status == "written" and r.task.tier in paged)
    ]
    pages = len(listed)
    short = [r for r in listed if _is_remarkable(r) or (r.kept and r.kept.told != r.kept.required)]
    if pages > _LISTED and pages - len(short) > _FEW:
        listed = short
    # As in `status`: tier by tier, oldest first; they were written week by week.
    listed.sort(key=lambda r: (_TIERS["all"].index(r.task.tier), r.task.period))
    rows = [_row(r.task, in_words(r.status), _note(r)) for r in listed]
    rows += [_row(task, "missing", task.why) for task in distinct(report.missing)]
    before = distinct(report.failed_before)
    rows += [_row(task, "failed", f"before: {task.why}") for task in before]
    rows += lost_rows(report.lost, report.missing)
    yield from table(rows, state=2)
    if hidden := pages - len(listed):
        yield f"{count_of(hidden, 'page')} that kept every key entry not listed (--json lists all)"
    yield from not_read(report.unread)
    yield summary_line(report, asked.period, include_current=asked.include_current)
    written = [r for r in report.results if r.status == "written" and r.task.tier in paged]
    offline = [r for r in written if r.engine == "offline"]
    counts = [r.entries for r in offline if r.entries]
    told, of = sum(one.told for one in counts), sum(one.required for one in counts)
    yield from selected_pages(len(offline), told, of)
    if report.left:
        yield from wrapped(
            f"{count_of(len(report.left), 'page')} left to the agent for now: lithify write next, or "
            "lithify compact --model offline"
        )
    if report.failed_before:
        model = f" --model {asked.model}" if asked.model else ""
        yield from wrapped(
            "what failed before is tried again when its sources or the model change, or with "
            f"lithify compact --retry{model}"
        )
    yield from advice(report.missing, report.lost, [path for path, _ in report.unread])
    yield from damage_lines(report.damage)


def selected_pages(count: int, told: int, of: int) -> list[str]:
    """Say of pages of the offline engine what they are and leave out, and who writes better ones."""
    pages = "1 page is" if count == 1 else f"{count} pages are"
    left = f" ({of - told:,} of {count_of(of, 'entry', 'entries')} left out)" if of > told else ""
    said = f"{pages} made of selected sentences{left}; an agent or a model writes better ones: "
    return wrapped(f"{said}lithify write next --rewrite") if count else []


def _row(task: Task, state: str, note: str) -> tuple[str, ...]:
    return in_words(task.tier), task.period or "-", state, note


def distinct(tasks: Iterable[Task]) -> list[Task]:
    """Leave out the memories of a week that stands as they do: both are written together."""
    found = list(tasks)
    weeks = {(task.period, task.state, task.why) for task in found if task.tier == "week"}
    return [t for t in found if t.tier != "typed" or (t.period, t.state, t.why) not in weeks]


def lost_rows(lost: Iterable[str], missing: Iterable[Task]) -> list[tuple[str, ...]]:
    """Make rows of a table for days that are gone with what was captured in them.

    Days that a missing period already names get no row of their own.
    """
    named = [task.why for task in missing]
    return [
        ("day", short_name(path), "missing", f"{path} is missing, with what was logged in it")
        for path in lost
        if not any(why.startswith(f"{path} ") for why in named)
    ]


def advice(missing: Iterable[Task], lost: Iterable[str], unread: Iterable[str]) -> list[str]:
    """Say what to do about days that are gone, and about files that cannot be read."""
    there = tuple(f"{path} " for path in unread)
    gone = [*lost, *(task for task in missing if not task.why.startswith(there))]
    return [*(wrapped(_MISSING) if gone else []), *(wrapped(_UNREAD) if there else [])]


def damage_lines(damage: str) -> list[str]:
    """Tell of a damaged journal, with the command that repairs it."""
    said = f"the journal is damaged ({damage}): lithify check --repair repairs what it can"
    return wrapped(said, "red") if damage else []


def summary_line(
    report: Report, period: str | None = None, *, include_current: bool = False
) -> str:
    """The last line of a run: what was written, and how much of what had to be kept."""
    counts: dict[Tier, int] = {}
    for result in report.results:
        if result.status in ("written", "unchanged"):
            counts[result.task.tier] = counts.get(result.task.tier, 0) + len(result.files)
    names: dict[Tier, str] = {"week": "week", "typed": "memory file", "month": "month"}
    parts = [count_of(counts[tier], names[tier]) for tier in names if counts.get(tier)]
    if counts.get("wisdom"):
        parts.append("wisdom")
    failed = sum(result.status == "failed" for result in report.results)
    line = "nothing was due"
    if parts:
        line = f"written: {', '.join(parts)}"
    elif failed or report.missing or report.failed_before or report.left:
        line = "nothing was written"
    elif counts:
        line = "nothing changed"
    elif report.empty:
        line = f"nothing was due: there are no days in {period}"
    if report.current and not (include_current or failed or report.empty or counts.get("week")):
        line += f"; {report.current[-1]} is not over (--include-current writes it now)"
    before = len(report.failed_before)
    line += f"; {failed} failed" if failed else ""
    return line + (f"; {before} failed before" if before else "")


def _is_remarkable(result: Result) -> bool:
    """Whether more is to be said of a result than that its page was written."""
    odd = result.status in ("failed", "adopted")
    unsure = result.reading and (result.reading.state != "read" or result.reading.unjudged)
    return bool(odd or unsure or result.refused or result.held or result.replaced)


def _note(result: Result) -> str:
    parts = [result.reason] if result.reason else []
    if result.kept and result.kept.required:
        parts.append(f"kept {result.kept} marked entries")
    if result.gave_way:
        parts.append(
            f"{count_of(len(result.gave_way), 'bullet')} left out to make room (--json lists them)"
        )
    if result.replaced:
        kept = ", ".join(result.replaced)
        parts.append(f"replaces a page that lithify did not write, kept as {kept}")
    if result.refused:
        parts.append(f"{result.refused} refused (lithify quarantine list)")
    if result.held:
        parts.append(f"{result.held} waiting for a person (lithify review)")
    if result.reading:
        parts.append(str(result.reading))
    return "; ".join(parts)


# The plan


class _Prices(NamedTuple):
    """What is known of the writer's model and of the reader's."""

    writer: Facts
    reader: Facts

    def of(self, found: Iterable[Forecast]) -> float | None:
        """What the calls would cost, if the prices are known."""
        cost = 0.0
        for one in found:
            for facts, calls, usage in (
                (self.writer, one.calls, one.usage),
                (self.reader, one.readings, one.reading),
            ):
                if calls and facts.price is None:
                    return None
                cost += facts.price.of(usage) if facts.price else 0.0
        return cost if self.writer.price else None

    def total(self, found: Sequence[Forecast]) -> dict[str, Any]:
        """Add up what tasks would take: calls, readings, replies that are paid, tokens, cost."""
        usage = sum((one.usage + one.reading for one in found), Usage())
        counts = {
            key: sum(getattr(one, key) for one in found) for key in ("calls", "readings", "paid")
        }
        read = [replace(one, calls=0, usage=Usage()) for one in found]
        reading = sum((one.reading for one in found), Usage())
        return {
            **counts,
            **picked(usage, "input output"),
            "cost": self.of(found),
            "reading": {**picked(reading, "input output"), "cost": self.of(read)},
        }


def _plan(memory: Memory, asked: CompactOptions, prices: _Prices) -> CommandOutput:
    """Tell what each period would ask of a model, and of its reader, and what that costs."""
    model, reader = asked.model, asked.reader
    tasks = memory.plan(include_current=asked.include_current, retry=asked.retry, model=model)
    tasks = marked_stale(tasks) if asked.rewrite else tasks
    tasks = tuple(t for t in tasks if t.tier in asked.tiers and is_wanted(t, asked.period))
    left = memory.left_to_agent(tasks, asked)
    tasks = tuple(
        t._replace(state="waiting", why=f"left to the agent for now ({t.why})") if t in left else t
        for t in tasks
    )
    ahead = {one.task.key: one for one in memory.forecast(tasks, model, reader)}
    total = prices.total([*ahead.values()])
    total["tokens"] = sum(task.tokens for task in tasks if task.state in TO_WRITE)
    data = []
    for task in tasks:
        one = ahead.get(task.key)
        more = {**prices.total([one]), "exact": one.exact} if one else {}
        data.append({**task._asdict(), **more})
    return CommandOutput(
        {**total, "tasks": data}, _plan_lines(tasks, ahead, total, memory, asked, prices)
    )


def _plan_lines(
    tasks: Sequence[Task],
    ahead: dict[str, Forecast],
    total: dict[str, Any],
    memory: Memory,
    asked: CompactOptions,
    prices: _Prices,
) -> Iterator[str]:
    offline = (asked.model or memory.settings.model) == "offline"
    rows = []
    for task in tasks:
        if task.state == "current":
            continue
        one = ahead.get(task.key)
        size = f"~{task.tokens:,} tokens" if task.tokens else ""
        if not offline:
            size = _price_tag(one, prices) if one else ""
        words = (in_words(task.tier), task.period or "-", in_words(task.state))
        rows.append((*words, size, task.why))
    yield from table(rows)
    due = sum(task.state in TO_WRITE for task in tasks)
    calls, readings, tokens = total["calls"], total["readings"], total["tokens"]
    if offline:
        yield f"{due} to write, about {tokens:,} tokens to read, {calls} model calls"
        return
    yield (
        f"{due} to write, {calls + readings} model calls, about {total['input']:,} tokens in and "
        f"{total['output']:,} out: {priced(total['cost'])}; {total['paid']} replies are already "
        "paid for"
    )
    if readings:
        reading = total["reading"]
        yield (
            f"of these, {readings} calls read what was written, about {reading['input']:,} tokens "
            f"in and {reading['output']:,} out: {priced(reading['cost'])}"
        )
    repairs = memory.settings.verify.max_repairs
    if calls and repairs:
        more = (calls + readings) * repairs
        yield f"replies that need corrections can add up to {more} more calls"


def _price_tag(one: Forecast, prices: _Prices) -> str:
    if not one.calls and not one.readings:
        return f"{one.paid} already paid" if one.paid else "no calls"
    total = prices.total([one])
    cost = f", {priced(total['cost'])}" if total["cost"] is not None else ""
    paid = f", {one.paid} already paid" if one.paid else ""
    calls = f"{'' if one.exact else '~'}{count_of(one.calls, 'call')}"
    readings = f" + {one.readings} to read" if one.readings else ""
    return f"{calls}{readings}, {total['input']:,} in, {total['output']:,} out{cost}{paid}"


def priced(amount: float | None) -> str:
    """Write an amount of money, where it is known."""
    from lithify.engines.providers.budget import money

    return "price unknown" if amount is None else money(amount)


# Pages by the agent at work

_rewrite = option("--rewrite", "Also pages that the offline engine wrote and are current.")
_client = option("--client NAME", "The program the agent runs in.")


@click.group(cls=CommandGroup, epilog="Example: lithify write next")
def write() -> None:
    """Let the agent at work write the pages that are due, one work order at a time.

    `write next` prints an order: what to write and from what. `write submit` takes the page,
    which is committed, or comes back with what is wrong. An order can also ask the agent to read
    pages that another session wrote.
    """


@write.command("next", epilog="Example: lithify write next --json")
@_rewrite
@option("--newest", "The newest weeks first.")
@option("--retry", "Also periods that failed before.")
@option(
    "--as-reader", "Only pages to read: for a subagent that was given nothing but this command."
)
@_client
@on_memory
def next_(memory: Memory, client: str | None, **wanted: Any) -> CommandOutput:
    """Print the next page to write or to read as a work order. Exit code 0, also when nothing is due."""
    found = memory.next_order(**wanted, **_writer(memory, client))
    order = _order_data(memory, found.order, client) if found.order else None
    results = [result_data(one) for one in found.results]
    return CommandOutput({"order": order, "results": results}, _order_lines(memory, found, client))


def _order_lines(memory: Memory, found: OrderProgress, client: str | None) -> Iterator[str]:
    for result in found.results:
        note = f", {count_of(result.refused, 'bullet')} refused" if result.refused else ""
        note += f"; {result.reading}" if result.reading else ""
        yield f"{in_words(result.task.tier)} {result.task.period} {in_words(result.status)}{note}"
    if not found.order:
        yield found.end
        return
    yield _in_words(memory, found.order, client)


def _in_words(memory: Memory, order: Order, client: str | None) -> str:
    command = _command(memory, order, client)
    how = f"Hand the reply in with exactly:\n\n{command} <<'PAGE'\n<your reply>\nPAGE"
    return order.in_words(how)


@write.command(epilog="Example: lithify write submit page-week-2026-W14-9f3a1c20b7d4 < page.md")
@click.argument("order")
@_client
@on_memory
def submit(memory: Memory, order: str, client: str | None) -> CommandOutput:
    """Hand in the page or the verdicts that ORDER asks for, from standard input.

    Exit code 0 when it is committed whole, 4 when it is sent back, refused or partly quarantined,
    1 when the period failed.
    """
    done = memory.hand_in(order, piped(), **_writer(memory, client))
    following = _order_data(memory, done.order, client) if done.order else None
    data = picked(done, "state reason exit_code")
    data |= {"results": [result_data(one) for one in done.results], "next": following}
    if done.state == "sent back" and done.order:
        then = _in_words(memory, done.order, client)
    else:
        then = "More is due: lithify write next" if done.order else done.end
    return CommandOutput(data, [done.in_words(), then], done.exit_code)


def _command(memory: Memory, order: Order, client: str | None) -> str:
    """Return the command that hands a reply in; it names the client where this one was told it."""
    from lithify.gate.texts import program_words, quoted

    words = [*program_words(), "write", "submit", order.id, "--root", str(memory.root)]
    return " ".join(map(quoted, [*words, "--client", client] if client else words))


def _writer(memory: Memory, client: str | None) -> dict[str, Any]:
    """Who writes: in which client and session, and in whose name."""
    # Loaded late: `compact` needs neither the gate nor the clients.
    from lithify.gate.files import SESSION_VARIABLES
    from lithify.hooks.clients import all_clients

    clients = all_clients()
    callers = (c.flag for c in clients if any(map(os.environ.get, c.shell_variables)))
    return {
        "client": client or next(callers, "unknown"),
        "session": next(filter(None, map(os.environ.get, SESSION_VARIABLES)), ""),
        "by": memory.caller_origin(os.environ),
    }


def _order_data(memory: Memory, order: Order, client: str | None) -> dict[str, Any]:
    shown = picked(order, "id kind words system", prompt="user")
    wrong = order.back.violations if order.back else ()
    data = {**shown, "violations": wrong, "pages": [task.key for task in order.tasks]}
    task = picked(order.task, "tier period why") if order.tasks else {}
    return {**data, **task, "submit": _command(memory, order, client)}
