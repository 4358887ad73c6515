"""A week's typed memories: drawn from its days, folded with all the others, committed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache

from lithify.compact import briefs, typed
from lithify.compact.desk import Desk, Result
from lithify.compact.ledger import memory_data, memory_from
from lithify.compact.plan import gone_memories
from lithify.compact.snapshot import Snapshot
from lithify.engines.base import Engine
from lithify.markdown.pages import render_typed
from lithify.values import Brief, Task, TypedMemory
from lithify.verify import Failed

#: Later than any record of the journal.
_NOW = 1 << 60


def memories_brief(snapshot: Snapshot, task: Task, *, combined: bool) -> Brief:
    """A week's trusted entries and the memories that exist. The untrusted feed no memory."""
    entries = [e for e in snapshot.entries(list(task.sources)) if e.trusted]
    known = known_before(snapshot, task.period)
    return briefs.typed_brief(task, entries, known, snapshot.settings, combined=combined)


def known_before(snapshot: Snapshot, week: str) -> tuple[TypedMemory, ...]:
    """What was known when a week began: all that earlier weeks taught, and others' memories.

    What the week itself taught is not among it: a rebuilt week would find it already
    recorded, teach it no more, and so take it away.
    """
    ledger = snapshot.ledger
    bases = _bases(snapshot)
    earlier = {w: memories for w, memories in ledger.extracted.items() if w < week}
    folded = snapshot.folding.fold(
        _since_bases(snapshot, earlier, bases), [memory for memory, _ in bases]
    )
    for path, memory in sorted(snapshot.memories().items()):
        if not snapshot.is_ours(path):
            folded[(memory.type, memory.topic)] = memory
    return tuple(folded[key] for key in sorted(folded))


def write_memories(desk: Desk, task: Task, engine: Engine, time: str) -> Result:
    """What one week taught, and the files that change by it."""
    snapshot = desk.snapshot
    combined = snapshot.settings.weekly.style == "combined" and not engine.extractive
    brief = memories_brief(snapshot, task, combined=combined)
    written = desk.have_written(brief, engine, task)
    verdict = written.verdict
    if isinstance(verdict, Failed):
        return desk.failed(task, verdict, engine, written.usage, time)
    files, bases = _changes(snapshot, task.period, verdict.memories)
    facts = desk.facts(task, engine, written.usage, verdict.refused)
    facts["memories"] = [memory_data(memory) for memory in verdict.memories]
    if bases:
        facts["bases"] = bases
    desk.quarantine(task, verdict.refused, "", engine, time)
    for path, sha256 in bases.items():
        # A commit keeps what it replaces; a file that says the same already is not replaced.
        if data := files.get(path):
            desk.keep(path, sha256, data)
    desk.commit(files, facts, time)
    if files:
        snapshot.rescan()
    return Result(
        task,
        "written" if files else "unchanged",
        files=tuple(files),
        refused=len(verdict.refused),
        usage=written.usage,
        engine=engine.name,
    )


def _changes(
    snapshot: Snapshot, week: str, taught: Sequence[TypedMemory]
) -> tuple[dict[str, bytes | None], dict[str, str]]:
    """The files that change when a week teaches this, and the foreign ones built upon."""
    ledger, known = snapshot.ledger, snapshot.memories()
    gone = gone_memories(snapshot.shelf, ledger)
    # The journal's form is the one every later fold sees; fold what it will say.
    lessons = tuple(memory_from(memory_data(memory)) for memory in taught)
    bases = _bases(snapshot)
    extracted = _since_bases(snapshot, {**ledger.extracted, week: lessons}, bases)
    folded = snapshot.folding.fold(extracted, [memory for memory, _ in bases])
    taught_before = {_words(memory) for memory in ledger.extracted.get(week, ())}
    news = {(m.type, m.topic): m for m in lessons if _words(m) not in taught_before}
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
        if memory:
            found.append((memory, seq))
    return found


def _since_bases(
    snapshot: Snapshot,
    extracted: Mapping[str, Sequence[TypedMemory]],
    bases: Sequence[tuple[TypedMemory, int]],
) -> dict[str, tuple[TypedMemory, ...]]:
    """What the weeks taught, less what a foreign file already stood in the place of."""
    since = {(memory.type, memory.topic): seq for memory, seq in bases}
    commits = snapshot.ledger.commits
    result = {}
    for week, memories in extracted.items():
        commit = commits.get(f"typed:{week}")
        seq = commit.seq if commit else _NOW
        result[week] = tuple(m for m in memories if seq >= since.get((m.type, m.topic), 0))
    return result
