"""Figures that no source states but that follow from two that it does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, localcontext
from difflib import get_close_matches
from itertools import combinations

from lithify.text.atoms import Atom, find_atoms, support_of
from lithify.text.atoms.figures import SPELLED
from lithify.text.stems import words_of
from lithify.values import Entry

#: Figures of the sources that are put together; a table of hundreds tells nothing.
_MOST = 40
#: A figure of more digits is a number of something; what two give together has room in these.
_KEY = re.compile(r"([$€£¥₹]?)(\d{1,15}(?:\.\d{1,15})?)(%?)(?: (.+))?")
_DIGITS = 100
_MONTH = re.compile(r"(?:\d{4}|-)-(\d\d)")
_PENCE = re.compile(r"(?<![\d.])(\d{1,2})p\b")
_YEAR = re.compile(r"(\d{4})-")
_TIME = re.compile(r"\d\d:\d\d")
_HALF_HOUR = re.compile(r"\bhalf an hour\b|\bhalbe Stunde\b|\bhalben Stunde\b", re.IGNORECASE)
_NTH = re.compile(r"\d+(?:st|nd|rd|th)")
_DAYS = {"day": 1, "week": 7}
#: How alike two spellings of a number are.
_ALIKE = 0.85
#: A share may be rounded by so much.
_ROUNDED = Decimal("0.6")

_CURRENCY = frozenset("$€£¥₹")

Figure = tuple[Decimal, str]


def follows(atom: Atom, text: str, cited: Sequence[Entry]) -> bool:
    """Whether a figure of a claim is a difference, sum, share, duration or count of what it cites."""
    if atom.kind == "date":
        return _is_between(atom.key, cited)
    if atom.kind not in ("number", "money", "percent"):
        return False
    wanted = _figure(atom.key)
    if wanted is None:
        return False
    if _NTH.fullmatch(atom.text):
        return any(key.endswith(f"-{int(wanted[0]):02}") for key in _days_said(cited))
    if _counts(wanted, atom, text, cited) or _is_misspelt(wanted, cited):
        return True
    known = list(dict.fromkeys(_figures(cited)))[:_MOST]
    with localcontext(prec=_DIGITS):
        found = any(_same(wanted, result) for result in _results(known))
    return found or wanted in _durations(cited)


def _is_between(key: str, cited: Sequence[Entry]) -> bool:
    """Whether a month lies between two that an entry names: "from August to October"."""
    month = _MONTH.fullmatch(key)
    if not month:
        return False
    for entry in cited:
        named = [_MONTH.fullmatch(atom.key) for atom in find_atoms(entry.text)]
        months = [int(other[1]) for other in named if other]
        if len(months) > 1 and min(months) < int(month[1]) < max(months):
            return True
    return False


def _days_said(cited: Sequence[Entry]) -> Iterator[str]:
    return (key for entry in cited for key in support_of(entry).keys)


def _figure(key: str) -> Figure | None:
    match = _KEY.fullmatch(key)
    return (Decimal(match[2]), match[1] or match[3] or match[4] or "") if match else None


def _figures(cited: Iterable[Entry]) -> Iterator[Figure]:
    for entry in cited:
        for atom in find_atoms(f"{entry.text} {entry.lead}"):
            if figure := _figure(atom.key):
                yield figure
        for pence in _PENCE.finditer(entry.text):
            yield Decimal(pence[1]) / 100, "£"


def _same(wanted: Figure, result: Figure) -> bool:
    """Whether two figures are one, as far as the wanted one is told; a unit counts where both have one."""
    if wanted[1] and result[1] and wanted[1] != result[1]:
        return False
    if wanted[1] == "%":
        return abs(wanted[0] - result[0]) <= _ROUNDED
    return wanted[0] == result[0].quantize(wanted[0], ROUND_HALF_UP)


def _results(known: Sequence[Figure]) -> Iterator[Figure]:
    """What two figures give: their difference, sum, ratio and share, and their product."""
    for (one, unit), (other, its) in combinations(known, 2):
        if unit == its or not (unit and its):
            kind = unit or its
            yield abs(one - other), kind
            yield one + other, kind
            for part, whole in ((one, other), (other, one)):
                if whole:
                    yield 100 * part / whole, "%"
                    yield 100 * abs(part - whole) / whole, "%"
                    yield part / whole, "" if unit and its else kind
                    yield part // whole, ""
        if not (unit and its) or unit == its == "m":
            yield one * other, unit or its
        elif (unit in _CURRENCY) is not (its in _CURRENCY):
            yield one * other, unit if unit in _CURRENCY else its
    for unit in {unit for _, unit in known}:
        yield sum((value for value, its in known if its == unit), Decimal(0)), unit


def _durations(cited: Sequence[Entry]) -> Iterator[Figure]:
    """Days and weeks between two dates, minutes and hours between two times."""
    days = {entry.day for entry in cited if entry.day}
    times = set()
    for entry in cited:
        for atom in find_atoms(entry.text, entry.day):
            if atom.kind == "date" and (day := _day(atom.key)):
                days.add(day)
            elif atom.kind == "time":
                times.add(60 * int(atom.key[:2]) + int(atom.key[3:]))
    for one, other in combinations(sorted(days)[:_MOST], 2):
        for inclusive in (0, 1):
            count = (other - one).days + inclusive
            yield from (
                (Decimal(count // size), unit) for unit, size in _DAYS.items() if count % size == 0
            )
    for atom in (a for entry in cited for a in find_atoms(entry.text) if a.kind == "date"):
        if (year := _YEAR.match(atom.key)) and days:
            yield Decimal(abs(max(days).year - int(year[1]))), "year"
    for entry in cited:
        if _HALF_HOUR.search(entry.text):
            yield Decimal(30), "min"
    times |= {_minutes(time) for entry in cited for time in entry.headings if _TIME.fullmatch(time)}
    for start, end in combinations(sorted(times)[:_MOST], 2):
        yield Decimal(end - start), "min"
        yield Decimal(end - start) / 60, "h"


def _minutes(time: str) -> int:
    return 60 * int(time[:2]) + int(time[3:])


def _day(key: str) -> date | None:
    try:
        return date.fromisoformat(key)
    except ValueError:
        return None


def _is_misspelt(wanted: Figure, cited: Sequence[Entry]) -> bool:
    """Whether a source has the number with a slip in its spelling: "fourty"."""
    words = [word for word, value in SPELLED.items() if value == wanted[0] and len(word) > 4]
    said = {word for entry in cited for word in words_of(entry.text)}
    return any(get_close_matches(word, said, 1, _ALIKE) for word in words)


def _counts(wanted: Figure, atom: Atom, text: str, cited: Sequence[Entry]) -> bool:
    """Whether a writer counted what it lists or cites: "these four conditions"."""
    if not atom.text[0].isalpha() or wanted[0] > 12:
        return False
    if wanted[0] == len(cited):
        return True
    others = [a for a in find_atoms(text) if a is not atom and a.kind != "date"]
    parts = re.split(r",\s|;\s|\s(?:and|und|or|oder)\s", text)
    listed = range(len(parts) - 2, len(parts) + 1)
    return wanted[0] in listed or wanted[0] == len({a.key for a in others if a.kind == "name"})
