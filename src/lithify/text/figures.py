"""Figures: runs of digits with their sign, separators, currency, percent sign and multiplier.

A figure is read whole. `12,883,053` is one figure, and no other figure is found in its parts; a code
such as `9dbc182b`, a version, a telephone number and an ISO date are one each, too. Whether two
figures are equal, or one is the other rounded, follows the table in `docs/verifier.md`.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from lithify.regex import regex
from lithify.text.labels import in_every_language

Kind = Literal["number", "time", "code"]
#: How two figures stand to each other.
Match = Literal["equal", "rounded", ""]

_GAP = "\u00a0\u2009\u202f"
_MINUS = "-\u2212\u2013"
#: A run of digits with what joins them, and the letters that touch it.
_RUN = regex(
    rf"""
    (?P<code>(?<![A-Za-z0-9])(?:[A-Za-z]+\d+[A-Za-z]|\d+[A-Za-z]+\d)[A-Za-z0-9]*)
    |(?P<time>(?<![\d:.,])\d{{1,2}}[:h][0-5]\d(?::[0-5]\d)?(?!\d|:\d))
    |(?P<iso>(?<![\d/-])\d{{4}}([-/.])[01]\d(?:\4[0-3]\d)?(?![\d]|[-/.]\d))
    |(?P<chain>(?<!\d)\d+(?:-\d+){{2,}}|(?<!\d)\d+(?::\d+)+)
    |(?P<comma>(?<!\d)\d{{1,3}}(?:[,'’{_GAP}]\d{{3}}){{1,12}}(?!\d|[,'’]\d)(?:\.\d+(?!\d|\.\d))?
        |(?<!\d)\d{{1,2}}(?:,\d\d){{1,12}},\d{{3}}(?!\d|,\d))
    |(?P<dots>(?<!\d)\d{{1,3}}(?:\.\d{{3}}){{1,12}}(?!\d|\.\d)(?:,\d+(?!\d|,\d))?)
    |(?P<spaced>(?<![^\W_\u2e80-\uffef])\d{{1,3}}(?:[ ]\d{{3}}){{1,12}}(?![ ]?\d)(?:[.,]\d+)?)
    |(?P<version>(?<!\d)\d+(?:\.\d+){{2,}})
    |(?P<decimal>(?<![\d.,])\d+[.,]\d+(?!\d|,\d)|(?<![\w.,)\]])\.\d+)
    |(?P<plain>\d+)
    """,
    re.VERBOSE,
)
#: A duration in letters, and the sides of something: their figures are figures of their own.
_DIGITS = regex(r"\d+")
_JOINED = regex(r"(?:\d+(?:[hms]|min))+\d*|(?:\d+x)+\d+", re.IGNORECASE)
_HALF = regex(r"[ \u00a0\u202f]?([ap])\.?m\b", re.IGNORECASE)
_WORD = regex(rf"[ {_GAP}]?([^\W\d_\u2e80-\uffef]+|[\u2e80-\uffef])")
_PERCENT = regex(rf"[ {_GAP}]?([%％‰])")
_RANGE = regex(rf"[ {_GAP}]?[-\u2013\u2014~\uff5e][ {_GAP}]?")
_BEFORE = regex(r"(?:\b([A-Z]{3})[ \u00a0\u202f]?|(\S)[ \u00a0\u202f]?)\Z")
_CODE_BEHIND = regex(rf"[ {_GAP}]?([A-Z]{{3}})\b")
#: What ties a figure to a name.
_TIED_BEFORE, _TIED = regex(r"[A-Za-z_/#№-]"), regex(r"[_-][^\W_]")
#: The sign of a currency for each code.
_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "¥", "RMB": "¥", "RUB": "₽"}
#: Letters that multiply where they touch the figure and end there.
_ATTACHED = {"k": 3, "K": 3, "M": 6, "B": 9, "bn": 9}
#: Digits of a number that is compared by its value; a longer one is compared as it stands.
_LONGEST = 40
#: Characters of a text up to which its figures are kept for the next time it is asked about.
_REMEMBERED = 2000


class Figure(NamedTuple):
    """One figure where it stands in a text.

    `text` is the slice of the text with sign, currency, percent sign and multiplier. `values` are
    what the figure can mean; with a point before three digits, `in_points` is what it means where an
    entry writes thousands with points, as the figure itself does if it is `pointed`.
    It is `joined` where letters or a dash tie it to a name: `PR-1234`, `5520-81`.
    `digits` are its digits as they are joined, `scale` its power of ten by a multiplier, `places` its
    digits behind the decimal point. `unit` is `%` or the sign of a currency.
    """

    kind: Kind
    text: str
    start: int
    end: int
    digits: str
    values: tuple[Decimal, ...] = ()
    in_points: tuple[Decimal, ...] = ()
    pointed: bool = False
    negative: bool = False
    joined: bool = False
    scale: int = 0
    places: int = 0
    unit: str = ""


def find_figures(text: str) -> tuple[Figure, ...]:
    """Return the figures of a text in their order."""
    return (_found if len(text) <= _REMEMBERED else _found.__wrapped__)(text)


@lru_cache(maxsize=1 << 13)
def _found(text: str) -> tuple[Figure, ...]:
    found: list[Figure] = []
    at = 0
    while match := _RUN.search(text, at):
        kind, at = str(match.lastgroup), match.end()
        if kind == "code" and _JOINED.fullmatch(match[0]):
            # Of "1h30m" and "1920x1080" only the first run of digits is read now.
            kind, at = "plain", next(_DIGITS.finditer(text, match.start())).end()
        if kind == "time":
            found.append(_time(text, *match.span()))
        elif kind in ("code", "iso", "chain", "version"):
            found.append(_as_it_stands(text, *match.span()))
        else:
            found.append(_number(text, match.start(), at, kind))
            at = max(at, found[-1].end)
        if len(found) > 1:
            found[-2] = _within_range(found[-2], found[-1], text)
    return tuple(found)


def _as_it_stands(text: str, start: int, end: int) -> Figure:
    """Read a code, a version or a date in figures, with a minus before it and a multiplier behind."""
    _, negative, begins = _left_of(text, start)
    scale, after = _multiplier(text, end, False)
    digits = text[start:end].casefold()
    return Figure("code", text[begins:after], begins, after, digits, negative=negative, scale=scale)


def _time(text: str, start: int, end: int) -> Figure:
    parts = [int(part) for part in re.split("[:h]", text[start:end])]
    if parts[0] > 24:
        return _as_it_stands(text, start, end)
    digits = text[start:end].replace("h", ":")
    if half := _HALF.match(text, end):
        end = half.end()
        parts[0] = parts[0] % 12 + 12 * (half[1] in "pP")
    seconds = parts[2] if len(parts) > 2 else 0
    value = Decimal(3600 * parts[0] + 60 * parts[1] + seconds)
    bare = _as_it_stands(text, start, end)
    return bare._replace(kind="time", digits=digits, values=(value,), places=len(parts))


def _number(text: str, start: int, end: int, kind: str) -> Figure:
    """Read a number with what stands before and behind it."""
    digits = text[start:end]
    if kind == "plain" and (half := _HALF.match(text, end)) and 0 < int(digits[-4:]) <= 12:
        value = Decimal(3600 * (int(digits) % 12 + 12 * (half[1] in "pP")))
        _, negative, start = _left_of(text, start)
        end = half.end()
        return Figure("time", text[start:end], start, end, digits, (value,), negative=negative)
    unit, negative, begins = _left_of(text, start)
    scale, after = _multiplier(text, end, bool(unit))
    percent = _PERCENT.match(text, after)
    if percent:
        unit, after = ("%" if percent[1] != "‰" else "‰"), percent.end()
    elif not unit:
        unit, after = _currency_behind(text, after)
    values, in_points, places = _values(digits, kind)
    sign = -1 if negative else 1
    factor = sign * Decimal(10) ** scale
    return Figure(
        "number",
        text[begins:after],
        begins,
        after,
        digits,
        tuple(value * factor for value in values),
        tuple(value * factor for value in in_points),
        kind == "dots",
        negative,
        bool(_TIED_BEFORE.match(text[start - 1 : start]) or _TIED.match(text, after)),
        scale,
        places,
        unit,
    )


def _values(digits: str, kind: str) -> tuple[tuple[Decimal, ...], tuple[Decimal, ...], int]:
    """Return what joined digits mean, what they mean with thousands in points, and the decimal places.

    `1.200` is a decimal fraction, or 1200 where an entry writes so; `1,200` is 1200.
    """
    if len(digits) > _LONGEST:
        return (), (), 0
    if kind == "dots" and digits.count(".") == 1 and "," not in digits:
        return (Decimal(digits),), (Decimal(digits.replace(".", "")),), 3
    if kind == "comma":
        plain = re.sub(rf"[,'’{_GAP}]", "", digits)
    elif kind in ("dots", "spaced"):
        plain = re.sub(r"[ .](?=\d{3}(?!\d))", "", digits).replace(",", ".")
    else:
        plain = digits.replace(",", ".")
    return (Decimal(plain),), (), len(plain.partition(".")[2])


def _left_of(text: str, start: int) -> tuple[str, bool, int]:
    """Return the currency and whether there is a minus before a number, and where it all begins."""
    unit, begins, negative = "", start, False
    for _ in range(2):
        before = text[max(0, begins - 5) : begins]
        if not negative and before[-1:] and before[-1] in _MINUS and _is_free(before[-2:-1]):
            negative, begins = True, begins - 1
        elif not unit and (match := _BEFORE.search(before)):
            sign = _SIGNS.get(match[1] or "", match[2] or "")
            if sign and unicodedata.category(sign) == "Sc":
                unit, begins = sign, begins - len(match[0])
    return unit, negative, begins


def _is_free(sign: str) -> bool:
    """Return whether a dash behind a character is a minus: not behind a letter, a digit or a joint.

    Behind a sign of a script without spaces it is one.
    """
    if not sign or sign.isspace():
        return True
    if sign.isalnum():
        return unicodedata.category(sign) == "Lo" and sign >= "\u2e80"
    return sign not in "-./_\u2212\u2013\u2014"


def _multiplier(text: str, end: int, has_currency: bool) -> tuple[int, int]:
    """Return the power of ten of a multiplier behind a number, and where it ends."""
    match = _WORD.match(text, end)
    if not match:
        return 0, end
    word, start = match[1], match.start(1)
    if start == end and (word in _ATTACHED or (has_currency and word == "m")):
        return _ATTACHED.get(word, 6), match.end()
    if word[0] >= "\u2e80":
        return _wide_multiplier(text, start, end)
    small = word[:_LONGEST].casefold()
    for cut in range(len(small), 2, -1):
        if known := _powers().get(small[:cut]):
            size, any_ending = known
            if any_ending or small[cut:] in ("", "s"):
                dot = text.startswith(".", match.end()) and cut < 4
                return size, match.end() + dot
    return 0, end


def _wide_multiplier(text: str, start: int, end: int) -> tuple[int, int]:
    """Add up the multipliers of a script without spaces that touch each other: `5千万`."""
    total, at = 0, start
    while known := _powers().get(text[at : at + 1]):
        total, at = total + known[0], at + 1
    return (total, at) if total else (0, end)


@cache
def _powers() -> dict[str, tuple[int, bool]]:
    """Return the power of ten of each multiplier, and whether any ending may follow it."""
    tables = in_every_language("multipliers")
    return {
        word.rstrip("-"): (power, word.endswith("-"))
        for table in tables
        for word, power in table.items()
    }


def _currency_behind(text: str, after: int) -> tuple[str, int]:
    if match := _CODE_BEHIND.match(text, after):
        return (_SIGNS[match[1]], match.end()) if match[1] in _SIGNS else ("", after)
    at = after + (text[after : after + 1] in (" ", "\u00a0", "\u202f"))
    sign = text[at : at + 1]
    if sign and unicodedata.category(sign) == "Sc" and not text[at + 1 : at + 2].isdigit():
        return sign, at + 1
    return "", after


def _within_range(first: Figure, last: Figure, text: str) -> Figure:
    """Return the first end of a range, which may have the multiplier of the second: `10–12k`."""
    joint = _RANGE.match(text, first.end)
    if not (joint and joint.end() == last.start and last.scale and not first.scale):
        return first
    if first.kind != "number" or first.kind != last.kind:
        return first
    more = tuple(value * 10**last.scale for value in first.values)
    return first._replace(values=first.values + more)


def match(claimed: Figure, said: Figure) -> Match:
    """Tell whether a claim's figure equals one of an entry, or is that one rounded."""
    if claimed.kind != said.kind or claimed.negative is not said.negative:
        return ""
    if claimed.kind != "number" and claimed.scale != said.scale:
        return ""
    if claimed.kind == "code":
        return "equal" if _is_same_code(claimed.digits, said.digits) else ""
    if claimed.kind == "time":
        return _match_times(claimed, said)
    if claimed.unit and said.unit and claimed.unit != said.unit:
        return ""
    if claimed.digits == said.digits and claimed.scale == said.scale:
        return "equal"
    if claimed.digits[0] == "0" and not claimed.places:
        return ""
    known = {*said.values, *said.in_points}
    mine = {*claimed.values, *(claimed.in_points if said.pointed else ())}
    if not known.isdisjoint(mine):
        return "equal"
    return "rounded" if any(_is_rounded(claimed, said, value) for value in known) else ""


