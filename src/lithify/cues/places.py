"""What the place of an entry says it is: its label, the lead-in above it, its heading."""

from __future__ import annotations

from functools import lru_cache

from lithify.cues import labels
from lithify.cues import words as said
from lithify.cues.letters import bare, small
from lithify.values import WEEK_SECTIONS

OUTCOMES, DECISIONS, OPEN, CONTEXT = WEEK_SECTIONS


def label_of(text: str) -> str:
    """The short label a line begins with (`Decision`, `Priya`), or nothing."""
    return _label(bare(text))


def _label(words: str) -> str:
    match = said.LABEL.match(words) if ": " in words[:80] else None
    return match[1] if match else ""


@lru_cache(maxsize=1 << 12)
def announced(words: str) -> str:
    """The section that a label, lead-in or heading of these words announces, or nothing."""
    words = words.rstrip(": ")
    if not words or len(words) > 48 or words.count(" ") > 6:
        return ""
    parts = said.EITHER.split(words)
    if len(parts) > 1 and len({*map(announced, parts)} - {""}) > 1:
        return ""  # "Done / not done"
    low = small(words)
    if said.SAYS_OPEN.search(words) and not said.UNBLOCKED.search(low):
        return OPEN
    # Brackets say who chose, or which one it is: "Decision (ADR-7)".
    if choice := said.SAYS_DECISION.search(words.partition(" (")[0]):
        return "" if said.NEGATED.search(low[: choice.start()]) else DECISIONS
    if result := said.SAYS_OUTCOME.search(words):
        if said.FUTURE.search(low[: result.start()]):
            return ""  # "Until fixed", "once merged"
        return OPEN if said.NEGATED.search(low[: result.start()]) else OUTCOMES
    return ""


def place_of(lead: str, headings: tuple[str, ...]) -> tuple[str, bool]:
    """The section that a lead-in or heading announces, and whether all under it is settled."""
    return (_lead_place(lead) if lead else "") or announced_by(headings), _lead_settles(lead)


@lru_cache(maxsize=1 << 12)
def _lead_place(lead: str) -> str:
    words = bare(lead)
    # Over a list "D2" may be the name of anything.
    return "" if said.NUMBERED.fullmatch(words) else announced(words)


def announced_by(headings: tuple[str, ...]) -> str:
    """The section that the innermost heading announces, or nothing; a section announces itself."""
    return _lead_place(headings[-1]) if headings else ""


@lru_cache(maxsize=1 << 12)
def _lead_settles(lead: str) -> bool:
    return bool(lead) and settling(bare(lead).rstrip(": "))


def settling(words: str) -> bool:
    """Whether a label or lead-in says that what follows it was wrong and no longer is."""
    return labels.SETTLING.search(words) is not None and announced(words) == OUTCOMES


@lru_cache(maxsize=1 << 12)
def bearing_lead(lead: str) -> str:
    """A lead-in without which the lines under it would say something else, or nothing."""
    return labels.over_list(bare(lead).rstrip(": "))


def is_cause(label: str) -> bool:
    """Whether what follows a label tells why something was as it was: "Cause", "Reason"."""
    return said.CAUSE.fullmatch(label) is not None
