"""The journal: one JSON object a line, each bound to the one before by its hash.

    {"seq":3,"time":"…","kind":"capture",…facts, sorted…,"prev":"…","hash":"…"}

`hash` is the SHA-256 of the line's own bytes without the hash field, so that no byte of
it can change unseen. `prev` is the hash of the record before.

A crash can cut the last line short. The next append closes such a piece with a mark and a
newline, bytes added and none taken, and its record carries the digest of the piece. The
mark comes before the newline: a whole line without it can never pass for a crash.

A page's front matter has `journal: <seq>~<hash>`: the last record that captured something before
the page was written. Its hash covers all records before it. Whoever takes the journal away, or cuts
its end, takes the origins of entries with it. Then entries that no record knows are not trusted,
until a person looked at them (`lithify check --adopt`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from typing import Any, NamedTuple

from lithify.errors import StorageError, Unfinished
from lithify.regex import regex
from lithify.store import disk, places
from lithify.store.places import Root

FIRST = "0" * 64
MARK = b"#torn"
#: The kind of the line at the end of a gate's chain that says which lines were changed.
TOMBSTONE = "tombstone"

OWN = frozenset({"seq", "time", "kind", "prev", "hash", "torn"})
_TAIL = len(',"hash":""}') + 64
# Only a record ends like this: inside its facts keys are sorted, and `hash` goes before `prev`.
_END = regex(rb'"prev":"[0-9a-f]{64}","hash":"[0-9a-f]{64}"\}')
_BLOCK = 1 << 16
_CHANGED = "its bytes are not the ones that were written"
_BRANCH = "a second branch begins here; was the journal merged by git?"


class Record(NamedTuple):
    """One line of the journal; `line` is its number, 0 when it was just written."""

    seq: int
    time: str
    kind: str
    data: Mapping[str, Any]
    prev: str
    hash: str
    line: int = 0


class Fault(NamedTuple):
    """A line that is not as it was written."""

    line: int
    reason: str


class Journal(NamedTuple):
    """What the journal holds. Sound records stay, also those behind a fault."""

    records: tuple[Record, ...] = ()
    faults: tuple[Fault, ...] = ()
    torn: bytes = b""
    size: int = 0

    def in_force(self) -> dict[str, str | None]:
        """For each path ever committed, the digest of its newest version; None if deleted."""
        newest: dict[str, str | None] = {}
        for record in self.records:
            newest.update(record.data.get("files", {}))
        return newest


class Chain:
    """Lines of a log that is written anew: each is bound to the one before."""

    def __init__(self, seq: int = 0, hash: str = FIRST) -> None:
        self.seq, self.hash = seq, hash
        self._lines: list[bytes] = []

    def add(self, time: str, kind: str, facts: Mapping[str, Any]) -> None:
        """Add a record to the end; pieces that a crash cut off are not taken over."""
        self.seq += 1
        facts = {key: value for key, value in facts.items() if key != "torn"}
        line = render(self.seq, time, kind, facts, self.hash)
        self.hash = line[-66:-2].decode()
        self._lines.append(line + b"\n")

    def __bytes__(self) -> bytes:
        return b"".join(self._lines)


class Tip(NamedTuple):
    """What the next record follows, and the bytes that must go before it."""

    seq: int
    hash: str
    lead: bytes
    torn: str


def append(root: Root, kind: str, data: Mapping[str, Any], time: str) -> Record:
    """Add one record and return it. The caller holds the lock of the root."""
    record = append_line(places.journal(root), kind, data, time)
    if (own := _noted.get()) is not None:
        own.append(record)
    return record


def append_line(path: str, kind: str, facts: Mapping[str, Any], time: str) -> Record:
    """Add one line to a log of this form in one write; the caller holds the log's lock."""
    if taken := OWN & facts.keys():
        raise ValueError(f"a log sets {', '.join(sorted(taken))} itself")
    added = next_line(path, kind, facts, time)
    try:
        disk.append(path, added)
    except StorageError as error:
        if error.facts["action"] == "sync":
            # The line is whole in the file: a commit, though the disk did not confirm it.
            raise Unfinished(**error.facts) from error
        raise
    record = parse(added.split(b"\n")[-2])
    assert record is not None
    return record


