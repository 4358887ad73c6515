"""Typed memories: what each week taught, folded in the order of the weeks, and their files.

The journal keeps what each week's days taught. The files follow from all of it, so a late or
edited day gives the same files as if it had always been so.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import count
from operator import attrgetter
from typing import Any

from lithify.compact import briefs
from lithify.compact.journaled import ledger_form, memory_data
from lithify.compact.memory_names import bare, named
from lithify.compact.shelf import gone_memories
from lithify.compact.snapshot import Snapshot
from lithify.compact.workspace import Result, Status, Workspace
from lithify.engines.base import Engine
from lithify.markdown.pages import render_typed
from lithify.store.names import slug
from lithify.values import Basis, Brief, Entry, MemoryType, Task, TypedMemory, Usage
from lithify.verify import Failed, Refused
from lithify.verify.doubts import content_stems, overlap, say_same

#: Share of words by which two statements of a writer say the same.
SAME = 0.75
#: Below this share of common words two statements on one topic are two matters.
ONE_MATTER = 0.15

#: Later than any record of the journal.
_NOW = 1 << 60
#: What a memory says, whenever and by whom.
_words = attrgetter("type", "topic", "statement", "why", "how")

Key = tuple[str, str]
Known = dict[Key, TypedMemory]
Lessons = Mapping[str, Sequence[TypedMemory]]

_RANK: Mapping[Basis, int] = {"found": 0, "accepted": 1, "marked": 2}
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f]")
_TOPIC = 52


def memory_of(
    kind: MemoryType, statement: str, entries: Sequence[Entry], basis: Basis
) -> TypedMemory:
    """A memory with these words as its statement, named by its first words."""
    days = [entry.day.isoformat() for entry in entries if entry.day]
    sources = tuple(dict.fromkeys(entry.id for entry in entries))
    updated = max(days, default="")
    memory = TypedMemory(kind, "", "", "", statement, sources, updated=updated, basis=basis)
    return named(memory)._replace(topic=topic_of(bare(statement)))


def topic_of(text: str) -> str:
    """A topic made from the words, different for different statements."""
    topic = slug(text)
    if len(topic) < _TOPIC:
        return topic
    head = topic[: _TOPIC - 9].rpartition("-")[0] or topic[: _TOPIC - 9]
    return f"{head}-{words_key(text)[:8]}"


@lru_cache(maxsize=1 << 13)
def words_key(text: str) -> str:
    """A digest of a statement's words that ignores case, emphasis and the last full stop."""
    bare = unicodedata.normalize("NFKC", re.sub(r"\*+|`+", "", text)).casefold()
    said = " ".join(bare.split()).rstrip(".!。！ ")
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


# Memories merged


def fold_lessons(lessons: Lessons, bases: Iterable[TypedMemory] = ()) -> Known:
    """Every memory by type and topic, after all the weeks, on top of what was there before."""
    known: Known = {(memory.type, memory.topic): memory for memory in bases}
    for week in sorted(lessons):
        for memory in lessons[week]:
            put(memory, known)
    return known


def put(memory: TypedMemory, known: Known) -> Key:
    """Add a memory to those known, or merge it into the one on its topic; returns its key."""
    key = _place(memory, known)
    before = known.get(key)
    now = merged(before, memory) if before else memory
    known[key] = now._replace(topic=key[1])
    return key


def _place(memory: TypedMemory, known: Known) -> Key:
    """The key of a memory: that of one that says the same, its own topic, or a new one."""
    own = (memory.type, memory.topic)
    if own in known and same(known[own], memory):
        return own
    words, is_found = words_key(memory.statement), memory.basis == "found"
    for key, other in known.items():
        if key[0] == memory.type and (
            words_key(other.statement) == words or (is_found and same(other, memory))
        ):
            return key
    if own not in known or _replaces(memory, known[own]):
        return own
    free = ((memory.type, f"{memory.topic}-{n}") for n in count(2))
    return next(key for key in free if key not in known or _replaces(memory, known[key]))


