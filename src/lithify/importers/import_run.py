"""Brings the items of a source into the days of a root, each of them once.

All items are read first, sorted by day on disk, and then added day by day, each day's items under a
heading with one line of the journal that also names their keys. A run that ends half-way leaves whole days, and
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
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from lithify.errors import LithifyError, UsageError
from lithify.importers.sources import Broken, Dated, ImportItem, ImportSource, LeftOut, Whole
from lithify.markdown.lines import SIGNALS
from lithify.markdown.parse import row_in_words
from lithify.memory import Memory
from lithify.regex import regex
from lithify.store import journal
from lithify.text.sentences import first_sentences
from lithify.trust import is_trusted

#: The most characters of an entry, and of a text that is looked at to make one.
LONGEST, _READ = 800, 20_000
#: The most entries that are added to a day at once.
_BATCH = 2000
#: Examples of what could not be read that a summary holds.
_EXAMPLES = 5
_CLOCK = regex(r"\[?\d{1,2}:\d\d(?::\d\d)?\b")
_SECRET = regex(r"\[secret:[a-z0-9-]+:[0-9a-f]{8}\]")

Progress = Callable[[str, int], None]


class Imported(NamedTuple):
    """What came in, what was there already, and what was left out."""

    source: str
    entries: int = 0
    days: int = 0
    first: date | None = None
    last: date | None = None
    known: int = 0
    back: int = 0
    updates: int = 0
    superseded: int = 0
    shortened: int = 0
    redactions: int = 0
    left_out: tuple[tuple[str, int], ...] = ()
    dated: tuple[tuple[str, int], ...] = ()
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
    found_files = list(source.find(path)) if path.exists() else []
    files = [file for file in found_files if file.is_file() or file.is_dir()]
    known = [file for file in files if source.holds(file)]
    if not known:
        there = f"does not look like {source.title}" if path.exists() else "does not exist"
        raise UsageError(reason=f"{path} {there}; looked for: {source.looks_for}")
    # The days, pages and memories of the root itself.
    own = {memory.root / file.path for file in memory.snapshot().tree.files if file.role != "other"}
    own = {file.resolve() for file in own}
    others = [file for file in known if file.resolve() not in own]
    with closing(_Sorted(memory, source.name, since)) as found:
        found.counts["files of another kind"] += len(files) - len(known)
        found.counts["files that this root reads itself"] += len(known) - len(others)
        found.counts["pipes, devices and broken links"] += len(found_files) - len(files)
        for file in others:
            for one in source.items(file):
                found.take(one)
                progress(f"reading {file.name}", found.seen)
        if dry_run:
            found.drop_known()
            found.taken_back()
            return found.summary()
        with memory.locked():
            found.drop_known()
            done = 0
            for day, heading, rows in found.days():
                while batch := list(islice(rows, _BATCH)):
                    entries = [(time, text) for time, text, _ in batch]
                    keys = [key for *_, key in batch]
                    origin = f"import:{source.name}"
                    memory.append_entries(day, entries, origin, keys, heading)
                    done += len(batch)
                    progress(f"adding {day}", done)
            if back := found.taken_back():
                memory.bring_back(back)
            if outdated := found.outdated():
                memory.mark_outdated(outdated)
        return found.summary()


class _Sorted:
    """The items of a run, in a database on disk that is gone with its connection.

    The key of an item has three parts, digests of its record, of its name and of its version. One of
    a known name and another version is an update, and the older of the two is outdated: which that
    is, their days say, and on one day the run that read it last.
    """

    def __init__(self, memory: Memory, source: str, since: date | None) -> None:
        self._memory, self._source, self._since = memory, source, since
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.executescript(
            "CREATE TABLE item (of TEXT, name TEXT, version TEXT, day TEXT, time TEXT, number INTEGER,"
            " until TEXT, heading TEXT, text TEXT, shortened INTEGER, secrets INTEGER, is_new INTEGER,"
            " PRIMARY KEY (name, version)) WITHOUT ROWID;"
            "CREATE TABLE whole (of TEXT PRIMARY KEY, day TEXT, dates_news INTEGER);"
            "CREATE TABLE known (of TEXT, name TEXT, version TEXT, entry TEXT);"
            "CREATE INDEX known_name ON known (name, version)"
        )
        self._database.execute("BEGIN")
        self.seen, self.known, self.back, self.updates, self.superseded = 0, 0, 0, 0, 0
        self.counts, self.dated = Counter[str](), Counter[str]()
        self.errors, self.examples = 0, list[str]()

    def close(self) -> None:
        self._database.close()

    def take(self, one: ImportItem | LeftOut | Whole | Dated | Broken) -> None:
        """Sort an item in, or count what is none."""
        if isinstance(one, LeftOut):
            self.counts[one.what] += one.times
        elif isinstance(one, Dated):
            self.dated[one.by] += 1
        elif isinstance(one, Whole):
            day = str(self._local(one.when, one.of)[0] or one.when)
            row = (self._digest(one.of, 6), day, one.dates_news)
            self._database.execute("INSERT OR REPLACE INTO whole VALUES (?, ?, ?)", row)
        elif isinstance(one, Broken):
            self.errors += 1
            if len(self.examples) < _EXAMPLES:
                self.examples.append(self._clean(f"{one.place}: {one.reason}"))
        else:
            self._add(one)

    def _digest(self, text: str, size: int) -> str:
        said = f"{self._source}|{text}".encode("utf-8", "replace")
        return blake2b(said, digest_size=size).hexdigest()

    def _add(self, item: ImportItem) -> None:
        day, time = self._local(item.when, item.key)
        if day is None:
            return
        self.seen += 1
        version = self._digest(item.version or f"{item.text}|{item.more}", 4)
        key = (self._digest(item.of or item.key, 6), self._digest(item.key, 8), version)
        told = (str(item.until or ""), " ".join(self._clean(item.heading).split()))
        row = (*key, str(day), time, self.seen, *told, *self._entry(item, day))
        question = f"INSERT OR IGNORE INTO item VALUES ({', '.join('?' * len(row))})"
        if not self._database.execute(question, row).rowcount:
            self.counts["the same thing once more"] += 1

    def _entry(self, item: ImportItem, day: date) -> tuple[str, bool, int, bool]:
        """Return the text of an item's entry, empty where it makes none, with what is counted of it."""
        if self._since and day < self._since:
            self.counts[f"before {self._since}"] += 1
            return "", False, 0, False
        label = f"{item.who} ({item.about})" if item.who and item.about else item.who or item.about
        whole = f"{label}: {item.text}" if label else item.text
        read = whole if len(whole) <= _READ else whole[:_READ].rpartition(" ")[0] or whole[:_READ]
        text = self._clean(read)
        if not text:
            self.counts["empty items"] += 1
            return "", False, 0, False
        more = self._clean(item.more)
        made = _SECRET.findall(text + more)
        secrets = len(made) - len(_SECRET.findall(whole + item.more))
        short = _shortened(text, len(whole[len(read) :].split()))
        entry = f"{short}\n{first_sentences(more, LONGEST)}" if more else short
        return entry, short != text, max(secrets, 0), True

    def _clean(self, text: str) -> str:
        # JSON can hold halves of characters, which neither a file nor a terminal takes.
        text = SIGNALS.sub("", text.encode("utf-8", "replace").decode())
        return self._memory.redacted(text).strip()

    def _local(self, when: date, place: str) -> tuple[date | None, str]:
        """Return the day and the time of a moment in the zone of the root."""
        if not isinstance(when, datetime):
            return when, ""
        try:
            moment = self._memory.in_zone(when)
        except LithifyError as error:
            self.take(Broken(place[:40], error.message))
            return None, ""
        return moment.date(), f"{moment:%H:%M}"

    def drop_known(self) -> None:
        """Leave out what earlier runs have brought, by the keys that the journal holds."""
        self._read_journal()
        # What was taken back and then deleted is written once more.
        snapshot = self._memory.snapshot()
        taken = snapshot.ledger.captures.taken_back
        deleted = taken - snapshot.lookup(sorted(taken)).keys()
        self._database.executemany("DELETE FROM known WHERE entry = ?", ((id,) for id in deleted))
        change = "UPDATE item SET is_new = 0 WHERE is_new AND"
        known = self._database.execute(
            f"{change} ((name, version) IN (SELECT name, version FROM known)"
            " OR name IN (SELECT name FROM known WHERE version = ''))"
        )
        self.known = known.rowcount
        # Of a name whose entries were all erased, no later version comes in either.
        gone = "name IN (SELECT name FROM known GROUP BY name HAVING max(entry) = '')"
        self.counts["updates of what was forgotten"] = self._database.execute(
            f"{change} {gone}"
        ).rowcount
        own = self._said_here()
        self._database.create_function("is_said", 2, lambda day, text: (day, _words(text)) in own)
        said = self._database.execute(f"{change} is_said(day, text)").rowcount
        self.counts["what this day says already, word for word"] = said
        self._database.execute(
            "UPDATE item SET day = (SELECT day FROM whole WHERE whole.of = item.of), time = ''"
            " WHERE is_new AND of IN (SELECT of FROM whole WHERE dates_news)"
            " AND of IN (SELECT of FROM known)"
        )
        question = "SELECT count(*) FROM item WHERE is_new AND name IN (SELECT name FROM known)"
        (self.updates,) = self._database.execute(question).fetchone()

    def _said_here(self) -> set[tuple[str, str]]:
        """Return what trusted entries of each day say, alone and behind their heading or lead-in.

        A copy of the days would double them, and as the copy is not trusted, they would not be either.
        """
        snapshot = self._memory.snapshot()
        own: set[tuple[str, str]] = set()
        for entry in snapshot.entries(sorted(snapshot.shelf.day_paths)):
            if is_trusted(entry.origin):
                above = ("", entry.lead, *entry.headings[-1:])
                # An item has its time beside its text, and a row in words.
                is_row = entry.kind == "row"
                text = row_in_words(entry.lead, entry.text) if is_row else entry.text
                timed = _CLOCK.match(text)
                text = text[timed.end() :] if timed else text
                own.update((entry.id[:10], _words(f"{one} {text}")) for one in above)
        return own

    def _read_journal(self) -> None:
        self._database.execute("DELETE FROM known")
        for record in journal.holding(self._memory.root, "imported"):
            imported = record["imported"]
            if isinstance(imported, list):
                # Version 0.1.0 kept names alone: what it brought is known, whatever its version is now.
                rows = [("", str(name), "", "") for name in imported]
            else:
                rows = [
                    (*key.split("."), entry)
                    for key, entries in imported.items()
                    for entry in entries or [""]
                ]
            self._database.executemany("INSERT INTO known VALUES (?, ?, ?, ?)", rows)

    def taken_back(self) -> list[str]:
        """Return the entries of what was read that a person took back."""
        self._read_journal()
        known = self._database.execute(
            "SELECT entry, is_new FROM item JOIN known USING (name, version)"
        )
        there = self._memory.snapshot().ledger.captures.taken_back
        back = {entry: is_new for entry, is_new in known if entry in there}
        self.back = sum(not is_new for is_new in back.values())
        return list(back)

    def outdated(self) -> dict[str, str]:
        """Return entries that hold no more at their source, with the day, and "" if one holds again.

        The answer follows from the journal and what was read, so that a run after a crash completes it.
        """
        self._read_journal()
        since: dict[str, str] = {}
        holds: set[str] = set()
        versions = self._database.execute(
            "SELECT name, item.day, version, until, entry, 1 AS is_read, time, number FROM item"
            " JOIN known USING (name, version) UNION ALL"
            " SELECT name, substr(entry, 1, 10) AS day, version, '', entry, 0, '', rowid FROM known"
            " WHERE name IN (SELECT name FROM item)"
            " AND (name, version) NOT IN (SELECT name, version FROM item)"
            " ORDER BY name, day, is_read, time, number"
        )
        for _, group in groupby(versions, key=lambda row: row[0]):
            found = [row[1:5] for row in group]
            day, newest = found[-1][:2]
            for _, version, until, entry in found:
                if version != newest or until:
                    since[entry] = until if version == newest else day
                else:
                    holds.add(entry)
        since |= self._database.execute(
            "SELECT entry, whole.day FROM known JOIN whole USING (of)"
            " WHERE name NOT IN (SELECT name FROM item)"
        )
        marked: dict[str, str] = {}
        for record in journal.holding(self._memory.root, "outdated"):
            marked |= record["outdated"]
        changes = {entry: "" for entry in holds if marked.get(entry)}
        for entry, day in since.items():
            if entry and entry not in holds and not marked.get(entry):
                changes[entry] = max(day, entry[:10])
        self.superseded = sum(map(bool, changes.values()))
        return changes

    def days(self) -> Iterator[tuple[date, str, Iterator[tuple[str, str, str]]]]:
        """Yield the new items of each day and heading, each a time, a text and a key, in order."""
        rows = self._database.execute(
            "SELECT day, heading, time, text, of || '.' || name || '.' || version FROM item"
            " WHERE is_new ORDER BY day, heading, time, number"
        )
        for (day, heading), group in groupby(rows, key=itemgetter(0, 1)):
            yield date.fromisoformat(day), heading, (row[2:] for row in group)

    def summary(self) -> Imported:
        total = self._database.execute(
            "SELECT count(*), count(DISTINCT day), min(day), max(day), sum(shortened), sum(secrets)"
            " FROM item WHERE is_new"
        )
        entries, days, first, last, shortened, secrets = total.fetchone()
        return Imported(
            self._source,
            entries,
            days,
            date.fromisoformat(first) if first else None,
            date.fromisoformat(last) if last else None,
            self.known - self.back,
            self.back,
            self.updates,
            self.superseded,
            shortened or 0,
            secrets or 0,
            tuple((what, count) for what, count in self.counts.most_common() if count),
            tuple(self.dated.most_common()),
            self.errors,
            tuple(self.examples),
        )


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))


def _shortened(text: str, unread: int) -> str:
    """The first sentences of a text that is too long for an entry, and how much was left out."""
    if len(text) <= LONGEST and not unread:
        return text
    short = first_sentences(text, LONGEST)
    more = len(text.split()) - len(short.split()) + unread
    return f"{short} (… {more:,} more words)"
