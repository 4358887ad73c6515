"""Read the files of a root, and add them to the index or remove them."""

from __future__ import annotations

import sqlite3
from array import array
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from hashlib import blake2b, sha256
from itertools import count, groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from lithify.calendar import parse_day
from lithify.capture import stamped
from lithify.compact.entries import SourceReader
from lithify.errors import StorageError
from lithify.limits import FILE
from lithify.markdown.pages import (
    NOT_STATED,
    memory_type_of,
    read_typed,
    read_wisdom,
    split_provenance,
    strip_comments,
)
from lithify.regex import regex
from lithify.search.index import (
    BLOCK,
    ENTRIES,
    FRESH,
    PAGES,
    PASSAGES,
    SHELF,
    SHELVES,
    Seen,
    date_terms,
    each,
    readable,
    stored,
    terms_of,
    weights,
)
from lithify.settings import Settings
from lithify.store import disk, journal
from lithify.store.names import Layout
from lithify.store.places import Root
from lithify.store.tree import File, Found, is_text, may_be_typed
from lithify.text.copies import UntrustedCaptures
from lithify.text.sentences import outside_code, speaker_of
from lithify.text.tokens import estimate
from lithify.values import Entry

if TYPE_CHECKING:
    from lithify.compact.ledger import Ledger


#: The length of an average passage, in terms.
_PASSAGE_LENGTH = 80.0
#: An entry is found by so many terms of its headings and lead-in: they come with every entry.
_MOST_ABOVE = 200
#: A passage ends before the entry that would make it longer than this, in tokens.
PASSAGE_TOKENS = 200
#: How many records are stored at a time, and how many postings wait in memory to be written.
_BATCH = 500
_MOST_WAITING = 2_000_000

#: Words in bold type.
_BOLD = regex(r"\*\*(?=[^\s*])([^*\n]+?)(?<=\S)\*\*")


class IndexRecord(NamedTuple):
    """One entry to be indexed. `cites` holds the entry ids that a sentence of a summary cites."""

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


class IndexedFile(NamedTuple):
    """A file with its entries. `tier` is `day` or the kind of page; empty for a file not searched.

    One that could not be `read` is tried again the next time.
    """

    path: str
    sha256: str
    tier: str
    label: str
    records: Iterable[IndexRecord]
    seen: Seen = FRESH
    read: bool = True
    #: Entries whose statement a newer one replaced, each with the day of that; 0 for marks in force.
    outdated: tuple[tuple[str, int], ...] = ()


