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
from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import accumulate, chain
from typing import Any, NamedTuple

from lithify.calendar import spoken_on
from lithify.errors import StorageError, UsageError
from lithify.markdown.pages import body_digest, memory_type_of, read_typed, split_provenance
from lithify.markdown.parse import after_front, parse
from lithify.regex import regex
from lithify.secrets.state import COPIES, ignore
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

_HISTORY, _QUARANTINE, _GATE, _COPIES = (
    f"{places.STATE}/{name}/" for name in ("history", "quarantine", "gate", COPIES)
)
PAGES: tuple[Role, ...] = ("week", "month", "typed", "wisdom", "index", "note")
#: How the names of files begin that are made anew: caches of digests and entries, the index.
_DERIVED = tuple(f"{places.STATE}/{n}" for n in ("digests.json", "entries.sqlite", "index.sqlite"))
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
        work = _RootRewrite(root, erasure, tree, time, keeps_copies=bool(copies))
        files = work.files(kind, facts)
        if copies and not dry_run:
            ignore(root)
            for path in files:
                old = None if path.startswith(_DERIVED) else disk.bytes_in(root, path)
                if old is not None:
                    disk.put(root, places.writable(root, f"{copies}/{path}"), old, private=True)
        if files and not dry_run:
            rewrite(root, files)
    shown = {path: "removed" if new is None else "changed" for path, new in files.items()}
    stale = sorted(
        file.path
        for file in tree.of(*PAGES)
        if file.path in files and (file.path, file.sha256) in work.stale
    )
    return Receipt(shown, work.known.ids if files else {}, tuple(stale))


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

    def __init__(
        self, root: Root, erasure: Erasure, tree: Tree, time: str, *, keeps_copies: bool
    ) -> None:
        self.root, self.erasure, self.tree, self.time = root, erasure, tree, time
        self._left_alone = (COPIES,) if keeps_copies else ()
        self.known = _Replacements(erasure.find, erasure.gone)
        self.paths: defaultdict[str, list[str]]
        #: How a file is rewritten, by its role: its new bytes, or None if it goes.
        self._how: dict[str, Callable[[str, bytes], bytes | None]] = {
            "day": self._day,
            "foreign": self._page,
            "log": self._log,
            "chain": self._log,
            "page": self._page,
            "version": self._page,
            "json": self._json,
            "copy": self._copy,
        }
        self.new: dict[str, bytes | None] = {}
        #: Versions of pages that are to be written again, each by its path and digest.
        self.stale: set[tuple[str, str]] = set()
        self._versions: dict[tuple[str, str], bytes | None] = {}

    def files(self, kind: str, facts: Mapping[str, Any]) -> dict[str, bytes | None]:
        """The new bytes of every file that changes; empty where nothing is found."""
        log = journal.read(self.root)
        if fault := journal.damage(self.root, log):
            raise UsageError(
                reason=f"the journal is damaged ({fault.reason}); run `lithify check --repair` first"
            )
        self._sort(set(log.in_force().values()))
        self._rewrite("day")
        self._learn(log)
        # What nobody journaled is its own source: its ids are cited by what comes after. What was
        # said comes before the chain that covers it: its hashes are cited there.
        self._rewrite("foreign", "log", "chain")
        hit, lines = self._rechained(log.records, JOURNAL)
        self._rewrite("page", "version", "json", "copy")
        files = self._named()
        if not (files or hit or self._found_in_pieces(disk.bytes_in(self.root, JOURNAL) or b"")):
            return {}
        lines.add(self.time, kind, {**facts, "rewrote": self._listed(files)})
        return {**files, JOURNAL: bytes(lines), **dict.fromkeys(self.paths["derived"])}

    def _sort(self, ours: Collection[str | None]) -> None:
        """Sort the paths of all files by their roles; `ours` are the digests of journaled pages."""
        pages = self.tree.of(*PAGES)
        self.paths = defaultdict(list)
        self.paths["day"] = [file.path for file in self.tree.of("day")]
        self.paths["page"] = [file.path for file in pages if file.sha256 in ours]
        self.paths["foreign"] = [file.path for file in pages if file.sha256 not in ours]
        for path in sorted(self._own_files()):
            self.paths[_role_of(path)].append(path)

    def _own_files(self) -> Iterator[str]:
        """Find the program's own files, root-relative; the journal, locks and links are left out."""
        for folder, inner, names in os.walk(places.state(self.root), onerror=_cannot_list):
            inner[:] = [name for name in inner if name not in self._left_alone]
            for place in (os.path.join(folder, name) for name in names):
                path = places.relative(self.root, place)
                if not (path.endswith("lock") or path == JOURNAL or os.path.islink(place)):
                    yield path

    def _rewrite(self, *roles: str) -> None:
        for role in roles:
            for path in self.paths[role]:
                old = self._read(path)
                new = self._how[role](path, old)
                if new != old:
                    self.new[path] = new

    def _named(self) -> dict[str, bytes | None]:
        """The new bytes under names without the words; a name that tells the digest tells the new one.

        A job of the gate keeps its name.
        """
        files: dict[str, bytes | None] = {}
        for path in (path for role in (*self._how, "other") for path in self.paths[role]):
            name = path if path.startswith(_GATE) else replaced(path, self.known.find(path))
            if name == path and path not in self.new:
                continue
            new = self.new[path] if path in self.new else self._read(path)
            if new is not None and path.startswith((_HISTORY, _QUARANTINE)):
                name = DIGEST.sub(disk.sha(new), name)
            files |= {path: None} if new is None else {path: None, name: new}
        return files

    def _listed(self, files: Mapping[str, bytes | None]) -> list[str]:
        """The files as the journal line lists them: the program's own by their folders."""
        own = f"{places.STATE}/"
        inside = {"/".join(path.split("/")[:2]) for path in files if path.startswith(own)}
        pages = {path for path in files if not path.startswith(own)} - self.known.dropped
        return sorted({self.known.text(path) for path in pages} | inside)

    def _learn(self, log: journal.Journal) -> None:
        """Learn the words of all that rests on what is gone, to find them where no id is cited."""
        said: set[str] = set()
        for place in (*self.paths["page"], *self.paths["foreign"], *self.paths["version"]):
            path, data = _page_of_version(place) or place, self._read(place)
            document = parse(data)
            for entry in document.entries:
                text, ids = split_provenance(entry.text)
                if self.known.rests_on_gone(ids):
                    said.add(text)
            if self.known.rests_on_gone(document.front.values.get("sources")):
                self.known.dropped.add(path)
                if memory := read_typed(data, path):
                    said |= {memory.name, memory.description, memory.statement}
                    said |= {memory.why, memory.how, *memory.superseded}
        for value in chain.from_iterable(parts_of(record.data) for record in log.records):
            if isinstance(value, dict) and self.known.rests_on_gone(value.get("sources")):
                said.update(inner for inner in value.values() if isinstance(inner, str))
        self.known.also_find(said)

    # Days and pages

    def _day(self, path: str, old: bytes) -> bytes:
        label = self.tree.layout.name(path).label
        day = edited(old, label, self.erasure.find, self.erasure.gone)
        if day.data != old:
            self.known.take_day(path, day, old)
        return day.data

    def _page(self, path: str, old: bytes) -> bytes | None:
        return self._version(_page_of_version(path) or path, old)

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
        page = edited(old, label, self.known.find, self.erasure.gone, ids)
        ids |= {old_id: new_id for old_id, (new_id, _) in page.now.items()}
        data = self.known.cited(_text(page.data)).encode(*_UTF8)
        body = after_front(data)
        front = _text(data.removesuffix(body))
        engine = parse(old).front.text("engine")
        below = (*self.known.days, *self.known.stale)
        rests = engine == "offline" and any(source in front for source in below)
        stale = self.erasure.rebuild and (page.data != old or rests)
        if stale and engine:
            self.stale.add((path, disk.sha(old)))
            self.known.stale.add(path)
        return self.known.front(front, stale).encode(*_UTF8) + body

    # Logs

    def _log(self, path: str, old: bytes) -> bytes:
        """A log of the gate; a chain gets a tombstone at its end that says what happened."""
        log = journal.verify(old)
        hit, lines = self._rechained(log.records, path)
        if not hit and not self._found_in_pieces(old):
            return old
        if log.faults:
            raise UsageError(reason=f"{path} is damaged ({log.faults[0].reason}); fix it first")
        if _role_of(path) == "chain":
            lines.add(self.time, journal.TOMBSTONE, {"lines": hit})
        return bytes(lines)

    def _rechained(
        self, records: Iterable[journal.Record], path: str
    ) -> tuple[list[int], journal.Chain]:
        """Chain the records of a log anew; return the numbers of those that change as well."""
        hit, lines = [], journal.Chain()
        for record in records:
            kind, facts = self._facts(record.kind, record.data, path == JOURNAL)
            if facts != record.data:
                hit.append(record.seq)
            lines.add(record.time, kind, facts)
            self.known.digests[record.hash] = lines.hash
            if path == JOURNAL:
                self.known.heads[record.seq] = (record.hash, lines.hash)
        return hit, lines

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
        stale = any(version in self.stale for version in files.items())
        facts = {key: self.known.value(value, key, stale) for key, value in data.items()}
        if any(value is GONE for value in facts.values()):
            kind = FORGOTTEN_KIND
            facts = {key: value for key, value in facts.items() if value is not GONE}
        place = facts.get("append")
        if is_journal and place and place["path"] in self.known.days:
            facts["append"] = self.known.place(place, self._read(place["path"]))
        return kind, facts

    # The other files of the program

    def _json(self, path: str, old: bytes) -> bytes | None:
        try:
            data = json.loads(old)
            clean = self.known.value(data)
        except (ValueError, RecursionError):
            return old
        if clean == data:
            return old
        if self.erasure.rebuild and "/replies/" in path:
            return None  # the prompt that it answered is another one now
        return json.dumps(clean, ensure_ascii=False).encode("utf-8", "replace")

    def _copy(self, path: str, old: bytes) -> bytes | None:
        if not self._found_in(old):
            return old
        return None if self.erasure.rebuild else self.known.text(_text(old)).encode(*_UTF8)

    def _found_in_pieces(self, log: bytes) -> bool:
        """Whether something is found in what a crash cut off in a log."""
        return any(self._found_in(line) for line in log.split(b"\n") if journal.parse(line) is None)

    def _found_in(self, data: bytes) -> bool:
        text = _text(data)
        return any(self.known.find(text)) or any(id in text for id in self.known.ids)

    def _read(self, path: str) -> bytes:
        return disk.read(places.resolve(self.root, path))


