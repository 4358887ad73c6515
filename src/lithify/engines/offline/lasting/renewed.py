"""Memories in the place of older ones: an entry changes their figure, or takes them back by their day or
by what it turns away from, or gives the part they are about to another.
"""

from __future__ import annotations

from collections.abc import Sequence

from lithify import cues
from lithify.engines.offline.lasting import outdated, parts, withdrawn
from lithify.engines.offline.lasting.heard import dated
from lithify.engines.offline.lasting.reasons import stated_reason
from lithify.engines.offline.lasting.reversals import drops, turns_away
from lithify.engines.offline.lasting.telling import sentence_of
from lithify.engines.offline.lasting.titles import clipped, title_of
from lithify.engines.offline.lasting.topics import takes_back
from lithify.engines.offline.reading.text import Plain, plain
from lithify.values import Entry, TypedMemory


def is_hinted(entry: Entry) -> bool:
    """Whether an entry may say that something no longer holds."""
    if entry.kind in ("code", "lead", "row"):
        return False
    if outdated.is_hinted(entry.text) or withdrawn.is_hinted(entry.text):
        return True
    return turns_away(entry.text) or parts.may_succeed(entry.text)


def renewed(
    entry: Entry, memories: Sequence[TypedMemory], known: Sequence[TypedMemory]
) -> Sequence[TypedMemory]:
    """The memories of an entry, with those in the place of known ones that no longer hold."""
    current = _withdrawing(entry, _brought_up_to_date(entry, memories, known), known)
    return _replacing(entry, current, known)


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
            result.append(_in_place_of(old, entry, [text]))
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
    new = _in_place_of(old, entry, said, told)
    # What else the entry decides is told in that memory, or stands beside it.
    return [*(one for one in memories if not _are_one(said[0], one.statement)), new]


def _replacing(
    entry: Entry, memories: Sequence[TypedMemory], known: Sequence[TypedMemory]
) -> Sequence[TypedMemory]:
    """The memories of an entry, with one in the place of what it decides against or gives to another."""
    if entry.day is None or cues.section_of(entry) != cues.DECISIONS:
        return memories
    told = [dated(sentence, entry) for sentence in _under_labels(plain(entry, fit=False))]
    result = list(memories)
    for at, text in enumerate(told):
        said = told[at : at + 2] if turns_away(text) else [text]
        old = _replaced_by(" ".join(map(sentence_of, said)), entry, known)
        if old is None or any(one.type == old.type and takes_back(one, old) for one in result):
            continue
        own = next((n for n, one in enumerate(result) if _are_one(text, one.statement)), None)
        # What holds now may stand in the sentence after the one that says what does not.
        new = _in_place_of(old, entry, said, told)._replace(name=title_of(said[-1]))
        if own is None:
            result.append(new)
        else:
            result[own] = new
    return result


def _under_labels(plainly: Plain) -> list[str]:
    """The sentences, each after its label where that names what it is about."""
    return [
        sentence if not label or cues.announced(label) else f"{label}: {sentence}"
        for label, sentence in zip(plainly.labels, plainly.sentences, strict=True)
    ]


def _replaced_by(text: str, entry: Entry, known: Sequence[TypedMemory]) -> TypedMemory | None:
    """The rule or decision that the words of an entry decide against, or give the part of to another."""
    for old in known:
        if old.type == "reference" or entry.id in old.sources:
            continue
        if parts.succeeds(text, old.statement):
            return old
        if old.type != "user" and drops(text, old.statement):
            return old
    return None


def _in_place_of(
    old: TypedMemory, entry: Entry, said: Sequence[str], told: Sequence[str] = ()
) -> TypedMemory:
    """A memory on an older one's topic that says what holds now, with the reason its entry has told.

    It is in its own entry's words alone: what held before stands under it as superseded.
    """
    why = next(filter(None, map(stated_reason, told)), "")
    return TypedMemory(
        type=old.type,
        topic=old.topic,
        name=title_of(said[0]),
        description=clipped(said[0], 90),
        statement=" ".join(map(sentence_of, said)),
        sources=(entry.id,),
        why=sentence_of(why) if why else "",
        updated=entry.day.isoformat() if entry.day else "",
    )


def _are_one(text: str, statement: str) -> bool:
    """Whether a sentence and a statement are the same words, whatever label stands before either."""
    short, long = sorted((text.lower().rstrip("."), statement.lower().rstrip(".")), key=len)
    return short in long
