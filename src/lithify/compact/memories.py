"""A week's typed memories: marked in its days or found by a writer, folded with all the others."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from lithify.compact import briefs, typed
from lithify.compact.desk import Desk, Result
from lithify.compact.ledger import Ledger, ledger_form, memory_data
from lithify.compact.marks import words_key
from lithify.compact.plan import gone_memories
from lithify.compact.snapshot import Snapshot
from lithify.engines.base import Engine
from lithify.markdown.pages import render_typed
from lithify.values import Basis, Brief, Task, TypedMemory, Usage
from lithify.verify import Failed, Refused

#: Later than any record of the journal.
_NOW = 1 << 60

Lessons = Mapping[str, Sequence[TypedMemory]]


def memories_brief(snapshot: Snapshot, task: Task, *, combined: bool) -> Brief:
    """A week's trusted entries and the memories that exist. The untrusted feed no memory."""
    entries = [e for e in snapshot.entries(list(task.sources)) if e.trusted]
    known = known_before(snapshot, task.period)
    return briefs.typed_brief(task, entries, known, snapshot.settings, combined=combined)


def known_before(snapshot: Snapshot, week: str) -> tuple[TypedMemory, ...]:
    """What is known when a week is read: what earlier weeks taught, marks, and others' memories.

    What a writer found in the week itself is not among it: a rebuilt week would find it already
    recorded, teach it no more, and so take it away.
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


def fold(snapshot: Snapshot, found: Lessons, marked: Lessons) -> typed.Known:
    """The memories that follow from what was found and marked, less what a person dropped."""
    bases = _bases(snapshot)
    lessons = _since_bases(snapshot, found, marked, bases)
    return snapshot.folding.fold(lessons, [memory for memory, _ in bases])


def lessons_in_order(snapshot: Snapshot) -> Iterator[TypedMemory]:
    """Everything that the memories in force are folded from, in that order."""
    bases = _bases(snapshot)
    lessons = _since_bases(snapshot, snapshot.ledger.found, snapshot.ledger.marked, bases)
    yield from (memory for memory, _ in bases)
    yield from (memory for week in sorted(lessons) for memory in lessons[week])


def write_memories(desk: Desk, task: Task, engine: Engine, time: str) -> Result:
    """What a writer finds in one week, and the files that change by it.

    The offline engine finds nothing by itself; what a model found stays while its lines do.
    """
    snapshot = desk.snapshot
    if engine.extractive:
        before = snapshot.ledger.found.get(task.period, ())
        found = tuple(m for m in before if all(map(snapshot.resolves, m.sources)))
        return _commit_found(desk, task, engine, found, (), time, Usage())
    combined = snapshot.settings.weekly.style == "combined"
    brief = memories_brief(snapshot, task, combined=combined)
    written = desk.have_written(brief, engine, task)
    verdict = written.verdict
    if isinstance(verdict, Failed):
        return desk.failed(task, verdict, engine, written.usage, time)
    most = snapshot.settings.memories.max_per_week
    reason = f"a week has at most {most} found memories (memories.max_per_week)"
    beyond = [Refused(f"{m.type}_{m.topic}: {m.statement}", (reason,)) for m in verdict.memories]
    refused = (*verdict.refused, *beyond[most:])
    return _commit_found(desk, task, engine, verdict.memories[:most], refused, time, written.usage)


def _commit_found(
    desk: Desk,
    task: Task,
    engine: Engine,
    found: Sequence[TypedMemory],
    refused: Sequence[Refused],
    time: str,
    usage: Usage,
) -> Result:
    snapshot, ledger = desk.snapshot, desk.snapshot.ledger
    lessons = {**ledger.found, task.period: tuple(map(ledger_form, found))}
    files, bases = changes(snapshot, lessons, ledger.marked)
    facts = desk.facts(task, engine, usage, refused)
    facts["found"] = [memory_data(memory) for memory in found]
    desk.quarantine(task, refused, "", engine, time)
    keep_bases(desk, files, bases)
    desk.commit(files, {**facts, **({"bases": bases} if bases else {})}, time)
    if files:
        snapshot.rescan()
    return Result(
        task,
        "written" if files else "unchanged",
        files=tuple(files),
        refused=len(refused),
        usage=usage,
        engine=engine.name,
    )


# Files


def keep_bases(desk: Desk, files: Mapping[str, bytes | None], bases: Mapping[str, str]) -> None:
    """Keep foreign files that are built upon, also where the new file says the same already."""
    for path, sha256 in bases.items():
        # A commit keeps what it replaces; a file that says the same already is not replaced.
        if data := files.get(path):
            desk.keep(path, sha256, data)


def changes(
    snapshot: Snapshot, found: Lessons, marked: Lessons
) -> tuple[dict[str, bytes | None], dict[str, str]]:
    """The files that change when the weeks teach this, and the foreign ones built upon."""
    ledger, known = snapshot.ledger, snapshot.memories()
    gone = gone_memories(snapshot.shelf, ledger)
    folded = fold(snapshot, found, marked)
    news = _news(ledger, found, marked)
    files: dict[str, bytes | None] = {}
    built_upon: dict[str, str] = {}
    kept = set()
    for key, memory in folded.items():
        path = _path(snapshot, key, known)
        page = snapshot.shelf.typed.get(path)
        kept.add(path)
        if page is not None and not snapshot.is_ours(path):
            # Another's words, or a hand's: only what is newly learned goes on top of them.
            if key not in news or path not in known:
                continue
            memory = typed.merged(known[path], news[key])._replace(topic=key[1])
            built_upon[path] = page.sha256
        data, digest = _file(memory)
        if digest != ledger.files.get(path) or path in gone:
            files[path] = data
    for path in [*snapshot.shelf.typed, *gone]:
        if path not in kept and (path in gone or snapshot.is_ours(path)):
            files[path] = None
    return files, built_upon


def _news(ledger: Ledger, found: Lessons, marked: Lessons) -> typed.Known:
    """The lessons that the journal does not hold yet."""
    news: typed.Known = {}
    for now, held in ((found, ledger.found), (marked, ledger.marked)):
        for week, memories in now.items():
            before = {_words(memory) for memory in held.get(week, ())}
            news.update(((m.type, m.topic), m) for m in memories if _words(m) not in before)
    return news


def bases_of(snapshot: Snapshot) -> dict[str, Basis]:
    """On whose word each memory of ours rests, by its path; another's rests on none."""
    ledger, known = snapshot.ledger, snapshot.memories()
    folded = fold(snapshot, ledger.found, ledger.marked)
    paths = {_path(snapshot, key, known): memory.basis for key, memory in folded.items()}
    return {path: basis for path, basis in paths.items() if snapshot.is_ours(path)}


