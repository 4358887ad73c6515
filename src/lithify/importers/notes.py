"""Read folders of Markdown and text files: an item for each entry, with its heading and lead-in.

Obsidian, OpenClaw, Stevenic/recall and Claude Code's auto-memory keep such folders, each in a form
of its own. The source `folder` takes any, on the day that `day_of_note` finds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from pathlib import Path

from lithify.calendar import month_of, spoken_on, week_days
from lithify.compact.marks import marked_entry
from lithify.importers.git import last_commit
from lithify.importers.source_files import files_in, opened
from lithify.importers.sources import (
    Dated,
    ImportItem,
    ImportSource,
    LeftOut,
    Reading,
    Whole,
    moment_of,
)
from lithify.markdown.pages import read_typed, read_wisdom
from lithify.markdown.parse import parse, row_in_words
from lithify.regex import regex
from lithify.store.days import NOTES
from lithify.store.names import dated, name_file
from lithify.text.dates import find_dates
from lithify.text.labels import memory_labels
from lithify.text.sentences import first_sentences
from lithify.values import Entry, Front

#: A file that is larger, in bytes, is no note.
LARGEST = 10 << 20
#: The most characters of a memory's statement.
_STATEMENT = 600
_DATED = regex(r"\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d{4}")
_NAMED = regex(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_LABELLED = regex(rf"\s*[*_]{{0,3}}(?:{'|'.join(memory_labels())})[*_]{{0,3}}:\S*\s", re.IGNORECASE)
#: Lines at the head of a note in which it may say its day, and the labels that such a day has.
_HEAD_LINES = 15
_DATES_NOTE = regex(
    r"\b(?:dated?|as[ _]of|updated?(?:[ _]at)?|changed|modified|revised|created|generated|captured|"
    r"written|ratified|datum|stand|aktualisiert|geändert|erstellt)\b[\s*_:~\"']*(.*)",
    re.IGNORECASE,
)
_BOX = regex(r"\[[ xX]\]\s+")
#: A picture or another file shown in a note, and nothing else.
_SHOWN = regex(r"!\[\[[^\]]*\]\]|!\[[^\]]*\]\([^)]*\)")
_TIMED = regex(r"\[?(\d{1,2}):(\d\d)(?::\d\d)?\]?\s*[-–—|:]?\s+(?=\S)")


def day_of_name(path: str) -> date | None:
    """Return the day that a file's name holds, or that its name and folders give."""
    match = _NAMED.search(path.rpartition("/")[2])
    found = dated(f"{match[0]}.md" if match else f"{path.rpartition('.')[0]}.md")
    return date.fromisoformat(found.label) if found else None


def day_of_file(path: Path) -> date:
    """Return the day on which a file was last changed."""
    return datetime.fromtimestamp(path.stat().st_mtime).astimezone().date()


def day_of_note(path: Path) -> Generator[Dated, None, date]:
    """Return the day of a note; where its name has none, yield what told it.

    A clone or a copy dates every file anew, so that an old plan would be the newest of all: the file's
    own date is the last to be asked.
    """
    if day := day_of_name(path.as_posix()):
        return day
    changed = day_of_file(path)
    if day := _day_said(path, changed + timedelta(1)):
        yield Dated("a date at their head")
    elif day := last_commit(path):
        yield Dated("git's last commit")
    else:
        yield Dated("the file's date")
    return day or changed


def _day_said(path: Path, latest: date) -> date | None:
    """Return the newest full date, up to a day, in the first heading or behind a label at the head."""
    with opened(path) as file:
        head = file.read(_HEAD_LINES * 200).decode("utf-8", "replace")
    lines = head.split("\n")[:_HEAD_LINES]
    heading = next((line for line in lines if line.startswith("#")), "")
    found = list(find_dates(heading))
    for match in filter(None, map(_DATES_NOTE.search, lines)):
        found += (one for one in find_dates(match[1]) if one.start == 0)
    days = (date(*one.readings[0]) for one in found if all(one.readings[0]))
    return max((day for day in days if day <= latest), default=None)


def bytes_of(path: Path) -> bytes:
    """Return what a note holds."""
    with opened(path) as file:
        return file.read()


