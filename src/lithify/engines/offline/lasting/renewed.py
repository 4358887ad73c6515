"""Memories in the place of older ones whose figure an entry changes, or which it takes back by its day."""

from __future__ import annotations

from collections.abc import Sequence

from lithify.engines.offline.lasting import outdated, withdrawn
from lithify.engines.offline.lasting.heard import dated
from lithify.engines.offline.lasting.reasons import stated_reason
from lithify.engines.offline.lasting.telling import sentence_of
from lithify.engines.offline.lasting.titles import clipped, title_of
from lithify.engines.offline.reading.text import plain
from lithify.values import Entry, TypedMemory


def is_hinted(entry: Entry) -> bool:
    """Whether an entry may say that something no longer holds."""
    if entry.kind in ("code", "lead", "row"):
        return False
    return outdated.is_hinted(entry.text) or withdrawn.is_hinted(entry.text)


def renewed(
    entry: Entry, memories: Sequence[TypedMemory], known: Sequence[TypedMemory]
) -> Sequence[TypedMemory]:
    """The memories of an entry, with those in the place of known ones that no longer hold."""
    return _withdrawing(entry, _brought_up_to_date(entry, memories, known), known)


def _brought_up_to_date(
    entry: Entry, memories: Sequence[TypedMemory], known: Sequence[TypedMemory]
) -> list[TypedMemory]:
    """The memories of an entry, each that changes the figure of a known one in its place."""
    result = list(memories)
    if not outdated.is_hinted(entry.text):
        return result
    for text in (dated(sentence, entry) for sentence in plain(entry, fit=False).sentences):
        old = outdated.outdated_by(text, known) if outdated.changes(text) else None
        if old is None or entry.id in old.sources:
            continue
        at = next((n for n, one in enumerate(result) if _are_one(text, one.statement)), None)
        if at is not None:
            result[at] = result[at]._replace(type=old.type, topic=old.topic)
        else:
            result.append(_in_place_of(old, entry, text, sentence_of(text)))
    return result


def _withdrawing(
    entry: Entry, memories: Sequence[TypedMemory], known: Sequence[TypedMemory]
) -> Sequence[TypedMemory]:
    """The memories of an entry, with one in the place of what it takes back by its day."""
    if entry.day is None or not withdrawn.is_hinted(entry.text):
        return memories
    told = [dated(sentence, entry) for sentence in plain(entry, fit=False).sentences]
    found = withdrawn.withdrawn_by(told, entry.day, known)
    if found is None or entry.id in found[1].sources:
        return memories
    at, old = found
    said = withdrawn.instead_of(told, at)
    new = _in_place_of(old, entry, said[0], " ".join(sentence_of(one) for one in said))
    why = next(filter(None, map(stated_reason, told)), "")
    new = new._replace(why=sentence_of(why) if why else "")
    # What else the entry decides is told in that memory, or stands beside it.
    return [*(one for one in memories if not _are_one(said[0], one.statement)), new]


def _in_place_of(old: TypedMemory, entry: Entry, text: str, statement: str) -> TypedMemory:
    """A memory on an older one's topic that says what holds now."""
    return TypedMemory(
        type=old.type,
        topic=old.topic,
        name=title_of(text),
        description=clipped(text, 90),
        statement=statement,
        sources=(entry.id,),
        updated=entry.day.isoformat() if entry.day else "",
    )


def _are_one(text: str, statement: str) -> bool:
    """Whether a sentence and a statement are the same words, whatever label stands before either."""
    short, long = sorted((text.lower().rstrip("."), statement.lower().rstrip(".")), key=len)
    return short in long
