"""What a clause gives a value to: settings by their name, prices, shares, times."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.stems import COMMON_STEMS, is_empty

UNITS = (
    r"%|percent|ms|s|GB|MB|TB|kB|seconds|minutes|min|hours|days|weeks|months|km|kg|kW|rows|users|"
    r"customers|tickets|bookings|orders|requests|tests|points|items|entries|members|euros|dollars|degrees"
)
#: Readings from which on one that goes up and down is seen to lead nowhere.
_MANY = 4
_LONGEST = 6
_ASIDE = re.compile(r"\([^()]*\)")
#: Where a clause begins that may give a thing a value.
_PART = re.compile(r"(?:^|(?<=[,;.:] ))(?=[^\W\d_])")
#: What has a kind: a sum, a share, a time; a bare number may count anything.
_KINDED = re.compile(rf"[$€£]\s?\d|\d\s?(?:{UNITS})(?!\w)")
_STANDS = (
    r"(?:\s+(?:is|are|was|were|stands|stood|at|on|now|still|only|runs|set|has|reached|reaches|hit|hits)\b)*"
    r"(?:\s+(?:raised|lowered|increased|reduced|cut|goes|went|rises|rose|fell|falls|drops|dropped|comes|came|grew|"
    r"climbed|moved|changed)(?:\s+(?:up|down))?(?=\s+(?:to|from)\b))?"
)
_SET = r"(?:raised|lowered|increased|reduced|set|sets|cut|put|changed|moved)"
_WORTH = re.compile(
    rf"(?:(?:[A-Z][\w-]+ )?(?i:{_SET}) )?(?i:(?:the|our|its) )?(?P<name>[^\W\d_][\w'/ -]{{2,60}}?)(?i:{_STANDS})"
    rf"(?:\s+from (?P<was>(?P<was_sum>[$€£])?\s?\d[\d,]*(?:\.\d+)?(?:\s?(?:{UNITS}))?))?(?:(?:\s+(?:up|down|back))?\s+to)?\s+"
    rf"(?P<value>(?P<sum>[$€£])\s?\d(?:[\d,.]*\d)?(?:\s?(?:[kKmMbB]\b|million|billion))?|"
    rf"\d[\d,]*(?:\.\d+)?\s?(?P<unit>{UNITS}))(?![\w-]|\.\d|:\d)"
    r"(?! (?:more|less|fewer|off|each|later|ago|long)\b)"
)
#: A setting by its name in the code, wherever it stands.
_SETTING = re.compile(
    rf"`?\b(?P<name>[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)`?{_STANDS}(?:\s+(?:from )?(?P<was>\d[\d,]*(?:\.\d+)?)(?=\s+to\s|\s*(?:->|→|=>)))?"
    rf"(?:\s*(?:=|->|→|=>)\s*|\s+to\s+|\s+)(?P<value>\d[\d,]*(?:\.\d+)?(?:\s(?P<unit>{UNITS})(?!\w))?)(?![\w-]|\.\d|:\d)"
)
#: Words that make no thing of what stands before a value.
_NO_NAME = re.compile(
    r"\b(?:to|that|which|who|and|or|not|no|never|if|when|once|whether|will|would|may|might|could|should|"
    r"i|we|you|he|she|they|it|this|these|those|proposes?|wants?|asks?|needs?)\b|^(?:for|of|in) |\W$",
    re.I,
)
_LAST = re.compile(
    r"\b(?:above|below|under|over|than|about|of|by|from|until|before|after|least|most|for|with|in|within|every|some|"
    r"another|costs?|owes|paid|sent|took|takes|first|last|next)$",
    re.I,
)
#: A count of what someone did is another every time: it measures nothing that lasts.
_ACT = re.compile(
    rf"^(?!{_SET}\b)(?:(?:I|we) )?(?:\w{{3,}}ed|fed|sent|made|took|gave|ran|wrote|met|saw|got|sold|bought|swept|held|drew|"
    r"paid|did|told|shot|brought|found|kept|left)\b|\b\w{3,}ed,?$",
    re.I,
)

_OCCASION = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:daily|weekly|tonight)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A value as a sentence gives it: of what, in which unit, and what it `was` before."""

    unit: Unit
    value: str
    name: str
    end: int
    moves: bool = False
    was: str = ""


