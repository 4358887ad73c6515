"""Typed memories: what each week taught, folded in the order of the weeks, and their files.

The journal keeps what each week's days taught. The files follow from all of it, so a late or
edited day gives the same files as if it had always been so.

A mark is a line of a day that begins with a label such as `Rule:`. Whoever writes one says that it
should last, so it becomes a memory whichever engine writes the pages. Code, quotes and fences hold
no marks. A suggestion is a statement the judge finds worth keeping, or a mark in an untrusted entry.
Suggestions are derived from the days whenever they are asked for, and kept in no file; one becomes a
memory when it is accepted, and a dropped one is not suggested again.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial, reduce
from itertools import count, islice, pairwise
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from lithify.calendar import parse_day, week_of
from lithify.compact.ledger import Lessons
from lithify.compact.plan import weeks_to_read
from lithify.compact.snapshot import Snapshot, gone_memories
from lithify.settings import LABELS
from lithify.store.names import slug
from lithify.trust import is_trusted, may_rule
from lithify.values import Basis, Entry, MemoryType, Task, TypedMemory

# Names and descriptions


_NAME, _DESCRIPTION = 60, 160


def named(memory: TypedMemory) -> TypedMemory:
    """Return a memory with a name and a description, made from its statement if it has none."""
    words = bare(memory.statement)
    return memory._replace(
        name=memory.name or _title(words),
        description=memory.description or _first_words(words, _DESCRIPTION),
    )


def bare(statement: str) -> str:
    """Return a statement on one line without emphasis."""
    from lithify.markdown.parse import normalise

    return normalise(re.sub(r"\*+|`+", "", statement))


def _title(text: str) -> str:
    """Return the first clause of a statement if it is short, else its first words."""
    clause = re.split(r"(?<=\w)[;；。.!?](?:\s|$)", text)[0]
    title = _first_words(clause, _NAME)
    return title[:1].upper() + title[1:] if title.split(" ")[0].isalpha() else title


def _first_words(text: str, most: int) -> str:
    """Return the beginning of a text, cut between two words where it has any."""
    if len(text) > most:
        cut = text[: most + 1]
        text = cut.rpartition(" ")[0] if " " in cut else cut[:most]
    return text.strip().rstrip(".,;:!?。，；：！？")


#: Share of words by which two statements of a writer say the same.
SAME = 0.75
#: Below this share of common words two statements on one topic are two matters.
ONE_MATTER = 0.15
#: Share of words beside which one value differs where the newer statement replaces the older.
ONE_VALUE = 0.7
#: A topic of so few words may name more than one matter.
_BROAD = 2

#: Later than any record of the journal.
_NOW = 1 << 60
#: What a memory says, whenever and by whom.
_words = attrgetter("type", "topic", "statement", "why", "how")

Key = tuple[str, str]
Known = dict[Key, TypedMemory]

_RANK: Mapping[Basis, int] = {"found": 0, "accepted": 1, "marked": 2}
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f]")
_TOPIC = 52


def memory_of(
    kind: MemoryType, statement: str, entries: Sequence[Entry], basis: Basis
) -> TypedMemory:
    """Return a memory with these words as its statement, named by its first words."""
    days = [entry.day.isoformat() for entry in entries if entry.day]
    sources = tuple(dict.fromkeys(entry.id for entry in entries))
    updated = max(days, default="")
    memory = TypedMemory(kind, "", "", "", statement, sources, updated=updated, basis=basis)
    return named(memory)._replace(topic=topic_of(bare(statement)))


def topic_of(text: str) -> str:
    """Return a topic made from the words, different for different statements."""
    topic = slug(text)
    if len(topic) < _TOPIC:
        return topic
    head = topic[: _TOPIC - 9].rpartition("-")[0] or topic[: _TOPIC - 9]
    return f"{head}-{words_key(text)[:8]}"


@lru_cache(maxsize=1 << 13)
def words_key(text: str) -> str:
    """Return a digest of a statement's words that ignores case, emphasis and the last full stop."""
    bare = unicodedata.normalize("NFKC", re.sub(r"\*+|`+", "", text)).casefold()
    said = " ".join(bare.split()).rstrip(".!。！ ")
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