def notes(
    path: Path,
    day: date,
    *,
    scope: str = "",
    about: str = "",
    text: str | None = None,
    of: str = "",
    heading: str = "",
) -> Reading:
    """Yield the entries of a file, on a day; an entry that begins with a time gets it.

    `scope` is what an entry must be unique in: the day by default. `text` is read in place of the
    file's own, and is then the record `of`. They come under a `heading` of their own, if one is given.
    """
    if path.stat().st_size > LARGEST:
        yield LeftOut("files over 10 MB")
        return
    data = bytes_of(path) if text is None else text.encode("utf-8", "replace")
    changed = day if of else day_of_file(path)
    of = of or str(path.resolve())
    lines = data.decode("utf-8", "replace").split("\n")
    entries = [entry for entry in parse(data).entries if entry.kind != "lead"]
    if not entries:
        yield LeftOut("files without an entry")
    for entry in entries:
        if entry.kind == "code":
            yield LeftOut("code blocks")
            continue
        if _SHOWN.fullmatch(entry.text):
            yield LeftOut("pictures and embedded files")
            continue
        when, said = _timed(day, _said(entry, lines))
        key = f"{scope or day}|{'/'.join(entry.headings)}|{entry.text}"
        yield ImportItem(when, "", said, key, about, of=of, heading=heading)
    yield Whole(of, changed)


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
    """Yield a file of a typed memory as an entry that is marked as one: `Rule: …` for feedback."""
    data = bytes_of(path) if path.stat().st_size <= LARGEST else b""
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
    day, of = day_of_file(path), str(path.resolve())
    yield ImportItem(when.date() if when else day, "", text, f"{path.name}|{statement}", of=of)
    yield Whole(of, day)
    if found.superseded:
        yield LeftOut("superseded statements", len(found.superseded))


def wisdom(path: Path) -> Reading:
    """Yield the entries of a WISDOM.md, each as a marked rule."""
    day, of = day_of_file(path), str(path.resolve())
    for entry, _ in read_wisdom(bytes_of(path)):
        text = marked_entry(first_sentences(entry.text, _STATEMENT), "feedback")
        yield ImportItem(day, "", text, f"WISDOM|{entry.title}|{entry.text}", of=of)
    yield Whole(of, day)


# The sources.


def _read_any(path: Path) -> Reading:
    """Read the entries of a file of a plain folder."""
    day = yield from day_of_note(path)
    heading = f"{path.resolve().parent.name}/{path.name}"
    yield from notes(path, day, scope=path.name, heading=heading)


def _is_text(path: Path) -> bool:
    with opened(path) as file:
        return b"\0" not in file.read(4096)


FOLDER = ImportSource(
    name="folder",
    title="A folder of Markdown and text files",
    where="anywhere",
    looks_for="*.md, *.markdown, *.txt, *.org or *.rst files",
    find=lambda path: files_in(path, *(f"*{ending}" for ending in NOTES)),
    knows=_is_text,
    read=_read_any,
)


#: What the parts of a date format match. Nothing that repeats gives a character back, so that no
#: format takes longer than the name is long.
_DATE_PARTS = {"YYYY": r"(?P<y>\d{4})", "MM": r"(?P<m>\d\d)", "DD": r"(?P<d>\d\d)"}
_DATE_PARTS |= {"M": r"(?P<m>\d{1,2})", "D": r"(?P<d>\d{1,2})"}
_FORMAT_TOKEN = regex(r"YYYY|MMMM|MMM|MM|M|DD|Do|D|d{2,4}|\[[^\]]*\]|[A-Za-z]+|.")
#: Names of days and months, and numbers with or without what follows an ordinal.
_NAME, _NUMBER = r"[^\W\d_]++\.?", r"\d++(?:st|nd|rd|th)?+"


def _read_daily_note(path: Path) -> Reading:
    """Yield the entries of a daily note."""
    day = _day_of_daily_note(path)
    assert day is not None
    yield from notes(path, day)


def _day_of_daily_note(path: Path) -> date | None:
    """Return the day of a note, by the format of its vault, else by a date in its name."""
    vault = next((folder for folder in path.parents if (folder / ".obsidian").is_dir()), None)
    pattern = _name_format(vault) if vault else None
    match = pattern.search(path.with_suffix("").as_posix()) if pattern else None
    if match and match.groupdict().keys() >= {"y", "m", "d"}:
        try:
            return date(int(match["y"]), int(match["m"]), int(match["d"]))
        except ValueError:
            return None
    return day_of_name(path.as_posix())


@lru_cache(maxsize=8)
def _name_format(vault: Path) -> re.Pattern[str] | None:
    """Return the vault's format of daily notes as a pattern; nothing where it has not set one."""
    try:
        setting = json.loads(bytes_of(vault / ".obsidian" / "daily-notes.json"))
        form = str(setting.get("format") or "")
    except (OSError, ValueError, AttributeError):
        return None
    seen: set[str] = set()
    pattern, before = "", ""
    for token in _FORMAT_TOKEN.findall(form):
        part = _DATE_PARTS.get(token, "")
        if part and part[4] not in seen:
            seen.add(part[4])
        elif part:
            part = r"\d" * len(token) if len(token) > 1 else r"\d++"
        elif token.startswith("["):
            part = re.escape(token[1:-1])
        elif token[0].isascii() and token[0].isalpha():
            part = _NAME if re.fullmatch("d{2,4}|MMM+|[aA]", token) else _NUMBER
        else:
            part = re.escape(token)
        # Names that follow each other without a sign between them read as one.
        pattern += "" if part == before == _NAME else part
        before = part or before
    return re.compile(rf"(?:^|/){pattern}$") if pattern else None


