"""Brings the items of a source into the days of a root, each of them once.

All items are read first, sorted by day on disk, and then added day by day, each day's items with
one line of the journal that also names their keys. A run that ends half-way leaves whole days, and
the next one adds what is missing: the result is that of a single run.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date, datetime
from hashlib import blake2b
from itertools import groupby, islice
from pathlib import Path
from typing import NamedTuple

from lithify.errors import LithifyError, UsageError
from lithify.importers.sources import Broken, ImportItem, ImportSource, LeftOut
from lithify.markdown.lines import SIGNALS
from lithify.memory import Memory
from lithify.store import journal
from lithify.text.sentences import first_sentences

#: The most characters of an entry, and of a text that is looked at to make one.
LONGEST, _READ = 800, 20_000
#: The most entries that are added to a day at once.
_BATCH = 2000
#: Examples of what could not be read that a summary holds.
_EXAMPLES = 5
_SECRET = re.compile(r"\[secret:[a-z0-9-]+:[0-9a-f]{8}\]")

Progress = Callable[[str, int], None]


class Imported(NamedTuple):
    """What came in, what was there already, and what was left out."""

    source: str
    entries: int = 0
    days: int = 0
    first: date | None = None
    last: date | None = None
    known: int = 0
    shortened: int = 0
    redactions: int = 0
    left_out: tuple[tuple[str, int], ...] = ()
    errors: int = 0
    examples: tuple[str, ...] = ()


def import_from(
    memory: Memory,
    source: ImportSource,
    path: Path,
    *,
    since: date | None = None,
    dry_run: bool = False,
    progress: Progress = lambda doing, count: None,
) -> Imported:
    """Import what a path holds of a source; with `dry_run` only say what would come in."""
    files = list(source.find(path)) if path.exists() else []
    known = [file for file in files if source.holds(file)]
    if not known:
        there = f"does not look like {source.title}" if path.exists() else "does not exist"
        raise UsageError(reason=f"{path} {there}; looked for: {source.looks_for}")
    with closing(_Sorted(memory, source.name, since)) as found:
        found.counts["files of another kind"] += len(files) - len(known)
        for file in known:
            for one in source.items(file):
                found.take(one)
                progress(f"reading {file.name}", found.seen)
        if dry_run:
            found.drop_known()
            return found.summary()
        with memory.locked():
            found.drop_known()
            done = 0
            for day, rows in found.days():
                while batch := list(islice(rows, _BATCH)):
                    entries = [(time, text) for time, text, _ in batch]
                    facts = {"imported": [key for *_, key in batch]}
                    memory.append_entries(day, entries, f"import:{source.name}", facts)
                    done += len(batch)
                    progress(f"adding {day}", done)
        return found.summary()


class _Sorted:
    """The items of a run, in a database on disk that is gone with its connection."""

    def __init__(self, memory: Memory, source: str, since: date | None) -> None:
        self._memory, self._source, self._since = memory, source, since
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute(
            "CREATE TABLE item (day TEXT, time TEXT, number INTEGER, key TEXT PRIMARY KEY, text TEXT,"
            " shortened INTEGER, secrets INTEGER) WITHOUT ROWID"
        )
        self._database.execute("BEGIN")
        self.seen, self.known = 0, 0
        self.counts: Counter[str] = Counter()
        self.errors, self.examples = 0, list[str]()

    def close(self) -> None:
        self._database.close()

    def take(self, one: ImportItem | LeftOut | Broken) -> None:
        """Sort an item in, or count what is none."""
        if isinstance(one, LeftOut):
            self.counts[one.what] += one.times
        elif isinstance(one, Broken):
            self.errors += 1
            if len(self.examples) < _EXAMPLES:
                self.examples.append(self._clean(f"{one.place}: {one.reason}"))
        else:
            self._add(one)

    def _add(self, item: ImportItem) -> None:
        day, time = self._local(item)
        if day is None:
            return
        if self._since and day < self._since:
            self.counts[f"before {self._since}"] += 1
            return
        label = f"{item.who} ({item.about})" if item.who and item.about else item.who or item.about
        whole = f"{label}: {item.text}" if label else item.text
        read = whole if len(whole) <= _READ else whole[:_READ].rpartition(" ")[0] or whole[:_READ]
        text = self._clean(read)
        if not text:
            self.counts["empty items"] += 1
            return
        self.seen += 1
        more = self._clean(item.more)
        made = _SECRET.findall(text + more)
        secrets = len(made) - len(_SECRET.findall(whole + item.more))
        short = _shortened(text, len(whole[len(read) :].split()))
        entry = f"{short}\n{first_sentences(more, LONGEST)}" if more else short
        key = blake2b(f"{self._source}|{item.key}".encode("utf-8", "replace"), digest_size=8)
        row = (str(day), time, self.seen, key.hexdigest(), entry, short != text, max(secrets, 0))
        self._database.execute("INSERT OR IGNORE INTO item VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def _clean(self, text: str) -> str:
        # JSON can hold halves of characters, which neither a file nor a terminal takes.
        text = SIGNALS.sub("", text.encode("utf-8", "replace").decode())
        return self._memory.redacted(text).strip()

    def _local(self, item: ImportItem) -> tuple[date | None, str]:
        """Return the day and the time of an item in the zone of the root."""
        if not isinstance(item.when, datetime):
            return item.when, ""
        try:
            moment = self._memory.in_zone(item.when)
        except LithifyError as error:
            self.take(Broken(item.key[:40], error.message))
            return None, ""
        return moment.date(), f"{moment:%H:%M}"

    def drop_known(self) -> None:
        """Drop what earlier runs have brought, by the keys that the journal holds."""
        before = self._database.total_changes
        for record in journal.holding(self._memory.root, "imported"):
            keys = [(str(key),) for key in record["imported"]]
            self._database.executemany("DELETE FROM item WHERE key = ?", keys)
        self.known = self._database.total_changes - before

    def days(self) -> Iterator[tuple[date, Iterator[tuple[str, str, str]]]]:
        """Yield the items of each day, each a time, a text and a key, in order."""
        rows = self._database.execute(
            "SELECT day, time, text, key FROM item ORDER BY day, time, number"
        )
        for day, group in groupby(rows, key=lambda row: str(row[0])):
            yield date.fromisoformat(day), ((time, text, key) for _, time, text, key in group)

    def summary(self) -> Imported:
        total = self._database.execute(
            "SELECT count(*), count(DISTINCT day), min(day), max(day), sum(shortened), sum(secrets)"
            " FROM item"
        )
        entries, days, first, last, shortened, secrets = total.fetchone()
        return Imported(
            self._source,
            entries,
            days,
            date.fromisoformat(first) if first else None,
            date.fromisoformat(last) if last else None,
            self.known,
            shortened or 0,
            secrets or 0,
            tuple((what, count) for what, count in self.counts.most_common() if count),
            self.errors,
            tuple(self.examples),
        )


def _shortened(text: str, unread: int) -> str:
    """The first sentences of a text that is too long for an entry, and how much was left out."""
    if len(text) <= LONGEST and not unread:
        return text
    short = first_sentences(text, LONGEST)
    more = len(text.split()) - len(short.split()) + unread
    return f"{short} (… {more:,} more words)"
