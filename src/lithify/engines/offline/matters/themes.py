"""Themes of a month: what one subject saw over several weeks, told together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice

from lithify import cues
from lithify.engines.offline.matters.kindred import threads
from lithify.engines.offline.matters.naming import opening_of
from lithify.engines.offline.matters.subjects import (
    STATED,
)
from lithify.engines.offline.matters.threads import (
    days_of,
    is_announced,
    talked_of,
    text_of,
    weeks_in,
)
from lithify.engines.offline.page.bullets import Bullet, Packing
from lithify.engines.offline.reading.text import LIMIT, tokens_in
from lithify.engines.offline.reading.units import Unit

#: What a name and a date before a sentence take.
_NAMED = 9
#: What a turn adds to the weight of a headline, and an errand takes from it.
_MARKED = 3.0
#: What it adds that someone called it a decision.
_ANNOUNCED = 1.5
#: A sentence that says of something unnamed what was done to it.
_DANGLES = re.compile(
    r"^(?:so|but|and|or|then) |^(?:[A-Z]\w+ )?(?:\w+ly )?\w+ed (?:it|them|that|this)\b", re.I
)
_MOVED = re.compile(
    r"^(?:[^.:;]{0,30}: )?(?:reversed|overturned|changed our minds?)\b|"
    r"\b(?:is|are|was|were|has been|have been) (?:dropped|called off|cancell?ed|scrapped|abandoned|shelved)\b|"
    r"\b(?:launch|release|go-live|opening|deadline|delivery|cut-?over|start|deploy\w*)\b[^.;]{0,40}"
    r"\b(?:moves?|moved|slips?|slipped|postponed|delayed|brought forward|pushed|rescheduled)\b",
    re.I,
)
#: What was worked for has come.
_LAUNCHED = re.compile(r"\b(?:launched|went live|(?:is|are) (?:now )?live)\b", re.I)
_INCIDENT = re.compile(r"(?:[\w-]+ ){0,2}(?:incident|outage|data loss|breach|downtime)s?\b", re.I)
#: Of what is told under an incident's heading: why it happened and how it ended.
_CAUSE = re.compile(r"\b(?:root cause|caused? by|resolved|restored|affected|lost)\b", re.I)
_ERRAND = re.compile(
    r"\b(?:tables? (?:for|at)|restaurant|café|birthday|dinner|lunch|breakfast|dentist|vet|haircut|hairdresser|groceries|"
    r"gifts?|flowers|cinema|concert|party|barbecue|laundry|parcel|taxi|hotel|appointment)\b",
    re.I,
)
#: What a writer calls trifles.
_TRIFLES = re.compile(
    r"(?:little|small|minor|other) (?:things|stuff|bits|notes)\b|odds and ends|bits(?: and (?:pieces|bobs))?$|trivia\b|"
    r"trifles|fragments$|sundr(?:y|ies)$|misc(?:ellaneous)?$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Theme:
    """What a thread or a story is about, in words."""

    subject: str


def headlines(
    units: Sequence[Unit],
    resolved: Set[int] = frozenset(),
    routine: Set[tuple[str, ...]] = frozenset(),
) -> list[Unit]:
    """What was achieved and decided, first what is said most plainly and of what most days speak.

    What turned, broke or was moved comes before what went as it should, an errand and what begins
    as a `routine` line after all else.
    `resolved` are the places of the sentences that tell the end of what was open for weeks.
    """
    days = days_of(units)

    def weight(unit: Unit) -> float:
        plain = cues.plainness(unit.text)
        if unit.at in resolved:
            plain = max(plain, STATED)
        if is_announced(unit):
            plain = max(plain, STATED) + _ANNOUNCED
        if _stands_out(unit):
            plain = max(plain, STATED) + _MARKED
        elif is_errand(unit) or opening_of(unit) in routine:
            plain -= _MARKED
        return plain + talked_of(unit, days)

    stated = [
        unit
        for unit in units
        if cues.plainness(unit.text) >= STATED
        or unit.at in resolved
        or is_announced(unit)
        or _stands_out(unit)
    ]
    stated = [unit for unit in stated if not _DANGLES.search(unit.text) or _stands_out(unit)]
    return sorted(stated, key=lambda unit: (-weight(unit), unit.at))


def _stands_out(unit: Unit) -> bool:
    """Whether a sentence tells a turn, a date that moved, a launch or an incident."""
    if (
        _MOVED.search(unit.text)
        or _LAUNCHED.search(unit.text)
        or _INCIDENT.match(unit.label or unit.text)
    ):
        return True
    headed = any(map(_INCIDENT.match, unit.place[-1:]))
    return headed and _CAUSE.search(f"{unit.label}: {unit.text}") is not None


def is_errand(unit: Unit) -> bool:
    """Whether a sentence tells a thing of private life that no project hangs on, or a trifle by its heading."""
    over = (unit.label, *unit.place[-1:])
    return _ERRAND.search(unit.text) is not None or any(map(_TRIFLES.match, over))


def leading_themes(
    units: Sequence[Unit], stated: Set[int], turned: Set[int], room: int
) -> tuple[dict[int, Theme], frozenset[int]]:
    """The theme of each sentence that stands in a thread, and those that have a place for it.

    How a thread ended has its place while there is room; how it began and what came between compete.
    `stated` are the places of the sentences that state an outcome, a decision or an open item, and
    `turned` those of decisions that were reversed and of what reversed them.
    """
    found: dict[int, Theme] = {}
    sure: set[int] = set()
    for thread in threads(units, stated, turned):
        found.update(dict.fromkeys((unit.at for unit in thread.units), Theme(thread.name)))
        ends = [unit for unit in thread.units if unit.at in stated and _tells_end(unit)]
        if not ends:
            continue
        last = ends[-1]
        cost = last.tokens + _NAMED
        if cost <= room:
            room -= cost
            sure.add(last.at)
    return found, frozenset(sure)


def _tells_end(unit: Unit) -> bool:
    """Whether a sentence says plainly what was reached or decided."""
    return cues.plainness(unit.text) >= STATED or is_announced(unit)


def told_of_themes(units: Sequence[Unit], stated: Set[int], most: int) -> list[Unit]:
    """The sentences that tell the first threads of all."""
    return [unit for thread in islice(threads(units, stated), most) for unit in thread.units]


class ByTheme:
    """Bullets as of a week, but a subject of several weeks is one thread of bullets naming them.

    `sections` are those whose sentences may be told in a thread; the first is where it stands.
    `together` packs what is in none.
    A month is packed until it fits, and most of its threads are the same each time: what became
    of each is remembered.
    """

    def __init__(
        self, sections: Sequence[str], themes: Mapping[int, Theme], together: Packing
    ) -> None:
        self._sections, self._themes = sections, themes
        self._apart = Packing(apart=True)
        self._together = together
        self._known: dict[tuple[str, tuple[int, ...]], tuple[list[Bullet], list[Unit]]] = {}

    def packed(self, units: Sequence[Unit]) -> list[Bullet]:
        """The bullets of these units."""
        threads: dict[str, list[Unit]] = {}
        rest: list[Unit] = []
        for unit in sorted(units, key=lambda unit: unit.at):
            theme = self._themes.get(unit.at)
            if theme is not None and unit.section in self._sections:
                threads.setdefault(theme.subject, []).append(unit)
            else:
                rest.append(unit)
        bullets: list[Bullet] = []
        for subject, thread in threads.items():
            begun, left = self._told(subject, thread)
            bullets += begun
            rest += left
        # An open item reads alone, whatever else its day left open.
        items = [unit for unit in rest if unit.section not in self._sections]
        told = [unit for unit in rest if unit.section in self._sections]
        return [*self._together(told), *self._apart(items), *bullets]

    def _told(self, subject: str, thread: list[Unit]) -> tuple[list[Bullet], list[Unit]]:
        key = (subject, tuple([unit.at for unit in thread]))
        if key not in self._known:
            # One sentence told with its end is no thread.
            alone = len(thread) == 1 or weeks_in(thread) == 1
            told = [] if alone else _one_after_another(subject, thread, self._sections[0])
            self._known[key] = (told, thread if alone else [])
        return self._known[key]


def _one_after_another(subject: str, thread: Sequence[Unit], section: str) -> list[Bullet]:
    """The thread in bullets under its name with its weeks, as many of its sentences in each as one holds.

    A sentence that leaves no room for the weeks is told without them, and one that leaves none for
    the name stands beside those that have it.
    """
    parts: list[list[Unit]] = []
    for unit in thread:
        if parts and _fits(text_of(subject, [*parts[-1], unit])):
            parts[-1].append(unit)
        else:
            parts.append([unit])
    named = next((unit for unit in thread if _has(unit, subject)), None)
    bullets = []
    for part in parts:
        texts = [text_of(subject, part), text_of(subject, part, weeks=False)]
        bare = texts[1].removeprefix(text_of(subject, [], weeks=False)).replace(" - ", ": ", 1)
        text = next(filter(_fits, texts if named else ()), bare)
        units = [*part]
        if named and text != bare and not any(_has(unit, subject) for unit in part):
            # The name is another sentence's, which is cited for it.
            units[0] = replace(part[0], folded=[*part[0].folded, replace(named, must=True)])
        bullets.append(Bullet(section, units, text, tokens_in(text) + 1))
    return bullets


def _has(unit: Unit, subject: str) -> bool:
    """Whether a sentence, its entry or its heading has a subject's name as it is told."""
    said = " ".join((*unit.entry.headings, unit.entry.text, unit.text)).lower()
    return subject.lower() in said


def _fits(text: str) -> bool:
    return tokens_in(text) < LIMIT
