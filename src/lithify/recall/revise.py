"""Which of two entries gives the newer value of one thing.

A later entry takes the place of an earlier one where it names the old value beside a new one of
its kind; where it says that something changed, about what is asked, with another value of that
kind; where both say nearly the same with other figures; or where it names a later version of the
same thing. Lines of a log and rows of a report stay true of their hour, and are not replaced by
others of their kind.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lithify.index.record import Doc
from lithify.recall.likeness import alike

_CLOCK_BEFORE = re.compile(r"\d{1,2}:\d{2}\s+")
_NUMBERS = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_VALUE = re.compile(
    r"(?P<money>[$€£¥]\s?\d[\d,]*(?:\.\d+)?\s?(?:[kmb]\b|million|billion)?)"
    r"|(?P<percent>\d+(?:\.\d+)?\s?%)"
    r"|(?P<day>\d{4}-\d{2}-\d{2})"
    r"|(?P<clock>\d{1,2}:\d{2}(?:\s?[ap]m)?)"
    r"|(?P<version>\bv?\d+\.\d+(?:\.\d+)*(?:-?(?:rc|beta|alpha)[.\d]*)?\b)"
    r"|(?P<count>\b\d[\d,]*)(?:\s?(?P<unit>[^\W\d_]+(?:/[^\W\d_]+)?))?"
    rf"|\b(?P<weekday>{'|'.join(_DAYS)})s?\b|\b(?P<spelled>{'|'.join(_NUMBERS)})\b"
)
#: Left uncompiled until a value is looked at closely.
_CHANGED = (
    r"\b(?:now|no longer|instead|from today|from tomorrow|as of|effective|starting|changed?s?"
    r"|moved?s?|raised?|lowered|cut to|up from|down from|replaced?s?|switched|renamed|revised)\b"
    r"|→|->"
)
_NAMED = r"([\w.-]*[^\W\d_][\w.-]*)(?:\s+(?:version|to|is|at|now))?\s+$"
_WORD = re.compile(r"[^\W\d_]{3,}")
#: What of a query two entries must both speak of to be about the same.
_SAME = 0.6
_ALIKE = 0.4
#: No name and no version is longer.
_LONGEST = 60


class Values(NamedTuple):
    """What of a text is a value: pairs of kind and value, and the words that stand by each.

    `versions` are those of things by their names; `changed` tells whether the text speaks of change.
    """

    kinds: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    beside: dict[tuple[str, str], frozenset[str]]
    versions: dict[str, tuple[int, ...]]
    changed: bool


@lru_cache(maxsize=4096)
def values_of(text: str) -> Values:
    """The figures, dates and times of a text, each with its kind."""
    text = text.lower()
    start = _CLOCK_BEFORE.match(text)
    beside: dict[tuple[str, str], frozenset[str]] = {}
    versions: dict[str, tuple[int, ...]] = {}
    for match in _VALUE.finditer(text, start.end() if start else 0):
        kind, value = match.lastgroup or "", re.sub(r"[\s,]", "", match[0])
        if match["count"]:
            kind, value = "count", match["count"].replace(",", "")
        elif match["spelled"]:
            kind, value = "count", str(_NUMBERS.index(match["spelled"]) + 2)
        elif match["weekday"]:
            value = match["weekday"]
        elif match["version"] and not value.lstrip("v").replace(".", "").isdigit():
            # What is being tried takes no place yet.
            kind = "candidate"
        near = text[max(0, match.start() - 24) : match.end() + 24]
        beside[kind, value] = frozenset(word.rstrip("s") for word in _WORD.findall(near))
        if kind == "version" and len(value) < _LONGEST:
            named = re.search(_NAMED, text[max(0, match.start() - _LONGEST) : match.start()])
            if named:
                numbers = tuple(int(part) for part in value.lstrip("v").split("."))
                versions[named[1]] = numbers
    kinds = frozenset(kind for kind, _ in beside)
    changed = bool(beside) and re.search(_CHANGED, text) is not None
    return Values(kinds, frozenset(beside), beside, versions, changed)


def supersedes(newer: Doc, older: Doc, asked: frozenset[str]) -> bool:
    """Whether a later entry gives a newer value of what an earlier one speaks of."""
    now, then = values_of(newer.text), values_of(older.text)
    if now.kinds.isdisjoint(then.kinds):
        return False
    named = now.versions.keys() & then.versions
    if any(now.versions[name] > then.versions[name] for name in named):
        return True
    near = alike(newer.own, older.own, _ALIKE)
    if not (near or now.changed) or not _differ(now, then):
        return False
    if near:
        # Of what goes on in a log, or week by week in a table, one does not undo the other.
        return not (_reports(newer) and _reports(older)) or _changed(newer.text, now, then)
    same = asked & _about(newer) & _about(older)
    return len(same) >= max(1, _SAME * len(asked)) and _changed(newer.text, now, then)


def _about(doc: Doc) -> frozenset[str]:
    return doc.own.union(doc.about.split())


def _reports(doc: Doc) -> bool:
    return doc.kind == "row" or _CLOCK_BEFORE.match(doc.text) is not None


def _differ(now: Values, then: Values) -> bool:
    """Whether there are different values of one kind; of counts, of one kind of thing."""
    for new in now.pairs - then.pairs:
        for old in then.pairs - now.pairs:
            if new[0] == old[0] and (new[0] != "count" or now.beside[new] & then.beside[old]):
                return True
    # The new one beside the old: "now 250, up from 100".
    return bool(now.pairs & then.pairs) and any(
        new[0] == old[0] for new in now.pairs - then.pairs for old in now.pairs & then.pairs
    )


def differ(one: str, other: str) -> bool:
    """Whether texts that say nearly the same give different values of one kind."""
    here, there = values_of(one), values_of(other)
    return any(
        new[0] == old[0] and (new[0] != "count" or here.beside[new] & there.beside[old])
        for new in here.pairs - there.pairs
        for old in there.pairs - here.pairs
    )


def _changed(text: str, now: Values, then: Values) -> bool:
    """Whether a text says that something is other than it was, near a value that is new."""
    if not now.changed:
        return False
    fresh = [value for kind, value in now.pairs - then.pairs]
    flat = re.sub(r"(?<=\d),(?=\d)", "", text.lower())
    for mark in re.finditer(_CHANGED, flat):
        near = flat[max(0, mark.start() - 60) : mark.end() + 60]
        if any(value in near or _in_words(value, near) for value in fresh):
            return True
    return False


def _in_words(value: str, text: str) -> bool:
    return (
        len(value) < 3
        and value.isdigit()
        and 1 < int(value) <= 12
        and _NUMBERS[int(value) - 2] in text
    )
