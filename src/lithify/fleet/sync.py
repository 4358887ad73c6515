"""An agent's own root and its twin in object storage, brought together.

Each side has changed since they last agreed. What only one side changed goes to the other. Where
both changed a file, a day is kept from both sides, the journals become one, and of a page the
version in object storage is taken; this side's goes to history. Days are never removed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from lithify.fleet.objects import LostRace, RemoteRoot, alone, put, remote, told, travelling
from lithify.fleet.runs import write_status
from lithify.store import disk, journal, places
from lithify.store.journal import Chain, Record
from lithify.store.names import dated
from lithify.store.places import JOURNAL, STATE, Root

#: What both sides had when they last agreed.
AGREED = ".lithify/fleet/agreed.json"


@dataclass(slots=True)
class Synced:
    """How many files went each way, and days that are kept twice: the path, and its other version.

    `strange` are paths of the other side that no root holds; they were not taken.
    """

    sent: int = 0
    fetched: int = 0
    beside: list[tuple[str, str]] = field(default_factory=list)
    strange: tuple[str, ...] = ()


def push(folder: str, url: str) -> Synced:
    """Bring a root and its twin together on both sides."""
    with told(url):
        return _together(folder, url, send=True)


def pull(folder: str, url: str) -> Synced:
    """Bring what the twin has to this side, and send nothing."""
    os.makedirs(os.path.join(folder, "memory"), exist_ok=True)
    with told(url):
        return _together(folder, url, send=False)


def _together(folder: str, url: str, *, send: bool) -> Synced:
    root, done = remote(url), Synced()
    while True:
        with alone(folder):
            manifest = root.manifest()
            done.strange = manifest.strange
            agreed, records = _agreed(folder, root.url)
            _merge(folder, root, manifest.files, agreed, records, done)
            root.fetch_replies(folder)
            _agree(folder, root, manifest.files)
            if send:
                files = root.send_files(travelling(folder))
                root.send_replies(folder)
                if files != manifest.files:
                    try:
                        root.commit(files, manifest.version)
                    except LostRace:
                        continue
                done.sent = sum(manifest.files.get(path) != sha for path, sha in files.items())
                _agree(folder, root, files)
        return done


def _merge(
    folder: str,
    root: RemoteRoot,
    theirs: Mapping[str, str],
    agreed: Mapping[str, str],
    records: int,
    done: Synced,
) -> None:
    """Bring every change of the other side to this one."""
    real = travelling(folder)
    mine = {path: sha256(Path(at).read_bytes()).hexdigest() for path, at in real.items()}
    for path in sorted({*theirs, *agreed}):
        here, there, before = mine.get(path), theirs.get(path), agreed.get(path)
        if here == there or (there == before and not (here is None and dated(path))):
            continue
        new = root.get(there) if there else None
        if here is not None and here != before and new is not None:
            _reconcile(folder, path, Path(real[path]).read_bytes(), new, records, done)
        elif new is not None:
            put(folder, path, new)
        elif not dated(path):
            _replace(folder, path, None)
        done.fetched += 1


def _reconcile(
    folder: str, path: str, mine: bytes, theirs: bytes, records: int, done: Synced
) -> None:
    """Keep what both sides wrote to one file."""
    if path == JOURNAL:
        put(folder, path, merged(mine, theirs, records))
    elif not dated(path):
        _replace(folder, path, theirs)
    elif theirs.startswith(mine):
        put(folder, path, theirs)
    elif not mine.startswith(theirs):
        stem, end = os.path.splitext(path)
        beside = f"{stem}-{sha256(theirs).hexdigest()[:8]}{end}"
        put(folder, beside, theirs)
        done.beside.append((path, beside))


def _agreed(folder: str, url: str) -> tuple[Mapping[str, str], int]:
    try:
        known = json.loads(Path(os.path.join(folder, AGREED)).read_bytes())
        if known["url"] == url:
            return known["files"], int(known["records"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return {}, 0


def _agree(folder: str, root: RemoteRoot, files: Mapping[str, str]) -> None:
    """Note what the other side has now."""
    digest = files.get(JOURNAL)
    records = len(journal.verify(root.get(digest)).records) if digest else 0
    known = {"url": root.url, "files": dict(files), "records": records}
    write_status(os.path.join(folder, AGREED), known)


def _replace(root: Root, path: str, data: bytes | None) -> None:
    """Replace or remove a page by the version of another place, keeping this one in history."""
    target = places.writable(root, path)
    old = disk.bytes_at(target)
    if old is not None and not path.startswith(f"{STATE}/"):
        disk.keep_old(root, path, old)
    if data is not None:
        put(root, path, data)
    else:
        disk.remove(target)


def merged(here: bytes, there: bytes, common: int) -> bytes:
    """Return one journal of two that went apart after their first `common` records.

    One is kept as it is, and what only the other has is chained to its end. Kept is the one whose
    pages name records by their hash: this one if it committed pages, otherwise the other one.
    """
    mine, theirs = journal.verify(here).records, journal.verify(there).records
    if mine[:common] != theirs[:common] or any("files" in one.data for one in mine[common:]):
        return _chained(here, mine, theirs[common:])
    return _chained(there, theirs, mine[common:])


def _chained(raw: bytes, records: Sequence[Record], more: Sequence[Record]) -> bytes:
    def content(record: Record) -> tuple[str, str, str]:
        return record.time, record.kind, json.dumps(record.data, sort_keys=True)

    # A merge that was cut short may have brought some of them already.
    there = set(map(content, records))
    more = [one for one in more if content(one) not in there]
    if not more:
        return raw
    last = records[-1] if records else None
    chain = Chain(last.seq, last.hash) if last else Chain()
    numbers: dict[int, int] = {}
    for one in more:
        undoes = [numbers.get(seq, seq) for seq in one.data.get("undoes", ())]
        chain.add(one.time, one.kind, {**one.data, **({"undoes": undoes} if undoes else {})})
        numbers[one.seq] = chain.seq
    return (raw if not raw or raw.endswith(b"\n") else raw + b"\n") + bytes(chain)
