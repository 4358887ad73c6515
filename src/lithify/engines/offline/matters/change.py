"""Values that changed: the same line with another figure, old and new side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from lithify import cues
from lithify.engines.offline.matters.columns import columns
from lithify.engines.offline.matters.measures import (
    UNITS,
    Key,
    Reading,
    figure,
    is_count_of_acts,
    is_occasion,
    merged,
    wavers,
    worths,
)
from lithify.engines.offline.matters.progress import is_progress, progress
from lithify.engines.offline.matters.shifts import (
    Line,
    bullet_of,
    leads_to_another,
    shift_lines,
    told_with,
    with_one_unit,
)
from lithify.engines.offline.page.bullets import Bullet, day_words
from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.text import LIMIT
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.tokens import estimate
from lithify.words import COMMON_STEMS

_DIGIT = re.compile(r"\d")
_VALUE = re.compile(
    r"(?<![\w.,/-])(?:(?P<sum>[$€£])\s?\d(?:[\d,.]*\d)?\s?(?P<many>[kKmMbB]\b|million|billion)?|"
    rf"v?\d+(?P<version>(?:\.\d+){{2,}})\b|\d[\d,]*(?:\.\d+)?(?:\s?(?P<unit>{UNITS})\b|\s?(?P<share>[%€£]))?)(?![\w-]|\.\d|:\d)"
)
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
    r"(?:\(was|[,;] (?:\w+ ){0,2}was) [$€£]?\d\S*\b|"
    rf"(?:,| and) not (?:on |at )?(?:the )?(?:[A-Z][a-z]+day )?(?:{_DAY_NAMES} )?\S*\d|"
    r"\d\S*(?: \w+)? ?(?:->|→|=>) ?\S*\d",
    re.I,
)
_MAY_TELL = re.compile(r" (?:from|replace[sd]|instead|rather|place of) | and (?:goes?|went) with ")
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
_CLOCKED = re.compile(r"\d{1,2}:\d{2}")
_DATED = re.compile(rf"\b{_DAY_NAMES}\b")
#: When a value was read is no part of what it is the value of.
_WHEN = re.compile(
    r"\b(?:now|today|again|still|currently|already|so far|by now|at last|meanwhile|since)\b|"
    r"\b(?:on|in|of|by|for|the) (?:the )?(?:week of )?(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* )"
    r"\d{1,2}(?:, \d{4})?|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}(?:, \d{4})?\b|"
    r"\b(?:in )?(?:the )?week (?:of )?\d{4}-\d{2}-\d{2}|\d{4}-\d{2}-\d{2}|"
    r"\b(?:of|in|for) (?:the )?(?:morning|evening|week|month|day)\b",
    re.I,
)
#: Words before a value under which it is no reading of anything.
_NO_READING = re.compile(
    r"\b(?:PR|ticket|case|issue|row|version|step|day|week|no|number|item|page|room|chapter|figure|error|code|port|"
    r"line|sample|batch|phase|part|option|question|at|by|until|before|after|under|over|than|least|most|"
    r"about|some|another|first|last|next|of)\s*#?$",
    re.I,
)
_COPULA = re.compile(
    r"(?:\s+(?:is|are|was|were|at|now|of|has|have|reached|reaches|stands|stood|runs|hit|came|went|to|up|down))+$",
    re.I,
)
#: Where a sentence gives one thing one value and says little more.
_THING = r"^(?:(?:the|our|my|its|this) )?(?P<name>[^\W\d_][^,;:.!?()\"=]{2,50}?)"
_DAY = r"(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}(?:, \d{4})?|\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*)"
_STATE = (
    r"blocked|unblocked|open|closed|done|live|paused|in review|in progress|merged|pending|approved|rejected|on hold|"
    r"draft|shipped|signed|unsigned|green|amber|yellow|red|on track|at risk|off track|enabled|disabled|on|off|cancelled|"
    r"canceled|deployed|released|resolved|waiting|stalled|delivered|postponed"
)
_FRAMES = (
    (
        "figure",
        re.compile(
            _THING
            + r"\s*(?:=|:|\b(?:(?:is|are|was|were|stands|stood)(?: now| still| currently)?(?: at| up to| down to| set to)?|"
            r"(?:went|rose|fell|dropped|grew|climbed|shrank|came|set|raised|lowered|cut|changed|increased|reduced|moved)"
            r"(?: up| down)? to|at|reached|reaches|totals|costs|runs at|runs on)\b)\s*(?P<value>"
            + _VALUE.pattern.replace("?P<", "?P<v_")
            + r")",
            re.I,
        ),
    ),
    (
        "state",
        re.compile(
            _THING
            + rf"\s*(?::|\b(?:is|are|was|were)(?: now| still| again)?\b)\s*(?P<value>{_STATE})(?=$|[,;:(]| (?:since|by|on|at|until|because)\b)",
            re.I,
        ),
    ),
    (
        "date",
        re.compile(
            _THING
            + r"\s*(?::|\b(?:is|are|was|were|will be|moves?|moved|slips?|slipped|has moved|has slipped|goes live|opens|starts|ends)"
            r"(?: now| again)?(?: due| planned| set| scheduled| fixed| expected| postponed| pushed| rescheduled| moved| delayed)?"
            rf"(?: on| for| by| to| until)?\b)\s*(?P<value>{_DAY})",
            re.I,
        ),
    ),
    (
        "owner",
        re.compile(
            _THING
            + r"(?:'s)?\s*(?:\bowner(?: is(?: now)?|:)|\b(?:is|are)(?: now)? (?:owned by|with|assigned to|led by|run by)|\b(?:now )?belongs to)\s+"
            r"(?P<value>[A-Z][\w-]+(?: [A-Z][\w-]+)?)",
        ),
    ),
)
#: The kinds of value that have a figure in them.
_FIGURED = ("figure", "date")
#: A component by its identifier, and its version right after it.
_VERSION = re.compile(
    r"(?<![\w/.-])((?:[A-Za-z][\w]*[-_][\w-]+|[A-Za-z]+[a-z][A-Z]\w*))[ @]v?(\d+(?:\.\d+){1,3})(?![\w-]|\.\d|%)"
)
_PROPOSED = re.compile(r"\b(?:propos\w+|suggest\w*|would like|wants?|prefers?|asks?|idea)\b", re.I)
_PLANNED = re.compile(
    r"\b(?:will|plans?|planned|next|until|before|waits?|waiting|needs?|wants?|to come|once)\b", re.I
)
_MOVED = re.compile(
    r"\b(?:now|mov\w+|postpon\w+|push\w+|slip\w*|delay\w*|reschedul\w+|brought forward|instead|later|earlier|new|takes over|took over)\b",
    re.I,
)
_CLAUSE = re.compile(r"[,;:.(]")
#: "14 of 15" is one value.
_OF = re.compile(r" (?:of|out of) \d[\d,]*\b")
#: What is read off an instrument, and how near to one another its readings tell nothing new.
_MEASURED = re.compile(r"\d ?(?:%|percent|ms|s|kB|MB|GB|TB|kg|km|kW|degrees)$")
_NEAR = 0.05
_NOT = re.compile(r"\b(?:not|no|never|nothing|if|when|once|whether)\b", re.I)
_TELLING = 2
_LONGEST_NAME = 12


#: What was set, then what has a price or a share, then the rest; a mere count last.
_RANKS = ("set", "worth", "version", "figure", "name")
#: The part of the room that is left when rows of tables have theirs.
_ROWS = 0.65
#: Steps of a value that someone set: more are told by the first and the last.
_STEPS = 4


def changes(units: Sequence[Unit], room: int) -> list[Bullet]:
    """Bullets for the values that differ between the first and the last day they were given.

    What someone set or what measures progress comes before a mere count.
    """
    lines = _lines(units)
    chosen = _Chosen(room)
    for key, said in lines:
        if key[0] == "set":
            chosen.take(_bullet(said))
    settings = frozenset(chosen.places)
    rows = columns(units)
    for row in rows:
        if row.days > 1 and chosen.room > _ROWS * room:
            chosen.take(row.bullet)
    shifts = told_shifts(units)
    told: set[int] = set()
    for line in shifts:
        # What a setting is told with from step to step is not told again.
        if id(line) not in told and settings.isdisjoint(unit.at for unit in line.units):
            together = told_with(line, shifts)
            told.update(map(id, together))
            chosen.take(bullet_of(together))
    for key, said in lines:
        # One sentence may count several things; what else it says it says of one.
        if is_progress(key) or not {said[0].unit.at, said[-1].unit.at} & chosen.places:
            chosen.take(_bullet(said))
    for row in rows:
        # Sentences that tell a change themselves come before a table of two states.
        if chosen.room > room // 2:
            chosen.take(row.bullet)
    return sorted(chosen.bullets, key=lambda bullet: min(unit.at for unit in bullet.units))


class _Chosen:
    """Bullets of changes while there is room for them, no two of one name."""

    def __init__(self, room: int) -> None:
        self.room = room
        self._names: set[str] = set()
        self.bullets: list[Bullet] = []
        self.places: set[int] = set()

    def take(self, bullet: Bullet) -> None:
        name = bullet.fixed.partition(" from ")[0].rstrip(":").lower()
        if bullet.cost > min(LIMIT, self.room) or name in self._names:
            return
        self.bullets.append(bullet)
        self._names.add(name)
        self.places |= {unit.at for unit in bullet.units}
        self.room -= bullet.cost


def told_shifts(units: Sequence[Unit]) -> list[Line]:
    """What sentences tell as changed and no one only wishes, first what is said most plainly."""
    lines = shift_lines(units, _holds)

    def weight(line: Line) -> tuple[float, int]:
        units = line.units
        plain = max(cues.plainness(unit.text) for unit in units)
        return -plain - any(unit.must for unit in units) - len(line.steps), units[0].at

    return sorted(lines, key=weight)


def _holds(said: str) -> bool:
    return not (said.endswith("?") or is_proposed(said) or cues.hedges(said))


def readings_of_change(units: Sequence[Unit], most: int) -> list[Unit]:
    """The sentences that give the values which were set or measure progress, first and last.

    And the rows of tables that tell a value of several days.
    """
    lines = [said for key, said in _lines(units) if key[0] in ("set", "worth")]
    rows = [row.unit for row in columns(units)]
    return [*(one.unit for said in lines[:most] for one in _steps(said)), *rows[:most]]


def _lines(units: Sequence[Unit]) -> list[tuple[Key, list[Reading]]]:
    """The readings of each thing whose value changed, the plainest kinds first."""
    lines: dict[Key, list[Reading]] = {}
    for unit in units:
        if unit.entry.day is None or unit.text.endswith("?"):
            continue
        figured = _DIGIT.search(unit.text) is not None
        told = [*(_versions(unit) if figured else ()), *_framed(unit, figured)]
        if figured:
            told += worths(unit)
            if not _CLOCKED.search(unit.text):
                told += _readings(unit)
        for key, reading in told:
            lines.setdefault(key, []).append(reading)
    found = [(key, said) for key, said in merged(lines).items() if _is_change(said)]
    found += [(key, said) for key, said in progress(units) if _is_change(said)]
    return sorted(found, key=lambda pair: (_rank(pair[0]), pair[1][0].unit.at))


def _rank(key: Key) -> int:
    return _RANKS.index(key[0]) if key[0] in _RANKS else len(_RANKS)


def _is_change(said: Sequence[Reading]) -> bool:
    first, last = said[0], said[-1]
    if first.unit.entry.day == last.unit.entry.day or _same(first.was or first.value, last.value):
        return False
    if cues.hedges(last.unit.text) or (
        cues.hedges(first.unit.text) and last.unit.text.count(" ") > _LONGEST_NAME
    ):
        # What is only thought is no change; a thought that came true in so many words is.
        return False
    if _MEASURED.search(last.value) and not (first.was or last.was) and _is_near(first, last):
        # What is measured day by day is never quite the same.
        return False
    if first.moves and not _MOVED.search(last.unit.text):
        # Two dates of one thing may be two occasions of it.
        return False
    return not wavers(said)


def _is_near(first: Reading, last: Reading) -> bool:
    one, other = figure(first.value), figure(last.value)
    return abs(one - other) < _NEAR * max(one, other)


@lru_cache(maxsize=1 << 13)
def tells_change(text: str) -> bool:
    """Whether a sentence gives a value's old state beside the new, or a choice and its reversal."""
    if _TURNED.search(text):
        return True
    told = _told(text)
    if told is None or (told[0][0].isdigit() and leads_to_another(text)):
        return False
    # "From 10:00 to 12:00" is a span, unless something moves from the one to the other.
    when = text[told.start() : told.end() + 12]
    if told[0][0] not in "fF" or not (_CLOCKED.search(when) or _DATED.search(when)):
        return True
    return _SHIFTS.search(text[: told.start()]) is not None


