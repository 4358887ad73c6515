"""What relative dates mean on the day they are said: "tomorrow", "last week", "on Monday"."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from itertools import islice

from lithify.regex import regex
from lithify.text.dates.named import (
    MONTH,
    PARTS,
    WEEKDAYS,
    Hit,
    Match,
    hit_of,
    month_number,
    reads,
    span_of,
    word_before,
)
from lithify.text.likeness import word_set

Cue = re.Match[str]
_DETERMINER = r"(?:the|an?|it|them|him|her|us|me|his|their|its|our|my|your|this|these|those)\b"
_CUE = regex(
    # What was meant to be, or would be, tells nothing about the day.
    r"\b(?:(?P<unsure>in(?=\s+on\s*\Z|\s*\Z)|(?:stays?|remains?)(?=\s+on\s*\Z|\s*\Z)|would|could|might|(?-i:may)|(?:should|must)(?:n['’]t)?\s+have|supposed|meant\s+to|used\s+to"
    r"|(?:was|were)(?:n['’]t)?\s+(?:to|due|going|coming|planned|scheduled|expected|about\s+to))"
    r"|(?P<ahead>will|won['’]t|shall|going\s+to|gonna|plans?\s+to|planned|scheduled|due|upcoming|expect(?:s|ed)?"
    r"|let['’]s|must|should|ha(?:s|ve)\s+to|needs?|(?<!was\s)(?<!were\s)(?<!been\s)(?<!not\s)needed|deadline"
    r"|pending|await\w*|coming|tomorrow|starts|begins|reminds?|reminder|can(?:not|['’]t)?|wants?|(?<=['’])ll"
    r"|(?<!had\s)(?<!out\s)to\s+be"
    # What is put on a day is to be done then.
    r"|(?:put|set|fixed)\s+(?:it|that|this|them)(?=\s+(?:on|for)\b|\s*\Z))"
    # What is set for a day is told in the present before it: "the review is on Monday".
    r"|(?P<set>am|is|are|(?:is|are|does|do)n['’]t|(?<=['’])(?:m|re)|takes|happens|opens|closes|lands|launches"
    r"|moves|meets|leaves|arrives|comes|ends|goes|returns|expires|resumes|gets?|be|come|go|arrive|begin"
    r"|follows?|continues?|joins?|delivers?|decides?|travels?|publish(?:es)?|installs?|speaks?|drives"
    r"|fl(?:y|ies)|finish(?:es)?|carr(?:y|ies)|stays?|remains?|tells|does|do"
    r"|(?<!the )end(?=\s+on\b|\s*\Z)"
    # "she has a test on Monday", "he sails on Sunday", "Ada brings the key on Monday"
    r"|ha(?:s|ve)(?=\s+(?:an?|the|his|her|its|their|my|our|your|no|it|two|three)\b)"
    r"|(?:(?<=\bhe\s)|(?<=\bshe\s)|(?<=\bit\s))(?!was\b|has\b|does\b)[a-z]{2,}s"
    r"|(?!(?:always|perhaps|sometimes|besides|\w+wards|days|times|hours|weeks|months|years|minutes)\b)"
    rf"[a-z]{{2,}}(?<![siu])s(?<!was)(?<!has)(?=\s+{_DETERMINER})"
    r"|(?-i:[A-Z][a-z]+\s+[a-z]{2,}(?<![siu])s(?<!was)(?<!has)(?=\s+(?:up|out|off|over|back|down|[A-Z]))))"
    r"|(?P<said>said|told|asked|wrote|answered|replied|suggested|proposed|reminded|warned|promised|agreed"
    r"|decided|announced|offered|wanted|hoped|ordered|requested|invited|booked|arranged|moved|postponed"
    r"|shifted|pushed|rescheduled)"
    r"|(?P<past>(?:was|were|did|had|has|have)(?:n['’]t)?|went|met|sent|got|came|saw|made|took|gave|held|kept|ran"
    r"|won|lost|built|found|spoke|left|done|grew|fell|rose|broke|began|brought|bought|paid|sold|threw|woke"
    r"|chose|drove|flew|taught|became|sat|stood|slept|heard|felt|knew|thought|caught|fought|sought|rang|sang"
    r"|drank|swam|hung|stuck|struck|dealt|drew|wore|tore|swore|froze|stole|hid|bit|ate|forgot|forgave|led"
    r"|bled|fed|fled|lent|bent|spent|burnt|learnt|meant|shot|shook|shrank|sank|slid|spun|swung|won|wound"
    r"|rode|rang|withdrew|understood|arose|laid|lit)"
    r"|(?P<ended>been|taken|given|seen|written|driven|shown|thrown|broken|chosen|spoken|frozen|eaten|fallen"
    r"|gone|begun|drawn|grown|worn|torn|hidden|forgotten|beaten|risen|(?!(?:hundred|indeed|need|feed|speed|seed|shed|exceed|proceed|embed)\b)\w{2,}ed))\b",
    re.IGNORECASE,
)
#: A participle before its noun tells nothing of when: "the shared sheet".
_ATTRIBUTE = regex(
    r"\b(?:the|an?|his|her|its|their|my|our|your|this|that|no|each)\s+(?:\w+ly\s+)?\Z",
    re.IGNORECASE,
)
#: Words between a verb and the participle it carries.
_BETWEEN = regex(r"\s+(?:(?:not|be|being|now|also|still|all|both|to|\w+ly)\s+)*", re.IGNORECASE)
#: Between these and a verb another verb's words begin.
_JOINT = regex(
    r"[,;:](?=\s|\Z)|\b(?:and|but|or|that|which|who|when|where|while|because|since|as|after|before|if|whether)\b",
    re.IGNORECASE,
)
_HELPING = word_set(
    "am is are be being been was were has have had get gets got stay stays remain remains"
)
#: Said of a thing in the present, these tell that it has been.
_OVER = word_set("done finished completed resolved fixed solved won lost")
#: What is only supposed lies ahead, whatever its participle: "if it is not done on Friday".
_SUPPOSED = regex(
    r"\b(?:if|unless|in\s+case|provided)\b(?!.*\b(?:was|were|had|did|would|could)(?:n['’]t)?\b)",
    re.IGNORECASE,
)
#: What is so on any such day is of none.
_HABIT_WORDS = regex(
    r"\A\W*every\b|\b(?:(?<!\bas\s)always|usually|normally|typically|generally|whenever|weekly|(?:mon|tues|wednes|thurs|fri|satur|sun)days"
    r"|(?:each|every)\s+(?:day|week|month|time|night|morning|\w+day))\b",
    re.IGNORECASE,
)
#: A day of whatever week is named: "by Tuesday noon of the board week".
_OF_A_WEEK = regex(
    r"\s*(?:noon|midday|lunch(?:time)?|morning|afternoon|evening|night)?\s*of\s+(?:(?!last|next|this)\w+\s+){1,3}week\b",
    re.IGNORECASE,
)
_VERBATIM = regex(r'["“][^"“”]*["”]|`[^`]*`|\([^()]*\)')
_STOP = regex(r"[.!?;:](?=\s|\Z)|[\n()|—–]|\s-\s")
#: What stands right before a weekday that opens its clause.
_OPENS = regex(r"(?:\A|,|\b(?:and|but|so|then|because|as|while|that))\s*\Z", re.IGNORECASE)
#: Whom one tells or asks. What else is told or asked for may be of another day than the telling.
_ASKED = regex(r"(?:\s+(?:to|with|me|us|him|her|them|you|again|all|both|and|[A-Z][\w’'-]*))*\s*")
#: What is said of a thing in a clause of its own has a verb of its own: "a check that runs on Sunday".
_OF_ITS_OWN = regex(r"\b(?:that|which|who)\s+[a-z]")
#: What has been so ever after: "a gap on Sunday, and late since".
_SINCE = regex(r"\bsince\W*\Z", re.IGNORECASE)
_INFINITIVE = regex(rf"\bto\s+(?!{_DETERMINER})(?=[a-z])")
#: What a deadline follows where it may be over.
_PASSED = regex(r"\b(?:was|were|had|did)(?:n['’]t)?\b|\balready\b", re.IGNORECASE)


def tense(text: str, start: int, end: int, *, leads: bool = True) -> str:
    """Whether the clause around a day looks back ("past") or ahead ("coming"), if it has a verb.

    "unsure" is a verb that could do either: "it would stop on Monday", "she asked for it on Monday";
    a "habit" is of no one day.
    `leads`: what is said in the present of the noun before it tells too: not so "the mail from
    Monday", which has long been there.
    """
    left = _left(text, start)
    right = _right(text, end)
    if _is_of_any(left, right):
        return "habit"
    if _SUPPOSED.search(left):
        return "coming"
    if _SINCE.search(right):
        return "past"
    opens = _OPENS.search(left) is not None
    if opens and (way := _first(right.removeprefix(","))):
        return way
    if not right.strip() or right[0] == ",":
        left = left.rstrip(", ")  # "she brings it, on Monday."
    cues = _cues(left)
    if cues:
        return _last(left, cues)
    if opens:
        return ""
    way = _first(right)
    return way if leads or way == "past" else ""


def is_of_any(text: str, start: int, end: int) -> bool:
    """Return whether what is said of a day is said of any such day."""
    return _is_of_any(_left(text, start), _right(text, end))


def _is_of_any(left: str, right: str) -> bool:
    return any(map(_HABIT_WORDS.search, (left, right))) or _OF_A_WEEK.match(right) is not None


def is_bare(text: str, start: int) -> bool:
    """Whether the words before a day end in a participle without its verb: "build frozen on Friday"."""
    left = _left(text, start)
    cues = _cues(left)
    if not cues or not cues[-1]["ended"] or left[cues[-1].end() :].strip():
        return False
    return len(cues) == 1 or not _helps(left, cues[-2], cues[-1])


def looks_back(text: str, start: int) -> bool:
    """Whether the verb before a stretch of time tells what has been: "finished in 3 days"."""
    left = _left(text, start)
    cues = _cues(left)
    return bool(cues) and _last(left, cues) in ("past", "unsure")


def may_be_over(text: str, start: int) -> bool:
    """Return whether a deadline is told of what has been: "was stable by Friday"."""
    return _PASSED.search(_left(text, start)) is not None


def _left(text: str, start: int) -> str:
    """Return the words of the sentence before a place, without what others are quoted with."""
    before = _VERBATIM.sub(" ", text[max(0, start - 240) : start])
    return _STOP.split(before)[-1]


def _right(text: str, end: int) -> str:
    return _STOP.split(_VERBATIM.sub(" ", text[end : end + 120]), maxsplit=1)[0]


# Every day of a sentence is asked, and logs repeat themselves.
@lru_cache(maxsize=1 << 10)
def _cues(left: str) -> tuple[Cue, ...]:
    return tuple(
        cue
        for cue in _CUE.finditer(left)
        if not (cue["ended"] and _ATTRIBUTE.search(left, 0, cue.start()))
    )


def _last(left: str, cues: Sequence[Cue]) -> str:
    """Return where the last verb before a day points: a participle points where its verb does."""
    at = len(cues) - 1
    while at and (_helps(left, cues[at - 1], cues[at]) or _rules(left, cues[at - 1], cues[at])):
        at -= 1
    last = cues[at]
    after = left[cues[-1].end() :]
    if last["unsure"]:
        return "unsure"
    if last["ahead"]:
        return "coming"
    if "," in after:
        # "The pump was tested, delivery on Friday": the day's own words have no verb.
        return ""
    if last["set"]:
        return "coming"
    if last["said"]:
        return "past" if _ASKED.fullmatch(after) else "unsure"
    return "unsure" if _INFINITIVE.search(after) or _OF_ITS_OWN.search(after) else "past"


@lru_cache(maxsize=1 << 10)
def _first(right: str) -> str:
    """Return where the verb after a day points, as far as the day's own clause goes."""
    joint = _JOINT.search(right)
    right = right[: joint.start()] if joint else right
    cues = list(islice(_CUE.finditer(right), 2))
    if not cues:
        return ""
    first = cues[0]
    if first["unsure"]:
        return "unsure"
    if first["ahead"]:
        return "coming"
    if first["set"]:
        over = len(cues) > 1 and cues[1][0].lower() in _OVER
        return "past" if over else "coming"
    return "past"


