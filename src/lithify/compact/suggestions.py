"""Suggestions: statements of the days that may deserve to last, and that nobody has accepted.

A suggestion is a statement the judge finds worth keeping, or a mark in an untrusted entry.
Suggestions are derived from the days whenever they are asked for, and kept in no file; one becomes a
memory when it is accepted, and a dropped one is not suggested again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from lithify.calendar import week_of
from lithify.compact.marks import marks_in, patterns_in
from lithify.compact.snapshot import Snapshot
from lithify.compact.standing import statements_of, words_key
from lithify.trust import may_rule
from lithify.values import Entry, Guard, MemoryType, Speaker

Status = Literal[
    "marked", "accepted", "found", "adopted", "suggested", "superseded", "dropped", "ended"
]


class Remembered(NamedTuple):
    """A memory in force, or a suggestion, which has no path.

    `adopted` are files from other tools or edited by hand; they stay as they are. `by` says who
    marked or accepted it, and it ends after the day `until`. What is `superseded`, `dropped` or
    `ended` is no longer in force, since the day `on`; `because` holds the words that took its place, and
    `reason` what whoever dropped it said. `whose` says in words whose it is; `when` are the moments that
    it concerns, `named` those that an agent named when it was asked, `guard` what a client does then.
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
    settled = {words_key(said) for memory in known for said in statements_of(memory)}
    settled |= {words_key(memory.statement) for memory in snapshot.ledger.lessons.accepted.values()}
    settled |= snapshot.ledger.lessons.dropped.keys()
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
    gone = snapshot.ledger.lessons.outdated.keys() | snapshot.ledger.captures.hidden

    def counts(entry: Entry) -> bool:
        return entry.trusted is trusted and entry.id not in gone

    marks = [mark for mark in marks_in(snapshot, paths) if counts(mark.entry)]
    confirm = snapshot.settings.memories.confirm
    seen = {words_key(mark.statement) for mark in marks if mark.holds(confirm)}
    held = [mark for mark in marks if not mark.holds(confirm)]
    told = [(mark.type, mark.statement, mark.entry) for mark in held]
    marked = {mark.entry.id for mark in marks}
    plain = [e for e in snapshot.entries(paths) if counts(e) and e.id not in marked]
    for kind, statement, entry in (*told, *_judged(plain)):
        words = words_key(statement)
        if words not in seen:
            seen.add(words)
            day, source = entry.day.isoformat() if entry.day else "", (entry.id,)
            may = may_rule(entry.origin)
            one = Remembered(words[:8], "suggested", kind, statement, source, day, trusted=may)
            mark = next((mark for mark in held if mark.statement == statement), None)
            # What an agent asked to keep waits for a person; the rest is only suggested.
            waits = bool(mark) and may and confirm != "off"
            yield one._replace(
                whose="the agent's note" if waits else "",
                when=patterns_in(mark.when) if mark else (),
            )


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
