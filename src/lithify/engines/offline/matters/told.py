"""Sentences that tell a change themselves: what was, and what is."""

from __future__ import annotations

import re
from functools import lru_cache

from lithify import cues
from lithify.engines.offline.matters.amounts import SAID
from lithify.engines.offline.matters.shifts import leads_to_another, shifts_in

_DIGIT = re.compile(r"\d")
_DAY_NAMES = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
#: A sentence that tells a change itself, old and new.
_TOLD = re.compile(
    r"\b(?:from (?:[A-Z][a-z]+day )?\S*\d\S*(?: [^\s.]+){0,3} to (?:[A-Z][a-z]+day )?\S*\d|(?:up|down) from \S*\d|where it was \S*\d|"
    r"(?:formerly|previously|used to be|before that) [$€£]?\d\S*\b|"
    r"against \S*\d\S*(?: \w+)? (?:last|the) (?:week|month|quarter|year)|"
    rf"(?:{_DAY_NAMES}|last (?:week|month|quarter|year)) (?:was|were|had) [$€£]?\d|"
    r"the old (?:[\w-]+ ){1,3}was \S*\d|"
    r"(?<!\bthe )(?<!\ba )(?:moves?|moved|brought|pushed|put|postponed) (?:\w+ )?from (?:\w+ )?\d?\S* (?:\d+ )?to \b|"
    r"(?:no longer|instead of|rather than|in place of) (?:at |on )?(?:(?:the|its) (?:\w+ )?)?(?:[A-Z][a-z]+day )?"
    r"(?:\S*\d|(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice)\b|"
    r"(?:hourly|daily|weekly|monthly|quarterly|yearly)\b)|"
    r"(?:takes?|took|taking|taken) over\b[^.;]{3,60}\bfrom (?-i:[A-Z])|"
    rf"(?:takes?|took|taking) [^.;,]{{3,40}} over from (?-i:(?!{_DAY_NAMES})[A-Z])|(?-i:[A-Z])\w+ replace[sd] (?-i:[A-Z])|"
    r"(?:leaves?|left|drop(?:s|ped)?) (?-i:[A-Z])[\w& ]+ and (?:goes?|went) with (?-i:[A-Z])|"
    r"(?:goes|moves|passes|handed over|switched) from (?-i:[A-Z]\w+) to\b)|"
    r"(?:\((?:it )?was|[,;] (?:\w+ ){0,2}was) [$€£]?\d\S*\b|\d[^()\d]{0,40}\([$€£]?\d\S*(?: \w+)? before\b|"
    r"\d[^.;:()]{0,30} became [$€£]?\d|"
    rf"(?:,| and) not (?:on |at )?(?:the )?(?:[A-Z][a-z]+day )?(?:{_DAY_NAMES} )?\S*\d|"
    rf"\b(?:{SAID}) [^.;:,()]{{0,40}}and not (?:{SAID})(?=[.,;]|$| \()|"
    r"(?<![\w./#-])\d\S*(?: \w+)? ?(?:->|→|=>) ?\S*\d",
    re.I,
)
#: A figure, a day of a month or of the week.
_VALUE = (
    r"(?:on |at |for )?(?:the )?(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?,? )?"
    rf"(?:[$€£]?\d[\d,.]*|(?:{_DAY_NAMES}) \d|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twice)\b)"
)
#: A sentence that tells to what something was changed, and not from what.
_SET = re.compile(
    r"\b(?:(?:put (?:off|back)|postponed|extend(?:s|ed)|lengthened|prolonged|delayed|moved?|moves|shifted)"
    rf"(?: [^.;:,]{{1,40}}?)? (?:to|until|till) {_VALUE}|"
    r"(?:put (?:up|down|me up|us up)|pushed(?: back)?|brought forward|rais(?:e|es|ed)|lower(?:s|ed)|cuts?|reduc(?:e|es|ed)|"
    r"increas(?:e|es|ed)|chang(?:e|es|ed)|slip(?:s|ped)|(?:goes|go|went|gone|comes?|came|is|are|was|were|all)(?: again)? (?:up|down|back)|"
    rf"back (?:down|up)|(?<!going )back)(?: [^.;:,]{{1,40}}?)? to {_VALUE}|"
    rf"(?:we|i|he|she|they) (?:now )?(?:make|makes|made) (?:it|that|them) {_VALUE}|"
    rf"(?:set|fixed|capped|limited) (?:it |them )?(?:to|at) {_VALUE}|"
    r"new (?:[a-z]+ )?(?:date|day|deadline|price|limit|time|target|rate|figure|term|total|sum|count|quote|offer)"
    rf"(?: is|:|,| of| now)* {_VALUE}|"
    rf"(?:is|are) (?:now|to be|therefore) {_VALUE}|"
    rf"{_VALUE}(?: [a-z%]+){{0,4}} (?:as of|(?:as )?from) "
    rf"(?:now on|today|tomorrow|next|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|\d{{1,2}}(?!\d)|{_DAY_NAMES} \d))",
    re.I,
)
_MAY_TELL = re.compile(
    r"\bfrom |replace[sd] |instead |rather |place of |no longer |and not |and (?:goes?|went) with ",
    re.I,
)
#: A decision told with what took its place.
_TURNED = re.compile(
    r"^[^:.;]{2,60}: from [^:.;]{1,60} to |\. Reversed(?: on \d{1,2} [A-Z][a-z]{2})?: "
)
_SWITCHED = re.compile(
    r"\b(?:switch|chang|migrat|mov|convert|turn)\w*\b[^.;:]{0,40}\bfrom [^.;:,]{1,40} (?:in)?to ",
    re.I,
)
_SHIFTS = re.compile(
    r"\b(?:mov|chang|shift|push|brought|bring|correct|updat|postpon|revis|reschedul|delay|slip|goes|went)\w*\b[^.;]{0,40}$",
    re.I,
)
CLOCKED = re.compile(r"\d{1,2}:\d{2}")
#: Bare numbers that may be hours.
_HOURS = re.compile(r"from \d{1,2} to \d{1,2}(?=[.,;)]|$| (?:and|or|but|on|in|at|with)\b)")
_DATED = re.compile(rf"\b{_DAY_NAMES}\b")
_PROPOSED = re.compile(r"\b(?:propos\w+|suggest\w*|would like|wants?|prefers?|asks?|idea)\b", re.I)


