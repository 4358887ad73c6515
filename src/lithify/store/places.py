"""Where things stand in a root."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from lithify.errors import OutsideRoot, StorageError

Root = str | os.PathLike[str]

STATE = ".lithify"


def state(root: Root, *parts: str) -> str:
    """The real place of a name in the program's own folder of a root.

    Raises `OutsideRoot` like `resolve`: nothing of ours is read or written through a link
    that another has laid to a file of theirs.
    """
    return resolve(root, "/".join((STATE, *parts)))


def journal(root: Root) -> str:
    return state(root, "journal.jsonl")


def lock(root: Root) -> str:
    """Held for the moment of one write."""
    return state(root, "lock")


def compact_lock(root: Root) -> str:
    """Held for a whole compaction."""
    return state(root, "compact.lock")


def staged(root: Root, *names: str) -> str:
    return state(root, "staged", *names)


def history(root: Root, *parts: str) -> str:
    return state(root, "history", *parts)


def resolve(root: Root, path: str) -> str:
    """The real place of a root-relative path, links inside the root followed.

    Raises `OutsideRoot` when it leads out of the root.
    """
    parts = path.split("/")
    if not path or "\0" in path or os.path.isabs(path) or {"", ".", ".."} & set(parts):
        raise OutsideRoot(path=path)
    base = os.path.realpath(root)
    real = os.path.realpath(os.path.join(base, *parts))
    if not is_inside(real, base):
        raise OutsideRoot(path=path)
    return real


def relative(root: Root, path: str) -> str:
    """A path as a person knows it, from the root on."""
    for base in (os.path.abspath(os.fspath(root)), os.path.realpath(root)):
        if is_inside(path, base):
            return os.path.relpath(path, base).replace(os.sep, "/")
    return path


@contextlib.contextmanager
def named(root: Root) -> Iterator[None]:
    """Lets storage errors say paths from the root on."""
    try:
        yield
    except StorageError as error:
        path = relative(root, str(error.facts["path"]))
        if path == error.facts["path"]:
            raise
        raise type(error)(**{**error.facts, "path": path}) from error.__cause__


def is_inside(path: str, base: str) -> bool:
    """Whether an absolute path lies in a folder (or is it)."""
    return path == base or path.startswith(base.rstrip(os.sep) + os.sep)
