"""`lithify status`"""

from __future__ import annotations

import click

from lithify.cli.common import (
    advice,
    count_of,
    damage_in_words,
    leave,
    lost_rows,
    opened,
    say_json,
    standard,
    table,
    task_data,
    unmatched_data,
    unmatched_lines,
)
from lithify.compact.plan import BEHIND, TO_WRITE
from lithify.gate.texts import what_is_due

_COLOURS = {
    "due": "yellow",
    "stale": "yellow",
    "failed": "red",
    "missing": "red",
    "waiting": "yellow",
}


@click.command(epilog="Example: lithify status --json")
@click.option("--all", "everything", is_flag=True, help="Also list the periods that are current.")
@standard
def command(everything: bool, root: str | None, as_json: bool) -> None:
    """Show what is current and what is behind, by how much, and why.

    Exit code 3 if anything is due, stale, waiting, failed or missing, a file cannot be read, or
    the journal is damaged.
    """
    memory = opened(root)
    status = memory.status()
    closed = [(b.job, what_is_due(b.job, b.demand)) for b in memory.gate.jobs() if b.demand]
    if as_json:
        say_json(
            {
                "root": str(status.root),
                "days": status.days,
                "newest": status.newest.isoformat() if status.newest else None,
                "days_behind": status.behind,
                "damage": status.damage,
                "trailing": list(status.trailing),
                "proposals": status.proposals,
                "closed_gates": [{"job": job, "due": due} for job, due in closed],
                "tasks": [task_data(task) for task in status.tasks],
                "lost": list(status.lost),
                "unread": list(status.unread),
                "unmatched": unmatched_data(status.unmatched),
                "refused": [{"path": path, "reason": reason} for path, reason in status.refused],
            }
        )
        leave(status.exit_code)
        return
    newest = f", the newest {status.newest}" if status.newest else ""
    click.echo(f"{status.root}: {status.days} day{'s' * (status.days != 1)}{newest}")
    shown = [t for t in status.tasks if everything or t.state != "current"]
    current = sum(task.state == "current" for task in status.tasks)
    missing = [task for task in status.tasks if task.state == "missing"]
    rows: list[tuple[str, ...]] = [(t.tier, t.period or "-", t.state, t.why) for t in shown]
    rows += lost_rows(status.lost, missing)
    table(rows, styles=[_COLOURS.get(row[2]) for row in rows])
    if current and not everything:
        click.echo(f"{current} more {'is' if current == 1 else 'are'} current (--all lists them)")
    for path, reason in status.refused:
        click.echo(f"not read: {path}: {reason}")
    for line in unmatched_lines(status.unmatched):
        click.echo(line)
    if status.proposals:
        wait = "proposal waits" if status.proposals == 1 else "proposals wait"
        click.echo(f"{status.proposals} {wait}: lithify wisdom review")
    for _, due in closed:
        click.echo(f"a gate is closed: {due} (lithify gate status)")
    if status.lost or any(task.state in BEHIND for task in status.tasks):
        late = (
            f"memory is {count_of(status.behind, 'day')} behind"
            if status.behind
            else "something is due"
        )
        if any(task.state in TO_WRITE for task in status.tasks):
            click.echo(f"{late}: run lithify compact")
        if any(task.state == "failed" for task in status.tasks):
            click.echo(
                "something failed: see lithify quarantine list, then lithify compact --retry"
            )
    elif not status.tasks:
        click.echo("nothing here yet: lithify log 'What happened'")
    elif not status.unread:
        click.echo("nothing is due")
    for line in advice(missing, status.lost, status.unread):
        click.echo(line)
    if status.damage:
        click.echo(click.style(damage_in_words(status.damage), fg="red"))
    for week in status.trailing:
        click.echo(f"{week} is behind its days: lithify compact --include-current writes it now")
    leave(status.exit_code)
