"""Typed memories: what each week taught, folded in the order of the weeks, and their files.

The journal keeps what each week's days taught. The files follow from all of it, so a late or
edited day gives the same files as if it had always been so. Which statements are in force is
decided in `standing`; here they are put into files, each on one topic.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial, reduce
from itertools import count
from operator import attrgetter
from typing import NamedTuple

from lithify.calendar import parse_day, week_of
from lithify.compact.ledger import NO_LESSONS, Lessons
from lithify.compact.snapshot import Snapshot, gone_memories
from lithify.compact.standing import (
    RANK,
    FindNear,
    Near,
    Standing,
    StatementKey,
    bare,
    near_statements,
    stand,
    statements_of,
    topic_of,
    words_key,
)
from lithify.regex import regex
from lithify.store.names import slug
from lithify.values import Basis, Entry, MemoryType, TypedMemory

# Names and descriptions


_NAME, _DESCRIPTION = 60, 160


def named(memory: TypedMemory) -> TypedMemory:
    """Return a memory with a name and a description, made from its statement if it has none."""
    words = bare(memory.statement)
    return memory._replace(
        name=memory.name or _title(words),
        description=memory.description or _first_words(words, _DESCRIPTION),
    )


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
#: A topic of so few words may name more than one matter.
_BROAD = 2

#: Later than any record of the journal.
_NOW = 1 << 60
#: What a memory says, whenever and by whom.
_words = attrgetter("type", "topic", "statement", "why", "how", "by", "until", "when", "guard")

Key = tuple[str, str]
Known = dict[Key, TypedMemory]

_UNSPACED = regex(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f]")


def memory_of(
    kind: MemoryType, statement: str, entries: Sequence[Entry], basis: Basis
) -> TypedMemory:
    """Return a memory with these words as its statement, named by its first words."""
    days = [entry.day.isoformat() for entry in entries if entry.day]
    sources = tuple(dict.fromkeys(entry.id for entry in entries))
    updated = max(days, default="")
    memory = TypedMemory(kind, "", "", "", statement, sources, updated=updated, basis=basis)
    return named(memory)._replace(topic=topic_of(bare(statement)))


# Memories merged


class Folded(NamedTuple):
    """The memories in force by type and topic, what is in force of all that was said, and where.

    `places` tells the type and topic under which each statement came, also one out of force.
    """

    known: Known
    standing: Standing
    places: Mapping[StatementKey, Key]


def fold_lessons(
    weeks: Mapping[str, Sequence[TypedMemory]],
    bases: Sequence[TypedMemory] = (),
    lessons: Lessons = NO_LESSONS,
    today: str = "",
    near: FindNear | None = None,
) -> Folded:
    """Fold the memories of all weeks by type and topic, on top of what was there before."""
    taught = [memory for week in sorted(weeks) for memory in weeks[week]]
    parts = [base._replace(statement=part) for base in bases for part in statements_of(base)]
    folding = _Folding(stand([*parts, *taught], lessons, today, near))
    for memory in (*bases, *taught):
        folding.put(memory)
    known = {key: memory for key, memory in folding.known.items() if memory.statement}
    return Folded(known, folding.standing, folding.places)


class _Folding:
    """Memories as they are put into files, one after the other in the order they were taught."""

    def __init__(self, standing: Standing) -> None:
        self.known: Known = {}
        self.standing = standing
        self.places: dict[StatementKey, Key] = {}
        self.replaced: dict[StatementKey, list[StatementKey]] = {}
        for older, why in standing.out.items():
            if why.successor:
                self.replaced.setdefault((older[0], why.successor), []).append(older)

    def put(self, memory: TypedMemory) -> None:
        """Add a memory to those known, or merge it into the one on its topic."""
        said = [(memory.type, words_key(text)) for text in statements_of(memory)]
        if all(key not in self.standing.statements for key in said):
            return
        key = self._place(memory, said)
        before = self.known.get(key)
        if before:
            now = self.merged(before, memory)
        else:
            stay, gone = self._in_force(memory)
            superseded = tuple(dict.fromkeys([*memory.superseded, *gone]))
            now = memory._replace(statement="\n\n".join(stay), superseded=superseded)
        self.known[key] = now._replace(topic=key[1])
        self.places.update(dict.fromkeys(said, key))

    def _place(self, memory: TypedMemory, said: Sequence[StatementKey]) -> Key:
        """Return the key of a memory: that of one that says the same or that it replaces, its own
        topic, or a new one.
        """
        known, own = self.known, (memory.type, memory.topic)
        if own in known and _say_same(known[own], memory):
            return own
        for words in said:
            for other in (words, *self.replaced.get(words, ())):
                if other in self.places:
                    return self.places[other]
        if memory.basis == "found":
            for key, other in known.items():
                if key[0] == memory.type and _say_same(other, memory):
                    return key
        return next(
            (memory.type, topic)
            for topic in _topics(memory)
            if (memory.type, topic) not in known or _joins(memory, known[memory.type, topic])
        )

    def merged(self, older: TypedMemory, newer: TypedMemory) -> TypedMemory:
        """Merge two memories on one topic.

        A statement that is not in force any more is listed as superseded; the others stand together,
        the newest first. What a writer found gives way to a mark as a whole.
        """
        alike = (older.basis == "found") is (newer.basis == "found")
        if newer.updated < older.updated and alike:
            older, newer = newer, older
        sources = tuple(dict.fromkeys([*older.sources, *newer.sources]))
        superseded = dict.fromkeys([*older.superseded, *newer.superseded])
        updated = max(older.updated, newer.updated)
        said, gone = self._in_force(newer)
        superseded |= dict.fromkeys(gone)
        if said and _say_same(older, newer):
            richer = max(older, newer, key=lambda m: (RANK[m.basis], len(m.statement)))
            other = older if richer is newer else newer
            return richer._replace(
                name=(older.name if richer.basis == other.basis else "") or richer.name,
                why=newer.why or older.why,
                how=newer.how or older.how,
                sources=sources,
                updated=updated,
                superseded=tuple(superseded),
                by="person" if "person" in (older.by, newer.by) else richer.by,
            )
        before, gone = self._in_force(older)
        superseded |= dict.fromkeys(gone)
        if said and not alike:
            superseded |= dict.fromkeys(self._as_superseded(older, text) for text in before)
            before = []
        known = set(map(words_key, said))
        stay = [text for text in before if words_key(text) not in known]
        leading = newer if said else older
        return leading._replace(
            statement="\n\n".join([*said, *stay]),
            why=newer.why or older.why if stay else leading.why,
            how=newer.how or older.how if stay else leading.how,
            description=leading.description or older.description,
            sources=sources,
            updated=updated,
            superseded=tuple(superseded),
        )

    def _in_force(self, memory: TypedMemory) -> tuple[list[str], list[str]]:
        """Return what a memory states that is in force, and what was superseded, with its day.

        What was dropped is in neither.
        """
        stay, gone = list[str](), list[str]()
        for text in filter(None, statements_of(memory)):
            out = self.standing.out.get((memory.type, words_key(text)))
            if out is None or out.state == "ended":
                stay.append(text)
            elif out.state == "superseded":
                gone.append(self._as_superseded(memory, text))
        return stay, gone

    def _as_superseded(self, memory: TypedMemory, text: str) -> str:
        """Return a statement as it is listed under those that were superseded, with its lines."""
        from lithify.markdown.pages import provenance

        known = self.standing.statements.get((memory.type, words_key(text)))
        day, ids = (known or memory).updated, known.sources if known else ()
        return f"{day or 'earlier'}: {' '.join(text.split())}{provenance(ids)}"


def _topics(memory: TypedMemory) -> Iterator[str]:
    """Yield the topics that a memory may have: its own, else one of its name or of its words."""
    yield memory.topic
    yield slug(memory.name) or memory.topic
    yield topic_of(bare(memory.statement))
    yield from (f"{memory.topic}-{n}" for n in count(2))


def _joins(new: TypedMemory, old: TypedMemory) -> bool:
    """Tell whether a memory belongs into the file of another: both are of one matter.

    A name of a word or two is no matter they share: much may be known about one person.
    """
    from lithify.text.words import overlap

    if new.basis == "found" != old.basis:
        return False
    name = _matter(new.topic.replace("-", " "))
    name = name if len(name) <= _BROAD and new.topic == old.topic else frozenset()
    mine, before = _matter(new.statement) - name, statements_of(old)
    if any(overlap(mine, _matter(said) - name) >= ONE_MATTER for said in before):
        return True
    from lithify.compact.statements import relation

    return any(relation(new.statement, said, one_topic=True) == "replaces" for said in before)


def _matter(text: str) -> frozenset[str]:
    """Return the words of a text; in scripts without spaces pairs of signs count as words."""
    from lithify.text.words import content_stems

    letters = "".join(_UNSPACED.findall(text))
    return content_stems(text) | {letters[n : n + 2] for n in range(len(letters) - 1)}


def _say_same(one: TypedMemory, other: TypedMemory) -> bool:
    """Tell whether two memories have the same words."""
    return words_key(one.statement) == words_key(other.statement)


# The memories of a root


def fold(snapshot: Snapshot, lessons: Lessons, today: str = "") -> Folded:
    """Fold lessons, apart from files of others and on top of those that ours build upon."""
    taken = _taken(snapshot)
    if snapshot.settings.memories.confirm == "all":
        lessons = lessons._replace(found={})
    bases, weeks = _counted(snapshot, lessons)
    own = {week: [_apart(memory, taken) for memory in weeks[week]] for week in weeks}
    return fold_lessons(own, bases, lessons, today, partial(_near_as_kept, snapshot))


def _near_as_kept(
    snapshot: Snapshot, statements: Mapping[StatementKey, TypedMemory]
) -> Iterator[Near]:
    """Yield the statements of one matter, as they were found when the same were compared before."""
    if len(statements) < 2:
        return
    keys = list(statements)
    told = [[*key, m.topic, m.basis, m.by, m.statement] for key, m in statements.items()]

    def make() -> list[tuple[int, int, str]]:
        place = {key: n for n, key in enumerate(keys)}
        return [(place[one], place[other], how) for one, other, how in near_statements(statements)]

    for older, newer, stands in snapshot.made_of_texts("near", repr(told), make):
        yield keys[older], keys[newer], stands


def known_before(snapshot: Snapshot, week: str) -> tuple[TypedMemory, ...]:
    """Return the memories known when a week is read: earlier weeks', marked ones, foreign ones.

    What a writer found in the week itself is left out. Otherwise a rebuilt week would see it as
    known, not teach it again, and so remove it.
    """
    lessons = snapshot.ledger.lessons
    found = {w: memories for w, memories in lessons.found.items() if w < week}
    marked = {w: memories for w, memories in lessons.marked.items() if w <= week}
    known = fold(snapshot, lessons._replace(found=found, marked=marked)).known
    for path, memory in sorted(snapshot.memories().items()):
        if not snapshot.is_ours(path):
            known[(memory.type, memory.topic)] = memory
    return tuple(known[key] for key in sorted(known))


def words_behind(snapshot: Snapshot, path: str) -> set[str]:
    """Return the words of every memory that was folded into a file; any left out would come back."""
    memory = snapshot.memories()[path]
    places = fold(snapshot, snapshot.ledger.lessons).places
    return {words for (_, words), key in places.items() if key == (memory.type, memory.topic)}


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

    What a foreign file has replaced is left out.
    """
    pages, bases, since = snapshot.ledger.pages, list[TypedMemory](), dict[Key, int]()

    def counts(memory: TypedMemory, seq: int) -> bool:
        return seq >= since.get((memory.type, memory.topic), 0)

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
    gone = gone_memories(snapshot)
    news = _news(snapshot, lessons)
    files: dict[str, bytes | None] = {}
    built_upon: dict[str, str] = {}
    kept = set()
    for key, memory in fold(snapshot, lessons).known.items():
        path = path_of(snapshot, key, known)
        page = snapshot.shelf.typed.get(path)
        kept.add(path)
        if page is not None and not snapshot.is_ours(path):
            # A foreign or edited file is changed only by what is newly learned.
            if key not in news or path not in known:
                continue
            memory = _joined(known[path], news[key], lessons)._replace(topic=key[1])
            built_upon[path] = page.sha256
        data, digest = _file(memory)
        if digest != ledger.pages.files.get(path) or path in gone:
            files[path] = data
    for path in [*snapshot.shelf.typed, *gone]:
        if path not in kept and (path in gone or snapshot.is_ours(path)):
            files[path] = None
    return files, built_upon


def _joined(foreign: TypedMemory, news: Sequence[TypedMemory], lessons: Lessons) -> TypedMemory:
    """Return what a file of others says with what is newly learned on its topic."""
    parts = [foreign._replace(statement=part) for part in statements_of(foreign)]
    return reduce(_Folding(stand([*parts, *news], lessons)).merged, news, foreign)


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


def path_of(snapshot: Snapshot, key: Key, known: Mapping[str, TypedMemory]) -> str:
    """Return the file of a topic: ours by its name, or a foreign one on that topic."""
    own = snapshot.shelf.path("_".join(key))
    if own in snapshot.shelf.typed:
        return own
    return next((path for path, m in known.items() if (m.type, m.topic) == key), own)


def week_of_memory(memory: TypedMemory) -> str:
    """Return the week whose days a memory was accepted out of."""
    day = parse_day(memory.updated)
    assert day is not None
    return week_of(day)
