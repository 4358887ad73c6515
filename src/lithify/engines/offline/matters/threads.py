"""A subject of several weeks in few sentences: what it was, how it turned, where it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from math import log

from lithify import cues
from lithify.engines.offline.matters.subjects import week
from lithify.engines.offline.page.bullets import date_mark, day_words, in_a_row, untied
from lithify.engines.offline.reading.units import Unit
from lithify.text.stems import COMMON_STEMS

#: Telling words without which a sentence must have a specific to be told in a thread.
_WORDS = 4
#: As many characters tell where a sentence was taken from.
_HEAD = 12
#: What is said of something that only the sentence before names.
_LEANS = re.compile(
    r"^(?:[A-Za-z]+ )?(?:it|they|them|he|she|this|that|these|those|others?)\b", re.I
)


def is_told_alone(unit: Unit) -> bool:
    """Whether a sentence says something without the one before it."""
    if _LEANS.match(unit.text):
        return False
    return bool(unit.firm) or sum(1 for stem in unit.stems if stem not in COMMON_STEMS) >= _WORDS


def is_announced(unit: Unit) -> bool:
    """Whether a sentence is the decision that its line is labelled as."""
    if unit.text[:_HEAD].lower() not in unit.entry.text[: 3 * _HEAD].lower():
        return False
    return cues.announced(cues.label_of(unit.entry.text)) == cues.DECISIONS


def days_of(units: Sequence[Unit]) -> dict[str, set[object]]:
    """The days on which each word stands."""
    days: dict[str, set[object]] = {}
    for unit in units:
        for stem in set(unit.stems):
            days.setdefault(stem, set()).add(unit.entry.day)
    return days


def talked_of(unit: Unit, days: Mapping[str, Set[object]]) -> float:
    """On how many days a sentence's words stand, those that most days have."""
    telling = {stem for stem in unit.stems if stem not in COMMON_STEMS and stem.isalpha()}
    talked = sorted((len(days[stem]) for stem in telling), reverse=True)[:3]
    return sum(log(n) for n in talked) / 3


def weeks_in(units: Sequence[Unit]) -> int:
    return len(all_weeks(units))


def all_weeks(units: Sequence[Unit]) -> set[str]:
    """The weeks some sentences tell of: an item that is told with its end tells of both."""
    return {week(one) for unit in units for one in (unit, *_ends_of(unit))}


def _ends_of(unit: Unit) -> list[Unit]:
    """What a sentence is told with: how it ended, or what reversed it."""
    told = [(one, day_words(one.entry)) for one in unit.folded if one.must]
    return [
        one for one, day in told if f"{day} - " in unit.text or f"Reversed on {day}: " in unit.text
    ]


def text_of(subject: str, part: Sequence[Unit], *, weeks: bool = True) -> str:
    """The thread in words: its subject, its weeks, then each day with what was said.

    Without its weeks the first day tells the year.
    """
    said = []
    day = None
    for number, unit in enumerate(part):
        words = f"{unit.label}: {unit.text}" if unit.label else untied(unit.text)
        if unit.entry.day != day:
            mark = day_words(unit.entry) if number or weeks else date_mark(unit.entry).rstrip(":")
            words = f"{mark} - {words}"
        day = unit.entry.day
        said.append(words)
    named = f" ({_named(sorted(all_weeks(part)))})" if weeks else ""
    return f"{subject[0].upper()}{subject[1:]}{named}: {in_a_row(said)}"


def _named(weeks: Sequence[str]) -> str:
    """Some weeks by the first and the last."""
    between = "and" if len(weeks) == 2 else "to"
    return f"{weeks[0]} {between} {weeks[-1]}" if len(weeks) > 1 else weeks[0]
