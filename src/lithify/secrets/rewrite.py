"""Rewrite a whole root: `forget` and `scan --fix` take words out of days and all that rests on them.

`rewrite_root` computes the new bytes of every file first, then has the store put them in place
together (`commit.rewrite`), as a repair does with a journal that it writes anew.
A changed entry has a new id, which replaces the old one wherever it is cited. What rests on an
entry that is taken out whole goes with it: bullets, wisdom, memories, and their words in the
journal, the gate's logs, replies, quarantine and history. Logs are chained anew from the first
line that changed, and digests of bytes that are gone are exchanged or blanked, because a digest
would confirm a guess. The index and the caches of entries and digests are removed; whoever needs them next makes them anew.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from itertools import accumulate
from typing import Any, NamedTuple

from lithify.calendar import spoken_on
from lithify.errors import StorageError, UsageError
from lithify.markdown.pages import body_digest, memory_type_of, read_typed, split_provenance
from lithify.markdown.parse import parse
from lithify.regex import regex
from lithify.secrets.state import COPIES, keep_private
from lithify.settings import USUAL_FOLDERS, Folders
from lithify.store import disk, journal, places
from lithify.store.commit import rewrite
from lithify.store.lock import locked
from lithify.store.names import Role
from lithify.store.places import JOURNAL, Root
from lithify.store.recover import recover
from lithify.store.tree import Tree, scan
from lithify.text.copies import FEWEST, is_copy, sketch
from lithify.text.occurrences import (
    FORGOTTEN,
    Find,
    Span,
    merged,
    replaced,
    text_finder,
    together,
)

_UTF8 = ("utf-8", "surrogateescape")

#: The kind that a journal line gets whose matter is gone; the files it wrote are still told.
FORGOTTEN_KIND = "forgotten"

_HISTORY = f"{places.STATE}/history/"
_PAGES: tuple[Role, ...] = ("week", "month", "typed", "wisdom", "index", "note")
_COPIES = f"{places.STATE}/{COPIES}/"
_DATABASES = tuple(f"{places.STATE}/{name}.sqlite" for name in ("entries", "index"))
_DERIVED = (
    *(
        f"{name}{end}"
        for name in _DATABASES
        for end in ("", "-journal", "-wal", "-shm", ".new", ".new-journal")
    ),
    f"{places.STATE}/digests.json",
)
#: In the place of a digest that no longer stands for anything.
BLANK = "0" * 64
#: What a value becomes that rested on an entry that is gone.
GONE: Any = object()

DIGEST = regex(r"\b[0-9a-f]{64}\b")
_ID = regex(r"[^\s~\"'\[\](){},<>]+~[0-9a-f]{12}")
_SOURCE = regex(r"\"?([^\s{,\"]+)\"?: ([0-9a-f]{64})\b")
_JOURNAL_HEAD = regex(r"(?m)^(journal: )(\d+)~([0-9a-f]+)$")


class Erasure(NamedTuple):
    """What is to be taken out of a root.

    `find` names the parts of any text that are to be replaced, `gone` the entries that are taken
    out whole. With `rebuild`, pages that rest on a changed day are to be written again; without it
    they count as current, because what they say of it is unchanged.
    """

    find: Find
    gone: frozenset[str] = frozenset()
    rebuild: bool = True


class Receipt(NamedTuple):
    """What was done: each file with `changed` or `removed`, and each old id with its new one.

    The new id is empty for an entry that was taken out. `stale` are pages to be written again.
    """

    files: Mapping[str, str]
    ids: Mapping[str, str]
    stale: tuple[str, ...] = ()


def rewrite_root(
    root: Root,
    erasure: Erasure,
    kind: str,
    facts: Mapping[str, Any],
    time: str,
    *,
    folders: Folders = USUAL_FOLDERS,
    copies: str = "",
    dry_run: bool = False,
) -> Receipt:
    """Carries out a change in every file of a root, and leaves a journal line with these facts.

    The line also lists the files; it holds none of the words. Nothing is written where nothing
    is found. The files as they were are kept in the folder `copies`, if one is given, for their
    owner only; earlier copies are left as they are. A `dry_run` only tells what would be done.
    """
    with _everything_locked(root):
        recover(root)
        tree = scan(root, folders=folders, type_of=memory_type_of)
        tree.require_all_read()
        work = _RootRewrite(root, erasure, tree, keeps_copies=bool(copies))
        files = work.files(kind, facts, time)
        if copies and not dry_run:
            keep_private(root, (path for path in files if path not in _DERIVED), copies)
        if files and not dry_run:
            rewrite(root, files)
    shown = {path: "removed" if new is None else "changed" for path, new in files.items()}
    return Receipt(shown, work.known.ids if files else {}, tuple(sorted(work.stale & files.keys())))


@contextlib.contextmanager
def _everything_locked(root: Root) -> Iterator[None]:
    # Whoever feeds a day, records or indexes takes the lock of the root last; so do we.
    gate = ("gate/feed.lock", "gate/gate.lock") if os.path.isdir(places.state(root, "gate")) else ()
    with places.named(root), contextlib.ExitStack() as held:
        for name in (*gate, "index.lock"):
            held.enter_context(locked(places.state(root, name)))
        held.enter_context(locked(places.lock(root)))
        yield


class _RootRewrite:
    """One change, file by file: days, then logs and pages in the order they were written."""

    def __init__(self, root: Root, erasure: Erasure, tree: Tree, *, keeps_copies: bool) -> None:
        self.root, self.erasure, self.tree = root, erasure, tree
        self._left_alone = (COPIES,) if keeps_copies else ()
        self.known = _Replacements(erasure.find, erasure.gone)
        self.new: dict[str, bytes | None] = {}
        #: Pages in force that are to be written again.
        self.stale: set[str] = set()
        self._stale_versions: set[tuple[str, str]] = set()
        self._versions: dict[tuple[str, str], bytes | None] = {}

    def files(self, kind: str, facts: Mapping[str, Any], time: str) -> dict[str, bytes | None]:
        """The new bytes of every file that changes; empty where nothing is found."""
        log = journal.read(self.root)
        if fault := journal.damage(self.root, log):
            raise UsageError(
                reason=f"the journal is damaged ({fault.reason}); run `lithify check --repair` first"
            )
        self._days()
        self._learn(log)
        ours = set(log.in_force().values())
        # What nobody journaled is its own source: its ids are cited by what comes after.
        self._pages(foreign=True, ours=ours)
        for path in self._state_files("gate"):
            if path.endswith(".jsonl"):
                self._gate_log(path, time)
        hit, chain = self._rechained(log.records, JOURNAL)
        self._pages(foreign=False, ours=ours)
        for path in self._state_files():
            self._state_file(path)
        self._rename()
        if not (self.new or hit or self._found_in_pieces(JOURNAL)):
            return {}
        chain.add(time, kind, {**facts, "rewrote": self._listed_files()})
        self.new[JOURNAL] = bytes(chain)
        gone = [name for name in _DERIVED if os.path.exists(places.resolve(self.root, name))]
        self.new |= dict.fromkeys(gone)
        return self.new

    def _listed_files(self) -> list[str]:
        """The files as the journal line lists them: the program's own by their folders."""
        own = f"{places.STATE}/"
        inside = {"/".join(path.split("/")[:2]) for path in self.new if path.startswith(own)}
        pages = {path for path in self.new if not path.startswith(own)} - self.known.dropped
        return sorted({self.known.text(path) for path in pages} | inside)

    # Days and pages

    def _days(self) -> None:
        for file in self.tree.of("day"):
            data = self._read(file.path)
            find, gone = self.erasure.find, self.erasure.gone
            day = edited(data, file.label, spoken_on(file.label), find, gone)
            if day.data != data:
                self.new[file.path] = day.data
                self.known.take_day(file.path, day, data)

    def _learn(self, log: journal.Journal) -> None:
        """Learn the words of all that rests on what is gone, to find them where no id is cited."""
        said: set[str] = set()
        pages = [(file.path, file.path) for file in self.tree.of(*_PAGES)]
        kept = [(_page_of_version(path), path) for path in self._state_files("history")]
        for path, place in (*pages, *(version for version in kept if version[0])):
            data = self._read(place)
            document = parse(data)
            for entry in document.entries:
                text, ids = split_provenance(entry.text)
                if self.known.rests_on_gone(ids):
                    said.add(text)
            sources = document.front.values.get("sources")
            if isinstance(sources, list) and self.known.rests_on_gone(sources):
                self.known.dropped.add(path)
                if memory := read_typed(data, path):
                    said |= {memory.name, memory.description, memory.statement}
                    said |= {memory.why, memory.how, *memory.superseded}
        for record in log.records:
            said.update(self.known.resting(record.data))
        self.known.also_find(said)

    def _pages(self, *, foreign: bool, ours: set[str | None]) -> None:
        for file in self.tree.of(*_PAGES):
            if (file.sha256 not in ours) is foreign:
                old = self._read(file.path)
                new = self._version(file.path, old)
                if new != old:
                    self.new[file.path] = new
                if (file.path, file.sha256) in self._stale_versions:
                    self.stale.add(file.path)

    def _version(self, path: str, old: bytes) -> bytes | None:
        """The new bytes of one version of a page; None if it goes."""
        key = (path, disk.sha(old))
        if key not in self._versions:
            new = None if path in self.known.dropped else self._rewritten(path, old)
            self._versions[key] = new
            if new is not None:
                self.known.digests[key[1]] = disk.sha(new)
                self.known.digests.setdefault(body_digest(old), body_digest(new))
        return self._versions[key]

    def _rewritten(self, path: str, old: bytes) -> bytes:
        label, ids = self.tree.layout.name(path).label, self.known.ids
        page = edited(old, label, spoken_on(label), self.known.find, self.erasure.gone, ids)
        ids.update(page.ids)
        front, body = _split_front(self.known.cited(_text(page.data)))
        engine = parse(old).front.text("engine")
        below = (*self.known.days, *self.known.stale)
        rests = engine == "offline" and any(source in front for source in below)
        stale = self.erasure.rebuild and (page.data != old or rests)
        if stale and engine:
            self._stale_versions.add((path, disk.sha(old)))
            self.known.stale.add(path)
        return (self.known.front(front, stale) + body).encode(*_UTF8)

    # Logs

    def _gate_log(self, path: str, time: str) -> None:
        """A log of the gate; a chain gets a tombstone at its end that says what happened."""
        log = journal.verify(self._read(path))
        hit, chain = self._rechained(log.records, path)
        if not hit and not self._found_in_pieces(path):
            return
        if log.faults:
            raise UsageError(reason=f"{path} is damaged ({log.faults[0].reason}); fix it first")
        if path.endswith("/chain.jsonl"):
            chain.add(time, journal.TOMBSTONE, {"lines": hit})
        self.new[path] = bytes(chain)

    def _rechained(
        self, records: Iterable[journal.Record], path: str
    ) -> tuple[list[int], journal.Chain]:
        """Chain the records of a log anew; return the numbers of those that change as well."""
        hit, chain = [], journal.Chain()
        for record in records:
            kind, facts = self._facts(record.kind, record.data, path == JOURNAL)
            if facts != record.data:
                hit.append(record.seq)
            chain.add(record.time, kind, facts)
            self.known.digests[record.hash] = chain.hash
            if path == JOURNAL:
                self.known.heads[record.seq] = (record.hash, chain.hash)
        return hit, chain

    def _facts(
        self, kind: str, data: Mapping[str, Any], is_journal: bool
    ) -> tuple[str, dict[str, Any]]:
        files: Mapping[str, str | None] = data.get("files", {}) if is_journal else {}
        for path, digest in files.items():
            for kept in (path, f"{_HISTORY}{path}/{digest}"):
                there = disk.bytes_in(self.root, kept)
                if there is not None and disk.sha(there) == digest:
                    self._version(path, there)
                    break
        stale = any(version in self._stale_versions for version in files.items())
        facts = {key: self.known.value(value, key, stale) for key, value in data.items()}
        if any(value is GONE for value in facts.values()):
            kind = FORGOTTEN_KIND
            facts = {key: value for key, value in facts.items() if value is not GONE}
        place = facts.get("append")
        if is_journal and place and place["path"] in self.known.days:
            facts["append"] = self.known.place(place, self._read(place["path"]))
        return kind, facts

    # The other files of the program

    def _state_file(self, path: str) -> None:
        if path in self.new or path == JOURNAL:
            return
        old = self._read(path)
        if page := _page_of_version(path):
            new = self._version(page, old)
            if new != old:
                self.new[path] = None
                if new is not None:
                    self.new[f"{_HISTORY}{page}/{disk.sha(new)}"] = new
        elif path.endswith(".json"):
            with contextlib.suppress(ValueError, RecursionError):
                data = json.loads(old)
                clean = self.known.value(data)
                if clean != data:
                    told = json.dumps(clean, ensure_ascii=False)
                    self._replace(path, told.encode("utf-8", "replace"))
                    if self.erasure.rebuild and "/replies/" in path:
                        self.new[path] = None  # the prompt that it answered is another one now
        elif path.startswith((_HISTORY, _COPIES)) and self._found_in(old):
            self.new[path] = None
            if not self.erasure.rebuild:
                self._replace(path, self.known.text(_text(old)).encode(*_UTF8))

    def _replace(self, path: str, new: bytes) -> None:
        """Give a file new bytes; one whose name is the digest of its bytes is renamed."""
        named = "/quarantine/" in path or "/unclaimed/" in path
        self.new[path] = None
        self.new[DIGEST.sub(disk.sha(new), path) if named else path] = new

    def _rename(self) -> None:
        """Take the words out of the names of files; a job of the gate keeps its name."""
        gate = f"{places.STATE}/gate/"
        for path in {*(file.path for file in self.tree.of("day", *_PAGES)), *self._state_files()}:
            new = replaced(path, self.known.find(path))
            if new != path and not path.startswith(gate):
                data = self.new[path] if path in self.new else self._read(path)
                self.new |= {path: None, new: data} if data is not None else {path: None}

    def _found_in_pieces(self, path: str) -> bool:
        """Whether something is found in what a crash cut off in a log."""
        lines = (disk.bytes_in(self.root, path) or b"").split(b"\n")
        return any(self._found_in(line) for line in lines if journal.parse(line) is None)

    def _found_in(self, data: bytes) -> bool:
        text = _text(data)
        return any(self.known.find(text)) or any(id in text for id in self.known.ids)

    def _state_files(self, below: str = "") -> list[str]:
        """The program's own files, root-relative, in order; locks and databases are left out."""
        found = []
        top = places.state(self.root, *filter(None, [below]))
        for folder, inner, names in os.walk(top, onerror=_cannot_list):
            inner[:] = [name for name in inner if name not in self._left_alone]
            for name in names:
                path = places.relative(self.root, os.path.join(folder, name))
                link = os.path.islink(os.path.join(folder, name))
                if not (name.endswith("lock") or path in _DERIVED or link):
                    found.append(path)
        # What was said comes before the chain that covers it: its hashes are cited there.
        return sorted(found, key=lambda path: (path.endswith("/chain.jsonl"), path))

    def _read(self, path: str) -> bytes:
        return disk.read(places.resolve(self.root, path))


