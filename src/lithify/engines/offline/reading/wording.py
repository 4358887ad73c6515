"""What a sentence says: its words with their dates resolved, their stems and their specifics."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from lithify.engines.offline.reading.dating import resolved
from lithify.engines.offline.reading.text import tokens_in
from lithify.text.atoms import find_atoms
from lithify.text.stems import stems_of


@dataclass(frozen=True, slots=True)
class Words:
    """What a sentence says, its dates resolved."""

    text: str
    tokens: int
    stems: tuple[str, ...]
    atoms: frozenset[str]
    firm: frozenset[str]


@lru_cache(maxsize=1 << 12)
def words_of(sentence: str, day: date | None, ahead: bool = False) -> Words:
    """A sentence read on a day; one without a date in it reads the same on any."""
    text = resolved(sentence, day, ahead)
    atoms = find_atoms(text, day)
    return Words(
        text=text,
        tokens=tokens_in(text),
        stems=tuple(stems_of(text)),
        atoms=frozenset(atom.key for atom in atoms),
        firm=frozenset(atom.key for atom in atoms if not atom.loose),
    )


def capital(words: Words) -> Words:
    """The words as a sentence begins, now that no label stands before them."""
    first = words.text.split(maxsplit=1)[0]
    return replace(words, text=words.text[0].upper() + words.text[1:]) if first.isalpha() else words