@lru_cache(maxsize=1 << 12)
def _file(memory: TypedMemory) -> tuple[bytes, str]:
    """A memory's file and its digest; from one week to the next most stay what they were."""
    data = render_typed(memory)
    return data, hashlib.sha256(data).hexdigest()


def _words(memory: TypedMemory) -> tuple[str, ...]:
    return (memory.type, memory.topic, memory.statement, memory.why, memory.how)


def _path(snapshot: Snapshot, key: tuple[str, str], known: Mapping[str, TypedMemory]) -> str:
    """The file of a topic: ours by its name, or another's that speaks of it."""
    own = snapshot.shelf.path("_".join(key))
    if own in snapshot.shelf.typed:
        return own
    return next((path for path, m in known.items() if (m.type, m.topic) == key), own)


def _bases(snapshot: Snapshot) -> list[tuple[TypedMemory, int]]:
    """Foreign memories that were built upon, as they were before, and when that was."""
    found = []
    for path, (sha256, seq) in sorted(snapshot.ledger.bases.items()):
        data = snapshot.version(path, sha256)
        if data is None and snapshot.file(path):
            # Its copy is lost: what was made of it holds the most that is left of it.
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
    """What the weeks taught, less what was dropped and what a foreign file stood in the place of."""
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
        # What was found comes first: a mark of the same week has the last word.
        result[week] = (
            *(m for m in found.get(week, ()) if counts(m, found_at)),
            *(m for m in marked.get(week, ()) if counts(m, marked_at)),
        )
    return result
