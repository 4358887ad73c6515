"""Simple ways to search the same entries, to be measured against.

Each searches units, which are single entries or passages of neighbouring ones, with their headings
and date, and gives back whole units, best first, while they fit; the first that does not ends the
list. What has been shown is not shown again: a unit with the same words, or, where a ranker skips
near-duplicates, with most of them.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from math import log
from typing import Any

from comparison.page_metrics import SAME
from lithify.bench.recall import Ask, Shown
from lithify.text.tokens import estimate
from lithify.text.words import stems_of
from lithify.values import Entry

#: How slowly a rank loses weight in rank fusion, as commonly set.
FUSED = 60
#: A list is read until it holds this many tokens: no question has room for more.
TOKENS = 5000
#: As far down as one ranking is looked at by another.
DEPTH = 2000
#: A passage ends before the entry that would make it longer than this, in tokens.
PASSAGE = 200


#: Texts to rows of numbers, each of length one.
Embed = Callable[[Sequence[str]], Any]


class Units:
    """What the rankers share: entries or runs of them with their words, and BM25 over them."""

    def __init__(self, runs: Sequence[Sequence[Entry]]) -> None:
        self.shown = [
            Shown(texts, run[0].day, sum(map(estimate, texts)))
            for run in runs
            for texts in [tuple(entry.text for entry in run)]
        ]
        self.searched = [searched(run) for run in runs]
        self.own = [frozenset(stems_of(" ".join(one.units))) for one in self.shown]
        self.postings: dict[str, list[tuple[int, int]]] = {}
        self.lengths: list[int] = []
        for number, text in enumerate(self.searched):
            counts = Counter(stems_of(text))
            self.lengths.append(sum(counts.values()))
            for stem, count in counts.items():
                self.postings.setdefault(stem, []).append((number, count))
        self.mean = sum(self.lengths) / len(runs) if runs else 1.0
        self.last: tuple[str, list[int]] = ("", [])

    def bm25(self, question: str) -> list[int]:
        """The units that share a word with the question, best first (k1 1.2, b 0.75)."""
        # Several rankers ask the same question one after the other.
        if self.last[0] != question:
            self.last = (question, self._bm25(question))
        return self.last[1]

    def _bm25(self, question: str) -> list[int]:
        scores: dict[int, float] = {}
        size = len(self.shown)
        for stem in dict.fromkeys(stems_of(question)):
            found = self.postings.get(stem, [])
            idf = log(1 + (size - len(found) + 0.5) / (len(found) + 0.5))
            for number, count in found:
                norm = 1.2 * (0.25 + 0.75 * self.lengths[number] / self.mean)
                scores[number] = scores.get(number, 0.0) + idf * count * 2.2 / (count + norm)
        return sorted(scores, key=lambda number: (-scores[number], number))


def searched(run: Sequence[Entry]) -> str:
    """Neighbouring entries as they are searched: date in figures and words, headings, texts."""
    day = run[0].day
    dated = f"{day} {day:%A %d %B %Y}" if day else ""
    return " ".join((dated, *run[0].headings, *(entry.text for entry in run)))


def passages(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Runs of neighbouring entries under one heading of one file, of about 200 tokens."""
    runs: list[list[Entry]] = []
    room, above = 0, None
    for entry in entries:
        tokens, under = estimate(entry.text), (entry.path, entry.day, entry.headings)
        if under == above and tokens <= room:
            runs[-1].append(entry)
            room -= tokens
        else:
            runs.append([entry])
            room, above = PASSAGE - tokens, under
    return runs


def asking(units: Units, rank: Callable[[str], list[int]], alike: float = 1.0) -> Ask:
    """A ranker as it is asked; units whose words are `alike` by Jaccard are shown once."""
    last: tuple[str, list[int]] = ("", [])

    def ask(question: str, budget: int) -> list[Shown]:
        nonlocal last
        if last[0] != question:
            last = (question, _different(units, rank(question), alike))
        found: list[Shown] = []
        for number in last[1]:
            one = units.shown[number]
            if one.tokens > budget:
                break
            budget -= one.tokens
            found.append(one)
        return found

    return ask


