"""Choose from a long week what its writer is shown, so that every day has its share.

First what somebody marked or left open, then each heading with its first sentence, then the cover.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from lithify.engines.cover import Cover, features_of, weights_of
from lithify.regex import regex
from lithify.text.labels import mark_of
from lithify.text.sentences import split
from lithify.text.tokens import estimate
from lithify.values import Entry

#: The most tokens of one entry that are shown: its first sentences.
LONGEST = 150
_FIGURES = regex(r"\d+")
#: A line that comes again more often than so many times a day is one of a series.
_OFTEN = 2


def select(entries: Sequence[Entry], most: int) -> dict[int, Entry]:
    """Return what `most` tokens of the entries hold, by their places; long ones are cut short."""
    days = [list(own) for _, own in groupby(range(len(entries)), lambda n: entries[n].id[:10])]
    shown = [_clipped(entry, LONGEST) for entry in entries]
    costs = [estimate(entry.text) for entry in shown]
    share = water_level([sum(costs[n] for n in own) for own in days], most)
    rows = [features_of(entry.text) for entry in shown]
    weights = weights_of(rows)
    # Of many lines that differ in their figures alone, the first and the last tell the series.
    lines = [_FIGURES.sub("0", one.text) for one in shown]
    often = Counter(lines)
    first = {line: n for n, line in reversed(list(enumerate(lines)))}
    ends = {*first.values(), *{line: n for n, line in enumerate(lines)}.values()}
    ends |= {n for n, line in enumerate(lines) if often[line] <= _OFTEN * len(days)}
    chosen: dict[int, Entry] = {}
    for own in days:
        left = share
        told: list[frozenset[str]] = []
        marked = ((n, shown[n]) for n in own if mark_of(entries[n]))
        headed = ((n, _clipped(entries[n], 0)) for n in _under_headings(own, entries))
        for n, one in (*marked, *headed):
            if n not in chosen and (cost := estimate(one.text)) <= left:
                chosen[n] = one
                told.append(features_of(one.text))
                left -= cost
        cover = Cover(rows, costs, weights, Counter(word for row in told for word in row))
        rest = [n for n in own if n not in chosen and entries[n].kind not in ("code", "lead")]
        # What lies between the ends of a series comes last.
        for part in ([n for n in rest if n in ends], [n for n in rest if n not in ends]):
            for n in cover.fill(part, left):
                chosen[n] = shown[n]
                left -= costs[n]
    return dict(sorted(chosen.items()))


def water_level(sizes: Iterable[int], most: int) -> int:
    """Return how much each may have at most so that all together have `most`."""
    left, rising = most, sorted(sizes)
    for n, size in enumerate(rising):
        level = left // (len(rising) - n)
        if size > level:
            return level
        left -= size
    return most


def _under_headings(own: Sequence[int], entries: Sequence[Entry]) -> Iterator[int]:
    """Yield the first entry of a day below each of its headings."""
    known = set()
    for n in own:
        headings = entries[n].headings
        if headings not in known and entries[n].kind not in ("code", "row"):
            known.add(headings)
            yield n


def _clipped(entry: Entry, most: int) -> Entry:
    """Return the first sentence of an entry, and those after it that fit; with a mark where it was cut."""
    if estimate(entry.text) <= most:
        return entry
    first, *more = split(entry.text) or (entry.text,)
    while more and estimate(f"{first} {more[0]}") <= most:
        first = f"{first} {more.pop(0)}"
    words = first.split()
    while len(words) > 1 and estimate(first) > max(most, LONGEST):
        words = words[: len(words) * 3 // 4]
        first, more = " ".join(words), [""]
    return replace(entry, text=f"{first} …") if more else entry
