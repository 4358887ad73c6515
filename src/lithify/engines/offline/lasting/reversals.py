"""Decisions taken back: a later one that turns away from what an earlier one chose."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from lithify import cues
from lithify.engines.offline.lasting import bar
from lithify.text.atoms import find_atoms
from lithify.text.stems import COMMON_STEMS, stems_of

#: Words up to which what is turned away from is named.
_WINDOW = 5
_STOP = re.compile(
    r"[,;:.!?()]|\s-\s|\b(?:to|with|by|for|but|because|since|and|so|as|after|when|while|towards?|in favou?r)\b",
    re.I,
)
#: After these words something is ruled out, put off or left open: nobody chose it there.
_DENIED = re.compile(
    r"\b(?:not|never|no|nor|without|unless|until|before|rather than|instead of|whether|if|avoid\w*|prevent\w*|"
    r"separate from|away from|against)\b[^,;:.]*",
    re.I,
)
#: Words before a participle that make it a mere description: "the superseded memo".
_DESCRIBED = re.compile(
    r"(?:\b(?:the|a|an|as|its|their|his|her|our|my|any|this|that|these|those|each|every|prior|earlier|clearly|of)\s+|-)$",
    re.I,
)
#: What is taken back for good without another thing in its place.
_ENDS = re.compile(
    r"\bno longer\b|\bnot\b|\b(?:drop|abandon|scrap|ditch|revers|revert|overturn|rescind|revok|cancel|withdr|undo|gave up|give up|stop)"
    r"|\b(?:is|are|was|were) (?:out|off|gone)\b",
    re.I,
)
_CLAUSE = re.compile(r"[,;:(]|\s-\s|\b(?:because|since|so that|which|while)\b", re.I)
#: Where more is said of a thing that its name names already.
_MORE = re.compile(r"\s(?:in|on|at|of|across|within|during|until|before|inside|over|from)\s", re.I)
#: Before these words nothing is turned away from yet: it is asked, wished or ruled out.
_UNREAL = re.compile(
    r"\b(?:whether|if|unless|until|should|could|would|might|may|can|cannot|ready to|able to|enough to|"
    r"before|not to|never|without|did not|do not|does not|no)\b[^,;:.]*$",
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
_NOT_BUT = re.compile(
    r"\bnot ((?:[^\s,;:]+ ){0,4}?[^\s,;:]+),? (?:but|any ?more|any longer)\b", re.I
)
_IS_GONE = (
    r" (?:is|are|was|were|has been|have been) "
    r"(?:dropped|out|off|gone|scrapped|abandoned|reversed|reverted|overturned|rescinded|cancell?ed|withdrawn|replaced|superseded|no longer)\b"
)
_SAYS_GONE = re.compile(_IS_GONE, re.I)
_GONE = re.compile(r"\b((?:[^\s,;:]+ ){0,4}?[^\s,;:]+)" + _IS_GONE, re.I)
#: Someone says outright that a choice no longer holds.
_OUTRIGHT = re.compile(
    r"\bchang(?:ed?|ing|es) (?:our|my|his|her|their|its) minds?\b|\bon second thou?ghts?\b|"
    r"\b(?:reverse[sd]?|overturn(?:s|ed)?|overrule[sd]?|rescind(?:s|ed)?|revoke[sd]?|supersedes|undid|undo(?:es|ne)?)\b|"
    r"\bno longer\b|\bafter all\b|\bu-turn\b|"
    r"\b(?:switch|chang|mov|migrat)\w*\b[^.;]{0,40}\bfrom\b|\b(?:go|goes|going|went|switch\w*|mov\w+|chang\w+|roll\w*|come|came|is|are|be) back to\b|\b(?:we|they|i|to|will|shall|let's) return to\b|\bany ?more\b|\bany longer\b|"
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
_FEWEST = 2
_ENDED = re.compile(
    r"\b((?:[^\s,;:]+ ){1,4}?[^\s,;:]+) (?:is|are|was|were|has been|have been) "
    r"(?:dropped|scrapped|abandoned|cancell?ed|called off|stopped|discontinued|shut down|withdrawn)\b",
    re.I,
)
_MOVED = re.compile(r"\b(?:mov|chang|shift)\w*\b[^.;]{0,40}?\bfrom (\S*\d\S*)", re.I)
_VERSION = re.compile(r"\b\d+(?:\.\d+)+\b")


_CODE = re.compile(r"`([^`\s]+)`")
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
    *("return", "undid"),
    *(" is o", " are o", " was o", " were o", " been o", " gone"),
)


class _Turn(NamedTuple):
    """What a decision names as turned away from, and whether it does so outright.

    Each thing turned away from stands apart: an earlier decision chose it in all its words, in a
    row, or chose something else. `away` are the words of all of them; `ends`, whether nothing
    takes their place; `versions` are those of the things: another version is another thing.
    """

    things: tuple[tuple[str, ...], ...] = ()
    away: frozenset[str] = frozenset()
    outright: bool = False
    ends: bool = False
    versions: frozenset[str] = frozenset()


class _Choice(NamedTuple):
    """What a decision is about, what its first clause (`head`) is about, and what it chooses."""

    about: frozenset[str]
    head: frozenset[str]
    chosen: tuple[str, ...]


@lru_cache(maxsize=1 << 13)
def turns_away(text: str) -> bool:
    """Whether the words take back a choice or name what is no longer chosen."""
    if not _is_hinted(text):
        return False
    turn = _turn(text)
    return bool(turn.away) or turn.outright


def reverses(later: str, earlier: str) -> bool:
    """Whether a later decision turns away from what an earlier one chose for the same subject."""
    if not may_reverse(later) or _bond(later, earlier) <= 0:
        return False
    # A date or figure that changes takes back only what gave the old one.
    moved = _MOVED.search(later)
    return moved is None or moved[1] in earlier


def drops(later: str, earlier: str) -> bool:
    """Whether a later decision names what an earlier one chose as no longer chosen."""
    return bool(_turn(later).away) and reverses(later, earlier)


def ends(later: str, earlier: str) -> bool:
    """Whether a later decision ends a thing that an earlier wish or rule is about."""
    gone = _ended(later)
    if gone is None or _UNREAL.search(later[: gone.start()]):
        return False
    named = telling_stems(gone[1])[-_FEWEST:]
    return len(named) == _FEWEST and _stand_in(named, telling_stems(earlier))


@lru_cache(maxsize=1 << 12)
def _ended(text: str) -> re.Match[str] | None:
    """What a decision says is no more; asked of it beside every wish and rule."""
    return _ENDED.search(text)


@lru_cache(maxsize=1 << 12)
def may_reverse(text: str) -> bool:
    """Whether a decision turns away from something and is no mere thought."""
    turn = _turn(text)
    return (bool(turn.away) or turn.outright) and not cues.is_tentative(text)


class Choices:
    """Decisions by the words they tell, to find those that a later one turns away from."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._by_stem: dict[str, list[str]] = {}
        for text in dict.fromkeys(texts):
            for stem in _choice(text).about:
                self._by_stem.setdefault(stem, []).append(text)

    def bonds(self, later: str) -> dict[str, int]:
        """The decisions turned away from, and how many telling words bind each to the later one."""
        if not may_reverse(later):
            return {}
        stems = _turn(later).away or _choice(later).about
        near = dict.fromkeys(text for stem in sorted(stems) for text in self._by_stem.get(stem, ()))
        bonds = ((text, _bond(later, text)) for text in near)
        return {text: words for text, words in bonds if words}


