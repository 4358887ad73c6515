"""What the audit of pages that are still to be written would take, from their planned lengths."""

from __future__ import annotations

from lithify.engines.model.audit import Auditor
from lithify.text.tokens import estimate
from lithify.values import Usage

#: Tokens of a claim's number and of the lines around its entries.
CLAIM = 10
#: Tokens of the day and headings before an entry, and the entries that a claim cites on average.
ENTRY = 14
CITED = 1.0
#: What is kept is longer than the average entry, and so are the claims that tell it.
DENSE = 1.25
#: Tokens of one verdict; most have no reason.
VERDICT = 18


def audit_ahead(
    auditor: Auditor, parts: int, reply: int, words: float, beside: int
) -> tuple[int, Usage]:
    """The calls and tokens of an audit of pages that are written in parts.

    `reply` counts the tokens of their drafts, `words` those of an average entry, and `beside` those
    that a draft has around each claim.
    """
    if not parts:
        return 0, Usage()
    words *= DENSE
    claims = max(1.0, reply / (words + beside))
    frame = auditor.engine.prompts["audit"]
    around = estimate(frame.system) + estimate(frame.user)
    shown = claims * (words + CLAIM + CITED * (words + ENTRY))
    calls = max(parts, -(-int(claims) // auditor.most_claims), -(-int(shown) // auditor.most_shown))
    return calls, Usage(int(calls * around + shown), int(claims * VERDICT))
