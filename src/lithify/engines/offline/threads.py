"""Threads: the first and the last state of a subject that several weeks speak of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from lithify.calendar import day_words, week_of
from lithify.engines.offline.bullets import Development, sources_of
from lithify.engines.offline.clauses import LIMIT
from lithify.engines.offline.rarity import has_figure, weight
from lithify.engines.offline.read import OPENING, Unit
from lithify.judge import CONTEXT
from lithify.text.sentences import split
from lithify.text.stems import COMMON_STEMS, stems_of
from lithify.text.tokens import estimate

#: Weeks and days that must speak of a subject, and the share of units that may at most.
_WEEKS, _DAYS, _SHARE = 2, 3, 0.15
#: Rare words that two states of one matter share at least, and the part of the lesser's weight.
_SHARED, _MATTER = 2, 0.25
#: Tokens of one of two states in a bullet.
_HALF = LIMIT // 2 - 6


def threads(
    units: Sequence[Unit], weights: dict[str, float], budget: float, taken: Iterable[int]
) -> list[Development]:
    """The threads that fit a budget, those of most weeks first; units taken are left alone."""
    used = set(taken)
    found: list[Development] = []
    for name, places in _subjects(units):
        free = [n for n in places if n not in used]
        thread = _told(name, free, units, weights)
        if thread is None or estimate(thread.text) + OPENING > budget:
            continue
        used.update(thread.places)
        budget -= estimate(thread.text) + OPENING
        found.append(thread)
    return sorted(found, key=lambda one: one.places)


def _subjects(units: Sequence[Unit]) -> list[tuple[str, list[int]]]:
    """Headings and names that several weeks speak of, with the units that do."""
    by_name: defaultdict[str, list[int]] = defaultdict(list)
    for n, one in enumerate(units):
        names = {one.subject} if one.subject else {a for a in one.atoms if not has_figure(a)}
        for name in names:
            by_name[name].append(n)
    found = []
    for name, places in by_name.items():
        days = {units[n].entry.day for n in places if units[n].entry.day}
        weeks = {week_of(day) for day in days if day}
        if (
            len(weeks) >= _WEEKS
            and len(days) >= _DAYS
            and len(places) <= max(6, _SHARE * len(units))
        ):
            found.append((len(weeks), len(days), name, places))
    found.sort(key=lambda one: (-one[0], -one[1], one[2]))
    return [(name, places) for _, _, name, places in found]


def _told(
    name: str, places: Sequence[int], units: Sequence[Unit], weights: dict[str, float]
) -> Development | None:
    """The first and the last unit of a thread in one bullet, where it holds both."""
    stated = [n for n in places if units[n].section != CONTEXT] or list(places)
    for first in stated[:2]:
        for last in reversed(stated[-3:]):
            one, other = units[first], units[last]
            if not one.entry.day or not other.entry.day or one.entry.day == other.entry.day:
                continue
            if week_of(one.entry.day) == week_of(other.entry.day):
                continue
            words = set(one.stems) | set(other.stems)
            known = set(stems_of(name)) <= words or not one.subject
            head = "" if known else f"{name}: "
            text = (
                f"{day_words(one.entry.day)}: {head}{_brief(one)}; "
                f"{day_words(other.entry.day)}: {_brief(other)}"
            )
            if estimate(text) <= LIMIT and _same_matter(name, one, other, weights):
                return Development(text, (first, last), sources_of([one, other]))
    return None


def _brief(one: Unit) -> str:
    """The words of a unit, or its first sentence where it is too long for half a bullet."""
    text = one.text if one.tokens <= _HALF else split(one.text)[0]
    return text.rstrip(".")


def _same_matter(name: str, one: Unit, other: Unit, weights: dict[str, float]) -> bool:
    """Whether two units share a good part of their rare words beside the name."""
    shared = (set(one.stems) & set(other.stems)) - COMMON_STEMS - set(stems_of(name))
    least = min(weight(set(one.stems), weights), weight(set(other.stems), weights))
    return len(shared) >= _SHARED and weight(shared, weights) >= _MATTER * least