# Memories merged


def fold_lessons(
    lessons: Mapping[str, Sequence[TypedMemory]], bases: Iterable[TypedMemory] = ()
) -> Known:
    """Fold the memories of all weeks by type and topic, on top of what was there before."""
    known: Known = {(memory.type, memory.topic): memory for memory in bases}
    for week in sorted(lessons):
        for memory in lessons[week]:
            _put(memory, known)
    return known


def _put(memory: TypedMemory, known: Known) -> Key:
    """Add a memory to those known, or merge it into the one on its topic; returns its key."""
    key = _place(memory, known)
    before = known.get(key)
    now = _merged(before, memory) if before else memory
    known[key] = now._replace(topic=key[1])
    return key


def _place(memory: TypedMemory, known: Known) -> Key:
    """Return the key of a memory: that of one that says the same, its own topic, or a new one."""
    own = (memory.type, memory.topic)
    if own in known and _say_same(known[own], memory):
        return own
    words, is_found = words_key(memory.statement), memory.basis == "found"
    alike = [(key, other) for key, other in known.items() if key[0] == memory.type]
    for key, other in alike:
        if words in map(words_key, statements(other)) or (is_found and _say_same(other, memory)):
            return key
    if is_found and (own not in known or not _joins(memory, known[own])):
        # A newer value of what stands under another name.
        for key, other in alike:
            if other.basis == "found" and _gives_newer_value(memory, other):
                return key
    topics = _topics(memory)
    return next(
        (memory.type, topic)
        for topic in topics
        if (memory.type, topic) not in known or _joins(memory, known[memory.type, topic])
    )


def _gives_newer_value(new: TypedMemory, old: TypedMemory) -> bool:
    from lithify.text.likeness import replaces

    mine = _matter(new.statement)
    return any(
        len(mine & _matter(said)) >= len(mine) // 2 and replaces(new.statement, said, 1.0)
        for said in statements(old)
    )


def _topics(memory: TypedMemory) -> Iterator[str]:
    """Yield the topics that a memory may have: its own, else one of its name or of its words."""
    yield memory.topic
    yield slug(memory.name) or memory.topic
    yield topic_of(bare(memory.statement))
    yield from (f"{memory.topic}-{n}" for n in count(2))


def statements(memory: TypedMemory) -> list[str]:
    """Return what a memory states; one that others joined states several things, the newest first."""
    return memory.statement.split("\n\n")


def _joins(new: TypedMemory, old: TypedMemory) -> bool:
    """Tell whether a memory belongs into the file of another: both are of one matter.

    A name of a word or two is no matter they share: much may be known about one person.
    """
    from lithify.text.likeness import overlap, replaces

    if new.basis == "found" != old.basis:
        return False
    name = _matter(new.topic.replace("-", " "))
    name = name if len(name) <= _BROAD and new.topic == old.topic else frozenset()
    mine = _matter(new.statement) - name
    return any(
        replaces(new.statement, said, ONE_VALUE)
        or overlap(mine, _matter(said) - name) >= ONE_MATTER
        for said in statements(old)
    )


def _matter(text: str) -> frozenset[str]:
    """Return the words of a text; in scripts without spaces pairs of signs count as words."""
    from lithify.text.likeness import content_stems

    letters = "".join(_UNSPACED.findall(text))
    return content_stems(text) | {letters[n : n + 2] for n in range(len(letters) - 1)}


def _say_same(one: TypedMemory, other: TypedMemory) -> bool:
    """Tell whether two memories say the same; two that were found may nearly do so."""
    if words_key(one.statement) == words_key(other.statement):
        return True
    if one.basis != "found" or other.basis != "found":
        return False
    from lithify.text.likeness import say_same

    return say_same(one.statement, other.statement, SAME)


