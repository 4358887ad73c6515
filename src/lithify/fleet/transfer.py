"""The files of a root as they travel to another place and back, and two journals made one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from lithify.store import disk, journal, places
from lithify.store.journal import Chain, Record
from lithify.store.lock import locked
from lithify.store.places import STATE, Root
from lithify.store.recover import recover

REPLIES = f"{STATE}/replies"
#: What stays on its machine: locks, bytes on their way in, and what can be made again.
_STAYS = ("lock", "compact.lock", "staged", "index.sqlite", "digests.json", "fleet", "replies")


def stays(path: str) -> bool:
    """Whether a file of the root does not travel."""
    top, _, below = path.partition("/")
    return top == STATE and below.startswith(_STAYS)


def travelling(root: Root) -> dict[str, str]:
    """Every file that travels, with its real path; links are left out."""
    found: dict[str, str] = {}
    base = os.path.realpath(root)
    for folder, below, names in os.walk(base):
        below[:] = [one for one in below if not os.path.islink(os.path.join(folder, one))]
        for name in names:
            real = os.path.join(folder, name)
            path = os.path.relpath(real, base).replace(os.sep, "/")
            if os.path.isfile(real) and not os.path.islink(real) and not stays(path):
                found[path] = real
    return found


@contextmanager
def alone(root: Root) -> Iterator[None]:
    """Keep every other writer out of the root, days included."""
    with locked(places.compact_lock(root), wait=False), locked(places.lock(root)):
        recover(root)
        yield


def put(root: Root, path: str, data: bytes) -> None:
    """Put a file that came from elsewhere in its place. The caller holds the lock."""
    disk.put(root, places.resolve(root, path), data, private=path == f"{STATE}/key")


def replace(root: Root, path: str, data: bytes | None) -> None:
    """Replace or remove a page by the version of another place, keeping this one in history."""
    target = places.resolve(root, path)
    old = disk.bytes_at(target)
    if old is not None and not path.startswith(f"{STATE}/"):
        disk.keep_old(root, path, old)
    if data is not None:
        put(root, path, data)
    else:
        disk.remove(target)


def merged(here: bytes, there: bytes, common: int) -> bytes:
    """One journal of two that went apart after their first `common` records.

    One is kept as it is, and what only the other has is chained to its end. Kept is the one whose
    pages name records by their hash: this one if it committed pages, otherwise the other one.
    """
    mine, theirs = journal.verify(here).records, journal.verify(there).records
    if mine[:common] != theirs[:common] or any("files" in one.data for one in mine[common:]):
        return _chained(here, mine, theirs[common:])
    return _chained(there, theirs, mine[common:])


def _chained(raw: bytes, records: Sequence[Record], more: Sequence[Record]) -> bytes:
    # A merge that was cut short may have brought some of them already.
    there = {(one.time, one.kind, json.dumps(one.data, sort_keys=True)) for one in records}
    more = [
        one
        for one in more
        if (one.time, one.kind, json.dumps(one.data, sort_keys=True)) not in there
    ]
    if not more:
        return raw
    last = records[-1] if records else None
    chain = Chain(last.seq, last.hash) if last else Chain()
    for one in more:
        chain.add(one.time, one.kind, one.data)
    return (raw if not raw or raw.endswith(b"\n") else raw + b"\n") + bytes(chain)
