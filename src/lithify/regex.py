"""Regular expressions that are compiled when they are first used.

A command uses few of those that its modules name; to compile all of them took a fifth of the time of a
`lithify compact` with nothing due.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_METHODS = (
    "findall",
    "finditer",
    "flags",
    "fullmatch",
    "groupindex",
    "groups",
    "match",
    "pattern",
    "search",
    "split",
    "sub",
    "subn",
)


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, at first use; for the constants of a module."""
    return cast("re.Pattern[AnyStr]", _Waiting(pattern, flags))


class _Compiled:
    """Has what a compiled pattern has."""


class _Waiting(_Compiled):
    def __init__(self, pattern: AnyStr, flags: int) -> None:
        self.__dict__["given"] = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(*self.__dict__["given"])
        # A class without `__getattr__`: its instances are as quick as patterns.
        self.__class__ = _Compiled  # type: ignore[assignment]
        self.__dict__.update({one: getattr(compiled, one) for one in _METHODS})
        return getattr(compiled, name)
