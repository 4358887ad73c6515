"""What a file of a root is, by its path alone: its role, its date, and who reads it as a day."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from typing import Literal, NamedTuple, get_args
from unicodedata import name as unicode_name
from unicodedata import normalize

from lithify.limits import PATTERN, PATTERN_FOLDERS
from lithify.regex import regex
from lithify.settings import USUAL_FOLDERS

#: In the order in which a tree lists its files.
Role = Literal["soul", "wisdom", "index", "typed", "month", "week", "day", "note", "other"]
ROLES: tuple[Role, ...] = get_args(Role)

#: Where days, weeks and months are unless the settings say otherwise.
DAYS, WEEKLY, MONTHLY = USUAL_FOLDERS

_DAY = regex(r"([0-9]{4})([-_])([0-9]{2})\2([0-9]{2})([-_].+)?\.md")
_ALMOST = regex(
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})"
    r"(?:(\D.*)?(\.md|\.markdown|\.mdown|\.text|\.txt)|[^0-9.][^.]*|)",
    re.DOTALL,
)
_WEEK = regex(r"([0-9]{4})-w([0-9]{2})\.md")
_MONTH = regex(r"([0-9]{4})-([0-9]{2})\.md")
_TYPED = regex(r"(user|feedback|project|reference)_.+\.md")
_WHOLE: dict[str, Role] = {
    "wisdom.md": "wisdom",
    "soul.md": "soul",
    "identity.md": "soul",
    "memory.md": "index",
}
#: Folders full of files that are nobody's days; no pattern leads into them.
PACKAGES = frozenset({"node_modules", "site-packages", "__pycache__"})


class Name(NamedTuple):
    """The role of a file, its label, the type of a typed memory, and what follows a day's date."""

    role: Role
    label: str
    memory_type: str = ""
    suffix: str = ""


class Dated(NamedTuple):
    """The date that a path gives (as `2026-06-14`), and the part of the name after it."""

    label: str
    suffix: str


def fold(name: str) -> str:
    """A name in the form used for comparison: NFC, no case. File systems differ in both."""
    if name.isascii():
        return name.lower()
    return normalize("NFC", normalize("NFC", name).casefold())


@lru_cache(maxsize=1 << 15)
def name_file(
    path: str,
    *,
    flat: bool = False,
    patterns: tuple[str, ...] = DAYS,
    weekly: str = WEEKLY,
    monthly: str = MONTHLY,
) -> Name:
    """What a root-relative path stands for.

    `flat` roots have no `memory/` folder; `patterns` say where the days are, `weekly` and `monthly`
    in which folders the pages are that are written from them.
    """
    folder, _, file = path.rpartition("/")
    where = _folded_parts(folder)
    low = fold(file)
    stem = file if file.isascii() else normalize("NFC", file)
    stem = stem[: stem.rfind(".")] if stem.rfind(".") > 0 else stem
    at_top = not where
    in_memory = where == ("memory",) or (flat and at_top)
    if (at_top or in_memory) and low in _WHOLE:
        return Name(_WHOLE[low], stem.upper())
    whole = f"{'/'.join(where)}/{low}" if where else low
    weeks, months = _page_folder(weekly, flat), _page_folder(monthly, flat)
    if (day := dated(whole)) and _is_read(whole, where, flat, patterns, (weeks, months)):
        return Name("day", day.label, suffix=day.suffix)
    if in_memory and (found := _TYPED.fullmatch(low)):
        return Name("typed", stem, memory_type=found[1])
    if (
        where == weeks
        and (found := _WEEK.fullmatch(low))
        and _is_date(found[1], found[2], "1", of=date.fromisocalendar)
    ):
        return Name("week", low[:8].upper())
    if where == months and (found := _MONTH.fullmatch(low)) and _is_date(found[1], found[2], "1"):
        return Name("month", low[:7])
    if _inside_memory(where, flat)[:1] == ("notes",):
        return Name("note", stem)
    return Name("other", stem)


