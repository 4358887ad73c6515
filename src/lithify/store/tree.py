"""Finds every file of a root and says what it is, reading only what changed.

Seen are the root's own files and all of `memory/`; a root without `memory/` is flat, and
its own files and its `weekly/` and `monthly/` count as memory. Hidden names are passed over.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from lithify.store import places
from lithify.store.names import ROLES, Role, fold, name_file, not_a_day
from lithify.store.places import Root

#: Larger files are not asked whether their front matter makes them typed memories.
TYPE_LIMIT = 256 * 1024


class File(NamedTuple):
    """A file of a root. `path` is as on disk; `sha256` is empty for what is not memory."""

    path: str
    role: Role
    label: str
    size: int
    sha256: str = ""
    memory_type: str = ""
    facts: Mapping[str, Any] = MappingProxyType({})


class Refused(NamedTuple):
    """A file that is there but not read, and why; `broken` when it ought to be readable."""

    path: str
    reason: str
    broken: bool = False


class Tree(NamedTuple):
    """The files of a root, roles in a fixed order, each role by label and name.

    `memory` is the folder new days go to ("" in a flat root), `read` the number of files
    whose bytes had to be read, `lies` the paths whose cached digest was wrong.
    """

    files: tuple[File, ...]
    refused: tuple[Refused, ...] = ()
    memory: str = "memory"
    read: int = 0
    lies: tuple[str, ...] = ()

    def of(self, *roles: Role) -> tuple[File, ...]:
        """The files with one of these roles, in order."""
        return tuple(file for file in self.files if file.role in roles)

    def days(self) -> dict[str, tuple[File, ...]]:
        """The files of each day, oldest day first: the plain file, then the others by name."""
        days: dict[str, tuple[File, ...]] = {}
        for file in self.of("day"):
            days[file.label] = (*days.get(file.label, ()), file)
        return days

    def get(self, path: str) -> File | None:
        """The file at this path, if it was found and read."""
        return next((file for file in self.files if file.path == path), None)


class Found(NamedTuple):
    """A file that was come upon: its path in the root, where it really is, what it weighs."""

    path: str
    real: str
    stat: os.stat_result


def scan(
    root: Root,
    *,
    type_of: Callable[[bytes], str | None] | None = None,
    measure: Callable[[bytes], Mapping[str, Any]] | None = None,
    stamp: str = "",
    verify: bool = False,
    save: bool = True,
) -> Tree:
    """The tree of a root.

    `measure` gives facts of a file's bytes, `type_of` the kind of memory its front matter
    names; both are asked only about new bytes, or when `stamp` (their version) changes.
    `verify` reads every file and reports cached digests that were wrong.
    """
    # Loaded when something is to be read; to look at files takes less.
    from lithify.store.digests import Digests

    memory = memory_folder(root)
    digests = Digests.load(root, stamp=stamp, verify=verify)
    refused: list[Refused] = []
    files: list[tuple[tuple[object, ...], File]] = []

    for found in walk(root, memory, refused):
        name = name_file(found.path, flat=not memory)
        role, kind = name.role, name.memory_type
        ask = type_of if role == "other" and may_be_typed(found, memory) else None
        if role == "other" and (not ask or not found.stat.st_size):
            files.append(_sorted(File(found.path, role, name.label, found.stat.st_size)))
            continue
        # A day emptied by hand is an edit of that day, not its removal.
        if not found.stat.st_size and role != "day":
            refused.append(Refused(found.path, "it is empty"))
            continue
        try:
            entry = digests.of(found.path, found.real, found.stat, ask, measure)
        except OSError as error:
            refused.append(Refused(found.path, error.strerror or str(error), broken=True))
            continue
        if ask and entry.type:
            role, kind = "typed", entry.type
        known = role != "other"
        files.append(
            _sorted(
                File(
                    found.path,
                    role,
                    name.label,
                    entry.size,
                    entry.sha256 if known else "",
                    kind,
                    (entry.facts or {}) if known else {},
                ),
                name.suffix,
            )
        )
    for _, file in files:
        if file.role == "other" and (why := not_a_day(file.path, flat=not memory)):
            refused.append(Refused(file.path, why))
    if save:
        digests.save(root)
    return Tree(
        files=tuple(file for _, file in sorted(files, key=lambda pair: pair[0])),
        refused=tuple(sorted(refused, key=lambda one: one.path)),
        memory=memory,
        read=digests.read,
        lies=tuple(sorted(digests.lies)),
    )


def memory_folder(root: Root) -> str:
    """The folder that holds the days: `memory` as spelled on disk, or "" in a flat root.

    A root with nothing in it yet is not flat.
    """
    try:
        with os.scandir(root) as entries:
            names = sorted(e.name for e in entries if not e.name.startswith("."))
    except OSError:
        return "memory"
    for name in names:
        # The lower-case spelling comes last in order and is the one we would make.
        if fold(name) == "memory" and os.path.isdir(os.path.join(root, name)):
            return "memory" if "memory" in names else name
    roles = {name_file(name, flat=True).role for name in names}
    # An index alone makes a flat folder; beside a soul it is a workspace with no days yet.
    looks_flat = roles & {"day", "typed"} or ("index" in roles and "soul" not in roles)
    return "" if looks_flat else "memory"


def may_be_typed(found: Found, memory: str) -> bool:
    """Whether the front matter of a file with a name of its own may make it a typed memory."""
    folder, _, file = found.path.rpartition("/")
    return (
        fold(folder) == fold(memory)
        and found.stat.st_size <= TYPE_LIMIT
        and fold(file).endswith(".md")
    )


def _sorted(file: File, suffix: str = "") -> tuple[tuple[object, ...], File]:
    key = (ROLES.index(file.role), file.label, suffix != "", fold(file.path), file.path)
    return key, file


_NAME = attrgetter("name")


def walk(root: Root, memory: str, refused: list[Refused]) -> Iterator[Found]:
    """Every file of a root that may be memory; what cannot be followed is put with the refused."""
    base = os.path.realpath(root)
    folders = [("", base, False)]
    while folders:
        folder, real, linked = folders.pop()
        try:
            entries = sorted(os.scandir(real), key=_NAME)
        except OSError as error:
            refused.append(Refused(folder or ".", error.strerror or str(error), broken=True))
            continue
        for entry in entries:
            if entry.name.startswith("."):
                continue
            path = f"{folder}/{entry.name}" if folder else entry.name
            try:
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(status.st_mode):
                    yield Found(path, entry.path, status)
                    continue
                where = entry.path
                is_link = stat.S_ISLNK(status.st_mode)
                if is_link:
                    where = os.path.realpath(entry.path)
                    if not places.is_inside(where, base):
                        refused.append(Refused(path, "it is a link that leads out of the root"))
                        continue
                    status = os.stat(where)
            except OSError as error:
                reason = error.strerror or str(error)
                refused.append(Refused(path, f"it cannot be followed: {reason}"))
                continue
            if stat.S_ISDIR(status.st_mode):
                if name_file(path, flat=not memory).role == "day":
                    refused.append(Refused(path, "it is called like a day, but is a folder"))
                    continue
                if not folder and not _is_memory(entry.name, memory):
                    continue
                # One link deep is enough for anybody; links upon links can multiply without end.
                if is_link and (linked or places.is_inside(real, where)):
                    refused.append(Refused(path, "it is a link to a folder that leads in circles"))
                    continue
                folders.append((path, where, linked or is_link))
            elif stat.S_ISREG(status.st_mode):
                yield Found(path, where, status)
            else:
                refused.append(Refused(path, "it is not a regular file"))


def _is_memory(name: str, memory: str) -> bool:
    return fold(name) == "memory" if memory else fold(name) in ("weekly", "monthly")
