"""The search index: its tables, its terms, and looking things up in it. It is derived from the files."""

from __future__ import annotations

import os
import re
import sqlite3
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from lithify.regex import regex
from lithify.text.words import each_word, is_empty, stem, words_of

#: Raise this with every change to the tables, the terms, the weights or how files are read.
VERSION = 12
NAME = "index.sqlite"
#: The files of lithify-vectors by their digests. Vectors made with others are not used.
ENCODER_FILES = {
    "encoder.onnx": "054690f24a24b61511aebca994b8a5002bd6d5791cd7c810e673f8e064b61bc5",
    "vocabulary.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}

#: The key of a posting packs its term, its shelf and its block of documents; a block has 2**BLOCK
#: documents, a term and shelf have 2**SHELF blocks. The shelves: entries of days, sentences of pages
#: that lead to entries, and passages of neighbouring entries.
BLOCK = 16
SHELF = 24
ENTRIES, PAGES, PASSAGES = range(3)
SHELVES = 4
#: BM25's k; the largest weight a byte can hold; the BM25 score that this largest weight stands for.
K = 1.2
TOP = 255
FULL = K + 1

#: How a file looks without being read: size, mtime, ctime and inode. The same look means the same
#: bytes.
Seen = tuple[int, int, int, int]
#: The look that is stored for a file too recently written to trust its times: it is read again.
FRESH: Seen = (-1, 0, 0, 0)

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE file (
    id INTEGER PRIMARY KEY, path TEXT UNIQUE, sha256 TEXT, tier TEXT, label TEXT,
    size INTEGER, mtime INTEGER, ctime INTEGER, inode INTEGER
);
CREATE INDEX file_label ON file (label);
CREATE TABLE text (
    id INTEGER PRIMARY KEY, text TEXT, kind TEXT, speaker TEXT, tokens INTEGER, terms TEXT
);
CREATE TABLE head (
    id INTEGER PRIMARY KEY, headings TEXT, lead TEXT, terms TEXT, tokens INTEGER
);
CREATE TABLE doc (
    id INTEGER PRIMARY KEY, text INTEGER, head INTEGER, shelf INTEGER, places INTEGER,
    first INTEGER, last INTEGER
);
CREATE UNIQUE INDEX doc_key ON doc (text, head, shelf);
CREATE INDEX doc_head ON doc (head);
CREATE TABLE place (
    file INTEGER, seq INTEGER, doc INTEGER, day INTEGER, line INTEGER, end_line INTEGER,
    entry TEXT, origin TEXT, cites TEXT, passage INTEGER, PRIMARY KEY (file, seq)
) WITHOUT ROWID;
CREATE INDEX place_doc ON place (doc, day);
CREATE TABLE passage (
    id INTEGER PRIMARY KEY, file INTEGER, first INTEGER, last INTEGER, day INTEGER
);
CREATE INDEX passage_file ON passage (file);
CREATE TABLE term (
    term TEXT PRIMARY KEY, id INTEGER, entries INTEGER, pages INTEGER, passages INTEGER
) WITHOUT ROWID;
CREATE TABLE posting (id INTEGER PRIMARY KEY, docs BLOB, weights BLOB);
CREATE TABLE outdated (file INTEGER, entry TEXT, day INTEGER);
CREATE INDEX outdated_entry ON outdated (entry);
CREATE INDEX outdated_file ON outdated (file);
CREATE TABLE vector (
    text INTEGER, before INTEGER, value BLOB, PRIMARY KEY (text, before)
) WITHOUT ROWID;
"""


def fresh(path: str, stamp: str) -> sqlite3.Connection:
    """Create an empty index at a path or in memory."""
    db = sqlite3.connect(path, isolation_level=None)
    # It is built in steps, and what a power cut leaves of it must be whole.
    db.execute("PRAGMA synchronous = NORMAL")
    db.executescript(f"BEGIN; {_TABLES}")
    db.execute("INSERT INTO meta VALUES ('stamp', ?)", (stamp,))
    db.execute(f"PRAGMA user_version = {VERSION}")
    db.execute("COMMIT")
    return db


def opened(path: str, stamp: str) -> sqlite3.Connection | None:
    """Open the index at a path; None if it is missing, broken, or of another version or settings."""
    if not os.path.isfile(path):
        return None
    db = None
    try:
        # One thread at a time uses the connection, but not always the one that opened it.
        db = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version == VERSION:
            found = db.execute("SELECT value FROM meta WHERE key = 'stamp'").fetchone()
            if found == (stamp,):
                return db
    except sqlite3.DatabaseError:
        pass
    if db is not None:
        with suppress(sqlite3.DatabaseError):
            db.close()
    return None


def put_in_place(draft: str, path: str) -> None:
    """Replace the index at `path` with a finished one."""
    with open(draft, "r+b") as file:  # Windows syncs only what may be written to.
        os.fsync(file.fileno())
    remove_journals(path)
    os.replace(draft, path)


def remove_journals(path: str) -> None:
    """Remove what a killed writer left beside an index: SQLite would apply it to the next file there."""
    for suffix in ("-journal", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.remove(path + suffix)


def readable(text: str) -> str:
    """Replace bytes that are not UTF-8 by U+FFFD, because SQLite text cannot hold them."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def stored(path: str) -> str | bytes:
    """Return a path as the tables hold it: as text, or as bytes if it is not valid text."""
    return path if path.isascii() or path == readable(path) else os.fsencode(path)


# The terms by which a text is indexed and searched: stems of words, and compounds; their weights.

#: A piece that is more than one word: joined by signs, or of letters and figures, or CamelCase.
#: It and the figures below are left uncompiled until a text has one: most queries have none.
#: It begins where a run of its characters does: from within one it would be looked for again.
_RUN = r"[^\s,;()\[\]{}<>\"“”«»|`*]"
_PIECE = rf"(?<!{_RUN}){_RUN}*[^\W_][^\s;()\[\]{{}}<>\"“”«»|`*]*"
_JOINED = regex(r"[^\W_][./:_\-@#+&$%~=\\,][^\W_]|\d[^\W\d_]|[^\W\d_]\d")
_HUMPS = regex(r"[a-z0-9](?=[A-Z])|[A-Z](?=[A-Z][a-z])")
_GROUPED = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?"
_FIGURE = r"\d[\d.:/-]*%?"
_CLOCK = r"0(\d:\d\d)"
_EDGES = "'’.,:;!?…/\\-–—~=#&+_"
#: Words longer than this are not indexed.
_LONGEST = 80
#: BM25's b; the lengths, in terms, of an average text and heading path; what a heading counts for.
_B = 0.5
_TEXT_LENGTH = 16.0
_HEAD_LENGTH = 8.0
_HEAD_WEIGHT = 1.5


def terms_of(text: str) -> list[str]:
    """Return the terms of a text in order, without stop words."""
    pictures: list[str] = []
    if not text.isascii():
        text = text.translate(_bare_letters())
        pictures = _pictures(text)
    found = [term for word in each_word(text) if (term := _term(word))]
    if _JOINED.search(text) or _HUMPS.search(text):
        found += _wholes(text)
    return found + pictures


# An empty string for what is not indexed. Most words come again and again.
@lru_cache(maxsize=1 << 16)
def _term(word: str) -> str:
    return "" if is_empty(word) or len(word) > _LONGEST else stem(word)


def _pictures(text: str) -> list[str]:
    """Return the emoji and other symbols of a text."""
    from unicodedata import category

    return [sign for sign in text if sign > "\u218f" and category(sign) == "So"]


def _wholes(text: str) -> list[str]:
    """Return the compounds of a text, and the parts of those in CamelCase."""
    found: list[str] = []
    for match in re.finditer(_PIECE, text):
        piece = match[0].strip(_EDGES).removesuffix("'s")
        if len(piece) > _LONGEST or len(piece) < 3 or (piece.isalpha() and piece[1:].islower()):
            continue
        if _HUMPS.search(piece):
            parts = [part for part in _HUMPS.sub(r"\g<0> ", piece).split() if len(part) > 2]
            if len(parts) > 1:
                found += [stem(p) for part in parts for p in words_of(part) if not is_empty(p)]
        piece = piece.lstrip("$€£¥")
        if piece.isalnum() or not _JOINED.search(piece):
            continue
        if "," in piece:
            piece = re.sub(_GROUPED, lambda figure: figure[0].replace(",", ""), piece)
        if piece[0].isdigit() and re.fullmatch(_FIGURE, piece):
            piece = re.sub(_CLOCK, r"\1", piece.rstrip("%"))
        found.append(piece.lower())
    return found


@lru_cache(maxsize=1)
def _bare_letters() -> dict[int, str]:
    """Maps accented Latin letters to plain ones, so that either spelling finds the other."""
    from unicodedata import normalize

    bare = {code: normalize("NFD", chr(code))[0] for code in range(0xC0, 0x250)}
    return {code: letter for code, letter in bare.items() if letter.isascii()}


@lru_cache(maxsize=1 << 6)
def date_terms(day: int) -> tuple[str, ...]:
    """Return the terms of a date in figures and words, by which the passages of a day are found."""
    if not day:
        return ()
    known = date.fromordinal(day)
    return tuple(terms_of(f"{known} {known:%A %d %B %Y}"))


def weights(terms: Sequence[str], about: str, length: float = _TEXT_LENGTH) -> dict[str, int]:
    """The weight of each term of a document: BM25 over its text and, as a second field, headings.

    `about` holds the terms of the headings, `length` is that of an average text in terms.
    """
    norm = 1 - _B + _B * len(terms) / length
    counts = Counter(terms)
    weighed = {count: _weight(count / norm) for count in set(counts.values())}
    found = {term: weighed[count] for term, count in counts.items()}
    for term, part in _heading_parts(about):
        found[term] = _weight(counts.get(term, 0) / norm + part)
    return found


# Entries that follow each other mostly stand under the same headings.
@lru_cache(maxsize=1 << 6)
def _heading_parts(about: str) -> tuple[tuple[str, float], ...]:
    """What each term of headings adds to its count in the text."""
    terms = about.split()
    norm = 1 - _B + _B * len(terms) / _HEAD_LENGTH
    return tuple((term, _HEAD_WEIGHT * count / norm) for term, count in Counter(terms).items())


def _weight(total: float) -> int:
    return max(1, round(TOP * total / (total + K)))


# Looking things up in the index.

_COLUMNS = (
    "SELECT doc, file, seq, day, line, end_line, entry, origin, cites, passage, path, tier, label"
)
_FILE = "JOIN file ON file.id = place.file"
_PLACE = f"{_COLUMNS} FROM place {_FILE}"
#: The largest number of values in one SQL statement.
_MANY = 500
#: An ordinal after every day.
_LAST = 1 << 40
#: How many terms an open index caches.
_REMEMBERED = 20_000
T = TypeVar("T")


class Doc(NamedTuple):
    """A text under its heading path. Entries with the same text and headings share one document.

    `key` identifies the text. `said` holds the terms of the text in order and `about` those of its
    headings and lead, both separated by spaces; `own` is `said` as a set. `first` and `last` are
    the first and last day it stands on, as ordinals.
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
        """The header row of the table that this row belongs to; empty for anything else."""
        return self.lead if self.kind == "row" and self.lead.startswith("|") else ""

    @property
    def all_terms(self) -> frozenset[str]:
        """The terms of its text, headings and lead."""
        return self.own.union(self.about.split())

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(self.path.split("\x1f")) if self.path else ()


class Outline(NamedTuple):
    """A document without its text: the keys of its text and its headings, and its days."""

    id: int
    key: int
    head: int
    first: int
    last: int


class EntryPlace(NamedTuple):
    """Where an entry stands: its file, its number in the file (`seq`), its day, lines and passage."""

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
    passage: int | None = None


class PassageSpan(NamedTuple):
    """A passage: the entries from `first` to `last` of a file."""

    id: int
    file: int
    first: int
    last: int
    day: int


class Term(NamedTuple):
    """A term, with the number of documents of each shelf that hold it."""

    id: int
    entries: int
    pages: int
    passages: int

    def held(self, shelf: int) -> int:
        """Return how many documents of a shelf hold the term."""
        return self[1 + shelf]


class Index:
    """An index, open for reading."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        #: The inode of the file when it was opened; the file may have been replaced since.
        self.inode = 0
        #: Entries that hold no more at the source they were imported from, each with the day.
        self.imported: dict[str, int] = {}
        self._meta: dict[str, str] = {}
        self._files: dict[str, Seen] | None = None
        #: Terms looked up so far; None for a term that no document holds.
        self._terms: dict[str, Term | None] = {}
        self._version = 0

    def close(self) -> None:
        self.db.close()

    def renew(self) -> None:
        """Drop the caches if another process has changed the index."""
        (version,) = self.db.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self.forget()
            self._version = version

    @contextmanager
    def still(self) -> Iterator[None]:
        """Answer every question inside the block from one state, even while another process writes."""
        self.db.execute("BEGIN")
        try:
            yield
        finally:
            self.db.execute("COMMIT")

    def forget(self) -> None:
        """Drop the caches."""
        self._meta, self._files = {}, None
        self._terms.clear()

    def size(self, shelf: int = ENTRIES) -> int:
        """Return the number of documents of a shelf."""
        return self.count(f"size{shelf}")

    def count(self, name: str) -> int:
        """Return the number of `files` or `places` in the index."""
        return int(self._known().get(name, 0))

    def stamp(self) -> str | None:
        """Return the settings the index was built under."""
        return self._known().get("stamp")

    def _known(self) -> dict[str, str]:
        if not self._meta:
            self._meta = dict(self.db.execute("SELECT key, value FROM meta"))
        return self._meta

    @property
    def has_vectors(self) -> bool:
        """Whether any text has a vector of the encoder that is used."""
        if self._known().get("encoder") != repr(ENCODER_FILES):
            return False
        return self.db.execute("SELECT 1 FROM vector LIMIT 1").fetchone() is not None

    def terms(self, terms: Iterable[str]) -> dict[str, Term]:
        """Look up terms; those that no document holds are left out."""
        wanted = list(terms)
        new = [term for term in wanted if term not in self._terms]
        if new:
            if len(self._terms) > _REMEMBERED:
                self._terms.clear()
                new = wanted
            self._terms.update(dict.fromkeys(new))
            question = "SELECT term, id, entries, pages, passages FROM term WHERE term IN"
            for row in self._each(question, new):
                self._terms[row[0]] = Term._make(row[1:])
        found = [(term, self._terms[term]) for term in wanted]
        return {term: facts for term, facts in found if facts is not None}

    def postings(self, term: Term, shelf: int = ENTRIES) -> Iterator[tuple[int, memoryview, bytes]]:
        """A term's postings block by block: the number the block starts at, offsets, weights."""
        low = (term.id * SHELVES + shelf) << SHELF
        question = "SELECT id, docs, weights FROM posting WHERE id >= ? AND id < ?"
        for id, docs, weights in self.db.execute(question, (low, low + (1 << SHELF))):
            yield (id - low) << BLOCK, memoryview(docs).cast("H"), weights

    def docs(self, ids: Iterable[int]) -> dict[int, Doc]:
        """Documents by their numbers."""
        question = (
            "SELECT doc.id, text.id, text.text, headings, lead, kind, speaker, text.tokens, text.terms,"
            " head.terms, first, last, head.tokens FROM doc JOIN text ON text.id = doc.text"
            " JOIN head ON head.id = doc.head WHERE doc.id IN"
        )
        rows = self._each(question, ids)
        return {row[0]: Doc._make((*row, frozenset(row[8].split()))) for row in rows}

    def outlines(self, ids: Iterable[int]) -> dict[int, Outline]:
        """Documents by their numbers, without their text."""
        rows = self._each("SELECT id, text, head, first, last FROM doc WHERE id IN", ids)
        return {row[0]: Outline._make(row) for row in rows}

    def days(self, ids: Iterable[int], first: int, last: int) -> dict[int, tuple[int, int]]:
        """The first and last day of each document, counting only the days from `first` to `last`."""
        question = (
            "SELECT doc, min(day), max(day) FROM place"
            f" WHERE day BETWEEN {int(first)} AND {int(last)} AND doc IN"
        )
        return {row[0]: row[1:] for row in self._each(question, ids, " GROUP BY doc")}

    def all_days(self, ids: Iterable[int], first: int, last: int) -> dict[int, list[int]]:
        """Return every day of each document from `first` to `last`, oldest first."""
        question = (
            "SELECT DISTINCT doc, day FROM place"
            f" WHERE day BETWEEN {int(first)} AND {int(last)} AND doc IN"
        )
        found: dict[int, list[int]] = {}
        for doc, day in self._each(question, ids, " ORDER BY doc, day"):
            found.setdefault(doc, []).append(day)
        return found

    def places_on(
        self, days: Mapping[int, int], once: Container[int] = ()
    ) -> dict[int, EntryPlace]:
        """Return the first place of each document on the day given for it.

        Documents in `once` stand on a single day and need a cheaper query.
        """
        found: dict[int, EntryPlace] = {}
        rows = self._each(f"{_PLACE} WHERE doc IN", [doc for doc in days if doc in once])
        often = [(doc, day) for doc, day in days.items() if doc not in once]
        for row in rows + self._where(_COLUMNS, ("doc", "day"), often, _FILE):
            place, known = _place(row), found.get(row[0])
            if known is None or (place.path, place.seq) < (known.path, known.seq):
                found[row[0]] = place
        return found

    def places(
        self, doc: int, first: int = 0, last: int = _LAST, most: int = 8
    ) -> list[EntryPlace]:
        """Return the newest places of a document from `first` to `last`, newest first."""
        where = " WHERE doc = ? AND day BETWEEN ? AND ? ORDER BY day DESC, path, seq LIMIT ?"
        return [_place(row) for row in self.db.execute(_PLACE + where, (doc, first, last, most))]

    def at(self, spots: Iterable[tuple[int, int]]) -> dict[tuple[int, int], EntryPlace]:
        """The places at pairs of a file and a number in it; pairs without an entry are left out."""
        rows = self._where(_COLUMNS, ("file", "seq"), spots, _FILE)
        return {(row[1], row[2]): _place(row) for row in rows}

    def newest_places(
        self, docs: Iterable[int], first: int, last: int, most: int
    ) -> dict[int, list[tuple[int, int, int | None]]]:
        """The newest places of each document from `first` to `last`: file, number and passage."""
        question = (
            f"SELECT doc, file, seq, passage FROM place {_FILE}"
            f" WHERE day BETWEEN {int(first)} AND {int(last)} AND doc IN"
        )
        found: dict[int, list[tuple[int, int, int | None]]] = {}
        for doc, *place in self._each(question, docs, " ORDER BY day DESC, path, seq"):
            known = found.setdefault(doc, [])
            if len(known) < most:
                known.append((place[0], place[1], place[2]))
        return found

    def docs_at(self, spots: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
        """Return the documents at pairs of a file and a number in it."""
        rows = self._where("SELECT file, seq, doc", ("file", "seq"), set(spots), "")
        return {(file, seq): doc for file, seq, doc in rows}

    def with_texts(self, keys: Iterable[int]) -> list[int]:
        """Return the documents of the days that have these texts."""
        rows = self._each("SELECT id FROM doc WHERE shelf = 0 AND text IN", keys, " ORDER BY id")
        return [id for (id,) in rows]

    def spans(self, ids: Iterable[int]) -> dict[int, PassageSpan]:
        """Passages by their numbers."""
        rows = self._each("SELECT id, file, first, last, day FROM passage WHERE id IN", ids)
        return {row[0]: PassageSpan._make(row) for row in rows}

    def inside(self, passages: Iterable[int]) -> dict[int, list[int]]:
        """Return the documents of each passage, in their order."""
        question = (
            "SELECT passage.id, doc FROM passage CROSS JOIN place ON place.file = passage.file"
            " AND seq BETWEEN passage.first AND passage.last WHERE passage.id IN"
        )
        found: dict[int, list[int]] = {}
        for passage, doc in self._each(question, passages, " ORDER BY place.file, seq"):
            found.setdefault(passage, []).append(doc)
        return found

    def entry(self, id: str) -> list[EntryPlace]:
        """Return every place of the entry with this id."""
        label, _, digest = id.rpartition("~")
        where = " WHERE label = ? AND entry = ? ORDER BY path, seq"
        return [_place(row) for row in self.db.execute(_PLACE + where, (label, digest))]

    def digests(self, ids: Iterable[int]) -> list[tuple[int, str]]:
        """Return documents with the digest of each entry that has their text."""
        return self._each("SELECT doc, entry FROM place WHERE doc IN", ids)

    def outdated(self, ids: Collection[str]) -> dict[str, int]:
        """Return the entries that a newer rule replaced, or their source, each with the day of that.

        Marks that are in force have the day 0.
        """
        rows = self._each("SELECT entry, day FROM outdated WHERE entry IN", ids, " ORDER BY day")
        imported = {id: self.imported[id] for id in ids if id in self.imported}
        return dict(reversed(rows)) | imported

    def on_days(self, first: str, last: str, most: int) -> list[int]:
        """Return the documents of the days from `first` to `last`, newest days first."""
        question = (
            "SELECT DISTINCT doc FROM file JOIN place ON place.file = file.id"
            " WHERE tier = 'day' AND label BETWEEN ? AND ? ORDER BY label DESC, path, seq LIMIT ?"
        )
        return [doc for (doc,) in self.db.execute(question, (first, last, most))]

    def files(self) -> dict[str, Seen]:
        """Return every file in the index and how it looked when it was read."""
        if self._files is None:
            rows = self.db.execute("SELECT path, size, mtime, ctime, inode FROM file")
            found = {row[0]: row[1:] for row in rows}
            for path in [path for path in found if isinstance(path, bytes)]:
                found[os.fsdecode(path)] = found.pop(path)
            self._files = found
        return self._files

    def held(self, path: str) -> tuple[str | None, str]:
        """The digest and tier of a file as it was indexed; the digest is None for an unknown file."""
        question = "SELECT sha256, tier FROM file WHERE path = ?"
        found = self.db.execute(question, (stored(path),)).fetchone()
        return found or (None, "")

    def _where(
        self, question: str, columns: tuple[str, str], pairs: Iterable[tuple[int, int]], rest: str
    ) -> list[Any]:
        """Select places by two of their columns. A row may come more than once.

        It joins with a table of the wanted pairs, because `IN` over pairs uses no index.
        """
        first, second = columns
        joined = f"ON place.{first} = wanted.one AND place.{second} = wanted.other"
        wanted = list(pairs)
        rows: list[Any] = []
        for at in range(0, len(wanted), _MANY):
            part = _padded(wanted[at : at + _MANY])
            values = ",".join(["(?,?)"] * len(part))
            table = f"WITH wanted(one, other) AS (VALUES {values})"
            source = f"FROM wanted CROSS JOIN place {joined} {rest}"
            given = [number for pair in part for number in pair]
            rows += self.db.execute(f"{table} {question} {source}", given).fetchall()
        return rows

    def _each(self, question: str, values: Iterable[object], rest: str = "") -> list[Any]:
        return each(self.db, question, values, rest)


def each(
    db: sqlite3.Connection, question: str, values: Iterable[object], rest: str = ""
) -> list[Any]:
    """Run a query that ends in `IN` over any number of values."""
    wanted = list(values)
    rows: list[Any] = []
    for at in range(0, len(wanted), _MANY):
        part = _padded(wanted[at : at + _MANY])
        marks = ",".join("?" * len(part))
        rows += db.execute(f"{question} ({marks}){rest}", part).fetchall()
    return rows


def _padded(values: list[T]) -> list[T]:
    """Repeat the last value until the list has one of a few lengths.

    SQLite prepares a statement once for each length.
    """
    length = 8
    while length < len(values):
        length += length // 2
    return [*values, *values[-1:] * (length - len(values))]


def _place(row: tuple[Any, ...]) -> EntryPlace:
    doc, file, seq, day, line, end_line, entry, origin, cites, passage, path, tier, label = row
    cited = tuple(cites.split()) if cites else ()
    entry = f"{label}~{entry}"
    where = path if isinstance(path, str) else os.fsdecode(path)
    return EntryPlace(
        doc, file, seq, day, line, end_line, entry, origin, where, tier, cited, passage
    )
