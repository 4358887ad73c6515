"""The journal's head as the newest pages name it, so that a lost or shortened journal is noticed.

A page's front matter has `journal: <seq>~<hash>`: the last record that captured something before
the page was written. Its hash covers all records before it. Whoever takes the journal away, or cuts its end, takes the origins of entries with it. Then entries
that no record knows are not trusted, until a person looked at them (`lithify check --adopt`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lithify.store import disk, journal, places
from lithify.store.places import Root

HELD = "entries without a record are not trusted until a person accepts them: lithify check --adopt"
#: The kind of the record by which a person accepts that records are gone.
ADOPTED = "adopt-journal"
#: Digits of the hash that a page names.
DIGITS = 12

_HEAD = re.compile(rb"(?m)^journal: ([0-9]{1,15})~([0-9a-f]{12})\r?$")
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
        found = _head_of(root, path)
        if found is None:
            continue
        raw = raw or _journal(root)
        if not _holds(raw, *found) and not _is_adopted(raw, *found):
            return f"record {found[0]} of the journal, which {path} names, is gone"
    return ""


def heads_to_adopt(root: Root, pages: Iterable[str]) -> list[str]:
    """Every head that a page names and the journal does not have."""
    raw = _journal(root)
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
    record = journal.parse(raw[at : raw.find(b"\n", at)]) if raw.startswith(mark, at) else None
    if record is not None and record.hash.encode().startswith(hash):
        return True
    named = b'"%d~%s' % (seq, hash)
    lines = raw.split(b"\n") if b'"formerly":[' in raw and named in raw else ()
    moved = (journal.parse(line) for line in lines if named in line)
    name = named[1:].decode()
    return any(
        former.startswith(name)
        for record in moved
        if record
        for former in record.data.get("formerly", ())
    )


def _is_adopted(raw: bytes, seq: int, hash: bytes) -> bool:
    named = b'"%d~%s"' % (seq, hash)
    kind = f'"kind":"{ADOPTED}"'.encode()
    return any(kind in line and named in line for line in raw.split(b"\n") if named in line)


def _journal(root: Root) -> bytes:
    path = places.journal(root)
    return disk.read(path) if disk.exists(path) else b""
