"""How long a page may be: its target, its least and its most, all in our own estimate of tokens.

A page is a share of its input, between bounds, and never longer than the ceiling of its tier.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lithify.markdown.pages import summary_text
from lithify.text.tokens import estimate
from lithify.values import SHORT_INPUT, Brief, Claim, Tier

#: The least and the most of its input that a page takes.
LEAST, MOST = 0.10, 0.45
#: A page may be this long though that is more than its share, where its input holds so much.
ROOMY = 800
#: A short dense input is told, not a third of it: the least a target is, by tier.
_DENSE: dict[Tier, int] = {"week": 600, "month": 250}


#: The day that a bullet begins with, and dates that were made absolute.
_DATE = re.compile(r"^\d{1,2} [A-Z][a-z]{2} \d{4}: |\b\d{4}-\d\d-\d\d\b")
#: The part of the most a page may have that a target takes: a writer is seldom exact.
_MARGIN = 0.9


def target_length(tier: Tier, size: int, share: float, ceiling: int = 0) -> int:
    """The tokens to aim for with an input of this size; a ceiling of 0 is none."""
    wanted = max(int(share * size), _DENSE.get(tier, 0))
    if size <= SHORT_INPUT and tier == "week":
        wanted = size
    return min(wanted, int(_MARGIN * longest(size, ceiling)))


def longest(size: int, ceiling: int = 0) -> int:
    """The most tokens a page of an input of this size may have."""
    most = min(size, max(int(MOST * size), ROOMY))
    return min(most, ceiling) if ceiling else most


def most_of(brief: Brief) -> int:
    """The most tokens that a page of this brief, or a part of one, may have."""
    most = longest(brief.size, brief.ceiling)
    return min(most, brief.most) if brief.most else most


def allowed(brief: Brief) -> tuple[int, int]:
    """The fewest and the most tokens that a page of this brief, or a part of one, may have."""
    most = most_of(brief)
    if brief.size <= SHORT_INPUT:
        return 0, most
    return min(int(LEAST * brief.size), most // 2), most


def length(brief: Brief, claims: Sequence[Claim]) -> int:
    """The tokens of a page that count; on a short page neither its headings nor its dates do."""
    if brief.size <= ROOMY:
        return sum(estimate(_DATE.sub("", claim.text)) for claim in claims)
    return estimate(summary_text(brief.sections, claims))