def _bond(later: str, earlier: str) -> int:
    new, turn, old = _choice(later), _turn(later), _choice(earlier)
    shared = new.about & old.about
    if not turn.away:
        least = max(_HALF * min(len(new.about), len(old.about)), min(_FEWEST, len(old.about)))
        return len(shared) if shared and len(shared) >= least else 0
    if not turn.ends and new.about <= old.about:
        # "Replaced the old limit with 40", after "the limit is 40": the same is said again.
        return 0
    if turn.versions and not turn.versions <= frozenset(_VERSION.findall(earlier)):
        return 0
    for words in turn.things:
        thing = frozenset(words)
        if not _stand_in(words, old.chosen) or thing & _turn(earlier).away:
            continue
        if len(thing) > 1 and bar.withdraws(later):
            return len(shared)
        if turn.ends and _chose_outright(earlier, words) and (shared - thing or new.about <= thing):
            return len(shared)
        # One word may be anything's; more words name a thing.
        most = max if len(thing) == 1 else min
        if not (
            _same_matter(new.about - thing, old.about - thing, most)
            or _same_matter(new.head - thing, old.head - thing, most)
        ):
            continue
        # Where only what is turned away from is shared the earlier may speak of another matter.
        if shared - turn.away or not (_names(earlier) - turn.away or not _CHOOSES.search(earlier)):
            return len(shared)
    return 0