def _page_of_version(path: str) -> str:
    """The page that a file in history is a version of; empty for other files."""
    page, _, digest = path.removeprefix(_HISTORY).rpartition("/")
    kept = path.startswith(_HISTORY) and page.partition("/")[0] not in ("repair", "unclaimed", "")
    return page if kept and DIGEST.fullmatch(digest) else ""


def _cannot_list(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        path, reason = disk.printable(str(error.filename)), error.strerror or str(error)
        raise StorageError(action="read", path=path, reason=reason) from error


def _text(data: bytes) -> str:
    return data.decode(*_UTF8)


def _split_front(text: str) -> tuple[str, str]:
    """Front matter and the rest; a page without has none."""
    found = re.match(r"---\n.*?\n(?:---|\.\.\.)(?:\n|$)", text, re.DOTALL)
    return (text[: found.end()], text[found.end() :]) if found else ("", text)


# Texts, ids and digests


class _Replacements:
    """The state of one change."""

    def __init__(self, find: Find, gone: Iterable[str]) -> None:
        #: Old ids with their new ones; empty for entries that are gone.
        self.ids: dict[str, str] = dict.fromkeys(gone, "")
        self.find = find
        self.days: dict[str, Edited] = {}
        #: Pages of which a version is to be written again; what rests on them is too.
        self.stale: set[str] = set()
        self.digests: dict[str, str] = {}
        #: The hash of each record of the journal, before and after.
        self.heads: dict[int, tuple[str, str]] = {}
        #: Memories of which a version rests on what is gone: they are made anew or not at all.
        self.dropped: set[str] = set()
        self._texts: dict[str, str] = {}
        self._erased: list[frozenset[int]] = []

    def take_day(self, path: str, day: Edited, old: bytes) -> None:
        """Learn what became of a day."""
        self.days[path] = day
        self.ids.update(day.ids)
        self._texts.update(day.texts)
        self._erased += [frozenset(sketch(text)) for text in day.erased if len(text.split()) > 3]
        self.digests[disk.sha(old)] = disk.sha(day.data)

    def also_find(self, texts: Iterable[str]) -> None:
        """Find these texts too; too short ones would be found everywhere."""
        if long := [text for text in texts if len(text.split()) >= FEWEST]:
            self.find = together(self.find, text_finder(long))

    def rests_on_gone(self, ids: Iterable[Any]) -> bool:
        """Whether one of these ids is of an entry that is gone."""
        return any(self.ids.get(id) == "" for id in map(str, ids))

    def resting(self, value: Any) -> Iterator[str]:
        """The texts of memories and wisdom in a journal line that rest on what is gone."""
        if isinstance(value, dict):
            sources = value.get("sources")
            if isinstance(sources, list) and self.rests_on_gone(sources):
                yield from (inner for inner in value.values() if isinstance(inner, str))
            else:
                for inner in value.values():
                    yield from self.resting(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from self.resting(inner)

    def value(self, value: Any, key: str = "", stale: bool = False, *, stays: bool = False) -> Any:
        """A JSON value with everything exchanged; `GONE` if it rested on what is gone.

        `stale`: digests of changed days are blanked, so that what names them is made again. What
        rests on entries that stay alone (`stays`) is no near copy of one that goes: of two rules that
        differ in a day, the other is still in its day.
        """
        if isinstance(value, str):
            if value in self.ids:
                return self.ids[value] or GONE
            if DIGEST.fullmatch(value):
                return self.digests.get(value, value)
            return self.text(value, near=not stays)
        if isinstance(value, list):
            made = (self.value(one, key, stale, stays=stays) for one in value)
            return [new for new in made if new is not GONE]
        if not isinstance(value, dict):
            return value
        sources = value.get("sources")
        if isinstance(sources, list) and self.rests_on_gone(sources):
            return GONE
        if key == "sketches":
            return self._sketches(value)
        return self._pairs(value, key, stale, stays or (isinstance(sources, list) and any(sources)))

    def _pairs(self, value: Mapping[str, Any], key: str, stale: bool, stays: bool) -> Any:
        pairs = {}
        for name, inner in value.items():
            if name in self.dropped:
                continue
            new = self.value(inner, name, stale, stays=stays)
            if new is GONE and name == "entry" and "id" in value:
                return GONE  # a proposal
            changed = name in self.days or (stale and name in self.stale)
            if key == "sources" and changed and (stale or new == inner):
                new = BLANK
            name = self.ids.get(name, name)
            if name and new is not GONE:
                pairs[self.text(name)] = new
        return pairs

    def _sketches(self, known: Mapping[str, Any]) -> dict[str, Any]:
        new = {}
        for id, numbers in known.items():
            if now := self.ids.get(id, id):
                new[now] = sketch(self._texts[now]) if now in self._texts else numbers
        return new

    def text(self, text: str, *, near: bool = True) -> str:
        """A text without the words, ids and, unless `near` is false, near copies of what is gone."""
        text = _ID.sub(lambda match: self.ids.get(match[0], match[0]) or FORGOTTEN, text)
        text = replaced(text, self.find(text))
        if not (near and self._erased) or text.count(" ") < FEWEST - 1:
            return text
        return "\n".join(FORGOTTEN if self._is_near(line) else line for line in text.split("\n"))

    def _is_near(self, line: str) -> bool:
        """Whether a line is a near copy of an erased entry."""
        own = frozenset(sketch(line)) if line.count(" ") >= FEWEST - 1 else frozenset()
        return bool(own) and any(is_copy(own, e) or is_copy(e, own) for e in self._erased)

    def cited(self, text: str) -> str:
        """A page's text with the ids of changed entries exchanged."""
        return _ID.sub(lambda match: self.ids.get(match[0], match[0]), text)

    def front(self, text: str, stale: bool) -> str:
        """Front matter with the digests and the journal's head exchanged."""

        def source(match: re.Match[str]) -> str:
            known = self.digests.get(match[2])
            changed = match[1] in self.days or match[1] in self.stale
            if changed and (stale or not known):
                return match[0].replace(match[2], BLANK)
            return match[0].replace(match[2], known) if known else match[0]

        def head(match: re.Match[str]) -> str:
            old, new = self.heads.get(int(match[2]), ("", ""))
            same = old.startswith(match[3])
            return f"{match[1]}{match[2]}~{new[: len(match[3])]}" if same else match[0]

        return _JOURNAL_HEAD.sub(head, _SOURCE.sub(source, text))

    def place(self, place: dict[str, Any], old: bytes) -> dict[str, Any]:
        """Where a captured entry stands in its changed day, whose bytes were `old`."""
        day = self.days[place["path"]]
        start, end = place["offset"], place["offset"] + place["length"]
        if disk.sha(old[start:end]) != place["sha256"]:
            start = end = 0
        start, end = day.place(start), day.place(end)
        digest = disk.sha(day.data[start:end])
        return {**place, "offset": start, "length": end - start, "sha256": digest}


# One Markdown file


class Edited(NamedTuple):
    """The new bytes of a file, the ids that changed, the texts of new ids, and what was erased.

    `spans` are the parts of the old bytes that were exchanged.
    """

    data: bytes
    ids: dict[str, str]
    texts: dict[str, str]
    erased: tuple[str, ...]
    spans: tuple[tuple[int, int, int], ...]

    def place(self, offset: int) -> int:
        """Where a byte of the old file stands in the new one."""
        shift = 0
        for start, end, length in self.spans:
            if offset <= start:
                break
            if offset < end:
                return start + shift + length
            shift += length - (end - start)
        return offset + shift


def edited(
    data: bytes,
    label: str,
    day: date | None,
    find: Find,
    gone: Collection[str],
    cited: Mapping[str, str] | None = None,
) -> Edited:
    """Replace what is found in a file and take out entries: those gone, and those that cite one.

    `cited` gives the new ids of entries; an entry of the file that cites one without goes too.
    """
    document = parse(data, label=label, day=day)
    ends = list(accumulate(len(block.raw) for block in document.blocks))
    whole: list[Span] = []
    erased: list[str] = []
    for block, end in zip(document.blocks, ends, strict=True):
        if block.entry is None:
            continue
        _, ids = split_provenance(block.entry.text) if cited else ("", ())
        if block.entry.id in gone or any((cited or {}).get(id) == "" for id in ids):
            whole.append(Span(end - len(block.raw), end, ""))
            erased.append(block.entry.text)
    spans = _with_found(data, find, whole)
    if not spans:
        return Edited(data, {}, {}, (), ())
    parts, at = [], 0
    for span in spans:
        parts += [data[at : span.start], span.new.encode(*_UTF8)]
        at = span.end
    new = b"".join([*parts, data[at:]])
    places = tuple((s.start, s.end, len(s.new.encode(*_UTF8))) for s in spans)
    result = Edited(new, {}, {}, tuple(erased), places)
    after = parse(new, label=label, day=day).blocks
    starts = list(accumulate((len(block.raw) for block in after), initial=0))
    for block, end in zip(document.blocks, ends, strict=True):
        if block.entry is None:
            continue
        start = end - len(block.raw)
        removed = any(span.start <= start and end <= span.end and not span.new for span in spans)
        # An entry whose beginning was replaced is now the one that holds the replacement.
        at = bisect_right(starts, result.place(start + 1) - 1) - 1
        now = None if removed or at >= len(after) else after[at].entry
        if now is None or now.id != block.entry.id:
            result.ids[block.entry.id] = now.id if now else ""
        if now is not None and now.id != block.entry.id:
            result.texts[now.id] = now.text
    return result


def _with_found(data: bytes, find: Find, whole: list[Span]) -> list[Span]:
    """What is found, by bytes, together with the parts that are taken out whole."""
    text = data.decode(*_UTF8)
    found = merged(find(text))
    if found and not text.isascii():
        # From characters to bytes, counted on from one place to the next.
        at = size = 0
        by_bytes = []
        for span in found:
            size += len(text[at : span.start].encode(*_UTF8))
            length = len(text[span.start : span.end].encode(*_UTF8))
            by_bytes.append(Span(size, size + length, span.new))
            at, size = span.end, size + length
        found = by_bytes
    starts = [span.start for span in whole]

    def inside(span: Span) -> bool:
        before = bisect_right(starts, span.start) - 1
        return before >= 0 and span.end <= whole[before].end

    return merged([*whole, *(span for span in found if not inside(span))])