def _helps(text: str, verb: Cue, other: Cue) -> bool:
    """Whether a verb carries the one right after it: "is closed", "will be moved", "did not get"."""
    word = verb[0].lower()
    if not (verb["unsure"] or word.startswith("did")):
        if not (verb["ahead"] or word in _HELPING):
            return False
        if other["unsure"] or other["ahead"] or other["set"]:
            return False
        if verb["set"] and other[0].lower() in _OVER:
            return False
    return _BETWEEN.fullmatch(text, verb.end(), other.start()) is not None


def _rules(text: str, verb: Cue, participle: Cue) -> bool:
    """Return whether a wish or plan holds what comes after it: "wants all boxes packed"."""
    if not (verb["ahead"] and (participle["ended"] or participle["set"])):
        return False
    return _JOINT.search(text, verb.end(), participle.start()) is None


# What relative dates mean on the day they are said: "tomorrow", "last week", "on Monday".


# Imported first: of two rules that fit, the one that was given first is tried first.

_SMALL_NUMBERS = "one two three four five six seven eight nine ten eleven twelve"
_COUNTS = {word: n for n, word in enumerate(_SMALL_NUMBERS.split(), 1)}
_COUNTS |= {"a": 1, "an": 1, "couple": 2, "of": 2, "few": 3, "several": 4}
_BEFORE_WEEKDAY = "by until till before on since from after through starting effective due eod"
_PART = rf"(?:\s+(?P<part>{PARTS})\b)?"
WEEKDAY = (
    r"(?P<weekday>(?i:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    # "On Monday nights" is every Monday, and "Monday week" is not the coming one.
    rf"|Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b(?!\s+(?:(?:{PARTS})s|week)\b)"
)
_COUNT = (
    r"(?P<count>(?<![\d.,])\d{1,3}|(?:an?\s+)?(?:couple(?:\s+of)?|few)|several|an?"
    rf"|{_SMALL_NUMBERS.replace(' ', '|')})"
)
BESIDE = regex(r"\s*[,(]\s*|\s+(?:the\s+)?(?=\d|[A-Z][a-z]+\.?\s+\d)")