def change_at(text: str) -> int:
    """Where in a sentence the change begins that it tells; -1 where it tells none."""
    told = _told(text)
    return told.start() if told else -1


def _told(text: str) -> re.Match[str] | None:
    """Where a sentence tells a change; it has a figure there, or says from what to what."""
    could = _DIGIT.search(text) is not None or _MAY_TELL.search(text) is not None
    return _TOLD.search(text) if could else None


def tells_turn(text: str) -> bool:
    """Whether a decision says what it turns from and what to."""
    return tells_change(text) or _SWITCHED.search(text) is not None


def is_proposed(text: str) -> bool:
    """Whether a change is only somebody's wish."""
    return _PROPOSED.search(text) is not None or cues.is_tentative(text)


def _readings(unit: Unit) -> list[tuple[Key, Reading]]:
    """The value of a sentence under what it is the value of: its frame, and the words before it."""
    text = _WHEN.sub(lambda match: " " * len(match[0]), unit.text)
    values = list(_VALUE.finditer(text))
    if not values or _told(unit.text):
        return []
    found: list[tuple[Key, Reading]] = []
    kind = _kind(values[0])
    if kind == "version" and _PLANNED.search(unit.text):
        return []
    part = _OF.match(text, values[0].end())
    end = part.end() if part else values[0].end()
    value = text[values[0].start() : end].strip()
    values = [one for one in values if one.start() == values[0].start() or one.start() >= end]
    name = text[: values[0].start()]
    if not name.strip() and unit.label:
        # "Open tickets: 140": the label says what was counted.
        name, kind = f"{unit.label}: ", kind or "count"
    reading = Reading(unit, value, " ".join(name.split()), end)
    if len(values) == 1:
        frame = _VALUE.sub("#", text).lower().rstrip(" .")
        words = tuple(re.findall(r"[a-z#]+", frame))
        if sum(1 for word in words if len(word) > 3) > _TELLING and (
            kind or not is_count_of_acts(name)
        ):
            found.append((("frame", unit.label, *words), reading))
    stems = {stem for stem in stems_in(name) if stem not in COMMON_STEMS and not stem.isdigit()}
    named = len(stems) >= _TELLING and len(name.split()) <= _LONGEST_NAME
    if kind and named and not _NO_READING.search(name.rstrip()) and not re.search("[.;]", name):
        found.append((("name", unit.label, kind, *sorted(stems)), reading))
    return found