def _role_of(path: str) -> str:
    """What one of the program's own files is."""
    if path.startswith(_DERIVED):
        return "derived"
    if path.startswith(_GATE) and path.endswith(".jsonl"):
        return "chain" if path.endswith("/chain.jsonl") else "log"
    if _page_of_version(path):
        return "version"
    if path.endswith(".json"):
        return "json"
    return "copy" if path.startswith((_HISTORY, _COPIES)) else "other"


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


def parts_of(value: Any) -> Iterator[Any]:
    """Yield a JSON value and every value inside it, the names of its fields included."""
    yield value
    inside: Iterable[Any] = ()
    if isinstance(value, dict):
        inside = chain.from_iterable(value.items())
    elif isinstance(value, list):
        inside = value
    for inner in inside:
        yield from parts_of(inner)


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
        self.ids |= {old_id: new_id for old_id, (new_id, _) in day.now.items()}
        self._texts.update(day.now.values())
        self._erased += [frozenset(sketch(text)) for text in day.erased if _is_long(text)]
        self.digests[disk.sha(old)] = disk.sha(day.data)

    def also_find(self, texts: Iterable[str]) -> None:
        """Find these texts too; too short ones would be found everywhere."""
        if long := [text for text in texts if _is_long(text)]:
            self.find = together(self.find, text_finder(long))

    def rests_on_gone(self, sources: Any) -> bool:
        """Whether one of these ids is of an entry that is gone."""
        is_list = isinstance(sources, (list, tuple))
        return is_list and any(self.ids.get(str(id)) == "" for id in sources)

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
        if self.rests_on_gone(sources):
            return GONE
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
            if key == "sketches" and name in self._texts:
                new = sketch(self._texts[name])
            if name and new is not GONE:
                pairs[self.text(name)] = new
        return pairs

    def text(self, text: str, *, near: bool = True) -> str:
        """A text without the words, ids and, unless `near` is false, near copies of what is gone."""
        text = self.cited(text, FORGOTTEN)
        text = replaced(text, self.find(text))
        if not (near and self._erased) or text.count(" ") < FEWEST - 1:
            return text
        return "\n".join(FORGOTTEN if self._is_near(line) else line for line in text.split("\n"))

    def _is_near(self, line: str) -> bool:
        """Whether a line is a near copy of an erased entry."""
        own = frozenset(sketch(line)) if line.count(" ") >= FEWEST - 1 else frozenset()
        return bool(own) and any(is_copy(own, e) or is_copy(e, own) for e in self._erased)

    def cited(self, text: str, gone: str = "") -> str:
        """A text with the ids of changed entries exchanged, and with `gone` for those without one."""
        return _ID.sub(lambda match: self.ids.get(match[0], match[0]) or gone, text)

    def front(self, text: str, stale: bool) -> str:
        """Front matter with the digests and the journal's head exchanged."""

        def source(match: re.Match[str]) -> str:
            changed = match[1] in self.days or match[1] in self.stale
            known = self.digests.get(match[2], BLANK if changed else match[2])
            return match[0].replace(match[2], BLANK if changed and stale else known)

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


