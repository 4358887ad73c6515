"""How values changed from day to day: what sentences tell as changed, one line for each thing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace

from lithify import cues
from lithify.engines.offline.matters.amounts import (
    are_same,
    number_in,
    of_one_kind,
    with_one_unit,
)
from lithify.engines.offline.matters.naming import is_name
from lithify.engines.offline.matters.shifts import (
    DONE,
    ENDING,
    MARKS,
    OBJECT,
    VALUE,
    Shift,
    shifts_in,
    telling_in,
)
from lithify.engines.offline.matters.subjects import OCCASIONS, persons
from lithify.engines.offline.page.bullets import Bullet, day_words
from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.text import LIMIT
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.dates import relative_left
from lithify.text.stems import COMMON_STEMS
from lithify.text.tokens import estimate

#: What is always that of something.
RELATIVE = re.compile(
    r"(?:limit|cap|interval|lifetime|price|rate|deadline|default|depth|length|size|level|number|count|total|sum|quote|"
    r"budget|fee|share|ratio|value|threshold|target|minimum|maximum|date|period|term|delay|timeout|dose|cover)s?",
    re.I,
)
#: What a value is again.
_BACK = re.compile(rf"\bback to (?P<back>{VALUE})|(?P<again>{VALUE}) again\b")
#: What it is in the place of what it was.
_INSTEAD = re.compile(
    rf"(?P<new>{VALUE})(?:[^.;:]|:\d){{0,24}}?(?:,? (?:instead of|rather than|in place of|no longer|and not|not) (?:on |at )?| \(was )"
    rf"(?P<old>(?:the )?{VALUE})"
)
_MAY_REPLACE = re.compile(r" (?:instead|rather|in place|no longer|not) |\(was ")
#: And what it has come down or gone up to.
_FALLEN = re.compile(
    rf"(?P<new>{VALUE})(?:[^;:!?]|:\d){{0,60}}?(?:[,.;] |\()(?:[Dd]own|[Uu]p) from (?P<old>(?:the )?{VALUE})"
)
#: What it is from now on, in the unit that it is told in: "so 16 lines a page from now on".
_HENCE = re.compile(
    r"(?P<new>\d[\d,.]*(?P<unit> [a-z]+(?: (?:an?|per|each) [a-z]+)+)) from now on\b"
)
#: What it is set to, by its name.
_SET = re.compile(
    rf"(?:^|[.;:,] )(?P<what>[^.;:,]{{3,50}}?) (?:(?:is|are|was|were|goes|went|now|again|set|raised|lowered|cut|moved|put|changed|increased|reduced|up|down) )+"
    rf"(?:to|at) (?P<new>{VALUE})"
)
#: All that it has been: "so 60, then 55, now 58".
_RECALLED = re.compile(
    rf"\b[Ss]o:? (?P<first>{VALUE})(?P<later>(?:, (?:and )?(?:then|later|now) {VALUE}){{2,}})"
)
_THEN = re.compile(rf", (?:and )?(?:then|later|now) (?P<new>{VALUE})")
_IN_BRACKETS = re.compile(r" \([^()]*\)")
_CLOCK = re.compile(r"\d:\d\d")
#: What is so exact that it is hardly that of another thing.
_VERSION = re.compile(r"v?\d+(?:\.\d+){2,}")
#: What is to be done, by its box.
_BOX = re.compile(r"\[ ?\]")
_BRIEF = re.compile(r"[,:;(]| - ")


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
    said = [f"{_small(one)} {one.told}" if many else f"{one.what}: {one.told}" for one in lines]
    if not first.what:
        text = f"{first.under}: {first.told}"
    else:
        text = f"{first.under}: {', '.join(said)}" if first.under else ", ".join(said)
    text = f"{text[0].upper()}{text[1:]} ({', '.join(days)})"
    return Bullet("", first.units[::-1], text, estimate(text) + 1)


def _small(line: Line) -> str:
    """What changed as it stands after what it is part of."""
    return line.what.lower() if line.under and RELATIVE.fullmatch(line.what) else line.what


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
    before: Unit | None = None
    for unit in units:
        if unit.entry.day is None:
            continue
        told = shifts_in(unit.text)
        for line, step in _going_on(unit, lines) if not told and holds(unit.text) else ():
            line.steps.append((unit, step))
        to_do = unit.section == cues.OPEN or _BOX.match(unit.entry.text) is not None
        for shift in told:
            if not holds(shift.said) or (to_do and not shift.moved and not shift.day):
                continue
            under = _under(unit, shift.what, people)
            if shift.what and telling_in(shift.what) < telling_in(under):
                # "Lifetime" under "Session lifetime" is that.
                shift, under = replace(shift, what=under), ""
            named = bool(shift.what) or (under != "" and (under in unit.label or shift.instead))
            stems = telling_in(f"{under} {shift.what}")
            if not named:
                # "The limit: 400 would do. Done (500 -> 400)": the sentence before may tell.
                last = before if before and before.entry is unit.entry else unit
                stems = _spoken_of(unit) | _spoken_of(last)
            same = _VERSION.fullmatch(shift.old) is not None
            near = [one for one in lines if one.stems & stems or same]
            if any(_tells(one, shift) for one in near):
                continue
            goes_on = [one for one in near if are_same(one.steps[-1][1].new, shift.old)]
            if goes_on:
                goes_on[0].steps.append((unit, shift))
                if shift.instead and shift.what and under != goes_on[0].under:
                    # What is counted under several headings belongs to none.
                    goes_on[0].under = ""
                elif not goes_on[0].under and RELATIVE.fullmatch(goes_on[0].what):
                    # A later day may say what it is part of.
                    goes_on[0].under = under
            elif named and stems:
                lines.append(Line(shift.what, under, stems, [(unit, shift)]))
        before = unit
    return lines


def _going_on(unit: Unit, lines: Sequence[Line]) -> Iterator[tuple[Line, Shift]]:
    """What a sentence makes of a value that a line ends with: back to what it was, or instead of it."""
    if unit.section == cues.OPEN:
        return
    back = _BACK.search(unit.text) if " back " in unit.text or " again" in unit.text else None
    value = (back["back"] or back["again"]).strip(MARKS) if back else ""
    instead = _INSTEAD.search(unit.text) if _MAY_REPLACE.search(unit.text) else None
    if instead is None and re.search(r"\b(?:[Dd]own|[Uu]p) from ", unit.text):
        instead = _FALLEN.search(_IN_BRACKETS.sub("", unit.text))
    hence = _HENCE.search(unit.text) if " from now on" in unit.text else None
    set_to = _SET.search(unit.text) if " to " in unit.text or " at " in unit.text else None
    recalled = _recalled(unit.text)
    spoken = _spoken_of(unit)
    for line in lines if back or instead or hence or set_to or recalled else ():
        last, was = line.steps[-1][1].new, [number_in(shift.old) for _, shift in line.steps]
        near = line.stems & spoken
        if instead and near and are_same(last, instead["old"].strip(MARKS)):
            value, way = instead["new"].strip(MARKS), "to"
        elif hence and last.endswith(hence["unit"]):
            value, way = hence["new"], "to"
        elif back and (near or _is_rare(value)) and number_in(value) in was:
            way = "back to"
        elif set_to and line.what and telling_in(line.what) == telling_in(set_to["what"]):
            value, way = set_to["new"].strip(MARKS), "to"
        elif recalled[:-1] == [*was, number_in(last)]:
            value, way = recalled[-1], "to"
        else:
            continue
        clock = _CLOCK.search(value) is not None and _CLOCK.search(last) is None
        if not (clock or are_same(last, value)) and of_one_kind(last, value):
            yield line, Shift(line.what, last, value, "", unit.text, "", True, way)
            return


def _recalled(text: str) -> list[str]:
    """The numbers of all values that a thing has had, in order, where a sentence tells them."""
    told = _RECALLED.search(text) if " then " in text else None
    if told is None:
        return []
    values = [told["first"], *(one["new"] for one in _THEN.finditer(told["later"]))]
    return [number_in(value.strip(MARKS)) for value in values]


def _is_rare(value: str) -> bool:
    """Whether a figure is so exact that it is hardly that of another thing: a version, a price."""
    return len(re.findall(r"\d", value)) > 2 and "." in value


def _spoken_of(unit: Unit) -> frozenset[str]:
    return subject_of(unit.place)[1].union(unit.stems, stems_in(unit.label)) - COMMON_STEMS


def _under(unit: Unit, what: str, people: Set[str]) -> str:
    """What a thing of one word, or of none, is part of: the label or the heading over it.

    Who said so, and on what occasion, is no part of what changed.
    """
    own = telling_in(what)
    for over in (unit.label, subject_of(unit.place)[0]) if len(own) < 2 else ():
        over = OBJECT.sub("", DONE.sub("", ENDING.sub("", _BRIEF.split(over)[0].strip())))
        named = telling_in(over) - OCCASIONS and is_name(over) and not relative_left(over)
        if named and people.isdisjoint(over.split()):
            return over if not own & telling_in(over) or own < telling_in(over) else ""
    return ""


def _tells(line: Line, shift: Shift) -> bool:
    old, new = number_in(shift.old), number_in(shift.new)
    return any((number_in(one.old), number_in(one.new)) == (old, new) for _, one in line.steps)
