"""Decisions taken back: a later one that turns away from what an earlier one chose."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from lithify import cues
from lithify.atoms import find_atoms
from lithify.engines.offline.words import COMMON_STEMS, stems_of

#: Words up to which what is turned away from is named.
_WINDOW = 5
_STOP = re.compile(
    r"[,;:.!?()]|\s-\s|\b(?:to|with|by|for|but|because|since|and|so|as|after|when|while|towards?|in favou?r)\b",
    re.I,
)
#: What is named after these words is what one turns away from.
_AWAY = re.compile(
    r"\b(?:instead of|rather than|in place of|no longer (?:\w+ing|use[ds]?|be|on|go|goes|with|in)?|away from|"
    r"(?:switch\w*|chang\w+|mov\w+|migrat\w+|went|goes|go|turn\w*|convert\w*|port\w*)(?: \S+){0,3}? (?:back )?from|"
    r"(?:drop|dropp(?:ed|ing)|drops|abandon\w*|scrap\w*|ditch\w*|revers\w+|revert\w*|overturn\w*|"
    r"rescind\w*|revok\w+|cancel\w*|withdr[ae]w\w*|undo\w*|replac(?:e[sd]?|ing)|supersed\w+|stop(?:s|ped)? using|give up(?: on)?|gave up(?: on)?)|"
    r"(?:,|;|\band|\bbut) not(?! (?:be|been|have|only|just|yet|all|every|even)\b))\s+",
    re.I,
)
_NOT_BUT = re.compile(r"\bnot ((?:\S+ ){0,4}?\S+),? (?:but|any ?more|any longer)\b", re.I)
_GONE = re.compile(
    r"\b((?:\S+ ){0,4}?\S+) (?:is|are|was|were|has been|have been) "
    r"(?:dropped|out|off|scrapped|abandoned|reversed|reverted|overturned|rescinded|cancell?ed|withdrawn|replaced|superseded|no longer)\b",
    re.I,
)
#: Someone says outright that a choice no longer holds.
_OUTRIGHT = re.compile(
    r"\bchang(?:ed?|ing|es) (?:our|my|his|her|their|its) minds?\b|\bon second thou?ghts?\b|"
    r"\b(?:revers|overturn|overrul|rescind|revok|supersed|undo)\w*\b|\bno longer\b|\bafter all\b|\bu-turn\b|"
    r"\b(?:switch|chang|mov|migrat)\w*\b[^.;]{0,40}\bfrom\b|\bback to\b|\bany ?more\b|\bany longer\b|"
    r"\b(?:went|go|goes|going) back on\b|\bgave up on\b|\bwe were wrong\b",
    re.I,
)
_CHOOSES = re.compile(
    r"\b(?:us(?:e[sd]?|ing)|(?:go|goes|going|went) (?:with|to|for|on)|cho(?:ose|oses|se|sen)|pick(?:ed|s)?|adopt\w*|tak(?:es?|ing)|"
    r"buy|(?:mov|switch|migrat)\w+ to|stay\w* (?:with|on)|keep(?:s|ing)?|runs? on|opt(?:ed)? for|settled on)\b",
    re.I,
)
#: Words of choosing and turning: to share them is to share no subject.
_TURNS = frozenset(
    stems_of(
        "decision decisions decide decided choose chose chosen agree agreed use used using switch switched "
        "change changed move moved migrate drop dropped replace replaced reverse reversed revert adopt goes "
        "going stay stays mind longer instead rather overturn abandon scrap cancel supersede anymore option"
    )
)
#: The part of the smaller sentence that two must share where nothing is named as turned away from.
_HALF = 0.5


#: Characters of a decision that are read: what it turns away from stands at its beginning.
_LONGEST = 400
#: One of these stands in every sentence that turns away from something.
_HINTS = (
    *("instead", "rather", "place of", "no longer", " from ", "drop", "abandon", "scrap", "ditch"),
    *("revers", "revert", "overturn", "overrul", "rescind", "revok", "cancel", "withdr", "undo"),
    *(
        "replac",
        "supersed",
        "stop",
        "give up",
        "gave up",
        "not ",
        " mind",
        "second th",
        "after all",
    ),
    *("u-turn", "back to", "back on", "any more", "anymore", "any longer", "we were wrong"),
    *(" is o", " are o", " was o", " were o", " been o"),
)


class _Choice(NamedTuple):
    """What a decision is about, what it names as turned away from, and whether outright."""

    about: frozenset[str]
    away: frozenset[str]
    outright: bool


@lru_cache(maxsize=1 << 14)
def turns_away(text: str) -> bool:
    """Whether the words take back a choice or name what is no longer chosen."""
    low = text.lower()
    if not any(hint in low for hint in _HINTS):
        return False
    choice = _choice(text)
    return bool(choice.away) or choice.outright


def reverses(later: str, earlier: str) -> bool:
    """Whether a later decision turns away from what an earlier one chose for the same subject."""
    new = _choice(later)
    return (
        (bool(new.away) or new.outright)
        and not cues.is_tentative(later)
        and _bond(new, _choice(earlier), earlier) > 0
    )


class Choices:
    """Decisions by the words they tell, to find those that a later one turns away from."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._by_stem: dict[str, list[str]] = {}
        for text in dict.fromkeys(texts):
            for stem in _choice(text).about:
                self._by_stem.setdefault(stem, []).append(text)

    def bonds(self, later: str) -> dict[str, int]:
        """The decisions turned away from, and how many telling words bind each to the later one."""
        new = _choice(later)
        if not (new.away or new.outright) or cues.is_tentative(later):
            return {}
        near = dict.fromkeys(
            text for stem in sorted(new.away or new.about) for text in self._by_stem.get(stem, ())
        )
        bonds = ((text, _bond(new, _choice(text), text)) for text in near)
        return {text: words for text, words in bonds if words}


def _bond(new: _Choice, old: _Choice, earlier: str) -> int:
    shared = new.about & old.about
    if not new.away:
        near = len(shared) >= _HALF * min(len(new.about), len(old.about))
        return len(shared) if near else 0
    if not new.away & (old.about - old.away):
        return 0
    if not shared - new.away and (_names(earlier) - new.away or not _CHOOSES.search(earlier)):
        # Only what is turned away from is shared: the earlier may speak of another matter.
        return 0
    return len(shared)


@lru_cache(maxsize=1 << 15)
def _choice(text: str) -> _Choice:
    words = cues.bare(text)[:_LONGEST]
    low = words.lower()
    if not any(hint in low for hint in _HINTS):
        return _Choice(_telling(words), frozenset(), False)
    away: set[str] = set()
    for match in _AWAY.finditer(words):
        away |= _telling(_named(words[match.end() :]))
    for pattern in (_NOT_BUT, _GONE):
        for match in pattern.finditer(words):
            away |= _telling(match[1])
    return _Choice(_telling(words), frozenset(away), bool(_OUTRIGHT.search(words)))


def _named(rest: str) -> str:
    """The few words that name a thing, up to where the next clause or phrase begins."""
    stop = _STOP.search(rest)
    return " ".join((rest[: stop.start()] if stop else rest).split()[:_WINDOW])


def _telling(words: str) -> frozenset[str]:
    return frozenset(
        stem
        for stem in stems_of(words)
        if len(stem) > 1 and not stem.isdigit() and stem not in COMMON_STEMS and stem not in _TURNS
    )


@lru_cache(maxsize=1 << 13)
def _names(text: str) -> frozenset[str]:
    names = (atom.text for atom in find_atoms(text) if atom.kind == "name" and atom.start)
    return frozenset(stem for name in names for stem in _telling(name))
