"""A week out of its days: read, fold, settle what is closed, select, write."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from lithify.calendar import day_words
from lithify.engines.offline.read import LIMIT, OPENING, Unit, passages, sentences, stopped
from lithify.engines.offline.select_units import (
    JOINING,
    fold,
    replaced,
    select,
    settled,
    weights_of,
)
from lithify.engines.offline.series import told_once
from lithify.sections import AS_COMBINED, COMBINED, WEEK
from lithify.text.stems import COMMON_STEMS, stems_of
from lithify.text.tokens import estimate
from lithify.values import SHORT_INPUT, Brief, Claim, Draft

#: Entries a bullet cites at most.
_CITED = 12


class Development(NamedTuple):
    """Two states of one thing as a bullet tells them, the places of its units, and its sources."""

    text: str
    places: tuple[int, ...]
    sources: tuple[str, ...]


def packed(units: Sequence[Unit], group: Callable[[Unit], Hashable]) -> list[list[Unit]]:
    """The units in the bullets they share, in the order of the days."""
    groups: defaultdict[Hashable, list[Unit]] = defaultdict(list)
    for one in sorted(units, key=lambda one: one.at):
        groups[group(one)].append(one)
    found: list[list[Unit]] = []
    for own in groups.values():
        open_: list[tuple[list[Unit], int]] = []
        for one in own:
            if open_ and open_[-1][1] + one.tokens + JOINING <= LIMIT:
                parts, size = open_[-1]
                parts.append(one)
                open_[-1] = parts, size + one.tokens + JOINING
            else:
                size = one.tokens + OPENING + estimate(one.speaker or one.subject)
                open_.append(([one], size))
        found += [parts for parts, _ in open_]
    return sorted(found, key=lambda parts: parts[0].at)


def bullet(units: Sequence[Unit], section: str, trusted: bool) -> Claim:
    """The claim that some units of one bullet make."""
    return Claim(told(units), sources_of(units), section, trusted)


def told(units: Sequence[Unit]) -> str:
    """The words of a bullet: the day, who speaks or what it is about, the sentences."""
    first = units[0]
    words = [f"{day_words(first.entry.day)}:"] if first.entry.day else []
    said = {stem for one in units for stem in one.stems}
    if not first.speaker and not said.issuperset(stems_of(first.subject)):
        words.append(f"{first.subject}:")
    speaker = ""
    for one in units:
        if one.speaker and one.speaker != speaker:
            words.append(f"{one.speaker}:")
        speaker = one.speaker
        words.append(stopped(one.text))
    text = " ".join(words)
    return text[:-1] if text[-1] == "." and text[-2:] != ".." else text


def sources_of(units: Sequence[Unit]) -> tuple[str, ...]:
    """The entries a bullet rests on: those told in it first, then those that say the same."""
    own = [one.entry.id for one in units]
    return tuple(dict.fromkeys([*own, *(id for one in units for id in one.ids)]))[
        : max(_CITED, len(own))
    ]


# Which units may share a bullet: those of one entry, or of entries that share their subject.


#: A word ties two neighbouring entries where at most this share of the units has it, or so few.
_SHARE, _FEW = 0.03, 3
_LONG = 4
#: Turns of a conversation may share a bullet within so many sentences.
_EXCHANGE = 8


def grouped(units: Sequence[Unit]) -> Callable[[Unit], Hashable]:
    """For each unit the group of those it may share a bullet with.

    Neighbouring entries of one day under one heading belong together where they share a rare word;
    the turns of one exchange do where people talk.
    """
    counts = Counter(stem for one in units for stem in set(one.stems))
    most = max(_FEW, _SHARE * len(units))
    # Short words are function words in some language.
    rare = {s for s, n in counts.items() if n <= most and len(s) >= _LONG} - COMMON_STEMS
    matter: dict[int, int] = {}
    last: Unit | None = None
    words: set[str] = set()
    number = 0
    for one in sorted(units, key=lambda one: one.at):
        own = rare & set(one.stems)
        if last is None or not _joins(last, one, words, own):
            number += 1
            words = set()
        words |= own
        matter[one.at] = number
        last = one
    return lambda one: (one.section, matter[one.at])


def _joins(last: Unit, one: Unit, words: set[str], own: set[str]) -> bool:
    """Whether a unit speaks of the same matter as the one before it."""
    if last.is_series or one.is_series:
        return False
    if last.entry is one.entry:
        return True
    if "row" in (last.entry.kind, one.entry.kind):
        # The rows of a table share the names of its columns, and no more.
        return False
    if last.entry.day != one.entry.day or last.entry.headings != one.entry.headings:
        return False
    if one.speaker and last.speaker:
        return one.at - last.at <= _EXCHANGE
    return bool(words & own)


# The page.


#: The part of a page that what must be kept may take before the rest competes with it.
_MUST_SHARE = 0.6
#: The part of a page that series of changing figures may take before the rest competes with them.
_SERIES = 0.10
#: The part of a page that is divided evenly among the days.
_EVEN = 0.25
#: Room enough for an input told whole: every line with a date of its own.
_WHOLE = 8


def write_week(brief: Brief, marked_first: bool = True) -> Draft:
    """The week's bullets, as near to the target length as whole sentences allow."""
    units = passages(replaced(told_once(sentences(brief.entries))))
    weights = weights_of(units)
    units = settled(fold(units, weights), weights)
    group = grouped(units)
    budget = budget_of(brief)
    first = [*(required(units) if marked_first else ()), *changed(units, _SERIES * budget)]
    chosen = [units[n] for n in select(units, budget, group, first, _MUST_SHARE, _EVEN)]
    sections = brief.sections or WEEK
    names = AS_COMBINED if COMBINED.outcomes in sections else {name: name for name in WEEK}
    bullets = packed(chosen, group)
    claims = [bullet(one, names[one[0].section], brief.trusted) for one in bullets]
    return Draft(claims=tuple(sorted(claims, key=lambda claim: sections.index(claim.section))))


def changed(units: Sequence[Unit], budget: float) -> list[int]:
    """The places of the series that changed, as many as fit a budget."""
    found = []
    for n in sorted(range(len(units)), key=lambda n: (-units[n].worth, n)):
        one = units[n]
        if one.is_series and one.worth > 1 and one.tokens <= budget:
            found.append(n)
            budget -= one.tokens
    return found


def required(units: Sequence[Unit]) -> list[int]:
    """The places of the units that a box or a label of their own says must be kept.

    The first of every list come before the second ones, so that one long list of boxes does not
    take the place of all others. What the weights alone call a must counts more among the others,
    and no more: taken first, it crowded out what readers looked for (`training/README.md`).
    """
    seen: Counter[tuple[object, ...]] = Counter()
    found: list[tuple[int, int]] = []
    for n, one in enumerate(units):
        if one.must == 1.0 and not one.speaker:
            found.append((seen[one.entry.day, *one.entry.headings], n))
            seen[one.entry.day, *one.entry.headings] += 1
    return [n for _, n in sorted(found)]


def budget_of(brief: Brief) -> int:
    """Tokens for the bullets of a page: its target less its headings; a short input is told whole."""
    if brief.size <= SHORT_INPUT and brief.trusted and brief.tier == "week":
        return _WHOLE * max(1, brief.size)
    headings = sum(estimate(f"### {section}") for section in brief.sections)
    return max(1, brief.target - headings)
