"""What an atom is, and what a source vouches for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from lithify.text.dates import MONTHS, WEEKDAYS
from lithify.text.likeness import word_set

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
