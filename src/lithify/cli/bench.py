"""`lithify bench`: what compaction keeps of a root, and what recall finds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lithify.cli.commands import CommandGroup
from lithify.cli.render import (
    CommandOutput,
    Progress,
    count_of,
    on_memory,
    option,
    say,
    table,
)
from lithify.errors import UsageError

if TYPE_CHECKING:
    from lithify.bench.corpus import Day
    from lithify.bench.recall import Ask
    from lithify.memory import Memory

_questions = partial(
    option, "--questions", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
#: The figures of a page with their titles; those that need questions come last.
_RETAINED = {
    "specifics": "specifics",
    "single day": "single_day",
    "answer specifics": "answer_specifics",
    "answer words": "answer_words",
    "best unit": "best_unit",
}


@click.group(
    cls=CommandGroup,
    alone="retention",
    epilog="Example: lithify bench retention --root examples/sample",
)
def bench() -> None:
    """Measure what compaction keeps of your days (alone: `retention`), and what recall finds."""


def _days(memory: Memory) -> tuple[Day, ...]:
    """Read the days with credentials taken out: a model that is measured may see them."""
    from lithify.bench.corpus import read_days

    shown = memory.snapshot().without_secrets
    if days := read_days(memory.root, memory.settings.folders, shown):
        return days
    raise UsageError(reason=f"{memory.root} has no days to measure")


@bench.command(epilog="Example: lithify bench retention --questions questions.jsonl")
@_questions("JSON lines with id, question, answer, relevant_days: also measure what answers need.")
@option("--model M", "Also measure this model; it is asked about every week and month.")
@option("--max-cost USD", "Stop before a call of the model that could cost more in all.")
@on_memory
def retention(
    memory: Memory, questions: Path | None, model: str | None, max_cost: float | None
) -> CommandOutput:
    """How much of the days weeks and months still hold.

    Figures are shares from 0 to 1: of the specifics of the days (figures, identifiers), of those
    that one day alone has, of what the answers to the questions need, and of the marked entries.
    The last row is a simple method of the same length to beat. Writes no page.
    """
    from lithify.bench.corpus import months_of, read_questions, weeks_of
    from lithify.bench.cover import cover as greedy
    from lithify.bench.retention import Lengths, run
    from lithify.memory import offline_engine

    settings, weeks = memory.settings, weeks_of(_days(memory))
    asked = [one for one in read_questions(questions) if not one.absent] if questions else []
    engine = None
    if model is not None:
        if warning := memory.facts(model).warning:
            say(f"note: {warning}", err=True)
        engine = memory.engine(model, memory.budget(model, max_cost, None))
    lengths = Lengths(settings.compression, settings.weekly.max_tokens, settings.monthly.max_tokens)
    months = months_of(weeks)
    with Progress(f"measuring {count_of(len(weeks), 'week')}"):
        rows = run(
            weeks,
            months,
            asked,
            engine=offline_engine(),
            lengths=lengths,
            methods={"greedy cover": greedy},
            beside=engine,
        )
    shown = {k: v for k, v in _RETAINED.items() if getattr(rows[0].score, v) is not None}
    lines = [("tier", "method", "length", *shown, "marked")]
    for row in rows:
        figures = (f"{getattr(row.score, name):.3f}" for name in shown.values())
        marked = "-" if row.marked is None else f"{row.marked:.3f}"
        lines.append((row.tier, row.method, f"{row.share:.1%}", *figures, marked))
    for row in rows:
        if row.failed:
            say(f"note: {row.failed} of the {row.tier}s of {row.method} failed", err=True)
    return CommandOutput(rows, table(lines))


@bench.command(
    epilog="Example: lithify bench recall --root examples/sample --questions questions.jsonl"
)
@_questions("JSON lines with question, answer, category, relevant_days, evidence.", required=True)
@on_memory
def recall(memory: Memory, questions: Path) -> CommandOutput:
    """Whether what answers a question is among the passages that recall returns for it.

    Figures are shares from 0 to 1, beside those of a plain full-text search; benchmarks/README.md
    explains each.
    """
    from lithify.bench.corpus import read_questions
    from lithify.bench.recall import Corpus, full_text, means, score

    asked, days = read_questions(questions), _days(memory)
    known = {day.day for day in days}
    strangers = sum(1 for one in asked if one.days and known.isdisjoint(one.days))
    if strangers:
        say(
            f"note: {strangers} of {len(asked)} questions are about days the root has not", err=True
        )
    with Progress() as said:
        said(f"indexing {count_of(len(days), 'day')}")
        memory.index.update()
        entries = [entry for day in days for entry in day.entries]
        methods = {"lithify": _recall(memory, days), "FTS5": full_text(entries)}
        corpus = Corpus(days, asked, methods)
        scored = score([corpus], lambda done: said("asking questions", done, len(asked)))
    found = {name: means(rows) for name, rows in scored.items()}
    absent = sum(one.absent for one in asked)
    rows = [(m, *(f"{own[m]:.3f}" for own in found.values())) for m in found["lithify"]]
    lines = table([(count_of(len(asked), "question"), *found), *rows])
    return CommandOutput({"questions": len(asked), "absent": absent, "overall": found}, lines)


def _recall(memory: Memory, days: Sequence[Day]) -> Ask:
    """Ask recall as a user does, on the last day."""
    from lithify.bench.recall import Shown

    def ask(question: str, budget: int) -> list[Shown]:
        found = memory.recall(question, budget=budget, as_of=days[-1].day)
        return [
            Shown(tuple(one.text.split("\n")), one.date, one.tokens, one.also_on)
            for one in found.passages
        ]

    return ask
