"""A date found in a text, and what the words around it tell."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
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
    """A date found; `form` is how a relative one is reworded, empty for an absolute one.

    `unclear`: the days are only a guess, since "no verb" tells which way a weekday points, or it may
    be "either", or is any such day by "habit". `bare`: only a participle tells that it lies back, which
    may as well say what is to be done by then.
    """

    start: int
    end: int
    first: date
    last: date
    form: str = ""
    exact: bool = True
    unclear: str = ""
    bare: bool = False


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


def word_before(text: str, start: int) -> str:
    match = _BEFORE.search(text, max(0, start - 24), start)
    return match[1].lower() if match else ""
