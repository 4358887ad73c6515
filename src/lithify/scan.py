"""Secrets in an existing root: found, and with a person's word taken out of every file of it.

`findings_in` reads and changes nothing. `mend` replaces each secret by its mark in the days, in
what was written from them and in the program's own files, and remaps what cites them: the ids of
entries, the digests of sources, the hashes of the gate's logs. All of it is one commit
(`store.commit.rewrite`); the files as they were go to `.lithify/before-scan/`, for their owner only.
"""

from __future__ import annotations

import glob
import json
import os
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from lithify.calendar import spoken_on
from lithify.compact.snapshot import Snapshot
from lithify.errors import LithifyError, UsageError
from lithify.gate import files as gate
from lithify.markdown.pages import body_digest
from lithify.markdown.parse import read_entries
from lithify.settings import Redact
from lithify.store import commit, disk, journal, places, staging
from lithify.store.check import Problem
from lithify.store.key import COPIES
from lithify.store.last_scan import remember
from lithify.store.names import Role
from lithify.store.places import Root
from lithify.text.redact import Finding, findings, mark_of

#: What is read of memory, in the order in which one rests on the other.
_ROLES: tuple[Role, ...] = ("day", "week", "month", "typed", "wisdom", "index", "note", "soul")
_ID = re.compile(r"[\w.-]+~[0-9a-f]{12}")
_DIGEST = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


class Found(NamedTuple):
    """A secret in a file: where it stands, its kind, and what may be shown of it."""

    path: str
    line: int
    kind: str
    masked: str


class Mended(NamedTuple):
    """What was changed, how many secrets were replaced, and where the old files are."""

    files: tuple[str, ...]
    secrets: int
    ids: int
    copies: str


def findings_in(snapshot: Snapshot) -> tuple[Found, ...]:
    """Every secret in the days and pages of a root, and in the files of the program."""
    allow = snapshot.settings.redact.allow
    found: list[Found] = []
    for path in (*_memory_paths(snapshot), *_state_paths(snapshot.root)):
        text = _text(snapshot.root, path)
        if path.endswith((".json", ".jsonl")):
            found += _in_json(path, text, allow)
        else:
            found += [
                Found(path, text.count("\n", 0, one.start) + 1, one.rule, _masked(text, one))
                for one in findings(text, allow)
            ]
    return tuple(found)


def problems(snapshot: Snapshot, time: str) -> Iterator[Problem]:
    """A note for every day and page that holds secrets; what was found is kept for `status`."""
    allow = snapshot.settings.redact.allow
    held: dict[str, list[str]] = {}
    for path in _memory_paths(snapshot):
        found = findings(_text(snapshot.root, path), allow)
        if kinds := sorted({one.rule for one in found}):
            held[path] = kinds
            number = "1 secret" if len(found) == 1 else f"{len(found)} secrets"
            message = f"holds {number} ({', '.join(kinds)}); lithify scan lists them"
            yield Problem("secret", path, 0, message, "note")
    remember(snapshot.root, held, time)


def mend(snapshot: Snapshot, time: str) -> Mended:
    """Take every secret out of a root; nothing is written where there is none."""
    if snapshot.damage:
        raise UsageError(reason="the journal is damaged; run lithify check --repair first")
    with gate.writing(snapshot.root):
        change = _Change(snapshot)
        change.days_and_pages()
        change.history()
        change.gate_logs()
        change.state()
        book = change.journal()
        if not change.files and book is None:
            return Mended((), 0, 0, "")
        copies = f"{places.STATE}/{COPIES}/{re.sub('[^0-9TZ]', '', time)}"
        facts = {"ids": change.ids, "digests": change.digests, "bodies": change.bodies}
        ours = {path for path in change.files if snapshot.is_ours(path)}
        commit.rewrite(snapshot.root, change.files, facts, time, ours, copies=copies, book=book)
        for path in glob.glob(places.state(snapshot.root, "index.sqlite") + "*"):
            disk.remove(path)
    return Mended(tuple(sorted(change.files)), change.replaced, len(change.ids), copies)


