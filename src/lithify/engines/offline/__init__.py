"""The engine that needs nothing: deterministic, extractive, the same bytes for the same files.

read → judge → fold → open → select → write; `docs/engine.md` has the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

from lithify.engines.base import Room
from lithify.values import Brief, Draft, SentBack

__all__ = ["Offline"]


@dataclass(frozen=True, slots=True)
class Offline:
    """The engine that selects, folds and files, and never asks anyone.

    What deserves to last is for those who can judge: it finds no memories, and adds to wisdom only
    what somebody marked as a rule. Without `marked_first` what somebody marked has no place before
    other sentences: `bench retention` prints what that place costs.
    """

    name: str = "offline"
    mark: str = "offline"
    room: Room | None = None
    extractive: bool = True
    marked_first: bool = True

    def draft(self, brief: Brief, back: SentBack | None = None, attempt: int = 0) -> Draft:
        """A draft for the brief, out of the brief's own words."""
        if brief.tier == "week":
            from lithify.engines.offline.week import write_week

            return write_week(brief, self.marked_first)
        if brief.tier == "month":
            from lithify.engines.offline.month import write_month

            return write_month(brief, self.marked_first)
        if brief.tier == "wisdom":
            from lithify.engines.offline.wisdom import write_wisdom

            return write_wisdom(brief)
        return Draft()
