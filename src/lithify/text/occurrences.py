"""Where a text occurs in another, however it is spelled: case, accents, spaces, split words.

Found are forms that differ in case, in Unicode composition, in white space (a line end with its
indent or quote mark included), in `-` or `_` between words, and forms that are split by invisible
characters or by the marks of emphasis and code. Encoded forms (base64, percent signs) are not.

The expressions made here cannot backtrack far: what may stand between two characters never
matches a character of the text itself. A pattern of a person is no regular expression: each of its
words is a glob (`*`, `?`) that is matched against one word.

A copy that was edited is found by `copies`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from typing import NamedTuple

from lithify.regex import regex

FORGOTTEN = "[forgotten]"


class Span(NamedTuple):
    """A part of a text, and what is to stand in its place."""

    start: int
    end: int
    new: str = FORGOTTEN


Find = Callable[[str], Iterable[Span]]

# Soft hyphen, combining joiner, zero-width and direction marks, word joiner, BOM, variation
# selectors, and the marks of emphasis and code.
_SPLITS = (
    "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff`*~\\\\"
)
_SPLIT = regex(f"[{_SPLITS}]+")
_SPACE = regex(rf"[\s_{_SPLITS}-]+")
_GAP = f"[{_SPLITS}]*"
_BETWEEN = rf"[\s_>{_SPLITS}-]+"
#: Words from this length on are also found broken over a line end; prose breaks no words.
_BROKEN = 12
_IN_BROKEN = rf"{_GAP}(?:\r?\n[ \t>]*{_GAP})?"
_EDGE = "\"'()[]{}<>.,;:!?*_`~“”„‚‘’«»"


def text_finder(texts: Iterable[str]) -> Find:
    """Finds every form of these texts."""
    wanted = sorted({key: text for text in texts if (key := _SPACE.sub(" ", text).strip())})
    if not wanted:
        return lambda text: ()
    expressions = [re.compile(_expression(text), re.IGNORECASE) for text in wanted]

    def find(text: str) -> Iterator[Span]:
        for expression in expressions:
            for match in expression.finditer(text):
                yield Span(*match.span())

    return find


def pattern_finder(pattern: str) -> Find:
    """Finds runs of words that match the globs of a pattern, one word each, in any case."""
    globs = [glob.casefold() for glob in pattern.split()]

    def find(text: str) -> Iterator[Span]:
        words = list(re.finditer(r"\S+", text))
        at = 0
        while at + len(globs) <= len(words):
            run = words[at : at + len(globs)]
            spans = [
                s for glob, word in zip(globs, run, strict=True) if (s := _matched(glob, word))
            ]
            if globs and len(spans) == len(globs):
                yield Span(spans[0][0], spans[-1][1])
                at += len(globs)
            else:
                at += 1

    return find


def together(*finders: Find) -> Find:
    """Finds what any of these finds."""
    return lambda text: (span for find in finders for span in find(text))


def merged(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, none touching another: of two that overlap, one from end to end."""
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start < found[-1].end:
            last = found[-1]
            found[-1] = last._replace(end=max(last.end, span.end))
        elif span.end > span.start:
            found.append(span)
    return found


def replaced(text: str, spans: Iterable[Span]) -> str:
    """Return a text with its spans exchanged."""
    parts, at = [], 0
    for span in merged(spans):
        parts += [text[at : span.start], span.new]
        at = span.end
    return "".join([*parts, text[at:]])


def _expression(text: str) -> str:
    words = [_SPLIT.sub("", word) for word in _SPACE.sub(" ", text).split()]
    return _BETWEEN.join(_word(word) for word in words)


def _word(word: str) -> str:
    composed = unicodedata.normalize("NFC", word)
    gap = _IN_BROKEN if len(composed) >= _BROKEN else _GAP
    return gap.join(map(_letter, composed))


def _letter(letter: str) -> str:
    forms = {letter, unicodedata.normalize("NFD", letter), letter.casefold(), letter.upper()}
    escaped = sorted({re.escape(form) for form in forms}, key=lambda form: (-len(form), form))
    return escaped[0] if len(escaped) == 1 else f"(?:{'|'.join(escaped)})"


def _matched(glob: str, word: re.Match[str]) -> tuple[int, int] | None:
    """Where in the text a word matches a glob: whole, or without the punctuation around it."""
    start, end = word.span()
    bare = word[0].strip(_EDGE)
    if bare and bare != word[0] and _fits(glob, bare.casefold()):
        start += word[0].index(bare)
        return start, start + len(bare)
    return (start, end) if _fits(glob, word[0].casefold()) else None


def _fits(glob: str, word: str) -> bool:
    """Whether a word matches a glob, which has no sets in brackets; many `*` cost no time."""
    return fnmatchcase(word, glob.replace("[", "[[]"))