def _versions(unit: Unit) -> Iterator[tuple[Key, Reading]]:
    """The versions that a sentence says something runs or was brought to."""
    if _PLANNED.search(unit.text) or unit.section == cues.OPEN:
        return
    for match in _VERSION.finditer(unit.text):
        yield ("version", match[1].lower()), Reading(unit, match[2], match[1], len(unit.text))


def _framed(unit: Unit, figured: bool) -> Iterator[tuple[Key, Reading]]:
    """The value a whole sentence gives one thing: a figure, a state, a date, an owner."""
    for kind, name, value, end in _frames_in(unit.text.rstrip(" .!"), figured):
        stems = {stem for stem in stems_in(name) if stem not in COMMON_STEMS}
        if not stems or _VALUE.search(name) or _NOT.search(name) or is_occasion(name):
            continue
        # One word names a thing only under one heading.
        place = subject_of(unit.place)[1] if len(stems) < _TELLING else None
        if kind == "figure":
            figure = _VALUE.match(value)
            kind = _kind(figure) if figure else ""
            if not kind or not figure or _CLOCKED.match(value):
                continue
        elif unit.label:
            continue
        reading = Reading(unit, value, name, end, kind in ("date", "owner"))
        yield (kind, unit.label, place, *name.lower().split()), reading


