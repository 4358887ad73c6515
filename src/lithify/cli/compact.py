"""`lithify compact`: weeks, months and wisdom from what is due; the plan of --dry-run is in `pages`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from lithify.calendar import is_month, is_week
from lithify.cli.common import (
    advice,
    count_of,
    damage_in_words,
    distinct,
    in_words,
    leave,
    lost_rows,
    opened,
    printable,
    say,
    say_json,
    say_wrapped,
    standard,
    table,
    task_data,
)
from lithify.cli.progress import Progress
from lithify.compact.plan import again, is_wanted
from lithify.errors import UsageError
from lithify.memory import CompactOptions
from lithify.values import Task, Tier

if TYPE_CHECKING:
    from lithify.compact.run import Report
    from lithify.compact.workspace import Result
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


class _Asked(NamedTuple):
    """The arguments of one call."""

    tier: str
    period: str | None
    model: str | None
    audit: str | None
    dry_run: bool
    max_cost: float | None
    max_tokens_total: int | None
    workers: int
    include_current: bool
    fallback: str | None
    retry: bool
    rewrite: bool
    accept_removed: bool


@click.command(epilog="Example: lithify compact --dry-run && lithify compact")
@click.argument("tier", type=click.Choice(list(_TIERS)), default="all")
@click.option("--period", metavar="P", help="Only this one: 2026-W14, or 2026-04 with its weeks.")
@click.option("--model", metavar="M", help="The model to write with; `offline` by default.")
@click.option(
    "--audit",
    metavar="M",
    help="A model that reads each page a second time, or `agent`; in place of verify.audit.",
)
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
    "--workers",
    type=click.IntRange(1, 64),
    metavar="N",
    default=1,
    help="Calls of a hosted model at the same time, 4 at most; a crash may repeat each of them.",
)
@click.option("--include-current", is_flag=True, help="Also the week and month that are not over.")
@click.option(
    "--fallback", type=click.Choice(["offline"]), help="Complete a failed period with this engine."
)
@click.option("--retry", is_flag=True, help="Try failed periods again though nothing has changed.")
@click.option(
    "--rewrite", is_flag=True, help="Also pages that are current: to try another model, say."
)
@click.option(
    "--accept-removed",
    is_flag=True,
    help="Accept that deleted days are gone; rebuild without them.",
)
@standard
def compact(root: str | None, as_json: bool, **given: Any) -> None:
    """Compact what is due: weeks with their typed memories, months, wisdom.

    `kept 31 of 34 key entries`: decisions, outcomes and open items that have a place on the page;
    the days still hold the others. Exit
    code 1 if a period failed, 4 if something was refused (lithify quarantine) or waits for review, 6 if a limit
    was reached; what was written before that is kept.
    """
    asked = _Asked(**given)
    period, tiers = asked.period, _TIERS[asked.tier]
    if period is not None and not (is_week(period) or is_month(period)):
        raise UsageError(
            reason=f"{period!r} is not a period; write a week like 2026-W14 or a month like 2026-04"
        )
    memory = opened(root)
    if asked.dry_run:
        _show_plan(memory, asked, as_json)
        return
    auditor = memory.settings.verify.audit if asked.audit is None else asked.audit
    for model in (asked.model, *([auditor] if auditor not in ("", "agent") else [])):
        if warning := memory.facts(model).warning:
            say(f"note: {warning}", err=True)
    report = _write(memory, asked, tiers)
    if as_json:
        say_json(_report_data(report))
    else:
        _show(report, asked)
    leave(report.exit_code)


def _show_plan(memory: Memory, asked: _Asked, as_json: bool) -> None:
    from lithify.cli.pages import show_plan

    tasks = memory.plan(include_current=asked.include_current, retry=asked.retry, model=asked.model)
    tasks = again(tasks) if asked.rewrite else tasks
    wanted = [t for t in tasks if t.tier in _TIERS[asked.tier] and is_wanted(t, asked.period)]
    show_plan(wanted, memory, asked.model, asked.audit, as_json)


def _write(memory: Memory, asked: _Asked, tiers: tuple[Tier, ...]) -> Report:
    """Write these tiers, and say how far it is."""
    with Progress() as progress:

        def tell(task: Task, done: int, total: int) -> None:
            what = f"memories of {task.period}" if task.tier == "typed" else task.period
            progress(f"writing {what or 'wisdom'}", done, total)

        progress("reading the days")
        return memory.compact(
            CompactOptions(
                tiers,
                period=asked.period,
                model=asked.model,
                audit=asked.audit,
                include_current=asked.include_current,
                retry=asked.retry,
                fallback=asked.fallback == "offline",
                accept_removed=asked.accept_removed,
                rewrite=asked.rewrite,
                max_cost=asked.max_cost,
                max_tokens_total=asked.max_tokens_total,
                workers=asked.workers,
                progress=tell,
            )
        )


def _show(report: Report, asked: _Asked) -> None:
    listed = [r for r in report.results if _has_page(r) or _is_remarkable(r)]
    pages = len(listed)
    short = [r for r in listed if _is_remarkable(r) or not _keeps_all(r)]
    if pages > _LISTED and pages - len(short) > _FEW:
        listed = short
    # As in `status`: tier by tier, oldest first; they were written week by week.
    listed.sort(key=lambda r: (_TIERS["all"].index(r.task.tier), r.task.period))
    rows: list[tuple[str, ...]] = [
        (in_words(r.task.tier), r.task.period or "-", in_words(r.status), _note(r)) for r in listed
    ]
    rows += [
        (in_words(t.tier), t.period or "-", "missing", t.why) for t in distinct(report.missing)
    ]
    rows += [
        (in_words(t.tier), t.period or "-", "failed", f"before: {t.why}")
        for t in distinct(report.failed_before)
    ]
    rows += lost_rows(report.lost, report.missing)
    table(rows, styles=["red" if row[2] in ("failed", "missing") else None for row in rows])
    if hidden := pages - len(listed):
        say(f"{count_of(hidden, 'page')} that kept every key entry not listed (--json lists all)")
    for path, reason in report.unread:
        say(printable(f"not read: {path}: {reason}", one_line=True))
    say(summary_line(report, asked.period))
    if report.left:
        say_wrapped(
            f'{count_of(len(report.left), "page")} left to the agent for now (model = "agent"): '
            "lithify write next, or lithify compact --model offline"
        )
    if report.failed_before:
        model = f" --model {asked.model}" if asked.model else ""
        say_wrapped(
            "what failed before is tried again when its sources or the model change, or with "
            f"lithify compact --retry{model}"
        )
    for told in advice(report.missing, report.lost, [path for path, _ in report.unread]):
        say_wrapped(told)
    if report.damage:
        say_wrapped(damage_in_words(report.damage), fg="red")


def summary_line(report: Report, period: str | None = None) -> str:
    """The last line of a run: what was written, and how much of what had to be kept."""
    counts: dict[Tier, int] = {}
    for result in report.results:
        if result.status in ("written", "unchanged"):
            counts[result.task.tier] = counts.get(result.task.tier, 0) + len(result.files)
    names: dict[Tier, str] = {"week": "week", "typed": "memory file", "month": "month"}
    parts = [count_of(counts[tier], names[tier]) for tier in names if counts.get(tier)]
    if "wisdom" in counts:
        parts.append("wisdom" if counts["wisdom"] else "wisdom unchanged")
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
    before = len(report.failed_before)
    line += f"; {failed} failed" if failed else ""
    return line + (f"; {before} failed before" if before else "")


def _has_page(result: Result) -> bool:
    """Whether a week's or month's page was written."""
    return result.status == "written" and result.task.tier in ("week", "month")


def _is_remarkable(result: Result) -> bool:
    """Whether more is to be said of a result than that its page was written."""
    odd = result.status in ("failed", "adopted")
    unsure = result.audit and (result.audit.unread or result.audit.unjudged)
    return bool(odd or unsure or result.refused or result.held or result.replaced)


def _keeps_all(result: Result) -> bool:
    return result.kept is None or result.kept.told == result.kept.required


def _note(result: Result) -> str:
    parts = [result.reason] if result.reason else []
    if result.kept and result.kept.required:
        parts.append(f"kept {result.kept} key entries")
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
        parts.append(f"{result.held} waiting for a person (lithify wisdom review)")
    if result.audit:
        parts.append(str(result.audit))
    return "; ".join(parts)


def _report_data(report: Report) -> dict[str, object]:
    return {
        "exit_code": report.exit_code,
        "damage": report.damage,
        "missing": [task_data(task) for task in report.missing],
        "failed_before": [task_data(task) for task in report.failed_before],
        "left": [task_data(task) for task in report.left],
        "lost": list(report.lost),
        "unread": [{"path": path, "reason": reason} for path, reason in report.unread],
        "results": [_result_data(result) for result in report.results],
    }


def _result_data(result: Result) -> dict[str, object]:
    return {
        "tier": result.task.tier,
        "period": result.task.period,
        "why": result.task.why,
        "status": result.status,
        "reason": result.reason,
        "files": list(result.files),
        "replaced": list(result.replaced),
        "refused": result.refused,
        "held": result.held,
        "kept": result.kept._asdict() if result.kept else None,
        "gave_way": list(result.gave_way),
        "engine": result.engine,
        "audit": result.audit.facts if result.audit else None,
        "usage": {"input": result.usage.input, "output": result.usage.output},
    }
