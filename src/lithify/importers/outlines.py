"""Folders of linked notes: Logseq's journals, and the notes of basic-memory by their front matter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from lithify.importers.notes import LARGEST, bytes_of, day_of_file, notes
from lithify.importers.source_files import files_in
from lithify.importers.sources import ImportSource, LeftOut, Reading, Whole, moment_of
from lithify.markdown.parse import parse
from lithify.regex import regex

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
#: How Logseq names journals unless told otherwise: now, in some versions, and by their titles.
_FORMATS = ("yyyy_MM_dd", "yyyyMMdd", "yyyy-MM-dd", "MMM do, yyyy")
_SETTING = regex(r'(?m)^[^;\n]*:journal/(?:file-name|page-title)-format\s+"([^"\n]{1,60})"')
_TOKEN = regex(r"yyyy|MMMM|MMM|MM|M|do|dd|d|EEEE|E{1,3}|'[^']*'|.")
_YEAR = regex(r"(?<!\d)(?:19|20)\d\d")
#: What Logseq keeps with a block: its properties, and a drawer of clock times.
_PROPERTY = regex(r"^\s*(?:- )?(?:[\w.-]+:: .*|[\w.-]+::|(?:SCHEDULED|DEADLINE): <.*>)$")
_DRAWER = regex(r"(?ms)^\s*:LOGBOOK:$.*?^\s*:END:$\n?")
_TASK = regex(r"^(\s*- )(TODO|DOING|NOW|LATER|WAITING|WAIT|DONE|CANCELED|CANCELLED) ", re.M)


@lru_cache(maxsize=1 << 10)
def _names(form: str, year: int) -> Mapping[str, date]:
    """Return the names of a year's days in a format; so no format has to be read backwards."""
    first = date(year, 1, 1)
    days = (first + timedelta(n) for n in range(366))
    return MappingProxyType({_name(form, day): day for day in days if day.year == year})


def _name(form: str, day: date) -> str:
    month, weekday = _MONTHS[day.month - 1], _WEEKDAYS[day.weekday()]
    teen = 10 < day.day < 14
    ordinal = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    parts = {"yyyy": f"{day.year}", "MMMM": month, "MMM": month[:3], "MM": f"{day.month:02}"}
    parts |= {"M": f"{day.month}", "do": f"{day.day}{ordinal}", "dd": f"{day.day:02}"}
    parts |= {"d": f"{day.day}", "EEEE": weekday, "E": weekday[:3], "EE": weekday[:3]}
    parts |= {"EEE": weekday[:3]}
    tokens = _TOKEN.findall(form)
    return "".join(parts.get(token, token.strip("'")) for token in tokens).casefold()


def _graph_of(path: Path) -> Path | None:
    """Return the folder of the Logseq graph that a file is in."""
    return next((one for one in path.parents if (one / "logseq" / "config.edn").is_file()), None)


@lru_cache(maxsize=8)
def _formats(graph: Path) -> tuple[str, ...]:
    config = bytes_of(graph / "logseq" / "config.edn").decode("utf-8", "replace")
    return (*_SETTING.findall(config[:LARGEST]), *_FORMATS)


def _day_of_journal(path: Path) -> date | None:
    """Return the day of a journal by its name, in a format of its graph or a usual one."""
    graph, name = _graph_of(path), path.stem.casefold().replace("%2f", "/")
    for year in map(int, _YEAR.findall(name)):
        for form in _formats(graph) if graph else _FORMATS:
            if found := _names(form, year).get(name):
                return found
    return None


def _read_journal(path: Path) -> Reading:
    """Yield the blocks of a journal, tasks as boxes, without Logseq's own properties."""
    day = _day_of_journal(path)
    if day is None:
        yield LeftOut("pages that are no journals")
        return
    if path.stat().st_size > LARGEST:
        yield LeftOut("files over 10 MB")
        return
    text = bytes_of(path).decode("utf-8-sig", "replace")
    lines = _DRAWER.sub("", text).split("\n")
    kept = [line for line in lines if not _PROPERTY.match(line)]
    if len(kept) < text.count("\n") + 1:
        yield LeftOut("lines of properties and clocks", text.count("\n") + 1 - len(kept))
    tasks = _TASK.sub(_box, "\n".join(kept))
    yield from notes(path, day, text=tasks)


def _box(match: re.Match[str]) -> str:
    return f"{match[1]}[{'x' if match[2] in ('DONE', 'CANCELED', 'CANCELLED') else ' '}] "


LOGSEQ = ImportSource(
    name="logseq",
    title="Logseq journals",
    where="the graph's folder",
    looks_for="journals/*.md in a folder with logseq/config.edn, named by a day",
    find=lambda path: [file for file in files_in(path, "*.md") if _graph_of(file)],
    read=_read_journal,
)


def _read_note(path: Path) -> Reading:
    """Yield the observations, relations and paragraphs of a note, on the day it was created."""
    if path.stat().st_size > LARGEST:
        yield LeftOut("files over 10 MB")
        return
    front = parse(bytes_of(path)).front
    when = moment_of(front.text("created")) or moment_of(front.text("date"))
    scope = front.text("permalink") or path.stem
    day = when.date() if when else day_of_file(path)
    changed = moment_of(front.text("modified")) or day_of_file(path)
    for one in notes(path, day, scope=scope, about=front.text("title") or path.stem):
        yield Whole(one.of, changed, dates_news=True) if isinstance(one, Whole) else one


def _is_note(path: Path) -> bool:
    if path.stat().st_size > LARGEST:
        return False
    front = parse(bytes_of(path)).front
    return bool(front.text("permalink") and front.text("title") and front.text("type"))


BASIC_MEMORY = ImportSource(
    name="basic-memory",
    title="basic-memory's notes",
    where="~/basic-memory, or the folder of a project",
    looks_for="Markdown files with title, type and permalink in their front matter",
    find=lambda path: files_in(path, "*.md"),
    knows=_is_note,
    read=_read_note,
)
