"""Whether two texts say nearly the same."""

from __future__ import annotations


def alike(one: frozenset[str], other: frozenset[str], share: float = 0.5) -> bool:
    """Whether two texts say nearly the same, by the terms they have in common."""
    here, there = len(one), len(other)
    if here < share * there or there < share * here:
        return False
    common = len(one & other)
    return common >= share * (here + there - common)
