"""Open: which of the items a page calls open are still open at its end.

An item is closed by a later unit that reports something done and has most of its rare words, or its
ticket. A date that passed closes nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from lithify.engines.offline.read import Unit
from lithify.engines.offline.select import has_figure, weight
from lithify.sections import WEEK
from lithify.text.stems import COMMON_STEMS

#: Share of an open item's weight that a later report must have to close it.
CLOSES = 0.45
#: Words more units have than this lead nowhere.
_COMMON = 40
#: How sure a report must be.
_REPORTS = 0.6


def closed(units: Sequence[Unit], weights: dict[str, float], share: float = CLOSES) -> set[int]:
    """The places of open items that a later unit reports done."""
    items = {n for n, one in enumerate(units) if one.section == WEEK.open_items}
    if not items:
        return set()
    where: defaultdict[str, list[int]] = defaultdict(list)
    for n, one in enumerate(units):
        if one.section in (WEEK.outcomes, WEEK.decisions) and one.judgement.stated >= _REPORTS:
            for stem in set(one.stems):
                where[stem].append(n)
    found: set[int] = set()
    for n in items:
        own = set(units[n].stems)
        whole = weight(own, weights) or 1.0
        shared: Counter[int] = Counter()
        for stem in own:
            if stem not in COMMON_STEMS and len(where[stem]) <= _COMMON:
                for m in where[stem]:
                    if m > n and units[m].entry is not units[n].entry:
                        shared[m] += weights[stem]  # type: ignore[assignment]
        tickets = {atom for atom in units[n].atoms if _is_ticket(atom)}
        if any(
            got >= share * whole or (tickets & units[m].atoms and got >= share / 2 * whole)
            for m, got in shared.items()
        ):
            found.add(n)
    return found


def _is_ticket(atom: str) -> bool:
    """Whether a specific looks like a ticket: letters and a number, `#12`, `ABC-123`, `PR 297`."""
    return has_figure(atom) and any(sign.isalpha() or sign == "#" for sign in atom)


def settled(units: Sequence[Unit], weights: dict[str, float]) -> list[Unit]:
    """The units, those that were open and are done under Context and no longer required."""
    over = closed(units, weights)
    return [
        replace(one, judgement=one.judgement._replace(section=WEEK.context, must=0.0))
        if n in over
        else one
        for n, one in enumerate(units)
    ]
