"""Makes a root, finds its files and says what each one is, reading only what changed.

Looked at are the files directly in the root, everything in `memory/`, and wherever a pattern
for days leads. A root without `memory/` is flat: its own files, `weekly/` and `monthly/` count
as memory. Hidden names are skipped unless a pattern spells them out.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import NamedTuple

from lithify import platform
from lithify.errors import LithifyError, StorageError
from lithify.limits import FILE
from lithify.settings import USUAL_FOLDERS, Folders
from lithify.store import disk, places
from lithify.store.disk import put
from lithify.store.lock import locked
from lithify.store.names import ROLES, Layout, Role, dated, fold, name_file
from lithify.store.places import Root

#: The front matter of larger files is not read to see whether they are typed memories.
TYPE_LIMIT = 256 * 1024
TOO_LARGE = f"it is larger than {FILE >> 20} MiB; split it, for example by the hour"


class File(NamedTuple):
    """A file of a root. `path` is as on disk; `sha256` is empty for what is not memory."""

    path: str
    role: Role
    label: str
    size: int
    sha256: str = ""
    memory_type: str = ""


class RefusedFile(NamedTuple):
    """A file that is there but not read, and why; `broken` when it ought to be readable.

    `unknown` when the system failed to read it: the next time it may be a day or page like any.
    """

    path: str
    reason: str
    broken: bool = False
    unknown: bool = False


class Tree(NamedTuple):
    """The files of a root, roles in a fixed order, each role by label and name.

    `read` is the number of files whose bytes had to be read, `lies` are the paths whose
    cached digest was wrong.
    """

    files: tuple[File, ...]
    refused: tuple[RefusedFile, ...] = ()
    layout: Layout = Layout()
    read: int = 0
    lies: tuple[str, ...] = ()

    @property
    def memory(self) -> str:
        """The folder of memory, "" in a flat root."""
        return self.layout.memory

    def require_all_read(self) -> None:
        """Refuse to go on if a file or folder could not be read."""
        for one in self.refused:
            if one.broken:
                raise StorageError(action="read", path=one.path, reason=one.reason)

    def without(self, one: RefusedFile) -> Tree:
        """The files but for one, or but for all in a folder, which is refused."""
        under = "" if one.path == "." else f"{one.path}/"
        kept = (f for f in self.files if f.path != one.path and not f.path.startswith(under))
        others = (other for other in self.refused if other.path != one.path)
        return self._replace(files=tuple(kept), refused=(*others, one))

    def of(self, *roles: Role) -> tuple[File, ...]:
        """The files with one of these roles, in order."""
        return tuple(file for file in self.files if file.role in roles)

    def days(self) -> dict[str, tuple[File, ...]]:
        """The files of each day, oldest day first: the plain file, then the others by name."""
        days: dict[str, tuple[File, ...]] = {}
        for file in self.of("day"):
            days[file.label] = (*days.get(file.label, ()), file)
        return days


class Found(NamedTuple):
    """A file met on a walk: its path in the root, its real place, its `stat`."""

    path: str
    real: str
    stat: os.stat_result


def make_root(root: Root, settings: bytes) -> None:
    """Add the folder of memory and a file of settings, where they are missing."""
    base = os.path.abspath(os.fspath(root))
    # Not below: an error about the root itself names its whole path.
    disk.make_dir(base)
    with places.named(root):
        folder = memory_folder(base)
        if folder:
            disk.make_dir(os.path.join(base, folder))
        path = os.path.join(base, "lithify.toml")
        if not os.path.lexists(path):
            disk.write_new(path, settings)
            disk.sync_dir(base)


def scan(
    root: Root,
    *,
    folders: Folders = USUAL_FOLDERS,
    type_of: Callable[[bytes], str | None] | None = None,
    verify: bool = False,
    save: bool = True,
) -> Tree:
    """The tree of a root, whose days and pages are where `folders` say.

    `type_of` gives the kind of memory that the front matter of a file names; it is called only for
    new bytes. `verify` reads every file and reports cached digests that were wrong.
    """
    layout = layout_of(root, folders)
    digests = Digests(root, verify=verify)
    refused: list[RefusedFile] = []
    files: list[File] = []
    suffixed: set[str] = set()

    for found in walk(root, layout, refused):
        name = layout.name(found.path)
        ask = type_of if name.role == "other" and may_be_typed(found, layout) else None
        if name.role == "other" and (not ask or not found.stat.st_size):
            files.append(File(found.path, name.role, name.label, found.stat.st_size))
            continue
        # A day emptied by hand is an edit of that day, not its removal.
        if not found.stat.st_size and name.role != "day":
            refused.append(RefusedFile(found.path, "it is empty"))
            continue
        if found.stat.st_size > FILE:
            refused.append(RefusedFile(found.path, TOO_LARGE, broken=True))
            continue
        try:
            entry = digests.of(found, ask)
        except OSError as error:
            refused.append(_failed(found.path, error))
            continue
        role: Role = "typed" if ask and entry.type else name.role
        file = File(found.path, role, name.label, entry.size)
        if role != "other":
            kind = (entry.type or "") if ask else name.memory_type
            file = file._replace(sha256=entry.sha256, memory_type=kind)
        files.append(file)
        if name.suffix:
            suffixed.add(file.path)

    def order(file: File) -> tuple[object, ...]:
        # The plain file of a day comes before those with more than a date in their names.
        more = file.path in suffixed
        return ROLES.index(file.role), file.label, more, fold(file.path), file.path

    for file in files:
        if file.role == "other" and (why := layout.not_a_day(file.path)):
            refused.append(RefusedFile(file.path, why))
    if save:
        digests.save(root)
    return Tree(
        files=tuple(sorted(files, key=order)),
        refused=tuple(sorted(refused, key=lambda one: one.path)),
        layout=layout,
        read=digests.read,
        lies=tuple(sorted(digests.lies)),
    )


def layout_of(root: Root, folders: Folders = USUAL_FOLDERS) -> Layout:
    """The layout of a root as it is on disk."""
    return Layout(memory_folder(root), *folders)


def memory_folder(root: Root) -> str:
    """The folder that holds the days: `memory` as spelled on disk, or "" in a flat root.

    A root with nothing in it yet is not flat.
    """
    names = sorted(name for name in disk.names(os.fspath(root)) if not name.startswith("."))
    for name in names:
        # Where several spellings exist, the lower-case one counts: it is the one we make.
        if fold(name) == "memory" and os.path.isdir(os.path.join(root, name)):
            return "memory" if "memory" in names else name
    roles = {name_file(name, flat=True).role for name in names}
    # With an index alone the root is flat; with a soul too, it is a workspace without days yet.
    looks_flat = roles & {"day", "typed"} or ("index" in roles and "soul" not in roles)
    return "" if looks_flat else "memory"


def may_be_typed(found: Found, layout: Layout) -> bool:
    """Whether a file directly in memory could be a typed memory by its front matter."""
    folder, _, file = found.path.rpartition("/")
    return (
        fold(folder) == fold(layout.memory)
        and found.stat.st_size <= TYPE_LIMIT
        and fold(file).endswith(".md")
        and not dated(found.path)
    )


def _failed(path: str, error: OSError) -> RefusedFile:
    # Our own reasons, such as a file that is no text, have no number.
    return RefusedFile(path, error.strerror or str(error), broken=True, unknown=bool(error.errno))


def walk(root: Root, layout: Layout, refused: list[RefusedFile]) -> list[Found]:
    """Every file of a root that may be memory; what cannot be followed is added to `refused`.

    Outside of memory's own folders these are only the files that are named like a day. A day's file
    that has several names, by links, is there once: by its own name, not by a link to it.
    """
    found = list(_walk(root, layout, refused))
    days: dict[tuple[str, int, int | str], list[Found]] = {}
    for file in found:
        if (name := layout.name(file.path)).role == "day":
            # Where the system does not number files, the place that a link leads to tells them apart.
            same = name.label, file.stat.st_dev, file.stat.st_ino or file.real
            days.setdefault(same, []).append(file)
    again: dict[tuple[str, str], list[str]] = {}
    base = os.path.realpath(root)
    for names in days.values():
        # A link's own place is not the one it leads to.
        names.sort(key=lambda one: (os.path.join(base, *one.path.split("/")) != one.real, one.path))
        for other in names[1:]:
            folders = os.path.dirname(other.path), os.path.dirname(names[0].path)
            again.setdefault(folders, []).append(other.path)
    for (folder, first), paths in again.items():
        where = f"{first}/" if first else "the root"
        said = RefusedFile(paths[0], f"it is the same file as the day's in {where}, which is read")
        if paths[1:]:
            reason = f"{len(paths)} files in it are the same as in {where}, and are read there"
            said = RefusedFile(folder or ".", reason)
        refused.append(said)
    twice = {path for paths in again.values() for path in paths}
    return [file for file in found if file.path not in twice]


def _walk(root: Root, layout: Layout, refused: list[RefusedFile]) -> Iterator[Found]:
    base = os.path.realpath(root)
    folders = [("", base, False)]
    while folders:
        folder, real, linked = folders.pop()
        everything = not folder or layout.is_memory(folder)
        try:
            entries = sorted(os.scandir(real), key=lambda entry: entry.name)
        except OSError as error:
            refused.append(_failed(folder or ".", error))
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.name.startswith(".") and not (
                layout.may_hold_days(path) or layout.holds_pages(path)
            ):
                continue
            wanted = everything or layout.name(path).role == "day" or bool(layout.not_a_day(path))
            try:
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(status.st_mode):
                    if wanted:
                        yield Found(path, entry.path, status)
                    continue
                where = entry.path
                is_link = stat.S_ISLNK(status.st_mode)
                if is_link:
                    where = os.path.realpath(entry.path)
                    if not places.is_inside(where, base):
                        if wanted or (layout.may_hold_days(path) and os.path.isdir(where)):
                            reason = "it is a link that leads out of the root"
                            refused.append(RefusedFile(path, reason))
                        continue
                    status = os.stat(where)
            except OSError as error:
                if wanted:
                    reason = error.strerror or str(error)
                    refused.append(RefusedFile(path, f"it cannot be followed: {reason}"))
                continue
            if stat.S_ISDIR(status.st_mode):
                if layout.name(path).role == "day":
                    refused.append(
                        RefusedFile(path, "its name looks like a day's, but it is a folder")
                    )
                    continue
                leads = layout.may_hold_days(path) or layout.leads_to_pages(path)
                if not leads and not layout.is_memory(path):
                    continue
                # A link inside a linked folder is not followed: such links can multiply without end.
                if is_link and (linked or places.is_inside(real, where)):
                    refused.append(
                        RefusedFile(path, "it is a link to a folder that leads in circles")
                    )
                    continue
                folders.append((path, where, linked or is_link))
            elif stat.S_ISREG(status.st_mode):
                if wanted:
                    yield Found(path, where, status)
            elif wanted:
                refused.append(RefusedFile(path, "it is not a regular file"))


# The digest cache: which bytes a file held when it was last read, and facts about them. Delete it
# and the next scan reads everything once. An entry counts only while size, times and inode are
# unchanged, and only if the file had been left alone for two seconds when it was read: a clock may
# be too coarse to tell two writes apart.


VERSION = 1
_RACY = 2_000_000_000
_UNASKED = "?"
#: Control characters but tab, line and page ends, and the escape of a terminal.
_STRANGE = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"
#: The bytes by which a file is known for text, and the share of them that may be such signs.
_LOOKED_AT, _ODD = 1 << 14, 0.05


class CachedDigest(NamedTuple):
    """What is known of one file's bytes. `type` is "?" until somebody asks for it."""

    size: int
    mtime: int
    ctime: int
    inode: int
    sha256: str
    racy: bool
    type: str | None


