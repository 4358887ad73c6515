"""Marks: lines of the days that say that something should last, and the memories made of them.

A mark is a line of a day that begins with a label such as `Rule:`. Whoever writes one says that it
should last, so it becomes a memory whichever engine writes the pages. Code, quotes and fences hold
no marks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any, NamedTuple

from lithify.calendar import parse_day
from lithify.compact.memories import memory_of, week_of_memory
from lithify.compact.plan import weeks_to_read
from lithify.compact.snapshot import Snapshot
from lithify.regex import regex
from lithify.store.names import topic_slug
from lithify.text.labels import memory_labels
from lithify.trust import is_of_a_person, may_rule
from lithify.values import GUARDS, NO_GUARD, Entry, Guard, MemoryType, Speaker, Task, TypedMemory

#: The types that say how work is done. Only some origins may mark them.
RULES: frozenset[MemoryType] = frozenset({"feedback", "user"})

_CLOCK = (
    r"[*_`]{0,3}\[?(?:\d{4}-\d\d-\d\d[ T])?\d{1,2}[:h]\d{2}(?::\d{2})?(?: ?[ap]\.?m\b\.?)?\]?"
    r"[*_`]{0,3}(?:\s*[-–—:|]\s+|\s+)"
)
_BEFORE = rf"\s*(?:(?:[-*+•◦▪‣]|\d{{1,9}}[.)])\s+)?(?:\[[ x]\]\s+)?(?:{_CLOCK})?"
_INDENTED_CODE = regex(r"(?: {4}| {0,3}\t)")
#: A line under a mark that says more of its memory.
_MORE = regex(
    r"\s*[*_]{0,3}(why|how to apply|topic|until|when|guard)[*_]{0,3}\s?:[*_]{0,3}\s*(\S.*)", re.I
)
_GUARD_LINE = regex(rf"\s*[*_]{{0,3}}guard[*_]{{0,3}}\s?:\s*(?:{'|'.join(GUARDS)})\b.*", re.I)
#: The end of a line with which a sentence ends, and so a mark.
_CLOSED = regex(r"[.!?…。！？][\"'”’»)\]*_`]*\s*$")


class Mark(NamedTuple):
    """One marked statement, the entry it stands in, and what the lines under it add."""

    type: MemoryType
    statement: str
    entry: Entry
    why: str = ""
    how: str = ""
    topic: str = ""
    until: str = ""
    when: str = ""
    guard: str = ""

    def holds(self, confirm: str) -> bool:
        """Tell whether the entry's origin makes the mark a memory; if not, it waits for a person.

        Unless `confirm` is off, so does what is not the person's.
        """
        origin = self.entry.origin
        return may_rule(origin) and (confirm == "off" or is_of_a_person(origin))


def marks_in(snapshot: Snapshot, paths: Sequence[str]) -> Iterator[Mark]:
    """Yield every mark in the days at `paths`, in their order."""
    labels = snapshot.settings.memories.labels
    for path in paths:
        make = partial(_marks_made, snapshot, path, labels)
        for place, kind, statement, *more in snapshot.made(path, "marks", repr(labels), make):
            entry = snapshot.with_origin(snapshot.source(path)[place])
            yield Mark(kind, statement, entry, *more)


def _marks_made(snapshot: Snapshot, path: str, labels: tuple[str, ...]) -> list[tuple[Any, ...]]:
    """Return the marks in a file, each with the position of its entry in place of the entry."""
    # Loaded late, like all that reads or writes pages: most runs find no new marks.
    from lithify.markdown.lines import Lines
    from lithify.markdown.quoted import quoted_lines

    begins, holds = _patterns(labels)
    data = snapshot.read(path)
    # Most days have no label, and a long one takes long to parse.
    if not _holds(holds, data.decode("utf-8", "replace")):
        return []
    marked = [
        (place, entry)
        for place, entry in enumerate(snapshot.source(path))
        if entry.kind in ("item", "paragraph", "lead") and _holds(holds, entry.text)
    ]
    lines = snapshot.shown(path).decode("utf-8", "replace").split("\n")
    theirs = quoted_lines(Lines(data)) if any(entry.quoted for _, entry in marked) else b""
    found = []
    for place, entry in marked:
        own = slice(entry.line - 1, entry.end_line)
        for mark in _marks_of(entry, lines[own], theirs[own], begins):
            found.append((place, mark.type, *mark[1:2], *mark[3:]))
    return found


def _holds(label: re.Pattern[str], text: str) -> bool:
    """Return whether a text has a label; the pattern is in small letters, which is found faster."""
    return label.search(unicodedata.normalize("NFC", text).casefold()) is not None


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
        if found
        and not (below_prose and found["label"].islower())
        # Under a mark such a line says what its guard does; it is no mark of its own.
        and not (n and _GUARD_LINE.fullmatch(lines[n]))
    ]
    single = starts == [0] and 1 not in theirs
    for start, end in pairwise([*starts, len(lines)]):
        first = begins.match(lines[start].lstrip("\ufeff"))
        own = lines[start:end]
        more = [(n, found) for n, line in enumerate(own) if (found := _MORE.match(line))]
        said = _up_to_closing(own[: more[0][0]] if more else own)
        whole = entry.text if single and len(said) == len(lines) else normalise("\n".join(said))
        match = begins.match(whole)
        if not first or not match or not any(map(str.isalnum, _rest(first))):
            continue
        statement = _rest(match)
        # A line that only introduces the list under it says nothing by itself.
        if not (entry.kind == "lead" and statement.endswith((":", "："))):
            ends = [*(n for n, _ in more[1:]), len(own)]
            told = {
                (name := found[1].casefold()): normalise(
                    # A topic and a day are one line; a reason may be wrapped.
                    "\n".join(_up_to_closing([found[2], *own[n + 1 : end]]))
                    if name in ("why", "how to apply")
                    else found[2]
                )
                for (n, found), end in zip(more, ends, strict=False)
            }
            if match["label"].casefold() == "guard":
                told.setdefault("guard", "ask")
            yield Mark(
                *(memory_labels().get(match["label"].casefold(), "project"), statement, entry),
                *(
                    told.get(name, "")
                    for name in ("why", "how to apply", "topic", "until", "when", "guard")
                ),
            )


def _up_to_closing(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines up to the one that a sentence ends with: the next belong to something else."""
    ends = (n for n, line in enumerate(lines, 1) if _CLOSED.search(line))
    return lines[: next(ends, len(lines))]


