"""Whether a bullet is made of its sources' own sentences, each told under its own day."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from lithify.text.dates import absolute
from lithify.text.specifics import find_atoms, unsupported
from lithify.text.stems import stems_of
from lithify.values import Entry

#: The share of a sentence's words that the entry it was taken from has.
CARRIED = 0.75
_STOP = re.compile(r"(?<=[.;!?])\s+")


def not_own_words(text: str, cited: Sequence[Entry]) -> str:
    """What shows that a bullet was put together, if anything does.

    Each sentence stands in one of the entries cited, with all its figures and names, and where
    the sentences are of several days, the bullet names the day of each.
    """
    days = {entry.day for entry in cited if entry.day}
    told: list[frozenset[date]] = []
    for sentence in _STOP.split(text):
        bare = _undated(sentence)
        carriers = [entry for entry in cited if _carries(entry, bare)]
        if not carriers:
            return f'no entry cited says all of "{sentence}"'
        told.append(frozenset(entry.day for entry in carriers if entry.day))
    if not told or not all(told) or frozenset.intersection(*told):
        return ""
    named = {day for day in days if _names(text, day)}
    if all(own & named for own in told):
        return ""
    return "it joins sentences of " + " and ".join(
        day.isoformat() for day in sorted({min(own) for own in told})
    )


def _carries(entry: Entry, sentence: str) -> bool:
    words = set(stems_of(sentence))
    # "Tonight" is told as "on the evening of 27 Apr".
    dated = absolute(entry.text, entry.day) if entry.day else ""
    there = set(stems_of(" ".join([*entry.headings, entry.lead, entry.text, dated])))
    return len(words & there) >= CARRIED * len(words) and not unsupported(sentence, [entry])


def _undated(text: str) -> str:
    """A sentence without its dates, which its writer may have made absolute."""
    for atom in reversed(find_atoms(text)):
        if atom.kind == "date":
            text = f"{text[: atom.start]} {text[atom.end :]}"
    return text


def _names(text: str, day: date) -> bool:
    keys = (day.isoformat(), f"-{day.isoformat()[4:]}")
    return any(atom.key in keys for atom in find_atoms(text))