#: "28 in five days" and "the first crash in two weeks" are how many, not when.
_AMOUNT = regex(
    r"(?<!\bin\s)(?:\b(?:no|none|nothing|once|twice|times?|only|\w+est|most|first|second|third|\d+(?:st|nd|rd|th)"
    rf"|{_SMALL_NUMBERS.replace(' ', '|')}|\w+teen|\w+ty|dozens?|hundreds?)\b|(?<![\w.,:/-])\d+(?:[.,]\d+)?(?:\s?%)?\s+(?=\Z|[a-z]))"
    r"(?!\s*(?:minute|hour|day|week|month|year)s?\s+(?:ago|from)\b)",
    re.IGNORECASE,
)
_WORKING_WEEK = regex(r"\s*(?:to|through|till|until|[-–])\s*(?:fri|sat|sun)", re.IGNORECASE)
_LATER = regex(r"\b(?:will|due|expires?|ends|starts|begins)\b|['’]ll\b", re.IGNORECASE)
#: Before "last" and "next" these tell of an order and no day: "her last Monday", "the next week".
_OWNED = regex(
    r"(?:\b(?:the|an?|my|our|your|his|her|its|their|whose|every|each)|['’]s|s['’])\s+\Z",
    re.IGNORECASE,
)
#: The last of its kind: "the whole last week of May", and "Last month at that price." by itself.
_OF_ITS_KIND = regex(r"\s+of\b", re.IGNORECASE)
_WITHOUT_VERB = regex(
    r"\s+(?:at|before|with|for)(?:\s+(?!(?:i|we|you|he|she|it|they)\b)[\w'-]+){1,3}(?:[.!?]|\Z)",
    re.IGNORECASE,
)
#: After "the last Monday" this is what was that day: "the last Monday meeting", not "of May".
_ATTRIBUTED = regex(
    r"\s+(?!(?:of|but|in|at|here|there|before|after|was|is|were|are|will|when|and|or|for|with|on|to|by|that|we"
    r"|he|she|they|it)\b)[a-z]{2,}"
)
#: The day of the month beside a weekday says which week is meant.
_THE_NTH = (
    r"(?:,?\s+(?:the\s+)?(?P<nth>\d{1,2})(?:st|nd|rd|th)\b"
    r"|\s+(?P<bare>[12]?\d|3[01])(?=[,;)](?!\d)|\.?\s*\Z|\.\s|\s+(?:to|and|at|or|until)\b))"
)
MORE = regex(rf"\s*(?P<joint>[/&–-]|\b(?:and|or|to|through)\b)\s*{WEEKDAY}(?!{_THE_NTH})")