@lru_cache(maxsize=1 << 13)
def _frames_in(text: str, figured: bool) -> tuple[tuple[str, str, str, int], ...]:
    """What a whole sentence may say of a thing: the kind, the thing, its value, where that ends."""
    tried = [(kind, frame) for kind, frame in _FRAMES if figured or kind not in _FIGURED]
    found = [(kind, match) for kind, frame in tried if (match := frame.match(text))]
    return tuple((k, m["name"].strip(), m["value"], m.end("value")) for k, m in found)


def _same(one: str, other: str) -> bool:
    return one.lower() == other.lower()


def _kind(match: re.Match[str]) -> str:
    """What kind of figure it is; "" for a bare number, which may count anything."""
    return (
        match["sum"] or match["unit"] or match["share"] or ("version" if match["version"] else "")
    )


def _shared(one: str, other: str) -> str:
    """What both sentences go on with: all of it, or the words up to where a clause ends."""
    if one == other:
        return one
    clauses = [_CLAUSE.split(text, maxsplit=1)[0] for text in (one, other)]
    return clauses[0] if clauses[0] == clauses[1] else ""


def _steps(said: Sequence[Reading]) -> list[Reading]:
    """The readings that are told: each new value of what was set, else the first and the last."""
    first, last = said[0], said[-1]
    new = [first, *(b for a, b in pairwise(said) if figure(a.value) != figure(b.value))]
    is_set = "_" in last.name or any(one.was for one in said)
    return new if is_set and len(new) <= _STEPS else [first, last]


