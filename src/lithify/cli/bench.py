"""`lithify bench retention|sections`"""

from __future__ import annotations

from pathlib import Path

import click

from lithify.cli.common import opened, say_json, standard
from lithify.errors import LithifyError, UsageError


class _NeedsExtra(LithifyError):
    """The LexRank baseline needs numpy and scipy: pip install 'lithify[bench]'"""


@click.group(epilog="Example: lithify bench retention --root examples/sample")
def command() -> None:
    """Measure what compaction keeps, beside named baselines, on your own memory."""


@command.command(
    epilog="Example: lithify bench retention --questions questions.jsonl --plot kept.svg"
)
@click.option(
    "--questions",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSON lines with id, question, answer, relevant_days: also measure what answers need.",
)
@click.option(
    "--sessions-per-week",
    type=click.IntRange(0, 50),
    default=0,
    help="Take every so many days as a week, for logs that are not kept daily.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Draw retention against length, from 3 % to 50 %, as SVG.",
)
@standard
def retention(
    questions: Path | None,
    sessions_per_week: int,
    plot: Path | None,
    root: str | None,
    as_json: bool,
) -> None:
    """How much of the days each tier still holds, beside simple methods at the same length.

    Writes nothing to the root. Figures are shares from 0 to 1; redundancy should be low, all
    others high.
    """
    from lithify.bench.corpus import read_days, read_questions

    memory = opened(root)
    days = read_days(memory.root / memory.snapshot().tree.memory)
    if not days:
        raise UsageError(reason=f"{memory.root} has no days to measure")
    asked = read_questions(questions.read_text("utf-8").splitlines()) if questions else ()
    try:
        from lithify.bench.plot import svg
        from lithify.bench.retention import as_json as rows_data
        from lithify.bench.retention import curves, run, table

        rows = run(days, asked, sessions=sessions_per_week)
        if plot:
            what = "best unit" if asked else "atoms"
            drawn = curves(days, asked, sessions=sessions_per_week)
            plot.write_text(svg(drawn, f"Weeks: {what} kept against length"), encoding="utf-8")
    except ModuleNotFoundError as missing:
        if missing.name not in ("numpy", "scipy"):
            raise
        raise _NeedsExtra() from None
    if as_json:
        say_json(rows_data(rows))
        return
    click.echo(table(rows))
    if plot:
        click.echo(f"drawn: {plot}")


@command.command(epilog="Example: lithify bench sections benchmarks/sections.jsonl")
@click.argument("labelled", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def sections(labelled: Path, as_json: bool) -> None:
    """Precision and recall of the offline engine's sections on a labelled set."""
    from dataclasses import asdict

    from lithify.bench.sections import accuracy, measure, read_labelled

    entries = read_labelled(labelled.read_text("utf-8").splitlines())
    scores = measure(entries)
    if as_json:
        say_json(
            {"accuracy": accuracy(entries), "sections": {k: asdict(v) for k, v in scores.items()}}
        )
        return
    for name, score in scores.items():
        click.echo(f"{name:24} {asdict(score)}")
    click.echo(f"accuracy {accuracy(entries):.3f} of {len(entries)}")
