"""What one sentence tells as changed: of what, from what, to what."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from lithify import cues
from lithify.engines.offline.matters.subjects import OCCASIONS, persons
from lithify.engines.offline.page.bullets import Bullet, day_words
from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.text import LIMIT, split
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.tokens import estimate
from lithify.words import COMMON_STEMS

_MON = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_MONTH = rf"{_MON}[a-z]*"
_WEEKDAY = r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )"
_DAY = (
    rf"{_WEEKDAY}?(?:the )?(?:\d{{1,2}}(?:(?:st|nd|rd|th)?(?: of)? {_MONTH}|st|nd|rd|th)|{_MONTH} \d{{1,2}})"
    rf"(?:,? \d{{4}})?|{_WEEKDAY}(?:the )?\d{{1,2}}"
)
#: A time as a clock of hours, minutes and seconds has it, or a number; never the half of a word.
_LASTING = r"\d+ ?(?:h|m|min) ?\d+ ?(?:m|min|s)?(?!\w)"
_NUMBER = (
    rf"{_LASTING}|[$€£]?\s?v?\d[\d,.:]*(?<![,.:])(?:[A-Za-z]{{1,3}}\b)?(?:\s?[%°‰][CF]?)?(?!\w)"
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
_VALUE = rf"{_FIGURE}{_UNIT}"
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
_ENDING = re.compile(
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
_DONE = re.compile(r"\s+\w{3,}(?<!e)ed$")
_LEADING = re.compile(
    r"^(?:(?:the|our|my|his|her|its|their|an?|this|that|also|now|so|then|and|but|therefore|first|finally|from|with|to|in|on|of|"
    r"for|at|decided|agreed|decision|new|result)\b[:,]?\s*)+",
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
    r"\b(?:i|we|you|he|she|it|they|who|which|that|if|would|could|might|should|may|not|never|nobody|someone|"
    r"wants?|asks?|asked|hopes?|between|range[sd]?|anything|everything|open)\b|n't\b",
    re.I,
)
_FROM_TO = re.compile(
    rf"\bfrom (?P<old>{_VALUE}|{_CODE}|{_NAME}) (?:(?:up|down|back|over) )?to (?P<new>{_VALUE}|{_CODE}|{_NAME}|me\b|us\b)",
)
_ARROW = re.compile(rf"(?P<old>{_VALUE}) ?(?:{_ARROWS}|(?:up|down|back) to\b) ?(?P<new>{_VALUE})")
#: What a value became after that.
_AGAIN = re.compile(
    rf" ?(?:{_ARROWS}|,? (?:(?:and )?(?:then|later|finally) )?(?:(?:up|down|back) )?to\b) ?(?P<new>{_VALUE})"
)
_DATE = re.compile(rf"\d{{1,2}} {_MON}")
_MONTH_FIRST = re.compile(rf"\b(?P<month>{_MON})[a-z]* (?P<day>\d{{1,2}})\b")
_DATED = re.compile(rf"\b{_MONTH}\b|\d(?:st|nd|rd|th)\b|\d:\d\d")
_DIGIT = re.compile(r"\d")
_BROKEN = re.compile(r"\b(?:the|an?|our|my|his|her|its|their|this|each|every|no)$", re.I)
#: Words that a thing's name does not have, and all before the last noun with its article.
_VERB = re.compile(
    r"^(?:because|with|by|due|thanks|given)\b|"
    r"\b(?:goes|go|went|comes?|came|is|are|was|were|has|have|had|gets?|got|decided|agreed)\b",
    re.I,
)
_LAST_NOUN = re.compile(r"^.*\b(?:the|our|my|his|her|its|their|to)\b\s*", re.I)
#: The day of what is told with an earlier sentence.
_LATER = re.compile(rf"(\d{{1,2}} {_MON}) - (?:Reversed: )?")
#: What goes up and down day by day has not changed.
_DAILY = re.compile(r"\b(?:every|each) (?:single )?(?:night|morning|evening|day|time|week)\b", re.I)
#: Measures that pass into one another.
_FAMILIES = {
    unit: family
    for family, units in (
        (
            "time",
            "ms s sec second seconds min mins minute minutes h hour hours day days week weeks",
        ),
        ("size", "B kB KB MB GB TB"),
        ("length", "mm cm m km"),
        ("mass", "g kg t"),
    )
    for unit in units.split()
}
#: A unit of so many letters is a sign; longer ones are nouns.
_SIGN = 3
_CLOCK = re.compile(_LASTING)
#: What is to be done, by its box; a verb that says it has happened nevertheless.
_BOX = re.compile(r"\[ ?\]")
_HAPPENED = re.compile(
    rf"\b(?:is|are|was|were|been|goes|went|fell|rose|came|{_MOVES}(?:es|ed|s|ped))\b[^.;:]{{0,40}}$",
    re.I,
)
_WAY = re.compile(r" ((?:up|down|back) to) ")
#: What may follow a new value, and where it ends.
_LIMITS = re.compile(r" (?:for|in|at|on|only|of|per|within|with|per|everywhere|until|during)\b")
_CLAUSE = re.compile(
    r"[.,;:!?](?=\s|$)|\(|\s[-–—]\s|\s(?:and|but|so|because|since|which|that|while|as)\s"
)
_BRIEF = re.compile(r"[,:;(]| - ")
_LONGEST, _LONGEST_TAIL = 7, 10
_MARKS = " .,;:()\"'*-–—"


@dataclass(frozen=True, slots=True)
class Shift:
    """A value that a sentence says has changed; `what` is empty where only a heading can tell.

    `said` is the sentence, `day` that of an end told with its item, where it is such a one, and it
    `moved` where a verb says that it has happened; the `way` may be up, down or back.
    """

    what: str
    old: str
    new: str
    tail: str
    said: str
    day: str
    moved: bool = False
    way: str = "to"


@dataclass(slots=True)
class Line:
    """The changes of one thing: each with the sentence that tells it, in order."""

    what: str
    under: str
    stems: frozenset[str]
    steps: list[tuple[Unit, Shift]] = field(default_factory=list)

    @property
    def units(self) -> list[Unit]:
        return list({unit.at: unit for unit, _ in self.steps}.values())

    @property
    def told(self) -> str:
        """What it was first, what it became, and what is said of that."""
        values = [self.steps[0][1].old, *(shift.new for _, shift in self.steps)]
        first, *later = with_one_unit(values)
        ways = [shift.way for _, shift in self.steps]
        said = " ".join(f"{way} {value}" for way, value in zip(ways, later, strict=True))
        return f"from {first} {said}{self.steps[-1][1].tail}"


def bullet_of(lines: Sequence[Line]) -> Bullet:
    """Lines of one sentence, or a line of several, in words, with the days they were told."""
    first = lines[0]
    days = dict.fromkeys(shift.day or day_words(unit.entry) for unit, shift in first.steps)
    many = len(lines) > 1 or (first.under and first.what)
    said = [f"{one.what} {one.told}" if many else f"{one.what}: {one.told}" for one in lines]
    if not first.what:
        text = f"{first.under}: {first.told}"
    else:
        text = f"{first.under}: {', '.join(said)}" if first.under else ", ".join(said)
    text = f"{text[0].upper()}{text[1:]} ({', '.join(days)})"
    return Bullet("", first.units[::-1], text, estimate(text) + 1)


def told_with(line: Line, others: Sequence[Line]) -> list[Line]:
    """A line with those of the same sentence and heading, as many as a bullet can hold."""
    found = [line]
    for one in others if len(line.steps) == 1 and line.what else ():
        beside = len(one.steps) == 1 and one.what and one.under == line.under
        same = one is not line and beside and one.units == line.units
        if same and bullet_of([*found, one]).cost <= LIMIT:
            found.append(one)
    return found


def shift_lines(units: Sequence[Unit], holds: Callable[[str], bool]) -> list[Line]:
    """The changes that sentences tell which hold, those that go on from one another together.

    What is told again in other words is told once. What is still to be done has changed nothing,
    and a change of something unnamed is told only where it goes on from another.
    """
    lines: list[Line] = []
    people = frozenset(persons(units, labels=False))
    for unit in units:
        if unit.entry.day is None:
            continue
        to_do = unit.section == cues.OPEN or _BOX.match(unit.entry.text) is not None
        for shift in shifts_in(unit.text):
            if not holds(shift.said) or (to_do and not shift.moved and not shift.day):
                continue
            under = _under(unit, shift.what, people)
            named = bool(shift.what) or under == unit.label != ""
            stems = _telling(f"{under} {shift.what}")
            if not named:
                stems = subject_of(unit.place)[1].union(unit.stems) - COMMON_STEMS
            near = [one for one in lines if one.stems & stems]
            if any(_tells(one, shift) for one in near):
                continue
            goes_on = [one for one in near if _are_same(one.steps[-1][1].new, shift.old)]
            if goes_on:
                goes_on[0].steps.append((unit, shift))
            elif named and stems:
                lines.append(Line(shift.what, under, stems, [(unit, shift)]))
    return lines


def _under(unit: Unit, what: str, people: Set[str]) -> str:
    """What a thing of one word, or of none, is part of: the label or the heading over it.

    Who said so, and on what occasion, is no part of what changed.
    """
    own = _telling(what)
    for over in (unit.label, subject_of(unit.place)[0]) if len(own) < 2 else ():
        over = _BRIEF.split(over)[0].strip()
        if _telling(over) - OCCASIONS and people.isdisjoint(over.split()):
            return over if own.isdisjoint(_telling(over)) else ""
    return ""


def with_one_unit(values: Sequence[str]) -> list[str]:
    """Values that follow one another, their unit named once, with the last."""
    return [*(_bare(value, values[-1]) for value in values[:-1]), values[-1]]


def _bare(value: str, last: str) -> str:
    unit = value.lstrip("0123456789,. ")
    # A share is no number, and a day no measure.
    if unit in ("", value) or unit.startswith("%") or re.match(_MON, unit):
        return value
    return value.removesuffix(unit).rstrip() if last.endswith(unit) else value


def _tells(line: Line, shift: Shift) -> bool:
    old, new = _figure(shift.old), _figure(shift.new)
    return any((_figure(one.old), _figure(one.new)) == (old, new) for _, one in line.steps)


def _are_same(one: str, other: str) -> bool:
    """Whether two values are one: the 24th is what 24 September was where that is the last told."""
    first, second = _figure(one), _figure(other)
    short, long = sorted((first, second), key=len)
    if first == second:
        return True
    return _DATE.fullmatch(long) is not None and long.split()[0] == short


def _figure(value: str) -> str:
    """A value without its unit and its weekday, by which it is the same as another day's."""
    if dated := _MONTH_FIRST.search(value):
        return f"{dated['day']} {dated['month']}"
    found = re.search(rf"\d[\d,.:]*(?: {_MON})?", value)
    return found[0].rstrip(".,:") if found else value.lower()