def record_of(entry: Entry, cites: Iterable[str] = (), text: str | None = None) -> IndexRecord:
    """Turn an entry into a record; `text` replaces the entry's own text."""
    headings, lead = _above(entry.headings, entry.lead)
    return IndexRecord(
        text=readable((entry.text if text is None else text) or ""),
        headings=headings,
        lead=lead,
        kind="quote" if entry.quoted and entry.kind != "code" else entry.kind,
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


class _Stored(NamedTuple):
    """A record with its document, the terms of its text and of its headings, and its tokens."""

    record: IndexRecord
    doc: int
    terms: list[str]
    about: str
    tokens: int


class IndexWriter:
    """Changes an index. `finish` writes the postings and counts; postings go early where they grow many."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        #: Postings to add and to take out, by shelf and block, then by term.
        self._added: dict[tuple[int, int], dict[str, tuple[array[int], bytearray]]] = {}
        self._taken: dict[tuple[int, int], dict[str, set[int]]] = {}
        self._waiting = 0
        self._gone: set[int] = set()
        #: Changes to the counts in `meta`, which save counting rows at every query.
        self._grown: Counter[str] = Counter()
        self._next_doc = _one(db, "SELECT coalesce(max(id), 0) FROM doc") + 1
        self._next_passage = _one(db, "SELECT coalesce(max(id), 0) FROM passage") + 1
        last = _one(db, "SELECT coalesce(max(id), 0) >> ? FROM posting", SHELF)
        self._numbers = count(last // SHELVES + 1)

    def remove(self, path: str) -> None:
        """Remove a file, and with it the documents that stand nowhere else."""
        question = "SELECT id, tier FROM file WHERE path = ?"
        found = self.db.execute(question, (stored(path),)).fetchone()
        if found is None:
            return
        row = found[:1]
        self._grown["files"] -= bool(found[1])
        counts = Counter(
            doc for (doc,) in self.db.execute("SELECT doc FROM place WHERE file = ?", row)
        )
        self._gone.update(counts)
        self._grown["places"] -= counts.total()
        self._remove_passages(row)
        self.db.execute("DELETE FROM place WHERE file = ?", row)
        self.db.execute("DELETE FROM outdated WHERE file = ?", row)
        for doc, times in counts.items():
            self.db.execute(
                "UPDATE doc SET places = places - ?, first = of.first, last = of.last FROM (SELECT"
                " min(day) AS first, max(day) AS last FROM place WHERE doc = ?) AS of WHERE id = ?",
                (times, doc, doc),
            )
        self.db.execute("DELETE FROM file WHERE id = ?", row)

    def add(self, source: IndexedFile) -> None:
        """Add a file that is not in the index, a batch of its records at a time."""
        cursor = self.db.execute(
            "INSERT INTO file VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)",
            (stored(source.path), source.sha256, source.tier, source.label, *source.seen),
        )
        file = cursor.lastrowid
        rows = [(file, id, day) for id, day in source.outdated]
        self.db.executemany("INSERT INTO outdated VALUES (?, ?, ?)", rows)
        self._grown["files"] += bool(source.tier)
        seq, length, run, records = 0, 0, list[_Stored](), iter(source.records)
        while batch := list(islice(records, _BATCH)):
            for one in self._stored(batch):
                length += one.tokens
                if run and not (
                    _is_beside(run[-1].record, one.record) and length <= PASSAGE_TOKENS
                ):
                    self._add_passage(file, seq, run)
                    seq, length, run = seq + len(run), one.tokens, []
                run.append(one)
        if run:
            self._add_passage(file, seq, run)

    def touch(self, path: str, seen: Seen) -> None:
        """Store the new look of a file whose bytes have not changed."""
        change = "UPDATE file SET size = ?, mtime = ?, ctime = ?, inode = ? WHERE path = ?"
        self.db.execute(change, (*seen, stored(path)))

    def finish(self) -> None:
        """Write the postings and counts of everything added and removed."""
        self._grown["revision"] += 1
        for doc in sorted(self._gone):
            self._drop_if_nowhere(doc)
        self._gone.clear()
        self._write_postings()
        add = "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value"
        self.db.executemany(add, sorted(self._grown.items()))
        self._grown.clear()

    def _stored(self, records: Sequence[IndexRecord]) -> list[_Stored]:
        """Store the texts, headings and documents of records that the index does not have yet."""
        texts = [_without_bold(one.text, one.kind) for one in records]
        keys = [
            (_key(r.kind, text), _head_key(r.lead, r.headings), PAGES if r.cites else ENTRIES)
            for r, text in zip(records, texts, strict=True)
        ]
        own = self._texts(
            {key[0]: (t, r.kind) for key, t, r in zip(keys, texts, records, strict=True)}
        )
        about = self._heads({key[1]: r for key, r in zip(keys, records, strict=True)})
        question = "SELECT text, head, shelf, id FROM doc WHERE text IN"
        known = {row[:3]: row[3] for row in each(self.db, question, own)}
        first_new = self._next_doc
        days: dict[int, list[int]] = {}
        new: list[tuple[int, ...]] = []
        for key, record in zip(keys, records, strict=True):
            if key not in known:
                known[key] = doc = self._next_doc
                self._next_doc += 1
                self._grown[f"size{key[2]}"] += 1
                self._post(doc, key[2], weights(own[key[0]][0], about[key[1]]))
                new.append((doc, *key))
            days.setdefault(known[key], []).append(record.day)
        spans = {doc: (len(on), min(on), max(on)) for doc, on in days.items()}
        rows = [(*row, *spans[row[0]]) for row in new]
        self.db.executemany("INSERT INTO doc VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        self.db.executemany(
            "UPDATE doc SET places = places + ?, first = min(ifnull(first, ?), ?),"
            " last = max(ifnull(last, ?), ?) WHERE id = ?",
            [
                (number, first, first, last, last, doc)
                for doc, (number, first, last) in spans.items()
                if doc < first_new
            ],
        )
        return [
            _Stored(record, known[key], own[key[0]][0], about[key[1]], own[key[0]][1])
            for key, record in zip(keys, records, strict=True)
        ]

    def _texts(self, wanted: Mapping[int, tuple[str, str]]) -> dict[int, tuple[list[str], int]]:
        """The terms and tokens of texts, given with their kinds; new ones are stored."""
        question = "SELECT id, terms, tokens FROM text WHERE id IN"
        found = {
            id: (terms.split(), tokens) for id, terms, tokens in each(self.db, question, wanted)
        }
        rows = []
        for key in wanted.keys() - found.keys():
            text, kind = wanted[key]
            found[key] = terms, tokens = terms_of(text), estimate(text)
            rows.append((key, text, kind, speaker_of(text).lower(), tokens, " ".join(terms)))
        self.db.executemany("INSERT INTO text VALUES (?, ?, ?, ?, ?, ?)", rows)
        return found

    def _heads(self, wanted: Mapping[int, IndexRecord]) -> dict[int, str]:
        """The terms of the headings and leads of records; new ones are stored."""
        found = dict(each(self.db, "SELECT id, terms FROM head WHERE id IN", wanted))
        for key in wanted.keys() - found.keys():
            headings, lead = wanted[key].headings, wanted[key].lead
            found[key] = " ".join(terms_of(" ".join((*headings, lead)))[:_MOST_ABOVE])
            row = (key, "\x1f".join(headings), lead, found[key], estimate(lead))
            self.db.execute("INSERT INTO head VALUES (?, ?, ?, ?, ?)", row)
        return found

    def _add_passage(self, file: int | None, first: int, run: Sequence[_Stored]) -> None:
        """Add the places of neighbouring records, and the passage they make, if they are no page's."""
        passage, day = None, run[0].record.day
        if not run[0].record.cites:
            terms = [term for one in run for term in one.terms]
            about = " ".join((run[0].about, *date_terms(day)))
            passage, self._next_passage = self._next_passage, self._next_passage + 1
            self._post(passage, PASSAGES, weights(terms, about, _PASSAGE_LENGTH))
            row = (passage, file, first, first + len(run) - 1, day)
            self.db.execute("INSERT INTO passage VALUES (?, ?, ?, ?, ?)", row)
            self._grown[f"size{PASSAGES}"] += 1
        places = []
        for seq, one in enumerate(run, first):
            record = one.record
            entry = record.entry.rpartition("~")[2]
            where = (record.day, record.line, record.end_line, entry, record.origin)
            places.append((file, seq, one.doc, *where, " ".join(record.cites) or None, passage))
        self.db.executemany("INSERT INTO place VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", places)
        self._grown["places"] += len(places)

    def _remove_passages(self, file: tuple[int]) -> None:
        """Remove the passages of a file, whose places and documents are still there."""
        question = (
            "SELECT passage, place.day, text.terms, head.terms FROM place JOIN doc ON doc.id = doc"
            " JOIN text ON text.id = doc.text JOIN head ON head.id = doc.head"
            " WHERE file = ? AND passage IS NOT NULL ORDER BY seq"
        )
        for passage, rows in groupby(self.db.execute(question, file), itemgetter(0)):
            held: set[str] = set()
            for _, day, own, about in rows:
                # A passage has the headings of its first entry.
                held.update(own.split(), () if held else (*about.split(), *date_terms(day)))
            self._take(passage, PASSAGES, held)
            self._grown[f"size{PASSAGES}"] -= 1
        self.db.execute("DELETE FROM passage WHERE file = ?", file)

    def _drop_if_nowhere(self, doc: int) -> None:
        row = self.db.execute(
            "SELECT doc.text, doc.head, shelf, text.terms, head.terms FROM doc"
            " JOIN text ON text.id = doc.text JOIN head ON head.id = doc.head"
            " WHERE doc.id = ? AND places = 0",
            (doc,),
        ).fetchone()
        if row is None:
            return
        text, head, shelf, terms, about = row
        self._take(doc, shelf, {*terms.split(), *about.split()})
        self.db.execute("DELETE FROM doc WHERE id = ?", (doc,))
        self._grown[f"size{shelf}"] -= 1
        for table, column, key in (("text", "text", text), ("head", "head", head)):
            used = f"SELECT 1 FROM doc WHERE {column} = ? LIMIT 1"
            if not self.db.execute(used, (key,)).fetchone():
                self.db.execute(f"DELETE FROM {table} WHERE id = ?", (key,))
                if table == "text":
                    self.db.execute("DELETE FROM vector WHERE text = ?", (key,))

    def _post(self, number: int, shelf: int, weighed: Mapping[str, int]) -> None:
        """Add the postings of a document or passage."""
        held, low = self._added.setdefault((shelf, number >> BLOCK), {}), number & 0xFFFF
        for term, weight in weighed.items():
            one = held.get(term)
            if one is None:
                one = held[term] = (array("H"), bytearray())
            one[0].append(low)
            one[1].append(weight)
        self._wait(len(weighed))

    def _take(self, number: int, shelf: int, terms: Collection[str]) -> None:
        """Take the postings of a document or passage out."""
        held, low = self._taken.setdefault((shelf, number >> BLOCK), {}), number & 0xFFFF
        for term in terms:
            held.setdefault(term, set()).add(low)
        self._wait(len(terms))

    def _wait(self, postings: int) -> None:
        self._waiting += postings
        if self._waiting > _MOST_WAITING:
            self._write_postings()

    def _write_postings(self) -> None:
        """Write the postings that wait, and how many documents more hold each term."""
        terms = sorted(set[str]().union(*self._added.values(), *self._taken.values()))
        question = "SELECT term, id FROM term WHERE term IN"
        known = dict(each(self.db, question, terms))
        numbers = {term: known.get(term) or next(self._numbers) for term in terms}
        counts = {term: [0, 0, 0] for term in terms}
        empty: list[tuple[int]] = []
        write = "INSERT OR REPLACE INTO posting VALUES (?, ?, ?)"
        self.db.executemany(write, self._changed_postings(numbers, known, counts, empty))
        self.db.executemany("DELETE FROM posting WHERE id = ?", empty)
        new = [(term, numbers[term], *counts[term]) for term in terms if term not in known]
        self.db.executemany("INSERT INTO term VALUES (?, ?, ?, ?, ?)", new)
        change = "SET entries = entries + ?, pages = pages + ?, passages = passages + ?"
        rows = [(*counts[term], term) for term in known]
        self.db.executemany(f"UPDATE term {change} WHERE term = ?", rows)
        unused = "DELETE FROM term WHERE term = ? AND entries + pages + passages = 0"
        self.db.executemany(unused, [(term,) for term in known])
        self._added.clear()
        self._taken.clear()
        self._waiting = 0

    def _changed_postings(
        self,
        numbers: Mapping[str, int],
        known: Container[str],
        counts: Mapping[str, list[int]],
        empty: list[tuple[int]],
    ) -> Iterator[tuple[int, bytes, bytes]]:
        """Yield the changed postings in order and count them; `empty` gets the keys of those left empty."""
        question = "SELECT docs, weights FROM posting WHERE id = ?"
        changed = {
            ((numbers[term] * SHELVES + shelf) << SHELF | block, term, shelf, block)
            for held in (self._added, self._taken)
            for (shelf, block), terms in held.items()
            for term in terms
        }
        for place, term, shelf, block in sorted(changed):
            docs, values = self._added.get((shelf, block), {}).get(term) or (
                array("H"),
                bytearray(),
            )
            change = len(docs)
            row = self.db.execute(question, (place,)).fetchone() if term in known else None
            if row:
                old, weighed = array("H", row[0]), bytearray(row[1])
                change -= len(old)
                if taken := self._taken.get((shelf, block), {}).get(term):
                    kept = [n for n, doc in enumerate(old) if doc not in taken]
                    old = array("H", [old[n] for n in kept])
                    weighed = bytearray([weighed[n] for n in kept])
                docs, values = old + docs, weighed + values
                change += len(old)
            counts[term][shelf] += change
            if docs:
                yield place, docs.tobytes(), bytes(values)
            else:
                empty.append((place,))


def _is_beside(before: IndexRecord, record: IndexRecord) -> bool:
    """Whether a record and the one before it may be of one passage."""
    return before.headings == record.headings and bool(before.cites) == bool(record.cites)


def _key(*parts: str) -> int:
    joined = "\x1e".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(joined, digest_size=8).digest(), signed=True)


