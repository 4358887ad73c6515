"""A week or month with the lines each claim rests on, and a day with what rests on each line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import quote

from markupsafe import Markup, escape

from lithify.calendar import day_words, is_month, is_week, month_of, parse_day, week_days, week_of
from lithify.compact.trace import MemorySentence
from lithify.errors import UnknownReference
from lithify.markdown.pages import read_summary
from lithify.markdown.parse import Block, front_of, parse
from lithify.values import Claim, Entry
from lithify.web import markup
from lithify.web.timeline import dates_of
from lithify.web.view import HtmlPage, PageRequest, View, window

#: The lines of one source that are shown beside a claim.
MOST_LINES = 24
#: The blocks of a day that are shown at once.
BLOCKS = 300


class SourceLine(NamedTuple):
    """A line of a file as it stands there."""

    number: int
    html: Markup


class ShownSource(NamedTuple):
    """The lines that a claim rests on; without an entry where they are gone."""

    id: str
    entry: Entry | None = None
    href: str = ""
    lines: Sequence[SourceLine] = ()
    more: int = 0


class ShownClaim(NamedTuple):
    """A bullet of a page, its sources, and the sentences of other pages on the same entries."""

    line: int
    claim: Claim
    sources: Sequence[ShownSource]
    elsewhere: Sequence[Resting]


class Resting(NamedTuple):
    """A sentence above the days: the name of its page, its address and what it says."""

    name: str
    href: str
    text: str


def page_of(label: str) -> str:
    """The address of a day, week or month; empty for other files."""
    if parse_day(label):
        return f"/day/{label}"
    if is_week(label):
        return f"/week/{label}"
    return f"/month/{label}" if is_month(label) else ""


def sources_of(view: View, ids: Sequence[str], claim: str) -> list[ShownSource]:
    """The exact lines behind ids, with what a claim repeats of them marked."""
    known = view.snapshot.lookup(ids)
    return [_source(view, id, known.get(id), claim) for id in ids]


def _source(view: View, id: str, entry: Entry | None, claim: str) -> ShownSource:
    if entry is None or view.snapshot.file(entry.path) is None:
        return ShownSource(id)
    lines = view.snapshot.as_written(entry).split("\n")
    shown = [SourceLine(entry.line + n, markup.shared(line, claim)) for n, line in enumerate(lines)]
    href, more = address(view, entry.path, entry.line), max(0, len(lines) - MOST_LINES)
    return ShownSource(id, entry, href, shown[:MOST_LINES], more)


def address(view: View, path: str, line: int) -> str:
    """Where a line of a file is shown; empty where no page shows it."""
    name = view.snapshot.tree.layout.name(path)
    file = view.snapshot.file(path)
    role = file.role if file else name.role
    if role == "day":
        anchor = _anchor(_place_of(view, name.label, path), line)
        return f"/day/{name.label}?at={anchor}#{anchor}"
    if role in ("week", "month"):
        return f"/{role}/{name.label}#L{line}"
    if role == "typed":
        return f"/memories?path={quote(path.encode('utf-8', 'surrogateescape'))}"
    return f"/wisdom#L{line}" if role == "wisdom" else ""


def _place_of(view: View, day: str, path: str) -> int:
    """The place of a file among those of its day; 0 where it is not among them any more."""
    found = parse_day(day)
    files = view.snapshot.shelf.days.get(found, ()) if found else ()
    return next((place for place, page in enumerate(files) if page.path == path), 0)


def _anchor(file: int, line: int) -> str:
    """The id of a line on the page of its day, by the place of its file among those of the day."""
    return f"F{file + 1}L{line}" if file else f"L{line}"


def resting(view: View, place: MemorySentence) -> Resting:
    """A sentence above the days as a link."""
    label = view.snapshot.tree.layout.name(place.path).label
    name = {"wisdom": "Wisdom", "typed": "Memory"}.get(place.tier, label)
    return Resting(name, address(view, place.path, place.line), view.clean(place.text))


# Weeks and months


def week(view: View, asked: PageRequest) -> HtmlPage:
    """A week's page."""
    name = asked.named["period"]
    if not is_week(name) or name not in view.weeks:
        raise UnknownReference(ref=name, hint="The timeline lists the weeks there are.")
    days = [(day, view.sizes.get(day)) for day in week_days(name)]
    facts = {"heading": f"Week {int(name[6:])}", "dates": dates_of(name), "days": days, "weeks": ()}
    month = month_of(name)
    above = (month, f"/month/{month}") if month in view.months else None
    return _period(view, "week", name, view.weeks, {**facts, "above": above})