class Digests:
    """The entries of one root during one scan."""

    def __init__(self, root: Root, *, verify: bool = False) -> None:
        self._old = self._load(root)
        self._new: dict[str, CachedDigest] = {}
        self._verify = verify
        self.read = 0
        self.lies: list[str] = []

    @staticmethod
    def _load(root: Root) -> dict[str, CachedDigest]:
        """Read the cache of a root; one that is missing, broken or of another version is empty."""
        try:
            saved = json.loads(disk.read(places.state(root, "digests.json")))
            files = saved["files"] if saved["version"] == VERSION else {}
            return {path: CachedDigest(*fields) for path, fields in files.items()}
        except (StorageError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return {}

    def of(self, file: Found, type_of: Callable[[bytes], str | None] | None) -> CachedDigest:
        """Return what is known of a file, read anew if it changed or its type is not known."""
        old = self._old.get(file.path)
        fresh = old is not None and old[:4] == _key(file.stat) and not old.racy
        unasked = type_of is not None and (old is None or old.type == _UNASKED)
        if old is not None and fresh and not self._verify and not unasked:
            self._new[file.path] = old
            return old
        self.read += 1
        entry, data = _read_file(file.real, whole=type_of is not None)
        if old is not None and old.sha256 == entry.sha256:
            entry = entry._replace(type=old.type)
        elif old is not None and fresh:
            self.lies.append(file.path)
        if type_of is not None and entry.type == _UNASKED:
            entry = entry._replace(type=type_of(data))
        self._new[file.path] = entry
        return entry

    def save(self, root: Root) -> None:
        """Writes the cache if it changed; where that cannot be, the next scan reads again."""
        if self._new == self._old:
            return
        fields = {path: list(e) for path, e in sorted(self._new.items())}
        saved = {"version": VERSION, "files": fields}
        data = json.dumps(saved, separators=(",", ":")).encode()
        lock = places.lock(root)
        with contextlib.suppress(LithifyError), locked(lock, wait=False):
            put(root, places.state(root, "digests.json"), data)


def _read_file(path: str, *, whole: bool) -> tuple[CachedDigest, bytes]:
    """A file's digest, and its bytes if they are wanted; large files go through in pieces."""
    # No link may take the place of the file since it was looked at, and no pipe may hold us up.
    flags = os.O_RDONLY | platform.NOFOLLOW | platform.NONBLOCK | platform.BINARY
    with open(os.open(path, flags), "rb", buffering=0) as file:
        began = time.time_ns()
        before = os.fstat(file.fileno())
        if not stat.S_ISREG(before.st_mode):
            raise OSError(0, "it is not a regular file")
        digest = sha256()
        pieces: list[bytes] = []
        size = 0
        while piece := file.read(1 << 20):
            if not size and not is_text(piece):
                raise OSError(0, "it is not text in UTF-8")
            digest.update(piece)
            size += len(piece)
            if whole:
                pieces.append(piece)
        after = os.fstat(file.fileno())
    racy = before.st_mtime_ns > began - _RACY or _key(before) != _key(after)
    _, mtime, ctime, inode = _key(after)
    entry = CachedDigest(size, mtime, ctime, inode, digest.hexdigest(), racy, _UNASKED)
    return entry, b"".join(pieces)


def is_text(data: bytes) -> bool:
    """Whether bytes are words: hardly any of them are signs that no writer sets.

    A day with a stray NUL or some words in another encoding is one still.
    """
    looked_at = data[:_LOOKED_AT]
    return len(looked_at) - len(looked_at.translate(None, _STRANGE)) <= len(looked_at) * _ODD


def _key(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def end_of_version(data: bytes, digest: str) -> int:
    """Where the version with this digest ended, if the file was only appended to since; else 0."""
    so_far, end = sha256(), 0
    for line in data.split(b"\n") if digest else ():
        # The last line of that version may have been without its newline.
        for part in (line, b"\n"):
            so_far.update(part)
            end += len(part)
            if so_far.hexdigest() == digest:
                return end
    return 0