@contextmanager
def noting() -> Iterator[list[Record]]:
    """Give the list of the records that are written here until the block ends."""
    own: list[Record] = []
    token = _noted.set(own)
    try:
        yield own
    finally:
        _noted.reset(token)


_noted: ContextVar[list[Record] | None] = ContextVar("noted", default=None)


def next_line(path: str, kind: str, facts: Mapping[str, Any], time: str) -> bytes:
    """Return the bytes by which a log grows with this record."""
    last = tip(path)
    facts = {**facts, "torn": last.torn} if last.torn else facts
    return last.lead + render(last.seq + 1, time, kind, facts, last.hash) + b"\n"


def read(root: Root) -> Journal:
    """The whole journal, every line of it verified; a process verifies what was appended since."""
    with places.named(root):
        raw = _raw(root)
    known = _last.get(os.fspath(root), (b"", Journal()))
    if raw != known[0] or not raw:
        book = _continued(*known, raw) if raw.startswith(known[0]) else None
        known = raw, verify(raw) if book is None else book
        _last.clear()
        _last[os.fspath(root)] = known
    return known[1]


#: The journal that was read last, by its root: its bytes and what they say.
_last: dict[str, tuple[bytes, Journal]] = {}


def _continued(before: bytes, book: Journal, raw: bytes) -> Journal | None:
    """Verify what was appended to a sound journal; None where a look at the whole is needed."""
    if book.faults or not before.endswith(b"\n") or before.endswith(MARK + b"\n"):
        return None
    number, records = before.count(b"\n"), [*book.records]
    *lines, rest = raw[len(before) :].split(b"\n")
    for line in lines:
        number += 1
        record, last = parse(line, number), records[-1] if records else None
        follows = (last.seq + 1, last.hash) if last else (1, FIRST)
        if record is None or (record.seq, record.prev) != follows or "torn" in record.data:
            return None
        records.append(record)
    return None if rest else Journal(tuple(records), (), b"", len(raw))


def holding(root: Root, *facts: str) -> Iterator[Mapping[str, Any]]:
    """The facts of the records that hold one of these; the chain is not verified."""
    raw, marks = _raw(root), [f'"{fact}":'.encode() for fact in facts]
    for line in raw.split(b"\n") if any(mark in raw for mark in marks) else ():
        record = parse(line) if any(mark in line for mark in marks) else None
        if record and not record.data.keys().isdisjoint(facts):
            yield record.data


def _raw(root: Root) -> bytes:
    return disk.bytes_at(places.journal(root)) or b""


def verify(raw: bytes) -> Journal:
    """The journal that these bytes are."""
    *lines, rest = raw.split(b"\n")
    records: list[Record] = []
    faults: list[Fault] = []
    seq, prev = 0, FIRST
    hashes = {FIRST}
    cut: list[bytes] = []
    known = True  # whether `seq` and `prev` are what the next record must follow

    if parse(rest):
        lines, rest = [*lines, rest], b""
    for number, line in enumerate(lines, start=1):
        record = parse(line, number)
        if record is None and line.endswith(MARK):
            cut.append(line)
            continue
        reason = ""
        if record is None:
            reason = _CHANGED
        elif known and (record.seq, record.prev) != (seq + 1, prev):
            forked = record.prev in hashes and record.hash not in hashes
            reason = _BRANCH if forked else _out_of_place(record.seq, seq)
        elif record.data.get("torn", "") != _digest_of_cut(cut):
            faults.append(Fault(number - len(cut), "it is not the cut line that was closed here"))
        if reason:
            faults.append(Fault(number, reason))
        # After one bad line its true hash is not known; report it once, not for all that follow.
        known = record is not None
        if record is not None:
            records.append(record)
            hashes.add(record.hash)
            seq, prev = record.seq, record.hash
        cut = []

    if rest and not looks_cut(rest):
        faults.append(Fault(len(lines) + 1, _CHANGED))
        rest = b""
    return Journal(tuple(records), tuple(faults), rest, len(raw))


