"""Journals that grew apart in two copies of a root, joined into one.

A merge of git leaves the lines of both branches in one file, with or without conflict markers. The
branches are put one after the other, the older first. A record that thereby gets a new place is
bound anew and names its old number and hash under `formerly`, because pages name records by them.
A `merge` record at the end names the heads of all branches.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from lithify.errors import OutsideRoot
from lithify.store import disk, journal, places, staging
from lithify.store.journal import Record
from lithify.store.places import Root
from lithify.store.rechain import rechain

CONFLICT = (
    "it has conflict markers of git; of a page take one side (git checkout --ours), in a day keep "
    "the lines of both, then run lithify check --repair again"
)

_MARKER = re.compile(rb"(?:<{7}|>{7}|\|{7}) .*|={7}\r?")
_BEGIN, _END = re.compile(rb"(?m)^<{7} "), re.compile(rb"(?m)^>{7} ")

#: What a record that is restated does not say a second time.
_ONCE = {"decisions", "proposals", "settled", "torn"}

#: The digest of the file at a path of the root; None where there is none.
DigestOf = Callable[[str], str | None]


def has_conflict(data: bytes) -> bool:
    """Whether a merge of git left its conflict markers in a file."""
    return bool(_BEGIN.search(data) and _END.search(data))


def mend_journal(root: Root, copy: str, lines: list[int], time: str) -> str:
    """Writes a journal anew that has several branches or damaged lines; returns what was done."""
    raw = disk.read(places.journal(root))
    facts = {"copy": copy, "sha256": staging.sha(raw)}

    def digest_of(path: str) -> str | None:
        with contextlib.suppress(OutsideRoot):
            data = staging.bytes_at(places.resolve(root, path))
            return None if data is None else staging.sha(data)
        return None

    done, new = "joined the branches of the journal", joined(raw, time, facts, digest_of)
    if new is None:
        done = "wrote the journal anew from all records that can be read"
        new = rechain(raw, time, {**facts, "fault_lines": lines})
    staging.put(root, places.journal(root), new)
    return done


class _Branches(NamedTuple):
    """Every record in its new order, and each branch as its records from the first to its head."""

    order: tuple[Record, ...]
    chains: tuple[tuple[Record, ...], ...]


def joined(raw: bytes, time: str, facts: Mapping[str, Any], digest_of: DigestOf) -> bytes | None:
    """New bytes for a journal with several branches; None if it has only one or is damaged.

    Of a file that several branches wrote, the version on disk counts: its record is restated where
    another branch comes last. Items of wisdom that were decided on in another branch than the one
    whose `WISDOM.md` is on disk are decided on again.
    """
    found = _records(raw)
    branches = _branches(found) if found is not None else None
    if branches is None or (len(branches.chains) < 2 and not has_conflict(raw)):
        return None
    kept = {record.hash: line for line in raw.split(b"\n") if (record := journal.parse(line))}
    lines: list[bytes] = []
    seq, prev = 0, journal.FIRST
    for record in branches.order:
        seq += 1
        line = kept[record.hash]
        if (record.seq, record.prev) != (seq, prev) or "torn" in record.data:
            names = [*record.data.get("formerly", ()), _name(record)]
            data = {**record.data, "formerly": names}
            data.pop("torn", None)
            line = journal.render(seq, record.time, record.kind, data, prev)
        prev = _hash(line)
        lines.append(line)
    for record, files in _to_restate(branches, digest_of):
        seq += 1
        data = {key: value for key, value in record.data.items() if key not in _ONCE}
        data |= {"files": files, "restates": _name(record)}
        lines.append(journal.render(seq, time, record.kind, data, prev))
        prev = _hash(lines[-1])
    heads = [_name(chain[-1]) for chain in branches.chains]
    end = {**facts, "heads": heads, "unjudged": _to_judge_again(branches, digest_of)}
    lines.append(journal.render(seq + 1, time, "merge", end, prev))
    return b"".join(line + b"\n" for line in lines)


def _records(raw: bytes) -> dict[str, Record] | None:
    """The records by hash; None if a line is neither a record, nor cut by a crash, nor git's."""
    *lines, rest = raw.split(b"\n")
    records: dict[str, Record] = {}
    for line in (*lines, rest):
        if record := journal.parse(line):
            records[record.hash] = record
        elif line and not (
            _MARKER.fullmatch(line)
            or line.endswith(journal.MARK)
            or (line is rest and journal.looks_cut(line))
        ):
            return None
    return records


