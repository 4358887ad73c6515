"""A root as it is now: its pages by role, its ledger, and its sources, read when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lithify.calendar import month_of, parse_day, spoken_on, week_of
from lithify.compact.ledger import Captures, Ledger, fold, without_undone
from lithify.settings import Settings
from lithify.store import disk, journal, places
from lithify.store.days import left_out
from lithify.store.journal import lost_head
from lithify.store.names import Layout, dated, short_name, slug
from lithify.store.tree import File, RefusedFile, Tree, end_of_version, scan
from lithify.trust import unjournaled_origin
from lithify.values import Claim, Entry, Task, TypedMemory, WisdomEntry, label_of

if TYPE_CHECKING:
    from lithify.compact.entries import SourceEntries, SourceReader
    from lithify.text.copies import UntrustedCaptures


class Shelf(NamedTuple):
    """The pages of a root by their role: days by date, the others by period or path.

    `unread` are files that exist and are not read, each with the reason; `unknown` are those of
    them, and folders, that the system failed to read.
    """

    days: Mapping[date, tuple[File, ...]]
    weeks: Mapping[str, File]
    months: Mapping[str, File]
    typed: Mapping[str, File]
    wisdom: File | None
    layout: Layout
    unread: Mapping[str, str]
    unknown: frozenset[str]

    def path(self, *parts: str) -> str:
        """Return the path that a page of memory has or would have."""
        return self.layout.path(*parts) + ".md"

    @property
    def day_paths(self) -> set[str]:
        """Return the paths of all files of days."""
        return {page.path for pages in self.days.values() for page in pages}


# A plan asks for each several times.
@lru_cache(maxsize=1 << 15)
def day_of(path: str) -> date | None:
    """Return the date a day's file belongs to."""
    found = dated(path)
    return parse_day(found.label) if found else None


def is_ours(ledger: Ledger, key: str, page: File) -> bool:
    """Tell whether a page has the bytes that were committed for its task."""
    commit = ledger.pages.commits.get(key)
    return commit is not None and commit.data.get("files", {}).get(page.path) == page.sha256


def sources_of(snapshot: Snapshot, key: str, page: File | None) -> Mapping[str, str] | None:
    """Return the sources that a task's page was written from or adopted beside; None if unknown."""
    pages = snapshot.ledger.pages
    commit = pages.commits.get(key)
    if page is not None and not is_ours(snapshot.ledger, key, page):
        adopted = pages.adopted.get(page.path)
        if adopted and adopted.sha256 == page.sha256:
            return adopted.sources
        if commit is None:
            return snapshot.claimed(page)
    return commit.sources if commit else None


