"""Suggestions: statements the judge finds worth keeping, and marks in untrusted entries.

They are derived from the days whenever they are asked for, and kept in no file. A suggestion
becomes a memory when it is accepted; a dropped one is not suggested again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from lithify import judge
from lithify.calendar import week_of
from lithify.compact.marks import marks_in
from lithify.compact.snapshot import Snapshot
from lithify.compact.typed import words_key
from lithify.judge.labels import without_clock
from lithify.text import sentences
from lithify.values import Entry, MemoryType


class Suggestion(NamedTuple):
    """A statement that may become a memory, and the entry it stands in."""

    id: str
    type: MemoryType
    statement: str
    entry: Entry

    @property
    def trusted(self) -> bool:
        return self.entry.trusted


def suggestions(snapshot: Snapshot) -> tuple[Suggestion, ...]:
    """The suggestions nobody has decided on, oldest first: at most `memories.max_per_week` a week.

    Untrusted entries have a limit of their own, so that they do not crowd out trusted ones.
    """
    weeks: dict[str, list[str]] = {}
    for day, pages in snapshot.shelf.days.items():
        weeks.setdefault(week_of(day), []).extend(page.path for page in pages)
    return undecided(snapshot, [of_week(snapshot, weeks[week]) for week in sorted(weeks)])


def undecided(snapshot: Snapshot, weeks: Iterable[Iterable[Suggestion]]) -> tuple[Suggestion, ...]:
    """The suggestions of some weeks that nobody has decided on, each once."""
    settled = {words_key(memory.statement) for memory in snapshot.memories().values()}
    settled |= {words_key(memory.statement) for memory in snapshot.ledger.accepted.values()}
    settled |= snapshot.ledger.dropped
    found: dict[str, Suggestion] = {}
    for week in weeks:
        found.update((one.id, one) for one in week if words_key(one.statement) not in settled)
    return tuple(found.values())


def of_week(snapshot: Snapshot, paths: Sequence[str]) -> tuple[Suggestion, ...]:
    """The suggestions of a week's files, decided on or not."""
    most = snapshot.settings.memories.max_per_week
    # Settled ones count toward the limit: a reviewed week must not show ever more.
    lanes = (islice(_of_lane(snapshot, paths, trusted=lane), most) for lane in (True, False))
    return tuple(one for lane in lanes for one in lane)


def _of_lane(snapshot: Snapshot, paths: Sequence[str], *, trusted: bool) -> Iterator[Suggestion]:
    """Each statement of a week once: marks that make no memory, then what the judge finds."""
    marks = [mark for mark in marks_in(snapshot, paths) if mark.entry.trusted is trusted]
    seen = {words_key(mark.statement) for mark in marks if mark.holds}
    told = [(mark.type, mark.statement, mark.entry) for mark in marks if not mark.holds]
    marked = {mark.entry.id for mark in marks}
    plain = [e for e in snapshot.entries(paths) if e.trusted is trusted and e.id not in marked]
    for kind, statement, entry in (*told, *_judged(plain)):
        words = words_key(statement)
        if words not in seen:
            seen.add(words)
            yield Suggestion(words[:8], kind, statement, entry)


def _judged(entries: Sequence[Entry]) -> Iterator[tuple[MemoryType, str, Entry]]:
    language = judge.judged_as(" ".join(entry.text for entry in entries[:400]))
    for entry in entries:
        if entry.kind not in ("item", "paragraph") or entry.quoted:
            continue
        heading = entry.headings[-1] if entry.headings else ""
        for sentence in sentences.split(without_clock(sentences.plain(entry.text))):
            if kind := judge.lasting(sentence, heading, entry.lead, language):
                yield kind, sentence, entry
