"""Where a root is worked on: its own folder, or a copy of what object storage holds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from lithify.errors import LithifyError, NoRoot
from lithify.fleet.registry import OBJECTS, folder_of


class LostRace(LithifyError):
    """{url} was changed by another while it was worked on."""


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
        from lithify.fleet.objects import materialised

        with materialised(url, scratch) as copy:
            yield copy
        return
    folder = folder_of(url)
    if not os.path.isdir(folder):
        raise NoRoot(start=folder)
    yield LocalPlace(folder)
