"""Recall: whether what answers a question is among the passages found, inside a budget.

Every method is asked the same questions over the same entries. Evidence and answers are looked
for in the passages' own words; `benchmarks/README.md` has the definitions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from lithify.bench.corpus import Day, date_mark
from lithify.bench.metrics import Asked, Source
from lithify.bench.questions import Probe
from lithify.bench.rankers import Ask, Shown
from lithify.text.specifics import atom_keys
from lithify.text.stems import stems_of
from lithify.values import Entry

BUDGETS = (500, 1000, 2000, 4000)
FIRST = (1, 5, 10, 20)
#: How many of the first passages evidence is looked for in.
LOOK = 10
SILENT = "silent"

_ODD = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Scored:
    """One question by one method; a measure it has no say in is None."""

    category: str
    absent: bool
    values: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Days, the questions about them, and the methods to be asked."""

    days: Sequence[Day]
    probes: Sequence[Probe]
    methods: Mapping[str, Ask]


def score(
    corpora: Iterable[Corpus], progress: Callable[[int], None] = lambda done: None
) -> dict[str, list[Scored]]:
    """Every question of every corpus by every method, in the same order for each."""
    found: dict[str, list[Scored]] = {}
    done = 0
    for corpus in corpora:
        source = Source(corpus.days, [probe.question for probe in corpus.probes])
        for probe, asked in zip(corpus.probes, source.asked, strict=True):
            for name, ask in corpus.methods.items():
                found.setdefault(name, []).append(_scored(probe, asked, ask))
            done += 1
            progress(done)
    return found


def _scored(probe: Probe, asked: Asked, ask: Ask) -> Scored:
    within = {budget: ask(probe.question.question, budget) for budget in BUDGETS}
    return Scored(probe.question.category, probe.absent, measures(probe, asked, within))


def measures(
    probe: Probe, asked: Asked, within: Mapping[int, Sequence[Shown]]
) -> dict[str, float | None]:
    """Each measure of one question by its name, from the passages returned inside each budget.

    What is said of the first passages is said of those inside the largest budget.
    """
    first = within[max(within)]
    values: dict[str, float | None] = {SILENT: float(not first)}
    if probe.absent:
        return values
    relevant = set(probe.question.days)
    for k in FIRST:
        on = {shown.day for shown in first[:k]} & relevant
        values[f"hit@{k}"] = float(bool(on)) if relevant else None
        values[f"recall@{k}"] = len(on) / len(relevant) if relevant else None
    named = {day for shown in first[:LOOK] for day in (shown.day, *shown.also)} & relevant
    values[f"days named@{LOOK}"] = len(named) / len(relevant) if relevant else None
    values[f"evidence@{LOOK}"] = evidence(probe.evidence, first[:LOOK])
    values[f"tokens@{LOOK}"] = float(sum(shown.tokens for shown in first[:LOOK]))
    for budget, passages in within.items():
        values[f"evidence in {budget}"] = evidence(probe.evidence, passages)
        words = frozenset(stem for shown in passages for stem in _words(shown))
        values[f"words in {budget}"] = _weight(asked.words, words)
        atoms = frozenset(key for shown in passages for key in _atoms(shown))
        values[f"atoms in {budget}"] = (
            len(asked.atoms & atoms) / len(asked.atoms) if asked.atoms else None
        )
        values[f"best unit in {budget}"] = _best(asked, passages)
    return values


def evidence(turns: Sequence[str], passages: Sequence[Shown]) -> float | None:
    """The share of the exact sentences that stand in the passages, marks and case aside."""
    if not turns:
        return None
    there = " | ".join(_plain(unit) for shown in passages for unit in shown.units)
    return sum(_plain(turn) in there for turn in turns) / len(turns)


@lru_cache(maxsize=1 << 14)
def _plain(text: str) -> str:
    return _ODD.sub(" ", text.lower()).strip()


@lru_cache(maxsize=1 << 14)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stems_of(text))


@lru_cache(maxsize=1 << 14)
def _keys(text: str, day: date | None) -> frozenset[str]:
    return frozenset(atom_keys(text, day))


@lru_cache(maxsize=1 << 12)
def _mark(day: date | None) -> str:
    """A passage's day as a reader sees it before the words, which would not say when."""
    return date_mark(Entry("", "", day=day))


def _words(shown: Shown) -> frozenset[str]:
    return _stems(_mark(shown.day)).union(*(_stems(unit) for unit in shown.units))


def _atoms(shown: Shown) -> frozenset[str]:
    dated = _keys(_mark(shown.day), shown.day)
    return dated.union(*(_keys(unit, shown.day) for unit in shown.units))


def _weight(words: Mapping[str, float], present: frozenset[str]) -> float | None:
    if not words:
        return None
    return sum(weight for stem, weight in words.items() if stem in present) / sum(words.values())


def _best(asked: Asked, passages: Sequence[Shown]) -> float | None:
    if not asked.words or not asked.together:
        return None
    held = (
        sum(w for stem, w in asked.words.items() if stem in own or stem in dated)
        for shown in passages
        for dated in (_stems(_mark(shown.day)),)
        for own in map(_stems, shown.units)
    )
    return min(1.0, max(held, default=0.0) / asked.together)