def dated(path: str) -> Dated | None:
    """The date of a Markdown file, given by its name alone or together with its folders.

    The parts of the path are joined by "-" from the end on, and the first result that begins
    with a date counts: `2026-06-14.md`, `2026_06_14.md`, `2026/06/14.md`, `2026-06/14-standup.md`
    and `2026-06-14/standup.md` are all files of 2026-06-14.
    """
    low = fold(path)
    if not low.endswith(".md"):
        return None
    name = ""
    for part in reversed(low.split("/")):
        name = f"{part}-{name}" if name else part
        found = _DAY.fullmatch(name)
        if found and _is_date(found[1], found[3], found[4]):
            return Dated(name[:10].replace("_", "-"), found[5] or "")
    return None


def short_name(path: str) -> str:
    """A file's name without its ending; of a day that its folders date, the whole path."""
    stem = path.rpartition("/")[2].removesuffix(".md")
    day = dated(path)
    return path if day and not stem.startswith(day.label) else stem


class Layout(NamedTuple):
    """Where things are in a root: the folder of its memory, its days, weeks and months.

    `memory` is `memory` as spelled on disk, or "" in a flat root.
    """

    memory: str = "memory"
    patterns: tuple[str, ...] = DAYS
    weekly: str = WEEKLY
    monthly: str = MONTHLY

    def name(self, path: str) -> Name:
        """Say what a path of this root stands for."""
        return name_file(
            path,
            flat=not self.memory,
            patterns=self.patterns,
            weekly=self.weekly,
            monthly=self.monthly,
        )

    def path(self, *parts: str) -> str:
        """Return the path of something in the folder of memory."""
        return "/".join((self.memory, *parts) if self.memory else parts)

    def page(self, tier: str, period: str) -> str:
        """Return the path of the page of a week or month."""
        top, _, below = (self.weekly if tier == "week" else self.monthly).partition("/")
        folder = self.path(*below.split("/")) if fold(top) == "memory" else f"{top}/{below}"
        return f"{folder.rstrip('/')}/{period}.md"

    def is_old_page(self, path: str) -> bool:
        """Whether a path named like a week or month is not where the settings have them."""
        name = fold(path.rpartition("/")[2])
        return bool(_WEEK.fullmatch(name) or _MONTH.fullmatch(name)) and (
            self.name(path).role not in ("week", "month")
        )

    @property
    def _pages(self) -> tuple[tuple[str, ...], ...]:
        return tuple(_page_folder(one, not self.memory) for one in (self.weekly, self.monthly))

    def is_memory(self, folder: str) -> bool:
        """Whether a folder is one of memory's own, of which every file is listed."""
        top = fold(folder.partition("/")[0])
        return top == ("memory" if self.memory else "notes") or self.holds_pages(folder)

    def holds_pages(self, folder: str) -> bool:
        """Whether weeks or months are in a folder, or in one above it."""
        return _is_within(_folded_parts(folder), self._pages)

    def leads_to_pages(self, folder: str) -> bool:
        """Whether weeks or months are in a folder below this one."""
        where = _folded_parts(folder)
        return any(page[: len(where)] == where for page in self._pages)

    def reads(self, path: str) -> bool:
        """Whether one of the patterns matches a path; weeks, months and packages are never read."""
        low = fold(path)
        where = _folded_parts(low.rpartition("/")[0])
        return _is_read(low, where, not self.memory, self.patterns, self._pages)

    def may_hold_days(self, folder: str) -> bool:
        """Whether one of the patterns could match a file somewhere below a folder."""
        low = fold(folder)
        if low.rpartition("/")[2] in PACKAGES:
            return False
        return _compiled(self.patterns, not self.memory)[1].fullmatch(f"/{low}") is not None

    def not_a_day(self, path: str) -> str:
        """Say why a file whose name resembles a day's is none; empty for all others."""
        folder, _, file = path.rpartition("/")
        stem = file[: file.rfind(".")] if file.rfind(".") > 0 else file
        if dated(path) or not self.reads(f"{folder}/{stem}.md" if folder else f"{stem}.md"):
            return ""
        name = ""
        for part in reversed(fold(path).split("/")):
            name = f"{part}-{name}" if name else part
            if found := _ALMOST.fullmatch(name):
                break
        else:
            return ""
        if not _is_date(found[1], found[2], found[3]):
            return "its name looks like a day's, but there is no such date"
        if len(found[2]) + len(found[3]) < 4:
            return "its name looks like a day's; write the date like 2026-01-05"
        if found[5] != ".md":
            return "its name looks like a day's; days are files that end in .md"
        if found[4] and found[4][0] not in "-_":
            return "its name begins with a date; put - or _ after the date to make it a day"
        if "\n" in file:
            return "its name looks like a day's, but has a line break in it"
        return ""


