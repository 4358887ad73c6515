"""Figures, dates, identifiers, quotations: all atoms but names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache, partial

from lithify.calendar import week_of
from lithify.regex import regex
from lithify.text.dates import VERBATIM, Said, find_dates
from lithify.text.language import in_any_language, number_table
from lithify.text.likeness import word_set
from lithify.text.specifics.atom import (
    BOTH,
    CALENDAR,
    COMMON,
    LETTER,
    NAMES_THOUGH,
    NEVER,
    SHORT_DAYS,
    Atom,
    Kind,
    aliases,
    folded_text,
)
from lithify.text.stems import pieces


def all_but_names(text: str, anchor: date | None, relative: bool = True) -> tuple[list[Atom], str]:
    """Return the atoms that are not names, and the text with them blanked out."""
    atoms: list[Atom] = []
    rest = text
    dates = partial(_dates, anchor=anchor, relative=relative and anchor is not None)
    digits = _DIGIT.search(text) is not None
    for find, worth_it in (
        (_verbatim, any(map(text.__contains__, _QUOTES)) or _QUOTED.search(text)),
        (_chunks, digits or _JOINED.search(text)),
        (dates, True),
        (_slashes, digits and text.count("/") > 1),
        (_times, digits and (":" in text or "Uhr" in text or _HALF.search(text))),
        (_amounts, digits),
        (_worded, any(map(_has_spelled, pieces(text)))),
    ):
        if worth_it and (found := list(find(rest))):
            atoms += found
            rest = _blank(rest, found)
    return atoms, rest


_DIGIT = regex(r"\d")
_QUOTES = ('"', "`", "“", "«", "://", "](")
_QUOTED = regex(r"(?<!\w)'")
_HALF = regex(r"\d\s?[apAP]")
_JOINED = regex(r"[_/@#~+]|\.[^\s.]")


def _blank(text: str, atoms: list[Atom]) -> str:
    pieces: list[str] = []
    done = 0
    for atom in sorted(atoms, key=lambda atom: atom.start):
        if atom.start >= done:
            pieces += text[done : atom.start], "\0" * (atom.end - atom.start)
            done = atom.end
    return "".join(pieces) + text[done:]


EDGES = " .,;:!?-–—'\"…()[]"


def _verbatim(text: str) -> Iterator[Atom]:
    for match in VERBATIM.finditer(text):
        inside = match[match.lastgroup] if match.lastgroup else ""
        if match.lastgroup == "url":
            address = inside.rstrip(".,;:!?)]}'*_’。，、；：！？）】》」")
            end = match.end() - len(inside) + len(address)
            if address:
                said = text[match.start() : end]
                yield Atom("url", _url_key(address), said, match.start(), end)
        elif any(map(str.isalnum, inside)):
            code = match.lastgroup == "code"
            key = " ".join(inside.split()) if code else folded_text(inside).strip(EDGES)
            yield Atom("id" if code else "quote", key, match.group(), *match.span())


def _url_key(address: str) -> str:
    host, slash, rest = address.partition("/")
    return (host.lower().removeprefix("www.") + slash + rest).rstrip("/")


_CHUNK = regex(
    rf"(?<![0-9A-Za-z_À-ɏ./@#~+-])(?<!{LETTER})[A-Za-zÀ-ɏ-]*+[0-9_./@#~+]"
    rf"[0-9A-Za-z_À-ɏ./@#~+-]*+(?!{LETTER})"
)
_EXTENSIONS = (
    r"md|markdown|rst|txt|pdf|csv|tsv|jsonl?|ya?ml|toml|ini|cfg|conf|xml|html?|s?css|[jt]sx?|mjs|pyi?"
    r"|ipynb|go|rs|rb|java|kt|swift|cc?|cpp|h|hpp|cs|php|sh|bash|zsh|sql|sqlite|db|log|lock|env|png"
    r"|jpe?g|gif|svg|webp|mp[34]|wav|mov|zip|gz|tar|docx?|xlsx?|pptx?|key|pem|proto|tf"
)
_PREFIXES = "mid|pre|post|sub|top|under|over|early|late|non|nearly|q\\d"
_SHAPES: tuple[tuple[Kind, str], ...] = (
    ("url", r"(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app|edu|gov|test|example)(?:/.*)?"),
    ("path", rf"[\w.@+~/-]*\w\.(?:{_EXTENSIONS})"),
    ("path", r"(?:~|\.\.?)?/[a-z_.][\w.@+~/-]*|\.[a-z][\w-]+"),
    ("path", r"(?=.*[a-z])(?=.*[\d_.-])[\w.@+~-]+(?:/[\w.@+~-]+){2,}"),
    ("id", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|@[a-z]\w[\w./-]*|#\w[\w-]*"),
    (
        "version",
        r"(?!\d\d?\.\d\d?\.(?:19|20)\d\d\Z)v?\d+(?:\.\d+){2,}(?:[.+-]?[a-z][\w.+-]*)?|v\d+(?:\.\d+|\.x)*(?:-?rc\d+)?",
    ),
    ("id", r"\d{4}-\d\d-\d\d~[0-9a-f]+|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}"),
    ("id", r"(?=\w+\Z)\w*[^\W_]_[^\W_]\w*"),
    ("id", rf"(?!(?:{_PREFIXES})-\d)[a-z](?=.*\d)\w*(?:[-+]\w+)+"),
    ("id", r"(?!q[1-4]\Z)[^\W\d_]+\d\w*"),
)
_COMPILED = tuple((kind, regex(shape, re.IGNORECASE)) for kind, shape in _SHAPES)
_SIDE = regex(r"[^/]+")
_LINE = regex(r":\d+(?::\d+)?(?!\w)")


def _chunks(text: str) -> Iterator[Atom]:
    for match in _CHUNK.finditer(text):
        atom = _shaped(text, *match.span())
        if atom:
            yield atom
        elif "/" in match.group():
            # "Q1/FY27" is no path: each side stands for itself.
            for part in _SIDE.finditer(text, *match.span()):
                if atom := _shaped(text, *part.span()):
                    yield atom


def _shaped(text: str, start: int, end: int) -> Atom | None:
    chunk = text[start:end]
    chunk = chunk if chunk.startswith("~/") else chunk.lstrip("-+~_")
    start = end - len(chunk)
    chunk = chunk.rstrip("./@#~+-_")
    if not chunk or chunk.isalpha() or chunk.isdigit():
        return None
    kind = next((kind for kind, shape in _COMPILED if shape.fullmatch(chunk)), None)
    if kind is None:
        return None
    end = start + len(chunk)
    if kind == "path" and (line := _LINE.match(text, end)):
        end = line.end()
    return Atom(kind, _chunk_key(kind, text[start:end]), text[start:end], start, end)


def _chunk_key(kind: Kind, chunk: str) -> str:
    if kind == "url":
        return _url_key(chunk)
    if kind == "version":
        return chunk.lower().removeprefix("v")
    exact = kind == "path" or "_" in chunk or "@" in chunk
    return chunk if exact else chunk.casefold()


_FULL_YEAR = regex(r"(?<!\d)\d{4}(?!\d)|['’]\d\d\b")
EITHER_WAY = regex(r"(?<![\w/.-])(\d\d?)/(\d\d?)/(\d{4})(?![\w/])")


#: One more day of a month, and what stands between two of a list: "on 4, 7 and 10 May".
_DAY = r"(?<!\w)\d{1,2}(?:st|nd|rd|th|\.)?(?![\w%])"
_AND = "|".join(sorted(in_any_language("and"), key=len, reverse=True))
_BETWEEN = rf"\s?(?:,\s?(?:(?:{_AND})\s)?|&\s?|\s(?:{_AND})\s)"
_DAYS_BEFORE = regex(rf"(?<![\w.,:/$€£¥#–-])(?:{_DAY}{_BETWEEN})+\Z")
_DAYS_AFTER = regex(rf"(?:{_BETWEEN}{_DAY})+(?=\s?(?:[.;:!?)\]]|\Z|\d{{4}}\b))")
_MONTH_LAST = regex(r"[^\W\d_]+\.?(?:,?\s+\d{4})?\Z")
_MONTH_FIRST = regex(r"([^\W\d_]+\.?)\s\d{1,2}")


def _dates(text: str, anchor: date | None, relative: bool) -> Iterator[Atom]:
    for said in find_dates(text, anchor or date(2001, 3, 1)):
        if (relative and not said.unclear) or not said.relative:
            words = text[said.start : said.end]
            yearless = anchor is None and not _FULL_YEAR.search(words)
            for key in date_keys(said, yearless):
                yield Atom("date", key, words, said.start, said.end)
            if not said.relative:
                yield from _listed(text, said, anchor)


def _listed(text: str, said: Said, anchor: date | None) -> Iterator[Atom]:
    """The other days of a list that shares one month."""
    words = text[said.start : said.end]
    last, first = _MONTH_LAST.search(words), _MONTH_FIRST.match(words)
    month, days = "", None
    if last and (days := _DAYS_BEFORE.search(text, max(0, said.start - 80), said.start)):
        month = last[0]
    elif first and (days := _DAYS_AFTER.match(text, said.end)):
        month = first[1]
    for day in re.finditer(r"\d+", days[0]) if days else ():
        name = f"{day[0]} {month}"
        start = days.start() + day.start() if days else 0
        for other in find_dates(name, anchor or date(2001, 3, 1))[:1]:
            for key in date_keys(other, anchor is None and not _FULL_YEAR.search(name)):
                yield Atom("date", key, name, start, start + len(day[0]))


def date_keys(said: Said, yearless: bool = False) -> list[str]:
    first, last = said.first, said.last
    days = (last - first).days + 1
    if days == 7 and first.weekday() == 0:
        return [week_key(first)]
    if days >= 28 and first.day == 1 and (last == date.max or (last + timedelta(1)).day == 1):
        year = "" if yearless else f"{first.year:04}-"
        if days < 32:
            return [f"{year or '--'}{first.month:02}"]
        if days < 93:
            return [f"{year}q{(first.month + 2) // 3}"]
        if days > 364:
            return [f"{first.year:04}"]
    ends = dict.fromkeys((first.isoformat(), last.isoformat()))
    return [f"-{day[4:]}" if yearless else day for day in ends]


def week_key(day: date) -> str:
    return week_of(day).lower()


def _slashes(text: str) -> Iterator[Atom]:
    for match in EITHER_WAY.finditer(text):
        yield Atom("date", match.group(), match.group(), *match.span())


#: No letter or figure that a time could belong to; in writing without spaces one stands beside it.
_APART = r"(?<![0-9A-Za-z_À-ӿ.:,])"
_TIME = regex(
    _APART + r"(?:(?P<h0>\d{1,2})(?::(?P<m0>[0-5]\d))?\s?[-–—]\s?)?"
    r"(?P<h>\d{1,2})(?::(?P<m>[0-5]\d))?(?::[0-5]\d)?"
    r"(?:\s?(?P<half>[ap])(?:m(?!\w)|\.\s?m\.)|(?<=:\d\d)(?!:?\d))",
    re.IGNORECASE,
)


#: "um 14.30 Uhr", "14 Uhr"
_UHR = regex(r"(?<![\w.:,])(?P<h>\d{1,2})(?:[.:](?P<m>[0-5]\d))?\s?Uhr\b")


def _times(text: str) -> Iterator[Atom]:
    for match in _UHR.finditer(text):
        if int(match["h"]) < 24:
            key = f"{int(match['h']):02}:{match['m'] or '00'}"
            yield Atom("time", key, match.group(), *match.span())
    for match in _TIME.finditer(text):
        half = (match["half"] or "").lower()
        said = [
            (int(h), m or "00") for h, m in (match.group("h0", "m0"), match.group("h", "m")) if h
        ]
        if all(hour < 24 for hour, _ in said):
            for hour, minute in said:
                if half and hour <= 12:
                    hour = hour % 12 + (12 if half == "p" else 0)
                yield Atom("time", f"{hour:02}:{minute}", match.group(), *match.span())


def _numbered(words: str, start: int, step: int = 1) -> dict[str, int]:
    return {word: start + n * step for n, word in enumerate(words.split())}


_ONES = _numbered("two three four five six seven eight nine", 2)
_VALUES = _ONES | _numbered("ten eleven twelve thirteen fourteen fifteen sixteen", 10)
_VALUES |= _numbered("seventeen eighteen nineteen", 17)
_TENS = _numbered("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10)
#: The numbers that are written as one word.
SPELLED = _VALUES | _TENS
_ORDINALS = _numbered("third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth", 3)
_SCALES = {"": 1, "hundred": 10**2} | dict.fromkeys(("k", "thousand"), 10**3)
_SCALES |= dict.fromkeys(("m", "mm", "mn", "million"), 10**6)
_SCALES |= dict.fromkeys(("b", "bn", "billion"), 10**9) | {"trillion": 10**12}
#: Thousands and more in other languages: "70 тыс.", "3 Mio.", "2 mila", "70к".
_ABROAD = number_table("scales")
_SCALES |= {"к": 10**3} | {
    word: 10**power for word, power in _ABROAD.items() if word not in _SCALES
}
_CURRENCIES = aliases("$ us$ usd dollar", "€ eur euro", "£ gbp pound", "¥ jpy yen", "₹ inr rupee")
_UNITS = aliases(
    *("ms millisecond msec", "s sec second", "min minute", "h hr hour", "day d", "week wk w"),
    *("month mo", "year yr y", "kb kilobyte", "mb megabyte", "gb gigabyte", "tb terabyte"),
)
#: With a comma before the decimals, where nothing else can be meant: "1.250,50", "48,50 €".
_CONTINENTAL = r"\d{1,3}(?:\.\d{3})+,\d+|\d+,\d{1,2}(?=\s?(?:€|%|EUR\b|Euro\b|Prozent))|\d{1,3}(?:\.\d{3})+(?=\s?(?:€|EUR\b|Euro\b))"
_DECIMAL_COMMA = regex(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d{1,2}")
#: Thousands apart by a space or an apostrophe, and a comma that no list of figures has.
_SPACES = " \u00a0\u2009\u202f'’"
_SPACED = rf"\d{{1,3}}(?:[{_SPACES}]\d{{3}})+(?!\d)(?:[.,]\d{{1,2}}(?!\d))?|\d+,\d{{1,2}}(?![\d,])"
_FIGURE = rf"(?:{_CONTINENTAL}|{_SPACED}|\d{{1,3}}(?:,\d{{3}})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)"
_SPELLED = (
    rf"(?:{'|'.join(_TENS)})(?:[- ](?:one|{'|'.join(_ONES)}))?|{'|'.join(_VALUES)}"
    r"|one(?=[\s-](?:hundred|thousand|million|billion|trillion)\b)"
)
_TAIL = (
    r"(?:\s?(?P<percent>%|(?i:percent|pct|pp|prozent(?:punkte?n?)?)\b)"
    rf"|(?<=\d)(?P<nth>(?i:st|nd|rd|th))(?!{LETTER})"
    r"|\s?(?P<sign>€)"
    rf"|(?P<scale>(?<=\d)(?:[kKMBmbкК]|bn|mn|mm)(?!\d|{LETTER})|\s?(?i:{'|'.join(sorted(_ABROAD, key=len, reverse=True))})\b\.?"
    r"|[\s-](?i:hundred|thousand|million|billion|trillion)\b)?"
    rf"(?:[\s-](?P<after>(?i:dollar|euro|pound|rupee|usd|eur|gbp|jpy|yen|inr))(?i:s)?(?!{LETTER}))?)"
)
_AMOUNT = regex(
    r"(?=[\d$€£¥₹UEGJI])(?P<before>(?:\bUS)?[$€£¥₹]\s?|\b(?:USD|EUR|GBP|JPY|INR)\s)?"
    rf"(?:(?<![A-Za-z0-9_])(?P<low>{_FIGURE})(?:\s?[-–—]\s?|\s+to\s+)(?:[$€£¥₹]\s?)?(?=\d))?"
    rf"(?<![A-Za-z0-9_])(?P<number>{_FIGURE}){_TAIL}"
)
_IN_WORDS = regex(rf"(?<![\w-])(?P<number>(?i:{_SPELLED}))(?!\w){_TAIL}")
_IN_ORDER = regex(rf"(?<!\w)(?:{'|'.join(_ORDINALS)})(?!\w)", re.IGNORECASE)
_SPELLED_WORDS = frozenset(("one", *_VALUES, *_TENS, *_ORDINALS))
_PLAIN_WORD = regex(r"[a-z]{3,9}")


def _has_spelled(text: str) -> bool:
    return not _SPELLED_WORDS.isdisjoint(_PLAIN_WORD.findall(text.lower()))


_UNIT = regex(rf"(?P<gap>[\s-]?)(?P<unit>[A-Za-z]{{1,12}})(?!{LETTER})")


def _amounts(text: str) -> Iterator[Atom]:
    for match in _AMOUNT.finditer(text):
        yield from _amount(text, match)


def _worded(text: str) -> Iterator[Atom]:
    found = [atom for match in _IN_WORDS.finditer(text) for atom in _amount(text, match)]
    for match in _IN_ORDER.finditer(text):
        key = str(_ORDINALS[match.group().lower()])
        found.append(Atom("number", key, match.group(), *match.span()))
    yield from sorted(found, key=lambda atom: atom.start)


def _amount(text: str, match: re.Match[str]) -> Iterator[Atom]:
    said = match.groupdict(default="")
    scale, currency = (
        said["scale"].strip(" -.\n\t\u00a0\u2009\u202f"),
        said.get("before") or said["after"] or said["sign"],
    )
    kind: Kind = "money" if currency else "percent" if said["percent"] else "number"
    end, unit = match.end(), ""
    if kind == "number" and scale in ("m", "b", "mm"):
        scale, unit = "", f" {scale}"  # metres or minutes; millions only of a currency
    elif kind == "number" and not scale and not said["nth"]:
        end, unit = _unit(text, end)
    sign = _CURRENCIES[currency.strip().lower()] if currency else ""
    for figure in (said.get("low"), said["number"]):
        if figure:
            bare = kind == "number" and not scale
            after = (sign == "€" or bool(said["percent"])) and not said.get("before")
            continental = after or ("." in figure and "," in figure)
            value = _value(figure, scale.lower(), bare, continental)
            key = f"{sign}{value}{'%' if said['percent'] else ''}{unit}"
            yield Atom(kind, key, text[match.start() : end], match.start(), end)


def _unit(text: str, at: int) -> tuple[int, str]:
    """Return where the unit behind a number ends, and its name: "20 GB", "5ms", "3-day"."""
    match = _UNIT.match(text, at)
    if match is None:
        return at, ""
    word = match["unit"].lower()
    name = _UNITS.get(word) or _UNITS.get(word.removesuffix("s"))
    if match["gap"] and (name is None or word in ("d", "w", "y")):
        return at, ""
    return match.end(), f" {name or word}"


def _value(figure: str, scale: str, as_said: bool, continental: bool = False) -> str:
    """Return a number in one spelling; a bare one keeps its zeros, since 3.10 may not be 3.1."""
    if continental and _DECIMAL_COMMA.fullmatch(figure):
        figure = figure.replace(".", "").replace(",", ".")
    plain = _SEPARATOR.sub("", figure).lower()
    if not continental and (one := _COMMA.fullmatch(plain)):
        plain = f"{one[1]}.{one[2]}"
    plain = plain.replace(",", "")
    if plain[0].isalpha():
        word, _, ones = plain.replace("-", " ").partition(" ")
        plain = str(SPELLED.get(word, 1) + (_ONES.get(ones, 1) if ones else 0))
    if as_said or len(plain) > 20:
        return plain
    digits = f"{Decimal(plain) * _SCALES[scale]:f}"
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


_SEPARATOR = regex(f"[{_SPACES}]")
_COMMA = regex(r"(?<!\d)(\d++),(\d{1,2})")
_GROUPED = regex(rf"(?<!\d)\d++(?:[{_SPACES}.,]\d++)+")


def figure_readings(said: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return what a grouped figure may mean in some country, and the figures it may be a list of.

    "1.200" is one and a fifth or twelve hundred; "4,5" is four and a half, or two figures.
    """
    match = _GROUPED.search(said)
    if match is None:
        return frozenset(), ()
    parts = re.findall(r"\d+", match[0])
    marks = re.findall(r"\D", match[0])
    found = set()
    if all(len(part) == 3 for part in parts[1:]):
        found.add("".join(parts))
    if marks[-1] in ".,":
        found.add(f"{''.join(parts[:-1])}.{parts[-1]}")
    return frozenset(found), tuple(parts) if "." not in marks else ()


