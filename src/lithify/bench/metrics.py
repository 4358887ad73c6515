"""What a tier kept of its sources, counted the same way for every method.

A *unit* is one bullet. An *atom* is a figure, date, name or other specific by its normal form;
relative dates are resolved by the day they were said. A *word* is a stem with content.

*Tier search* is plain BM25 (k1 1.2, b 0.75) over a tier's units with the question's words as the
query. The heading path and the day of the entry a unit cites first are indexed with its text and
neither counted nor returned, near-duplicates (Jaccard of words ≥ 0.7) are returned once, and the
answer stops at the first unit that does not fit 1,000 tokens. Of the ways to count that were tried
it is the one that comes nearest to published figures of simple methods on repetitive logs.

*Redundancy* is counted page by page, since a page is what is read at once: what a week repeats
of another week is the source's, and stands beside it as `redundancy_across`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import log

from lithify.bench.corpus import Day, Question, date_mark
from lithify.text.specifics import atom_keys
from lithify.text.stems import stems_of
from lithify.text.tokens import estimate

SAME = 0.7
RETURNED = 1000


@dataclass(frozen=True, slots=True)
class Piece:
    """One bullet of a tier, the day its dates are read from, and the headings it came from."""

    text: str
    day: date | None
    tokens: int
    page: str = ""
    headings: tuple[str, ...] = ()

    @property
    def fields(self) -> str:
        """What a search knows of a bullet beside its text."""
        days = [self.day.isoformat(), f"{self.day:%A %d %B %Y}"] if self.day else []
        return " ".join([*self.headings, *days])


def piece(text: str, day: date | None, page: str = "", headings: tuple[str, ...] = ()) -> Piece:
    """A bullet of a page with its marker counted."""
    return Piece(text, day, estimate(f"- {text}"), page, headings)


@dataclass(frozen=True, slots=True)
class Score:
    """A method at one tier. Shares are of one; those that need questions are None without."""

    tokens: int
    atoms: float
    single_day_atoms: float
    redundancy: float
    redundancy_across: float
    answer_atoms: float | None = None
    answer_words: float | None = None
    best_unit: float | None = None
    tier_search: float | None = None


class Source:
    """The days as the yardstick: their atoms, their words, and how rare each word is."""

    def __init__(self, days: Sequence[Day], questions: Sequence[Question] = ()) -> None:
        on_days: Counter[str] = Counter()
        frequency: Counter[str] = Counter()
        entries = 0
        postings: dict[str, list[int]] = {}
        self.of_day: dict[date, set[str]] = {}
        for day in days:
            held = self.of_day.setdefault(day.day, set())
            keys = {day.day.isoformat()}
            for entry in day.entries:
                keys |= atom_keys(entry.text, entry.day)
                own = set(stems_of(entry.text))
                frequency.update(own)
                own.update(stems_of(date_mark(entry)))
                held |= own
                for stem in own:
                    postings.setdefault(stem, []).append(entries)
                entries += 1
            keys.update(key for heading in _headings(day) for key in atom_keys(heading, day.day))
            frequency.update({stem for heading in _headings(day) for stem in stems_of(heading)})
            on_days.update(keys)
        self.atoms = frozenset(on_days)
        self.single_day = frozenset(key for key, count in on_days.items() if count == 1)
        self.idf = {stem: log(1 + entries / count) for stem, count in frequency.items()}
        self.postings = postings
        self.asked = [_asked(question, self) for question in questions]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is scored: its words, and the answer's atoms and words that are reachable.

    A word of the answer is reachable where a day the question is about holds it: elsewhere it
    is there by chance, and what an answer says in words of its own nobody could have kept.
    `together` is the weight of the answer's words in the one source entry that holds most of
    them, with its date: no unit can be asked to hold together what no entry does.
    """

    question: tuple[str, ...]
    atoms: frozenset[str]
    words: Mapping[str, float]
    together: float


def _headings(day: Day) -> list[str]:
    return list(dict.fromkeys(heading for entry in day.entries for heading in entry.headings))


def _asked(question: Question, source: Source) -> Asked:
    anchor = question.days[-1] if question.days else None
    asked = tuple(dict.fromkeys(stems_of(question.question)))
    held = [source.of_day[day] for day in question.days if day in source.of_day]
    there = frozenset().union(*held) if held else source.idf.keys()
    words = {
        stem: source.idf[stem]
        for stem in dict.fromkeys(stems_of(question.answer))
        if stem not in asked and stem in source.idf and stem in there
    }
    atoms = atom_keys(question.answer, anchor) - atom_keys(question.question, anchor)
    together: dict[int, float] = {}
    for stem, weight in words.items():
        for number in source.postings.get(stem, ()):
            together[number] = together.get(number, 0.0) + weight
    return Asked(asked, atoms & source.atoms, words, max(together.values(), default=0.0))