@lru_cache(maxsize=1 << 13)
def shifts_in(text: str) -> tuple[Shift, ...]:
    """The changes that a sentence tells, each with its old and its new value."""
    if " to " not in text and not re.search("->|→|=>", text):
        return ()
    day = ""
    found: list[Shift] = []
    for said in split(text):
        later = _LATER.match(said)
        day = later[1] if later else day
        if not _DAILY.search(said):
            found += _found(said[later.end() :] if later else said, day)
    return tuple(found)


def _found(text: str, day: str) -> Iterator[Shift]:
    last, bare = 0, _BRACKETS.sub("", text)
    matches = sorted(
        [*_FROM_TO.finditer(bare), *_ARROW.finditer(bare)], key=lambda match: match.start()
    )
    for match in matches:
        if match.start() < last:
            continue
        values = [match["old"].strip(_MARKS), match["new"].strip(_MARKS)]
        before = bare[last : match.start()]
        last = match.end()
        while again := _AGAIN.match(bare, last):
            values.append(again["new"].strip(_MARKS))
            last = again.end()
        moves, what = _what(before)
        arrow = not match[0].lower().startswith("from")
        if what is None and not arrow:
            continue
        figured = all(map(_DIGIT.search, values))
        # "From 7 to 14 April" is a span and "from Ana to Bo" a letter, unless something moves.
        if not arrow and not moves and (not figured or _DATED.search(match[0])):
            continue
        if figured != (_DIGIT.search(values[0]) is not None):
            continue
        if " up to " in match[0] and arrow:
            # "Five up to ten" may be a range: alone it names nothing that changed.
            what = ""
        moved = _HAPPENED.search(before.rstrip(_MARKS)) is not None
        measured = f"{values[-1]}{_measure(bare[last:])}"
        for old, new in pairwise(values):
            kind = measured if new == values[-1] else new
            if old.lower() != new.lower() and not (figured and not of_one_kind(old, kind)):
                way = _WAY.search(match[0]) if new == values[1] else None
                told = way[1] if way else "to"
                yield Shift(what or "", old, new, _tail(bare[last:]), text, day, moved, told)