def _bullet(said: Sequence[Reading]) -> Bullet:
    steps = _steps(said)
    first, last = steps[0], steps[-1]
    old, new = first.unit, last.unit
    name = _COPULA.sub("", last.name.rstrip(" :,-")).rstrip(" :,-").removesuffix("'s")
    rest = new.text[last.end :].strip(" .")
    values = [one.value for one in steps]
    if first.was:
        values.insert(0, first.was)
    values = with_one_unit(values) if len(values) > 2 else values
    whole = f" of {values[-1].rpartition(' of ')[2]}"
    if all(value.endswith(whole) for value in values):
        values = [*(value.removesuffix(whole) for value in values[:-1]), values[-1]]
    told = f"from {' to '.join(values)}"
    text = f"{name}: {told}" if name else told[0].upper() + told[1:]
    shared = _shared(old.text[first.end :].strip(" ."), rest)
    if shared:
        text += f" {shared}" if shared[0] not in ",;:" else shared
    if new.label and not name.startswith(new.label) and not last.value.endswith(whole):
        text = f"{new.label}: {text}"
    if text[0].islower() and " " in name and name.split()[0].isalpha():
        text = text[0].upper() + text[1:]
    text = f"{text} ({day_words(old.entry)} to {day_words(new.entry)})"
    units = dict.fromkeys(one.unit.at for one in steps[::-1])
    by_place = {one.unit.at: one.unit for one in steps}
    return Bullet("", [by_place[at] for at in units], text, estimate(text) + 1)
