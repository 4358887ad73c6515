"""The key of a root's marks for secrets, and the files that only their owner may read.

`.lithify/key` is 32 random bytes in hex, made when the first secret is found. Who has it can try
out values against a mark, so it stays with the machine: mode 0600, and ignored by git.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from lithify.errors import LithifyError, StorageError
from lithify.store import disk, places, staging
from lithify.store.lock import locked
from lithify.store.places import Root

#: The folder below `.lithify/` where `scan --fix` keeps what it replaced.
COPIES = "before-scan"
#: What stays with the machine, and what is derived or lasts no longer than a run.
_IGNORED = (
    *("key", f"{COPIES}/", "staged/", "servers/", "lock", "*.lock", "digests.json", "secrets.json"),
    *("index.sqlite*", "last-run.json", "gate/sessions/", "gate/closed/", "gate/settings.json"),
)
#: Both branches' lines stay when git merges a journal; `lithify check --repair` joins them.
_ATTRIBUTES = ("journal.jsonl merge=union",)


class RootKey:
    """Gives the key of a root, made if there is none; nothing where none can be made."""

    def __init__(self, root: str) -> None:
        self.root = root

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RootKey) and other.root == self.root

    def __hash__(self) -> int:
        return hash(self.root)

    def __call__(self) -> bytes:
        try:
            return _read(self.root) or _make(self.root)
        except LithifyError:
            # A root that cannot be written is still read: its marks have a kind and no identity.
            return b""


def _read(root: Root) -> bytes:
    try:
        return bytes.fromhex(disk.read(places.state(root, "key")).decode("ascii").strip())
    except StorageError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return b""
        raise
    except ValueError:
        return b""


def _make(root: Root) -> bytes:
    with locked(places.lock(root)):
        if key := _read(root):
            return key
        key = os.urandom(32)
        ignore(root)
        put_private(root, places.state(root, "key"), key.hex().encode() + b"\n")
    return key


def ignore(root: Root) -> None:
    """Tell git what to leave out and how to merge a journal; lines that are there stay."""
    for name, lines in ((".gitignore", _IGNORED), (".gitattributes", _ATTRIBUTES)):
        path = places.state(root, name)
        there = (staging.bytes_at(path) or b"").decode("utf-8", "replace")
        if missing := [line for line in lines if line not in there.split("\n")]:
            disk.make_dir(os.path.dirname(path))
            lead = "" if there.endswith("\n") or not there else "\n"
            disk.append(path, (lead + "\n".join(missing) + "\n").encode())


def keep_private(root: Root, paths: Iterable[str], folder: str) -> None:
    """Copy files of a root to a folder of it that only their owner can read."""
    ignore(root)
    for path in paths:
        if (old := staging.bytes_at(places.resolve(root, path))) is not None:
            put_private(root, places.resolve(root, f"{folder}/{path}"), old)


def put_private(root: Root, target: str, data: bytes) -> None:
    """A whole file at an absolute place, or none, that only its owner can read."""
    disk.make_dir(places.staged(root))
    aside = places.staged(root, staging.sha(data) + ".tmp")
    disk.make_dir(os.path.dirname(target), 0o700)
    disk.remove(aside)
    disk.write_new(aside, data, 0o600)
    disk.replace(aside, target)
