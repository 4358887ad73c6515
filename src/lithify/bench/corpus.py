"""A root's days grouped into periods, and the questions asked about them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from lithify import calendar
from lithify.errors import LithifyError
from lithify.markdown.parse import parse
from lithify.settings import USUAL_FOLDERS, Folders
from lithify.store import disk
from lithify.store.tree import scan
from lithify.text.tokens import estimate
from lithify.values import Entry

#: The categories of questions about what was never said: they measure refusal, not retention.
ABSENT = ("adversarial", "negative")


class BadLines(LithifyError):
    """{file}: {reason}"""

    exit_code = 2


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
    """A question, its answer, the days it is about, and the exact sentences that answer it."""

    id: str
    question: str
    answer: str
    category: str = ""
    days: tuple[date, ...] = ()
    evidence: tuple[str, ...] = ()

    @property
    def absent(self) -> bool:
        """Whether it asks for what was never said, so that silence is the right answer."""
        return self.category.startswith(ABSENT)


def read_days(
    root: Path,
    folders: Folders = USUAL_FOLDERS,
    shown: Callable[[bytes], bytes] = lambda data: data,
) -> tuple[Day, ...]:
    """Read the days of a root, or of a bare folder of days, oldest first; a day's files are one.

    `folders` are those of the root's settings. `shown` takes credentials out of a file,
    because a model that is measured may see it. Nothing is written.
    """
    days = []
    for label, files in scan(root, folders=folders, save=False).days().items():
        if day := calendar.parse_day(label):
            read = [shown(disk.read(str(root / file.path))) for file in files]
            parsed = [parse(data, label=day.isoformat(), day=day).entries for data in read]
            entries = tuple(entry for found in parsed for entry in found)
            text = "\n".join(data.decode("utf-8", "replace") for data in read)
            days.append(Day(day, text, entries, estimate(text)))
    return tuple(days)


def date_mark(entry: Entry) -> str:
    """Return the day of an entry as a bullet begins with it: `2 Apr 2026:`."""
    return f"{calendar.day_words(entry.day)}:" if entry.day else ""


def weeks_of(days: Sequence[Day]) -> tuple[Period, ...]:
    """Group days into calendar weeks."""
    groups: dict[str, list[Day]] = {}
    for day in days:
        groups.setdefault(calendar.week_of(day.day), []).append(day)
    return tuple(Period(name, tuple(group)) for name, group in groups.items())


def months_of(weeks: Sequence[Period]) -> tuple[Period, ...]:
    """Group weeks into calendar months, each by its Thursday."""
    groups: dict[str, list[int]] = {}
    for at, week in enumerate(weeks):
        groups.setdefault(calendar.month_of(week.name), []).append(at)
    return tuple(
        Period(name, tuple(day for at in group for day in weeks[at].days), tuple(group))
        for name, group in groups.items()
    )


def read_questions(path: Path) -> tuple[Question, ...]:
    """Read questions from JSON lines; what is wrong with a file is said with its place."""
    rows = enumerate(json_lines(path), 1)
    found = tuple(question_of(path, number, place, row) for number, (place, row) in rows)
    if not found:
        raise BadLines(file=path, reason="no questions in it")
    return found


def json_lines(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Read the objects of a file, one on each line, with the place of each."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadLines(file=path, reason=f"not UTF-8 text (byte {error.start})") from None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            # The line itself is not quoted: it may be a claim that nobody is to read.
            told = getattr(error, "msg", "nested too deeply")
            reason = f"line {number} is not JSON ({told}); expected one object a line"
            raise BadLines(file=path, reason=reason) from None
        if not isinstance(row, dict):
            raise BadLines(file=path, reason=f"line {number} is not an object")
        yield f"line {number}", row


def question_of(path: Path, number: int, place: str, row: Mapping[str, Any]) -> Question:
    """Check one question and return it; what is wrong with it is said with its place."""
    for key in ("question", "answer", "category", "id"):
        if isinstance(row.get(key), (dict, list)):
            raise BadLines(file=path, reason=f"{place}: `{key}` is not a text")
    for key in ("relevant_days", "evidence"):
        if not isinstance(row.get(key) or [], list):
            raise BadLines(file=path, reason=f"{place}: `{key}` is not a list")
    text = {key: "" if value is None else str(value).strip() for key, value in row.items()}
    category = text.get("category", "")
    for key in ("question",) if category.startswith(ABSENT) else ("question", "answer"):
        if not text.get(key):
            raise BadLines(file=path, reason=f"{place}: no `{key}`")
    days = []
    for named in row.get("relevant_days") or ():
        if (day := calendar.parse_day(str(named).strip())) is None:
            reason = f"{place}: {str(named)!r} is no date such as 2026-04-02"
            raise BadLines(file=path, reason=reason)
        days.append(day)
    return Question(
        text.get("id") or str(number),
        text["question"],
        text.get("answer", ""),
        category,
        tuple(sorted(set(days))),
        tuple(str(turn) for turn in row.get("evidence") or ()),
    )
