"""What a claim rests on: labels that exist, entries found for one that names none, and its days."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from lithify.regex import regex
from lithify.text.dates import absolute, find_dates, relative_left
from lithify.text.language import in_any_language
from lithify.text.likeness import content_stems
from lithify.text.specifics import find_atoms
from lithify.text.stems import words_of
from lithify.values import Claim, Entry, Violation
from lithify.verify.specifics import ShownEntries, cite_more, fault, missing, quoted

_FULL_DAY = regex(r"\d{4}-\d\d-\d\d")
#: Share of a text's words at which entries are taken as what it rests on.
ALIGNED = 0.5
#: Entries that a text is aligned with at most, and how much more of it each must say.
_MOST, _MORE = 2, 0.1


def trace(
    claim: Claim, shown: ShownEntries, *, extractive: bool = False
) -> tuple[Claim, tuple[Violation, ...], tuple[Violation, ...]]:
    """Return a claim with its labels and dates put right, what is wrong with it, and notes.

    An extractive claim is its sources' own words: nothing of it is changed.
    """
    known = tuple(id for id in claim.sources if id in shown.entries)
    strangers = [id for id in claim.sources if id not in shown.entries]
    notes = tuple(
        Violation("trace", f"{id} is not a label that was shown; it was dropped", claim.text)
        for id in strangers
    )
    if not known:
        known = () if strangers or extractive else align(claim.text, shown)
    if not known:
        why = (
            f"cites {strangers[0]}, which was not shown"
            if strangers
            else ("cites no entry, and none that was shown says this")
        )
        return claim, (Violation("trace", why, claim.text),), ()
    text = claim.text
    if not extractive:
        text = dated(text, known, shown)
        if lacking := missing(text, shown.cited(known), shown):
            added = cite_more(text, known, lacking, shown)
            known = (*known, *added)
            notes += tuple(
                Violation("trace", f"{shown.label(id)} was added: it says {quoted(atom)}", text)
                for id, atom in added.items()
            )
    lacking = missing(text, shown.cited(known), shown)
    wrong = tuple(
        Violation("specifics", why, text)
        for why in dict.fromkeys(fault(atom, known, shown) for atom in lacking)
    )
    return replace(claim, text=text, sources=known), wrong, notes


def align(text: str, shown: ShownEntries) -> tuple[str, ...]:
    """The entries that best support a text that names none, if their support is enough."""
    wanted = content_stems(text)
    words = {id: wanted & _words(entry) for id, entry in shown.entries.items()}
    ranked = heapq.nlargest(6, words, key=lambda each: len(words[each]))
    chosen: list[str] = []
    there: frozenset[str] = frozenset()
    for id in ranked:
        if len(chosen) < _MOST and len(there | words[id]) > len(there) + _MORE * len(wanted):
            chosen.append(id)
            there |= words[id]
    return tuple(chosen) if len(there) >= ALIGNED * len(wanted) else ()


def _words(entry: Entry) -> frozenset[str]:
    return content_stems(" ".join([*entry.headings, entry.lead, entry.text]))


def dated(text: str, ids: Sequence[str], shown: ShownEntries) -> str:
    """A text with relative dates resolved where that is certain, else with the day they were said.

    It is certain if all entries that speak of days in the same words are of one day, and the date
    that comes of it is one that they vouch for. What is asked of any day ("whether it ran today")
    has no date.
    """
    if not relative_left(text, unclear=True) or _is_of_any_day(text):
        return text
    cited = shown.cited(ids)
    days = _said_on(text, cited)
    if not days:
        return text
    if len(days) == 1:
        resolved = absolute(text, days[0])
        vouched = len(missing(resolved, cited, shown)) <= len(missing(text, cited, shown))
        # "About a year ago" is no year: only a day that is meant can be put in its place.
        if vouched and all(map(_FULL_DAY.fullmatch, _dates_in(resolved) - _dates_in(text))):
            text = resolved
    if not relative_left(text, unclear=True) or _tells(text, days):
        return text
    return _bracketed(text, days)


def _dates_in(text: str) -> set[str]:
    return {atom.key for atom in find_atoms(text) if atom.kind == "date"}


def _said_on(text: str, cited: Sequence[Entry]) -> list[date]:
    """The days on which the relative dates of a claim were said."""
    words = [word.lower() for word in relative_left(text, unclear=True)]
    known = [(entry.day, entry.text.lower()) for entry in cited if entry.day]
    saying = {day for day, said in known if any(word in said for word in words)}
    return sorted(saying or {day for day, _ in known})


def _tells(text: str, days: Sequence[date]) -> bool:
    """Whether a text names the days itself."""
    named = {atom.key for atom in find_atoms(text, days[0]) if atom.kind == "date"}
    return all(day.isoformat() in named for day in days)


def _bracketed(text: str, days: Sequence[date]) -> str:
    """A text with the day in brackets after its last relative date."""
    last = max((hit.end for hit in find_dates(text, days[-1]) if hit.relative), default=0)
    return f"{text[:last]} [said {', '.join(map(str, days))}]{text[last:]}" if last else text


def _is_of_any_day(text: str) -> bool:
    """Whether a text speaks of whatever day it is: "whether it already ran today"."""
    near = {word.lower() for word in relative_left(text, unclear=True)}
    return near <= in_any_language("near_days") and not in_any_language("any_day").isdisjoint(
        words_of(text)
    )
