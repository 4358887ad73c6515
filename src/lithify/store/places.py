"""The paths of a root: where the program keeps its own files, and what leads out of the root."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from lithify.errors import OutsideRoot, StorageError, ThroughLink

Root = str | os.PathLike[str]

STATE = ".lithify"
JOURNAL = f"{STATE}/journal.jsonl"


def state(root: Root, *parts: str) -> str:
    """The real path of a file in `.lithify/`; our own files are never read or written through a link."""
    return writable(root, "/".join((STATE, *parts)))


def journal(root: Root) -> str:
    return writable(root, JOURNAL)


def lock(root: Root) -> str:
    """The lock that is held during one write."""
    return state(root, "lock")


def compact_lock(root: Root) -> str:
    """The lock that is held during a whole compaction."""
    return state(root, "compact.lock")


def staged(root: Root, *names: str) -> str:
    return state(root, "staged", *names)


def history(root: Root, *parts: str) -> str:
    return state(root, "history", *parts)


def resolve(root: Root, path: str) -> str:
    """The real path of a root-relative one, with links inside the root followed.

    Raises `OutsideRoot` when it leads out of the root.
    """
    return _resolved(root, path)[0]


def writable(root: Root, path: str) -> str:
    """The real path of a file to write or remove: the root-relative one itself, and no link's target.

    Raises `OutsideRoot` like `resolve`, and `ThroughLink` where a link within the root leads there.
    What a file may hold is judged by its name, which a link would make a lie.
    """
    real, plain = _resolved(root, path)
    if os.path.normcase(real) != os.path.normcase(plain):
        raise ThroughLink(path=path)
    return real


def _resolved(root: Root, path: str) -> tuple[str, str]:
    """Return the real path, and the one that it would be without a link inside the root."""
    parts = path.split("/")
    if not path or "\0" in path or os.path.isabs(path) or {"", ".", ".."} & set(parts):
        raise OutsideRoot(path=path)
    base = os.path.realpath(root)
    plain = os.path.join(base, *parts)
    real = os.path.realpath(plain)
    if not is_inside(real, base):
        raise OutsideRoot(path=path)
    return real, plain


def relative(root: Root, path: str) -> str:
    """A path relative to the root; one outside of it stays as it is."""
    for base in (os.path.abspath(os.fspath(root)), os.path.realpath(root)):
        if is_inside(path, base):
            return os.path.relpath(path, base).replace(os.sep, "/")
    return path


@contextlib.contextmanager
def named(root: Root) -> Iterator[None]:
    """Make the paths in storage errors relative to the root."""
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
