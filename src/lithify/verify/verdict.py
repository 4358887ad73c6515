"""What the verifier answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lithify.values import Claim, Decision, Draft, TypedMemory, Violation

#: The share of a draft that may be refused before all of it is.
MOST_REFUSED = 1 / 3
#: Characters of an unreadable reply that are kept for a person to look at.
EXCERPT = 2000


@dataclass(frozen=True, slots=True)
class RefusedText:
    """Something a writer wrote that did not pass, and why."""

    text: str
    reasons: tuple[str, ...]


def refusal(text: str, violations: Sequence[Violation]) -> RefusedText:
    """A text with what was wrong with it."""
    return RefusedText(text, tuple(f"{v.rule}: {v.message}" for v in violations))


def unread(draft: Draft, violations: Sequence[Violation]) -> tuple[RefusedText, ...]:
    """The beginning of a reply with what about its form could not be mended, if anything."""
    return (refusal(draft.text[:EXCERPT], violations),) if violations else ()


class KeptCount(NamedTuple):
    """How many of the entries that must be kept have a place on a page."""

    told: int = 0
    required: int = 0

    def __str__(self) -> str:
        return f"{self.told} of {self.required}"


@dataclass(frozen=True, slots=True)
class AcceptedDraft:
    """What may be written; what was refused of it goes to quarantine.

    `undecided` are the items of wisdom whose writer gave no decision that passed, `gave_way` the
    claims that were left out because the page was too long. `own` are the statements of a writer
    that passed, on the page or not; what was put back in the sources' own words is not among them.
    """

    claims: tuple[Claim, ...] = ()
    memories: tuple[TypedMemory, ...] = ()
    decisions: tuple[Decision, ...] = ()
    undecided: frozenset[str] = frozenset()
    refused: tuple[RefusedText, ...] = ()
    kept: KeptCount = KeptCount()
    gave_way: tuple[Claim, ...] = ()
    own: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class Retry:
    """What the writer has to change."""

    violations: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """Why nothing of the draft may be written."""

    reason: str
    refused: tuple[RefusedText, ...] = ()


Verdict = AcceptedDraft | Retry | Failed
