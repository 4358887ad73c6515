"""The questions and entries of the recall logs, as the training and its figures use them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

import numpy as np

from lithify.bench.corpus import read_days
from lithify.search.index import terms_of
from lithify.text.sentences import speaker_of
from lithify.text.tokens import estimate
from lithify.values import Entry

HERE = Path(__file__).parent
Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the numbers of the entries that answer it; none if the log has no answer."""

    text: str
    kind: str
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Log:
    """A log: its entries in order with their lengths in tokens, and the questions about it."""

    name: str
    entries: tuple[Entry, ...]
    tokens: Array
    questions: tuple[Question, ...]

    @property
    def answerable(self) -> tuple[Question, ...]:
        return tuple(question for question in self.questions if question.evidence)

    @property
    def conversation(self) -> bool:
        """Whether most entries are turns of a conversation."""
        return sum(bool(speaker_of(entry.text)) for entry in self.entries) * 2 > len(self.entries)

    def turns_before(self) -> list[str]:
        """For each entry that is a turn of a conversation the turn before it, for others nothing."""
        found = [""]
        for before, entry in pairwise(self.entries):
            joined = before.day == entry.day and speaker_of(before.text) and speaker_of(entry.text)
            found.append(before.text if joined else "")
        return found


def read_logs(folder: Path) -> list[Log]:
    """The logs of a folder by name."""
    logs = []
    for path in sorted(folder.glob("*/questions.jsonl")):
        days = read_days(path.parent)
        entries = tuple(entry for day in days for entry in day.entries)
        numbers = {entry.id: number for number, entry in enumerate(entries)}
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        questions = tuple(
            Question(row["question"], row["kind"], tuple(numbers[id] for id in row["evidence"]))
            for row in rows
        )
        tokens = np.array([estimate(entry.text) for entry in entries])
        logs.append(Log(path.parent.name, entries, tokens, questions))
    return logs


def bm25(found: Log) -> Array:
    """The BM25 score of every entry, with its headings and lead-in, for every answerable question."""
    documents = [Counter(terms_of(" ".join((*e.headings, e.lead, e.text)))) for e in found.entries]
    lengths = np.array([max(1, document.total()) for document in documents])
    norm = 1.2 * (0.25 + 0.75 * lengths / lengths.mean())
    spread = Counter(term for document in documents for term in document)
    scores = np.zeros((len(found.answerable), len(documents)), dtype=np.float32)
    for row, question in enumerate(found.answerable):
        for term in sorted(set(terms_of(question.text)) & spread.keys()):
            rarity = log(1 + (len(documents) - spread[term] + 0.5) / (spread[term] + 0.5))
            counts = np.array([document[term] for document in documents])
            scores[row] += rarity * counts * 2.2 / (counts + norm)
    return scores


def folds(logs: Sequence[Log], count: int) -> Iterator[frozenset[str]]:
    """The names of the logs left out in each fold, with conversations and long logs spread evenly."""
    order = sorted(logs, key=lambda found: (found.conversation, len(found.entries), found.name))
    for fold in range(count):
        yield frozenset(found.name for found in order[fold::count])


def blended(lexical: Array, cosine: Array) -> Array:
    """BM25 as a part of its best score, plus the cosine from the median (0) to the nearest (1)."""
    low, high = np.median(cosine, axis=1, keepdims=True), cosine.max(axis=1, keepdims=True)
    near = np.clip((cosine - low) / np.maximum(high - low, 1e-9), 0, 1)
    return lexical / np.maximum(lexical.max(axis=1, keepdims=True), 1e-9) + near


def found_shares(found: Log, scores: Array, budget: int = 1000) -> list[tuple[float, float]]:
    """For each question the share of its evidence in the first ten entries, and inside a budget."""
    shares = []
    for question, row in zip(found.answerable, scores, strict=True):
        order = np.argsort(-row, kind="stable")
        inside = order[np.cumsum(found.tokens[order]) <= budget]
        shares.append(
            (
                float(np.isin(question.evidence, order[:10]).mean()),
                float(np.isin(question.evidence, inside).mean()),
            )
        )
    return shares
