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
from lithify.regex import regex
from lithify.text.dates import MONTHS, WEEKDAYS
from lithify.text.stems import COMMON_STEMS, stems_of
from lithify.text.tokens import estimate

#: Days on which a line must recur.
DAYS = 3
#: What a routine that never changed counts beside a sentence, one that did, and a count to a total.
_UNCHANGED, _CHANGED, _COUNTS = 0.3, 1.5, 2.0
#: Entries that a series cites at most, and figures of a line that may vary for its extremes to be told.
_CITED, _FEW = 6, 2
#: Tokens of a line that tells a count: a longer one tells other things.
_SHORT = 30
#: The share of sentences that may have a word by which two progress lines are of one matter.
_RARE = 0.1

_NAMES = "|".join(
    sorted({name[:length] for name in (*MONTHS, *WEEKDAYS) for length in (3, len(name))})
)
#: A figure that stands by itself, with its unit at most: `v12`, `Q1` and `log_3.md` are names.
_NUMBER = r"(?<![\w/._])(?<!\w-)\d+(?:[.,:/-]\d+)*(?![^\W\d_]{5}|\w*[_/\\-]|\.\w)"
_FIGURE = regex(_NUMBER)
_DIGIT = regex(r"\d")
_VARIES = regex(rf"{_NUMBER}|\b(?:{_NAMES})\b", re.IGNORECASE)
_DATE = regex(r"\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?")
#: A figure beside the name of a month or day of the week is a date.
_DATED = regex(
    rf"\b(?:{_NAMES})\.?,? \d{{1,2}}\b|\b\d{{1,2}}\.? (?:{_NAMES})\b(?: \d{{4}}\b)?", re.IGNORECASE
)
_PROGRESS = regex(
    r"(?<![\w./-])(\d{1,5})\s?(?:/|of|von|de|sur|su|van|av|из)\s?(\d{1,5})(?![\w/-]|[.,]\d)"
)
#: How the later states of a series follow its first one in a bullet.
_LATER = regex(r"; \d{1,2} [A-Z][a-z]{2} \d{4}: |\s\((?:unchanged since|lowest|highest) ")


class Figure(NamedTuple):
    """A figure of a line that can vary: its value, its words, and where they begin."""

    value: float
    words: str
    start: int


def shape_of(text: str, subject: str = "") -> str:
    """Return a line under its subject with a sign for each figure and date."""
    line = f"{subject}: {text.rstrip('.')}"
    # Most lines hold no figure, and a name of a day alone makes no series.
    return (_VARIES.sub("0", line) if _DIGIT.search(line) else line).lower()


def figures_of(text: str) -> list[Figure]:
    """Return the figures of a line that are values: no dates and no times of day."""
    dated = [match.span() for match in _DATED.finditer(text)] if _DATED.search(text) else []
    return [
        Figure(_value(match[0]), match[0], _word_start(text, match.start()))
        for match in _FIGURE.finditer(text)
        if not _DATE.fullmatch(match[0])
        and not any(start <= match.start() < end for start, end in dated)
    ]


def _word_start(text: str, at: int) -> int:
    """Where the word that a place lies in begins: a sign of money or a bracket belongs to it."""
    return max(text.rfind(" ", 0, at), text.rfind("\u00a0", 0, at)) + 1


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
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for n, one in enumerate(units):
        if not (one.speaker or one.asks) and one.entry.day and one.must < 1.0:
            groups[shape_of(one.text, one.subject)].append(n)
    found = []
    for places in groups.values():
        own = [units[n] for n in places]
        if len(own) >= DAYS and len({one.entry.day for one in own}) >= DAYS:
            # A box ticked every day is routine, and nobody needs to be told that it was.
            routine = all(one.ticked for one in own)
            found.append(Series(tuple(places), None if routine else _series(own)))
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
    return (match := _LATER.search(text)) is not None and "unchanged" in match[0]


def line_of(text: str) -> str:
    """Return the words of a line, figures taken out; of a bullet of a series those it begins with."""
    match = _LATER.search(text)
    return shape_of(text[: match.start()] if match else text)


def _series(units: Sequence[Unit]) -> Unit:
    """The first and the last state of a line as one unit, with the extremes between them."""
    first, last = units[0], units[-1]
    # Where a date in words takes the place of one in figures, the figures of a line are fewer.
    columns = list(zip(*(figures_of(one.text) for one in units), strict=False))
    varying = [at for at, column in enumerate(columns) if len({one.value for one in column}) > 1]
    if not varying:
        text = f"{last.text.rstrip('.')} (unchanged since {_on(first.entry.day)})"
        return _unit(last, text, [first, last], _UNCHANGED)
    rest = last.text[columns[varying[0]][-1].start :].rstrip(".")
    text = f"{first.text.rstrip('.')}; {_on(last.entry.day)}: {rest}"
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
        if match is None or one.tokens > _SHORT or not day or one.speaker:
            continue
        if int(match[1]) > int(match[2]):
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
    rest = last.text[_word_start(last.text, match.start()) :].rstrip(".")
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
