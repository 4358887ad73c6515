"""Value changes: the same thing said of two values, both with their noun, an earlier and a later day.

The days give the order. A change inside one sentence counts only where an arrow stands between two
figures of the same unit; an arrow between two different nouns is none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from lithify.engines.offline.bullets import Development, sources_of, told
from lithify.engines.offline.clauses import LIMIT
from lithify.engines.offline.rarity import weight
from lithify.engines.offline.read import OPENING, Unit
from lithify.judge import OPEN
from lithify.text.stems import COMMON_STEMS, is_empty, stem
from lithify.text.tokens import estimate

#: Share of the earlier unit's weight, figures left out, that the later one has.
_SAME = 0.6
_COMMON = 30
_QUANTITY = re.compile(r"([$€£¥]?)(\d[\d.,]*\d|\d)\s?(%|[^\W\d_]{2,})?")
_ARROW = re.compile(
    r"([$€£¥]?)\d[\d.,]*\s?(%|[^\W\d_]+)?\s?(?:->|→)\s?([$€£¥]?)\d[\d.,]*\s?(%|[^\W\d_]+)?"
)


def changes(
    units: Sequence[Unit], weights: dict[str, float], budget: float, taken: Iterable[int]
) -> list[Development]:
    """The changes that fit a budget, the surest first; units already taken are left alone."""
    used = set(taken)
    found: list[Development] = []
    ranked = [*_pairs(units, weights), *((0.5, (n,)) for n in _arrows(units))]
    for _, places in sorted(ranked, key=lambda one: (-one[0], one[1])):
        own = [units[n] for n in places]
        text = "; ".join(map(told, [[one] for one in own]))
        cost = estimate(text) + OPENING
        if used & set(places) or cost > budget or cost > LIMIT + OPENING:
            continue
        used.update(places)
        budget -= cost
        found.append(Development(text, places, sources_of(own)))
    return sorted(found, key=lambda one: one.places)


def _values(text: str) -> dict[str, str]:
    """Each figure of a text by the noun or sign it stands with; one noun with two figures is none."""
    found: dict[str, str] = {}
    twice: set[str] = set()
    for sign, figure, noun in _QUANTITY.findall(text):
        name = sign if not noun or is_empty(noun.lower()) else stem(noun.lower())
        if name and name not in COMMON_STEMS:
            twice.update({name} & found.keys())
            found[name] = figure.strip(".,")
    return {name: figure for name, figure in found.items() if name not in twice}


def _pairs(units: Sequence[Unit], weights: dict[str, float]) -> list[tuple[float, tuple[int, ...]]]:
    """Units of two days that say the same of another value, with the share of words they have."""
    where: defaultdict[str, list[int]] = defaultdict(list)
    words = [frozenset(s for s in one.stems if not s[0].isdigit()) for one in units]
    for n, own in enumerate(words):
        for each in own - COMMON_STEMS:
            where[each].append(n)
    found: list[tuple[float, tuple[int, ...]]] = []
    for n, one in enumerate(units):
        old = _values(one.text)
        if not old or one.section == OPEN:
            continue
        shared: Counter[int] = Counter()
        for each in words[n]:
            for m in where[each] if len(where[each]) <= _COMMON else ():
                if m > n:
                    shared[m] += weights[each]  # type: ignore[assignment]
        whole = weight(words[n], weights) or 1.0
        for m, got in shared.items():
            if got < _SAME * whole or units[m].entry.day == one.entry.day:
                continue
            new = _values(units[m].text)
            if any(new[name] != old[name] for name in old.keys() & new.keys()):
                found.append((got / whole, (n, m)))
    return found


def _arrows(units: Sequence[Unit]) -> list[int]:
    """Units with an arrow between two figures of one unit."""
    return [
        n
        for n, one in enumerate(units)
        if ("→" in one.text or "->" in one.text)
        and (match := _ARROW.search(one.text))
        and match[1] == match[3]
        and (not match[2] or not match[4] or match[2] == match[4])
    ]