def changes(recorded: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Say what became of a page's sources since it was written; empty if nothing did."""
    edited = [p for p in now if p in recorded and recorded[p] != now[p]]
    late = [p for p in now if p not in recorded]
    gone = [p for p in recorded if p not in now]
    parts = [
        f"{word} {', '.join(short_name(p) for p in paths[:3])}{' …' if len(paths) > 3 else ''}"
        for word, paths in (("edited", edited), ("late", late), ("removed", gone))
        if paths
    ]
    return "; ".join(parts)


def recorded_sources(ledger: Ledger) -> set[str]:
    """Return every path that a page in force was written from or adopted beside."""
    recorded = [commit.sources for commit in ledger.pages.commits.values()]
    recorded += [adopted.sources for adopted in ledger.pages.adopted.values()]
    return {path for sources in recorded for path in sources}


def gone_memories(snapshot: Snapshot) -> dict[str, str]:
    """Return our memories that are in force but not on disk, each with the task that wrote it."""
    pages = snapshot.ledger.pages
    here = snapshot.shelf.typed.keys() | snapshot.shelf.unread.keys()
    return {
        path: task
        for path, task in sorted(pages.written_by.items())
        if pages.files.get(path) is not None and path not in here
    }


def unsummarised_days(snapshot: Snapshot, today: date) -> dict[str, str]:
    """Return the files of days that no page covers as they are now, oldest first.

    A session must read these itself. Each comes with the digest that its page was written from,
    which is empty if there is none. A page from another tool whose sources are unknown is taken
    to cover its days.
    """
    shelf, found = snapshot.shelf, dict[str, str]()
    past = [(day, pages) for day, pages in sorted(shelf.days.items()) if day <= today]
    for week, days in groupby(past, key=lambda pair: week_of(pair[0])):
        month, known = month_of(week), dict[str, str]()
        if page := shelf.weeks.get(week):
            sources = sources_of(snapshot, f"week:{week}", page)
            if sources is None:
                continue
            known.update(sources)
        elif page := shelf.months.get(month):
            # A week that is too thin for a page is in its month's.
            known.update(sources_of(snapshot, f"month:{month}", page) or {})
        for file in (file for _, files in days for file in files):
            if known.get(file.path, "") != file.sha256:
                found[file.path] = known.get(file.path, "")
    return found


def weeks_behind(shelf: Shelf, paths: Iterable[str], tasks: Iterable[Task]) -> tuple[str, ...]:
    """Return the weeks that are not over and have a page that misses some of these days."""
    weeks = {week_of(day) for path in paths if (day := day_of(path))} & shelf.weeks.keys()
    going = {task.period for task in tasks if task.tier == "week" and task.state == "open"}
    return tuple(sorted(weeks & going))


def lost_days(snapshot: Snapshot) -> tuple[str, ...]:
    """Return days with captures whose file is gone without an `accept-removed`."""
    here = snapshot.shelf.day_paths | snapshot.shelf.unread.keys()
    return tuple(sorted(path for path in snapshot.ledger.captures.days - here if day_of(path)))


# The state of a root needs digests only; what reads pages is imported by the methods that do.

#: The most entries kept in memory, those of half a year of full days; others are read twice.
_MOST_KEPT = 1 << 16
#: The files whose lines are kept.
_MOST_FILES = 64


class _Trust:
    """The origins of entries and the untrusted captures, as the journal has them."""

    def __init__(self, of: Captures) -> None:
        self.of = of
        self.origins = of.known_origins()
        self.captures = of.untrusted_sketches()
        #: A digest of the captures, and the captures indexed by word; made when they are needed.
        self.digest = ""
        self.untrusted: UntrustedCaptures | None = None


class Snapshot:
    """Reads a root. Nothing is written but what can be made again, and that only with `save`."""

    def __init__(self, root: Path, settings: Settings, *, save: bool = True) -> None:
        self.root = root
        self._save = save
        self.settings = settings
        self.journal = journal.read(root)
        # Checked before a compaction writes: its own lines come after any damage.
        self._fault = journal.damage(root, self.journal)
        #: What the journal says but for what was undone.
        self.records = without_undone(self.journal.records)
        self.ledger: Ledger = fold(self.journal.records)
        self._left_out: tuple[RefusedFile, ...] | None = None
        self._unread: tuple[RefusedFile, ...] = ()
        self.tree: Tree = self._scan()
        self._sources: dict[str, SourceEntries] = {}
        self._entries: dict[str, tuple[Entry, ...]] = {}
        self._kept = 0
        self._ids: dict[str, frozenset[str]] = {}
        self._standing: dict[str, bool] = {}
        self._known_trust: _Trust | None = None
        self._memories: dict[str, TypedMemory | None] = {}
        self._wisdom: tuple[bytes, tuple[WisdomEntry, ...]] = (b"", ())
        self._bodies: dict[str, str] = {}
        self._lines: dict[str, list[str]] = {}

    @property
    def damage(self) -> str:
        """Return what is wrong with the journal, empty if nothing is."""
        fault = self._fault
        lead = f"line {fault.line}: " if fault and fault.line else ""
        return f"{lead}{fault.reason}" if fault else ""

    def rescan(self) -> None:
        """Look at the files again, after something was written."""
        before = self._by_path
        self.tree = self._scan()
        for derived in ("shelf", "_by_label", "_by_path", "gone_days"):
            self.__dict__.pop(derived, None)
        for path in before:
            if before[path] != self.file(path):
                self._drop(path)
                self._ids.pop(path, None)
                self._memories.pop(path, None)
        self._standing.clear()

    def _scan(self) -> Tree:
        folders = self.settings.folders
        tree = scan(self.root, folders=folders, type_of=_type_of, save=self._save)
        if self._left_out is None:
            known = recorded_sources(self.ledger) | self.ledger.captures.days
            self._left_out = left_out(self.root, known - self.ledger.pages.removed, tree.layout)
        # A file that cannot be read at first and later can would be taken in by half of the stages.
        for one in self._unread:
            tree = tree.without(one)
        self._unread = tuple(one for one in tree.refused if one.broken)
        return tree._replace(refused=(*tree.refused, *self._left_out))

    def read(self, path: str) -> bytes:
        """Return the bytes of a file as they stand, credentials and all: nothing shows them."""
        return disk.read(str(self.root / path))

    def shown(self, path: str) -> bytes:
        """Return the bytes of a file as they are shown, every line in its place."""
        return self.without_secrets(self.read(path))

    def without_secrets(self, data: bytes) -> bytes:
        """Return the bytes of any version of a file as they are shown."""
        return self._reader.shown(data)

    def version(self, path: str, sha256: str) -> bytes | None:
        """Return the bytes of a page's version, from history or in force; None if they are lost."""
        kept = places.history(self.root, *path.split("/"), sha256)
        if Path(kept).is_file():
            return disk.read(kept)
        file = self.file(path)
        return self.read(path) if file and file.sha256 == sha256 else None

    @cached_property
    def _by_path(self) -> dict[str, File]:
        return {file.path: file for file in self.tree.files}

    def file(self, path: str) -> File | None:
        """Return the file at a path of the root, as the last scan saw it."""
        return self._by_path.get(path)

    @cached_property
    def shelf(self) -> Shelf:
        """Return the pages by role, as the plan needs them."""
        days: dict[date, list[File]] = {}
        for file in self.tree.of("day"):
            day = parse_day(file.label)
            if day:
                days.setdefault(day, []).append(file)
        wisdom = self.tree.of("wisdom")
        return Shelf(
            days={day: tuple(pages) for day, pages in sorted(days.items())},
            weeks={file.label: file for file in self.tree.of("week")},
            months={file.label: file for file in self.tree.of("month")},
            typed={file.path: file for file in self.tree.of("typed")},
            wisdom=wisdom[0] if wisdom else None,
            layout=self.tree.layout,
            unread={one.path: one.reason for one in self.tree.refused},
            unknown=frozenset(one.path for one in self._unread if one.unknown),
        )

    def body(self, page: File) -> str:
        """Return the digest of what a page says; for our own pages the journal has it."""
        recorded = self.ledger.pages.bodies.get(page.path)
        if recorded and recorded[0] == page.sha256:
            return recorded[1]
        if page.sha256 not in self._bodies:
            from lithify.markdown.pages import body_digest

            self._bodies[page.sha256] = body_digest(self.read(page.path))
        return self._bodies[page.sha256]

    def claimed(self, page: File) -> Mapping[str, str] | None:
        """Return the sources that a page names in its front matter, if each has a digest."""
        from lithify.markdown.parse import parse

        sources = parse(self.read(page.path)).front.values.get("sources")
        if not isinstance(sources, dict) or not sources:
            return None
        digests = {path: str(digest) for path, digest in sources.items()}
        return digests if all(len(digest) == 64 for digest in digests.values()) else None

    # Sources

    def _label(self, path: str) -> str:
        file = self.file(path)
        return file.label if file else path

    def _read_entries(self, data: bytes, path: str, label: str) -> Iterator[Entry]:
        """Yield the entries of any version of a source; equal text has equal ids in all of them."""
        from lithify.markdown.parse import read_entries

        shown = self.without_secrets(data)
        return read_entries(data, path=path, label=label, day=spoken_on(label), shown=shown)

    @cached_property
    def _reader(self) -> SourceReader:
        from lithify.compact.entries import SourceReader

        return SourceReader(self.root, self.settings.redact, save=self._save)

    def entries(self, paths: Sequence[str]) -> tuple[Entry, ...]:
        """Return the entries of files in order, with their origins and without credentials.

        One that a person is asked to forget is left out.
        """
        hidden = self.ledger.captures.hidden
        found = tuple(e for path in paths for e in self._entries_of(path) if e.id not in hidden)
        self.keep()
        return found

    def with_origin(self, entry: Entry) -> Entry:
        """Return an entry of a source with its origin."""
        return next(self._with_origins([entry]))

    def made(self, path: str, kind: str, by: str, make: Callable[[], Any]) -> Any:
        """Return what `make` makes of a file and its entries, as JSON has it.

        It is made once, and again when the file, the program or its redaction changes. Origins must
        not enter into it. `by` names everything else that it depends on. `keep` is called after the
        last of several files.
        """
        return self._reader.made(self._file_of(path), kind, f"{self._label(path)} {by}", make)

    def made_of_texts(self, kind: str, texts: str, make: Callable[[], Any]) -> Any:
        """Return what `make` makes of texts that stand in several files. It may hold no word of them."""
        value = self._reader.made_of_texts(kind, texts, make)
        self.keep()
        return value

    def _file_of(self, path: str) -> File:
        # What no scan has seen is read and not kept.
        return self.file(path) or File(path, "other", path, 0)

    def keep(self) -> None:
        """Keep what was made of files, where this snapshot may write."""
        if "_reader" in self.__dict__:
            self._reader.flush(self._by_path)

    def lines_then(self, path: str, sha256: str) -> int:
        """Return how many lines a file had when its bytes had this digest.

        0 if it was changed in any other way than by appending.
        """
        data = self.read(path)
        end = end_of_version(data, sha256)
        return data.count(b"\n", 0, end) + (data[end - 1 : end] not in (b"", b"\n"))

    def last_entries(self, path: str, size: int) -> tuple[Entry, ...]:
        """Return the entries in the last bytes of a file, without credentials or their origins.

        Of what stands before them only the headings in force are read.
        """
        from lithify.markdown.parse import end_of

        data = self.read(path)

        def make() -> list[Any]:
            cut = data.find(b"\n", len(data) - size) + 1
            return [cut, end_of(data[:cut]).spans]

        cut, spans = self.made(path, f"last {size}", "", make)
        from lithify.capture import clipped
        from lithify.markdown.parse import read_entries

        # Credentials are found in the whole file; the lines of both are the same.
        shown = self.without_secrets(data).split(b"\n")
        lines = [data.count(b"\n", 0, start) for start, _ in spans]
        sizes = [data.count(b"\n", start, end) for start, end in spans]
        at, above = data.count(b"\n", 0, cut), b"".join(data[start:end] for start, end in spans)
        headings = (
            n for line, size in zip(lines, sizes, strict=True) for n in range(line, line + size)
        )
        told = b"\n".join([*(shown[n] for n in headings), *shown[at:]])
        label, more = self._label(path), at - above.count(b"\n")
        found = map(
            clipped,
            read_entries(
                above + data[cut:], path=path, label=label, day=spoken_on(label), shown=told
            ),
        )
        return tuple(replace(e, line=e.line + more, end_line=e.end_line + more) for e in found)

    def source(self, path: str) -> SourceEntries:
        """Return the entries of a file without credentials, and without their origins."""
        found = self._sources.get(path)
        if found is None:
            found = self._reader.entries(self._file_of(path), self._label(path))
            self._kept += len(found)
            # The files read first go first: a month's days are read in order, and once.
            while self._kept > _MOST_KEPT and self._sources:
                self._drop(next(iter(self._sources)))
            self._sources[path] = found
        return found

    def _drop(self, path: str) -> None:
        self._kept -= len(self._sources.pop(path, ()))
        self._entries.pop(path, None)
        self._lines.pop(path, None)

    def _entries_of(self, path: str) -> tuple[Entry, ...]:
        kept = self._entries.get(path)
        if kept is None:
            source = self.source(path)
            kept = tuple(self._with_origins(source, self._copies_in(path, source).get))
            self._entries[path] = kept
        return kept

    def _copies_in(self, path: str, source: SourceEntries) -> dict[str, str]:
        """Return the texts of a file that copy an untrusted capture, each with its origin."""
        from lithify.compact.entries import digest_of

        trust = self._trust
        if not trust.captures:
            return {}

        def make() -> list[tuple[int, str]]:
            origins = ((n, self.untrusted.origin_of_copy(e.text)) for n, e in enumerate(source))
            return [(place, origin) for place, origin in origins if origin]

        trust.digest = trust.digest or digest_of(trust.captures)
        found = self._reader.made(self._file_of(path), "copies", trust.digest, make)
        return {source[place].text: origin for place, origin in found}

    def _with_origins(
        self, entries: Iterable[Entry], copied_from: Callable[[str], str | None] | None = None
    ) -> Iterator[Entry]:
        from lithify.capture import stamped

        unknown = unjournaled_origin(self.settings.trust.files, bool(self.lost_head))
        copied_from = copied_from or self.untrusted.origin_of_copy
        return stamped(entries, self._trust.origins, copied_from, unknown)

    @property
    def _trust(self) -> _Trust:
        """Return what the journal says of origins; worked out again when something was captured."""
        if self._known_trust is None or self._known_trust.of is not self.ledger.captures:
            self._known_trust = _Trust(self.ledger.captures)
        return self._known_trust

    @property
    def untrusted(self) -> UntrustedCaptures:
        """Return the untrusted captures of the root, by which copies are recognised."""
        from lithify.text.copies import UntrustedCaptures

        trust = self._trust
        trust.untrusted = trust.untrusted or UntrustedCaptures(trust.captures)
        return trust.untrusted

    @cached_property
    def lost_head(self) -> str:
        """Return the record that a page names and the journal has lost; empty where none is."""
        return lost_head(self.root, [file.path for file in self.tree.of("week", "month")])

    def redacted(self, text: str) -> str:
        """Return a text that is no file's with its credentials taken out."""
        from lithify.capture import redacted

        return redacted(text, self.settings.redact)

    def as_written(self, entry: Entry) -> str:
        """Return an entry's lines as they stand in its file, without credentials."""
        if entry.path not in self._lines:
            while len(self._lines) >= _MOST_FILES:
                self._lines.pop(next(iter(self._lines)))
            text = self.shown(entry.path).decode("utf-8", "replace")
            self._lines[entry.path] = text.lstrip("\ufeff").replace("\r\n", "\n").split("\n")
        lines = self._lines[entry.path][entry.line - 1 : entry.end_line]
        return "\n".join(lines)

    def paths_of(self, label: str) -> tuple[str, ...]:
        """Return the files of a day or week, or a page that is its own source."""
        return self._by_label.get(label, ())

    @cached_property
    def _by_label(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for file in self.tree.files:
            if file.role not in ("other", "soul", "note"):
                found[file.label] = (*found.get(file.label, ()), file.path)
        return found

    def lookup(self, ids: Sequence[str]) -> dict[str, Entry]:
        """Return the entries behind ids, by label and then in order; unknown ids are left out.

        Where two files of a day say the same, the first counts.
        """
        from lithify.capture import clipped

        wanted: dict[str, set[str]] = {}
        for id in ids:
            wanted.setdefault(label_of(id), set()).add(id)
        found: dict[str, Entry] = {}
        for label in sorted(wanted):
            for path in self.paths_of(label):
                if wanted[label].isdisjoint(self.ids_in(path)):
                    continue
                source, missing = self.source(path), wanted[label] - found.keys()
                here = [n for id, n in source.places.items() if id in missing]
                found.update(
                    (entry.id, entry)
                    for entry in self._with_origins(source[n] for n in sorted(here))
                )
            if missing := wanted[label] - found.keys():
                before = [entry for entry in self._before(label) if entry.id in missing]
                for entry in self._with_origins(before):
                    found.setdefault(entry.id, clipped(entry))
        self.keep()
        return found

    def _before(self, label: str) -> list[Entry]:
        """Return the entries of a foreign file that ours was built upon, as they were."""
        found: list[Entry] = []
        for path, (sha256, _) in sorted(self.ledger.pages.bases.items()):
            if self.tree.layout.name(path).label == label:
                data = self.version(path, sha256) or b""
                found += self._read_entries(data, path, label)
        return found

    def resolves(self, id: str) -> bool:
        """Tell whether an id still stands in its source, or its day is missing without a word."""
        label = label_of(id)
        return (
            any(id in self.ids_in(path) for path in self.paths_of(label))
            or any(str(day_of(path)) == label for path in self.gone_days)
            or any(id == entry.id for entry in self._before(label))
        )

    def ids_in(self, path: str) -> frozenset[str]:
        """Return the ids of a file's entries, which are enough to tell whether one stands in it."""
        if path not in self._ids:
            label = self._label(path)
            made = self.made(path, "ids", "", lambda: [id[-12:] for id in self.source(path).places])
            self._ids[path] = frozenset(f"{label}~{digits}" for digits in made)
        return self._ids[path]

    @cached_property
    def gone_days(self) -> frozenset[str]:
        """Return days that a page rests on and whose file is gone without an `accept-removed`."""
        gone = recorded_sources(self.ledger) - self.shelf.day_paths - self.ledger.pages.removed
        return frozenset(filter(day_of, gone))

    # Pages

    def claims_that_stand(
        self, page: File, written_from: Mapping[str, str], data: bytes | None = None
    ) -> tuple[Claim, ...]:
        """Return the claims of a page that rest on nothing that was changed or erased since.

        `data` is an earlier version of it. An edited entry has another id. Where words were erased, ids were exchanged and the digest
        of the source was blanked, so the mark that stands in place of the words tells.
        """
        from lithify.markdown.pages import claims_in
        from lithify.text.occurrences import FORGOTTEN

        label = self.tree.layout.name(page.path).label
        data = self.read(page.path) if data is None else data
        lines = claims_in(tuple(self._read_entries(data, page.path, label)))
        cited = self.lookup([id for line in lines for id in line.claim.sources])
        erased = {id for id, entry in cited.items() if FORGOTTEN in entry.text}
        erased = erased if any(not digest.strip("0") for digest in written_from.values()) else set()

        def stands(claim: Claim) -> bool:
            return all(map(self.resolves, claim.sources)) and erased.isdisjoint(claim.sources)

        found = zip(self.claims(page, data), lines, strict=True)
        return tuple(claim for claim, line in found if stands(line.claim))

    def claims(self, page: File, data: bytes | None = None) -> tuple[Claim, ...]:
        """Return a page's claims with the sources that resolve; a claim without one cites itself.

        `data` is an earlier version of the page.

        A claim is trusted if it is not marked unverified and nothing it cites is untrusted, so
        removing the mark by hand does not make it trusted.
        """
        from lithify.markdown.pages import claims_in

        label = self.tree.layout.name(page.path).label
        data = self.read(page.path) if data is None else data
        found = tuple(self._read_entries(data, page.path, label))
        own = {entry.line: entry for entry in self._with_origins(found)}
        lines = claims_in(found)
        cited = self.lookup([id for line in lines for id in line.claim.sources])
        claims = []
        for line in lines:
            sources = tuple(id for id in line.claim.sources if id in cited or self.resolves(id))
            sources = sources or (own[line.number].id,)
            grounds = [cited[id] for id in sources if id in cited] or [own[line.number]]
            trusted = line.claim.trusted and all(entry.trusted for entry in grounds)
            claims.append(replace(line.claim, sources=sources, trusted=trusted))
        return tuple(claims)

    def cited_by(self, page: File) -> list[str]:
        """Return the ids that a page of claims names."""
        from lithify.markdown.pages import read_summary

        def make() -> list[str]:
            lines = read_summary(self.read(page.path))
            return [id for line in lines for id in line.claim.sources]

        found: list[str] = self.made(page.path, "cited", "", make)
        return found

    def memories(self) -> dict[str, TypedMemory]:
        """Return every typed memory on disk by its path; one that names no source cites itself."""
        if unread := self.shelf.typed.keys() - self._memories.keys():
            self._memories.update((path, self._memory_made(path)) for path in unread)
            self.keep()
        return {path: known for path in self.shelf.typed if (known := self._memories[path])}

    def _memory_made(self, path: str) -> TypedMemory | None:
        fields: Any = self.made(path, "memory", "", lambda: self.memory(path, self.read(path)))
        # JSON knows no tuples.
        as_tuples = (tuple(f) if isinstance(f, list) else f for f in fields or ())
        return TypedMemory._make(as_tuples) if fields else None

    def memory(self, path: str, data: bytes) -> TypedMemory | None:
        """Return a typed memory from the bytes of its file, without credentials."""
        from lithify.markdown.pages import read_typed

        memory = read_typed(self.without_secrets(data), path)
        if memory is None:
            return None
        label = self.tree.layout.name(path).label
        entries = self._read_entries(data, path, label)
        own = [e.id for e in entries if "Superseded" not in e.headings]
        # A topic is identified by its slug; ASCII names from other tools are kept as they are.
        topic = memory.topic if memory.topic.isascii() else slug(memory.topic)
        return memory._replace(topic=topic, sources=memory.sources or tuple(own[:1]))

    def wisdom(self) -> tuple[WisdomEntry, ...]:
        """Return the entries in force; each keeps its own bytes, to be written again as it stands."""
        from lithify.markdown.pages import read_wisdom

        if self.shelf.wisdom is None:
            return ()
        data = self.read(self.shelf.wisdom.path)
        if self._wisdom[0] != data:
            # A credential of several lines may take an entry apart; each is known by its first line.
            shown = {line: now for now, line in read_wisdom(self.without_secrets(data))}
            hidden = WisdomEntry("[secret]", "[secret]", ())
            self._wisdom = (
                data,
                tuple(
                    shown.get(line, hidden)._replace(raw=own.raw) for own, line in read_wisdom(data)
                ),
            )
        return self._wisdom[1]

    def stands(self, page: File) -> bool:
        """Tell whether every source that a page of claims or wisdom cites is still there."""
        if page.path not in self._standing:
            cited: Iterable[str] = self.cited_by(page) if page != self.shelf.wisdom else ()
            if page == self.shelf.wisdom:
                cited = (id for entry in self.wisdom() for id in entry.sources)
            self._standing[page.path] = all(map(self.resolves, cited))
            self.keep()
        return self._standing[page.path]

    def is_ours(self, path: str) -> bool:
        """Tell whether a page has the bytes that the journal recorded last."""
        file = self.file(path)
        return file is not None and self.ledger.pages.files.get(path) == file.sha256


def _type_of(data: bytes) -> str | None:
    from lithify.markdown.pages import memory_type_of

    return memory_type_of(data)
