"""The engine that needs nothing: deterministic, extractive, the same bytes for the same files."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, assert_never

if TYPE_CHECKING:
    from lithify.values import Brief, Draft

__all__ = ["write"]


@lru_cache(maxsize=4)
def write(brief: Brief) -> Draft:
    """A draft for the brief, out of the brief's own words.

    The last few are remembered: a verifier asks again for what the writer has just written.
    A tier is loaded when it is written: recall needs this package's words and nothing else.
    """
    match brief.tier:
        case "week":
            from lithify.engines.offline.week import write_week

            return write_week(brief)
        case "month":
            from lithify.engines.offline.month import write_month

            return write_month(brief)
        case "typed":
            # What deserves to last is marked by somebody, or suggested: see compact/marks.py.
            from lithify.values import Draft as Nothing

            return Nothing()
        case "wisdom":
            from lithify.engines.offline.wisdom import write_wisdom

            return write_wisdom(brief)
    assert_never(brief.tier)