def month(view: View, asked: PageRequest) -> HtmlPage:
    """A month's page."""
    name = asked.named["period"]
    if name not in view.months:
        raise UnknownReference(ref=name, hint="The timeline lists the months there are.")
    heading = date(int(name[:4]), int(name[5:]), 1).strftime("%B %Y")
    weeks = [(week, f"/week/{week}") for week in view.months[name]]
    facts = {"heading": heading, "dates": "", "days": (), "weeks": weeks, "above": None}
    return _period(view, "month", name, tuple(view.months), facts)


def _entries_left(view: View, key: str) -> tuple[int, int]:
    """Return how many entries of its days a week of selected sentences leaves out, and of how many."""
    commit = view.snapshot.ledger.pages.commits.get(key)
    told, of = (commit.data if commit else {}).get("selected", (0, 0))
    return of - told, of


def _period(
    view: View, tier: str, name: str, all_of_it: Sequence[str], facts: dict[str, Any]
) -> HtmlPage:
    shelf = view.snapshot.shelf
    page = (shelf.weeks if tier == "week" else shelf.months).get(name)
    claims: list[ShownClaim] = []
    front: dict[str, Any] = {}
    if page:
        data = view.snapshot.shown(page.path)
        front = dict(front_of(data).values)
        claims = _claims(view, page.path, data, view.snapshot.claims(page))
    sections: dict[str, list[ShownClaim]] = {}
    for one in claims:
        sections.setdefault(one.claim.section, []).append(one)
    at = all_of_it.index(name)
    facts |= {
        "tier": tier,
        "period": name,
        "page": page,
        "front": {
            key: str(front.get(key, "")) for key in ("engine", "created", "kept", "read", "shown")
        },
        "left": _entries_left(view, f"{tier}:{name}"),
        "tokens": front.get("tokens") if isinstance(front.get("tokens"), dict) else {},
        "task": view.tasks.get(f"{tier}:{name}"),
        "sections": sections,
        "cited": len({id for one in claims for id in one.claim.sources}),
        "count": len(claims),
        "earlier": all_of_it[at - 1] if at else "",
        "later": all_of_it[at + 1] if at + 1 < len(all_of_it) else "",
        "refused": [held for held in view.refused if held.task == f"{tier}:{name}"],
    }
    return HtmlPage("period.html", f"{facts['heading']} {name}", facts)


def _claims(view: View, path: str, data: bytes, claims: Sequence[Claim]) -> list[ShownClaim]:
    numbers = [line.number for line in read_summary(data)]
    above = view.resting({id for claim in claims for id in claim.sources})
    shown = []
    for number, claim in zip(numbers, claims, strict=True):
        others = {
            (place.path, place.line): place
            for id in claim.sources
            for place in above.get(id, ())
            if place.path != path
        }
        elsewhere = [resting(view, place) for place in others.values()]
        sources = sources_of(view, claim.sources, claim.text)
        shown.append(ShownClaim(number, claim, sources, elsewhere))
    return shown


# Days


class DayBlock(NamedTuple):
    """A block of a day: its first line, how it is shown, and what rests on it."""

    line: int
    anchor: str
    kind: str
    html: Markup
    entry: Entry | None
    resting: Sequence[Resting]


