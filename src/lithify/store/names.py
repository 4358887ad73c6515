"""What a file of a root is, told by its name alone."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from typing import Literal, NamedTuple
from unicodedata import name as unicode_name
from unicodedata import normalize

Role = Literal["day", "week", "month", "typed", "wisdom", "soul", "index", "other"]

#: The order in which a tree lists its files.
ROLES: tuple[Role, ...] = ("soul", "wisdom", "index", "typed", "month", "week", "day", "other")

_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})([-_].+)?\.md")
_ALMOST = re.compile(
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})"
    r"(?:(\D.*)?(\.md|\.markdown|\.mdown|\.text|\.txt)|[^0-9.][^.]*|)",
    re.DOTALL,
)
_WEEK = re.compile(r"([0-9]{4})-w([0-9]{2})\.md")
_MONTH = re.compile(r"([0-9]{4})-([0-9]{2})\.md")
_TYPED = re.compile(r"(user|feedback|project|reference)_.+\.md")
_WHOLE: dict[str, Role] = {
    "wisdom.md": "wisdom",
    "soul.md": "soul",
    "identity.md": "soul",
    "memory.md": "index",
}


class Name(NamedTuple):
    """The role of a file, its label, the kind of a typed memory, and its place among equals."""

    role: Role
    label: str
    memory_type: str = ""
    suffix: str = ""


def fold(name: str) -> str:
    """A name as compared: one Unicode form, no case. File systems differ in both."""
    if name.isascii():
        return name.lower()
    return normalize("NFC", normalize("NFC", name).casefold())


@lru_cache(maxsize=1 << 13)
def name_file(path: str, *, flat: bool = False) -> Name:
    """What a root-relative path stands for; `flat` roots have no `memory/` folder."""
    folder, _, file = path.rpartition("/")
    where = _folded_parts(folder)
    low = fold(file)
    stem = file if file.isascii() else normalize("NFC", file)
    stem = stem[: stem.rfind(".")] if stem.rfind(".") > 0 else stem
    at_top = not where
    in_memory = where == ("memory",) or (flat and at_top)
    if (at_top or in_memory) and low in _WHOLE:
        return Name(_WHOLE[low], stem.upper())
    if in_memory:
        if (found := _DAY.fullmatch(low)) and _is_date(found[1], found[2], found[3]):
            return Name("day", low[:10], suffix=found[4] or "")
        if found := _TYPED.fullmatch(low):
            return Name("typed", stem, memory_type=found[1])
    inner = where[1:] if where[:1] == ("memory",) else where if flat else ()
    if inner == ("weekly",) and (found := _WEEK.fullmatch(low)) and _is_week(found[1], found[2]):
        return Name("week", low[:8].upper())
    if (
        inner == ("monthly",)
        and (found := _MONTH.fullmatch(low))
        and _is_date(found[1], found[2], "1")
    ):
        return Name("month", low[:7])
    return Name("other", stem)


def not_a_day(path: str, *, flat: bool = False) -> str:
    """Why a text that is called almost like a day is none; empty where nobody would think so."""
    folder, _, file = path.rpartition("/")
    found = _ALMOST.fullmatch(fold(file))
    if not found or _folded_parts(folder) != (() if flat else ("memory",)):
        return ""
    if not _is_date(found[1], found[2], found[3]):
        return "it is called like a day, but there is no such date"
    if len(found[2]) + len(found[3]) < 4:
        return "it is called like a day, but its date is not written like 2026-01-05"
    if found[5] != ".md":
        return "it is called like a day, but does not end in .md"
    if found[4] and found[4][0] not in "-_":
        return "it is called like a day, but after the date comes neither - nor _"
    if "\n" in file:
        return "it is called like a day, but its name has a line break in it"
    return ""


@lru_cache(maxsize=1024)
def _folded_parts(folder: str) -> tuple[str, ...]:
    return tuple(fold(part) for part in folder.split("/")) if folder else ()


def _is_date(year: str, month: str, day: str) -> bool:
    try:
        date(int(year), int(month), int(day))
    except ValueError:
        return False
    return True


def _is_week(year: str, week: str) -> bool:
    try:
        date.fromisocalendar(int(year), int(week), 1)
    except ValueError:
        return False
    return True


_MAX_TOPIC = 60
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in "123456789")}
)


def slug(text: str) -> str:
    """A topic as it stands in a file name: `[a-z0-9-]`, never empty, never a device's name.

    Words in another script leave their digest: two topics are two files.
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


def _is_of_another_script(letter: str) -> bool:
    """Whether a letter or digit has no place in a topic, and no Latin one beside it either."""
    return not letter.isascii() and letter.isalnum() and "LATIN" not in unicode_name(letter, "")
