"""A sentence with its dates absolute, in the short form a page of one year can use."""

from __future__ import annotations

import re
from datetime import date

from lithify.engines.offline.reading.speech import outside_quotes
from lithify.text import dates

_ISO = re.compile(r"(?<!week of )(?<![\w/.~-])(\d{4})-(\d{2})-(\d{2})(?![\w/~-]|\.\w)")
_ISO_MONTH = re.compile(r"(?<![\w/.~-])(\d{4})-(\d{2})(?![\w/~-]|\.\w)")
#: A colon after a day would read as a clock's; a dash before a figure as a span.
_DATE_COLON = re.compile(
    r"\b((?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}):(?=\s+\D)"
)
#: `tomorrow, Fri 22 May`: the day is told already.
_TWICE = re.compile(
    r"\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{1,2}), "
    r"(?=(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]* )?(?:\2 \1|\1[a-z]* \2\b))"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TODAY = re.compile(
    r"(?<!\bof)(?<!\bfrom)(?<!\buntil)(?<!\bsince)(?<!\bby)(?<!\bfor)(?<!\bthan)(?<!\bis)(?<!\bto)"
    r"(?<!\bas)(?<!\bbefore)(?<!\bafter)(?<!\bwith)(?<!\bnot)(?<!\band)(?<!\bor)(?<!\btill)(?<!\blike)(?<!\babout)"
    r"(?<!\bwas)(?<!\bare)(?<!\bbut)(?<!\bonly)(?<!\bagainst)(?<!\bthrough)(?<!\bleast)(?<=\w)\s+(?:today|tonight)(?=[.,;:!)]|\s\(|$)"
)


def resolved(sentence: str, day: date | None, ahead: bool = False) -> str:
    """The sentence with its dates absolute, in the short form a page of one year can use.

    `ahead`: it stands among what is still to be done.
    """
    if day is None:
        return sentence
    return outside_quotes(sentence, lambda words: _dated(words, day, ahead))


def _dated(sentence: str, day: date, ahead: bool) -> str:
    # The bullet begins with the day: the word adds nothing there.
    if "today" in sentence or "tonight" in sentence:
        sentence = _TODAY.sub("", sentence)
    text = dates.absolute(sentence, day, ahead=ahead)
    if "-" not in text and ":" not in text:
        return text
    pieces: list[str] = []
    done = 0
    # A command is run as it stands.
    for verbatim in dates.VERBATIM.finditer(text):
        pieces += _shortened(text[done : verbatim.start()], day.year), verbatim[0]
        done = verbatim.end()
    return "".join(pieces) + _shortened(text[done:], day.year)


def _shortened(text: str, year: int) -> str:
    text = _ISO.sub(lambda match: _short(match, year), text)
    text = _TWICE.sub("", text)
    return _DATE_COLON.sub(r"\1 -", _ISO_MONTH.sub(_short_month, text))


def _short(match: re.Match[str], year: int) -> str:
    month, day = int(match[2]), int(match[3])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return match[0]
    said = f"{_MONTHS[month - 1]} {day}"
    return said if int(match[1]) == year else f"{said}, {match[1]}"


def _short_month(match: re.Match[str]) -> str:
    month = int(match[2])
    return f"{_MONTHS[month - 1]} {match[1]}" if 1 <= month <= 12 else match[0]
