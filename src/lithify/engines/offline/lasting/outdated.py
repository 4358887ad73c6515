"""Rules and wishes whose figure a later sentence changes: the limit that was raised, the hour that moved.

The sentence that changes it need not be a rule itself: `The limit is now 50 instead of 40` speaks
of an older one, and takes its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from lithify import cues
from lithify.cues.letters import small
from lithify.engines.offline.lasting import bar
from lithify.engines.offline.lasting.telling import matter_in
from lithify.values import TypedMemory

_FIGURE = r"\W{0,2}(\d[\d,.:]*\d|\d)"
_FIGURES = re.compile(_FIGURE)
#: The figure that held before.
_BEFORE = re.compile(
    rf"\b(?:formerly|previously|instead of|rather than|no longer|(?:up|down) from|in place of|it was|was) {_FIGURE}|"
    rf"\bfrom {_FIGURE}[^.;]{{0,25}}? to \W{{0,2}}\d",
)
#: What holds again, and what a memory says it was before.
_BACK = re.compile(rf"\bback to {_FIGURE}", re.I)
_WAS = re.compile(rf"\b(?:from|instead of|rather than|no longer) {_FIGURE}", re.I)
_LIMIT = r"(?:limit|threshold|minimum|maximum|cap|ceiling|budget|price|rate|quota|rule|margin|hours?|deadline)"
#: A limit that somebody sets anew, without the figure that held before.
_ANEW = re.compile(
    rf"\b(?:relaxe[ds]|raise[ds]|lower(?:s|ed)|change[ds]|tighten(?:s|ed)|loosen(?:s|ed)) (?:the|his|her|their|my|our|its) (?:\w+ )?{_LIMIT}\b[^.;]*\d",
)
_OF_LIMIT = re.compile(rf"\b{_LIMIT}\b", re.I)
#: Whose yes is needed, from which sum on.
_ASSENT = re.compile(r"\b(?:approv\w+|yes|sign-?off|permission|consent|authori[sz]\w+)\b", re.I)
#: A figure that bounds something: `under 40`, `up to 250`.
_BOUND = re.compile(
    rf"\b{_LIMIT}\b[^.;:\d]{{0,40}} (?:is|are|stays at|remains) {_FIGURE}|"
    rf"\b(?:under|over|above|below|up to|at (?:most|least)|than|within|before|after|until|by|of|maximum|minimum|limit|at) {_FIGURE}",
    re.I,
)
#: Telling words that bind a sentence to what it changes; one is enough beside a word for limits.
_SHARED = 2


@lru_cache(maxsize=1 << 13)
def is_hinted(text: str) -> bool:
    """Whether the words may change a figure that held before."""
    low = small(text)
    return bool(_BEFORE.search(low) or _ANEW.search(low) or _BACK.search(low))


def changes(text: str) -> bool:
    """Whether a figure that held before is changed in the words, and not merely in thought."""
    if not is_hinted(text) or text.endswith("?"):
        return False
    return not (cues.is_tentative(text) or cues.is_hearsay(text) or bar.passes(text))


def outdated_by(text: str, known: Iterable[TypedMemory]) -> TypedMemory | None:
    """The rule, wish or decision whose figure the sentence changes, the one nearest in words; or none."""
    gone = {
        figure for match in _BEFORE.finditer(small(text)) for figure in match.groups() if figure
    }
    anew = _ANEW.search(small(text)) is not None
    told = matter_in(text)
    of_limit = _OF_LIMIT.search(text) is not None
    assents = _ASSENT.search(text) is not None
    best: tuple[int, TypedMemory] | None = None
    if not told and (again := [one for one in known if restored_in(text, one.statement)]):
        # "Back to 01:00.": no word tells of what, so only one may have been moved away from it.
        return again[0] if len(again) == 1 and again[0].type != "reference" else None
    for memory in known:
        if memory.type == "reference":
            continue
        # A decision gives way only where the figure that it set is the one that is gone.
        decided = memory.type == "project"
        figures = _figures(memory.statement, _FIGURES if decided else _BOUND)
        restored = restored_in(text, memory.statement)
        named = bool(gone & figures or restored)
        if not (named or (anew and figures and not decided)):
            continue
        shared = len(told & matter_in(memory.statement))
        shared += bool(assents and _ASSENT.search(memory.statement))
        # "Back to 15 min at all 14 stations": another figure of it tells what is meant.
        shared += bool(restored and (figures - restored) & _figures(text, _FIGURES))
        if shared >= (1 if named and (of_limit or assents) else _SHARED) and (
            best is None or shared > best[0]
        ):
            best = (shared, memory)
    return best[1] if best else None


def restored_in(text: str, older: str) -> set[str]:
    """The figures that hold again by the words, and that an older statement says are no more."""
    return _figures(text, _BACK) & _figures(older, _WAS)


def _figures(text: str, bound: re.Pattern[str]) -> set[str]:
    return {figure for match in bound.finditer(text) for figure in match.groups() if figure}
