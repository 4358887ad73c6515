"""Parts that one thing or person has at a time, and who has them next: `The job queue becomes …`"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from lithify import cues
from lithify.engines.offline.lasting.telling import matter_in

_THE = r"(?:(?:the|our|its|their|my|a|an) )?"
_FEW = r"(?P<part>(?:[\w'/-]+ ){0,4}?[\w'/-]+)"
_END = (
    r"(?=\s*(?:[.,;:(]|$)|\s(?:because|since|so|until|with|in|on|at|and|but|now|instead|from|as)\b)"
)
_WHO = r"(?P<holder>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)*)"
#: What is chosen for a part: `Use Kafka as the event bus`
_CHOSEN = (
    re.compile(
        r"(?:^|[.;:] )(?:we )?(?:use|uses|using|take|takes|adopt|choose|chose|pick|picked|go with|went with|settled on|decided on|stay with|keep) "
        rf"(?P<holder>[^.;:,]{{2,60}}?) (?:as|for) {_THE}{_FEW}{_END}",
        re.I,
    ),
    re.compile(
        rf"(?:^|[.;:] ){_THE}{_FEW} (?:is|are) (?:kept|stored|held|hosted|saved|archived) (?:in|on|at|with|by) (?P<holder>[^.;:]{{2,60}})",
        re.I,
    ),
)
#: What has a part from here on: `The event bus becomes a Postgres table`, `Indentation: four spaces from now on`
_ANEW = (
    re.compile(
        rf"(?:^|[.;:] ){_THE}{_FEW} (?:becomes?|(?:is|are) now|will (?:now )?be|(?:now )?(?:moves?|goes|go|switch(?:es)?|changes?) to) "
        r"(?P<holder>[^.;]{2,80})",
        re.I,
    ),
    re.compile(
        rf"(?:^|[.;:] ){_FEW}: (?P<holder>[^.;:,]{{2,60}}?),? (?:from (?:now|here|today|tomorrow) on|as of (?:now|today|\d|(?-i:[A-Z]))|from today\b)",
        re.I,
    ),
    re.compile(
        rf"(?:^|[.;:] )for {_THE}{_FEW},? (?:we )?(?:now )?(?:use|take|go with|have) (?P<holder>[^.;:,]{{2,60}}?) (?:now|instead|from (?:now|today) on)\b",
        re.I,
    ),
)
_POST = r"(?:owner|lead|head|contact|chair|maintainer|manager|secretary|treasurer|warden|reviewer|editor)"
#: Who has a post that only one has.
_HAS_POST = re.compile(
    rf"(?:^|[.;:] ){_WHO} (?:is|becomes|will be|is now) {_THE}(?P<part>{_POST} (?:of|for) {_THE}(?:[\w'/-]+ ){{0,2}}?[\w'/-]+){_END}",
    re.I,
)
_HINT = re.compile(
    rf"\b(?:as|for|becomes?|(?:is|are) (?:now|kept|stored|held|hosted|saved|archived)|be|moves?|goes|go|switch(?:es)?|changes?|from|{_POST})\b",
    re.I,
)


class Part(NamedTuple):
    """A part by its telling words, those of who or what has it, and whether it is theirs only now."""

    part: frozenset[str]
    holder: frozenset[str]
    anew: bool


def may_succeed(text: str) -> bool:
    """Whether the words give a part to another."""
    return any(part.anew for part in _parts(text))


def succeeds(later: str, earlier: str) -> bool:
    """Whether a part that the earlier words give to one is given to another by the later ones."""
    return any(
        new.part == old.part and not new.holder & old.holder
        for new in _parts(later)
        if new.anew
        for old in _parts(earlier)
    )


@lru_cache(maxsize=1 << 12)
def _parts(text: str) -> tuple[Part, ...]:
    if not _HINT.search(text) or cues.is_tentative(text):
        return ()
    return tuple(part for part in _found(text) if part.part and part.holder)


def _found(text: str) -> Iterator[Part]:
    for pattern in _CHOSEN:
        for match in pattern.finditer(text):
            yield Part(matter_in(match["part"]), matter_in(match["holder"]), False)
    for match in _HAS_POST.finditer(text):
        yield Part(matter_in(match["part"]), matter_in(match["holder"]), True)
    for pattern in _ANEW:
        for match in pattern.finditer(text):
            yield Part(matter_in(match["part"]), matter_in(match["holder"]), True)
