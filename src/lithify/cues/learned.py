"""What labelled entries taught: how far the words of an entry, beside its cues, speak for each section.

The weights were fitted by `benchmarks/teach.py` on sentences of many logs that people had put into
their sections. They are read once, and only where somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise

from lithify.cues.weighing import Weights
from lithify.values import WEEK_SECTIONS

#: What is looked at, and how much it counts.
Feature = tuple[str, float]
#: Words that are looked at: what an entry is stands at its beginning.
_LOOKED_AT = 60
#: A cue counts for more than a word does.
_CUE = 2.0
#: Hundredths by which the words must speak more for another section than for that of the cues.
_CLEARLY = 80


def features(
    tokens: Sequence[str], place: str, section: str, kept: bool, weights: Weights
) -> Iterator[Feature]:
    """What is looked at: words, pairs of words, where they stand, and what the cues make of them."""
    seen = tokens[:_LOOKED_AT]
    for word in dict.fromkeys(seen):
        yield word, 1.0
    for one, other in dict.fromkeys(pairwise(("^", *seen, "$"))):
        yield f"{one} {other}", 1.0
    yield f"place={place}", _CUE
    yield f"cues={section}{'!' if kept else ''}", _CUE
    for name, weight in zip(Weights._fields, weights, strict=True):
        if weight:
            yield f"cue={name}", weight / 2


def section_of(seen: Iterable[Feature], section: str) -> str:
    """The section that all of it speaks for: that of the cues, unless another stands out clearly."""
    *stated, context, nothing = _sums(seen)
    # What says nothing is context too.
    sums = [*stated, max(context, nothing)]
    best = max(sums)
    clear = best - sums[WEEK_SECTIONS.index(section)] > _CLEARLY
    return WEEK_SECTIONS[sums.index(best)] if clear else section


def _sums(seen: Iterable[Feature]) -> list[float]:
    known = _known()
    sums: list[float] = [*known[""]]
    for name, value in seen:
        row = known.get(name)
        if row is not None:
            for n, weight in enumerate(row):
                sums[n] += value * weight
    return sums


@cache
def _known() -> dict[str, tuple[int, ...]]:
    """The weights of each feature, in hundredths, for each section and for none.

    Those of the empty feature count always.
    """
    lines = (files("lithify.cues") / "learned.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return {name: tuple(map(int, numbers)) for name, *numbers in rows}
