"""Recall: whether what answers a question is among the passages found, inside a budget.

Every method is asked the same questions over the same entries. Evidence and answers are looked
for in the passages' own words; `benchmarks/README.md` has the definitions.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from lithify.bench.corpus import Day, Question, date_mark
from lithify.bench.metrics import Asked, Source, weight
from lithify.regex import regex
from lithify.text.tokens import estimate
from lithify.text.words import stems_of
from lithify.values import Entry

BUDGETS = (500, 1000, 2000, 4000)
FIRST = (1, 5, 10, 20)
#: How many of the first passages evidence is looked for in.
LOOK = 10
SILENT, TRUE_SILENCE, FALSE_SILENCE = "silent", "true silence", "false silence"

_ODD = regex(r"\W+")


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage as a reader is given it: the texts of its entries, its day, what it costs.

    `also` are other days it says that it stands on.
    """

    units: tuple[str, ...]
    day: date | None
    tokens: int
    also: tuple[date, ...] = ()


#: A question and a budget in tokens to the passages inside it, best first.
Ask = Callable[[str, int], Sequence[Shown]]


def full_text(entries: Sequence[Entry]) -> Ask:
    """Search entries by SQLite's FTS5 and its Porter stemmer, for any word of the question."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE entry USING fts5 (text, tokenize = 'porter unicode61')")
    texts = (f"{date_mark(entry)} {' '.join(entry.headings)} {entry.text}" for entry in entries)
    db.executemany("INSERT INTO entry (rowid, text) VALUES (?, ?)", enumerate(texts))

    def ask(question: str, budget: int) -> list[Shown]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question)) or '""'
        query = "SELECT rowid FROM entry WHERE entry MATCH ? ORDER BY rank, rowid LIMIT 2000"
        found = []
        for (number,) in db.execute(query, (words,)):
            entry = entries[number]
            budget -= estimate(entry.text)
            if budget < 0:
                break
            found.append(Shown((entry.text,), entry.day, estimate(entry.text)))
        return found

    return ask


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
    questions: Sequence[Question]
    methods: Mapping[str, Ask]


def measures(
    question: Question, asked: Asked, within: Mapping[int, Sequence[Shown]]
) -> dict[str, float | None]:
    """Return each measure of one question, from the passages returned inside each budget.

    What is said of the first passages is said of those inside the largest budget.
    """
    first = within[max(within)]
    values: dict[str, float | None] = {SILENT: float(not first)}
    if question.absent:
        return values
    for budget, passages in within.items():
        words = frozenset(stem for shown in passages for stem in _words(shown))
        values[f"words in {budget}"] = weight(asked, words) if asked.words else None
    values[f"evidence@{LOOK}"] = evidence(question.evidence, first[:LOOK])
    relevant = set(question.days)
    for k in FIRST:
        hit = any(shown.day in relevant for shown in first[:k])
        values[f"hit@{k}"] = float(hit) if relevant else None
    return values


def score(
    corpora: Iterable[Corpus],
    progress: Callable[[int], None] = lambda done: None,
    measure: Callable[
        [Question, Asked, Mapping[int, Sequence[Shown]]], dict[str, float | None]
    ] = measures,
) -> dict[str, list[Scored]]:
    """Ask every question of every corpus by every method, in the same order for each."""
    found: dict[str, list[Scored]] = {}
    done = 0
    for corpus in corpora:
        source = Source(corpus.days, corpus.questions)
        for question, asked in zip(corpus.questions, source.asked, strict=True):
            for name, ask in corpus.methods.items():
                within = {budget: ask(question.question, budget) for budget in BUDGETS}
                values = measure(question, asked, within)
                one = Scored(question.category, question.absent, values)
                found.setdefault(name, []).append(one)
            done += 1
            progress(done)
    return found


def means(rows: Sequence[Scored]) -> dict[str, float]:
    """Return the mean of each measure over the questions that have a say in it."""
    values: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row.values.items():
            if name == SILENT:
                name = TRUE_SILENCE if row.absent else FALSE_SILENCE
            if value is not None:
                values.setdefault(name, []).append(value)
    silence = {name: values.pop(name) for name in (TRUE_SILENCE, FALSE_SILENCE) if name in values}
    return {name: sum(own) / len(own) for name, own in (values | silence).items()}


def evidence(turns: Sequence[str], passages: Sequence[Shown]) -> float | None:
    """Return the share of the exact sentences that stand in the passages, marks and case aside."""
    if not turns:
        return None
    there = " | ".join(_plain(unit) for shown in passages for unit in shown.units)
    return sum(_plain(turn) in there for turn in turns) / len(turns)


@lru_cache(maxsize=1 << 14)
def _plain(text: str) -> str:
    return _ODD.sub(" ", text.lower()).strip()


@lru_cache(maxsize=1 << 14)
def stems_in(text: str) -> frozenset[str]:
    """Return the words of a text, remembered because every budget asks for them again."""
    return frozenset(stems_of(text))


@lru_cache(maxsize=1 << 12)
def day_mark(day: date | None) -> str:
    """Return a passage's day as a reader sees it before the words, which would not say when."""
    return date_mark(Entry("", "", day=day))


def _words(shown: Shown) -> frozenset[str]:
    return stems_in(day_mark(shown.day)).union(*map(stems_in, shown.units))
