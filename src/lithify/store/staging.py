"""The way of bytes into a root: made aside, synced, then renamed into place.

What stands in `.lithify/staged/`:
    <sha256>         bytes of a commit or an append
    <sha256>.gone    a deletion (the digest is the path's)
    <sha256>.plan    the files that a `forget` or `scan --fix` replaces (see `rewrite`)
    <sha256>.tmp     a file of ours being made; worth nothing until renamed

Whoever calls these holds the lock of the root.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from hashlib import sha256

from lithify.store import disk, places
from lithify.store.places import Root

_OURS = re.compile(r"[0-9a-f]{64}(\.gone|\.plan|\.tmp)?")


def put(root: Root, target: str, data: bytes) -> None:
    """A whole file at an absolute place, or none."""
    aside = places.staged(root, sha(data) + ".tmp")
    disk.make_dir(places.staged(root))
    disk.make_dir(os.path.dirname(target))
    # We hold the lock, so one that is there belongs to a program that was killed.
    disk.remove(aside)
    disk.write_new(aside, data)
    disk.replace(aside, target)


def stage(root: Root, files: Mapping[str, bytes | None]) -> None:
    """Makes the new bytes of a commit, and its deletions, safe on disk."""
    if not files:
        return
    disk.make_dir(places.staged(root))
    names = {gone_name(path): b"" for path, new in files.items() if new is None}
    names |= {sha(new): new for new in files.values() if new is not None}
    for name, content in names.items():
        disk.write_new(places.staged(root, name), content)
    disk.sync_dir(places.staged(root))


def put_in_place(root: Root, digests: Mapping[str, str | None]) -> None:
    """Puts staged bytes over the files of a commit and carries out its deletions.

    The staged bytes are copied, not moved: not every file system renames from one folder
    to another at once, and they go only when all files are safe in their places.
    """
    for path, digest in digests.items():
        target = places.resolve(root, path)
        if digest is not None:
            put(root, target, disk.read(places.staged(root, digest)))
        else:
            disk.remove(target)
            if os.path.isdir(os.path.dirname(target)):
                disk.sync_dir(os.path.dirname(target))
    for name in {digest or gone_name(path) for path, digest in digests.items()}:
        disk.remove(places.staged(root, name))


def keep_old(root: Root, path: str, old: bytes) -> None:
    """Keeps a version that is about to be replaced."""
    kept = places.history(root, *path.split("/"), sha(old))
    if not disk.exists(kept):
        put(root, kept, old)


def leftovers(root: Root) -> list[str]:
    """The names of ours in the staging folder; between writes there are none."""
    return [name for name in disk.names(places.staged(root)) if is_ours(name)]


def is_ours(name: str) -> bool:
    """Whether a name in the staging folder is one that we give."""
    return _OURS.fullmatch(name) is not None


def gone_name(path: str) -> str:
    """The name under which a deletion of this path is staged."""
    return sha(path.encode("utf-8", "surrogateescape")) + ".gone"


def bytes_at(path: str) -> bytes | None:
    """A file's bytes, None where there is no file."""
    return disk.read(path) if disk.exists(path) else None


def end_of(path: str) -> tuple[int, bytes]:
    """A file's size and its last byte; 0 and nothing where there is no file."""
    size = disk.size(path)
    return size, disk.read_range(path, size - 1, 1) if size else b""


def sha(data: bytes) -> str:
    return sha256(data).hexdigest()
