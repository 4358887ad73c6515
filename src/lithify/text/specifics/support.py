"""Whether a source says what an atom says, in whatever form."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from itertools import takewhile

from lithify.regex import regex
from lithify.text.dates import MONTHS, WEEKDAYS, could_name_date, find_dates
from lithify.text.specifics.atom import (
    LETTER,
    SHORT_DAYS,
    Atom,
    Support,
    aliases,
    folded_text,
)
from lithify.text.specifics.find import (
    EDGES,
    EITHER_WAY,
    LETTERS,
    all_but_names,
    bare_word,
    date_keys,
    figure_readings,
    names_in,
    stems_of,
    straight,
    week_key,
)
from lithify.text.stems import pieces

_UNMARKED = str.maketrans(dict.fromkeys('"“”«»`*', " "))
_MARKED = regex('["“”«»`*]')
_WEEKDAY_SAID = regex(r"mon|tue|wed|thu|fri|sat|sun", re.IGNORECASE)
_LAST_DAY = date.max.toordinal()
_WORD = regex(LETTERS)
_ASCII_WORD = regex("[a-z]+")
_SMALL_WORD = regex(rf"(?<!{LETTER})[a-z]+")
_HYPHENATED = regex(rf"(?<!{LETTER})(?<!-){LETTER}++(?:-{LETTER}++)+")
#: Words that support a figure although they are none themselves.
_COUNTED = aliases(
    "0 zero no none",
    "1 one first once",
    "2 second both twice pair couple",
    "12 dozen noon midnight",
)
_COUNTED["half"] = "50%"
_FIGURE_KEY = regex(r"[\d.]+")
_HOST = regex(r"([\w-]+(?:\.[\w-]+)+)/")
_TAGGED = regex(r"(?:#|[^\W\d_]+-?)(\d+)")
#: A vowel before the last consonant of a name, after another consonant.
_FLEETING = regex(r"(?<=[^\Waeiouyąęóаеёиоуыэюя])[eеё](?=[^\Waeiouyąęóаеёиоуыэюя]\Z)")
_HASH = regex(r"[0-9a-f]{7,}")
_MONEY_SAID = regex(r"[$€£¥₹]|dollar|euro|pound|rupee|\b(?:usd|eur|gbp|jpy|yen|inr)\b")
_FIGURES = frozenset(("number", "money", "percent"))
#: A day in figures that looks like another thing: "12.02.", "12.02.26", "2026.02.12".
_DAY_FIGURES = regex(r"(?:(\d{4})\.(\d\d?)\.(\d\d?)|(\d\d?)\.(\d\d?)(?:\.(\d\d))?)\.?")
_HALF_SAID = regex(r"\d\s?[ap]\.?\s?m\b")


def source_keys(text: str, anchor: date | None) -> frozenset[str]:
    """The keys of a source: as a claim would read it, as said on its day, and inside its quotes."""
    # Headings and lead-ins come again with every entry under them.
    day = anchor if could_name_date(text) else None
    return (_source_keys if len(text) <= 200 else _source_keys.__wrapped__)(text, day)


@lru_cache(maxsize=1 << 12)
def _source_keys(text: str, anchor: date | None) -> frozenset[str]:
    plain = text.translate(_UNMARKED) if _MARKED.search(text) else text
    texts = (text,) if plain == text else (text, plain)
    atoms = [a for part in texts for a in all_but_names(part, anchor, relative=False)[0]]
    keys = {atom.key for atom in atoms}
    for atom in atoms:
        if atom.kind in _FIGURES:
            readings, parts = figure_readings(atom.text)
            keys |= {*readings, *parts}
    # A claim reads a day without what someone is quoted with beside it, and so it may be read here.
    read = texts if '"' in text or "“" in text else (plain,)
    for part, said in ((p, s) for p in read for s in find_dates(p, anchor)) if anchor else ():
        keys.update(date_keys(said))
        if said.relative and not said.exact and said.first == said.last:
            # "next Friday" has two readings, and "two weeks ago" is no exact day.
            keys.add(week_key(said.first))
            if _WEEKDAY_SAID.search(part, said.start, said.end):
                ordinal = said.first.toordinal()
                near = (day for day in (ordinal - 7, ordinal + 7) if 0 < day <= _LAST_DAY)
                keys |= {date.fromordinal(day).isoformat() for day in near}
    return frozenset(keys)


def prepared(keys: frozenset[str], text: str) -> Support:
    words = _words_in(text)
    words |= {full for short, full in SHORT_DAYS.items() if short in words}
    wide = set(keys)
    for key in keys:
        _widen(key, wide, words)
    for word in words & _COUNTED.keys():
        wide |= {_COUNTED[word], f"{_COUNTED[word]}?"}
    return Support(
        frozenset(wide),
        frozenset(words),
        " ".join(text.replace("`", "").split()),
        folded_text(text),
    )


def _words_in(text: str) -> set[str]:
    """The words of a text as names are compared with them, what hangs by an apostrophe apart."""
    words: set[str] = set()
    for piece in pieces(text):
        words |= _words_in_piece(piece)
    return words


def _words_in_piece(text: str) -> set[str]:
    if text.isascii() and "'" not in text:
        words = set(_ASCII_WORD.findall(text.lower()))
        said: set[str] = set()
    else:
        said = set(_WORD.findall(text))
        words = {bare_word(word) for word in said}
    if "-" in text:
        words |= {word.replace("-", "") for word in _HYPHENATED.findall(text.casefold())}
    for word in said:
        if "'" in word or "’" in word:
            parts = straight(word).split("'")[:8]
            words.update(map(bare_word, parts))
            words.update(bare_word("'".join(parts[:n])) for n in range(2, len(parts)))
    return words


_DATE_KEY = regex(r"(?:([0-9]{4})|-)-(?:w([0-9]{2})|q([1-4])|([0-9]{2})(?:-([0-9]{2}))?)")


def _widen(key: str, wide: set[str], words: set[str]) -> None:
    """Add what follows from a key: a full date tells its month, an amount its number.

    A "?" marks a figure said without unit, a "*" a date said without year: they support more.
    """
    if dated := _DATE_KEY.fullmatch(key):
        _widen_date(dated, wide, words)
    elif either := EITHER_WAY.fullmatch(key):
        wide |= _both_readings(either)
    elif _FIGURE_KEY.fullmatch(key):
        wide.add(f"{key}?")
    elif key[0] in "$€£¥₹":
        wide.add(key[1:])
    elif key[-1] == "%" or (key[0].isdigit() and " " in key):
        wide.add(re.split(r"[% ]", key)[0])
    elif host := _HOST.match(key):
        wide.add(host[1])
    elif tagged := _TAGGED.fullmatch(key):
        wide |= {tagged[1], f"*-{key}"}  # a quarter said without year looks the same


def _widen_date(match: re.Match[str], wide: set[str], words: set[str]) -> None:
    key = match.group()
    year, week, quarter, month, day = match.groups()
    try:
        if week:
            days = [date.fromisocalendar(int(year or 0), int(week), n) for n in (1, 7)]
            ends = [day.isoformat() for day in days]
            wide.update(ends, (f"-{end[4:]}" for end in ends))
        else:
            days = [date(int(year or 2000), int(month or quarter), int(day or 1))]
    except (ValueError, OverflowError):
        return  # only looks like a date
    if year and day:
        weekday = WEEKDAYS[days[0].weekday()]
        wide |= {f"-{key[4:]}", week_key(days[0])}
        words |= {weekday, weekday[:3]}
    elif not year:
        wide |= {f"*{key[1:]}", f"*-{month}"}
    if year:
        wide.add(year)
    if quarter:
        wide.add(f"q{quarter}")
        return
    for each in days:
        wide.add(f"--{each.month:02}")
        words |= {MONTHS[each.month - 1], MONTHS[each.month - 1][:3]}
        if year:
            wide.add(f"{each.year:04}-{each.month:02}")


def _both_readings(match: re.Match[str]) -> set[str]:
    a, b, year = int(match[1]), int(match[2]), match[3]
    return {f"{year}-{a:02}-{b:02}", f"{year}-{b:02}-{a:02}"}


def holds(atom: Atom, source: Support) -> bool:
    key, keys = atom.key, source.keys
    if atom.kind == "name":
        return _name_stands(atom, source.words, source.text)
    if key in keys or _day_stands(atom, keys):
        return True
    if atom.kind in _FIGURES:
        readings, listed = figure_readings(atom.text)
        if not readings.isdisjoint(keys) or (listed and keys.issuperset(listed)):
            return True
    match atom.kind:
        case "number":
            return " " in key and f"{key.partition(' ')[0]}?" in keys
        case "percent":
            return f"{key[:-1]}?" in keys and ("%" in source.text or "percent" in source.folded)
        case "money":
            return f"{key[1:]}?" in keys and bool(_MONEY_SAID.search(source.folded))
        case "date":
            either = EITHER_WAY.fullmatch(key)
            said = key in source.words or f"*{key[4:]}" in keys
            return said or bool(either and _both_readings(either) & keys)
        case "time":
            return _half_a_day_off(atom, source)
        case "quote":
            parts = re.split(r"…|\.\.\.", key)
            return all(part.strip(EDGES) in source.folded for part in parts)
        case _:
            if _stands(key, source.text) or _stands(key, source.folded):
                return True
            return atom.kind == "id" and (_parts_stand(key, source) or _hash_stands(key, source))


def _name_stands(atom: Atom, words: frozenset[str], text: str) -> bool:
    for word in atom.key.split():
        if word in words or f"{word}s" in words or (word.endswith("s") and word[:-1] in words):
            continue
        if _is_inflected(word, words):
            continue
        if not atom.loose or not _has_form(word, words, text):
            return atom.key.replace(" ", "") in words
    return True


def _is_inflected(word: str, words: frozenset[str]) -> bool:
    """Return whether one of the words is another case of a name: "Кирилла" of "Кирилл".

    In a script other than Latin most languages have cases; in Latin letters see `share_a_stem`.
    """
    return not word.isascii() and any(
        share_a_stem(word, other) for other in words if not other.isascii()
    )


def share_a_stem(one: str, other: str) -> bool:
    """Return whether two words begin with the same letters but for three of their ends.

    The vowel that Slavic cases drop may be gone: "Kaczmarkowi" is of "Kaczmarek", "Павлом" of "Павел".
    """
    return any(
        _begin_alike(a, b)
        for a in (one, _FLEETING.sub("", one))
        for b in (other, _FLEETING.sub("", other))
    )


def _begin_alike(one: str, other: str) -> bool:
    common = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    )
    return common >= max(3, len(one) - 3, len(other) - 3)


def _has_form(word: str, words: frozenset[str], text: str) -> bool:
    """Return whether a text has another form of a word that may be no name: `Retries` for "retry".

    `Bobby` is no form of "Bob", nor is `Andy` of "and": a "y" makes another name.
    """
    stems = stems_of(word)
    if word.endswith("y"):
        stems = {stem for stem in stems if stem.endswith("y")}
    if _all_stems(words).isdisjoint(stems):
        return False
    return not _all_stems(words - _firm_names(text)).isdisjoint(stems)


@lru_cache(maxsize=256)
def _firm_names(text: str) -> frozenset[str]:
    """Return the words of a text that are names wherever they stand."""
    small = set(_SMALL_WORD.findall(text))
    named = {word for atom in names_in(text) if not atom.loose for word in atom.key.split()}
    return frozenset(named - small)


@lru_cache(maxsize=1024)
def _all_stems(words: frozenset[str]) -> frozenset[str]:
    return frozenset(stem for word in words for stem in stems_of(word))


def _day_stands(atom: Atom, keys: frozenset[str]) -> bool:
    """Return whether a figure or version is a day that a source has."""
    match = _DAY_FIGURES.fullmatch(atom.text) if atom.kind in ("number", "version") else None
    if match is None:
        return False
    year, month, day = (
        match[1] or (match[6] and f"20{match[6]}"),
        match[2] or match[5],
        match[3] or match[4],
    )
    return f"{year or '-'}-{int(month):02}-{int(day):02}" in keys


def _half_a_day_off(atom: Atom, source: Support) -> bool:
    """3:30 may mean 15:30 where one of the two does not say which half of the day it is."""
    hour, minute = int(atom.key[:2]), atom.key[3:]
    if f"{(hour + 12) % 24:02}:{minute}" not in source.keys:
        return False
    open_claim = hour <= 12 and not _HALF_SAID.search(atom.text.casefold())
    return open_claim or not _HALF_SAID.search(source.folded)


def _stands(key: str, text: str) -> bool:
    """Return whether a key stands in the text as a whole, not inside a longer one."""
    at = text.find(key)
    while at >= 0:
        before, after = text[max(0, at - 1) : at], text[at + len(key) : at + len(key) + 2]
        longer_left = (_in_word(before) and _in_word(key[0])) or (
            before == "." and key[0].isdigit()
        )
        longer_right = _in_word(after[:1]) and _in_word(key[-1])
        if (
            not longer_left
            and not longer_right
            and not (after[:1] in (".", "/", "-") and _in_word(after[1:]))
        ) or (not longer_left and _is_host(key, after)):
            return True
        at = text.find(key, at + 1)
    return False


def _is_host(key: str, after: str) -> bool:
    """Return whether a machine's name goes on with its domain: "stg-3" in "stg-3.example.com"."""
    return "-" in key and after[:1] == "." and after[1:].isalpha()


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _parts_stand(key: str, source: Support) -> bool:
    """PR-212 stands where a source says "PR #212": each part of it is there."""
    if not ("-" in key or key[0] == "#") or "/" in key or "_" in key:
        return False
    parts = re.findall(r"\d+|[^\W\d_]+", key)
    return all(p in source.keys if p.isdigit() else bare_word(p) in source.words for p in parts)


def _hash_stands(key: str, source: Support) -> bool:
    """Return a commit may be named by the first digits of its hash."""
    return bool(_HASH.fullmatch(key) and re.search(rf"(?<!\w){key}[0-9a-f]*(?!\w)", source.folded))