# Patterns


def _is_read(
    low: str,
    where: tuple[str, ...],
    flat: bool,
    patterns: tuple[str, ...],
    pages: tuple[tuple[str, ...], ...],
) -> bool:
    if _is_within(where, pages) or not PACKAGES.isdisjoint(where):
        return False
    return _compiled(patterns, flat)[0].fullmatch(f"/{low}") is not None


def _is_within(where: tuple[str, ...], folders: tuple[tuple[str, ...], ...]) -> bool:
    return any(where[: len(one)] == one for one in folders)


@lru_cache(maxsize=64)
def _page_folder(folder: str, flat: bool) -> tuple[str, ...]:
    """The parts of a folder of pages; a flat root is its own memory folder."""
    where = _folded_parts(folder)
    return where[1:] if flat and where[:1] == ("memory",) else where


def folder_problem(folder: str) -> str:
    """What is wrong with a folder for pages, in words; empty if nothing is."""
    if fold(folder) == "memory":
        return "is where days and memories are; write a folder of its own, such as memory/weeks"
    if set(folder) & set("*?["):
        return "is a folder and no pattern"
    return pattern_problem(f"{folder}/*.md", ())


def pattern_problem(pattern: str, pages: tuple[str, ...] = (WEEKLY, MONTHLY)) -> str:
    """What is wrong with a pattern for days, in words; empty if nothing is."""
    parts = pattern.split("/")
    if not pattern.strip():
        return "is empty"
    if not pattern.isprintable() or "\\" in pattern:
        return "has a character that does not belong there; folders are separated by /"
    if pattern[0] in "/~" or re.match(r"[A-Za-z]:", pattern) or ".." in parts:
        return "leads out of the root; write it from the root on"
    if "" in parts or "." in parts:
        return "has an empty folder name or a `.` in it"
    if len(pattern) > PATTERN or parts.count("**") > PATTERN_FOLDERS:
        return f"is too long; at most {PATTERN} characters and {PATTERN_FOLDERS} `**` are allowed"
    if any("**" in part and part != "**" for part in parts):
        return "has a `**` that is not a whole folder name"
    low = [fold(part) for part in parts]
    if ".lithify" in low:
        return "names .lithify/, which belongs to the program"
    for page in pages:
        if _is_within(tuple(low), (_folded_parts(page),)):
            return f"names {page}/, which holds pages that are written from days"
    if not low[-1].endswith((".md", "*")):
        return "matches no Markdown file; its end must be .md"
    try:
        _compiled((pattern,), False)
    except re.error:
        return "has a [ ] that cannot be read"
    return ""


