"""The words of a text, their stems, and how alike two texts are by them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from lithify.regex import regex

#: Signs that stand beside words for the eye: arrows, boxes, ticks, pictures. A pattern's set.
SIGNS = "\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2b00-\u2bff\ufe0f\u200d\U0001f000-\U0001faff"
#: Letters of scripts that put no space between words; other letters may touch them: "bun性能".
_UNSPACED = (
    "\u2e80-\u2fdf\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
)
_WORD = regex(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+(?:['’][^\W_{_UNSPACED}]+)?")
_IS_UNSPACED = regex(f"[{_UNSPACED}]")
#: The same in plain small letters, which is found several times faster.
_PLAIN = regex(r"[a-z0-9]+(?:'[a-z0-9]+)?")

#: Words of no content: they are never counted.
_EMPTY_WORDS = """
a an and are aren't as at be been being but by can can't cannot could couldn't did didn't do does
doesn't doing don't for from had hadn't has hasn't have haven't having he he'd he'll he's her here
hers herself him himself his how i i'd i'll i'm i've if in into is isn't it it'd it'll it's its
itself just let's me my myself no nor not of off on once only or other our ours ourselves out over
own same she she'd she'll she's should shouldn't so some such than that that'd that's the their
theirs them themselves then there there's these they they'd they'll they're they've this those
through to too under until up very was wasn't we we'd we'll we're we've were weren't what what's
when where where's which while who who's whom why will with won't would wouldn't you you'd you'll
you're you've your yours yourself yourselves am about above after again against all any because
before below between both down during each few further more most also us
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())
#: Letters by which a word that is not in plain letters is known.
_BEGINNING = 5


def words_of(text: str) -> list[str]:
    """Return the lower-case words of a text; a run of Chinese or Japanese is cut into pairs."""
    return list(each_word(text))


def each_word(text: str) -> Iterator[str]:
    """Yield these words one by one, for a text whose words would not all fit into memory."""
    for piece in pieces(text):
        if piece.isascii():
            yield from _PLAIN.findall(piece.lower())
            continue
        for word in _WORD.findall(piece.replace("’", "'").lower()):
            if _IS_UNSPACED.match(word):
                for at in range(max(1, len(word) - 1)):
                    yield word[at : at + 2]
            else:
                yield word


def stems_of(text: str) -> list[str]:
    """Return the stems of a text's words in order, words without content left out."""
    return [stem(word) for word in each_word(text) if word not in _EMPTY]


def is_empty(word: str) -> bool:
    """Return whether a word has no content of its own."""
    return word in _EMPTY


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the word without its inflection, roughly: `deployments` and `deployment` are one."""
    if word.endswith("'s"):
        word = word[:-2]
    word = word.replace("'", "")
    if len(word) <= 3 or word.isdigit():
        return word
    if not word.isascii():
        # Endings of other languages are not known here: a longer word is known by its beginning.
        return word[:_BEGINNING]
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "xes", "ches", "shes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word.endswith("ing") and len(word) > 5:
        word = _undouble(word[:-3])
    elif word.endswith("ied") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("ed") and len(word) > 4:
        word = _undouble(word[:-2])
    if word.endswith("ly") and len(word) > 5:
        word = word[:-2]
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    return word


def _undouble(word: str) -> str:
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        return word[:-1]
    return word


@lru_cache(maxsize=1 << 13)
def content_stems(text: str) -> frozenset[str]:
    """Return the stems of a text's words that have content."""
    return frozenset(stems_of(text))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of the words of two texts that they have in common."""
    return len(one & other) / len(one | other) if one and other else 0.0


# Text in the letters that a reader takes it for: without invisible signs, accents, look-alikes.


#: Cyrillic and Greek letters that look like Latin ones.
_LATIN = str.maketrans(
    "\u0430\u0441\u0501\u0435\u04bb\u0456\u0458\u04cf\u043a\u043c\u043e\u0440\u051b\u0455\u0442\u0475\u051d\u0445\u0443"
    "\u0251\u0261\u0131\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03b3",
    "acdehijlkmopqstvwxy" + "agi" + "abeikvoptuxy",
)
_UNSEEN = regex(
    "[\u0300-\u036f\u00ad\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e01ef]+"
)


def as_read(text: str) -> str:
    """The text in small letters without invisible signs, look-alikes as the Latin letters."""
    if text.isascii():
        return text.lower()
    whole = unicodedata.normalize("NFKD", text).casefold()
    return _UNSEEN.sub("", whole).translate(_LATIN)


# A long text in pieces, for whoever takes it apart into words.


#: Characters of a piece, about.
SIZE = 1 << 16
_SPACE = regex(r"\s")


def pieces(text: str) -> Iterator[str]:
    """Yield the text in order, cut only before white space; a short one comes as it is."""
    if len(text) <= SIZE:
        yield text
        return
    start = 0
    while start < len(text):
        space = _SPACE.search(text, start + SIZE)
        end = space.start() if space else len(text)
        yield text[start:end]
        start = end