def _measure(after: str) -> str:
    """The measure that goes on with a value: `23 ms round trip`."""
    word = re.match(r" ([A-Za-z]+)\b", after)
    return word[0] if word and word[1] in _FAMILIES else ""


def leads_to_another(text: str) -> bool:
    """Whether an arrow leads from a count of things to a measure: what came of them, no change."""
    arrow = _ARROW.search(text)
    kinds = {_kind(arrow[side].strip(_MARKS)) for side in ("old", "new")} if arrow else set()
    measures = kinds.intersection(_FAMILIES.values())
    return len(measures) == 1 and any(len(kind) > _SIGN for kind in kinds - measures)


def of_one_kind(old: str, new: str) -> bool:
    """Whether two values can be one thing's: both counts of one noun, both times, both sums."""
    one, other = _kind(old), _kind(new)
    return not one or not other or one == other


def _kind(value: str) -> str:
    """What a value is measured in; "" for a bare number, which may count anything."""
    if _CLOCK.fullmatch(value):
        return "time"
    if _DATED.search(value):
        return ""
    if value[0] in "$€£":
        return value[0]
    unit, *_ = [*re.sub(r"^v?[\d,.:]+\s?", "", value).split(), ""]
    return _FAMILIES.get(unit) or next(iter(stems_in(unit)), unit)


