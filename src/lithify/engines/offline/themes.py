"""Themes of a month: what one subject saw over several weeks, told together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lithify.atoms import find_atoms
from lithify.calendar import week_of
from lithify.engines.offline.bullets import Bullet, closed, day_words, packed
from lithify.engines.offline.text import LIMIT, tokens_in
from lithify.engines.offline.units import Unit, subject_of

_WEEKS = 14
_DAY = 3
#: A name in more units than these, and in more than this share of them, is no subject.
_CAST = 4
_EVERYWHERE = 0.06
#: Shorter ones are abbreviations of a kind of thing (`PR`, `API`), not of one thing.
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Theme:
    """What a thread is about, in words."""

    subject: str


def themes_of(units: Sequence[Unit]) -> dict[int, Theme]:
    """For each place among the units the subject it shares with other weeks: heading, or a name.

    A name that stands in many of the units says nothing about any of them.
    """
    found: dict[int, Theme] = {}
    headed: dict[frozenset[str], list[Unit]] = {}
    named: dict[str, list[tuple[Unit, str]]] = {}
    for unit in units:
        if not unit.entry.day:
            continue
        _, stems = subject_of(unit.place)
        if stems:
            headed.setdefault(stems, []).append(unit)
        for atom in find_atoms(unit.text):
            if atom.kind == "name" and not atom.loose and len(atom.text) > _SHORTEST:
                named.setdefault(atom.key, []).append((unit, atom.text.removesuffix("'s")))
    most = max(_CAST, int(len(units) * _EVERYWHERE))
    for thread in headed.values():
        if len(thread) <= 2 * most and _weeks(thread) > 1:
            theme = Theme(subject_of(thread[0].place)[0])
            found.update(dict.fromkeys((unit.at for unit in thread), theme))
    rarest = sorted(named.items(), key=lambda pair: (len(pair[1]), pair[0]))
    for _, said in rarest:
        free = [unit for unit, _ in said if unit.at not in found]
        if len(said) <= most and _weeks(free) > 1:
            found.update(dict.fromkeys((unit.at for unit in free), Theme(said[0][1])))
    return found


def _weeks(units: Sequence[Unit]) -> int:
    return len({_week(unit) for unit in units})


def packed_by_theme(
    units: Sequence[Unit], sections: Sequence[str], themes: Mapping[int, Theme]
) -> list[Bullet]:
    """Bullets as of a week, but a subject of several weeks is one thread of bullets naming them.

    `sections` are those whose sentences may be told in a thread; the first is where it stands.
    """
    threads: dict[str, list[Unit]] = {}
    rest: list[Unit] = []
    for unit in sorted(units, key=lambda unit: unit.at):
        theme = themes.get(unit.at)
        if theme is not None and unit.section in sections:
            threads.setdefault(theme.subject, []).append(unit)
        else:
            rest.append(unit)
    bullets: list[Bullet] = []
    for subject, thread in threads.items():
        if _weeks(thread) > 1:
            told, left = _told(subject, thread, sections[0])
            bullets += told
            rest += left
        else:
            rest += thread
    return [*packed(rest), *bullets]


def _week(unit: Unit) -> str:
    return week_of(unit.entry.day) if unit.entry.day else ""


def _told(subject: str, thread: Sequence[Unit], section: str) -> tuple[list[Bullet], list[Unit]]:
    """The thread in bullets of at most sixty tokens over several weeks, and what fits none."""
    bullets: list[Bullet] = []
    left: list[Unit] = []
    rest = list(thread)
    while rest:
        part = _part(subject, rest)
        rest = [unit for unit in rest if unit not in part]
        if _weeks(part) == 1:
            left += part
            continue
        text = _text(subject, part)
        bullets.append(Bullet(section, part, text, tokens_in(text) + 1))
    return bullets, left


def _part(subject: str, thread: Sequence[Unit]) -> list[Unit]:
    """The first sentence, one of each later week while there is room, then the others."""
    first, seen = thread[0], {_week(thread[0])}
    chosen = [first]
    used = 2 + _WEEKS + tokens_in(subject) + _cost(first)
    later = [unit for unit in thread[1:] if _week(unit) not in seen]
    for unit in [*later, *thread[1:]]:
        if unit in chosen or (unit in later and _week(unit) in seen and unit is not later[-1]):
            continue
        if used + _cost(unit) <= LIMIT:
            chosen.append(unit)
            seen.add(_week(unit))
            used += _cost(unit)
    return sorted(chosen, key=lambda unit: unit.at)


def _cost(unit: Unit) -> int:
    return unit.tokens + _DAY + 2 + (tokens_in(unit.label) + 1 if unit.label else 0)


def _text(subject: str, part: Sequence[Unit]) -> str:
    weeks = sorted({_week(unit) for unit in part})
    said = []
    day = None
    for number, unit in enumerate(part):
        words = f"{unit.label}: {unit.text}" if unit.label else unit.text
        if unit.entry.day != day:
            words = f"{day_words(unit.entry)} - {words}"
        day = unit.entry.day
        said.append(closed(words, last=number == len(part) - 1))
    return f"{subject} ({weeks[0]} to {weeks[-1]}): {' '.join(said)}"
