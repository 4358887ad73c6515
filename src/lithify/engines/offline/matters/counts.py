"""How far something has come: of counts out of one whole, the last is how it stands.

So it is with the line in which a day's end says all that is open: the next one takes its place.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from lithify import cues
from lithify.engines.offline.reading.units import Unit, sentences_of, stems_in
from lithify.text.stems import COMMON_STEMS
from lithify.values import Entry

_OF = re.compile(
    r"(?<![\w./-])(\d+(?:,\d{3})*) (?:out )?of (?:the )?(\d+(?:,\d{3})*)(?![\w%-]|[.,/]\d)"
)
#: Words before and after a count that say what is counted.
_BEFORE, _AFTER = 4, 2
#: Tokens of a line that says little besides its count.
_LINE = 20
#: What stands between the things of a list on one line, and how often in the shortest list.
_BETWEEN, _FEWEST = re.compile(r"; | · "), 2


class Counts(NamedTuple):
    """Ids of the entries that tell how things stand at last, and of those overtaken."""

    last: frozenset[str]
    overtaken: frozenset[str]


class _Count(NamedTuple):
    unit: Unit
    done: str
    about: frozenset[str]


@lru_cache(maxsize=2)
def counts_of(entries: tuple[Entry, ...]) -> Counts:
    """Where some entries say again and again how many of a whole are done: the last and the others."""
    by_whole: dict[str, list[list[_Count]]] = {}
    units = sentences_of(entries)
    alone = Counter([unit.entry.id for unit in units])
    for unit in units:
        found = _OF.search(unit.text) if " of " in unit.text else None
        if found is None or cues.is_routine(unit.text):
            continue
        one = _Count(unit, found[1], _about(unit, found))
        threads = by_whole.setdefault(found[2], [])
        near = [t for t in threads if any(one.about & other.about for other in t)]
        if near:
            near[0].append(one)
        else:
            threads.append([one])
    last: set[str] = set()
    overtaken: set[str] = set()
    for whole, threads in by_whole.items():
        for thread in threads:
            days = len({one.unit.entry.day for one in thread})
            # All of them once or twice is an end; day after day it is a check.
            ended = thread[-1].done == whole and days == 2
            if days < 2 or not (ended or len({one.done for one in thread}) > 1):
                continue
            final = thread[-1].unit
            last.add(final.entry.id)
            overtaken.update(
                one.unit.entry.id
                for one in thread
                if alone[one.unit.entry.id] == 1
                and one.unit.tokens <= _LINE
                and one.unit.entry.day != final.entry.day
            )
    overtaken |= _earlier_lists(entries)
    return Counts(frozenset(last), frozenset(overtaken - last))


def _earlier_lists(entries: tuple[Entry, ...]) -> set[str]:
    """Ids of the lines that list on one day what is open, where a later day has such a line too."""
    lists = [entry for entry in entries if _lists_open(entry.text)]
    return {entry.id for entry in lists if entry.day != lists[-1].day}


@lru_cache(maxsize=1 << 13)
def _lists_open(text: str) -> bool:
    if len(_BETWEEN.findall(text)) < _FEWEST:
        return False
    return cues.announced(cues.label_of(text)) == cues.OPEN


def _about(unit: Unit, found: re.Match[str]) -> frozenset[str]:
    """The stems of what is counted: those of its label, its heading and the words beside it."""
    before = unit.text[: found.start()].split()[-_BEFORE:]
    after = unit.text[found.end() :].split()[:_AFTER]
    words = " ".join([unit.label, *unit.place[-1:], *before, *after])
    return frozenset(stems_in(words)) - COMMON_STEMS


def as_it_stands(unit: Unit, counts: Counts) -> Unit:
    """The sentence, not to be lost where it tells how far something has come at last."""
    if unit.entry.id not in counts.last or not _OF.search(unit.text):
        return unit
    section = cues.OUTCOMES if unit.section == cues.CONTEXT else unit.section
    return replace(unit, must=True, section=section)