Key = tuple[object, ...]


def worths(unit: Unit) -> Iterator[tuple[Key, Reading]]:
    """The values that the clauses of a sentence give to something they name."""
    text = _ASIDE.sub(lambda match: " " * len(match[0]), unit.text)
    if "_" in text:
        for found in _SETTING.finditer(text):
            yield ("set", found["name"].lower()), _read(unit, found)
    if not _KINDED.search(text):
        return
    for part in _PART.finditer(text):
        match = _WORTH.match(text, part.end())
        if match is None or "_" in match["name"]:
            continue
        name = match["name"].strip()
        stems = frozenset(
            stem
            for stem in stems_in(name)
            if stem not in COMMON_STEMS and not any(map(str.isdigit, stem))
        )
        words = name.split()
        if not stems or len(words) > _LONGEST or _NO_NAME.search(name) or _LAST.search(name):
            continue
        if all(map(is_empty, words)) or _ACT.search(name) or is_occasion(name):
            continue
        if len(stems) == 1 and match["sum"] and match.end("name") + 1 == match.start("value"):
            # "Market £420": the takings of the next one are no change of anything.
            continue
        # One word names a thing only under one heading.
        place = subject_of(unit.place)[1] if len(stems) == 1 else frozenset()
        yield ("worth", match["sum"] or match["unit"], stems, place), _read(unit, match)


def _read(unit: Unit, match: re.Match[str]) -> Reading:
    name = match["name"].strip()
    return Reading(unit, match["value"], name, match.end("value"), was=(match["was"] or "").strip())


def merged(lines: Mapping[Key, list[Reading]]) -> dict[Key, list[Reading]]:
    """The lines with a thing named by one word put to the only longer name that has the word.

    Both stand under one heading, or the one heading has a word that the longer name has too: the
    memory of one thing is not that of another.
    """
    found = {key: [*said] for key, said in lines.items()}
    worth = [key for key in lines if key[0] == "worth"]
    for key in worth:
        stems = key[2]
        if not isinstance(stems, frozenset) or len(stems) != 1:
            continue
        wider = [
            one
            for one in worth
            if one[1] == key[1] and isinstance(one[2], frozenset) and one[2] > stems
            if _beside(lines[key], lines[one], one[2] - stems)
        ]
        if len(wider) == 1:
            both = sorted([*found.pop(key), *found[wider[0]]], key=lambda one: one.unit.at)
            found[wider[0]] = both
    return found


def _beside(short: Sequence[Reading], long: Sequence[Reading], more: frozenset[str]) -> bool:
    """Whether readings by a short name stand where those by a longer one do, or name more of it."""
    over = [frozenset(stems_in(" ".join(one.unit.place))) for one in short]
    same = {subject_of(one.unit.place)[1] for one in long} - {frozenset()}
    return any(subject_of(one.unit.place)[1] in same for one in short) or any(
        more & (words | frozenset(one.unit.stems)) for words, one in zip(over, short, strict=True)
    )


def is_count_of_acts(name: str) -> bool:
    """Whether what stands before a bare number tells what was done, not what there is."""
    return _ACT.search(name.strip(" ,:")) is not None


def is_occasion(name: str) -> bool:
    """Whether a value is of what comes every week: the next one's is another, not a change."""
    return _OCCASION.search(name) is not None


def wavers(said: Sequence[Reading]) -> bool:
    """Whether a figure goes up and down from day to day, as a count of the day's work does."""
    if said[0].value.count(".") > 1:
        # Of versions an older one may be spoken of again.
        return False
    figures = [figure(one.value) for one in said]
    steps = [b - a for a, b in pairwise(figures) if a != b]
    turns = sum(1 for a, b in pairwise(steps) if (a > 0) != (b > 0))
    return len(figures) >= _MANY and turns > 1


def figure(value: str) -> float:
    """The number in a value; a version or a share of a whole counts by its first number."""
    found = re.search(r"\d[\d,]*(?:\.\d+)?", value)
    return float(found[0].replace(",", "")) if found else 0.0
