"""What code knows of a draft: which lines exist, what stands in them, and the form of a page.

Nothing here judges whether a claim is true; that is a reader's work. `verify` answers with what may
be written and what may not, `question` with the marked entries that a writer left out,
`over_ceiling` with the bullets a page has no room for.
"""

from __future__ import annotations

from lithify.values import Brief, Claim, Draft, TypedMemory, Violation
from lithify.verify.check import ShownEntries, ground_of_texts, missing_in, trace
from lithify.verify.coverage import kept, question
from lithify.verify.form import over_ceiling, section_fault
from lithify.verify.memories import (
    check_decisions,
    check_memory,
    grounds_of,
    memory_claim,
    memory_claims,
    not_taken_up,
)
from lithify.verify.verdict import Checked, KeptCount, Refused, RefusedText

__all__ = [
    "Checked",
    "KeptCount",
    "Refused",
    "RefusedText",
    "ShownEntries",
    "ground_of_texts",
    "grounds_of",
    "kept",
    "memory_claim",
    "memory_claims",
    "missing_in",
    "not_taken_up",
    "over_ceiling",
    "question",
    "trace",
    "verify",
]


def verify(draft: Draft, brief: Brief, *, extractive: bool) -> Checked:
    """Check a draft against all that its writer was shown.

    `extractive` says that the words are the sources' own: then nothing of them is changed.
    """
    if brief.tier == "wisdom":
        decisions, wrong = check_decisions(draft.decisions, brief, extractive=extractive)
        return Checked(decisions=decisions, refused=wrong, slips=draft.slips)
    shown = ShownEntries.to_writer(brief)
    claims: list[Claim] = []
    memories: list[TypedMemory] = []
    refused: list[Refused] = []
    notes: list[Violation] = []
    for claim in draft.claims:
        mended, violations, more = trace(claim, shown, extractive=extractive)
        violations = section_fault(claim, brief) + violations
        notes += more
        if violations:
            refused.append(Refused(mended, violations))
        else:
            claims.append(mended)
    for memory in draft.memories:
        put_right, violations, more = check_memory(memory, shown)
        notes += more
        if violations:
            refused.append(Refused(put_right, violations))
        else:
            memories.append(put_right)
    return Checked(tuple(claims), tuple(memories), (), tuple(refused), draft.slips, tuple(notes))
