"""What was read a moment ago, kept while there is room."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sized
from typing import Generic, TypeVar

T = TypeVar("T", bound=Sized)


class Kept(Generic[T]):
    """Collections by name; the ones not asked for longest go when all together grow too large."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._size = 0
        self._values: OrderedDict[str, T] = OrderedDict()

    def get(self, name: str) -> T | None:
        """What is kept under a name, if it still is."""
        if name in self._values:
            self._values.move_to_end(name)
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
