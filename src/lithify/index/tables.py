"""The tables of the index, and how its file is created, opened and replaced.

A new index is written beside the old one and renamed into its place; a change to an existing index
is one transaction. A process that is killed therefore leaves the index as it was. An index that is
broken, has another version or was built under other settings is never repaired: it is built again
from the files.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress

#: Raise this with every change to the tables, the terms, the weights or how files are read.
VERSION = 8
NAME = "index.sqlite"
#: An empty file that says that vectors were asked for: an index that is built anew has none.
VECTORS_WANTED = "index.sqlite.vectors"
#: The files of lithify-vectors by their digests. An index made with others is built again.
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
CREATE TABLE vector (
    text INTEGER, before INTEGER, value BLOB, PRIMARY KEY (text, before)
) WITHOUT ROWID;
"""


def fresh(path: str, stamp: str) -> sqlite3.Connection:
    """Create an empty index at a path or in memory. It has no journal: nobody reads it until it is done."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.executescript(_TABLES)
    db.execute("INSERT INTO meta VALUES ('stamp', ?)", (stamp,))
    db.execute(f"PRAGMA user_version = {VERSION}")
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
    # SQLite would apply the journal of a killed writer to the new file and damage it.
    for suffix in ("-journal", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.remove(path + suffix)
    os.replace(draft, path)


def readable(text: str) -> str:
    """Replace bytes that are not UTF-8 by U+FFFD, because SQLite text cannot hold them."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def stored(path: str) -> str | bytes:
    """A path as the tables hold it: as text, or as bytes if it is not valid text."""
    return path if path.isascii() or path == readable(path) else os.fsencode(path)
