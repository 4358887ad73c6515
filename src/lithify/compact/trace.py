"""Where a sentence came from, what rests on a line, and which sources no longer exist."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lithify.calendar import parse_day
from lithify.compact.snapshot import Snapshot, day_of
from lithify.errors import NothingToTrace, UnknownReference
from lithify.markdown.pages import read_summary, read_typed, read_wisdom
from lithify.markdown.parse import front_of, is_entry_id, parse
from lithify.regex import regex
from lithify.store.check import Problem, Severity
from lithify.store.places import is_inside, relative
from lithify.store.tree import File
from lithify.values import label_of


@dataclass(frozen=True, slots=True)
class MemorySentence:
    """One sentence of memory: its tier, place, text and sources."""

    tier: str
    path: str
    line: int
    text: str
    sources: tuple[str, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A place and what is below it (or, going up, what rests on it)."""

    tier: str
    path: str
    line: int
    text: str
    id: str = ""
    origin: str = ""
    note: str = ""
    children: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """What a reference leads to: down to the days, or up to all that rests on it."""

    ref: str
    roots: tuple[Node, ...]
    upward: bool = False
    #: Other sentences that hold the text which was looked for.
    others: tuple[MemorySentence, ...] = ()


_NOT_MEMORY = "it is not a page or a day of this memory."
#: A week or a month, as pages are named.
_PERIOD = regex(r"\d{4}-(?:W\d{2}|\d{2})")


def trace_name(snapshot: Snapshot, ref: str) -> Trace | None:
    """Trace an entry id, a day, a week, a month or a title of wisdom; None if it is none of these."""
    if is_entry_id(ref) or any(entry.title == ref.strip("* ") for entry in snapshot.wisdom()):
        return _trace(snapshot, ref)
    named = parse_day(ref) or _PERIOD.fullmatch(ref)
    found = [_trace(snapshot, path) for path in (snapshot.paths_of(ref) if named else ())]
    if not found:
        return None
    return Trace(ref, tuple(node for one in found for node in one.roots), found[0].upward)


def trace(snapshot: Snapshot, ref: str, base: str = "") -> Trace:
    """Trace a name as `trace_name` does, a `FILE:LINE`, a file, or a sentence that holds a text.

    A file is given relative to the root or to `base`, or by its absolute path.
    """
    return trace_name(snapshot, ref) or _trace(snapshot, ref, base)


def _trace(snapshot: Snapshot, ref: str, base: str = "") -> Trace:
    places = list(_places(snapshot))
    if is_entry_id(ref):
        return _up(snapshot, places, ref, [ref])
    at = re.fullmatch(r"(.+?):(\d+)", ref)
    path, line = (at[1], int(at[2])) if at else (ref, None)
    path = _from_the_root(snapshot, path.removeprefix("./"), base)
    file = snapshot.file(path)
    if file and file.role == "day":
        entries = snapshot.entries([path])
        here = (e.id for e in entries if line is None or e.line <= line <= e.end_line)
        ids = list(dict.fromkeys(here))
        if not ids:
            starts = [entry.line for entry in entries]
            raise NothingToTrace(ref=ref, reason=_no_place(file, line, starts))
        return _up(snapshot, places, ref, ids)
    chosen = [p for p in places if p.path == path and (line is None or _covers(p, line, places))]
    chosen = chosen or [p for p in places if p.title and p.title == ref.strip("* ")]
    others: list[MemorySentence] = []
    if not chosen:
        if file:
            starts = [place.line for place in places if place.path == path]
            raise NothingToTrace(ref=ref, reason=_no_place(file, line, starts))
        below = os.path.join(snapshot.root, path)
        whole = below if os.path.isfile(below) else os.path.join(base, path)
        chosen = [] if os.path.isfile(whole) else _holding(places, ref)
        if not chosen:
            raise _unknown(snapshot, ref, whole)
        chosen, others = chosen[:1], chosen[1:]
    chain = from_the_chain(snapshot)
    found = tuple(lineage(snapshot, places, place, chain) for place in chosen)
    return Trace(ref, found, others=tuple(others))