def _different(units: Units, ranked: Sequence[int], alike: float) -> list[int]:
    kept: list[int] = []
    seen: set[frozenset[str]] = set()
    tokens = 0
    for number in ranked:
        own = units.own[number]
        if own in seen:
            continue
        seen.add(own)
        if alike < 1 and any(_near(own, units.own[other], alike) for other in kept):
            continue
        kept.append(number)
        tokens += units.shown[number].tokens
        if tokens > TOKENS:
            break
    return kept


def _near(one: frozenset[str], other: frozenset[str], alike: float) -> bool:
    shared = len(one & other)
    return shared >= alike * (len(one) + len(other) - shared)


def by_vectors(units: Units, embed: Embed) -> Callable[[str], list[int]]:
    """Units by the cosine of their embedding with the question's, all of them looked at."""
    import numpy as np

    rows = np.asarray(embed(units.searched), dtype=np.float32)

    def rank(question: str) -> list[int]:
        likeness = rows @ np.asarray(embed([question]), dtype=np.float32)[0]
        return [int(number) for number in np.argsort(-likeness, kind="stable")[:DEPTH]]

    return rank


def by_fts5(units: Units) -> Callable[[str], list[int]]:
    """Units by the `rank` of SQLite's FTS5 with its Porter stemmer, any word of the question."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE unit USING fts5 (text, tokenize = 'porter unicode61')")
    db.executemany("INSERT INTO unit (rowid, text) VALUES (?, ?)", enumerate(units.searched))

    def rank(question: str) -> list[int]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
        asked = "SELECT rowid FROM unit WHERE unit MATCH ? ORDER BY rank, rowid LIMIT ?"
        return [id for (id,) in db.execute(asked, (words, DEPTH))] if words else []

    return rank


def by_bm25s(units: Units) -> Callable[[str], list[int]]:
    """Units by the package bm25s with its own tokenizer and English stop words."""
    import bm25s

    index = bm25s.BM25()
    split = {"stopwords": "en", "show_progress": False}
    index.index(bm25s.tokenize(units.searched, **split), show_progress=False)
    most = min(DEPTH, len(units.searched))

    def rank(question: str) -> list[int]:
        words = bm25s.tokenize(question, **split)
        found, scores = index.retrieve(words, k=most, show_progress=False)
        return [int(n) for n, score in zip(found[0], scores[0], strict=True) if score > 0]

    return rank


def fused(
    one: Callable[[str], list[int]], other: Callable[[str], list[int]]
) -> Callable[[str], list[int]]:
    """Plain reciprocal rank fusion of two rankings."""

    def rank(question: str) -> list[int]:
        scores: dict[int, float] = {}
        for ranked in (one(question), other(question)):
            for place, number in enumerate(ranked[:DEPTH], 1):
                scores[number] = scores.get(number, 0.0) + 1 / (FUSED + place)
        return sorted(scores, key=lambda number: (-scores[number], number))

    return rank


def simple(entries: Sequence[Entry], embed: Embed | None = None) -> dict[str, Ask]:
    """The simple methods by name; those with vectors only where there is an embedding."""
    runs, lines = Units(passages(entries)), Units([[entry] for entry in entries])
    methods = {
        "passages": asking(runs, runs.bm25, SAME),
        "BM25": asking(lines, lines.bm25),
        "BM25, folded": asking(lines, lines.bm25, SAME),
        "FTS5": asking(runs, by_fts5(runs), SAME),
    }
    if find_spec("bm25s") and entries:
        methods["bm25s"] = asking(runs, by_bm25s(runs), SAME)
    if embed is not None:
        near = by_vectors(lines, embed)
        methods["vectors"] = asking(lines, near)
        methods["rank fusion"] = asking(lines, fused(lines.bm25, near))
    return methods
