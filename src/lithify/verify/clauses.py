"""A claim cut into clauses, each with its specifics and its other words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from lithify.text.atoms import Atom, find_atoms
from lithify.text.language import word_list
from lithify.text.stems import is_empty, stem, words_of

#: Where one clause ends and the next may begin, in whatever language.
_STOPS = r"[.;!?:]\s+|\s*,\s+|\s*[()\[\]–—|]\s*|\s+-\s+|\s*→\s*"
_ASIDE = re.compile(r"\(([^()]*)\)")
#: Letters by which two forms of a word are one: longer endings differ from form to form.
_LETTERS = 6
#: A piece without words of its own that begins so belongs to the one after it, others to that before.
_AND = ("and", "but", "while", "und", "aber", "während")


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a claim that one entry must carry.

    `words` are those that are part of no specific.
    """

    text: str
    words: frozenset[str]
    atoms: tuple[Atom, ...]


@lru_cache(maxsize=1 << 12)
def words_in(text: str) -> frozenset[str]:
    """The words of a text that carry meaning, each by its first letters."""
    return frozenset(stem(word)[:_LETTERS] for word in words_of(text) if not is_empty(word))


@lru_cache(maxsize=1 << 12)
def clauses(text: str, language: str = "English") -> tuple[Clause, ...]:
    """The clauses of a text; what stands in brackets is one of its own, after the others."""
    asides = [match[1] for match in _ASIDE.finditer(text)]
    parts = [_ASIDE.sub(lambda match: " " * len(match[0]), text), *asides]
    return tuple(clause for part in parts for clause in _of_part(part, language))


def _of_part(text: str, language: str) -> list[Clause]:
    atoms = find_atoms(text)
    found = []
    for start, end in _spans(text, atoms, language):
        mine = [atom for atom in atoms if start <= atom.start < end]
        found.append(Clause(text[start:end], _own_words(text, start, end, mine), tuple(mine)))
    return found


def _own_words(text: str, start: int, end: int, atoms: Sequence[Atom]) -> frozenset[str]:
    rest = list(text[start:end])
    for atom in atoms:
        if atom.kind == "quote":
            continue
        for at in range(atom.start - start, min(atom.end - start, len(rest))):
            rest[at] = " "
    return words_in("".join(rest))


def _spans(text: str, atoms: Sequence[Atom], language: str) -> list[tuple[int, int]]:
    """Where the clauses lie: a piece without words of its own goes with the one before it."""
    cuts = [0]
    for match in joint(language).finditer(text):
        if not any(atom.start < match.end() and match.start() < atom.end for atom in atoms):
            cuts.append(match.end())
    spans = list(zip(cuts, [*cuts[1:], len(text)], strict=True))
    found: list[tuple[int, int]] = []
    for at, (start, end) in enumerate(spans):
        if _has_words(text, start, end, atoms):
            found.append((start, end))
        elif at + 1 < len(spans) and (not found or text[start:end].lstrip().startswith(_AND)):
            spans[at + 1] = (start, spans[at + 1][1])  # "and Bo after the offline mode"
        elif found:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _has_words(text: str, start: int, end: int, atoms: Sequence[Atom]) -> bool:
    mine = [atom for atom in atoms if start <= atom.start < end]
    return bool(_own_words(text, start, end, mine))


@lru_cache(maxsize=16)
def joint(language: str) -> re.Pattern[str]:
    """What stands between two clauses of a language."""
    words = "|".join(sorted(word_list(language, "joints"), key=len, reverse=True))
    return re.compile(rf"{_STOPS}|,?\s+(?=(?:{words})\b)" if words else _STOPS, re.IGNORECASE)
