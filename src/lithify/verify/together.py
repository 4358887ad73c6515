"""What a clause puts together stands together in what it cites.

A bullet may join clauses that rest on different entries; each clause rests on one passage: an entry,
or neighbouring entries that are all cited. A specific may come from elsewhere only where the passage
has nothing of that kind to say in its place: "Dana approved 14,000" is wrong where one entry says
that Priya did and another speaks of Dana.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from lithify.judge.labels import without_clock
from lithify.text.atoms import Atom, Support, find_atoms, join, support_of, support_of_text
from lithify.text.atoms.support import holds
from lithify.values import Entry
from lithify.verify.clauses import Clause, clauses, words_in

#: Words of a clause that only another passage has, from which on no single one carries it.
BORROWED = 2
_DAY = re.compile(r"-\d\d-\d\d\Z")
#: Kinds that take each other's place.
_FIGURES = frozenset(("number", "money", "percent"))


@dataclass(frozen=True)
class Passage:
    """Cited entries that stand side by side."""

    entries: tuple[Entry, ...]

    @cached_property
    def support(self) -> Support:
        return join(map(support_of, self.entries))

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset[str]().union(*map(_words, self.entries))

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """The specifics of their texts, without the time at which each was written."""
        return tuple(a for e in self.entries for a in find_atoms(without_clock(e.text), e.day))

    def holds(self, atom: Atom) -> bool:
        return holds(atom, self.support)


@lru_cache(maxsize=1 << 12)
def _words(entry: Entry) -> frozenset[str]:
    return words_in(" ".join((entry.text, entry.lead, *entry.headings)))


def apart(text: str, passages: Sequence[Passage], language: str = "English") -> str:
    """What is wrong with how a claim puts its specifics together, if anything."""
    if len(passages) < 2:
        return ""
    said = support_of_text(text)
    for clause in clauses(text, language):
        if fault := _fault(clause, passages, said):
            return fault
    return ""


def _fault(clause: Clause, passages: Sequence[Passage], said: Support) -> str:
    # Who has most of its specifics carries a clause, then who has most of its words.
    carrier = max(
        passages,
        key=lambda p: (sum(map(p.holds, clause.atoms)), len(clause.words & p.words)),
    )
    for atom in clause.atoms:
        if not carrier.holds(atom) and (rival := _rival(atom, carrier, said)):
            return f'where the entries cited say "{rival.text}", it says "{atom.text}"'
    everything = frozenset[str]().union(*(clause.words & p.words for p in passages))
    most = max(len(clause.words & p.words) for p in passages)
    if len(everything) - most >= max(BORROWED, len(clause.words) / 3):
        return f'no single entry cited says "{clause.text.strip()}"'
    return ""


def _rival(atom: Atom, carrier: Passage, said: Support) -> Atom | None:
    """A specific of the same kind that the passage has and the claim leaves out."""
    for other in carrier.atoms:
        if _is_like(atom, other) and not holds(other, said):
            return other
    return None


def _is_like(one: Atom, other: Atom) -> bool:
    if one.kind == "name":
        return other.kind == "name"
    if one.kind in _FIGURES:
        return other.kind in _FIGURES and _unit(one) == _unit(other)
    if one.kind == "date":
        return other.kind == "date" and _is_day(one) and _is_day(other)
    return one.kind == other.kind


def _is_day(atom: Atom) -> bool:
    return _DAY.search(atom.key) is not None


def _unit(atom: Atom) -> str:
    return atom.key.partition(" ")[2] if atom.kind == "number" else atom.kind
