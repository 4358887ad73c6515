"""What sentences are about, by name: a ticket, a label, a heading, a thing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import chain, islice

from lithify.engines.offline.matters.measures import UNITS
from lithify.engines.offline.matters.standing import ID
from lithify.engines.offline.matters.subjects import (
    BEFORE_NOUN,
    OCCASIONS,
    SHORTEST,
    is_noun,
    names_in,
    pairs_in,
    persons,
)
from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.openings import head_of
from lithify.engines.offline.reading.units import Unit, stem_counts, stems_in
from lithify.text.stems import COMMON_STEMS

_WORD = re.compile(r"[^\W\d_][\w-]*")
_NAME = re.compile(r"[^\W_]+")
#: "Decision (ADR-014): ..." begins as every decision does, whatever it decides.
_KIND = re.compile(r"[A-Z]\w+ \([^()]{1,40}\): ")
#: What stands over sentences and says something itself names no subject.
_CLAUSE = re.compile(
    r"\b(?:i|we|you|he|she|it|they|us|them|what|why|how|who|when|where|is|are|was|were|has|have)\b|[?!]",
    re.I,
)
_NO_SUBJECT = frozenset(UNITS.split("|")) | frozenset(
    [
        "hour",
        "minute",
        "second",
        "month",
        "summer",
        "winter",
        "spring",
        "autumn",
        "evening",
        "afternoon",
        "night",
        "half",
        "number",
        "count",
        "note",
        "list",
        "date",
        "line",
        "lines",
        "https",
        "http",
        "done",
        "test",
        "tests",
    ]
)
#: What begins alike on so many days, and on this part of them, is routine.
_DAILY, _OFTEN = 3, 6


class Naming:
    """The rare words of sentences, and what two of them are both about in the words of one.

    A word in more than `most` sentences is not rare; one that stands over them is so where it
    stands in few and over few.
    """

    def __init__(self, units: Sequence[Unit], most: int) -> None:
        self._people = _people(units)
        self._known = {unit.at: _words(unit) for unit in units}
        none = COMMON_STEMS.union(*map(stems_in, self._people))
        said = stem_counts(units)
        over = Counter(chain.from_iterable(self._known.values()))
        self.counts = {
            stem: said.get(stem, count)
            for stem, count in over.items()
            if said.get(stem, count) <= most
            and len(stem) > 1
            and stem not in none
            and stem not in _NO_SUBJECT
            and not stem.isdigit()
        }
        self._over = frozenset(stem for stem in self.counts if over[stem] <= most)

    def rare(self, unit: Unit, over: bool) -> frozenset[str]:
        """The rare words and ids of a sentence and of its label, and of the heading `over` it."""
        label = stems_in(f"{head_of(unit.entry.text)} {unit.label}")
        said = self.counts.keys() & chain(unit.stems, *(key for key, _ in _ids_in(unit.text)))
        return self._over.intersection(self._known[unit.at] if over else label).union(said)

    def shared(self, one: Unit, other: Unit, weights: Mapping[str, float]) -> str:
        """The best name of what both speak of."""
        words = self._known[one.at] & self._known[other.at]
        found = [
            (
                _fitness(key, name, unit),
                -name.count(" "),
                sum(weights.get(stem, 0.0) for stem in key),
                name,
            )
            for unit in (one, other)
            for key, name in _subjects(unit, self._people)
            if key <= words
            and not key.isdisjoint(weights)
            and _NO_SUBJECT.isdisjoint(name.lower().split())
        ]
        return max(found)[-1] if found else ""


def _fitness(key: frozenset[str], name: str, unit: Unit) -> int:
    """How well words name a thing: best as two nouns do, then an id, two words that may, one.

    Who or where it was is named last.
    """
    if key <= _beside(unit) and len(key) > 1:
        return 3
    if len(key) == 1:
        return 0 if _is_single(key) else 2
    if name.istitle():
        return 0
    return 3 if any(key == pair for pair, _, is_thing in pairs_in(unit.text) if is_thing) else 1


def _people(units: Sequence[Unit]) -> frozenset[str]:
    """The names of those who do the work; a label that no text has in small letters is one's own."""
    labels = {unit.label for unit in units if unit.label.istitle() and unit.label.isalpha()}
    speakers = {label.lower() for label in labels}
    for unit in units:
        text = unit.text
        speakers -= {one for one in speakers if one in text and one in _NAME.findall(text)}
    return frozenset(name.lower() for name in persons(units, labels=False)) | speakers


