"""Items that a later line ends by pointing at them: by a ticket's number, or by the day they are of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache

from lithify import cues
from lithify.calendar import last_numbered
from lithify.engines.offline.matters.boxes import is_task_row, is_ticked
from lithify.engines.offline.matters.matter import FEWEST, telling
from lithify.engines.offline.reading.leaning import is_end
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.dates import MONTHS
from lithify.text.stems import COMMON_STEMS

#: An end that is waited for is none.
_AHEAD = re.compile(
    r"\b(?:until|once|if|unless|before|need\w*|want\w*|would|will|should|to be)\b[^,;.]*\b(?:closed|settled|resolved|"
    r"confirmed|fixed|done|cleared|delivered|issued|signed|completed?|approved|merged|stable|clean)\b",
    re.I,
)
DENIED = re.compile(
    r"\b(?:not|never|no|nobody|nothing|cannot|without|yet|still|half|part(?:ly|ially)?|almost|nearly|will|would|should|could|might|"
    r"may|must|plan(?:s|ned|ning)? to|planned|tomorrow|next|until|once|if|when|before|to be|tries|tried|trying|starts?|started|begun|began|wants?|promis\w+)\b|n't\b",
    re.I,
)
#: What has one name only, whoever speaks of it.
_TICKET = re.compile(
    r"(?<![\w/.-])(?:[A-Z][A-Z0-9]+-\d+|#\d+|[a-z]+(?:_[a-z0-9]+)+)(?![\w/-]|\.\w)"
)
#: What became of a ticket that nobody needs to work on any more.
_VOID = re.compile(
    r"\b(?:is|are|now|then|therefore) (?:void|moot|obsolete|dead|closed|dropped|cancell?ed|called off|withdrawn)\b",
    re.I,
)
#: A line that speaks of what was left open on an earlier day: "the box from the 9th is done".
_OF_A_DAY = re.compile(
    r"\b(?:box|task|promise|item|point|to-?do|question|wish|request|ghost|debt|loose end|promised|asked for|wanted|owed|opened)\b"
    rf"[^.;:]{{0,12}}? (?:from|of|on|since) (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: (?:of )?(?P<month>{'|'.join(MONTHS)}))?\b(?![.:]\d)",
    re.I,
)
#: The same where the day stands before it: "that answers yesterday's question".
_OF_THE_DAY = re.compile(
    r"\b(?:the )?(?P<month>[A-Z][a-z]{2}) (?P<day>\d{1,2}) (?:box|task|promise|item|point|to-?do|question|wish|request)\b"
)
_OVER = re.compile(
    r"\b(?:done|kept|closes?|closed|met|answers?|answered|fulfilled|over|solved|fixed|settled|ticked|laid|paid|gone|here)\b",
    re.I,
)
_DIGIT = re.compile(r"\d")
#: The number that a heading begins with, and where an item has named its matter.
_NUMBER = re.compile(r"^(?:session|part|step|day|\W)* ?\d+[.):]? *(?:[-–—:] )?|\([^()]*\)", re.I)
_AFTER_NAME = re.compile(r"[:;(]|, | - |\. ")


def settles(unit: Unit) -> bool:
    """Whether a sentence settles something: told as an outcome, or as the end of what was open."""
    if not cues.settles(unit.text) or _AHEAD.search(unit.text):
        return False
    return unit.section != cues.OPEN or is_end(unit.text)


def by_ticket(units: Sequence[Unit]) -> list[tuple[Unit, Unit]]:
    """Items and the later clause that settles what they name by a ticket's or a program's name."""
    found = []
    waiting: dict[str, list[Unit]] = {}
    for unit in units:
        said = f"{unit.label}: {unit.text}" if unit.label else unit.text
        named = dict.fromkeys(tickets_in(said))
        if not named:
            continue
        void, ticked = _VOID.search(said) is not None, unit.box is True
        if unit.section == cues.OPEN and not void:
            for name in named:
                waiting.setdefault(name, []).append(unit)
        elif void or ticked or settles(unit):
            for name in _ended(said, ticked):
                found += [(one, unit) for one in waiting.pop(name, ())]
    return found


def _ended(said: str, ticked: bool) -> Iterator[str]:
    """The tickets that a sentence says are over; what is ticked off begins with its own."""
    for n, clause in enumerate(re.split(r"[:;,]\s|\.\s", said)):
        over = cues.settles(clause) or _VOID.search(clause)
        if (over and not DENIED.search(clause)) or (ticked and n == 0):
            yield from tickets_in(clause)


@lru_cache(maxsize=1 << 14)
def tickets_in(text: str) -> tuple[str, ...]:
    """The names in a text that are one thing's only, whoever speaks of it."""
    return tuple(_TICKET.findall(text)) if "-" in text or "_" in text or "#" in text else ()


