"""Whose words may be taken as they are."""

from __future__ import annotations

#: Channels a person or the person's own agent speaks through. Everything else is untrusted.
TRUSTED_ORIGINS = frozenset({"user", "agent", "tool", "file"})


#: Channels whose words may set a rule: what a tool printed is a report, not an instruction.
RULING_ORIGINS = frozenset({"user", "agent", "file"})


def is_trusted(origin: str) -> bool:
    """Whether material of this origin may rest unmarked in memory."""
    return origin in TRUSTED_ORIGINS


def may_rule(origin: str) -> bool:
    """Whether material of this origin may say how work is done from now on."""
    return origin in RULING_ORIGINS
