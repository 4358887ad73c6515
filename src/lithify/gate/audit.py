"""A second reader of summaries: what contradicts the record is refused.

It is asked by the commands that hand in a summary, never by a hook.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lithify.errors import LithifyError
from lithify.gate.sections import NOTHING
from lithify.gate.submission import Accepted, Refused
from lithify.values import Claim, Entry

if TYPE_CHECKING:
    from lithify.engines.model.audit import Auditor
    from lithify.gate.decide import Demand
    from lithify.gate.jobs import JobState

_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+")


@dataclass(slots=True)
class SummaryAudit:
    """A second reader for one hand-in; `note` says why a summary was accepted without it."""

    auditor: Auditor
    note: str = ""

    def __call__(self, found: Accepted, state: JobState, demand: Demand) -> Accepted | Refused:
        """Refuse what contradicts the range it covers.

        What the range does not state passes: work done between prompts is not in it. An auditor
        that cannot be asked must not keep a gate closed, so the summary is accepted then.
        """
        record = {entry.id: entry for entry in _record(state, demand)}
        lines = list(_lines(found.text))
        claims = [Claim(line, tuple(record)) for _, line in lines]
        try:
            answer = self.auditor.judge(claims, record)
        except LithifyError as error:
            self.note = f"not audited: {error.message}"
            return found
        self.note = ""
        if answer.unread:
            self.note = f"not audited: the reply of {self.auditor.name} could not be read"
        wrong = [
            f'{section}: audit: {answer.findings[n]} (in: "{line[:120]}")'
            for n, (section, line) in enumerate(lines, 1)
            if n in answer.findings and answer.findings[n].verdict == "contradicted"
        ]
        return Refused(tuple(wrong)) if wrong else found


def _record(state: JobState, demand: Demand) -> Iterator[Entry]:
    """What a summary covers: prompts and answers, or the summaries that it sums up."""
    covered = state.summaries_of(demand) if demand.level else state.covered_by(demand)
    for one in covered:
        kind = getattr(one, "kind", "summary")
        yield Entry(f"{one.time[:10]}~{one.seq:012x}", one.text, headings=(kind,))


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Each line of a summary with the section it stands in."""
    section = ""
    for line in text.split("\n"):
        if line.startswith("### "):
            section = line.removeprefix("### ")
        elif line.strip() and line.strip() != NOTHING:
            yield section, _BULLET.sub("", line, count=1).strip()
