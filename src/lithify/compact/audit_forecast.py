"""What the audit of pages that are still to be written would take, from their planned lengths."""

from __future__ import annotations

from lithify.engines.model.audit import Auditor
from lithify.text.tokens import estimate
from lithify.values import Usage

#: Tokens of a claim's number and of the lines around its entries.
CLAIM = 10
#: Tokens of the day and headings before an entry, and the entries that a claim cites on average.
ENTRY = 18
CITED = 1.2
#: Tokens of one verdict; most have no reason.
VERDICT = 18


def audit_ahead(auditor: Auditor, parts: int, claims: float, words: float) -> tuple[int, Usage]:
    """The calls and tokens of an audit of so many claims of so many words, written in parts."""
    if not parts:
        return 0, Usage()
    frame = auditor.engine.prompts["audit"]
    around = estimate(frame.system) + estimate(frame.user)
    shown = claims * (words + CLAIM + CITED * (words + ENTRY))
    calls = max(parts, -(-int(claims) // auditor.most_claims), -(-int(shown) // auditor.most_shown))
    return calls, Usage(int(calls * around + shown), int(claims * VERDICT))
