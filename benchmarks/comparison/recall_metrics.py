"""Figures of a question that the package's own command leaves out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from lithify.bench import recall
from lithify.bench.corpus import Question
from lithify.bench.metrics import Asked
from lithify.bench.recall import FIRST, LOOK, Shown, day_mark, evidence, stems_in
from lithify.engines.cover import specifics_of


def measures(
    question: Question, asked: Asked, within: Mapping[int, Sequence[Shown]]
) -> dict[str, float | None]:
    """Return each measure of one question, from the passages returned inside each budget."""
    values = recall.measures(question, asked, within)
    if question.absent:
        return values
    first, relevant = within[max(within)], set(question.days)
    for k in FIRST:
        on = {shown.day for shown in first[:k]} & relevant
        values[f"recall@{k}"] = len(on) / len(relevant) if relevant else None
    named = {day for shown in first[:LOOK] for day in (shown.day, *shown.also)} & relevant
    values[f"days named@{LOOK}"] = len(named) / len(relevant) if relevant else None
    values[f"tokens@{LOOK}"] = float(sum(shown.tokens for shown in first[:LOOK]))
    for budget, passages in within.items():
        values[f"tokens in {budget}"] = float(sum(shown.tokens for shown in passages))
        values[f"evidence in {budget}"] = evidence(question.evidence, passages)
        held = frozenset(key for shown in passages for key in _specifics(shown))
        wanted = asked.specifics
        values[f"specifics in {budget}"] = len(wanted & held) / len(wanted) if wanted else None
        values[f"best unit in {budget}"] = _best(asked, passages)
    return values


@lru_cache(maxsize=1 << 14)
def _keys(text: str) -> frozenset[str]:
    return frozenset(specifics_of(text))


def _specifics(shown: Shown) -> frozenset[str]:
    return _keys(day_mark(shown.day)).union(*map(_keys, shown.units))


def _best(asked: Asked, passages: Sequence[Shown]) -> float | None:
    if not asked.words or not asked.together:
        return None
    held = (
        sum(w for stem, w in asked.words.items() if stem in own or stem in dated)
        for shown in passages
        for dated in (stems_in(day_mark(shown.day)),)
        for own in map(stems_in, shown.units)
    )
    return min(1.0, max(held, default=0.0) / asked.together)