def _is_long(text: str) -> bool:
    return len(text.split()) >= FEWEST


# One Markdown file


class Edited(NamedTuple):
    """The new bytes of a file, what became of its entries, and the texts of those taken out.

    `now` has the new id and text of each entry whose id changed, empty for one that is gone. `spans`
    are the parts of the old bytes that were exchanged.
    """

    data: bytes
    now: dict[str, tuple[str, str]]
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
    find: Find,
    gone: Collection[str],
    cited: Mapping[str, str] | None = None,
) -> Edited:
    """Replace what is found in a file and take out entries: those gone, and those that cite one.

    `cited` gives the new ids of entries; an entry of the file that cites one without goes too.
    """
    day = spoken_on(label)
    document = parse(data, label=label, day=day)
    ends = accumulate(len(block.raw) for block in document.blocks)
    entries = [
        (block.entry, end - len(block.raw), end)
        for block, end in zip(document.blocks, ends, strict=True)
        if block.entry
    ]
    whole: list[Span] = []
    erased: list[str] = []
    for entry, start, end in entries:
        ids = split_provenance(entry.text)[1] if cited else ()
        if entry.id in gone or any((cited or {}).get(id) == "" for id in ids):
            whole.append(Span(start, end, ""))
            erased.append(entry.text)
    spans = _with_found(data, find, whole)
    if not spans:
        return Edited(data, {}, (), ())
    parts, at = [], 0
    for span in spans:
        parts += [data[at : span.start], span.new.encode(*_UTF8)]
        at = span.end
    new = b"".join([*parts, data[at:]])
    places = tuple((s.start, s.end, len(s.new.encode(*_UTF8))) for s in spans)
    result = Edited(new, {}, tuple(erased), places)
    after = parse(new, label=label, day=day).blocks
    starts = list(accumulate((len(block.raw) for block in after), initial=0))
    for entry, start, end in entries:
        removed = any(span.start <= start and end <= span.end and not span.new for span in spans)
        # An entry whose beginning was replaced is now the one that holds the replacement.
        at = bisect_right(starts, result.place(start + 1) - 1) - 1
        now = None if removed or at >= len(after) else after[at].entry
        if now is None or now.id != entry.id:
            result.now[entry.id] = (now.id, now.text) if now else ("", "")
    return result


def _with_found(data: bytes, find: Find, whole: list[Span]) -> list[Span]:
    """What is found, by bytes, together with the parts that are taken out whole."""
    text = data.decode(*_UTF8)
    found = merged(find(text))
    sizes = (len(letter.encode(*_UTF8)) for letter in text) if found else ()
    at = array("Q", accumulate(sizes, initial=0))
    # What begins with such a part goes with it, and leaves nothing in its place.
    starts = {span.start for span in whole}
    by_bytes = (Span(at[span.start], at[span.end], span.new) for span in found)
    return merged([*whole, *(s._replace(new="") if s.start in starts else s for s in by_bytes)])