def _merged(older: TypedMemory, newer: TypedMemory) -> TypedMemory:
    """Merge two memories on one topic.

    A statement that the newer one contradicts is superseded; another one stands below it. What a
    writer found gives way to a mark as a whole.
    """
    from lithify.text.likeness import replaces

    alike = (older.basis == "found") is (newer.basis == "found")
    if newer.updated < older.updated and alike:
        older, newer = newer, older
    sources = tuple(dict.fromkeys([*older.sources, *newer.sources]))
    superseded = tuple(dict.fromkeys([*older.superseded, *newer.superseded]))
    updated = max(older.updated, newer.updated)
    if _say_same(older, newer):
        richer = max(older, newer, key=lambda m: (_RANK[m.basis], len(m.statement)))
        other = older if richer is newer else newer
        return richer._replace(
            name=(older.name if richer.basis == other.basis else "") or richer.name,
            why=newer.why or older.why,
            how=newer.how or older.how,
            sources=sources,
            updated=updated,
            superseded=superseded,
        )
    said = statements(newer)
    known = set(map(words_key, said))
    gone, stay = list[str](), list[str]()
    for text in statements(older):
        if not alike or any(replaces(one, text, ONE_VALUE) for one in said):
            gone.append(f"{older.updated or 'earlier'}: {' '.join(text.split())}")
        elif words_key(text) not in known:
            stay.append(text)
    return newer._replace(
        statement="\n\n".join([*said, *stay]),
        why=newer.why or older.why if stay else newer.why,
        how=newer.how or older.how if stay else newer.how,
        description=newer.description or older.description,
        sources=sources,
        updated=updated,
        superseded=tuple(dict.fromkeys([*superseded, *gone])),
    )


# The memories of a root


def fold(snapshot: Snapshot, lessons: Lessons) -> Known:
    """Fold lessons, apart from files of others and on top of those that ours build upon."""
    taken = _taken(snapshot)
    bases, weeks = _counted(snapshot, lessons)
    own = {week: [_apart(memory, taken) for memory in weeks[week]] for week in weeks}
    return fold_lessons(own, bases)


def known_before(snapshot: Snapshot, week: str) -> tuple[TypedMemory, ...]:
    """Return the memories known when a week is read: earlier weeks', marked ones, foreign ones.

    What a writer found in the week itself is left out. Otherwise a rebuilt week would see it as
    known, not teach it again, and so remove it.
    """
    lessons = snapshot.ledger.lessons
    found = {w: memories for w, memories in lessons.found.items() if w < week}
    marked = {w: memories for w, memories in lessons.marked.items() if w <= week}
    folded = fold(snapshot, lessons._replace(found=found, marked=marked))
    for path, memory in sorted(snapshot.memories().items()):
        if not snapshot.is_ours(path):
            folded[(memory.type, memory.topic)] = memory
    return tuple(folded[key] for key in sorted(folded))


def bases_of(snapshot: Snapshot) -> dict[str, Basis]:
    """Return the basis of each memory of ours by its path; foreign ones are left out."""
    known = snapshot.memories()
    folded = fold(snapshot, snapshot.ledger.lessons)
    paths = {_path(snapshot, key, known): memory.basis for key, memory in folded.items()}
    return {path: basis for path, basis in paths.items() if snapshot.is_ours(path)}


def words_behind(snapshot: Snapshot, path: str) -> set[str]:
    """Return the words of every memory that was folded into a file; any left out would come back."""
    memory = snapshot.memories()[path]
    known: Known = {}
    behind: dict[Key, set[str]] = {}
    bases, weeks = _counted(snapshot, snapshot.ledger.lessons)
    for lesson in (*bases, *(memory for week in sorted(weeks) for memory in weeks[week])):
        behind.setdefault(_put(lesson, known), set()).add(words_key(lesson.statement))
    return behind.get((memory.type, memory.topic), set())


def _taken(snapshot: Snapshot) -> Known:
    """Return the memories in files that were never ours."""
    ours = snapshot.ledger.pages.files
    return {(m.type, m.topic): m for path, m in snapshot.memories().items() if path not in ours}


