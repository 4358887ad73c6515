"""An entry's text in its normal form, and the id that follows from it."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from lithify.text.sentences import SIZE, pieces

_ID = re.compile(r"([^\s~]+)~([0-9a-f]{12})")

#: A hash that has taken in some headings, and goes on with a text.
Hash = hashlib.blake2b


def normalise(text: str) -> str:
    """One line: NFC, white space collapsed, case kept."""
    if len(text) <= SIZE:
        return _one_line(text)
    # In pieces: split at once, a long text would take ten times its size in words.
    return " ".join(filter(None, map(_one_line, pieces(text))))


def _one_line(text: str) -> str:
    return " ".join((text if text.isascii() else unicodedata.normalize("NFC", text)).split())


def under_headings(headings: Iterable[str] = (), above: Hash | None = None) -> Hash:
    """The hash that the ids of entries under some headings begin with.

    `above`: the one of the headings above these, so that a long path is not read again.
    """
    digest = above.copy() if above else hashlib.blake2b(digest_size=6)
    for heading in headings:
        digest.update(_bytes(f"{heading}\x1f"))
    return digest


def id_of(label: str, under: Hash, text: str) -> str:
    """The id of an entry whose text is in its normal form."""
    digest = under.copy()
    for piece in pieces(text) if len(text) > SIZE else (text,):
        digest.update(_bytes(piece))
    return f"{label}~{digest.hexdigest()}"


def entry_id(label: str, headings: Sequence[str], text: str) -> str:
    """The id of an entry of the file or day called `label`: it survives reordering, not edits."""
    return id_of(label, under_headings(headings), normalise(text))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def is_entry_id(text: str) -> bool:
    """Whether the text has the form of an entry id."""
    return _ID.fullmatch(text) is not None


def label_of(entry: str) -> str:
    """The day or file an entry id belongs to."""
    return entry.partition("~")[0]


def row_in_words(header: str, row: str) -> str:
    """A row of a table in one line, each cell with the name of its column."""
    names, cells = ([cell.strip() for cell in one.strip("| ").split("|")] for one in (header, row))
    pairs = zip_longest(names[: len(cells)], cells, fillvalue="")
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)
