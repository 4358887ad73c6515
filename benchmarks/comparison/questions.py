"""Questions with their answers, the days they are about, and the sentences that answer them.

A file may bring its days along, as LoCoMo's samples do. Days that a file gives as numbers count
from the root's first day, which is day 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any, TypeVar

from lithify.bench.corpus import ABSENT, BadLines, Question
from lithify.calendar import parse_day

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
    """A question as its file has it; a day may be a number."""

    id: str
    question: str
    answer: str
    category: str
    days: tuple[date | int, ...]
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sample:
    """Questions about one memory, and its days where the file brings them along."""

    name: str
    rows: tuple[Row, ...]
    days: Mapping[date, str] = field(default_factory=dict)


def choose(samples: Sequence[Sample], names: Iterable[str]) -> tuple[Sample, ...]:
    """The samples with these names, all of them without any."""
    known = {sample.name: sample for sample in samples}
    wanted = list(dict.fromkeys(names))
    for name in wanted:
        if name not in known:
            raise BadLines(
                file="--sample " + name, reason="no such sample; there are " + ", ".join(known)
            )
    return tuple(known[name] for name in wanted) if wanted else tuple(samples)


def dated(sample: Sample, first: date | None) -> tuple[Question, ...]:
    """The questions with their days as dates, `first` being day 1."""
    found = []
    for row in sample.rows:
        days = dict.fromkeys(_dated(day, first) for day in row.days)
        known = tuple(sorted(day for day in days if day is not None))
        question = Question(row.id, row.question, row.answer, row.category, known, row.evidence)
        found.append(question)
    return tuple(found)


def write_days(sample: Sample, folder: Path) -> None:
    """The days a sample brings along, as files of a memory folder."""
    for day, text in sample.days.items():
        (folder / f"{day}.md").write_text(text, encoding="utf-8")


def thinned(found: Sequence[T], limit: int | None) -> tuple[T, ...]:
    """At most so many of them, evenly out of the whole, so that every category has its share."""
    if limit is None or limit >= len(found):
        return tuple(found)
    return tuple(found[at * len(found) // limit] for at in range(limit))


def _dated(day: date | int, first: date | None) -> date | None:
    if isinstance(day, date):
        return day
    try:
        return first + timedelta(days=day - 1) if first else None
    except OverflowError:
        return None


def rows_of(path: Path, found: Iterable[tuple[str, Mapping[str, Any]]]) -> tuple[Row, ...]:
    """Checked questions out of plain values, each with its place in the file."""
    return tuple(row_of(path, number, place, row) for number, (place, row) in enumerate(found, 1))


def row_of(path: Path, number: int, place: str, row: Mapping[str, Any]) -> Row:
    """One question, checked; what is wrong with it is said with its place."""

    def text(key: str) -> str:
        value = row.get(key)
        if isinstance(value, (dict, list)):
            raise BadLines(file=path, reason=f"{place}: `{key}` is not a text")
        return "" if value is None else str(value).strip()

    question, category = text("question"), text("category")
    if not question:
        raise BadLines(file=path, reason=f"{place}: no `question`")
    answer = text("answer")
    if not answer and not category.startswith(ABSENT):
        raise BadLines(file=path, reason=f"{place}: no `answer`")
    days = [_day(path, place, day) for day in _listed(path, place, row, "relevant_days")]
    evidence = [str(turn) for turn in _listed(path, place, row, "evidence")]
    return Row(text("id") or str(number), question, answer, category, tuple(days), tuple(evidence))


def _listed(path: Path, place: str, row: Mapping[str, Any], key: str) -> list[Any]:
    value = row.get(key)
    if value is None or value == "":
        return []
    if not isinstance(value, list):
        raise BadLines(file=path, reason=f"{place}: `{key}` is not a list")
    return value


def _day(path: Path, place: str, day: object) -> date | int:
    text = str(day).strip()
    if text.isascii() and text.isdigit() and len(text) < 8:
        return int(text)
    known = parse_day(text)
    if known is None:
        reason = f"{place}: {text!r} is neither a date such as 2026-04-02 nor a day's number"
        raise BadLines(file=path, reason=reason)
    return known