def _replaces(new: TypedMemory, old: TypedMemory) -> bool:
    """Whether a memory on the same topic may take an older one's place."""
    if new.basis == "found" != old.basis:
        return False
    return overlap(_terms(new.statement), _terms(old.statement)) >= ONE_MATTER


def _terms(text: str) -> frozenset[str]:
    """The words of a text, and pairs of signs in scripts without spaces."""
    letters = "".join(_UNSPACED.findall(text))
    return content_stems(text) | {letters[n : n + 2] for n in range(len(letters) - 1)}


def same(one: TypedMemory, other: TypedMemory) -> bool:
    """Whether two memories say the same: both found, in nearly the same words; else in the same."""
    if words_key(one.statement) == words_key(other.statement):
        return True
    if one.basis != "found" or other.basis != "found":
        return False
    return say_same(one.statement, other.statement, SAME)


def merged(older: TypedMemory, newer: TypedMemory) -> TypedMemory:
    """Merge two memories on one topic: the newer statement holds, the older is superseded."""
    alike = (older.basis == "found") is (newer.basis == "found")
    if newer.updated < older.updated and alike:
        older, newer = newer, older
    sources = tuple(dict.fromkeys([*older.sources, *newer.sources]))
    superseded = tuple(dict.fromkeys([*older.superseded, *newer.superseded]))
    updated = max(older.updated, newer.updated)
    if same(older, newer):
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
    before = f"{older.updated or 'earlier'}: {' '.join(older.statement.split())}"
    return newer._replace(
        description=newer.description or older.description,
        sources=sources,
        updated=updated,
        superseded=tuple(dict.fromkeys([*superseded, before])),
    )


# The memories of a root


def memories_brief(snapshot: Snapshot, task: Task, *, combined: bool) -> Brief:
    """The brief of a week's trusted entries and the known memories; no memory rests on others."""
    found = snapshot.entries(list(task.sources))
    entries = [entry for entry in found if entry.trusted and not entry.quoted]
    known = known_before(snapshot, task.period)
    return briefs.typed_brief(task, entries, known, snapshot.settings, combined=combined)


def known_before(snapshot: Snapshot, week: str) -> tuple[TypedMemory, ...]:
    """The memories known when a week is read: earlier weeks', marked ones, and foreign ones.

    What a writer found in the week itself is left out. Otherwise a rebuilt week would see it as
    known, not teach it again, and so remove it.
    """
    ledger = snapshot.ledger
    folded = fold(
        snapshot,
        {w: memories for w, memories in ledger.found.items() if w < week},
        {w: memories for w, memories in ledger.marked.items() if w <= week},
    )
    for path, memory in sorted(snapshot.memories().items()):
        if not snapshot.is_ours(path):
            folded[(memory.type, memory.topic)] = memory
    return tuple(folded[key] for key in sorted(folded))


def fold(snapshot: Snapshot, found: Lessons, marked: Lessons) -> Known:
    """The memories that follow from what was found and marked, without what a person dropped."""
    bases = _bases(snapshot)
    lessons = _since_bases(snapshot, found, marked, bases)
    taken = _taken(snapshot)
    own = {week: [_apart(memory, taken) for memory in lessons[week]] for week in lessons}
    return fold_lessons(own, [memory for memory, _ in bases])


def _taken(snapshot: Snapshot) -> Known:
    """The memories in files that were never ours."""
    ours = snapshot.ledger.files
    return {(m.type, m.topic): m for path, m in snapshot.memories().items() if path not in ours}


def _apart(memory: TypedMemory, taken: Known) -> TypedMemory:
    """The memory under a name that no file of others has for another matter."""
    for topic in (memory.topic, *(f"{memory.topic}-{n}" for n in range(2, len(taken) + 2))):
        other = taken.get((memory.type, topic))
        if other is None or same(other, memory) or _replaces(memory, other):
            return memory._replace(topic=topic)
    raise AssertionError("there are more names than files")


