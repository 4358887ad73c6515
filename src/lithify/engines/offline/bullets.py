"""Write: chosen units to bullets, each with its day, its subject or speaker, and its sources."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from lithify.calendar import day_words
from lithify.engines.offline.clauses import LIMIT
from lithify.engines.offline.read import OPENING, Unit, stopped
from lithify.engines.offline.select import JOINING
from lithify.text.stems import stems_of
from lithify.text.tokens import estimate
from lithify.values import Claim

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
    if not first.speaker and _needs_subject(units):
        words.append(f"{first.subject}:")
    speaker = ""
    for one in units:
        if one.speaker and one.speaker != speaker:
            words.append(f"{one.speaker}:")
        speaker = one.speaker
        words.append(stopped(one.text))
    text = " ".join(words)
    return text[:-1] if text[-1] == "." and text[-2:] != ".." else text


def _needs_subject(units: Sequence[Unit]) -> bool:
    """Whether a bullet does not say by itself what it is about."""
    subject = set(stems_of(units[0].subject))
    return bool(subject) and not subject <= {stem for one in units for stem in one.stems}


def sources_of(units: Sequence[Unit]) -> tuple[str, ...]:
    """The entries a bullet rests on: those told in it first, then those that say the same."""
    own = [one.entry.id for one in units]
    return tuple(dict.fromkeys([*own, *(id for one in units for id in one.ids)]))[
        : max(_CITED, len(own))
    ]
