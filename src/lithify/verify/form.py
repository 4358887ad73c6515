"""The form of a page: the sections it may have, and its ceiling."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from lithify.markdown.pages import length, most_of
from lithify.sections import MONTH, WEEK
from lithify.values import SHORT_INPUT, Brief, Claim, Violation

#: Sections whose bullets give way first.
_FIRST = (WEEK.context, MONTH.themes)


def section_fault(claim: Claim, brief: Brief) -> tuple[Violation, ...]:
    """Say so where a claim stands under a section that the page does not have."""
    if claim.section in brief.sections:
        return ()
    return (Violation("structure", f'"{claim.section}" is not one of the sections', claim.text),)


def over_ceiling(
    brief: Brief, claims: Sequence[Claim]
) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
    """Return the claims that a page has room for, and those that are too much for its ceiling.

    The last bullets of Context go first (in a month those of Themes), then the last of the section
    that is longest by then. A page of up to 400 tokens is never too long.
    """
    places: dict[str, list[int]] = {}
    for at, claim in enumerate(claims):
        places.setdefault(claim.section, []).append(at)
    sizes = {section: sum(len(claims[at].text) for at in own) for section, own in places.items()}
    order: list[int] = []
    while places:
        first = [section for section in _FIRST if section in places]
        giving = first[0] if first else max(places, key=sizes.__getitem__)
        order.append(places[giving].pop())
        sizes[giving] -= len(claims[order[-1]].text)
        if not places[giving]:
            del places[giving]
    most = max(most_of(brief), SHORT_INPUT)

    def fits(gone: int) -> bool:
        return length(brief, [claims[at] for at in sorted(order[gone:])]) <= most

    gone = order[: bisect_left(range(len(order)), True, key=fits)]
    left = set(gone)
    page = tuple(claim for at, claim in enumerate(claims) if at not in left)
    return page, tuple(claims[at] for at in gone)
