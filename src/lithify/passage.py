"""What recall gives back.

Part of the values that travel between the stages; apart from the others, because every start of
`lithify recall` pays for the classes that are made.
"""

from __future__ import annotations

from datetime import date as _Date
from typing import NamedTuple


class Step(NamedTuple):
    """A sentence of a summary, a typed memory or wisdom through which a passage was reached."""

    tier: str
    path: str
    line: int
    text: str


class Passage(NamedTuple):
    """The words of a day that answer a query: neighbouring entries, one a line (rows of a table
    under its head), credentials out.

    `also_on` are other days that say nearly the same, `superseded` the day on which a newer
    value was given, `through` the summaries that lead here. The budget counts `tokens`.
    """

    text: str
    path: str
    line: int
    end_line: int
    entries: tuple[str, ...]
    date: _Date | None
    headings: tuple[str, ...]
    score: float
    tokens: int
    origin: str = "file"
    also_on: tuple[_Date, ...] = ()
    superseded: _Date | None = None
    through: tuple[Step, ...] = ()


class Recall(NamedTuple):
    """What memory has for a query, best first; where it has nothing, the topics nearest to it."""

    query: str
    passages: tuple[Passage, ...] = ()
    nearest: tuple[str, ...] = ()
    tokens: int = 0
    support: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.passages)
