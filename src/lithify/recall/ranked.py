"""Documents as they are ranked."""

from __future__ import annotations

from collections.abc import Iterable

from lithify.index.read import Doc, Place, Term


class Ranked:
    """Documents with their scores, the days they stand on, and the summaries that led to them.

    `order` has them best first.
    """

    def __init__(self) -> None:
        self.scores: dict[int, float] = {}
        self.order: list[int] = []
        self.docs: dict[int, Doc] = {}
        self.days: dict[int, tuple[int, int]] = {}
        self.steps: dict[int, list[Place]] = {}
        self.rarity: dict[str, float] = {}
        self.known: dict[str, Term] = {}

    @property
    def top(self) -> float:
        return max(self.scores.values(), default=0.0)


def ordered(found: Ranked) -> list[int]:
    """Documents best first; equals by their words, never by their number in the index."""
    scores, docs = found.scores, found.docs
    ids: Iterable[int] = scores
    if len(set(scores.values())) < len(scores):
        by_words = sorted([(docs[id].key, docs[id].about, id) for id in scores])
        ids = [id for _, _, id in by_words]
    return sorted(ids, key=scores.__getitem__, reverse=True)