def score(pieces: Sequence[Piece], source: Source) -> Score:
    """Every figure of one method at one tier."""
    stems = [frozenset(stems_of(piece.text)) for piece in pieces]
    kept: set[str] = set()
    for one in pieces:
        kept |= atom_keys(one.text, one.day)
    tokens = sum(one.tokens for one in pieces)
    plain = Score(
        tokens=tokens,
        atoms=_share(len(kept & source.atoms), len(source.atoms)),
        single_day_atoms=_share(len(kept & source.single_day), len(source.single_day)),
        redundancy=redundancy(pieces, stems, within=True),
        redundancy_across=redundancy(pieces, stems),
    )
    if not source.asked:
        return plain
    index = Index(pieces, stems)
    vocabulary = frozenset().union(*stems) if stems else frozenset()
    atoms = [len(q.atoms & kept) / len(q.atoms) for q in source.asked if q.atoms]
    worded = [q for q in source.asked if q.words]
    words = [_weight(q, vocabulary) for q in worded]
    best = [min(1.0, index.best_unit(q.words) / q.together) for q in worded if q.together]
    found = [_weight(q, index.search(q.question)) for q in worded]
    return replace(
        plain,
        answer_atoms=_mean(atoms),
        answer_words=_mean(words),
        best_unit=_mean(best),
        tier_search=_mean(found),
    )


def _weight(asked: Asked, present: Iterable[str]) -> float:
    have = frozenset(present)
    return sum(w for s, w in asked.words.items() if s in have) / sum(asked.words.values())


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 1.0


def redundancy(
    pieces: Sequence[Piece], stems: Sequence[frozenset[str]], within: bool = False
) -> float:
    """Share of tokens in units whose word set has Jaccard ≥ 0.7 with another unit.

    `within`: another unit of the same page; otherwise of the whole tier, where a week that
    repeats what last week said counts as well.
    """
    frequency = Counter(stem for own in stems for stem in own)
    by_stem: dict[str, list[int]] = {}
    double: set[int] = set()
    for number, own in enumerate(stems):
        ranked = sorted(own, key=lambda stem: (frequency[stem], stem))
        # Two sets this alike share one of the rarest words of each.
        probes = ranked[: len(own) - int(SAME * len(own) + 0.999999) + 1]
        tried: set[int] = set()
        for stem in probes:
            key = f"{pieces[number].page} {stem}" if within else stem
            for other in by_stem.setdefault(key, []):
                if other in tried:
                    continue
                tried.add(other)
                if alike(own, stems[other]):
                    double.add(number)
                    double.add(other)
            by_stem[key].append(number)
    total = sum(piece.tokens for piece in pieces)
    return sum(pieces[n].tokens for n in double) / total if total else 0.0


class Index:
    """BM25 over a tier's own units, each with the fields a search knows of it."""

    def __init__(self, pieces: Sequence[Piece], stems: Sequence[frozenset[str]]) -> None:
        self.pieces, self.stems = pieces, stems
        self.postings: dict[str, list[tuple[int, int]]] = {}
        self.lengths: list[int] = []
        for number, one in enumerate(pieces):
            counts = Counter(stems_of(f"{one.text} {one.fields}"))
            self.lengths.append(sum(counts.values()))
            for stem, count in counts.items():
                self.postings.setdefault(stem, []).append((number, count))
        self.mean = sum(self.lengths) / len(pieces) if pieces else 1.0

    def best_unit(self, words: Mapping[str, float]) -> float:
        """The largest weight of the words that stands together in one unit."""
        totals: dict[int, float] = {}
        for stem, weight in words.items():
            for number, _ in self.postings.get(stem, ()):
                if stem in self.stems[number]:
                    totals[number] = totals.get(number, 0.0) + weight
        return max(totals.values(), default=0.0)

    def search(self, query: Sequence[str]) -> frozenset[str]:
        """The words of the best units for a query, up to 1,000 tokens of them."""
        scores: dict[int, float] = {}
        size = len(self.pieces)
        for stem in query:
            found = self.postings.get(stem, [])
            idf = log(1 + (size - len(found) + 0.5) / (len(found) + 0.5))
            for number, count in found:
                norm = 1.2 * (0.25 + 0.75 * self.lengths[number] / self.mean)
                scores[number] = scores.get(number, 0.0) + idf * count * 2.2 / (count + norm)
        room = RETURNED
        words: set[str] = set()
        shown: list[frozenset[str]] = []
        for number in sorted(scores, key=lambda n: (-scores[n], n)):
            own = self.stems[number]
            if any(alike(own, other) for other in shown):
                continue
            if self.pieces[number].tokens > room:
                break
            room -= self.pieces[number].tokens
            words |= own
            shown.append(own)
        return frozenset(words)


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sets of words are near-duplicates."""
    shared = len(one & other)
    return shared >= SAME * (len(one) + len(other) - shared)
