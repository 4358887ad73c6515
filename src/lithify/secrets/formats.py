"""Read the forms of credentials from `formats.txt`, and judge whether a value is one.

A check answers from the value alone: whether letters and digits stand as a machine throws or a person
chooses them. What is public by its form is no credential: an identifier, a digest, a version, an
address, a path, a date. Those forms are data too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple
from unicodedata import normalize

#: Where a token begins and ends.
_BEGIN, _END = "(?<![A-Za-z0-9_-])", "(?![A-Za-z0-9])"


class Format(NamedTuple):
    """One kind of credential: the last group of `pattern`, or all of it, is the credential.

    Only lines that hold one of `near`, in small letters, are searched. `fits` judges the value.
    """

    kind: str
    near: tuple[str, ...]
    pattern: str
    fits: Callable[[str], bool]


class Formats(NamedTuple):
    """All that `formats.txt` says; a form is listed under each string that its lines may hold."""

    near: Mapping[str, list[Format]]
    names: tuple[str, ...]
    made: tuple[str, ...]
    users: tuple[str, ...]
    placeholder: str
    public: str
    kinds: list[str]


@cache
def formats() -> Formats:
    """Read the data file, once."""
    path = os.path.join(os.path.dirname(__file__), "formats.txt")
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    other: dict[str, list[str]] = {}
    near: dict[str, list[Format]] = {}
    # These have no form: their values are known by their names.
    kinds = {"password", "pin", "token"}
    for row in rows:
        kind, check, *rest = row.split("  ", 3)
        if not rest:
            other.setdefault(kind, []).append(check)
            continue
        strings, pattern = rest
        kinds.add(kind)
        if strings.startswith("^"):
            begins = "|".join(map(re.escape, strings[1:].split("|")))
            pattern = f"{_BEGIN}(?:{begins}){pattern}{_END}"
            strings = strings[1:].lower()
        elif pattern.startswith("<") and pattern.endswith(">"):
            pattern = f"{_BEGIN}(?:{pattern[1:-1]}){_END}"
        # Every line holds the empty string.
        one = Format(kind, tuple(strings.replace("*", "").split("|")), pattern, CHECKS[check])
        for string in one.near:
            near.setdefault(string, []).append(one)
    names, made, users = (_spelled(other[kind][0]) for kind in ("names", "made", "users"))
    placeholder, public = ("|".join(other[kind]) for kind in ("placeholder", "public"))
    return Formats(near, names, made, users, placeholder, public, sorted(kinds))


def _spelled(row: str) -> tuple[str, ...]:
    """List the words of a row, in both ways to compose their letters."""
    words = (word.replace("*", " ") for word in row.split())
    return tuple(dict.fromkeys(form for w in words for form in (w, normalize("NFD", w))))


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern when a text first comes near it: hooks import this module on every call."""
    return re.compile(pattern)


def _is(pattern: str, value: str) -> bool:
    return compiled(pattern).fullmatch(value) is not None


# What a value is that is no credential

_PATH = r"[\w.~-]+/[\w.~-]+/[\w./~-]*"
#: A piece of a name that a person chose: a word, a number, a word with a small number.
_PIECE = r"[A-Z]?[a-z]+\d{0,2}|[A-Z]+\d{0,2}|\d{1,4}|v\d+"


def is_none(value: str) -> bool:
    """Tell whether a value is a placeholder, public by its form, or the name of another thing."""
    known = formats()
    if _is(known.placeholder, value) or _is(known.public, value):
        return True
    return _is(_PATH, value) and not _random(value)


def is_name(value: str) -> bool:
    """Tell whether a value reads like a name: words and small numbers, joined by marks."""
    return all(_is(_PIECE, piece) for piece in re.split(r"[-_./:@+~ ]", value) if piece)


def is_mixed(value: str) -> bool:
    """Tell whether a value has letters and digits."""
    return any(map(str.isalpha, value)) and any(map(str.isdigit, value))


def has_all(value: str) -> bool:
    """Tell whether a value has capitals, small letters and digits."""
    return all(any(map(kind, value)) for kind in (str.isupper, str.islower, str.isdigit))


def has_sign(value: str) -> bool:
    """Tell whether a sign stands between letters or digits that no name and no sentence has there."""
    return compiled(r"\w[^\w\s\-./:,'’()\[\]<>]+\w").search(value) is not None


def is_thrown(value: str, least: int) -> bool:
    """Tell whether a value has the length and the mix of what a machine has made."""
    if len(value) < least or len(set(value)) < 6 or any(map(str.isspace, value)):
        return False
    if is_mixed(value):
        return not is_name(value)
    turns = sum(a.isupper() != b.isupper() for a, b in pairwise(value))
    return value.isalpha() and value.isascii() and turns >= 6 and turns * 4 >= len(value)


def is_chosen(value: str) -> bool:
    """Tell whether a value is what a person makes up for a password."""
    if len(value) < 6 or not any(map(str.isalpha, value)):
        return False
    return is_mixed(value) or has_sign(value)


def is_key(value: str) -> bool:
    """Tell whether letters and digits stand as evenly as only a machine throws them."""
    named = sum(map(len, re.findall("[A-Z]?[a-z]{3,}", value)))
    evenly = sum(map(str.isdigit, value)) >= 3 and len(set(value)) >= 14
    return evenly and 2 * named < len(value) and has_all(value) and not is_none(value)


# The checks of the data file


def _random(value: str) -> bool:
    words = sum(map(len, re.findall("[a-z]{4,}", value)))
    return has_all(value) and 2 * words < len(value)


def _given(value: str) -> bool:
    known = formats()
    return not _is(known.placeholder, value) and value.lower() not in (*known.names, *known.made)


def _token(value: str) -> bool:
    made = any(map(str.isdigit, value)) or any(map(str.isupper, value))
    return made and _given(value) and (value.isupper() or not is_name(value))


def _header(value: str) -> bool:
    is_word = value.islower() or value[1:].islower()
    return _given(value) and (any(map(str.isdigit, value)) or not is_word)


def _url(value: str) -> bool:
    thrown = is_thrown(value, 20) or (len(value) < 16 and is_thrown(value, 10) and _random(value))
    return thrown and not is_none(value)


def _field(value: str) -> bool:
    return is_chosen(value) and not is_none(value)


def _seed(value: str) -> bool:
    """Tell base32 from a word in capitals and from a digest."""
    digits = sum(map(str.isdigit, value))
    thrown = digits >= 1 and len(set(value)) >= 8 and not is_name(value)
    return thrown and not _is("(?i)[0-9a-f]+", value)


def _pair64(value: str) -> bool:
    """Tell whether base64 holds a user name and a password."""
    from base64 import b64decode

    try:
        said = b64decode(value + "=" * (-len(value) % 4)).decode("utf-8")
    except ValueError:
        return False
    user, colon, secret = said.partition(":")
    return bool(colon and secret.isprintable() and _is(r"[\w.@+-]{1,64}", user))


def _luhn(value: str) -> bool:
    """Tell whether digits have the check digit of a card number."""
    digits = [int(char) for char in reversed(value) if char.isdigit()]
    total = sum(digits[::2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return 13 <= len(digits) <= 19 and total % 10 == 0 and len(set(digits)) > 3


CHECKS: dict[str, Callable[[str], bool]] = {
    "any": bool,
    "given": _given,
    "token": _token,
    "random": _random,
    "key": is_key,
    "mixed": is_mixed,
    "header": _header,
    "url": _url,
    "field": _field,
    "seed": _seed,
    "pair64": _pair64,
    "luhn": _luhn,
}
