"""What a tier kept of its sources, counted the same way for every method.

A *unit* is one bullet. A *specific* is a word with a digit, or one that is joined like an identifier or
address (`text/cover.py`). A *word* is a stem with content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import log

from lithify.bench.corpus import Day, Question, date_mark
from lithify.engines.cover import specifics_of
from lithify.text.tokens import estimate
from lithify.text.words import stems_of


@dataclass(frozen=True, slots=True)
class Piece:
    """One bullet of a tier, the day its dates are read from, its page and its entry's headings."""

    text: str
    day: date | None
    tokens: int
    page: str = ""
    headings: tuple[str, ...] = ()


def piece(text: str, day: date | None, page: str = "", headings: tuple[str, ...] = ()) -> Piece:
    """Return a bullet of a page with its marker counted."""
    return Piece(text, day, estimate(f"- {text}"), page, headings)


@dataclass(frozen=True, slots=True)
class Score:
    """A method at one tier. Shares are of one; those that need questions are None without.

    The last three are measured by `benchmarks/` alone.
    """

    tokens: int
    specifics: float
    single_day: float
    answer_specifics: float | None = None
    answer_words: float | None = None
    best_unit: float | None = None
    tier_search: float | None = None
    redundancy: float | None = None
    redundancy_across: float | None = None


class Source:
    """The days as the yardstick: their specifics, their words, and how rare each word is."""

    def __init__(self, days: Sequence[Day], questions: Sequence[Question] = ()) -> None:
        on_days: Counter[str] = Counter()
        frequency: Counter[str] = Counter()
        entries = 0
        postings: dict[str, list[int]] = {}
        self.of_day: dict[date, set[str]] = {}
        for day in days:
            held = self.of_day.setdefault(day.day, set())
            keys: set[str] = set()
            for entry in day.entries:
                keys |= specifics_of(entry.text)
                own = set(stems_of(entry.text))
                frequency.update(own)
                own.update(stems_of(date_mark(entry)))
                held |= own
                for stem in own:
                    postings.setdefault(stem, []).append(entries)
                entries += 1
            keys.update(key for heading in _headings(day) for key in specifics_of(heading))
            frequency.update({stem for heading in _headings(day) for stem in stems_of(heading)})
            on_days.update(keys)
        self.specifics = frozenset(on_days)
        self.single_day = frozenset(key for key, count in on_days.items() if count == 1)
        self.idf = {stem: log(1 + entries / count) for stem, count in frequency.items()}
        self.postings = postings
        self.asked = [_asked(question, self) for question in questions]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is scored: its words, and the answer's specifics and words that are reachable.

    A word of the answer is reachable where a day the question is about holds it: elsewhere it
    is there by chance, and what an answer says in words of its own nobody could have kept.
    `together` is the weight of the answer's words in the one source entry that holds most of
    them, with its date: no unit can be asked to hold together what no entry does.
    """

    question: tuple[str, ...]
    specifics: frozenset[str]
    words: Mapping[str, float]
    together: float


def _headings(day: Day) -> list[str]:
    return list(dict.fromkeys(heading for entry in day.entries for heading in entry.headings))


def _asked(question: Question, source: Source) -> Asked:
    asked = tuple(dict.fromkeys(stems_of(question.question)))
    held = [source.of_day[day] for day in question.days if day in source.of_day]
    there = frozenset().union(*held) if held else source.idf.keys()
    words = {
        stem: source.idf[stem]
        for stem in dict.fromkeys(stems_of(question.answer))
        if stem not in asked and stem in source.idf and stem in there
    }
    specifics = specifics_of(question.answer) - specifics_of(question.question)
    together: dict[int, float] = {}
    for stem, weight in words.items():
        for number in source.postings.get(stem, ()):
            together[number] = together.get(number, 0.0) + weight
    return Asked(
        asked, frozenset(specifics & source.specifics), words, max(together.values(), default=0.0)
    )


def score(pieces: Sequence[Piece], source: Source) -> Score:
    """Return every figure of one method at one tier."""
    stems = [frozenset(stems_of(piece.text)) for piece in pieces]
    kept: set[str] = set()
    for one in pieces:
        kept |= specifics_of(one.text)
    tokens = sum(one.tokens for one in pieces)
    plain = Score(
        tokens=tokens,
        specifics=_share(len(kept & source.specifics), len(source.specifics)),
        single_day=_share(len(kept & source.single_day), len(source.single_day)),
    )
    if not source.asked:
        return plain
    vocabulary = frozenset().union(*stems) if stems else frozenset()
    held = [q.specifics for q in source.asked if q.specifics]
    specifics = [len(own & kept) / len(own) for own in held]
    worded = [q for q in source.asked if q.words]
    words = [weight(q, vocabulary) for q in worded]
    best = [min(1.0, best_unit(q.words, stems) / q.together) for q in worded if q.together]
    return replace(
        plain,
        answer_specifics=mean(specifics),
        answer_words=mean(words),
        best_unit=mean(best),
    )


def best_unit(words: Mapping[str, float], units: Iterable[frozenset[str]]) -> float:
    """Return the largest weight of some words that stands together in one unit."""
    return max((sum(words[stem] for stem in words.keys() & own) for own in units), default=0.0)


def weight(asked: Asked, present: Iterable[str]) -> float:
    """Return the share of an answer's words, by weight, that are present."""
    have = frozenset(present)
    return sum(w for s, w in asked.words.items() if s in have) / sum(asked.words.values())


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def mean(values: Sequence[float]) -> float:
    """Return the mean, or one where nothing is asked for."""
    return sum(values) / len(values) if values else 1.0
