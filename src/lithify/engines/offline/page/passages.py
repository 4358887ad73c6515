"""Sentences of one paragraph told as one: most things are said in more than one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from lithify import cues
from lithify.engines.offline.page.bullets import fits, in_a_row
from lithify.engines.offline.reading.sentences import USER
from lithify.engines.offline.reading.talk import is_talk
from lithify.engines.offline.reading.text import LIMIT, is_chatter, tokens_in
from lithify.engines.offline.reading.units import Unit

#: So many sentences make a paragraph of prose.
_PROSE = 2
#: Tokens up to which an entry is told whole.
_WHOLE = 40
#: A sentence of fewer tokens is seldom understood without the rest of its entry, or without how the
#: entry begins; a bullet has as many besides its sentence.
CURT, _BRIEF, BESIDES = 14, 18, 7
#: A bullet without a subject could hold more, but a search finds less in it.
_LONGEST = LIMIT - 8


def in_passages(units: Sequence[Unit]) -> list[Unit]:
    """The sentences, those of one entry in passages as long as a bullet can hold.

    What somebody says in talk is chosen sentence by sentence, and told with how it begins.
    """
    if is_talk(units):
        return with_openings(units)
    found: list[Unit] = []
    for _, group in groupby(units, key=lambda unit: (unit.entry.id, unit.line, unit.label)):
        own = [*group]
        if len(own) < _PROSE or cues.is_talk(own[0].entry.text):
            found += own
            continue
        parts = [own[0]]
        for unit in own[1:]:
            firm = {one.section for one in (*parts, unit) if one.must}
            # What may not be lost in two sections stands in both.
            if len(firm) > 1 or not _passage([*parts, unit]):
                found.append(_passage(parts) or parts[0])
                parts = []
            parts.append(unit)
        found.append(_passage(parts) or parts[0])
    return found


def _passage(parts: Sequence[Unit]) -> Unit | None:
    """Sentences of one paragraph as one, if a bullet can hold it."""
    if len(parts) == 1:
        return parts[0]
    # What may not be lost says where it stands, or else how it was left at the end.
    stated = max(parts[::-1], key=lambda unit: (unit.section != cues.CONTEXT, unit.must))
    one = as_one(parts, stated)
    if one is None:
        return None
    worth = sum(unit.worth * unit.tokens for unit in parts) / sum(unit.tokens for unit in parts)
    must = any(unit.must for unit in parts)
    return replace(one, must=must, worth=worth, leans=parts[0].leans)


def as_one(parts: Sequence[Unit], stated: Unit) -> Unit | None:
    """Sentences of one entry as one, if a bullet can hold it and none has another speaker.

    They stand in the order in which they were said, those too that had been made one before.
    """
    first = parts[0]
    if any(unit.label != first.label for unit in parts):
        return None
    pieces = sorted([one for unit in parts for one in _pieces(unit)], key=lambda one: one.at)
    text = in_a_row([one.text for one in pieces])
    one = replace(
        first,
        text=text,
        tokens=tokens_in(text),
        stems=tuple(stem for unit in parts for stem in unit.stems),
        atoms=frozenset[str]().union(*(unit.atoms for unit in parts)),
        firm=frozenset[str]().union(*(unit.firm for unit in parts)),
        section=stated.section,
        must=True,
        worth=stated.worth,
        folded=[
            *(replace(one, folded=[]) for one in parts[1:]),
            *(twin for one in parts for twin in one.folded),
        ],
        parts=tuple(pieces),
    )
    return one if one.tokens <= _LONGEST and fits(one) else None


def _pieces(unit: Unit) -> tuple[Unit, ...]:
    """The sentences a unit was made of, or itself where it is one, or was put in other words since."""
    whole = unit.parts and in_a_row([one.text for one in unit.parts]) == unit.text
    return unit.parts if whole else (unit,)


def with_openings(units: Sequence[Unit], most: float = 0.0) -> list[Unit]:
    """The sentences, what may not be lost of an entry made one with what the entry begins with.

    What says nothing alone is told with its opening always, and a curt statement with the rest of
    a short entry. For others that rest, or the opening of a longer one, is told too while there is
    room in the `most` that a page may have.
    """
    spent = 0
    said = Counter([unit.stems for unit in units])
    entries: dict[tuple[str, int], list[Unit]] = {}
    for unit in units:
        entries.setdefault((unit.entry.id, unit.line), []).append(unit)
    told: dict[tuple[str, int], Unit] = {}
    wider: list[tuple[int, tuple[str, int], Unit]] = []
    for key, group in entries.items():
        stated = [unit for unit in group if unit.must and unit.label != USER]
        spent += sum(unit.tokens + BESIDES for unit in stated)
        if len(group) == 1 or len(stated) != 1 or cues.is_talk(group[0].entry.text):
            continue
        # What many entries begin with says nothing of this one.
        own = [unit for unit in group if unit.must or said[unit.stems] == 1]
        alone = stated[0]
        whole = _whole(own, alone) or _opened(own, alone)
        opened = _opened(own, alone) if _needs_opening(alone, own) else alone
        told[key] = whole if alone.tokens < CURT else opened
        spent += told[key].tokens - alone.tokens
        if whole.tokens > told[key].tokens:
            wider.append((whole.tokens - told[key].tokens, key, whole))
    for more, key, whole in sorted(wider, key=lambda one: one[0]):
        spent += more
        if spent > most:
            break
        told[key] = whole
    kept: list[Unit] = []
    for key, group in entries.items():
        one = told.get(key)
        gone = {unit.at for unit in (one, *one.folded)} if one else frozenset[int]()
        kept += [unit for unit in group if unit.at not in gone]
        kept += [one] if one else []
    return sorted(kept, key=lambda unit: unit.at)


def _needs_opening(stated: Unit, group: Sequence[Unit]) -> bool:
    """Whether a sentence would not be understood without the one its entry begins with."""
    if stated is group[0]:
        return False
    return stated.leans or stated.label != "" or not stated.firm or stated.tokens < _BRIEF


def _opened(group: Sequence[Unit], stated: Unit) -> Unit:
    """A sentence with the one its entry begins with, or with that before it where it leans on it."""
    at = group.index(stated)
    before = group[at - 1 if stated.leans else 0]
    if at == 0 or _is_idle(before):
        return stated
    return as_one([before, stated], stated) or stated


def _whole(group: Sequence[Unit], stated: Unit) -> Unit | None:
    """A short entry as one sentence, where none of its sentences is idle."""
    if sum(unit.tokens for unit in group) > _WHOLE or any(map(_is_idle, group)):
        return None
    return as_one(group, stated)


def _is_idle(unit: Unit) -> bool:
    """Whether a sentence adds nothing to the others of its entry."""
    return unit.text[-1:] in "?:" or cues.is_routine(unit.text) or is_chatter(unit.text)