# Proper names: capitalised words that are not merely at the start of something.


LETTERS = rf"{LETTER}+(?:['’]{LETTER}+)*"
_CAPITALISED = regex(rf"(?<![\d_'’])(?<!{LETTER})(?![a-z]){LETTERS}")
#: The same where every letter is a plain one, as in most texts; several times faster.
_PLAIN_CAPITALISED = regex(r"(?<![\d_'A-Za-z])[A-Z][A-Za-z]*(?:'[A-Za-z]+)*")
_OPENERS = '.!?:;…—–|•\n\0([{"“«/>]'
#: What follows somebody's name.
ACTS = regex(
    r"['’]s\b|,? (?:and [A-Z]|\w{2,}ed\b|said|says|will|is|was|has|had|wants?|asked|thinks|wrote|sent)"
)
_SENTENCE = regex(r"[.!?\n:|]")
_LONG = regex(r"[^\W\d_]{4,}")


def names_in(text: str) -> list[Atom]:
    """Runs of capitalised words, without those whose capital only opens a sentence."""
    atoms: list[Atom] = []
    run: list[re.Match[str]] = []
    for match in (_PLAIN_CAPITALISED if text.isascii() else _CAPITALISED).finditer(text):
        if not match.group()[0].isupper():
            continue
        if run and not _joined(text, run[-1], match):
            atoms += _name(text, run)
            run = []
        run.append(match)
    return atoms + _name(text, run) if run else atoms


