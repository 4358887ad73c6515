"""The verifier: between any draft and the disk, for both engines.

`verify` answers with one of three values. `Retry` carries the violations for the writer to
mend; when the rounds are used up, what still fails is left out and goes to quarantine with
its reasons, and if that is more than a third, the whole draft has failed.
"""

from collections.abc import Mapping
from types import MappingProxyType

from lithify.values import Brief, Draft, Violation
from lithify.verify.memories import verify_decisions, verify_memories
from lithify.verify.summary import settle, verify_summary
from lithify.verify.verdict import AcceptedDraft, Failed, RefusedText, Retry, Verdict, unread

__all__ = [
    "AcceptedDraft",
    "Failed",
    "RefusedText",
    "Retry",
    "Verdict",
    "settle",
    "unread",
    "verify",
]


def verify(
    draft: Draft,
    brief: Brief,
    *,
    extractive: bool,
    last: bool,
    named: bool = False,
    doubts: Mapping[str, Violation] = MappingProxyType({}),
) -> Verdict:
    """A draft against all that its writer was shown.

    `extractive` says that the words are the sources' own; `last` that nobody will be asked
    again; `named` that the writer has been told once what it left out. `doubts` are what a second
    reader found wrong with claims that had passed, by their text.
    """
    if brief.tier == "typed":
        return verify_memories(draft, brief, extractive=extractive, last=last, doubts=doubts)
    if brief.tier == "wisdom":
        return verify_decisions(draft, brief, extractive=extractive, last=last)
    return verify_summary(
        draft, brief, extractive=extractive, last=last, named=named, doubts=doubts
    )
