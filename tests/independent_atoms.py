"""The facts a sentence states, and whether given entries state them: read from the contract alone.

Nothing here shares code with the program's own reading of atoms and dates; two readers that
were written apart are unlikely to be wrong in the same place. The sentence is read strictly,
the entry generously: where a relative date has two readings, the entry supports both.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cache

from independent_dates import DATE, DAY_OF, MONTH, MONTH_OF, QUARTER, WEEKDAY, WORTH, When, claimed
from lithify.values import Entry

_ORDINALS = "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_ORDINAL = {word: n for n, word in enumerate(_ORDINALS.split(), 3)}
_SCALE = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SCALE |= {"k": 1e3, "m": 1e6, "mn": 1e6, "mm": 1e6, "b": 1e9, "bn": 1e9, "dozen": 12.0}
_MONEY = {"$": "$", "us$": "$", "usd": "$", "dollar": "$", "€": "€", "eur": "€", "euro": "€"}
_MONEY |= {"£": "£", "gbp": "£", "pound": "£", "¥": "¥", "jpy": "¥", "yen": "¥"}

_TIME = re.compile(
    r"(?<![\d:.])(\d{1,2}):([0-5]\d)(?::[0-5]\d)?(?:\s?([ap])\.?m\b\.?|Z\b)?(?![\d])"
    r"|(?<![\d:.])(\d{1,2})\s?([ap])\.?m\b\.?"
    r"|\b(noon|midnight)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?P<money>US\$|[$€£¥]|\b(?:USD|EUR|GBP|JPY)\s)?\s?"
    r"(?<![\w.])(?P<value>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?P<th>st|nd|rd|th)?(?P<scale>\s?(?:k|m|mn|mm|b|bn)\b|[ -](?:thousand|million|billion|trillion|dozen)\b)?"
    r"(?P<unit>\s?%|[ -](?:percent|per cent|dollars?|euros?|pounds?|yen|USD|EUR|GBP)\b)?",
    re.IGNORECASE,
)
_COUNT_WORD = "|".join([*WORTH, "hundred", "thousand", "million", "billion", "dozen"])
_IN_WORDS = re.compile(
    rf"\b(?:{_COUNT_WORD})(?:(?:-| and | )(?:{_COUNT_WORD}))*\b"
    r"(?P<unit> (?:percent|per cent|dollars?|euros?|pounds?))?"
    rf"|\b(?:{'|'.join(_ORDINAL)})\b",
    re.IGNORECASE,
)
_URL = re.compile(r"\b(?:https?|ftp|file|ssh|git)://[^\s<>\"')\]]+|\bwww\.[^\s<>\"')\]]+", re.I)
# A file's name may hold a date or a version: it is taken whole, before they are looked for.
_PATH = re.compile(
    r"(?<![\w/])[~.]{0,2}/?[\w.@%+-]+(?:/[\w.@%+*-]+)+/?"
    r"|(?<![\w/.-])[\w.@+-]*\w_\w[\w.@+-]*"
    r"|\b[\w-]+\.(?:md|ya?ml|json|csv|py|txt|toml|xlsx?|docx?|pdf|pptx?|sql|sh|log)\b"
)
_VERBATIM = re.compile(
    r"[\w.+-]+@[\w-]+\.[\w.-]+"  # addresses
    r"|(?<!\w)@[\w-]+"  # handles
    r"|(?<![\w.])v?\d+(?:\.\d+){2,}[\w-]*|\bv\d[\w.]*"  # versions
    r"|(?<!\w)#\d+\b"
    r"|\b[a-z]+[A-Z]\w*\b"  # camelCase
    # Letters with digits, with the dots and dashes between them: R1.2, 2.4-dev.127.
    r"|(?<![\w.])(?=[\w.-]*[A-Za-z])(?=[\w.-]*\d)[A-Za-z0-9]+(?:[-.][A-Za-z0-9]+)*\b",
)
#: A figure with its unit attached is a number and not a name: 590ms, 3.2x, 24h, 5-day.
_MEASURE = re.compile(
    r"\d+(?:\.\d+)?(?:st|nd|rd|th|[kmb]n?|[a-z]{1,2}|min|sec|hrs?)?(?:-[a-z]+)*", re.I
)
_NAME = re.compile(r"\b[^\W\d_a-z][\w]*(?:['-]\w+)*")
_WORD = re.compile(r"\w+(?:['-]\w+)*")
_STARTS = re.compile(r"(?:^|[.!?:;|…(\[\"'/]|\s-+)\s*[\"'(\[]?$")


@dataclass(frozen=True, slots=True)
class Fact:
    """One atom of a sentence: its kind, the words it stands in, and its value."""

    kind: str
    text: str
    value: object = None


@dataclass
class Known:
    """All that an entry states."""

    pieces: list[str] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    numbers: set[tuple[float, str]] = field(default_factory=set)
    times: set[int] = field(default_factory=set)
    when: When = field(default_factory=When)

    def holds(self, fact: Fact) -> bool:
        """Whether the entry states the fact, in whatever form."""
        return _HELD[fact.kind](self, fact)

    def verbatim(self, text: str) -> bool:
        pattern = re.compile(rf"(?<!\w){re.escape(text.casefold())}(?!\w)")
        return any(pattern.search(piece) for piece in self.pieces)

    def month(self, number: int) -> bool:
        names = {name for name, n in MONTH_OF.items() if n == number}
        return number in {month for _, month in self.when.months} or bool(names & self.words)


def plain(text: str) -> str:
    """Text as its words: one form of quote and dash, no emphasis or code marks."""
    text = unicodedata.normalize("NFC", text)
    text = re.sub(r"(?<=<)(\\+)(?=!--)|(?<=--)(\\+)(?=>)", "", text)
    text = re.sub(r"[“”„«»]", '"', re.sub(r"[‘’‚`´]", "'", text.replace("`", "")))
    text = re.sub(r"[‐‑‒–—―−]", "-", re.sub(r"[\u00a0\u2009\u202f]", " ", text))
    text = re.sub(r"\[([^\]]*)\]\(([^)\s]*)\)", r"\1 \2", text)
    text = re.sub(r"\*+|~~|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)", "", text)
    return re.sub(r"\s+", " ", text).strip()


def unsupported(sentence: str, entries: Iterable[Entry]) -> list[Fact]:
    """The atoms of a sentence that stand in none of the entries."""
    evidence = [known(entry) for entry in entries]
    return [fact for fact in facts_of(sentence) if not any(facts.holds(fact) for facts in evidence)]


def misdated(sentence: str, entries: Iterable[Entry]) -> str:
    """The date a sentence opens with, if no entry is of that day or names it outright."""
    text = plain(sentence)
    match = DATE.match(text)
    if not match or not re.match(r"\s?[-:]\s", text[match.end() :]):
        return ""
    when = When()
    for entry in entries:
        when.days |= {entry.day} if entry.day else set()
        for piece in (entry.text, entry.lead, *entry.headings):
            when.read_absolute(plain(piece), entry.day)
    when.settle()
    return "" if all(when.holds(value) for value in claimed(match)) else match.group()


@cache
def known(entry: Entry) -> Known:
    """What an entry states: text, lead-in and headings, own date, relative dates resolved."""
    facts = Known()
    for piece in (entry.text, entry.lead, *entry.headings):
        _learn(facts, plain(piece), entry.day)
    if entry.kind == "row":
        # A row read out has each column's title before its cell.
        titles, cells = (plain(part).strip("| ").split("|") for part in (entry.lead, entry.text))
        facts.runs += [_run(f"{a} {b}") for a, b in zip(titles, cells, strict=False)]
    facts.when.days |= {entry.day} if entry.day else set()
    facts.when.settle()
    return facts


def _learn(facts: Known, text: str, day: date | None) -> None:
    facts.pieces.append(text.casefold())
    facts.runs.append(_run(text))
    facts.words |= {part for word in _words(text) for part in (word, *re.split(r"['-]", word))}
    facts.when.read(text, day)
    rest = _blank(DATE, text)
    for minutes in _times(rest):
        facts.times |= minutes
    facts.when.years |= {int(year) for year in re.findall(r"\b(?:19|20)\d\d\b", rest)}
    facts.numbers |= {value for _, value in _numbers(_blank(_TIME, rest))}


def _words(text: str) -> Iterator[str]:
    for match in _WORD.finditer(text.casefold()):
        yield match.group()
        yield match.group().removesuffix("'s").removesuffix("'")


def _run(text: str) -> str:
    """The words in a row, with a bar where anything but a space stands between two."""
    run, end = ["|"], 0
    for match in _WORD.finditer(text):
        if text[end : match.start()].strip(" '\""):
            run.append("|")
        run.append(match.group().casefold().removesuffix("'s"))
        end = match.end()
    return " " + " ".join(run) + " | "


def _blank(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda m: " " * len(m.group()), text)


# Numbers and times


def _times(text: str) -> Iterator[set[int]]:
    """Minutes of the day; a time in a range that ends in am or pm may be either half."""
    for match in _TIME.finditer(text):
        if match[6]:
            yield {720 if match[6].lower() == "noon" else 0}
            continue
        hour, minute, half = int(match[1] or match[4]), int(match[2] or 0), match[3] or match[5]
        base = hour * 60 + minute
        if half:
            yield {base % 720 + (720 if half.lower() == "p" else 0)}
        elif re.match(r"\s?(?:-|to|and)\s?\d{1,2}(?::\d\d)?\s?[ap]\.?m", text[match.end() :], re.I):
            yield {base % 720, base % 720 + 720}
        else:
            yield {base}


def _unit(text: str | None) -> str:
    word = (text or "").strip(" -").lower()
    if word in ("%", "percent", "per cent"):
        return "%"
    return _MONEY.get(word) or _MONEY.get(word.removesuffix("s")) or ""


def _numbers(text: str) -> Iterator[tuple[str, tuple[float, str]]]:
    for match in _NUMBER.finditer(text):
        scale = (match["scale"] or "").strip(" -").lower()
        value = float(match["value"].replace(",", ""))
        # `15m` and `15 mm` are minutes or metres as often as millions; a currency decides.
        if scale in ("m", "mm") and not match["money"] and "M" not in match["scale"]:
            scale = ""
        value = round(value * _SCALE.get(scale, 1), 6)
        yield match.group().strip(), (value, _unit(match["money"]) or _unit(match["unit"]))
    for match in _IN_WORDS.finditer(text):
        words = re.split(r"[ -]", match.group().lower())
        if words[0] in _ORDINAL:
            yield match.group(), (float(_ORDINAL[words[0]]), "")
            continue
        total = group = 0.0
        for word in words:
            if word in WORTH:
                group += WORTH[word]
            elif word == "hundred" or word == "dozen":
                group = (group or 1) * _SCALE[word]
            elif word in _SCALE:
                total, group = total + (group or 1) * _SCALE[word], 0
        yield match.group(), (total + group, _unit(match["unit"]))


# The facts of a sentence


def facts_of(sentence: str) -> Iterator[Fact]:
    """Every atom of a sentence, strictly read; what one kind has taken no other sees."""
    text = plain(re.sub(r"\[(?:secret|redacted):[\w:-]+\]", " ", sentence))
    if text.count('"') % 2 == 0:
        for quoted in re.findall(r'"([^"]+)"', text):
            if re.search(r"\w", quoted):
                yield Fact("quotation", quoted, quoted)
    else:
        yield Fact("quotation", text, None)
    for match in _URL.finditer(text):
        yield Fact("URL", match.group().rstrip(".,;:"))
    text = _blank(_URL, text)
    for match in _PATH.finditer(text):
        yield Fact("path", match.group().rstrip(".,;:"))
    text = _blank(_PATH, text)
    for match in DATE.finditer(text):
        for value in claimed(match):
            yield Fact("date", match.group(), value)
    text = _blank(DATE, text)
    for match in QUARTER.finditer(text):
        yield Fact("quarter", match.group(), int(match[1]))
    text = _blank(QUARTER, text)
    for match, minutes in zip(_TIME.finditer(text), _times(text), strict=False):
        yield Fact("time", match.group(), frozenset(minutes))
    text = _blank(_TIME, text)
    for match in _VERBATIM.finditer(text):
        token = match.group().rstrip(".,;:")
        if not _MEASURE.fullmatch(token):
            yield Fact("identifier", token)
            text = text[: match.start()] + " " * len(match.group()) + text[match.end() :]
    for words, value in _numbers(text):
        if words.lower() not in ("one", "zero"):
            yield Fact("number", words, value)
    for match in MONTH.finditer(text):
        if match.group() not in ("May", "March", "Mar") or match.start():
            yield Fact("month", match.group(), MONTH_OF[match.group().lower()])
    text = _blank(MONTH, text)
    for match in WEEKDAY.finditer(text):
        if match[1][0].isupper() and len(match[1]) > 4:
            yield Fact("weekday", match[1], DAY_OF[match[1].lower()])
    yield from _names(_blank(WEEKDAY, text))


def _names(text: str) -> Iterator[Fact]:
    """Capitalised words one by one, and every run of them as the one name it makes."""
    run: list[str] = []
    end = 0
    for match in _NAME.finditer(text):
        if run and text[end : match.start()] != " ":
            yield from _joined(run)
            run = []
        end = match.end()
        word = match.group().removesuffix("'s")
        opening = _STARTS.search(text[: match.start()]) is not None
        # The first word of a sentence has its capital from there, and joins no name by it.
        if word.partition("'")[0] == "I" or (opening and word.casefold() in _COMMON):
            yield from _joined(run)
            run = []
            continue
        yield Fact("name", word, (word,))
        run.append(word)
        if word != match.group():
            yield from _joined(run)
            run = []
    yield from _joined(run)


def _joined(run: list[str]) -> Iterator[Fact]:
    if len(run) > 1:
        yield Fact("name", " ".join(run), tuple(run))


#: "Reversed" is the page's own word, before what took a decision back.
_COMMON = frozenset(
    re.findall(
        r"\w+",
        """reversed a about after all an and any are as at be before both but by can did do does during each
        every for from had has have he her his how if in is it its my no not of on one or our over
        she since so some that the their then there these they this those through to under until
        was we were what when where which while who why will with within without you your""",
    )
)


# How each kind is supported


def _has_number(facts: Known, fact: Fact) -> bool:
    value = fact.value
    assert isinstance(value, tuple)
    if value in facts.numbers:
        return True
    number, unit = value
    if unit:
        return False
    if number in facts.when.years:
        return True
    is_day = re.search(r"(?:st|nd|rd|th)$", fact.text) is not None
    return is_day and number in {day.day for day in facts.when.days}


def _has_quotation(facts: Known, fact: Fact) -> bool:
    if fact.value is None:
        # A lone quote mark is right only where the entry has one too.
        return any(piece.count('"') % 2 for piece in facts.pieces)
    pieces = (p.strip(" .,;:!?'").casefold() for p in re.split(r"…|\.\.\.", fact.text))
    return all(any(part in piece for piece in facts.pieces) for part in pieces)


def _has_name(facts: Known, fact: Fact) -> bool:
    assert isinstance(fact.value, tuple)
    words = [str(word).casefold() for word in fact.value]
    if len(words) == 1:
        return words[0] in facts.words
    return any(f" {' '.join(words)} " in run for run in facts.runs)


def _has_time(facts: Known, fact: Fact) -> bool:
    assert isinstance(fact.value, frozenset)
    return bool(fact.value & facts.times)


def _has_weekday(facts: Known, fact: Fact) -> bool:
    names = {name for name, n in DAY_OF.items() if n == fact.value}
    names |= {name + "s" for name in names}
    return bool(names & facts.words) or any(day.weekday() == fact.value for day in facts.when.days)


_HELD: dict[str, Callable[[Known, Fact], bool]] = {
    "date": lambda facts, fact: facts.when.holds(fact.value),
    "month": lambda facts, fact: facts.month(int(str(fact.value))),
    "quarter": lambda facts, fact: fact.value in facts.when.quarters or facts.verbatim(fact.text),
    "weekday": _has_weekday,
    "time": _has_time,
    "number": _has_number,
    "quotation": _has_quotation,
    "URL": lambda facts, fact: facts.verbatim(fact.text),
    "path": lambda facts, fact: facts.verbatim(fact.text),
    "identifier": lambda facts, fact: facts.verbatim(fact.text),
    "name": _has_name,
}