def _branches(records: Mapping[str, Record]) -> _Branches | None:
    """The records as a tree; None if one of them has lost what it follows."""
    # A record that an earlier merge gave a new place may come back from a third copy of the root.
    moved = {
        name.partition("~")[2]: record.hash
        for record in records.values()
        for name in record.data.get("formerly", ())
    }
    children: dict[str, list[Record]] = {}
    for record in records.values():
        if record.hash not in moved:
            children.setdefault(_newest(record.prev, moved), []).append(record)
    order: list[Record] = []
    above: dict[str, Record | None] = {}
    chains: list[tuple[Record, ...]] = []
    waiting: list[tuple[str, Record | None]] = [(journal.FIRST, None)]
    while waiting:
        hash, parent = waiting.pop()
        if parent:
            order.append(parent)
        below = sorted(children.get(hash, ()), key=lambda one: (one.time, one.hash), reverse=True)
        for child in below:
            above[child.hash] = parent
            waiting.append((child.hash, child))
        if parent and not below:
            chains.append(tuple(_upwards(parent, above))[::-1])
    whole = len(order) == sum(map(len, children.values()))
    return _Branches(tuple(order), tuple(chains)) if whole else None


def _newest(hash: str, moved: Mapping[str, str]) -> str:
    for _ in moved:
        if hash not in moved:
            break
        hash = moved[hash]
    return hash


def _upwards(record: Record | None, above: Mapping[str, Record | None]) -> Iterator[Record]:
    while record:
        yield record
        record = above[record.hash]


def _writers(chain: Iterable[Record]) -> dict[str, Record]:
    """The record that wrote each path last."""
    return {path: record for record in chain for path in record.data.get("files", {})}


def _to_restate(
    branches: _Branches, digest_of: DigestOf
) -> Iterator[tuple[Record, dict[str, str | None]]]:
    """Records whose files are on disk though another branch comes last, each with these files."""
    found: dict[str, tuple[Record, dict[str, str | None]]] = {}
    by_branch = [_writers(chain) for chain in branches.chains]
    for path, last in sorted(_writers(branches.order).items()):
        digest = digest_of(path)
        if last.data["files"][path] == digest:
            continue
        writers = (known[path] for known in by_branch if path in known)
        record = next((one for one in writers if one.data["files"][path] == digest), None)
        if record:
            found.setdefault(record.hash, (record, {}))[1][path] = digest
    return iter(found.values())


def _to_judge_again(branches: _Branches, digest_of: DigestOf) -> list[str]:
    """Items that only branches without the `WISDOM.md` on disk have decided on."""
    every: set[str] = set()
    known: set[str] | None = None
    for chain in branches.chains:
        judged: set[str] = set()
        page: tuple[str, str | None] | None = None
        for record in chain:
            judged.difference_update(record.data.get("unjudged", ()))
            judged.update(record.data.get("judged", ()))
            for path, digest in record.data.get("files", {}).items():
                page = (path, digest) if path.upper() == "WISDOM.MD" else page
        every |= judged
        if page and digest_of(page[0]) == page[1]:
            known = judged if known is None else known | judged
    return sorted(every - known) if known is not None else []


def _name(record: Record) -> str:
    return f"{record.seq}~{record.hash}"


def _hash(line: bytes) -> str:
    record = journal.parse(line)
    assert record is not None
    return record.hash