def damage(root: Root, book: Journal) -> Fault | None:
    """The first thing about a journal that is not as it was written; line 0 if it is gone whole."""
    if book.faults:
        first, *more = book.faults
        rest = f" (and {len(more)} more after it)" if more else ""
        return Fault(first.line, f"{first.reason}{rest}")
    if not book.size and _has_history(root):
        return Fault(0, "it is missing, though files in history/ say there was one")
    return None


def newest(root: Root) -> Iterator[Record | None]:
    """Records from the last to the first; None in the place of a line that is damaged."""
    for line, ended in backwards(places.journal(root)):
        record = parse(line)
        if record is not None:
            yield record
        elif not (line.endswith(MARK) if ended else looks_cut(line)):
            yield None


def _has_history(root: Root) -> bool:
    """Whether anything was ever replaced here; copies made by a repair tell nothing of that."""
    top = places.history(root)
    for folder, below, files in os.walk(top):
        if folder == top:
            below[:] = [name for name in below if name not in ("repair", "unclaimed")]
        if files:
            return True
    return False


def render(seq: int, time: str, kind: str, facts: Mapping[str, Any], prev: str) -> bytes:
    """The one form a record has as a line, without its newline."""
    head = _json({"seq": seq, "time": time, "kind": kind}, sort=False)
    middle = _json(dict(facts), sort=True)
    body = head[:-1] + (b"," + middle[1:-1] if facts else b"") + b',"prev":"' + prev.encode() + b'"'
    digest = sha256(body + b"}").hexdigest()
    return body + b',"hash":"' + digest.encode() + b'"}'


def parse(line: bytes, number: int = 0) -> Record | None:
    """The record that a line is, if every byte of it is as it was written."""
    if len(line) <= _TAIL or line[-_TAIL:-66] != b',"hash":"' or line[-2:] != b'"}':
        return None
    digest = sha256(line[:-_TAIL] + b"}").hexdigest()
    if line[-66:-2] != digest.encode():
        return None
    try:
        facts = json.loads(line)
        seq, time, kind = facts.pop("seq"), facts.pop("time"), facts.pop("kind")
        prev = facts.pop("prev")
    except (ValueError, KeyError, AttributeError, RecursionError):
        return None
    if not isinstance(seq, int) or not all(isinstance(x, str) for x in (time, kind, prev)):
        return None
    del facts["hash"]
    return Record(seq, time, kind, facts, prev, digest, number)


def looks_cut(line: bytes) -> bool:
    """Whether a last line may be the beginning of a record, and not a whole one damaged."""
    return _END.search(line) is None


def tip(path: str) -> Tip:
    """What the next record of a log in this form follows."""
    lead = b""
    cut: list[bytes] = []
    collecting = True
    for line, ended in backwards(path):
        record = parse(line)
        if record is not None:
            lead = lead if ended else b"\n"
            return Tip(record.seq, record.hash, lead, _digest_of_cut(cut[::-1]))
        if not ended:
            lead = MARK + b"\n" if looks_cut(line) else b"\n"
            line = line + lead[:-1]
        if line.endswith(MARK) and collecting:
            cut.append(line)
        else:
            # A damaged line is not ours to explain: it stays for `check` to find.
            collecting = False
    return Tip(0, FIRST, lead, _digest_of_cut(cut[::-1]))


def _digest_of_cut(lines: list[bytes]) -> str:
    return sha256(b"\n".join(lines).removesuffix(MARK)).hexdigest() if lines else ""


def _out_of_place(seq: int, last: int) -> str:
    if seq > last + 1:
        return f"records {last + 1} to {seq - 1} before it are missing or stand elsewhere"
    if seq <= last:
        return f"record {seq} stands after record {last}"
    return "it does not follow the record before it"


