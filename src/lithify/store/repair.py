"""Repair a root: finish what was left, bring back what is gone, and write a damaged journal anew.

Whatever is about to be touched is copied into `.lithify/history/repair/<n>/` first.

Journals that grew apart in two copies of a root are joined into one. A merge of git leaves the
lines of both branches in one file, with or without conflict markers. The branches are put one after
the other, the older first. A record that thereby gets a new place is bound anew and names its old
number and hash under `formerly`, because pages name records by them. A `merge` record at the end
names the heads of all branches.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from lithify.errors import OutsideRoot
from lithify.regex import regex
from lithify.settings import USUAL_FOLDERS, Folders
from lithify.store import commit, disk, journal, places
from lithify.store.check import DIGESTS, Problem, check, has_conflict, nothing_else
from lithify.store.journal import Chain, Journal, Record
from lithify.store.lock import locked
from lithify.store.places import JOURNAL, Root
from lithify.store.recover import recover

_GIT_MARKER = regex(rb"(?:<{7}|>{7}|\|{7}) .*|={7}\r?")
#: What a record that is restated does not say a second time.
_ONCE = {"decisions", "proposals", "settled"}

#: The digest of the file at a path of the root; None where there is none.
DigestOf = Callable[[str], str | None]


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
    folders: Folders = USUAL_FOLDERS,
    extra: Callable[[Journal], Iterable[Problem]] = nothing_else,
) -> Repair:
    """Put right what can be, and say what was done and what is left."""
    done: list[str] = []
    with places.named(root), locked(places.lock(root)):
        problems = check(root, folders=folders)
        kinds = {problem.kind for problem in problems}
        copies = _Copies(root)
        if "staged" in kinds:
            for path in [p.path for p in problems if p.kind == "staged"] + _waiting_targets(root):
                copies.keep(path)
            recover(root)
            done.append("finished or removed what a run had left in staged/")
        faults = journal.read(root).faults
        if faults:
            kept = copies.keep(JOURNAL)
            said = _mend_journal(root, kept, [fault.line for fault in faults], time)
            done.append(f"{said}; {kept} is the old one")
        for problem in problems:
            if problem.kind == "address":
                kept = copies.keep(problem.path)
                disk.remove(os.path.join(root, *problem.path.split("/")))
                done.append(f"took {problem.path} out of use; {kept} is a copy")
        if "cache" in kinds:
            copies.keep(DIGESTS)
            disk.remove(places.writable(root, DIGESTS))
            done.append("removed the digest cache; the next scan makes it anew")
        if "torn" in kinds and not faults:
            kept = copies.keep(JOURNAL)
            commit.note(root, "repaired", {"copy": kept}, time)
            done.append("closed the journal's cut last line")
        done.extend(_restore(root, time))
    left = check(root, folders=folders, extra=extra)
    return Repair(tuple(done), copies.folder if copies.any else "", left)


def _waiting_targets(root: Root) -> list[str]:
    """Return the paths that the newest commit or append writes, before recovery touches them."""
    for record in journal.newest(root):
        if record is None:
            return []
        if place := record.data.get("append"):
            return [place["path"]]
        if files := record.data.get("files"):
            return list(files)
    return []


def _restore(root: Root, time: str) -> Iterator[str]:
    """Bring back committed files that are gone, where their bytes are still in history."""
    for path, digest in sorted(journal.read(root).in_force().items()):
        with contextlib.suppress(OutsideRoot):
            if digest is None or disk.bytes_in(root, path) is not None:
                continue
            data = disk.bytes_at(places.history(root, *path.split("/"), digest))
            if data is not None and disk.sha(data) == digest:
                commit.commit(root, {path: data}, "restored", {}, time)
                yield f"brought {path} back from history"


class _Copies:
    """The folder of one repair's copies, made when the first copy is."""

    def __init__(self, root: Root) -> None:
        numbers = [int(n) for n in disk.names(places.history(root, "repair")) if n.isdigit()]
        self._root = root
        self.folder = f"{places.STATE}/history/repair/{max(numbers, default=0) + 1}"
        self.any = False

    def keep(self, path: str) -> str:
        """Copy a file before it is touched; return where the copy is."""
        copy = f"{self.folder}/{path}"
        data, target = disk.bytes_in(self._root, path), places.writable(self._root, copy)
        if data is not None and not os.path.exists(target):
            disk.put(self._root, target, data)
            self.any = True
        return copy


# Writing a journal anew


