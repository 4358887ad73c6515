"""Which statements of memories are in force: newer values replace older ones, and people decide.

`stand` is the one place where that is decided. Memory files, wisdom, the start of a session, recall,
export, the viewer and every list ask what it returns. Pure.
"""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, Literal, NamedTuple

from lithify.compact.ledger import Lessons
from lithify.store.names import slug
from lithify.text.occurrences import FORGOTTEN
from lithify.text.sentences import said_words
from lithify.values import MemoryType, TypedMemory

#: A statement by its type and its words, as `words_key` gives them.
StatementKey = tuple[MemoryType, str]

_TOPIC = 52


#: An older and a newer statement of one matter, and how the newer stands to it.
Near = tuple[StatementKey, StatementKey, Literal["replaces", "conflict"]]
FindNear = Callable[[Mapping[StatementKey, TypedMemory]], Iterable[Near]]


class OutOfForce(NamedTuple):
    """Why a statement is not in force, since when, and the words of what took its place."""

    state: Literal["superseded", "dropped", "ended"]
    on: str = ""
    successor: str = ""


class Standing(NamedTuple):
    """Every statement once, oldest first; those that are not in force; pairs that may conflict.

    Of two statements in force that may contradict each other, which nobody has settled, the newer
    comes first.
    """

    statements: Mapping[StatementKey, TypedMemory] = {}
    out: Mapping[StatementKey, OutOfForce] = {}
    conflicts: tuple[tuple[TypedMemory, TypedMemory], ...] = ()

    def holds(self, key: StatementKey) -> bool:
        """Tell whether a statement is in force; one that is not known is."""
        return key not in self.out


def stand(
    taught: Iterable[TypedMemory], lessons: Lessons, today: str = "", near: FindNear | None = None
) -> Standing:
    """Decide which statements are in force, by their words, their days and what people settled.

    `taught` are single statements in the order in which they were said. Without a day of `today`
    nothing has ended. `near` finds the statements that are of one matter, as `near_statements` does.
    """
    near = near or near_statements
    statements = _each_once(taught, lessons)
    out: dict[StatementKey, OutOfForce] = {}
    may_conflict: list[tuple[StatementKey, StatementKey]] = []
    for older, newer in _settled(statements, lessons):
        out.setdefault(older, OutOfForce("superseded", statements[newer].updated, newer[1]))
    for older, newer, stands in near(statements):
        if frozenset((older[1], newer[1])) in lessons.settled:
            continue
        if stands == "replaces":
            since = OutOfForce("superseded", statements[newer].updated, newer[1])
            out.setdefault(older, since)
        else:
            may_conflict.append((older, newer))
    for key, memory in statements.items():
        if key[1] in lessons.dropped:
            instead = lessons.instead.get(key[1], "")
            out[key] = OutOfForce("dropped", lessons.dropped[key[1]], instead)
        elif memory.sources and lessons.outdated.keys() >= set(memory.sources):
            # The tool that it was imported from says something else by now, or nothing.
            day = max(lessons.outdated[entry] for entry in memory.sources)
            out.setdefault(key, OutOfForce("superseded", day))
        elif memory.until and memory.until < today:
            out.setdefault(key, OutOfForce("ended", memory.until))
    conflicts = tuple(
        (statements[newer], statements[older])
        for older, newer in may_conflict
        if older not in out and newer not in out
    )
    return Standing(statements, out, conflicts)


def key_of(memory: TypedMemory) -> StatementKey:
    """Return the key of a memory that states one thing."""
    return memory.type, words_key(memory.statement)


def _each_once(taught: Iterable[TypedMemory], lessons: Lessons) -> dict[StatementKey, TypedMemory]:
    """Return each statement once, by the day on which it was last said.

    What was said by several is the person's if one of them is.
    """
    found: dict[StatementKey, TypedMemory] = {}
    for memory in taught:
        key = key_of(memory)
        if key[1] in lessons.undone or memory.statement == FORGOTTEN:
            continue
        before = found.pop(key, None)
        if before:
            strongest = max((before, memory), key=lambda m: RANK[m.basis])
            memory = strongest._replace(
                why=memory.why or before.why,
                how=memory.how or before.how,
                sources=tuple(dict.fromkeys([*before.sources, *memory.sources])),
                updated=max(before.updated, memory.updated),
                by="person" if "person" in (before.by, memory.by) else strongest.by,
                until=memory.until,
                **_latest_guard(before, memory),
            )
        found[key] = memory
    # Sorting is stable: of two that were said on one day, the one that was said last is newer.
    return dict(sorted(found.items(), key=lambda pair: pair[1].updated))


