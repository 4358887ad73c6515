"""What the index is given: files with their entries, and who reads them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, Protocol

from lithify.index.record import FRESH, Seen, readable
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
    """A file with its entries; `tier` is `day`, the kind of page it is, or empty for no memory."""

    path: str
    sha256: str
    tier: str
    label: str
    records: tuple[Record, ...]
    seen: Seen = FRESH


class Reader(Protocol):
    """Reads the files of a root for the index."""

    def digest(self, path: str) -> str:
        """The digest of a file's bytes; empty for what is no memory or cannot be read."""

    def source(self, path: str) -> Source:
        """A file as it is indexed."""


def record_of(entry: Entry, cites: Iterable[str] = (), text: str | None = None) -> Record:
    """An entry as it is indexed; `text` where what is shown is not what the entry says."""
    headings, lead = _above(entry.headings, entry.lead)
    return Record(
        text=readable((entry.text if text is None else text) or ""),
        headings=headings,
        lead=lead,
        kind=entry.kind,
        line=entry.line,
        end_line=entry.end_line,
        entry=entry.id,
        origin=entry.origin,
        day=entry.day.toordinal() if entry.day else 0,
        cites=tuple(cites),
    )


# They come with every entry under them, and may be long.
@lru_cache(maxsize=1 << 6)
def _above(headings: tuple[str, ...], lead: str) -> tuple[tuple[str, ...], str]:
    return tuple(map(readable, headings)), readable(lead)
