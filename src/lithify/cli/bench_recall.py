"""The run of `lithify bench recall`: its roots, the engine that is measured, the baselines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from lithify.bench.corpus import read_days
from lithify.bench.questions import Probe, Sample, choose, probes, thinned, write_days
from lithify.bench.rankers import Ask, Embed, Shown, simple
from lithify.bench.recall import Corpus, score
from lithify.bench.standings import Standings, standings
from lithify.calendar import parse_day
from lithify.cli.progress import Progress
from lithify.errors import UsageError
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
        scored = score(corpora, lambda done: said("asking questions", done, total))
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
            days = read_days(memory.root, memory.settings.days.patterns, snapshot.clean)
            if not days:
                raise UsageError(reason=f"{memory.root} has no days to search")
            every = probes(sample, first or days[0].day)
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
        return vectors.embedded
    note = "vectors and rank fusion are left out: the vector extra is not installed"
    if note not in notes:
        notes.append(note)
    return None


def _say_strangers(asked: Sequence[Probe], days: set[date], notes: list[str]) -> None:
    strangers = sum(
        1 for one in asked if one.question.days and not days.intersection(one.question.days)
    )
    if strangers:
        notes.append(
            f"{strangers} of {len(asked)} questions are about days the root has not; "
            "see --first-day if the file counts days by number"
        )
