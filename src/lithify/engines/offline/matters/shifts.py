"""What one sentence tells as changed: of what, from what, to what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from lithify.engines.offline.matters.amounts import (
    DATED,
    LASTING,
    MEASURES,
    MON,
    MONTH,
    SAID,
    is_figure,
    kind_of,
    may_be_hours,
    measure_after,
    of_one_kind,
)
from lithify.engines.offline.reading.text import split
from lithify.engines.offline.reading.units import stems_in
from lithify.text.stems import COMMON_STEMS

_WEEKDAY = r"(?:(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )"
_SPAN = rf"\d{{1,2}}(?:[-–]| {MONTH} - )\d{{1,2}} {MONTH}"
_DAY = (
    rf"{_SPAN}|{_WEEKDAY}?(?:the )?(?:\d{{1,2}}(?:(?:st|nd|rd|th)?(?: of)? {MONTH}|st|nd|rd|th)|{MONTH} \d{{1,2}})"
    rf"(?:,? \d{{4}})?|{_WEEKDAY}(?:the )?\d{{1,2}}"
)
_MAY_SHIFT = re.compile(
    r" to |->|→|=>| (?:instead|rather|in place|no longer|not) |[.] (?:It |They )?w(?:as|ere) |"
    r"\([^()]*\b(?:was|were|before|until now)\b|, (?:it|that|they) w",
    re.I,
)
#: A number, or a time; never the half of a word.
_NUMBER = (
    rf"{LASTING}|[$€£]?\s?v?\d[\d,.:]*(?<![,.:])(?:[A-Za-z]{{1,3}}\b)?(?:\s?[%°‰][CF]?)?(?!\w)"
)
#: What a figure counts: few words that open no clause of their own.
_STOPS = (
    r"and|or|but|so|because|since|which|who|that|when|while|where|if|until|unless|as|by|to|from|on|in|at|for|of|"
    r"with|without|within|during|after|before|through|under|than|instead|rather|not|no|now|is|are|was|were|has|have|had|"
    r"will|would|again|already|up|down|back|over|per|a|an|each|every|it|we|i|he|she|they|the|this|these|first|only|just"
)
_COUNTED = rf" (?!(?:{_STOPS})\b)(?:[a-z][\w/-]*|[A-Za-z]{{2,3}})(?=$|[\s.,;:!?)\"'*])"
#: One word, or two that end where the clause does: "60 tidal" is no count of anything.
_UNIT = (
    rf"(?:(?:{_COUNTED}){{1,2}}(?=$|[.,;:!?)\"'*]| [^\w\s]| (?:{_STOPS})\b))?"
    r"(?: (?:an?|per|each) [a-z]+\b)?"
)
_FIGURE = rf"(?:(?:{_DAY})(?![\d.,:]*\d)|{_NUMBER})"
VALUE = rf"{_FIGURE}{_UNIT}"
#: And in a sentence a number that is written out.
_AMOUNT = rf"(?:{_FIGURE}|(?:{SAID})\b){_UNIT}"
_NAME = r"[A-Z][\w'-]*(?: (?:& )?[A-Z][\w'-]*){0,2}"
_CODE = r"[A-Z]+[A-Z\d]*-?\d[\w.-]*"
_MOVES = (
    r"(?:mov|rais|lower|increas|reduc|postpon|push|chang|extend|shorten|shift|switch|migrat|updat|upgrad|convert|"
    r"reschedul|delay|correct|rebook|relax|tighten|slip|climb|dropp|drop|lift|bring|brought)"
)
_TRANSITIVE = re.compile(
    rf"\b(?:{_MOVES}(?:e|es|ed|s|ing)?|cuts?|cutting|puts?|sets?|takes?|took|brings?|brought)\s+"
    r"(?!(?:in|at|on|for|of|by|to|from|with)\b)(?=(?:the|our|its|their|his|her|my|all|both|each|an?|every)\b|[^\W_])",
    re.I,
)
ENDING = re.compile(
    rf"(?:(?:^|\s+)(?:is|are|was|were|be|been|being|has|have|had|will|shall|now|then|therefore|thus|already|again|also|"
    rf"just|only|down|up|back|over|forward|out|goes|go|going|gone|went|comes?|came|coming|falls?|fell|fallen|rises?|"
    rf"rose|risen|grows?|grew|grown|shrinks?|shrank|jumps?|jumped|cut|set|put|taken|moves?|{_MOVES}(?:e|es|ed|s|ing|ped)?))+$",
    re.I,
)
#: "Price changed in the till": what was changed stands before the verb, and where after it.
_PASSIVE = re.compile(
    rf"\s+(?:(?:is|are|was|were|has been|have been)\s+)?(?:{_MOVES}(?:ed|ped)|cut|set|put)(?=\s+(?:in|at|on|for|of)\b)",
    re.I,
)
#: What else was done to it is no part of its name; a feed is none that was fed.
DONE = re.compile(r"\s+\w{3,}(?<!e)ed$")
_LEADING = re.compile(
    r"^(?:(?:the|our|my|his|her|its|their|an?|this|that|also|now|so|then|hence|and|but|therefore|first|finally|from|with|to|in|on|of|"
    r"for|at|decided|agreed|decision|new|result|higher|lower|longer|shorter|larger|smaller)\b[:,]?\s*)+",
    re.I,
)
#: From when a value is what it is: no part of what it is of.
_SINCE = re.compile(
    rf"^(?:as )?(?:of|from|since) (?:today|tomorrow|now|then|(?:{_DAY})|{MON} \d{{1,2}}|next \w+)(?: on(?:wards?)?)?,? "
    r"(?:only )?",
    re.I,
)
_ARROWS = r"(?:->|→|=>)"
_OPENS = re.compile(
    r"[.,;:!?](?:\s+|$)|[(\"]\s*|\s(?:and|but|so|because|since|that|when|while|until|as|i\.e\.|e\.g\.)\s|\s[-–—]\s|"
    rf"{_ARROWS}\s*"
)
#: What stands in brackets and tells no change of its own.
_BRACKETS = re.compile(rf" ?\((?![^()]*(?:{_ARROWS}| to |\bfrom ))[^()]*\)")

_NO_SUBJECT = re.compile(
    r"\b(?:i|we|you|he|she|it|they|ours|mine|theirs|who|which|that|if|would|could|might|should|may|not|never|nobody|someone|"
    r"wants?|asks|ask(?= \w)|asked(?! for$)|hopes?|means?|between|range[sd]?|anything|everything|open)\b|n't\b|^done\b|\d:\d\d",
    re.I,
)
_FROM_TO = re.compile(
    rf"\bfrom (?P<old>{_AMOUNT}|{_CODE}|{_NAME}) (?:(?:up|down|back|over) )?to (?P<new>{_AMOUNT}|{_CODE}|{_NAME}|me\b|us\b)",
)
#: The number of `S-12` is no value.
_ARROW = re.compile(
    rf"(?<!\w-)(?<![\w#])(?P<old>{VALUE}) ?(?:{_ARROWS}|(?:up|down|back) to\b) ?(?P<new>{VALUE})"
)
#: "The opening is now on the 20th instead of the 22nd", "it is not on the 22nd but on the 20th".
_IS = r"(?:is|are|starts?|opens?|ends?|closes|stands|runs)(?: now| due| set| planned)*(?: on| at| for| to)?"
_REPLACED = re.compile(
    rf"(?P<what>[^\W\d_](?:[\w'/&-]| (?=\S)){{2,50}}?),? (?:(?:{_IS}|now|therefore) (?P<new>{VALUE}),? (?:at (?:most|least) )?"
    rf"(?:instead of|in place of|rather than|no longer|and not|not) (?:on |at )?(?P<old>(?:the )?{VALUE})|"
    rf"(?:(?:{_IS}) )?not (?:on |at )?(?P<was>{VALUE}),? but (?:on |at )?(?P<now>{VALUE}))",
)
#: "Eight guests now instead of nine", "that makes £72, not £85": what is counted, or only how much.
_SWAPPED = re.compile(
    rf"(?<![\w.,:-])(?P<new>{_AMOUNT})(?: (?:now|again|from now on|on))?,? "
    rf"(?:instead of|in place of|rather than|no longer|and not|not) (?:on |at )?(?P<old>(?:the )?{_FIGURE}{_UNIT}|(?:{SAID})\b{_UNIT})",
    re.I,
)
#: "The fee goes up to £28, since cloth is dear. Was £24."
_NOW = re.compile(
    rf"(?P<before>[^.;:,]{{3,60}}? )(?:is|are|goes|go|went|rises|rose|falls|fell|drops|dropped|comes|came|moves|moved|set|raised|lowered|cut)"
    rf"(?: now| up| down)*(?: to| at)? (?P<new>{VALUE})"
)
_WAS = re.compile(rf"(?:It w|They w|W)(?:as|ere)(?: at)? (?P<old>{VALUE})(?: before)?\W*")
#: "14 EUR from November (12 before)", "the limit is 500 EUR, it was 300".
_BESIDE = re.compile(
    rf"(?P<new>{VALUE})(?:(?:[^().;:,\d]|\d{{1,2}}(?= {MONTH})){{0,40}}? \((?:(?:it|that|this) )?(?:was |were )?(?:at )?(?P<old>{VALUE})"
    rf"(?P<before> before| until now)?[^()]{{0,30}}\)|, (?:it|that|they) (?:was|were)(?: at)? (?P<was>{VALUE})(?: before)?(?=[.,;]|$))"
)
_HANGS = re.compile(
    r"\b(?:until|till|over|under|above|below|at|of|for|by|in|on|with|than|only)$", re.I
)
#: What does something in that time: `Health check answers 200 in 12 ms (was 80 ms)`
_DOES = re.compile(
    r"^([^:;,.\d\"]{3,40}?)(?::| (?:now )?(?:answers|takes|loads|runs|builds|needs|starts|finishes|ends|returns|responds|renders|imports)\b)",
    re.I,
)
_WAS_SAID = re.compile(r"\((?:(?:it|that|this) )?w(?:as|ere) ")
_NOUN = re.compile(r"(\S+) ([a-z]{3,}s)")
_MAY_REPLACE = re.compile(r" (?:instead|rather|in place|no longer|not) ")
#: What a value became after that.
_AGAIN = re.compile(
    rf" ?(?:{_ARROWS}|,? (?:(?:and )?(?:then|later|finally) )?(?:(?:up|down|back) )?to\b) ?(?P<new>{VALUE})"
)
_BROKEN = re.compile(r"\b(?:the|an?|our|my|his|her|its|their|this|each|every|no)$", re.I)
#: A name in quotation marks is part of a thing's.
_QUOTED = re.compile(r'"([^".!?]{2,40})"')
#: ", doubling from 1 s to 60 s" tells how something is done.
_PARTICIPLE = re.compile(r", (?:\w+ly )?\w+ing$")
#: What goes from the one to the other and leaves both as they are.
_CROSSING = re.compile(
    r"\b(?:tests?|trials?|drill|rehearsal|conversion|import|export|transfer|trip|route|train|flight|journey|ferry)$",
    re.I,
)
#: Words that a thing's name does not have, and all before the last noun with its article.
_VERB = re.compile(
    r"^(?:because|with|by|due|thanks|given)\b|"
    r"\b(?:goes|go|went|comes?|came|is|are|was|were|has|have|had|gets?|got|decided|agreed)\b",
    re.I,
)
_LAST_NOUN = re.compile(r"^.*\b(?:the|our|my|his|her|its|their|to)\b\s*", re.I)
#: "Ana approves the higher cap", "added nine stops": a verb, and what it is done to.
OBJECT = re.compile(
    rf"^(?:[A-Z][\w-]+ )?[^\W\d_]{{3,}}(?:s|ed) (?:the|our|its|their|his|her|{SAID}|\d+) (?=[^\W\d_])"
)
#: The day of what is told with an earlier sentence.
_LATER = re.compile(rf"(\d{{1,2}} {MON}) - (?:Reversed: )?")
#: What goes up and down day by day, or for a moment, has not changed.
_DAILY = re.compile(
    r"\b(?:(?:every|each) (?:single )?(?:night|morning|evening|day|time|week)|spikes?|blips?|briefly|depending on|rang(?:es|ed)|wander(?:s|ed)|var(?:ies|ied|y))\b",
    re.I,
)
#: By how much something moves, said before from where: "goes back by a week, from the 3rd to".
_BY = re.compile(r" by [^,;:.]{2,30},\s*$")
#: A unit of so many letters is a sign; longer ones are nouns.
_SIGN = 3
#: A verb that says that it has happened.
_HAPPENED = re.compile(
    rf"\b(?:is|are|was|were|been|goes|went|gone|fell|fallen|rose|risen|came|{_MOVES}(?:es|ed|s|ped))\b[^.;:]{{0,40}}$",
    re.I,
)
_WAY = re.compile(r" ((?:up|down|back) to) ")
#: What may follow a new value, and where it ends.
_LIMITS = re.compile(r" (?:for|in|at|on|only|of|per|within|with|per|everywhere|until|during)\b")
#: The hour at which somebody changed it says nothing of it.
_WHEN = re.compile(r" at \d{1,2}[:.]\d\d\b")
_CLAUSE = re.compile(
    r"[.,;:!?](?=\s|$)|\(|\s[-–—]\s|\s(?:and|but|so|because|since|which|that|while|as)\s"
)
_SUMS = frozenset("$€£")
_LONGEST, _LONGEST_TAIL = 7, 10
MARKS = " .,;:()\"'*-–—"


@dataclass(frozen=True, slots=True)
class Shift:
    """A value that a sentence says has changed; `what` is empty where only a heading can tell.

    `said` is the sentence, `day` that of an end told with its item, where it is such a one, and it
    `moved` where a verb says that it has happened; the `way` may be up, down or back. `instead`:
    only the new value and the one in whose place it stands are told.
    """

    what: str
    old: str
    new: str
    tail: str
    said: str
    day: str
    moved: bool = False
    way: str = "to"
    instead: bool = False


@lru_cache(maxsize=1 << 13)
def shifts_in(text: str) -> tuple[Shift, ...]:
    """The changes that a sentence tells, each with its old and its new value."""
    if not _MAY_SHIFT.search(text):
        return ()
    day = ""
    found: list[Shift] = []
    for said in split(text):
        later = _LATER.match(said)
        day = later[1] if later else day
        if not _DAILY.search(said):
            said = said[later.end() :] if later else said
            found += [*_found(said, day)] or [*_replaced(said, day)] or [*_beside(said, day)]
    return tuple(found) or tuple(_was(split(text), day))


def _was(sentences: Sequence[str], day: str) -> Iterator[Shift]:
    """What a sentence says a thing is where the next says what it was."""
    for said, then in pairwise(sentences):
        now, was = _NOW.match(said), _WAS.fullmatch(then)
        if now is None or was is None:
            continue
        _, what = _what(now["before"])
        old, new = was["old"].strip(MARKS), now["new"].strip(MARKS)
        if what and old != new and of_one_kind(old, new):
            yield Shift(what, old, new, "", said, day, moved=True)


def _beside(text: str, day: str) -> Iterator[Shift]:
    """What a sentence says a thing is beside what it was before."""
    for match in _BESIDE.finditer(text):
        if match["old"] and not match["before"] and not _WAS_SAID.search(match[0]):
            continue
        old, new = (match["old"] or match["was"]).strip(MARKS), match["new"].strip(MARKS)
        before = text[: match.start()].strip(MARKS)
        _, what = _what(before)
        named = what if what and not _HANGS.search(what) else None
        if named is None and before.endswith(" in") and (does := _DOES.match(before)):
            named = _LEADING.sub("", does[1])
        # Where nothing stands before it, its label says what it is of.
        if (named or not before) and old != new and of_one_kind(old, new):
            yield Shift(named or "", old, new, "", text, day, moved=True)


def _replaced(text: str, day: str) -> Iterator[Shift]:
    """What a clause says a thing is in the place of what it was."""
    if not _MAY_REPLACE.search(text):
        return
    said, text = text, _BRACKETS.sub("", text)
    opens = [0, *(found.end() for found in _OPENS.finditer(text))]
    for match in filter(None, (_REPLACED.match(text, at) for at in opens)):
        old, new = ((match["old"] or match["was"]), (match["new"] or match["now"]))
        old, new = old.strip(MARKS), new.strip(MARKS)
        _, what = _what(match["what"])
        # "Ana starts on the 3rd instead of the 1st" is no value of hers.
        named = what and not _VERB.search(what) and not (what.isalpha() and what.istitle())
        if named and of_one_kind(old.removeprefix("the "), new):
            yield Shift(what or "", old, new, "", said, day, moved=True)
            return
    for match in _SWAPPED.finditer(text):
        old, new = match["old"].strip(MARKS), match["new"].strip(MARKS)
        counted = _NOUN.fullmatch(new)
        what = "" if counted is None or kind_of(new) in MEASURES else counted[2]
        dated = DATED.search(old) is not None and DATED.search(new) is not None
        if (what or dated or kind_of(new) in _SUMS) and of_one_kind(old, new):
            new = counted[1].lower() if counted and what else new
            yield Shift(what, old.lower(), new, "", said, day, moved=True, instead=True)
            return


def _found(text: str, day: str) -> Iterator[Shift]:
    last, bare = 0, _QUOTED.sub(r"\1", _BRACKETS.sub("", text))
    matches = sorted(
        [*_FROM_TO.finditer(bare), *_ARROW.finditer(bare)], key=lambda match: match.start()
    )
    for match in matches:
        if match.start() < last:
            continue
        values = [match["old"].strip(MARKS), match["new"].strip(MARKS)]
        before = _BY.sub(" ", bare[last : match.start()])
        last = match.end()
        while again := _AGAIN.match(bare, last):
            values.append(again["new"].strip(MARKS))
            last = again.end()
        moves, what = _what(before)
        arrow = not match[0].lower().startswith("from")
        if what is None and not arrow:
            continue
        if _CROSSING.search(what or ""):
            continue
        figured = all(map(is_figure, values))
        if not arrow and not moves and _is_span(match[0], before, values if figured else ()):
            continue
        if figured != is_figure(values[0]):
            continue
        if " up to " in match[0] and arrow:
            # "Five up to ten" may be a range: alone it names nothing that changed.
            what = ""
        moved = _HAPPENED.search(before.rstrip(MARKS)) is not None
        measured = f"{values[-1]}{measure_after(bare[last:])}"
        for old, new in pairwise(values):
            kind = measured if new == values[-1] else new
            if old.lower() != new.lower() and not (figured and not of_one_kind(old, kind)):
                way = _WAY.search(match[0]) if new == values[1] else None
                told = way[1] if way else "to"
                yield Shift(what or "", old, new, _tail(bare[last:]), text, day, moved, told)


def _is_span(said: str, before: str, figures: Sequence[str]) -> bool:
    """Whether "from … to" may tell no change where nothing moves.

    "From 7 to 14 April" is a span, "from Ana to Bo" a letter, and "from 9 to 12" are hours.
    """
    if not figures or DATED.search(said) or _PARTICIPLE.search(before.rstrip(MARKS)):
        return True
    return may_be_hours(figures) and _WAY.search(said) is None


def leads_to_another(text: str) -> bool:
    """Whether an arrow tells no change: it leads from a count of things to a measure, what came of
    them, or says what goes from the one to the other, or only for a moment.
    """
    arrow = _ARROW.search(text)
    if arrow is None:
        return False
    if _CROSSING.search(text[: arrow.start()].rstrip()) or _DAILY.search(text):
        return True
    new = f"{arrow['new'].strip(MARKS)}{measure_after(text[arrow.end() :])}"
    kinds = {kind_of(arrow["old"].strip(MARKS)), kind_of(new)}
    measures = kinds & MEASURES
    return len(measures) == 1 and any(len(kind) > _SIGN for kind in kinds - measures)


def _tail(after: str) -> str:
    """What a clause says of its new value: where, from when, for whom alone; "" where it says more."""
    said = _CLAUSE.split(after, maxsplit=1)[0]
    if not _LIMITS.match(said) or _WHEN.match(said) or len(said.split()) > _LONGEST_TAIL:
        return ""
    return said.rstrip(MARKS)


def _what(before: str) -> tuple[bool, str | None]:
    """Whether something moves, and what: "" where no noun tells, nothing where none can."""
    opening = 0
    for found in _OPENS.finditer(before):
        if before[found.end() :].strip(MARKS):
            opening = found.end()
    said = _SINCE.sub("", before[opening:].strip(MARKS))
    ended = ENDING.search(said)
    moves = ended is not None
    if ended:
        said = said[: ended.start()]
    else:
        verbs = [*_TRANSITIVE.finditer(said)]
        if verbs:
            said, moves = said[verbs[-1].end() :], True
    if _BROKEN.search(said):
        # "The move from Ghent": the noun of a change is no verb.
        return moves, None
    said, passive = _PASSIVE.subn("", said)
    moves = moves or passive > 0
    if _VERB.search(said):
        said = _LAST_NOUN.sub("", said)
    said = OBJECT.sub("", DONE.sub("", said))
    said = _LEADING.sub("", said).strip(MARKS)
    if _NO_SUBJECT.search(said):
        return moves, "" if moves else None
    if len(said.split()) > _LONGEST or not _names(said):
        return moves, ""
    return moves, said


def telling_in(words: str) -> frozenset[str]:
    """The stems of words that name something."""
    return frozenset(
        stem for stem in stems_in(words) if stem not in COMMON_STEMS and not stem.isdigit()
    )


def _names(words: str) -> bool:
    """Whether words name something; two that are common name it where a hyphen joins them."""
    return re.search(r"\w-\w", words) is not None or bool(telling_in(words))
