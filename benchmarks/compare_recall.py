"""Recall on a file of questions, beside BM25, vectors and their rank fusion.

    python benchmarks/compare_recall.py QUESTIONS [--root DIR] [--sample NAME]...
                                        [--first-day DATE] [--limit N] [--json] [--plot out.svg]

QUESTIONS are JSON lines (question, answer, category, relevant_days, evidence), a Recall Bench
`questions.yaml`, or LoCoMo's JSON, which brings its own days: without `--root` each conversation
becomes a root that is removed again. Figures have a 95 % interval; README.md explains each.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from comparison.plot import svg
from comparison.questions import Sample, choose, dated, thinned, write_days
from comparison.rankers import Embed, simple
from comparison.recall_metrics import measures
from comparison.sheets import read
from comparison.standings import Standings, as_json, curves, standings, table

from lithify.bench.corpus import Question, read_days
from lithify.bench.recall import Ask, Corpus, Shown, score
from lithify.calendar import parse_day
from lithify.cli.render import Progress
from lithify.errors import LithifyError, UsageError
from lithify.memory import Memory

ENGINE = "lithify"


def measure(
    samples: Sequence[Sample],
    names: Sequence[str],
    first_day: str | None,
    limit: int | None,
    root: str | None,
) -> tuple[Standings, list[str]]:
    """The standings of a run over the chosen samples, and what a reader of them should know."""
    chosen = choose(samples, names)
    if root is not None and len(chosen) > 1:
        raise UsageError(
            reason=f"one root cannot answer for {len(chosen)} conversations: choose with --sample, "
            "or leave --root out"
        )
    first = parse_day(first_day) if first_day else None
    if first_day and first is None:
        raise UsageError(reason=f"{first_day} is not a date such as 2026-04-02")
    kept = _kept(chosen, limit)
    notes: list[str] = []
    total = sum(map(len, kept))
    with Progress() as said:
        corpora = _corpora(chosen, kept, first, root, notes, said)
        scored = score(corpora, lambda done: said("asking questions", done, total), measures)
    return standings(scored), notes


def _kept(samples: Sequence[Sample], limit: int | None) -> list[list[int]]:
    """The places of the questions to ask, sample by sample."""
    every = [(at, row) for at, sample in enumerate(samples) for row in range(len(sample.rows))]
    kept: list[list[int]] = [[] for _ in samples]
    for at, row in thinned(every, limit):
        kept[at].append(row)
    return kept


def _corpora(
    samples: Sequence[Sample],
    kept: Sequence[Sequence[int]],
    first: date | None,
    root: str | None,
    notes: list[str],
    said: Progress,
) -> Iterator[Corpus]:
    for sample, places in zip(samples, kept, strict=True):
        if not places:
            continue
        with _rooted(sample, root) as memory:
            said(f"reading {sample.name}")
            snapshot = memory.snapshot()
            days = read_days(memory.root, memory.settings.folders, snapshot.without_secrets)
            if not days:
                raise UsageError(reason=f"{memory.root} has no days to search")
            every = dated(sample, first or days[0].day)
            asked = [every[place] for place in places]
            _say_strangers(asked, {day.day for day in days}, notes)
            said(f"indexing {len(days)} days")
            memory.index.update()
            embed = _embedding(notes)
            methods = {**_engine(memory, days[-1].day, embed is not None)}
            methods.update(simple([entry for day in days for entry in day.entries], embed))
            yield Corpus(days, asked, methods)


@contextmanager
def _rooted(sample: Sample, root: str | None) -> Iterator[Memory]:
    """The root that answers: the one given, or one made of the days the sample brings along."""
    if root is not None or not sample.days:
        yield Memory.open(root)
        return
    with TemporaryDirectory(prefix="lithify-bench-") as folder:
        memory = Memory.init(folder)
        write_days(sample, Path(folder) / "memory")
        yield memory


def _engine(memory: Memory, last: date, vectors: bool) -> dict[str, Ask]:
    """Recall as a user has it, asked on the last day; without vectors too where it has them."""

    def asking(with_vectors: bool) -> Ask:
        def ask(question: str, budget: int) -> list[Shown]:
            found = memory.recall(question, budget=budget, as_of=last, vectors=with_vectors)
            return [
                Shown(tuple(one.text.split("\n")), one.date, one.tokens, one.also_on)
                for one in found.passages
            ]

        return ask

    if not vectors:
        return {ENGINE: asking(False)}
    return {ENGINE: asking(True), f"{ENGINE}, no vectors": asking(False)}


def _embedding(notes: list[str]) -> Embed | None:
    """The embedding of the vector extra, if that is installed."""
    from lithify.search import vectors

    if vectors.installed():
        return lambda texts: list(map(vectors.embedder().vector, texts))
    note = "vectors and rank fusion are left out: the vector extra is not installed"
    if note not in notes:
        notes.append(note)
    return None


def _say_strangers(asked: Sequence[Question], days: set[date], notes: list[str]) -> None:
    strangers = sum(1 for one in asked if one.days and days.isdisjoint(one.days))
    if strangers:
        notes.append(
            f"{strangers} of {len(asked)} questions are about days the root has not; "
            "see --first-day if the file counts days by number"
        )


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("questions", type=Path)
    parser.add_argument("--root")
    parser.add_argument("--sample", action="append", default=[], help="only this conversation")
    parser.add_argument("--first-day", help="the day that the file counts as day 1")
    parser.add_argument("--limit", type=int, help="a quick look: so many of the questions")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--plot", type=Path, help="answer words against the budget, as SVG")
    options = parser.parse_args(arguments)
    samples = read(options.questions)
    result, notes = measure(samples, options.sample, options.first_day, options.limit, options.root)
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    said = {**as_json(result), "notes": notes}
    print(json.dumps(said, indent=2) if options.json else table(result))
    if options.plot:
        title = "Answer words found, by tokens returned"
        drawn = svg(curves(result), title, lambda budget: f"{budget:g}")
        options.plot.write_text(drawn, encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except LithifyError as error:
        sys.exit(error.message)
