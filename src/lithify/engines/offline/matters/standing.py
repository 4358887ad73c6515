"""How each open matter stands in the end: told by its last sentence, or over with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from lithify import cues
from lithify.engines.offline.matters.due import after
from lithify.engines.offline.matters.ends import (
    ANSWERS,
    CAME,
    LOOKS,
    are_two,
    fails,
    months_in,
    past_verbs,
)
from lithify.engines.offline.matters.matter import CROWD, comes_after
from lithify.engines.offline.matters.still import parts_of
from lithify.engines.offline.matters.subjects import week
from lithify.engines.offline.reading.openings import head_of
from lithify.engines.offline.reading.units import Unit, stem_counts, stems_in
from lithify.text.stems import COMMON_STEMS

#: A word in more sentences than these, in more than this part of them or in very many is no matter's own.
_FEW, _PART, _MOST = 6, 25, 12
#: The share of an item's own words that a later sentence names where it speaks of the item.
_SHARE = 0.4
#: One word may be anything's.
_PAIR = 2
_WEEK = 7
ID = re.compile(
    r"(?<![\w/.-])(?:[A-Z]{2,}[A-Z0-9]*-\d+|[A-Z]{2,} \d{3,}|[A-Z]+\d*-[A-Z]*\d+|"
    r"[a-z]+(?:-[a-z]+)*-\d+|[a-z0-9]+(?:_[a-z0-9]+)+(?:\.\w+)?|#\d+)(?![\w-])"
)
#: What somebody is to do, find out, get or answer: what is said of it later is what came of it.
_SOUGHT = re.compile(
    r"^(?:still )?(?:ask|asked|find|look|check|recheck|measure|test|verify|investigate|waiting|awaiting|"
    r"clarify|decide|confirm|collect|get|fetch|order|chase|whether)\b|\?$|\b(?:asked|no answer|wait(?:s|ing) for|needs?|until|"
    r"nobody|no one|(?:has|have)(?: not|n't)|not yet)\b",
    re.I,
)
#: Somebody is at it, and nothing has come of it yet.
_AT_IT = re.compile(
    r"\b(?:still|yet|until|asked|asks|chased|reminded|nudged|called|wrote to|waits?|waiting|await\w*|pending|"
    r"needs?|must|should|will|would|wants?|promis\w+|only after|not before|so far|being|tried|trying|half|draft|"
    r"suspects?|thinks?|says?|if|whether|plans?|starts?|started|once (?:he|she|it|they|we|the))\b|'ll\b|'d\b|n't\b|\b(?:not|no|nothing|never|without)\b|\?",
    re.I,
)
#: What a plan sets for a day: `Tuesday: Ida signs the deeds`
_ON_A_DAY = re.compile(r"(?:tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day): ", re.I)
#: Verbs of mending that cues of an outcome leave out.
_MENDS = re.compile(
    r"\b(?:corrected|recovered|restored|rebuilt|built|fitted|removed|signed|returned|is back|are back|was here|were here)\b",
    re.I,
)
_CLAUSE = re.compile(r"[;:(]|, |\. | because | so that ")
_WELL = re.compile(
    r"\b(?:runs|works|is|are|counts|reads|reports) (?:\w+ )?(?:again|back|closed|solved)\b", re.I
)
_WHOLE_OF = re.compile(r"\b(?:all|every|each|both)\b", re.I)
#: What stands in every id.
_COULD = re.compile(r"\d|_")
_CAPITALS = 40
_CAPITAL = re.compile(r"[A-Z][\w-]+(?: [A-Z][\w-]+)*")


class _Said(NamedTuple):
    """The words of a sentence: ids, stems of names and of what it begins with, full names, months."""

    ids: frozenset[str]
    names: frozenset[str]
    begins: frozenset[str]
    full: frozenset[str]
    months: frozenset[str]
    stems: tuple[str, ...]


class _Marks(NamedTuple):
    """What a sentence can be known by: ids, names and other words of its own.

    `full` are the names of more than one word, `months` those that no day stands beside, `first`
    the word of its own that comes first.
    """

    ids: frozenset[str]
    names: frozenset[str]
    things: frozenset[str]
    full: frozenset[str]
    months: frozenset[str]
    first: str

    @property
    def all(self) -> frozenset[str]:
        """All of them, whatever they are."""
        return self.ids | self.names | self.things


def standing(
    units: Sequence[Unit], settled: Mapping[int, Unit], places: Set[int]
) -> frozenset[int]:
    """Of the places of open items those whose matter no later sentence takes up or ends.

    A word that many sentences of a month have may be the word of one matter within a week.
    """
    gone = {*overtaken(units, settled, places)}
    weeks: dict[str, list[Unit]] = {}
    for unit in units:
        weeks.setdefault(week(unit), []).append(unit)
    for one in weeks.values():
        left = [unit for unit in one if unit.at in places and unit.at not in gone]
        ends = overtaken(one, settled, places) if left else {}
        gone |= {at for at, end in ends.items() if end.at not in places}
    return frozenset(places - gone)


def overtaken(
    units: Sequence[Unit], settled: Mapping[int, Unit], places: Set[int]
) -> dict[int, Unit]:
    """For the place of each item that no longer stands the sentence that tells how it stands now.

    A matter that is open on several days is told by its last sentence; one whose particulars a
    later sentence reports in other words is over.
    """
    most = min(_MOST, max(_FEW, len(units) // _PART))
    counts = stem_counts(units)
    rare = frozenset(stem for stem, n in counts.items() if n <= most and stem not in COMMON_STEMS)
    items = [unit for unit in units if unit.section == cues.OPEN]
    said = {unit.at: _said(unit) for unit in units}
    small = {
        stem
        for one in said.values()
        for stem in one.stems
        if stem not in one.names and stem not in one.begins
    }
    known = {unit.at: _marks(said[unit.at], rare, small) for unit in items}
    sought = frozenset(mark for marks in known.values() for mark in marks.all)
    by_mark: dict[str, list[Unit]] = {}
    for unit in units:
        marks = known.get(unit.at)
        if marks is None:
            words = said[unit.at]
            if sought.isdisjoint(words.stems) and sought.isdisjoint(words.ids):
                continue
            marks = known[unit.at] = _marks(words, rare, small)
        for mark in marks.all & sought:
            by_mark.setdefault(mark, []).append(unit)
    found: dict[int, Unit] = {}
    for unit in items:
        end = settled.get(unit.at)
        if unit.at not in places and end is None:
            continue
        for one in _later(unit, known, by_mark):
            if unit.at in places and (one.at in settled or _ends(unit, one, known, places)):
                found[unit.at] = one
            elif end is not None and one.at in places and comes_after(end, one):
                # What ended a matter ended it for every sentence that told it open until then.
                found[one.at] = end
    return found


def _later(
    item: Unit, known: Mapping[int, _Marks], by_mark: Mapping[str, Sequence[Unit]]
) -> Iterator[Unit]:
    """The sentences of later days that speak of the matter of an item."""
    own = known[item.at]
    task = _is_task(item)
    near: dict[int, Unit] = {}
    shared: dict[int, int] = {}
    for mark in own.all:
        # An id tells as much as two words.
        weight = _PAIR if task or mark in own.ids else 1
        for one in by_mark.get(mark, ())[-CROWD:]:
            near[one.at] = one
            shared[one.at] = shared.get(one.at, 0) + weight
    for at in sorted(near):
        one = near[at]
        if (
            shared[at] >= _PAIR
            and one.entry.day != item.entry.day
            and comes_after(one, item)
            and (
                _of_one_matter(own, known[at])
                or (task and _is_named_by(item, own, one, known[at]))
                or (own.ids and _is_its_last_word(item, own, one, known[at], by_mark))
                or _runs_again(own.ids & known[at].ids, one.text)
            )
            and (own.ids & known[at].ids or not are_two(item, one))
        ):
            yield one


def _is_task(item: Unit) -> bool:
    """Whether an item stands on a list of what is to be done or waited for."""
    return item.box is False or cues.announced(item.entry.lead) == cues.OPEN


def _runs_again(ids: Set[str], text: str) -> bool:
    """Whether a clause says of a thing by its number that all is well with it."""
    return bool(ids) and any(
        _WELL.search(one) and not ids.isdisjoint(_words(one)) for one in _clauses(text)
    )


def _is_its_last_word(
    item: Unit, own: _Marks, later: Unit, other: _Marks, by_mark: Mapping[str, Sequence[Unit]]
) -> bool:
    """Whether an open item of a later week names the same machine, which is seldom spoken of."""
    if later.section != cues.OPEN or item.entry.day is None or later.entry.day is None:
        return False
    apart = (later.entry.day - item.entry.day).days >= _WEEK
    return apart and any(len(by_mark[one]) <= _FEW for one in own.ids & other.ids)


def _is_named_by(item: Unit, own: _Marks, later: Unit, other: _Marks) -> bool:
    """Whether an outcome begins with the one thing that a task of the same week was about."""
    if later.section != cues.OUTCOMES or item.entry.day is None or later.entry.day is None:
        return False
    return other.first in own.things and (later.entry.day - item.entry.day).days < _WEEK


def _of_one_matter(own: _Marks, other: _Marks) -> bool:
    ids = own.ids & other.ids
    if own.ids and other.ids and not ids:
        # Two machines of one kind have everything in common but their numbers.
        return False
    if own.months and other.months and own.months.isdisjoint(other.months):
        return False
    one, two = own.things | own.names, other.things | other.names
    shared = one & two
    things = shared & (own.things | other.things)
    if ids:
        return bool(things) or len(own.things) < _PAIR
    if len(shared) < _PAIR or shared <= ANSWERS:
        return False
    if not things:
        # The full name of a firm or a person; two people may meet anywhere.
        return not own.full.isdisjoint(other.full)
    return len(things) > _PAIR or len(shared) >= _SHARE * min(len(one), len(two))


def _ends(item: Unit, later: Unit, known: Mapping[int, _Marks], places: Set[int]) -> bool:
    """Whether a later sentence takes an item's place or says what came of it."""
    own = known[item.at]
    marks = own.all
    if later.at in places:
        return not known[later.at].ids.isdisjoint(own.ids) or _of_one_matter(own, known[later.at])
    if parts_of(item.text) > 1:
        # A list of things is not over with one of them.
        return False
    if later.text[-1:] == "?" or (_WHOLE_OF.search(item.text) and not _WHOLE_OF.search(later.text)):
        return False
    if LOOKS.match(item.text) and stems_in(item.text)[:1] not in past_verbs(later.text):
        # To look at a thing is not done by what becomes of the thing.
        return False
    if fails(later.text, marks):
        return False
    if _recovers(later.text):
        return True
    if not (_is_task(item) or _SOUGHT.search(item.text)):
        return False
    if later.entry.day and after(later, later.entry.day.isoformat()):
        return False  # a day is set for it, and has not come
    if _ON_A_DAY.match(later.text):
        return False
    need = min(_PAIR, len(marks))
    return any(len(marks & _words(one)) >= need for one in _clauses(later.text))