def _apart(memory: TypedMemory, taken: Known) -> TypedMemory:
    """Return the memory under a name that no file of others has for another matter."""
    for topic in _topics(memory):
        other = taken.get((memory.type, topic))
        if other is None or _say_same(other, memory) or _joins(memory, other):
            return memory._replace(topic=topic)
    raise AssertionError("there are more names than files")


def _counted(
    snapshot: Snapshot, lessons: Lessons
) -> tuple[list[TypedMemory], dict[str, tuple[TypedMemory, ...]]]:
    """Return the foreign memories that ours build upon, as they were, and what each week taught.

    What a person dropped is left out, and so is what a foreign file has replaced.
    """
    pages, bases, since = snapshot.ledger.pages, list[TypedMemory](), dict[Key, int]()

    def counts(memory: TypedMemory, seq: int) -> bool:
        return (
            seq >= since.get((memory.type, memory.topic), 0)
            and words_key(memory.statement) not in lessons.dropped
        )

    for path, (sha256, seq) in sorted(pages.bases.items()):
        data = snapshot.version(path, sha256)
        if data is None and snapshot.file(path):
            # Its copy is lost; the file that was made from it is the best that is left.
            data = snapshot.read(path)
        memory = snapshot.memory(path, data) if data is not None else None
        if memory and counts(memory, _NOW):
            bases.append(memory)
            since[(memory.type, memory.topic)] = seq
    weeks = {}
    for week in lessons.found.keys() | lessons.marked.keys():
        commit = pages.commits.get(f"typed:{week}")
        found_at, marked_at = commit.seq if commit else _NOW, lessons.marked_at.get(week, _NOW)
        # What was found comes first, so that a mark of the same week overrides it.
        weeks[week] = (
            *(m for m in lessons.found.get(week, ()) if counts(m, found_at)),
            *(m for m in lessons.marked.get(week, ()) if counts(m, marked_at)),
        )
    return bases, weeks


# Files


def changed_files(
    snapshot: Snapshot, lessons: Lessons
) -> tuple[dict[str, bytes | None], dict[str, str]]:
    """Return the files that change with these lessons, and the foreign files they build upon."""
    ledger, known = snapshot.ledger, snapshot.memories()
    gone = gone_memories(snapshot.shelf, ledger)
    news = _news(snapshot, lessons)
    files: dict[str, bytes | None] = {}
    built_upon: dict[str, str] = {}
    kept = set()
    for key, memory in fold(snapshot, lessons).items():
        path = _path(snapshot, key, known)
        page = snapshot.shelf.typed.get(path)
        kept.add(path)
        if page is not None and not snapshot.is_ours(path):
            # A foreign or edited file is changed only by what is newly learned.
            if key not in news or path not in known:
                continue
            memory = reduce(_merged, news[key], known[path])._replace(topic=key[1])
            built_upon[path] = page.sha256
        data, digest = _file(memory)
        if digest != ledger.pages.files.get(path) or path in gone:
            files[path] = data
    for path in [*snapshot.shelf.typed, *gone]:
        if path not in kept and (path in gone or snapshot.is_ours(path)):
            files[path] = None
    return files, built_upon


def _news(snapshot: Snapshot, lessons: Lessons) -> dict[Key, list[TypedMemory]]:
    """Return the lessons that the journal does not hold yet."""
    news: dict[Key, list[TypedMemory]] = {}
    noted, taken = snapshot.ledger.lessons, _taken(snapshot)
    for now, before in ((lessons.found, noted.found), (lessons.marked, noted.marked)):
        for week, memories in now.items():
            known = {_words(memory) for memory in before.get(week, ())}
            for new in (_apart(m, taken) for m in memories if _words(m) not in known):
                news.setdefault((new.type, new.topic), []).append(new)
    return news


@lru_cache(maxsize=1 << 12)
def _file(memory: TypedMemory) -> tuple[bytes, str]:
    """Return a memory's file and its digest; cached, because most do not change in a week."""
    from lithify.markdown.pages import render_typed

    data = render_typed(memory)
    return data, hashlib.sha256(data).hexdigest()


