"""What the index holds of one entry, on the way in and on the way out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from lithify.values import Entry

#: A name, in bold or not, and a colon: the beginning of a turn in a conversation.
_SPEAKER = re.compile(r"(?:\*\*)?([^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,2}):(?:\*\*)?\s+\S")
_BOLD = re.compile(r"\*\*(?=[^\s*])([^*\n]+?)(?<=\S)\*\*")


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
        text=(entry.text if text is None else text) or "",
        headings=entry.headings,
        lead=entry.lead,
        kind=entry.kind,
        line=entry.line,
        end_line=entry.end_line,
        entry=entry.id,
        origin=entry.origin,
        day=entry.day.toordinal() if entry.day else 0,
        cites=tuple(cites),
    )


def shown(text: str, kind: str) -> str:
    """An entry's words without the marks of bold type, which say nothing and cost room."""
    return text if kind == "code" or "**" not in text else _BOLD.sub(r"\1", text)


def speaker_of(text: str) -> str:
    """Who says an entry that is a turn of a conversation, in small letters; else nothing."""
    match = _SPEAKER.match(text)
    return match[1].lower() if match else ""