class _Change:
    """The new bytes of a root, put together file by file."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot, self._root = snapshot, snapshot.root
        self._policy: Redact = snapshot.settings.redact
        self.files: dict[str, bytes | None] = {}
        self.ids: dict[str, str] = {}
        self.digests: dict[str, str] = {}
        self.bodies: dict[str, str] = {}
        self.hashes: dict[str, str] = {}
        self.replaced = 0

    @cached_property
    def _key(self) -> bytes:
        return self._policy.key() if self._policy.key else b""

    def days_and_pages(self) -> None:
        for role in _ROLES:
            for file in self._snapshot.tree.of(role):
                old = self._snapshot.read(file.path)
                text = _decoded(old)
                new, lines = self._redacted(text if role == "day" else self._remapped(text))
                data = _encoded(new)
                if data == old:
                    continue
                self.files[file.path] = data
                self.digests[staging.sha(old)] = staging.sha(data)
                if role != "day":
                    self.digests[body_digest(old)] = self.bodies[file.path] = body_digest(data)
                self._map_ids(file.path, file.label, old, data, lines)

    def _map_ids(self, path: str, label: str, old: bytes, new: bytes, lines: list[int]) -> None:
        """Note the new id of every entry whose text, or whose heading, was changed."""
        day = spoken_on(label)
        after = list(read_entries(new, path=path, label=label, day=day))
        starts = [entry.line for entry in after]
        for entry in read_entries(old, path=path, label=label, day=day):
            at = bisect_right(starts, lines[entry.line]) - 1
            if at >= 0 and after[at].id != entry.id:
                self.ids[entry.id] = after[at].id

    def history(self) -> None:
        """Replaced versions and refused drafts, whose names are the digests of their bytes."""
        for path in _below(self._root, "history", "quarantine"):
            old = disk.read(places.resolve(self._root, path))
            text = self._remapped(_decoded(old))
            new, _ = self._redacted(text) if not path.endswith(".json") else (self._json(text), [])
            data, digest = _encoded(new), staging.sha(old)
            if data == old:
                continue
            if digest not in path:
                self.files[path] = data
                continue
            self.digests[digest] = staging.sha(data)
            self.files[path] = None
            self.files[path.replace(digest, staging.sha(data))] = data

    def gate_logs(self) -> None:
        """The gate's logs, each line bound to the one before; the record comes before the chain."""
        for name in ("interactions", "chain"):
            for path in sorted(
                glob.glob(os.path.join(gate.folder(self._root), "*", f"{name}.jsonl"))
            ):
                raw = disk.read(path)
                if (new := self._rechained(raw)) is not None:
                    self.files[places.relative(self._root, path)] = new

    def state(self) -> None:
        """Saved replies and batches, and what the gate remembers of sessions."""
        for path in _below(self._root, "replies", "batches", "gate"):
            if path.endswith(".json"):
                old = disk.read(places.resolve(self._root, path))
                new = _encoded(self._json(_swapped(_decoded(old), self.hashes)))
                if new != old:
                    self.files[path] = new

    def journal(self) -> bytes | None:
        """The journal without secrets; None where it holds none and is only added to."""
        path = places.journal(self._root)
        return self._rechained(disk.read(path)) if os.path.exists(path) else None

    def _rechained(self, raw: bytes) -> bytes | None:
        """A log with its texts redacted and every line bound anew; None where nothing changes."""
        book = journal.verify(raw)
        facts = [self._value(dict(record.data)) for record in book.records]
        if book.faults or facts == [record.data for record in book.records]:
            return None
        out, prev = [], journal.FIRST
        for record, data in zip(book.records, facts, strict=True):
            data.pop("torn", None)
            line = journal.render(record.seq, record.time, record.kind, data, prev)
            made = journal.parse(line)
            assert made is not None
            self.hashes[record.hash] = prev = made.hash
            out.append(line + b"\n")
        return b"".join(out)

    def _redacted(self, text: str) -> tuple[str, list[int]]:
        """A text without secrets, and for each line of it before where it is after."""
        lines = list(range(text.count("\n") + 2))
        while found := findings(text, self._policy.allow):
            pieces: list[str] = []
            removed: list[tuple[int, int]] = []
            done = 0
            for one in found:
                pieces += text[done : one.start], mark_of(one, text, self._key)
                if gone := text.count("\n", one.start, one.end):
                    removed.append((text.count("\n", 0, one.start) + 1, gone))
                done = one.end
            for at, gone in reversed(removed):
                lines = [line if line <= at else max(at, line - gone) for line in lines]
            text = "".join(pieces) + text[done:]
            self.replaced += len(found)
        return text, lines

    def _remapped(self, text: str) -> str:
        text = _ID.sub(lambda match: self.ids.get(match[0], match[0]), text) if self.ids else text
        return _swapped(text, self.digests)

    def _json(self, text: str) -> str:
        """A JSON document with every text in it redacted; anything else as plain text."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            return self._redacted(text)[0]
        new = self._value(data)
        indent = 1 if text.startswith("{\n") else None
        return text if new == data else json.dumps(new, ensure_ascii=False, indent=indent)

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            new, _ = self._redacted(value)
            return self.hashes.get(new, new)
        if isinstance(value, dict):
            return {key: self._value(inner) for key, inner in value.items()}
        return [self._value(inner) for inner in value] if isinstance(value, list) else value


def _memory_paths(snapshot: Snapshot) -> list[str]:
    return [file.path for role in _ROLES for file in snapshot.tree.of(role)]


def _state_paths(root: Root) -> Iterator[str]:
    """The files of the program that hold text, except the copies of an earlier scan."""
    yield from _below(root, "history", "quarantine", "replies", "batches", "gate")
    if os.path.exists(places.journal(root)):
        yield f"{places.STATE}/journal.jsonl"


def _below(root: Root, *names: str) -> Iterator[str]:
    for name in names:
        for folder, _, found in sorted(os.walk(places.state(root, name))):
            for file in sorted(found):
                yield places.relative(root, os.path.join(folder, file))


def _in_json(path: str, text: str, allow: tuple[str, ...]) -> Iterator[Found]:
    """The secrets in the strings of a JSON document, or of each line of a log."""
    parts = text.splitlines() if path.endswith(".jsonl") else [text]
    for number, part in enumerate(parts, start=1):
        try:
            held = list(_strings(json.loads(part)))
        except (ValueError, RecursionError):
            held = [part]
        for one in held:
            yield from (Found(path, number, f.rule, _masked(one, f)) for f in findings(one, allow))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


def _masked(text: str, one: Finding) -> str:
    value = text[one.start : one.end]
    shown = value[:4] if len(value) >= 20 and value[:4].isprintable() else ""
    return f"{shown}… ({len(value)} characters)"


def _swapped(text: str, digests: Mapping[str, str]) -> str:
    return _DIGEST.sub(lambda match: digests.get(match[0], match[0]), text) if digests else text


def _text(root: Root, path: str) -> str:
    try:
        return _decoded(disk.read(places.resolve(root, path)))
    except LithifyError:
        return ""


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
