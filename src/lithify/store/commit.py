"""One commit point: staged bytes, then the journal line, then the file.

Before the journal line nothing in force has changed. After it everything needed to finish
is on disk, and whoever writes next finishes it.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from lithify.errors import PartlyDone, StorageError, Unfinished
from lithify.store import disk, journal, places
from lithify.store.journal import Record
from lithify.store.lock import locked
from lithify.store.names import dated
from lithify.store.places import Root
from lithify.store.recover import PLAN, finish_plan, recover


def commit(
    root: Root, files: Mapping[str, bytes | None], kind: str, data: Mapping[str, Any], time: str
) -> Record:
    """Puts new versions of derived files in force, all or none; None deletes a file.

    Replaced and deleted versions are kept in `.lithify/history/`.
    """
    for path in files:
        if dated(path):
            raise ValueError(f"{path} is a day: days are only ever added to")
        if path.split("/")[0] == places.STATE:
            raise ValueError(f"{path} is the program's own; use save_new")
    with _writing(root, data):
        waiting: dict[str, bytes | None] = {}
        for path, new in files.items():
            target = places.writable(root, path)
            old = disk.bytes_at(target)
            if old == new:
                continue
            if new is not None:
                disk.make_dir(os.path.dirname(target))
            disk.require_writable(os.path.dirname(target))
            if old is not None:
                disk.keep_old(root, path, old)
            waiting[path] = new
        disk.stage(root, waiting)
        digests = {path: None if new is None else disk.sha(new) for path, new in files.items()}
        record = journal.append(root, kind, {**data, "files": digests}, time)
        with _after_commit():
            disk.put_in_place(root, {path: digests[path] for path in waiting})
        return record


def append_day(
    root: Root,
    path: str,
    data: bytes,
    kind: str,
    facts: Mapping[str, Any],
    time: str,
) -> Record:
    """Add an entry to the end of a day, journal line first; return that line.

    A day that does not end with a newline gets one before the entry.
    """
    with _writing(root, facts):
        target = places.writable(root, path)
        disk.make_dir(os.path.dirname(target))
        disk.require_writable(target if disk.exists(target) else os.path.dirname(target))
        offset, last = disk.end_of(target)
        added = data if last in (b"", b"\n") else b"\n" + data
        digest = disk.sha(added)
        disk.stage(root, {path: added})
        place = {"path": path, "offset": offset, "length": len(added), "sha256": digest}
        record = journal.append(root, kind, {**facts, "append": place}, time)
        with _after_commit():
            disk.append(target, added)
            disk.remove(places.staged(root, digest))
        return record


def note(root: Root, kind: str, data: Mapping[str, Any], time: str) -> Record:
    """Writes a journal line that changes no file: a decision, a failure, an approval."""
    with _writing(root, data):
        return journal.append(root, kind, data, time)


def save_new(root: Root, path: str, data: bytes) -> None:
    """Writes a file that never changes again; one that is there already stays as it is.

    A name whose stem ends in 64 hex digits says the SHA-256 of the bytes; `check` holds it
    to that.
    """
    if disk.exists(places.writable(root, path)):
        return
    with _writing(root):
        target = places.writable(root, path)
        if not disk.exists(target):
            disk.put(root, target, data)


def prune_replies(root: Root, before: float) -> tuple[int, int]:
    """Delete replies older than a moment; how many there were, and their bytes.

    A reply whose page is in force is not needed again; one whose page is not would be bought
    a second time.
    """
    count = size = 0
    folder = places.writable(root, f"{places.STATE}/replies")
    for name in disk.names(folder):
        path = os.path.join(folder, name)
        with contextlib.suppress(OSError):
            facts = os.lstat(path)
            if name.endswith(".json") and facts.st_mtime < before:
                os.unlink(path)
                count, size = count + 1, size + facts.st_size
    return count, size


def rewrite(root: Root, files: Mapping[str, bytes | None]) -> None:
    """Replace any files of a root together, days and logs included, and keep no old version.

    Only a person's `forget`, `scan --fix` and `check --repair` do this; None removes a file. The new
    bytes are staged, then a plan that names every file is renamed to `.lithify/staged/<sha256>.plan`:
    that is the commit, because the journal is itself one of the files. A run killed before it changed
    nothing; one killed after it is finished by the next write (`recover`). A day or page that somebody
    else changed between the plan and its end is left as it stands. The caller holds the lock.
    """
    for path in files:
        folder = os.path.dirname(places.writable(root, path))
        if os.path.isdir(folder):
            disk.require_writable(folder)
    disk.stage(root, {path: new for path, new in files.items() if new is not None})
    steps = {
        path: (disk.digest_in(root, path), None if new is None else disk.sha(new))
        for path, new in files.items()
    }
    plan = json.dumps({"files": steps}, sort_keys=True).encode("ascii")
    name = disk.sha(plan) + PLAN
    place = places.staged(root, name)
    try:
        disk.put(root, place, plan)
    except StorageError as error:
        # A plan under its name is a commit, even if the disk did not confirm the name.
        if os.path.lexists(place):
            raise Unfinished(**error.facts) from error
        raise
    with _after_commit():
        finish_plan(root, name)


@contextlib.contextmanager
def in_steps(root: Root) -> Iterator[None]:
    """Says of an error whether anything was changed before it, by the last line of the journal."""
    before = journal.tip(places.journal(root)).hash
    try:
        yield
    except (Unfinished, PartlyDone):
        raise
    except StorageError as error:
        try:
            unchanged = journal.tip(places.journal(root)).hash == before
        except StorageError:
            unchanged = False
        if unchanged:
            raise
        raise PartlyDone(**error.facts) from error


@contextlib.contextmanager
def _writing(root: Root, facts: Mapping[str, Any] = MappingProxyType({})) -> Iterator[None]:
    """Lock a root for one write, whose record is to say these facts."""
    if taken := {"files", "append"} & facts.keys():
        raise ValueError(f"a commit sets {', '.join(sorted(taken))} itself")
    with places.named(root), locked(places.lock(root)):
        recover(root)
        yield


@contextlib.contextmanager
def _after_commit() -> Iterator[None]:
    try:
        yield
    except StorageError as error:
        raise Unfinished(**error.facts) from error
