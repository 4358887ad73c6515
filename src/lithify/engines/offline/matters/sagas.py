"""Subjects that a log comes back to: a ticket, a label, a heading, a name, a thing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice, pairwise
from math import log

from lithify import cues
from lithify.engines.offline.matters.measures import UNITS
from lithify.engines.offline.matters.progress import is_count
from lithify.engines.offline.matters.standing import ID
from lithify.engines.offline.matters.subjects import (
    BEFORE_NOUN,
    OCCASIONS,
    SHORTEST,
    is_noun,
    names_in,
    pairs_in,
    persons,
    rare_stems,
    week,
)
from lithify.engines.offline.reading.headings import is_generic, subject_of
from lithify.engines.offline.reading.openings import head_of
from lithify.engines.offline.reading.units import Unit, stem_counts, stems_in
from lithify.words import COMMON_STEMS

#: What a subject's name is worth: an id or two words name one thing, a single word may name many.
_EXACT, _SINGLE, _HEADED = 1.6, 0.6, 2.4
#: In more than this share of the sentences a subject is what all the work is about.
_EVERYWHERE = 0.07
_LEAST, _SINGLES = 6, 10
#: Telling words that a sentence needs to be one.
_WHOLE = 4
#: Of what is told already, so much may be told again under another name.
_OVERLAP = 0.5
_WORD = re.compile(r"[^\W\d_][\w-]*")
_NAME = re.compile(r"[^\W_]+")
#: "Decision (ADR-014): ..." begins as every decision does, whatever it decides.
_KIND = re.compile(r"[A-Z]\w+ \([^()]{1,40}\): ")
#: What stands over sentences and says something itself names no subject.
_CLAUSE = re.compile(
    r"\b(?:i|we|you|he|she|it|they|us|them|what|why|how|who|when|where|is|are|was|were|has|have)\b|[?!]",
    re.I,
)
_STATED, _MOST = 0.35, 4
#: The share of its days that a thread of a single word must go on from the day before.
_BOUND = 0.6
#: And one that stands under headings: a part of every day, such as private things, does so less.
_GOES_ON = 0.3
#: What a name of many words is worth beside a short one.
_LINKED = 0.75
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
#: The part of the days on which a heading parts the day, and days too few to tell.
_PARTED, _FEW_DAYS = 0.5, 6


@dataclass(frozen=True, slots=True)
class Saga:
    """A subject, its name and the sentences that speak of it, in order."""

    key: frozenset[str]
    name: str
    units: tuple[Unit, ...]


def sagas(units: Sequence[Unit], stated: Set[int]) -> Iterator[Saga]:
    """The subjects that several weeks speak of, first those most is said of.

    `stated` are the places of the sentences that state an outcome, a decision or an open item.
    """
    routine = routine_openings(units)
    # What is said again in the same words tells nothing more.
    first = {unit.stems: unit for unit in reversed(units)}
    told = [
        unit
        for unit in first.values()
        if unit.entry.day
        and len(unit.stems) >= _WHOLE
        and not cues.is_routine(unit.text)
        and opening_of(unit) not in routine
        and not is_count(unit)
    ]
    told.sort(key=lambda unit: unit.at)
    people = _people(units)
    over = [*_headed(told, people)]
    names: dict[frozenset[str], Counter[str]] = {}
    for unit in told:
        for key, words in _subjects(unit, people):
            names.setdefault(key, Counter())[words] += 1
    by_stem: dict[str, list[Unit]] = {}
    known = {unit.at: _words(unit) for unit in told}
    sought = frozenset(chain.from_iterable([*names, *(key for key, *_ in over)]))
    for unit in told:
        for stem in known[unit.at] & sought:
            by_stem.setdefault(stem, []).append(unit)
    most = min(_SINGLES, max(_LEAST, int(_EVERYWHERE * len(units))))
    rare = rare_stems(units, most)
    found: list[tuple[float, Saga]] = []
    for key, name, under in over:
        named = _speaking_of(key, by_stem, known)
        named = naming(name, named) if _is_single(key) else named
        thread = _with_kin(under, named, rare - key)
        bond = _bond(thread, key, rare, known)
        if bond >= _GOES_ON:
            weight = _weight(thread, stated, _HEADED) * (1 + bond)
            found.append((weight, Saga(key, name, tuple(thread))))
    headed = {saga.key for _, saga in found}
    for key, counts in names.items():
        if key in headed:
            continue
        thread = _speaking_of(key, by_stem, known)
        if len(thread) < 2 or len({week(unit) for unit in thread}) < 2:
            continue
        name = min(counts, key=lambda words: (-counts[words], len(words), words))
        if _is_single(key) and name.islower():
            thread = naming(name, thread)
            if len({week(unit) for unit in thread}) < 2:
                continue
        bond = _bond(thread, key, rare, known)
        if _is_single(key) and (len(thread) > _LEAST or bond < _BOUND):
            continue
        exact = _SINGLE if _is_single(key) else _EXACT
        weight = _weight(thread, stated, exact) * min(1.0, most / len(thread)) * (1 + bond)
        if name.count(" ") > 1 and not name.istitle():
            weight *= _LINKED
        found.append((weight, Saga(key, name, tuple(thread))))
    found.sort(key=lambda pair: (-pair[0], pair[1].units[0].at, sorted(pair[1].key)))
    seen: set[int] = set()
    for _, saga in found:
        places = {unit.at for unit in saga.units}
        if len(places & seen) <= _OVERLAP * len(places):
            seen |= places
            yield saga


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
        """The rare words and ids of a sentence, and of what stands `over` it."""
        said = self.counts.keys() & chain(unit.stems, *(key for key, _ in _ids_in(unit.text)))
        return frozenset(said).union(self._over & self._known[unit.at] if over else ())

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


def _speaking_of(
    key: frozenset[str], by_stem: Mapping[str, list[Unit]], known: Mapping[int, frozenset[str]]
) -> list[Unit]:
    """The sentences that have all the words of a subject."""
    rarest = min((by_stem.get(stem, []) for stem in key), key=len)
    if len(key) == 1:
        return rarest
    return [unit for unit in rarest if key <= known[unit.at] and _stands_in(key, unit)]


def _with_kin(under: Sequence[Unit], named: Sequence[Unit], rare: Set[str]) -> list[Unit]:
    """What stands under a heading, and what names the thing elsewhere by another rare word of these."""
    words = rare & set(chain.from_iterable(unit.stems for unit in under))
    kin = {unit.at: unit for unit in named if not words.isdisjoint(unit.stems)}
    kin.update((unit.at, unit) for unit in under)
    return [kin[at] for at in sorted(kin)]


def naming(word: str, units: Sequence[Unit]) -> list[Unit]:
    """The sentences that have a noun as it is: who lifts a limit does not speak of the lift."""
    said = re.compile(rf"\b{re.escape(word)}(?:e?s)?\b", re.I)
    return [
        unit
        for unit in units
        if said.search(
            f"{head_of(unit.entry.text)} {unit.label} {' '.join(unit.place)} {unit.text}"
        )
    ]


def _stands_in(key: frozenset[str], unit: Unit) -> bool:
    """Whether a sentence has the words of a subject side by side, but for what it stands under."""
    sought = key - _beside(unit)
    size, stems = len(key) + 1, unit.stems
    return not sought or any(
        sought <= set(stems[at : at + size]) for at in range(max(1, len(stems) - size + 1))
    )


def _is_single(key: frozenset[str]) -> bool:
    return len(key) == 1 and not any(map(ID.fullmatch, map(str.upper, key)))


def _bond(
    thread: Sequence[Unit], key: frozenset[str], rare: Set[str], known: Mapping[int, frozenset[str]]
) -> float:
    """The share of a thread's days that go on where the day before left off, by a word of their own."""
    days: dict[object, set[str]] = {}
    for unit in thread:
        days.setdefault(unit.entry.day, set()).update(known[unit.at] & rare)
    steps = [*pairwise(days.values())]
    return sum(1 for one, other in steps if one & other - key) / (len(steps) or 1)


