"""`lithify compact`"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from lithify.calendar import is_month, is_week
from lithify.cli.common import (
    advice,
    damage_in_words,
    leave,
    lost_rows,
    opened,
    say_json,
    standard,
    table,
    task_data,
)
from lithify.compact.plan import again, is_wanted
from lithify.errors import UsageError
from lithify.values import Task, Tier

if TYPE_CHECKING:
    from lithify.compact.calls_ahead import Backfill
    from lithify.compact.run import Report
    from lithify.compact.workspace import Result
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
    "--workers",
    type=click.IntRange(1, 64),
    metavar="N",
    default=1,
    help="Calls of a hosted model at the same time, 4 at most; each of them a crash may repeat.",
)
@click.option(
    "--batch", is_flag=True, help="Hand what can be asked now to the batch endpoint, and leave."
)
@click.option(
    "--resume",
    is_flag=True,
    help="Fetch the batches that are done, and go on; with --batch, by another one.",
)
@click.option("--include-current", is_flag=True, help="Also the week and month that are not over.")
@click.option(
    "--fallback", type=click.Choice(["offline"]), help="Complete a failed period with this engine."
)
@click.option("--retry", is_flag=True, help="Try failed periods again though nothing has changed.")
@click.option("--rewrite", is_flag=True, help="Also what is current: to try another model, say.")
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
    workers: int,
    batch: bool,
    resume: bool,
    include_current: bool,
    fallback: str | None,
    retry: bool,
    rewrite: bool,
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
        tasks = again(tasks) if rewrite else tasks
        from lithify.cli.dry_run import show_plan

        show_plan(
            [t for t in tasks if t.tier in tiers and is_wanted(t, period)],
            memory,
            model,
            as_json,
        )
        return
    warning = memory.facts(model).warning
    if warning:
        click.echo(f"note: {warning}", err=True)
    if resume:
        model = _resume(memory, model, as_json)

    def hand_in() -> Backfill:
        return memory.submit_batch(
            tiers,
            period=period,
            model=model,
            include_current=include_current,
            retry=retry,
            max_cost=max_cost,
            max_tokens_total=max_tokens_total,
        )

    def write(tiers: tuple[Tier, ...]) -> Report:
        progress = _Progress()
        try:
            return memory.compact(
                tiers,
                period=period,
                model=model,
                include_current=include_current,
                retry=retry,
                fallback=fallback == "offline",
                accept_removed=accept_removed,
                rewrite=rewrite,
                max_cost=max_cost,
                max_tokens_total=max_tokens_total,
                workers=workers,
                progress=progress if sys.stderr.isatty() else None,
            )
        finally:
            progress.close()

    if not batch:
        report = write(tiers)
    else:
        from lithify.compact.run import Report

        # What was fetched is written first: the months are asked of the weeks.
        weeks = tuple(one for one in tiers if one in ("week", "typed")) if resume else ()
        report = write(weeks) if weeks else Report()
        handed = hand_in()
        if handed.submitted or not resume:
            _show_batch(report, handed, as_json)
            leave(report.exit_code)
            return
        rest = write(tuple(one for one in tiers if one not in weeks))
        done, missing = (*report.results, *rest.results), (*report.missing, *rest.missing)
        report = replace(rest, results=done, missing=missing)
    if as_json:
        say_json(_report(report))
    else:
        _show(report, period)
    leave(report.exit_code)


def _show_batch(report: Report, handed: Backfill, as_json: bool) -> None:
    """What was written, and what was handed in for later."""
    if as_json:
        say_json({**asdict(handed), **_report(report)})
        return
    if report.results:
        _show(report)
    one = handed.waiting == 1
    click.echo(
        f"{_counted(handed.submitted, 'call')} handed in, "
        f"{_counted(handed.waiting, 'batch', 'batches')} under way"
        + (
            f"; fetch {'it' if one else 'them'} later with lithify compact --resume"
            * bool(handed.waiting)
        )
    )


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _resume(memory: Memory, model: str | None, as_json: bool) -> str | None:
    """Fetch what is done; the model to go on with, unless one was named."""
    found = memory.fetch_batches()
    waiting = sum(one.waiting for _, one in found)
    if waiting:
        if as_json:
            say_json({"exit_code": 3, "waiting": waiting, "results": []})
        else:
            verb = "is" if waiting == 1 else "are"
            click.echo(
                f"{_counted(waiting, 'batch', 'batches')} {verb} still under way; try again later"
            )
        leave(3)
    for name, one in found:
        click.echo(
            f"{name}: {_counted(one.fetched, 'reply', 'replies')} fetched, "
            f"{len(one.faults)} to be asked for again",
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


def _show(report: Report, period: str | None = None) -> None:
    results = report.results
    noted = [
        r for r in results if r.status in ("failed", "adopted") or r.refused or r.held or r.replaced
    ]
    rows: list[tuple[str, ...]] = [
        (r.task.tier, r.task.period or "-", r.status, _note(r)) for r in noted
    ]
    rows += [(t.tier, t.period or "-", "missing", t.why) for t in report.missing]
    rows += lost_rows(report.lost, report.missing)
    table(rows, styles=["red" if row[2] in ("failed", "missing") else None for row in rows])
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
    line = "nothing was due"
    if written:
        line = f"written: {written}"
    elif failed or report.missing:
        line = "nothing was written"
    elif report.empty:
        line = f"nothing was due: there are no days in {period}"
    for path, reason in report.unread:
        click.echo(f"not read: {path}: {reason}")
    click.echo(line + (f"; {failed} failed" if failed else ""))
    for told in advice(report.missing, report.lost, [path for path, _ in report.unread]):
        click.echo(told)
    if report.damage:
        click.echo(click.style(damage_in_words(report.damage), fg="red"))


def _note(result: Result) -> str:
    parts = [result.reason] if result.reason else []
    if result.replaced:
        kept = ", ".join(result.replaced)
        parts.append(f"in place of a page by another hand, kept as {kept}")
    if result.refused:
        parts.append(f"{result.refused} refused (lithify quarantine list)")
    if result.held:
        parts.append(f"{result.held} held (lithify wisdom review)")
    return "; ".join(parts)


def _report(report: Report) -> dict[str, object]:
    return {
        "exit_code": report.exit_code,
        "damage": report.damage,
        "missing": [task_data(task) for task in report.missing],
        "lost": list(report.lost),
        "unread": [{"path": path, "reason": reason} for path, reason in report.unread],
        "results": [_result(result) for result in report.results],
    }


def _result(result: Result) -> dict[str, object]:
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
        "usage": {"input": result.usage.input, "output": result.usage.output},
    }
