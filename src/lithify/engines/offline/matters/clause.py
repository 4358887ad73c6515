"""Of a sentence that tells a change the clause that does."""

from __future__ import annotations

import re

from lithify import cues
from lithify.engines.offline.matters.threads import is_announced
from lithify.engines.offline.matters.told import change_at, tells_change
from lithify.engines.offline.reading.leaning import hangs
from lithify.engines.offline.reading.text import split, tokens_in
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.stems import COMMON_STEMS

#: A sentence of as many tokens is short enough, and where one begins to say more than what changed.
BRIEF = 18
_ASIDE = re.compile(
    r"; |, (?:because|since|so that|which|starting|beginning|and to)\b|(?<!\bi\.e)(?<!\be\.g)\. "
)
#: Where a clause begins that may tell a change by itself, and the words it must then name.
_OPENING, _NAMED = re.compile(r"(?:;|:|, so|, and|, but) (?=\w)"), 2
_MOVED = re.compile(
    r"\b(?:rais(?:e|es|ed)|lower(?:s|ed)?|increas(?:e|es|ed)|reduc(?:e|es|ed)|mov(?:e|es|ed)|postpon(?:e|es|ed)|chang(?:e|es|ed)|"
    r"extend(?:s|ed)?|shorten(?:s|ed)?|cuts?|push(?:es|ed)?) (?:the |our |its |their |his |her )?"
    r"(?P<what>[^\W\d_][^.;:,()\"]{2,50}?) (?=from \S*\d)"
)


def changing_part(text: str) -> str:
    """The sentence of a passage that tells a change."""
    return next((one for one in split(text) if tells_change(one)), text)


def cut_to_change(unit: Unit) -> None:
    """Leave of a sentence that tells a change the clause that does, and what it is the change of.

    What is labelled as a decision keeps its reason.
    """
    if unit.tokens <= BRIEF or unit.folded or is_announced(unit):
        return
    said = _from_clause(changing_part(unit.text))
    cut = _ASIDE.search(said)
    while cut:
        head = said[: cut.start()]
        if (
            tells_change(head)
            and cues.hedges(head) == cues.hedges(said)
            and head.count('"') % 2 == 0
        ):
            said = head
            break
        cut = _ASIDE.search(said, cut.end())
    if (moved := _MOVED.search(said)) and (hangs(said) or tokens_in(said) > BRIEF):
        # What was raised, and from what to what; who did it is told in the week.
        said = f"{moved['what'][0].upper()}{moved['what'][1:]}: {said[moved.end('what') + 1 :]}"
    if not hangs(said):
        unit.shorten(said)


def _from_clause(said: str) -> str:
    """A sentence from the clause on that names what changed, where that clause stands by itself."""
    at = change_at(said)
    for opening in reversed([*_OPENING.finditer(said, 0, max(0, at))]):
        rest = said[opening.end() :]
        named = [stem for stem in stems_in(said[opening.end() : at]) if stem not in COMMON_STEMS]
        if (
            len(named) >= _NAMED
            and not hangs(rest)
            and cues.hedges(rest) == cues.hedges(said)
            and rest.count('"') % 2 == 0
            and rest.count("(") == rest.count(")")
        ):
            return f"{rest[0].upper()}{rest[1:]}"
    return said
