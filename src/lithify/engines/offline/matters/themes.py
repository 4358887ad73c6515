"""Themes of a month: what one subject saw over several weeks, told together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice
from math import log

from lithify import cues
from lithify.engines.offline.matters.sagas import opening_of, sagas
from lithify.engines.offline.matters.subjects import (
    STATED,
    coherent,
    names_in,
    persons,
    rare_stems,
    week,
)
from lithify.engines.offline.page.bullets import Bullet, Packing, closed, day_words
from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.text import LIMIT, tokens_in
from lithify.engines.offline.reading.units import Unit
from lithify.words import COMMON_STEMS

#: A name in more units than these, and in more than this share of them, is no subject.
_CAST = 4
_EVERYWHERE = 0.06
#: Where a clause begins that a sentence can do without; a denial or a condition is none.
_CLAUSE = re.compile(
    r"(?<=\w\w\w)(?:; (?!but|not|no\b|if|only)|, (?:which|where|who|because|since|so|with|while)\b | because |"
    r" and (?=(?:should|will|would|must|has|have|had|is|are|was|were|did|does|can|could)\b))"
)

#: What a turn adds to the weight of a headline, and an errand takes from it.
_MARKED = 3.0
#: What it adds that someone called it a decision.
_ANNOUNCED = 1.5
#: What it adds to a sentence of a thread that it states something, and as many tokens as leave
#: room for another week's.
_STATES, _HALF = 1.0, 22
#: What it takes from it that it neither states nor specifies anything.
_SLIGHT = 2.0
#: Telling words without which a sentence must have a specific to be told in a thread.
_WORDS = 4
#: As many characters tell where a sentence was taken from.
_HEAD = 12
#: A sentence that says of something unnamed what was done to it.
_DANGLES = re.compile(
    r"^(?:so|but|and|or|then) |^(?:[A-Z]\w+ )?(?:\w+ly )?\w+ed (?:it|them|that|this)\b", re.I
)
#: What is said of something that only the sentence before names.
_LEANS = re.compile(
    r"^(?:[A-Za-z]+ )?(?:it|they|them|he|she|this|that|these|those|others?)\b", re.I
)
_MOVED = re.compile(
    r"^(?:[^.:;]{0,30}: )?(?:reversed|overturned|changed our minds?)\b|"
    r"\b(?:is|are|was|were|has been|have been) (?:dropped|called off|cancell?ed|scrapped|abandoned|shelved)\b|"
    r"\b(?:launch|release|go-live|opening|deadline|delivery|cut-?over|start|deploy\w*)\b[^.;]{0,40}"
    r"\b(?:moves?|moved|slips?|slipped|postponed|delayed|brought forward|pushed|rescheduled)\b",
    re.I,
)
_INCIDENT = re.compile(r"(?:[\w-]+ ){0,2}(?:incident|outage|data loss|breach|downtime)s?\b", re.I)
#: Of what is told under an incident's heading: why it happened and how it ended.
_CAUSE = re.compile(r"\b(?:root cause|caused? by|resolved|restored|affected|lost)\b", re.I)
_ERRAND = re.compile(
    r"\b(?:tables? (?:for|at)|restaurant|café|birthday|dinner|lunch|breakfast|dentist|vet|haircut|hairdresser|groceries|"
    r"gifts?|flowers|cinema|concert|party|barbecue|laundry|parcel|taxi|hotel|appointment)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Theme:
    """What a thread is about, in words."""

    subject: str


def themes_of(units: Sequence[Unit]) -> dict[int, Theme]:
    """For each place among the units the subject it shares with other weeks: heading, or a name.

    A name that stands in many of the units says nothing about any of them, and sentences that share
    no other word are no thread.
    """
    found: dict[int, Theme] = {}
    headed: dict[frozenset[str], list[Unit]] = {}
    named: dict[frozenset[str], list[tuple[Unit, str]]] = {}
    # A firm may have come or sent something once; who does so again and again is a person.
    people = frozenset(name for name, times in Counter(persons(units)).items() if times > 1)
    told_by = (one.label for unit in units for one in (unit, *unit.folded))
    people |= {label for label in told_by if label.istitle()}
    for unit in units:
        if not unit.entry.day:
            continue
        _, stems = subject_of(unit.place)
        if stems:
            headed.setdefault(stems, []).append(unit)
        for key, words in names_in(unit.text):
            if people.isdisjoint(words.split()):
                named.setdefault(key, []).append((unit, words))
    most = max(_CAST, int(len(units) * _EVERYWHERE))
    rare = rare_stems(units, most)
    for stems, thread in headed.items():
        if len(thread) <= 2 * most and _weeks(thread) > 1:
            theme = Theme(subject_of(thread[0].place)[0])
            bound = coherent(thread, stems, rare)
            found.update(dict.fromkeys((unit.at for unit in bound), theme))
    rarest = sorted(named.items(), key=lambda pair: (len(pair[1]), sorted(pair[0])))
    for key, said in rarest:
        if len(said) <= most:
            free = coherent([unit for unit, _ in said if unit.at not in found], key, rare)
            if _weeks(free) > 1:
                found.update(dict.fromkeys((unit.at for unit in free), Theme(said[0][1])))
    return found


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
    days = _days_of(units)

    def weight(unit: Unit) -> float:
        plain = cues.plainness(unit.text)
        if unit.at in resolved:
            plain = max(plain, STATED)
        if _is_announced(unit):
            plain = max(plain, STATED) + _ANNOUNCED
        if _stands_out(unit):
            plain = max(plain, STATED) + _MARKED
        elif is_errand(unit) or opening_of(unit) in routine:
            plain -= _MARKED
        return plain + _talked_of(unit, days)

    stated = [
        unit
        for unit in units
        if cues.plainness(unit.text) >= STATED
        or unit.at in resolved
        or _is_announced(unit)
        or _stands_out(unit)
    ]
    stated = [unit for unit in stated if not _DANGLES.search(unit.text) or _stands_out(unit)]
    return sorted(stated, key=lambda unit: (-weight(unit), unit.at))


def _is_announced(unit: Unit) -> bool:
    """Whether a sentence is the decision that its line is labelled as."""
    if unit.text[:_HEAD].lower() not in unit.entry.text[: 3 * _HEAD].lower():
        return False
    return cues.announced(cues.label_of(unit.entry.text)) == cues.DECISIONS


def _stands_out(unit: Unit) -> bool:
    """Whether a sentence tells a turn, a date that moved or an incident."""
    if _MOVED.search(unit.text) or _INCIDENT.match(unit.label or unit.text):
        return True
    headed = any(map(_INCIDENT.match, unit.place[-1:]))
    return headed and _CAUSE.search(f"{unit.label}: {unit.text}") is not None


def is_errand(unit: Unit) -> bool:
    """Whether a sentence tells a thing of private life that no project hangs on."""
    return _ERRAND.search(unit.text) is not None


def leading_themes(units: Sequence[Unit], stated: Set[int], room: int) -> dict[int, Theme]:
    """The sentences that tell the subjects most weeks speak of, a bullet for each, while room lasts.

    `stated` are the places of the sentences that state an outcome, a decision or an open item.
    """
    found: dict[int, Theme] = {}
    told: set[str] = set()
    for saga in sagas(units, stated):
        free = [unit for unit in saga.units if unit.at not in found and _is_told_alone(unit)]
        if _weeks(free) < 2 or saga.key & told:
            continue
        part = _best_part(saga.name, free, stated)
        cost = tokens_in(_text(saga.name, part)) + 1
        if _weeks(part) < 2 or cost > min(room, LIMIT):
            continue
        room -= cost
        told |= saga.key
        theme = Theme(saga.name)
        for unit in part:
            whole = next(one for one in free if one.at == unit.at)
            whole.text, whole.tokens = unit.text, unit.tokens
            found[unit.at] = theme
    return found


def told_of_themes(units: Sequence[Unit], stated: Set[int], most: int) -> list[Unit]:
    """The sentences by which the first subjects of all can be told, one of each week."""
    first = islice(sagas(units, stated), most)
    return [
        unit for saga in first for unit in _one_a_week(saga.units, _worth_among(saga.units, stated))
    ]


def _best_part(name: str, free: Sequence[Unit], stated: Set[int]) -> list[Unit]:
    """What tells a subject up to its last week: whole sentences, or else shorter ones."""
    worth = _worth_among(free, stated)
    best = _one_a_week(free, worth)
    brief = [unit for unit in _trimmed(free) if unit.tokens <= _HALF]
    shortest = _one_a_week(free, lambda unit: -unit.tokens)
    mixed = [*shortest[:-1], best[-1]]
    ways = (best, _trimmed(best), _one_a_week(brief, worth), _trimmed(mixed), _trimmed(shortest))
    parts = (_part(name, one) for one in ways if one)
    return max(parts, key=lambda part: (min(2, _weeks(part)), max(_all_weeks(part))))


def _worth_among(thread: Sequence[Unit], stated: Set[int]) -> Callable[[Unit], float]:
    """What each sentence of a thread tells of it: what it states, and what others say more of."""
    days = _days_of(thread)

    def worth(unit: Unit) -> float:
        plain = cues.plainness(unit.text) + _STATES * (unit.at in stated)
        exact = 0.25 * min(4, len(unit.firm))
        slight = _SLIGHT * (not exact and not plain)
        return unit.worth * (plain + exact + _talked_of(unit, days) - slight)

    return worth


def _is_told_alone(unit: Unit) -> bool:
    """Whether a sentence says something without the one before it."""
    if _LEANS.match(unit.text):
        return False
    return bool(unit.firm) or sum(1 for stem in unit.stems if stem not in COMMON_STEMS) >= _WORDS


def _days_of(units: Sequence[Unit]) -> dict[str, set[object]]:
    """The days on which each word stands."""
    days: dict[str, set[object]] = {}
    for unit in units:
        for stem in set(unit.stems):
            days.setdefault(stem, set()).add(unit.entry.day)
    return days


def _talked_of(unit: Unit, days: Mapping[str, Set[object]]) -> float:
    """On how many days a sentence's words stand, those that most days have."""
    telling = {stem for stem in unit.stems if stem not in COMMON_STEMS and stem.isalpha()}
    talked = sorted((len(days[stem]) for stem in telling), reverse=True)[:3]
    return sum(log(n) for n in talked) / 3


