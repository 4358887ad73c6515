"""Where a root is worked on: its own folder, or a copy of what object storage holds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from lithify.errors import NoRoot
from lithify.fleet.objects import OBJECTS, materialised


class Place(Protocol):
    """A folder to compact, and how what is written there reaches the root."""

    @property
    def folder(self) -> str: ...

    def keep_replies(self) -> None: ...

    def publish(self) -> None: ...


class LocalPlace:
    """The root's own folder: what is written there is published already."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def keep_replies(self) -> None:
        return

    def publish(self) -> None:
        return


@contextmanager
def place_of(url: str, scratch: str) -> Iterator[Place]:
    """The place to work on a root; a copy is removed afterwards."""
    if url.startswith(OBJECTS):
        with materialised(url, scratch) as copy:
            yield copy
        return
    folder = url.removeprefix("file://")
    if not os.path.isdir(folder):
        raise NoRoot(where=f"at {folder}")
    yield LocalPlace(folder)
