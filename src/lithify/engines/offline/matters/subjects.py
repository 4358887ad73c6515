"""What sentences of several weeks are about: pairs of nouns, names of things, matters taken up again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache

from lithify.calendar import week_of
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.atoms import find_atoms
from lithify.text.dates import MONTHS, WEEKDAYS
from lithify.text.stems import is_common, is_empty

#: From here on a sentence says outright that something was achieved or decided.
STATED = 2.5
_WORDS = re.compile(r"(?<![\w-])[^\W\d_][\w-]*")
#: What may stand between two nouns that name one thing.
_LINK = re.compile(r" (?:(?:of|in|for|on|from|with|at|by) (?:(?:the|a|an) )?)?")
#: A noun stands after one of these; a verb does not.
BEFORE_NOUN = frozenset(
    [
        "the",
        "a",
        "an",
        "our",
        "their",
        "its",
        "his",
        "her",
        "my",
        "your",
        "this",
        "that",
        "these",
        "those",
        "each",
        "every",
        "any",
        "no",
        "some",
        "another",
        "both",
        "of",
        "in",
        "on",
        "for",
        "from",
        "with",
        "at",
        "by",
        "about",
        "into",
        "over",
        "under",
        "after",
        "before",
        "without",
        "new",
        "old",
        "next",
        "first",
        "last",
        "second",
        "current",
        "whole",
    ]
)
#: What only a person does or has stands after a person's name.
_PERSON = re.compile(
    r"\b([^\W\d_a-z][\w-]+)(?:'s (?:view|word|load|desk|hand|idea|call)|,? (?:who|(?:\w+ly )?(?:thinks?|thought|suspects?|"
    r"corrected|reminded|told|said|says|likes|prefers|laughed|hopes|asked|asks|wants|wanted|wrote|built|found|took|"
    r"takes|agreed|argued|noticed|knows|drafts?|rewrote|rewrites|owns|explained|insists|works|was out|is out|"
    r"is back|is on|called|looked|read|ran|tried|made|fixed|brought|came|went|had|has|confirmed|flagged)))\b|"
    r"\b(?:Mrs?\.?|Ms\.?|Dr\.?|(?:sent|told|asked|asks|tells|phoned|reminded|called|gave|showed|thanked|met|spoke|talked)(?: to| with)?)"
    r" ([^\W\d_a-z][\w-]+)"
)
#: What a heading calls the occasion by, and no thing that is spoken of: by their stems.
OCCASIONS = frozenset(
    stems_in(
        "review kickoff meeting call standup sync retro retrospective debrief handover demo visit incident outage "
        "emergency alert round checkup planning briefing talk workshop interview"
    )
)
_SHORT_MONTHS = frozenset(name[:3].title() for name in MONTHS)
#: Shorter ones are abbreviations of a kind of thing (`PR`, `API`), not of one thing.
SHORTEST = 3


def week(unit: Unit) -> str:
    """The week of a unit's day, or nothing."""
    return week_of(unit.entry.day) if unit.entry.day else ""


def persons(units: Sequence[Unit], labels: bool = True) -> Iterator[str]:
    """The names that stand where only a person's can; a label may be a speaker's."""
    for unit in units:
        yield from _persons_in(unit.text)
        if labels and unit.label:
            yield from unit.label.split()


@lru_cache(maxsize=1 << 13)
def _persons_in(text: str) -> tuple[str, ...]:
    found = (match[1] or match[2] for match in _PERSON.finditer(text))
    # "Sent SMS": what is written in capitals is no one's name.
    return tuple(name for name in found if not name.isupper())


def names_in(
    text: str, known: Set[frozenset[str]] = frozenset()
) -> Iterator[tuple[frozenset[str], str]]:
    """The proper names of a text by their stems.

    What may only begin a sentence is one where the same words are `known` as a name elsewhere.
    """
    for atom in find_atoms(text):
        if atom.kind == "name" and len(atom.text) > SHORTEST and (not atom.loose or known):
            words = atom.text.removesuffix("'s")
            key = frozenset(stems_in(words))
            if key and (not atom.loose or key in known):
                yield key, words


def pairs_in(text: str) -> Iterator[tuple[frozenset[str], str, bool]]:
    """The pairs of nouns that stand together, by their stems, and whether as nouns do."""
    before, start, opened, last = "", 0, False, ""
    seen: set[frozenset[str]] = set()
    for match in _WORDS.finditer(text):
        word = match[0]
        # "The booking fee" is a thing, and so is "the double booking".
        if not is_noun(word) and not (word.endswith("ing") and is_noun(word[:-3])):
            last = word.lower()
            continue
        gap = text[start : match.start()]
        # "Ana to Bo" are two people, "Ana Bo" may be one, "terms of carriage" is a thing.
        people = gap != " " and before[:1].isupper() and word[0].isupper()
        if before and not people and _LINK.fullmatch(gap):
            key = frozenset((*stems_in(before), *stems_in(word)))
            if len(key) > 1 and key not in seen:
                seen.add(key)
                yield (
                    key,
                    f"{before}{gap}{word}",
                    opened or (before[0].isupper() and word[0].isupper()),
                )
        opened = last in BEFORE_NOUN and bool(
            re.fullmatch(r"\W", text[match.start() - 1 : match.start()])
        )
        before, start, last = word, match.end(), ""


def is_noun(word: str) -> bool:
    """Whether a word can name a thing, as far as its ending tells."""
    low = word.lower()
    return (
        len(word) > 2
        and not is_empty(low)
        and not is_common(low)
        and not low.endswith(("ed", "ly", "ing", "'s"))
        and low not in WEEKDAYS
        and low not in MONTHS
        and low not in _NO_NOUNS
        and word[:3] not in _SHORT_MONTHS
    )


_NO_NOUNS = frozenset(
    [
        "whether",
        "within",
        "across",
        "among",
        "toward",
        "towards",
        "versus",
        "via",
        "per",
        "unless",
        "although",
    ]
)
