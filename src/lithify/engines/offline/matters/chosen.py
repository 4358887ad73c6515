"""Choices that were made, and things that fall away: ends that name their matter by a word or two."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from lithify import cues
from lithify.cues.letters import hinted
from lithify.engines.offline.matters.ends import OF_DATES, follows
from lithify.engines.offline.matters.matter import FEWEST
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.stems import COMMON_STEMS

#: A word in more sentences than these, or in more than this part of them, names no choice alone.
_FEW, _PART = 12, 20
#: An item that puts a choice, after its name: "crane: rent or buy", "duplex: decide", "Holm yes or no".
_PUTS = re.compile(
    r"^(?:[\w.]+ )?decides?\W*$|^(?:to )?decide (?:on|about)\b|^[\w -]{2,30} or (?:not\b|[\w -]{2,30}(?:,|\W*$))|\byes or no\b|^\w+\?$",
    re.I,
)
_CHOICE = re.compile(r"\b(?:yes or no|or not|or|decides?|about|on)\b", re.I)
#: A line that only heads what follows it.
_HEADS = re.compile(r"\*\*[^*]{2,60}\*\*:?$")
#: A line that lists what is no longer needed, or says it of one thing.
_AWAY = re.compile(r"\b(?:falls?|fell) away\b[^:]{0,30}: (?P<things>.+)", re.I)
_NEEDLESS = re.compile(
    r"(?P<things>[^.;:,]{3,60}?) (?:is|are) (?:no longer (?:needed|wanted|necessary)|not needed any ?more|moot|superfluous)\b",
    re.I,
)
_BETWEEN = re.compile(r"[,;] (?:and )?| and ")
#: No line says it without one of these.
_HINTS = (" away", "no longer ", "not needed", " moot", "superfluous")


def chosen(units: Sequence[Unit], counts: Mapping[str, int]) -> dict[int, Unit]:
    """For the place of each item that a choice or its needlessness ends the sentence that tells so.

    `counts` says of each word in how many of the units it stands.
    """
    return {**dict(_made(units, counts)), **dict(_fallen(units))}


def _made(units: Sequence[Unit], counts: Mapping[str, int]) -> Iterator[tuple[int, Unit]]:
    """Items that put a choice, and the first later decision whose words or head name its matter."""
    put = [(unit, name) for unit in units if (name := _name_of(unit))]
    if not put:
        return
    most = max(_FEW, len(units) // _PART)
    made: list[tuple[Unit, frozenset[str]]] = []
    heads: dict[object, str] = {}
    for unit in units:
        here = (unit.entry.day, unit.place)
        if unit.entry.kind == "paragraph" and _HEADS.match(unit.entry.text):
            heads[here] = unit.entry.text
        if unit.section == cues.DECISIONS and unit.must:
            said = " ".join((unit.text, unit.label, *unit.place[-1:], heads.get(here, "")))
            made.append((unit, frozenset(stems_in(said))))
    for item, name in put:
        if any(counts.get(stem, 0) <= most for stem in name):
            ends = (one for one, words in made if name <= words and follows(one, item))
            yield from ((item.at, end) for end in (next(ends, None),) if end)


def _name_of(unit: Unit) -> frozenset[str]:
    """The words that name what an item puts a choice of; none where it puts none."""
    if unit.section != cues.OPEN or not _PUTS.search(unit.text):
        return frozenset()
    name = unit.label or _CHOICE.split(unit.text, maxsplit=1)[0]
    if name.strip() == "":
        name = _CHOICE.sub(" ", unit.text)
    return frozenset(stems_in(name)) - COMMON_STEMS - OF_DATES


def _fallen(units: Sequence[Unit]) -> Iterator[tuple[int, Unit]]:
    """Items whose thing a later line says is no longer needed."""
    gone = [(unit, what) for unit in units for what in _needless(unit.text)]
    for item in units if gone else ():
        if item.section == cues.OPEN:
            own = frozenset((*item.stems, *stems_in(item.label)))
            yield from (
                (item.at, line) for line, what in gone if what <= own and follows(line, item)
            )


@lru_cache(maxsize=1 << 13)
def _needless(text: str) -> tuple[frozenset[str], ...]:
    """The words of each thing that a line says is no longer needed."""
    if not hinted(_HINTS, text):
        return ()
    return tuple(
        what
        for match in (_AWAY.search(text), _NEEDLESS.search(text))
        if match
        for thing in _BETWEEN.split(match["things"])
        if len(what := frozenset(stems_in(thing)) - COMMON_STEMS) >= FEWEST
    )
