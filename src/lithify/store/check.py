"""Check that everything in a root is as it was written; nothing is changed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from lithify.errors import LithifyError
from lithify.markdown.pages import memory_type_of
from lithify.regex import regex
from lithify.settings import USUAL_FOLDERS, Folders
from lithify.store import disk, journal, places
from lithify.store.days import unmatched
from lithify.store.journal import HELD, Journal, Record, lost_head
from lithify.store.lock import locked
from lithify.store.names import Layout
from lithify.store.places import JOURNAL, Root
from lithify.store.recover import PLAN
from lithify.store.tree import layout_of, scan

Severity = Literal["error", "due", "note"]

_STAGED = f"{places.STATE}/staged"
DIGESTS = f"{places.STATE}/digests.json"
_ADDRESSED = ("history", "replies", "quarantine")
_ADDRESS = regex(r"(?:.*[^0-9a-f])?([0-9a-f]{64})(?:\.[^.]*)?")
_CONFLICT_BEGIN, _CONFLICT_END = regex(rb"(?m)^<{7} "), regex(rb"(?m)^>{7} ")
_SEARCH_LIMIT = 16 << 20
CONFLICT = (
    "it has conflict markers of git; of a page take one side (git checkout --ours), in a day keep "
    "the lines of both, then run lithify check --repair again"
)
UNFINISHED = (
    "a `forget` or `scan --fix` was cut short: some files still hold what it takes out, and the "
    "next write finishes it"
)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is not as it should be; `line` is 0 where none can be named.

    Kinds: journal, torn, staged, unclaimed, changed, gone, address, cache, capture, refused,
    unmatched, chain, long, secret, conflict, unsupported.
    An `error` needs a person, what is `due` the next write or run settles, a `note` is
    only to be known.
    """

    kind: str
    path: str
    line: int
    message: str
    severity: Severity


def nothing_else(written: Journal) -> Iterable[Problem]:
    return ()


def check(
    root: Root,
    *,
    folders: Folders = USUAL_FOLDERS,
    extra: Callable[[Journal], Iterable[Problem]] = nothing_else,
) -> tuple[Problem, ...]:
    """Every problem of a root, found by reading all of it.

    `extra` adds the problems that other packages find; it is given the journal as it was read.
    """
    for _ in range(3):
        book, leftovers = _at_rest(root)
        problems = [
            *_journal_problems(root, book),
            *_staged_problems(root, leftovers),
            *_file_problems(root, book, leftovers, layout_of(root, folders)),
            *_capture_problems(root, book, leftovers),
            *_address_problems(root),
            *_tree_problems(root, folders),
            *extra(book),
        ]
        # Somebody wrote while we looked: what seems changed may only be newer than our journal.
        if not problems or disk.size(places.journal(root)) == book.size:
            break
    return tuple(problems)


def _at_rest(root: Root) -> tuple[Journal, list[str]]:
    """The journal and the leftovers; what looks unfinished is looked at again under the lock."""
    book, leftovers = journal.read(root), disk.names(places.staged(root))
    if book.torn or leftovers:
        with contextlib.suppress(LithifyError), locked(places.lock(root)):
            return journal.read(root), disk.names(places.staged(root))
    return book, leftovers


def _journal_problems(root: Root, book: Journal) -> Iterator[Problem]:
    if fault := journal.damage(root, book):
        yield Problem("journal", JOURNAL, fault.line, fault.reason, "error")
    if book.torn:
        line = disk.read(places.journal(root)).count(b"\n") + 1
        message = "the last line was cut by a crash; the next write closes it"
        yield Problem("torn", JOURNAL, line, message, "due")


def _staged_problems(root: Root, leftovers: list[str]) -> Iterator[Problem]:
    message = (
        "left by a run that was stopped or crashed; the next write puts it in place if it was "
        "committed, else removes it"
    )
    for name in leftovers:
        path = f"{_STAGED}/{name}"
        if name.endswith(PLAN):
            yield Problem("staged", path, 0, UNFINISHED, "due")
        elif disk.is_ours(name):
            yield Problem("staged", path, 0, message, "due")
        else:
            yield Problem("unclaimed", path, 0, "not a file of ours; it is left alone", "note")
    for name in disk.names(places.history(root, "unclaimed")):
        path = f"{places.STATE}/history/unclaimed/{name}"
        message = "set aside because the journal was damaged when it was found"
        yield Problem("unclaimed", path, 0, message, "note")


def _file_problems(
    root: Root, book: Journal, leftovers: list[str], layout: Layout
) -> Iterator[Problem]:
    for path, digest in sorted(book.in_force().items()):
        try:
            data = disk.bytes_in(root, path)
        except LithifyError as error:
            yield Problem("refused", path, 0, error.message, "error")
            continue
        if digest in leftovers or (digest is None and disk.gone_name(path) in leftovers):
            continue
        if data is None:
            if digest is not None and not layout.is_old_page(path):
                yield Problem("gone", path, 0, "it was written here and is missing", "due")
        elif disk.sha(data) != digest:
            message = "changed outside lithify; its present text counts"
            if digest is None:
                message = "it was deleted and made again outside lithify"
            yield Problem("changed", path, 0, message, "note")


