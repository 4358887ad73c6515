"""The terms by which a text is indexed and searched: stems of words, and compounds; their weights.

A compound (`rate_limit`, `RateLimiter`, `src/app.py`, `board-prep`, `v2.4.1`, `$18,000`) gives a term
for the whole and one for each part. Chinese and Japanese text gives pairs of characters, an emoji
gives a term of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from lithify.index.tables import TOP, K
from lithify.text.stems import each_word, is_empty, stem, words_of

#: A piece that is more than one word: joined by signs, or of letters and figures, or CamelCase.
#: It and the figures below are left uncompiled until a text has one: most queries have none.
#: It begins where a run of its characters does: from within one it would be looked for again.
_RUN = r"[^\s,;()\[\]{}<>\"“”«»|`*]"
_PIECE = rf"(?<!{_RUN}){_RUN}*[^\W_][^\s;()\[\]{{}}<>\"“”«»|`*]*"
_JOINED = re.compile(r"[^\W_][./:_\-@#+&$%~=\\,][^\W_]|\d[^\W\d_]|[^\W\d_]\d")
_HUMPS = re.compile(r"[a-z0-9](?=[A-Z])|[A-Z](?=[A-Z][a-z])")
_GROUPED = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?"
_FIGURE = r"\d[\d.:/-]*%?"
_CLOCK = r"0(\d:\d\d)"
_EDGES = "'’.,:;!?…/\\-–—~=#&+_"
#: Words longer than this are not indexed.
_LONGEST = 80
#: BM25's b; the lengths, in terms, of an average text and heading path; what a heading counts for.
_B = 0.5
_TEXT_LENGTH = 16.0
_HEAD_LENGTH = 8.0
_HEAD_WEIGHT = 1.5


def terms_of(text: str) -> list[str]:
    """The terms of a text in order, without stop words."""
    pictures: list[str] = []
    if not text.isascii():
        text = text.translate(_bare_letters())
        pictures = _pictures(text)
    found = [stem(word) for word in each_word(text) if not is_empty(word) and len(word) <= _LONGEST]
    if _JOINED.search(text) or _HUMPS.search(text):
        found += _wholes(text)
    return found + pictures


def _pictures(text: str) -> list[str]:
    """The emoji and other symbols of a text."""
    from unicodedata import category

    return [sign for sign in text if sign > "\u218f" and category(sign) == "So"]


def _wholes(text: str) -> list[str]:
    """The compounds of a text, and the parts of those in CamelCase."""
    found: list[str] = []
    for match in re.finditer(_PIECE, text):
        piece = match[0].strip(_EDGES).removesuffix("'s")
        if len(piece) > _LONGEST or len(piece) < 3:
            continue
        if _HUMPS.search(piece):
            parts = [part for part in _HUMPS.sub(r"\g<0> ", piece).split() if len(part) > 2]
            if len(parts) > 1:
                found += [stem(p) for part in parts for p in words_of(part) if not is_empty(p)]
        piece = piece.lstrip("$€£¥")
        if piece.isalnum() or not _JOINED.search(piece):
            continue
        if "," in piece:
            piece = re.sub(_GROUPED, lambda figure: figure[0].replace(",", ""), piece)
        if piece[0].isdigit() and re.fullmatch(_FIGURE, piece):
            piece = re.sub(_CLOCK, r"\1", piece.rstrip("%"))
        found.append(piece.lower())
    return found


@lru_cache(maxsize=1)
def _bare_letters() -> dict[int, str]:
    """Maps accented Latin letters to plain ones, so that either spelling finds the other."""
    from unicodedata import normalize

    bare = {code: normalize("NFD", chr(code))[0] for code in range(0xC0, 0x250)}
    return {code: letter for code, letter in bare.items() if letter.isascii()}


@lru_cache(maxsize=1 << 6)
def date_terms(day: int) -> tuple[str, ...]:
    """The terms of a date in figures and words, by which the passages of a day are found."""
    if not day:
        return ()
    known = date.fromordinal(day)
    return tuple(terms_of(f"{known} {known:%A %d %B %Y}"))


def weights(
    terms: Sequence[str], about: Sequence[str], length: float = _TEXT_LENGTH
) -> dict[str, int]:
    """The weight of each term of a document: BM25 over its text and, as a second field, headings.

    `length` is that of an average text, in terms.
    """
    text_norm = 1 - _B + _B * len(terms) / length
    head_norm = 1 - _B + _B * len(about) / _HEAD_LENGTH
    totals: dict[str, float] = {}
    for term, count in Counter(terms).items():
        totals[term] = count / text_norm
    for term, count in Counter(about).items():
        totals[term] = totals.get(term, 0.0) + _HEAD_WEIGHT * count / head_norm
    return {term: max(1, round(TOP * total / (total + K))) for term, total in totals.items()}