@lru_cache(maxsize=1 << 13)
def _recovers(text: str) -> bool:
    """Whether a sentence says that something has come about."""
    return any(
        cues.settles(one) or CAME.search(one) or _MENDS.search(one) for one in _clauses(text)
    )


@lru_cache(maxsize=1 << 13)
def _clauses(text: str) -> tuple[str, ...]:
    """The clauses of a sentence that tell what is, not what is still at work."""
    return tuple(one for one in _CLAUSE.split(text) if not _AT_IT.search(one))


@lru_cache(maxsize=1 << 13)
def _words(clause: str) -> frozenset[str]:
    return frozenset((*stems_in(clause), *map(str.lower, ID.findall(clause))))


def _said(unit: Unit) -> _Said:
    labelled = unit.label and not cues.announced(unit.label)
    said = f"{unit.label}: {unit.text}" if labelled else unit.text
    head = head_of(unit.entry.text)
    return _read(f"{head}: {said}" if head and head not in said else said)


def _marks(said: _Said, rare: frozenset[str], small: Set[str]) -> _Marks:
    """The marks of a sentence; a word that only ever begins one may be a name."""
    own = rare.intersection(said.stems)
    names = own & (said.names | (said.begins - small))
    first = next((stem for stem in said.stems if stem in own), "")
    return _Marks(said.ids, names, own - names, said.full, said.months, first)


@lru_cache(maxsize=1 << 13)
def _read(text: str) -> _Said:
    ids = frozenset(map(str.lower, ID.findall(text))) if _COULD.search(text) else frozenset()
    rest = ID.sub(" ", text) if ids else text
    names: set[str] = set()
    begins: set[str] = set()
    full: set[str] = set()
    for match in islice(_CAPITAL.finditer(rest), _CAPITALS):
        (names if match.start() else begins).update(stems_in(match[0]))
        if " " in match[0]:
            full.add(match[0])
    stems = tuple(stem for stem in stems_in(rest) if not stem.isdigit())
    months = months_in(text)
    return _Said(ids, frozenset(names), frozenset(begins), frozenset(full), months, stems)
