"""A root as other tools take it: one Markdown book, lines of JSON, a Claude Code auto-memory folder.

Credentials are replaced. What is not trusted is marked in the book and the lines of JSON, and left
out of the auto-memory folder, because an agent reads that as its own memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from lithify.calendar import month_with
from lithify.compact.snapshot import Snapshot
from lithify.compact.wisdom import in_force
from lithify.markdown.entries import row_in_words
from lithify.markdown.front import write_front
from lithify.markdown.pages import NOT_STATED, QUOTED, UNVERIFIED, mark_of, strip_comments
from lithify.store.names import slug
from lithify.text.fence import plain
from lithify.text.sentences import first_sentences
from lithify.values import Claim, Entry, TypedMemory, WisdomEntry

#: What Claude Code loads of `MEMORY.md`: so many lines, and so many bytes.
MOST_LINES, MOST_BYTES = 200, 25_000
_TIERS = (("month", "Months", "Month"), ("week", "Weeks", "Week"))


# The book


def book(snapshot: Snapshot) -> Iterator[str]:
    """The whole memory as one Markdown document, line by line, from what lasts to the days."""
    wisdom, memories = snapshot.wisdom(), in_force(snapshot)
    months = [*dict.fromkeys(month_with(day) for day in snapshot.shelf.days)]
    pages = {"month": [*snapshot.shelf.months], "week": [*snapshot.shelf.weeks]}
    yield f"# The memory of {_flat(snapshot.settings.agent_name)}"
    yield from ("", "## Contents", "")
    titles = ["Wisdom"] * bool(wisdom) + ["Memories"] * bool(memories)
    titles += [f"{one} {label}" for tier, _, one in _TIERS for label in pages[tier]]
    yield from (_link(title) for title in [*titles, *(f"Days of {month}" for month in months)])
    yield from _section("Wisdom", _wisdom_lines(snapshot, wisdom))
    yield from _section("Memories", _memory_lines(snapshot, memories))
    for tier, many, one in _TIERS:
        yield from ("", f"## {many}") if pages[tier] else ()
        for label in pages[tier]:
            yield from ("", f"### {one} {label}")
            yield from _claim_lines(_claims(snapshot, tier, label))
    yield from ("", "## Days") if months else ()
    for month, days in groupby(snapshot.shelf.days, key=month_with):
        yield from ("", f"### Days of {month}")
        for day in days:
            yield from ("", f"#### {day}", "")
            for heading, group in groupby(_entries(snapshot, day), key=_heading):
                yield from ("", f"**{heading}**", "") if heading else ()
                yield from map(_entry_line, group)


def _link(title: str) -> str:
    return f"- [{title}](#{title.lower().replace(' ', '-')})"


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    yield from ("", f"## {title}", "", *found) if found else ()


def _wisdom_lines(snapshot: Snapshot, entries: Sequence[WisdomEntry]) -> Iterator[str]:
    for entry in entries:
        yield f"- **{_clean(snapshot, entry.title)}** {_clean(snapshot, entry.text)}"


def _memory_lines(snapshot: Snapshot, memories: Sequence[TypedMemory]) -> Iterator[str]:
    for memory in memories:
        mark = "" if _is_trusted(snapshot, memory) else f"{UNVERIFIED} "
        more = [("why", memory.why), ("how to apply", memory.how), ("since", memory.updated)]
        told = "; ".join(f"{name}: {_flat(text)}" for name, text in more if text)
        yield f"- {mark}*{memory.type}:* {_flat(memory.statement)}" + (f" ({told})" if told else "")


def _claim_lines(claims: Sequence[Claim]) -> Iterator[str]:
    for section, group in groupby(claims, key=lambda claim: claim.section):
        yield from ("", f"#### {_flat(section)}", "") if section else ("",)
        yield from (f"- {mark_of(claim)}{_flat(claim.text)}" for claim in group)


def _entry_line(entry: Entry) -> str:
    marks = f"{UNVERIFIED} " * (not entry.trusted) + f"{QUOTED} " * entry.quoted
    return f"- {marks}{_flat(_text(entry))}"


def _heading(entry: Entry) -> str:
    """The headings of an entry; not that of its day."""
    return " / ".join(_flat(text) for text in entry.headings if str(entry.day) not in text)


# Lines of JSON


def json_lines(snapshot: Snapshot) -> Iterator[str]:
    """Every entry, claim, memory and rule of wisdom with its id or sources, an object a line."""
    for day in snapshot.shelf.days:
        for entry in _entries(snapshot, day):
            yield _json(
                "entry",
                id=entry.id,
                day=str(day),
                path=entry.path,
                line=entry.line,
                headings=entry.headings,
                text=_text(entry),
                origin=entry.origin,
                trusted=entry.trusted,
                quoted=entry.quoted,
            )
    for tier in ("week", "month"):
        for label in snapshot.shelf.weeks if tier == "week" else snapshot.shelf.months:
            for claim in _claims(snapshot, tier, label):
                facts = {"section": claim.section, "text": claim.text, "sources": claim.sources}
                yield _json("claim", tier=tier, period=label, **facts, trusted=claim.trusted)
    for memory in in_force(snapshot):
        yield _json("memory", **memory._asdict(), trusted=_is_trusted(snapshot, memory))
    for entry_of_wisdom in snapshot.wisdom():
        title, text, sources, category, _ = entry_of_wisdom
        said = {"title": _clean(snapshot, title), "text": _clean(snapshot, text)}
        yield _json("wisdom", **said, sources=sources, category=category)


def _json(kind: str, **facts: Any) -> str:
    return json.dumps({"kind": kind, **facts}, ensure_ascii=False)


# A Claude Code auto-memory folder


def auto_memory(snapshot: Snapshot) -> dict[str, str]:
    """The files of the folder by name: an index that fits what is loaded, and a file a memory."""
    files: dict[str, str] = {}
    index: list[str] = []
    memories = [memory for memory in in_force(snapshot) if _is_trusted(snapshot, memory)]
    held = {id for memory in memories for id in memory.sources}
    rules = [rule for rule in snapshot.wisdom() if held.isdisjoint(rule.sources)]
    newest = sorted(memories, key=lambda memory: (memory.updated, memory.topic), reverse=True)
    for memory in [*(_as_memory(snapshot, rule) for rule in rules), *newest]:
        name = f"{memory.type}_{slug(memory.topic)}.md"
        if name not in files:
            about = memory.description or first_sentences(_flat(memory.statement), 120)
            files[name] = _auto_memory_file(memory._replace(description=about))
            index.append(f"- [{_flat(memory.name).replace(']', ')')}]({name}) — {_flat(about)}")
    return {"MEMORY.md": _fitting(index), **files}


def _as_memory(snapshot: Snapshot, entry: WisdomEntry) -> TypedMemory:
    title, text = _clean(snapshot, entry.title), _clean(snapshot, entry.text)
    return TypedMemory("feedback", title, title, "", text, entry.sources)


def _auto_memory_file(memory: TypedMemory) -> str:
    front = {"name": _flat(memory.name), "description": _flat(memory.description)}
    lines = ["---", *write_front(front).splitlines()[1:-1]]
    lines += ["metadata:", f"  type: {memory.type}"]
    lines += [f"modified: {memory.updated}"] if memory.updated else []
    lines += ["---", "", _flat(memory.statement)]
    if memory.type in ("feedback", "project"):
        lines += ["", f"**Why:** {_flat(memory.why) or NOT_STATED}"]
        lines += [f"**How to apply:** {_flat(memory.how) or NOT_STATED}"]
    return "\n".join(lines) + "\n"


def _fitting(index: Sequence[str]) -> str:
    """The lines of the index that fit, and how many there are besides."""
    room = MOST_BYTES - 100
    kept: list[str] = []
    for line in index[: MOST_LINES - 1]:
        room -= len(line.encode()) + 1
        if room < 0:
            break
        kept.append(line)
    more = len(index) - len(kept)
    return (
        "\n".join([*kept, *([f"- {more:,} more memories in this folder"] if more else [])]) + "\n"
    )


# What all of them share


def _entries(snapshot: Snapshot, day: Any) -> list[Entry]:
    paths = [page.path for page in snapshot.shelf.days[day]]
    return [entry for entry in snapshot.entries(paths) if entry.kind != "lead"]


def _text(entry: Entry) -> str:
    """What an entry says, with the line or the header row that it stands under."""
    if entry.kind == "row":
        return row_in_words(entry.lead, entry.text)
    return f"{entry.lead} {entry.text}".strip()


def _claims(snapshot: Snapshot, tier: str, label: str) -> tuple[Claim, ...]:
    pages = snapshot.shelf.weeks if tier == "week" else snapshot.shelf.months
    return snapshot.claims(pages[label])


def _is_trusted(snapshot: Snapshot, memory: TypedMemory) -> bool:
    """Whether somebody marked or accepted a memory, or all it rests on is trusted."""
    cited = snapshot.lookup(memory.sources).values()
    return memory.basis != "found" or all(entry.trusted for entry in cited)


def _clean(snapshot: Snapshot, text: str) -> str:
    return _flat(snapshot.redacted(text))


def _flat(text: str) -> str:
    """A text in one line, without comments, so that it can be no heading and hide nothing."""
    return plain(" ".join(strip_comments(text).split()))
