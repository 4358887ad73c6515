"""A root as other tools take it: one Markdown book, lines of JSON, a Claude Code auto-memory folder.

Credentials are replaced. What is not trusted is marked in the book and the lines of JSON, and left
out of the auto-memory folder, because an agent reads that as its own memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby
from typing import Any

from lithify.calendar import month_with
from lithify.compact.in_force import in_force
from lithify.compact.snapshot import Snapshot
from lithify.fence import plain
from lithify.markdown.front import write_front
from lithify.markdown.pages import NOT_STATED, QUOTED, UNVERIFIED, mark_of, strip_comments
from lithify.markdown.parse import row_in_words
from lithify.store.names import slug
from lithify.text.sentences import first_sentences
from lithify.values import Claim, Entry, TypedMemory, WisdomEntry

#: What Claude Code loads of `MEMORY.md`: so many lines, and so many bytes.
MOST_LINES, MOST_BYTES = 200, 25_000
_TIERS = (("month", "Months", "Month"), ("week", "Weeks", "Week"))


# The book


def book(snapshot: Snapshot) -> Iterator[str]:
    """The whole memory as one Markdown document, line by line, from what lasts to the days."""
    wisdom, memories = snapshot.wisdom(), tuple(in_force(snapshot).files.values())
    months = [*dict.fromkeys(month_with(day) for day in snapshot.shelf.days)]
    pages = {"month": snapshot.shelf.months, "week": snapshot.shelf.weeks}
    yield f"# The memory of {_flat(snapshot.settings.agent_name)}"
    yield from ("", "## Contents", "")
    titles = ["Wisdom"] * bool(wisdom) + ["Memories"] * bool(memories)
    titles += [f"{one} {label}" for tier, _, one in _TIERS for label in pages[tier]]
    for title in [*titles, *(f"Days of {month}" for month in months)]:
        yield f"- [{title}](#{title.lower().replace(' ', '-')})"
    yield from _section("Wisdom", (_rule_line(snapshot, rule) for rule in wisdom))
    yield from _section("Memories", _memory_lines(snapshot, memories))
    for tier, many, one in _TIERS:
        yield from ("", f"## {many}") if pages[tier] else ()
        for label, page in pages[tier].items():
            yield from ("", f"### {one} {label}")
            yield from _claim_lines(snapshot.claims(page))
    yield from ("", "## Days") if months else ()
    for month, days in groupby(snapshot.shelf.days, key=month_with):
        yield from ("", f"### Days of {month}")
        for day in days:
            yield from ("", f"#### {day}", "")
            for heading, group in groupby(_entries(snapshot, day), key=_heading):
                yield from ("", f"**{heading}**", "") if heading else ()
                yield from map(_entry_line, group)


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    yield from ("", f"## {title}", "", *found) if found else ()


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
    for tier, pages in (("week", snapshot.shelf.weeks), ("month", snapshot.shelf.months)):
        for label, page in pages.items():
            for claim in snapshot.claims(page):
                facts = {"section": claim.section, "text": claim.text, "sources": claim.sources}
                yield _json("claim", tier=tier, period=label, **facts, trusted=claim.trusted)
    for memory in in_force(snapshot).files.values():
        yield _json("memory", **memory._asdict(), trusted=_is_trusted(snapshot, memory))
    for entry_of_wisdom in snapshot.wisdom():
        title, text, sources, category, _ = entry_of_wisdom
        said = {"title": _clean(snapshot, title), "text": _clean(snapshot, text)}
        yield _json("wisdom", **said, sources=sources, category=category)


def _json(kind: str, **facts: Any) -> str:
    return json.dumps({"kind": kind, **facts}, ensure_ascii=False)


def _rule_line(snapshot: Snapshot, rule: WisdomEntry) -> str:
    title = "" if rule.untitled else f"**{_clean(snapshot, rule.title)}** "
    return f"- {title}{_clean(snapshot, rule.text)}"


# A Claude Code auto-memory folder


def auto_memory(snapshot: Snapshot) -> dict[str, str]:
    """The files of the folder by name: an index that fits what is loaded, and a file a memory."""
    files: dict[str, str] = {}
    index: list[str] = []
    held = in_force(snapshot).files.values()
    memories = [memory for memory in held if _is_trusted(snapshot, memory)]
    known = {id for memory in memories for id in memory.sources}
    newest = sorted(memories, key=lambda memory: (memory.updated, memory.topic), reverse=True)
    rules = []
    for rule in snapshot.wisdom():
        if known.isdisjoint(rule.sources):
            title, text = _clean(snapshot, rule.title), _clean(snapshot, rule.text)
            rules.append(TypedMemory("feedback", title, title, "", text, rule.sources))
    for memory in [*rules, *newest]:
        name = f"{memory.type}_{slug(memory.topic)}.md"
        if name not in files:
            about = memory.description or first_sentences(_flat(memory.statement), 120)
            files[name] = _auto_memory_file(memory._replace(description=about))
            index.append(f"- [{_flat(memory.name).replace(']', ')')}]({name}) — {_flat(about)}")
    return {"MEMORY.md": _fitting(index), **files}


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
    if more := len(index) - len(kept):
        kept.append(f"- {more:,} more memories in this folder")
    return "\n".join(kept) + "\n"


# What all of them share


def _entries(snapshot: Snapshot, day: date) -> list[Entry]:
    paths = [page.path for page in snapshot.shelf.days[day]]
    return [entry for entry in snapshot.entries(paths) if entry.kind != "lead"]


def _text(entry: Entry) -> str:
    """What an entry says, with the line or the header row that it stands under."""
    if entry.kind == "row":
        return row_in_words(entry.lead, entry.text)
    return f"{entry.lead} {entry.text}".strip()


def _is_trusted(snapshot: Snapshot, memory: TypedMemory) -> bool:
    """Whether somebody marked or accepted a memory, or all it rests on is trusted."""
    cited = snapshot.lookup(memory.sources).values()
    return memory.basis != "found" or all(entry.trusted for entry in cited)


def _clean(snapshot: Snapshot, text: str) -> str:
    return _flat(snapshot.redacted(text))


def _flat(text: str) -> str:
    """A text in one line, without comments, so that it can be no heading and hide nothing."""
    return plain(" ".join(strip_comments(text).split()))
