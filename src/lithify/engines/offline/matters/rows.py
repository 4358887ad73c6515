"""Rows of figures that a day's instruments gave: the same words on every other day."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from lithify.engines.offline.matters.threads import days_of
from lithify.engines.offline.reading.units import Unit
from lithify.text.stems import COMMON_STEMS

#: So many figures with no more words than these are a reading of the day.
_FIGURE, _FIGURES = re.compile(r"(?<!\w)\d[\d,.:]*(?!\w)"), 4
_WORD = re.compile(r"[^\W\d_]+")
#: The part of a row's words that other days have, and the figures of which one need not be all row.
_AGAIN, _MANY = 0.65, 6


def is_row(unit: Unit, daily: Set[str], plain: bool) -> bool:
    """Whether a sentence is a row of figures as the day's instruments gave them.

    Its words are `daily`, on every other day's page; where it states nothing and is `plain`, it has
    hardly a word beside its figures.
    """
    figures, words = len(_FIGURE.findall(unit.text)), len(_WORD.findall(unit.text))
    if figures < _FIGURES:
        return False
    telling = {stem for stem in unit.stems if stem not in COMMON_STEMS and stem.isalpha()}
    if len(telling & daily) >= _AGAIN * max(_FIGURES, len(telling)):
        return figures >= _MANY or words <= 2 * figures
    return plain and words <= figures


def daily_words(units: Sequence[Unit]) -> frozenset[str]:
    """The words that stand on one day in four at least."""
    days = days_of(units)
    least = max(_FIGURES, len({unit.entry.day for unit in units}) // 4)
    return frozenset(stem for stem, on in days.items() if len(on) >= least)
