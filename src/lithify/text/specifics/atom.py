"""What an atom is, and what a source vouches for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal

from lithify.text.dates import MONTHS, VERBATIM, WEEKDAYS
from lithify.text.likeness import word_set
from lithify.values import Entry

Kind = Literal[
    "number", "money", "percent", "date", "time", "version", "id", "path", "url", "quote", "name"
]


@dataclass(frozen=True, slots=True)
class Atom:
    """One specific of a text; two that mean the same have the same `key`.

    `loose`: a name whose capital letter may only be due to its place, as at the start of a
    sentence; another form of the word in the source is support enough.
    """

    kind: Kind
    key: str
    text: str
    start: int
    end: int
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Support:
    """What a source vouches for: widened keys, every word it has, its text as it is and folded."""

    keys: frozenset[str]
    words: frozenset[str]
    text: str
    folded: str


#: A letter of a script that parts its words: beside the others a Latin word stands on its own.
LETTER = r"[^\W\d_\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"


def aliases(*rows: str) -> dict[str, str]:
    return {word: row.split()[0] for row in rows for word in row.split()}


_UNQUOTED = str.maketrans(
    dict.fromkeys("“”„«»", '"') | {"‘": "'", "’": "'", "—": " - ", "*": None, "`": None}
)


def folded_text(text: str) -> str:
    if text.isascii():  # translating is slow, and most texts have nothing to translate
        return " ".join(text.replace("*", "").replace("`", "").lower().split())
    return " ".join(text.translate(_UNQUOTED).casefold().split())


# What of a claim stands word for word in its sources, and needs no taking apart.


#: Where one clause ends and the next begins; never where the two could be one date. A pattern
#: that begins with its space is found faster than one that begins with what stands before it.
_CLAUSE = re.compile(r"\s(?:(?:(?<=[:;!?]\s)|(?<=[^\W\d]\.\s))\s*|(?<=[^\W\d]\s)\s*-\s+)(?!\d)")
_COMMA = re.compile(r"(?<=[^\W\d]),\s+(?!\d)")
_QUOTED = re.compile("[“”«»]")
_BEFORE = frozenset(' \n("[—–')
#: After these no word may go on: "1.5" does not stand in "1.5.2".
_STOPS = frozenset('.,;:!?)"]—–')
_DIGIT = re.compile(r"\d")
#: Spaces in a clause with a figure that is long enough not to stand somewhere by chance.
_FEWEST = 2
#: Longer texts are not kept folded.
_REMEMBERED = 2000


def left_over(text: str, entries: Sequence[Entry]) -> str:
    """Return the clauses of a text that no entry has word for word.

    A clause that an entry has says no figure, date or name that the entry does not.
    """
    clauses = _CLAUSE.split(text)
    if _QUOTED.search(text) or any(c.count('"') % 2 or c.count("`") % 2 for c in clauses):
        return text  # a quotation is compared as a whole
    if ('"' in text or "`" in text) and any(_CLAUSE.search(m[0]) for m in VERBATIM.finditer(text)):
        return text  # so is one whose marks stand in two clauses
    # The entries a claim cites are mostly twins under the same headings.
    sources = dict.fromkeys(text for e in entries for text in (e.text, *e.headings, e.lead))
    said = "\n".join(dict.fromkeys(map(_folded_source, sources)))
    return "\n".join(clause for clause in clauses if not _is_told(clause, said))


def _is_told(clause: str, source: str) -> bool:
    """Return whether a clause is said as it stands, or part by part between its commas."""
    if _is_said(clause, source):
        return True
    parts = [] if '"' in clause or "`" in clause else _COMMA.split(clause)
    return len(parts) > 1 and all(_is_said(part, source) for part in parts)


def _is_said(clause: str, source: str) -> bool:
    said = folded_text(clause).strip(" .,;:!?")
    if said.count(" ") < _FEWEST and _DIGIT.search(said):
        return False
    return _stands(said, source)


def _folded_source(text: str) -> str:
    return _folded(text) if len(text) <= _REMEMBERED else folded_text(text)


@lru_cache(maxsize=1 << 13)
def _folded(text: str) -> str:
    return folded_text(text)


def _stands(said: str, source: str) -> bool:
    """Return whether the words stand in a source from one word's beginning to another's end."""
    at = source.find(said)
    while at >= 0:
        end = at + len(said)
        if (at == 0 or source[at - 1] in _BEFORE) and _ends(source, end):
            return True
        at = source.find(said, at + 1)
    return False


def _ends(source: str, end: int) -> bool:
    after = source[end : end + 2]
    return not after or after[0] in " \n" or (after[0] in _STOPS and not after[1:].isalnum())


# Words that are capitalised only by their place, and those that are names all the same.


SHORT_DAYS = {"tue": "tuesday", "tues": "tuesday", "wed": "wednesday", "fri": "friday"}
SHORT_DAYS |= dict.fromkeys(("thu", "thur", "thurs"), "thursday")
CALENDAR = frozenset((*WEEKDAYS, *MONTHS, *SHORT_DAYS))


def _word_lists() -> dict[str, frozenset[str]]:
    """Read `words.txt`: each list stands under its name in brackets, after the reason for it."""
    text = (files("lithify.text.specifics") / "words.txt").read_text("utf-8")
    pieces = re.split(r"(?m)^\[(\w+)\]$", re.sub(r"(?m)^#.*$", "", text))
    return {name: word_set(words) for name, words in zip(pieces[1::2], pieces[2::2], strict=True)}


_LISTS = _word_lists()
NEVER, COMMON, NAMES_THOUGH, BOTH = (
    _LISTS[name] for name in ("never", "common", "names_though", "both")
)
