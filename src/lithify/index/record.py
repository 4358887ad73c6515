"""What the index gives back of an entry."""

from __future__ import annotations

import os
from typing import NamedTuple

#: How a file looks without being read: its size, two times and inode. Same look, same bytes.
Seen = tuple[int, int, int, int]
#: The look of a file that has to be read the next time, because it was too fresh to be told apart.
FRESH: Seen = (-1, 0, 0, 0)


class Doc(NamedTuple):
    """A text under its heading path: all entries that are alike share one.

    `said` and `about` are the terms of its text and of what stands over it, with spaces between;
    `own` those of its text as a set. `first` and `last` are the days it stands on.
    """

    id: int
    key: int
    text: str
    path: str
    lead: str
    kind: str
    speaker: str
    tokens: int
    said: str
    about: str
    first: int
    last: int
    lead_tokens: int
    own: frozenset[str]

    @property
    def columns(self) -> str:
        """What a row of a table stands under; empty for what is no row."""
        return self.lead if self.kind == "row" and self.lead.startswith("|") else ""

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(self.path.split("\x1f")) if self.path else ()


class Outline(NamedTuple):
    """A document without its words: the keys of its text and of what stands over it, its days."""

    id: int
    key: int
    head: int
    first: int
    last: int


class Place(NamedTuple):
    """Where an entry stands."""

    doc: int
    file: int
    seq: int
    day: int
    line: int
    end_line: int
    entry: str
    origin: str
    path: str
    tier: str
    cites: tuple[str, ...] = ()


def readable(text: str) -> str:
    """A text whose bytes that are no UTF-8 are shown as such: an index cannot hold them."""
    return (
        text
        if text.isascii()
        else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    )


def stored(path: str) -> str | bytes:
    """A path as a table can hold it: one that is no text by its bytes."""
    return path if path.isascii() or path == readable(path) else os.fsencode(path)
