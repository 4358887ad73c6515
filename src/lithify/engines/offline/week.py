"""A week out of its days: read, fold, settle what is closed, select, write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lithify.engines.offline.bullets import bullet, grouped, packed
from lithify.engines.offline.fold import fold
from lithify.engines.offline.open_items import settled
from lithify.engines.offline.read import Unit, read
from lithify.engines.offline.select import select, weights_of
from lithify.sections import AS_COMBINED, COMBINED, WEEK
from lithify.text.tokens import estimate
from lithify.values import SHORT_INPUT, Brief, Claim, Draft

#: The part of a page that what must be kept may take before the rest competes with it.
_MUST_SHARE = 0.6
#: Room enough for an input told whole: every line with a date of its own.
_WHOLE = 8


def write_week(brief: Brief) -> Draft:
    """The week's bullets, as near to the target length as whole sentences allow."""
    units = read(brief.entries)
    weights = weights_of(units)
    units = settled(fold(units, weights), weights)
    group = grouped(units)
    budget = budget_of(brief)
    chosen = [units[n] for n in select(units, budget, group, required(units), _MUST_SHARE)]
    return Draft(claims=claims_of(packed(chosen, group), brief))


def required(units: Sequence[Unit]) -> list[int]:
    """The places of the units that a box or a label of their own says must be kept.

    The first of every list come before the second ones, so that one long list of boxes does not
    take the place of all others. What the weights alone call a must counts more among the others,
    and no more: taken first, it crowded out what readers looked for (`training/README.md`).
    """
    seen: Counter[tuple[object, ...]] = Counter()
    found: list[tuple[int, int]] = []
    for n, one in enumerate(units):
        if one.must == 1.0 and not one.speaker:
            found.append((seen[one.entry.day, *one.entry.headings], n))
            seen[one.entry.day, *one.entry.headings] += 1
    return [n for _, n in sorted(found)]


def budget_of(brief: Brief) -> int:
    """Tokens for the bullets of a page: its target less its headings; a short input is told whole."""
    if brief.size <= SHORT_INPUT and brief.trusted and brief.tier == "week":
        return _WHOLE * max(1, brief.size)
    headings = sum(estimate(f"### {section}") for section in brief.sections)
    return max(1, brief.target - headings)


def claims_of(bullets: Sequence[Sequence[Unit]], brief: Brief) -> tuple[Claim, ...]:
    """The claims of a page, section by section."""
    sections = brief.sections or WEEK
    names = AS_COMBINED if COMBINED.outcomes in sections else {name: name for name in WEEK}
    claims = [bullet(one, names[one[0].section], brief.trusted) for one in bullets]
    return tuple(sorted(claims, key=lambda claim: sections.index(claim.section)))