class DayFile(NamedTuple):
    """A file of a day."""

    path: str
    blocks: Sequence[DayBlock]


def day(view: View, asked: PageRequest) -> HtmlPage:
    """A day, line by line: the page of it that is asked for, or that has the line `at` in the query."""
    label = asked.named["day"]
    found = parse_day(label)
    files = view.snapshot.shelf.days.get(found, ()) if found else ()
    if not found or not files:
        raise UnknownReference(ref=label, hint="The timeline shows the days there are.")
    blocks = [
        (page.path, _anchor(number, block.line), block)
        for number, page in enumerate(files)
        for block in _blocks(view, page.path, label, found)
        if block.kind not in ("blank", "break")
    ]
    at = next((n for n, block in enumerate(blocks) if block[1] == asked.query.get("at")), 0)
    number = asked.page if "page" in asked.query else at // BLOCKS + 1
    shown = window(blocks, number, BLOCKS)
    known = {(e.path, e.line): e for e in view.snapshot.entries([page.path for page in files])}
    above = view.resting({b.entry.id for *_, b in shown.rows if b.entry})
    parts: dict[str, list[DayBlock]] = {}
    for path, anchor, block in shown.rows:
        entry = known.get((path, block.line)) if block.entry else None
        places = above.get(entry.id, ()) if entry else ()
        notes = [resting(view, place) for place in places]
        kind, html = _shown(block)
        parts.setdefault(path, []).append(DayBlock(block.line, anchor, kind, html, entry, notes))
    days = list(view.sizes)
    place = days.index(found)
    facts = {
        "day": found,
        "files": [DayFile(path, part) for path, part in parts.items()],
        "window": shown,
        "week": week_of(found),
        "cited": sum(bool(b.resting) for part in parts.values() for b in part),
        "count": sum(b.entry is not None for part in parts.values() for b in part),
        "earlier": days[place - 1] if place else "",
        "later": days[place + 1] if place + 1 < len(days) else "",
    }
    return HtmlPage("day.html", f"{found:%A}, {day_words(found)}", facts)


def _blocks(view: View, path: str, label: str, day: date) -> Iterator[Block]:
    """Yield the blocks of a file of a day, each with its lines as they are shown."""
    shown = view.snapshot.shown(path)
    lines = [line + b"\n" for line in shown.split(b"\n")]
    read = parse(view.snapshot.read(path), path=path, label=label, day=day, shown=shown)
    for block in read.blocks:
        count = len(block.raw.split(b"\n")) - block.raw.endswith(b"\n")
        yield block._replace(raw=b"".join(lines[block.line - 1 : block.line - 1 + count]))


def _shown(block: Block) -> tuple[str, Markup]:
    """How a block is shown: as Markdown, and a row of a table as a table of its own."""
    raw = block.raw.decode("utf-8", "replace").lstrip("\ufeff").strip("\r\n")
    said = markup.outdented(raw)
    if block.kind == "heading":
        return "heading", markup.inline(said.lstrip("#").strip())
    if block.kind == "front":
        return "front", escape(said)
    if block.kind == "header":
        return "row", markup.block(said)
    if block.entry and block.entry.kind == "row":
        rule = markup.rule_below(said)
        return "row", markup.block(f"{rule.replace('-', ' ')}\n{rule}\n{said}")
    return (block.entry.kind if block.entry else "text"), markup.block(said)


def forget(view: View, asked: PageRequest) -> HtmlPage:
    """An entry before it is erased: its lines, and the sentences that rest on it."""
    id = asked.named["id"]
    if not view.snapshot.lookup([id]):
        raise UnknownReference(ref=id, hint="It may have been edited or forgotten already.")
    rests = [resting(view, place) for place in view.resting([id]).get(id, ())]
    facts = {"id": id, "source_lines": sources_of(view, [id], "")[0], "rests": rests}
    return HtmlPage("forget.html", "Forget an entry", facts)
