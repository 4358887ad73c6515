"""How much and how many: the unit a figure counts in, and whether all are meant or some."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lithify.text.hedges import denies
from lithify.text.language import word_list
from lithify.text.stems import words_of
from lithify.values import Entry
from lithify.verify.clauses import clauses

#: Units by one name each; the names of time are words, so they are given in two languages.
_UNITS = {
    form: row.split()[0]
    for row in (
        *("ms millisecond milliseconds", "s sec second seconds sekunde sekunden"),
        *("min minute minutes minuten", "h hr hour hours stunde stunden"),
        *("day days daily tag tage tagen täglich", "week weeks weekly woche wochen wöchentlich"),
        *("weekend weekends wochenende", "month months monthly monat monate monaten monatlich"),
        *(
            "quarter quarters quartal",
            "year years yearly annually annual jahr jahre jahren jährlich",
        ),
        *(
            "g gram grams gramm",
            "kg kilo kilos kilogramm",
            "mg",
            "t ton tons tonnen",
            "l litre litres liter",
        ),
        *(
            "ml",
            "m metre metres meter metern",
            "cm zentimeter",
            "mm millimeter",
            "km kilometre kilometres kilometer",
        ),
        *("thousand tausend", "million millions millionen", "billion billions milliarden"),
        *("kb", "mb", "gb", "tb", "m²", "m³", "workday workdays werktag werktage werktagen"),
    )
    for form in row.split()
}
_NEVER = frozenset(("never", "nobody", "nie", "niemals", "niemand"))
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|€|[.;:!?,]")
#: Tokens behind a figure in which its unit stands: "0.29 EUR per ticket a month".
_BEHIND = 4


def other_unit(text: str, cited: Sequence[Entry]) -> str:
    """A unit in which a claim counts a figure that every source counts in others."""
    sources = [_counted(entry.text) for entry in cited]
    for figure, units in _counted(text).items():
        theirs = [source[figure] for source in sources if figure in source]
        if not theirs or any(not mine or mine & units for mine in theirs) or not units:
            continue
        return sorted(units)[0]
    return ""


def _counted(text: str) -> dict[str, frozenset[str]]:
    """The figures of a text and the units right behind each, as far as the next figure."""
    found: dict[str, frozenset[str]] = {}
    tokens = _TOKEN.findall(text.lower())
    for at, token in enumerate(tokens):
        if token[0].isdigit():
            units = set()
            for after in tokens[at + 1 : at + 1 + _BEHIND]:
                if after[0].isdigit() or after in ".;:!?,":
                    break
                if after in _UNITS:
                    units.add(_UNITS[after])
            found[token] = found.get(token, frozenset()) | units
    return found


def widened(text: str, cited: Sequence[Entry], language: str) -> str:
    """A word that says "all" or "never" where no source says one."""
    universal = word_list(language, "universal")
    said = frozenset(word for entry in cited for word in words_of(f"{entry.lead} {entry.text}"))
    if not universal or said & universal:
        return ""
    denied = any(denies(entry.text) for entry in cited)
    for clause in clauses(text, language):
        for word in words_of(clause.text):
            # "Do not restart it alone" says never.
            if word in universal and not (denied and word in _NEVER):
                return word
    return ""
