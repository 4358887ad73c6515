"""What was read a moment ago, kept while there is room."""

from __future__ import annotations

from collections.abc import Sized
from typing import Generic, TypeVar

T = TypeVar("T", bound=Sized)


class Kept(Generic[T]):
    """Collections by name; the ones read first go when all together grow too large.

    Not those asked for longest ago: a month asks for its days when the next one's have been read,
    and would hold on to them, who are done with, at the cost of those whose month is to come.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._size = 0
        self._values: dict[str, T] = {}

    def get(self, name: str) -> T | None:
        """What is kept under a name, if it still is."""
        return self._values.get(name)

    def put(self, name: str, value: T) -> T:
        """Keep a value, whatever it costs the older ones."""
        self.drop(name)
        self._values[name] = value
        self._size += len(value)
        while self._size > self.most and len(self._values) > 1:
            self.drop(next(iter(self._values)))
        return value

    def drop(self, name: str) -> None:
        """Forget what is kept under a name."""
        if name in self._values:
            self._size -= len(self._values.pop(name))
