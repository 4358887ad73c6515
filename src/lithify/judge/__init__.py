"""What a sentence is worth, judged by learned weights."""

from __future__ import annotations

from lithify.values import MemoryType


def lasting(text: str, heading: str = "", lead: str = "") -> MemoryType | None:
    """The type of memory a sentence deserves to become; None where the judge is not sure."""
    return None
