"""`lithify recall`"""

from __future__ import annotations

import sys
from datetime import date
from typing import TYPE_CHECKING

import click

from lithify.calendar import parse_day
from lithify.cli.common import count_of, folded, opened, say_json, spoken, standard
from lithify.recall.passages import NOTHING, fenced, notes, place

if TYPE_CHECKING:
    from lithify.values import Passage, Recall

#: Columns beyond which lines of text are no longer easy to read; characters beyond which nobody does.
_WIDEST = 100
_ENDLESS = 5000


def _day(_: click.Context, parameter: click.Parameter, value: str | None) -> date | None:
    if value is None:
        return None
    day = parse_day(value)
    if day is None:
        raise click.BadParameter(f"{value!r} is not a day like 2026-04-02")
    return day


@click.command(
    epilog="Example: lithify recall 'when does Slipway launch' --as-of 2026-01-20 --budget 500"
)
@click.argument("query", type=spoken, nargs=-1, required=True)
@click.option(
    "--budget", type=click.IntRange(1), default=2000, show_default=True, help="Tokens to return."
)
@click.option("--k", type=click.IntRange(1), default=None, help="At most so many passages.")
@click.option("--as-of", callback=_day, metavar="DATE", help="Only what was known on that day.")
@click.option("--from", "since", callback=_day, metavar="DATE", help="No day before this one.")
@click.option("--to", "until", callback=_day, metavar="DATE", help="No day after this one.")
@standard
def command(
    query: tuple[str, ...],
    budget: int,
    k: int | None,
    as_of: date | None,
    since: date | None,
    until: date | None,
    root: str | None,
    as_json: bool,
) -> None:
    """Find what the days say about QUERY, best first, inside a budget of tokens.

    Dates in the query are understood ("in March", "last Tuesday", "two weeks before the
    launch"). An entry id gives that entry. When nothing supports the query, nothing is returned
    and the nearest topics are named. Into a pipe the text goes fenced as data, for an agent.
    """
    found = opened(root).recall(
        " ".join(query),
        budget=budget,
        k=k,
        as_of=as_of,
        since=since,
        until=until,
        progress=progress if sys.stderr.isatty() else None,
    )
    if as_json:
        say_json(_plain(found))
    elif sys.stdout.isatty():
        _show(found)
    else:
        click.echo(fenced(found, budget))


def progress(done: int, of: int) -> None:
    if of > 20:
        end = "\r" if done < of - 1 else "\r\033[K"
        click.echo(f"indexing {done + 1} of {of} files{end}", nl=False, err=True)


def _plain(found: Recall) -> dict[str, object]:
    return {
        **found._asdict(),
        "passages": [
            {
                **passage._asdict(),
                "date": passage.date and passage.date.isoformat(),
                "also_on": [day.isoformat() for day in passage.also_on],
                "superseded": passage.superseded and passage.superseded.isoformat(),
                "through": [step._asdict() for step in passage.through],
            }
            for passage in found.passages
        ],
    }


def _show(found: Recall) -> None:
    if not found:
        click.echo(NOTHING)
        if found.nearest:
            click.echo("Nearest topics:")
            for topic in found.nearest:
                _say(f"  {topic}", "    ")
        return
    for passage in found.passages:
        _show_passage(passage)
    shown = count_of(len(found.passages), "passage")
    click.echo(click.style(f"{shown}, {count_of(found.tokens, 'token')}", dim=True))


def _show_passage(passage: Passage) -> None:
    day = f"{passage.date:%a} {passage.date}" if passage.date else "undated"
    over = f"  {' / '.join(passage.headings)}" if passage.headings else ""
    first, *more = folded(day + over, "  ", most=_WIDEST)
    click.echo(click.style(day, bold=True) + click.style(first[len(day) :], fg="cyan"))
    for line in more:
        click.echo(click.style(line, fg="cyan"))
    for line in passage.text.split("\n"):
        _say(f"  {line}", "  ")
    said = [place(passage), *notes(passage)]
    said += [f"through {step.path}:{step.line}" for step in passage.through]
    _say("  " + " · ".join(said), "    ", dim=True)
    click.echo()


def _say(line: str, hang: str, **style: bool) -> None:
    # A line that nobody reads at a screen is not worth the folding.
    pieces = folded(line, hang, most=_WIDEST) if len(line) < _ENDLESS else [line]
    for piece in pieces:
        click.echo(click.style(piece, **style) if style else piece)
