"""Reading a root's files for the index.

Entries of days are what a search returns. Sentences of summaries, typed memories and wisdom lead to
the days they cite. A page that cites nothing, written by another tool, is its own source and can be
returned itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from lithify.calendar import parse_day, spoken_on
from lithify.capture import UntrustedCaptures, clean, redacted, stamped
from lithify.errors import StorageError
from lithify.index.write import Record, Source, record_of
from lithify.limits import FILE
from lithify.markdown.pages import (
    NOT_STATED,
    memory_type_of,
    read_typed,
    read_wisdom,
    split_provenance,
    strip_comments,
)
from lithify.markdown.parse import read_entries
from lithify.settings import Settings
from lithify.store import disk, journal
from lithify.store.digests import is_text
from lithify.store.places import Root
from lithify.store.tree import Found, Layout, may_be_typed
from lithify.values import Entry

if TYPE_CHECKING:
    from lithify.compact.ledger import Ledger

#: The roles of files that are searched; `SOUL.md` and others are not.
_ROLES = ("day", "week", "month", "typed", "wisdom", "index")
#: A field of a typed memory without content.
_UNSTATED = re.compile(rf"\*\*[^*]+:\*\* {NOT_STATED}\.?")


class RootReader:
    """Reads single files of a root for the index, with credentials redacted and origins stamped.

    The cost of one file does not depend on how many files the root has.
    """

    def __init__(
        self,
        root: Root,
        settings: Settings,
        layout: Layout,
        found: Mapping[str, Found],
        unknown: str = "file",
    ) -> None:
        self._root, self._settings, self._unknown = root, settings, unknown
        self._layout, self._found = layout, found

    def digest(self, path: str) -> str:
        """The digest of a file's bytes; empty if the file is not searched or cannot be read."""
        try:
            return self._bytes(path)[0]
        except StorageError:
            return ""

    def source(self, path: str) -> Source:
        """A file with the entries to index."""
        name = self._layout.name(path)
        try:
            digest, data = self._bytes(path)
        except StorageError:
            return Source(path, "", "", name.label, (), read=False)
        role = "typed" if name.role == "other" and digest and memory_type_of(data) else name.role
        if not digest or role not in _ROLES:
            return Source(path, digest, "", name.label, ())
        label = name.label
        entries = self._entries(path, label, data)
        if role == "day":
            return Source(path, digest, role, label, tuple(_records(entries)))
        return Source(
            path, digest, role, label, tuple(self._page(path, role, label, data, entries))
        )

    def _bytes(self, path: str) -> tuple[str, bytes]:
        found = self._found[path]
        role = self._layout.name(path).role
        if role not in _ROLES and not (role == "other" and may_be_typed(found, self._layout)):
            return "", b""
        if found.stat.st_size > FILE:
            return "", b""
        data = disk.read(found.real)
        return (sha256(data).hexdigest(), data) if is_text(data) else ("", b"")

    @cached_property
    def _ledger(self) -> Ledger:
        # Read on first use: the journal is needed only if a file has changed.
        from lithify.compact.ledger import fold

        return fold(journal.read(self._root).records)

    @cached_property
    def _origins(self) -> Mapping[str, str]:
        return self._ledger.known_origins()

    @cached_property
    def _untrusted(self) -> UntrustedCaptures:
        return UntrustedCaptures(self._ledger.untrusted_sketches())

    def _entries(self, path: str, label: str, data: bytes) -> tuple[Entry, ...]:
        found = read_entries(data, path=path, label=label, day=spoken_on(label))
        known = stamped(found, self._origins, self._untrusted, self._unknown)
        return tuple(clean(entry, self._settings.redact) for entry in known)

    def _redacted(self, text: str) -> str:
        return redacted(text, self._settings.redact)

    def _page(
        self, path: str, role: str, label: str, data: bytes, entries: tuple[Entry, ...]
    ) -> Iterator[Record]:
        if role == "wisdom":
            own = {entry.line: entry for entry in entries}
            for rule, line in read_wisdom(data):
                known = own.get(line) or Entry(f"{label}~{'0' * 12}", "", line=line, end_line=line)
                text = self._redacted(f"{rule.title}: {rule.text}")
                yield record_of(replace(known, day=None), rule.sources, text)
        elif role == "typed":
            memory = read_typed(data, path)
            cites = memory.sources if memory else ()
            day = parse_day(str(memory.updated)[:10]) if memory else None
            for entry in entries:
                if _says_something(entry):
                    headings = (*(() if memory is None else (memory.name,)), *entry.headings)
                    yield record_of(replace(entry, day=day, headings=headings), cites)
        else:
            for entry in entries:
                text, ids = split_provenance(entry.text)
                if text:
                    yield record_of(entry, ids, strip_comments(text))


def _records(entries: tuple[Entry, ...]) -> Iterator[Record]:
    for entry in entries:
        if entry.text:
            yield record_of(entry)


def _says_something(entry: Entry) -> bool:
    """Whether an entry of a typed memory is in force and has content."""
    if not entry.text or "Superseded" in entry.headings:
        return False
    return not _UNSTATED.fullmatch(entry.text)