def _trimmed(units: Sequence[Unit]) -> list[Unit]:
    """The sentences without what a clause of their own adds, where they keep their reserve."""
    found = []
    for unit in units:
        match = _CLAUSE.search(unit.text)
        head = unit.text[: match.start()] if match else unit.text
        # Half a quotation or half a bracket is debris.
        whole = head.count('"') % 2 == 0 and head.count("(") == head.count(")")
        if match and whole and cues.hedges(head) == cues.hedges(unit.text):
            unit = replace(unit, text=head, tokens=tokens_in(head))
        found.append(unit)
    return found


def _one_a_week(thread: Sequence[Unit], worth: Callable[[Unit], float]) -> list[Unit]:
    """Of each week the sentence that is worth most."""
    best: dict[str, Unit] = {}

    def rank(unit: Unit) -> tuple[str, float]:
        # What tells an end weeks later says most of what became of it.
        return max(_all_weeks([unit])), worth(unit)

    for unit in thread:
        own = week(unit)
        if own not in best or rank(unit) > rank(best[own]):
            best[own] = unit
    return sorted(best.values(), key=lambda unit: unit.at)


def _weeks(units: Sequence[Unit]) -> int:
    return len(_all_weeks(units))


def _all_weeks(units: Sequence[Unit]) -> set[str]:
    """The weeks some sentences tell of: an item that is told with its end tells of both."""
    return {week(one) for unit in units for one in (unit, *_ends_of(unit))}


