"""What the index holds of one entry, on the way in and on the way out."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lithify.values import Entry


class Record(NamedTuple):
    """One entry to be indexed. `cites` are the ids a summary's sentence rests on."""

    text: str
    headings: tuple[str, ...]
    lead: str
    kind: str
    line: int
    end_line: int
    entry: str
    origin: str
    day: int
    cites: tuple[str, ...] = ()


class Source(NamedTuple):
    """A file with its entries; `tier` is `day` or the kind of page it is."""

    path: str
    sha256: str
    tier: str
    label: str
    records: tuple[Record, ...]


class Doc(NamedTuple):
    """A text under its heading path: all entries that are alike share one."""

    id: int
    key: int
    text: str
    headings: tuple[str, ...]
    lead: str
    kind: str
    speaker: str
    tokens: int
    terms: tuple[str, ...]
    own: frozenset[str]
    about: str


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


def record_of(entry: Entry, cites: Iterable[str] = (), text: str | None = None) -> Record:
    """An entry as it is indexed; `text` where what is shown is not what the entry says."""
    return Record(
        text=_readable((entry.text if text is None else text) or ""),
        headings=tuple(map(_readable, entry.headings)),
        lead=_readable(entry.lead),
        kind=entry.kind,
        line=entry.line,
        end_line=entry.end_line,
        entry=entry.id,
        origin=entry.origin,
        day=entry.day.toordinal() if entry.day else 0,
        cites=tuple(cites),
    )


def _readable(text: str) -> str:
    """A text whose bytes that are no UTF-8 are shown as such: an index cannot hold them."""
    return (
        text
        if text.isascii()
        else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    )


def stored(path: str) -> str | bytes:
    """A path as a table can hold it: one that is no text by its bytes."""
    return path if path.isascii() or path == _readable(path) else os.fsencode(path)
