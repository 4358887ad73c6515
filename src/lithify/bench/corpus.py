"""A root's days grouped into periods, and the questions asked about them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from lithify import calendar
from lithify.markdown.parse import parse
from lithify.store import disk
from lithify.store.names import DAYS
from lithify.store.tree import scan
from lithify.text.tokens import estimate
from lithify.values import Entry

#: Questions about what was never said measure refusal, not retention.
LEFT_OUT = ("adversarial", "negative")


@dataclass(frozen=True, slots=True)
class Day:
    """One day's files: their words, entries and length."""

    day: date
    text: str
    entries: tuple[Entry, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Period:
    """Days that are compacted together. A month's `weeks` are places among the weeks."""

    name: str
    days: tuple[Day, ...]
    weeks: tuple[int, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(entry for day in self.days for entry in day.entries)

    @property
    def tokens(self) -> int:
        return sum(day.tokens for day in self.days)


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its answer, and the days it is about."""

    id: str
    question: str
    answer: str
    category: str = ""
    days: tuple[date, ...] = ()


def _as_it_is(entry: Entry) -> Entry:
    return entry


def read_days(
    root: Path,
    patterns: tuple[str, ...] = DAYS,
    clean: Callable[[Entry], Entry] = _as_it_is,
) -> tuple[Day, ...]:
    """The days of a root, or of a bare folder of days, oldest first; a day's files are one.

    `patterns` are those of the root's settings. `clean` makes an entry fit to be shown to a
    model, where one is measured. Nothing is written.
    """
    days = []
    for label, files in scan(root, patterns=patterns, save=False).days().items():
        if day := calendar.parse_day(label):
            days.append(_day(day, [disk.read(str(root / file.path)) for file in files], clean))
    return tuple(days)


def _day(day: date, files: Sequence[bytes], clean: Callable[[Entry], Entry]) -> Day:
    entries: list[Entry] = []
    for data in files:
        entries += map(clean, parse(data, label=day.isoformat(), day=day).entries)
    text = "\n".join(data.decode("utf-8", "replace") for data in files)
    return Day(day, text, tuple(entries), estimate(text))


def date_mark(entry: Entry) -> str:
    """The day of an entry as a bullet begins with it: `2 Apr 2026:`."""
    return f"{calendar.day_words(entry.day)}:" if entry.day else ""


def weeks_of(days: Sequence[Day], sessions: int = 0) -> tuple[Period, ...]:
    """Calendar weeks, or every `sessions` days with a log taken as one."""
    if sessions:
        parts = [days[at : at + sessions] for at in range(0, len(days), sessions)]
        return tuple(Period(f"part {n}", tuple(part)) for n, part in enumerate(parts, 1))
    groups: dict[str, list[Day]] = {}
    for day in days:
        groups.setdefault(calendar.week_of(day.day), []).append(day)
    return tuple(Period(name, tuple(group)) for name, group in groups.items())


def months_of(weeks: Sequence[Period], sessions: int = 0) -> tuple[Period, ...]:
    """Calendar months (by each week's Thursday), or every four of the parts above."""
    groups: dict[str, list[int]] = {}
    for at, week in enumerate(weeks):
        name = f"parts {at // 4 + 1}" if sessions else calendar.month_of(week.name)
        groups.setdefault(name, []).append(at)
    return tuple(
        Period(name, tuple(day for at in group for day in weeks[at].days), tuple(group))
        for name, group in groups.items()
    )


def read_questions(lines: Iterable[str]) -> tuple[Question, ...]:
    """Questions from JSONL, those about what was never said left out."""
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row: Mapping[str, object] = json.loads(line)
        category = str(row.get("category") or "")
        if category.startswith(LEFT_OUT):
            continue
        listed = row.get("relevant_days")
        days = [calendar.parse_day(str(day)) for day in listed] if isinstance(listed, list) else []
        found.append(
            Question(
                id=str(row.get("id") or number),
                question=str(row["question"]),
                answer=str(row["answer"]),
                category=category,
                days=tuple(day for day in days if day is not None),
            )
        )
    return tuple(found)