def _ends_of(unit: Unit) -> list[Unit]:
    return [one for one in unit.folded if one.must and f"{day_words(one.entry)} - " in unit.text]


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
            alone = _weeks(thread) == 1
            self._known[key] = ([], thread) if alone else _told(subject, thread, self._sections[0])
        return self._known[key]


def _told(subject: str, thread: Sequence[Unit], section: str) -> tuple[list[Bullet], list[Unit]]:
    """The thread in bullets of at most sixty tokens over several weeks, and what fits none."""
    bullets: list[Bullet] = []
    left: list[Unit] = []
    rest = list(thread)
    while rest:
        part = _part(subject, rest)
        places = {unit.at for unit in part}
        rest = [unit for unit in rest if unit.at not in places]
        text = _text(subject, part)
        # A sentence that is told with its end may tell of two weeks and be too long already.
        if _weeks(part) == 1 or tokens_in(text) >= LIMIT:
            left += part
            continue
        bullets.append(Bullet(section, part, text, tokens_in(text) + 1))
    return bullets, left


def _part(subject: str, thread: Sequence[Unit]) -> list[Unit]:
    """The first sentence, the last week's, one of each between while there is room, then the others."""
    first, seen = thread[0], {week(thread[0])}
    chosen = [first]
    places = {first.at}
    later = [unit for unit in thread[1:] if week(unit) not in seen]
    spread = {unit.at for unit in later[:-1]}
    for unit in [*later[-1:], *later[:-1], *thread[1:]]:
        if unit.at in places or (unit.at in spread and week(unit) in seen):
            continue
        wider = sorted([*chosen, unit], key=lambda unit: unit.at)
        if tokens_in(_text(subject, wider)) < LIMIT:
            chosen = wider
            places.add(unit.at)
            seen.add(week(unit))
    return chosen


def _text(subject: str, part: Sequence[Unit]) -> str:
    """The thread in words: its subject, its weeks, then each day with what was said."""
    weeks = sorted(_all_weeks(part))
    said = []
    day = None
    for number, unit in enumerate(part):
        words = f"{unit.label}: {unit.text}" if unit.label else unit.text
        if unit.entry.day != day:
            words = f"{day_words(unit.entry)} - {words}"
        day = unit.entry.day
        said.append(closed(words, last=number == len(part) - 1))
    between = " and " if len(weeks) == 2 else " to "
    return f"{subject[0].upper()}{subject[1:]} ({weeks[0]}{between}{weeks[-1]}): {' '.join(said)}"
