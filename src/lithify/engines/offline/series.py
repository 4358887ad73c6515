"""Series: a line that recurs over days with other figures is told once, with its ends.

Two lines are of one series where all their words are the same, under the same subject, once figures
and dates are taken out: a figure keeps the noun it stands with. Of what does not change only that is
told. Progress lines, `3 of 9`, are one series where total and subject are the same.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from lithify.calendar import day_words
from lithify.engines.offline.read import OPENING, Unit
from lithify.text.dates import MONTHS, WEEKDAYS
from lithify.text.stems import COMMON_STEMS, stems_of
from lithify.text.tokens import estimate

#: Days on which a line must recur.
DAYS = 3
#: What a routine that never changed counts beside a sentence, one that did, and a count to a total.
_UNCHANGED, _CHANGED, _COUNTS = 0.3, 1.5, 2.0
#: Entries that a series cites at most, and figures of a line that may vary for its extremes to be told.
_CITED, _FEW = 6, 2
#: The share of sentences that may have a word by which two progress lines are of one matter.
_RARE = 0.1

_TOKEN = re.compile(r"\d+(?:[.,:/-]\d+)*|[^\W\d_]+|[%$€£¥#]")
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?")
_PROGRESS = re.compile(
    r"(?<![\w./-])(\d{1,5})\s?(?:/|of|von|de|sur|su|van|av|из)\s?(\d{1,5})(?![\w/-]|[.,]\d)"
)
#: How the later states of a series follow its first one in a bullet.
_LATER = re.compile(r"; \d{1,2} [A-Z][a-z]{2} \d{4}: |\s\((?:unchanged since|lowest|highest) ")
_CALENDAR = frozenset(
    name.lower()[:length] for name in (*MONTHS, *WEEKDAYS) for length in (3, len(name))
)


class Figure(NamedTuple):
    """A figure of a line that can vary: its value, its words, and where they begin."""

    value: float
    words: str
    start: int


class Shape(NamedTuple):
    """A line without its figures and dates, under its subject, and the figures that were taken out."""

    key: tuple[str, ...]
    figures: tuple[Figure, ...]


def shape_of(text: str, subject: str = "") -> Shape:
    """Return the words of a line with a sign for each figure, and the figures."""
    key = [word.lower() for word in _TOKEN.findall(subject) if not word[0].isdigit()]
    key.append(":")
    figures: list[Figure] = []
    dated = False
    for match in _TOKEN.finditer(text):
        word = match[0]
        if word.lower() in _CALENDAR:
            # The day of a month stands before its name or behind it.
            if figures and not dated and text[: match.start()].rstrip().endswith(figures[-1].words):
                figures.pop()
                key.pop()
            dated = True
            continue
        if not word[0].isdigit():
            key.append(word.lower())
        elif not dated and not _DATE.fullmatch(word):
            signed = text[match.start() - 1 : match.start()] in tuple("$€£¥-+~")
            figures.append(Figure(_value(word), word, match.start() - signed))
            key.append("0")
        dated = False
    return Shape(tuple(key), tuple(figures))


def _value(figure: str) -> float:
    plain = re.sub(r",(?=\d{3}(?!\d))", "", figure)
    try:
        return float(plain)
    except ValueError:
        return float(re.sub(r"\D", "", plain) or 0)


class Series(NamedTuple):
    """The places of the lines that recur, and what tells them once; None where nobody needs it."""

    places: tuple[int, ...]
    told: Unit | None


def told_once(units: Sequence[Unit]) -> list[Unit]:
    """Return the sentences with each series as one unit, at the place of the line it begins with."""
    found: dict[int, Unit | None] = {}
    for one in series_in(units):
        found.update(dict.fromkeys(one.places))
        found[one.places[0]] = one.told
    told = (found.get(n, one) for n, one in enumerate(units))
    return [one for one in told if one is not None]


def series_in(units: Sequence[Unit]) -> list[Series]:
    """Return the lines that recur on several days, and those that count up to one total."""
    groups: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    shapes: dict[int, Shape] = {}
    for n, one in enumerate(units):
        if not (one.speaker or one.asks) and one.entry.day and one.must < 1.0:
            shapes[n] = shape_of(one.text, one.subject)
            groups[shapes[n].key].append(n)
    found = []
    for places in groups.values():
        own = [units[n] for n in places]
        if len({one.entry.day for one in own}) >= DAYS:
            # A box ticked every day is routine, and nobody needs to be told that it was.
            routine = all(one.ticked for one in own)
            told = None if routine else _series(own, [shapes[n] for n in places])
            found.append(Series(tuple(places), told))
    known = {n for one in found for n in one.places}
    rest = [(n, one) for n, one in enumerate(units) if n not in known]
    for places in _progress(rest):
        found.append(Series(tuple(places), _from_to(units[places[0]], units[places[-1]])))
    return found


def told_first(series: Iterable[Series], budget: float) -> tuple[list[Unit], list[Unit]]:
    """The series that are told before anything competes with them, within a budget, and the others.

    Counts towards a total come first, then what changed, the most frequent lines before others.
    """
    told = [(one.told, len(one.places)) for one in series if one.told]
    told.sort(key=lambda each: (-each[0].worth, -each[1], each[0].at))
    found: list[Unit] = []
    others: list[Unit] = []
    for one, _ in told:
        cost = one.tokens + OPENING + estimate(one.subject)
        (found if one.worth > 1 and cost <= budget else others).append(one)
        budget -= cost if found and found[-1] is one else 0
    return found, others


def aged(one: Unit) -> Unit:
    """An open item with the day since which it is open, where that is an earlier one."""
    if one.since is None or one.since == one.entry.day:
        return one
    text = f"{one.text.rstrip('.')} (open since {_on(one.since)})"
    return replace(one, text=text, tokens=estimate(text))


def is_unchanged(text: str) -> bool:
    """Whether a bullet tells a line that did not change."""
    match = _LATER.search(text)
    return match is not None and "unchanged" in match[0]


def line_of(text: str) -> tuple[str, ...]:
    """Return the words of a line, figures taken out; of a bullet of a series those it begins with."""
    match = _LATER.search(text)
    return shape_of(text[: match.start()] if match else text).key


def _series(units: Sequence[Unit], shapes: Sequence[Shape]) -> Unit:
    """The first and the last state of a line as one unit, with the extremes between them."""
    first, last = units[0], units[-1]
    columns = list(zip(*(shape.figures for shape in shapes), strict=True))
    varying = [at for at, column in enumerate(columns) if len({one.value for one in column}) > 1]
    if not varying:
        text = f"{last.text.rstrip('.')} (unchanged since {_on(first.entry.day)})"
        return _unit(last, text, [first, last], _UNCHANGED)
    last_shape = shapes[-1]
    text = f"{first.text.rstrip('.')}; {_on(last.entry.day)}: "
    text += last.text[last_shape.figures[varying[0]].start :].rstrip(".")
    cited = [first, last]
    if len(varying) <= _FEW:
        extremes = []
        for at in varying:
            column = columns[at]
            ends = {column[0].value, column[-1].value}
            for name, pick in (("lowest", min), ("highest", max)):
                n = pick(range(len(column)), key=lambda n: column[n].value)
                if column[n].value not in ends:
                    extremes.append(f"{name} {column[n].words} on {_on(units[n].entry.day)}")
                    cited.append(units[n])
        if extremes:
            text += f" ({', '.join(extremes)})"
    return _unit(first, text, cited, _CHANGED)


def _progress(units: Sequence[tuple[int, Unit]]) -> list[list[int]]:
    """The places of lines that count the same matter up to the same total, on several days."""
    counts = Counter(stem for _, one in units for stem in set(one.stems))
    most = max(DAYS + 2, _RARE * len(units))
    groups: defaultdict[int, list[tuple[set[str], list[tuple[int, int, date]]]]]
    groups = defaultdict(list)
    for n, one in units:
        match = _PROGRESS.search(one.text)
        day = one.entry.day
        if match is None or not day or one.speaker or int(match[1]) > int(match[2]):
            continue
        own = {s for s in one.stems if counts[s] <= most and not s[0].isdigit()} - COMMON_STEMS
        for words, states in groups[int(match[2])]:
            if words & own and int(match[1]) >= states[-1][1]:
                states.append((n, int(match[1]), day))
                break
        else:
            groups[int(match[2])].append((own, [(n, int(match[1]), day)]))
    return [
        [n for n, _, _ in states]
        for matters in groups.values()
        for _, states in matters
        if states[0][1] < states[-1][1] and states[0][2] != states[-1][2]
    ]


def _from_to(first: Unit, last: Unit) -> Unit:
    """Where a count began and where it stands, as one unit under the section of its end."""
    match = _PROGRESS.search(last.text)
    assert match is not None
    rest = last.text[match.start() :].rstrip(".")
    text = f"{first.text.rstrip('.')}; {_on(last.entry.day)}: {rest}"
    return replace(_unit(first, text, [first, last], _COUNTS), judgement=last.judgement)


def _unit(base: Unit, text: str, cited: Iterable[Unit], worth: float) -> Unit:
    own = list(cited)
    ids = tuple(dict.fromkeys(one.entry.id for one in own))[:_CITED]
    return replace(
        base,
        text=text,
        tokens=estimate(text),
        stems=tuple(stems_of(text)),
        atoms=frozenset[str]().union(*(one.atoms for one in own)),
        ids=ids,
        worth=worth,
        is_series=True,
    )


def _on(day: date | None) -> str:
    return day_words(day) if day else ""