def _joined(text: str, one: re.Match[str], other: re.Match[str]) -> bool:
    """Whether two capitalised words make one name: not across a possessive, a day or a month."""
    if text[one.end() : other.start()] not in (" ", "-", " & ") or "'" in straight(one.group()):
        return False
    return not any(bare_word(match.group()) in CALENDAR for match in (one, other))


def _name(text: str, run: list[re.Match[str]]) -> list[Atom]:
    if all(_is_never(match.group(), False) for match in run):
        return []
    start = run[0].start()
    left = text[max(0, start - 24) : start].rstrip(" \t*_'‘’-#~+")
    title = _in_title(text, start)
    loose = title or not left or left[-1] in _OPENERS
    kept = [
        (match, bare_word(match.group())) for match in run if not _is_never(match.group(), title)
    ]
    if kept and len(kept[0][1]) == 1:
        kept = kept[1:]
    # The common words a sentence opens with are not part of the name that follows them.
    first = 0
    while loose and first < len(kept) and _is_common(kept[first][1]):
        match, word = kept[first]
        if first == len(kept) - 1 and word in BOTH and ACTS.match(text, match.end()):
            break
        first += 1
    kept = kept[first:]
    if not kept:
        return []
    start, end = kept[0][0].start(), kept[-1][0].end()
    key = " ".join(SHORT_DAYS.get(word, word) for _, word in kept)
    return [Atom("date" if key in CALENDAR else "name", key, text[start:end], start, end, loose)]


