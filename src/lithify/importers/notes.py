"""Read Markdown and text files: an item for each entry, with its heading and lead-in.

The source `folder` takes any such files: by a date in the name, else by the date of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from pathlib import Path

from lithify.compact.memories import marked_entry
from lithify.importers.files import files_in
from lithify.importers.sources import ImportItem, ImportSource, LeftOut, Reading, moment_of
from lithify.markdown.front import Front
from lithify.markdown.pages import read_typed, read_wisdom
from lithify.markdown.parse import parse, row_in_words
from lithify.settings import LABELS
from lithify.store.names import dated
from lithify.text.sentences import first_sentences
from lithify.values import Entry

#: A file that is larger, in bytes, is no note.
LARGEST = 10 << 20
#: The most entries that one file gives, so that a day stays legible.
MOST = 400
#: The most characters of a memory's statement.
_STATEMENT = 600
_DATED = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d{4}")
_NAMED = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
_LABELLED = re.compile(rf"\s*[*_]{{0,3}}(?:{'|'.join(LABELS)})[*_]{{0,3}}:\S*\s", re.IGNORECASE)
_BOX = re.compile(r"\[[ xX]\]\s+")
#: A picture or another file shown in a note, and nothing else.
_SHOWN = re.compile(r"!\[\[[^\]]*\]\]|!\[[^\]]*\]\([^)]*\)")
_TIMED = re.compile(r"\[?(\d{1,2}):(\d\d)(?::\d\d)?\]?\s*[-–—|:]?\s+(?=\S)")


def day_of_name(path: str) -> date | None:
    """The day that a file's name begins with, or that its name and folders give."""
    match = _NAMED.match(path.rpartition("/")[2])
    found = dated(f"{match[0]}.md" if match else f"{path.rpartition('.')[0]}.md")
    return date.fromisoformat(found.label) if found else None


def day_of_file(path: Path) -> date:
    """The day on which a file was last changed."""
    return datetime.fromtimestamp(path.stat().st_mtime).astimezone().date()


def notes(path: Path, day: date, *, scope: str = "", about: str = "") -> Reading:
    """The entries of a file, on a day; an entry that begins with a time gets it.

    `scope` is what an entry must be unique in: the day by default.
    """
    if path.stat().st_size > LARGEST:
        yield LeftOut("files over 10 MB")
        return
    data = path.read_bytes()
    lines = data.decode("utf-8", "replace").split("\n")
    entries = [entry for entry in parse(data).entries if entry.kind != "lead"]
    for entry in entries[:MOST]:
        if entry.kind == "code":
            yield LeftOut("code blocks")
            continue
        if _SHOWN.fullmatch(entry.text):
            yield LeftOut("pictures and embedded files")
            continue
        when, text = _timed(day, _said(entry, lines))
        key = f"{scope or day}|{'/'.join(entry.headings)}|{entry.text}"
        yield ImportItem(when, "", text, key, about)
    if len(entries) > MOST:
        yield LeftOut(f"entries beyond the first {MOST} of a file", len(entries) - MOST)


def _said(entry: Entry, lines: Sequence[str]) -> str:
    """An entry in one line, with what it stands under; a labelled line of it stays a line."""
    text = row_in_words(entry.lead, entry.text) if entry.kind == "row" else entry.text
    for line in lines[entry.line : entry.end_line]:
        if _LABELLED.match(line):
            said = " ".join(line.split())
            text = text.replace(f" {said}", f"\n{said}", 1)
    heading = entry.headings[-1].strip(" :") if entry.headings else ""
    heading = entry.lead.strip(" :") if entry.lead and entry.kind != "row" else heading
    heading = "" if _DATED.search(heading) or _TIMED.match(f"{text} ") else heading
    if entry.kind == "quote":
        # On a line of its own it is still told from what the person wrote.
        return f"{heading or 'Quote'}:\n> {text}"
    box = match[0] if (match := _BOX.match(text)) else ""
    return f"{box}{heading}: {text[len(box) :]}" if heading else text


def _timed(day: date, text: str) -> tuple[date, str]:
    match = _TIMED.match(text)
    if not match or int(match[1]) > 23 or int(match[2]) > 59:
        return day, text
    return datetime(day.year, day.month, day.day, int(match[1]), int(match[2])), text[match.end() :]


def memory(path: Path) -> Reading:
    """A file of a typed memory as an entry that is marked as one: `Rule: …` for feedback."""
    data = path.read_bytes() if path.stat().st_size <= LARGEST else b""
    found = read_typed(data, path.name)
    if found is None:
        yield from notes(path, day_of_file(path), scope=path.name)
        return
    front: Front = parse(data).front
    metadata = front.values.get("metadata")
    modified = metadata.get("modified") if isinstance(metadata, dict) else None
    when = moment_of(found.updated or modified or front.text("created"))
    statement = " ".join(found.statement.split()) or found.description
    cut = first_sentences(statement, _STATEMENT)
    text = marked_entry(cut, found.type, topic=found.topic, why=found.why, how=found.how)
    yield ImportItem(
        when.date() if when else day_of_file(path), "", text, f"{path.name}|{statement}"
    )
    if found.superseded:
        yield LeftOut("superseded statements", len(found.superseded))


def wisdom(path: Path) -> Iterator[ImportItem]:
    """The entries of a WISDOM.md, each as a marked rule."""
    for entry, _ in read_wisdom(path.read_bytes()):
        text = marked_entry(first_sentences(entry.text, _STATEMENT), "feedback")
        yield ImportItem(day_of_file(path), "", text, f"WISDOM|{entry.title}|{entry.text}")


def _read_any(path: Path) -> Reading:
    """Read the entries of a file of a plain folder."""
    day = day_of_name(path.as_posix()) or day_of_file(path)
    name = path.stem
    about = _NAMED.sub("", name, count=1).strip(" -_") if _NAMED.match(name) else name
    yield from notes(path, day, scope=path.name, about=about)


def _is_text(path: Path) -> bool:
    with path.open("rb") as file:
        return b"\0" not in file.read(4096)


FOLDER = ImportSource(
    name="folder",
    title="A folder of Markdown and text files",
    where="anywhere",
    looks_for="*.md, *.markdown, *.txt, *.org or *.rst files",
    find=lambda path: files_in(path, "*.md", "*.markdown", "*.txt", "*.org", "*.rst"),
    knows=_is_text,
    read=_read_any,
)