def lessons_in_order(snapshot: Snapshot) -> Iterator[TypedMemory]:
    """All memories that those in force are folded from, in the order of folding."""
    bases = _bases(snapshot)
    lessons = _since_bases(snapshot, snapshot.ledger.found, snapshot.ledger.marked, bases)
    yield from (memory for memory, _ in bases)
    yield from (memory for week in sorted(lessons) for memory in lessons[week])


def write_memories(workspace: Workspace, task: Task, engine: Engine, time: str) -> Result:
    """Write what an engine finds in one week, and the files that change.

    The offline engine finds nothing itself; it keeps what a model found while its lines exist.
    """
    snapshot = workspace.snapshot
    if engine.extractive:
        before = snapshot.ledger.found.get(task.period, ())
        found = tuple(m for m in before if all(map(snapshot.resolves, m.sources)))
        facts = workspace.facts(task, engine.name, Usage(), ())
        return commit_found(workspace, task, found, (), facts, time)
    combined = snapshot.settings.weekly.style == "combined"
    brief = memories_brief(snapshot, task, combined=combined)
    written = workspace.have_written(brief, engine, task)
    verdict, audit = written.verdict, written.audit
    spent = written.usage + audit.usage if audit else written.usage
    if isinstance(verdict, Failed):
        return workspace.failed(task, verdict, engine, spent, time)
    most = snapshot.settings.memories.max_per_week
    reason = f"a week has at most {most} found memories (memories.max_per_week)"
    beyond = [Refused(f"{m.type}_{m.topic}: {m.statement}", (reason,)) for m in verdict.memories]
    refused = (*verdict.refused, *beyond[most:])
    found = tuple(map(named, verdict.memories[:most]))
    noted = workspace.audit_facts(engine, audit) if found else None
    facts = workspace.facts(task, engine.name, written.usage, refused, noted)
    done = commit_found(workspace, task, found, refused, facts, time)
    return replace(done, usage=spent, audit=audit)


def commit_found(
    workspace: Workspace,
    task: Task,
    found: Sequence[TypedMemory],
    refused: Sequence[Refused],
    facts: dict[str, Any],
    time: str,
) -> Result:
    """Put what was found in a week in force: the files that change, and what the journal notes."""
    snapshot, ledger = workspace.snapshot, workspace.snapshot.ledger
    lessons = {**ledger.found, task.period: tuple(map(ledger_form, found))}
    files, bases = changes(snapshot, lessons, ledger.marked)
    engine = str(facts["engine"])
    facts["found"] = [memory_data(memory) for memory in found]
    workspace.quarantine(task, refused, "", engine, time)
    keep_bases(workspace, files, bases)
    workspace.commit(files, {**facts, **({"bases": bases} if bases else {})}, time)
    if files:
        snapshot.rescan()
    status: Status = "written" if files else "unchanged"
    return Result(task, status, files=tuple(files), refused=len(refused), engine=engine)


# Files


def keep_bases(
    workspace: Workspace, files: Mapping[str, bytes | None], bases: Mapping[str, str]
) -> None:
    """Keep the foreign files that ours build upon, even if the new file has the same bytes."""
    for path, sha256 in bases.items():
        # A commit keeps what it replaces, but a file with the same bytes is not replaced.
        if data := files.get(path):
            workspace.keep(path, sha256, data)