def _capture_problems(root: Root, book: Journal, leftovers: list[str]) -> Iterator[Problem]:
    captures: dict[str, list[Record]] = {}
    read: dict[str, tuple[int, str]] = {}
    for record in book.records:
        # A whole new version makes the offsets in the old one void.
        for path in record.data.get("files", {}):
            captures.pop(path, None)
        if record.kind == "accept-removed":
            for path in record.data.get("paths", ()):
                captures.pop(path, None)
        if isinstance(sources := record.data.get("sources"), dict):
            read.update((path, (record.seq, digest)) for path, digest in sources.items())
        if place := record.data.get("append"):
            captures.setdefault(place["path"], []).append(record)
    for path, records in sorted(captures.items()):
        try:
            data = disk.bytes_in(root, path)
        except LithifyError as error:
            yield Problem("refused", path, 0, error.message, "error")
            continue
        if data is None:
            entries = f"{len(records)} entries were" if records[1:] else "1 entry was"
            yield Problem("gone", path, 0, f"{entries} logged here and the file is missing", "due")
            continue
        shift = 0
        taken_in, digest = read.get(path, (0, ""))
        if disk.sha(data) != digest:
            taken_in = 0
        for at, record in enumerate(records):
            place = record.data["append"]
            end = place["offset"] + place["length"]
            found = _place_of(data, place, shift)
            if found is not None:
                shift = found - place["offset"]
            elif place["sha256"] in leftovers:
                continue
            elif (
                place["offset"] <= len(data) < end
                # A day is its owner's to shorten: what was read like this, or added to since, is so.
                and record.seq > taken_in
                and not any(r.data["append"]["offset"] < end for r in records[at + 1 :])
            ):
                message = (
                    f"what was logged at {record.time} (record {record.seq}) is not in it; if it "
                    "was taken out on purpose, compacting its week accepts that"
                )
                line = data.count(b"\n", 0, place["offset"]) + 1
                yield Problem("capture", path, line, message, "error")
            else:
                message = (
                    "changed outside lithify: what was logged at "
                    f"{record.time} (record {record.seq}) is no longer in it as it was; its "
                    "present text counts"
                )
                yield Problem("changed", path, 0, message, "note")


def _place_of(data: bytes, place: Mapping[str, Any], shift: int) -> int | None:
    """Where a capture's bytes stand now: as written, moved like the one before, or anywhere."""
    offset: int = place["offset"]
    length, digest = place["length"], place["sha256"]

    def stands_at(begin: int) -> bool:
        return begin >= 0 and disk.sha(data[begin : begin + length]) == digest

    for begin in (offset, offset + shift):
        if stands_at(begin):
            return begin
    if data.count(b"\n") * 2 * length > _SEARCH_LIMIT:
        return None
    start = 0
    while start <= len(data) - length:
        # The newline before a capture may be part of it.
        for begin in (start, start - 1):
            if stands_at(begin):
                return begin
        start = data.find(b"\n", start) + 1 or len(data) + 1
    return None


def _address_problems(root: Root) -> Iterator[Problem]:
    for folder in _ADDRESSED:
        for path in _walk(places.state(root, folder)):
            found = _ADDRESS.fullmatch(os.path.basename(path))
            if not found:
                continue
            name = places.relative(root, path)
            try:
                sound = disk.sha(disk.read(path)) == found[1]
            except LithifyError as error:
                yield Problem("refused", name, 0, error.message, "error")
                continue
            if not sound:
                message = "its bytes are not the ones its name stands for"
                yield Problem("address", name, 0, message, "error")


def _tree_problems(root: Root, folders: Folders) -> Iterator[Problem]:
    tree = scan(root, folders=folders, type_of=memory_type_of, verify=True, save=False)
    if lost := lost_head(root, [file.path for file in tree.of("week", "month")]):
        yield Problem("journal", JOURNAL, 0, f"{lost}; {HELD}", "error")
    for file in tree.files:
        if has_conflict(disk.bytes_in(root, file.path) or b""):
            yield Problem("conflict", file.path, 0, CONFLICT, "error")
    for path in tree.lies:
        yield Problem("cache", path, 0, "the digest cache was wrong about it", "error")
    for one in tree.refused:
        yield Problem("refused", one.path, 0, one.reason, "error" if one.broken else "note")
    if (beside := unmatched(root, folders)).total:
        message = f"{beside}; to read them, write under [days]: {beside.line}"
        yield Problem("unmatched", "lithify.toml", 0, message, "note")


def _walk(folder: str) -> Iterator[str]:
    """Every file of a state folder; copies made by a repair are as broken as what they show."""
    for name in disk.names(folder):
        path = os.path.join(folder, name)
        if os.path.isdir(path) and not os.path.islink(path):
            if not (name in ("repair", "unclaimed") and os.path.basename(folder) == "history"):
                yield from _walk(path)
        else:
            yield path


def has_conflict(data: bytes) -> bool:
    """Whether a merge of git left its conflict markers in a file."""
    return bool(_CONFLICT_BEGIN.search(data) and _CONFLICT_END.search(data))
