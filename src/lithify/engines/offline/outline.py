"""Outline: what the headings of a month's days say, those of one matter in one bullet.

A heading is its writer's own summary of what stands below it, and costs a few words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from math import log

from lithify.calendar import day_words
from lithify.engines.offline.read import LIMIT, OPENING, Unit, unit
from lithify.engines.offline.select_units import has_figure, select
from lithify.engines.offline.series import DAYS, shape_of
from lithify.engines.offline.week import Development, sources_of
from lithify.judge import Judgement, section_of
from lithify.regex import regex
from lithify.sections import WEEK
from lithify.text.dates import find_dates
from lithify.text.headings import subject_of
from lithify.text.stems import COMMON_STEMS, stems_of
from lithify.values import Entry

#: Words of its own that a title has at least, and tokens that it has at most.
_SAYS, _LONGEST = 2, 24
#: The share of days from which a word of headings is routine: `Session`, `Heartbeat`.
_ROUTINE = 1 / 3
#: Days that the titles of one matter stand on at least, letters that say nothing, and the share of a
#: word's sentences that write it as a name from which it is one.
_DAYS, _SHORT, _NAMED = 2, 2, 0.5
#: How much a title counts whose matter other days have titles of as well.
_RUNS = 2.0
_ASIDE = regex(r"\([^()]*\)")
_PLAIN = Judgement(WEEK.context, 0.0, 0.0, 0.0)

#: Headings that say what a day was about, each with the entries below it.
Matters = Sequence[tuple[str, Sequence[Entry]]]


def outline(matters: Matters, names: Collection[str], budget: float) -> list[Development]:
    """Return what fits a budget of a month's titles: those that share a name together, else by day."""
    titles: list[Unit] = []
    for n, (subject, below) in enumerate(matters):
        one = unit(subject, below[0], n, _PLAIN)
        if one.tokens <= _LONGEST:
            ids = (below[0].id, below[-1].id)[: len(below)]
            titles.append(replace(one, ids=ids, worth=1 + log(len(below))))
    running = _shared(titles, names)
    titles = [replace(t, worth=_RUNS * t.worth) if t.at in running else t for t in titles]
    chosen = select(titles, budget, lambda one: one.entry.day, even=1.0)
    own = [titles[n] for n in sorted(chosen)]
    shared = _shared(own, names)
    groups: defaultdict[object, list[Unit]] = defaultdict(list)
    for one in own:
        groups[shared.get(one.at) or one.entry.day].append(one)
    found = [_joined(part) for group in groups.values() for part in _parted(group)]
    return sorted(found, key=lambda one: one.places)


def matters_of(entries: Sequence[Entry]) -> Matters:
    """Return for each day the headings that say what it was about, with the entries below each.

    The outermost heading of an entry counts that is no date, names no section, does not come again
    every few days, and has words of its own.
    """
    days: defaultdict[str, set[date]] = defaultdict(set)
    for headings, day in {(entry.headings, entry.day) for entry in entries if entry.day}:
        for subject in _subjects(headings, day):
            days[shape_of(subject)].add(day)
            for stem in set(stems_of(subject)):
                days[stem].add(day)
    most = max(DAYS, _ROUTINE * len({entry.day for entry in entries}))
    below: dict[tuple[date, str], tuple[str, list[Entry]]] = {}
    for entry in entries:
        for subject in _subjects(entry.headings, entry.day) if entry.day else ():
            says = {s for s in stems_of(_ASIDE.sub("", subject)) if len(days[s]) < most}
            # Signs that are words have one letter; `pm` says nothing.
            short = {s for s in says if s.isascii() and len(s) <= _SHORT}
            says = {s for s in says - COMMON_STEMS - short if not s[0].isdigit()}
            shape = shape_of(subject)
            if entry.day and len(days[shape]) < DAYS and len(says) >= _SAYS:
                below.setdefault((entry.day, shape), (subject, []))[1].append(entry)
                break
    return list(below.values())


def named_in(units: Sequence[Unit]) -> set[str]:
    """The stems that most sentences that have them write as a name, those of every day left out."""
    held = Counter(stem for one in units for stem in set(one.stems))
    named: Counter[str] = Counter()
    days: defaultdict[str, set[date | None]] = defaultdict(set)
    for one in units:
        own = {s for atom in one.atoms if not has_figure(atom) for s in stems_of(atom)}
        named.update(own - COMMON_STEMS)
        for stem in own:
            days[stem].add(one.entry.day)
    most = max(DAYS, _ROUTINE * len({one.entry.day for one in units}))
    return {s for s, count in named.items() if count >= _NAMED * held[s] and len(days[s]) <= most}


def _subjects(headings: tuple[str, ...], day: date) -> list[str]:
    """The subjects of a path, outermost first; titles of the day and names of sections left out."""
    found = dict.fromkeys(subject_of(headings[: n + 1]) for n in range(len(headings)))
    return [
        one
        for one in found
        if one
        and not section_of(one)
        and not any(said.first == said.last == day for said in find_dates(one, day))
    ]


def _shared(titles: Sequence[Unit], names: Collection[str]) -> dict[int, str]:
    """For titles of several days that share a name or a pair of words, that; most days first."""
    where: defaultdict[str, list[Unit]] = defaultdict(list)
    for one in titles:
        pairs = {f"{a} {b}" for a, b in zip(one.stems, one.stems[1:], strict=False)}
        for key in pairs | (set(one.stems) & set(names)):
            where[key].append(one)
    ranked = sorted(where.items(), key=lambda each: (-len({u.entry.day for u in each[1]}), each[0]))
    found: dict[int, str] = {}
    for key, own in ranked:
        free = [one for one in own if one.at not in found]
        if len({one.entry.day for one in free}) >= _DAYS:
            found.update((one.at, key) for one in free)
    return found


def _parted(titles: Sequence[Unit]) -> list[list[Unit]]:
    """Titles in bullets that are no longer than a bullet may be."""
    found: list[list[Unit]] = []
    size = 0
    for one in titles:
        cost = one.tokens + OPENING
        if not found or size + cost > LIMIT:
            found.append([])
            size = 0
        found[-1].append(one)
        size += cost
    return found


def _joined(titles: Sequence[Unit]) -> Development:
    """Titles as one bullet, each day before its own."""
    words: list[str] = []
    day = None
    for one in titles:
        mark = f"{day_words(one.entry.day)}: " if one.entry.day and one.entry.day != day else ""
        words.append(f"{mark}{one.text.rstrip('.;')}")
        day = one.entry.day
    return Development("; ".join(words), tuple(one.at for one in titles), sources_of(titles))
