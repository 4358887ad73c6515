"""Talk: a log of turns, each with its speaker, and its sentences one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lithify.engines.offline.reading.text import split, tokens_in
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.atoms import find_atoms
from lithify.text.stems import words_of

#: Fewer words are a call or an answer that nobody understands any more.
_WORDS = 3


def is_talk(units: Sequence[Unit]) -> bool:
    """Whether most of the sentences have a speaker."""
    return 2 * sum(1 for unit in units if unit.label) > len(units)


def one_by_one(units: Sequence[Unit]) -> list[Unit]:
    """The sentences of talk each by itself, those that lean on the one before among them.

    What leans is mostly how it felt: on a short page the first sentence is told, and the others
    have to be worth their room.
    """
    found: list[Unit] = []
    for unit in units:
        for part in _parts(unit):
            if not part.label or _says_enough(part.text):
                found.append(replace(part, at=len(found)))
    return found


def _says_enough(text: str) -> bool:
    return len(words_of(text)) >= _WORDS


def _parts(unit: Unit) -> list[Unit]:
    parts = split(unit.text) if unit.label and '"' not in unit.text else []
    if len(parts) < 2:
        return [unit]
    found: list[Unit] = []
    for text in filter(_says_enough, parts):
        keys = frozenset(atom.key for atom in find_atoms(text, unit.entry.day))
        part = replace(
            unit,
            text=text,
            tokens=tokens_in(text),
            stems=stems_in(text),
            atoms=unit.atoms & keys,
            firm=unit.firm & keys,
            must=unit.must and not found,
            folded=[],
            leans=unit.leans or bool(found),
        )
        found += [part] if part.stems else []
    return found
