"""Values that changed: the same line with another figure, old and new side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import pairwise

from lithify import cues
from lithify.engines.offline.matters.amounts import with_one_unit
from lithify.engines.offline.matters.columns import columns
from lithify.engines.offline.matters.measures import (
    Key,
    Reading,
    figure,
    merged,
    wavers,
)
from lithify.engines.offline.matters.progress import is_progress, progress
from lithify.engines.offline.matters.readings import LONGEST_NAME, readings
from lithify.engines.offline.matters.steps import (
    RELATIVE,
    Line,
    bullet_of,
    shift_lines,
    told_with,
)
from lithify.engines.offline.matters.subjects import persons
from lithify.engines.offline.matters.told import is_proposed
from lithify.engines.offline.page.bullets import Bullet, day_words
from lithify.engines.offline.reading.text import LIMIT
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.tokens import estimate

_COPULA = re.compile(
    r"(?:\s+(?:is|are|was|were|at|now|of|has|have|reached|reaches|stands|stood|runs|hit|came|went|to|up|down))+$",
    re.I,
)
_MOVED = re.compile(
    r"\b(?:now|mov\w+|postpon\w+|push\w+|slip\w*|delay\w*|reschedul\w+|brought forward|instead|later|earlier|new|takes over|took over)\b",
    re.I,
)
_CLAUSE = re.compile(r"[,;:.(]")
#: What is read off an instrument, and how near to one another its readings tell nothing new.
_MEASURED = re.compile(r"\d ?(?:%|percent|ms|s|kB|MB|GB|TB|kg|km|kW|degrees)$")
_NEAR = 0.05
#: What is read off from day to day and goes up and down, unless its name says that somebody set it.
_READ_OFF = re.compile(r"\d ?(?:min(?:utes?)?|s|ms|h|kW|kWh|°C|degrees|m|mm|km)$")


#: What was set, then what has a price or a share, then the rest; a mere count last.
_RANKS = ("set", "worth", "version", "figure", "name")
_FIGURE = re.compile(r"\d[\d.,:]*")
#: The part of the room that is left when rows of tables have theirs.
_ROWS = 0.65
#: Steps of a value that someone set: more are told by the first and the last.
_STEPS = 4


def changes(units: Sequence[Unit], room: int) -> list[Bullet]:
    """Bullets for the values that differ between the first and the last day they were given.

    What someone set or what measures progress comes before a mere count.
    """
    people = frozenset(persons(units, labels=False))
    lines = [(key, said) for key, said in _lines(units) if not _is_ones_own(said, people)]
    chosen = _Chosen(room)
    for key, said in lines:
        if key[0] == "set":
            chosen.take(_bullet(said))
    settings = frozenset(chosen.places)
    rows = columns(units)
    for row in rows:
        if row.days > 1 and chosen.room > _ROWS * room:
            chosen.take(row.bullet)
    shifts = [line for line in told_shifts(units) if not chosen.has(bullet_of([line]))]
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
    """Bullets of changes while there is room for them, no two of one name.

    Nor one whose steps are all told of the same thing under a longer or shorter name.
    """

    def __init__(self, room: int) -> None:
        self.room = room
        self._names: set[str] = set()
        self._told: list[tuple[frozenset[str], frozenset[str]]] = []
        self.bullets: list[Bullet] = []
        self.places: set[int] = set()

    def has(self, bullet: Bullet) -> bool:
        """Whether the steps of a thing are all told, under its name or a longer or shorter one."""
        name, figures = _parts(bullet)
        stems = frozenset(stems_in(name))
        return any(
            figures <= values and (stems <= known or known <= stems)
            for known, values in self._told
            if figures
        )

    def take(self, bullet: Bullet) -> None:
        name, figures = _parts(bullet)
        if bullet.cost > min(LIMIT, self.room) or name in self._names or self.has(bullet):
            return
        self.bullets.append(bullet)
        self._told.append((frozenset(stems_in(name)), figures))
        self._names.add(name)
        self.places |= {unit.at for unit in bullet.units}
        self.room -= bullet.cost


def _parts(bullet: Bullet) -> tuple[str, frozenset[str]]:
    """What a bullet calls a thing, and the figures it was and became."""
    name, _, told = bullet.fixed.partition(" from ")
    return name.rstrip(":").lower(), frozenset(_FIGURE.findall(told.rpartition(" (")[0]))


def told_shifts(units: Sequence[Unit]) -> list[Line]:
    """What sentences tell as changed and no one only wishes, first what is said most plainly."""
    # One sentence that only names what it stands in the place of says more than that.
    lines = [
        line
        for line in shift_lines(units, _holds)
        if len(line.steps) > 1 or not line.steps[0][1].instead
    ]

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
        for key, reading in readings(unit):
            lines.setdefault(key, []).append(reading)
    found = [(key, said) for key, said in merged(lines).items() if _is_change(said)]
    found += [(key, said) for key, said in progress(units) if _is_change(said)]
    return sorted(found, key=lambda pair: (_rank(pair[0]), pair[1][0].unit.at))


def _rank(key: Key) -> int:
    return _RANKS.index(key[0]) if key[0] in _RANKS else len(_RANKS)


def _is_change(said: Sequence[Reading]) -> bool:
    first, last = said[0], said[-1]
    if first.unit.entry.day == last.unit.entry.day or _same(first.value, last.value):
        return False
    if _same(first.was, last.value):
        return False
    if cues.hedges(last.unit.text) or (
        cues.hedges(first.unit.text) and last.unit.text.count(" ") > LONGEST_NAME
    ):
        # What is only thought is no change; a thought that came true in so many words is.
        return False
    if _MEASURED.search(last.value) and not (first.was or last.was) and _is_near(first, last):
        # What is measured day by day is never quite the same.
        return False
    if not (first.was or last.was) and (len(last.name.strip(" :")) < 2 or _is_read_off(last)):
        return False
    if first.moves and not _MOVED.search(last.unit.text):
        # Two dates of one thing may be two occasions of it.
        return False
    return not wavers(said)


def _is_read_off(one: Reading) -> bool:
    named = any(map(RELATIVE.fullmatch, one.name.strip(" :").split()))
    return _READ_OFF.search(one.value) is not None and not named


def _is_ones_own(said: Sequence[Reading], people: Set[str]) -> bool:
    """Whether values are called by who gave or did them: of what they are is not told.

    Who is named in full on another day is somebody.
    """
    first = said[-1].name.split(" ")[0].rstrip(":,").removesuffix("'s")
    full = re.compile(rf"{re.escape(first)} [A-Z][a-z]")
    known = first in people or (first.istitle() and any(full.match(one.name) for one in said))
    return known and not any(one.was for one in said)


def _is_near(first: Reading, last: Reading) -> bool:
    one, other = figure(first.value), figure(last.value)
    return abs(one - other) < _NEAR * max(one, other)


def _same(one: str, other: str) -> bool:
    return one.lower() == other.lower()


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


def _rest(one: Reading) -> str:
    """What a sentence goes on with after its value, without the end of what that stood in."""
    rest = one.unit.text[one.end :].strip(" .")
    return rest[1:].lstrip() if rest.count("`") % 2 and rest[0] == "`" else rest


def _bullet(said: Sequence[Reading]) -> Bullet:
    steps = _steps(said)
    first, last = steps[0], steps[-1]
    old, new = first.unit, last.unit
    name = _COPULA.sub("", last.name.rstrip(" :,-")).rstrip(" :,-").removesuffix("'s")
    rest = _rest(last)
    values = [one.value for one in steps]
    if first.was:
        values.insert(0, first.was)
    values = with_one_unit(values) if len(values) > 2 else values
    whole = f" of {values[-1].rpartition(' of ')[2]}"
    if all(value.endswith(whole) for value in values):
        values = [*(value.removesuffix(whole) for value in values[:-1]), values[-1]]
    told = f"from {' to '.join(values)}"
    text = f"{name}: {told}" if name else told[0].upper() + told[1:]
    shared = _shared(_rest(first), rest)
    if shared:
        text += f" {shared}" if shared[0] not in ",;:" else shared
    # What each line of the thing stands under is part of its name; what one does is the day's.
    labels = {one.unit.label for one in steps}
    if (
        new.label
        and labels == {new.label}
        and not name.startswith(new.label)
        and not last.value.endswith(whole)
    ):
        text = f"{new.label}: {text}"
    if text[0].islower() and " " in name and name.split()[0].isalpha():
        text = text[0].upper() + text[1:]
    text = f"{text} ({day_words(old.entry)} to {day_words(new.entry)})"
    units = dict.fromkeys(one.unit.at for one in steps[::-1])
    by_place = {one.unit.at: one.unit for one in steps}
    return Bullet("", [by_place[at] for at in units], text, estimate(text) + 1)
