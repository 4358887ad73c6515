"""An index made of entries at hand, without a root."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from lithify.index.read import Index
from lithify.index.source import Source, record_of
from lithify.index.tables import fresh
from lithify.index.write import Writer
from lithify.values import Entry


def index_of_entries(entries: Iterable[Entry]) -> Index:
    """An index in memory; entries of one file stand together and in order."""
    writer = Writer(fresh(":memory:", ""))
    writer.db.execute("BEGIN")
    for (path, day), group in groupby(entries, key=lambda entry: (entry.path, entry.day)):
        label = day.isoformat() if day else path
        records = tuple(record_of(entry) for entry in group)
        writer.add(Source(path or f"memory/{label}.md", "", "day", label, records))
    writer.finish()
    writer.db.execute("COMMIT")
    return Index(writer.db)
