"""Typed memories as a fold: what each week taught, in the order of the weeks.

The journal keeps what each week's days taught. The files follow from all of it, so a late or
edited day gives the same files as if it had always been so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from lithify.engines.offline.lasting.bans import lifts
from lithify.engines.offline.lasting.outdated import restored_in
from lithify.engines.offline.lasting.reversals import ends
from lithify.engines.offline.lasting.topics import names, takes_back
from lithify.values import TypedMemory
from lithify.verify.claims import say_same

#: Share of words by which two statements say the same.
SAME = 0.75


Known = dict[tuple[str, str], TypedMemory]


class Folding:
    """Folds of growing lists of weeks, each begun where the last one ended."""

    def __init__(self) -> None:
        self._lessons: tuple[tuple[TypedMemory, ...], ...] = ()
        self._bases: tuple[TypedMemory, ...] = ()
        self._known: Known = {}

    def fold(
        self, extracted: Mapping[str, Sequence[TypedMemory]], bases: Iterable[TypedMemory] = ()
    ) -> Known:
        """Every memory by type and topic, after all the weeks, on top of what was there before."""
        lessons = tuple(tuple(extracted[week]) for week in sorted(extracted))
        bases = tuple(bases)
        done = len(self._lessons)
        if self._bases == bases and self._lessons == lessons[:done]:
            known = dict(self._known)
        else:
            done, known = 0, {(m.type, m.topic): m for m in bases}
        for memory in chain.from_iterable(lessons[done:]):
            key = _place(memory, known)
            before = known.get(key)
            now = merged(before, memory)._replace(topic=key[1]) if before else memory
            known[key] = _settled(now, memory, known)
        self._lessons, self._bases, self._known = lessons, bases, known
        return dict(known)


def _place(memory: TypedMemory, known: Mapping[tuple[str, str], TypedMemory]) -> tuple[str, str]:
    """The topic a memory belongs to: its own, or that of one that says the same."""
    key = (memory.type, memory.topic)
    if key in known:
        return key
    for other_key, other in known.items():
        if other.type == memory.type and same(other.statement, memory.statement):
            return other_key
    for other_key, other in reversed(list(known.items())):
        if other.type == memory.type and _reverses(memory, other):
            return other_key
    return key


def _settled(now: TypedMemory, memory: TypedMemory, known: Known) -> TypedMemory:
    """A decision with what went by it: rules it lifts and wishes about a thing it ended are taken out."""
    if memory.type != "project":
        return now
    for key, other in list(known.items()):
        if (
            other.type in ("user", "feedback")
            and other.updated <= memory.updated
            and (
                ends(memory.statement, other.statement) or lifts(memory.statement, other.statement)
            )
        ):
            del known[key]
            now = now._replace(
                sources=tuple(dict.fromkeys([*now.sources, *other.sources])),
                superseded=tuple(dict.fromkeys([*now.superseded, _dated(other)])),
            )
    return now


def _dated(memory: TypedMemory) -> str:
    return f"{memory.updated or 'earlier'}: {' '.join(memory.statement.split())}"


def _reverses(newer: TypedMemory, older: TypedMemory) -> bool:
    """Whether a newer memory takes back an older one."""
    return newer.updated >= older.updated and takes_back(newer, older)


def _unless_figured(text: str) -> str:
    return "" if any(sign.isdigit() for sign in text) else text


def same(one: str, other: str) -> bool:
    """Whether two statements say the same in nearly the same words, figures and all."""
    return say_same(one, other, SAME)


def merged(older: TypedMemory, newer: TypedMemory) -> TypedMemory:
    """Two memories on one topic: the newer speaks, the older is kept as superseded."""
    if newer.updated < older.updated:
        older, newer = newer, older
    sources = tuple(dict.fromkeys([*older.sources, *newer.sources]))
    superseded = tuple(dict.fromkeys([*older.superseded, *newer.superseded]))
    if same(older.statement, newer.statement):
        richer = max(newer, older, key=lambda m: len(m.statement))
        statement, description = richer.statement, richer.description
    else:
        statement, description = newer.statement, newer.description
        superseded = tuple(dict.fromkeys([*superseded, _dated(older)]))
    # The name of a choice that was taken back, and its reason, went with it.
    gone = _reverses(newer, older) or bool(restored_in(newer.statement, older.statement))
    stays = older._replace(name="", why="", how="") if gone else older
    if statement == newer.statement != older.statement:
        # So did the old figures, the place in the name of what was moved, and a name of other words.
        named = newer.type != "reference" and names(stays.name, statement)
        name = _unless_figured(stays.name) if named else ""
        stays = stays._replace(name=name, how=_unless_figured(stays.how))
    return newer._replace(
        name=stays.name or newer.name,
        description=description or older.description,
        statement=statement,
        why=newer.why or stays.why,
        how=newer.how or stays.how,
        sources=sources,
        superseded=superseded,
    )
