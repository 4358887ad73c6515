"""Two values keep what each is said with: "from 5 to 2.5" is not "from 2.5 to 5"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from lithify.text.atoms import Atom, find_atoms
from lithify.text.language import word_list
from lithify.text.stems import stem
from lithify.values import Entry
from lithify.verify.together import LONGEST, is_like

#: Pairs of values looked at in one claim.
_MOST = 60
#: Characters around a value in which its words stand.
_NEAR = 25
_VALUES = frozenset(("number", "money", "percent", "version", "time", "date"))
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
#: Words that stand with any value.
_EMPTY = frozenset(
    [
        "a",
        "an",
        "the",
        "and",
        "of",
        "in",
        "on",
        "at",
        "is",
        "was",
        "der",
        "die",
        "das",
        "ein",
        "eine",
        "und",
        "im",
        "am",
        "ist",
        "war",
    ]
)


@dataclass(frozen=True, slots=True)
class Placed:
    """A text's values and words, each by its place."""

    values: tuple[Atom, ...]
    words: tuple[tuple[int, int, str], ...]


def crossed(text: str, cited: Sequence[Entry], language: str, agent: str = "") -> str:
    """Two values of a claim, each said with what its source says of the other."""
    claim = _placed(text[:LONGEST])
    pairs = [
        (one, other)
        for one, other in combinations(claim.values, 2)
        if one.key != other.key and is_like(one, other)
    ]
    for entry in cited if pairs else ():
        source = _placed(_named(entry.text[:LONGEST], language, agent))
        for one, other in pairs[:_MOST]:
            first, second = _where(one, source), _where(other, source)
            if first and second and _is_crossed(claim, (one, other), source, (first, second)):
                return f'"{one.text}" and "{other.text}"'
    return ""


def _named(text: str, language: str, agent: str) -> str:
    """A text with who keeps the log by name, where it speaks of itself."""
    own = word_list(language, "first_person")
    if not agent or not own:
        return text
    return _WORD.sub(lambda m: agent if m[0].lower() in own else m[0], text)


@lru_cache(maxsize=1 << 11)
def _placed(text: str) -> Placed:
    atoms = find_atoms(text)
    values = tuple(atom for atom in atoms if atom.kind in _VALUES)
    words = [
        (*match.span(), stem(match[0].lower())[:6])
        for match in _WORD.finditer(text)
        if match[0].lower() not in _EMPTY
        and not any(a.start <= match.start() < a.end for a in atoms if a.kind != "quote")
    ]
    named = [(atom.start, atom.end, atom.key) for atom in atoms if atom.kind != "quote"]
    return Placed(values, tuple(words + named))


def _where(atom: Atom, source: Placed) -> Atom | None:
    return next((other for other in source.values if other.key == atom.key), None)


def _is_crossed(
    claim: Placed, pair: tuple[Atom, Atom], source: Placed, there: tuple[Atom, Atom]
) -> bool:
    if pair[0].start == pair[1].start and there[0].start == there[1].start:
        # "From 150 to 250" is one stretch of text.
        return source.values.index(there[0]) > source.values.index(there[1])
    mine, theirs = _beside(claim, *pair), _beside(source, *there)
    straight = mine[0] & theirs[0] | mine[1] & theirs[1]
    return bool(mine[0] & theirs[1] and mine[1] & theirs[0] and not straight)


def _beside(text: Placed, one: Atom, other: Atom) -> tuple[frozenset[str], frozenset[str]]:
    """The words that stand beside one value only, and those beside the other only."""
    near: tuple[set[str], set[str]] = (set(), set())
    for start, end, word in text.words:
        gaps = [max(start - value.end, value.start - end) for value in (one, other)]
        if min(gaps) < 0 or min(gaps) > _NEAR:
            continue
        near[gaps[1] < gaps[0]].add(word)
    return frozenset(near[0] - near[1]), frozenset(near[1] - near[0])
