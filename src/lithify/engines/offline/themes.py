"""Themes of a month: what one subject saw over several weeks, told together."""

from __future__ import annotations

from collections.abc import Sequence

from lithify.calendar import week_of
from lithify.engines.offline.bullets import Bullet, closed, day_words, packed
from lithify.engines.offline.text import LIMIT, tokens_in
from lithify.engines.offline.units import Unit, subject_of

_WEEKS = 14
_DAY = 3


def packed_by_theme(units: Sequence[Unit], themes: str) -> list[Bullet]:
    """Bullets as of a week, but a subject of several weeks is one thread of bullets naming them."""
    threads: dict[frozenset[str], list[Unit]] = {}
    rest: list[Unit] = []
    for unit in sorted(units, key=lambda unit: unit.at):
        _, stems = subject_of(unit.place)
        if unit.section == themes and stems and unit.entry.day:
            threads.setdefault(stems, []).append(unit)
        else:
            rest.append(unit)
    bullets: list[Bullet] = []
    for thread in threads.values():
        if len({_week(unit) for unit in thread}) > 1:
            bullets += _told(thread)
        else:
            rest += thread
    return [*packed(rest), *bullets]


def _week(unit: Unit) -> str:
    return week_of(unit.entry.day) if unit.entry.day else ""


def _told(thread: Sequence[Unit]) -> list[Bullet]:
    """The thread in bullets of at most sixty tokens."""
    subject, _ = subject_of(thread[0].place)
    parts: list[list[Unit]] = []
    used = 0
    for unit in thread:
        cost = unit.tokens + _DAY + 2 + (tokens_in(unit.label) + 1 if unit.label else 0)
        if not parts or used + cost > LIMIT:
            parts.append([])
            used = 2 + _WEEKS + tokens_in(subject)
        parts[-1].append(unit)
        used += cost
    bullets = []
    for part in parts:
        if len({unit.entry.day for unit in part}) == 1:
            bullets += packed(part)
            continue
        text = _text(subject, part)
        bullets.append(Bullet(part[0].section, part, text, tokens_in(text) + 1))
    return bullets


def _text(subject: str, part: Sequence[Unit]) -> str:
    weeks = sorted({_week(unit) for unit in part})
    span = weeks[0] if len(weeks) == 1 else f"{weeks[0]} to {weeks[-1]}"
    said = []
    day = None
    for number, unit in enumerate(part):
        words = f"{unit.label}: {unit.text}" if unit.label else unit.text
        if unit.entry.day != day:
            words = f"{day_words(unit.entry)} - {words}"
        day = unit.entry.day
        said.append(closed(words, last=number == len(part) - 1))
    return f"{subject} ({span}): {' '.join(said)}"