@lru_cache(maxsize=1 << 12)
def _chose_outright(text: str, thing: tuple[str, ...]) -> bool:
    """Whether what a decision chooses begins with a thing's own name: `Use Celery with Redis as …`"""
    choice = _CHOOSES.search(text)
    if choice is None or telling_stems(text[choice.end() :])[: len(thing)] != thing:
        return False
    return frozenset(thing) <= _names(text)


def _stand_in(words: tuple[str, ...], text: tuple[str, ...]) -> bool:
    """Whether some words stand in a text in a row."""
    size = len(words)
    return words[0] in text and any(
        text[at : at + size] == words for at in range(len(text) - size + 1)
    )


def _same_matter(
    one: frozenset[str], other: frozenset[str], most: Callable[[int, int], int]
) -> bool:
    """Whether two decisions speak of one matter, what is turned away from left aside."""
    return not one or not other or len(one & other) >= _HALF * most(len(one), len(other))


@lru_cache(maxsize=1 << 13)
def _choice(text: str) -> _Choice:
    words = _read_part(text)
    about = frozenset(telling_stems(words))
    first = frozenset(telling_stems(_CLAUSE.split(words, maxsplit=1)[0]))
    head = first if len(first) > _FEWEST else about
    return _Choice(about, head, telling_stems(_DENIED.sub(" | ", words)))


@lru_cache(maxsize=1 << 13)
def _turn(text: str) -> _Turn:
    words = _read_part(text)
    if not _is_hinted(words):
        return _Turn()
    named = [*_turned_from(words)]
    things = tuple(dict.fromkeys(thing for name in named if (thing := telling_stems(name))))
    outright = _OUTRIGHT.search(words)
    return _Turn(
        things,
        frozenset(stem for thing in things for stem in thing),
        outright is not None and not _UNREAL.search(words[: outright.start()]),
        _ENDS.search(words) is not None,
        frozenset(version for name in named for version in _VERSION.findall(name)),
    )


def _is_hinted(words: str) -> bool:
    low = words.lower()
    return any(hint in low for hint in _HINTS)


def _read_part(text: str) -> str:
    # A field or a command called so takes nothing back.
    own = _CODE.sub(lambda code: "" if _is_hinted(code[1]) else code[0], text)
    return cues.bare(own)[:_LONGEST]


def _turned_from(words: str) -> Iterator[str]:
    """What a decision names as turned away from."""
    for match in _AWAY.finditer(words):
        before = words[: match.start()]
        if _UNREAL.search(before) or _DESCRIBED.search(before):
            continue
        named = _named(words[match.end() :])
        yield named
        short = _MORE.split(named, maxsplit=1)[0]
        if short != named and _names(f". {short}"):
            yield short
    # What is gone is looked for from every word on: only where something says that it is.
    for pattern in (_NOT_BUT, _GONE) if _SAYS_GONE.search(words) else (_NOT_BUT,):
        for match in pattern.finditer(words):
            if not _UNREAL.search(words[: match.start()]):
                # What is put in brackets names the thing: `the decision of May (one truck)`.
                yield match[1].rpartition("(")[2]


def _named(rest: str) -> str:
    """The few words that name a thing, up to where the next clause or phrase begins."""
    rest = rest.removeprefix("to ")
    stop = _STOP.search(rest)
    return " ".join((rest[: stop.start()] if stop else rest).split()[:_WINDOW])


def telling_stems(words: str) -> tuple[str, ...]:
    """The stems of words in their order, without common ones, figures and words of choosing."""
    return tuple(
        stem
        for stem in stems_of(words)
        if len(stem) > 1 and not stem.isdigit() and stem not in COMMON_STEMS and stem not in _TURNS
    )


@lru_cache(maxsize=1 << 13)
def _names(text: str) -> frozenset[str]:
    names = (atom.text for atom in find_atoms(text) if atom.kind == "name" and atom.start)
    return frozenset(stem for name in names for stem in telling_stems(name))
