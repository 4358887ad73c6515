"""The audit of pages: a second reader's verdicts on what the verifier let pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lithify.engines.model.audit import Auditor, Finding
from lithify.values import Brief, Claim, Usage, Violation


class Audited(NamedTuple):
    """How far a page was audited, and by whom.

    `unjudged` claims got no verdict and count as supported; `unread` says that a reply could not
    be read, so that its claims went on the page without an audit.
    """

    by: str
    judged: int = 0
    unjudged: int = 0
    unread: bool = False
    usage: Usage = Usage()

    def beside(self, other: Audited | None) -> Audited:
        """This audit and that of another part of the page as one."""
        if other is None:
            return self
        return Audited(
            self.by,
            self.judged + other.judged,
            self.unjudged + other.unjudged,
            self.unread or other.unread,
            self.usage + other.usage,
        )

    @property
    def facts(self) -> dict[str, Any]:
        """The audit as the journal keeps it."""
        facts: dict[str, Any] = {"by": self.by, "judged": self.judged}
        if self.unjudged:
            facts["unjudged"] = self.unjudged
        if self.unread:
            facts["unread"] = True
        if self.usage != Usage():
            facts["usage"] = {"input": self.usage.input, "output": self.usage.output}
        return facts

    def __str__(self) -> str:
        if self.unread:
            return f"not audited: a reply of {self.by} could not be read"
        left = f", {self.unjudged} without a verdict" if self.unjudged else ""
        return f"audited by {self.by}{left}"


@dataclass(slots=True)
class PartAudit:
    """The audit of one part of a page through its repair rounds; a claim is judged once."""

    auditor: Auditor
    brief: Brief
    attempt: int
    _known: dict[tuple[str, tuple[str, ...]], Finding | None] = field(default_factory=dict)
    _usage: Usage = Usage()
    _unread: bool = False
    _last: Sequence[Claim] = ()

    def doubts(self, claims: Sequence[Claim]) -> dict[str, Violation]:
        """What the second reader finds wrong with the claims of a draft, by their text."""
        self._last = claims
        new = [claim for claim in claims if (claim.text, claim.sources) not in self._known]
        if new and not self._unread:
            entries = {entry.id: entry for entry in self.brief.entries}
            answer = self.auditor.judge(new, entries, self.attempt)
            self._usage += answer.usage
            self._unread = answer.unread
            for number, claim in enumerate(new, 1):
                self._known[claim.text, claim.sources] = answer.findings.get(number)
        return doubts_of({claim.text: self._finding(claim) for claim in claims})

    @property
    def result(self) -> Audited | None:
        """How far the last draft was audited; None where there was nothing to audit."""
        if not self._last:
            return None
        judged = sum(self._finding(claim) is not None for claim in self._last)
        unjudged = len(self._last) - judged
        return Audited(self.auditor.name, judged, unjudged, self._unread, self._usage)

    def _finding(self, claim: Claim) -> Finding | None:
        return self._known.get((claim.text, claim.sources))


def doubts_of(findings: Mapping[str, Finding | None]) -> dict[str, Violation]:
    """A violation for each claim that is not supported, by its text."""
    return {
        text: Violation("audit", str(finding), text)
        for text, finding in findings.items()
        if finding and finding.verdict != "supported"
    }
