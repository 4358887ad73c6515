"""The tables of the index, and the way its file is opened, judged and replaced.

A new index is written beside the old one and takes its place by a rename; a change to some days
is one transaction. A process that dies leaves the index it found. An index that is broken, of
another version or made under other settings is not mended but built anew: the files are the truth.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress

#: Raised with every change to the tables, the terms, the weights of a posting or how files are read.
VERSION = 7
NAME = "index.sqlite"

#: A posting's place is its term, its shelf (0 days, 1 pages) and its block of documents.
BLOCK = 16
SHELF = 24
#: BM25's k; the weight a byte holds at most, and what BM25 gives a term that fills a text.
K = 1.2
TOP = 255
FULL = K + 1

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
    entry TEXT, origin TEXT, cites TEXT, PRIMARY KEY (file, seq)
) WITHOUT ROWID;
CREATE INDEX place_doc ON place (doc, day);
CREATE TABLE term (
    term TEXT PRIMARY KEY, id INTEGER, days INTEGER, pages INTEGER
) WITHOUT ROWID;
CREATE TABLE posting (id INTEGER PRIMARY KEY, docs BLOB, weights BLOB);
CREATE TABLE vector (text INTEGER PRIMARY KEY, value BLOB);
"""


def fresh(path: str, stamp: str) -> sqlite3.Connection:
    """An empty index at a path, or in memory; nobody reads it before it is whole."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.executescript(_TABLES)
    db.execute("INSERT INTO meta VALUES ('stamp', ?)", (stamp,))
    db.execute(f"PRAGMA user_version = {VERSION}")
    return db


def opened(path: str, stamp: str) -> sqlite3.Connection | None:
    """The index at a path; none if there is none, or one that cannot serve."""
    if not os.path.isfile(path):
        return None
    db = None
    try:
        # One thread at a time uses it, not always the one that opened it.
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
    """Let a finished index take the place of the one at `path`."""
    with open(draft, "rb") as file:
        os.fsync(file.fileno())
    # A journal left by a writer that died belongs to the old file and would spoil the new one.
    for suffix in ("-journal", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.remove(path + suffix)
    os.replace(draft, path)
