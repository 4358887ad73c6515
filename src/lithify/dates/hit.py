"""A date found in a text, and what the words around it tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from itertools import islice
from typing import NamedTuple

#: Someone's exact words: what stands in quotation marks, code or an address is not rewritten.
VERBATIM = re.compile(
    r"```.*?(?:```|\Z)|`(?P<code>[^`\n]*)`|\"(?P<straight>[^\"\n]*)\"|“(?P<curly>[^“”\n]*)”"
    r"|«(?P<angle>[^«»\n]*)»|(?<!\w)'[^'\n]*'(?!\w)"
    r"|\b(?:https?|ftp|file)://(?P<url>[^\s<>\"”`|]+)|\]\((?!https?:)[^()\s]{0,500}\)",
    re.DOTALL,
)


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


class Hit(NamedTuple):
    """A date found; `form` is how a relative one is reworded, empty for an absolute one."""

    start: int
    end: int
    first: date
    last: date
    form: str = ""
    exact: bool = True


Match = re.Match[str]

_Reading = Callable[[Match, date], Hit | None]


class Rule(NamedTuple):
    """A pattern and its reading; `needed` are words of which the text must hold one.

    `absolute`: what it reads has no `form`, on whatever day it is said.
    """

    pattern: re.Pattern[str]
    reading: _Reading
    needed: frozenset[str]
    absolute: bool


RULES: dict[str, list[Rule]] = {}


def reads(
    triggers: str, pattern: str, flags: int = re.I, *, with_: str = "", absolute: bool = False
) -> Callable[[_Reading], _Reading]:
    """Try a reading where one of these words begins; a number is triggered by its length.

    `with_`: words of which the text must hold one, so that "in" or "the" alone costs nothing;
    "/" is one too.
    `absolute`: the words name a date by itself, and need no rewording.
    """

    def register(reading: _Reading) -> _Reading:
        for word in triggers.split():
            RULES.setdefault(word, []).append(Rule(compiled, reading, needed, absolute))
        return reading

    compiled = re.compile(pattern, flags)
    needed = frozenset(with_.split())
    return register


WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

YEAR_ROUND = "january february march april may june july august september october november december"

MONTHS = tuple(YEAR_ROUND.split())

PARTS = "morning|afternoon|evening|night"

_BEFORE = re.compile(r"(?<![A-Za-z])([A-Za-z]{1,20})[\s-]+\Z")

_CUE = re.compile(
    r"\b(?:(?P<ahead>will|won['’]t|shall|going\s+to|gonna|plans?|planned|planning|schedul\w+|due"
    r"|upcoming|expect(?:s|ed)?|let['’]s|must|should|needs?|needed|deadline|target\w*|pending|await\w*"
    r"|tomorrow|starts|begins|remind\w*|can|wants?|(?<=['’])ll)"
    # What is set for a day is told in the present before it: "the review is on Monday".
    r"|(?P<set>is|are|takes|happens|opens|closes|lands|launches|moves|meets|leaves|arrives|comes|ends|goes"
    r"|returns|expires|resumes|gets|come|go|arrive|begin|follows?|continues?|joins?|delivers?|decides?"
    r"|travels?|publish(?:es)?|installs?|speaks?|drives|fl(?:y|ies)|finish(?:es)?|carr(?:y|ies)|stays"
    r"|(?<!the )end(?=\s+on\b|\s*\Z)"
    # "she has a test on Monday", "he sails on Sunday"
    r"|ha(?:s|ve)(?=\s+(?:an?|the|his|her|its|their|my|our|your|no|to|two|three)\b)"
    r"|(?:(?<=\bhe\s)|(?<=\bshe\s)|(?<=\bit\s))(?!was\b|has\b|does\b)[a-z]{2,}s)"
    r"|was|were|did|had|has|have|been|went|met|sent|got|came|saw|said|told|made|took|gave|held"
    r"|kept|ran|won|lost|wrote|built|found|spoke|left|done|grew|fell|rose|broke|began|brought|bought|paid"
    r"|sold|threw|woke|shut|chose|drove|flew|taught|became|first|only|once|twice|times"
    r"|biggest|largest|highest|lowest|longest|worst|best|most|\w{2,}ed)\b",
    re.IGNORECASE,
)


#: Words between a verb and the participle it carries.
_BETWEEN = re.compile(
    r"\s+(?:(?:not|be|being|now|also|still|all|both|to|\w+ly)\s+)*", re.IGNORECASE
)
#: Said of a thing in the present, these tell that it has been.
_OVER = frozenset(["done", "finished", "completed", "resolved", "fixed", "solved", "won", "lost"])
#: What is only supposed lies ahead, whatever its participle: "if it is not done on Friday".
_SUPPOSED = re.compile(
    r"\b(?:if|unless|in\s+case|provided)\b(?!.*\b(?:was|were|had|did)\b)", re.IGNORECASE
)
_QUOTED = re.compile(r'["“][^"“”]*["”]')


def word_before(text: str, start: int) -> str:
    match = _BEFORE.search(text, max(0, start - 24), start)
    return match[1].lower() if match else ""


def tense(text: str, start: int, ahead: int = 120) -> str:
    """Whether the words around a date look back ("past") or ahead ("coming"), if either."""
    # What someone else is quoted with says nothing about when this is said of.
    left = _QUOTED.sub(" ", re.split(r"[.!?;\n]", text[max(0, start - 240) : start])[-1])
    if _SUPPOSED.search(left):
        return "coming"
    cues = list(_CUE.finditer(left))
    if cues:
        return _points(left, cues)
    right = re.split(r"[.!?;\n]", text[start : start + ahead], maxsplit=1)[0]
    cues = list(islice(_CUE.finditer(right), 2))
    # What the day's own noun does, it does at that day: "the tour on Monday is booked out".
    if len(cues) > 1 and "," not in right[: cues[0].start()] and _helps(right, *cues):
        return _points(right, cues)
    cues = [cue for cue in cues if not cue["set"]][:1]
    return _points(right, cues) if cues else ""


def _points(text: str, cues: Sequence[re.Match[str]]) -> str:
    """Where the last verb points: a participle points where the verb that carries it does."""
    last = cues[-1]
    if len(cues) > 1 and _helps(text, cues[-2], last):
        last = cues[-2]
    return "coming" if last["ahead"] or last["set"] else "past"


def _helps(text: str, verb: re.Match[str], participle: re.Match[str]) -> bool:
    """Whether a verb of now or later carries the participle after it: "is closed", "will be moved"."""
    if not (verb["ahead"] or verb[0].lower() in ("is", "are")):
        return False
    if participle["ahead"] or participle["set"] or participle[0].lower() in _OVER:
        return False
    return _BETWEEN.fullmatch(text, verb.end(), participle.start()) is not None