def _rest(match: re.Match[str]) -> str:
    """Return the text after the label, without the emphasis around the label or the whole line."""
    opened, rest = match["open"], match["rest"].strip()
    if not opened:
        return f"{match['close']}{rest}".strip()
    return rest if match["mid"] or match["close"] else rest.removesuffix(opened).strip()


@lru_cache(maxsize=8)
def _patterns(labels: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what a marked line matches, and what any entry with such a line holds."""
    known = sorted({*memory_labels(), *labels}, key=lambda label: (-len(label), label))
    spelled = (re.escape(unicodedata.normalize("NFC", label)) for label in known)
    names = "|".join(spelled).replace(r"\ ", r"\s+").replace("'", "['’ʼ]")
    begins = (
        rf"{_BEFORE}(?P<open>[*_]{{0,3}})(?P<label>{names})(?P<mid>[*_]{{0,3}})\s?[:：]"
        r"(?P<close>[*_]{0,3})(?P<rest>.*)"
    )
    return (
        re.compile(begins, re.IGNORECASE | re.DOTALL),
        re.compile(rf"(?:{names.casefold()})[*_]{{0,3}}\s*[:：]"),
    )


def marked_memories(snapshot: Snapshot, task: Task) -> Iterator[TypedMemory]:
    """Yield the memories of the marks in a week's days, and of those that a person accepted."""
    for mark in marks_in(snapshot, list(task.sources)):
        if mark.holds(snapshot.settings.memories.confirm):
            yield memory_of_mark(mark)
    for memory in snapshot.ledger.lessons.accepted.values():
        if week_of_memory(memory) == task.period and all(
            any(id in snapshot.ids_in(path) for path in task.sources) for id in memory.sources
        ):
            yield memory


def memory_of_mark(mark: Mark) -> TypedMemory:
    """Return the memory that a mark makes; a topic that was given is its name too."""
    made = memory_of(mark.type, mark.statement, [mark.entry], "marked")
    by: Speaker = "person" if is_of_a_person(mark.entry.origin) else "agent"
    until = mark.until if parse_day(mark.until) else ""
    # A guard is the person's alone: of a line whose writer nobody saw it is a proposal.
    guard = guard_named(mark.guard) if mark.entry.origin == "user" else NO_GUARD
    made = made._replace(
        why=mark.why, how=mark.how, by=by, until=until, when=triggers_in(mark.when), guard=guard
    )
    if not mark.topic:
        return made
    name = " ".join(re.split(r"[\s_-]+", mark.topic.strip()))
    return made._replace(topic=topic_slug(mark.type, mark.topic), name=name[:1].upper() + name[1:])


def triggers_in(text: str) -> tuple[str, ...]:
    """Return the triggers that a line under a mark names."""
    return tuple(filter(None, map(str.strip, text.split(";"))))


def guard_named(text: str) -> Guard:
    """Return what a line says that a guard does; empty where it is none of what there is."""
    said = re.match(r"\w*", text.strip().casefold())
    return next((one for one in GUARDS if said and one == said[0]), NO_GUARD)


#: The label by which `remember` marks each type.
_LABEL_OF: Mapping[MemoryType, str] = {
    "project": "Remember",
    "feedback": "Rule",
    "user": "Preference",
    "reference": "Reference",
}


def marked_entry(
    statement: str,
    type: MemoryType = "project",
    *,
    topic: str = "",
    why: str = "",
    how: str = "",
    until: str = "",
    when: Sequence[str] = (),
    guard: str = "",
) -> str:
    """Return the text of a day's entry that marks a statement, as `marks_in` reads it."""
    more = (
        *(("Why", why), ("How to apply", how), ("Topic", topic), ("Until", until)),
        *(("When", "; ".join(when)), ("Guard", guard)),
    )
    said = [f"{_LABEL_OF[type]}: {' '.join(statement.split())}"]
    return "\n".join([*said, *(f"{name}: {' '.join(t.split())}" for name, t in more if t.strip())])


def untaken(snapshot: Snapshot, tasks: Iterable[Task]) -> Iterator[TypedMemory]:
    """Yield the memories of marks that no compaction has taken up yet."""
    for task in weeks_to_read(snapshot, tasks):
        taken = snapshot.ledger.lessons.marked.get(task.period, ())
        known = {memory.statement for memory in taken}
        yield from (m for m in marked_memories(snapshot, task) if m.statement not in known)
    # Not after each week: there may be hundreds, and each time takes as long as many files.
    snapshot.keep()
