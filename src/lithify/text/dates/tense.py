"""Which way a weekday points: back or ahead, by the verb of the clause it stands in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from lithify.text.dates.hit import word_set

Cue = re.Match[str]

_DETERMINER = r"(?:the|an?|it|them|him|her|us|me|his|their|its|our|my|your|this|these|those)\b"

_CUE = re.compile(
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
_ATTRIBUTE = re.compile(
    r"\b(?:the|an?|his|her|its|their|my|our|your|this|that|no|each)\s+(?:\w+ly\s+)?\Z",
    re.IGNORECASE,
)
#: Words between a verb and the participle it carries.
_BETWEEN = re.compile(
    r"\s+(?:(?:not|be|being|now|also|still|all|both|to|\w+ly)\s+)*", re.IGNORECASE
)
#: Between these and a verb another verb's words begin.
_JOINT = re.compile(
    r"[,;:](?=\s|\Z)|\b(?:and|but|or|that|which|who|when|where|while|because|since|as|after|before|if|whether)\b",
    re.IGNORECASE,
)
_HELPING = word_set(
    "am is are be being been was were has have had get gets got stay stays remain remains"
)
#: Said of a thing in the present, these tell that it has been.
_OVER = word_set("done finished completed resolved fixed solved won lost")
#: What is only supposed lies ahead, whatever its participle: "if it is not done on Friday".
_SUPPOSED = re.compile(
    r"\b(?:if|unless|in\s+case|provided)\b(?!.*\b(?:was|were|had|did|would|could)(?:n['’]t)?\b)",
    re.IGNORECASE,
)
#: What is so on any such day is of none.
_HABIT = re.compile(
    r"\A\W*every\b|\b(?:(?<!\bas\s)always|usually|normally|typically|generally|whenever|weekly|(?:mon|tues|wednes|thurs|fri|satur|sun)days"
    r"|(?:each|every)\s+(?:day|week|month|time|night|morning|\w+day))\b",
    re.IGNORECASE,
)
#: A day of whatever week is named: "by Tuesday noon of the board week".
_OF_A_WEEK = re.compile(
    r"\s*(?:noon|midday|lunch(?:time)?|morning|afternoon|evening|night)?\s*of\s+(?:(?!last|next|this)\w+\s+){1,3}week\b",
    re.IGNORECASE,
)
_VERBATIM = re.compile(r'["“][^"“”]*["”]|`[^`]*`|\([^()]*\)')
_STOP = re.compile(r"[.!?;:](?=\s|\Z)|[\n()|—–]|\s-\s")
#: What stands right before a weekday that opens its clause.
_OPENS = re.compile(r"(?:\A|,|\b(?:and|but|so|then|because|as|while|that))\s*\Z", re.IGNORECASE)
#: Whom one tells or asks. What else is told or asked for may be of another day than the telling.
_ASKED = re.compile(
    r"(?:\s+(?:to|with|me|us|him|her|them|you|again|all|both|and|[A-Z][\w’'-]*))*\s*"
)
#: What is said of a thing in a clause of its own has a verb of its own: "a check that runs on Sunday".
_OF_ITS_OWN = re.compile(r"\b(?:that|which|who)\s+[a-z]")
#: What has been so ever after: "a gap on Sunday, and late since".
_SINCE = re.compile(r"\bsince\W*\Z", re.IGNORECASE)
_INFINITIVE = re.compile(rf"\bto\s+(?!{_DETERMINER})(?=[a-z])")
#: What a deadline follows where it may be over.
_PASSED = re.compile(r"\b(?:was|were|had|did)(?:n['’]t)?\b|\balready\b", re.IGNORECASE)


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
    """Whether what is said of a day is said of any such day."""
    return _is_of_any(_left(text, start), _right(text, end))


def _is_of_any(left: str, right: str) -> bool:
    return any(map(_HABIT.search, (left, right))) or _OF_A_WEEK.match(right) is not None


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
    """Whether a deadline is told of what has been: "was stable by Friday"."""
    return _PASSED.search(_left(text, start)) is not None


def _left(text: str, start: int) -> str:
    """The words of the sentence before a place, without what others are quoted with."""
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
    """Where the last verb before a day points: a participle points where its verb does."""
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
    """Where the verb after a day points, as far as the day's own clause goes."""
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
    """Whether a wish or plan holds what comes after it: "wants all boxes packed"."""
    if not (verb["ahead"] and (participle["ended"] or participle["set"])):
        return False
    return _JOINT.search(text, verb.end(), participle.start()) is None