def _path(snapshot: Snapshot, key: Key, known: Mapping[str, TypedMemory]) -> str:
    """Return the file of a topic: ours by its name, or a foreign one on that topic."""
    own = snapshot.shelf.path("_".join(key))
    if own in snapshot.shelf.typed:
        return own
    return next((path for path, m in known.items() if (m.type, m.topic) == key), own)


# Marks


#: The types that say how work is done. Only some origins may mark them.
RULES: frozenset[MemoryType] = frozenset({"feedback", "user"})

_CLOCK = (
    r"[*_`]{0,3}\[?(?:\d{4}-\d\d-\d\d[ T])?\d{1,2}[:h]\d{2}(?::\d{2})?(?: ?[ap]\.?m\b\.?)?\]?"
    r"[*_`]{0,3}(?:\s*[-–—:|]\s+|\s+)"
)
_BEFORE = rf"\s*(?:(?:[-*+•◦▪‣]|\d{{1,9}}[.)])\s+)?(?:\[[ x]\]\s+)?(?:{_CLOCK})?"
_INDENTED_CODE = re.compile(r"(?: {4}| {0,3}\t)")
#: A line under a mark that says more of its memory.
_MORE = re.compile(r"\s*[*_]{0,3}(why|how to apply|topic)[*_]{0,3}\s?:[*_]{0,3}\s*(\S.*)", re.I)


class Mark(NamedTuple):
    """One marked statement, the entry it stands in, and what the lines under it add."""

    type: MemoryType
    statement: str
    entry: Entry
    why: str = ""
    how: str = ""
    topic: str = ""

    @property
    def holds(self) -> bool:
        """Tell whether the entry's origin makes the mark a memory; if not, it is a suggestion."""
        origin = self.entry.origin
        return may_rule(origin) if self.type in RULES else is_trusted(origin)


def marks_in(snapshot: Snapshot, paths: Sequence[str]) -> Iterator[Mark]:
    """Yield every mark in the days at `paths`, in their order."""
    labels = snapshot.settings.memories.labels
    for path in paths:
        make = partial(_marks_made, snapshot, path, labels)
        for place, kind, statement, *more in snapshot.made(path, "marks", repr(labels), make):
            yield Mark(kind, statement, snapshot.entry(path, place), *more)
    snapshot.keep()


def _marks_made(snapshot: Snapshot, path: str, labels: tuple[str, ...]) -> list[tuple[Any, ...]]:
    """Return the marks in a file, each with the position of its entry in place of the entry."""
    # Loaded late, like all that reads or writes pages: most runs find no new marks.
    from lithify.markdown.lines import Lines
    from lithify.markdown.quoted import quoted_lines

    begins, holds = _patterns(labels)
    marked = [
        (place, entry)
        for place, entry in enumerate(snapshot.source(path))
        if entry.kind in ("item", "paragraph", "lead") and holds.search(entry.text)
    ]
    data = snapshot.read(path) if marked else b""
    lines = data.decode("utf-8", "replace").split("\n")
    theirs = quoted_lines(Lines(data)) if any(entry.quoted for _, entry in marked) else b""
    found = []
    for place, entry in marked:
        own = slice(entry.line - 1, entry.end_line)
        for mark in _marks_of(entry, lines[own], theirs[own], begins):
            said = map(snapshot.redacted, (mark.statement, mark.why, mark.how, mark.topic))
            found.append((place, mark.type, *said))
    return found


