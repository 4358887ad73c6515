"""What a clause puts together stands together in what it cites.

A claim and the entries it cites are cut into clauses. What a clause says of a name, a figure or a
date is looked for in the entries around that name, figure or date. Where they say most of it around
another one of the same kind, the claim has put that one's words beside the wrong name or figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from lithify.judge.labels import without_clock
from lithify.text.atoms import Atom, Support, support_of_text
from lithify.text.atoms.names import bare_word
from lithify.text.atoms.support import holds
from lithify.text.language import word_list
from lithify.text.speakers import said, speaker_of
from lithify.text.stems import words_of
from lithify.values import Entry
from lithify.verify.clauses import Clause, clauses

#: How much more must be said around another specific; a specific counts for two words.
MARGIN = 3
TIMES = 2
_SPECIFIC = 2
#: Characters of an entry that are cut into clauses: each is held against every other.
LONGEST = 4000
_DAY = re.compile(r"-\d\d-\d\d\Z")
_FIGURES = frozenset(("number", "money", "percent"))


@dataclass(frozen=True)
class Said:
    """A clause of an entry, with what the entry vouches for throughout."""

    clause: Clause
    entry: Entry
    speaker: str

    @cached_property
    def support(self) -> Support:
        text = f"{self.speaker}: {self.clause.text}" if self.speaker else self.clause.text
        return support_of_text(text, self.entry.day)

    def holds(self, atom: Atom) -> bool:
        return holds(atom, self.support)

    def around(self, clause: Clause, atom: Atom | None = None) -> frozenset[str]:
        """What this says of a claim's clause, one of its specifics left aside."""
        words = clause.words & self.clause.words
        atoms = {a.key for a in clause.atoms if a is not atom and self.holds(a)}
        return frozenset(words | {f"{n} {key}" for key in atoms for n in range(_SPECIFIC)})


@lru_cache(maxsize=1 << 10)
def said_in(entry: Entry, language: str) -> tuple[Said, ...]:
    """The clauses of an entry."""
    text = without_clock(entry.text[:LONGEST])
    speaker = speaker_of(text)
    return tuple(Said(clause, entry, speaker) for clause in clauses(said(text), language))


def misplaced(text: str, cited: Sequence[Entry], language: str, doers: frozenset[str]) -> str:
    """Which name, figure or date stands in another's place, if one does."""
    sources = [said_in(entry, language) for entry in cited]
    for clause in clauses(text, language):
        for atom in clause.atoms:
            if atom.kind == "name" and atom.key not in doers:
                continue
            if rival := _rival(atom, clause, sources, doers, language):
                return f'"{atom.text}" stands where the entries cited say "{rival}" of it'
    return ""


def _points_back(entry: Entry, language: str) -> bool:
    return not word_list(language, "third_person").isdisjoint(words_of(entry.text))


def _rival(
    atom: Atom,
    clause: Clause,
    sources: Sequence[Sequence[Said]],
    doers: frozenset[str],
    language: str,
) -> str:
    own = _most_around(atom, clause, sources)
    if own is None and atom.kind != "name":
        return ""  # it follows from others, or is an entry's own day
    if own is None and any(holds(atom, _around(source[0].entry)) for source in sources if source):
        return ""
    if own is None and any(_points_back(source[0].entry, language) for source in sources if source):
        return ""  # "she" may be anybody named before
    own = own or 0
    seen = set()
    speaks = any(bare_word(source[0].speaker) == atom.key for source in sources if source)
    for one in (one for source in sources for one in source):
        for other in _specifics(one, speaks):
            if other.key in seen or not is_like(atom, other) or _has(clause, other):
                continue
            if other.kind == "name" and other.key not in doers:
                continue
            seen.add(other.key)
            if holds(other, _support(atom)) or holds(atom, _support(other)):
                continue
            theirs = _most_around(other, clause, sources, without=atom)
            if theirs is not None and theirs >= _margin(atom) + TIMES * own:
                return other.text
    return ""


def _margin(atom: Atom) -> int:
    """A bare number stands beside many things."""
    return MARGIN + (atom.kind == "number" and not _unit(atom))


def _specifics(said: Said, speakers: bool) -> Iterator[Atom]:
    yield from said.clause.atoms
    if said.speaker and speakers:
        yield Atom("name", said.speaker.casefold(), said.speaker, 0, 0)


@lru_cache(maxsize=1 << 10)
def _around(entry: Entry) -> Support:
    return support_of_text(" ".join((*entry.headings, entry.lead)))


@lru_cache(maxsize=1 << 12)
def _support(atom: Atom) -> Support:
    return support_of_text(atom.text)


def _has(clause: Clause, other: Atom) -> bool:
    return holds(other, _clause_support(clause.text))


@lru_cache(maxsize=1 << 10)
def _clause_support(text: str) -> Support:
    return support_of_text(text)


def _most_around(
    atom: Atom, clause: Clause, sources: Sequence[Sequence[Said]], without: Atom | None = None
) -> int | None:
    """How much of a clause is said around a specific, at most in one place; None where it is not said.

    What goes on after a name speaks of it until another is named, and what stands beside a figure
    belongs to it until another one does.
    """
    found: list[int] = []
    for source in sources:
        for at, one in enumerate(source):
            if one.holds(atom) and not (without and one.holds(without)):
                found.append(len(_reach(atom, at, source, clause, without)))
    return max(found, default=None)


def _reach(
    atom: Atom, at: int, source: Sequence[Said], clause: Clause, without: Atom | None
) -> frozenset[str]:
    near = set(source[at].around(clause, without or atom))
    steps = (1,) if atom.kind == "name" else (1, -1)
    for step in steps:
        n = at + step
        while 0 <= n < len(source) and not any(is_like(atom, a) for a in source[n].clause.atoms):
            near |= source[n].around(clause, without or atom)
            n += step
    return frozenset(near)


def is_like(one: Atom, other: Atom) -> bool:
    """Whether one specific could stand in the other's place."""
    if one.kind in _FIGURES:
        return other.kind in _FIGURES and _unit(one) == _unit(other) != "nth"
    if one.kind == "date":
        return other.kind == "date" and bool(_DAY.search(one.key)) is bool(_DAY.search(other.key))
    return one.kind == other.kind


def _unit(atom: Atom) -> str:
    if atom.text.endswith(("st", "nd", "rd", "th")):
        return "nth"
    return atom.key.partition(" ")[2] if atom.kind == "number" else atom.kind
