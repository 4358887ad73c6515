"""What of a root's files is indexed, and as what.

The days answer. Sentences of summaries, typed memories and wisdom that cite days lead to them; a
page of another's making that cites nothing is its own source, and answers for itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from lithify.calendar import is_month, month_start, parse_day
from lithify.index.record import Record, Source, record_of
from lithify.store.tree import File
from lithify.values import Entry

if TYPE_CHECKING:
    from lithify.compact.snapshot import Snapshot


def source_of(snapshot: Snapshot, path: str) -> Source:
    """A file as it is indexed: credentials out, origins stamped."""
    file = snapshot.file(path)
    assert file is not None, path
    entries = snapshot.entries([path])
    if file.role == "day":
        return Source(path, "", "day", file.label, tuple(_records(entries)))
    return Source(path, "", file.role, file.label, tuple(_page(snapshot, file, entries)))


def _records(entries: tuple[Entry, ...]) -> Iterator[Record]:
    for entry in entries:
        if entry.text:
            yield record_of(entry)


def _page(snapshot: Snapshot, file: File, entries: tuple[Entry, ...]) -> Iterator[Record]:
    from lithify.markdown.pages import read_typed, read_wisdom, split_provenance, strip_comments

    if file.role == "wisdom":
        own = {entry.line: entry for entry in entries}
        for rule, line in read_wisdom(snapshot.read(file.path)):
            known = own.get(line) or Entry(f"{file.label}~{'0' * 12}", "", line=line, end_line=line)
            text = snapshot.redacted(f"{rule.title}: {rule.text}")
            yield record_of(replace(known, day=None), rule.sources, text)
        return
    if file.role == "typed":
        memory = read_typed(snapshot.read(file.path), file.path)
        cites = memory.sources if memory else ()
        day = parse_day(str(memory.updated)[:10]) if memory else None
        for entry in entries:
            if entry.text and "Superseded" not in entry.headings:
                headings = (*(() if memory is None else (memory.name,)), *entry.headings)
                yield record_of(replace(entry, day=day, headings=headings), cites)
        return
    day = _last_day(file.label)
    for entry in entries:
        text, ids = split_provenance(entry.text)
        if text:
            stated = replace(entry, day=day or entry.day)
            yield record_of(stated, ids, strip_comments(text))


def _last_day(label: str) -> date | None:
    """The last day of a month: what a summary says is known from then on."""
    if not is_month(label):
        return None
    return (month_start(label) + timedelta(days=31)).replace(day=1) - timedelta(days=1)