def _subject(unit: Unit) -> tuple[str, frozenset[str]]:
    """What a sentence's heading is about; what is over all the others is about the day."""
    return subject_of(unit.place[1:] or unit.place)


def _is_single(key: frozenset[str]) -> bool:
    return len(key) == 1 and not any(map(ID.fullmatch, map(str.upper, key)))


def is_name(words: str) -> bool:
    """Whether what stands over sentences can name a subject: it says nothing, and is no occasion."""
    return not _CLAUSE.search(words) and not COMMON_STEMS.union(OCCASIONS).issuperset(
        stems_in(words)
    )


def _subjects(unit: Unit, people: Set[str]) -> Iterator[tuple[frozenset[str], str]]:
    """What a sentence may be about, by the stems it is known by, and in words."""
    yield from _ids_in(f"{unit.label}: {unit.text}" if unit.label else unit.text)
    subject, stems = _subject(unit)
    # A heading of one word names a kind of thing.
    under = [(stems, subject)] if len(stems - COMMON_STEMS) > 1 else []
    for words in filter(None, (unit.label, head_of(unit.entry.text))):
        under.append((frozenset(stems_in(words)), words))
    under = [(key, words) for key, words in under if is_name(words)]
    for key, words in (*under, *_named_in(unit.text)):
        if not key <= COMMON_STEMS and people.isdisjoint(_NAME.findall(words.lower())):
            yield key, words


@lru_cache(maxsize=1 << 12)
def _ids_in(text: str) -> tuple[tuple[frozenset[str], str], ...]:
    ids = (one for one in ID.findall(text) if not one.islower())
    return tuple((frozenset([one.lower()]), one) for one in ids)


@lru_cache(maxsize=1 << 12)
def _named_in(text: str) -> tuple[tuple[frozenset[str], str], ...]:
    """The names, the pairs of nouns and the single nouns of a sentence."""
    found = [*names_in(text), *((key, words) for key, words, _ in pairs_in(text))]
    before = ""
    for word in _WORD.findall(text):
        plain = before in BEFORE_NOUN and word.islower() and word.isalpha()
        if plain and len(word) > SHORTEST and is_noun(word) and word not in _NO_SUBJECT:
            found.append((frozenset(stems_in(word)), word))
        before = word.lower()
    return tuple(found)


def _words(unit: Unit) -> frozenset[str]:
    said = f"{head_of(unit.entry.text)} {unit.label} {unit.text}"
    return _beside(unit).union(unit.stems, *(key for key, _ in _ids_in(said)))


def _beside(unit: Unit) -> frozenset[str]:
    """The words of the label and the headings that a sentence stands under."""
    under = stems_in(f"{head_of(unit.entry.text)} {unit.label}")
    return frozenset(under) | _subject(unit)[1]


def routine_openings(units: Sequence[Unit]) -> frozenset[tuple[str, ...]]:
    """How the lines begin that are written again and again, day after day."""
    days: dict[tuple[str, ...], set[object]] = {}
    for unit in units:
        days.setdefault(opening_of(unit), set()).add(unit.entry.day)
    least = max(_DAILY, len({unit.entry.day for unit in units}) // _OFTEN)
    return frozenset(opening for opening, found in days.items() if len(found) >= least)


def opening_of(unit: Unit) -> tuple[str, ...]:
    """The first words of a sentence, figures left out, and what kind of line it is."""
    kind = _KIND.match(unit.text)
    stems = stems_in(unit.text[kind.end() :]) if kind else unit.stems
    return tuple(islice((stem for stem in stems if not stem[0].isdigit()), 2))
