"""What a root keeps about secrets: the key of its marks, the last scan, files for their owner only.

`.lithify/key` is 32 random bytes in hex, made when the first secret is found. Who has it can try
out values against a mark, so it stays with the machine: mode 0600, and ignored by git.
`.lithify/secrets.json` says which files held secrets when they were last looked for; `status`
repeats it without a search.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from typing import NamedTuple

from lithify.errors import LithifyError
from lithify.store import disk, places
from lithify.store.lock import locked
from lithify.store.places import Root

#: The folder below `.lithify/` where `scan --fix` keeps what it replaced.
COPIES = "before-scan"
#: What stays with the machine, and what is derived or lasts no longer than a run.
_IGNORED = (
    *("key", f"{COPIES}/", "staged/", "servers/", "lock", "*.lock", "digests.json", "secrets.json"),
    *("entries.sqlite*", "day-end.json", "index.sqlite*", "last-run.json"),
    *("gate/sessions/", "gate/closed/", "gate/settings.json"),
)
_LAST_SCAN = "secrets.json"
#: Both branches' lines stay when git merges a journal; `lithify check --repair` joins them.
_ATTRIBUTES = ("journal.jsonl merge=union",)


class RootKey:
    """Gives the key of a root; nothing where there is none and none can or is to be made."""

    def __init__(self, root: str) -> None:
        self.root = root

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RootKey) and other.root == self.root

    def __hash__(self) -> int:
        return hash(self.root)

    def __call__(self, *, make: bool = True) -> bytes:
        # A root that cannot be written is still read: its marks have a kind and no identity.
        with contextlib.suppress(LithifyError):
            return self._read() or (self._make() if make else b"")
        return b""

    def _read(self) -> bytes:
        told = disk.bytes_at(places.state(self.root, "key")) or b""
        with contextlib.suppress(ValueError):
            return bytes.fromhex(told.decode("ascii"))
        return b""

    def _make(self) -> bytes:
        with locked(places.lock(self.root)):
            if not (key := self._read()):
                key, path = os.urandom(32), places.state(self.root, "key")
                ignore(self.root)
                disk.put(self.root, path, key.hex().encode() + b"\n", private=True)
        return key


def ignore(root: Root) -> None:
    """Tell git what to leave out and how to merge a journal; lines that are there stay."""
    for name, lines in ((".gitignore", _IGNORED), (".gitattributes", _ATTRIBUTES)):
        path = places.state(root, name)
        there = (disk.bytes_at(path) or b"").decode("utf-8", "replace")
        if missing := [line for line in lines if line not in there.split("\n")]:
            disk.make_dir(os.path.dirname(path))
            lead = "" if there.endswith("\n") or not there else "\n"
            disk.append(path, (lead + "\n".join(missing) + "\n").encode())


class LastScan(NamedTuple):
    """When secrets were looked for, and the files that held some."""

    time: str = ""
    files: tuple[str, ...] = ()


def last_scan(root: Root) -> LastScan:
    """What was found last; nothing where nobody looked."""
    try:
        data = json.loads(disk.read(places.state(root, _LAST_SCAN)))
        return LastScan(str(data["time"]), tuple(data["files"]))
    except (LithifyError, ValueError, KeyError, TypeError):
        return LastScan()


def save_scan(root: Root, held: Mapping[str, list[str]], time: str) -> None:
    """Keep what was found, each file with its kinds; a root that cannot be written does without."""
    if not held and not last_scan(root).files:
        return
    with contextlib.suppress(LithifyError), locked(places.lock(root)):
        data = json.dumps({"time": time, "files": held}, ensure_ascii=False)
        disk.put(root, places.state(root, _LAST_SCAN), data.encode())
