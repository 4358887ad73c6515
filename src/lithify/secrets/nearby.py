"""Which rules a text comes near: each word is looked at once, and what it holds is remembered.

Every rule needs one of a few strings in the text (`sk-`, `pass`, `://`). Most words of most texts hold
none of them, so that a text costs little more than being cut into words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lithify.regex import regex
from lithify.secrets.labelled import CAPITALS, LISTED, NEAR, NEAR_ACCOUNT
from lithify.secrets.token_formats import RULES, TokenFormat

#: The shortest run of characters that a token with a prefix may be.
LONG = 14
#: How many words, and how many sets of strings, are remembered; a longer word is not.
_REMEMBERED, _LONGEST = 100_000, 60
#: The characters of which the words are looked at together.
_PIECE = 1 << 16
_SPACE = regex(r"\s")


class Nearby(NamedTuple):
    """The rules that a text comes near, and the strings of `labelled` that it may hold."""

    rules: tuple[TokenFormat, ...] = ()
    words: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    capitals: bool = False
    listed: bool = False
    #: Whether it may hold anything.
    any: bool = False


class _Part(NamedTuple):
    """A part of a string without spaces, and what else is true of the word that holds it."""

    text: str
    starts: bool = False
    ends: bool = False
    long: int = 0
    #: No letter stands beside it.
    alone: bool = False


_bits: dict[_Part, int] = {}


def _bit(part: _Part) -> int:
    return _bits.setdefault(part, 1 << len(_bits))


def _bits_of(near: str, long: int = 0) -> int:
    """The bits of the parts of a string."""
    parts = near.split()
    last = len(near.rstrip()) == len(near)
    found = [
        _Part(one, starts=n > 0, ends=n + 1 < len(parts) or not last, long=long)
        for n, one in enumerate(parts)
    ]
    return sum({_bit(one) for one in found})


_RULES = tuple((rule, _bits_of(one, rule.prefixed)) for rule in RULES for one in rule.near)
_WORDS = tuple((one, _bits_of(one)) for one in NEAR.split("|"))
_ACCOUNTS = tuple((one, _bits_of(one)) for one in NEAR_ACCOUNT.split("|"))
_LISTED = tuple(map(_bits_of, LISTED))
_CAPITALS = tuple(_bit(_Part(one.lower(), alone=True)) for one in CAPITALS)
#: The parts by their first two characters, and those of one character.
_by_start: dict[str, list[_Part]] = {}
for _one in _bits:
    _by_start.setdefault(_one.text[:2], []).append(_one)
_SINGLE = tuple(one for one in _bits if len(one.text) == 1)

#: All of it, for a text of which nothing is known.
EVERYTHING = Nearby(
    RULES,
    tuple(NEAR.split("|")),
    tuple(NEAR_ACCOUNT.split("|")),
    capitals=True,
    listed=True,
    any=True,
)

_held: dict[str, int | None] = {}
_nearby: dict[int, Nearby] = {0: Nearby()}


def nearby(lowered: str) -> Nearby:
    """Return what a text in small letters comes near."""
    held = 0
    for piece in _pieces(lowered):
        words = piece.split()
        bits = set(map(_held.get, words))
        if None in bits:
            # Each is looked up once: another thread may add a word in between.
            known = ((word, _held.get(word)) for word in words)
            bits = {_held_by(word) if one is None else one for word, one in known}
        for one in bits:
            held |= one or 0
    found = _nearby.get(held)
    return _needing(held) if found is None else found


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces that end between words, so that few words are in memory at a time."""
    begin = 0
    while len(text) - begin > _PIECE:
        space = _SPACE.search(text, begin + _PIECE)
        end = space.start() if space else len(text)
        yield text[begin:end]
        begin = end
    yield text[begin:] if begin else text


def _held_by(word: str) -> int:
    """The bits of the parts that a word holds."""
    found = [one for one in _SINGLE if one.text in word]
    for at in range(len(word) - 1):
        for one in _by_start.get(word[at : at + 2], ()):
            if word.startswith(one.text, at):
                found.append(one)
    held = 0
    for one in found:
        if _fits(one, word):
            held |= _bits[one]
    if len(word) <= _LONGEST:
        if len(_held) >= _REMEMBERED:
            _held.clear()
        _held[word] = held
    return held


def _fits(part: _Part, word: str) -> bool:
    """Whether what else has to be true of a word that holds a part is so."""
    if part.long:
        return len(word) >= max(LONG, part.long)
    if part.alone:
        return bool(re.search(rf"(?<![a-z]){part.text}s?(?![a-z])", word))
    starts, ends = word.startswith(part.text), word.endswith(part.text)
    return (starts or not part.starts) and (ends or not part.ends)


def _needing(held: int) -> Nearby:
    """What needs only parts whose bits are given."""
    if len(_nearby) >= _REMEMBERED:
        _nearby.clear()
    found = Nearby(
        tuple(dict.fromkeys([rule for rule, bits in _RULES if held & bits == bits])),
        tuple(one for one, bits in _WORDS if held & bits == bits),
        tuple(one for one, bits in _ACCOUNTS if held & bits == bits),
        any(held & bits == bits for bits in _CAPITALS),
        any(held & bits == bits for bits in _LISTED),
    )
    _nearby[held] = found = found._replace(any=found != Nearby())
    return found