def _tail(after: str) -> str:
    """What a clause says of its new value: where, from when, for whom alone; "" where it says more."""
    said = _CLAUSE.split(after, maxsplit=1)[0]
    if not _LIMITS.match(said) or len(said.split()) > _LONGEST_TAIL:
        return ""
    return said.rstrip(_MARKS)


def _what(before: str) -> tuple[bool, str | None]:
    """Whether something moves, and what: "" where no noun tells, nothing where none can."""
    opening = 0
    for found in _OPENS.finditer(before):
        if before[found.end() :].strip(_MARKS):
            opening = found.end()
    said = before[opening:].strip(_MARKS)
    ended = _ENDING.search(said)
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
    said = _DONE.sub("", said)
    said = _LEADING.sub("", said).strip(_MARKS)
    if _NO_SUBJECT.search(said):
        return moves, "" if moves else None
    if len(said.split()) > _LONGEST or not _names(said):
        return moves, ""
    return moves, said


def _telling(words: str) -> frozenset[str]:
    return frozenset(
        stem for stem in stems_in(words) if stem not in COMMON_STEMS and not stem.isdigit()
    )


def _names(words: str) -> bool:
    """Whether words name something; two that are common name it where a hyphen joins them."""
    return re.search(r"\w-\w", words) is not None or bool(_telling(words))