def _in_title(text: str, start: int) -> bool:
    """Return whether the words around are a title, where every word has a capital."""
    before = _SENTENCE.split(text[max(0, start - 80) : start])[-1]
    after = _SENTENCE.split(text[start : start + 80], 1)[0]
    words = _LONG.findall(before + after)
    return len(words) >= 3 and sum([word[0].isupper() for word in words]) >= 0.75 * len(words)


def straight(word: str) -> str:
    return word.replace("’", "'")


def bare_word(word: str) -> str:
    """Return a word as it is compared: no possessive, no case, no accents."""
    word = word.casefold()
    if not word.isascii():
        parts = unicodedata.normalize("NFKD", straight(word))
        word = "".join(char for char in parts if not unicodedata.combining(char)) or word
    return word.removesuffix("'s").replace("'", "") if "'" in word else word


@lru_cache(maxsize=1 << 13)
def _is_never(said: str, title: bool) -> bool:
    """Whether a word is no name there: "The", "You've", "WARNING", a common word in a title."""
    word = bare_word(said)
    if word in NEVER or bare_word(straight(said).partition("'")[0]) in NEVER:
        return True
    shouted = said.isupper() and len(said) > 3
    return (title or shouted) and word not in BOTH and _is_common(word)


@lru_cache(maxsize=1 << 13)
def _is_common(word: str) -> bool:
    if word in COMMON or word in NEVER:
        return True
    if word in NAMES_THOUGH:
        return False
    ending = len(word) > 4 and word.removesuffix("s").endswith(_COMMON_ENDINGS)
    return ending or not COMMON.isdisjoint(stems_of(word))


def stems_of(word: str) -> set[str]:
    """Return the bases a word may be a form of."""
    found = {word}
    for ending, instead in _ENDINGS:
        base = word.removesuffix(ending)
        if len(base) >= 3 and base != word:
            found |= {base, base + instead}
            if base[-1] == base[-2]:
                found.add(base[:-1])
    return found


_ENDINGS: tuple[tuple[str, str], ...] = (
    *(("s", ""), ("es", ""), ("ies", "y"), ("ed", "e"), ("ied", "y"), ("d", ""), ("ing", "e")),
    *(("ion", "e"), ("ation", "e"), ("ment", ""), ("er", "e"), ("or", "e"), ("ly", "")),
    *(("al", ""), ("ity", ""), ("ness", ""), ("y", ""), ("ors", "e"), ("ers", "e"), ("ments", "")),
)
_COMMON_ENDINGS = tuple(
    word_set(
        "ed ing ly tion sion ment ness ity ance ence ncy able ible less ship logy ize ify ful ics ism"
        " ional cial tial ical"
    )
)
