"""Rows of a table whose columns are days: what a thing measured on each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lithify.engines.offline.matters.amounts import of_one_kind, with_one_unit
from lithify.engines.offline.matters.subjects import OCCASIONS
from lithify.engines.offline.page.bullets import Bullet, day_words
from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.text import LIMIT, strip_marks
from lithify.engines.offline.reading.units import Unit
from lithify.text.stems import COMMON_STEMS
from lithify.text.tokens import estimate

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_DAY = re.compile(rf"\d{{1,2}} {_MONTH}|{_MONTH} \d{{1,2}}|\d{{4}}-\d{{2}}-\d{{2}}", re.I)
#: The column of the day itself, and pairs of columns that are told with that day alone.
_TODAY = re.compile(r"today|now", re.I)
_PAIRS = re.compile(r"(?:before|old|was|then) (?:after|new|now|today)", re.I)
_VALUE = re.compile(r"[$€£]?\d[\d,.]*(?: ?[A-Za-z%°/]{1,12}\d*[a-z]?)?")
#: A name of more characters is a sentence.
_LONGEST = 48


class Row(NamedTuple):
    """A row in words, the last of its name; its values are of several `days`, or of two states."""

    unit: Unit
    bullet: Bullet
    days: int


def columns(units: Sequence[Unit]) -> list[Row]:
    """The rows that tell a value of several days, or what it was and is."""
    found: dict[str, Row] = {}
    for unit in units:
        if unit.entry.kind == "row" and unit.entry.day is not None:
            for name, text, days in _told(unit):
                before = found.pop(name.lower(), None)
                same = [unit, *(before.bullet.units if before else ())]
                found[name.lower()] = Row(unit, Bullet("", same, text, estimate(text) + 1), days)
    return [row for row in found.values() if row.bullet.cost <= LIMIT]


def _told(unit: Unit) -> Iterator[tuple[str, str, int]]:
    """The row's name, its values from the first column to the last with their days, and how many."""
    name, *cells = _cells(unit.entry.text)
    _, *heads = [*_cells(unit.entry.lead), ""][: len(cells) + 1]
    if len(cells) < 2 or len(heads) != len(cells) or not 0 < len(name) <= _LONGEST:
        return
    today = day_words(unit.entry)
    days = [today if _TODAY.fullmatch(head) else head for head in heads]
    if _PAIRS.fullmatch(" ".join(heads)):
        days = [today]
    elif not all(day == today or _DAY.fullmatch(day) for day in days):
        return
    same = all(of_one_kind(cells[0], cell) for cell in cells)
    if same and all(map(_VALUE.fullmatch, cells)) and cells[0] != cells[-1]:
        subject, stems = subject_of(unit.place)
        under = subject if " " not in name and stems - OCCASIONS - COMMON_STEMS else ""
        what = f"{under}: {name}" if under else f"{name}:"
        told = f"{what} from {' to '.join(with_one_unit(cells))} ({', '.join(days)})"
        yield name, f"{told[0].upper()}{told[1:]}", len(days)


def _cells(row: str) -> list[str]:
    """The cells of a row, or of the row over the table, in plain words."""
    return [strip_marks(cell).strip() for cell in row.strip(" |").split("|")]