# Entries that follow each other mostly stand under the same headings, which may be long.
@lru_cache(maxsize=1 << 6)
def _head_key(lead: str, headings: tuple[str, ...]) -> int:
    return _key(lead, *headings)


def _one(db: sqlite3.Connection, question: str, *values: int) -> int:
    return int(db.execute(question, values).fetchone()[0])


def _without_bold(text: str, kind: str) -> str:
    """Return an entry's text without the marks of bold type, which cost tokens and say nothing."""
    if kind == "code" or "**" not in text:
        return text
    return outside_code(text, lambda words: _BOLD.sub(r"\1", words))


# Reading a root's files for the index.

#: The roles of files that are searched; `SOUL.md` and others are not.
_ROLES = ("day", "week", "month", "typed", "wisdom", "index")
#: A field of a typed memory without content.
_UNSTATED = regex(rf"\*\*[^*]+:\*\* {NOT_STATED}\.?")


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

    def source(self, path: str) -> IndexedFile:
        """Return a file with the entries to index."""
        name = self._layout.name(path)
        try:
            digest, data = self._bytes(path)
        except StorageError:
            return IndexedFile(path, "", "", name.label, (), read=False)
        role = "typed" if name.role == "other" and digest and memory_type_of(data) else name.role
        if not digest or role not in _ROLES:
            return IndexedFile(path, digest, "", name.label, ())
        label = name.label
        entries = self._entries(path, label, data, digest)
        hidden = self._ledger.captures.hidden
        every = self._records(path, role, label, data, entries)
        # What rests on nothing but what a person is asked to forget is not shown either.
        records = (one for one in every if not (one.cites and hidden.issuperset(one.cites)))
        replaced = _outdated(data, path) if role == "typed" else ()
        return IndexedFile(path, digest, role, label, records, outdated=replaced)

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
        return self._ledger.captures.known_origins()

    @cached_property
    def _untrusted(self) -> UntrustedCaptures:
        return UntrustedCaptures(self._ledger.captures.untrusted_sketches())

    def keep(self) -> None:
        """Keep the entries that were read, so that no other command reads these files again."""
        self._reader.flush(self._found)

    @cached_property
    def _reader(self) -> SourceReader:
        return SourceReader(self._root, self._settings.redact, save=True)

    def _entries(self, path: str, label: str, data: bytes, digest: str) -> Iterator[Entry]:
        file = File(path, "other", label, len(data), digest)
        found = self._reader.entries(file, label, data)
        shown = (entry for entry in found if entry.id not in self._ledger.captures.hidden)
        return stamped(shown, self._origins, self._untrusted.origin_of_copy, self._unknown)

    def _records(
        self, path: str, role: str, label: str, data: bytes, entries: Iterator[Entry]
    ) -> Iterator[IndexRecord]:
        if role == "day":
            yield from (record_of(entry) for entry in entries if entry.text)
        elif role == "wisdom":
            own = {entry.line: entry for entry in entries}
            for rule, line in read_wisdom(self._reader.shown(data)):
                known = own.get(line) or Entry(f"{label}~{'0' * 12}", "", line=line, end_line=line)
                yield record_of(replace(known, day=None), rule.sources, rule.said)
        elif role == "typed":
            memory = read_typed(self._reader.shown(data), path)
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


def _outdated(data: bytes, path: str) -> tuple[tuple[str, int], ...]:
    """Return the entries behind the superseded statements of a memory, each with the day of that.

    That is the day of the next statement listed, or of the one in force. Marks that are in force
    have the day 0.
    """
    memory = read_typed(data, path)
    if memory is None or not (memory.superseded or memory.by):
        return ()
    listed = [(text.partition(":")[0], split_provenance(text)[1]) for text in memory.superseded]
    days = sorted({*(day for day, _ in listed), memory.updated[:10]})
    found = []
    for day, ids in listed:
        since = parse_day(next((later for later in days if later > day), memory.updated[:10]))
        found += [(id, since.toordinal()) for id in ids if since]
    gone = {id for id, _ in found}
    held = [id for id in memory.sources if memory.by and id not in gone]
    return (*found, *((id, 0) for id in held))


def _says_something(entry: Entry) -> bool:
    """Return whether an entry of a typed memory is in force and has content."""
    if not entry.text or "Superseded" in entry.headings:
        return False
    return not _UNSTATED.fullmatch(entry.text)
