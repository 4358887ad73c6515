"""Marks: lines of a day that begin with a label such as `Rule:`, and the memories they make.

Whoever writes a mark says that it should last, so it becomes a memory whichever engine writes
the pages. Code, quotes and fences hold no marks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from lithify.calendar import parse_day, week_of
from lithify.compact.journaled import ledger_form, memory_data
from lithify.compact.ledger import Ledger
from lithify.compact.shelf import gone_memories
from lithify.compact.snapshot import Snapshot
from lithify.compact.workspace import Result, Workspace
from lithify.markdown.entries import normalise
from lithify.markdown.lines import Lines
from lithify.markdown.quoted import quoted_lines
from lithify.settings import LABELS
from lithify.store.names import slug
from lithify.trust import is_trusted, may_rule
from lithify.values import Entry, MemoryType, Task, TypedMemory

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
        """Whether the entry's origin makes the mark a memory; if not, it is a suggestion."""
        origin = self.entry.origin
        return may_rule(origin) if self.type in RULES else is_trusted(origin)


def marks_in(snapshot: Snapshot, paths: Sequence[str]) -> Iterator[Mark]:
    """Every mark in the days at `paths`, in their order."""
    begins, holds = _patterns(snapshot.settings.memories.labels)
    for path in paths:
        marked = [
            entry
            for entry in snapshot.entries([path])
            if entry.kind in ("item", "paragraph", "lead") and holds.search(entry.text)
        ]
        data = snapshot.read(path) if marked else b""
        lines = data.decode("utf-8", "replace").split("\n")
        theirs = quoted_lines(Lines(data)) if any(entry.quoted for entry in marked) else b""
        for entry in marked:
            own = slice(entry.line - 1, entry.end_line)
            for mark in _marks_of(entry, lines[own], theirs[own], begins):
                yield mark._replace(
                    statement=snapshot.redacted(mark.statement),
                    why=snapshot.redacted(mark.why),
                    how=snapshot.redacted(mark.how),
                )


def _marks_of(
    entry: Entry, lines: Sequence[str], theirs: bytes, begins: re.Pattern[str]
) -> Iterator[Mark]:
    """The marks of an entry: each of its own lines that begins with a label begins one.

    Below a line of prose the label has a capital letter: "rule:" there may be wrapped prose too.
    `theirs` has 1 for each line that is somebody else's; it may be empty.
    """
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
        if not first or not match or not _is_said(_rest(first)):
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
    """The text after the label, without the emphasis around the label or the whole line."""
    opened, rest = match["open"], match["rest"].strip()
    if not opened:
        return f"{match['close']}{rest}".strip()
    return rest if match["mid"] or match["close"] else rest.removesuffix(opened).strip()


def _is_said(text: str) -> bool:
    return any(sign.isalnum() for sign in text)


@lru_cache(maxsize=8)
def _patterns(labels: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What a marked line matches, and what any entry with such a line holds."""
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


def weeks_to_read(snapshot: Snapshot, tasks: Iterable[Task]) -> Iterator[Task]:
    """The weeks whose days changed since they were read for marks, or whose marked files are gone.

    A week with a missing day waits until the day is back or a person accepts that it is gone.
    """
    ledger = snapshot.ledger
    weeks = {task.period: task for task in tasks if task.tier == "typed"}
    for week in ledger.marked.keys() - weeks.keys():
        weeks[week] = Task("typed", week, "stale")
    gone_files = set(gone_memories(snapshot.shelf, ledger).values())
    for week, task in sorted(weeks.items()):
        now, recorded = dict(task.sources), _read_for_marks(ledger, week)
        gone = [path for sources in recorded for path in sources if path not in now]
        if all(_is_let_go(ledger, path) for path in gone) and (
            now not in recorded or f"marks:{week}" in gone_files
        ):
            yield task


def _read_for_marks(ledger: Ledger, week: str) -> list[dict[str, str]]:
    """The days of a week as they were when they were last read for marks."""
    commits = (ledger.commits.get(f"{tier}:{week}") for tier in ("marks", "typed"))
    return [dict(commit.sources) for commit in commits if commit]


def _is_let_go(ledger: Ledger, path: str) -> bool:
    return path in ledger.removed or ledger.files.get(path, "") is None


def take_up_marks(workspace: Workspace, task: Task, begin: Callable[[], str]) -> Result | None:
    """Make memories of the marks in a week's days, beside the suggestions accepted from them."""
    snapshot, ledger, week = workspace.snapshot, workspace.snapshot.ledger, task.period
    marked = tuple(ledger_form(memory) for memory in _marked(snapshot, task))
    gone = f"marks:{week}" in gone_memories(snapshot.shelf, ledger).values()
    typed_commit = ledger.commits.get(task.key)
    # If the week is still to be written, that commit will record that its days were read.
    is_noted_later = typed_commit is None or dict(typed_commit.sources) != dict(task.sources)
    if marked == ledger.marked.get(week, ()) and not gone and is_noted_later:
        return None
    # Most runs find no new mark, and need not load what folds memories.
    from lithify.compact.typed import changes, keep_bases

    time = begin()
    files, bases = changes(snapshot, ledger.found, {**ledger.marked, week: marked})
    facts: dict[str, object] = {
        "task": f"marks:{week}",
        "sources": dict(task.sources),
        "marked": [memory_data(memory) for memory in marked],
    }
    keep_bases(workspace, files, bases)
    workspace.commit(files, {**facts, **({"bases": bases} if bases else {})}, time)
    if not files:
        return None
    snapshot.rescan()
    return Result(task, "written", "marked in its days", files=tuple(files))


def _marked(snapshot: Snapshot, task: Task) -> Iterator[TypedMemory]:
    for mark in marks_in(snapshot, list(task.sources)):
        if mark.holds:
            yield memory_from_mark(mark)
    here = {entry.id for entry in snapshot.entries(list(task.sources))}
    for memory in snapshot.ledger.accepted.values():
        if week_of_memory(memory) == task.period and here.issuperset(memory.sources):
            yield memory


def memory_from_mark(mark: Mark) -> TypedMemory:
    """The memory that a mark makes."""
    from lithify.compact.typed import memory_of

    made = memory_of(mark.type, mark.statement, [mark.entry], "marked")
    return made._replace(
        why=mark.why, how=mark.how, topic=slug(mark.topic) if mark.topic else made.topic
    )


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
    """The text of a day's entry that marks a statement, as `marks_in` reads it."""
    more = (("Why", why), ("How to apply", how), ("Topic", topic))
    said = [f"{_LABEL_OF[type]}: {' '.join(statement.split())}"]
    return "\n".join([*said, *(f"{name}: {' '.join(t.split())}" for name, t in more if t.strip())])


def untaken(snapshot: Snapshot, tasks: Iterable[Task]) -> Iterator[TypedMemory]:
    """The memories of marks that no compaction has taken up yet."""
    for task in weeks_to_read(snapshot, tasks):
        known = {
            words
            for memory in snapshot.ledger.marked.get(task.period, ())
            for words in [memory.statement]
        }
        for memory in _marked(snapshot, task):
            if memory.statement not in known:
                yield memory


def week_of_memory(memory: TypedMemory) -> str:
    """The week whose days a memory was accepted out of."""
    day = parse_day(memory.updated)
    assert day is not None
    return week_of(day)
