"""Looking things up in the index."""

from __future__ import annotations

import os
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from lithify.index.record import Doc, Place
from lithify.index.tables import BLOCK, SHELF

_PLACE = (
    "SELECT doc, file, seq, day, line, end_line, entry, origin, cites, path, tier, label"
    " FROM place JOIN file ON file.id = place.file"
)
#: How many values one question to the database names.
_MANY = 500
LAST = 1 << 40


class Term(NamedTuple):
    """A term of the index: in how many documents of the days it stands, and of the pages."""

    id: int
    days: int
    pages: int


class Index:
    """An index, open for reading."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self._sizes: dict[int, int] = {}

    def close(self) -> None:
        self.db.close()

    def size(self, shelf: int = 0) -> int:
        """How many documents the days have (or the pages, shelf 1)."""
        if shelf not in self._sizes:
            question = "SELECT value FROM meta WHERE key = ?"
            row = self.db.execute(question, (f"size{shelf}",)).fetchone()
            self._sizes[shelf] = int(row[0]) if row else 0
        return self._sizes[shelf]

    @property
    def has_vectors(self) -> bool:
        """Whether texts have vectors."""
        return self.db.execute("SELECT 1 FROM vector LIMIT 1").fetchone() is not None

    def terms(self, terms: Iterable[str]) -> dict[str, Term]:
        """What is known of these terms; those that stand nowhere are left out."""
        question = "SELECT term, id, days, pages FROM term WHERE term IN"
        return {row[0]: Term(*row[1:]) for row in self._each(question, terms)}

    def postings(self, term: Term, shelf: int = 0) -> Iterator[tuple[int, array[int], bytes]]:
        """A term's postings, block by block: the first document, the others' distance, weights."""
        low = (term.id * 2 + shelf) << SHELF
        question = "SELECT id, docs, weights FROM posting WHERE id >= ? AND id < ?"
        for id, docs, weights in self.db.execute(question, (low, low + (1 << SHELF))):
            yield (id - low) << BLOCK, array("H", docs), weights

    def docs(self, ids: Iterable[int]) -> dict[int, Doc]:
        """Documents by their numbers."""
        question = (
            "SELECT doc.id, text.id, text.text, headings, lead, kind, speaker, tokens, text.terms,"
            " head.terms FROM doc JOIN text ON text.id = doc.text JOIN head ON head.id = doc.head"
            " WHERE doc.id IN"
        )
        return {row[0]: _doc(row) for row in self._each(question, ids)}

    def texts(self, ids: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Which text each document is and under which headings, by keys made of their words."""
        question = "SELECT id, text, head FROM doc WHERE id IN"
        return {row[0]: row[1:] for row in self._each(question, ids)}

    def days(self, ids: Iterable[int], first: int, last: int) -> dict[int, tuple[int, int]]:
        """The first and the last day on which documents stand, of the days from first to last."""
        question = (
            "SELECT doc, min(day), max(day) FROM place"
            f" WHERE day BETWEEN {int(first)} AND {int(last)} AND doc IN"
        )
        return {row[0]: row[1:] for row in self._each(question, ids, " GROUP BY doc")}

    def all_days(self, ids: Iterable[int], first: int, last: int) -> dict[int, list[int]]:
        """Every day on which documents stand, oldest first."""
        question = (
            "SELECT DISTINCT doc, day FROM place"
            f" WHERE day BETWEEN {int(first)} AND {int(last)} AND doc IN"
        )
        found: dict[int, list[int]] = {}
        for doc, day in self._each(question, ids, " ORDER BY doc, day"):
            found.setdefault(doc, []).append(day)
        return found

    def place(self, doc: int, first: int, last: int, *, oldest: bool = False) -> Place | None:
        """Where a document stands last (or first) within these days."""
        way = "ASC" if oldest else "DESC"
        where = f" WHERE doc = ? AND day BETWEEN ? AND ? ORDER BY day {way}, path, seq LIMIT 1"
        row = self.db.execute(_PLACE + where, (doc, first, last)).fetchone()
        return _place(row) if row else None

    def places(self, doc: int, first: int = 0, last: int = LAST, most: int = 8) -> list[Place]:
        """The last places of a document within these days, newest first."""
        where = " WHERE doc = ? AND day BETWEEN ? AND ? ORDER BY day DESC, path, seq LIMIT ?"
        return [_place(row) for row in self.db.execute(_PLACE + where, (doc, first, last, most))]

    def around(self, file: int, low: int, high: int) -> list[Place]:
        """The entries of a file from one to another, in reading order."""
        where = " WHERE file = ? AND seq BETWEEN ? AND ? ORDER BY seq"
        return [_place(row) for row in self.db.execute(_PLACE + where, (file, low, high))]

    def beside(self, docs: Iterable[int], most: int) -> dict[int, list[tuple[int, int]]]:
        """For each document, those right before and after it in the last places it stands."""
        found: dict[int, list[tuple[int, int]]] = {}
        question = (
            "SELECT p.seq, n.seq, n.doc FROM (SELECT file, seq FROM place WHERE doc = ?"
            " ORDER BY day DESC LIMIT ?) p JOIN place n ON n.file = p.file"
            " AND n.seq BETWEEN p.seq - 1 AND p.seq + 1 AND n.seq != p.seq"
        )
        for doc in docs:
            rows = self.db.execute(question, (doc, most))
            found[doc] = [(other, there - here) for here, there, other in rows]
        return found

    def entry(self, id: str) -> list[Place]:
        """Every place of an entry by its id."""
        label, _, digest = id.rpartition("~")
        where = " WHERE label = ? AND entry = ? ORDER BY path, seq"
        return [_place(row) for row in self.db.execute(_PLACE + where, (label, digest))]

    def on_days(self, first: str, last: str, most: int) -> list[int]:
        """The documents that stand in the days from one to another, newest days first."""
        question = (
            "SELECT DISTINCT doc FROM file JOIN place ON place.file = file.id"
            " WHERE tier = 'day' AND label BETWEEN ? AND ? ORDER BY label DESC, path, seq LIMIT ?"
        )
        return [doc for (doc,) in self.db.execute(question, (first, last, most))]

    def files(self) -> dict[str, str]:
        """Every file of the index with its digest."""
        rows = self.db.execute("SELECT path, sha256 FROM file")
        return {os.fsdecode(path): digest for path, digest in rows}

    def _each(self, question: str, values: Iterable[object], rest: str = "") -> list[Any]:
        wanted: Sequence[object] = list(values)
        rows: list[Any] = []
        for at in range(0, len(wanted), _MANY):
            part = wanted[at : at + _MANY]
            marks = ",".join("?" * len(part))
            rows += self.db.execute(f"{question} ({marks}){rest}", part).fetchall()
        return rows


def _doc(row: tuple[Any, ...]) -> Doc:
    id, key, text, headings, lead, kind, speaker, tokens, terms, about = row
    path = tuple(headings.split("\x1f")) if headings else ()
    said = tuple(terms.split())
    return Doc(id, key, text, path, lead, kind, speaker, tokens, said, frozenset(said), about)


def _place(row: tuple[Any, ...]) -> Place:
    doc, file, seq, day, line, end_line, entry, origin, cites, path, tier, label = row
    cited = tuple(cites.split()) if cites else ()
    entry = f"{label}~{entry}"
    where = os.fsdecode(path)
    return Place(doc, file, seq, day, line, end_line, entry, origin, where, tier, cited)