def _marks_of(
    entry: Entry, lines: Sequence[str], theirs: bytes, begins: re.Pattern[str]
) -> Iterator[Mark]:
    """Yield the marks of an entry: each of its own lines that begins with a label begins one.

    Below a line of prose the label has a capital letter: "rule:" there may be wrapped prose too.
    `theirs` has 1 for each line that is somebody else's; it may be empty.
    """
    from lithify.markdown.parse import normalise

    if entry.kind == "paragraph" and _INDENTED_CODE.match(lines[0]):
        return
    lines = [line for n, line in enumerate(lines) if theirs[n : n + 1] != b"\1"]
    labels = [begins.match(line.lstrip("\ufeff")) for line in lines]
    below_prose = not any(labels[:1])
    starts = [
        n
        for n, found in enumerate(labels)
        if found and not (below_prose and found["label"].islower())
    ]
    single = starts == [0] and 1 not in theirs
    for start, end in pairwise([*starts, len(lines)]):
        first = begins.match(lines[start].lstrip("\ufeff"))
        own = lines[start:end]
        more = [(n, found) for n, line in enumerate(own) if (found := _MORE.match(line))]
        said = own[: more[0][0]] if more else own
        whole = entry.text if single and not more else normalise("\n".join(said))
        match = begins.match(whole)
        if not first or not match or not any(map(str.isalnum, _rest(first))):
            continue
        statement = _rest(match)
        # A line that only introduces the list under it says nothing by itself.
        if not (entry.kind == "lead" and statement.endswith((":", "："))):
            told = {found[1].casefold(): found[2].strip() for _, found in more}
            yield Mark(
                *(LABELS.get(match["label"].casefold(), "project"), statement, entry),
                *(told.get(name, "") for name in ("why", "how to apply", "topic")),
            )


def _rest(match: re.Match[str]) -> str:
    """Return the text after the label, without the emphasis around the label or the whole line."""
    opened, rest = match["open"], match["rest"].strip()
    if not opened:
        return f"{match['close']}{rest}".strip()
    return rest if match["mid"] or match["close"] else rest.removesuffix(opened).strip()