#: Letters and digits from which on the beginning of a code stands for it.
_PART_OF_CODE = 7


def _is_same_code(claimed: str, said: str) -> bool:
    if claimed == said:
        return True
    mixed = not claimed.isdigit() and claimed.isalnum()
    return mixed and len(claimed) >= _PART_OF_CODE and said.startswith(claimed)


def _match_times(claimed: Figure, said: Figure) -> Match:
    half_left_out = claimed.digits == said.digits and claimed.digits in (claimed.text, said.text)
    if claimed.values == said.values or half_left_out:
        return "equal"
    # The seconds may be left out.
    shorter = claimed.places == 2 and said.places == 3
    return "rounded" if shorter and said.values[0] // 60 * 60 == claimed.values[0] else ""


def _is_rounded(claimed: Figure, said: Figure, value: Decimal) -> bool:
    """Tell whether a claim's figure is a value of an entry at the digits that the claim gives.

    What a claim rounds has decimals or is at least 1,000, or the claim has a multiplier; a bare
    number of four digits that could be a year is not rounded.
    """
    if claimed.joined or said.joined or _may_be_year(said):
        return False
    large = abs(value) >= 1000
    if not (claimed.scale or said.places or large):
        return False
    for mine in claimed.values:
        if not mine:
            continue
        step = claimed.scale - claimed.places
        if large and step == 0:
            # Zeros may be figures or filling: what they round is nearer than a twentieth.
            step = len(str(int(mine))) - len(str(int(mine)).rstrip("0"))
            if abs(mine - value) * 20 > abs(value):
                continue
        if abs(mine - value) * 2 <= Decimal(10) ** step:
            return True
    return False


def _may_be_year(figure: Figure) -> bool:
    digits = figure.digits
    return (
        len(digits) == 4
        and digits.isdigit()
        and digits[:2] in ("19", "20")
        and not (figure.unit or figure.scale or figure.negative)
    )
