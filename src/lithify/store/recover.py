"""Finishes what a crash left behind.

Every write begins here, so at most the newest record with files or an append can be
waiting: if its bytes are still staged, they go in force; all else in the staging folder
was never committed and goes. The plan of a `rewrite` is finished first. Each step may itself be
cut short and done again.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping

from lithify.errors import LithifyError
from lithify.store import disk, journal, places
from lithify.store.lock import locked
from lithify.store.places import Root

#: The end of the name of a plan: the files that a `rewrite` replaces, with their digests.
PLAN = ".plan"


def recover(root: Root) -> None:
    """Rolls a committed change forward and clears the rest; cheap when there is nothing."""
    if not disk.leftovers(root):
        return
    with places.named(root), locked(places.lock(root)):
        # The folder entry of a journal made just before the crash may not be on disk yet.
        disk.sync_dir(places.state(root))
        for name in disk.leftovers(root):
            if name.endswith(PLAN):
                finish_plan(root, name)
        for record in journal.newest(root):
            if record is None:
                # The record of these bytes may be the damaged one: set them aside, lose nothing.
                _set_aside(root)
                return
            if "append" in record.data:
                _finish_append(root, **record.data["append"])
                break
            if "files" in record.data:
                disk.put_in_place(root, _still_waiting(root, record.data["files"]))
                break
        for name in disk.leftovers(root):
            disk.remove(places.staged(root, name))


def finish_rewrite(root: Root) -> None:
    """Finishes a `forget` or `scan --fix` that was cut short, before anything is read.

    Where the root cannot be written it stays as it is, and `check` and `status` say so.
    """
    if pending_rewrite(root):
        with contextlib.suppress(LithifyError):
            recover(root)


def pending_rewrite(root: Root) -> bool:
    """Whether a `forget` or `scan --fix` was cut short and is not finished."""
    return any(name.endswith(PLAN) for name in disk.leftovers(root))


def _still_waiting(root: Root, digests: Mapping[str, str | None]) -> dict[str, str | None]:
    """What of the newest commit is not in force; whatever stands there instead is kept."""
    names = set(disk.leftovers(root))
    waiting: dict[str, str | None] = {}
    for path, digest in digests.items():
        if digest is None:
            ready = disk.gone_name(path) in names
        else:
            ready = _is_whole(root, digest)
        if not ready:
            continue
        old = disk.bytes_in(root, path)
        if digest != (None if old is None else disk.sha(old)):
            if old is not None:
                disk.keep_old(root, path, old)
            waiting[path] = digest
    return waiting


def _finish_append(root: Root, path: str, offset: int, length: int, sha256: str) -> None:
    if not _is_whole(root, sha256):
        return
    added = disk.read(places.staged(root, sha256))
    target = places.writable(root, path)
    disk.make_dir(os.path.dirname(target))
    rest = _rest_of_append(target, added, offset)
    if rest:
        disk.append(target, rest)
    else:
        disk.sync(target)
    disk.sync_dir(os.path.dirname(target))
    disk.remove(places.staged(root, sha256))


def _is_whole(root: Root, digest: str) -> bool:
    """Whether staged bytes are complete; a kill can leave half of what was not committed."""
    data = disk.bytes_at(places.staged(root, digest))
    return data is not None and disk.sha(data) == digest


def _rest_of_append(target: str, added: bytes, offset: int) -> bytes:
    """The bytes that must still be added for the whole of `added` to stand in the file."""
    size, last = disk.end_of(target)
    if size >= offset:
        there = disk.read_range(target, offset, len(added)) if size else b""
        if there == added:
            return b""
        if offset + len(there) == size and added.startswith(there):
            return added[len(there) :]
    # Somebody else changed the file since: look for the entry wherever it is now.
    whole = disk.read(target) if size else b""
    entry = added.removeprefix(b"\n")
    if entry in whole:
        return b""
    # An earlier recovery may have been killed half way through this very append.
    start = max(0, size - len(entry))
    while start < size:
        if start == 0 or whole[start - 1 : start] == b"\n":
            piece = whole[start:]
            if entry.startswith(piece):
                return entry[len(piece) :]
        start = (whole.find(b"\n", start) + 1) or size
    return entry if last in (b"", b"\n") else b"\n" + entry


def _set_aside(root: Root) -> None:
    disk.make_dir(places.history(root, "unclaimed"))
    for name in disk.leftovers(root):
        if name.endswith(".tmp"):
            disk.remove(places.staged(root, name))
        else:
            disk.replace(places.staged(root, name), places.history(root, "unclaimed", name))


def finish_plan(root: Root, name: str) -> None:
    """Carries out a plan, whatever of it is done already."""
    steps: dict[str, list[str | None]] = json.loads(disk.read(places.staged(root, name)))["files"]
    for path, (old, digest) in steps.items():
        target = places.writable(root, path)
        if not path.startswith(places.STATE) and disk.digest_in(root, path) != old:
            continue
        if digest is None:
            _remove(root, target)
            continue
        staged = disk.bytes_at(places.staged(root, digest))
        # The staged bytes go only after every file is in its place.
        if staged is not None:
            disk.put(root, target, staged)
    for digest in {digest for _, digest in steps.values() if digest}:
        disk.remove(places.staged(root, digest))
    disk.remove(places.staged(root, name))


def _remove(root: Root, target: str) -> None:
    """Removes a file and, in `.lithify/`, the folders that it leaves empty."""
    disk.remove(target)
    folder = os.path.dirname(target)
    while os.path.isdir(folder) and places.is_inside(folder, places.state(root, "history")):
        if disk.names(folder):
            break
        os.rmdir(folder)
        folder = os.path.dirname(folder)
    if os.path.isdir(folder):
        disk.sync_dir(folder)
