"""`lithify bench`: what compaction keeps and recall finds of a root, beside simple methods."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lithify.cli.common import count_of, opened, say, say_json, standard, table
from lithify.cli.groups import CommandGroup
from lithify.cli.progress import Progress
from lithify.errors import UsageError
from lithify.extras import missing

if TYPE_CHECKING:
    from lithify.bench.corpus import Day, Question
    from lithify.engines.base import Engine
    from lithify.memory import Memory


def _drawable(context: click.Context, option: click.Parameter, plot: Path | None) -> Path | None:
    # Refused before the run, which can take minutes.
    if plot and not plot.parent.is_dir():
        raise click.BadParameter(f"there is no folder {plot.parent}")
    return plot


@click.group(cls=CommandGroup, epilog="Example: lithify bench retention --root examples/sample")
def bench() -> None:
    """Measure what compaction keeps and recall finds on your own memory, compared with baselines."""


@bench.command(
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
    "--model", metavar="M", help="Also measure this model; it is asked about every week and month."
)
@click.option(
    "--max-cost",
    type=click.FloatRange(0),
    metavar="USD",
    help="Stop before a call of the model that could cost more in all.",
)
@click.option(
    "--ceilings/--no-ceilings",
    default=True,
    help="Keep pages below the root's ceilings, or let them be a share of their input.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    callback=_drawable,
    help="Draw retention against length, from 3 % to 50 %, as SVG.",
)
@standard
def retention(
    questions: Path | None,
    sessions_per_week: int,
    model: str | None,
    max_cost: float | None,
    ceilings: bool,
    plot: Path | None,
    root: str | None,
    as_json: bool,
) -> None:
    """How much of the days weeks and months still hold, compared with simple methods.

    Writes no page; what a model replies is kept with the root's other replies, so that it is
    paid for once. Figures are shares from 0 to 1; redundancy should be low, all others high.
    Needs the extra `bench` (numpy and scipy).
    """
    from lithify.bench.corpus import read_days

    _require_packages()
    memory = opened(root)
    snapshot = memory.snapshot()
    # Credentials are taken out: a model that is measured may see these days.
    days = read_days(memory.root, memory.settings.days.patterns, snapshot.clean)
    if not days:
        raise UsageError(reason=f"{memory.root} has no days to measure")
    asked = _asked(questions, days) if questions else ()
    from lithify.bench.plot import svg
    from lithify.bench.retention import Lengths, curves, run, table
    from lithify.bench.retention import as_json as rows_data

    offline, settings = memory.engine("offline"), memory.settings
    lengths = Lengths(settings.compression)
    if ceilings:
        tiers = settings.weekly.max_tokens, settings.monthly.max_tokens
        lengths = Lengths(settings.compression, *tiers)
    with Progress() as progress:
        progress(f"measuring {count_of(len(days), 'day')}")
        rows = run(
            days,
            asked,
            engine=offline,
            sessions=sessions_per_week,
            lengths=lengths,
            beside=_engine(memory, model, max_cost),
        )
        if plot:
            progress("measuring at other lengths")
            what = "best unit" if asked else "atoms"
            drawn = curves(days, asked, engine=offline, sessions=sessions_per_week)
            _draw(plot, svg(drawn, f"Weeks: {what} kept against length"))
    if as_json:
        say_json(rows_data(rows))
        return
    say(table(rows))
    for row in rows:
        if row.failed:
            say(f"note: {row.failed} of the {row.tier}s of {row.method} failed", err=True)
    if plot:
        say(f"drawn: {plot}")


def _require_packages() -> None:
    """Refuse before the run, which can take minutes, what its baselines need and cannot import."""
    from importlib.util import find_spec

    for package in ("numpy", "scipy"):
        if find_spec(package) is None:
            raise missing("`lithify bench retention`", package, "bench")


def _asked(path: Path, days: Sequence[Day]) -> tuple[Question, ...]:
    """The questions of a file, but for those about what was never said."""
    from lithify.bench.questions import probes
    from lithify.bench.sheets import read

    samples = read(path)
    if len(samples) > 1:
        raise UsageError(
            reason=f"{path} asks about {len(samples)} conversations, and one root holds one"
        )
    return tuple(one.question for one in probes(samples[0], days[0].day) if not one.absent)


def _draw(plot: Path, drawn: str) -> None:
    try:
        plot.write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise UsageError(reason=f"{plot} cannot be written ({error.strerror})") from error


def _engine(memory: Memory, model: str | None, max_cost: float | None) -> Engine | None:
    """The engine of the model that is to be measured, if one is."""
    if model is None:
        return None
    from lithify.engines.providers.engine import budget_for

    warning = memory.facts(model).warning
    if warning:
        say(f"note: {warning}", err=True)
    return memory.engine(model, budget_for(model, memory.settings, max_cost, None))


@bench.command(
    epilog="Example: lithify bench recall --root examples/sample --questions questions.jsonl"
)
@click.option(
    "--questions",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSON lines (question, answer, category, relevant_days, evidence), a Recall Bench "
    "questions.yaml, or LoCoMo's JSON.",
)
@click.option(
    "--sample",
    "samples",
    multiple=True,
    metavar="NAME",
    help="Of a file with several conversations, only this one; may be given again.",
)
@click.option(
    "--first-day",
    metavar="DATE",
    help="The day that the file counts as day 1 (else the root's first).",
)
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="A quick look: N of the questions."
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    callback=_drawable,
    help="Draw answer words against the budget, as SVG.",
)
@standard
def recall(
    questions: Path,
    samples: tuple[str, ...],
    first_day: str | None,
    limit: int | None,
    plot: Path | None,
    root: str | None,
    as_json: bool,
) -> None:
    """Whether what answers a question is among the passages that recall returns for it.

    A LoCoMo file brings its own days: without --root each conversation becomes a root that is
    removed again. Figures are shares from 0 to 1 with a 95 % interval, beside BM25, vectors and
    their rank fusion; benchmarks/README.md explains each.
    """
    from lithify.bench.sheets import read
    from lithify.cli.bench_recall import measure

    result, notes = measure(read(questions), samples, first_day, limit, root)
    if plot:
        from lithify.bench.plot import svg
        from lithify.bench.standings import curves

        drawn = svg(curves(result), "Answer words found, by tokens returned", lambda b: f"{b:g}")
        _draw(plot, drawn)
    for note in notes:
        say(f"note: {note}", err=True)
    if as_json:
        from lithify.bench.standings import as_json as plain

        say_json({**plain(result), "notes": notes})
        return
    from lithify.bench.standings import table

    say(table(result))
    if plot:
        say(f"drawn: {plot}")


@bench.command(epilog="Example: lithify bench sections training/sections.jsonl")
@click.argument("labelled", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@standard
def sections(labelled: Path, root: str | None, as_json: bool) -> None:
    """Precision and recall of the offline engine's sections on a labelled set.

    No root is read: the set brings its own entries.
    """
    from dataclasses import asdict

    from lithify.bench.judged import accuracy, measure, read_labelled

    entries = read_labelled(labelled.read_text("utf-8").splitlines())
    scores = measure(entries)
    if as_json:
        say_json(
            {"accuracy": accuracy(entries), "sections": {k: asdict(v) for k, v in scores.items()}}
        )
        return
    rows = [
        (name, f"{score.precision:.2f}", f"{score.recall:.2f}", str(score.count))
        for name, score in scores.items()
    ]
    table([("section", "precision", "recall", "entries"), *rows])
    say(f"accuracy {accuracy(entries):.3f} of {len(entries)}")


@bench.command(epilog="Example: lithify bench verifier worklog --part open --missed")
@click.argument("names", nargs=-1, metavar="[SET]...")
@click.option(
    "--part",
    type=click.Choice(["open", "held-out", "all"]),
    default="all",
    help="The claims that may be read (open), those that are only counted, or both.",
)
@click.option(
    "--missed",
    is_flag=True,
    help="Also list the open claims that it got wrong, with the reason. Held-out claims are never "
    "printed: a rule made for a claim one has read says nothing about others.",
)
@standard
def verifier(
    names: tuple[str, ...], part: str, missed: bool, root: str | None, as_json: bool
) -> None:
    """How many honest claims the verifier refuses, and how many false ones it catches, by kind.

    A SET is one of the package (chat, german, worklog; all of them if none is named) or a folder of
    your own: days in memory/, claims in claims.jsonl and held_out.jsonl, as benchmarks/README.md
    describes them. Sums have a 95 % interval. No root is read.
    """
    from lithify.bench.verifier import FILES, run, sets
    from lithify.cli.bench_verifier import data, missed_in, show

    parts = list(FILES) if part == "all" else [part.replace("-", " ")]
    trials = []
    with Progress() as said:
        for folder in sets(names):
            said(f"checking {folder.name}")
            trials += run(folder, parts)
    if not trials:
        raise UsageError(reason="no set has claims of this part")
    if as_json:
        wrong = {"missed": missed_in(trials)} if missed else {}
        say_json({**data(trials), **wrong})
        return
    show(trials, parts)
    for one in missed_in(trials) if missed else ():
        what = "refused" if one["true"] else "let through"
        say(f"\n{what}: {one['set']}, {one['kind']}\n  {one['text']}")
        for reason in one["reasons"]:
            say(f"  {reason}")