@lru_cache(maxsize=1 << 13)
def tells_change(text: str) -> bool:
    """Whether a sentence gives a value's old state beside the new, or a choice and its reversal."""
    if _TURNED.search(text):
        return True
    told = told_in(text)
    if told is None:
        return bool(shifts_in(text))
    if told[0][0].isdigit() and leads_to_another(text):
        return False
    # "From 10:00 to 12:00" is a span, unless something moves from the one to the other.
    when = text[told.start() : told.end() + 12]
    if _HOURS.match(when):
        return bool(shifts_in(text))
    if told[0][0] not in "fF" or not (CLOCKED.search(when) or _DATED.search(when)):
        return True
    return _SHIFTS.search(text[: told.start()]) is not None


@lru_cache(maxsize=1 << 13)
def sets_value(text: str) -> bool:
    """Whether a sentence tells to what a value was changed."""
    return _DIGIT.search(text) is not None and _SET.search(text) is not None


def change_at(text: str) -> int:
    """Where in a sentence the change begins that it tells; -1 where it tells none."""
    told = told_in(text)
    return told.start() if told else -1


def told_in(text: str) -> re.Match[str] | None:
    """Where a sentence tells a change: it has a figure there, or says from what to what."""
    could = _DIGIT.search(text) is not None or _MAY_TELL.search(text) is not None
    return _TOLD.search(text) if could else None


def tells_turn(text: str) -> bool:
    """Whether a decision says what it turns from and what to."""
    return tells_change(text) or _SWITCHED.search(text) is not None


def is_proposed(text: str) -> bool:
    """Whether a change is only somebody's wish."""
    return _PROPOSED.search(text) is not None or cues.is_tentative(text)