def changes(
    snapshot: Snapshot, found: Lessons, marked: Lessons
) -> tuple[dict[str, bytes | None], dict[str, str]]:
    """The files that change with these lessons, and the foreign files they build upon."""
    ledger, known = snapshot.ledger, snapshot.memories()
    gone = gone_memories(snapshot.shelf, ledger)
    folded = fold(snapshot, found, marked)
    news = _news(snapshot, found, marked)
    files: dict[str, bytes | None] = {}
    built_upon: dict[str, str] = {}
    kept = set()
    for key, memory in folded.items():
        path = _path(snapshot, key, known)
        page = snapshot.shelf.typed.get(path)
        kept.add(path)
        if page is not None and not snapshot.is_ours(path):
            # A foreign or edited file is changed only by what is newly learned.
            if key not in news or path not in known:
                continue
            memory = merged(known[path], news[key])._replace(topic=key[1])
            built_upon[path] = page.sha256
        data, digest = _file(memory)
        if digest != ledger.files.get(path) or path in gone:
            files[path] = data
    for path in [*snapshot.shelf.typed, *gone]:
        if path not in kept and (path in gone or snapshot.is_ours(path)):
            files[path] = None
    return files, built_upon


def _news(snapshot: Snapshot, found: Lessons, marked: Lessons) -> Known:
    """The lessons that the journal does not hold yet."""
    news: Known = {}
    ledger, taken = snapshot.ledger, _taken(snapshot)
    for now, held in ((found, ledger.found), (marked, ledger.marked)):
        for week, memories in now.items():
            before = {_words(memory) for memory in held.get(week, ())}
            new = (_apart(m, taken) for m in memories if _words(m) not in before)
            news.update(((m.type, m.topic), m) for m in new)
    return news


def bases_of(snapshot: Snapshot) -> dict[str, Basis]:
    """The basis of each memory of ours by its path; foreign ones are left out."""
    ledger, known = snapshot.ledger, snapshot.memories()
    folded = fold(snapshot, ledger.found, ledger.marked)
    paths = {_path(snapshot, key, known): memory.basis for key, memory in folded.items()}
    return {path: basis for path, basis in paths.items() if snapshot.is_ours(path)}


@lru_cache(maxsize=1 << 12)
def _file(memory: TypedMemory) -> tuple[bytes, str]:
    """A memory's file and its digest; cached, because most memories do not change in a week."""
    data = render_typed(memory)
    return data, hashlib.sha256(data).hexdigest()


def _path(snapshot: Snapshot, key: tuple[str, str], known: Mapping[str, TypedMemory]) -> str:
    """The file of a topic: ours by its name, or a foreign one on that topic."""
    own = snapshot.shelf.path("_".join(key))
    if own in snapshot.shelf.typed:
        return own
    return next((path for path, m in known.items() if (m.type, m.topic) == key), own)


def _bases(snapshot: Snapshot) -> list[tuple[TypedMemory, int]]:
    """The foreign memories that ours build upon, as they were, each with its journal number."""
    found = []
    for path, (sha256, seq) in sorted(snapshot.ledger.bases.items()):
        data = snapshot.version(path, sha256)
        if data is None and snapshot.file(path):
            # Its copy is lost; the file that was made from it is the best that is left.
            data = snapshot.read(path)
        memory = snapshot.memory(path, data) if data is not None else None
        if memory and words_key(memory.statement) not in snapshot.ledger.dropped:
            found.append((memory, seq))
    return found


def _since_bases(
    snapshot: Snapshot,
    found: Lessons,
    marked: Lessons,
    bases: Sequence[tuple[TypedMemory, int]],
) -> dict[str, tuple[TypedMemory, ...]]:
    """What the weeks taught, without what was dropped or what a foreign file has replaced."""
    ledger = snapshot.ledger
    since = {(memory.type, memory.topic): seq for memory, seq in bases}

    def counts(memory: TypedMemory, seq: int) -> bool:
        return (
            seq >= since.get((memory.type, memory.topic), 0)
            and words_key(memory.statement) not in ledger.dropped
        )

    result = {}
    for week in found.keys() | marked.keys():
        commit = ledger.commits.get(f"typed:{week}")
        found_at, marked_at = commit.seq if commit else _NOW, ledger.marked_at.get(week, _NOW)
        # What was found comes first, so that a mark of the same week overrides it.
        result[week] = (
            *(m for m in found.get(week, ()) if counts(m, found_at)),
            *(m for m in marked.get(week, ()) if counts(m, marked_at)),
        )
    return result
