"""The entries of a root's files as they are shown: parsed and without credentials.

A file is read once. What was made of its bytes is kept by `store.derived` until the file changes, or
what it passes through does: the settings and key of redaction, and the modules of this program that
parse and redact. Deleting what is kept loses nothing. It holds no text that a writer may not be shown.

Origins are not kept with the entries, because the journal gives an entry its origin and may give it
another one later. Which entries copy an untrusted capture is kept for the captures that there were.
"""

from __future__ import annotations

import contextlib
import json
import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache, partial
from hashlib import blake2b
from itertools import islice
from typing import Any

from lithify.calendar import spoken_on
from lithify.errors import LithifyError
from lithify.secrets.state import RootKey, ignore
from lithify.settings import Redact
from lithify.store import disk, places
from lithify.store.derived import NAME, Derived
from lithify.store.places import Root
from lithify.store.tree import File
from lithify.values import Entry

#: The entries of a long file are kept in parts of so many, to spare the memory that they take.
_PART = 4096
#: What an entry passes through on its way from the bytes of a day, by package or module.
_PROGRAM = ("markdown", "secrets", "text", "calendar.py", "capture.py", "limits.py", "values.py")
_MARK = "[secret:"


class SourceEntries(Sequence[Entry]):
    """The entries of one file. Each is made when it is asked for, without its origin.

    They come in parts of `_PART` entries; `part` gives one by its number, `count` is of all entries.
    """

    def __init__(
        self, part: Callable[[int], Mapping[str, Any]], count: int, path: str, label: str
    ) -> None:
        self._part, self._count = lru_cache(maxsize=2)(part), count
        self._path, self._label, self._day = path, label, spoken_on(label)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Entry]:
        for start in range(0, self._count, _PART):
            part = self._part(start // _PART)
            yield from (self._entry(part, row) for row in part["rows"])

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return tuple(self[at] for at in range(*place.indices(self._count)))
        place = range(self._count)[place]
        part = self._part(place // _PART)
        return self._entry(part, part["rows"][place % _PART])

    def _entry(self, part: Mapping[str, Any], row: Sequence[Any]) -> Entry:
        id, text, above, kind, line, end_line, quoted = row
        headings, lead = part["above"][above]
        return Entry(
            f"{self._label}~{id}",
            text,
            tuple(headings),
            lead,
            kind,
            self._path,
            line,
            end_line,
            self._day,
            quoted=quoted,
        )

    @cached_property
    def places(self) -> dict[str, int]:
        """The position of each id; of two equal ones, the first."""
        found: dict[str, int] = {}
        for start in range(0, self._count, _PART):
            for place, row in enumerate(self._part(start // _PART)["rows"], start):
                found.setdefault(f"{self._label}~{row[0]}", place)
        return found


def _as_kept(entries: Iterable[Entry]) -> dict[str, Any]:
    above: dict[tuple[tuple[str, ...], str], int] = {}
    rows = []
    for entry in entries:
        place = above.setdefault((entry.headings, entry.lead), len(above))
        where = (entry.kind, entry.line, entry.end_line, entry.quoted)
        id, text = entry.id.rpartition("~")[2], entry.text
        rows.append([id, text, place, *where])
    return {"above": [[list(headings), lead] for headings, lead in above], "rows": rows}


class SourceReader:
    """Reads the files of a root, each once. With `save`, what was made of them is kept."""

    def __init__(self, root: Root, redact: Redact, *, save: bool) -> None:
        self._root = root
        key = redact.key
        if not save and isinstance(key, RootKey):
            # Whoever may write nothing makes no key either.
            redact = redact._replace(key=partial(key, make=False))
        self.redact = redact
        self._derived = Derived(root, save=save)

    def entries(self, file: File, label: str, data: bytes | None = None) -> SourceEntries:
        """Return the entries of a file; `data` are its bytes, where they have been read."""
        #: The first part, and the others if they could not be kept.
        here: dict[int, dict[str, Any]] = {}

        def made() -> Iterator[dict[str, Any]]:
            there = disk.read(os.path.join(self._root, file.path)) if data is None else data
            entries = self.read(there, file.path, label)
            yield _as_kept(islice(entries, _PART))
            while (part := _as_kept(islice(entries, _PART)))["rows"]:
                yield part

        def part(number: int) -> Mapping[str, Any]:
            found = here.get(number) or self._kept(file, f"entries {number}", label)
            if found is None:
                here.update(enumerate(made()))
                found = here[number]
            return found

        first = self._kept(file, "entries", label)
        if first is None:
            count = 0
            for number, one in enumerate(made()):
                count += len(one["rows"])
                if number:
                    self._keep(file, f"entries {number}", label, one)
                first = first or one
            first = {**(first or {}), "count": count}
            self._keep(file, "entries", label, first)
        here[0] = first
        return SourceEntries(part, first["count"], file.path, label)

    def read(self, data: bytes, path: str, label: str) -> Iterator[Entry]:
        """Yield the entries of any version of a file, without credentials.

        They are taken out of the whole file, as `scan` finds them: here and nowhere else.
        """
        # Loaded late: a plan needs the digests of files, not what they say.
        from lithify.capture import clipped
        from lithify.markdown.parse import read_entries

        shown, day = self.shown(data), spoken_on(label)
        for entry in read_entries(data, path=path, label=label, day=day, shown=shown):
            yield clipped(entry)

    def shown(self, data: bytes) -> bytes:
        """Return a file's bytes without credentials, every line in its place."""
        from lithify.capture import without_secrets

        return without_secrets(data, self.redact)

    def made(self, file: File, kind: str, by: str, make: Callable[[], Any]) -> Any:
        """Return what `make` makes of a file, as JSON has it, or what it made of it before.

        `by` names everything else that it is made by, besides the program and its redaction.
        """
        value = self._kept(file, kind, by)
        if value is None:
            value = make()
            self._keep(file, kind, by, value)
        return value

    def made_of_texts(self, kind: str, texts: str, make: Callable[[], Any]) -> Any:
        """Return what `make` makes of texts, wherever they stand, or what it made of them before."""
        digest = disk.sha(texts.encode("utf-8", "surrogatepass"))
        return self.made(File("", "other", "", 0, digest), f"{kind} {digest[:16]}", "", make)

    def _kept(self, file: File, kind: str, by: str) -> Any:
        """Return what was made of a file before; None where that is not known."""
        if kept := self._derived.get(file.path, kind, self._source(file, by)):
            with contextlib.suppress(ValueError, TypeError):
                key, value = json.loads(kept)
                if not key or key == self._key:
                    return value
        return None

    def _keep(self, file: File, kind: str, by: str, value: Any) -> None:
        if not file.sha256:
            return
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        # Without a mark in it, it is the same under every key.
        whole = f'["{self._key if _MARK in text else ""}",{text}]'
        try:
            whole.encode()
        except UnicodeEncodeError:
            whole = json.dumps(json.loads(whole), separators=(",", ":"))
        self._derived.put(file.path, kind, self._source(file, by), whole, file.sha256)

    def _source(self, file: File, by: str) -> str:
        return f"{file.sha256} {self._made_by} {_short(by)}"

    def flush(self, paths: Iterable[str]) -> None:
        """Keep what was made since the last time; `paths` are all that the root has."""
        if not self._derived.is_full:
            return
        with contextlib.suppress(LithifyError):
            # Roots that are older than this cache have a list that does not name it.
            names = map(partial(places.state, self._root), (".gitignore", NAME))
            if list(map(os.path.exists, names)) == [True, False]:
                ignore(self._root)
        self._derived.flush(frozenset(paths))

    @cached_property
    def _made_by(self) -> str:
        return f"{_program()} {_short(repr((self.redact.enabled, self.redact.allow)))}"

    @property
    def _key(self) -> str:
        """Return what tells the key of the root's marks from another, and says nothing of it."""
        key = self.redact.key
        secret = (key(make=False) if isinstance(key, RootKey) else key()) if key else b""
        return blake2b(b"entries", key=secret, digest_size=8).hexdigest() if secret else "none"


def digest_of(sketches: Iterable[tuple[str, Sequence[int]]]) -> str:
    """Return a digest of untrusted captures, by which a new one is seen."""
    digest = blake2b(digest_size=8)
    for origin, numbers in sketches:
        digest.update(f"{origin}\n{len(numbers)}\n".encode("utf-8", "surrogatepass"))
        digest.update(array("Q", numbers).tobytes())
    return digest.hexdigest()


@cache
def _program() -> str:
    """Return a digest of what entries pass through, so that no change of it is overlooked."""
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    digest = blake2b(digest_size=8)
    for name in _PROGRAM:
        place = os.path.join(home, name)
        for folder, below, files in (
            os.walk(place) if os.path.isdir(place) else ((home, [], [name]),)
        ):
            below[:] = sorted(one for one in below if one != "__pycache__")
            for file in sorted(files):
                digest.update(f"{file}\n".encode())
                digest.update(disk.bytes_at(os.path.join(folder, file)) or b"")
    return digest.hexdigest()


def _short(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