def by_day(units: Sequence[Unit]) -> list[tuple[Unit, Unit]]:
    """Items and the later line that says of what was open on their day that it is done.

    Of the items of a day it is the one that has most words of that line and of those above it
    under the same heading, or the only box there is.
    """
    backward = {unit.at: back for unit in units if (back := _points_back(unit))}
    if not backward:
        return []
    found = []
    items: dict[date, list[Unit]] = {}
    said: dict[tuple[object, ...], set[str]] = {}
    for unit in units:
        day = unit.entry.day
        if day is None:
            continue
        words = said.setdefault((day, unit.place), set())
        words.update(telling(unit), *(stems_in(name) for name in (*unit.place[-1:], unit.label)))
        if unit.section == cues.OPEN:
            items.setdefault(day, []).append(unit)
        if (back := backward.get(unit.at)) is None:
            continue
        of = items.get(_day_meant(day, back) or day, [])
        boxes = [one for one in of if one.box is False or is_task_row(one)]
        shared = [(len(telling(item) & words), item) for item in boxes or of]
        most = max((count for count, _ in shared), default=0)
        best = [item for count, item in shared if count == most > 0] or boxes
        if len(best) == 1:
            found.append((best[0], unit))
    return found


def _points_back(unit: Unit) -> re.Match[str] | None:
    """Where a sentence says of what was open on an earlier day that it is over."""
    if unit.entry.day is None or not _DIGIT.search(unit.text):
        return None
    back = _OF_A_DAY.search(unit.text) or _OF_THE_DAY.search(unit.text)
    if back is None or not (_OVER.search(unit.text) or unit.box):
        return None
    return None if DENIED.search(unit.text[back.end() :]) else back


def _day_meant(day: date, back: re.Match[str]) -> date | None:
    months = [name.startswith((back["month"] or "-").lower()) for name in MONTHS]
    return last_numbered(day, int(back["day"]), months.index(True) + 1 if any(months) else None)


def by_heading(units: Sequence[Unit]) -> list[tuple[Unit, Unit]]:
    """Items and the last ticked line of a later section that is headed with what they name."""
    found = []
    items = [unit for unit in units if unit.section == cues.OPEN]
    done: dict[tuple[date, tuple[str, ...]], Unit] = {}
    for unit in units:
        if unit.entry.day and unit.place[1:]:
            # Under any heading stand lines of other things that went well.
            if unit.box or (
                is_ticked(unit) and not telling(unit).isdisjoint(stems_in(unit.place[-1]))
            ):
                done[unit.entry.day, unit.place] = unit
            elif unit.section == cues.OPEN:
                # Something of it is open still, or again.
                done.pop((unit.entry.day, unit.place), None)
    for (day, place), end in done.items():
        name = frozenset(stems_in(_NUMBER.sub("", place[-1]))) - COMMON_STEMS
        if len(name) >= FEWEST:
            found += [
                (item, end)
                for item in items
                if item.entry.day
                and item.entry.day < day
                and name <= _head(item.text).union(stems_in(item.label))
            ]
    return found


@lru_cache(maxsize=1 << 13)
def _head(text: str) -> frozenset[str]:
    """The words of what an item names first."""
    return frozenset(stems_in(_AFTER_NAME.split(text, maxsplit=1)[0]))


def before_closing(units: Sequence[Unit]) -> frozenset[int]:
    """The places of what was said of a ticket before the sentence that closes it; decisions stay."""
    spoken: dict[str, list[Unit]] = {}
    for unit in units:
        for ticket in set(tickets_in(unit.text)):
            spoken.setdefault(ticket, []).append(unit)
    return frozenset(
        one.at
        for said in spoken.values()
        if len(said) > 1 and cues.settles(said[-1].text)
        for one in said[:-1]
        if one.section != cues.DECISIONS
    )
