"""Which of two entries gives the newer value of one thing.

Two entries are versions of each other where they say nearly the same with other figures, or where
the later one names the earlier value beside a new one of its kind and both speak of the same.
"""

from __future__ import annotations

import re
from functools import lru_cache

_CLOCK_BEFORE = re.compile(r"\d{1,2}:\d{2}\s+")
_VALUE = re.compile(
    r"(?P<money>[$€£¥]\s?\d[\d,]*(?:\.\d+)?\s?(?:[kKmMbB]\b|million|billion)?)"
    r"|(?P<percent>\d+(?:\.\d+)?\s?%)"
    r"|(?P<day>\d{4}-\d{2}-\d{2})"
    r"|(?P<clock>\d{1,2}:\d{2}(?:\s?[ap]m)?)"
    r"|(?P<version>\bv?\d+\.\d+(?:\.\d+)*\b)"
    r"|(?P<count>\b\d[\d,]*)(?:\s?(?P<unit>[^\W\d_]+(?:/[^\W\d_]+)?))?",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def values_of(text: str) -> frozenset[tuple[str, str]]:
    """The figures, dates and times of a text, each with its kind."""
    start = _CLOCK_BEFORE.match(text)
    found = set()
    for match in _VALUE.finditer(text, start.end() if start else 0):
        kind = match.lastgroup or ""
        if match["count"]:
            kind = f"count {(match['unit'] or '').lower().rstrip('s')}"
            found.add((kind, match["count"].replace(",", "")))
        else:
            found.add((kind, re.sub(r"[\s,]", "", match[0]).lower()))
    return frozenset(found)


def differ(one: str, other: str) -> bool:
    """Whether texts that say nearly the same give different values of one kind."""
    here, there = values_of(one), values_of(other)
    if here == there or not here or not there:
        return False
    mine, theirs = here - there, there - here
    return bool({kind for kind, _ in mine} & {kind for kind, _ in theirs})


def replaces(newer: str, older: str) -> bool:
    """Whether a later text names a value of an earlier one beside a new one of its kind."""
    now, then = values_of(newer), values_of(older)
    for kind, value in now & then:
        for other, fresh in now - then:
            if other == kind and fresh != value and _moved(newer, value, fresh):
                return True
    return False


def _moved(text: str, old: str, new: str) -> bool:
    """Whether the text says that one value took the place of the other."""
    flat = re.sub(r"(?<=\d),(?=\d)", "", text.lower())
    at, to = flat.find(old), flat.find(new)
    if at < 0 or to < 0:
        return False
    low, high = min(at, to), max(at, to)
    between = flat[low:high]
    around = flat[max(0, low - 40) : high + 30]
    if at < to:
        return bool(re.search(r"\b(?:to|now|but|became|is)\b|→|->", between)) and bool(
            re.search(r"\b(?:from|was|moves?d?|raised|cut|lowered|changed|not)\b", around)
        )
    return bool(
        re.search(
            r"\b(?:instead\s+of|not|no\s+longer|rather\s+than|was|were|from|before)\b", around
        )
    )
