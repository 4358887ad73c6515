"""Counts of a whole that grow from day to day: `12 of 60 pages` and, weeks later, `52 of 60`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from lithify.engines.offline.matters.measures import Key, Reading, figure
from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.openings import head_of
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.stems import COMMON_STEMS

_PART = re.compile(
    r"(?<![\w.,:/-])(?P<value>\d+(?:,\d{3})*)(?: of | out of |/)(?P<whole>\d+(?:,\d{3})*)(?![\w-]|[.,:/]\d)(?: (?P<what>[a-z][a-z-]{2,}))?"
)
#: A whole of fewer parts is a vote or a test run, not progress.
_LEAST = 5
#: Words before a count that may say what it counts.
_BEFORE = re.compile(r"(?:[^\W\d_][\w-]* ){1,3}(?:is |are |at |now |with )?$")
_DONE = frozenset(
    stems_in("done left sold signed finished ready migrated complete completed merged")
)
_CAPITAL = re.compile(r"[A-Z][\w-]*(?: [\w-]+){0,2}")
#: So many counts that fall are a measure that goes up and down.
_FALLS = 1
#: So many steps of one whole that only grow are one story, whatever they are called.
_STEPS = 3
#: What is nearly whole from the beginning is looked after, not worked on.
_NEARLY = 0.9
_KIND = ("worth", "of")


def progress(units: Sequence[Unit]) -> Iterator[tuple[Key, list[Reading]]]:
    """The counts of one whole under one name, by the day; those that lead somewhere."""
    by_whole: dict[str, list[tuple[Reading, frozenset[str]]]] = {}
    for unit in units:
        if unit.entry.day is None or not (" of " in unit.text or "/" in unit.text):
            continue
        start = 0
        for match in _PART.finditer(unit.text):
            whole = match["whole"]
            if not figure(match["value"]) <= figure(whole) or figure(whole) < _LEAST:
                continue
            name, stems = _name(unit, match, start)
            if stems:
                value = f"{match['value']} of {whole}"
                reading = Reading(unit, value, name, len(unit.text))
                by_whole.setdefault(whole, []).append((reading, stems))
            start = match.end()
    for whole, said in by_whole.items():
        for line in _lines(said) if len(said) > 1 else ():
            yield (*_KIND, whole, line[0].name.lower()), line


def is_progress(key: Key) -> bool:
    """Whether a key is that of a count of a whole."""
    return key[:2] == _KIND


def _name(unit: Unit, match: re.Match[str], start: int) -> tuple[str, frozenset[str]]:
    """What a count is called, and the words by which it is the same as another day's.

    `start` is where the count before it in the sentence ends: a later one is called by its own words.
    """
    said = unit.text[start : match.start()]
    before = _BEFORE.search(said)
    near = before[0].strip() if before else ""
    what = match["what"] if match["what"] and not _stems(match["what"]) <= _DONE else ""
    if start:
        return what or near, _stems(f"{near} {what}") - _DONE
    opening = _CAPITAL.match(said)
    head = head_of(unit.entry.text)
    stems = _stems(f"{head} {unit.label} {near} {what} {opening[0] if opening else ''}") - _DONE
    subject, headed = subject_of(unit.place)
    name = unit.label or what or head or (near if _stems(near) - _DONE else "")
    if not name and unit.entry.kind == "row":
        name = unit.text.partition(" - ")[0]
    # What stands under one heading may be many things: it tells only where nothing else does.
    headed = frozenset() if any(map(str.isdigit, subject)) else headed
    return name or (subject if headed else ""), stems or headed


def _stems(words: str) -> frozenset[str]:
    return frozenset(
        stem for stem in stems_in(words) if stem not in COMMON_STEMS and not stem.isdigit()
    )


def _lines(said: Sequence[tuple[Reading, frozenset[str]]]) -> Iterator[list[Reading]]:
    """The counts of one whole as lines: all of them where they only grow, else by their words."""
    figures = [figure(reading.value) for reading, _ in said]
    if figures == sorted(figures) and len(set(figures)) >= _STEPS:
        lines = [[reading for reading, _ in said]]
    else:
        lines = _by_words(said)
    for line in lines:
        steps = [figure(b.value) - figure(a.value) for a, b in pairwise(line)]
        falls = sum(1 for step in steps if step < 0)
        first, last = line[0].value, line[-1].value
        if falls > _FALLS or not figure(first) < figure(last):
            continue
        few = len({reading.value for reading in line}) < _STEPS
        if few and figure(first) >= _NEARLY * figure(first.rpartition(" ")[2]):
            continue
        # Only the first and the last are cited: what all of them are called stands there.
        names = Counter(reading.name for reading in line)
        ends = {line[0].name, line[-1].name} - {""}
        if ends:
            name = min(ends, key=lambda one: (-names[one], len(one), one))
            name = name[0].upper() + name[1:] if name.isalpha() else name
            yield [replace(reading, name=name) for reading in line]


def _by_words(said: Sequence[tuple[Reading, frozenset[str]]]) -> list[list[Reading]]:
    """The counts that share a word with those before them, as one line each."""
    lines: list[tuple[list[Reading], set[str]]] = []
    for reading, stems in said:
        for line, words in lines:
            if words & stems:
                line.append(reading)
                words |= stems
                break
        else:
            lines.append(([reading], set(stems)))
    return [line for line, _ in lines]
