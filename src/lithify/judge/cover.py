"""Choose from a long week what its writer is shown, so that every day has its share.

First what somebody marked or left open, then each heading with its first sentence, then what covers
the most rare words and figures with the fewest tokens.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from lithify.judge import mark_of
from lithify.regex import regex
from lithify.text.sentences import split
from lithify.text.stems import COMMON_STEMS, COMMON_WEIGHT, stems_of
from lithify.text.tokens import estimate
from lithify.values import Entry

#: The most tokens of one entry that are shown: its first sentences.
LONGEST = 150
_FIGURES = regex(r"\d+")
#: A line that comes again more often than so many times a day is one of a series.
_OFTEN = 2
#: How much more a word with a figure counts than one without.
_FIGURE = 2.0


def select(entries: Sequence[Entry], most: int) -> dict[int, Entry]:
    """Return what `most` tokens of the entries hold, by their places; long ones are cut short."""
    days = {
        day: list(own) for day, own in groupby(range(len(entries)), lambda n: entries[n].id[:10])
    }
    shown = [_clipped(entry, LONGEST) for entry in entries]
    costs = [estimate(entry.text) for entry in shown]
    share = water_level([sum(costs[n] for n in own) for own in days.values()], most)
    weights = _weights(entries)
    # Of many lines that differ in their figures alone, the first and the last tell the series.
    lines = [_FIGURES.sub("0", one.text) for one in shown]
    often = Counter(lines)
    first = {line: n for n, line in reversed(list(enumerate(lines)))}
    ends = {*first.values(), *{line: n for n, line in enumerate(lines)}.values()}
    ends |= {n for n, line in enumerate(lines) if often[line] <= _OFTEN * len(days)}
    chosen: dict[int, Entry] = {}
    for own in days.values():
        left = share
        marked = [n for n in own if mark_of(entries[n])]
        for n in marked:
            if costs[n] <= left:
                chosen[n] = shown[n]
                left -= costs[n]
        for n in _under_headings(own, entries):
            sentence = _clipped(entries[n], 0)
            cost = estimate(sentence.text)
            if n not in chosen and cost <= left:
                chosen[n] = sentence
                left -= cost
        told = Counter(word for one in chosen.values() for word in stems_of(one.text))
        rest = [n for n in own if n not in chosen and entries[n].kind not in ("code", "lead")]
        # What lies between the ends of a series comes last.
        for part in ([n for n in rest if n in ends], [n for n in rest if n not in ends]):
            words = {n: frozenset(stems_of(shown[n].text)) for n in part}
            for n in _cover(words, costs, weights, told, left):
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


def _under_headings(own: Sequence[int], entries: Sequence[Entry]) -> Iterable[int]:
    """The first entry of a day below each of its headings."""
    known = set()
    for n in own:
        headings = entries[n].headings
        if headings not in known and entries[n].kind not in ("code", "row"):
            known.add(headings)
            yield n


def _clipped(entry: Entry, most: int) -> Entry:
    """The first sentence of an entry, and those after it that fit; with a mark where it was cut."""
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


def _weights(entries: Sequence[Entry]) -> dict[str, float]:
    """How much each word counts: the more, the fewer entries have it."""
    held = Counter(word for entry in entries for word in set(stems_of(entry.text)))
    return {
        word: math.log((1 + len(entries)) / count)
        * (_FIGURE if any(map(str.isdigit, word)) else 1.0)
        * (COMMON_WEIGHT if word in COMMON_STEMS else 1.0)
        for word, count in held.items()
    }


def _cover(
    words: Mapping[int, frozenset[str]],
    costs: Sequence[int],
    weights: Mapping[str, float],
    told: Counter[str],
    left: int,
) -> list[int]:
    """The entries whose words weigh the most for their tokens; a word counts less each time."""

    def worth(n: int) -> float:
        return sum(weights[word] / (1 + told[word]) ** 2 for word in sorted(words[n])) / costs[n]

    chosen: list[int] = []
    heap = [(-worth(n), n) for n in words]
    heapq.heapify(heap)
    while heap:
        known, n = heapq.heappop(heap)
        now = -worth(n)
        if heap and now > heap[0][0] and now != known:
            heapq.heappush(heap, (now, n))
        elif costs[n] <= left:
            chosen.append(n)
            told.update(words[n])
            left -= costs[n]
    return chosen