@lru_cache(maxsize=8)
def _patterns(labels: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what a marked line matches, and what any entry with such a line holds."""
    known = sorted({*LABELS, *labels}, key=lambda label: (-len(label), label))
    names = "|".join(re.escape(unicodedata.normalize("NFC", label)) for label in known)
    begins = (
        rf"{_BEFORE}(?P<open>[*_]{{0,3}})(?P<label>{names})(?P<mid>[*_]{{0,3}})\s?[:：]"
        r"(?P<close>[*_]{0,3})(?P<rest>.*)"
    )
    return (
        re.compile(begins, re.IGNORECASE | re.DOTALL),
        re.compile(rf"(?:{names})[*_]{{0,3}}\s?[:：]", re.IGNORECASE),
    )


def marked_memories(snapshot: Snapshot, task: Task) -> Iterator[TypedMemory]:
    """Yield the memories of the marks in a week's days, and of suggestions accepted from them."""
    for mark in marks_in(snapshot, list(task.sources)):
        if mark.holds:
            made = memory_of(mark.type, mark.statement, [mark.entry], "marked")
            topic = slug(mark.topic) if mark.topic else made.topic
            yield made._replace(why=mark.why, how=mark.how, topic=topic)
    for memory in snapshot.ledger.lessons.accepted.values():
        if week_of_memory(memory) == task.period and all(
            any(id in snapshot.ids_in(path) for path in task.sources) for id in memory.sources
        ):
            yield memory


#: The label by which `remember` marks each type.
_LABEL_OF: Mapping[MemoryType, str] = {
    "project": "Remember",
    "feedback": "Rule",
    "user": "Preference",
    "reference": "Reference",
}


def marked_entry(
    statement: str, type: MemoryType = "project", *, topic: str = "", why: str = "", how: str = ""
) -> str:
    """Return the text of a day's entry that marks a statement, as `marks_in` reads it."""
    more = (("Why", why), ("How to apply", how), ("Topic", topic))
    said = [f"{_LABEL_OF[type]}: {' '.join(statement.split())}"]
    return "\n".join([*said, *(f"{name}: {' '.join(t.split())}" for name, t in more if t.strip())])


def untaken(snapshot: Snapshot, tasks: Iterable[Task]) -> Iterator[TypedMemory]:
    """Yield the memories of marks that no compaction has taken up yet."""
    for task in weeks_to_read(snapshot, tasks):
        taken = snapshot.ledger.lessons.marked.get(task.period, ())
        known = {memory.statement for memory in taken}
        yield from (m for m in marked_memories(snapshot, task) if m.statement not in known)


def week_of_memory(memory: TypedMemory) -> str:
    """Return the week whose days a memory was accepted out of."""
    day = parse_day(memory.updated)
    assert day is not None
    return week_of(day)


# Suggestions


class Remembered(NamedTuple):
    """A memory in force, or a suggestion, which has no path.

    `adopted` are files from other tools or edited by hand; they stay as they are.
    """

    id: str
    status: Literal["marked", "accepted", "found", "adopted", "suggested"]
    type: MemoryType
    text: str
    sources: tuple[str, ...]
    updated: str
    path: str = ""
    trusted: bool = True


def suggestions(snapshot: Snapshot) -> tuple[Remembered, ...]:
    """Return the suggestions without a decision, oldest first: `memories.max_per_week` a week.

    Untrusted entries have a limit of their own, so that they do not crowd out trusted ones.
    """
    weeks: dict[str, list[str]] = {}
    for day, pages in snapshot.shelf.days.items():
        weeks.setdefault(week_of(day), []).extend(page.path for page in pages)
    return undecided(snapshot, [of_week(snapshot, weeks[week]) for week in sorted(weeks)])


def undecided(snapshot: Snapshot, weeks: Iterable[Iterable[Remembered]]) -> tuple[Remembered, ...]:
    """Return the suggestions of some weeks that nobody has decided on, each once."""
    known = snapshot.memories().values()
    settled = {words_key(said) for memory in known for said in statements(memory)}
    settled |= {words_key(memory.statement) for memory in snapshot.ledger.lessons.accepted.values()}
    settled |= snapshot.ledger.lessons.dropped
    found: dict[str, Remembered] = {}
    for week in weeks:
        found.update((one.id, one) for one in week if words_key(one.text) not in settled)
    return tuple(found.values())


def of_week(snapshot: Snapshot, paths: Sequence[str]) -> tuple[Remembered, ...]:
    """Return the suggestions of a week's files, decided on or not."""
    most = snapshot.settings.memories.max_per_week
    # Settled ones count toward the limit: a reviewed week must not show ever more.
    lanes = (islice(_of_lane(snapshot, paths, trusted=lane), most) for lane in (True, False))
    return tuple(one for lane in lanes for one in lane)


def _of_lane(snapshot: Snapshot, paths: Sequence[str], *, trusted: bool) -> Iterator[Remembered]:
    """Yield each statement of a week once: marks that make no memory, then what the judge finds."""
    marks = [mark for mark in marks_in(snapshot, paths) if mark.entry.trusted is trusted]
    seen = {words_key(mark.statement) for mark in marks if mark.holds}
    told = [(mark.type, mark.statement, mark.entry) for mark in marks if not mark.holds]
    marked = {mark.entry.id for mark in marks}
    plain = [e for e in snapshot.entries(paths) if e.trusted is trusted and e.id not in marked]
    for kind, statement, entry in (*told, *_judged(plain)):
        words = words_key(statement)
        if words not in seen:
            seen.add(words)
            day, source = entry.day.isoformat() if entry.day else "", (entry.id,)
            yield Remembered(words[:8], "suggested", kind, statement, source, day, trusted=trusted)


def _judged(entries: Sequence[Entry]) -> Iterator[tuple[MemoryType, str, Entry]]:
    # A compaction that finds nothing due loads no judge.
    from lithify.judge import lasting, without_clock
    from lithify.text import sentences
    from lithify.text.language import judged_as

    language = judged_as(" ".join(entry.text for entry in entries[:400]))
    for entry in entries:
        if entry.kind not in ("item", "paragraph") or entry.quoted:
            continue
        heading = entry.headings[-1] if entry.headings else ""
        for sentence in sentences.split(without_clock(sentences.plain(entry.text))):
            if kind := lasting(sentence, heading, entry.lead, language):
                yield kind, sentence, entry
