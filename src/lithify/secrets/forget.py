"""Choose words, entries or a person to erase from a root, and prove that nothing of them is left.

What is chosen is shown first (`choose`), then erased from every file (`secrets.rewrite`), and
`remains` proves by search that nothing is left. Erased are the files of the root; copies elsewhere, a
repository's history and the free blocks of a disk are out of reach, and the receipt says so.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from lithify.calendar import spoken_on
from lithify.errors import UnknownReference, UsageError
from lithify.markdown.parse import is_entry_id, read_entries
from lithify.secrets.scan import json_strings
from lithify.store import disk, places
from lithify.store.places import Root
from lithify.store.tree import Tree
from lithify.text.copies import FEWEST
from lithify.text.occurrences import (
    Find,
    Span,
    merged,
    pattern_finder,
    replaced,
    text_finder,
    together,
)
from lithify.values import Entry

#: A shorter text stands in too many words to be erased everywhere.
_SHORTEST = 3


class Choice(NamedTuple):
    """What is to be forgotten: entries as a whole, and the parts of any text that `find` names.

    `entries` are the entries of the days that change, those taken out whole among them. `maybe` are
    those that stay and have one word of a person's name, each with that word.
    """

    find: Find
    gone: frozenset[str]
    entries: tuple[Entry, ...]
    maybe: tuple[tuple[Entry, str], ...] = ()


class Remnant(NamedTuple):
    """A place that still holds the text; line 0 for a file's name or a database."""

    path: str
    line: int


def choose(
    root: Root,
    tree: Tree,
    refs: Iterable[str] = (),
    *,
    patterns: Iterable[str] = (),
    people: Iterable[str] = (),
) -> Choice:
    """What these entry ids, texts, patterns and names stand for in a root.

    An id, a name or a text that is all an entry says takes out whole entries, and the same words
    wherever else they stand. Other texts and patterns are erased where they stand.
    """
    refs, people = list(refs), list(people)
    ids = {ref for ref in refs if is_entry_id(ref)}
    texts = [ref for ref in refs if ref not in ids]
    for text in (*texts, *people, *patterns):
        if len("".join(text.split()).strip("*?")) < _SHORTEST:
            raise UsageError(
                reason=f"{text!r} is too short to be forgotten everywhere: give {_SHORTEST} "
                "characters or more, or the entry's id"
            )
    named = [_name_finder(name) for name in people]
    parts = together(text_finder(texts), *map(pattern_finder, patterns))
    entries = list(all_entries(root, tree))
    whole = [
        entry
        for entry in entries
        if entry.id in ids
        or any(any(find(_said(entry))) for find in named)
        or _is_all_of(parts, _bare(entry))
    ]
    if unknown := ids - {entry.id for entry in whole}:
        raise UnknownReference(ref=min(unknown), hint="`lithify recall` shows the ids of entries.")
    copies = {_bare(entry) for entry in whole}
    gone = frozenset(entry.id for entry in entries if _bare(entry) in copies)
    said = text_finder(text for text in copies if len(text.split()) >= FEWEST)
    find = together(parts, said, *named)
    touched = [e for e in entries if e.id in gone or any(find(_said(e)))]
    parts_of = {word for name in people if len(name.split()) > 1 for word in name.split()}
    single = {w: _name_finder(w) for w in sorted(parts_of) if len(w.strip(".")) >= _SHORTEST}
    stay = [entry for entry in entries if entry.id not in gone]
    maybe = [(e, w) for e in stay for w, finds in single.items() if any(finds(_said(e)))]
    return Choice(find, gone, tuple(touched), tuple(maybe))


def all_entries(root: Root, tree: Tree) -> Iterator[Entry]:
    """Read the entries of every day as they stand, credentials and all."""
    tree.require_all_read()
    for file in tree.of("day"):
        data, day = disk.read(os.path.join(root, file.path)), spoken_on(file.label)
        yield from read_entries(data, path=file.path, label=file.label, day=day)


def _said(entry: Entry) -> str:
    """Everything by which an entry can name somebody: its headings and lead-in too."""
    return "\n".join((*entry.headings, entry.lead, entry.text))


def _bare(entry: Entry) -> str:
    """An entry's words without the time they were logged at."""
    first, _, rest = entry.text.partition(" ")
    is_time = len(first) == 5 and first[2] == ":" and first.replace(":", "").isdigit()
    return (rest if is_time and rest else entry.text).casefold()


def _is_all_of(find: Find, text: str) -> bool:
    """Whether nothing is left of a text without what is found in it."""
    spans = [span._replace(new="") for span in find(text)]
    return bool(spans) and not any(map(str.isalnum, replaced(text, spans)))


def _name_finder(name: str) -> Find:
    """Finds a name as words of their own: Ann, not Annual."""
    find = text_finder([name])

    def whole_words(text: str) -> Iterator[Span]:
        for span in find(text):
            before, after = text[span.start - 1 : span.start], text[span.end : span.end + 1]
            if not (before.isalnum() or after.isalnum()):
                yield span

    return whole_words


# Proof


def remains(root: Path, text: str) -> list[Remnant]:
    """Every place under a root that holds a text, in any of the forms that `forget` finds."""
    return found_in(root, text_finder([text]))


def found_in(root: Path, find: Find) -> list[Remnant]:
    """Every place under a root in which something is found.

    Searched are names of folders, names and contents of all files, also decoded JSON and the rows of
    the index. A repository's own folder (`.git`) is not: its objects are compressed.
    """
    found: list[Remnant] = []
    for folder, below, names in os.walk(root):
        below[:] = sorted(name for name in below if name != ".git")
        for name in (*below, *sorted(names)):
            path = os.path.join(folder, name)
            shown = places.relative(root, path)
            # A name joins words by signs, and may end in other things: "feedback_ann-lee.md".
            if any(find(name)) or any(find(re.sub(r"[-_.]+", " ", name))):
                found.append(Remnant(shown, 0))
            if os.path.isfile(path) and not os.path.islink(path):
                found += [Remnant(shown, line) for line in _lines_with(path, find)]
    return found


def _lines_with(path: str, find: Find) -> list[int]:
    data = Path(path).read_bytes()
    text = data.decode("utf-8", "replace")
    lines = [text.count("\n", 0, span.start) + 1 for span in merged(find(text))]
    if not lines and path.endswith((".json", ".jsonl")):
        lines = [number for number, said in json_strings(path, text) if any(find(said))]
    if not lines and data.startswith(b"SQLite format 3"):
        lines = [0 for cell in _cells(path) if any(find(cell))]
    return sorted(set(lines))


def _cells(path: str) -> Iterator[str]:
    with (
        suppress(sqlite3.DatabaseError),
        closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db,
    ):
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'").fetchall():
            for row in db.execute(f'SELECT * FROM "{table}"'):
                yield from (cell for cell in row if isinstance(cell, str))
