"""What an atom is, and what a source vouches for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


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
