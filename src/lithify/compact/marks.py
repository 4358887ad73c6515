"""Marks: lines of a day that begin with a label such as `Rule:` and say it on that line.

A mark is somebody's own word that this should last, so it becomes a memory without anyone
judging it. Code, quotes and fences are other entries and mark nothing.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lithify.markdown.entries import normalise
from lithify.store.names import slug
from lithify.trust import is_trusted, may_rule
from lithify.values import Basis, Entry, MemoryType, TypedMemory

if TYPE_CHECKING:
    from lithify.compact.snapshot import Snapshot

#: The labels that are built in, in lower case, each with the type of memory it makes.
LABELS: Mapping[str, MemoryType] = {
    "remember": "project",
    "rule": "feedback",
    "lesson": "feedback",
    "preference": "user",
    "reference": "reference",
}
#: The types that say how work is done: what marks one is a rule.
RULES: frozenset[MemoryType] = frozenset({"feedback", "user"})

_NAME, _DESCRIPTION, _TOPIC = 60, 160, 52
_CLOCK = (
    r"[*_`]{0,3}\[?(?:\d{4}-\d\d-\d\d[ T])?\d{1,2}[:h]\d{2}(?::\d{2})?(?: ?[ap]\.?m\b\.?)?\]?"
    r"[*_`]{0,3}(?:\s*[-–—:|]\s+|\s+)"
)
_BEFORE = rf"\s*(?:(?:[-*+•◦▪‣]|\d{{1,9}}[.)])\s+)?(?:\[[ x]\]\s+)?(?:{_CLOCK})?"
_INDENTED_CODE = re.compile(r"(?: {4}| {0,3}\t)")


class Mark(NamedTuple):
    """One marked statement and the entry it stands in."""

    type: MemoryType
    statement: str
    entry: Entry

    @property
    def holds(self) -> bool:
        """Whether the entry's origin makes the mark a memory; otherwise it is a suggestion."""
        origin = self.entry.origin
        return may_rule(origin) if self.type in RULES else is_trusted(origin)


def marks_in(snapshot: Snapshot, paths: Sequence[str]) -> Iterator[Mark]:
    """Every mark in the days at `paths`, in their order."""
    begins = _pattern(snapshot.settings.memories.labels)
    for path in paths:
        marked = [
            entry
            for entry in snapshot.entries([path])
            if entry.kind in ("item", "paragraph", "lead") and begins.match(entry.text)
        ]
        lines = snapshot.read(path).decode("utf-8", "replace").split("\n") if marked else []
        for entry in marked:
            own = lines[entry.line - 1 : entry.end_line]
            for kind, statement in _statements(entry, own, begins):
                yield Mark(kind, snapshot.redacted(statement), entry)


def _statements(
    entry: Entry, lines: Sequence[str], begins: re.Pattern[str]
) -> Iterator[tuple[MemoryType, str]]:
    """The statements of an entry; each line that begins with a label begins another."""
    if entry.kind == "paragraph" and _INDENTED_CODE.match(lines[0]):
        return
    starts = [n for n, line in enumerate(lines) if begins.match(line.lstrip("\ufeff"))]
    single = starts == [0]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        first = begins.match(lines[start].lstrip("\ufeff"))
        whole = entry.text if single else normalise("\n".join(lines[start:end]))
        match = begins.match(whole)
        if not first or not match or not _is_said(_rest(first)):
            continue
        statement = _rest(match)
        # A line that only introduces the list under it says nothing by itself.
        if not (entry.kind == "lead" and statement.endswith((":", "："))):
            yield LABELS.get(match["label"].casefold(), "project"), statement


def _rest(match: re.Match[str]) -> str:
    """What stands after the label, without the emphasis that a label or a whole line is set in."""
    opened, rest = match["open"], match["rest"].strip()
    if not opened:
        return f"{match['close']}{rest}".strip()
    return rest if match["mid"] or match["close"] else rest.removesuffix(opened).strip()


def _is_said(text: str) -> bool:
    return any(sign.isalnum() for sign in text)


@lru_cache(maxsize=8)
def _pattern(labels: tuple[str, ...]) -> re.Pattern[str]:
    known = sorted({*LABELS, *labels}, key=lambda label: (-len(label), label))
    names = "|".join(re.escape(unicodedata.normalize("NFC", label)) for label in known)
    return re.compile(
        rf"{_BEFORE}(?P<open>[*_]{{0,3}})(?P<label>{names})(?P<mid>[*_]{{0,3}})\s?[:：]"
        r"(?P<close>[*_]{0,3})(?P<rest>.*)",
        re.IGNORECASE | re.DOTALL,
    )


def memory_of(
    kind: MemoryType, statement: str, entries: Sequence[Entry], basis: Basis
) -> TypedMemory:
    """A memory in the words that were said, named by its first ones."""
    bare = normalise(re.sub(r"\*+|`+", "", statement))
    days = [entry.day.isoformat() for entry in entries if entry.day]
    return TypedMemory(
        type=kind,
        topic=topic_of(bare),
        name=first_words(bare, _NAME),
        description=first_words(bare, _DESCRIPTION),
        statement=statement,
        sources=tuple(dict.fromkeys(entry.id for entry in entries)),
        updated=max(days, default=""),
        basis=basis,
    )


def first_words(text: str, most: int) -> str:
    """The beginning of a text, cut between two words where it has any."""
    if len(text) > most:
        cut = text[: most + 1]
        text = cut.rpartition(" ")[0] if " " in cut else cut[:most]
    return text.strip().rstrip(".,;:!?。，；：！？")


def topic_of(text: str) -> str:
    """A topic that follows from the words; two statements that differ have two topics."""
    topic = slug(text)
    if len(topic) < _TOPIC:
        return topic
    head = topic[: _TOPIC - 9].rpartition("-")[0] or topic[: _TOPIC - 9]
    return f"{head}-{words_key(text)[:8]}"


@lru_cache(maxsize=1 << 13)
def words_key(text: str) -> str:
    """A digest of the words of a statement: case, emphasis and the last full stop do not count."""
    bare = unicodedata.normalize("NFKC", re.sub(r"\*+|`+", "", text)).casefold()
    said = " ".join(bare.split()).rstrip(".!。！ ")
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
