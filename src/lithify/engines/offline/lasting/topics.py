"""Which memories are on one topic, and what becomes of them: merged, replaced or taken back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from lithify.engines.offline.lasting import pointers
from lithify.engines.offline.lasting.bans import (
    forbid_alike,
    forbidden,
    forbids_again,
    lifts,
    may_lift,
    may_stop,
    stops,
)
from lithify.engines.offline.lasting.outdated import restored_in
from lithify.engines.offline.lasting.parts import may_succeed, succeeds
from lithify.engines.offline.lasting.reversals import drops, may_reverse, reverses
from lithify.engines.offline.lasting.successors import may_supersede, supersedes
from lithify.engines.offline.lasting.withdrawn import withdrawn_day, withdraws
from lithify.text.atoms import atom_keys
from lithify.text.stems import stems_of
from lithify.values import TypedMemory

SAME = 0.45
#: A sentence that holds this share of another's words is on its topic.
_WITHIN = 0.75
_FEWEST = 4


class Recorded:
    """What is recorded already, by its words: a new memory is held against few of many."""

    def __init__(self, memories: Sequence[TypedMemory]) -> None:
        self._memories = memories
        self._by_stem: dict[tuple[str, str], list[int]] = {}
        self._by_mark: dict[tuple[str, object], list[int]] = {}
        for at, memory in enumerate(memories):
            for stem in _stems(_told(memory)):
                self._by_stem.setdefault((memory.type, stem), []).append(at)
            self._by_mark.setdefault((memory.type, _mark(memory)), []).append(at)

    def near(self, memory: TypedMemory) -> list[TypedMemory]:
        """All that may be on a memory's topic, in their order; some that are not."""
        if _may_take_back(memory):
            return [other for other in self._memories if other.type == memory.type]
        stems = _stems(_told(memory))
        shared: Counter[int] = Counter()
        for stem in stems:
            shared.update(self._by_stem.get((memory.type, stem), ()))
        fewest = min(_FEWEST, SAME / 2 * len(stems))
        near = {at for at, count in shared.items() if count >= fewest}
        if mark := _mark(memory):
            near.update(self._by_mark.get((memory.type, mark), ()))
        return [self._memories[at] for at in sorted(near)]


def put(memory: TypedMemory, found: list[TypedMemory], known: Recorded) -> None:
    """Add a memory, or merge it into the one on its topic; what is recorded already adds nothing."""
    for at, other in enumerate(found):
        if other.type != memory.type:
            continue
        if takes_back(memory, other):
            sources = tuple(dict.fromkeys([*other.sources, *memory.sources]))
            before = f"{other.updated or 'earlier'}: {other.statement}"
            found[at] = memory._replace(
                topic=other.topic, sources=sources, superseded=(*other.superseded, before)
            )
            return
        if _likeness(memory, other) >= SAME:
            sources = tuple(dict.fromkeys([*other.sources, *memory.sources]))
            found[at] = _newer(other, memory)._replace(sources=sources, updated=memory.updated)
            return
    for other in known.near(memory):
        likeness = SAME if takes_back(memory, other) else _likeness(memory, other)
        if likeness >= SAME or (other.topic == memory.topic and likeness >= SAME / 2):
            if _restates(other, memory) and not takes_back(memory, other):
                return
            memory = memory._replace(topic=other.topic)
            break
    taken = {other.topic for other in found if other.type == memory.type}
    topic, number = memory.topic, 2
    while memory.topic in taken:
        memory = memory._replace(topic=f"{topic}-{number}")
        number += 1
    found.append(memory)


def takes_back(new: TypedMemory, old: TypedMemory) -> bool:
    """Whether a decision turns away from an older one or takes its place, or a rule is lifted or stopped,
    or either is withdrawn by its day, or the part of who or what it is about is another's now.
    """
    if new.type == "reference":
        return False
    if withdraws(new, old) or succeeds(new.statement, old.statement):
        return True
    if new.topic == old.topic and restored_in(new.statement, old.statement):
        return True
    if new.type == "user":
        return False
    if new.type == "feedback":
        by = lifts, stops, drops
        return any(takes(new.statement, old.statement) for takes in by)
    return supersedes(new.statement, old.statement) or reverses(new.statement, old.statement)


def _may_take_back(new: TypedMemory) -> bool:
    """Whether there may be something that a memory takes back."""
    if new.type == "reference":
        return False
    if withdrawn_day(new) or may_succeed(new.statement):
        return True
    if new.type == "user":
        return False
    first = (may_lift, may_stop) if new.type == "feedback" else (may_supersede,)
    return any(may(new.statement) for may in (*first, may_reverse))


def _newer(old: TypedMemory, new: TypedMemory) -> TypedMemory:
    """One memory out of two on a topic: a restatement leaves the old words, a change replaces them."""
    if _restates(old, new):
        return old
    # A thing that was moved may be named by its place, and a name may say what is said no more.
    moved = new.type == "reference" and old.statement not in new.statement
    name = old.name if not moved and names(old.name, new.statement) else new.name
    return new._replace(topic=old.topic, name=name, why=new.why or old.why, how=new.how or old.how)


def names(name: str, statement: str) -> bool:
    """Whether a name can stand over a statement: it says nothing that the statement does not."""
    return _stems(name) <= _stems(statement)


def _restates(old: TypedMemory, new: TypedMemory) -> bool:
    if restored_in(new.statement, old.statement):
        return False
    if forbids_again(new.statement, old.statement):
        return True
    said = f"{old.statement} {old.why} {old.how}"
    return set(stems_of(new.statement)) <= set(stems_of(said)) or (
        atom_keys(new.statement) <= atom_keys(said) and len(new.statement) < len(old.statement)
    )


def _likeness(one: TypedMemory, other: TypedMemory) -> float:
    if one.type == "reference":
        return _in_one_place(one.statement, other.statement)
    alike = forbid_alike(one.statement, other.statement) if one.type == "feedback" else None
    if alike is not None:
        return SAME if alike else 0.0
    return _alike(_stems(one.statement), _stems(other.statement))


def _in_one_place(one: str, other: str) -> float:
    """How alike two things with a place are: by their names, and without names by the place itself."""
    names = [pointers.name_of(pointers.thing_of(text)) for text in (one, other)]
    places = [pointers.address_in(text) for text in (one, other)]
    if not all(names) and any(places):
        return SAME if places[0] == places[1] else 0.0
    return _alike(_stems(_thing(one)), _stems(_thing(other)))


def _thing(text: str) -> str:
    """What stands in a place: its name, or all that is said of it."""
    # Two things kept side by side have most of their address in common.
    return pointers.name_of(pointers.thing_of(text)) or pointers.without_address(text)


def _told(memory: TypedMemory) -> str:
    """The words by which a memory is like another."""
    return _thing(memory.statement) if memory.type == "reference" else memory.statement


def _mark(memory: TypedMemory) -> object:
    """What alone can make a memory like another: its place, or what it forbids."""
    if memory.type == "reference":
        return pointers.address_in(memory.statement)
    return forbidden(memory.statement) if memory.type == "feedback" else None


@lru_cache(maxsize=1 << 12)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stems_of(text))


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    if not one or not other:
        return 0.0
    shared = len(one & other)
    if shared >= _FEWEST and shared >= _WITHIN * min(len(one), len(other)):
        return SAME
    return shared / (len(one) + len(other) - shared)