def _latest_guard(before: TypedMemory, memory: TypedMemory) -> dict[str, Any]:
    """Return the triggers of a statement, and its guard: what the person said of them last."""
    if memory.by == "person" or not before.guard:
        return {"when": memory.when or before.when, "guard": memory.guard or before.guard}
    return {"when": before.when, "guard": before.guard}


RANK: Mapping[str, int] = {"found": 0, "accepted": 1, "marked": 2}


def _settled(
    statements: Mapping[StatementKey, TypedMemory], lessons: Lessons
) -> Iterator[tuple[StatementKey, StatementKey]]:
    """Yield what somebody chose between two statements: the one that gave way, and the other."""
    place = {key: n for n, key in enumerate(statements)}
    by_words: dict[str, list[StatementKey]] = defaultdict(list)
    for key in statements:
        by_words[key[1]].append(key)
    pairs = set[tuple[StatementKey, StatementKey]]()
    for both, chosen in lessons.settled.items():
        one, other = min(both), max(both)
        if chosen:
            gone, kept = (other, one) if chosen == one else (one, other)
            pairs.update(product(by_words[gone], by_words[kept]))
    yield from sorted(pairs, key=lambda pair: sorted(place[key] for key in pair))


def near_statements(statements: Mapping[StatementKey, TypedMemory]) -> Iterator[Near]:
    """Yield the statements of one matter that cannot both simply stand, the older of two first."""
    from lithify.compact.statements import MAY_CONFLICT
    from lithify.text.words import content_stems

    stems = {key: content_stems(memory.statement) for key, memory in statements.items()}
    spread = Counter(stem for own in stems.values() for stem in own)
    holders: dict[tuple[str, str], list[StatementKey]] = defaultdict(list)
    for key, own in stems.items():
        # Two sets share this part of the larger only if they share one of so many of the rarest.
        rarest = sorted(own, key=lambda stem: (spread[stem], stem))
        rarest = rarest[: len(own) - math.ceil(MAY_CONFLICT * len(own)) + 1]
        near = dict.fromkeys(older for stem in rarest for older in holders[key[0], stem])
        for stem in rarest:
            holders[key[0], stem].append(key)
        for older in near:
            stands = _relation(statements[older], statements[key])
            if stands != "apart":
                yield older, key, stands


def _relation(older: TypedMemory, newer: TypedMemory) -> Literal["replaces", "conflict", "apart"]:
    """Tell how a newer statement stands to an older one, by what they say and whose they are.

    No statement that a writer found replaces a marked one, and none of an agent one of the person:
    where it would, both stand until somebody settles it.
    """
    from lithify.compact.statements import relation

    one_topic = newer.topic == older.topic and _is_named(newer) and _is_named(older)
    stands = relation(newer.statement, older.statement, one_topic=one_topic)
    if stands != "replaces":
        return "apart" if "found" in (older.basis, newer.basis) else stands
    found_later = newer.basis == "found" != older.basis
    return "conflict" if found_later or (older.by, newer.by) == ("person", "agent") else stands


def _is_named(memory: TypedMemory) -> bool:
    """Tell whether somebody gave a memory its topic; otherwise it is made of its words."""
    return memory.topic != topic_of(bare(memory.statement))


# Words of a statement


def bare(statement: str) -> str:
    """Return a statement on one line without emphasis."""
    from lithify.markdown.parse import normalise

    return normalise(re.sub(r"\*+|`+", "", statement))


def topic_of(text: str) -> str:
    """Return a topic made from the words, different for different statements."""
    topic = slug(text)
    if len(topic) < _TOPIC:
        return topic
    head = topic[: _TOPIC - 9].rpartition("-")[0] or topic[: _TOPIC - 9]
    return f"{head}-{words_key(text)[:8]}"


@lru_cache(maxsize=1 << 13)
def words_key(text: str) -> str:
    """Return a digest of a statement's words that ignores case, emphasis and the last full stop."""
    said = said_words(unicodedata.normalize("NFKC", text))
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def statements_of(memory: TypedMemory) -> Sequence[str]:
    """Return what a memory states; one that others joined states several things, the newest first."""
    return memory.statement.split("\n\n")
