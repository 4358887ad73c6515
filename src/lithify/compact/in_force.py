"""The memories of a root that are in force, as every command and page shows them.

`in_force` puts together what the journal, the files and the days say now. A mark that no compaction
has taken up yet counts already, and what it replaces does not.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from lithify.calendar import week_of
from lithify.compact.marks import Mark, marks_in, memory_of_mark, triggers_in, untaken
from lithify.compact.memories import fold, path_of
from lithify.compact.plan import Ask, plan
from lithify.compact.snapshot import Snapshot
from lithify.compact.standing import Standing, StatementKey, key_of, statements_of, words_key
from lithify.text.occurrences import FORGOTTEN
from lithify.text.sentences import said_words
from lithify.trust import may_rule
from lithify.values import GUARDS, NO_GUARD, Entry, Guard, MemoryType, Speaker, TypedMemory

#: A statement of fewer words is too common to be found within another sentence.
_TELLING = 3

Status = Literal["marked", "accepted", "found", "adopted", "held", "superseded", "dropped", "ended"]


class Remembered(NamedTuple):
    """A memory in force, one that was, or a mark that waits for a person: it is `held`.

    What no file has yet has no path. `adopted` are files from other tools or edited by hand; they
    stay as they are. `by` says who marked or accepted it, and it ends after the day `until`. What is
    `superseded`, `dropped` or `ended` is no longer in force, since the day `on`; `because` holds the
    words that took its place, and `reason` what whoever dropped it said. `whose` says in words whose it
    is; `when` are the moments that it concerns, `named` those that an agent named when it was asked,
    `guard` what a client does then.
    """

    id: str
    status: Status
    type: MemoryType
    text: str
    sources: tuple[str, ...]
    updated: str
    path: str = ""
    trusted: bool = True
    name: str = ""
    by: Speaker = ""
    until: str = ""
    on: str = ""
    because: str = ""
    reason: str = ""
    whose: str = ""
    when: tuple[str, ...] = ()
    guard: Guard = ""
    named: tuple[str, ...] = ()


class InForce:
    """What holds on a day: the files of memories, marks not taken up yet, and what holds no more.

    Without a day nothing has ended; with `waiting`, marks count that no compaction has taken up.
    """

    def __init__(
        self, snapshot: Snapshot, today: str = "", waiting: tuple[TypedMemory, ...] = ()
    ) -> None:
        lessons = snapshot.ledger.lessons
        self._snapshot, self.today, self.waiting = snapshot, today, waiting
        if self.waiting:
            marked = dict(lessons.marked)
            week = max((*marked, *lessons.found), default="")
            marked[week] = (*marked.get(week, ()), *self.waiting)
            lessons = lessons._replace(marked=marked)
        self._folded = fold(snapshot, lessons, today)
        self.standing: Standing = self._folded.standing

    @cached_property
    def files(self) -> Mapping[str, TypedMemory]:
        """The memories on disk by path, each with its basis and with what it states in force."""
        snapshot, known = self._snapshot, self._snapshot.memories()
        own = {path_of(snapshot, key, known): memory for key, memory in self._folded.known.items()}
        found = {}
        for path, memory in sorted(known.items()):
            texts = [t for t in statements_of(memory) if self._holds(memory, t)]
            if not texts:
                continue
            said = memory._replace(statement="\n\n".join(texts))
            if snapshot.is_ours(path) and path in own:
                said = said._replace(basis=own[path].basis, by=own[path].by)
            found[path] = said
        return found

    def _holds(self, memory: TypedMemory, text: str) -> bool:
        key = (memory.type, words_key(text))
        known = self.standing.statements.get(key, memory)
        return text != FORGOTTEN and self.standing.holds(key) and not self.is_hidden(known.sources)

    def is_hidden(self, sources: Collection[str]) -> bool:
        """Tell whether something rests on nothing but entries that a person is asked to forget."""
        hidden = self._snapshot.ledger.captures.hidden
        return bool(hidden and sources) and hidden.issuperset(sources)

    def entries(self, ids: Sequence[str]) -> Mapping[str, Entry]:
        """Return the entries of the days behind ids."""
        return self._snapshot.lookup([id for id in ids if id])

    def is_of_a_person(self, id: str) -> bool:
        """Tell whether an entry is what a person asked to keep."""
        return any(id in one.sources and one.by == "person" for one in self.statements)

    @cached_property
    def statements(self) -> tuple[TypedMemory, ...]:
        """What is in force, one statement each where somebody marked or accepted it, oldest first.

        What a writer found, and files of others, are whole.
        """
        marked: dict[StatementKey, TypedMemory] = {}
        whole = []
        for path, memory in self.files.items():
            if memory.basis == "found" or not self._snapshot.is_ours(path):
                whole.append(memory)
                continue
            for text in statements_of(memory):
                key = (memory.type, words_key(text))
                one = self.standing.statements.get(key, memory._replace(statement=text))
                marked[key] = one._replace(topic=memory.topic)
        for memory in self.waiting:
            if self.standing.holds(key_of(memory)) and not self.is_hidden(memory.sources):
                marked.setdefault(key_of(memory), memory)
        order = {key: n for n, key in enumerate(self.standing.statements)}
        ordered = sorted(marked, key=lambda key: order.get(key, -1))
        return (*whole, *(marked[key] for key in ordered))

    def remembered(self) -> Iterator[Remembered]:
        """Yield the memories in force, by their files; then marks that have none yet."""
        for path, memory in self.files.items():
            ours = self._snapshot.is_ours(path)
            status: Status = memory.basis if ours else "adopted"
            known = [s for key in _keys(memory) if (s := self.standing.statements.get(key))]
            when = dict.fromkeys(trigger for one in known for trigger in one.when)
            guard = next((g for g in GUARDS[:2] if any(one.guard == g for one in known)), NO_GUARD)
            memory = memory._replace(when=tuple(when), guard=guard)
            yield self._listed(memory, status, _id(path))._replace(path=path)
        filed = {key for memory in self.files.values() for key in _keys(memory)}
        for memory in self.waiting:
            if key_of(memory) not in filed and self._holds(memory, memory.statement):
                filed.add(key_of(memory))
                yield self.as_remembered(memory)

    def named_by(self, ref: str) -> str:
        """Return the words of the one statement that rests on an entry; another name is given back."""
        said = [one.statement for one in self.standing.statements.values() if ref in one.sources]
        return said[0] if len(said) == 1 else ref

    def _listed(self, memory: TypedMemory, status: Status, id: str) -> Remembered:
        return _remembered(memory, status, id)._replace(whose=self.whose(memory, status))

    def whose(self, memory: TypedMemory, status: Status = "marked") -> str:
        """Say in words whose a memory is: the person's, the agent's, or a writer's.

        What a file says, of another tool or a day of it, was not seen to be asked for by anybody.
        """
        if status == "adopted":
            return "a note in another tool's file"
        if memory.basis == "found":
            return "found by a writer"
        if memory.by == "agent":
            return "the agent's note"
        if memory.basis == "accepted":
            return "accepted by the person"
        origins = {entry.origin for entry in self._snapshot.lookup(memory.sources).values()}
        return "the person's words" if "user" in origins else "a labelled line in a file"

    def gone(self) -> Iterator[Remembered]:
        """Yield the statements that are no longer in force, oldest first."""
        for key, out in self.standing.out.items():
            memory = self.standing.statements.get(key)
            if memory is None:
                continue
            after = self.standing.statements.get((key[0], out.successor))
            reason = self._snapshot.ledger.lessons.reasons.get(key[1], "")
            yield self._listed(memory, out.state, key[1][:8])._replace(
                on=out.on,
                because=after.statement if after else "",
                reason=reason if out.state == "dropped" else "",
            )

    @cached_property
    def _withdrawn(self) -> tuple[frozenset[str], frozenset[str]]:
        """The words and lines of what was marked and holds no more, or waits for a person."""
        known, lessons = self.standing.statements, self._snapshot.ledger.lessons
        back = lessons.undone | lessons.dropped.keys()
        marked = (memory for memories in lessons.marked.values() for memory in memories)
        out = [known[key] for key in self.standing.out if key in known]
        if (confirm := self._snapshot.settings.memories.confirm) != "off":
            held = (m for m in _marks(self._snapshot) if not m.holds(confirm))
            out += [m for mark in held if key_of(m := memory_of_mark(mark)) not in known]
        out += [m for m in marked if words_key(m.statement) in back]
        words = filter(None, (said_words(memory.statement) for memory in out))
        return frozenset(words), frozenset(id for memory in out for id in memory.sources)

    def tells_withdrawn(self, text: str, sources: Collection[str]) -> bool:
        """Tell whether a text says what holds no more, or rests on nothing but lines that say it.

        A statement of one or two words is said by a text that has no others.
        """
        words, lines = self._withdrawn
        said = said_words(text)
        if said in words or any(_within(gone, said) for gone in words):
            return True
        return (bool(sources) and lines.issuperset(sources)) or self.is_hidden(sources)

    def conflicts(self) -> Iterator[tuple[Remembered, Remembered]]:
        """Yield the pairs in force that may contradict each other, the newer first."""
        for newer, older in self.standing.conflicts:
            yield self.as_remembered(newer), self.as_remembered(older)

    def as_remembered(self, statement: TypedMemory) -> Remembered:
        """Return a statement in force as it is listed, with the file it stands in."""
        key = key_of(statement)
        path = next((p for p, m in self.files.items() if key in _keys(m)), "")
        id = _id(path) if path else key[1][:8]
        return self._listed(statement, statement.basis, id)._replace(path=path)


def _keys(memory: TypedMemory) -> set[StatementKey]:
    return {(memory.type, words_key(text)) for text in statements_of(memory)}


def _remembered(memory: TypedMemory, status: Status, id: str) -> Remembered:
    return Remembered(
        *(id, status, memory.type, memory.statement, memory.sources, memory.updated),
        name=memory.name,
        by=memory.by,
        until=memory.until,
        when=memory.when,
        guard=memory.guard,
    )


def _within(statement: str, text: str) -> bool:
    """Tell whether a text has all words of a longer statement, one after the other."""
    if statement not in text or len(statement.split()) < _TELLING:
        return False
    return bool(re.search(rf"(?<!\w){re.escape(statement)}(?!\w)", text))


def _id(path: str) -> str:
    """Return the id of a memory by its file."""
    return hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()


def _marks(snapshot: Snapshot) -> Iterator[Mark]:
    """Yield the marks of all days."""
    return marks_in(snapshot, [one.path for pages in snapshot.shelf.days.values() for one in pages])


def held_marks(snapshot: Snapshot) -> tuple[Remembered, ...]:
    """Return the marks that only a person can make memories of, oldest first, the same words once.

    They are an agent's where `memories.confirm` says so, and those of lines that are not trusted: of
    these, `memories.max_per_week` a week at most, so that no text from outside buries the others.
    """
    options, lessons = snapshot.settings.memories, snapshot.ledger.lessons
    gone = lessons.outdated.keys() | snapshot.ledger.captures.hidden
    marks = [mark for mark in _marks(snapshot) if mark.entry.id not in gone]
    snapshot.keep()
    said = (text for memory in snapshot.memories().values() for text in statements_of(memory))
    decided = {words_key(text) for text in said} | lessons.dropped.keys()
    decided |= {words_key(memory.statement) for memory in lessons.accepted.values()}
    decided |= {words_key(mark.statement) for mark in marks if mark.holds(options.confirm)}
    found: dict[str, Remembered] = {}
    number: Counter[str] = Counter()
    for mark in marks:
        entry, words = mark.entry, words_key(mark.statement)
        if mark.holds(options.confirm) or words in found:
            continue
        may, day = may_rule(entry.origin), entry.day.isoformat() if entry.day else ""
        if not may:
            week = week_of(entry.day) if entry.day else ""
            # Those decided on count too: a week that was gone through must not show ever more.
            number[week] += 1
            if number[week] > options.max_per_week:
                continue
        one = Remembered(
            words[:8], "held", mark.type, mark.statement, (entry.id,), day, trusted=may
        )
        whose = "the agent's note" if may else ""
        found[words] = one._replace(whose=whose, when=triggers_in(mark.when))
    return tuple(one for words, one in found.items() if words not in decided)


def in_force(snapshot: Snapshot, ask: Ask | None = None) -> InForce:
    """Return what is in force; on the day of `ask`, and with the marks that wait for a compaction."""
    if ask is None:
        return InForce(snapshot)
    waiting = tuple(untaken(snapshot, plan(snapshot, ask)))
    return InForce(snapshot, ask.today.isoformat(), waiting)
