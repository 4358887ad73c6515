"""What is forbidden, when two rules forbid the same, and what lifts or stops a rule again."""

from __future__ import annotations

import re
from functools import lru_cache

from lithify.engines.offline.lasting import bar
from lithify.engines.offline.lasting.reversals import telling_stems
from lithify.engines.offline.lasting.titles import core

#: Telling words that two rules share at least.
_FEWEST = 2
#: `no deploys on Fridays after noon`: what is forbidden, and when or where.
_BAN = re.compile(
    r"(?:^|[:;,] |\")\W?no (?:more )?((?:[\w-]+ ){0,2}?[\w-]+) "
    r"((?:on|after|before|during|without|between|at|in|under|outside)\b[^.;,\"]*)",
    re.I,
)
#: `never squash`, `don't ring me before nine`: what is forbidden, without when.
_NEVER = re.compile(
    r"(?:^|[:;,.\"] ?)(?:please )?(?:never|don't|do not) ([^.;,:\"]+?)(?= (?:before|after|until|on|in|at|from|without)\b|[.;,:\"]|$)",
    re.I,
)
_STOPS = re.compile(r"(?:^|[:;,.\"] )\W?(?:please )?stop \w+ing \w", re.I)
_HOUR = re.compile(
    r"\b(?:after|before|until|between) (?:\d|noon|midnight|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)",
    re.I,
)
_WEEKDAY = re.compile(r"\b((?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b")
_FIGURE = re.compile(r"\d+")
#: `the freeze on imports is lifted`: what may be done again.
_LIFTED = re.compile(
    r"\b(?:ban|freeze|limit|restriction|prohibition|moratorium|embargo) (?:on|for|of|against) ([\w -]{3,40}?) "
    r"(?:is|are|was|were|has been) (?:now )?(?:lifted|dropped|over|rescinded|abolished|waived|gone)\b",
    re.I,
)


def may_lift(text: str) -> bool:
    """Whether a rule loosens or lifts something."""
    return bar.relaxes(text)


def lifts(later: str, earlier: str) -> bool:
    """Whether a later rule loosens or lifts what an earlier one forbade."""
    if not may_lift(later):
        return False
    ban = _ban(earlier)
    if ban and (lifted := _LIFTED.search(later)):
        named = frozenset(telling_stems(lifted[1]))
        return bool(named) and named <= frozenset(telling_stems(ban[0]))
    never = _NEVER.search(earlier)
    forbidden = frozenset(telling_stems(never[1])) if never else frozenset()
    if forbidden and forbidden <= frozenset(telling_stems(core(later))):
        return True
    rule = frozenset(telling_stems((ban[0] if ban else core(earlier)).replace("-", " ")))
    shared = rule & frozenset(telling_stems((later if ban else core(later)).replace("-", " ")))
    return len(shared) >= _FEWEST and 2 * len(shared) >= len(rule)


def may_stop(text: str) -> bool:
    """Whether a rule bids to stop something."""
    return _STOPS.search(text) is not None


def stops(later: str, earlier: str) -> bool:
    """Whether a later rule bids to stop what an earlier one asked for."""
    if not may_stop(later) or may_stop(earlier):
        return False
    rule = frozenset(telling_stems(earlier))
    shared = rule & frozenset(telling_stems(later))
    return len(shared) > _FEWEST and 2 * len(shared) >= len(rule)


@lru_cache(maxsize=1 << 12)
def _ban(text: str) -> re.Match[str] | None:
    """What a rule forbids; asked of every rule beside every other."""
    return _BAN.search(text) if "no " in text.lower() else None


def forbidden(text: str) -> frozenset[str]:
    """The telling words for what a rule forbids; none where it is no ban."""
    ban = _ban(text)
    return frozenset(telling_stems(ban[1])) if ban else frozenset()


def forbid_alike(one: str, other: str) -> bool | None:
    """Whether two rules forbid the same thing on the same occasions: the later says how it is now.

    Not where they forbid different things, however alike the rest of their words is. Nothing where
    one is no ban, or what they forbid leaves it open.
    """
    ban = _ban(one)
    known = _ban(other) if ban else None
    if not ban or not known:
        return None
    things = frozenset(telling_stems(ban[1])), frozenset(telling_stems(known[1]))
    if not all(things) or things[0] != things[1]:
        return False if all(things) and not things[0] & things[1] else None
    if _weekdays(ban[2]) and not _weekdays(ban[2]) & _weekdays(known[2]):
        return False
    if _HOUR.search(ban[2]) and _HOUR.search(known[2]):
        return True
    return bool(frozenset(telling_stems(ban[2])) & frozenset(telling_stems(known[2]))) or None


def _weekdays(text: str) -> frozenset[str]:
    return frozenset(_WEEKDAY.findall(text.lower()))


def forbids_again(later: str, earlier: str) -> bool:
    """Whether a ban with an hour says an earlier one over again, in fewer words."""
    if not forbid_alike(later, earlier):
        return False
    (ban, known) = (one[2] if (one := _ban(text)) else "" for text in (later, earlier))
    if not (_HOUR.search(ban) and _HOUR.search(known)):
        return False
    if not frozenset(_FIGURE.findall(ban)) <= frozenset(_FIGURE.findall(known)):
        return False
    return frozenset(telling_stems(_HOUR.sub(" ", ban))) <= frozenset(telling_stems(known))
