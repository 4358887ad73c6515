"""Proper names: capitalised words that are not merely at the start of something."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from lithify.text.specifics.atom import (
    BOTH,
    CALENDAR,
    COMMON,
    LETTER,
    NAMES_THOUGH,
    NEVER,
    SHORT_DAYS,
    Atom,
    word_set,
)

LETTERS = rf"{LETTER}+(?:['’]{LETTER}+)*"

_CAPITALISED = re.compile(rf"(?<![\d_'’])(?<!{LETTER})(?![a-z]){LETTERS}")

#: The same where every letter is a plain one, as in most texts; several times faster.
_PLAIN_CAPITALISED = re.compile(r"(?<![\d_'A-Za-z])[A-Z][A-Za-z]*(?:'[A-Za-z]+)*")

_OPENERS = '.!?:;…—–|•\n\0([{"“«/>]'

#: What follows somebody's name.
ACTS = re.compile(
    r"['’]s\b|,? (?:and [A-Z]|\w{2,}ed\b|said|says|will|is|was|has|had|wants?|asked|thinks|wrote|sent)"
)

_SENTENCE = re.compile(r"[.!?\n:|]")

_LONG = re.compile(r"[^\W\d_]{4,}")


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
    """Whether the words around are a title, where every word has a capital."""
    before = _SENTENCE.split(text[max(0, start - 80) : start])[-1]
    after = _SENTENCE.split(text[start : start + 80], 1)[0]
    words = _LONG.findall(before + after)
    return len(words) >= 3 and sum([word[0].isupper() for word in words]) >= 0.75 * len(words)


def straight(word: str) -> str:
    return word.replace("’", "'")


def bare_word(word: str) -> str:
    """A word as it is compared: no possessive, no case, no accents."""
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
    """The bases a word may be a form of."""
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
