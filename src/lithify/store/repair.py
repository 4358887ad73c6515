"""Repair a root: finish what was left, bring back what is gone, and write a damaged journal anew.

Whatever is about to be touched is copied into `.lithify/history/repair/<n>/` first.

Journals that grew apart in two copies of a root are joined into one.

A merge of git leaves the lines of both branches in one file, with or without conflict markers. The
branches are put one after the other, the older first. A record that thereby gets a new place is
bound anew and names its old number and hash under `formerly`, because pages name records by them.
A `merge` record at the end names the heads of all branches.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from lithify.errors import OutsideRoot
from lithify.store import commit, disk, journal, places
from lithify.store.check import (
    DIGESTS,
    JOURNAL,
    Problem,
    bytes_in,
    check,
    has_conflict,
    names_in,
    nothing_else,
)
from lithify.store.journal import Journal, Record
from lithify.store.lock import locked
from lithify.store.names import DAYS
from lithify.store.places import Root


@dataclass(frozen=True, slots=True)
class _Kept:
    """A record on its way into the new journal; `order` is its number in the old one."""

    order: int
    time: str
    kind: str
    facts: Mapping[str, Any]


def rechain(raw: bytes, time: str, facts: Mapping[str, Any]) -> bytes:
    """New bytes for a damaged journal, ended by a `repaired` record with these facts.

    Sound records keep their words. A changed one that is still JSON is kept and marked
    `doubtful` with its old line number; a line that is no JSON becomes a `damaged` record
    that holds its text, so that an id in it can still be found. Pieces cut by a crash were
    never records and go.
    """
    kept = _kept(raw)
    doubtful = [one.facts["doubtful"] for one in kept if "doubtful" in one.facts]
    end = {**facts, "doubtful_lines": doubtful, "records": len(kept)}
    lines: list[bytes] = []
    prev = journal.FIRST
    for seq, one in enumerate([*kept, _Kept(0, time, "repaired", end)], start=1):
        line = journal.render(seq, one.time, one.kind, one.facts, prev)
        record = journal.parse(line)
        assert record is not None
        prev = record.hash
        lines.append(line + b"\n")
    return b"".join(lines)


def _kept(raw: bytes) -> list[_Kept]:
    *lines, rest = raw.split(b"\n")
    kept: list[_Kept] = []
    seen: set[str] = set()
    order, time = 0, ""
    for number, line in enumerate([*lines, rest], start=1):
        last = number == len(lines) + 1
        record = journal.parse(line)
        if record is not None:
            if record.hash not in seen:
                seen.add(record.hash)
                order, time = record.seq, record.time
                facts = {k: v for k, v in record.data.items() if k != "torn"}
                kept.append(_Kept(order, time, record.kind, facts))
        elif line and not (line.endswith(journal.MARK) or (last and journal.looks_cut(line))):
            kept.append(_doubtful(line, number, order, time))
    # Lines that were moved go back to their place; what has no number stays with its neighbour.
    return sorted(kept, key=lambda one: one.order)


def _doubtful(line: bytes, number: int, order: int, time: str) -> _Kept:
    try:
        facts = json.loads(line)
        when, kind = facts.pop("time"), facts.pop("kind")
        if isinstance(when, str) and isinstance(kind, str):
            facts = {k: v for k, v in facts.items() if k not in journal.OWN}
            journal.render(0, when, kind, facts, journal.FIRST)
            if _is_usable(facts):
                return _Kept(order, when, kind, {**facts, "doubtful": number})
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        pass
    text = line.decode("utf-8", "backslashreplace")
    return _Kept(order, time, "damaged", {"text": text, "doubtful": number})


def _is_usable(facts: Mapping[str, Any]) -> bool:
    """Whether what a commit or an append says of itself has kept its shape."""
    files, place = facts.get("files", {}), facts.get("append")
    if not isinstance(files, dict) or not all(
        v is None or isinstance(v, str) for v in files.values()
    ):
        return False
    if place is None:
        return True
    shape = {"path": str, "offset": int, "length": int, "sha256": str}
    return (
        isinstance(place, dict)
        and place.keys() == shape.keys()
        and all(isinstance(place[key], kind) for key, kind in shape.items())
    )


# Journals that grew apart in two copies of a root, joined into one.


@dataclass(frozen=True, slots=True)
class Repair:
    """What a repair did, where it kept the copies, and what is still wrong."""

    done: tuple[str, ...]
    copies: str
    left: tuple[Problem, ...]


def repair(
    root: Root,
    time: str,
    *,
    patterns: tuple[str, ...] = DAYS,
    type_of: Callable[[bytes], str | None] | None = None,
    extra: Callable[[Journal], Iterable[Problem]] = nothing_else,
) -> Repair:
    """Puts right what can be, and says what was done and what is left."""
    done: list[str] = []
    with places.named(root), locked(places.lock(root)):
        problems = check(root, patterns=patterns, type_of=type_of)
        kinds = {problem.kind for problem in problems}
        copies = _Copies(root)
        if "staged" in kinds:
            for path in [p.path for p in problems if p.kind == "staged"] + _waiting_targets(root):
                copies.keep(path)
            commit.recover(root)
            done.append("finished or removed what a run had left in staged/")
        faults = journal.read(root).faults
        if faults:
            kept = copies.keep(JOURNAL)
            said = mend_journal(root, kept, [fault.line for fault in faults], time)
            done.append(f"{said}; {kept} is the old one")
        for problem in problems:
            if problem.kind == "address":
                kept = copies.keep(problem.path)
                disk.remove(os.path.join(root, *problem.path.split("/")))
                done.append(f"took {problem.path} out of use; {kept} is a copy")
        if "cache" in kinds:
            copies.keep(DIGESTS)
            disk.remove(places.state(root, "digests.json"))
            done.append("removed the digest cache; the next scan makes it anew")
        if "torn" in kinds and not faults:
            kept = copies.keep(JOURNAL)
            commit.note(root, "repaired", {"copy": kept}, time)
            done.append("closed the journal's cut last line")
        done.extend(_restore(root, time))
    left = check(root, patterns=patterns, type_of=type_of, extra=extra)
    return Repair(tuple(done), copies.folder if copies.any else "", left)


def _restore(root: Root, time: str) -> Iterator[str]:
    """Brings back committed files that are gone, where their bytes are still in history."""
    for path, digest in sorted(journal.read(root).in_force().items()):
        with contextlib.suppress(OutsideRoot):
            if digest is None or bytes_in(root, path) is not None:
                continue
            data = disk.bytes_at(places.history(root, *path.split("/"), digest))
            if data is not None and disk.sha(data) == digest:
                commit.commit(root, {path: data}, "restored", {}, time)
                yield f"brought {path} back from history"


def _waiting_targets(root: Root) -> list[str]:
    for record in journal.newest(root):
        if record is None:
            return []
        if place := record.data.get("append"):
            return [place["path"]]
        if files := record.data.get("files"):
            return list(files)
    return []


class _Copies:
    """The folder of one repair's copies, made when the first copy is."""

    def __init__(self, root: Root) -> None:
        numbers = [int(n) for n in names_in(places.history(root, "repair")) if n.isdigit()]
        self._root = root
        self._number = str(max(numbers, default=0) + 1)
        self.folder = f"{places.STATE}/history/repair/{self._number}"
        self.any = False

    def keep(self, path: str) -> str:
        """Copies a file before it is touched; returns where the copy is."""
        data = bytes_in(self._root, path)
        target = places.history(self._root, "repair", self._number, *path.split("/"))
        if data is not None and not os.path.exists(target):
            disk.put(self._root, target, data)
            self.any = True
        return f"{self.folder}/{path}"


# Joining branches of a journal


_MARKER = re.compile(rb"(?:<{7}|>{7}|\|{7}) .*|={7}\r?")

#: What a record that is restated does not say a second time.
_ONCE = {"decisions", "proposals", "settled", "torn"}

#: The digest of the file at a path of the root; None where there is none.
DigestOf = Callable[[str], str | None]


def mend_journal(root: Root, copy: str, lines: list[int], time: str) -> str:
    """Writes a journal anew that has several branches or damaged lines; returns what was done."""
    raw = disk.read(places.journal(root))
    facts = {"copy": copy, "sha256": disk.sha(raw)}

    def digest_of(path: str) -> str | None:
        with contextlib.suppress(OutsideRoot):
            data = disk.bytes_at(places.resolve(root, path))
            return None if data is None else disk.sha(data)
        return None

    done, new = "joined the branches of the journal", joined(raw, time, facts, digest_of)
    if new is None:
        done = "wrote the journal anew from all records that can be read"
        new = rechain(raw, time, {**facts, "fault_lines": lines})
    disk.put(root, places.journal(root), new)
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
