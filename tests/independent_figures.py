"""A second, simple reading of the table of figures in `docs/verifier.md`, for tests of the verifier.

It shares no code with the program. Each run of digits of a text is looked at by itself: it stands if
its characters stand in the source as a run of their own, or if one of its values is a value of a run
there, or that value rounded, or if it belongs to a date that stands. It is looser than the verifier
(a run of a date may stand as a number, units are not compared) but never by digits, sign, separators
or multipliers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from decimal import Decimal

from lithify.values import Entry

_SPACES = "\u00a0\u2009\u202f"
_RUN = re.compile(rf"\d+(?:[.,:'’{_SPACES}/-]\d+|[ ]\d{{3}}(?!\d))*")
_LETTERS = re.compile(rf"[ {_SPACES}]?(百万|千万|[千万萬亿億]|[A-Za-zА-Яа-яёäöü]+)")
_POWERS = {
    "k": 3, "thousand": 3, "tsd": 3, "tausend": 3, "тыс": 3, "тысяч": 3, "тысячи": 3, "千": 3,
    "m": 6, "million": 6, "millions": 6, "mio": 6, "millionen": 6, "млн": 6, "миллион": 6,
    "миллиона": 6, "миллионов": 6, "百万": 6, "b": 9, "bn": 9, "billion": 9, "mrd": 9,
    "milliarden": 9, "milliarde": 9, "млрд": 9, "万": 4, "萬": 4, "亿": 8, "億": 8, "千万": 7,
}  # fmt: skip


def runs_of(text: str) -> list[tuple[int, int]]:
    """Return where runs of digits with what joins them stand."""
    return [match.span() for match in _RUN.finditer(text)]


def allowed(claim: str, cited: Sequence[Entry]) -> Iterator[str]:
    """Yield for each run of digits of a claim "equal", "rounded" or, where it may not stand, ""."""
    texts = [part for entry in cited for part in (*entry.headings, entry.lead, entry.text)]
    dates = set()
    for entry in cited:
        if entry.day:
            days = [entry.day + timedelta(days=n) for n in range(-21, 22)]
            # A day near an entry's own may follow from a word of it, which is not looked at here.
            dates |= {f"{one.year}-{one.month}-{one.day}" for one in days}
    known = [one for text in texts for one in _numbers(text)]
    strings = {run for _, run, _, _ in known}
    for negative, run, values, gives in _numbers(claim):
        parts = re.split(r"[/:.-]", run)
        listed = len(parts) > 1
        if run in strings:
            signs = {minus for minus, other, _, _ in known if other == run}
            yield "equal" if negative in signs or listed else ""
        elif (
            _is_date(parts, dates)
            or _is_day(run, dates)
            or (listed and all(part in strings or _is_part(part, strings) for part in parts))
        ):
            yield "equal"
        else:
            same = [(v, g) for minus, _, v, g in known if minus == negative]
            if any(set(values) & set(v) for v, _ in same):
                yield "equal"
            elif any(_rounded(a, b, gives, g) for v, g in same for a in values for b in v):
                yield "rounded"
            else:
                yield ""


def _is_part(part: str, strings: set[str]) -> bool:
    return any(part in re.split(r"[/:.-]", other) for other in strings)


def _is_date(parts: Sequence[str], dates: set[str]) -> bool:
    """Return whether the parts of a run, in any order, are those of a date near the entries."""
    if not all(part.isdigit() for part in parts):
        return False
    return sorted(map(int, parts)) in [sorted(map(int, day.split("-"))) for day in dates]


def _is_day(run: str, dates: set[str]) -> bool:
    """Return whether a run is a year, month or day of a date near the entries."""
    numbers = [int(one) for one in re.findall(r"\d+", run)]
    known = {int(part) for day in dates for part in day.split("-")}
    return len(run) <= 5 and all(number in known for number in numbers)


def _numbers(text: str) -> Iterator[tuple[bool, str, list[Decimal], int]]:
    """Yield of each run its sign, its characters, its values and the power of ten of its last digit."""
    for match in _RUN.finditer(text):
        run = re.sub(r"^0(?=\d:)", "", match[0])
        before = text[max(0, match.start() - 2) : match.start()]
        negative = bool(re.search(r"(?:^|[^\w.\-−–/])[-−–][$€£¥₽]?$|[$€£¥₽][-−–]$", before)) or (
            len(before) == 1 and before in "-−–"
        )
        letters = _LETTERS.match(text, match.end())
        power = _POWERS.get(letters[1].lower(), 0) if letters else 0
        values, places = _values(run)
        zeros = len(run) - len(run.rstrip("0")) if run.isdigit() or places == 0 else 0
        gives = power - places if power or places else zeros
        scaled = [value.scaleb(power) for value in values]
        yield negative, run, [*scaled, *(values if power else [])], gives
        for part in re.split(r"[/:-]", run) if re.search(r"[/:-]", run) else ():
            own, own_places = _values(part)
            yield negative, part, [v.scaleb(power) for v in own] + own, power - own_places


def _values(run: str) -> tuple[list[Decimal], int]:
    bare = re.sub(rf"['’{_SPACES} ]", "", run)
    found = []
    places = 0
    if re.fullmatch(r"\d+(?:,\d{2,3})*(?:\.\d+)?", bare):
        found.append(Decimal(bare.replace(",", "")))
        places = len(bare.partition(".")[2])
    if re.fullmatch(r"\d+(?:\.\d{3})*(?:,(?!\d{3}$)\d+)?", bare):
        found.append(Decimal(bare.replace(".", "").replace(",", ".")))
        places = max(places, len(bare.partition(",")[2]))
    return found, places


def _rounded(claimed: Decimal, said: Decimal, gives: int, said_gives: int) -> bool:
    return claimed != 0 and abs(claimed - said) * 2 <= Decimal(1).scaleb(max(gives, said_gives))
