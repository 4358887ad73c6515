"""Fold: near-duplicates become one unit that cites them all.

Of a line that recurs with other figures, the first and the last state are kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from lithify.engines.offline.read import Unit
from lithify.engines.offline.select import figures
from lithify.text.hedges import denies

#: Share of their words by which two units say the same.
ALIKE = 0.6
#: A line counts as recurring with other figures where this share of its other words is the same.
SERIES = 0.75
#: Rare words by which a duplicate is looked for, units looked at for each, and ids a unit may cite.
_PROBES, _NEAREST, _CITED = 4, 40, 4


def fold(units: Sequence[Unit], weights: dict[str, float]) -> list[Unit]:
    """The units without near-duplicates, in their order; the last that says a thing stands for all."""
    by_stem: defaultdict[str, list[int]] = defaultdict(list)
    stems = [frozenset(one.stems) for one in units]
    found = list(units)
    gone: set[int] = set()
    middle: dict[int, int] = {}
    for n in range(len(units) - 1, -1, -1):
        own = stems[n]
        probes = sorted(own, key=lambda stem: (-weights[stem], stem))[:_PROBES]
        for m in dict.fromkeys(m for stem in probes for m in by_stem[stem][-_NEAREST:]):
            shared = len(own & stems[m])
            union = len(own) + len(stems[m]) - shared
            if shared < ALIKE * union or denies(units[n].text) != denies(units[m].text):
                continue
            if figures(units[n].atoms) <= figures(units[m].atoms):
                found[m] = _told_before(found[m], units[n])
                gone.add(n)
                break
            if _recurs(units[n], units[m], own, stems[m]):
                # Of a series only its ends stay: an earlier state takes the place of this one.
                if m in middle:
                    gone.add(middle[m])
                    found[m] = replace(found[m], since=units[n].entry.day)
                middle[m] = n
                break
        else:
            for stem in probes:
                by_stem[stem].append(n)
    return [one for n, one in enumerate(found) if n not in gone]


def _told_before(last: Unit, earlier: Unit) -> Unit:
    """A unit that also stands for one that said the same before it."""
    judgement = last.judgement._replace(must=max(last.must, earlier.must))
    ids = (
        last.ids
        if earlier.ids[0] in last.ids
        else (*last.ids, *earlier.ids)[: max(_CITED, len(last.ids))]
    )
    return replace(last, judgement=judgement, ids=ids, since=earlier.entry.day)


def _recurs(one: Unit, other: Unit, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether two units are the same line with other figures."""
    mine = frozenset(stem for stem in mine if not stem[0].isdigit())
    theirs = frozenset(stem for stem in theirs if not stem[0].isdigit())
    return (
        one.entry.day != other.entry.day
        and len(mine & theirs) >= SERIES * len(mine | theirs)
        and bool(figures(one.atoms)) == bool(figures(other.atoms))
    )