@lru_cache(maxsize=64)
def _compiled(patterns: tuple[str, ...], flat: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """One expression for the files that are read, one for the folders above them."""
    files, folders = [], []
    for pattern in patterns:
        parts = fold(pattern).split("/")
        # A flat root is its own memory folder.
        parts = parts[1:] if flat and parts[0] == "memory" and parts[1:] else parts
        parts = [*parts, "*"] if parts[-1] == "**" else parts
        files.append("".join(_ANY_FOLDERS if part == "**" else f"/{_glob(part)}" for part in parts))
        above = ""
        for part in reversed(parts[:-1]):
            above = f"{_ANY_FOLDERS}{above}" if part == "**" else f"(?:/{_glob(part)}{above})?"
        folders.append(above)
    return re.compile("|".join(files), re.DOTALL), re.compile("|".join(folders), re.DOTALL)


_ANY_FOLDERS = r"(?:/(?!\.)[^/]+)*"


def _glob(part: str) -> str:
    """A regular expression for one part of a pattern; hidden names must be spelt out."""
    out = "" if part.startswith(".") else r"(?!\.)"
    tokens = re.findall(r"\[!?\]?[^\]]*\]|.", part, re.DOTALL)
    last = len(tokens) - tokens[::-1].index("*") - 1 if "*" in tokens else -1
    opened = False
    for number, token in enumerate(tokens):
        if token == "*":
            # The first place where what follows a star fits is as good as any other: with atomic
            # groups the time does not grow with the number of stars.
            out += ")" if opened else ""
            opened = number != last
            out += "(?>[^/]*?" if opened else "[^/]*"
        elif token == "?":
            out += "[^/]"
        elif len(token) > 1:
            negated = token[1] == "!"
            body = re.sub(r"([\\\[\]^])", r"\\\1", token[2:-1] if negated else token[1:-1])
            out += f"[^/{body}]" if negated else f"[{body}]"
        else:
            out += re.escape(token)
    return out


def _inside_memory(where: tuple[str, ...], flat: bool) -> tuple[str, ...]:
    """The folders below `memory/`, which a flat root is itself; empty outside of it."""
    return where[1:] if where[:1] == ("memory",) else where if flat else ()


@lru_cache(maxsize=1024)
def _folded_parts(folder: str) -> tuple[str, ...]:
    return tuple(fold(part) for part in folder.split("/")) if folder else ()


def _is_date(*numbers: str, of: Callable[[int, int, int], date] = date) -> bool:
    """Whether a year, a month and a day, or what else `of` makes a date of, name one."""
    year, month, day = map(int, numbers)
    try:
        of(year, month, day)
    except ValueError:
        return False
    return True


_MAX_TOPIC = 60
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in "123456789")}
)


def slug(text: str) -> str:
    """A topic as part of a file name: `[a-z0-9-]`, never empty, never a reserved device name.

    Words in another script are replaced by a digest, so that two topics are two files.
    """
    letters = normalize("NFKD", text)
    plain = letters.encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_MAX_TOPIC].strip("-")
    is_told = bool(name) and not any(map(_is_of_another_script, letters))
    if not name or name in _RESERVED:
        name = f"topic-{name}".strip("-")
    if not is_told and not text.isascii():
        words = re.sub(r"[\s_-]+", "-", normalize("NFKC", text).casefold()).strip("-")
        digest = blake2b(words.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
        name = f"{name[: _MAX_TOPIC - len(digest) - 1].strip('-')}-{digest}"
    return name


def topic_slug(kind: str, topic: str) -> str:
    """Return a topic as part of a file name, without what a file name says besides.

    `feedback_my-topic.md` of a memory of that type is `my-topic`.
    """
    bare = topic.strip().removesuffix(".md")
    while (rest := re.sub(rf"^{kind}[\s_-]+(?=\S)", "", bare, flags=re.IGNORECASE)) != bare:
        bare = rest.removesuffix(".md")
    return slug(bare or topic)


def _is_of_another_script(letter: str) -> bool:
    """Whether a letter or digit cannot be written in ASCII, because it is not a Latin one."""
    return not letter.isascii() and letter.isalnum() and "LATIN" not in unicode_name(letter, "")
