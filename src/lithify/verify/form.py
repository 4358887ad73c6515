"""The form of a page: the sections it may have, and its ceiling."""

from __future__ import annotations

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
    page, gone = list(claims), list[Claim]()
    most = max(most_of(brief), SHORT_INPUT)
    while page and length(brief, page) > most:
        sections = {claim.section: 0 for claim in page}
        for claim in page:
            sections[claim.section] += len(claim.text)
        first = [section for section in _FIRST if section in sections]
        giving = first[0] if first else max(sections, key=sections.__getitem__)
        at = max(n for n, claim in enumerate(page) if claim.section == giving)
        gone.append(page.pop(at))
    return tuple(page), tuple(gone)