def _headed(
    units: Sequence[Unit], people: Set[str]
) -> Iterator[tuple[frozenset[str], str, list[Unit]]]:
    """What stands over sentences of several weeks, in headings that else may differ.

    Words that never stand over anything without one another are one name. What stands over some of
    nearly every day is how its writer parts a day.
    """
    under: dict[str, dict[int, Unit]] = {}
    said: dict[str, Counter[str]] = {}
    none = people | _NO_SUBJECT
    for unit in units:
        over = " | ".join((_subject(unit)[0], unit.label, head_of(unit.entry.text)))
        for stem, word in _nouns_of(over):
            if word.lower() not in none and stem not in OCCASIONS:
                under.setdefault(stem, {})[unit.at] = unit
                said.setdefault(stem, Counter())[word] += 1
    alike: dict[tuple[int, ...], list[str]] = {}
    for stem, places in under.items():
        alike.setdefault(tuple(places), []).append(stem)
    most = max(_FEW_DAYS, _PARTED * len({unit.entry.day for unit in units}))
    for stems in alike.values():
        thread = [*under[stems[0]].values()]
        if len({week(unit) for unit in thread}) < 2:
            continue
        if len({unit.entry.day for unit in thread}) > most:
            continue
        words = (min(said[stem], key=lambda word: (-said[stem][word], word)) for stem in stems)
        yield frozenset(stems), " ".join(dict.fromkeys(words)), thread


def is_name(words: str) -> bool:
    """Whether what stands over sentences can name a subject: it says nothing, and is no occasion."""
    return not _CLAUSE.search(words) and not COMMON_STEMS.union(OCCASIONS).issuperset(
        stems_in(words)
    )


@lru_cache(maxsize=1 << 12)
def _nouns_of(over: str) -> tuple[tuple[str, str], ...]:
    """The stems and words that can name a thing in what stands over a sentence."""
    ids = tuple((stem, words) for key, words in _ids_in(over) for stem in key)
    nouns = tuple(
        (stem, word)
        for word in _WORD.findall(ID.sub(" ", over))
        if len(word) > SHORTEST and is_noun(word)
        for stem in stems_in(word)
        if stem not in COMMON_STEMS and not is_generic(stem)
    )
    return ids + nouns


def _weight(thread: Sequence[Unit], stated: Set[int], exact: float) -> float:
    weeks = len({week(unit) for unit in thread})
    days = len({unit.entry.day for unit in thread})
    told = sum(1 for unit in thread if unit.at in stated)
    return weeks * log(1 + days) * (1 + _STATED * min(_MOST, told)) * exact


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