def weekday_of(match: Match) -> int:
    word = match["weekday"].lower()
    return next(n for n, name in enumerate(WEEKDAYS) if name.startswith(word[:3]))


def _shift(day: date, unit: str, by: int) -> date:
    if unit in ("day", "week", "weekend"):
        return day + timedelta(by if unit == "day" else 7 * by)
    months = day.year * 12 + day.month - 1 + by * {"month": 1, "quarter": 3, "year": 12}[unit]
    year, month = divmod(months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


@reads(
    "today tonight yesterday tomorrow",
    # "Tomorrow week" is a week after it, "today week on week" is today.
    rf"(?P<word>today|tonight|yesterday|tomorrow)\b(?:(?P<later>\s+week)\b(?!\s+(?:on|by|in|after)\b)|{_PART})",
)
def _near(match: Match, anchor: date) -> Hit:
    word = match["word"].lower()
    day = anchor + timedelta({"yesterday": -1, "tomorrow": 1}.get(word, 0))
    day += timedelta(7 if match["later"] else 0)
    return hit_of(
        match, day, (match["part"] or ("evening" if word == "tonight" else "day")).lower()
    )


@reads(
    "the day",
    r"(?:the\s+)?(?P<unit>day)\s+(?:(?P<back>before)\s+yesterday|after\s+tomorrow)\b",
)
@reads(
    "the week",
    r"(?:the\s+)?(?P<unit>week)\s+(?:(?P<back>before)\s+last|after\s+next)\b",
)
def _beyond(match: Match, anchor: date) -> Hit:
    unit = match["unit"].lower()
    day = _shift(anchor, unit, -2 if match["back"] else 2)
    return hit_of(match, span_of("week", day) if unit == "week" else day, unit)


_DAYS = " ".join((*WEEKDAYS, "mon tue tues wed thu thur thurs fri sat sun"))


@reads(_DAYS, rf"{WEEKDAY}(?i:\s+(?:of\s+)?(?P<way>last|next|this)\s+week)\b", 0)
@reads("last next this", rf"(?i:(?P<way>last|next|this)\s+week,?\s+on)\s+{WEEKDAY}", 0)
def _week_and_weekday(match: Match, anchor: date) -> Hit:
    monday, _ = span_of("week", anchor)
    by = {"last": -7, "next": 7}.get(match["way"].lower(), 0)
    return hit_of(match, monday + timedelta(by + weekday_of(match)), "day")


@reads(
    f"{_DAYS} last next this coming",
    rf"(?:(?i:last|next|this|coming)\s+)?{WEEKDAY}{_THE_NTH}(?!\s+(?:of\s+)?[A-Z])"
    # "Sat 21 and Sun 22 November": the month of the second is that of both.
    r"(?!\s*(?:and|or|&)\s*(?:[A-Z][a-z]+\s+)?\d{1,2}(?:st|nd|rd|th)?\s+[A-Z][a-z])",
    0,
)
def _weekday_and_nth(match: Match, anchor: date) -> Hit | None:
    nth, weekday = int(match["nth"] or match["bare"]), weekday_of(match)
    near = (anchor + timedelta(step) for step in range(-60, 61))
    days = [day for day in near if (day.day, day.weekday()) == (nth, weekday)]
    return hit_of(match, min(days, key=lambda day: abs(day - anchor)), "day") if days else None


@reads(
    "last next this",
    rf"(?P<way>this\s+past|this\s+coming|last|next|this)\s+(?P<unit>weekend|week|month|quarter|year|{PARTS})\b",
)
def _step(match: Match, anchor: date) -> Hit | None:
    way, unit = _way(match), match["unit"].lower()
    owned = _OWNED.search(match.string, max(0, match.start() - 12), match.start())
    if unit in PARTS.split("|"):
        if way == "next" or (way == "last" and (unit != "night" or owned)):
            return None
        return hit_of(match, anchor - timedelta(way == "last"), unit)
    # "the last week" is a stretch of seven days, not a week of the calendar.
    if way != "this" and (owned or _is_rank(match)):
        return None
    if way == "this" and _OF_ITS_KIND.match(match.string, match.end()):
        return None  # "this month of worry"
    return hit_of(
        match, span_of(unit, _shift(anchor, unit, {"last": -1, "this": 0}.get(way, 1))), unit
    )


def _is_rank(match: Match) -> bool:
    """Return whether "last" and "next" tell of an order: "Last Thursday before his holiday." """
    if _OF_ITS_KIND.match(match.string, match.end()):
        return True
    opens = _opens_sentence(match.string, match.start())
    return opens and _WITHOUT_VERB.match(match.string, match.end()) is not None


def _opens_sentence(text: str, start: int) -> bool:
    """Return whether a place is the text's beginning, or only white space parts it from a stop."""
    at = start
    while at and text[at - 1].isspace():
        at -= 1
    return start == 0 or (0 < at < start and text[at - 1] in ".!?:;")


def _way(match: Match) -> str:
    word: str = match["way"].lower().split()[-1]
    return "last" if word == "past" else word


@reads(
    "last next this coming",
    rf"(?i:(?P<way>this\s+past|this\s+coming|last|next|this|coming))\s+{WEEKDAY}(?i:{_PART})(?!{_THE_NTH})",
    0,
)
def _step_weekday(match: Match, anchor: date) -> Hit | None:
    way = _way(match)
    owned = _OWNED.search(match.string, max(0, match.start() - 12), match.start())
    if way in ("last", "next") and owned and not _ATTRIBUTED.match(match.string, match.end()):
        return None
    if way == "last" and _is_rank(match):
        return None
    day, sure = _stepped(anchor, weekday_of(match), way)
    form = (match["part"] or "day").lower()
    unclear = "" if sure or way == "last" else "either"
    return hit_of(match, day, form, sure)._replace(unclear=unclear)


def _stepped(anchor: date, weekday: int, way: str) -> tuple[date, bool]:
    """The day that "last", "next" or "this" weekday means, and whether it has no second reading."""
    monday, today = anchor - timedelta(anchor.weekday()), anchor.weekday()
    if way == "next":
        return monday + timedelta(7 + weekday), weekday <= today
    if way == "last":
        return anchor - timedelta((today - weekday - 1) % 7 + 1), weekday >= today
    if way == "this":
        return monday + timedelta(weekday), weekday >= today
    return _on_weekday(anchor, weekday, way), True


@reads(
    _BEFORE_WEEKDAY,
    rf"(?P<way>[A-Za-z]+)\s+(?P<said>{WEEKDAY}(?i:{_PART}))(?!{_THE_NTH}|\s+(?i:(?:of\s+)?(?:last|next|this)\s+week)\b)",
    0,
)
def _after_preposition(match: Match, anchor: date) -> Hit:
    said, (start, end) = match["way"].lower(), match.span()
    exact = False
    if said in ("on", "from", "after", "starting", "effective"):
        way = tense(match.string, start, end, leads=said == "on")
        if said == "on" and word_before(match.string, start) == "as":
            way = "past"  # "else as on Friday"
        if way == "coming" and said == "on" and weekday_of(match) == anchor.weekday():
            way = "unsure"  # of the day itself one says "today"
        if way == "coming" and weekday_of(match) == 0 and _WORKING_WEEK.match(match.string, end):
            way = "habit"  # "open from Monday to Friday"
        if not way and said in ("starting", "effective"):
            way = "coming"
    elif said == "since":
        way = "past"
    elif is_of_any(match.string, start, end):
        way = "habit"
    else:
        exact = not may_be_over(match.string, start)
        way = "coming" if exact else "unsure"
    day = _on_weekday(anchor, weekday_of(match), way)
    form = (match["part"] or "day").lower()
    unclear = {"": "no verb", "unsure": "either", "habit": "habit"}.get(way, "")
    bare = way == "past" and said == "on" and is_bare(match.string, start)
    return Hit(*match.span("said"), day, day, form, exact, unclear, bare)


def _on_weekday(anchor: date, weekday: int, way: str) -> date:
    """Return the weekday before or after a day, or that day itself."""
    ahead = (weekday - anchor.weekday()) % 7
    return anchor + timedelta(ahead - 7 if way == "past" and ahead else ahead)


@reads("last next this", rf"(?P<way>last|next|this)\s+{MONTH}(?!\w|\s+\d)")
def _step_month(match: Match, anchor: date) -> Hit:
    month, way = month_number(match), _way(match)
    year = anchor.year + (way == "next" and month <= anchor.month)
    year -= way == "last" and month >= anchor.month
    return hit_of(match, span_of("month", date(year, month, 1)), "month")


_HABIT = regex(
    r"\b(?:always|never|every|each|any|usually|normally|typically|generally|within|if|whenever|once)\b"
    r"|(?<!\bwill )(?<!'ll )(?<!\bto )(?<!\bmay )(?<!must )(?<!should )(?<!could )(?<!might )"
    r"\b(?:expire|renew|reset|rotate|lapse|respond|reply|answer|pay|refund|retry|arrive|ship)\s+\Z",
    re.IGNORECASE,
)


#: "So in one month it has been 40 and 50": what came within it.
_HAS_BEEN = regex(r",?\s+(?:it|he|she|they|we|i|you)\s+(?:has|have|had)\b", re.IGNORECASE)
#: From when on a bill's days count is not said.
_BILL = regex(r"\b(?:bills?|invoices?|payments?|payable)\b", re.IGNORECASE)


def _is_term(text: str, start: int, end: int) -> bool:
    """Whether a stretch of time is a rule's or a count's: "links expire in 7 days" names no day."""
    said = text[max(0, start - 120) : start]
    if _HAS_BEEN.match(text, end) or (said.rstrip().endswith("due") and _BILL.search(said)):
        return True
    left = re.split(r"[.!?;\n]", said)[-1]
    amounts = list(_AMOUNT.finditer(left))
    if amounts and not _LATER.search(left, amounts[-1].end()):
        return True
    return _HABIT.search(left) is not None


_UNIT = r"(?P<unit>minute|hour|day|week|month|year)s?"


@reads(
    "1 2 3 couple several " + " ".join(_COUNTS),
    # "30 days from today" is a term at least as often as a date: its figure stays.
    rf"{_COUNT}\s+{_UNIT}\s+(?P<way>ago|from\s+now)\b(?!\s+on)",
)
@reads("1 2 3", r"(?P<count>(?<![\d.,])\d{1,3})\s?(?P<unit>[hdwmy])\s+(?P<way>ago)\b")
@reads(
    "in",
    rf"(?P<way>in)\s+{_COUNT}\s+(?!minute|hour){_UNIT}(?:['’]?\s+time)?\b(?!['’-]|\s+(?:ago|after|before|of|from)\b)",
)
def _counted(match: Match, anchor: date) -> Hit | None:
    words, way, unit = match["count"].lower().split(), match["way"].lower(), match["unit"].lower()
    count = int(words[0]) if words[0].isdigit() else _COUNTS[words[-1]]
    unit = next(
        name for name in ("hour", "minute", "day", "week", "month", "year") if name.startswith(unit)
    )
    if way == "in" and (
        (count, unit) == (1, "day")
        or looks_back(match.string, match.start())
        or _is_term(match.string, match.start(), match.end())
    ):
        return None  # "finished in 3 days" is how long, not when
    if unit in ("hour", "minute"):
        if way != "ago":
            return None
        return hit_of(match, anchor, "day", exact=False)
    sign = -1 if way == "ago" else 1
    if words[-1] in ("few", "several"):
        ends = sorted(_shift(anchor, unit, sign * n) for n in (2, 6))
        form = f"{match['count'].lower()} {unit}s {'before' if sign < 0 else 'after'}"
        return hit_of(match, (ends[0], ends[1]), form, exact=False)
    day = _shift(anchor, unit, sign * count)
    if unit in ("day", "week"):
        exact = unit == "day" and "couple" not in words
        return hit_of(match, day, "day" if exact else "about day", exact=exact)
    return hit_of(match, span_of(unit, day), f"about {unit}", exact=False)


_ENDS = {"d": "day", "b": "day", "w": "week", "m": "month", "q": "quarter", "y": "year"}


@reads(
    "eod cob eow eom eoq eoy",
    rf"(?P<unit>EOD|COB|EOW|EOM|EOQ|EOY)\b(?!\s+(?:on\s+)?(?:(?i:today|tomorrow|the)\b|{WEEKDAY}|\d|(?i:{MONTH})))",
    0,
)
@reads(
    "the end",
    r"(?:the\s+)?end\s+of\s+(?:the\s+|this\s+)?(?P<unit>day|week|month|quarter|year)\b(?!\s+of\b|['’-])",
)
def _end(match: Match, anchor: date) -> Hit | None:
    unit = (
        _ENDS.get(match["unit"][-1].lower()) if match["unit"].isupper() else match["unit"].lower()
    )
    # "at the end of the day" is a manner of speaking.
    if unit is None or (
        not match["unit"].isupper()
        and word_before(match.string, match.start()) not in ("by", "before", "until", "till")
    ):
        return None
    return hit_of(match, anchor if unit == "day" else span_of(unit, anchor), f"end {unit}")
