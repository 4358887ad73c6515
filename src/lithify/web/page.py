"""What a page is made of: the request as its function sees it, its template, and windows of lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import urlencode

T = TypeVar("T")

#: The rows of a list that are shown at once.
WINDOW = 50


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: what its path names, and its query."""

    path: str
    named: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def page(self) -> int:
        """The page of a list that is asked for, from 1 on."""
        text = self.query.get("page", "1")
        return int(text) if text.isascii() and text.isdigit() and int(text[:9]) > 0 else 1

    def at(self, **changed: object) -> str:
        """The address of this page with other values in its query."""
        query = {**self.query, **{key: str(value) for key, value in changed.items()}}
        query.pop("done", None)
        return f"{self.path}?{urlencode(query)}"


class Page(NamedTuple):
    """A template and what fills it; `extra` tells states apart that the root's files do not."""

    template: str
    title: str
    facts: Mapping[str, Any]
    extra: str = ""


class Window(NamedTuple, Generic[T]):
    """A part of a list: its rows, which page of how many it is, and the length of the list."""

    rows: Sequence[T]
    page: int
    pages: int
    total: int


def window(rows: Sequence[T], page: int, size: int = WINDOW) -> Window[T]:
    """The page of a list that is asked for, or its last."""
    pages = max(1, -(-len(rows) // size))
    page = min(page, pages)
    return Window(rows[(page - 1) * size : page * size], page, pages, len(rows))
