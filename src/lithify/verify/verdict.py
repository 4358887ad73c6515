"""What code answers to a draft, and what quarantine keeps of what was refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from lithify.values import Claim, Decision, TypedMemory, Violation


@dataclass(frozen=True, slots=True)
class Refused:
    """Something a writer wrote that may not be written, and all that is wrong with it."""

    what: Claim | TypedMemory | Decision
    violations: tuple[Violation, ...]

    @property
    def as_text(self) -> RefusedText:
        """Return what quarantine keeps of it."""
        reasons = tuple(f"{v.rule}: {v.message}" for v in self.violations)
        return RefusedText(_words(self.what), reasons)


@dataclass(frozen=True, slots=True)
class Checked:
    """A draft as code sees it: what may be written, and what may not, with the reasons.

    `claims`, `memories` and `decisions` passed and stand in their writer's order, with the dates in
    brackets that English words mean. `slips` are faults in the form of the whole reply that could not be
    mended. `notes` are reported and refuse nothing: a label that does not exist beside one that does.
    """

    claims: tuple[Claim, ...] = ()
    memories: tuple[TypedMemory, ...] = ()
    decisions: tuple[Decision, ...] = ()
    refused: tuple[Refused, ...] = ()
    slips: tuple[Violation, ...] = ()
    notes: tuple[Violation, ...] = ()


@dataclass(frozen=True, slots=True)
class RefusedText:
    """The words that did not pass, and why, as quarantine keeps them."""

    text: str
    reasons: tuple[str, ...]


class KeptCount(NamedTuple):
    """How many of the marked entries a page tells."""

    told: int = 0
    required: int = 0

    def __str__(self) -> str:
        return f"{self.told} of {self.required}"


def _words(what: Claim | TypedMemory | Decision) -> str:
    if isinstance(what, Claim):
        return what.text
    if isinstance(what, TypedMemory):
        return f"{what.type}_{what.topic}: {what.statement}"
    return what.entry.text if what.entry else what.reason
