"""Room: what was remembered to save time is forgotten before it takes too much memory."""

from __future__ import annotations

import os
import sys
from functools import _lru_cache_wrapper

#: Bytes that all processes of a compaction may hold together, before they forget.
MOST = 340 << 20
#: How much more than after the last time a process must hold to forget again: what is given back
#: is not all given back at once.
_GROWN = 1.2
_STATM = "/proc/self/statm"


def _held() -> int:
    """The bytes this process holds now; 0 where nobody can tell."""
    try:
        with open(_STATM, "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def forget() -> None:
    """Empty what functions of this program remember; they work it out again when asked."""
    for name, module in tuple(sys.modules.items()):
        if name.partition(".")[0] == "lithify":
            for value in vars(module).values():
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()


class Room:
    """How much memory a process may hold before it forgets."""

    def __init__(self, most: float = MOST) -> None:
        self._most = most

    def divide(self, processes: int) -> None:
        """Share the room with copies of this process: what it holds now, all hold together."""
        shared = min(self._most, _held())
        self._most = shared + (self._most - shared) / processes

    def is_full(self) -> bool:
        """Whether this process held more than it may; what it could forget is forgotten then."""
        if _held() <= self._most:
            return False
        forget()
        self._most = max(self._most, _GROWN * _held())
        return True
