"""Single pages as an agent may read them: wisdom, months, weeks, typed memories and days."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from lithify.calendar import parse_day
from lithify.context.compose import ContextLine, ContextPart, lines_of
from lithify.context.gather import summary_part, wisdom_part
from lithify.errors import UnknownReference
from lithify.trust import is_trusted

if TYPE_CHECKING:
    from lithify.compact.snapshot import Snapshot
    from lithify.values import TypedMemory

_HINT = "There are wisdom, month/, week/PERIOD, memory/NAME and day/DATE; a listing has them all."


class ListedPage(NamedTuple):
    """A page by the name it is asked for: `wisdom`, `week/2026-W14`, `memory/user_editor`."""

    name: str
    title: str
    description: str
    path: str


class ShownPage(NamedTuple):
    """The text of a page and its origin; one that is not trusted is of the least trusted source."""

    text: str
    origin: str
    path: str


def listed_pages(snapshot: Snapshot) -> tuple[ListedPage, ...]:
    """Return every page: wisdom, the newest months and weeks first, memories by name, then days."""
    shelf = snapshot.shelf
    found = []
    if shelf.wisdom:
        rules = "The rules this work has taught"
        found.append(ListedPage("wisdom", "Wisdom", rules, shelf.wisdom.path))
    for kind, pages in (("month", shelf.months), ("week", shelf.weeks)):
        for period in sorted(pages, reverse=True):
            title = f"{kind.capitalize()} {period}"
            path = pages[period].path
            found.append(ListedPage(f"{kind}/{period}", title, f"Summary of {period}", path))
    for path, memory in sorted(snapshot.memories().items()):
        name = path.rpartition("/")[2].removesuffix(".md")
        title, description = (
            snapshot.redacted(" ".join(text.split())[:200]) for text in memory[2:4]
        )
        found.append(ListedPage(f"memory/{name}", title or name, description, path))
    for day in sorted(shelf.days, reverse=True):
        found.append(
            ListedPage(f"day/{day}", f"Day {day}", f"Log of {day}", shelf.days[day][0].path)
        )
    return tuple(found)


def shown_page(snapshot: Snapshot, name: str) -> ShownPage:
    """Return one page by its name."""
    shelf = snapshot.shelf
    kind, _, rest = name.partition("/")
    if kind in ("week", "month"):
        page = (shelf.weeks if kind == "week" else shelf.months).get(rest)
        if page:
            part = summary_part(snapshot, page)
            return _shown(part, len(snapshot.claims(page)) - len(part.units))
    elif kind == "day" and (files := shelf.days.get(parse_day(rest) or date.max)):
        entries = snapshot.entries([file.path for file in files])
        trusted = [entry for entry in entries if entry.trusted]
        lines = (
            ContextLine(snapshot.as_written(entry), "\n".join(f"### {h}" for h in entry.headings))
            for entry in trusted
        )
        part = ContextPart("", "file", files[0].path, tuple(lines))
        return _shown(part, len(entries) - len(trusted))
    elif name == "wisdom" and (part_of_wisdom := wisdom_part(snapshot)):
        return _shown(part_of_wisdom)
    elif kind == "memory":
        for path, memory in snapshot.memories().items():
            if path.rpartition("/")[2].removesuffix(".md") == rest:
                sources = snapshot.lookup(memory.sources).values()
                doubtful = [entry.origin for entry in sources if not is_trusted(entry.origin)]
                return ShownPage(_memory_text(memory), [*doubtful, "lithify"][0], path)
    raise UnknownReference(ref=name[:200], hint=_HINT)


def _shown(part: ContextPart, untrusted: int = 0) -> ShownPage:
    text = lines_of(part.units)
    if untrusted > 0:
        text += (
            f"\n\n[{untrusted} left out because of untrusted sources; recall shows them, marked]"
        )
    return ShownPage(text, part.origin, part.label)


def _memory_text(memory: TypedMemory) -> str:
    parts = [f"# {memory.name}", memory.statement]
    parts += [f"Why: {memory.why}"] if memory.why else []
    parts += [f"How to apply: {memory.how}"] if memory.how else []
    parts += [f"Updated: {memory.updated}"] if memory.updated else []
    return "\n\n".join(parts)
