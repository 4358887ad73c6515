"""Typed memories as a fold: what each week taught, in the order of the weeks.

The journal keeps what each week's days taught. The files follow from all of it, so a late or
edited day gives the same files as if it had always been so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count

from lithify.compact.marks import words_key
from lithify.values import Basis, TypedMemory
from lithify.verify.claims import overlap, say_same, words_of

#: Share of words by which two statements of a writer say the same.
SAME = 0.75
#: Below this share of common words two statements on one topic are two matters.
ONE_MATTER = 0.15

Key = tuple[str, str]
Known = dict[Key, TypedMemory]

_RANK: Mapping[Basis, int] = {"found": 0, "accepted": 1, "marked": 2}
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f]")


class Folding:
    """Folds of growing lists of weeks, each begun where the last one ended."""

    def __init__(self) -> None:
        self._lessons: tuple[tuple[TypedMemory, ...], ...] = ()
        self._bases: tuple[TypedMemory, ...] = ()
        self._known: Known = {}

    def fold(
        self, lessons: Mapping[str, Sequence[TypedMemory]], bases: Iterable[TypedMemory] = ()
    ) -> Known:
        """Every memory by type and topic, after all the weeks, on top of what was there before."""
        weeks = tuple(tuple(lessons[week]) for week in sorted(lessons))
        bases = tuple(bases)
        done = len(self._lessons)
        if self._bases == bases and self._lessons == weeks[:done]:
            known = dict(self._known)
        else:
            done, known = 0, {(m.type, m.topic): m for m in bases}
        for memory in chain.from_iterable(weeks[done:]):
            put(memory, known)
        self._lessons, self._bases, self._known = weeks, bases, known
        return dict(known)


def put(memory: TypedMemory, known: Known) -> Key:
    """Add a memory to those known, or merge it into the one on its topic; says where it is."""
    key = _place(memory, known)
    before = known.get(key)
    now = merged(before, memory) if before else memory
    known[key] = now._replace(topic=key[1])
    return key


def _place(memory: TypedMemory, known: Known) -> Key:
    """The topic a memory belongs to: that of one that says the same, its own, or a new one."""
    own = (memory.type, memory.topic)
    if own in known and same(known[own], memory):
        return own
    for key, other in known.items():
        if key[0] == memory.type and same(other, memory):
            return key
    if own not in known or _replaces(memory, known[own]):
        return own
    free = ((memory.type, f"{memory.topic}-{n}") for n in count(2))
    return next(key for key in free if key not in known or _replaces(memory, known[key]))


def _replaces(new: TypedMemory, old: TypedMemory) -> bool:
    """Whether a memory on the same topic may take an older one's place."""
    if new.basis == "found" != old.basis:
        return False
    return overlap(_terms(new.statement), _terms(old.statement)) >= ONE_MATTER


def _terms(text: str) -> frozenset[str]:
    """Words, and pairs of signs where a script writes no spaces between words."""
    letters = "".join(_UNSPACED.findall(text))
    return words_of(text) | {letters[n : n + 2] for n in range(len(letters) - 1)}


def same(one: TypedMemory, other: TypedMemory) -> bool:
    """Whether two memories say the same: marked ones in the same words, others in nearly the same."""
    if words_key(one.statement) == words_key(other.statement):
        return True
    if one.basis != "found" or other.basis != "found":
        return False
    return say_same(one.statement, other.statement, SAME)


def merged(older: TypedMemory, newer: TypedMemory) -> TypedMemory:
    """Two memories on one topic: the newer speaks, the older is kept as superseded."""
    alike = (older.basis == "found") is (newer.basis == "found")
    if newer.updated < older.updated and alike:
        older, newer = newer, older
    sources = tuple(dict.fromkeys([*older.sources, *newer.sources]))
    superseded = tuple(dict.fromkeys([*older.superseded, *newer.superseded]))
    updated = max(older.updated, newer.updated)
    if same(older, newer):
        richer = max(older, newer, key=lambda m: (_RANK[m.basis], len(m.statement)))
        other = older if richer is newer else newer
        return richer._replace(
            name=(older.name if richer.basis == other.basis else "") or richer.name,
            why=newer.why or older.why,
            how=newer.how or older.how,
            sources=sources,
            updated=updated,
            superseded=superseded,
        )
    before = f"{older.updated or 'earlier'}: {' '.join(older.statement.split())}"
    return newer._replace(
        description=newer.description or older.description,
        sources=sources,
        updated=updated,
        superseded=tuple(dict.fromkeys([*superseded, before])),
    )