def backwards(path: str) -> Iterator[tuple[bytes, bool]]:
    """Lines from the last to the first, each with whether a newline ends it."""
    position = disk.size(path)
    pending: list[bytes] = []  # pieces of the line being put together, last piece first
    ended = False
    while position > 0:
        start = max(0, position - _BLOCK)
        head, *complete = disk.read_range(path, start, position - start).split(b"\n")
        position = start
        while complete:
            pending.append(complete.pop())
            line = b"".join(reversed(pending))
            if line or ended:
                yield line, ended
            pending, ended = [], True
        pending.append(head)
    line = b"".join(reversed(pending))
    if line or ended:
        yield line, ended


def _json(value: Mapping[str, Any], *, sort: bool) -> bytes:
    compact = json.JSONEncoder(
        ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=sort
    )
    try:
        return compact.encode(value).encode("utf-8")
    except UnicodeEncodeError:
        # Names that are no UTF-8 come as lone surrogates, which only an escape can carry.
        compact = json.JSONEncoder(allow_nan=False, separators=(",", ":"), sort_keys=sort)
        return compact.encode(value).encode("ascii")


# Heads that pages name


HELD = "entries without a record are not trusted until a person accepts them: lithify check --adopt"
#: The kind of the record by which a person accepts that records are gone.
ADOPTED = "adopt-journal"
#: Digits of the hash that a page names.
DIGITS = 12

_HEAD = regex(rb"(?m)^journal: ([0-9]{1,15})~([0-9a-f]{12})\r?$")
#: Front matter is looked for in so many bytes.
_FRONT = 1 << 16


def head(seq: int, hash: str) -> str:
    """A head as a page names it; empty where there was no record yet."""
    return f"{seq}~{hash[:DIGITS]}" if seq else ""


def lost_head(root: Root, pages: Iterable[str]) -> str:
    """What is wrong if the newest week or month names a record that the journal does not have."""
    newest: dict[str, str] = {}
    for path in sorted(pages, key=lambda path: path.rpartition("/")[2].upper()):
        newest[path.rpartition("/")[0]] = path
    raw = b""
    for path in newest.values():
        if found := _head_of(root, path):
            raw = raw or _raw(root)
            if not _holds(raw, *found) and not _is_adopted(raw, *found):
                return f"record {found[0]} of the journal, which {path} names, is gone"
    return ""


def unattended(records: Iterable[Record]) -> frozenset[str]:
    """Return the commands that need a person and that a person lets scripts call."""
    said = {
        str(r.data["command"]): r.data.get("allowed", True)
        for r in records
        if r.kind == "unattended"
    }
    return frozenset(command for command, allowed in said.items() if allowed)


def heads_to_adopt(root: Root, pages: Iterable[str]) -> list[str]:
    """Every head that a page names and the journal does not have."""
    raw = _raw(root)
    found = filter(None, (_head_of(root, path) for path in pages))
    return sorted({f"{seq}~{hash.decode()}" for seq, hash in found if not _holds(raw, seq, hash)})


def _head_of(root: Root, path: str) -> tuple[int, bytes] | None:
    front = disk.read_range(places.resolve(root, path), 0, _FRONT)
    found = _HEAD.search(front.partition(b"\n---")[0]) if front.startswith(b"---") else None
    return (int(found[1]), found[2]) if found else None


def _holds(raw: bytes, seq: int, hash: bytes) -> bool:
    """Whether the journal has a sound record that has or, before a merge, had this head."""
    mark = b'{"seq":%d,' % seq
    at = 0 if raw.startswith(mark) else raw.find(b"\n" + mark) + 1
    record = parse(raw[at : raw.find(b"\n", at)]) if raw.startswith(mark, at) else None
    if record is not None and record.hash.encode().startswith(hash):
        return True
    named = b'"%d~%s' % (seq, hash)
    lines = raw.split(b"\n") if b'"formerly":[' in raw and named in raw else ()
    for line in lines:
        moved = parse(line) if named in line else None
        formerly = moved.data.get("formerly", ()) if moved else ()
        if any(former.startswith(named[1:].decode()) for former in formerly):
            return True
    return False


def _is_adopted(raw: bytes, seq: int, hash: bytes) -> bool:
    named = b'"%d~%s"' % (seq, hash)
    kind = f'"kind":"{ADOPTED}"'.encode()
    return any(kind in line and named in line for line in raw.split(b"\n") if named in line)