def _holding(places: Sequence[MemorySentence], text: str) -> list[MemorySentence]:
    """Find the sentences that hold a text, whatever its case, spaces and emphasis; wisdom first."""
    wanted = _plain(text)
    found = [place for place in places if wanted and wanted in _plain(place.text)]
    return sorted(found, key=lambda place: list(_ABOVE).index(place.tier))


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[*`]+", "", text).casefold().split())


def _no_place(file: File, line: int | None, starts: Sequence[int]) -> str:
    """Tell why a line, or a whole file, cannot be traced; `starts` are the lines that can."""
    what = "entries" if file.role == "day" else "claims"
    if starts:
        near = min(starts, key=lambda start: abs(start - (line or 1)))
        return f"none of its {what} is on line {line}; the nearest is on line {near}."
    if not file.size:
        return "the file is empty."
    return f"there are no {what} in this file." if file.role != "other" else _NOT_MEMORY


def _unknown(snapshot: Snapshot, ref: str, path: str) -> UnknownReference:
    """Return what to say of a reference that is neither a name nor a file that the scan found."""
    reason = ""
    if os.path.isfile(path):
        inside = is_inside(os.path.realpath(path), os.path.realpath(snapshot.root))
        reason = _NOT_MEMORY if os.path.getsize(path) else "the file is empty."
        reason = reason if inside else f"it is not in the memory root, {snapshot.root}."
    elif _PERIOD.fullmatch(ref) or parse_day(ref):
        reason = "there is no page or day of that date."
    if reason:
        return NothingToTrace(ref=ref, reason=reason)
    hint = (
        "Give an entry id, FILE:LINE (such as WISDOM.md:11), a day, a week, a month, "
        "or words of a page or memory."
    )
    return UnknownReference(ref=ref, hint=hint)


def _places(snapshot: Snapshot) -> Iterator[MemorySentence]:
    """Yield every sentence above the days, the lowest tier first."""
    shelf = snapshot.shelf
    wisdom = {"": shelf.wisdom} if shelf.wisdom else {}
    tiers = {"week": shelf.weeks, "typed": shelf.typed, "month": shelf.months, "wisdom": wisdom}
    for tier, pages in tiers.items():
        for page in pages.values():
            yield from places_in(snapshot, tier, page.path)


def places_in(snapshot: Snapshot, tier: str, path: str) -> Iterator[MemorySentence]:
    """Yield every sentence of one page above the days."""
    data = snapshot.shown(path)
    if tier == "typed":
        if memory := read_typed(data, path):
            first = next((e.line for e in parse(data).entries), 1)
            yield MemorySentence(tier, path, first, memory.statement, memory.sources)
    elif tier == "wisdom":
        for entry, number in read_wisdom(data):
            text = entry.said
            yield MemorySentence(tier, path, number, text, entry.sources, entry.title)
    else:
        for line in read_summary(data):
            yield MemorySentence(tier, path, line.number, line.claim.text, line.claim.sources)


_ABOVE = {"wisdom": ("month", "typed"), "month": ("week",), "typed": ("week",), "week": ()}
_BELOW = {
    "day": ("week", "typed"),
    "week": ("month",),
    "typed": ("wisdom",),
    "month": ("wisdom",),
    "wisdom": (),
}


def lineage(
    snapshot: Snapshot,
    places: Sequence[MemorySentence],
    place: MemorySentence,
    chain: Mapping[str, str],
) -> Node:
    """Return a sentence with the sentences it came through, down to the days' own lines.

    `places` are the sentences that are looked at, and `chain` is what `from_the_chain` returns.
    """
    through = [
        other
        for other in places
        if other.tier in _ABOVE[place.tier] and set(other.sources) & set(place.sources)
    ]
    children: list[Node] = []
    reached: set[str] = set()
    for other in through:
        shared = tuple(s for s in place.sources if s in other.sources)
        if not reached.issuperset(shared):
            children.append(lineage(snapshot, places, replace(other, sources=shared), chain))
            reached.update(shared)
    children += _entries(snapshot, [s for s in place.sources if s not in reached], chain)
    note = "" if place.sources else "written by hand: it is its own source"
    return Node(place.tier, place.path, place.line, place.text, note=note, children=tuple(children))


def _entries(snapshot: Snapshot, ids: Sequence[str], chain: Mapping[str, str]) -> list[Node]:
    """Return the lines behind ids, one node for each place."""
    nodes = []
    for id in ids:
        found = [e for e in snapshot.entries(snapshot.paths_of(label_of(id))) if e.id == id]
        found = found or list(snapshot.lookup([id]).values())
        for entry in found:
            tier = "day" if parse_day(label_of(id)) else "page"
            note = chain.get(id, "")
            nodes.append(Node(tier, entry.path, entry.line, entry.text, id, entry.origin, note))
        if not found:
            nodes.append(Node("day", "", 0, "", id, note="its source no longer exists"))
    return nodes


def from_the_chain(snapshot: Snapshot) -> dict[str, str]:
    """Return the entries that came from an accepted summary, with its place in a job's chain."""
    found = {}
    for record in snapshot.journal.records:
        facts = record.data.get("gate")
        if isinstance(facts, dict) and "seq" in facts:
            note = f"summary {facts['seq']} in the chain of job {facts['job']}"
            found.update(dict.fromkeys(record.data.get("entries", ()), note))
    return found


def _up(snapshot: Snapshot, places: list[MemorySentence], ref: str, ids: list[str]) -> Trace:
    roots = []
    for node in _entries(snapshot, ids, from_the_chain(snapshot)):
        if not node.path and len(ids) == 1 and not any(node.id in p.sources for p in places):
            raise UnknownReference(ref=ref, hint="No file has an entry with that id.")
        roots.append(replace(node, tier="day", children=_rests_on(places, {node.id}, "day")))
    return Trace(ref, tuple(roots), upward=True)


def _rests_on(places: list[MemorySentence], ids: set[str], tier: str) -> tuple[Node, ...]:
    return tuple(
        Node(p.tier, p.path, p.line, p.text, children=_rests_on(places, ids, p.tier))
        for p in places
        if p.tier in _BELOW[tier] and ids & set(p.sources)
    )


def _from_the_root(snapshot: Snapshot, path: str, base: str) -> str:
    """Return a path relative to the root, if it leads to a file of the root."""
    whole = os.path.normpath(os.path.join(base, path))
    if snapshot.file(path) or not os.path.isabs(whole):
        return path
    # If a folder above is a link, only the resolved path is below the root.
    found = (relative(snapshot.root, one) for one in (whole, os.path.realpath(whole)))
    return next((one for one in found if snapshot.file(one)), path)


def _covers(place: MemorySentence, line: int, places: list[MemorySentence]) -> bool:
    """Tell whether a line of a page belongs to this sentence: from its first to the next one's."""
    if place.tier == "typed":
        return True
    starts = sorted(p.line for p in places if p.path == place.path)
    following = next((s for s in starts if s > place.line), place.line + 3)
    return place.line <= line < following


def unsupported_claims(snapshot: Snapshot) -> Iterator[Problem]:
    """Find sentences of weeks and months that say what the entries they cite do not.

    What cites an entry that no longer exists is stale, and not looked at here.
    """
    from lithify.verify import ShownEntries, trace

    weeks, months = snapshot.shelf.weeks.items(), snapshot.shelf.months.items()
    for period, page in (*weeks, *months):
        path, tier = page.path, "week" if (period, page) in weeks else "month"
        for line in read_summary(snapshot.read(path)):
            entries = snapshot.lookup(line.claim.sources)
            if not line.claim.sources or len(entries) < len(set(line.claim.sources)):
                continue
            claim = replace(line.claim, text=snapshot.redacted(line.claim.text))
            if wrong := trace(claim, ShownEntries(entries), extractive=True)[1]:
                again = f"lithify compact {tier} --period {period} --rewrite"
                message = f"{wrong[0].message}; to have it written again: {again}"
                # What somebody edited by hand is theirs to say.
                severity: Severity = "error" if snapshot.is_ours(path) else "note"
                yield Problem("unsupported", path, line.number, message, severity)


def dead_sources(snapshot: Snapshot) -> Iterator[Problem]:
    """Find days that are missing, sentences that cite what no longer exists, and faulty front matter.

    What cites a day that is missing is counted under the day: put back, it heals them all.
    """
    order = ("week", "month", "typed", "wisdom")
    away = {str(day_of(path)): path for path in snapshot.gone_days - snapshot.shelf.unread.keys()}
    cited: Counter[str] = Counter()
    for place in sorted(_places(snapshot), key=lambda place: order.index(place.tier)):
        dead = [source for source in place.sources if source not in snapshot.lookup([source])]
        cited.update(away[label] for source in dead if (label := label_of(source)) in away)
        dead = [source for source in dead if label_of(source) not in away]
        if dead:
            more = f" (and {len(dead) - 1} more)" if dead[1:] else ""
            line = 1 if place.tier == "typed" else place.line
            message = f"cites {dead[0]}, which no longer exists{more}"
            yield Problem("source", place.path, line, message, "due")
    for path in sorted(away.values()):
        message = f"this day is missing, and pages cite it {cited[path]:,} times; put it back, or "
        message += "lithify compact --accept-removed says that it is gone"
        yield Problem("gone", path, 0, message, "due")
    for file in snapshot.tree.of("day"):
        fault = front_of(snapshot.read(file.path)).fault
        if fault:
            yield Problem("front", file.path, 1, f"{fault}; its body is read all the same", "note")