def _mend_journal(root: Root, copy: str, lines: list[int], time: str) -> str:
    """Write a journal anew that has several branches or damaged lines; say what was done."""
    raw = disk.read(places.journal(root))
    facts = {"copy": copy, "sha256": disk.sha(raw)}

    def digest_of(path: str) -> str | None:
        with contextlib.suppress(OutsideRoot):
            return disk.digest_in(root, path)
        return None

    done, new = "joined the branches of the journal", _joined(raw, time, facts, digest_of)
    if new is None:
        done = "wrote the journal anew from all records that can be read"
        new = _rechained(raw, time, {**facts, "fault_lines": lines})
    commit.rewrite(root, {JOURNAL: new})
    return done


class _Kept(NamedTuple):
    """A record on its way into the new journal; `order` is its number in the old one."""

    order: int
    time: str
    kind: str
    facts: Mapping[str, Any]


def _rechained(raw: bytes, time: str, facts: Mapping[str, Any]) -> bytes:
    """Chain what can be read of a damaged journal, ended by a `repaired` record with these facts.

    Sound records keep their words. A changed one that is still JSON is kept and marked
    `doubtful` with its old line number; a line that is no JSON becomes a `damaged` record
    that holds its text, so that an id in it can still be found. Pieces cut by a crash were
    never records and go.
    """
    kept: dict[str | int, _Kept] = {}
    order, when = 0, ""
    for number, line, record in _lines(raw):
        if record is None:
            kept[number] = _doubtful(line, number, order, when)
        elif record.hash not in kept:
            order, when = record.seq, record.time
            kept[record.hash] = _Kept(order, when, record.kind, record.data)
    # Lines that were moved go back to their place; what has no number stays with its neighbour.
    records = sorted(kept.values(), key=lambda one: one.order)
    doubtful = [one.facts["doubtful"] for one in records if "doubtful" in one.facts]
    chain = Chain()
    for one in records:
        chain.add(one.time, one.kind, one.facts)
    chain.add(time, "repaired", {**facts, "doubtful_lines": doubtful, "records": len(kept)})
    return bytes(chain)


def _lines(raw: bytes) -> Iterator[tuple[int, bytes, Record | None]]:
    """Number the lines of a journal; pieces cut by a crash never were records and are left out."""
    lines = raw.split(b"\n")
    for number, line in enumerate(lines, start=1):
        record = journal.parse(line)
        is_last = number == len(lines)
        is_cut = line.endswith(journal.MARK) or (is_last and journal.looks_cut(line))
        if record or (line and not is_cut):
            yield number, line, record


def _doubtful(line: bytes, number: int, order: int, time: str) -> _Kept:
    """Keep what a damaged line says, as a record if it is still one and else as its text."""
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
    shape = {"path": str, "offset": int, "length": int, "sha256": str}
    return place is None or (
        isinstance(place, dict)
        and place.keys() == shape.keys()
        and all(isinstance(place[key], kind) for key, kind in shape.items())
    )


# Joining branches


class _Branches(NamedTuple):
    """Every record in its new order, and each branch as its records from the first to its head."""

    order: tuple[Record, ...]
    chains: tuple[tuple[Record, ...], ...]


def _joined(raw: bytes, time: str, facts: Mapping[str, Any], digest_of: DigestOf) -> bytes | None:
    """Join the branches of a journal; None if it has only one or is damaged.

    Of a file that several branches wrote, the version on disk counts: its record is restated where
    another branch comes last. Items of wisdom that were decided on in another branch than the one
    whose `WISDOM.md` is on disk are decided on again.
    """
    records: dict[str, Record] = {}
    for _, line, record in _lines(raw):
        if record:
            records[record.hash] = record
        elif not _GIT_MARKER.fullmatch(line):
            return None
    branches = _branches(records)
    if branches is None or (len(branches.chains) < 2 and not has_conflict(raw)):
        return None
    chain = Chain()
    for record in branches.order:
        data = record.data
        if (record.seq, record.prev) != (chain.seq + 1, chain.hash) or "torn" in data:
            data = {**data, "formerly": [*data.get("formerly", ()), _name(record)]}
        chain.add(record.time, record.kind, data)
    for record, files in _to_restate(branches, digest_of):
        data = {key: value for key, value in record.data.items() if key not in _ONCE}
        chain.add(time, record.kind, {**data, "files": files, "restates": _name(record)})
    heads = [_name(branch[-1]) for branch in branches.chains]
    unjudged = _to_judge_again(branches, digest_of)
    chain.add(time, "merge", {**facts, "heads": heads, "unjudged": unjudged})
    return bytes(chain)


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