OBSIDIAN = ImportSource(
    name="obsidian",
    title="Obsidian daily notes",
    where="the vault, or its folder of daily notes",
    looks_for="Markdown files named by a date (YYYY-MM-DD, or the format in .obsidian/daily-notes.json)",
    find=lambda path: [file for file in files_in(path, "*.md") if _day_of_daily_note(file)],
    read=_read_daily_note,
)


def _read_workspace(path: Path) -> Reading:
    """The entries of a note on its day."""
    scope = "" if day_of_name(path.as_posix()) else path.name
    day = yield from day_of_note(path)
    yield from notes(path, day, scope=scope)


def _find_workspaces(path: Path) -> list[Path]:
    if path.is_file():
        return files_in(path, "*.md")
    spaces = [path, *sorted(path.glob("workspace*")), *sorted(path.glob("agents/*/workspace"))]
    found = []
    for space in spaces:
        found += [space / "MEMORY.md"] if (space / "MEMORY.md").is_file() else []
        found += files_in(space / "memory", "*.md")
    return found


OPENCLAW = ImportSource(
    name="openclaw",
    title="OpenClaw workspaces",
    where="~/.openclaw/workspace",
    looks_for="memory/*.md or MEMORY.md in a workspace",
    find=_find_workspaces,
    read=_read_workspace,
)


def _read_root(path: Path) -> Reading:
    """The entries of a day, a memory or the wisdom of a root of recall's form, which is ours too.

    Of a page only where what it was written from is gone.
    """
    root = _root_of(path)
    name = name_file(path.relative_to(root).as_posix())
    if name.role == "wisdom":
        yield from wisdom(path)
    elif name.role == "typed":
        yield from memory(path)
    elif (day := spoken_on(name.label)) and name.role == "day":
        yield from notes(path, day, about=root.name if root.parent.name == ".teammates" else "")
    elif day and not _has_sources(root, name.role, name.label):
        yield from notes(path, day)
    elif day:
        yield LeftOut("weeks and months whose days are there")


def _has_sources(root: Path, role: str, label: str) -> bool:
    """Return whether the days of a week, or the weeks or days of a month, are still there."""
    folder = root / "memory"
    if role == "week":
        return any(next(folder.glob(f"{day}*.md"), None) for day in week_days(label))
    weeks = (file.stem for file in (folder / "weekly").glob("*.md"))
    return any(spoken_on(week) and month_of(week) == label for week in weeks) or any(
        folder.glob(f"{label}-*.md")
    )


def _root_of(path: Path) -> Path:
    """Return the folder above the last `memory` in a path."""
    for folder in path.parents:
        if folder.name == "memory":
            return folder.parent
    return path.parent


def _is_of_root(path: Path) -> bool:
    name = name_file(path.relative_to(_root_of(path)).as_posix())
    return name.role in ("day", "week", "month", "typed", "wisdom")


RECALL = ImportSource(
    name="recall",
    title="Stevenic/recall roots",
    where=".teammates/<name>, or any folder with memory/",
    looks_for="memory/YYYY-MM-DD.md, memory/weekly, memory/monthly, {type}_{topic}.md or WISDOM.md",
    find=lambda path: [file for file in files_in(path, "*.md") if _is_of_root(file)],
    knows=_is_of_root,
    read=_read_root,
)


#: A line of an auto-memory's index that leads to another file.
_LINK_TO_FILE = regex(r"\[[^\]]*\]\([^)\s]+\.md\)")


def _read_auto_memory(path: Path) -> Reading:
    """Yield the memory in a file; of the index only what is not a link to another file."""
    if path.name != "MEMORY.md":
        yield from memory(path)
        return
    for found in notes(path, day_of_file(path), scope="MEMORY.md"):
        if isinstance(found, ImportItem) and _LINK_TO_FILE.search(found.text):
            yield LeftOut("lines of the index")
        else:
            yield found


def _find_auto_memory(path: Path) -> list[Path]:
    if path.is_file():
        return files_in(path, "*.md")
    folder = path / "memory" if (path / "memory").is_dir() else path
    return sorted(folder.glob("*.md")) if (folder / "MEMORY.md").is_file() else []


AUTO_MEMORY = ImportSource(
    name="claude-memory",
    title="Claude Code auto-memory",
    where="~/.claude/projects/<project>/memory",
    looks_for="a folder with MEMORY.md",
    find=_find_auto_memory,
    read=_read_auto_memory,
)
