"""Load what other packages offer by entry points: engines, importers, clients and commands.

Built-in ones stand in tables of their own packages. Entry points are read only for a name that is
in no table, because looking through every installed package would slow each start.
"""

from __future__ import annotations

from typing import Any


def offered(group: str, name: str) -> Any | None:
    """Load what an installed package offers as `name` in `lithify.<group>`; None if none does.

    >>> offered("engines", "nothing-of-this-name") is None
    True
    """
    from importlib.metadata import entry_points

    found = entry_points(group=f"lithify.{group}", name=name)
    return next(iter(found)).load() if found else None
